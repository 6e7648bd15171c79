// Definitions of the C ABI's opaque types: errors, futures, and the context of
// a call. Private to this folder.
#ifndef XLA_RUNTIME_FFI_CALL_CONTEXT_H_
#define XLA_RUNTIME_FFI_CALL_CONTEXT_H_

#include <condition_variable>
#include <mutex>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "xla/runtime/ffi/call.h"
#include "xla/runtime/ffi/ffi_c_api.h"

struct XLA_FFI_Error {
  absl::Status status;
  std::string message;  // of the status, null-terminated
};

struct XLA_FFI_ExecutionContext {
  const xla::ffi::CallOptions* options;
  const xla::ffi::CallStates* states;
};

// The handler completes it once; the call that waits deletes it.
struct XLA_FFI_Future {
 public:
  // Errors: FailedPrecondition if it was completed before.
  absl::Status Complete(absl::Status status);
  // Blocks until it is completed.
  absl::Status Wait();

 private:
  std::mutex mutex_;
  std::condition_variable completed_;
  std::optional<absl::Status> status_;
};

#endif  // XLA_RUNTIME_FFI_CALL_CONTEXT_H_
