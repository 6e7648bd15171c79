// Products with a small result and a long contracting dimension, such as
// gradients of kernels: each thread sums parts of the dimension, and these sums
// are added up.
#include <algorithm>
#include <memory>

#include "xla/backends/cpu/kernels/products/dot_algorithms.h"
#include "xla/backends/cpu/kernels/products/left_rows.h"
#include "xla/backends/cpu/kernels/products/packed_product.h"
#include "xla/backends/cpu/kernels/vector/element_runs.h"
#include "xla/base/checked_math.h"
#include "xla/core/primitive_util.h"
#include "xla/runtime/worker_slots.h"

namespace xla::cpu {
namespace {

// These limits set the order of sums, so they are the same on all processors.

// The most parts of a result of one tile, that is of up to so many rows and
// columns; a larger one, which other algorithms divide as well, has fewer.
constexpr int64_t kMostParts = 16;
constexpr int64_t kTileSize = 64;
// The least depth of a part, and what that of all but the last one is a
// multiple of.
constexpr int64_t kLeastDepth = 512;
constexpr int64_t kDepthStep = 16;
// The least multiplications and additions of a part, or bytes of its operands.
constexpr double kPartFlops = 1 << 20;
constexpr double kPartBytes = 1 << 18;
// The elements of the result that are added up by a task, times parts.
constexpr int64_t kAddedElements = 1 << 16;
// The elements of a row that are added up at a time.
constexpr int64_t kAddedColumns = 256;

// Returns the depth of each part but the last one, which may have less; the
// whole depth if there should be no parts.
int64_t PartDepth(const DotDesc& desc) {
  const double tiles = static_cast<double>(CeilOfRatio(desc.m, kTileSize)) *
                       CeilOfRatio(desc.n, kTileSize);
  const double flops = 2.0 * desc.m * desc.n * desc.k;
  const double bytes = static_cast<double>(desc.k) *
                       (desc.m * primitive_util::ByteWidth(desc.lhs) +
                        desc.n * primitive_util::ByteWidth(desc.rhs));
  const int64_t parts = std::min(
      {static_cast<int64_t>(kMostParts / tiles), desc.k / kLeastDepth,
       static_cast<int64_t>(std::max(flops / kPartFlops, bytes / kPartBytes))});
  if (parts <= 1) return desc.k;
  return std::min(RoundUpTo(CeilOfRatio(desc.k, parts), kDepthStep), desc.k);
}

// Returns the plan of a part, whose result is its sums.
std::unique_ptr<const DotPlan> PlanPart(const DotDesc& desc, PrimitiveType sum,
                                        int64_t depth,
                                        const KernelTarget& target) {
  DotDesc part = desc;
  part.out = sum;
  part.k = depth;
  part.out_stride = desc.n;
  part.column_step = 1;
  return IsSkinnyDot(part, target) ? PlanSkinnyDot(part, target)
                                   : PlanPackedDot(part, target);
}

template <typename T>
class SplitDepthDotPlan : public UnfinishedDotPlan {
 public:
  SplitDepthDotPlan(const DotDesc& desc, PrimitiveType sum,
                    const KernelTarget& target)
      : UnfinishedDotPlan(desc),
        desc_(desc),
        depth_(PartDepth(desc)),
        parts_(CeilOfRatio(desc.k, depth_)),
        sum_bytes_(RoundUpTo(parts_ * desc.m * desc.n * sizeof(T), 64)),
        convert_(RunConverterOf(sum, desc.out)),
        part_(PlanPart(desc, sum, depth_, target)),
        last_part_(PlanPart(desc, sum, desc.k - (parts_ - 1) * depth_, target)),
        part_bytes_(RoundUpTo(
            std::max(part_->ScratchBytes(1), last_part_->ScratchBytes(1)),
            64)) {}

  size_t ScratchBytes(int num_threads) const override {
    return sum_bytes_ + WorkerSlots(parts_, num_threads) * part_bytes_;
  }

  void Run(const void* lhs, const void* rhs, void* out, void* scratch,
           ParallelRunner& runner) const override {
    T* const sums = static_cast<T*>(scratch);
    char* const slots = static_cast<char*>(scratch) + sum_bytes_;
    ForEachTask(runner, parts_, [&](int64_t i, int64_t slot) {
      const int64_t k = i * depth_;
      const DotPlan& plan = i + 1 < parts_ ? *part_ : *last_part_;
      InlineRunner alone;
      plan.Run(Advance(lhs, k * (desc_.lhs_transposed ? desc_.lhs_stride : 1),
                       desc_.lhs),
               Advance(rhs, k * (desc_.rhs_transposed ? 1 : desc_.rhs_stride),
                       desc_.rhs),
               sums + i * desc_.m * desc_.n, slots + slot * part_bytes_, alone);
    });
    const int64_t tasks = std::clamp<int64_t>(
        parts_ * desc_.m * desc_.n / kAddedElements, 1, desc_.m);
    ForEachRange(runner, desc_.m, tasks,
                 [&](int64_t first, int64_t last, int64_t slot) {
                   for (int64_t i = first; i < last; ++i) {
                     AddRow(sums, i, static_cast<char*>(out));
                   }
                 });
  }

 private:
  // Adds up the sums of all parts of row `i`, in their order.
  void AddRow(const T* sums, int64_t i, char* out) const {
    T row[kAddedColumns];
    const int64_t width = primitive_util::ByteWidth(desc_.out);
    for (int64_t j = 0; j < desc_.n; j += kAddedColumns) {
      const int64_t count = std::min(kAddedColumns, desc_.n - j);
      const T* from = sums + i * desc_.n + j;
      std::copy_n(from, count, row);
      for (int64_t part = 1; part < parts_; ++part) {
        from += desc_.m * desc_.n;
        for (int64_t c = 0; c < count; ++c) row[c] += from[c];
      }
      convert_(row, out + (i * desc_.out_stride + j) * width, count);
    }
  }

  const DotDesc desc_;
  const int64_t depth_, parts_;  // of each part but the last one
  const size_t sum_bytes_;
  const RunConverter convert_;
  const std::unique_ptr<const DotPlan> part_, last_part_;
  const size_t part_bytes_;  // of scratch
};

}  // namespace

bool SplitsDepth(const DotDesc& desc, const KernelTarget& target) {
  const PrimitiveType sum =
      ProductKindOf(desc.lhs, desc.rhs, desc.out, target.caches).sum;
  return desc.batch == 1 && !desc.rhs_packed && !desc.rhs_computed &&
         desc.scales.type == PRIMITIVE_TYPE_INVALID &&
         (sum == F32 || sum == F64) && PartDepth(desc) < desc.k;
}

std::unique_ptr<const DotPlan> PlanSplitDepthDot(const DotDesc& desc,
                                                 const KernelTarget& target) {
  const PrimitiveType sum =
      ProductKindOf(desc.lhs, desc.rhs, desc.out, target.caches).sum;
  if (sum == F32) {
    return std::make_unique<SplitDepthDotPlan<float>>(desc, sum, target);
  }
  return std::make_unique<SplitDepthDotPlan<double>>(desc, sum, target);
}

}  // namespace xla::cpu
