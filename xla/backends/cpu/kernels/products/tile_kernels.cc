// A kernel has up to 2x2 tiles of the result in registers: the fewest loads for
// each multiplication that eight tiles allow. Source: Intel, Architecture
// Instruction Set Extensions, chapter 3, and Optimization Reference Manual,
// chapter 20.
#include "xla/backends/cpu/kernels/products/tile_kernels.h"

#if defined(__x86_64__)

#include <immintrin.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>

#include "xla/backends/cpu/kernels/vector/vector_level.h"

namespace xla::cpu {
namespace {

#define XLA_TILE_FUNCTION \
  __attribute__((target("amx-tile,amx-int8,amx-bf16,avx512f")))

constexpr int kTileRows = 16, kTileBytes = 64;
// The elements of a row of a tile, each a pair, a quad or a sum.
constexpr int kTileElements = 16;
constexpr int kMaxRows = 2 * kTileRows;

// The operand of ldtilecfg.
struct alignas(64) TileConfiguration {
  uint8_t palette = 1, start_row = 0;
  uint8_t reserved[14] = {};
  uint16_t row_bytes[16] = {};
  uint8_t rows[16] = {};
};

// Tiles 0 to 3 are the result, row by row, 4 and 5 of the left matrix, 6 and 7
// of the panel.
constexpr TileConfiguration ConfigurationFor(int rows) {
  TileConfiguration tiles;
  for (int i = 0; i < 8; ++i) {
    tiles.row_bytes[i] = kTileBytes;
    tiles.rows[i] = kTileRows;
  }
  const int upper = rows < kTileRows ? rows : kTileRows;
  tiles.rows[0] = tiles.rows[1] = tiles.rows[4] = upper;
  // Kernels of one row of tiles do not use these, which may not be empty.
  const int lower = rows > kTileRows ? rows - kTileRows : 1;
  tiles.rows[2] = tiles.rows[3] = tiles.rows[5] = lower;
  return tiles;
}

constexpr auto kConfigurations = [] {
  std::array<TileConfiguration, kMaxRows + 1> all;
  for (int rows = 1; rows <= kMaxRows; ++rows) {
    all[rows] = ConfigurationFor(rows);
  }
  return all;
}();

// The rows for which this thread's tiles are set up; 0 if they are not.
thread_local int tile_rows = 0;

XLA_TILE_FUNCTION void SetUpTiles(int rows) {
  if (rows == tile_rows) return;
  _tile_loadconfig(&kConfigurations[rows]);
  tile_rows = rows;
}

XLA_TILE_FUNCTION void ReleaseTiles() {
  if (tile_rows == 0) return;
  _tile_release();
  tile_rows = 0;
}

// Adds the product of tiles of the left matrix and of the panel to the four
// tiles of the result, or those of them that the kernel has. Intrinsics take
// the numbers of tiles as literals.
#define XLA_MULTIPLY_TILES(multiply)                \
  do {                                              \
    multiply(0, 4, 6);                              \
    if constexpr (kColumns == 2) multiply(1, 4, 7); \
    if constexpr (kRows == 2) multiply(2, 5, 6);    \
    if constexpr (kRows * kColumns == 4) {          \
      multiply(3, 5, 7);                            \
    }                                               \
  } while (false)

// Loads 16 elements of depth of both matrices and multiplies them.
template <PanelType kType, int kRows, int kColumns>
XLA_TILE_FUNCTION inline __attribute__((always_inline)) void MultiplyStep(
    const char* a, int64_t a_bytes, const char* b, int64_t b_bytes) {
  _tile_loadd(6, b, b_bytes);
  _tile_loadd(4, a, a_bytes);
  if constexpr (kColumns == 2) _tile_loadd(7, b + kTileBytes, b_bytes);
  if constexpr (kRows == 2) {
    _tile_loadd(5, a + kTileRows * a_bytes, a_bytes);
  }
  if constexpr (kType == PanelType::kBf16Tiles) {
    XLA_MULTIPLY_TILES(_tile_dpbf16ps);
  } else if constexpr (kType == PanelType::kS8Tiles) {
    XLA_MULTIPLY_TILES(_tile_dpbssd);
  } else if constexpr (kType == PanelType::kS8U8Tiles) {
    XLA_MULTIPLY_TILES(_tile_dpbsud);
  } else if constexpr (kType == PanelType::kU8S8Tiles) {
    XLA_MULTIPLY_TILES(_tile_dpbusd);
  } else {
    XLA_MULTIPLY_TILES(_tile_dpbuud);
  }
}

#undef XLA_MULTIPLY_TILES

// Copies `count` elements of each row, at most 16, and fills up with zeros.
XLA_TILE_FUNCTION inline void CopyRows(const char* a, int64_t a_bytes, int rows,
                                       int64_t count, char* to) {
  const auto mask = static_cast<__mmask16>((1u << count) - 1);
  for (int i = 0; i < rows; ++i) {
    _mm512_store_si512(to + i * kTileBytes,
                       _mm512_maskz_loadu_epi32(mask, a + i * a_bytes));
  }
  // GCC does not know that loads of tiles read memory.
  asm volatile("" ::: "memory");
}

#define XLA_BF16_FUNCTION \
  __attribute__((target("avx512f,avx512bw,avx512vl,avx512bf16")))

// MicroKernelSet::to_bf16.
XLA_BF16_FUNCTION void ToBf16(const void* sums, void* to, int64_t count) {
  const float* from = static_cast<const float*>(sums);
  char* const out = static_cast<char*>(to);
  int64_t i = 0;
  for (; i + 32 <= count; i += 32) {
    const __m512bh both = _mm512_cvtne2ps_pbh(_mm512_loadu_ps(from + i + 16),
                                              _mm512_loadu_ps(from + i));
    std::memcpy(out + 2 * i, &both, sizeof(both));
  }
  for (; i < count; i += 16) {
    const int64_t left = std::min<int64_t>(count - i, 16);
    const auto mask = static_cast<__mmask16>((1u << left) - 1);
    const __m256bh some =
        _mm512_cvtneps_pbh(_mm512_maskz_loadu_ps(mask, from + i));
    __m256i bits;
    std::memcpy(&bits, &some, sizeof(bits));
    _mm256_mask_storeu_epi16(out + 2 * i, mask, bits);
  }
}

// MicroKernelSet::interleave for pairs.
XLA_BF16_FUNCTION void InterleavePairs(const void* const* rows, int64_t panels,
                                       void* to, int64_t panel_bytes) {
  // Words 0 to 15 and 16 to 31 of both rows, those of the second from 32 on.
  alignas(64) static constexpr auto kWords = [] {
    std::array<uint16_t, 64> words = {};
    for (int i = 0; i < 64; ++i) words[i] = i / 2 + i % 2 * 32;
    return words;
  }();
  const __m512i low = _mm512_load_si512(kWords.data());
  const __m512i high = _mm512_load_si512(kWords.data() + 32);
  for (int64_t i = 0; i < panels; ++i) {
    const __m512i first =
        _mm512_loadu_si512(static_cast<const char*>(rows[0]) + i * kTileBytes);
    const __m512i second =
        _mm512_loadu_si512(static_cast<const char*>(rows[1]) + i * kTileBytes);
    char* const panel = static_cast<char*>(to) + i * panel_bytes;
    _mm512_store_si512(panel, _mm512_permutex2var_epi16(first, low, second));
    _mm512_store_si512(panel + kTileBytes,
                       _mm512_permutex2var_epi16(first, high, second));
  }
}

// The same for quads.
__attribute__((target("avx512f,avx512bw,avx512vl"))) void InterleaveQuads(
    const void* const* rows, int64_t panels, void* to, int64_t panel_bytes) {
  for (int64_t i = 0; i < panels; ++i) {
    __m512i row[4];
    for (int r = 0; r < 4; ++r) {
      // Each byte becomes the lowest of two.
      row[r] = _mm512_cvtepu8_epi16(
          _mm256_loadu_si256(reinterpret_cast<const __m256i*>(
              static_cast<const char*>(rows[r]) + i * kTileBytes / 2)));
    }
    const __m512i first = _mm512_or_si512(row[0], _mm512_slli_epi16(row[1], 8));
    const __m512i second =
        _mm512_or_si512(row[2], _mm512_slli_epi16(row[3], 8));
    // Pairs of lanes, which keep their order.
    const __m512i even = _mm512_unpacklo_epi16(first, second);
    const __m512i odd = _mm512_unpackhi_epi16(first, second);
    const __m512i low = _mm512_shuffle_i64x2(even, odd, 0x44);
    const __m512i high = _mm512_shuffle_i64x2(even, odd, 0xee);
    char* const panel = static_cast<char*>(to) + i * panel_bytes;
    _mm512_store_si512(panel, _mm512_shuffle_i64x2(low, low, 0xd8));
    _mm512_store_si512(panel + kTileBytes,
                       _mm512_shuffle_i64x2(high, high, 0xd8));
  }
}

// A MicroKernel of kRows rows of tiles, 1 or 2, and kColumns columns of them.
template <PanelType kType, int kRows, int kColumns>
XLA_TILE_FUNCTION void TileKernel(int64_t depth, const void* a_data,
                                  int64_t a_stride, const void* b_data,
                                  int64_t b_stride, void* c_data,
                                  int64_t c_stride, bool accumulate,
                                  PrefetchedLines ahead) {
  constexpr int kElementBytes = kTileBytes / kTileElements;
  const char* a = static_cast<const char*>(a_data);
  const char* b = static_cast<const char*>(b_data);
  char* const c = static_cast<char*>(c_data);
  const int64_t a_bytes = a_stride * kElementBytes;
  const int64_t b_bytes = b_stride * kElementBytes;
  const int64_t c_bytes = c_stride * kElementBytes;
  char* const lower = c + kTileRows * c_bytes;
  asm volatile("" ::: "memory");
  if (accumulate) {
    _tile_loadd(0, c, c_bytes);
    if constexpr (kColumns == 2) _tile_loadd(1, c + kTileBytes, c_bytes);
    if constexpr (kRows == 2) _tile_loadd(2, lower, c_bytes);
    if constexpr (kRows * kColumns == 4) {
      _tile_loadd(3, lower + kTileBytes, c_bytes);
    }
  } else {
    _tile_zero(0);
    _tile_zero(1);
    _tile_zero(2);
    _tile_zero(3);
  }
  int64_t left = depth;
  for (; left >= kTileElements; left -= kTileElements) {
    if (ahead.step != 0) {
      XLA_UNROLL for (int i = 0; i < kTileElements; ++i) {
        __builtin_prefetch(ahead.line, 0, 2);
        ahead.line += ahead.step;
      }
    }
    MultiplyStep<kType, kRows, kColumns>(a, a_bytes, b, b_bytes);
    a += kTileBytes;
    b += kTileRows * b_bytes;
  }
  if (left > 0) {
    alignas(64) char rows[kRows * kTileRows * kTileBytes];
    CopyRows(a, a_bytes, tile_rows, left, rows);
    MultiplyStep<kType, kRows, kColumns>(rows, kTileBytes, b, b_bytes);
  }
  _tile_stored(0, c, c_bytes);
  if constexpr (kColumns == 2) _tile_stored(1, c + kTileBytes, c_bytes);
  if constexpr (kRows == 2) _tile_stored(2, lower, c_bytes);
  if constexpr (kRows * kColumns == 4) {
    _tile_stored(3, lower + kTileBytes, c_bytes);
  }
}

template <PanelType kType>
constexpr MicroKernelSet MakeTileSet() {
  MicroKernelSet set = {};
  set.element_bytes = kTileBytes / kTileElements;
  set.lanes = kTileElements;
  set.panel_vectors = 2;
  set.max_rows = kMaxRows;
  set.max_depth = kMaxBlockDepth;
  set.depth_step = kTileRows;
  for (int i = 1; i <= kMaxRows; ++i) {
    set.kernels[i][0] =
        i > kTileRows ? &TileKernel<kType, 2, 1> : &TileKernel<kType, 1, 1>;
    set.kernels[i][1] =
        i > kTileRows ? &TileKernel<kType, 2, 2> : &TileKernel<kType, 1, 2>;
  }
  set.set_up_tiles = &SetUpTiles;
  set.release_tiles = &ReleaseTiles;
  if (kType == PanelType::kBf16Tiles) set.to_bf16 = &ToBf16;
  set.interleave =
      kType == PanelType::kBf16Tiles ? &InterleavePairs : &InterleaveQuads;
  return set;
}

constexpr MicroKernelSet kBf16Kernels = MakeTileSet<PanelType::kBf16Tiles>();
constexpr MicroKernelSet kS8Kernels = MakeTileSet<PanelType::kS8Tiles>();
constexpr MicroKernelSet kS8U8Kernels = MakeTileSet<PanelType::kS8U8Tiles>();
constexpr MicroKernelSet kU8S8Kernels = MakeTileSet<PanelType::kU8S8Tiles>();
constexpr MicroKernelSet kU8Kernels = MakeTileSet<PanelType::kU8Tiles>();

}  // namespace

const MicroKernelSet& TileKernelsOf(PanelType type) {
  switch (type) {
    case PanelType::kS8Tiles:
      return kS8Kernels;
    case PanelType::kS8U8Tiles:
      return kS8U8Kernels;
    case PanelType::kU8S8Tiles:
      return kU8S8Kernels;
    case PanelType::kU8Tiles:
      return kU8Kernels;
    default:
      return kBf16Kernels;
  }
}

}  // namespace xla::cpu

#endif  // __x86_64__
