// Comparators for Sort. arithmetic.cc defines them, with the other computations
// of scalars.
#ifndef XLA_HLO_BUILDER_LIB_COMPARATORS_H_
#define XLA_HLO_BUILDER_LIB_COMPARATORS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/types/span.h"
#include "xla/hlo/builder/xla_builder.h"
#include "xla/hlo/builder/xla_computation.h"
#include "xla/proto/xla_data.pb.h"

namespace xla {

// Return computations with parameters 2i and 2i + 1 of scalar type
// operand_types[i] that tell whether parameter 0 comes before parameter 1.
// Floats are in total order: -NaN < -inf < ... < -0 < +0 < ... < inf < NaN.
XlaComputation CreateScalarLtComputation(
    const std::vector<PrimitiveType>& operand_types, XlaBuilder* builder);
XlaComputation CreateScalarGtComputation(
    const std::vector<PrimitiveType>& operand_types, XlaBuilder* builder);

// Like the above, with several keys: of the operand pairs that have a
// comparator, the first that is not equal decides. Errors, which the builder
// keeps: comparator_c1 if the lists have different lengths, or no operand has a
// comparator.
XlaComputation CreateScalarComparisonComputation(
    const std::string& name, const std::vector<PrimitiveType>& operand_types,
    const std::vector<
        std::optional<XlaOp (*)(XlaOp, XlaOp, absl::Span<const int64_t>)>>&
        comparators,
    XlaBuilder* builder);

}  // namespace xla

#endif  // XLA_HLO_BUILDER_LIB_COMPARATORS_H_
