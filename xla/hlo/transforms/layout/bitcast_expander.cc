// Turns bitcasts into bitcast-converts with reshapes around them.
#include "xla/hlo/transforms/layout/bitcast_expander.h"

#include <vector>

#include "xla/base/status_macros.h"
#include "xla/core/primitive_util.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/transforms/creation/hlo_builder.h"

namespace xla {
namespace {

// Adds `opcode` of `operand` with that type and sizes.
HloInstruction* Add(HloComputation* computation, HloOpcode opcode,
                    PrimitiveType type, absl::Span<const int64_t> sizes,
                    HloInstruction* operand) {
  const Shape shape = ShapeUtil::MakeShape(type, sizes);
  return computation->AddInstruction(
      HloInstruction::Create(opcode, shape, {operand}));
}

absl::StatusOr<bool> Expand(HloInstruction* bitcast) {
  HloInstruction* operand = bitcast->mutable_operand(0);
  const Shape& to = bitcast->shape();
  const Shape& from = operand->shape();
  if (!to.IsArray() || !from.IsArray() ||
      to.element_type() == from.element_type() || to.has_dynamic_dimensions() ||
      from.has_dynamic_dimensions() ||
      primitive_util::IsComplexType(to.element_type()) ||
      primitive_util::IsComplexType(from.element_type())) {
    return false;
  }
  const int64_t to_bits = primitive_util::BitWidth(to.element_type());
  const int64_t from_bits = primitive_util::BitWidth(from.element_type());
  if (ShapeUtil::ElementsIn(to) * to_bits !=
      ShapeUtil::ElementsIn(from) * from_bits) {
    return false;
  }
  HloComputation* computation = bitcast->parent();
  HloInstruction* result = operand;
  std::vector<int64_t> sizes(to.dimensions().begin(), to.dimensions().end());
  if (from_bits > to_bits) {
    if (from_bits % to_bits != 0) return false;
    std::vector<int64_t> parts(from.dimensions().begin(),
                               from.dimensions().end());
    parts.push_back(from_bits / to_bits);
    result = Add(computation, HloOpcode::kBitcastConvert, to.element_type(),
                 parts, result);
    result =
        Add(computation, HloOpcode::kReshape, to.element_type(), sizes, result);
  } else {
    if (to_bits % from_bits != 0) return false;
    std::vector<int64_t> parts = sizes;
    if (to_bits != from_bits) parts.push_back(to_bits / from_bits);
    result = Add(computation, HloOpcode::kReshape, from.element_type(), parts,
                 result);
    result = Add(computation, HloOpcode::kBitcastConvert, to.element_type(),
                 sizes, result);
  }
  TF_RETURN_IF_ERROR(MoveControlDependencies(bitcast, result));
  TF_RETURN_IF_ERROR(computation->ReplaceInstruction(bitcast, result));
  return true;
}

}  // namespace

absl::StatusOr<bool> BitcastExpander::RunImpl(HloModule* module) {
  bool changed = false;
  for (const auto& computation : module->computations()) {
    for (HloInstruction* instruction :
         computation->MakeInstructionPostOrder()) {
      if (instruction->opcode() != HloOpcode::kBitcast) continue;
      TF_ASSIGN_OR_RETURN(const bool expanded, Expand(instruction));
      changed |= expanded;
    }
  }
  return changed;
}

}  // namespace xla
