// Micro kernels compute products of a few rows with one packed panel of columns
// (a micro panel) in registers. block_product.h has the loops around them.
#ifndef XLA_BACKENDS_CPU_KERNELS_PRODUCTS_MICRO_KERNELS_H_
#define XLA_BACKENDS_CPU_KERNELS_PRODUCTS_MICRO_KERNELS_H_

#include <cstdint>

#include "xla/base/checked_math.h"

namespace xla::cpu {

// Elements of packed panels.
enum class PanelType {
  kF32,
  kF64,
  kPairs,  // two signed 16-bit numbers, next to each other in depth; sums and
           // results are 32-bit numbers that wrap around
  kU32,
  kU64,
  // These two are for levels that have instructions for them.
  kQuads,  // four 8-bit numbers, next to each other in depth, of which those
           // of the left matrix are unsigned, or signed if kHasSignedQuads, and
           // those of the panel signed; sums are 32-bit numbers that wrap
           // around
  kBf16Pairs,  // two bfloat16, next to each other in depth; sums are F32, and
               // subnormal numbers count as zeros
  // The same for levels with tiles, which multiply signed and unsigned numbers:
  // quads of the left matrix and of the panel, and pairs.
  kS8Tiles,
  kS8U8Tiles,
  kU8S8Tiles,
  kU8Tiles,
  kBf16Tiles,
};

// Whether the type is one of those for tiles.
constexpr bool IsForTiles(PanelType type) {
  return type >= PanelType::kS8Tiles;
}

#if defined(__aarch64__)
inline constexpr bool kHasSignedQuads = true;
#else
inline constexpr bool kHasSignedQuads = false;
#endif

// What a kernel prefetches for later ones while it multiplies: the cache line
// at `line`, and those after it in steps of `step` bytes, one for each row of
// b.
struct PrefetchedLines {
  const char* line = nullptr;
  int64_t step = 0;
};

// c[rows, columns] = or += a[rows, depth] b[depth, columns]. Rows of a are
// a_stride elements apart, those of b b_stride and those of c c_stride. Every
// kernel of a set sums over depth in the same order, so bits do not depend on
// which of them a product uses. Sums begin with zero; those of kQuads with the
// first row of b, which is not counted in depth.
using MicroKernel = void (*)(int64_t depth, const void* a, int64_t a_stride,
                             const void* b, int64_t b_stride, void* c,
                             int64_t c_stride, bool accumulate,
                             PrefetchedLines ahead);

// As a MicroKernel, and packs b on the way: copies its rows to `panel`, one
// after the other. What that takes is hidden behind the multiplications.
using PackingKernel = void (*)(int64_t depth, const void* a, int64_t a_stride,
                               const void* b, int64_t b_stride, void* c,
                               int64_t c_stride, bool accumulate, void* panel);

// The most depth of a block for kernels that use vectors. It does not depend on
// caches: the sums of blocks are added up, so it is part of the order of each
// sum.
inline constexpr int64_t kMaxBlockDepth = 512;

struct MicroKernelSet {
  // The most rows of a kernel, those of kernels that use vectors, and the most
  // vectors of a row of a panel.
  static constexpr int kMaxRows = 32;
  static constexpr int kMaxVectorRows = 12;
  static constexpr int kMaxVectors = 4;
  static constexpr int kMaxVectorBytes = 64;

  int element_bytes;
  int start_rows;     // rows of b before those counted in depth: 0 or 1
  int lanes;          // columns of a vector
  int panel_vectors;  // of a row of a full panel
  int max_rows;       // of a kernel for full panels
  int max_depth;      // of a block, as kMaxBlockDepth
  // Kernels read rows of b up to a multiple of so many, the last of which are
  // zeros.
  int depth_step;
  // [i][v - 1] is the kernel for panels of v vectors to use when i rows are
  // left, which takes rows[i] of them. Null if the registers do not hold the
  // sums; never for up to panel_vectors.
  MicroKernel kernels[kMaxRows + 1][kMaxVectors];
  int rows[kMaxRows + 1];
  // If not null, kernels use tile registers, and `rows` is unused: they all
  // take the number of rows, from 1 to max_rows, for which the thread set up
  // its tiles last. It releases them when it has no more blocks to multiply: as
  // long as they are in use, switching threads takes longer, and cores do not
  // sleep as deeply.
  void (*set_up_tiles)(int rows);
  void (*release_tiles)();
  // Rounds F32 sums, none of which is subnormal, to bfloat16. Null if that
  // takes no less time than the conversion of any numbers.
  void (*to_bf16)(const void* sums, void* to, int64_t count);
  // For max_rows rows and full panels. Null if packing takes more than copies.
  PackingKernel packing;
  // Interleaves rows of the right matrix, as many as an element of depth has,
  // to a row of each of so many full panels, which are `panel_bytes` apart.
  // Null for elements that are single numbers, and where InterleaveRows does
  // it.
  void (*interleave)(const void* const* rows, int64_t panels, void* to,
                     int64_t panel_bytes);
  // Fills the start row of a panel: the sum over its `depth` rows of each
  // column, times -128, or 128 if kHasSignedQuads. Null if panels have none.
  void (*fill_start)(int64_t depth, int64_t columns, void* panel);

  int panel_columns() const { return panel_vectors * lanes; }

  // Returns how many of `left` rows the next kernel should take, so that the
  // kernels after it have enough rows too.
  int64_t NextRows(int64_t left) const {
    const int64_t tiles = CeilOfRatio(left, max_rows);
    const int64_t even = RoundUpTo(CeilOfRatio(left, tiles), 2);
    return rows[left < max_rows ? left : even < max_rows ? even : max_rows];
  }
};

// Returns the set of the current VectorLevel, which must have the type.
const MicroKernelSet& MicroKernelsOf(PanelType type);

// Whether the current VectorLevel has kernels for the type.
bool HasMicroKernels(PanelType type);

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_KERNELS_PRODUCTS_MICRO_KERNELS_H_
