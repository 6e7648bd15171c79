// EventCount: threads sleep here until there is something to do. What that is
// the user knows; waking costs one load while nobody sleeps.
#ifndef XLA_RUNTIME_EVENT_COUNT_H_
#define XLA_RUNTIME_EVENT_COUNT_H_

#include <atomic>
#include <chrono>
#include <cstdint>

namespace xla {

// Lets the processor's other threads go first for a moment.
inline void Pause() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("isb" ::: "memory");
#endif
}

// Sleeps while `word` is `expected`; may return early.
void SleepWhile(std::atomic<uint32_t>& word, uint32_t expected);
void WakeSleepers(std::atomic<uint32_t>& word, int count);

// Whether `done` came true within `limit`. Keeps the processor busy.
template <typename Predicate>
bool SpinUntil(std::chrono::nanoseconds limit, Predicate done) {
  const auto end = std::chrono::steady_clock::now() + limit;
  do {
    for (int i = 0; i < 16; ++i) {
      if (done()) return true;
      Pause();
    }
  } while (std::chrono::steady_clock::now() < end);
  return false;
}

// A sleeper does: ticket = Prepare(); looks whether there is something to do;
// then Cancel() or Sleep(ticket). Who makes something to do, by a sequentially
// consistent write that the sleeper's look reads, calls Wake() afterwards. No
// wake-up is lost then; some come in vain. Thread safe.
class EventCount {
 public:
  uint32_t Prepare() {
    sleepers_.fetch_add(1);
    return epoch_.load();
  }
  void Cancel() { sleepers_.fetch_sub(1); }
  void Sleep(uint32_t ticket) {
    SleepWhile(epoch_, ticket);
    sleepers_.fetch_sub(1);
  }
  void Wake(int count) {
    if (count <= 0 || sleepers_.load() == 0) return;
    epoch_.fetch_add(1);
    WakeSleepers(epoch_, count);
  }

 private:
  std::atomic<uint32_t> epoch_{0};
  std::atomic<int32_t> sleepers_{0};
};

}  // namespace xla

#endif  // XLA_RUNTIME_EVENT_COUNT_H_
