// Literals of whole arrays, and of the parts that the devices of a partitioned
// module have.
#ifndef XLA_BACKENDS_SHARDED_LITERALS_H_
#define XLA_BACKENDS_SHARDED_LITERALS_H_

#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "xla/core/literal/literal.h"
#include "xla/hlo/ir/hlo_module.h"
#include "xla/hlo/sharding/named_sharding.h"

namespace xla {

// Return the shardings of the arrays of all parameters, or of the result, of a
// module that spmd-partitioner made; empty for another one. Errors:
// InvalidArgument for broken shardings.
absl::StatusOr<std::vector<NamedSharding>> ParameterShardings(
    const HloModule& module);
absl::StatusOr<std::vector<NamedSharding>> ResultShardings(
    const HloModule& module);

// Returns the part of each partition; elements beyond the end of a dimension
// that does not divide are zero. Errors: Unimplemented for partial values.
absl::StatusOr<std::vector<Literal>> SplitLiteral(
    const Literal& whole, const NamedSharding& sharding);

// Returns the array of `shape` from the part of each partition. Errors:
// DataLoss if two devices have different copies of an element, bit for bit;
// Unimplemented for partial values.
absl::StatusOr<Literal> JoinLiterals(absl::Span<const Literal> parts,
                                     const Shape& shape,
                                     const NamedSharding& sharding);

}  // namespace xla

#endif  // XLA_BACKENDS_SHARDED_LITERALS_H_
