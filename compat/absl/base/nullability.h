// Abseil's own header if it has one, else annotations without effect.
#ifndef COMPAT_ABSL_BASE_NULLABILITY_H_
#define COMPAT_ABSL_BASE_NULLABILITY_H_

#if __has_include_next("absl/base/nullability.h")
#include_next "absl/base/nullability.h"
#else
namespace absl {
template <typename T>
using Nonnull = T;
template <typename T>
using Nullable = T;
template <typename T>
using NullabilityUnknown = T;
}  // namespace absl
#endif
#ifndef absl_nonnull
#define absl_nonnull
#define absl_nullable
#define absl_nullability_unknown
#endif

#endif  // COMPAT_ABSL_BASE_NULLABILITY_H_
