// Convolutions whose product has a small result and a long contracting
// dimension, as the gradients of a first layer's kernel are: each thread sums
// parts of the dimension, and these sums are added up.
#include <algorithm>
#include <memory>

#include "xla/backends/cpu/kernels/convolutions/convolution_algorithms.h"
#include "xla/backends/cpu/kernels/convolutions/im2col.h"
#include "xla/backends/cpu/kernels/products/depth_parts.h"
#include "xla/backends/cpu/kernels/products/packed_product.h"
#include "xla/base/checked_math.h"
#include "xla/core/primitive_util.h"
#include "xla/runtime/worker_slots.h"

namespace xla::cpu {
namespace {

// The least parts: a result that has fewer is large enough for other tasks. The
// number sets the order of sums, so it is the same on all processors.
constexpr int64_t kLeastParts = 4;

int64_t PartDepth(const ConvolutionDesc& desc) {
  const ConvolutionSizes sizes(desc);
  const int64_t rows = sizes.out_batch * sizes.positions;
  return DepthOfParts(
      rows, desc.out_features, sizes.taps * desc.in_features,
      rows * primitive_util::ByteWidth(desc.input) +
          desc.out_features * primitive_util::ByteWidth(desc.kernel));
}

class SplitDepthConvolutionPlan : public UnfinishedConvolutionPlan {
 public:
  SplitDepthConvolutionPlan(const ConvolutionDesc& desc,
                            const KernelTarget& target)
      : UnfinishedConvolutionPlan(desc),
        desc_(desc),
        sizes_(desc),
        kind_(ProductKindOf(desc.input, desc.kernel, desc.out, target.caches)),
        rows_(sizes_.out_batch * sizes_.positions),
        depth_(sizes_.taps * desc.in_features),
        part_depth_(PartDepth(desc)),
        parts_(CeilOfRatio(depth_, part_depth_)),
        sum_bytes_(rows_ * desc.out_features *
                   primitive_util::ByteWidth(kind_.sum)),
        pack_bytes_(PackedBlockBytes(kind_, part_depth_, desc.out_features)),
        tile_bytes_(
            TileScratchBytes(kind_, kind_.sum, rows_, desc.out_features)) {}

  size_t ScratchBytes(int num_threads) const override {
    return AllSumBytes() +
           WorkerSlots(parts_, num_threads) * (pack_bytes_ + tile_bytes_);
  }

  void Run(const void* input, const void* kernel, void* out, void* scratch,
           ParallelRunner& runner) const override {
    char* const sums = static_cast<char*>(scratch);
    char* const slots = sums + AllSumBytes();
    const Im2Col im2col(desc_, sizes_, kind_, static_cast<const char*>(input),
                        /*group=*/0);
    ForEachTask(runner, parts_, [&](int64_t i, int64_t slot) {
      const int64_t first = i * part_depth_;
      const RightMatrix right = {
          desc_.kernel,
          static_cast<const char*>(kernel) +
              first * desc_.out_features *
                  primitive_util::ByteWidth(desc_.kernel),
          desc_.out_features, /*transposed=*/false};
      ProductTile tile = {};
      tile.rows = rows_;
      tile.columns = tile.packed_columns = desc_.out_features;
      tile.depth = std::min(part_depth_, depth_ - first);
      tile.right = &right;
      tile.pack_memory = slots + slot * (pack_bytes_ + tile_bytes_);
      tile.out_type = kind_.sum;
      tile.out = sums + i * sum_bytes_;
      tile.out_stride = desc_.out_features;
      const auto read = [&](int64_t row0, int64_t rows, int64_t depth0,
                            int64_t depth, void* to, int64_t stride) {
        im2col(row0, rows, first + depth0, depth, to, stride);
      };
      MultiplyTile(kind_, tile, read,
                   static_cast<char*>(tile.pack_memory) + pack_bytes_);
    });
    AddParts(kind_.sum, sums, parts_, rows_, desc_.out_features, desc_.out, out,
             desc_.out_features, runner);
  }

 private:
  size_t AllSumBytes() const { return RoundUpTo(parts_ * sum_bytes_, 64); }

  const ConvolutionDesc desc_;
  const ConvolutionSizes sizes_;
  const ProductKind kind_;
  const int64_t rows_, depth_;        // of the product
  const int64_t part_depth_, parts_;  // of each part but the last one
  const int64_t sum_bytes_;           // of a part
  const size_t pack_bytes_, tile_bytes_;
};

}  // namespace

bool SplitsDepth(const ConvolutionDesc& desc) {
  const ConvolutionSizes sizes(desc);
  const int64_t depth = sizes.taps * desc.in_features;
  return sizes.groups == 1 && SumsFloats(desc) &&
         depth > (kLeastParts - 1) * PartDepth(desc);
}

std::unique_ptr<const ConvolutionPlan> PlanSplitDepthConvolution(
    const ConvolutionDesc& desc, const KernelTarget& target) {
  return std::make_unique<SplitDepthConvolutionPlan>(desc, target);
}

}  // namespace xla::cpu
