// CpuFusionBackend: what the CPU's code can compute in one kernel, and rough
// times of computing and of moving elements.
#ifndef XLA_BACKENDS_CPU_FUSION_CPU_FUSION_BACKEND_H_
#define XLA_BACKENDS_CPU_FUSION_CPU_FUSION_BACKEND_H_

#include <optional>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "xla/backends/cpu/analysis/reduction_structure.h"
#include "xla/backends/cpu/cost/cost_model.h"
#include "xla/backends/cpu/jit/target_info.h"
#include "xla/hlo/transforms/fuse/fusion_backend.h"

namespace xla::cpu {

// Loops over elements, reductions by rows or columns (reduction_structure.h)
// with what surrounds them, updates and scatters in place (cpu_alias_info.h),
// attention and epilogues of products. Roles and limits are the same on all
// processors, times those of the target's cost model.
class CpuFusionBackend : public FusionBackend {
 public:
  explicit CpuFusionBackend(const TargetInfo& target);

  FusionRole RoleOf(const HloInstruction& instruction) const override;
  bool VisitsOperandsOnce(const HloInstruction& instruction) const override;
  double ElementNanoseconds(const HloInstruction& instruction) const override;
  const FusionRates& rates() const override;
  const FusionLimits& limits() const override;
  const ReductionChunks& reduction_chunks() const override;
  std::optional<ReductionKernel> FindReductionKernel(
      absl::Span<const HloInstruction* const> values,
      absl::Span<const HloInstruction* const> roots) const override;
  std::optional<AttentionGroup> FindAttention(
      const HloInstruction& second) const override;
  std::optional<DotInPlaceGroup> FindDotInPlace(
      const HloInstruction& dot) const override;
  std::optional<EpilogueGroup> FindEpilogue(
      const HloInstruction& last) const override;
  std::optional<PrologueGroup> FindPrologue(
      const HloInstruction& product) const override;
  absl::string_view WhyOpaque(const HloInstruction& instruction) const override;
  std::optional<FusionRefusal> ExplainNoAttention(
      const HloInstruction& second) const override;
  absl::string_view WhyNoPrologue(const HloInstruction& product,
                                  int64_t operand) const override;
  absl::string_view WhyNoReductionKernel(
      absl::Span<const HloInstruction* const> values,
      absl::Span<const HloInstruction* const> roots) const override;

 private:
  // The time that it takes to find an element of an op that moves elements.
  // Where the op's index relation is not known, that of an addition.
  double FindingNanoseconds(const HloInstruction& instruction) const;
  // Why the group is slower than its parts; empty if it is not.
  absl::string_view WhyPrologueIsSlow(const PrologueGroup& group) const;
  // Why no kernel computes `roots` by that structure; empty if one does.
  absl::string_view WhyNoKernel(
      const std::optional<ReductionStructure>& structure,
      absl::Span<const HloInstruction* const> roots) const;
  // The time of one result of a reduction that is computed where it is needed.
  double ShortReductionNanoseconds(const HloInstruction& reduce) const;

  const CpuCostModel model_;
  const FusionRates rates_;
};

// Whether the elements of `instruction` come from so many operands that it is
// better done by copying one after the other than by a loop over elements.
bool HasManyParts(const HloInstruction& instruction);

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_FUSION_CPU_FUSION_BACKEND_H_
