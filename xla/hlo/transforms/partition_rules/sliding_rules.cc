// Rules of ops whose windows slide over an operand: reduce-window and
// convolution.
#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/container/inlined_vector.h"
#include "xla/base/checked_math.h"
#include "xla/core/shape_util.h"
#include "xla/core/window_math.h"
#include "xla/hlo/analysis/leaves.h"
#include "xla/hlo/analysis/reducers.h"
#include "xla/hlo/ops/linear/convolution.h"
#include "xla/hlo/ops/reduction/reduction.h"
#include "xla/hlo/transforms/partition_rules/op_rule.h"
#include "xla/hlo/transforms/partition_rules/window_split.h"
#include "xla/hlo/transforms/resharding/resharding.h"

namespace xla {
namespace {

bool ResultHas(const DimensionFactors& factors, int32_t factor) {
  return absl::c_any_of(factors.results[0], [&](const auto& dimension) {
    return absl::c_linear_search(dimension, factor);
  });
}

// Whether there are values that change nothing when they are reduced.
bool CanFill(const HloInstruction& hlo) {
  return SummingOp(hlo).has_value() ||
         (MayRegroup(*hlo.to_apply()) && InitMayRepeat(hlo));
}

// Whether windows consist of all elements up to their own, or from it on.
bool IsCumulative(const WindowDimension& dim, int64_t size) {
  const bool prefixes =
      dim.padding_low() == size - 1 && dim.padding_high() == 0;
  const bool suffixes =
      dim.padding_low() == 0 && dim.padding_high() == size - 1;
  return size > 1 && dim.size() == size && dim.stride() == 1 &&
         dim.window_dilation() == 1 && dim.base_dilation() == 1 &&
         (prefixes || suffixes);
}

// Whether no dimension of the array has other factors besides this one, as
// that of a dilated window whose elements alternate with those of its
// neighbours has.
bool IsAlone(const DimensionFactors& factors, int32_t factor) {
  for (const DimensionFactors::Dimension& dimension : factors.operands[0]) {
    if (dimension.size() > 1 && absl::c_linear_search(dimension, factor)) {
      return false;
    }
  }
  return true;
}

FactorSplit SplitReduceWindow(const HloInstruction& hlo,
                              const DimensionFactors& factors, int32_t factor) {
  if (IsEmptyOrHuge(hlo)) return FactorSplit::kWhole;
  switch (factors.factors[factor].kind) {
    case FactorKind::kPassedThrough:
    case FactorKind::kPermuted:
      return FactorSplit::kLocal;
    case FactorKind::kSummed:
      return SummingOp(hlo).has_value() && IsAlone(factors, factor)
                 ? FactorSplit::kPartial
                 : FactorSplit::kWhole;
    case FactorKind::kWhole:
      break;
  }
  return FactorSplit::kWhole;
}

HloOpcode ReducerOfWindows(const HloInstruction& hlo) {
  return SummingOp(hlo).value_or(HloOpcode::kAdd);
}

// Calls fn(d, dim, sizes) for the dimensions along which windows move and the
// result is split.
template <typename Fn>
void ForEachSlid(const HloInstruction& hlo, const DimensionFactors& factors,
                 const FactorAxes& axes, const Fn& fn) {
  const Window& window = hlo.attrs<ReduceWindowAttrs>().window;
  for (int d = 0; d < window.dimensions_size(); ++d) {
    const WindowDimension& dim = window.dimensions(d);
    if (window_util::IsTrivialWindowDimension(dim)) continue;
    const SplitSizes sizes = SplitSizesOf(hlo, factors, axes, 0, d, d);
    if (sizes.result_parts > 1) fn(d, dim, sizes);
  }
}

// Whether a cumulative reduction is done in parts, whose totals follow.
bool AddsTotals(const HloInstruction& hlo, const WindowDimension& dim,
                const SplitSizes& sizes) {
  return IsCumulative(dim, sizes.operand) &&
         sizes.operand_parts == sizes.result_parts &&
         MayRegroup(*hlo.to_apply()) && CanFill(hlo);
}

bool AcceptsReduceWindow(const HloInstruction& hlo,
                         const DimensionFactors& factors,
                         const FactorAxes& axes) {
  bool accepts = true;
  ForEachSlid(hlo, factors, axes,
              [&](int, const WindowDimension& dim, const SplitSizes& sizes) {
                if (AddsTotals(hlo, dim, sizes)) return;
                const WindowSplit split(dim, sizes);
                accepts &= IsFeasible(split, sizes) &&
                           (!split.needs_fill() || CanFill(hlo));
              });
  return accepts;
}

double CostOfReduceWindow(const HloInstruction& hlo,
                          const DimensionFactors& factors,
                          const FactorAxes& axes, const DeviceMesh&) {
  double cost = 0;
  ForEachSlid(hlo, factors, axes,
              [&](int d, const WindowDimension& dim, const SplitSizes& sizes) {
                for (int64_t i = 0; i < hlo.operand_count() / 2; ++i) {
                  const double bytes = BytesAlong(hlo, factors, axes, i, d);
                  cost +=
                      AddsTotals(hlo, dim, sizes)
                          ? kLatencyBytes + bytes * (sizes.operand_parts - 1)
                          : WindowSplit(dim, sizes).exchange().Cost(bytes);
                }
              });
  return cost;
}

class ReduceWindowEmitter {
 public:
  explicit ReduceWindowEmitter(PartitionedOp& op)
      : op_(op),
        emit_(op.emit),
        attrs_(op.hlo.attrs<ReduceWindowAttrs>()),
        part_(op.PartOfResult()) {
    const int64_t arrays = op.hlo.operand_count() / 2;
    for (int64_t i = 0; i < arrays; ++i) {
      arrays_.push_back(op.operand(i));
      inits_.push_back(op.operand(arrays + i));
    }
    fills_ = inits_;
    if (const std::optional<HloOpcode> sum = SummingOp(op.hlo)) {
      fills_[0] = emit_.Constant(
          ReductionIdentity(*sum, op.operands[0].shape.element_type()));
    }
  }

  HloInstruction* Emit() {
    SumParts();
    ForEachSlid(op_.hlo, op_.factors, op_.axes,
                [&](int d, const WindowDimension& dim,
                    const SplitSizes& sizes) { Slide(d, dim, sizes); });
    std::vector<HloInstruction*> operands = arrays_;
    operands.insert(operands.end(), inits_.begin(), inits_.end());
    HloInstruction* result =
        emit_.Add(HloOpcode::kReduceWindow, ShapeOfWindows(), operands, attrs_,
                  {op_.hlo.to_apply()});
    return totals_.empty() ? result : WithoutTotals(result);
  }

 private:
  // A dimension where the parts of one running total are.
  struct Totals {
    int dimension;
    bool first;  // before the elements, else behind them
  };

  WindowDimension& Local(int d) { return *attrs_.window.mutable_dimensions(d); }

  // Windows of all elements give partial results.
  void SumParts() {
    AxisList summed;
    for (int d = 0; d < attrs_.window.dimensions_size(); ++d) {
      const AxisList& axes = op_.OperandAxes(0, d);
      const DimensionFactors::Dimension& dimension = op_.factors.operands[0][d];
      if (axes.empty() ||
          !op_.factors.IsOfKind(dimension, FactorKind::kSummed)) {
        continue;
      }
      Append(axes, summed);
      Local(d).set_size(arrays_[0]->shape().dimensions(d));
    }
    if (summed.empty()) return;
    arrays_[0] = MaskSummed(op_, 0, fills_[0]);
    inits_[0] = InitOfOneDevice(op_, summed, fills_[0]);
  }

  void Slide(int d, const WindowDimension& dim, const SplitSizes& sizes) {
    if (AddsTotals(op_.hlo, dim, sizes)) {
      AddTotals(d, sizes);
      return;
    }
    const WindowSplit split(dim, sizes);
    const DeviceLine line = {*op_.mesh, AxesOf(d)};
    for (size_t i = 0; i < arrays_.size(); ++i) {
      WindowDimension local = dim;
      arrays_[i] = split.Emit(emit_, arrays_[i], d, line, fills_[i], local);
      if (i + 1 == arrays_.size()) Local(d) = local;
    }
  }

  // Puts what the parts before, or behind, are reduced to beside the part.
  void AddTotals(int d, const SplitSizes& sizes) {
    const int64_t part = arrays_[0]->shape().dimensions(d);
    const int64_t parts = sizes.operand_parts;
    const bool prefixes = Local(d).padding_low() > 0;
    const AxisList axes = AxesOf(d);
    if (sizes.operand % parts != 0) {
      HloInstruction* offset = emit_.Coordinate(*op_.mesh, axes, part);
      for (size_t i = 0; i < arrays_.size(); ++i) {
        arrays_[i] =
            emit_.MaskDim(arrays_[i], d, offset, 0, sizes.operand, fills_[i]);
      }
    }
    const std::vector<HloInstruction*> own = ReduceAlong(arrays_, d);
    std::vector<HloInstruction*> all;
    HloInstruction* behind = emit_.Coordinate(*op_.mesh, axes, -1);
    for (size_t i = 0; i < own.size(); ++i) {
      HloInstruction* gathered = emit_.AllGather(own[i], d, *op_.mesh, axes);
      all.push_back(
          prefixes ? emit_.MaskDim(gathered, d, behind, -parts, 0, fills_[i])
                   : emit_.MaskDim(gathered, d, behind, 1, parts, fills_[i]));
    }
    const std::vector<HloInstruction*> others = ReduceAlong(all, d);
    for (size_t i = 0; i < arrays_.size(); ++i) {
      arrays_[i] = prefixes ? emit_.Concatenate({others[i], arrays_[i]}, d)
                            : emit_.Concatenate({arrays_[i], others[i]}, d);
    }
    Local(d).set_size(part + 1);
    Local(d).set_padding_low(prefixes ? part : 0);
    Local(d).set_padding_high(prefixes ? 0 : part);
    totals_.push_back({d, prefixes});
  }

  // Reduces arrays to one element along the dimension, which stays.
  std::vector<HloInstruction*> ReduceAlong(
      const std::vector<HloInstruction*>& arrays, int d) {
    std::vector<HloInstruction*> operands = arrays;
    operands.insert(operands.end(), fills_.begin(), fills_.end());
    std::vector<Shape> shapes;
    for (const HloInstruction* array : arrays) {
      shapes.push_back(ShapeUtil::DeleteDimension(d, array->shape()));
    }
    HloInstruction* reduced = emit_.Add(
        HloOpcode::kReduce,
        shapes.size() == 1 ? shapes[0] : ShapeUtil::MakeTupleShape(shapes),
        operands, ReduceAttrs{{d}}, {op_.hlo.to_apply()});
    std::vector<HloInstruction*> results;
    for (size_t i = 0; i < arrays.size(); ++i) {
      const absl::Span<const int64_t> sizes = arrays[i]->shape().dimensions();
      std::vector<int64_t> one(sizes.begin(), sizes.end());
      one[d] = 1;
      results.push_back(emit_.Reshape(
          arrays.size() == 1 ? reduced : emit_.Element(reduced, i), one));
    }
    return results;
  }

  Shape ShapeOfWindows() const {
    Shape shape = part_;
    for (const Totals& totals : totals_) {
      for (size_t i = 0; i < arrays_.size(); ++i) {
        Shape& array = shape.IsTuple() ? *shape.mutable_tuple_shapes(i) : shape;
        array.set_dimensions(totals.dimension,
                             array.dimensions(totals.dimension) + 1);
        if (!shape.IsTuple()) break;
      }
    }
    return shape;
  }

  HloInstruction* WithoutTotals(HloInstruction* result) {
    std::vector<HloInstruction*> elements;
    for (size_t i = 0; i < arrays_.size(); ++i) {
      HloInstruction* x = part_.IsTuple() ? emit_.Element(result, i) : result;
      for (const auto& [d, first] : totals_) {
        const int64_t size = x->shape().dimensions(d);
        x = emit_.SliceDim(x, d, first ? 1 : 0, first ? size : size - 1);
      }
      elements.push_back(x);
    }
    return part_.IsTuple() ? emit_.Tuple(elements) : elements[0];
  }

  AxisList AxesOf(int d) const {
    return AxesOfDimension(op_.axes, op_.factors.results[0][d]);
  }

  PartitionedOp& op_;
  SpmdBuilder& emit_;
  ReduceWindowAttrs attrs_;
  const Shape part_;
  std::vector<HloInstruction*> arrays_;
  std::vector<HloInstruction*> inits_;
  // Change nothing where they are reduced.
  std::vector<HloInstruction*> fills_;
  std::vector<Totals> totals_;
};

absl::StatusOr<HloInstruction*> EmitReduceWindow(PartitionedOp& op) {
  return ReduceWindowEmitter(op).Emit();
}

FactorSplit SplitConvolution(const HloInstruction& hlo,
                             const DimensionFactors& factors, int32_t factor) {
  if (IsEmptyOrHuge(hlo)) return FactorSplit::kWhole;
  if (factors.factors[factor].kind == FactorKind::kPermuted) {
    // Along one that the result lacks the kernel slides, and is the longer one.
    return ResultHas(factors, factor) ? FactorSplit::kLocal
                                      : FactorSplit::kPartial;
  }
  return DefaultSplit(factors, factor);
}

// One of a convolution's spatial dimensions, which is split.
struct SpatialSplit {
  int number;
  int64_t input_dimension;
  AxisList axes;
  SplitSizes sizes;
  WindowSplit split;
};

// The input of each part of a kernel that is split as the input is.
WindowSplit SplitOfKernel(const WindowDimension& dim, int64_t results,
                          int64_t size, int64_t parts) {
  const int64_t part = CeilOfRatio<int64_t>(dim.size(), parts);
  DilatedWindows windows;
  windows.extent =
      (results - 1) * dim.stride() + (part - 1) * dim.window_dilation() + 1;
  for (int64_t c = 0; c < parts; ++c) {
    const int64_t first =
        dim.window_reversal() ? dim.size() - (c + 1) * part : c * part;
    windows.starts.push_back(first * dim.window_dilation() - dim.padding_low());
    windows.needed.push_back(windows.extent);
  }
  return WindowSplit(size, parts, dim.base_dilation(), windows);
}

std::vector<SpatialSplit> SpatialSplits(const HloInstruction& hlo,
                                        const DimensionFactors& factors,
                                        const FactorAxes& axes) {
  const ConvolutionAttrs& attrs = hlo.attrs<ConvolutionAttrs>();
  const ConvolutionDimensionNumbers& numbers =
      attrs.convolution_dimension_numbers;
  std::vector<SpatialSplit> splits;
  for (int i = 0; i < attrs.window.dimensions_size(); ++i) {
    const WindowDimension& dim = attrs.window.dimensions(i);
    const int64_t d = numbers.input_spatial_dimensions(i);
    const int64_t result_d = numbers.output_spatial_dimensions(i);
    const DimensionFactors::Dimension& input = factors.operands[0][d];
    const SplitSizes sizes = SplitSizesOf(hlo, factors, axes, 0, d, result_d);
    if (sizes.result_parts > 1) {
      splits.push_back({i, d,
                        AxesOfDimension(axes, factors.results[0][result_d]),
                        sizes, WindowSplit(dim, sizes)});
    } else if (sizes.operand_parts > 1 &&
               factors.factors[input[0]].kind == FactorKind::kPermuted) {
      splits.push_back({i, d, AxesOfDimension(axes, input), sizes,
                        SplitOfKernel(dim, sizes.result, sizes.operand,
                                      sizes.operand_parts)});
    }
  }
  return splits;
}

bool AcceptsConvolution(const HloInstruction& hlo,
                        const DimensionFactors& factors,
                        const FactorAxes& axes) {
  const Window& window = hlo.attrs<ConvolutionAttrs>().window;
  for (const SpatialSplit& spatial : SpatialSplits(hlo, factors, axes)) {
    if (!IsFeasible(spatial.split, spatial.sizes)) return false;
    // What is beyond the kernel's end would be multiplied.
    const int64_t kernel = window.dimensions(spatial.number).size();
    if (spatial.sizes.result_parts == 1 &&
        kernel % spatial.sizes.operand_parts != 0) {
      return false;
    }
  }
  return true;
}

double CostOfConvolution(const HloInstruction& hlo,
                         const DimensionFactors& factors,
                         const FactorAxes& axes, const DeviceMesh&) {
  double cost = 0;
  for (const SpatialSplit& spatial : SpatialSplits(hlo, factors, axes)) {
    cost += spatial.split.exchange().Cost(
        BytesAlong(hlo, factors, axes, 0, spatial.input_dimension));
  }
  return cost;
}

// The number of groups of a part, which are in both dimensions.
int64_t GroupsOfPart(int64_t groups, const FactorAxes& axes,
                     const DimensionFactors::Dimension& a,
                     const DimensionFactors::Dimension& b) {
  if (groups == 1) return 1;
  int64_t parts = 1;
  for (const int32_t factor : a) {
    if (absl::c_linear_search(b, factor)) parts *= SizeOf(axes[factor]);
  }
  return CeilOfRatio(groups, parts);
}

absl::StatusOr<HloInstruction*> EmitConvolution(PartitionedOp& op) {
  ConvolutionAttrs attrs = op.hlo.attrs<ConvolutionAttrs>();
  const ConvolutionDimensionNumbers& numbers =
      attrs.convolution_dimension_numbers;
  HloInstruction* zero = op.emit.Zero(op.operands[0].shape.element_type());
  HloInstruction* input = MaskSummed(op, 0, zero);
  HloInstruction* kernel =
      MaskSummed(op, 1, op.emit.Zero(op.operands[1].shape.element_type()));
  for (const SpatialSplit& spatial :
       SpatialSplits(op.hlo, op.factors, op.axes)) {
    input = spatial.split.Emit(
        op.emit, input, spatial.input_dimension, {*op.mesh, spatial.axes}, zero,
        *attrs.window.mutable_dimensions(spatial.number));
  }
  for (int i = 0; i < attrs.window.dimensions_size(); ++i) {
    attrs.window.mutable_dimensions(i)->set_size(kernel->shape().dimensions(
        static_cast<int>(numbers.kernel_spatial_dimensions(i))));
  }
  const DimensionFactors::Dimension& features =
      op.factors.operands[1][numbers.kernel_output_feature_dimension()];
  attrs.feature_group_count = GroupsOfPart(
      attrs.feature_group_count, op.axes,
      op.factors.operands[0][numbers.input_feature_dimension()], features);
  attrs.batch_group_count = GroupsOfPart(
      attrs.batch_group_count, op.axes,
      op.factors.operands[0][numbers.input_batch_dimension()], features);
  return op.emit.Add(HloOpcode::kConvolution, op.PartOfResult(),
                     {input, kernel}, std::move(attrs));
}

constexpr OpRule kReduceWindowRule = {.split = SplitReduceWindow,
                                      .accepts = AcceptsReduceWindow,
                                      .cost = CostOfReduceWindow,
                                      .reducer = ReducerOfWindows,
                                      .emit = EmitReduceWindow};
constexpr OpRule kConvolutionRule = {.split = SplitConvolution,
                                     .accepts = AcceptsConvolution,
                                     .cost = CostOfConvolution,
                                     .emit = EmitConvolution};

}  // namespace

const OpRule& ReduceWindowRule() { return kReduceWindowRule; }
const OpRule& ConvolutionRule() { return kConvolutionRule; }

}  // namespace xla
