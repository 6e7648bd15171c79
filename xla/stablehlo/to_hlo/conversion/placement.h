// Placement: where the values of a program of several partitions are.
//
// Outside of manual computations every partition computes every value whole:
// sharded parameters are gathered first, and each result is cut to its
// partition's part last. Inside them partitions compute on parts, as the
// program says. That is right for every program and fast for those that are
// manual throughout, as jax.shard_map makes them: a value that goes from a
// sharded parameter into a manual computation of the same sharding, or out of
// one into a result, is not gathered.
#ifndef XLA_STABLEHLO_TO_HLO_CONVERSION_PLACEMENT_H_
#define XLA_STABLEHLO_TO_HLO_CONVERSION_PLACEMENT_H_

#include <cstdint>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/statusor.h"
#include "xla/hlo/ir/hlo_computation.h"
#include "xla/hlo/ir/hlo_instruction.h"
#include "xla/stablehlo/ir/ir.h"
#include "xla/stablehlo/to_hlo/conversion/tiling.h"

namespace xla::stablehlo {

class Placement {
 public:
  // The whole value from this partition's part; remembers the part. Errors:
  // those of the ops between.
  absl::StatusOr<HloInstruction*> Gather(const Value& value,
                                         HloInstruction* part, Tiling tiling,
                                         HloComputation& computation);
  // The part of a value, as it was remembered, or cut from `whole`.
  absl::StatusOr<HloInstruction*> Part(const Value& value,
                                       HloInstruction* whole,
                                       const Tiling& tiling,
                                       HloComputation& computation) const;

  // The tiling that a "Sharding" op gave a value, whose instruction is whole.
  void SetTiling(const Value& value, Tiling tiling) {
    tilings_[value.id] = std::move(tiling);
  }
  // Null if there is none.
  const Tiling* FindTiling(const Value& value) const;

  // Removes gathers that nobody uses. At the end.
  absl::Status RemoveUnusedGathers();

 private:
  struct Held {
    HloInstruction* part;
    Tiling tiling;
  };
  absl::flat_hash_map<int32_t, Held> parts_;
  absl::flat_hash_map<int32_t, Tiling> tilings_;
  std::vector<HloInstruction*> gathers_;
};

}  // namespace xla::stablehlo

#endif  // XLA_STABLEHLO_TO_HLO_CONVERSION_PLACEMENT_H_
