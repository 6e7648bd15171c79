// TraceSession: records what the threads of this process do. At most one
// session of a process records at a time.
#ifndef XLA_RUNTIME_TRACING_TRACE_SESSION_H_
#define XLA_RUNTIME_TRACING_TRACE_SESSION_H_

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "xla/runtime/tracing/trace_clock.h"
#include "xla/runtime/tracing/trace_event.h"

namespace xla {

class ThreadEvents;

// Thread safe. Threads write events to memory of their own, without locks. Work
// that began while the session recorded holds a reference to it and may still
// record events after Stop(), also while another thread collects.
class TraceSession {
 public:
  static constexpr int64_t kDefaultBytes = int64_t{256} << 20;
  // Events that no run and no name could be registered for.
  static constexpr uint32_t kNoContext = 0xffff'ffff;

  // Starts to record; keeps at most `max_bytes` of events and runs, and counts
  // what does not fit. Errors: FailedPrecondition if another session records.
  static absl::StatusOr<std::shared_ptr<TraceSession>> Start(
      int64_t max_bytes = kDefaultBytes);

  // Returns the session that records now; null if there is none, which costs
  // one load.
  static std::shared_ptr<TraceSession> Recording() {
    if (!is_recording_.load(std::memory_order_relaxed)) return nullptr;
    return FindRecording();
  }

  // Stops recording if it is not destroyed by the last reference first.
  ~TraceSession();
  TraceSession(const TraceSession&) = delete;
  TraceSession& operator=(const TraceSession&) = delete;

  // Ends the recording: Recording() no longer returns the session. More calls
  // have no effect.
  void Stop();

  // Return the number by which events refer to a run, or to a name;
  // kNoContext if there is no memory left.
  uint32_t AddRun(TracedRun run);
  uint32_t AddName(absl::string_view name);
  // Returns a number for a parallel loop.
  uint64_t NewLoop() { return loops_.fetch_add(1, std::memory_order_relaxed); }

  // Records an event of this thread, whose times are of TraceNow().
  void Record(const TraceEvent& event);
  // Records one index of a loop (NewLoop). An index that follows another one of
  // the same loop at once becomes one event with it.
  void RecordTask(uint64_t loop, const TraceEvent& event);

  // Returns what has been recorded so far. Its times are of the clock of
  // jaxlib's profiler, so that events of both lie on one time line.
  RecordedTrace Collect() const;

  // Takes `bytes` of the memory that the session may use; false if there are
  // not so many left.
  bool TakeBytes(int64_t bytes);

 private:
  explicit TraceSession(int64_t max_bytes);
  static std::shared_ptr<TraceSession> FindRecording();
  // The events of this thread; made by its first call.
  ThreadEvents& OfThisThread();

  static std::atomic<bool> is_recording_;

  const uint64_t number_;  // of the session, never reused
  const TraceClockReading begin_;
  std::atomic<int64_t> bytes_left_;
  std::atomic<uint64_t> loops_{1};

  mutable std::mutex mutex_;              // guards the members below
  std::optional<TraceClockReading> end_;  // unset while it records
  std::vector<std::unique_ptr<ThreadEvents>> threads_;
  std::vector<TracedRun> runs_;
  std::vector<std::string> names_;
  absl::flat_hash_map<std::string, uint32_t> name_numbers_;
};

// Records a phase of a compilation from its construction to its destruction.
class TraceSpan {
 public:
  // `session` may be null; nothing is recorded then.
  TraceSpan(std::shared_ptr<TraceSession> session, absl::string_view name)
      : session_(std::move(session)) {
    if (session_ == nullptr) return;
    event_ = {.begin_ns = TraceNow(),
              .context = session_->AddName(name),
              .kind = TraceEvent::Kind::kCompile};
  }
  ~TraceSpan() {
    if (session_ == nullptr) return;
    event_.end_ns = TraceNow();
    session_->Record(event_);
  }
  TraceSpan(const TraceSpan&) = delete;
  TraceSpan& operator=(const TraceSpan&) = delete;

 private:
  const std::shared_ptr<TraceSession> session_;
  TraceEvent event_;
};

}  // namespace xla

#endif  // XLA_RUNTIME_TRACING_TRACE_SESSION_H_
