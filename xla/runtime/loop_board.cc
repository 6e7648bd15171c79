// A helper first counts itself, then looks whether the loop is open; the opener
// first closes it, then waits until no helper is counted. So an open loop that
// a counted helper has seen stays until it leaves.
#include "xla/runtime/loop_board.h"

#include <algorithm>
#include <bit>
#include <chrono>

#include "xla/runtime/parking.h"

namespace xla {
namespace {

// Helpers that are at work end about when the opener does; one whose processor
// was taken away does not.
constexpr std::chrono::microseconds kSpinForHelpers{30};

}  // namespace

int LoopBoard::Open(int64_t count, int64_t grain, const Body& body) {
  uint64_t used = used_.load(std::memory_order_relaxed);
  int number;
  do {
    number = std::countr_one(used);
    if (number == kMaxLoops) return -1;
  } while (!used_.compare_exchange_weak(used, used | uint64_t{1} << number,
                                        std::memory_order_acquire,
                                        std::memory_order_relaxed));
  Loop& loop = loops_[number];
  loop.next.store(0, std::memory_order_relaxed);
  loop.count = count;
  loop.grain = grain;
  loop.body = &body;
  open_.fetch_or(uint64_t{1} << number);
  return number;
}

bool LoopBoard::RunPiece(Loop& loop) {
  const int64_t begin =
      loop.next.fetch_add(loop.grain, std::memory_order_relaxed);
  if (begin >= loop.count) return false;
  const int64_t end = std::min(loop.count - begin, loop.grain) + begin;
  for (int64_t i = begin; i < end; ++i) (*loop.body)(i);
  return true;
}

void LoopBoard::Work(int number) {
  while (RunPiece(loops_[number])) {
  }
}

void LoopBoard::Finish(int number, bool spins) {
  Loop& loop = loops_[number];
  const uint64_t bit = uint64_t{1} << number;
  open_.fetch_and(~bit);
  const auto gone = [&] { return loop.helpers.load() == 0; };
  if (!gone() && !(spins && SpinUntil(kSpinForHelpers, gone))) {
    loop.awaited.store(true);
    for (uint32_t left; (left = loop.helpers.load()) != 0;) {
      SleepWhile(loop.helpers, left);
    }
    loop.awaited.store(false);
  }
  used_.fetch_and(~bit, std::memory_order_release);
}

void LoopBoard::Leave(Loop& loop) {
  if (loop.helpers.fetch_sub(1) == 1 && loop.awaited.load()) {
    WakeSleepers(loop.helpers, 1);
  }
}

bool LoopBoard::Help(int number, absl::FunctionRef<void(int64_t)> entered,
                     absl::FunctionRef<bool()> leave) {
  const uint64_t seen = open_.load();
  if (seen == 0) return false;
  const int turn = number % kMaxLoops;
  const int chosen =
      (std::countr_zero(std::rotr(seen, turn)) + turn) % kMaxLoops;
  const uint64_t bit = uint64_t{1} << chosen;
  Loop& loop = loops_[chosen];
  loop.helpers.fetch_add(1);
  bool ran = false;
  if ((open_.load() & bit) != 0) {
    const int64_t left = loop.count - loop.next.load(std::memory_order_relaxed);
    if (left > 0) entered((left + loop.grain - 1) / loop.grain);
    bool more = left > 0;
    while (more && (more = RunPiece(loop))) {
      ran = true;
      if (leave()) break;
    }
    // Nothing to help with: others need not look.
    if (!more) open_.fetch_and(~bit);
  }
  Leave(loop);
  return ran;
}

}  // namespace xla
