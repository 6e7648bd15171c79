// Checks a dot and chooses its algorithm.
#include "xla/backends/cpu/kernels/products/dot.h"

#include <algorithm>
#include <memory>

#include "absl/strings/str_cat.h"
#include "xla/backends/cpu/kernels/products/dot_algorithms.h"
#include "xla/base/status_macros.h"
#include "xla/core/primitive_util.h"
#include "xla/runtime/worker_slots.h"

namespace xla::cpu {
namespace {

// The most rows and bytes of a right operand that is packed for many products:
// with more rows, packing takes less than a tenth of a product's time.
constexpr int64_t kMostKeptRows = 128;
constexpr size_t kMostKeptBytes = size_t{4} << 20;

// Plan of a result without elements.
class EmptyDotPlan : public UnfinishedDotPlan {
 public:
  using UnfinishedDotPlan::UnfinishedDotPlan;
  size_t ScratchBytes(int num_threads) const override { return 0; }
  void Run(const void* lhs, const void* rhs, void* out, void* scratch,
           ParallelRunner& runner) const override {}
};

// Checks that the bytes of `batch` matrices, even rounded up, fit into 63 bits.
absl::Status CheckOperand(absl::string_view name, PrimitiveType type,
                          int64_t batch, int64_t rows, int64_t columns,
                          int64_t stride, int64_t batch_stride) {
  if (!primitive_util::IsArrayType(type)) {
    return absl::InvalidArgumentError(
        absl::StrCat("dot: ", name, " has no array type"));
  }
  if (batch < 0 || rows < 0 || columns < 0 ||
      (stride != 0 && stride < columns) || batch_stride < 0) {
    return absl::InvalidArgumentError(
        absl::StrCat("dot: ", name, " has sizes [", batch, ",", rows, ",",
                     columns, "], strides ", batch_stride, " and ", stride));
  }
  const double rows_size =
      static_cast<double>(rows) * std::max(stride, columns);
  if (std::max<double>(rows_size, batch_stride) * std::max<int64_t>(batch, 1) >
      0x1p56) {
    return absl::InvalidArgumentError(
        absl::StrCat("dot: ", name, " is too large"));
  }
  return absl::OkStatus();
}

}  // namespace

void FinishAll(int64_t rows, int64_t columns, ParallelRunner& runner,
               const TileFinish& finish) {
  // The elements that are worth a task.
  constexpr int64_t kTaskElements = 1 << 15;
  if (rows == 0 || columns == 0) return;
  const int64_t tasks =
      std::clamp<int64_t>(rows * columns / kTaskElements, 1, rows);
  ForEachRange(runner, rows, tasks,
               [&](int64_t first, int64_t last, int64_t slot) {
                 finish.function(first, last - first, 0, columns);
               });
}

void UnfinishedDotPlan::RunAndFinish(const void* lhs, const void* rhs,
                                     void* out, void* scratch,
                                     ParallelRunner& runner,
                                     const TileFinish& finish) const {
  Run(lhs, rhs, out, scratch, runner);
  FinishAll(desc_.batch * desc_.m, desc_.n, runner, finish);
}

DotDesc WithStrides(const DotDesc& desc) {
  DotDesc d = desc;
  const auto fill = [](int64_t& stride, int64_t& batch_stride, int64_t rows,
                       int64_t columns) {
    if (stride == 0) stride = columns;
    if (batch_stride == 0) batch_stride = rows * stride;
  };
  fill(d.lhs_stride, d.lhs_batch_stride, d.lhs_transposed ? d.k : d.m,
       d.lhs_transposed ? d.m : d.k);
  if (d.lhs_shared) d.lhs_batch_stride = 0;
  fill(d.rhs_stride, d.rhs_batch_stride, d.rhs_transposed ? d.n : d.k,
       d.rhs_transposed ? d.k : d.n);
  fill(d.out_stride, d.out_batch_stride, d.m, d.n);
  return d;
}

absl::Status CheckDot(const DotDesc& d) {
  if (TakesScaledOperand(d) && (d.rhs_packed || d.rhs_computed ||
                                d.scales.group < 1 || !HasScaledDot(d))) {
    return absl::InvalidArgumentError(
        "dot: no kernel for these scales or packed bits");
  }
  if (d.lhs_shared && d.lhs_batch_stride != 0) {
    return absl::InvalidArgumentError(
        "dot: a shared left operand has no stride of batches");
  }
  TF_RETURN_IF_ERROR(
      CheckOperand("left operand", d.lhs,
                   d.lhs_shared ? std::min<int64_t>(d.batch, 1) : d.batch,
                   d.lhs_transposed ? d.k : d.m, d.lhs_transposed ? d.m : d.k,
                   d.lhs_stride, d.lhs_batch_stride));
  if (d.rhs_computed &&
      (d.rhs_packed || d.rhs_step < 1 || primitive_util::IsComplexType(d.lhs) ||
       primitive_util::IsComplexType(d.rhs))) {
    return absl::InvalidArgumentError(
        "dot: a computed right operand is not packed, real and has a step");
  }
  TF_RETURN_IF_ERROR(CheckOperand(
      "right operand", d.rhs, d.batch, d.rhs_transposed ? d.n : d.k,
      d.rhs_transposed ? d.k : d.n, d.rhs_stride, d.rhs_batch_stride));
  return CheckOperand("result", d.out, d.batch, d.m, d.n, d.out_stride,
                      d.out_batch_stride);
}

bool HasScaledDot(const DotDesc& desc) {
  return TakesScaledOperand(desc) &&
         primitive_util::IsFloatingPointType(desc.lhs) && HasScaledKernel(desc);
}

size_t PackedDotRhsBytes(const DotDesc& desc, const KernelTarget& target) {
  const VectorLevelScope scope(target.vector_level);
  const DotDesc d = WithStrides(desc);
  if (std::min({d.batch, d.m, d.n, d.k}) == 0 || d.rhs_computed ||
      IsTinyDot(d) || SplitsDepth(d, target) || HasFewRows(d, target)) {
    return 0;
  }
  return PackedBytesOf(d, target);
}

void PackDotRhs(const DotDesc& desc, const KernelTarget& target,
                const void* rhs, void* packed) {
  const auto scratch =
      std::make_unique<char[]>(PackDotRhsScratchBytes(desc, target, 1));
  InlineRunner runner;
  PackDotRhs(desc, target, rhs, packed, scratch.get(), runner);
}

void PackDotRhs(const DotDesc& desc, const KernelTarget& target,
                const void* rhs, void* packed, void* scratch,
                ParallelRunner& runner) {
  const VectorLevelScope scope(target.vector_level);
  PackWhole(WithStrides(desc), target, rhs, packed, scratch, runner);
}

size_t PackDotRhsScratchBytes(const DotDesc& desc, const KernelTarget& target,
                              int num_threads) {
  const VectorLevelScope scope(target.vector_level);
  return PackWholeScratchBytes(WithStrides(desc), target, num_threads);
}

bool GainsFromPackedRhs(const DotDesc& desc, const KernelTarget& target) {
  const size_t bytes = PackedDotRhsBytes(desc, target);
  return bytes > 0 && bytes <= kMostKeptBytes && desc.m <= kMostKeptRows;
}

absl::string_view DotAlgorithmName(DotAlgorithm algorithm) {
  switch (algorithm) {
    case DotAlgorithm::kEmpty:
      return "empty";
    case DotAlgorithm::kTiny:
      return "tiny";
    case DotAlgorithm::kSplitDepth:
      return "split-depth";
    case DotAlgorithm::kSkinny:
      return "skinny";
    case DotAlgorithm::kPacked:
      break;
  }
  return "packed";
}

DotAlgorithm DotAlgorithmOf(const DotDesc& desc, const KernelTarget& target) {
  if (desc.batch == 0 || desc.m == 0 || desc.n == 0) {
    return DotAlgorithm::kEmpty;
  }
  const VectorLevelScope scope(target.vector_level);
  const DotDesc d = WithStrides(desc);
  if (desc.rhs_packed) return DotAlgorithm::kPacked;
  if (TakesScaledOperand(desc)) return DotAlgorithm::kSkinny;
  // A computed operand is read as few rows times many columns are, or packed.
  if (desc.rhs_computed) {
    return HasFewRows(d, target) && d.m <= d.n ? DotAlgorithm::kSkinny
                                               : DotAlgorithm::kPacked;
  }
  if (IsTinyDot(d)) return DotAlgorithm::kTiny;
  if (SplitsDepth(d, target)) return DotAlgorithm::kSplitDepth;
  return IsSkinnyDot(d, target) ? DotAlgorithm::kSkinny : DotAlgorithm::kPacked;
}

absl::StatusOr<std::unique_ptr<const DotPlan>> DotPlan::Make(
    const DotDesc& desc, const KernelTarget& target) {
  TF_RETURN_IF_ERROR(CheckDot(desc));
  const DotAlgorithm algorithm = DotAlgorithmOf(desc, target);
  const VectorLevelScope scope(target.vector_level);
  const DotDesc d = WithStrides(desc);
  switch (algorithm) {
    case DotAlgorithm::kEmpty:
      return std::make_unique<EmptyDotPlan>(desc);
    case DotAlgorithm::kTiny:
      return PlanTinyDot(d, target);
    case DotAlgorithm::kSplitDepth:
      return PlanSplitDepthDot(d, target);
    case DotAlgorithm::kSkinny:
      return PlanSkinnyDot(d, target);
    case DotAlgorithm::kPacked:
      break;
  }
  return PlanPackedDot(d, target);
}

}  // namespace xla::cpu
