// ConvolutionPlan: the library kernel of HLO's convolution in canonical form,
// of any number of spatial dimensions.
#ifndef XLA_BACKENDS_CPU_KERNELS_CONVOLUTIONS_CONVOLUTION_H_
#define XLA_BACKENDS_CPU_KERNELS_CONVOLUTIONS_CONVOLUTION_H_

#include <cstddef>
#include <cstdint>
#include <memory>

#include "absl/container/inlined_vector.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "xla/backends/cpu/kernels/products/tile_function.h"
#include "xla/backends/cpu/kernels/vector/kernel_target.h"
#include "xla/proto/xla_data.pb.h"
#include "xla/runtime/parallel.h"

namespace xla::cpu {

// One spatial dimension. Kernel element w of output position o meets position
//   o * stride - padding_low + w' * window_dilation
// of the dilated input, which has input element i at i * base_dilation and
// zeros elsewhere; w' is w, or kernel - 1 - w if reversed.
struct ConvolutionDim {
  int64_t input = 1, kernel = 1, output = 1;
  int64_t stride = 1, padding_low = 0;  // the padding may be negative
  int64_t base_dilation = 1, window_dilation = 1;
  bool reversed = false;
};

// input  [batch, spatial..., in_features]
// kernel [spatial..., in_features / feature_groups, out_features]
// out    [batch / batch_groups, spatial..., out_features]
// all row-major. Group g of the output features sees the g-th part of the
// input features, or of the batch. Types and sums as in DotDesc.
struct ConvolutionDesc {
  PrimitiveType input = F32, kernel = F32, out = F32;
  int64_t batch = 1, in_features = 1, out_features = 1;
  int64_t feature_groups = 1, batch_groups = 1;  // one of them is 1
  absl::InlinedVector<ConvolutionDim, 3> dims;
  // Run gets the kernel as PackConvolutionKernel wrote it.
  bool kernel_packed = false;
  // As in DotDesc.
  int64_t column_step = 1;
};

// Errors: InvalidArgument for types without elements, sizes that are negative,
// overflow or that groups do not divide, and steps below 1.
absl::Status CheckConvolution(const ConvolutionDesc& desc);

// `kFewOutputs` sums many taps at few positions of each group's one feature.
// `kCol2Im` multiplies positions of the input by all taps of few features, and
// adds the products to positions of the output.
// The other ones are products of matrices: `kInPlace` of the input as it lies
// in memory, `kRows` of rows that are assembled from it, and `kSplitDepth` of
// parts of a few such rows that have many elements.
enum class ConvolutionAlgorithm {
  kEmpty,
  kDepthwise,
  kFewOutputs,
  kCol2Im,
  kSplitDepth,
  kInPlace,
  kRows
};
absl::string_view ConvolutionAlgorithmName(ConvolutionAlgorithm algorithm);

// Returns the one that a plan of `desc`, which CheckConvolution accepts, uses.
ConvolutionAlgorithm ConvolutionAlgorithmOf(const ConvolutionDesc& desc,
                                            const KernelTarget& target);

// Returns the bytes of the kernel once packed; 0 if the convolution would not
// be faster with a packed one.
size_t PackedConvolutionKernelBytes(const ConvolutionDesc& desc,
                                    const KernelTarget& target);

// Packs `kernel` for plans of convolutions that differ from `desc` in nothing
// that concerns it, to `packed`, aligned to 64. `desc` is one that
// CheckConvolution accepts.
void PackConvolutionKernel(const ConvolutionDesc& desc,
                           const KernelTarget& target, const void* kernel,
                           void* packed);

// Holds everything that does not depend on data: the algorithm, its micro
// kernels, blocks, tasks and scratch. Immutable, so that several threads may
// run it at once.
class ConvolutionPlan {
 public:
  virtual ~ConvolutionPlan() = default;

  // Errors: those of CheckConvolution.
  static absl::StatusOr<std::unique_ptr<const ConvolutionPlan>> Make(
      const ConvolutionDesc& desc, const KernelTarget& target = KernelTarget());

  // Returns the bytes of scratch, aligned to 64, that Run needs on
  // `num_threads` threads.
  virtual size_t ScratchBytes(int num_threads) const = 0;

  // `out` overlaps neither operand. Bits do not depend on `runner`.
  virtual void Run(const void* input, const void* kernel, void* out,
                   void* scratch, ParallelRunner& runner) const = 0;

  // Runs, and calls `finish` with parts of the result, whose rows are positions
  // of all batches and whose columns are features, as DotPlan does.
  virtual void RunAndFinish(const void* input, const void* kernel, void* out,
                            void* scratch, ParallelRunner& runner,
                            const TileFinish& finish) const = 0;
};

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_KERNELS_CONVOLUTIONS_CONVOLUTION_H_
