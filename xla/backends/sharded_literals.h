// Literals of whole arrays, and of the parts that the devices of a partitioned
// module have: for tools and tests.
#ifndef XLA_BACKENDS_SHARDED_LITERALS_H_
#define XLA_BACKENDS_SHARDED_LITERALS_H_

#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "xla/backends/compiler.h"
#include "xla/core/literal/literal.h"
#include "xla/hlo/ir/hlo_module.h"
#include "xla/hlo/sharding/mesh_sharding.h"

namespace xla {

// Return the shardings of the arrays of all parameters, or of the result, of a
// module that spmd-partitioner made; empty for another one. Errors:
// InvalidArgument for broken shardings.
absl::StatusOr<std::vector<MeshSharding>> ParameterShardings(
    const HloModule& module);
absl::StatusOr<std::vector<MeshSharding>> ResultShardings(
    const HloModule& module);

// Returns the part of each partition; elements beyond the end of a dimension
// that does not divide are zero. Errors: Unimplemented for partial values.
absl::StatusOr<std::vector<Literal>> SplitLiteral(const Literal& whole,
                                                  const MeshSharding& sharding);

// Returns the array of `shape` from the part of each partition. Errors:
// DataLoss if two devices have different copies of an element, bit for bit;
// Unimplemented for partial values.
absl::StatusOr<Literal> JoinLiterals(absl::Span<const Literal> parts,
                                     const Shape& shape,
                                     const MeshSharding& sharding);

// Split the arguments of a module with shardings, whole and borrowed, into
// those of each partition, and join the partitions' results to one of `shape`.
// Tuples are split by element. `module` is what became of it. Errors: those
// above, and InvalidArgument for other arrays than it has.
absl::StatusOr<std::vector<std::vector<Literal>>> SplitArguments(
    const HloModule& module, absl::Span<const Literal* const> arguments);
absl::StatusOr<Literal> JoinResults(const HloModule& module,
                                    std::vector<Literal> results,
                                    const Shape& shape);

// Runs an executable of one replica, made from a module with shardings, on the
// parts of these arguments, and returns the result of `shape`, that of the
// whole. Errors: those of Execute and of the functions above.
absl::StatusOr<Literal> ExecuteSharded(
    const Executable& executable, absl::Span<const Literal* const> arguments,
    const Shape& shape, const Executable::RunOptions& options);

}  // namespace xla

#endif  // XLA_BACKENDS_SHARDED_LITERALS_H_
