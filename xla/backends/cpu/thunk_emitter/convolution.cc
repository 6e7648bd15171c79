// Emits convolutions in the kernel's form, with copies if dimensions have
// another order.
#include "xla/backends/cpu/kernels/convolutions/convolution.h"

#include <cstdint>
#include <memory>
#include <utility>

#include "xla/backends/cpu/thunk_emitter/families.h"
#include "xla/backends/cpu/thunk_emitter/operand_planner.h"
#include "xla/backends/cpu/thunks/library/convolution_thunk.h"
#include "xla/base/errors.h"
#include "xla/base/status_macros.h"
#include "xla/hlo/ops/linear/convolution.h"
#include "xla/runtime/memory_chunk.h"

namespace xla::cpu {
namespace {

// [first, spatial..., last...]
template <typename Spatial>
OperandPlan::Dims Order(std::initializer_list<int64_t> first,
                        const Spatial& spatial,
                        std::initializer_list<int64_t> last) {
  OperandPlan::Dims order(first);
  order.insert(order.end(), spatial.begin(), spatial.end());
  order.insert(order.end(), last.begin(), last.end());
  return order;
}

// Returns the kernel packed for a convolution, if it is a constant and that
// pays, else null.
absl::StatusOr<MemoryChunk> PackConstant(const HloInstruction& kernel,
                                         const OperandPlan& plan,
                                         const ConvolutionDesc& desc,
                                         const ThunkEmitterContext& context) {
  const HloInstruction* constant = ConstantAt(kernel);
  if (constant == nullptr || !plan.is_in_place()) return MemoryChunk();
  return ConvolutionThunk::PackConstant(
      desc, context.kernel_target(),
      [&](absl::string_view form, int64_t bytes, auto write) {
        return context.ConstantInForm(*constant, form, bytes, write);
      });
}

}  // namespace

ThunkOr EmitConvolutionThunk(const ProductInFusion& product,
                             const ThunkEmitterContext& context) {
  const HloInstruction& hlo = product.hlo();
  const std::string& name = product.instruction().name();
  TF_RETURN_IF_ERROR(CheckCanonical(hlo));
  const auto& attrs = hlo.attrs<ConvolutionAttrs>();
  const ConvolutionDimensionNumbers& numbers =
      attrs.convolution_dimension_numbers;
  ConvolutionThunk::Spec spec;
  OperandPlan& input = spec.input;
  OperandPlan& kernel = spec.kernel;
  OperandPlan& result = spec.result;
  TF_ASSIGN_OR_RETURN(input, PlanOperand(product.operand(0), context));
  TF_ASSIGN_OR_RETURN(kernel, PlanOperand(product.operand(1), context));
  result = PlanOfShape(hlo.shape());
  TF_ASSIGN_OR_RETURN(result.slice, context.SliceOf(product.instruction(), 0));
  input.SetOrder(Order({numbers.input_batch_dimension()},
                       numbers.input_spatial_dimensions(),
                       {numbers.input_feature_dimension()}));
  kernel.SetOrder(Order({}, numbers.kernel_spatial_dimensions(),
                        {numbers.kernel_input_feature_dimension(),
                         numbers.kernel_output_feature_dimension()}));
  result.SetOrder(Order({numbers.output_batch_dimension()},
                        numbers.output_spatial_dimensions(),
                        {numbers.output_feature_dimension()}));
  ConvolutionDesc& desc = spec.desc;
  desc.input = input.type;
  desc.kernel = kernel.type;
  desc.out = result.type;
  desc.batch = input.dimensions[numbers.input_batch_dimension()];
  desc.in_features = input.dimensions[numbers.input_feature_dimension()];
  desc.out_features =
      kernel.dimensions[numbers.kernel_output_feature_dimension()];
  desc.feature_groups = attrs.feature_group_count;
  desc.batch_groups = attrs.batch_group_count;
  for (int i = 0; i < attrs.window.dimensions_size(); ++i) {
    const WindowDimension& window = attrs.window.dimensions(i);
    ConvolutionDim& dim = desc.dims.emplace_back();
    dim.input = input.dimensions[numbers.input_spatial_dimensions(i)];
    dim.kernel = kernel.dimensions[numbers.kernel_spatial_dimensions(i)];
    dim.output = result.dimensions[numbers.output_spatial_dimensions(i)];
    dim.stride = window.stride();
    dim.padding_low = window.padding_low();
    dim.base_dilation = window.base_dilation();
    dim.window_dilation = window.window_dilation();
    dim.reversed = window.window_reversal();
  }
  if (const absl::Status checked = CheckConvolution(desc); !checked.ok()) {
    return AddStatus(checked, name);
  }
  TF_ASSIGN_OR_RETURN(spec.epilogue, EpilogueOf(product, context));
  desc.column_step = spec.epilogue.step;
  TF_ASSIGN_OR_RETURN(MemoryChunk packed,
                      PackConstant(product.operand(1), kernel, desc, context));
  spec.packs_constant = !packed.is_null();
  if (spec.packs_constant) spec.constant = kernel.slice;
  desc.kernel_packed = spec.packs_constant;
  spec.target = context.TunedTarget(
      product.instruction(), [&](const KernelTarget& target) {
        return ConvolutionAlgorithmOf(desc, target);
      });
  return ConvolutionThunk::Make(name, std::move(spec), std::move(packed));
}

}  // namespace xla::cpu
