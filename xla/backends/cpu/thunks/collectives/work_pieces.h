// WorkPieces: items of work of differing lengths, divided into pieces that
// threads take.
#ifndef XLA_BACKENDS_CPU_THUNKS_COLLECTIVES_WORK_PIECES_H_
#define XLA_BACKENDS_CPU_THUNKS_COLLECTIVES_WORK_PIECES_H_

#include <algorithm>
#include <cstdint>

#include "absl/container/inlined_vector.h"
#include "absl/functional/function_ref.h"
#include "xla/base/checked_math.h"
#include "xla/runtime/parallel.h"

namespace xla::cpu {

class WorkPieces {
 public:
  // Work on fewer bytes than this stays on the calling thread: another one
  // would begin after it has ended.
  static constexpr int64_t kParallelBytes = int64_t{256} << 10;

  // For work that reads and writes `bytes` bytes in all, on `runner`.
  WorkPieces(ParallelRunner& runner, int64_t bytes)
      : runner_(runner), parallel_(bytes >= kParallelBytes) {}

  // The most bytes that a piece of an item should read of one array, when all
  // items together read `bytes`: few enough that all threads get pieces.
  int64_t PieceBytes(int64_t bytes) const {
    constexpr int64_t kLeast = int64_t{8} << 10, kMost = int64_t{64} << 10;
    const int64_t share = bytes / (kPiecesPerThread * runner_.num_threads());
    return std::clamp(RoundUpTo(share, int64_t{64}), kLeast, kMost);
  }

  // Adds an item of `length` units, pieces of which have `piece` units, at
  // least one.
  void Add(int64_t length, int64_t piece) {
    items_.push_back({length, piece, count_});
    count_ += CeilOfRatio(length, piece);
  }

  // Calls body(item, begin, end) for all pieces; for several at once if the
  // work is large.
  using Body =
      absl::FunctionRef<void(int64_t item, int64_t begin, int64_t end)>;
  void Run(Body body) const {
    if (!parallel_) {
      for (size_t i = 0; i < items_.size(); ++i) {
        if (items_[i].length > 0) body(i, 0, items_[i].length);
      }
      return;
    }
    runner_.ParallelFor(count_, [&](int64_t number) {
      // The last item whose first piece is not after this one.
      const auto next = std::upper_bound(
          items_.begin(), items_.end(), number,
          [](int64_t n, const Item& item) { return n < item.first; });
      const Item& item = *(next - 1);
      const int64_t begin = (number - item.first) * item.piece;
      body(next - 1 - items_.begin(), begin,
           std::min(item.length, begin + item.piece));
    });
  }

 private:
  static constexpr int64_t kPiecesPerThread = 8;
  struct Item {
    int64_t length;
    int64_t piece;
    int64_t first;  // the number of its first piece
  };

  ParallelRunner& runner_;
  const bool parallel_;
  int64_t count_ = 0;
  absl::InlinedVector<Item, 16> items_;
};

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_THUNKS_COLLECTIVES_WORK_PIECES_H_
