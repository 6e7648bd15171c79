// A helper first counts itself and then checks whether the loop is open; the
// opener first closes the loop and then waits until no helper is counted. So an
// open loop that a counted helper has seen stays until the helper leaves.
#include "xla/runtime/loop_board.h"

#include <algorithm>
#include <bit>
#include <chrono>

#include "xla/runtime/event_count.h"

namespace xla {
namespace {

// How long the opener spins for helpers at work, which end at about the same
// time as it does; a helper whose processor was taken away does not.
constexpr std::chrono::microseconds kSpinForHelpers{30};
// More pieces than any caller could use threads for.
constexpr int64_t kManyPieces = 4 * LoopBoard::kMaxShares;

constexpr uint64_t Bit(int number) { return uint64_t{1} << number; }

// Takes a share that no other helper has, preferably `wanted`; returns -1 when
// each has a thread.
int TakeSeat(std::atomic<uint64_t>& seats, int wanted, int count) {
  uint64_t taken = seats.load(std::memory_order_relaxed);
  for (;;) {
    int seat = wanted;
    if (seat >= count || (taken & Bit(seat)) != 0) {
      seat = std::countr_one(taken);
      if (seat >= count) return -1;
    }
    if (seats.compare_exchange_weak(taken, taken | Bit(seat),
                                    std::memory_order_relaxed)) {
      return seat;
    }
  }
}

}  // namespace

LoopBoard::LoopBoard(int threads)
    : shares_per_loop_(std::clamp(threads, 1, kMaxShares)),
      shares_(new WorkShares::Share[kMaxLoops * shares_per_loop_]) {}

int LoopBoard::Open(int64_t count, int64_t grain, const Body& body) {
  uint64_t used = used_.load(std::memory_order_relaxed);
  int number;
  do {
    number = std::countr_one(used);
    if (number == kMaxLoops) return -1;
  } while (!used_.compare_exchange_weak(used, used | Bit(number),
                                        std::memory_order_acquire,
                                        std::memory_order_relaxed));
  Loop& loop = loops_[number];
  const int64_t pieces = (count - 1) / grain + 1;
  loop.count = count;
  loop.grain = grain;
  loop.shares = WorkShares(
      &shares_[number * shares_per_loop_],
      static_cast<int>(std::min<int64_t>(pieces, shares_per_loop_)), pieces);
  loop.body = &body;
  loop.seats.store(Bit(0), std::memory_order_relaxed);
  open_.fetch_or(Bit(number));
  return number;
}

bool LoopBoard::RunPiece(const Loop& loop, int share) {
  const int64_t piece = loop.shares.Take(share);
  if (piece < 0) return false;
  const int64_t begin = piece * loop.grain;
  const int64_t end = std::min(loop.count - begin, loop.grain) + begin;
  for (int64_t i = begin; i < end; ++i) (*loop.body)(i);
  return true;
}

void LoopBoard::Work(int number) {
  while (RunPiece(loops_[number], 0)) {
  }
}

void LoopBoard::Finish(int number, bool spins) {
  Loop& loop = loops_[number];
  open_.fetch_and(~Bit(number));
  const auto gone = [&] { return loop.helpers.load() == 0; };
  if (!gone() && !(spins && SpinUntil(kSpinForHelpers, gone))) {
    loop.awaited.store(true);
    for (uint32_t left; (left = loop.helpers.load()) != 0;) {
      SleepWhile(loop.helpers, left);
    }
    loop.awaited.store(false);
  }
  used_.fetch_and(~Bit(number), std::memory_order_release);
}

void LoopBoard::Leave(Loop& loop) {
  if (loop.helpers.fetch_sub(1) == 1 && loop.awaited.load()) {
    WakeSleepers(loop.helpers, 1);
  }
}

// Helps until nothing is left. Returns true if it left earlier because of
// helper.leave.
bool LoopBoard::HelpWith(Loop& loop, int& seat, const Helper& helper) {
  const int shares = loop.shares.count();
  const int taken = TakeSeat(loop.seats, seat, shares);
  // A loop with fewer shares than `seat` does not change it for other loops.
  if (taken >= 0 && seat < shares) seat = taken;
  const int share = taken >= 0 ? taken : seat % shares;
  bool left = false;
  while (!left && RunPiece(loop, share)) left = helper.leave();
  if (taken >= 0) {
    loop.seats.fetch_and(~Bit(taken), std::memory_order_relaxed);
  }
  return left;
}

bool LoopBoard::Help(int& seat, const Helper& helper) {
  const uint64_t seen = open_.load();
  if (seen == 0) return false;
  const int turn = seat % kMaxLoops;
  const int chosen =
      (std::countr_zero(std::rotr(seen, turn)) + turn) % kMaxLoops;
  Loop& loop = loops_[chosen];
  loop.helpers.fetch_add(1);
  bool ran = false;
  if ((open_.load() & Bit(chosen)) != 0) {
    const int64_t left = loop.shares.Left(kManyPieces);
    ran = left > 0;
    if (ran) helper.entered(left);
    // There is nothing left to help with: other threads need not look.
    if (!ran || !HelpWith(loop, seat, helper)) open_.fetch_and(~Bit(chosen));
  }
  Leave(loop);
  return ran;
}

}  // namespace xla
