// The rule of scatter. Where the updated dimensions are divided, a device drops
// the updates of others, as their indices are outside of its part; windows of
// several rows go into the part with rows on both sides, which are dropped.
// Where the updates are divided, each device starts from the identity of the
// reducer.
#include <optional>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "xla/base/checked_math.h"
#include "xla/core/dimension_position.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/analysis/reducers.h"
#include "xla/hlo/ops/movement/gather_scatter.h"
#include "xla/hlo/transforms/partition_rules/indexing.h"
#include "xla/hlo/transforms/partition_rules/op_rule.h"

namespace xla {
namespace {

// The reducer's op if results from some of the updates each can be combined by
// an all-reduce.
std::optional<HloOpcode> CombiningOp(const HloInstruction& scatter) {
  if (scatter.operand_count() != 3 ||
      !ShapeUtil::SameElementType(scatter.operand(0)->shape(),
                                  scatter.operand(2)->shape())) {
    return std::nullopt;
  }
  const std::optional<HloOpcode> op = OneOpOf(*scatter.to_apply());
  const PrimitiveType type = scatter.shape().element_type();
  if (scatter.to_apply()->root_instruction()->shape().element_type() != type ||
      !HasZero(type)) {
    return std::nullopt;
  }
  return op;
}

// The size of the updates' windows along dimension `d` of the inputs.
int64_t WindowSize(const HloInstruction& scatter, int64_t d) {
  const ScatterDimensionNumbers& numbers =
      scatter.attrs<ScatterAttrs>().dimension_numbers;
  const Shape& update =
      scatter.operand(scatter.operand_count() / 2 + 1)->shape();
  int window = 0;
  for (int64_t i = 0; i <= d; ++i) {
    if (PositionOf(numbers.inserted_window_dims(), i) >= 0 ||
        PositionOf(numbers.input_batching_dims(), i) >= 0) {
      continue;
    }
    if (i == d) return update.dimensions(numbers.update_window_dims(window));
    ++window;
  }
  return 1;
}

FactorSplit SplitScatter(const HloInstruction& hlo,
                         const DimensionFactors& factors, int32_t factor) {
  if (factors.factors[factor].kind != FactorKind::kWhole) {
    return DefaultSplit(factors, factor);
  }
  const auto& map = hlo.attrs<ScatterAttrs>()
                        .dimension_numbers.scatter_dims_to_operand_dims();
  const int64_t inputs = hlo.operand_count() / 2;
  const int64_t d = DimensionOf(factors, 0, factor);
  if (d >= 0) {
    return PositionOf(map, d) >= 0 ? FactorSplit::kLocal : FactorSplit::kWhole;
  }
  // Updates that are not those of one index vector.
  const bool counts_updates = DimensionOf(factors, inputs, factor) >= 0 &&
                              DimensionOf(factors, inputs + 1, factor) >= 0;
  return counts_updates && !map.empty() && CombiningOp(hlo).has_value()
             ? FactorSplit::kPartial
             : FactorSplit::kWhole;
}

HloOpcode ReducerOfScatter(const HloInstruction& hlo) {
  return CombiningOp(hlo).value_or(HloOpcode::kAdd);
}

class ScatterEmitter {
 public:
  explicit ScatterEmitter(PartitionedOp& op)
      : op_(op),
        emit_(op.emit),
        attrs_(op.hlo.attrs<ScatterAttrs>()),
        inputs_(op.hlo.operand_count() / 2) {}

  HloInstruction* Emit() {
    std::vector<HloInstruction*> operands = op_.OperandParts();
    const bool changes_indices = ChangesIndices();
    if (changes_indices) operands[inputs_] = IndicesOfPart();
    const AxisList partial = PartialAxes();
    if (!partial.empty()) operands[0] = InputOfOneDevice(partial);
    if (HasWideWindows()) return EmitWide(std::move(operands));
    HloInstruction* scatter = EmitOnParts(op_, operands);
    // Clamping may have changed the order of vectors.
    if (changes_indices) {
      scatter->mutable_attrs<ScatterAttrs>().indices_are_sorted = false;
    }
    return scatter;
  }

 private:
  // The rows that the part gets on each side of a dimension.
  int64_t Margin(int64_t d) const {
    const int64_t window = WindowSize(op_.hlo, d);
    return IsDividedByIndex(d) && window > 1 ? window : 0;
  }

  bool HasWideWindows() const {
    for (int64_t d = 0; d < op_.operands[0].shape.rank(); ++d) {
      if (Margin(d) > 0) return true;
    }
    return false;
  }

  HloInstruction* EmitWide(std::vector<HloInstruction*> operands) {
    const int64_t rank = op_.operands[0].shape.rank();
    std::vector<Shape> wide;
    for (int64_t i = 0; i < inputs_; ++i) {
      const PrimitiveType type = operands[i]->shape().element_type();
      HloInstruction* zero = emit_.Zero(type);
      for (int64_t d = 0; d < rank; ++d) {
        operands[i] = emit_.PadDim(operands[i], d, Margin(d), Margin(d), zero);
      }
      wide.push_back(operands[i]->shape());
    }
    const bool is_tuple = op_.hlo.shape().IsTuple();
    HloInstruction* scatter = op_.Clone(
        operands, is_tuple ? ShapeUtil::MakeTupleShape(wide) : wide[0]);
    ScatterAttrs& attrs = scatter->mutable_attrs<ScatterAttrs>();
    attrs.indices_are_sorted = false;
    // All that are elsewhere get the same index.
    attrs.unique_indices = false;
    std::vector<HloInstruction*> results;
    for (int64_t i = 0; i < inputs_; ++i) {
      HloInstruction* part = is_tuple ? emit_.Element(scatter, i) : scatter;
      for (int64_t d = 0; d < rank; ++d) {
        const int64_t end = part->shape().dimensions(d) - Margin(d);
        part = emit_.SliceDim(part, d, Margin(d), end);
      }
      results.push_back(part);
    }
    return is_tuple ? emit_.Tuple(results) : results[0];
  }

  bool IsDividedByIndex(int64_t d) const {
    const int32_t factor = FactorOf(op_.factors, 0, d);
    return factor >= 0 && !op_.axes[factor].empty() &&
           op_.factors.factors[factor].kind == FactorKind::kWhole;
  }

  // Whether the dimension counts updates that devices have some of each.
  bool CountsPartialUpdates(int64_t indices_dimension) const {
    const int32_t factor = FactorOf(op_.factors, inputs_, indices_dimension);
    return factor >= 0 && !op_.axes[factor].empty() &&
           op_.factors.factors[factor].kind == FactorKind::kWhole;
  }

  AxisList PartialAxes() const {
    AxisList axes;
    for (int64_t d = 0; d < op_.operands[inputs_].shape.rank(); ++d) {
      if (CountsPartialUpdates(d)) Append(op_.OperandAxes(inputs_, d), axes);
    }
    return axes;
  }

  bool HasMissingUpdates(int64_t d) const {
    return CountsPartialUpdates(d) &&
           op_.operands[inputs_].shape.dimensions(d) %
                   SizeOf(op_.OperandAxes(inputs_, d)) !=
               0;
  }

  bool ChangesIndices() const {
    for (int64_t d = 0; d < op_.operands[0].shape.rank(); ++d) {
      if (IsDividedByIndex(d)) return true;
    }
    for (int64_t d = 0; d < op_.operands[inputs_].shape.rank(); ++d) {
      if (HasMissingUpdates(d)) return true;
    }
    return false;
  }

  // What is outside of the whole is outside of every part, so that a promise of
  // different indices holds there, too.
  HloInstruction* IndexOfPart(HloInstruction* x, int64_t d) {
    const AxisList& axes = op_.OperandAxes(0, d);
    const int64_t size = op_.operands[0].shape.dimensions(d);
    if (!IsDividedByIndex(d)) return ClampIndex(emit_, x, -1, size);
    const int64_t part = CeilOfRatio(size, SizeOf(axes));
    if (Margin(d) > 0) return IndexOfWidePart(x, d, part);
    x = ClampIndex(emit_, x, -1, part * SizeOf(axes));
    return emit_.Minus(x, emit_.Splat(emit_.Coordinate(*op_.mesh, axes, part),
                                      x->shape().dimensions()));
  }

  // Windows that are not in the whole, or have nothing of the part, begin at
  // -1.
  HloInstruction* IndexOfWidePart(HloInstruction* x, int64_t d, int64_t part) {
    const int64_t size = op_.operands[0].shape.dimensions(d);
    const int64_t window = Margin(d);
    x = ClampIndex(emit_, x, -1, size);
    HloInstruction* exists = emit_.InRange(x, 0, size - window + 1);
    HloInstruction* first =
        emit_.Coordinate(*op_.mesh, op_.OperandAxes(0, d), part);
    x = emit_.Minus(x, emit_.Splat(first, x->shape().dimensions()));
    HloInstruction* is_here = emit_.InRange(x, 1 - window, part);
    HloInstruction* index = emit_.Plus(x, emit_.IntegerLike(x, window));
    HloInstruction* nowhere = emit_.IntegerLike(x, -1);
    return emit_.Select(emit_.And(exists, is_here), index, nowhere);
  }

  HloInstruction* IndicesOfPart() {
    const auto& map = attrs_.dimension_numbers.scatter_dims_to_operand_dims();
    HloInstruction* indices = MapComponents(
        emit_,
        {op_.operand(inputs_), attrs_.dimension_numbers.index_vector_dim(),
         std::vector<int64_t>(map.begin(), map.end())},
        [&](HloInstruction* x, int64_t d) { return IndexOfPart(x, d); });
    const Shape& whole = op_.operands[inputs_].shape;
    for (int64_t d = 0; d < whole.rank(); ++d) {
      if (!HasMissingUpdates(d)) continue;
      const AxisList& axes = op_.OperandAxes(inputs_, d);
      const int64_t size = whole.dimensions(d);
      HloInstruction* offset =
          emit_.Coordinate(*op_.mesh, axes, CeilOfRatio(size, SizeOf(axes)));
      indices = emit_.MaskDim(indices, d, offset, 0, size, emit_.Index(-1));
    }
    return indices;
  }

  HloInstruction* InputOfOneDevice(const AxisList& axes) {
    HloInstruction* input = op_.operand(0);
    const Shape& shape = input->shape();
    HloInstruction* is_first = emit_.IsAt(*op_.mesh, axes, 0);
    HloInstruction* none = emit_.Constant(
        ReductionIdentity(*CombiningOp(op_.hlo), shape.element_type()));
    return emit_.Select(emit_.Splat(is_first, shape.dimensions()), input,
                        emit_.Splat(none, shape.dimensions()));
  }

  PartitionedOp& op_;
  SpmdBuilder& emit_;
  const ScatterAttrs& attrs_;
  const int64_t inputs_;
};

absl::StatusOr<HloInstruction*> EmitScatter(PartitionedOp& op) {
  return ScatterEmitter(op).Emit();
}

constexpr OpRule kScatterRule = {
    .split = SplitScatter, .reducer = ReducerOfScatter, .emit = EmitScatter};

}  // namespace

const OpRule& ScatterRule() { return kScatterRule; }

}  // namespace xla
