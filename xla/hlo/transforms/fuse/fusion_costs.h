// What fusion goes by: what an op is to a fused loop, and rough times of
// computing and of moving elements.
#ifndef XLA_HLO_TRANSFORMS_FUSE_FUSION_COSTS_H_
#define XLA_HLO_TRANSFORMS_FUSE_FUSION_COSTS_H_

#include <cstdint>

#include "xla/hlo/ir/hlo_instruction.h"

namespace xla {

// The machine, and limits of one fusion. Times are in nanoseconds of a thread.
struct FusionTarget {
  double write_ns_per_byte = 0.15;   // to memory
  double read_ns_per_byte = 0.1;     // from memory
  double cached_ns_per_byte = 0.02;  // arrays up to cache_bytes, both ways
  int64_t cache_bytes = 256 << 10;
  double load_ns = 0.03;    // a load of an element that is in the cache
  double kernel_ns = 300;   // of running one more kernel
  double strided_ns = 1.0;  // of an element read across the rows
  int max_instructions = 1000;
  // Ops that cost anything, times the number of indices at which each is
  // computed.
  int max_emitted = 800;
  int max_parameters = 48;
  int max_outputs = 8;
  // Indexing maps through which a value is computed.
  int max_maps = 32;
  // Rows that keep all threads busy; only below it matters whether a loop over
  // rows replaces one over elements.
  int64_t parallel_rows = 16;
  int64_t parallel_elements = 256 << 10;
};

enum class FusionRole {
  kOpaque,        // never in a fusion
  kElementwise,   // at an index from operands at the same
  kReshape,       // moves nothing: free on its own
  kIndexingMap,   // from an operand at another index
  kInlineReduce,  // a small loop over operands: windows, short reductions
  kReduce,        // a reduction of rows or columns
  kUpdate,        // dynamic-update-slice
  kScatter,
};

FusionRole FusionRoleOf(const HloInstruction& instruction);

// Of the op alone, for one element of its result (for reductions: of an
// operand).
double ElementNanoseconds(const HloInstruction& instruction);

// Elements of the result; of a tuple, of its first array.
int64_t FusionElements(const HloInstruction& instruction);
// The array that is the result, or the first of it.
const Shape& FusionShape(const HloInstruction& instruction);
// Bytes of all arrays of the result.
double FusionBytes(const HloInstruction& instruction);

// A concatenate of so many operands that it is better done by copying one after
// the other than by a loop over elements.
bool HasManyParts(const HloInstruction& instruction);

bool IsScalarConstant(const HloInstruction& instruction);

}  // namespace xla

#endif  // XLA_HLO_TRANSFORMS_FUSE_FUSION_COSTS_H_
