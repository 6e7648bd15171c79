// The LAPACK custom calls that JAX's cpu rules emit, lapack_spotrf_ffi and so
// on, as native FFI handlers: known without registration.
#ifndef XLA_RUNTIME_LINALG_TARGETS_H_
#define XLA_RUNTIME_LINALG_TARGETS_H_

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "xla/runtime/ffi/native_handler.h"

namespace xla::linalg {

struct Target {
  absl::string_view name;
  ffi::NativeHandler handler;
};

// Sorted by name.
absl::Span<const Target> Targets();

// Null for an unknown name. Thread safe.
ffi::NativeHandler FindTarget(absl::string_view name);

}  // namespace xla::linalg

#endif  // XLA_RUNTIME_LINALG_TARGETS_H_
