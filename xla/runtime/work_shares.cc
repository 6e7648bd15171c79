// The rest of a share is one word, so that its thread and those that help it
// never take the same piece.
#include "xla/runtime/work_shares.h"

namespace xla {
namespace {

constexpr uint64_t Pack(uint64_t begin, uint64_t end) {
  return begin << 32 | end;
}
constexpr int64_t Begin(uint64_t rest) {
  return static_cast<int64_t>(rest >> 32);
}
constexpr int64_t End(uint64_t rest) {
  return static_cast<int64_t>(rest & 0xffffffff);
}

int64_t TakeFirst(std::atomic<uint64_t>& share) {
  uint64_t rest = share.load(std::memory_order_relaxed);
  while (Begin(rest) < End(rest)) {
    if (share.compare_exchange_weak(rest, Pack(Begin(rest) + 1, End(rest)),
                                    std::memory_order_relaxed)) {
      return Begin(rest);
    }
  }
  return -1;
}

int64_t TakeLast(std::atomic<uint64_t>& share) {
  uint64_t rest = share.load(std::memory_order_relaxed);
  while (Begin(rest) < End(rest)) {
    if (share.compare_exchange_weak(rest, Pack(Begin(rest), End(rest) - 1),
                                    std::memory_order_relaxed)) {
      return End(rest) - 1;
    }
  }
  return -1;
}

}  // namespace

WorkShares::WorkShares(Share* shares, int count, int64_t pieces)
    : shares_(shares), count_(count) {
  const auto start = [&](int64_t share) {
    return static_cast<uint64_t>(pieces * share / count);
  };
  for (int i = 0; i < count; ++i) {
    shares[i].rest.store(Pack(start(i), start(i + 1)),
                         std::memory_order_relaxed);
  }
}

int64_t WorkShares::Take(int home) const {
  int64_t piece = TakeFirst(shares_[home].rest);
  for (int i = 1; piece < 0 && i < count_; ++i) {
    const int other = home + i < count_ ? home + i : home + i - count_;
    piece = TakeLast(shares_[other].rest);
  }
  return piece;
}

int64_t WorkShares::Left(int64_t enough) const {
  int64_t left = 0;
  for (int i = 0; i < count_ && left < enough; ++i) {
    const uint64_t rest = shares_[i].rest.load(std::memory_order_relaxed);
    left += End(rest) - Begin(rest);
  }
  return left;
}

}  // namespace xla
