// Keys of operations, and the comparison of programs.
#include "xla/distributed/process_run.h"

#include <algorithm>
#include <cstring>

#include "absl/strings/str_cat.h"
#include "xla/base/errors.h"
#include "xla/base/logging.h"
#include "xla/base/stable_hash.h"
#include "xla/base/status_macros.h"
#include "xla/distributed/schedule/move_schedules.h"

namespace xla::distributed {
namespace {

// What processes compare before the first run.
struct Card {
  uint64_t fingerprint = 0;
  char name[120] = {};
};
static_assert(sizeof(Card) % kSegmentAlignment == 0);

void NoFold(int64_t, int64_t, absl::Span<const char* const>, char*) {}

}  // namespace

ProcessRun::ProcessRun(std::shared_ptr<Communicator> communicator,
                       std::shared_ptr<const ProgramIdentity> program)
    : communicator_(std::move(communicator)),
      program_(std::move(program)),
      number_(communicator_->NextRun(program_->devices)) {}

bool ProcessRun::Spans(absl::Span<const int64_t> devices) const {
  return std::any_of(devices.begin(), devices.end(),
                     [&](int64_t device) { return !is_local(device); });
}

ProcessGroup ProcessRun::GroupOf(absl::Span<const int64_t> members) const {
  std::vector<int> processes;
  for (const int64_t device : members) processes.push_back(process_of(device));
  return ProcessGroup::Create(processes);
}

int ProcessRun::PlaceIn(const ProcessGroup& group) const {
  return static_cast<int>(std::find(group.processes.begin(),
                                    group.processes.end(),
                                    communicator_->process()) -
                          group.processes.begin());
}

absl::Status ProcessRun::Begin() {
  TF_RETURN_IF_ERROR(communicator_->status());
  if (!communicator_->IsFirstRun(program_->devices, program_->fingerprint)) {
    return absl::OkStatus();
  }
  const ProcessGroup group = ProcessGroup::Create(program_->process_of_device);
  if (group.size() == 1) return absl::OkStatus();
  // The operation is the same in all processes, whatever their programs are.
  Operation operation;
  operation.key =
      StableMix(StableMix(program_->devices, number_), StableHash("program"));
  operation.run = number_;
  operation.bytes = sizeof(Card);
  operation.op = "comparison of programs";
  operation.name = program_->name;
  std::vector<Card> cards(group.size());
  const int self = PlaceIn(group);
  cards[self].fingerprint = program_->fingerprint;
  std::memcpy(cards[self].name, program_->name.data(),
              std::min(program_->name.size(), sizeof(Card::name) - 1));
  const std::vector<int64_t> blocks(group.size(), sizeof(Card));
  const Schedule schedule =
      AllGatherSchedule(self, blocks, ChooseGather(group.size(), sizeof(Card)));
  char* const spaces[] = {reinterpret_cast<char*>(cards.data())};
  TF_RETURN_IF_ERROR(Run(operation, group, schedule, spaces, NoFold));
  for (int place = 0; place < group.size(); ++place) {
    const Card& theirs = cards[place];
    if (theirs.fingerprint == program_->fingerprint) continue;
    return Fail(absl::FailedPreconditionError(absl::StrCat(
        "program ", program_->name, ", run ", number_,
        " on these devices: process ", group.processes[place],
        " runs another program, ",
        absl::string_view(theirs.name,
                          strnlen(theirs.name, sizeof(theirs.name) - 1)),
        "; the fingerprints are ", absl::Hex(program_->fingerprint), " and ",
        absl::Hex(theirs.fingerprint))));
  }
  return absl::OkStatus();
}

Operation ProcessRun::NextOperation(absl::string_view op,
                                    absl::string_view type,
                                    absl::string_view name, int64_t channel,
                                    int64_t bytes,
                                    absl::Span<const int64_t> members) {
  Operation operation;
  uint64_t key = StableMix(program_->devices, number_);
  key = StableMix(key, channel > 0 ? channel : StableHash(name));
  for (const int64_t member : members) key = StableMix(key, member);
  {
    std::lock_guard<std::mutex> lock(mutex_);
    key = StableMix(key, occurrences_[key]++);
  }
  operation.key = key;
  operation.program = program_->fingerprint;
  operation.run = number_;
  operation.channel = channel;
  operation.bytes = bytes;
  operation.op = std::string(op);
  operation.type = std::string(type);
  operation.name = std::string(name);
  return operation;
}

absl::Status ProcessRun::Run(const Operation& operation,
                             const ProcessGroup& group,
                             const Schedule& schedule,
                             absl::Span<char* const> spaces,
                             FoldFunction fold) {
  TF_RETURN_IF_ERROR(communicator_->status());
  absl::Status failure;
  const auto abort = [&](const absl::Status& cause) { failure = Fail(cause); };
  const ScheduleRun run = {communicator_->transport(),
                           operation,
                           group.processes,
                           spaces,
                           absl::Now() + communicator_->timeout(),
                           abort,
                           communicator_->watcher()};
  const absl::Status status = RunSchedule(schedule, run, fold);
  return status.ok() ? status : failure;
}

absl::Status ProcessRun::Send(const Operation& operation, int process,
                              MemoryChunk data) {
  TF_RETURN_IF_ERROR(communicator_->status());
  if (operation.bytes == 0) return absl::OkStatus();
  auto sent = std::make_unique<Sent>(
      Sent{operation, process, Frame(operation), std::move(data), {}});
  const auto bytes = static_cast<size_t>(operation.bytes);
  Transport& transport = communicator_->transport();
  absl::Status status;
  const auto begin = [&](int64_t number, absl::Span<const char> message) {
    if (!status.ok()) return;
    auto transfer =
        transport.Send(process, MessageKey(operation, number), message);
    status = transfer.status();
    if (transfer.ok()) sent->transfers.push_back(*std::move(transfer));
  };
  // As RunSchedule does it.
  if (bytes > 0 && bytes <= Frame::kInlineBytes) {
    std::memcpy(sent->frame.payload, sent->data.data(), bytes);
  }
  begin(0, sent->frame.bytes());
  if (bytes > Frame::kInlineBytes) begin(1, {sent->data.data(), bytes});
  // What has begun stays until Finish, or Fail, which aborts it.
  {
    std::lock_guard<std::mutex> lock(mutex_);
    sent_.push_back(std::move(sent));
  }
  return status.ok() ? status : Fail(AddStatus(status, operation.ToString()));
}

absl::Status ProcessRun::Receive(const Operation& operation, int process,
                                 absl::Span<char> to) {
  if (to.empty()) return communicator_->status();
  const int self = communicator_->process();
  ProcessGroup group = ProcessGroup::Create({self, process});
  Schedule schedule;
  schedule.Receive(1, 0, static_cast<int64_t>(to.size()));
  char* const spaces[] = {to.data()};
  return Run(operation, group, schedule, spaces, NoFold);
}

absl::Status ProcessRun::Finish() {
  const absl::Time deadline = absl::Now() + communicator_->timeout();
  std::lock_guard<std::mutex> lock(mutex_);
  for (const auto& sent : sent_) {
    for (const auto& transfer : sent->transfers) {
      const auto report = [&](absl::Duration waited) {
        LOG(WARNING) << "waiting for "
                     << absl::FormatDuration(
                            absl::Trunc(waited, absl::Seconds(1)))
                     << " until process " << sent->process << " takes "
                     << sent->operation.ToString();
      };
      const WaitWatch watch(communicator_->watcher(), report);
      const absl::Status status = transfer->Wait(deadline);
      if (status.ok()) continue;
      return Fail(WithMessage(
          status, absl::StrCat(sent->operation.ToString(), ", with process ",
                               sent->process, ": ", status.message())));
    }
  }
  sent_.clear();
  return absl::OkStatus();
}

absl::Status ProcessRun::Fail(const absl::Status& cause) {
  return communicator_->Fail(cause);
}

}  // namespace xla::distributed
