// Placement: where the values of a program of several partitions are.
//
// Outside of manual computations every partition computes every value whole:
// sharded parameters are gathered first, and each result is cut to its
// partition's part last. Inside them partitions compute on parts, as the
// program says. This is correct for every program, and fast for those that are
// entirely manual, as jax.shard_map makes them: a value that goes from a
// sharded parameter to a manual computation of the same sharding, or from one
// to a result, is not gathered.
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
  // Returns the whole value from this partition's part, and remembers the part.
  // Errors: those of the ops in between.
  absl::StatusOr<HloInstruction*> Gather(const Value& value,
                                         HloInstruction* part, Tiling tiling,
                                         HloComputation& computation);
  // Returns the part of a value: the remembered one, or cut from `whole`.
  absl::StatusOr<HloInstruction*> Part(const Value& value,
                                       HloInstruction* whole,
                                       const Tiling& tiling,
                                       HloComputation& computation) const;

  // Sets the tiling that a "Sharding" op gave a value, whose instruction is
  // whole.
  void SetTiling(const Value& value, Tiling tiling) {
    tilings_[value.id] = std::move(tiling);
  }
  // Returns null if there is none.
  const Tiling* FindTiling(const Value& value) const;

  // Removes unused gathers. To be called at the end.
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
