// ProcessRun: one run of a program whose devices belong to several processes.
#ifndef XLA_DISTRIBUTED_PROCESS_RUN_H_
#define XLA_DISTRIBUTED_PROCESS_RUN_H_

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "xla/distributed/communicator.h"
#include "xla/distributed/message.h"
#include "xla/distributed/run_schedule.h"
#include "xla/distributed/schedule/schedule.h"
#include "xla/distributed/transport/transport.h"
#include "xla/runtime/memory_chunk.h"

namespace xla::distributed {

// What all processes know of a program before they run it.
struct ProgramIdentity {
  std::string name;
  uint64_t fingerprint = 0;
  std::vector<int> process_of_device;  // by device number
  uint64_t devices = 0;                // a hash of the device ids, in order
};

// Thread safe.
class ProcessRun {
 public:
  // Takes the next number for a run on these devices; called in the same order
  // in all processes.
  ProcessRun(std::shared_ptr<Communicator> communicator,
             std::shared_ptr<const ProgramIdentity> program);

  int num_devices() const {
    return static_cast<int>(program_->process_of_device.size());
  }
  int process_of(int64_t device) const {
    return program_->process_of_device[device];
  }
  bool is_local(int64_t device) const {
    return process_of(device) == communicator_->process();
  }
  // Whether one of the devices belongs to another process.
  bool Spans(absl::Span<const int64_t> devices) const;
  int64_t number() const { return number_; }
  const Communicator& communicator() const { return *communicator_; }

  // Compares programs with the other processes, at the first run of this one on
  // these devices. Errors: FailedPrecondition that names the process and its
  // program; those of Run.
  absl::Status Begin();

  // The description of an instruction's next operation between `members`;
  // `bytes` are those of one member.
  Operation NextOperation(absl::string_view op, absl::string_view type,
                          absl::string_view name, int64_t channel,
                          int64_t bytes, absl::Span<const int64_t> members);
  // Carries out the part of this process. Errors: as RunSchedule; those that
  // the communicator had before; after an error it is unusable.
  absl::Status Run(const Operation& operation, const ProcessGroup& group,
                   const Schedule& schedule, absl::Span<char* const> spaces,
                   FoldFunction fold);
  // The place of this process in `group`.
  int PlaceIn(const ProcessGroup& group) const;
  ProcessGroup GroupOf(absl::Span<const int64_t> members) const;

  // Sends `data` to another process, and keeps it; does not wait. Errors: those
  // that the communicator had before, and of the transport.
  absl::Status Send(const Operation& operation, int process, MemoryChunk data);
  // Receives what `process` sends with the same operation. Errors: as Run.
  absl::Status Receive(const Operation& operation, int process,
                       absl::Span<char> to);
  // Waits until all that was sent has left. Called once, after the run. Errors:
  // as Run.
  absl::Status Finish();

  // Tells the other processes that the run has failed here.
  absl::Status Fail(const absl::Status& cause);

 private:
  const std::shared_ptr<Communicator> communicator_;
  const std::shared_ptr<const ProgramIdentity> program_;
  const int64_t number_;
  struct Sent {
    Operation operation;
    int process;
    Frame frame;
    MemoryChunk data;
    std::vector<std::unique_ptr<Transfer>> transfers;
  };

  std::mutex mutex_;  // guards all below
  absl::flat_hash_map<uint64_t, uint64_t> occurrences_;
  std::vector<std::unique_ptr<Sent>> sent_;
};

}  // namespace xla::distributed

#endif  // XLA_DISTRIBUTED_PROCESS_RUN_H_
