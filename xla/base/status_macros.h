// Macros that return early on errors. Each yields to an existing definition.
#ifndef XLA_BASE_STATUS_MACROS_H_
#define XLA_BASE_STATUS_MACROS_H_

#include <utility>

#include "absl/base/optimization.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "xla/base/status_builder.h"

#define XLA_CONCAT_INNER_(a, b) a##b
#define XLA_CONCAT_(a, b) XLA_CONCAT_INNER_(a, b)

// Clients make names of their own macros with it.
#ifndef TF_STATUS_MACROS_CONCAT_NAME
#define TF_STATUS_MACROS_CONCAT_NAME(a, b) XLA_CONCAT_(a, b)
#endif

// Drops the parentheses around a left-hand side that contains commas, as in
// ((auto [a, b]), expression).
#define XLA_UNPAREN_(x) XLA_UNPAREN_PASTE_(XLA_UNPAREN_MARK_ x)
#define XLA_UNPAREN_MARK_(...) XLA_UNPAREN_MARK_ __VA_ARGS__
#define XLA_UNPAREN_PASTE_(...) XLA_UNPAREN_PASTE2_(__VA_ARGS__)
#define XLA_UNPAREN_PASTE2_(...) XLA_UNPAREN_DROP_##__VA_ARGS__
#define XLA_UNPAREN_DROP_XLA_UNPAREN_MARK_

#define XLA_ASSIGN_OR_RETURN_(name, lhs, ...) \
  auto name = (__VA_ARGS__);                  \
  if (ABSL_PREDICT_FALSE(!name.ok())) {       \
    return std::move(name).status();          \
  }                                           \
  XLA_UNPAREN_(lhs) = *std::move(name)

// TF_RETURN_IF_ERROR(F()); F returns Status.
#ifndef TF_RETURN_IF_ERROR
#define TF_RETURN_IF_ERROR(...)                                  \
  do {                                                           \
    absl::Status xla_status = (__VA_ARGS__);                     \
    if (ABSL_PREDICT_FALSE(!xla_status.ok())) return xla_status; \
  } while (0)
#endif

// TF_ASSIGN_OR_RETURN(auto x, F()); F returns StatusOr.
#ifndef TF_ASSIGN_OR_RETURN
#define TF_ASSIGN_OR_RETURN(lhs, ...)                                  \
  XLA_ASSIGN_OR_RETURN_(XLA_CONCAT_(xla_status_or_, __COUNTER__), lhs, \
                        __VA_ARGS__)
#endif

// TF_RET_CHECK(invariant) << "what is wrong"; returns an Internal error.
#ifndef TF_RET_CHECK
#define TF_RET_CHECK(condition)            \
  while (ABSL_PREDICT_FALSE(!(condition))) \
  return ::xla::RetCheckFailure(__FILE__, __LINE__, #condition)
#endif

// Like TF_RETURN_IF_ERROR, but also takes << "context".
#ifndef ABSL_RETURN_IF_ERROR
#define ABSL_RETURN_IF_ERROR(...)               \
  for (absl::Status xla_status = (__VA_ARGS__); \
       ABSL_PREDICT_FALSE(!xla_status.ok());)   \
  return ::xla::StatusBuilder(std::move(xla_status))
#endif
#ifndef ABSL_ASSIGN_OR_RETURN
#define ABSL_ASSIGN_OR_RETURN TF_ASSIGN_OR_RETURN
#endif
#ifndef RETURN_IF_ERROR
#define RETURN_IF_ERROR ABSL_RETURN_IF_ERROR
#endif
#ifndef ASSIGN_OR_RETURN
#define ASSIGN_OR_RETURN ABSL_ASSIGN_OR_RETURN
#endif

#endif  // XLA_BASE_STATUS_MACROS_H_
