// LoopBoard: the loops under way that other threads may help with. Who helps,
// and how many, is the thread pool's to say.
#ifndef XLA_RUNTIME_LOOP_BOARD_H_
#define XLA_RUNTIME_LOOP_BOARD_H_

#include <atomic>
#include <cstdint>
#include <memory>

#include "absl/functional/function_ref.h"
#include "xla/runtime/work_shares.h"

namespace xla {

// Thread safe, without locks or allocation once made.
class LoopBoard {
 public:
  using Body = absl::FunctionRef<void(int64_t)>;
  // Loops at a time.
  static constexpr int kMaxLoops = 64;
  // Shares that a loop is divided into; threads beyond that have none.
  static constexpr int kMaxShares = 64;

  // What a helper is asked, while it helps.
  struct Helper {
    // Called, with how many pieces nobody has taken or as many as would be
    // enough, once there is something to do.
    absl::FunctionRef<void(int64_t)> entered;
    // After each piece: whether to go.
    absl::FunctionRef<bool()> leave;
  };

  // For at most `threads` threads at a time.
  explicit LoopBoard(int threads);
  LoopBoard(const LoopBoard&) = delete;
  LoopBoard& operator=(const LoopBoard&) = delete;

  // Shows a loop over [0, count), count >= 1, taken `grain` at a time; `body`
  // must live until Finish. Returns its number, or -1 when the board is full.
  int Open(int64_t count, int64_t grain, const Body& body);
  // For the thread that opened it, which has share 0: runs what nobody has
  // taken.
  void Work(int loop);
  // Then: returns when the helpers have ended too, and forgets the loop.
  // `spins`: whether to wait busily at first.
  void Finish(int loop, bool spins);

  // Whether a loop may have something left to take.
  bool any_open() const { return open_.load() != 0; }
  // Helps with an open loop, preferring one by `seat`, at least 0, so that
  // helpers spread. `seat` is the caller's to keep from one loop to the next:
  // it is the share that it takes first, if no other helper has it, and else
  // becomes that which it found. Returns whether there was something to do.
  bool Help(int& seat, const Helper& helper);

 private:
  // Two cache lines: what all write, and what the opener writes once.
  struct alignas(64) Loop {
    std::atomic<uint32_t> helpers{0};
    std::atomic<bool> awaited{false};  // the opener sleeps on helpers
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
  // Likewise, until Finish ends; in a line that helpers do not look at.
  alignas(64) std::atomic<uint64_t> used_{0};
  Loop loops_[kMaxLoops];
  const std::unique_ptr<WorkShares::Share[]> shares_;
};

}  // namespace xla

#endif  // XLA_RUNTIME_LOOP_BOARD_H_
