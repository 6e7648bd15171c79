// Chunks never move, so a reader can follow them while the thread adds others.
#include "xla/runtime/tracing/thread_events.h"

#include <new>

#include "xla/runtime/tracing/trace_session.h"

namespace xla {

ThreadEvents::~ThreadEvents() {
  for (Chunk* chunk = first_.load(); chunk != nullptr;) {
    delete std::exchange(chunk, chunk->next.load());
  }
}

void ThreadEvents::Add(const TraceEvent& event) {
  last_loop_ = 0;
  int size = last_ == nullptr ? kChunkEvents
                              : last_->size.load(std::memory_order_relaxed);
  if (size == kChunkEvents) {
    Chunk* chunk =
        session_->TakeBytes(sizeof(Chunk)) ? new (std::nothrow) Chunk : nullptr;
    if (chunk == nullptr) {
      // Only this thread writes.
      dropped_.store(dropped() + 1, std::memory_order_relaxed);
      last_event_ = nullptr;
      return;
    }
    (last_ == nullptr ? first_ : last_->next)
        .store(chunk, std::memory_order_release);
    last_ = chunk;
    size = 0;
  }
  last_event_ =
      new (last_->bytes + size * sizeof(TraceEvent)) TraceEvent(event);
  last_->size.store(size + 1, std::memory_order_release);
}

void ThreadEvents::AddTask(uint64_t loop, const TraceEvent& event) {
  if (last_loop_ == loop && event.begin_ns - last_event_->end_ns < kJoinNs) {
    // A reader may see the event while it grows.
    std::atomic_ref<int64_t>(last_event_->end_ns)
        .store(event.end_ns, std::memory_order_relaxed);
    std::atomic_ref<uint32_t>(last_event_->count)
        .store(last_event_->count + event.count, std::memory_order_relaxed);
    return;
  }
  Add(event);
  if (last_event_ != nullptr) last_loop_ = loop;
}

RecordedTrace::Thread ThreadEvents::Collect() const {
  RecordedTrace::Thread thread{
      .id = id_, .hash = hash_, .name = name_, .events = {}};
  for (Chunk* chunk = first_.load(std::memory_order_acquire); chunk != nullptr;
       chunk = chunk->next.load(std::memory_order_acquire)) {
    const int size = chunk->size.load(std::memory_order_acquire);
    for (int i = 0; i < size; ++i) {
      TraceEvent& event = *chunk->at(i);
      thread.events.push_back({.begin_ns = event.begin_ns,
                               .end_ns = std::atomic_ref<int64_t>(event.end_ns)
                                             .load(std::memory_order_relaxed),
                               .context = event.context,
                               .op = event.op,
                               .count = std::atomic_ref<uint32_t>(event.count)
                                            .load(std::memory_order_relaxed),
                               .kind = event.kind});
    }
  }
  return thread;
}

}  // namespace xla
