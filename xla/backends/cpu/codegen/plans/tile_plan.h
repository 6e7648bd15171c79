// TilePlan: the loop of an op or a fusion, over square tiles, where transposes
// in it are best read from their operands' rows. No LLVM.
#ifndef XLA_BACKENDS_CPU_CODEGEN_PLANS_TILE_PLAN_H_
#define XLA_BACKENDS_CPU_CODEGEN_PLANS_TILE_PLAN_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "xla/backends/cpu/jit/target_info.h"
#include "xla/core/shape.h"
#include "xla/hlo/ir/hlo_instruction.h"

namespace xla::cpu {

struct TilePlan {
  // Of the loop: every output has as many elements in this order. Borrowed from
  // an instruction.
  const Shape* shape = nullptr;
  // Computed at the index of the loop itself; all have the dimension `across`
  // of the loop as the innermost one of their operand.
  std::vector<const HloInstruction*> transposes;
  int64_t across = 0;
  int64_t inner = 0;  // the innermost dimension of the loop
  // A tile: rows, as many elements of the dimension `across`, of `columns`
  // inner ones, which are several squares side by side where the registers of
  // one do not fill a cache line.
  int rows = 1;
  int columns = 1;
  // Workgroups: `band` of the dimension `across` and `strip` of the inner one,
  // both multiples of the tile, within one index of the others.
  int64_t band = 0;
  int64_t strip = 0;
  int64_t bands = 0;
  int64_t strips = 0;
  std::vector<int64_t> outer;  // sizes of the other dimensions, in order
  int64_t rest = 1;            // their product

  int64_t workgroups() const { return bands * strips * rest; }
};

// Nullopt where the plain loop is as good.
std::optional<TilePlan> PlanTiles(const HloInstruction& instruction,
                                  const TargetInfo& target);

// `root` before reshapes that only name the same elements in the same order
// with other dimensions.
const HloInstruction* BeforeReshapes(const HloInstruction* root);

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_CODEGEN_PLANS_TILE_PLAN_H_
