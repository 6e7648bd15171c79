// Emits convolutions in the kernel's form, with copies if dimensions have
// another order.
#include "xla/backends/cpu/kernels/convolutions/convolution.h"

#include <cstdint>
#include <memory>
#include <utility>

#include "absl/strings/str_cat.h"
#include "xla/backends/cpu/thunk_emitter/families.h"
#include "xla/backends/cpu/thunk_emitter/operand_plan.h"
#include "xla/backends/cpu/thunks/device_run.h"
#include "xla/base/errors.h"
#include "xla/base/status_macros.h"
#include "xla/hlo/ops/linear/convolution.h"
#include "xla/runtime/memory_chunk.h"

namespace xla::cpu {
namespace {

class ConvolutionThunk : public Thunk {
 public:
  // `packed_kernel` replaces the kernel unless it is null.
  ConvolutionThunk(std::string name,
                   std::unique_ptr<const ConvolutionPlan> plan,
                   OperandPlan input, OperandPlan kernel,
                   MemoryChunk packed_kernel, OperandPlan result,
                   Epilogue epilogue, absl::string_view algorithm)
      : Thunk(std::move(name)),
        algorithm_(algorithm),
        plan_(std::move(plan)),
        input_(std::move(input)),
        kernel_(std::move(kernel)),
        packed_kernel_(std::move(packed_kernel)),
        result_(std::move(result)),
        epilogue_(std::move(epilogue)),
        input_bytes_(input_.ScratchBytes()),
        kernel_bytes_(kernel_.ScratchBytes()),
        result_bytes_(result_.ScratchBytes()) {}
  absl::string_view kind() const override { return "convolution"; }
  std::string algorithm() const override {
    return absl::StrCat(algorithm_,
                        packed_kernel_.is_null() ? "" : ", constant",
                        epilogue_.is_empty() ? "" : ", epilogue");
  }

  int64_t scratch_bytes(int num_threads) const override {
    return input_bytes_ + kernel_bytes_ + result_bytes_ +
           static_cast<int64_t>(plan_->ScratchBytes(num_threads));
  }

  BufferUses buffer_uses() const override {
    return BufferUses()
        .Read(input_.slice)
        .Read(kernel_.slice)
        .Read(epilogue_.reads())
        .Write(result_.slice);
  }
  bool may_run_concurrently() const override { return true; }

  absl::StatusOr<ThunkResult> Run(DeviceRun& run, int64_t here) const override {
    char* scratch = run.scratch();
    const char* input = input_.Prepare(run, scratch);
    scratch += input_bytes_;
    const char* kernel = packed_kernel_.is_null()
                             ? kernel_.Prepare(run, scratch)
                             : packed_kernel_.data();
    scratch += kernel_bytes_;
    char* result_scratch = scratch;
    scratch += result_bytes_;
    if (!epilogue_.is_empty()) {
      const Epilogue::Call call(epilogue_, run, result_.slice);
      plan_->RunAndFinish(input, kernel, run.At(result_.slice), scratch,
                          run.runner(), {call, call.operands()});
      return ThunkResult{here + 1};
    }
    plan_->Run(input, kernel, result_.Place(run, result_scratch), scratch,
               run.runner());
    result_.Finish(run, result_scratch);
    return ThunkResult{here + 1};
  }

 private:
  const absl::string_view algorithm_;
  const std::unique_ptr<const ConvolutionPlan> plan_;
  const OperandPlan input_, kernel_;
  const MemoryChunk packed_kernel_;
  const OperandPlan result_;  // in place with an epilogue
  const Epilogue epilogue_;
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

// Returns the kernel packed for a convolution, if it is a constant and that
// pays, else null.
absl::StatusOr<MemoryChunk> PackConstant(const HloInstruction& kernel,
                                         const OperandPlan& plan,
                                         const ConvolutionDesc& desc,
                                         const ThunkEmitterContext& context) {
  const HloInstruction* constant = ConstantAt(kernel);
  if (constant == nullptr || !plan.is_in_place()) return MemoryChunk();
  const KernelTarget target = context.kernel_target();
  const size_t bytes = PackedConvolutionKernelBytes(desc, target);
  if (bytes == 0) return MemoryChunk();
  const std::string form =
      absl::StrCat("convolution ", desc.input, " ", desc.kernel, " ", desc.out,
                   " ", desc.feature_groups, " ", desc.batch_groups);
  return context.ConstantInForm(
      *constant, form, bytes, [&](const void* elements, void* to) {
        PackConvolutionKernel(desc, target, elements, to);
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
  TF_ASSIGN_OR_RETURN(OperandPlan input,
                      OperandPlan::Of(product.operand(0), context));
  TF_ASSIGN_OR_RETURN(OperandPlan kernel,
                      OperandPlan::Of(product.operand(1), context));
  OperandPlan result = {.shape = hlo.shape(),
                        .type = hlo.shape().element_type()};
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
  if (const absl::Status checked = CheckConvolution(desc); !checked.ok()) {
    return AddStatus(checked, name);
  }
  TF_ASSIGN_OR_RETURN(Epilogue epilogue, Epilogue::Of(product, context));
  desc.column_step = epilogue.column_step();
  TF_ASSIGN_OR_RETURN(MemoryChunk packed,
                      PackConstant(product.operand(1), kernel, desc, context));
  desc.kernel_packed = !packed.is_null();
  const auto algorithm_of = [&](const KernelTarget& target) {
    return ConvolutionAlgorithmOf(desc, target);
  };
  const KernelTarget target =
      context.TunedTarget(product.instruction(), algorithm_of);
  TF_ASSIGN_OR_RETURN(std::unique_ptr<const ConvolutionPlan> plan,
                      ConvolutionPlan::Make(desc, target));
  return std::make_unique<ConvolutionThunk>(
      name, std::move(plan), std::move(input), std::move(kernel),
      std::move(packed), std::move(result), std::move(epilogue),
      ConvolutionAlgorithmName(algorithm_of(target)));
}

}  // namespace xla::cpu
