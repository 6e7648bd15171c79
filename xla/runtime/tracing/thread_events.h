// ThreadEvents: the events of one thread in one session, written by that thread
// and read by any.
#ifndef XLA_RUNTIME_TRACING_THREAD_EVENTS_H_
#define XLA_RUNTIME_TRACING_THREAD_EVENTS_H_

#include <atomic>
#include <cstdint>
#include <memory>
#include <new>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "xla/runtime/tracing/trace_event.h"

namespace xla {

class TraceSession;

// Chunks of events, each published by its count. A published event does not
// change, except that the last one of a loop may get longer.
class ThreadEvents {
 public:
  // `session` owns this and has the memory for its chunks.
  ThreadEvents(TraceSession* session, int64_t id, int64_t hash,
               std::string name)
      : session_(session), id_(id), hash_(hash), name_(std::move(name)) {}
  ~ThreadEvents();
  ThreadEvents(const ThreadEvents&) = delete;
  ThreadEvents& operator=(const ThreadEvents&) = delete;

  // Only the thread whose events these are may call these two.
  void Add(const TraceEvent& event);
  // Lengthens the last event if it is of the same loop and ended less than
  // kJoinNs ago; otherwise adds one.
  void AddTask(uint64_t loop, const TraceEvent& event);

  // Any thread may call these.
  RecordedTrace::Thread Collect() const;
  int64_t dropped() const { return dropped_.load(std::memory_order_relaxed); }

  static constexpr int64_t kJoinNs = 1000;

 private:
  static constexpr int kChunkEvents = 2048;
  struct Chunk {
    std::atomic<int> size{0};
    std::atomic<Chunk*> next{nullptr};
    // Not initialized, so that memory is touched once, by the event.
    alignas(TraceEvent) unsigned char bytes[kChunkEvents * sizeof(TraceEvent)];

    TraceEvent* at(int i) {
      return std::launder(reinterpret_cast<TraceEvent*>(bytes) + i);
    }
  };
  static_assert(std::is_trivially_destructible_v<TraceEvent>);

  TraceSession* const session_;
  const int64_t id_;
  const int64_t hash_;
  const std::string name_;
  std::atomic<Chunk*> first_{nullptr};
  std::atomic<int64_t> dropped_{0};
  // Of the thread alone.
  Chunk* last_ = nullptr;
  TraceEvent* last_event_ = nullptr;
  uint64_t last_loop_ = 0;  // of last_event_; 0: none
};

}  // namespace xla

#endif  // XLA_RUNTIME_TRACING_THREAD_EVENTS_H_
