// LoopBoard: the loops under way that other threads may help with. Who helps,
// and how many, is the thread pool's to say.
#ifndef XLA_RUNTIME_LOOP_BOARD_H_
#define XLA_RUNTIME_LOOP_BOARD_H_

#include <atomic>
#include <cstdint>

#include "absl/functional/function_ref.h"

namespace xla {

// Thread safe, without locks or allocation.
class LoopBoard {
 public:
  using Body = absl::FunctionRef<void(int64_t)>;
  // Loops at a time.
  static constexpr int kMaxLoops = 64;

  LoopBoard() = default;
  LoopBoard(const LoopBoard&) = delete;
  LoopBoard& operator=(const LoopBoard&) = delete;

  // Shows a loop over [0, count), taken `grain` at a time; `body` must live
  // until Finish. Returns its number, or -1 when the board is full.
  int Open(int64_t count, int64_t grain, const Body& body);
  // For the thread that opened it: runs what nobody has taken.
  void Work(int loop);
  // Then: returns when the helpers have ended too, and forgets the loop.
  // `spins`: whether to wait busily at first.
  void Finish(int loop, bool spins);

  // Whether a loop may have something left to take.
  bool any_open() const { return open_.load() != 0; }
  // Helps with an open loop, preferring one by `number` so that helpers spread.
  // `entered` is called, with how many times `grain` nobody has taken, once
  // there is something to do; after each piece `leave` may say to go. Returns
  // whether it ran any.
  bool Help(int number, absl::FunctionRef<void(int64_t)> entered,
            absl::FunctionRef<bool()> leave);

 private:
  // Two cache lines: what all write, and what the opener writes once.
  struct alignas(64) Loop {
    std::atomic<int64_t> next{0};
    std::atomic<uint32_t> helpers{0};
    std::atomic<bool> awaited{false};  // the opener sleeps on helpers
    alignas(64) int64_t count = 0;
    int64_t grain = 1;
    const Body* body = nullptr;
  };

  static bool RunPiece(Loop& loop);
  void Leave(Loop& loop);

  std::atomic<uint64_t> open_{0};  // a bit for each loop
  std::atomic<uint64_t> used_{0};  // likewise, until Finish ends
  Loop loops_[kMaxLoops];
};

}  // namespace xla

#endif  // XLA_RUNTIME_LOOP_BOARD_H_
