// Posts receives ahead of their turn, and lets sends go on.
#include "xla/distributed/run_schedule.h"

#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "xla/base/errors.h"
#include "xla/base/logging.h"
#include "xla/base/status_macros.h"

namespace xla::distributed {
namespace {

// Receives that are posted at a time, so that the data of the next ones is
// under way while a block is combined.
constexpr int kPosted = 16;
// Keys have this many bits for the number of a message.
constexpr int kNumberBits = 20;

class ScheduleRunner {
 public:
  ScheduleRunner(const Schedule& schedule, const ScheduleRun& run,
                 FoldFunction fold)
      : schedule_(schedule),
        run_(run),
        fold_(fold),
        peers_(run.processes.size()),
        receives_(schedule.steps.size()) {}

  absl::Status Run() {
    for (size_t i = 0; i < schedule_.steps.size(); ++i) {
      const Step& step = schedule_.steps[i];
      TF_RETURN_IF_ERROR(PostAhead(i));
      switch (step.kind) {
        case Step::Kind::kSend:
          TF_RETURN_IF_ERROR(Explain(Send(step), step.peer));
          break;
        case Step::Kind::kReceive:
          TF_RETURN_IF_ERROR(Explain(Receive(i), step.peer));
          break;
        case Step::Kind::kFold:
          Fold(step);
          break;
      }
    }
    for (auto& [peer, send] : sends_) {
      TF_RETURN_IF_ERROR(Explain(Await(*send, peer), peer));
    }
    return absl::OkStatus();
  }

 private:
  // The messages to and from another process.
  struct Peer {
    std::unique_ptr<Frame> sent_frame;
    std::unique_ptr<Frame> frame;  // received, or being received
    std::unique_ptr<Transfer> frame_transfer;
    bool frame_came = false;
    int64_t sent = 0;
    int64_t posted = 0;  // receives, in order
  };

  char* At(const Place& place) const {
    return run_.spaces[place.space] + place.offset;
  }
  uint64_t Key(int64_t number) const {
    return MessageKey(run_.operation, number);
  }

  absl::Status Send(const Step& step) {
    Peer& peer = peers_[step.peer];
    const int process = run_.processes[step.peer];
    const int64_t number = peer.sent++;
    if (number + 1 >= int64_t{1} << kNumberBits) {
      return absl::ResourceExhaustedError("there are too many messages");
    }
    if (number == 0) {
      peer.sent_frame = std::make_unique<Frame>(run_.operation);
      if (step.bytes <= Frame::kInlineBytes) {
        std::memcpy(peer.sent_frame->payload, At(step.at), step.bytes);
      }
      TF_ASSIGN_OR_RETURN(
          auto transfer,
          run_.transport.Send(process, Key(0), peer.sent_frame->bytes()));
      sends_.emplace_back(step.peer, std::move(transfer));
      if (step.bytes <= Frame::kInlineBytes) return absl::OkStatus();
    }
    TF_ASSIGN_OR_RETURN(
        auto transfer,
        run_.transport.Send(process, Key(number + 1),
                            {At(step.at), static_cast<size_t>(step.bytes)}));
    sends_.emplace_back(step.peer, std::move(transfer));
    return absl::OkStatus();
  }

  // Posts receives from the one at step `now` on.
  absl::Status PostAhead(size_t now) {
    for (ahead_ = std::max(ahead_, now);
         ahead_ < schedule_.steps.size() && posted_ < kPosted; ++ahead_) {
      const Step& step = schedule_.steps[ahead_];
      if (step.kind != Step::Kind::kReceive) continue;
      ++posted_;
      TF_RETURN_IF_ERROR(Explain(Post(ahead_), step.peer));
    }
    return absl::OkStatus();
  }

  // Posts the receive of a step, or of the frame that must come before.
  absl::Status Post(size_t i) {
    const Step& step = schedule_.steps[i];
    Peer& peer = peers_[step.peer];
    receives_[i].number = peer.posted++;
    if (receives_[i].number == 0) {
      peer.frame = std::make_unique<Frame>();
      TF_ASSIGN_OR_RETURN(
          peer.frame_transfer,
          run_.transport.Receive(run_.processes[step.peer], Key(0),
                                 peer.frame->mutable_bytes()));
      return absl::OkStatus();
    }
    return peer.frame_came ? PostData(i) : absl::OkStatus();
  }

  absl::Status PostData(size_t i) {
    const Step& step = schedule_.steps[i];
    TF_ASSIGN_OR_RETURN(
        receives_[i].transfer,
        run_.transport.Receive(run_.processes[step.peer],
                               Key(receives_[i].number + 1),
                               {At(step.at), static_cast<size_t>(step.bytes)}));
    return absl::OkStatus();
  }

  // Posts the receives from `peer` that had to wait for its frame.
  absl::Status PostWaiting(size_t first, int32_t peer) {
    for (size_t i = first; i < ahead_; ++i) {
      const Step& step = schedule_.steps[i];
      if (step.kind != Step::Kind::kReceive || step.peer != peer) continue;
      TF_RETURN_IF_ERROR(PostData(i));
    }
    return absl::OkStatus();
  }

  absl::Status Receive(size_t i) {
    const Step& step = schedule_.steps[i];
    Peer& peer = peers_[step.peer];
    --posted_;
    if (receives_[i].number == 0) {
      TF_RETURN_IF_ERROR(Await(*peer.frame_transfer, step.peer));
      TF_RETURN_IF_ERROR(
          peer.frame->CheckAgainst(run_.operation, run_.processes[step.peer]));
      peer.frame_came = true;
      if (step.bytes <= Frame::kInlineBytes) {
        std::memcpy(At(step.at), peer.frame->payload, step.bytes);
        return PostWaiting(i + 1, step.peer);
      }
      TF_RETURN_IF_ERROR(PostData(i));
      TF_RETURN_IF_ERROR(PostWaiting(i + 1, step.peer));
    }
    TF_RETURN_IF_ERROR(Await(*receives_[i].transfer, step.peer));
    receives_[i].transfer.reset();
    return absl::OkStatus();
  }

  void Fold(const Step& step) {
    const absl::Span<const Place> places(
        schedule_.sources.data() + step.first_source, step.num_sources);
    char* to = At(step.at);
    if (places.size() == 1) {
      if (At(places[0]) != to) std::memcpy(to, At(places[0]), step.bytes);
      return;
    }
    std::vector<const char*> sources;
    for (const Place& place : places) sources.push_back(At(place));
    fold_(step.begin, step.bytes, sources, to);
  }

  // Logs it if that takes long. Called from Run alone, so what the report reads
  // does not change meanwhile.
  absl::Status Await(Transfer& transfer, int place) {
    const auto report = [&](absl::Duration waited) {
      LOG(WARNING) << "waiting for "
                   << absl::FormatDuration(
                          absl::Trunc(waited, absl::Seconds(1)))
                   << ": " << Describe(place, "")
                   << "; it may be compiling, or make other calls than this "
                      "one";
    };
    const WaitWatch watch(run_.watcher, report);
    return transfer.Wait(run_.deadline);
  }

  // Processes whose turn it was not yet may have come.
  void LookWhoCame() {
    for (Peer& peer : peers_) {
      if (peer.frame_came || peer.frame_transfer == nullptr) continue;
      peer.frame_came = peer.frame_transfer->Wait(absl::Now()).ok();
    }
  }

  // Adds the operation, the peer and who has come.
  absl::Status Explain(absl::Status status, int place) {
    if (status.ok() || absl::IsInvalidArgument(status) ||
        absl::IsDataLoss(status)) {
      return status;
    }
    if (absl::IsDeadlineExceeded(status)) LookWhoCame();
    return WithMessage(status,
                       Describe(place, absl::StrCat(": ", status.message())));
  }

  // The operation, the peer, `what` of it, and who has come.
  std::string Describe(int place, absl::string_view what) const {
    std::vector<int> came, missing;
    for (size_t p = 0; p < peers_.size(); ++p) {
      if (peers_[p].frame == nullptr) continue;
      (peers_[p].frame_came ? came : missing).push_back(run_.processes[p]);
    }
    std::string text =
        absl::StrCat(run_.operation.ToString(), ", with process ",
                     run_.processes[place], what);
    if (!missing.empty()) {
      absl::StrAppend(&text, "; nothing came yet from ",
                      absl::StrJoin(missing, ","));
    }
    if (!came.empty()) {
      absl::StrAppend(&text, "; there were ", absl::StrJoin(came, ","));
    }
    return text;
  }

  struct Posted {
    int64_t number = 0;
    std::unique_ptr<Transfer> transfer;
  };

  const Schedule& schedule_;
  const ScheduleRun& run_;
  const FoldFunction fold_;
  std::vector<Peer> peers_;       // by place
  std::vector<Posted> receives_;  // by step
  std::vector<std::pair<int, std::unique_ptr<Transfer>>> sends_;
  size_t ahead_ = 0;
  int posted_ = 0;
};

}  // namespace

uint64_t MessageKey(const Operation& operation, int64_t number) {
  return (operation.key >> kNumberBits << kNumberBits) | number;
}

absl::Status RunSchedule(const Schedule& schedule, const ScheduleRun& run,
                         FoldFunction fold) {
  ScheduleRunner runner(schedule, run, fold);
  absl::Status status = runner.Run();
  // Before the runner, and the frames in it, go away.
  if (!status.ok()) run.abort(status);
  return status;
}

}  // namespace xla::distributed
