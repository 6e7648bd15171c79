// WorkShares divides the pieces of a loop so that each thread has a share of
// its own. A piece goes to the same share in every loop that is divided alike,
// so the data that it reads is likely to be in the cache of that share's
// thread.
#ifndef XLA_RUNTIME_WORK_SHARES_H_
#define XLA_RUNTIME_WORK_SHARES_H_

#include <atomic>
#include <cstdint>

namespace xla {

// Take and Left are thread safe, without locks; they hand over the pieces'
// numbers but do not synchronize other memory.
class WorkShares {
 public:
  // The rest of a share, [first, limit) of the pieces, in a cache line of its
  // own.
  struct alignas(64) Share {
    std::atomic<uint64_t> rest{0};
  };
  // The most pieces that can be divided: two bounds share a word.
  static constexpr int64_t kMaxPieces = int64_t{1} << 31;

  WorkShares() = default;
  // Divides [0, pieces) into `count` shares that differ by at most one piece.
  // `shares` is borrowed; no thread may be taking from it. There is at least
  // one share and at most kMaxPieces pieces.
  WorkShares(Share* shares, int count, int64_t pieces);

  int count() const { return count_; }

  // Returns a piece that no thread has taken, -1 when there is none: first
  // those of share `home`, in order, then those of other shares from their
  // ends, so that these keep what they would do next.
  int64_t Take(int home) const;

  // Returns the number of pieces that no thread has taken, or a number of at
  // least `enough` if there are more.
  int64_t Left(int64_t enough) const;

 private:
  Share* shares_ = nullptr;
  int count_ = 0;
};

}  // namespace xla

#endif  // XLA_RUNTIME_WORK_SHARES_H_
