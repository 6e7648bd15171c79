// Dots with a small result and a long contracting dimension, such as gradients
// of kernels: each thread sums parts of the dimension, and these sums are added
// up.
#include <algorithm>
#include <memory>

#include "xla/backends/cpu/kernels/products/depth_parts.h"
#include "xla/backends/cpu/kernels/products/dot_algorithms.h"
#include "xla/backends/cpu/kernels/products/left_rows.h"
#include "xla/backends/cpu/kernels/products/packed_product.h"
#include "xla/base/checked_math.h"
#include "xla/core/primitive_util.h"
#include "xla/runtime/worker_slots.h"

namespace xla::cpu {
namespace {

// The fewest parts if the left operand is not transposed. A result that is
// worth two has columns enough for threads to share, and its right operand may
// be a constant that is packed before, while left operands of gradients, which
// are transposed, should be read once.
constexpr int64_t kLeastParts = 3;

int64_t PartDepth(const DotDesc& desc) {
  return DepthOfParts(desc.m, desc.n, desc.k,
                      desc.m * primitive_util::ByteWidth(desc.lhs) +
                          desc.n * primitive_util::ByteWidth(desc.rhs));
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

class SplitDepthDotPlan : public UnfinishedDotPlan {
 public:
  SplitDepthDotPlan(const DotDesc& desc, const KernelTarget& target)
      : UnfinishedDotPlan(desc),
        desc_(desc),
        sum_(ProductKindOf(desc.lhs, desc.rhs, desc.out, target.caches).sum),
        depth_(PartDepth(desc)),
        parts_(CeilOfRatio(desc.k, depth_)),
        sum_bytes_(desc.m * desc.n * primitive_util::ByteWidth(sum_)),
        part_(PlanPart(desc, sum_, depth_, target)),
        last_part_(
            PlanPart(desc, sum_, desc.k - (parts_ - 1) * depth_, target)),
        part_bytes_(RoundUpTo(
            std::max(part_->ScratchBytes(1), last_part_->ScratchBytes(1)),
            64)) {}

  size_t ScratchBytes(int num_threads) const override {
    return AllSumBytes() + WorkerSlots(parts_, num_threads) * part_bytes_;
  }

  void Run(const void* lhs, const void* rhs, void* out, void* scratch,
           ParallelRunner& runner) const override {
    char* const sums = static_cast<char*>(scratch);
    char* const slots = sums + AllSumBytes();
    ForEachTask(runner, parts_, [&](int64_t i, int64_t slot) {
      const int64_t k = i * depth_;
      const DotPlan& plan = i + 1 < parts_ ? *part_ : *last_part_;
      InlineRunner alone;
      plan.Run(Advance(lhs, k * (desc_.lhs_transposed ? desc_.lhs_stride : 1),
                       desc_.lhs),
               Advance(rhs, k * (desc_.rhs_transposed ? 1 : desc_.rhs_stride),
                       desc_.rhs),
               sums + i * sum_bytes_, slots + slot * part_bytes_, alone);
    });
    AddParts(sum_, sums, parts_, desc_.m, desc_.n, desc_.out, out,
             desc_.out_stride, runner);
  }

 private:
  size_t AllSumBytes() const { return RoundUpTo(parts_ * sum_bytes_, 64); }

  const DotDesc desc_;
  const PrimitiveType sum_;
  const int64_t depth_, parts_;  // of each part but the last one
  const int64_t sum_bytes_;      // of a part
  const std::unique_ptr<const DotPlan> part_, last_part_;
  const size_t part_bytes_;  // of scratch
};

}  // namespace

bool SplitsDepth(const DotDesc& desc, const KernelTarget& target) {
  const PrimitiveType sum =
      ProductKindOf(desc.lhs, desc.rhs, desc.out, target.caches).sum;
  if (desc.batch != 1 || desc.rhs_packed || desc.rhs_computed || desc.k == 0 ||
      desc.scales.type != PRIMITIVE_TYPE_INVALID ||
      (sum != F32 && sum != F64)) {
    return false;
  }
  const int64_t parts = CeilOfRatio(desc.k, PartDepth(desc));
  return parts >= (desc.lhs_transposed ? 2 : kLeastParts);
}

std::unique_ptr<const DotPlan> PlanSplitDepthDot(const DotDesc& desc,
                                                 const KernelTarget& target) {
  return std::make_unique<SplitDepthDotPlan>(desc, target);
}

}  // namespace xla::cpu
