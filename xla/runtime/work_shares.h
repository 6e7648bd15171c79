// WorkShares: the pieces of a loop, divided so that each thread has a share of
// its own. The same piece goes to the same share in each loop that is divided
// alike, so what it reads is likely to be in the cache of that thread.
#ifndef XLA_RUNTIME_WORK_SHARES_H_
#define XLA_RUNTIME_WORK_SHARES_H_

#include <atomic>
#include <cstdint>

namespace xla {

// Take and Left are thread safe, without locks; they pass on no memory from one
// thread to another, but for the pieces' numbers.
class WorkShares {
 public:
  // What is left of a share: the first piece and the one behind the last, in a
  // cache line of its own.
  struct alignas(64) Share {
    std::atomic<uint64_t> rest{0};
  };
  // Pieces that can be divided.
  static constexpr int64_t kMaxPieces = int64_t{1} << 31;

  WorkShares() = default;
  // Divides [0, pieces) into `count` shares that differ by one piece at most.
  // `shares` are borrowed; nobody may be taking from them. At least one share,
  // at most kMaxPieces pieces.
  WorkShares(Share* shares, int count, int64_t pieces);

  int count() const { return count_; }

  // A piece that nobody has taken, -1 when there is none: of share `home`, in
  // order, and once that has none, of others from their ends, so that they keep
  // what they would do next.
  int64_t Take(int home) const;

  // Pieces that nobody has taken; if that is many, at least `enough`.
  int64_t Left(int64_t enough) const;

 private:
  Share* shares_ = nullptr;
  int count_ = 0;
};

}  // namespace xla

#endif  // XLA_RUNTIME_WORK_SHARES_H_
