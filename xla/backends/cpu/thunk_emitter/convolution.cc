// Emits convolutions in the kernel's form, with copies if dimensions have
// another order.
#include "xla/backends/cpu/kernels/products/convolution.h"

#include <cstdint>
#include <memory>
#include <utility>

#include "xla/backends/cpu/thunk_emitter/families.h"
#include "xla/backends/cpu/thunk_emitter/operand_plan.h"
#include "xla/backends/cpu/thunks/device_run.h"
#include "xla/base/errors.h"
#include "xla/base/status_macros.h"
#include "xla/hlo/ops/linear/convolution.h"

namespace xla::cpu {
namespace {

class ConvolutionThunk : public Thunk {
 public:
  ConvolutionThunk(std::string name,
                   std::unique_ptr<const ConvolutionPlan> plan,
                   OperandPlan input, OperandPlan kernel, OperandPlan result)
      : Thunk(std::move(name)),
        plan_(std::move(plan)),
        input_(std::move(input)),
        kernel_(std::move(kernel)),
        result_(std::move(result)),
        input_bytes_(input_.ScratchBytes()),
        kernel_bytes_(kernel_.ScratchBytes()),
        result_bytes_(result_.ScratchBytes()) {}
  absl::string_view kind() const override { return "convolution"; }

  int64_t scratch_bytes(int num_threads) const override {
    return input_bytes_ + kernel_bytes_ + result_bytes_ +
           static_cast<int64_t>(plan_->ScratchBytes(num_threads));
  }

  BufferUses buffer_uses() const override {
    return BufferUses()
        .Read(input_.slice)
        .Read(kernel_.slice)
        .Write(result_.slice);
  }
  bool may_run_concurrently() const override { return true; }

  absl::StatusOr<ThunkResult> Run(DeviceRun& run, int64_t here) const override {
    char* scratch = run.scratch();
    const char* input = input_.Prepare(run, scratch);
    scratch += input_bytes_;
    const char* kernel = kernel_.Prepare(run, scratch);
    scratch += kernel_bytes_;
    char* result_scratch = scratch;
    scratch += result_bytes_;
    plan_->Run(input, kernel, result_.Place(run, result_scratch), scratch,
               run.runner());
    result_.Finish(run, result_scratch);
    return ThunkResult{here + 1};
  }

 private:
  const std::unique_ptr<const ConvolutionPlan> plan_;
  const OperandPlan input_, kernel_, result_;
  const int64_t input_bytes_, kernel_bytes_, result_bytes_;
};

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

}  // namespace

ThunkOr EmitConvolutionThunk(const HloInstruction& hlo,
                             const ThunkEmitterContext& context) {
  TF_RETURN_IF_ERROR(CheckCanonical(hlo));
  const auto& attrs = hlo.attrs<ConvolutionAttrs>();
  const ConvolutionDimensionNumbers& numbers =
      attrs.convolution_dimension_numbers;
  TF_ASSIGN_OR_RETURN(OperandPlan input,
                      OperandPlan::Of(*hlo.operand(0), context));
  TF_ASSIGN_OR_RETURN(OperandPlan kernel,
                      OperandPlan::Of(*hlo.operand(1), context));
  TF_ASSIGN_OR_RETURN(OperandPlan result, OperandPlan::Of(hlo, context));
  input.SetOrder(Order({numbers.input_batch_dimension()},
                       numbers.input_spatial_dimensions(),
                       {numbers.input_feature_dimension()}));
  kernel.SetOrder(Order({}, numbers.kernel_spatial_dimensions(),
                        {numbers.kernel_input_feature_dimension(),
                         numbers.kernel_output_feature_dimension()}));
  result.SetOrder(Order({numbers.output_batch_dimension()},
                        numbers.output_spatial_dimensions(),
                        {numbers.output_feature_dimension()}));
  ConvolutionDesc desc;
  desc.input = input.type;
  desc.kernel = kernel.type;
  desc.out = result.type;
  desc.batch = input.shape.dimensions(numbers.input_batch_dimension());
  desc.in_features = input.shape.dimensions(numbers.input_feature_dimension());
  desc.out_features =
      kernel.shape.dimensions(numbers.kernel_output_feature_dimension());
  desc.feature_groups = attrs.feature_group_count;
  desc.batch_groups = attrs.batch_group_count;
  for (int i = 0; i < attrs.window.dimensions_size(); ++i) {
    const WindowDimension& window = attrs.window.dimensions(i);
    ConvolutionDim& dim = desc.dims.emplace_back();
    dim.input = input.shape.dimensions(numbers.input_spatial_dimensions(i));
    dim.kernel = kernel.shape.dimensions(numbers.kernel_spatial_dimensions(i));
    dim.output = result.shape.dimensions(numbers.output_spatial_dimensions(i));
    dim.stride = window.stride();
    dim.padding_low = window.padding_low();
    dim.base_dilation = window.base_dilation();
    dim.window_dilation = window.window_dilation();
    dim.reversed = window.window_reversal();
  }
  absl::StatusOr<std::unique_ptr<const ConvolutionPlan>> plan =
      ConvolutionPlan::Make(desc, context.kernel_target());
  if (!plan.ok()) return AddStatus(plan.status(), hlo.name());
  return std::make_unique<ConvolutionThunk>(hlo.name(), *std::move(plan),
                                            std::move(input), std::move(kernel),
                                            std::move(result));
}

}  // namespace xla::cpu
