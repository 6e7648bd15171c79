// The loops around micro kernels: rows of the left matrix stay in the L1 cache
// while panels of the right one come from the L2 cache, or a panel does while
// rows come.
#include "xla/backends/cpu/kernels/products/block_product.h"

#include <algorithm>
#include <cstring>

#include "xla/base/checked_math.h"

namespace xla::cpu {
namespace {

constexpr int64_t kLineBytes = 64;
constexpr int64_t kMaxEdgeBytes = MicroKernelSet::kMaxRows *
                                  MicroKernelSet::kMaxVectors *
                                  MicroKernelSet::kMaxVectorBytes;

// A kernel and the columns that it takes.
struct Panel {
  MicroKernel kernel;
  int64_t width;  // in elements
};

class Block {
 public:
  explicit Block(const BlockProduct& block)
      : b_(block),
        set_(*block.kernels.set),
        width_(set_.element_bytes),
        row_step_(RowStep(set_, b_.rows)) {}

  void Run() {
    if (UsesTiles()) set_.set_up_tiles(static_cast<int>(row_step_));
    const int64_t panel = set_.panel_columns();
    const int64_t step = std::max(
        RoundDownTo(b_.kernels.cached_right_bytes / DepthBytes(), panel),
        panel);
    if (IsInPlace()) FillLastPanel();
    for (int64_t c = 0; c < b_.columns; c += step) {
      const int64_t end = std::min(c + step, b_.columns);
      PrefetchNext(end < b_.columns ? PanelsFrom(end) : b_.next, step, c, end);
      if (KeepsPanels(end - c)) {
        RunPanels(c, end);
      } else {
        RunRows(c, end);
      }
    }
  }

 private:
  // Returns the most rows of a kernel. Those that use tiles all take as many,
  // so that tiles are set up once; the last of them computes some rows again.
  static int64_t RowStep(const MicroKernelSet& set, int64_t rows) {
    if (set.set_up_tiles == nullptr || rows == 0) return set.max_rows;
    return CeilOfRatio(rows, CeilOfRatio<int64_t>(rows, set.max_rows));
  }
  bool UsesTiles() const { return set_.set_up_tiles != nullptr; }

  // The bytes of a column of the right matrix, or a row of the left one.
  int64_t DepthBytes() const { return std::max<int64_t>(b_.depth, 1) * width_; }

  // Whether a panel should stay in the L1 cache while rows come from the L2
  // cache, for `columns` columns. The other way round there is less to do for
  // each micro kernel, but panels, which are larger than rows, come from the L2
  // cache unless all stay beside the rows. Of tiles, there are as many rows as
  // columns, and panels, which have one line after the other, are faster to
  // bring.
  bool KeepsPanels(int64_t columns) const {
    const int64_t cache = b_.kernels.first_cache_bytes;
    return !IsInPlace() && !UsesTiles() &&
           set_.panel_columns() * DepthBytes() <= cache &&
           (columns + row_step_) * DepthBytes() > cache;
  }

  // Returns the panels from `column` on, if they are packed already.
  Panels PanelsFrom(int64_t column) const {
    if (b_.right_stride != 0) return {};
    return {RightAt(column), b_.columns - column, PanelRows()};
  }

  // Lets the last micro kernels of columns [begin, end) prefetch the first
  // `columns` columns of `next`, line by line: memory brings lines that follow
  // each other faster. The first rows would wait for memory otherwise: they
  // need panels faster than it brings them, the others not at all.
  void PrefetchNext(const Panels& next, int64_t columns, int64_t begin,
                    int64_t end) {
    lines_left_ = 0;
    if (next.data == nullptr || b_.rows <= row_step_ || b_.depth == 0) return;
    ahead_ = static_cast<const char*>(next.data);
    lines_left_ = CeilOfRatio(
        std::min(columns, next.columns) * next.rows * width_, kLineBytes);
    // What comes earlier than it is needed would leave the cache again.
    const int64_t kernels = CeilOfRatio(b_.rows, row_step_) *
                            CeilOfRatio(end - begin, set_.panel_columns());
    kernels_before_ = kernels - 2 * CeilOfRatio(lines_left_, b_.depth);
  }

  // Returns the next lines to prefetch, as many as a kernel asks for, or `used`
  // if there are none.
  PrefetchedLines LinesAhead(const char* used) {
    if (lines_left_ <= 0 || kernels_before_-- > 0) return ReadLater(used);
    const PrefetchedLines lines = {ahead_, kLineBytes};
    ahead_ += b_.depth * kLineBytes;
    lines_left_ -= b_.depth;
    return lines;
  }

  // Returns the next lines of b_.read_later, as many as a kernel asks for, or
  // `used` if there are none.
  PrefetchedLines ReadLater(const char* used) {
    if (later_ == b_.read_later.size() || b_.depth == 0) return {used, 0};
    const MemoryRows& read = b_.read_later[later_];
    const bool is_whole = read.stride == read.row_bytes;
    const int64_t rows = is_whole ? 1 : read.rows;
    const int64_t row_bytes =
        is_whole ? read.rows * read.stride : read.row_bytes;
    const char* const line = read.data + later_row_ * read.stride + later_byte_;
    // Kernels ask for as many lines as they have depth. Where there are fewer,
    // several times for each.
    const int64_t step =
        std::min(CeilOfRatio(row_bytes - later_byte_, b_.depth), kLineBytes);
    later_byte_ += step * b_.depth;
    if (later_byte_ >= row_bytes) {
      later_byte_ = 0;
      if (++later_row_ == rows) {
        later_row_ = 0;
        ++later_;
      }
    }
    return {line, step};
  }

  // Multiplies columns [begin, end): a few rows with all panels, then the next
  // rows.
  void RunRows(int64_t begin, int64_t end) {
    for (int64_t i = 0; i < b_.rows;) {
      const int64_t count = NextRows(i, b_.rows);
      for (int64_t j = begin; j < end;) {
        const Panel panel = PanelAt(count, j, end);
        Multiply(panel, i, count, j);
        j += panel.width;
      }
      i += count;
    }
  }

  // The same: a panel with as many rows as stay in the L2 cache, then the next
  // panel.
  void RunPanels(int64_t begin, int64_t end) {
    const int64_t step = std::max<int64_t>(
        RoundDownTo(b_.kernels.cached_left_bytes / DepthBytes(), row_step_),
        row_step_);
    for (int64_t first = 0; first < b_.rows; first += step) {
      const int64_t last = std::min(first + step, b_.rows);
      int64_t width = 0;
      for (int64_t j = begin; j < end; j += width) {
        for (int64_t i = first; i < last;) {
          const int64_t count = NextRows(i, last);
          const Panel panel = PanelAt(count, j, end);
          width = panel.width;
          Multiply(panel, i, count, j);
          i += count;
        }
      }
    }
  }

  // Returns how many rows the next kernel takes, more than are left at most if
  // it uses tiles.
  int64_t NextRows(int64_t row, int64_t last) const {
    if (UsesTiles()) return row_step_;
    // There are no others that pack.
    if (row == 0 && b_.packed != nullptr && last >= set_.max_rows) {
      return set_.max_rows;
    }
    return set_.NextRows(last - row);
  }

  Panel PanelAt(int64_t rows, int64_t column, int64_t end) const {
    const int64_t left = end - column;
    int64_t vectors =
        std::min<int64_t>(CeilOfRatio(left, set_.lanes), set_.panel_vectors);
    if (IsInPlace()) {
      // Only the columns that do not fill a vector at the end are copied.
      vectors = std::clamp<int64_t>(left / set_.lanes, 1,
                                    MicroKernelSet::kMaxVectors);
      while (set_.kernels[rows][vectors - 1] == nullptr) --vectors;
    }
    return {set_.kernels[rows][vectors - 1], vectors * set_.lanes};
  }

  // Copies the last columns of a matrix in place that do not fill a vector.
  void FillLastPanel() {
    const int64_t valid = b_.columns % set_.lanes;
    if (valid == 0) return;
    const int64_t row_bytes = set_.lanes * width_;
    const char* from = RightAt(b_.columns - valid);
    for (int64_t l = 0; l < b_.depth; ++l) {
      char* to = last_panel_ + l * row_bytes;
      std::memcpy(to, from + l * b_.right_stride * width_, valid * width_);
      std::memset(to + valid * width_, 0, row_bytes - valid * width_);
    }
  }

  const char* RightAt(int64_t column) const {
    const void* const right = b_.packed != nullptr ? b_.packed : b_.right;
    const int64_t rows = IsInPlace() ? 1 : PanelRows();
    return static_cast<const char*>(right) + column * rows * width_;
  }

  int64_t PanelRows() const {
    return b_.panel_rows != 0
               ? b_.panel_rows
               : set_.start_rows +
                     RoundUpTo<int64_t>(b_.depth, set_.depth_step);
  }

  // Whether kernels read the right matrix, not panels.
  bool IsInPlace() const {
    return b_.right_stride != 0 && b_.packed == nullptr;
  }

  // Copies columns [column, column + valid) to a panel.
  void Pack(int64_t column, int64_t valid, int64_t width, char* to) const {
    const char* from = static_cast<const char*>(b_.right) + column * width_;
    for (int64_t l = 0; l < b_.depth; ++l) {
      std::memcpy(to, from, valid * width_);
      std::memset(to + valid * width_, 0, (width - valid) * width_);
      from += b_.right_stride * width_;
      to += width * width_;
    }
  }

  void Multiply(const Panel& panel, int64_t next_row, int64_t rows,
                int64_t column) {
    const int64_t row = std::min(next_row, b_.rows - rows);
    const int64_t done = next_row - row;
    const char* left =
        static_cast<const char*>(b_.left) + row * b_.left_stride * width_;
    char* out =
        static_cast<char*>(b_.out) + (row * b_.out_stride + column) * width_;
    const char* right = RightAt(column) + b_.right_row * panel.width * width_;
    const int64_t valid = std::min(panel.width, b_.columns - column);
    const int64_t packed_stride = IsInPlace() ? b_.right_stride : panel.width;
    if (row == 0 && b_.packed != nullptr) {
      char* const to = const_cast<char*>(RightAt(column));
      if (rows == set_.max_rows && valid == set_.panel_columns()) {
        set_.packing(b_.depth, left, b_.left_stride,
                     static_cast<const char*>(b_.right) + column * width_,
                     b_.right_stride, out, b_.out_stride, b_.accumulate, to);
        return;
      }
      Pack(column, valid, panel.width, to);
    }
    if (valid == panel.width && done == 0) {
      panel.kernel(b_.depth, left, b_.left_stride, right, packed_stride, out,
                   b_.out_stride, b_.accumulate, LinesAhead(left));
      return;
    }
    alignas(64) char edge[kMaxEdgeBytes];
    const int64_t edge_bytes = panel.width * width_;
    if (b_.accumulate) {
      for (int64_t r = done; r < rows; ++r) {
        std::memcpy(edge + r * edge_bytes, out + r * b_.out_stride * width_,
                    valid * width_);
      }
    }
    panel.kernel(b_.depth, left, b_.left_stride,
                 IsInPlace() ? last_panel_ : right, panel.width, edge,
                 panel.width, b_.accumulate, LinesAhead(left));
    for (int64_t r = done; r < rows; ++r) {
      std::memcpy(out + r * b_.out_stride * width_, edge + r * edge_bytes,
                  valid * width_);
    }
  }

  const BlockProduct& b_;
  const MicroKernelSet& set_;
  const int width_;
  const int64_t row_step_;
  // What is prefetched, and the micro kernels before the first that does.
  const char* ahead_ = nullptr;
  int64_t lines_left_ = 0, kernels_before_ = 0;
  // The first byte of b_.read_later that was not asked for.
  size_t later_ = 0;
  int64_t later_row_ = 0, later_byte_ = 0;
  // Left uninitialised, since mostly little of it is used.
  alignas(
      64) char last_panel_[kMaxBlockDepth * MicroKernelSet::kMaxVectorBytes];
};

}  // namespace

BlockKernels BlockKernelsFor(PanelType panel, const CacheSizes& caches) {
  // The other half of the cache is for rows of the left matrix and of the
  // result.
  return {&MicroKernelsOf(panel), caches.l2_bytes / 2, caches.l2_bytes / 4,
          caches.l1_bytes};
}

void MultiplyBlock(const BlockProduct& block) { Block(block).Run(); }

}  // namespace xla::cpu
