// The state that a handler leaves with the runtime.
#include "xla/runtime/ffi/handler_state.h"

#include "absl/strings/str_cat.h"
#include "xla/base/status_macros.h"

namespace xla::ffi {

HandlerState::~HandlerState() {
  if (is_set_ && deleter_ != nullptr) deleter_(state_);
}

absl::Status HandlerState::Set(TypeRegistry::TypeId type_id, void* state,
                               Deleter deleter) {
  if (is_set_) {
    return absl::FailedPreconditionError(
        "FFI state: the stage has set its state already");
  }
  if (deleter == nullptr) {
    TF_ASSIGN_OR_RETURN(TypeRegistry::TypeInfo info,
                        TypeRegistry::GetTypeInfo(type_id));
    deleter = info.deleter;
  }
  is_set_ = true;
  type_id_ = type_id;
  state_ = state;
  deleter_ = deleter;
  return absl::OkStatus();
}

absl::StatusOr<void*> HandlerState::Get(TypeRegistry::TypeId type_id) const {
  if (!is_set_) {
    return absl::NotFoundError("FFI state: no stage has set the state");
  }
  if (type_id_ == type_id) return state_;
  return absl::InvalidArgumentError(
      absl::StrCat("FFI state: it is of type number ", type_id_.value(),
                   " and not ", type_id.value()));
}

}  // namespace xla::ffi
