// HloReachabilityMap: which instructions of a computation come before which.
#ifndef XLA_HLO_ANALYSIS_VALUES_HLO_REACHABILITY_H_
#define XLA_HLO_ANALYSIS_VALUES_HLO_REACHABILITY_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/functional/function_ref.h"
#include "absl/types/span.h"
#include "xla/hlo/ir/hlo_computation.h"
#include "xla/hlo/ir/hlo_instruction.h"

namespace xla {

// A bit for each pair of instructions. Build sets those that the computation
// implies; a map that a caller fills in is as good as what it fills in. Unknown
// instructions are a programmer error. Takes n^2 bits for n instructions.
class HloReachabilityMap {
 public:
  using Index = size_t;

  // No instruction is reachable, not even from itself.
  explicit HloReachabilityMap(
      absl::Span<const HloInstruction* const> instructions);
  HloReachabilityMap(const HloReachabilityMap&) = delete;
  HloReachabilityMap& operator=(const HloReachabilityMap&) = delete;

  // Follows operands and control dependencies. Instructions are reachable from
  // themselves.
  static std::unique_ptr<HloReachabilityMap> Build(
      const HloComputation* computation);
  // Follows what `add_dependencies` appends for each instruction.
  static std::unique_ptr<HloReachabilityMap> BuildWithRestrictions(
      const HloComputation* computation,
      absl::FunctionRef<void(const HloInstruction*,
                             std::vector<HloInstruction*>*)>
          add_dependencies);

  // Make the instruction reachable from itself and from what reaches one of
  // `inputs`, of which it may be one, and from nothing else. What is reachable
  // from it stays as it is. The first one returns whether that was a change.
  bool SetReachabilityToUnion(absl::Span<const HloInstruction* const> inputs,
                              const HloInstruction* instruction);
  void FastSetReachabilityToUnion(
      absl::Span<const HloInstruction* const> inputs,
      const HloInstruction* instruction);
  void FastSetReachabilityToUnion(absl::Span<const Index> input_indices,
                                  Index index);

  // To be called after the operands or control predecessors of `instruction`
  // have changed.
  void UpdateReachabilityThroughInstruction(const HloInstruction* instruction);

  Index GetIndex(const HloInstruction* instruction) const {
    return indices_.at(instruction);
  }
  // Makes b reachable from a, and changes nothing else.
  void SetReachable(const HloInstruction* a, const HloInstruction* b) {
    SetReachable(GetIndex(a), GetIndex(b));
  }
  void SetReachable(Index a, Index b) {
    rows_[b][a / kBits] |= Word{1} << (a % kBits);
  }

  // Whether b is reachable from a; whether one is from the other.
  bool IsReachable(const HloInstruction* a, const HloInstruction* b) const {
    return IsReachable(GetIndex(a), GetIndex(b));
  }
  bool IsReachable(Index a, Index b) const {
    return (rows_[b][a / kBits] >> (a % kBits) & 1) != 0;
  }
  bool IsConnected(const HloInstruction* a, const HloInstruction* b) const {
    return IsConnected(GetIndex(a), GetIndex(b));
  }
  bool IsConnected(Index a, Index b) const {
    return IsReachable(a, b) || IsReachable(b, a);
  }
  bool IsPresent(const HloInstruction* instruction) const {
    return indices_.contains(instruction);
  }

  // Lets `replacement` take the place of `original`, which is not needed later.
  void Replace(const HloInstruction* original,
               const HloInstruction* replacement);

 private:
  using Word = uint64_t;
  static constexpr size_t kBits = 64;

  std::vector<Word> UnionOf(absl::Span<const Index> inputs, Index index) const;
  std::vector<Index> IndicesOf(
      absl::Span<const HloInstruction* const> instructions) const;

  absl::flat_hash_map<const HloInstruction*, Index> indices_;
  // Bit a of row b: b is reachable from a.
  std::vector<std::vector<Word>> rows_;
};

}  // namespace xla

#endif  // XLA_HLO_ANALYSIS_VALUES_HLO_REACHABILITY_H_
