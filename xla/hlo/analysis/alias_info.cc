// Answers by the semantics of updates, collectives, custom calls and fusions.
#include "xla/hlo/analysis/alias_info.h"

#include <tuple>

#include "absl/algorithm/container.h"
#include "absl/container/flat_hash_map.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/analysis/leaves.h"
#include "xla/hlo/ir/hlo_computation.h"
#include "xla/hlo/ops/control_flow.h"

namespace xla {
namespace {

using Pairs = AliasInfo::Pairs;

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

// Returns the pairs of all ops but fusions, whose pairs depend on the backend.
Pairs PairsOf(const HloInstruction& hlo) {
  switch (hlo.opcode()) {
    case HloOpcode::kDynamicUpdateSlice:
    case HloOpcode::kSetDimensionSize:
      return FirstOperands(1);
    case HloOpcode::kScatter:
      return FirstOperands(hlo.operand_count() / 2);
    case HloOpcode::kAllReduceStart:
      return FirstOperands(hlo.operand_count());
    case HloOpcode::kCollectivePermute:
      if (hlo.operand_count() != 4) return {};
      return GivenResult(hlo.operand(1)->shape(), {});
    case HloOpcode::kCollectivePermuteStart:
      if (hlo.operand_count() != 4) return {};
      return GivenResult(hlo.operand(1)->shape(), {1});
    case HloOpcode::kRaggedAllToAll:
      return {{HloOperandIndex{1, {}}, {}}};
    case HloOpcode::kCustomCall:
      return Declared(hlo.attrs<CustomCallAttrs>().output_to_operand_aliasing);
    case HloOpcode::kAsyncStart:
      return Declared(hlo.attrs<AsyncStartAttrs>().output_to_operand_aliasing);
    default:
      return {};
  }
}

// Returns where the operand is that the part of the result at `index` is
// written over; null if there is none.
std::pair<const HloInstruction*, ShapeIndex> OverwrittenPart(
    const HloInstruction& hlo, const Pairs& pairs, const ShapeIndex& index) {
  for (const auto& [input, output_index] : pairs) {
    if (output_index != index) continue;
    return FollowTupleIndirection(hlo.operand(input.operand_number),
                                  input.operand_index);
  }
  return {nullptr, ShapeIndex()};
}

// The pairs of a fusion, found result by result.
struct FusionFrame {
  const HloInstruction* fusion;
  std::vector<ShapeIndex> results;
  size_t done = 0;
  Pairs pairs;
};

FusionFrame FrameOf(const HloInstruction& fusion) {
  FusionFrame frame{&fusion, {}, 0, {}};
  ShapeUtil::ForEachLeafShape(fusion.shape(),
                              [&](const Shape&, const ShapeIndex& index) {
                                frame.results.push_back(index);
                              });
  return frame;
}

}  // namespace

std::optional<OperandLeaf> AliasInfo::MustAlias(
    const HloInstruction& instruction, int leaf) const {
  const HloOpcode opcode = instruction.opcode();
  const bool is_update =
      opcode == HloOpcode::kDynamicUpdateSlice || opcode == HloOpcode::kScatter;
  if (!is_update && opcode != HloOpcode::kCustomCall) return std::nullopt;
  for (const auto& [input, output_index] : PairsOf(instruction)) {
    if (LeafNumberAt(instruction.shape(), output_index) != leaf ||
        input.operand_number < 0 ||
        input.operand_number >= instruction.operand_count()) {
      continue;
    }
    const Shape& operand = instruction.operand(input.operand_number)->shape();
    const int operand_leaf = LeafNumberAt(operand, input.operand_index);
    // The two may differ in layout, or a scatter's in the element type.
    if (operand_leaf < 0 ||
        (is_update &&
         !SamePlaces(operand, ShapeUtil::GetSubshape(instruction.shape(),
                                                     output_index)))) {
      continue;
    }
    return OperandLeaf{static_cast<int>(input.operand_number), operand_leaf};
  }
  return std::nullopt;
}

std::vector<AliasPair> AliasInfo::MayAliasPairs(const HloInstruction&) const {
  return {};
}

bool AliasInfo::MayAlias(const HloInstruction& instruction, int leaf,
                         int operand) const {
  const std::vector<AliasPair> pairs = MayAliasPairs(instruction);
  return absl::c_any_of(pairs, [&](const AliasPair& pair) {
    return pair.leaf == leaf && pair.operand == operand;
  });
}

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
// is written over, and whether that is a parameter; where a fusion inside makes
// the operand, which of its operands that is. Fusions inside are answered
// first, each once.
AliasInfo::Pairs AliasInfo::FusionPairs(const HloInstruction& fusion) const {
  absl::flat_hash_map<const HloInstruction*, Pairs> known;
  // Returns null for a fusion that must be answered first.
  const auto pairs_of = [&](const HloInstruction* hlo) -> const Pairs* {
    if (const auto it = known.find(hlo); it != known.end()) return &it->second;
    std::optional<Pairs> pairs = GetNonDefaultInPlaceInputOutputPairs(hlo);
    if (!pairs.has_value() && hlo->opcode() == HloOpcode::kFusion) {
      return nullptr;
    }
    return &known.emplace(hlo, pairs ? *std::move(pairs) : PairsOf(*hlo))
                .first->second;
  };
  std::vector<FusionFrame> stack;
  // Finds the pair of the next result; returns the fusion that is needed first.
  const auto step = [&](FusionFrame& frame) -> const HloInstruction* {
    const ShapeIndex& result = frame.results[frame.done];
    const auto [maker, made_at] =
        FollowTupleIndirection(frame.fusion->fused_expression_root(), result);
    const Pairs* pairs = pairs_of(maker);
    if (pairs == nullptr) return maker;
    auto [source, at] = OverwrittenPart(*maker, *pairs, made_at);
    if (source != nullptr && source->opcode() == HloOpcode::kFusion) {
      pairs = pairs_of(source);
      if (pairs == nullptr) return source;
      std::tie(source, at) = OverwrittenPart(*source, *pairs, at);
    }
    if (source != nullptr && source->opcode() == HloOpcode::kParameter) {
      frame.pairs.push_back(
          {HloOperandIndex{source->parameter_number(), at}, result});
    }
    ++frame.done;
    return nullptr;
  };
  stack.push_back(FrameOf(fusion));
  while (true) {
    FusionFrame& frame = stack.back();
    if (frame.done < frame.results.size()) {
      if (const HloInstruction* first = step(frame)) {
        stack.push_back(FrameOf(*first));
      }
      continue;
    }
    for (auto& pair : Declared(
             frame.fusion->attrs<FusionAttrs>().output_to_operand_aliasing)) {
      frame.pairs.push_back(std::move(pair));
    }
    Pairs pairs = std::move(frame.pairs);
    if (stack.size() == 1) return pairs;
    known.emplace(frame.fusion, std::move(pairs));
    stack.pop_back();
  }
}

AliasInfo::Pairs AliasInfo::GetInPlaceInputOutputPairs(
    const HloInstruction* user) const {
  if (std::optional<Pairs> pairs = GetNonDefaultInPlaceInputOutputPairs(user)) {
    return *std::move(pairs);
  }
  return user->opcode() == HloOpcode::kFusion ? FusionPairs(*user)
                                              : PairsOf(*user);
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
