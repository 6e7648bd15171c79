// Attributes and branch hints, with TensorFlow's names.
#ifndef COMPAT_XLA_TSL_PLATFORM_MACROS_H_
#define COMPAT_XLA_TSL_PLATFORM_MACROS_H_

#include "absl/base/attributes.h"
#include "absl/base/macros.h"
#include "absl/base/optimization.h"

#ifndef TF_PREDICT_TRUE
#define TF_PREDICT_TRUE(x) ABSL_PREDICT_TRUE(x)
#define TF_PREDICT_FALSE(x) ABSL_PREDICT_FALSE(x)
#endif
#ifndef TF_MUST_USE_RESULT
#define TF_MUST_USE_RESULT [[nodiscard]]
#define TF_ATTRIBUTE_NORETURN [[noreturn]]
#define TF_ATTRIBUTE_ALWAYS_INLINE ABSL_ATTRIBUTE_ALWAYS_INLINE
#define TF_ATTRIBUTE_NOINLINE ABSL_ATTRIBUTE_NOINLINE
#define TF_ATTRIBUTE_UNUSED ABSL_ATTRIBUTE_UNUSED
#define TF_CONST_INIT ABSL_CONST_INIT
#define TF_EXPORT
#endif
#ifndef TF_PACKED
#define TF_PACKED ABSL_ATTRIBUTE_PACKED
#endif
#ifndef TF_ARRAYSIZE
#define TF_ARRAYSIZE(array) ABSL_ARRAYSIZE(array)
#endif
#ifndef TF_FALLTHROUGH_INTENDED
#define TF_FALLTHROUGH_INTENDED [[fallthrough]]
#endif
#ifndef TF_DISALLOW_COPY_AND_ASSIGN
#define TF_DISALLOW_COPY_AND_ASSIGN(Type) \
  Type(const Type&) = delete;             \
  void operator=(const Type&) = delete
#endif

#endif  // COMPAT_XLA_TSL_PLATFORM_MACROS_H_
