// Helpers that the algorithms of convolutions share. Private to
// ConvolutionPlan.
#ifndef XLA_BACKENDS_CPU_KERNELS_CONVOLUTIONS_CONVOLUTION_ALGORITHMS_H_
#define XLA_BACKENDS_CPU_KERNELS_CONVOLUTIONS_CONVOLUTION_ALGORITHMS_H_

#include <cstdint>
#include <memory>

#include "xla/backends/cpu/kernels/convolutions/convolution.h"

namespace xla::cpu {

// Sizes that follow from a description.
struct ConvolutionSizes {
  int64_t groups = 1;
  int64_t group_in, group_out;  // features of a group
  int64_t out_batch;
  int64_t positions = 1;        // spatial, of the output
  int64_t input_positions = 1;  // spatial, of the input
  int64_t taps = 1;             // spatial elements of the kernel

  explicit ConvolutionSizes(const ConvolutionDesc& desc)
      : groups(desc.feature_groups * desc.batch_groups),
        group_in(desc.in_features / desc.feature_groups),
        group_out(desc.out_features / groups),
        out_batch(desc.batch / desc.batch_groups) {
    for (const ConvolutionDim& dim : desc.dims) {
      positions *= dim.output;
      input_positions *= dim.input;
      taps *= dim.kernel;
    }
  }
};

// Returns the place in the dilated input, which has holes, that kernel element
// `tap` meets at `output`.
inline int64_t PlaceOf(const ConvolutionDim& dim, int64_t output, int64_t tap) {
  const int64_t step = dim.reversed ? dim.kernel - 1 - tap : tap;
  return output * dim.stride - dim.padding_low + step * dim.window_dilation;
}

// Returns the input position that kernel element `w` meets at output position
// `o`; -1 for padding and holes.
inline int64_t InputPosition(const ConvolutionDim& dim, int64_t o, int64_t w) {
  const int64_t at = PlaceOf(dim, o, w);
  if (at < 0) return -1;
  if (dim.base_dilation == 1) return at < dim.input ? at : -1;
  if (at % dim.base_dilation != 0) return -1;
  return at / dim.base_dilation < dim.input ? at / dim.base_dilation : -1;
}

// Splits `position`, a linear position in [batch, output of each of the first
// `rank` dimensions]: writes the output indices to `output` and returns the
// batch index.
inline int64_t OutputPosition(const ConvolutionDesc& desc, int64_t rank,
                              int64_t position, int64_t* output) {
  for (int64_t d = rank - 1; d >= 0; --d) {
    output[d] = position % desc.dims[d].output;
    position /= desc.dims[d].output;
  }
  return position;
}

// A plan that finishes after it has run.
class UnfinishedConvolutionPlan : public ConvolutionPlan {
 public:
  explicit UnfinishedConvolutionPlan(const ConvolutionDesc& desc)
      : rows_(ConvolutionSizes(desc).out_batch *
              ConvolutionSizes(desc).positions),
        columns_(desc.out_features) {}

  void RunAndFinish(const void* input, const void* kernel, void* out,
                    void* scratch, ParallelRunner& runner,
                    const TileFinish& finish) const override;

 private:
  const int64_t rows_, columns_;
};

// Whether elements are summed as F32 or F64.
bool SumsFloats(const ConvolutionDesc& desc);

// The functions below take a desc that CheckConvolution accepts, whose result
// has elements, and are called at the vector level of `target`.

// For other real floats and one input feature per group:
// convolution_depthwise.cc.
bool IsDepthwise(const ConvolutionDesc& desc);
std::unique_ptr<const ConvolutionPlan> PlanDepthwise(
    const ConvolutionDesc& desc, const KernelTarget& target);

// For real floats and one output feature per group, if there are many more taps
// than positions: convolution_few_outputs.cc.
bool HasFewOutputs(const ConvolutionDesc& desc);
std::unique_ptr<const ConvolutionPlan> PlanFewOutputs(
    const ConvolutionDesc& desc, const KernelTarget& target);

// For real floats without groups and strides, if there are few output features:
// convolution_col2im.cc.
bool HasFewFeatures(const ConvolutionDesc& desc);
std::unique_ptr<const ConvolutionPlan> PlanFewFeatures(
    const ConvolutionDesc& desc, const KernelTarget& target);

// For real floats without groups, if the product's contracting dimension is so
// long, and its result so small, that threads should divide the former:
// convolution_split_depth.cc.
bool SplitsDepth(const ConvolutionDesc& desc);
std::unique_ptr<const ConvolutionPlan> PlanSplitDepthConvolution(
    const ConvolutionDesc& desc, const KernelTarget& target);

// For everything else, as products: convolution_product.cc.
std::unique_ptr<const ConvolutionPlan> PlanConvolutionProduct(
    const ConvolutionDesc& desc, const KernelTarget& target);
// Whether these read rows of the input where they are.
bool MultipliesInPlace(const ConvolutionDesc& desc, const KernelTarget& target);
// The kernel packed for these.
size_t PackedKernelBytesOf(const ConvolutionDesc& desc,
                           const KernelTarget& target);
void PackWholeKernel(const ConvolutionDesc& desc, const KernelTarget& target,
                     const void* kernel, void* packed);

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_KERNELS_CONVOLUTIONS_CONVOLUTION_ALGORITHMS_H_
