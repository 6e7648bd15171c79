// HandlerState: an object that one stage of a handler makes and later stages
// get back; the runtime owns it.
#ifndef XLA_RUNTIME_FFI_HANDLER_STATE_H_
#define XLA_RUNTIME_FFI_HANDLER_STATE_H_

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "xla/runtime/ffi/type_registry.h"

namespace xla::ffi {

// Set once; after that any number of threads may read it.
class HandlerState {
 public:
  using Deleter = void (*)(void* state);

  HandlerState() = default;
  ~HandlerState();
  HandlerState(const HandlerState&) = delete;
  HandlerState& operator=(const HandlerState&) = delete;

  bool is_set() const { return is_set_; }
  // Takes `state`, which `deleter`, or else its type's deleter, destroys.
  // Errors, after which the caller still owns `state`: FailedPrecondition if
  // one is already set; NotFound for an unknown type without a deleter.
  absl::Status Set(TypeRegistry::TypeId type_id, void* state,
                   Deleter deleter = nullptr);
  // Errors: NotFound if none is set; InvalidArgument if it has another type.
  absl::StatusOr<void*> Get(TypeRegistry::TypeId type_id) const;

 private:
  bool is_set_ = false;
  TypeRegistry::TypeId type_id_;
  void* state_ = nullptr;
  Deleter deleter_ = nullptr;
};

}  // namespace xla::ffi

#endif  // XLA_RUNTIME_FFI_HANDLER_STATE_H_
