// Decides which thread waits, which one runs, and which ones give up.
#include "xla/client/rendezvous.h"

#include <algorithm>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "xla/base/logging.h"
#include "xla/runtime/wait_watch.h"

namespace xla {

absl::StatusOr<Literal> Rendezvous::Join(int64_t run_id, int64_t device,
                                         int64_t count, Arguments arguments,
                                         Run run) {
  std::unique_lock<std::mutex> lock(mutex_);
  std::shared_ptr<Meeting>& entry = meetings_[run_id];
  if (entry == nullptr) {
    entry = std::make_shared<Meeting>();
    entry->arguments.resize(count);
    entry->missing = count;
  }
  const std::shared_ptr<Meeting> meeting = entry;
  if (meeting->arguments[device].has_value()) {
    return absl::InvalidArgumentError(absl::StrCat(
        "logical device ", device, " came twice to the run with id ", run_id));
  }
  meeting->arguments[device] = std::move(arguments);
  if (--meeting->missing > 0) return WaitFor(*meeting, run_id, device, lock);
  meetings_.erase(run_id);
  return RunAll(*meeting, device, run, lock);
}

std::string Rendezvous::Absent(const Meeting& meeting) {
  std::string absent;
  for (size_t d = 0; d < meeting.arguments.size(); ++d) {
    if (!meeting.arguments[d].has_value()) absl::StrAppend(&absent, " ", d);
  }
  return absent;
}

absl::StatusOr<Literal> Rendezvous::WaitFor(
    Meeting& meeting, int64_t run_id, int64_t device,
    std::unique_lock<std::mutex>& lock) {
  const absl::Time deadline = absl::Now() + timeout_;
  WaitReminder reminder;
  while (!meeting.done) {
    // Once all devices have arrived, the run ends by itself.
    if (meeting.missing == 0) {
      meeting.changed.wait(lock);
      continue;
    }
    meeting.changed.wait_until(
        lock, absl::ToChronoTime(std::min(deadline, reminder.next())));
    const absl::Time now = absl::Now();
    if (meeting.missing == 0 || meeting.done) continue;
    if (reminder.IsDue(now)) {
      LOG(WARNING) << "device " << device << " has waited for "
                   << absl::FormatDuration(
                          absl::Trunc(reminder.Waited(now), absl::Seconds(1)))
                   << " in the run with id " << run_id << " for logical devices"
                   << Absent(meeting);
    }
    if (now < deadline) continue;
    meetings_.erase(run_id);
    meeting.done = true;
    meeting.status = absl::DeadlineExceededError(absl::StrCat(
        "the run with id ", run_id, " needs ", meeting.arguments.size(),
        " devices; after ", absl::FormatDuration(timeout_),
        " these logical devices had not come:", Absent(meeting)));
    meeting.changed.notify_all();
  }
  if (!meeting.status.ok()) return meeting.status;
  return std::move(meeting.results[device]);
}

absl::StatusOr<Literal> Rendezvous::RunAll(Meeting& meeting, int64_t device,
                                           Run run,
                                           std::unique_lock<std::mutex>& lock) {
  std::vector<Arguments> arguments;
  for (auto& of_device : meeting.arguments) {
    arguments.push_back(*std::move(of_device));
  }
  lock.unlock();
  absl::StatusOr<std::vector<Literal>> results = run(arguments);
  lock.lock();
  meeting.done = true;
  if (results.ok()) {
    meeting.results = *std::move(results);
  } else {
    meeting.status = results.status();
  }
  meeting.changed.notify_all();
  if (!meeting.status.ok()) return meeting.status;
  return std::move(meeting.results[device]);
}

}  // namespace xla
