// The element type of the result of dots and convolutions. Not for clients.
#ifndef XLA_HLO_BUILDER_RESULT_TYPE_H_
#define XLA_HLO_BUILDER_RESULT_TYPE_H_

#include <optional>

#include "absl/status/statusor.h"
#include "xla/core/shape.h"
#include "xla/proto/xla_data.pb.h"

namespace xla {
namespace builder_internal {

// Returns the preferred type, else the more precise of the operands' types.
// Errors: dot_type_c1.
absl::StatusOr<PrimitiveType> ProductType(
    const Shape& lhs, const Shape& rhs,
    std::optional<PrimitiveType> preferred_element_type);

}  // namespace builder_internal
}  // namespace xla

#endif  // XLA_HLO_BUILDER_RESULT_TYPE_H_
