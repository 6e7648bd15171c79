// Handlers inside this library: plain C++ functions instead of the C ABI.
#ifndef XLA_RUNTIME_FFI_NATIVE_HANDLER_H_
#define XLA_RUNTIME_FFI_NATIVE_HANDLER_H_

#include <cstdint>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "xla/core/primitive_util.h"
#include "xla/runtime/ffi/attributes.h"

namespace xla::linalg {
class LapackKernels;
}  // namespace xla::linalg

namespace xla::ffi {

// An operand or result: borrowed, dense.
struct BufferView {
  PrimitiveType type = PRIMITIVE_TYPE_INVALID;
  absl::Span<const int64_t> dimensions;
  void* data = nullptr;
};

struct NativeCall {
  absl::string_view target;  // for messages
  absl::Span<const BufferView> arguments;
  absl::Span<const BufferView> results;
  const AttributesMap& attributes;
  // The backend's replacements for some of LAPACK, or null.
  linalg::LapackKernels* lapack_kernels = nullptr;
};

// A handler is thread safe and checks its operands and results.
using NativeHandler = absl::Status (*)(const NativeCall& call);

}  // namespace xla::ffi

#endif  // XLA_RUNTIME_FFI_NATIVE_HANDLER_H_
