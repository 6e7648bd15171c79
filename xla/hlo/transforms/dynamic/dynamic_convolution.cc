// Convolutions of arrays with dynamic dimensions. Elements beyond the sizes
// count as 0.
#include "xla/hlo/ops/linear/dynamic_convolution.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "xla/base/status_macros.h"
#include "xla/core/shape_util.h"
#include "xla/core/window_math.h"
#include "xla/hlo/ir/infer_instruction.h"
#include "xla/hlo/ops/control_flow.h"
#include "xla/hlo/ops/linear/convolution.h"
#include "xla/hlo/ops/movement/slicing.h"
#include "xla/hlo/ops/table/known_calls.h"
#include "xla/hlo/transforms/dynamic/dynamic_ops.h"

namespace xla {
namespace {

using Hlo = HloInstruction*;
using ConvKind = DynamicConvolutionKind;

// Returns the sizes of a convolution's result, given the spatial ones; null
// where static.
std::vector<Hlo> ConvolutionSizes(const ConvolutionAttrs& attrs,
                                  const DynamicArray& lhs,
                                  const DynamicArray& rhs,
                                  absl::Span<const Hlo> spatial) {
  const auto& numbers = attrs.convolution_dimension_numbers;
  std::vector<Hlo> sizes(lhs.sizes.size(), nullptr);
  sizes[numbers.output_batch_dimension()] =
      lhs.sizes[numbers.input_batch_dimension()];
  sizes[numbers.output_feature_dimension()] =
      rhs.sizes[numbers.kernel_output_feature_dimension()];
  for (size_t i = 0; i < spatial.size(); ++i) {
    sizes[numbers.output_spatial_dimensions(i)] = spatial[i];
  }
  return sizes;
}

DynamicArray WithoutRest(HloBuilder& emit, const DynamicArray& array) {
  return StaticArray(FillBeyond(emit, array, AllDimensions(array),
                                emit.Zero(array.data->shape().element_type())));
}

// Lowers a plain convolution, whose windows do not depend on sizes.
absl::StatusOr<DynamicArray> LowerPlainConvolution(
    HloBuilder& emit, const HloInstruction& hlo,
    absl::Span<const DynamicArray> operands) {
  const auto& attrs = hlo.attrs<ConvolutionAttrs>();
  const auto& numbers = attrs.convolution_dimension_numbers;
  TF_RETURN_IF_ERROR(CheckDynamicGroups(hlo.operand(0)->shape(),
                                        hlo.operand(1)->shape(), attrs));
  std::vector<Hlo> spatial;
  for (int i = 0; i < numbers.input_spatial_dimensions_size(); ++i) {
    Hlo size = operands[0].sizes[numbers.input_spatial_dimensions(i)];
    const int64_t bound =
        hlo.shape().dimensions(numbers.output_spatial_dimensions(i));
    spatial.push_back(
        size == nullptr
            ? nullptr
            : WindowCount(emit, size, attrs.window.dimensions(i), bound));
  }
  Hlo data =
      OnData(emit, hlo,
             {WithoutRest(emit, operands[0]), WithoutRest(emit, operands[1])});
  return WithSizes(emit, data, hlo.shape(),
                   ConvolutionSizes(attrs, operands[0], operands[1], spatial));
}

// Lowers one of the custom calls.
class CallLowering {
 public:
  CallLowering(HloBuilder& emit, const HloInstruction& hlo,
               absl::Span<const DynamicArray> operands)
      : emit_(emit),
        hlo_(hlo),
        operands_(operands),
        call_(DynamicConvolutionOf(hlo.attrs<CustomCallAttrs>())),
        numbers_(call_.attrs.convolution_dimension_numbers),
        lhs_(operands[call_.lhs_operand()]),
        rhs_(operands[call_.rhs_operand()]) {}

  DynamicArray Run() {
    std::vector<Hlo> padding_before(call_.attrs.window.dimensions_size());
    std::vector<Hlo> spatial(padding_before.size());
    for (size_t i = 0; i < spatial.size(); ++i) {
      if (!lhs_.IsDynamic(numbers_.input_spatial_dimensions(i))) continue;
      const ForwardWindow window = ForwardWindowOf(call_, i, ResultSize(i));
      Hlo size = ForwardSize(i);
      if (call_.same_padding) padding_before[i] = Before(window, size);
      if (call_.kind == ConvKind::kForward) {
        spatial[i] = ClampSize(
            emit_,
            emit_.Convert(OutputSize(window, call_.same_padding, size), S32),
            ResultSize(i));
      }
    }
    ConvolutionAttrs attrs = call_.attrs;
    Hlo lhs =
        Padded(WithoutRest(emit_, lhs_).data, padding_before, &attrs.window);
    Hlo rhs = WithoutRest(emit_, rhs_).data;
    Hlo data = emit_.Add(HloOpcode::kConvolution,
                         ShapeUtil::MakeStaticShape(hlo_.shape()), {lhs, rhs},
                         std::move(attrs));
    std::vector<Hlo> sizes = ConvolutionSizes(call_.attrs, lhs_, rhs_, spatial);
    if (call_.kind == ConvKind::kInputGrad) {
      for (size_t d = 0; d < sizes.size(); ++d) sizes[d] = StatedSize(d);
    }
    return WithSizes(emit_, data, hlo_.shape(), std::move(sizes));
  }

 private:
  Hlo Number(int64_t value) { return emit_.Integer(S64, value); }
  Hlo AtLeastZero(Hlo x) {
    return emit_.Binary(HloOpcode::kMaximum, x, Number(0));
  }

  // Returns the bound of a spatial dimension of the result.
  int64_t ResultSize(int i) const {
    return hlo_.shape().dimensions(numbers_.output_spatial_dimensions(i));
  }

  // Returns the size that kInputGrad's first operand states for a result
  // dimension.
  Hlo StatedSize(int64_t d) {
    return ClampSize(emit_, emit_.At(operands_[0].data, d),
                     hlo_.shape().dimensions(d));
  }

  // Returns s64[]: the number of elements that a dimension's forward windows
  // slide over.
  Hlo ForwardSize(int i) {
    Hlo size = call_.kind == ConvKind::kInputGrad
                   ? StatedSize(numbers_.output_spatial_dimensions(i))
                   : lhs_.sizes[numbers_.input_spatial_dimensions(i)];
    return emit_.Convert(size, S64);
  }

  // Returns OutputSizeOf, in s64.
  Hlo OutputSize(const ForwardWindow& window, bool same_padding, Hlo size) {
    const int64_t covered = same_padding ? 1 : window.extent;
    return emit_.Over(
        AtLeastZero(emit_.Plus(size, Number(window.stride - covered))),
        Number(window.stride));
  }

  // Returns the padding of the left operand before its first element.
  Hlo Before(const ForwardWindow& window, Hlo size) {
    Hlo last =
        emit_.Times(emit_.Minus(OutputSize(window, true, size), Number(1)),
                    Number(window.stride));
    Hlo needed = emit_.Minus(emit_.Plus(last, Number(window.extent)), size);
    Hlo before = emit_.Over(AtLeastZero(needed), Number(2));
    // The gradient's windows start where the first element is their last.
    if (call_.kind != ConvKind::kInputGrad) return before;
    return emit_.Minus(Number(window.extent - 1), before);
  }

  // Returns `x` with the padding and holes of `window` in the dimensions that
  // have `before`, cut to as many elements as the window's padding would give;
  // removes them from `window`.
  Hlo Padded(Hlo x, absl::Span<const Hlo> before, Window* window) {
    PaddingConfig config;
    for (int64_t d = 0; d < x->shape().rank(); ++d) config.add_dimensions();
    std::vector<int64_t> padded(x->shape().dimensions().begin(),
                                x->shape().dimensions().end());
    std::vector<int64_t> sizes = padded;
    std::vector<Hlo> starts(sizes.size(), Number(0));
    bool any = false;
    for (size_t i = 0; i < before.size(); ++i) {
      if (before[i] == nullptr) continue;
      any = true;
      const int64_t d = numbers_.input_spatial_dimensions(i);
      WindowDimension* dim = window->mutable_dimensions(i);
      const int64_t most = ForwardWindowOf(call_, i, ResultSize(i)).extent;
      const int64_t dilated =
          window_util::DilatedBound(sizes[d], dim->base_dilation());
      const int64_t around =
          std::max(dim->padding_low() + dim->padding_high(), -dilated);
      auto* edge = config.mutable_dimensions(d);
      edge->set_edge_padding_low(most);
      edge->set_edge_padding_high(around);
      edge->set_interior_padding(dim->base_dilation() - 1);
      sizes[d] = dilated + around;
      padded[d] = sizes[d] + most;
      starts[d] = emit_.Minus(Number(most), before[i]);
      dim->set_padding_low(0);
      dim->set_padding_high(0);
      dim->set_base_dilation(1);
    }
    if (!any) return x;
    const PrimitiveType type = x->shape().element_type();
    Hlo wide = emit_.Add(HloOpcode::kPad, emit_.MakeShape(type, padded),
                         {x, emit_.Zero(type)}, PadAttrs{config});
    return emit_.DynamicSlice(wide, starts, sizes);
  }

  HloBuilder& emit_;
  const HloInstruction& hlo_;
  absl::Span<const DynamicArray> operands_;
  const DynamicConvolution call_;
  const ConvolutionDimensionNumbers& numbers_;
  const DynamicArray& lhs_;
  const DynamicArray& rhs_;
};

}  // namespace

bool IsDynamicConvolution(const HloInstruction& hlo) {
  return hlo.opcode() == HloOpcode::kCustomCall &&
         KnownCallOf(hlo.attrs<CustomCallAttrs>()) ==
             KnownCall::kDynamicConvolution;
}

absl::StatusOr<DynamicArray> LowerDynamicConvolution(
    HloBuilder& emit, const HloInstruction& hlo,
    absl::Span<const DynamicArray> operands) {
  if (hlo.opcode() == HloOpcode::kConvolution) {
    return LowerPlainConvolution(emit, hlo, operands);
  }
  TF_RETURN_IF_ERROR(CheckDynamicConvolution(hlo.attrs<CustomCallAttrs>(),
                                             OperandShapes(hlo.operands()),
                                             hlo.shape()));
  return CallLowering(emit, hlo, operands).Run();
}

}  // namespace xla
