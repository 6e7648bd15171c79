// Packs panels, runs micro kernels over them, stores tiles.
#include "xla/backends/cpu/kernels/products/packed_product.h"

#include <algorithm>
#include <complex>
#include <cstring>
#include <type_traits>
#include <utility>

#include "absl/container/inlined_vector.h"
#include "xla/backends/cpu/kernels/vector/element_runs.h"
#include "xla/backends/cpu/kernels/vector/transposing.h"
#include "xla/base/checked_math.h"
#include "xla/core/primitive_util.h"

namespace xla::cpu {
namespace {

// The elements by which rows of the left matrix in scratch are longer than
// their depth, so that they do not all map to the same cache sets.
constexpr int64_t kRowPadding = 16;
// Returns the most rows of the left matrix that are read into scratch at a
// time, 127 KB of F32: a multiple of those of a micro kernel.
int64_t LeftRowsAtOnce(const ProductKind& kind) {
  return RoundDownTo(int64_t{5} * MicroKernelSet::kMaxVectorRows,
                     kind.kernels.set->max_rows);
}

// Returns how many of `rows` rows should be taken at a time, so that few are
// left for the last time.
int64_t EvenRows(const ProductKind& kind, int64_t rows) {
  const int64_t times = CeilOfRatio(rows, LeftRowsAtOnce(kind));
  if (times <= 1) return std::max<int64_t>(rows, 1);
  return RoundUpTo(CeilOfRatio(rows, times),
                   int64_t{kind.kernels.set->max_rows});
}

// The stride of rows of complex numbers before they are split.
int64_t ComplexStride(const ProductKind& kind) {
  return kind.depth_block() + kRowPadding;
}

int64_t SumRows(const ProductKind& kind, int64_t rows) {
  return kind.is_complex ? 2 * rows : rows;
}

// Returns the columns of the panels for `columns` columns.
int64_t PaddedColumns(const MicroKernelSet& set, int64_t columns) {
  return RoundUpTo(columns, set.lanes);
}

// Fetches rows of a [depth, columns] matrix as panel elements, one row for each
// element of a panel's depth.
class RowFetcher {
 public:
  RowFetcher(const ProductKind& kind, const RightMatrix& right, int64_t depth,
             void* scratch)
      : kind_(kind),
        right_(right),
        depth_(depth),
        bytes_(primitive_util::ByteWidth(right.type)),
        convert_(RunConverterOf(right.type, kind.element)),
        scratch_(static_cast<char*>(scratch)) {}

  // Returns columns [first, first + count) of row `l` of the panel.
  const void* Fetch(int64_t l, int64_t first, int64_t count) {
    if (kind_.is_complex) return FetchPart(l, first, count);
    if (kind_.group > 1) return FetchGroups(l, first, count);
    const void* row = ReadRow(l, first, count);
    if (right_.type == kind_.element) return row;
    convert_(row, scratch_, count);
    return scratch_;
  }

  // Writes full panels from column `first` on to row `l` of each, as
  // MicroKernelSet::interleave. Returns false, and writes nothing, if that
  // takes more.
  bool Interleave(int64_t l, int64_t first, int64_t panels, char* to,
                  int64_t panel_bytes) const {
    const MicroKernelSet& set = *kind_.kernels.set;
    if (set.interleave == nullptr || right_.type != kind_.element ||
        right_.computed != nullptr || (l + 1) * kind_.group > depth_) {
      return false;
    }
    const void* rows[kMaxGroup];
    for (int i = 0; i < kind_.group; ++i) {
      rows[i] = RowAt(l * kind_.group + i, first);
    }
    set.interleave(rows, panels, to, panel_bytes);
    return true;
  }

  // Prefetches the columns of a row some rows below `l`. In a matrix that is
  // much wider, each row is on a page of its own, which hardware prefetchers do
  // not foresee.
  void Prefetch(int64_t l, int64_t first, int64_t count) const {
    if (right_.computed != nullptr) return;
    constexpr int64_t kRowsAhead = 8;
    const int64_t row =
        (kind_.is_complex ? l / 2 : l * kind_.group) + kRowsAhead;
    if (row >= depth_) return;
    const char* from = static_cast<const char*>(RowAt(row, first));
    for (int64_t at = 0; at < count * bytes_; at += 64) {
      __builtin_prefetch(from + at);
    }
  }

  // The columns that one call fetches: their scratch, at most 24 KB, stays in
  // the L1 cache.
  static constexpr int64_t kMaxCount = 512;
  static constexpr size_t kScratchBytes = 3 * kMaxCount * 16;

 private:
  static constexpr int kMaxGroup = 4;

  const void* RowAt(int64_t l, int64_t first) const {
    return static_cast<const char*>(right_.data) +
           (l * right_.stride + first) * bytes_;
  }

  // Returns elements of a row in place, or computed into the last third of
  // scratch, where they stay until the next call.
  const void* ReadRow(int64_t l, int64_t first, int64_t count) {
    if (right_.computed == nullptr) return RowAt(l, first);
    char* const to = scratch_ + 2 * kScratchBytes / 3;
    (*right_.computed)(right_.row + l, right_.column + first, count, to);
    return to;
  }

  const void* FetchPart(int64_t l, int64_t first, int64_t count) {
    const auto split = [&](auto* to) {
      using T = std::remove_pointer_t<decltype(to)>;
      T* complex = to + kMaxCount;
      convert_(RowAt(l / 2, first), complex, count);
      for (int64_t j = 0; j < count; ++j) to[j] = complex[2 * j + l % 2];
    };
    if (kind_.panel == PanelType::kF32) {
      split(reinterpret_cast<float*>(scratch_));
    } else {
      split(reinterpret_cast<double*>(scratch_));
    }
    return scratch_;
  }

  const void* FetchGroups(int64_t l, int64_t first, int64_t count) {
    const int group = kind_.group;
    const int64_t row_bytes = kMaxCount * kind_.element_bytes();
    char* converted = scratch_ + kMaxCount * kind_.kernels.set->element_bytes;
    const void* rows[kMaxGroup];
    for (int i = 0; i < group; ++i) {
      char* const row = converted + i * row_bytes;
      rows[i] = row;
      if (l * group + i >= depth_) {
        std::memset(row, 0, count * kind_.element_bytes());
      } else if (right_.type == kind_.element && right_.computed == nullptr) {
        rows[i] = RowAt(l * group + i, first);
      } else {
        convert_(ReadRow(l * group + i, first, count), row, count);
      }
    }
    InterleaveRows(group, kind_.element_bytes(), rows, count, scratch_);
    return scratch_;
  }

  const ProductKind& kind_;
  const RightMatrix& right_;
  const int64_t depth_;
  const int bytes_;
  const RunConverter convert_;
  char* const scratch_;
};

// Packs one block of depth for PackRight.
struct DepthBlock {
  int64_t first, count;              // in elements
  int64_t panel_first, panel_count;  // in elements of a panel's depth
  int64_t rows_before;               // of panels, start rows included
  int64_t start_rows;
  int64_t end_rows;  // that fill up its panels

  int64_t panel_rows() const { return start_rows + panel_count + end_rows; }
};

// Copies a row of a whole panel; with a compile-time size that is a few moves.
template <int kBytes>
void CopyWhole(const char* from, char* to) {
  std::memcpy(to, from, kBytes);
}

void CopyToPanel(const char* from, int64_t valid_bytes, int64_t bytes,
                 char* to) {
  if (valid_bytes == 256) return CopyWhole<256>(from, to);
  if (valid_bytes == 128) return CopyWhole<128>(from, to);
  if (valid_bytes == 64) {
    CopyWhole<64>(from, to);
  } else {
    std::memcpy(to, from, valid_bytes);
  }
  if (bytes > valid_bytes)
    std::memset(to + valid_bytes, 0, bytes - valid_bytes);
}

void PackRows(const ProductKind& kind, const RightMatrix& right, int64_t depth,
              const DepthBlock& block, int64_t first, int64_t last,
              int64_t padded, char* packed, void* scratch) {
  const MicroKernelSet& set = *kind.kernels.set;
  const int width = kind.kernels.set->element_bytes;
  const int64_t panel = set.panel_columns();
  RowFetcher fetcher(kind, right, depth, scratch);
  for (int64_t l = 0; l < block.panel_count; ++l) {
    for (int64_t c = first; c < last; c += RowFetcher::kMaxCount) {
      const int64_t count = std::min(RowFetcher::kMaxCount, last - c);
      fetcher.Prefetch(block.panel_first + l, c, count);
      const auto panel_row = [&](int64_t column) {
        const int64_t columns = std::min(panel, padded - column);
        return packed + (column * block.panel_rows() +
                         (block.start_rows + l) * columns) *
                            width;
      };
      const int64_t whole = RoundDownTo(count, panel);
      const int64_t done =
          whole > 0 && fetcher.Interleave(block.panel_first + l, c,
                                          whole / panel, panel_row(c),
                                          panel * block.panel_rows() * width)
              ? whole
              : 0;
      if (done == count) continue;
      const char* row = static_cast<const char*>(
          fetcher.Fetch(block.panel_first + l, c + done, count - done));
      for (int64_t j = done; j < count; j += panel) {
        const int64_t columns = std::min(panel, padded - (c + j));
        const int64_t valid = std::min(columns, count - j);
        CopyToPanel(row + (j - done) * width, valid * width, columns * width,
                    panel_row(c + j));
      }
    }
  }
}

void PackTransposed(const ProductKind& kind, const RightMatrix& right,
                    const DepthBlock& block, int64_t first, int64_t last,
                    int64_t padded, char* packed, void* scratch) {
  const MicroKernelSet& set = *kind.kernels.set;
  const int width = kind.kernels.set->element_bytes;
  const int64_t panel = set.panel_columns();
  const int bytes = primitive_util::ByteWidth(right.type);
  const RunConverter convert = RunConverterOf(right.type, kind.element);
  const int64_t row_bytes = block.panel_count * width;
  // Transposes rows into columns, kTransposedRows of them at a time.
  char* converted = static_cast<char*>(scratch);
  char* spare = converted + kTransposedRows * row_bytes;
  for (int64_t c = first; c < last; c += panel) {
    const int64_t columns = std::min(panel, padded - c);
    char* to =
        packed + (c * block.panel_rows() + block.start_rows * columns) * width;
    for (int64_t j = 0; j < columns; j += kTransposedRows) {
      const void* rows[kTransposedRows];
      for (int64_t r = 0; r < kTransposedRows; ++r) {
        char* row = converted + r * row_bytes;
        rows[r] = row;
        if (c + j + r >= last) {
          std::memset(row, 0, row_bytes);
          continue;
        }
        const char* from = static_cast<const char*>(right.data) +
                           ((c + j + r) * right.stride + block.first) * bytes;
        if (right.computed != nullptr) {
          (*right.computed)(right.row + c + j + r, right.column + block.first,
                            block.count, spare);
          from = spare;
        } else if (right.type == kind.element &&
                   block.count % kind.group == 0) {
          rows[r] = from;
          continue;
        }
        convert(from, row, block.count);
        const int64_t valid = block.count * kind.element_bytes();
        std::memset(row + valid, 0, row_bytes - valid);
      }
      // Panels of few columns have no room for all kTransposedRows columns.
      const int64_t room = std::min(kTransposedRows, columns - j);
      if (room == kTransposedRows) {
        RowsToColumns(width, rows, block.panel_count, to + j * width, columns);
        continue;
      }
      RowsToColumns(width, rows, block.panel_count, spare, kTransposedRows);
      for (int64_t l = 0; l < block.panel_count; ++l) {
        std::memcpy(to + (l * columns + j) * width,
                    spare + l * kTransposedRows * width, room * width);
      }
    }
  }
}

DepthBlock DepthBlockAt(const ProductKind& kind, int64_t depth, int64_t first) {
  DepthBlock block;
  block.first = first;
  block.count = std::min(kind.depth_block(), depth - first);
  block.panel_first = kind.panel_depth(first);
  block.panel_count = kind.panel_depth(block.count);
  block.start_rows = kind.kernels.set->start_rows;
  block.end_rows =
      RoundUpTo<int64_t>(block.panel_count, kind.kernels.set->depth_step) -
      block.panel_count;
  block.rows_before =
      block.panel_first + first / kind.depth_block() * block.start_rows;
  return block;
}

// Fills the start rows of panels of columns [first, last).
void FillStarts(const ProductKind& kind, const DepthBlock& block, int64_t first,
                int64_t last, int64_t padded, char* packed) {
  const MicroKernelSet& set = *kind.kernels.set;
  const int64_t panel = set.panel_columns();
  for (int64_t c = first; c < last; c += panel) {
    const int64_t columns = std::min(panel, padded - c);
    char* const to = packed + c * block.panel_rows() * set.element_bytes;
    if (kind.shifts_left) {
      set.fill_start(block.panel_count, columns, to);
    } else {
      std::memset(to, 0, columns * set.element_bytes);
    }
  }
}

// Fills the end rows of panels of columns [first, last) with zeros.
void FillEnds(const ProductKind& kind, const DepthBlock& block, int64_t first,
              int64_t last, int64_t padded, char* packed) {
  const MicroKernelSet& set = *kind.kernels.set;
  const int64_t panel = set.panel_columns();
  for (int64_t c = first; c < last; c += panel) {
    const int64_t row_bytes = std::min(panel, padded - c) * set.element_bytes;
    char* const to = packed + c * block.panel_rows() * set.element_bytes +
                     (block.start_rows + block.panel_count) * row_bytes;
    std::memset(to, 0, block.end_rows * row_bytes);
  }
}

void PackDepth(const ProductKind& kind, const RightMatrix& right, int64_t depth,
               const DepthBlock& block, int64_t first, int64_t last,
               int64_t padded, char* packed, void* scratch) {
  if (right.transposed) {
    PackTransposed(kind, right, block, first, last, padded, packed, scratch);
  } else {
    PackRows(kind, right, depth, block, first, last, padded, packed, scratch);
  }
  if (block.start_rows > 0) {
    FillStarts(kind, block, first, last, padded, packed);
  }
  if (block.end_rows > 0) FillEnds(kind, block, first, last, padded, packed);
}

// Writes rows of complex numbers as the real rows (re, -im) and (im, re).
template <typename T>
void SplitComplexRows(const T* from, int64_t rows, int64_t depth,
                      int64_t from_stride, T* to, int64_t to_stride) {
  for (int64_t i = 0; i < rows; ++i) {
    const T* row = from + 2 * i * from_stride;
    T* real = to + 2 * i * to_stride;
    T* imaginary = real + to_stride;
    for (int64_t l = 0; l < depth; ++l) {
      const T re = row[2 * l], im = row[2 * l + 1];
      real[2 * l] = re;
      real[2 * l + 1] = -im;
      imaginary[2 * l] = im;
      imaginary[2 * l + 1] = re;
    }
  }
}

// The place of a tile's sums: in the result, or in scratch until they are
// converted.
struct SumTile {
  char* data;
  int64_t stride;  // in elements
};

// Converts rows [first, first + rows) of a tile.
void StoreRows(const ProductKind& kind, const ProductTile& tile,
               const SumTile& sums, int64_t first, int64_t rows,
               void* row_scratch) {
  const int width = kind.kernels.set->element_bytes;
  const int out_bytes = primitive_util::ByteWidth(tile.out_type);
  const RunConverter convert =
      tile.out_type == BF16 && kind.kernels.set->to_bf16 != nullptr
          ? kind.kernels.set->to_bf16
          : RunConverterOf(kind.sum, tile.out_type);
  for (int64_t i = first; i < first + rows; ++i) {
    char* to = static_cast<char*>(tile.out) +
               ((tile.row0 + i) * tile.out_stride + tile.column0) * out_bytes;
    if (!kind.is_complex) {
      convert(sums.data + i * sums.stride * width, to, tile.columns);
      continue;
    }
    const auto join = [&](auto* complex) {
      using T = std::remove_pointer_t<decltype(complex)>;
      const T* real =
          reinterpret_cast<const T*>(sums.data) + 2 * i * sums.stride;
      const T* imaginary = real + sums.stride;
      for (int64_t j = 0; j < tile.columns; ++j) {
        complex[2 * j] = real[j];
        complex[2 * j + 1] = imaginary[j];
      }
    };
    if (kind.panel == PanelType::kF32) {
      join(static_cast<float*>(row_scratch));
    } else {
      join(static_cast<double*>(row_scratch));
    }
    convert(row_scratch, to, tile.columns);
  }
}

// The layout of the scratch of a tile.
struct TileLayout {
  int64_t left_stride;  // in panel elements
  int64_t sum_stride;
  size_t left_bytes, complex_bytes, sum_bytes, row_bytes;

  TileLayout(const ProductKind& kind, PrimitiveType out, int64_t rows,
             int64_t columns, bool left_in_place) {
    const int width = kind.kernels.set->element_bytes;
    const int64_t depth = kind.panel_depth(kind.depth_block());
    const int64_t left_rows =
        left_in_place ? 0 : std::min(rows, LeftRowsAtOnce(kind));
    left_stride = depth + kRowPadding;
    left_bytes = RoundUpTo(SumRows(kind, left_rows) * left_stride * width, 64);
    complex_bytes =
        kind.is_complex
            ? RoundUpTo(left_rows * ComplexStride(kind) * kind.element_bytes(),
                        64)
            : 0;
    const bool in_place = SumsInPlace(kind, out);
    sum_stride = PaddedColumns(*kind.kernels.set, columns);
    sum_bytes =
        in_place ? 0 : RoundUpTo(SumRows(kind, rows) * sum_stride * width, 64);
    row_bytes =
        kind.is_complex ? RoundUpTo(columns * kind.element_bytes(), 64) : 0;
  }
  size_t total() const {
    return left_bytes + complex_bytes + sum_bytes + row_bytes;
  }
};

// Reads rows [row0, row0 + rows) of a block of the left matrix into scratch.
void ReadLeft(const ProductKind& kind, int64_t row0, int64_t rows,
              int64_t depth0, int64_t depth, const TileLayout& layout,
              LeftReader reader, char* to, char* complex) {
  if (kind.is_complex) {
    const int64_t stride = ComplexStride(kind);
    reader(row0, rows, depth0, depth, complex, stride);
    if (kind.panel == PanelType::kF32) {
      SplitComplexRows(reinterpret_cast<const float*>(complex), rows, depth,
                       stride, reinterpret_cast<float*>(to),
                       layout.left_stride);
    } else {
      SplitComplexRows(reinterpret_cast<const double*>(complex), rows, depth,
                       stride, reinterpret_cast<double*>(to),
                       layout.left_stride);
    }
    return;
  }
  const int64_t stride = layout.left_stride * kind.group;
  reader(row0, rows, depth0, depth, to, stride);
  if (kind.group == 1) return;
  const int bytes = kind.element_bytes();
  const int64_t padding =
      (kind.panel_depth(depth) * kind.group - depth) * bytes;
  for (int64_t i = 0; i < rows; ++i) {
    char* const row = to + i * stride * bytes;
    std::memset(row + depth * bytes, 0, padding);
    if (!kind.shifts_left) continue;
    for (int64_t l = 0; l < depth; ++l) row[l] ^= static_cast<char>(0x80);
  }
}

// Whether micro kernels pack the right matrix as they multiply.
bool KernelsPack(const ProductKind& kind, const RightMatrix& right) {
  return kind.kernels.set->packing != nullptr && right.computed == nullptr &&
         !right.transposed && !kind.is_complex && right.type == kind.element;
}

// After the first rows, for the other ones.
void UsePacked(BlockProduct& block) {
  if (block.packed == nullptr) return;
  block.right = std::exchange(block.packed, nullptr);
  block.right_stride = 0;
}

// Multiplies one block of depth of rows [first, first + rows) of a tile, whose
// sums are at block.out. Rows of the left matrix that are not read in place are
// copied to `left`, some at a time, complex ones through `complex`.
void MultiplyDepth(const ProductKind& kind, const ProductTile& tile,
                   int64_t first, int64_t rows, int64_t depth0, int64_t depth,
                   const TileLayout& layout, LeftReader reader, char* left,
                   char* complex, BlockProduct block) {
  const int width = kind.kernels.set->element_bytes;
  block.depth = kind.panel_depth(depth);
  if (tile.left != nullptr) {
    block.left = static_cast<const char*>(tile.left) +
                 ((tile.row0 + first) * tile.left_stride + depth0) *
                     kind.element_bytes();
    block.left_stride = tile.left_stride / kind.group;
    block.rows = rows;
    return MultiplyBlock(block);
  }
  block.left = left;
  block.left_stride = layout.left_stride;
  char* const out = static_cast<char*>(block.out);
  const int64_t step = EvenRows(kind, rows);
  for (int64_t i = 0; i < rows; i += step) {
    const int64_t count = std::min(step, rows - i);
    ReadLeft(kind, tile.row0 + first + i, count, depth0, depth, layout, reader,
             left, complex);
    block.rows = SumRows(kind, count);
    block.out = out + SumRows(kind, i) * block.out_stride * width;
    MultiplyBlock(block);
    UsePacked(block);
  }
}

// Returns what finishing some rows of a tile will read.
absl::InlinedVector<MemoryRows, 2> ReadsToFinish(const ProductTile& tile,
                                                 int64_t first, int64_t rows) {
  absl::InlinedVector<MemoryRows, 2> reads;
  if (tile.finish == nullptr) return reads;
  const int64_t row = tile.finish_row + tile.row0 + first;
  for (const TileOperand& operand : tile.finish->operands) {
    reads.push_back({operand.data + row * operand.row_bytes +
                         tile.finish_column * operand.element_bytes,
                     rows, tile.columns * operand.element_bytes,
                     operand.row_bytes});
  }
  return reads;
}

// Returns the panels of block `depth` of columns [first, first + columns), of
// `padded` columns in all, if they are packed before.
Panels PanelsOf(const ProductKind& kind, const ProductTile& tile,
                const DepthBlock& depth, int64_t padded, int64_t first,
                int64_t columns) {
  if (tile.right != nullptr) return {};
  return {static_cast<const char*>(tile.packed) +
              (depth.rows_before * padded + first * depth.panel_rows()) *
                  kind.kernels.set->element_bytes,
          columns, depth.panel_rows()};
}

// Packs a block of depth of the tile's right matrix, or lets micro kernels do
// it.
void SetRight(const ProductKind& kind, const ProductTile& tile,
              const DepthBlock& depth, BlockProduct& block) {
  const RightMatrix& right = *tile.right;
  if (KernelsPack(kind, right)) {
    block.right =
        static_cast<const char*>(right.data) +
        depth.first * right.stride * primitive_util::ByteWidth(right.type);
    block.right_stride = right.stride;
    block.packed = tile.pack_memory;
    return;
  }
  char* const packed = static_cast<char*>(tile.pack_memory);
  const size_t bytes = PackedRightBytes(
      kind, std::min(tile.depth, kind.depth_block()), tile.columns);
  PackDepth(kind, right, tile.depth, depth, 0, tile.columns,
            PaddedColumns(*kind.kernels.set, tile.columns), packed,
            packed + bytes);
  block.right = packed;
}

}  // namespace

bool SumsInPlace(const ProductKind& kind, PrimitiveType out) {
  if (kind.is_complex) return false;
  if (out == kind.sum) return true;
  return (kind.sum == U32 && out == S32) || (kind.sum == U64 && out == S64);
}

int64_t PanelColumns(const ProductKind& kind) {
  return kind.kernels.set->panel_columns();
}

bool CanReadLeftInPlace(const ProductKind& kind, PrimitiveType type,
                        int64_t stride, int64_t depth) {
  return type == kind.left && !kind.is_complex && !kind.shifts_left &&
         stride % kind.group == 0 && depth % kind.group == 0;
}

bool ReadsAnyRowsWell(const ProductKind& kind) {
  constexpr int kWays = 8;
  // A panel and the result need one each.
  return kind.kernels.set->max_rows <= kWays - 2;
}

size_t PackedRightBytes(const ProductKind& kind, int64_t depth,
                        int64_t columns) {
  const MicroKernelSet& set = *kind.kernels.set;
  return RoundUpTo(static_cast<size_t>(kind.panel_rows(depth)) *
                       PaddedColumns(set, columns) *
                       kind.kernels.set->element_bytes,
                   64);
}

size_t PackRightScratchBytes(const ProductKind& kind, int64_t depth) {
  const int64_t row = kind.panel_depth(std::min(depth, kind.depth_block()));
  return RoundUpTo(std::max<size_t>(RowFetcher::kScratchBytes,
                                    2 * kTransposedRows * row *
                                        kind.kernels.set->element_bytes),
                   64);
}

void PackRight(const ProductKind& kind, const RightMatrix& right, int64_t depth,
               int64_t columns, int64_t first, int64_t last, void* packed,
               void* scratch) {
  const MicroKernelSet& set = *kind.kernels.set;
  const int64_t padded = PaddedColumns(set, columns);
  const int64_t step = kind.depth_block();
  // With depth 0, start rows must be written.
  int64_t l = 0;
  do {
    const DepthBlock block = DepthBlockAt(kind, depth, l);
    char* to = static_cast<char*>(packed) +
               block.rows_before * padded * kind.kernels.set->element_bytes;
    PackDepth(kind, right, depth, block, first, last, padded, to, scratch);
    l += step;
  } while (l < depth);
}

size_t PackedBlockBytes(const ProductKind& kind, int64_t depth,
                        int64_t columns) {
  return PackedRightBytes(kind, std::min(depth, kind.depth_block()), columns) +
         PackRightScratchBytes(kind, depth);
}

size_t TileScratchBytes(const ProductKind& kind, PrimitiveType out_type,
                        int64_t rows, int64_t columns, bool left_in_place) {
  return TileLayout(kind, out_type, rows, columns, left_in_place).total();
}

void MultiplyTile(const ProductKind& kind, const ProductTile& tile,
                  LeftReader reader, void* scratch) {
  const TileLayout layout(kind, tile.out_type, tile.rows, tile.columns,
                          tile.left != nullptr);
  const int width = kind.kernels.set->element_bytes;
  char* left = static_cast<char*>(scratch);
  char* complex = left + layout.left_bytes;
  char* sum_scratch = complex + layout.complex_bytes;
  char* row_scratch = sum_scratch + layout.sum_bytes;
  const bool in_place = SumsInPlace(kind, tile.out_type);
  SumTile sums = {sum_scratch, layout.sum_stride};
  if (in_place) {
    sums.data = static_cast<char*>(tile.out) +
                (tile.row0 * tile.out_stride + tile.column0) * width;
    sums.stride = tile.out_stride;
  }
  const int64_t padded = PaddedColumns(*kind.kernels.set, tile.packed_columns);
  BlockProduct block = {};
  block.kernels = kind.kernels;
  block.columns = tile.columns;
  block.out_stride = sums.stride;
  const int64_t step = kind.depth_block();
  const int64_t begin = tile.depths < 0 ? 0 : tile.depth0;
  const int64_t end = tile.depths < 0 ? tile.depth : begin + tile.depths;
  // With depth 0, zeros must be written.
  int64_t l = RoundDownTo(begin, step);
  do {
    const DepthBlock depth = DepthBlockAt(kind, tile.depth, l);
    const int64_t first = std::max(begin, l);
    const int64_t count =
        std::max<int64_t>(std::min(end, l + depth.count) - first, 0);
    if (tile.right != nullptr) {
      SetRight(kind, tile, depth, block);
    } else {
      const Panels panels =
          PanelsOf(kind, tile, depth, padded, tile.column0, tile.columns);
      block.right = panels.data;
      block.panel_rows = panels.rows;
      block.right_row = (first - l) / kind.group;
    }
    block.accumulate = l > begin;
    l += step;
    block.next =
        l < end
            ? PanelsOf(kind, tile, DepthBlockAt(kind, tile.depth, l), padded,
                       tile.column0, tile.columns)
            : PanelsOf(kind, tile, DepthBlockAt(kind, tile.depth, 0), padded,
                       tile.column0 + tile.columns, tile.columns_after);
    // Rows are stored and finished while they are in the cache.
    const bool last = l >= end;
    const int64_t rows_each = last && (!in_place || tile.finish != nullptr)
                                  ? EvenRows(kind, tile.rows)
                                  : std::max<int64_t>(tile.rows, 1);
    for (int64_t i = 0; i < tile.rows; i += rows_each) {
      const int64_t rows = std::min(rows_each, tile.rows - i);
      block.out = sums.data + SumRows(kind, i) * sums.stride * width;
      const absl::InlinedVector<MemoryRows, 2> reads =
          ReadsToFinish(tile, i, rows);
      if (last) block.read_later = reads;
      MultiplyDepth(kind, tile, i, rows, first, count, layout, reader, left,
                    complex, block);
      UsePacked(block);
      if (last && !in_place) StoreRows(kind, tile, sums, i, rows, row_scratch);
      if (last && tile.finish != nullptr) {
        tile.finish->function(tile.finish_row + tile.row0 + i, rows,
                              tile.finish_column, tile.columns);
      }
    }
  } while (l < end);
  if (kind.kernels.set->release_tiles) kind.kernels.set->release_tiles();
}

}  // namespace xla::cpu
