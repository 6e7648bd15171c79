// Rules of iota, dot and reduce.
#include <utility>
#include <vector>

#include "xla/core/literal/literal_util.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/analysis/reducers.h"
#include "xla/hlo/evaluator/hlo_evaluator.h"
#include "xla/hlo/ops/movement/reshape.h"
#include "xla/hlo/ops/reduction/reduction.h"
#include "xla/hlo/transforms/spmd/op_rule.h"

namespace xla {
namespace {

FactorSplit SplitLocally(const HloInstruction&, const DimensionFactors&,
                         int32_t) {
  return FactorSplit::kLocal;
}

absl::StatusOr<HloInstruction*> EmitIota(PartitionedOp& op) {
  const Shape part = op.PartOfResult();
  const int64_t d = op.hlo.attrs<IotaAttrs>().iota_dimension;
  const AxisList& axes = op.ResultAxes(d);
  if (axes.empty()) return op.Clone({}, part);
  // Positions are numbered before they are converted to the type.
  HloInstruction* number = op.emit.Iota(S32, {part.dimensions(d)}, 0);
  HloInstruction* offset =
      op.emit.Coordinate(*op.mesh, axes, part.dimensions(d));
  number = op.emit.Plus(number, op.emit.Splat(offset, {part.dimensions(d)}));
  number = op.emit.Convert(number, part.element_type());
  return op.emit.Broadcast(
      number,
      std::vector<int64_t>(part.dimensions().begin(), part.dimensions().end()),
      {d});
}

// Both sides: what is beyond the end may be infinite or NaN, and so may be the
// scales there, whose types need not have a zero.
absl::StatusOr<HloInstruction*> EmitContraction(PartitionedOp& op) {
  std::vector<HloInstruction*> operands;
  for (size_t i = 0; i < op.operands.size(); ++i) {
    const PrimitiveType type = op.operands[i].shape.element_type();
    HloInstruction* fill = i < 2 ? op.emit.Zero(type)
                                 : op.emit.Constant(LiteralUtil::One(type));
    operands.push_back(MaskSummed(op, i, fill));
  }
  return EmitOnParts(op, operands);
}

FactorSplit SplitReduce(const HloInstruction& hlo,
                        const DimensionFactors& factors, int32_t factor) {
  if (factors.factors[factor].kind != FactorKind::kSummed) {
    return DefaultSplit(factors, factor);
  }
  if (SummingOp(hlo).has_value()) return FactorSplit::kPartial;
  return MayRegroup(*hlo.to_apply()) && InitMayRepeat(hlo)
             ? FactorSplit::kCombined
             : FactorSplit::kWhole;
}

// The axes along which devices have partial results.
AxisList SummedAxes(const PartitionedOp& op) {
  AxisList axes;
  for (size_t f = 0; f < op.axes.size(); ++f) {
    if (op.factors.factors[f].kind == FactorKind::kSummed) {
      axes.insert(axes.end(), op.axes[f].begin(), op.axes[f].end());
    }
  }
  return axes;
}

// Gathers the partial results and reduces them again.
HloInstruction* ReduceAgain(PartitionedOp& op, const AxisList& axes,
                            HloInstruction* partial) {
  const int64_t arrays = op.hlo.operand_count() / 2;
  std::vector<HloInstruction*> operands;
  std::vector<Shape> shapes;
  for (int64_t i = 0; i < arrays; ++i) {
    HloInstruction* x = arrays == 1 ? partial : op.emit.Element(partial, i);
    shapes.push_back(x->shape());
    std::vector<int64_t> sizes(x->shape().dimensions().begin(),
                               x->shape().dimensions().end());
    sizes.insert(sizes.begin(), 1);
    operands.push_back(
        op.emit.AllGather(op.emit.Reshape(x, sizes), 0, *op.mesh, axes));
  }
  for (int64_t i = 0; i < arrays; ++i)
    operands.push_back(op.operand(arrays + i));
  return op.emit.Add(HloOpcode::kReduce, partial->shape(), operands,
                     ReduceAttrs{{0}}, {op.hlo.to_apply()});
}

absl::StatusOr<HloInstruction*> EmitReduce(PartitionedOp& op) {
  const int64_t arrays = op.hlo.operand_count() / 2;
  const AxisList axes = SummedAxes(op);
  std::vector<HloInstruction*> operands;
  for (const PartitionedArray& operand : op.operands) {
    operands.push_back(operand.part);
  }
  if (axes.empty()) return EmitOnParts(op, operands);
  if (const std::optional<HloOpcode> sum = SummingOp(op.hlo)) {
    HloInstruction* identity = op.emit.Constant(
        ReductionIdentity(*sum, op.operands[0].shape.element_type()));
    operands[0] = MaskSummed(op, 0, identity);
    operands[1] = InitOfOneDevice(op, axes, identity);
    return EmitOnParts(op, operands);
  }
  for (int64_t i = 0; i < arrays; ++i) {
    operands[i] = MaskSummed(op, i, op.operand(arrays + i));
  }
  return ReduceAgain(op, axes, EmitOnParts(op, operands));
}

HloOpcode ReducerOfReduce(const HloInstruction& hlo) {
  return SummingOp(hlo).value_or(HloOpcode::kAdd);
}

constexpr OpRule kIotaRule = {.split = SplitLocally, .emit = EmitIota};
constexpr OpRule kContractionRule = {.emit = EmitContraction};
constexpr OpRule kReduceRule = {
    .split = SplitReduce, .reducer = ReducerOfReduce, .emit = EmitReduce};

}  // namespace

std::optional<HloOpcode> SummingOp(const HloInstruction& hlo) {
  if (hlo.operand_count() != 2) return std::nullopt;
  for (const HloInstruction* operand : hlo.operands()) {
    if (!ShapeUtil::SameElementType(operand->shape(), hlo.shape())) {
      return std::nullopt;
    }
  }
  return OneOpOf(*hlo.to_apply());
}

bool InitMayRepeat(const HloInstruction& hlo) {
  std::vector<const Literal*> arguments;
  const int64_t arrays = hlo.operand_count() / 2;
  for (int64_t i = 0; i < hlo.operand_count(); ++i) {
    const HloInstruction* init = hlo.operand(arrays + i % arrays);
    if (!init->IsConstant()) return false;
    arguments.push_back(&init->literal());
  }
  const absl::StatusOr<Literal> result =
      HloEvaluator().Evaluate(*hlo.to_apply(), arguments);
  if (!result.ok()) return false;
  for (int64_t i = 0; i < arrays; ++i) {
    const LiteralSlice part =
        arrays == 1 ? LiteralSlice(*result) : LiteralSlice(*result, {i});
    if (!(part == *arguments[i])) return false;
  }
  return true;
}

HloInstruction* InitOfOneDevice(PartitionedOp& op, const AxisList& axes,
                                HloInstruction* identity) {
  HloInstruction* init = op.operand(1);
  if (init->IsConstant() && init->literal() == identity->literal()) {
    return init;
  }
  HloInstruction* coordinate = op.emit.Coordinate(*op.mesh, axes);
  HloInstruction* is_first =
      op.emit.Compare(ComparisonDirection::kEq, coordinate, op.emit.Index(0));
  return op.emit.Select(is_first, init, identity);
}

const OpRule& IotaRule() { return kIotaRule; }
const OpRule& ContractionRule() { return kContractionRule; }
const OpRule& ReduceRule() { return kReduceRule; }

}  // namespace xla
