// How the HLO of a program of several partitions says how its arrays are
// divided, which have the sizes that they have in the program:
//
// - Parameters and ops have the shardings that the program states. Others have
//   none; the module's config says whether propagation may choose those of
//   parameters and results.
// - A "Sharding" custom call gives its operand's value another sharding: a
//   constraint of the program.
// - "xla.sdy.FuncResultSharding" is the sharding that the program states for a
//   result of the entry.
// - "SPMDFullToShardShape" makes of an array, whose "Sharding" says how it is
//   divided along the manual axes of a computation, the part of one device.
//   Its own sharding has these axes as manual ones. "SPMDShardToFullShape" is
//   the reverse. Instructions between them say nothing about manual axes.
// - A "Sharding" with side effects and {unknown shard_as 0} puts its operand
//   into a group of arrays that have the same sharding.
// - "xla.sdy.PropagationBarrier" with the frontend attribute
//   xla.sdy.allowed_direction (NONE, FORWARD, BACKWARD) passes shardings on in
//   that direction only.
// - A custom call that one device runs has a maximal sharding. Others may have
//   the frontend attribute xla.sdy.sharding_rule, Shardy's text of an op
//   sharding rule.
#ifndef XLA_STABLEHLO_TO_HLO_CONVERSION_SHARDING_ANNOTATIONS_H_
#define XLA_STABLEHLO_TO_HLO_CONVERSION_SHARDING_ANNOTATIONS_H_

#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "xla/core/shape.h"
#include "xla/hlo/ir/hlo_computation.h"
#include "xla/hlo/ir/hlo_instruction.h"
#include "xla/hlo/sharding/mesh_sharding.h"
#include "xla/stablehlo/to_hlo/conversion/op_conversion.h"

namespace xla::stablehlo {

// Adds a custom call of one operand that only says where its value is.
HloInstruction* AddShardingCall(absl::string_view target, Shape shape,
                                HloInstruction* operand, OpSharding sharding,
                                HloComputation& computation,
                                bool has_side_effect = false);

// What divides the operands and results of a manual computation. The lists
// have a sharding for each.
struct ManualShardings {
  const Attribute* in_shardings;
  const Attribute* out_shardings;
  const Attribute* manual_axes;
};

// The two halves of a manual computation, before and after its body: return the
// instructions of the body's arguments, whose shapes are `local`, and of the
// results. Errors: InvalidArgument for broken shardings and for shapes that are
// not those of parts of equal size.
absl::StatusOr<std::vector<HloInstruction*>> EnterManual(
    const ManualShardings& shardings, absl::Span<const Shape> local,
    OpConversion& conversion);
absl::StatusOr<std::vector<HloInstruction*>> LeaveManual(
    const ManualShardings& shardings,
    absl::Span<HloInstruction* const> returned, OpConversion& conversion);

// Marks those of the computation's instructions from number `first` on that
// nothing else connects with a manual computation as parts of it: those with
// side effects that use no arrays.
absl::Status MarkManual(const ManualShardings& shardings, int64_t first,
                        OpConversion& conversion);

// Returns Shardy's text of an sdy.sharding_rule. Errors: InvalidArgument for
// mappings to factors that it does not have.
absl::StatusOr<std::string> ShardingRuleText(const Attribute& rule);

}  // namespace xla::stablehlo

#endif  // XLA_STABLEHLO_TO_HLO_CONVERSION_SHARDING_ANNOTATIONS_H_
