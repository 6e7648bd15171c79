// Rules of iota, dot, scaled-dot, ragged-dot and reduce.
#include <utility>
#include <vector>

#include "xla/base/checked_math.h"
#include "xla/core/literal/literal_util.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/analysis/reducers.h"
#include "xla/hlo/evaluator/hlo_evaluator.h"
#include "xla/hlo/ops/linear/contraction.h"
#include "xla/hlo/ops/movement/reshape.h"
#include "xla/hlo/ops/reduction/reduction.h"
#include "xla/hlo/transforms/partition_rules/indexing.h"
#include "xla/hlo/transforms/partition_rules/op_rule.h"

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
  const int64_t size = part.dimensions(d);
  HloInstruction* number =
      op.emit.Positions(size, op.emit.Coordinate(*op.mesh, axes, size));
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
    HloInstruction* fill =
        i < 2 ? op.emit.Zero(type) : op.emit.Constant(LiteralUtil::One(type));
    operands.push_back(MaskSummed(op, i, fill));
  }
  return EmitOnParts(op, operands);
}

// Ragged-dot: where the rows are divided, each device has the part of each
// group that is among its rows. Where the groups are, each device moves the
// rows of its groups to the front, and the result back.

const RaggedDotDimensionNumbers& NumbersOf(const HloInstruction& hlo) {
  return hlo.attrs<RaggedDotAttrs>().ragged_dot_dimension_numbers;
}

// Whether rows of the result are in groups, each with a matrix of its own.
bool HasRows(const HloInstruction& hlo) {
  return !NumbersOf(hlo).rhs_group_dimensions().empty();
}

int32_t RowFactor(const HloInstruction& hlo, const DimensionFactors& factors) {
  return FactorOf(factors, 0, NumbersOf(hlo).lhs_ragged_dimensions(0));
}

int32_t GroupFactor(const HloInstruction& hlo,
                    const DimensionFactors& factors) {
  return FactorOf(factors, 2, hlo.operand(2)->shape().rank() - 1);
}

FactorSplit SplitRaggedDot(const HloInstruction& hlo,
                           const DimensionFactors& factors, int32_t factor) {
  if (HasRows(hlo) && factor == RowFactor(hlo, factors)) {
    return FactorSplit::kLocal;
  }
  // All rows of a group are where one number says.
  if (HasRows(hlo) && factor == GroupFactor(hlo, factors) &&
      hlo.operand(2)->shape().rank() == 1 &&
      HasZero(hlo.shape().element_type())) {
    return FactorSplit::kPartial;
  }
  return DefaultSplit(factors, factor);
}

bool DividesRowsOrGroups(const HloInstruction& hlo,
                         const DimensionFactors& factors,
                         const FactorAxes& axes) {
  const int32_t rows = RowFactor(hlo, factors);
  const int32_t groups = GroupFactor(hlo, factors);
  return rows < 0 || groups < 0 || axes[rows].empty() || axes[groups].empty();
}

// s64[.., g]: the sum of each group's size and those before it.
HloInstruction* EndsOfGroups(SpmdBuilder& emit, HloInstruction* sizes) {
  const int64_t g = sizes->shape().rank() - 1;
  std::vector<int64_t> pairs(sizes->shape().dimensions().begin(),
                             sizes->shape().dimensions().end());
  pairs.push_back(pairs.back());
  std::vector<int64_t> all_but_last(g + 1);
  for (int64_t d = 0; d <= g; ++d) all_but_last[d] = d;
  // Element [.., i, j] is the size of group i if it is not behind group j.
  HloInstruction* pair = emit.Broadcast(sizes, pairs, all_but_last);
  HloInstruction* is_before =
      emit.Compare(ComparisonDirection::kLe, emit.Iota(S32, pairs, g),
                   emit.Iota(S32, pairs, g + 1));
  HloInstruction* zero = emit.Zero(S64);
  pair = emit.Select(is_before, pair, emit.Splat(zero, pairs));
  return emit.Reduce(HloOpcode::kAdd, pair, zero, {g});
}

// Clamps s64 numbers to [0, high].
HloInstruction* ClampRows(SpmdBuilder& emit, HloInstruction* x, int64_t high) {
  x = emit.Binary(HloOpcode::kMaximum, x, emit.IntegerLike(x, 0));
  return emit.Binary(HloOpcode::kMinimum, x, emit.IntegerLike(x, high));
}

class RaggedDotEmitter {
 public:
  explicit RaggedDotEmitter(PartitionedOp& op)
      : op_(op),
        emit_(op.emit),
        rows_(op.operands[0].shape.dimensions(Ragged())) {
    for (int64_t i = 0; i < 2; ++i) {
      HloInstruction* zero = emit_.Zero(op.operands[i].shape.element_type());
      operands_.push_back(MaskSummed(op, i, zero));
    }
    operands_.push_back(op.operand(2));
  }

  HloInstruction* Emit() {
    const int64_t groups = op_.operands[2].shape.rank() - 1;
    if (HasRows(op_.hlo) && !op_.OperandAxes(2, groups).empty()) {
      return EmitGroups(op_.OperandAxes(2, groups));
    }
    const AxisList& axes = op_.OperandAxes(0, Ragged());
    if (!axes.empty()) operands_[2] = SizesInRows(axes);
    return EmitOnParts(op_, operands_);
  }

 private:
  int64_t Ragged() const { return NumbersOf(op_.hlo).lhs_ragged_dimensions(0); }

  // s32[.., g]: how many of each group's rows a device has.
  HloInstruction* SizesInRows(const AxisList& axes) {
    const int64_t part = CeilOfRatio(rows_, SizeOf(axes));
    HloInstruction* sizes = emit_.Convert(op_.operand(2), S64);
    HloInstruction* ends = EndsOfGroups(emit_, sizes);
    HloInstruction* starts = emit_.Minus(ends, sizes);
    HloInstruction* offset =
        emit_.Convert(emit_.Coordinate(*op_.mesh, axes, part), S64);
    offset = emit_.Splat(offset, ends->shape().dimensions());
    ends = ClampRows(emit_, emit_.Minus(ends, offset), part);
    starts = ClampRows(emit_, emit_.Minus(starts, offset), part);
    return emit_.Convert(emit_.Minus(ends, starts), S32);
  }

  HloInstruction* EmitGroups(const AxisList& axes) {
    const int64_t groups = op_.operands[2].shape.dimensions(0);
    const int64_t part = CeilOfRatio(groups, SizeOf(axes));
    HloInstruction* first = emit_.Coordinate(*op_.mesh, axes, part);
    HloInstruction* sizes = emit_.MaskDim(emit_.Convert(op_.operand(2), S64), 0,
                                          first, 0, groups, emit_.Zero(S64));
    HloInstruction* ends =
        EndsOfGroups(emit_, emit_.AllGather(sizes, 0, *op_.mesh, axes));
    // s32[]: the rows of this device's groups.
    HloInstruction* end = At(ends, emit_.Plus(first, emit_.Index(part - 1)));
    HloInstruction* start = emit_.Minus(At(ends, first), emit_.At(sizes, 0));
    start = emit_.Convert(ClampRows(emit_, start, rows_), S32);
    end = emit_.Convert(ClampRows(emit_, end, rows_), S32);
    operands_[2] = sizes;
    HloInstruction*& lhs = operands_[0];
    lhs = emit_.PadDim(lhs, Ragged(), 0, rows_,
                       emit_.Zero(lhs->shape().element_type()));
    lhs = emit_.DynamicSliceDim(lhs, Ragged(), start, rows_);
    return MoveBack(EmitOnParts(op_, operands_), axes, start, end);
  }

  HloInstruction* At(HloInstruction* vector, HloInstruction* index) {
    return emit_.Reshape(emit_.DynamicSlice(vector, {index}, {1}), {});
  }

  // Moves the first rows to `start`; those outside of [start, end) become the
  // identity, except behind all groups on the last device.
  HloInstruction* MoveBack(HloInstruction* x, const AxisList& axes,
                           HloInstruction* start, HloInstruction* end) {
    const int64_t d = ResultDimension();
    const PrimitiveType type = x->shape().element_type();
    HloInstruction* none =
        emit_.Constant(ReductionIdentity(MergingOp(type), type));
    x = emit_.PadDim(x, d, rows_, 0, none);
    x = emit_.DynamicSliceDim(x, d, emit_.Minus(emit_.Index(rows_), start),
                              rows_);
    HloInstruction* is_last = emit_.IsAt(*op_.mesh, axes, SizeOf(axes) - 1);
    end = emit_.Select(is_last, emit_.Index(rows_), end);
    HloInstruction* is_here =
        emit_.Compare(ComparisonDirection::kLt, emit_.Iota(S32, {rows_}, 0),
                      emit_.Splat(end, {rows_}));
    const absl::Span<const int64_t> sizes = x->shape().dimensions();
    return emit_.Select(emit_.Broadcast(is_here, sizes, {d}), x,
                        emit_.Splat(none, sizes));
  }

  int64_t ResultDimension() const {
    return DimensionFactors::DimensionOf(op_.factors.results[0],
                                         RowFactor(op_.hlo, op_.factors));
  }

  PartitionedOp& op_;
  SpmdBuilder& emit_;
  const int64_t rows_;  // of the whole
  std::vector<HloInstruction*> operands_;
};

absl::StatusOr<HloInstruction*> EmitRaggedDot(PartitionedOp& op) {
  return RaggedDotEmitter(op).Emit();
}

constexpr OpRule kRaggedDotRule = {.split = SplitRaggedDot,
                                   .accepts = DividesRowsOrGroups,
                                   .reducer = MergingOpOf,
                                   .emit = EmitRaggedDot};

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
  for (int64_t i = 0; i < arrays; ++i) {
    HloInstruction* x = arrays == 1 ? partial : op.emit.Element(partial, i);
    std::vector<int64_t> sizes(x->shape().dimensions().begin(),
                               x->shape().dimensions().end());
    sizes.insert(sizes.begin(), 1);
    operands.push_back(
        op.emit.AllGather(op.emit.Reshape(x, sizes), 0, *op.mesh, axes));
  }
  for (int64_t i = 0; i < arrays; ++i) {
    operands.push_back(op.operand(arrays + i));
  }
  return op.emit.Add(HloOpcode::kReduce, partial->shape(), operands,
                     ReduceAttrs{{0}}, {op.hlo.to_apply()});
}

absl::StatusOr<HloInstruction*> EmitReduce(PartitionedOp& op) {
  const int64_t arrays = op.hlo.operand_count() / 2;
  const AxisList axes = SummedAxes(op);
  std::vector<HloInstruction*> operands = op.OperandParts();
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
  return op.emit.Select(op.emit.IsAt(*op.mesh, axes, 0), init, identity);
}

const OpRule& IotaRule() { return kIotaRule; }
const OpRule& ContractionRule() { return kContractionRule; }
const OpRule& RaggedDotRule() { return kRaggedDotRule; }
const OpRule& ReduceRule() { return kReduceRule; }

}  // namespace xla
