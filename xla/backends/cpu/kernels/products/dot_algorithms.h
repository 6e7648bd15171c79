// The algorithms that DotPlan chooses from. Private to it.
#ifndef XLA_BACKENDS_CPU_KERNELS_PRODUCTS_DOT_ALGORITHMS_H_
#define XLA_BACKENDS_CPU_KERNELS_PRODUCTS_DOT_ALGORITHMS_H_

#include <memory>

#include "xla/backends/cpu/kernels/products/dot.h"

namespace xla::cpu {

// A plan that finishes after it has run.
class UnfinishedDotPlan : public DotPlan {
 public:
  explicit UnfinishedDotPlan(const DotDesc& desc) : desc_(desc) {}

  void RunAndFinish(const void* lhs, const void* rhs, void* out, void* scratch,
                    ParallelRunner& runner,
                    const TileFinish& finish) const final;

 private:
  const DotDesc desc_;
};

// Returns `desc` with all strides filled in.
DotDesc WithStrides(const DotDesc& desc);

// Returns the elements from the first item of rhs to item `i`.
inline int64_t RhsItem(const DotDesc& desc, int64_t i) {
  if (desc.rhs_inner_batch == 0) return i * desc.rhs_batch_stride;
  return i / desc.rhs_inner_batch * desc.rhs_outer_stride +
         i % desc.rhs_inner_batch * desc.rhs_batch_stride;
}

// The functions below take a desc with strides whose result has elements, and
// are called at the vector level of `target`.

// For F32 or F64 throughout, so small that packing would cost more than the
// product: dot_tiny.cc.
bool IsTinyDot(const DotDesc& desc);
std::unique_ptr<const DotPlan> PlanTinyDot(const DotDesc& desc,
                                           const KernelTarget& target);

// For real floats whose contracting dimension is so long, and the result so
// small, that threads should divide the former: dot_split_depth.cc.
bool SplitsDepth(const DotDesc& desc, const KernelTarget& target);
std::unique_ptr<const DotPlan> PlanSplitDepthDot(const DotDesc& desc,
                                                 const KernelTarget& target);

// For real floats with few rows or few columns, whose larger operand is read in
// place: dot_skinny.cc.
bool IsSkinnyDot(const DotDesc& desc, const KernelTarget& target);
// Whether it has so few rows or columns that nothing makes reading the larger
// operand in place faster.
bool HasFewRows(const DotDesc& desc, const KernelTarget& target);
// Whether it has kernels for the scales of `desc`.
bool HasScaledKernel(const DotDesc& desc);
std::unique_ptr<const DotPlan> PlanSkinnyDot(const DotDesc& desc,
                                             const KernelTarget& target);

// For everything else: dot_packed.cc.
std::unique_ptr<const DotPlan> PlanPackedDot(const DotDesc& desc,
                                             const KernelTarget& target);
// The packed right operands of all items, one after the other.
size_t PackedBytesOf(const DotDesc& desc, const KernelTarget& target);
void PackWhole(const DotDesc& desc, const KernelTarget& target, const void* rhs,
               void* packed, void* scratch, ParallelRunner& runner);
size_t PackWholeScratchBytes(const DotDesc& desc, const KernelTarget& target,
                             int num_threads);

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_KERNELS_PRODUCTS_DOT_ALGORITHMS_H_
