// MakeFakeLiteral: values for programs whose inputs do not matter.
#ifndef XLA_CORE_LITERAL_FAKE_LITERAL_H_
#define XLA_CORE_LITERAL_FAKE_LITERAL_H_

#include "absl/status/statusor.h"
#include "xla/core/literal/literal.h"
#include "xla/core/shape.h"

namespace xla {

// Makes values for a parameter of `shape`: the same ones in every call. Floats
// are between -1 and 1, integers at most 100 in size, or, with
// `use_large_range`, anything finite; without `pseudo_random`, all are 1.
// Errors: those of Literal::Make; InvalidArgument for opaque values.
absl::StatusOr<Literal> MakeFakeLiteral(const Shape& shape,
                                        bool pseudo_random = true,
                                        bool use_large_range = false);

}  // namespace xla

#endif  // XLA_CORE_LITERAL_FAKE_LITERAL_H_
