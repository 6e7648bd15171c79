// The loop carries its index, what members read from outside, and the results.
#include "xla/hlo/transforms/linear/block_loop.h"

#include <utility>

#include "absl/algorithm/container.h"
#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "xla/base/status_macros.h"
#include "xla/core/primitive_util.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/ir/hlo_computation.h"
#include "xla/hlo/ir/hlo_module.h"
#include "xla/hlo/ops/movement/reshape.h"
#include "xla/hlo/transforms/creation/counted_loop.h"
#include "xla/hlo/transforms/creation/hlo_builder.h"

namespace xla {
namespace {

using Hlo = HloInstruction*;
using Dims = std::vector<int64_t>;

// Returns the scalar that all elements of a constant are; null for others.
const HloInstruction* SplatOf(const HloInstruction& hlo) {
  const HloInstruction* scalar =
      hlo.opcode() == HloOpcode::kBroadcast ? hlo.operand(0) : &hlo;
  return scalar->IsConstant() && ShapeUtil::IsScalar(scalar->shape()) ? scalar
                                                                      : nullptr;
}

class BlockLoop {
 public:
  explicit BlockLoop(const BlockPlan& plan)
      : plan_(plan),
        ops_(plan.members),
        members_(plan.members.begin(), plan.members.end()),
        module_(plan.results[0]->GetModule()) {
    for (Hlo result : plan_.results) {
      if (!members_.contains(result)) ops_.push_back(result);
    }
    for (const DividedAxis& divided : plan_.divided) {
      blocks_[divided.axis] = divided.block;
      iterations_ *= divided.blocks();
    }
  }

  absl::StatusOr<std::vector<Hlo>> Build() {
    HloBuilder emit(plan_.results[0]);
    std::vector<Hlo> carry = {emit.Integer(S32, 0)};
    for (Hlo hlo : ops_) {
      for (Hlo operand : hlo->operands()) {
        if (members_.contains(operand) || SplatOf(*operand) != nullptr)
          continue;
        if (!inputs_.try_emplace(operand, carry.size()).second) continue;
        carry.push_back(operand);
      }
    }
    first_result_ = carry.size();
    for (Hlo result : plan_.results) {
      carry.push_back(emit.Splat(emit.Zero(CarriedType(*result)),
                                 result->shape().dimensions()));
    }
    Hlo start = emit.Tuple(carry);
    TF_ASSIGN_OR_RETURN(HloComputation * body, MakeBody(start->shape()));
    TF_ASSIGN_OR_RETURN(HloComputation * condition,
                        AddCountCondition(module_, "blocks_condition",
                                          start->shape(), iterations_));
    Hlo loop = emit.Add(HloOpcode::kWhile, start->shape(), {start}, {},
                        {condition, body});
    std::vector<Hlo> results;
    for (size_t i = 0; i < plan_.results.size(); ++i) {
      results.push_back(emit.Convert(emit.Element(loop, first_result_ + i),
                                     plan_.results[i]->shape().element_type()));
    }
    TF_RETURN_IF_ERROR(emit.status());
    return results;
  }

 private:
  bool IsSum(const HloInstruction& result) const {
    return absl::c_any_of(plan_.divided, [&](const DividedAxis& divided) {
      return plan_.axes.IsSummed(result, divided.axis);
    });
  }

  PrimitiveType CarriedType(const HloInstruction& result) const {
    const PrimitiveType type = result.shape().element_type();
    const bool rounds = primitive_util::IsFloatingPointType(type) &&
                        primitive_util::BitWidth(type) < 32;
    return rounds && IsSum(result) ? F32 : type;
  }

  absl::StatusOr<HloComputation*> MakeBody(const Shape& shape) {
    HloComputation* body = AddCarryComputation(module_, "blocks_body", shape);
    HloBuilder emit(body);
    Hlo carry = body->parameter_instruction(0);
    Hlo index = emit.Element(carry, 0);
    FindStarts(emit, index);
    for (Hlo hlo : ops_) values_[hlo] = Compute(emit, *hlo);
    std::vector<Hlo> next = {emit.Plus(index, emit.Integer(S32, 1))};
    for (size_t i = 1; i < first_result_; ++i) {
      next.push_back(emit.Element(carry, i));
    }
    for (size_t i = 0; i < plan_.results.size(); ++i) {
      next.push_back(Combine(emit, *plan_.results[i],
                             emit.Element(carry, first_result_ + i)));
    }
    body->set_root_instruction(emit.Tuple(next));
    TF_RETURN_IF_ERROR(emit.status());
    return body;
  }

  // Divides the loop's index into those of the axes' blocks, the last axis
  // being the minor one.
  void FindStarts(HloBuilder& emit, Hlo index) {
    for (size_t i = plan_.divided.size(); i-- > 0;) {
      const DividedAxis& divided = plan_.divided[i];
      Hlo block = index;
      if (i > 0) {
        Hlo blocks = emit.Integer(S32, divided.blocks());
        block = emit.Binary(HloOpcode::kRemainder, index, blocks);
        index = emit.Over(index, blocks);
      }
      starts_[divided.axis] =
          emit.Times(block, emit.Integer(S32, divided.block));
    }
  }

  // The place of a block in an array whose dimensions have these axes.
  struct Place {
    std::vector<Hlo> starts;
    Dims sizes;
    bool is_whole = true;
  };
  Place PlaceOf(HloBuilder& emit, const Shape& shape,
                const std::vector<int>& axes) const {
    Place place;
    for (size_t d = 0; d < axes.size(); ++d) {
      const auto block = blocks_.find(axes[d]);
      const bool is_whole = block == blocks_.end();
      place.is_whole &= is_whole;
      place.starts.push_back(is_whole ? emit.Integer(S32, 0)
                                      : starts_.at(axes[d]));
      place.sizes.push_back(is_whole ? shape.dimensions(static_cast<int>(d))
                                     : block->second);
    }
    return place;
  }
  std::vector<int> AxesOf(const HloInstruction& op) const {
    std::vector<int> axes;
    for (int64_t d = 0; d < op.shape().rank(); ++d) {
      axes.push_back(plan_.axes.OfResult(op, d));
    }
    return axes;
  }

  // The block of an operand.
  Hlo Operand(HloBuilder& emit, const HloInstruction& op, int64_t i) {
    const HloInstruction& operand = *op.operand(i);
    if (members_.contains(&operand)) return values_.at(&operand);
    std::vector<int> axes;
    for (int64_t d = 0; d < operand.shape().rank(); ++d) {
      const int axis = plan_.axes.OfOperand(op, i, d);
      axes.push_back(blocks_.contains(axis) ? axis : BlockAxes::kNone);
    }
    if (const HloInstruction* scalar = SplatOf(operand); scalar != nullptr) {
      return emit.Splat(emit.Constant(scalar->literal().Clone()),
                        PlaceOf(emit, operand.shape(), axes).sizes);
    }
    Hlo& slice = slices_[{&operand, axes}];
    if (slice != nullptr) return slice;
    Hlo whole = emit.Element(emit.computation()->parameter_instruction(0),
                             inputs_.at(&operand));
    const Place place = PlaceOf(emit, operand.shape(), axes);
    slice = place.is_whole
                ? whole
                : emit.DynamicSlice(whole, place.starts, place.sizes);
    return slice;
  }

  Hlo Compute(HloBuilder& emit, const HloInstruction& op) {
    std::vector<Hlo> operands;
    for (int64_t i = 0; i < op.operand_count(); ++i) {
      operands.push_back(Operand(emit, op, i));
    }
    const std::vector<int> axes = AxesOf(op);
    const Dims sizes = PlaceOf(emit, op.shape(), axes).sizes;
    const PrimitiveType type = op.shape().element_type();
    if (op.opcode() == HloOpcode::kIota) {
      const int64_t d = op.attrs<IotaAttrs>().iota_dimension;
      if (blocks_.contains(axes[d])) {
        Hlo start = emit.Splat(starts_.at(axes[d]), sizes);
        return emit.Convert(emit.Plus(emit.Iota(S32, sizes, d), start), type);
      }
    }
    const bool is_result = !members_.contains(&op);
    return emit.computation()->AddInstruction(op.CloneWithNewOperands(
        emit.MakeShape(is_result ? CarriedType(op) : type, sizes), operands));
  }

  // Puts a block of a result into the whole one, or adds it there.
  Hlo Combine(HloBuilder& emit, const HloInstruction& result, Hlo whole) {
    Hlo block = values_.at(&result);
    const Place place = PlaceOf(emit, result.shape(), AxesOf(result));
    if (IsSum(result)) {
      Hlo sum = place.is_whole
                    ? whole
                    : emit.DynamicSlice(whole, place.starts, place.sizes);
      block = emit.Plus(sum, block);
    }
    return place.is_whole ? block
                          : emit.DynamicUpdateSlice(whole, block, place.starts);
  }

  const BlockPlan& plan_;
  std::vector<Hlo> ops_;
  const absl::flat_hash_set<const HloInstruction*> members_;
  HloModule* const module_;
  absl::flat_hash_map<int, int64_t> blocks_;  // by axis
  int64_t iterations_ = 1;
  // Numbers in the carry.
  absl::flat_hash_map<const HloInstruction*, int64_t> inputs_;
  size_t first_result_ = 0;
  // In the body: by axis, by operand and its axes, by op.
  absl::flat_hash_map<int, Hlo> starts_;
  absl::flat_hash_map<std::pair<const HloInstruction*, std::vector<int>>, Hlo>
      slices_;
  absl::flat_hash_map<const HloInstruction*, Hlo> values_;
};

}  // namespace

absl::StatusOr<std::vector<HloInstruction*>> ComputeInBlocks(
    const BlockPlan& plan) {
  return BlockLoop(plan).Build();
}

}  // namespace xla
