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

// Several reductions that run in the same loop; their leaves are in one list.
class Reducers {
 public:
  Reducers(ElementalEmitter& emitter,
           absl::Span<const HloInstruction* const> reductions)
      : emitter_(emitter), reductions_(reductions.begin(), reductions.end()) {}

  // The initial values of all reductions, as scalars.
  absl::StatusOr<std::vector<Element>> Initial();
  // The identities of all reducers, as scalars; nullopt if one of the reducers
  // is not known to have any.
  std::optional<std::vector<Element>> Identities();
  // The operands of all reductions at an index.
  absl::StatusOr<std::vector<Element>> Operands(const VectorIndex& index);
  // Combines accumulators and values with the same number of lanes.
  absl::StatusOr<std::vector<Element>> Combine(
      absl::Span<const Element> accumulators, absl::Span<const Element> values);
  // Combines all lanes to scalars by halving. The number of lanes is a power of
  // two.
  absl::StatusOr<std::vector<Element>> CombineLanes(
      std::vector<Element> accumulators);

  // Calls f(reduction, leaf, i), where i is the position in the common list.
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

// condition ? x : y, for each element of the lists.
std::vector<Element> SelectEach(llvm::IRBuilder<>& b, llvm::Value* condition,
                                absl::Span<const Element> x,
                                absl::Span<const Element> y);
std::vector<Element> SplatEach(llvm::IRBuilder<>& b,
                               absl::Span<const Element> x, int lanes);
// A <lanes x i1> whose first `count` lanes are true.
llvm::Value* FirstLanes(llvm::IRBuilder<>& b, int lanes, int64_t count);

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_CODEGEN_REDUCTIONS_REDUCER_H_
