// HandlerState: what a handler made in one of its stages and gets back in later
// ones; owned by the runtime.
#ifndef XLA_RUNTIME_FFI_HANDLER_STATE_H_
#define XLA_RUNTIME_FFI_HANDLER_STATE_H_

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "xla/runtime/ffi/type_registry.h"

namespace xla::ffi {

// Set once; after that any number of threads may read.
class HandlerState {
 public:
  using Deleter = void (*)(void* state);

  HandlerState() = default;
  ~HandlerState();
  HandlerState(const HandlerState&) = delete;
  HandlerState& operator=(const HandlerState&) = delete;

  bool is_set() const { return is_set_; }
  // Takes `state`, which `deleter` or else that of its type destroys. Errors
  // (`state` is not taken then): FailedPrecondition if there is one already;
  // NotFound for an unknown type without a deleter.
  absl::Status Set(TypeRegistry::TypeId type_id, void* state,
                   Deleter deleter = nullptr);
  // Errors: NotFound if none is set; InvalidArgument for another type.
  absl::StatusOr<void*> Get(TypeRegistry::TypeId type_id) const;

 private:
  bool is_set_ = false;
  TypeRegistry::TypeId type_id_;
  void* state_ = nullptr;
  Deleter deleter_ = nullptr;
};

}  // namespace xla::ffi

#endif  // XLA_RUNTIME_FFI_HANDLER_STATE_H_
