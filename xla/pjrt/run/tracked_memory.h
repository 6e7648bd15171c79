// TrackedMemory: the memory of a buffer, its definition event, and its readers.
#ifndef XLA_PJRT_RUN_TRACKED_MEMORY_H_
#define XLA_PJRT_RUN_TRACKED_MEMORY_H_

#include <utility>

#include "absl/container/inlined_vector.h"
#include "xla/runtime/event.h"
#include "xla/runtime/memory_chunk.h"

namespace xla {

// Not thread safe: a buffer's mutex guards it; once taken out of the buffer, it
// belongs to one thread.
class TrackedMemory {
 public:
  TrackedMemory() = default;
  TrackedMemory(MemoryChunk chunk, Event definition)
      : chunk_(std::move(chunk)), definition_(std::move(definition)) {}

  const MemoryChunk& chunk() const { return chunk_; }
  // Ready when the memory holds the value; failed if it never will.
  const Event& definition() const { return definition_; }
  // Adds a reader, which has finished when `done` is ready.
  void AddUse(const Event& done) {
    if (done.IsReady()) return;
    DropFinished();
    uses_.push_back(done);
  }
  // Ready when all readers have finished.
  Event UsesDone() {
    DropFinished();
    return uses_.empty() ? Event() : Event::AfterAll(uses_);
  }

 private:
  void DropFinished() {
    for (size_t i = uses_.size(); i-- > 0;) {
      if (!uses_[i].IsReady()) continue;
      std::swap(uses_[i], uses_.back());
      uses_.pop_back();
    }
  }

  MemoryChunk chunk_;
  Event definition_;
  absl::InlinedVector<Event, 2> uses_;
};

}  // namespace xla

#endif  // XLA_PJRT_RUN_TRACKED_MEMORY_H_
