// AliasInfo's rules under XLA's interface.
#include <optional>
#include <tuple>

#include "absl/algorithm/container.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/analysis/alias_info.h"
#include "xla/hlo/ir/hlo_computation.h"
#include "xla/hlo/ops/control_flow.h"

namespace xla {
namespace {

using Pairs = std::vector<std::pair<HloOperandIndex, ShapeIndex>>;

// Operand i is written over by result i; a single one by the whole result.
Pairs FirstOperands(int64_t count) {
  if (count == 1) return {{HloOperandIndex{0, {}}, {}}};
  Pairs pairs;
  for (int64_t i = 0; i < count; ++i) {
    pairs.push_back({HloOperandIndex{i, {}}, {i}});
  }
  return pairs;
}

// Operand 1 is the memory for the part of the result at `index`, and so are its
// elements if it is a tuple.
Pairs GivenResult(const Shape& given, const ShapeIndex& index) {
  Pairs pairs;
  const auto add = [&](const ShapeIndex& part, const ShapeIndex& result) {
    pairs.emplace_back(HloOperandIndex{1, part}, result);
  };
  add(ShapeIndex(), index);
  for (int64_t i = 0; given.IsTuple() && i < given.tuple_shapes_size(); ++i) {
    ShapeIndex element = index;
    element.push_back(i);
    add(ShapeIndex({i}), element);
  }
  return pairs;
}

Pairs Declared(const std::vector<OutputOperandAlias>& aliases) {
  Pairs pairs;
  for (const OutputOperandAlias& alias : aliases) {
    pairs.push_back({HloOperandIndex{alias.operand_number, alias.operand_index},
                     alias.output_index});
  }
  return pairs;
}

}  // namespace

std::pair<const HloInstruction*, ShapeIndex> FollowTupleIndirection(
    const HloInstruction* instruction, ShapeIndex operand_index) {
  while (instruction->opcode() == HloOpcode::kTuple && !operand_index.empty()) {
    instruction = instruction->operand(operand_index.front());
    operand_index.pop_front();
  }
  while (instruction->opcode() == HloOpcode::kGetTupleElement) {
    operand_index.push_front(instruction->tuple_index());
    instruction = instruction->operand(0);
  }
  return {instruction, operand_index};
}

// For each array of the result: what makes it, which of that one's operands it
// is written over, and whether that is a parameter.
Pairs AliasInfo::FusionPairs(const HloInstruction& fusion) const {
  Pairs pairs;
  ShapeUtil::ForEachLeafShape(fusion.shape(), [&](const Shape&,
                                                  const ShapeIndex& index) {
    const auto [maker, made_at] =
        FollowTupleIndirection(fusion.fused_expression_root(), index);
    const HloInstruction* source = nullptr;
    ShapeIndex at;
    for (const auto& [input, output_index] :
         GetInPlaceInputOutputPairs(maker)) {
      if (output_index != made_at) continue;
      std::tie(source, at) = FollowTupleIndirection(
          maker->operand(input.operand_number), input.operand_index);
      break;
    }
    if (source != nullptr && source->opcode() == HloOpcode::kFusion) {
      for (const auto& [input, output_index] :
           GetInPlaceInputOutputPairs(source)) {
        if (output_index != at) continue;
        std::tie(source, at) = FollowTupleIndirection(
            source->operand(input.operand_number), input.operand_index);
        break;
      }
    }
    if (source != nullptr && source->opcode() == HloOpcode::kParameter) {
      pairs.push_back({HloOperandIndex{source->parameter_number(), at}, index});
    }
  });
  return pairs;
}

Pairs AliasInfo::GetInPlaceInputOutputPairs(const HloInstruction* user) const {
  if (std::optional<Pairs> pairs = GetNonDefaultInPlaceInputOutputPairs(user)) {
    return *std::move(pairs);
  }
  switch (user->opcode()) {
    case HloOpcode::kDynamicUpdateSlice:
    case HloOpcode::kSetDimensionSize:
      return FirstOperands(1);
    case HloOpcode::kScatter:
      return FirstOperands(user->operand_count() / 2);
    case HloOpcode::kAllReduceStart:
      return FirstOperands(user->operand_count());
    case HloOpcode::kCollectivePermute:
      if (user->operand_count() != 4) return {};
      return GivenResult(user->operand(1)->shape(), {});
    case HloOpcode::kCollectivePermuteStart:
      if (user->operand_count() != 4) return {};
      return GivenResult(user->operand(1)->shape(), {1});
    case HloOpcode::kRaggedAllToAll:
      return {{HloOperandIndex{1, {}}, {}}};
    case HloOpcode::kCustomCall:
      return Declared(
          user->attrs<CustomCallAttrs>().output_to_operand_aliasing);
    case HloOpcode::kAsyncStart:
      return Declared(
          user->attrs<AsyncStartAttrs>().output_to_operand_aliasing);
    case HloOpcode::kFusion: {
      Pairs pairs = FusionPairs(*user);
      for (auto& pair :
           Declared(user->attrs<FusionAttrs>().output_to_operand_aliasing)) {
        pairs.push_back(std::move(pair));
      }
      return pairs;
    }
    default:
      return {};
  }
}

bool AliasInfo::MustAlias(const HloInstruction* operand,
                          const ShapeIndex& operand_index,
                          const HloInstruction* user,
                          const ShapeIndex& user_index) const {
  return absl::c_any_of(GetInPlaceInputOutputPairs(user), [&](const auto& p) {
    return user->operand(p.first.operand_number) == operand &&
           p.first.operand_index == operand_index && p.second == user_index;
  });
}

}  // namespace xla
