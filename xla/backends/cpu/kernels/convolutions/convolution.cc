// Checks a convolution and chooses its algorithm.
#include "xla/backends/cpu/kernels/convolutions/convolution.h"

#include <algorithm>
#include <memory>

#include "absl/strings/str_cat.h"
#include "xla/backends/cpu/kernels/convolutions/convolution_algorithms.h"
#include "xla/backends/cpu/kernels/products/packed_product.h"
#include "xla/base/status_macros.h"
#include "xla/core/primitive_util.h"

namespace xla::cpu {
namespace {

// Plan of a result without elements.
class EmptyConvolutionPlan : public UnfinishedConvolutionPlan {
 public:
  using UnfinishedConvolutionPlan::UnfinishedConvolutionPlan;
  size_t ScratchBytes(int num_threads) const override { return 0; }
  void Run(const void* input, const void* kernel, void* out, void* scratch,
           ParallelRunner& runner) const override {}
};

absl::Status CheckDims(const ConvolutionDesc& desc) {
  // If these are below the limit, no position can overflow.
  constexpr int64_t kLimit = int64_t{1} << 40;
  double input = 1, kernel = 1, output = 1;
  for (size_t i = 0; i < desc.dims.size(); ++i) {
    const ConvolutionDim& d = desc.dims[i];
    const bool ok = d.input >= 0 && d.kernel >= 0 && d.output >= 0 &&
                    d.stride >= 1 && d.base_dilation >= 1 &&
                    d.window_dilation >= 1;
    const bool small = std::max({d.input, d.kernel, d.output}) < kLimit &&
                       d.padding_low < kLimit && d.padding_low > -kLimit &&
                       1.0 * d.output * d.stride < 0x1p60 &&
                       1.0 * d.kernel * d.window_dilation < 0x1p60;
    if (!ok || !small) {
      return absl::InvalidArgumentError(absl::StrCat(
          "convolution: spatial dimension ", i, " has input ", d.input,
          ", kernel ", d.kernel, ", output ", d.output, ", stride ", d.stride,
          ", padding ", d.padding_low, ", dilations ", d.base_dilation, " and ",
          d.window_dilation));
    }
    input *= d.input;
    kernel *= d.kernel;
    output *= d.output;
  }
  const ConvolutionSizes sizes(desc);
  if (input * desc.batch * desc.in_features > 0x1p56 ||
      kernel * sizes.group_in * desc.out_features > 0x1p56 ||
      output * sizes.out_batch * desc.out_features > 0x1p56) {
    return absl::InvalidArgumentError("convolution: an array is too large");
  }
  return absl::OkStatus();
}

}  // namespace

void UnfinishedConvolutionPlan::RunAndFinish(const void* input,
                                             const void* kernel, void* out,
                                             void* scratch,
                                             ParallelRunner& runner,
                                             const TileFinish& finish) const {
  Run(input, kernel, out, scratch, runner);
  FinishAll(rows_, columns_, runner, finish);
}

bool SumsFloats(const ConvolutionDesc& desc) {
  const PrimitiveType sum =
      ProductKindOf(desc.input, desc.kernel, desc.out, CacheSizes()).sum;
  return sum == F32 || sum == F64;
}

absl::Status CheckConvolution(const ConvolutionDesc& desc) {
  for (PrimitiveType type : {desc.input, desc.kernel, desc.out}) {
    if (!primitive_util::IsArrayType(type)) {
      return absl::InvalidArgumentError(
          "convolution: an operand or the result has no array type");
    }
  }
  constexpr int64_t kLimit = int64_t{1} << 40;
  const int64_t groups = std::max(desc.feature_groups, desc.batch_groups);
  if (desc.batch < 0 || desc.in_features < 0 || desc.out_features < 0 ||
      std::max({desc.batch, desc.in_features, desc.out_features}) > kLimit ||
      std::min(desc.feature_groups, desc.batch_groups) != 1 ||
      desc.in_features % desc.feature_groups != 0 ||
      desc.batch % desc.batch_groups != 0 || desc.out_features % groups != 0) {
    return absl::InvalidArgumentError(absl::StrCat(
        "convolution: batch ", desc.batch, ", features ", desc.in_features,
        " to ", desc.out_features, " with ", desc.feature_groups,
        " feature groups and ", desc.batch_groups, " batch groups"));
  }
  return CheckDims(desc);
}

size_t PackedConvolutionKernelBytes(const ConvolutionDesc& desc,
                                    const KernelTarget& target) {
  const ConvolutionSizes sizes(desc);
  if (sizes.out_batch * sizes.positions * desc.out_features * sizes.taps *
              sizes.group_in ==
          0 ||
      IsDepthwise(desc) || HasFewOutputs(desc) || HasFewFeatures(desc) ||
      SplitsDepth(desc)) {
    return 0;
  }
  const VectorLevelScope scope(target.vector_level);
  return PackedKernelBytesOf(desc, target);
}

void PackConvolutionKernel(const ConvolutionDesc& desc,
                           const KernelTarget& target, const void* kernel,
                           void* packed) {
  const VectorLevelScope scope(target.vector_level);
  PackWholeKernel(desc, target, kernel, packed);
}

absl::string_view ConvolutionAlgorithmName(ConvolutionAlgorithm algorithm) {
  switch (algorithm) {
    case ConvolutionAlgorithm::kEmpty:
      return "empty";
    case ConvolutionAlgorithm::kDepthwise:
      return "depthwise";
    case ConvolutionAlgorithm::kFewOutputs:
      return "few outputs";
    case ConvolutionAlgorithm::kCol2Im:
      return "col2im";
    case ConvolutionAlgorithm::kSplitDepth:
      return "split-depth";
    case ConvolutionAlgorithm::kInPlace:
      return "in place";
    case ConvolutionAlgorithm::kRows:
      break;
  }
  return "rows";
}

ConvolutionAlgorithm ConvolutionAlgorithmOf(const ConvolutionDesc& desc,
                                            const KernelTarget& target) {
  const ConvolutionSizes sizes(desc);
  if (sizes.out_batch * sizes.positions * desc.out_features == 0) {
    return ConvolutionAlgorithm::kEmpty;
  }
  const VectorLevelScope scope(target.vector_level);
  if (HasFewOutputs(desc)) return ConvolutionAlgorithm::kFewOutputs;
  if (IsDepthwise(desc)) return ConvolutionAlgorithm::kDepthwise;
  if (HasFewFeatures(desc)) return ConvolutionAlgorithm::kCol2Im;
  if (SplitsDepth(desc)) return ConvolutionAlgorithm::kSplitDepth;
  return MultipliesInPlace(desc, target) ? ConvolutionAlgorithm::kInPlace
                                         : ConvolutionAlgorithm::kRows;
}

absl::StatusOr<std::unique_ptr<const ConvolutionPlan>> ConvolutionPlan::Make(
    const ConvolutionDesc& desc, const KernelTarget& target) {
  TF_RETURN_IF_ERROR(CheckConvolution(desc));
  const ConvolutionAlgorithm algorithm = ConvolutionAlgorithmOf(desc, target);
  const VectorLevelScope scope(target.vector_level);
  switch (algorithm) {
    case ConvolutionAlgorithm::kEmpty:
      return std::make_unique<EmptyConvolutionPlan>(desc);
    case ConvolutionAlgorithm::kDepthwise:
      return PlanDepthwise(desc, target);
    case ConvolutionAlgorithm::kFewOutputs:
      return PlanFewOutputs(desc, target);
    case ConvolutionAlgorithm::kCol2Im:
      return PlanFewFeatures(desc, target);
    case ConvolutionAlgorithm::kSplitDepth:
      return PlanSplitDepthConvolution(desc, target);
    case ConvolutionAlgorithm::kInPlace:
    case ConvolutionAlgorithm::kRows:
      break;
  }
  return PlanConvolutionProduct(desc, target);
}

}  // namespace xla::cpu
