// Calls handlers through the C ABI: CallSignature is built once per call site,
// and Call fills in pointers and makes the call.
#ifndef XLA_RUNTIME_FFI_CALL_H_
#define XLA_RUNTIME_FFI_CALL_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "xla/core/primitive_util.h"
#include "xla/runtime/ffi/attributes.h"
#include "xla/runtime/ffi/execution_context.h"
#include "xla/runtime/ffi/ffi_c_api.h"
#include "xla/runtime/ffi/handler_state.h"
#include "xla/runtime/thread_pool.h"

namespace xla::ffi {

// The type and logical dimensions of an operand or result, which is dense in
// the dimension order of the call site's layout.
struct BufferType {
  PrimitiveType type = PRIMITIVE_TYPE_INVALID;
  std::vector<int64_t> dimensions;
};

// What a handler can ask for during one call. All pointers are borrowed.
struct CallOptions {
  int64_t run_id = 0;
  int32_t device_ordinal = 0;
  const ExecutionContext* execution_context = nullptr;
  ThreadPool* pool = nullptr;  // null: tasks run on the calling thread
};

// The states that each stage makes. `instantiate` belongs to the call site, the
// others to one run. Null where a stage may not set or get one.
struct CallStates {
  HandlerState* instantiate = nullptr;
  HandlerState* prepare = nullptr;
  HandlerState* initialize = nullptr;
};

// The unchanging half of a call: the types of the buffers, and the attributes
// in the form of the C ABI. Thread safe once built.
class CallSignature {
 public:
  CallSignature(std::vector<BufferType> arguments,
                std::vector<BufferType> results, AttributesMap attributes);
  ~CallSignature();
  CallSignature(const CallSignature&) = delete;
  CallSignature& operator=(const CallSignature&) = delete;

  absl::Span<const BufferType> arguments() const { return arguments_; }
  absl::Span<const BufferType> results() const { return results_; }
  const AttributesMap& attributes() const { return attributes_; }

 private:
  friend absl::Status Call(XLA_FFI_Handler*, const CallSignature&,
                           absl::Span<void* const>, absl::Span<void* const>,
                           XLA_FFI_ExecutionStage, const CallOptions&,
                           const CallStates&);
  struct AttributeTables;

  std::vector<BufferType> arguments_;
  std::vector<BufferType> results_;
  AttributesMap attributes_;
  // These have no data pointers.
  std::vector<XLA_FFI_Buffer> argument_buffers_;
  std::vector<XLA_FFI_Buffer> result_buffers_;
  std::vector<XLA_FFI_ArgType> argument_types_;
  std::vector<XLA_FFI_RetType> result_types_;
  std::vector<std::unique_ptr<AttributeTables>> tables_;  // the root is last
};

// Calls one stage of a handler and waits until it is done, asynchronous work
// included. `arguments` and `results` match the signature in number, or are
// empty in a stage that sees no buffers. Errors: those of the handler.
absl::Status Call(XLA_FFI_Handler* handler, const CallSignature& signature,
                  absl::Span<void* const> arguments,
                  absl::Span<void* const> results, XLA_FFI_ExecutionStage stage,
                  const CallOptions& options, const CallStates& states);

}  // namespace xla::ffi

#endif  // XLA_RUNTIME_FFI_CALL_H_
