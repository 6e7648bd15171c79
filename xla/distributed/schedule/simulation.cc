// Advances processes in the order of their clocks.
#include "xla/distributed/schedule/simulation.h"

#include <algorithm>
#include <deque>
#include <queue>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "xla/base/status_macros.h"

namespace xla::distributed {
namespace {

struct Message {
  double arrival = 0;  // at the receiver's link
  int64_t depth = 0;
  const Step* sent = nullptr;
};

struct Process {
  Schedule schedule;
  size_t next = 0;
  double now = 0;
  double link_free_out = 0;
  double link_free_in = 0;
  int64_t depth = 0;
  int64_t sent_bytes = 0;
  int64_t received_bytes = 0;
  int64_t messages = 0;
  int waits_for = -1;  // a place
};

class Simulation {
 public:
  Simulation(const LinkModel& model, const SimulationObserver* observer)
      : model_(model), observer_(observer) {}

  absl::Status Run(int places, absl::FunctionRef<Schedule(int)> schedule_of) {
    processes_.resize(places);
    for (int place = 0; place < places; ++place) {
      processes_[place].schedule = schedule_of(place);
      ready_.emplace(0, place);
    }
    while (!ready_.empty()) {
      const int place = ready_.top().second;
      ready_.pop();
      TF_RETURN_IF_ERROR(Advance(place));
    }
    return CheckAllEnded();
  }

  SimulationResult Result() const {
    SimulationResult result;
    for (const Process& process : processes_) {
      result.seconds =
          std::max({result.seconds, process.now, process.link_free_out});
      result.messages += process.messages;
      result.bytes += process.sent_bytes;
      result.most_sent_bytes =
          std::max(result.most_sent_bytes, process.sent_bytes);
      result.most_received_bytes =
          std::max(result.most_received_bytes, process.received_bytes);
      result.most_messages = std::max(result.most_messages, process.messages);
      result.steps = std::max(result.steps, process.depth);
      result.most_work_bytes =
          std::max(result.most_work_bytes, process.schedule.work_bytes);
    }
    return result;
  }

 private:
  using Queue = std::deque<Message>;

  uint64_t Link(int from, int to) const {
    return static_cast<uint64_t>(from) * processes_.size() + to;
  }

  // Takes one step, so that processes whose clock is behind come first.
  absl::Status Advance(int place) {
    Process& self = processes_[place];
    if (self.next == self.schedule.steps.size()) return absl::OkStatus();
    const Step& step = self.schedule.steps[self.next];
    switch (step.kind) {
      case Step::Kind::kSend:
        Send(place, step);
        break;
      case Step::Kind::kReceive: {
        const auto it = links_.find(Link(step.peer, place));
        if (it == links_.end() || it->second.empty()) {
          self.waits_for = step.peer;
          return absl::OkStatus();
        }
        const Message message = it->second.front();
        it->second.pop_front();
        TF_RETURN_IF_ERROR(Receive(place, step, message));
        break;
      }
      case Step::Kind::kFold:
        self.now += static_cast<double>(step.bytes) * step.num_sources /
                    model_.fold_bytes_per_second;
        if (observer_ != nullptr) observer_->fold(place, step);
        break;
    }
    ++self.next;
    ready_.emplace(self.now, place);
    return absl::OkStatus();
  }

  void Send(int place, const Step& step) {
    Process& self = processes_[place];
    const double start = std::max(self.now, self.link_free_out);
    const double busy =
        model_.seconds_per_message +
        static_cast<double>(step.bytes) / model_.bytes_per_second;
    self.link_free_out = start + busy;
    self.sent_bytes += step.bytes;
    ++self.messages;
    links_[Link(place, step.peer)].push_back(
        {start + model_.latency_seconds, self.depth + 1, &step});
    Process& peer = processes_[step.peer];
    if (peer.waits_for == place) {
      peer.waits_for = -1;
      ready_.emplace(std::max(peer.now, start), step.peer);
    }
  }

  absl::Status Receive(int place, const Step& step, const Message& message) {
    Process& self = processes_[place];
    if (message.sent->bytes != step.bytes) {
      return absl::InternalError(
          absl::StrCat("place ", step.peer, " sends ", message.sent->bytes,
                       " bytes where place ", place, " receives ", step.bytes));
    }
    const double busy =
        static_cast<double>(step.bytes) / model_.bytes_per_second;
    self.link_free_in = std::max(self.link_free_in, message.arrival) + busy;
    self.now = std::max(self.now, self.link_free_in);
    self.depth = std::max(self.depth, message.depth);
    self.received_bytes += step.bytes;
    if (observer_ != nullptr) {
      observer_->receive(step.peer, *message.sent, place, step);
    }
    return absl::OkStatus();
  }

  absl::Status CheckAllEnded() const {
    for (size_t place = 0; place < processes_.size(); ++place) {
      const Process& process = processes_[place];
      if (process.next < process.schedule.steps.size()) {
        return absl::InternalError(
            absl::StrCat("place ", place, " waits for place ",
                         process.waits_for, " forever, in step ", process.next,
                         " of ", process.schedule.steps.size()));
      }
    }
    for (const auto& [link, queue] : links_) {
      if (queue.empty()) continue;
      return absl::InternalError(absl::StrCat(
          queue.size(), " messages from place ", link / processes_.size(),
          " to place ", link % processes_.size(), " are never received"));
    }
    return absl::OkStatus();
  }

  const LinkModel model_;
  const SimulationObserver* const observer_;
  std::vector<Process> processes_;
  absl::flat_hash_map<uint64_t, Queue> links_;
  using Ready = std::pair<double, int>;
  std::priority_queue<Ready, std::vector<Ready>, std::greater<Ready>> ready_;
};

}  // namespace

absl::StatusOr<SimulationResult> Simulate(
    int places, absl::FunctionRef<Schedule(int)> schedule_of,
    const LinkModel& model, const SimulationObserver* observer) {
  Simulation simulation(model, observer);
  TF_RETURN_IF_ERROR(simulation.Run(places, schedule_of));
  return simulation.Result();
}

}  // namespace xla::distributed
