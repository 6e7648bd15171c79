// A thread remembers the events of the session for which it recorded last, so
// that only its first event of a session takes the lock.
#include "xla/runtime/tracing/trace_session.h"

#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <functional>
#include <thread>
#include <utility>

#include "xla/runtime/tracing/thread_events.h"

namespace xla {
namespace {

struct RecordingSession {
  std::mutex mutex;  // guards the members below
  std::weak_ptr<TraceSession> session;
  uint64_t sessions = 0;  // that there have been
};

RecordingSession& TheRecording() {
  static auto* const recording = new RecordingSession;
  return *recording;
}

uint64_t NextSession() {
  RecordingSession& recording = TheRecording();
  return ++recording.sessions;
}

// The session for which this thread recorded last, by its number.
struct LastSession {
  uint64_t number = 0;
  ThreadEvents* events = nullptr;
};
thread_local LastSession last_session;

std::string NameOfThisThread() {
  char name[64] = "";
  pthread_getname_np(pthread_self(), name, sizeof(name));
  return name;
}

}  // namespace

std::atomic<bool> TraceSession::is_recording_{false};

TraceSession::TraceSession(int64_t max_bytes)
    : number_(NextSession()),
      begin_(TraceClockReading::Now()),
      bytes_left_(max_bytes) {}

TraceSession::~TraceSession() { Stop(); }

absl::StatusOr<std::shared_ptr<TraceSession>> TraceSession::Start(
    int64_t max_bytes) {
  RecordingSession& recording = TheRecording();
  const std::lock_guard<std::mutex> lock(recording.mutex);
  if (is_recording_.load(std::memory_order_relaxed)) {
    return absl::FailedPreconditionError(
        "another trace of this process is being recorded");
  }
  StartTraceClock();
  std::shared_ptr<TraceSession> session(new TraceSession(max_bytes));
  recording.session = session;
  is_recording_.store(true, std::memory_order_relaxed);
  return session;
}

std::shared_ptr<TraceSession> TraceSession::FindRecording() {
  RecordingSession& recording = TheRecording();
  const std::lock_guard<std::mutex> lock(recording.mutex);
  return recording.session.lock();
}

void TraceSession::Stop() {
  RecordingSession& recording = TheRecording();
  const std::lock_guard<std::mutex> lock(recording.mutex);
  {
    const std::lock_guard<std::mutex> own_lock(mutex_);
    if (end_.has_value()) return;
    end_ = TraceClockReading::Now();
  }
  recording.session.reset();
  is_recording_.store(false, std::memory_order_relaxed);
}

bool TraceSession::TakeBytes(int64_t bytes) {
  int64_t left = bytes_left_.load(std::memory_order_relaxed);
  while (left >= bytes) {
    if (bytes_left_.compare_exchange_weak(left, left - bytes,
                                          std::memory_order_relaxed)) {
      return true;
    }
  }
  return false;
}

uint32_t TraceSession::AddRun(TracedRun run) {
  if (!TakeBytes(sizeof(TracedRun))) return kNoContext;
  const std::lock_guard<std::mutex> lock(mutex_);
  runs_.push_back(std::move(run));
  return static_cast<uint32_t>(runs_.size() - 1);
}

uint32_t TraceSession::AddName(absl::string_view name) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (const auto it = name_numbers_.find(name); it != name_numbers_.end()) {
    return it->second;
  }
  // Kept twice, in the vector and in the map.
  const int64_t bytes = 2 * (sizeof(std::string) + name.size());
  if (!TakeBytes(bytes)) return kNoContext;
  const uint32_t number = static_cast<uint32_t>(names_.size());
  names_.emplace_back(name);
  name_numbers_.emplace(std::string(name), number);
  return number;
}

ThreadEvents& TraceSession::OfThisThread() {
  if (last_session.number != number_) {
    auto events = std::make_unique<ThreadEvents>(
        this, syscall(SYS_gettid),
        static_cast<int64_t>(
            std::hash<std::thread::id>()(std::this_thread::get_id())),
        NameOfThisThread());
    last_session = {number_, events.get()};
    const std::lock_guard<std::mutex> lock(mutex_);
    threads_.push_back(std::move(events));
  }
  return *last_session.events;
}

void TraceSession::Record(const TraceEvent& event) {
  OfThisThread().Add(event);
}

void TraceSession::RecordTask(uint64_t loop, const TraceEvent& event) {
  OfThisThread().AddTask(loop, event);
}

RecordedTrace TraceSession::Collect() const {
  RecordedTrace trace;
  const std::lock_guard<std::mutex> lock(mutex_);
  const TraceClockReading end =
      end_.has_value() ? *end_ : TraceClockReading::Now();
  const TraceClockTranslation translation(begin_, end);
  trace.begin_ns = translation.UnixNanos(begin_.trace_ns);
  trace.end_ns = translation.UnixNanos(end.trace_ns);
  for (const auto& events : threads_) {
    RecordedTrace::Thread thread = events->Collect();
    trace.dropped_events += events->dropped();
    trace.dropped_events += std::erase_if(
        thread.events,
        [](const TraceEvent& event) { return event.context == kNoContext; });
    for (TraceEvent& event : thread.events) {
      event.begin_ns = translation.UnixNanos(event.begin_ns);
      event.end_ns = translation.UnixNanos(event.end_ns);
    }
    // What lies inside an event was recorded before it.
    std::reverse(thread.events.begin(), thread.events.end());
    std::stable_sort(thread.events.begin(), thread.events.end(),
                     [](const TraceEvent& a, const TraceEvent& b) {
                       return a.begin_ns != b.begin_ns ? a.begin_ns < b.begin_ns
                                                       : a.end_ns > b.end_ns;
                     });
    if (!thread.events.empty()) trace.threads.push_back(std::move(thread));
  }
  trace.runs = runs_;
  trace.names = names_;
  return trace;
}

}  // namespace xla
