// TilePlan: a loop over tiles, for an op or a fusion whose transposes are best
// read along the rows of their operands. Includes no LLVM.
#ifndef XLA_BACKENDS_CPU_CODEGEN_PLANS_TILE_PLAN_H_
#define XLA_BACKENDS_CPU_CODEGEN_PLANS_TILE_PLAN_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "xla/backends/cpu/jit/target_info.h"
#include "xla/core/shape.h"
#include "xla/hlo/ir/hlo_instruction.h"

namespace xla::cpu {

enum class TileKind {
  // Squares of the operands are transposed in registers.
  kSquares,
  // The columns are the whole inner dimension, which is short, and the rows are
  // the next one: the loop's body works on vectors along the rows, one for each
  // column, and interleaves them for one contiguous store.
  kFewColumns,
  // The rows are a whole dimension, which is short: the body works on one
  // vector for each row and loads it with that stride.
  kFewRows,
  // The innermost dimension, the channels of a pixel, is short and stays where
  // it is, while pixels change places: squares of each channel are transposed
  // in registers, and the channels interleaved for contiguous stores.
  kPixels,
};

struct TilePlan {
  // The shape of the loop: every output has as many elements in this order.
  // Borrowed from an instruction.
  const Shape* shape = nullptr;
  // The transposes that are computed at the index of the loop itself. The
  // innermost dimension of the operand of each is dimension `across` of the
  // loop, or the one before it, if the innermost one is short.
  std::vector<const HloInstruction*> transposes;
  int64_t across = 0;
  int64_t inner = 0;  // the innermost dimension of the loop but for `channel`
  // The dimension of the channels of pixels, and its size.
  int64_t channel = -1;
  int64_t channels = 1;
  // A tile has `rows` indices of the dimension `across` and `columns` of the
  // inner one. It consists of several squares side by side if the registers of
  // one do not fill a cache line.
  int rows = 1;
  int columns = 1;
  TileKind kind = TileKind::kSquares;
  // A workgroup has `band` indices of the dimension `across` and `strip` of the
  // inner one, both multiples of the tile, at one index of the others.
  int64_t band = 0;
  int64_t strip = 0;
  int64_t bands = 0;
  int64_t strips = 0;
  std::vector<int64_t> outer;  // sizes of the other dimensions, in order
  int64_t rest = 1;            // their product

  int64_t workgroups() const { return bands * strips * rest; }
};

// Returns nullopt if the plain loop is as good.
std::optional<TilePlan> PlanTiles(const HloInstruction& instruction,
                                  const TargetInfo& target);

// Returns `root` without reshapes, which keep the elements and their order.
const HloInstruction* BeforeReshapes(const HloInstruction* root);

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_CODEGEN_PLANS_TILE_PLAN_H_
