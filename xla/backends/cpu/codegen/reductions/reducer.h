// Application of reducers to accumulators with lanes.
#ifndef XLA_BACKENDS_CPU_CODEGEN_REDUCTIONS_REDUCER_H_
#define XLA_BACKENDS_CPU_CODEGEN_REDUCTIONS_REDUCER_H_

#include <optional>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "xla/backends/cpu/codegen/elemental/elemental_emitter.h"
#include "xla/hlo/ir/hlo_instruction.h"

namespace xla::cpu {

// Several reductions that step together; their leaves are in one list.
class Reducers {
 public:
  Reducers(ElementalEmitter& emitter,
           absl::Span<const HloInstruction* const> reductions)
      : emitter_(emitter), reductions_(reductions.begin(), reductions.end()) {}

  // The initial values of all, scalars.
  absl::StatusOr<std::vector<Element>> Initial();
  // Values which change nothing when they are combined, scalars; nullopt if one
  // of the reducers is not known to have any.
  std::optional<std::vector<Element>> Identities();
  // The operands at an index.
  absl::StatusOr<std::vector<Element>> Operands(const VectorIndex& index);
  // Of as many lanes as both have.
  absl::StatusOr<std::vector<Element>> Combine(
      absl::Span<const Element> accumulators, absl::Span<const Element> values);
  // All lanes combined to scalars, in halves. Lanes are a power of two.
  absl::StatusOr<std::vector<Element>> CombineLanes(
      std::vector<Element> accumulators);

  // Calls f(reduction, leaf, i) where i counts in the common list.
  template <typename F>
  void ForEachLeaf(const F& f) const {
    int i = 0;
    for (const HloInstruction* reduction : reductions_) {
      for (int leaf = 0; leaf < reduction->operand_count() / 2; ++leaf) {
        f(reduction, leaf, i++);
      }
    }
  }

 private:
  ElementalEmitter& emitter_;
  std::vector<const HloInstruction*> reductions_;
};

// condition ? x : y, of each.
std::vector<Element> SelectEach(llvm::IRBuilder<>& b, llvm::Value* condition,
                                absl::Span<const Element> x,
                                absl::Span<const Element> y);
std::vector<Element> SplatEach(llvm::IRBuilder<>& b,
                               absl::Span<const Element> x, int lanes);
// <lanes x i1>, the first `count` of which are true.
llvm::Value* FirstLanes(llvm::IRBuilder<>& b, int lanes, int64_t count);

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_CODEGEN_REDUCTIONS_REDUCER_H_
