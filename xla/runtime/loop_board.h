// LoopBoard: the running loops that other threads may help with. The thread
// pool decides which threads help, and how many.
#ifndef XLA_RUNTIME_LOOP_BOARD_H_
#define XLA_RUNTIME_LOOP_BOARD_H_

#include <atomic>
#include <cstdint>
#include <memory>

#include "absl/functional/function_ref.h"
#include "xla/runtime/work_shares.h"

namespace xla {

// Thread safe, without locks; does not allocate after construction.
class LoopBoard {
 public:
  using Body = absl::FunctionRef<void(int64_t)>;
  // The most loops at a time, one bit each of a word.
  static constexpr int kMaxLoops = 64;
  // The most shares that a loop is divided into; further threads have none.
  static constexpr int kMaxShares = 64;

  // The callbacks of a helper.
  struct Helper {
    // Called once there is something to do, with the number of pieces that no
    // thread has taken, or a lower number if that is certainly enough.
    absl::FunctionRef<void(int64_t)> entered;
    // Called after each piece; returns true to leave the loop.
    absl::FunctionRef<bool()> leave;
  };

  // For at most `threads` threads at a time.
  explicit LoopBoard(int threads);
  LoopBoard(const LoopBoard&) = delete;
  LoopBoard& operator=(const LoopBoard&) = delete;

  // Publishes a loop over [0, count), count >= 1, taken `grain` indices at a
  // time; `body` must live until Finish. Returns the loop's number, or -1 when
  // the board is full.
  int Open(int64_t count, int64_t grain, const Body& body);
  // Runs the pieces that no thread has taken, on the thread that opened the
  // loop, which has share 0.
  void Work(int loop);
  // To be called after Work: waits until the helpers have ended too and removes
  // the loop. `spins`: whether to spin at first.
  void Finish(int loop, bool spins);

  // Returns true if some loop may have pieces left.
  bool any_open() const { return open_.load() != 0; }
  // Helps with an open loop, chosen by `seat`, at least 0, so that helpers
  // spread. The caller keeps `seat` from one loop to the next: it is the share
  // that the helper takes if it is free; otherwise it becomes the share that
  // the helper found. Returns whether there was something to do.
  bool Help(int& seat, const Helper& helper);

 private:
  // Two cache lines: one that all threads write, and one that the opener writes
  // once.
  struct alignas(64) Loop {
    std::atomic<uint32_t> helpers{0};
    std::atomic<bool> awaited{false};  // the opener sleeps, waiting for helpers
    std::atomic<uint64_t> seats{0};    // shares that have a thread
    alignas(64) int64_t count = 0;
    int64_t grain = 1;
    WorkShares shares;
    const Body* body = nullptr;
  };

  static bool RunPiece(const Loop& loop, int share);
  static bool HelpWith(Loop& loop, int& seat, const Helper& helper);
  void Leave(Loop& loop);

  const int shares_per_loop_;
  alignas(64) std::atomic<uint64_t> open_{0};  // a bit for each loop
  // Like open_, but until Finish ends; in a cache line that helpers do not
  // read.
  alignas(64) std::atomic<uint64_t> used_{0};
  Loop loops_[kMaxLoops];
  const std::unique_ptr<WorkShares::Share[]> shares_;
};

}  // namespace xla

#endif  // XLA_RUNTIME_LOOP_BOARD_H_
