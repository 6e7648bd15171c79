// EventCount: threads sleep here until there is something to do, which the user
// determines. Waking costs one load while no thread sleeps.
#ifndef XLA_RUNTIME_EVENT_COUNT_H_
#define XLA_RUNTIME_EVENT_COUNT_H_

#include <atomic>
#include <chrono>
#include <cstdint>

namespace xla {

// Briefly yields to the processor's other hardware threads.
inline void Pause() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("isb" ::: "memory");
#endif
}

// Sleeps while `word` equals `expected`; may return early.
void SleepWhile(std::atomic<uint32_t>& word, uint32_t expected);
void WakeSleepers(std::atomic<uint32_t>& word, int count);

// Returns true if `done` came true within `limit`. Keeps the processor busy.
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

// A sleeper calls ticket = Prepare(), checks whether there is something to do,
// and then calls Cancel() or Sleep(ticket). A thread that makes something to
// do, by a sequentially consistent write which that check reads, calls Wake()
// afterwards. Then no wake-up is lost; some are spurious. Thread safe.
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
