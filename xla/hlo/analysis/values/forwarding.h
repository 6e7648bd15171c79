// Which parts of a result an op does not make, but passes on from an operand.
#ifndef XLA_HLO_ANALYSIS_VALUES_FORWARDING_H_
#define XLA_HLO_ANALYSIS_VALUES_FORWARDING_H_

#include <optional>

#include "xla/core/shape_index.h"
#include "xla/hlo/analysis/values/hlo_operand_index.h"
#include "xla/hlo/ir/hlo_instruction.h"

namespace xla {

enum class Forwarding {
  // HloDataflowAnalysis: also through started collectives; the tuples of
  // asynchronous ops are values of their own.
  kDataflow,
  // TuplePointsToAnalysis: all parts of the operands of asynchronous ops; no
  // collectives, which may copy; what a fusion declares to alias.
  kPointsTo,
};

// Returns the part of an operand that is the part of the result at `index`;
// nullopt if the op makes it, or a computation that it calls.
std::optional<HloOperandIndex> ForwardedPart(const HloInstruction& hlo,
                                             const ShapeIndex& index,
                                             Forwarding rules);

// Returns `index` without its first `count` numbers, and with `number` in front
// of it.
ShapeIndex Without(const ShapeIndex& index, int count);
ShapeIndex Inside(int64_t number, const ShapeIndex& index);

}  // namespace xla

#endif  // XLA_HLO_ANALYSIS_VALUES_FORWARDING_H_
