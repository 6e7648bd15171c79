// The loops around micro kernels: rows of the left matrix stay in the L1 cache
// while panels of the right one come from the L2 cache.
#include "xla/backends/cpu/kernels/products/block_product.h"

#include <algorithm>
#include <cstring>

#include "xla/base/checked_math.h"

namespace xla::cpu {
namespace {

// A kernel and the columns that it takes.
struct Panel {
  MicroKernel kernel;
  int64_t width;  // in elements
};

class Block {
 public:
  explicit Block(const BlockProduct& block)
      : b_(block), set_(*block.kernels.set), width_(set_.element_bytes) {}

  void Run() {
    const int64_t wide = 2 * set_.lanes;
    const int64_t step =
        std::max(RoundDownTo(b_.kernels.cached_right_bytes /
                                 (std::max<int64_t>(b_.depth, 1) * width_),
                             wide),
                 wide);
    if (b_.right_stride != 0) FillLastPanel();
    for (int64_t c = 0; c < b_.columns; c += step) {
      const int64_t end = std::min(c + step, b_.columns);
      for (int64_t i = 0; i < b_.rows;) {
        const int64_t left = b_.rows - i;
        const int64_t count = set_.NextRows(left);
        for (int64_t j = c; j < end;) {
          const Panel panel = PanelAt(count, j, end);
          Multiply(panel, i, count, j);
          j += panel.width;
        }
        i += count;
      }
    }
  }

 private:
  Panel PanelAt(int64_t rows, int64_t column, int64_t end) const {
    const int64_t left = end - column;
    const int64_t broad = MicroKernelSet::kBroadVectors * set_.lanes;
    if (b_.right_stride != 0 && left >= broad && set_.broad[rows] != nullptr) {
      return {set_.broad[rows], broad};
    }
    // A panel that is read in place is narrow only if a wide one would be
    // incomplete.
    const bool wide =
        b_.right_stride != 0 ? left >= 2 * set_.lanes : left > set_.lanes;
    return {set_.kernels[rows][wide], wide ? 2 * set_.lanes : set_.lanes};
  }

  // Copies the last columns of a matrix in place that do not fill a narrow
  // panel.
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
    const int64_t rows = b_.right_stride != 0 ? 1
                         : b_.panel_rows != 0 ? b_.panel_rows
                                              : set_.start_rows + b_.depth;
    return static_cast<const char*>(b_.right) + column * rows * width_;
  }

  void Multiply(const Panel& panel, int64_t row, int64_t rows, int64_t column) {
    const char* left =
        static_cast<const char*>(b_.left) + row * b_.left_stride * width_;
    char* out =
        static_cast<char*>(b_.out) + (row * b_.out_stride + column) * width_;
    const char* right = RightAt(column) + b_.right_row * panel.width * width_;
    const int64_t valid = std::min(panel.width, b_.columns - column);
    const int64_t packed_stride =
        b_.right_stride != 0 ? b_.right_stride : panel.width;
    if (valid == panel.width) {
      panel.kernel(b_.depth, left, b_.left_stride, right, packed_stride, out,
                   b_.out_stride, b_.accumulate);
      return;
    }
    alignas(64) char
        edge[MicroKernelSet::kMaxRows * MicroKernelSet::kMaxPanelBytes];
    const int64_t edge_bytes = panel.width * width_;
    if (b_.accumulate) {
      for (int64_t r = 0; r < rows; ++r) {
        std::memcpy(edge + r * edge_bytes, out + r * b_.out_stride * width_,
                    valid * width_);
      }
    }
    const bool in_place = b_.right_stride != 0;
    panel.kernel(b_.depth, left, b_.left_stride, in_place ? last_panel_ : right,
                 panel.width, edge, panel.width, b_.accumulate);
    for (int64_t r = 0; r < rows; ++r) {
      std::memcpy(out + r * b_.out_stride * width_, edge + r * edge_bytes,
                  valid * width_);
    }
  }

  const BlockProduct& b_;
  const MicroKernelSet& set_;
  const int width_;
  // Left uninitialised, since mostly little of it is used.
  alignas(
      64) char last_panel_[kMaxBlockDepth * MicroKernelSet::kMaxPanelBytes / 2];
};

}  // namespace

BlockKernels BlockKernelsFor(PanelType panel, const CacheSizes& caches) {
  // The other half of the cache is for rows of the left matrix and of the
  // result.
  return {&MicroKernelsOf(panel), caches.l2_bytes / 2};
}

void MultiplyBlock(const BlockProduct& block) { Block(block).Run(); }

}  // namespace xla::cpu
