// The LAPACK custom calls that JAX's cpu rules emit, such as lapack_spotrf_ffi,
// as native FFI handlers that need no registration.
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

// All targets, sorted by name.
absl::Span<const Target> Targets();

// Returns null for an unknown name. Thread safe.
ffi::NativeHandler FindTarget(absl::string_view name);

}  // namespace xla::linalg

#endif  // XLA_RUNTIME_LINALG_TARGETS_H_
