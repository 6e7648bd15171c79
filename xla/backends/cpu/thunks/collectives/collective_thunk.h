// CollectiveThunk: the base of all collectives: their groups, the rendezvous of
// members, and the exchange that the last member to arrive begins for all.
#ifndef XLA_BACKENDS_CPU_THUNKS_COLLECTIVES_COLLECTIVE_THUNK_H_
#define XLA_BACKENDS_CPU_THUNKS_COLLECTIVES_COLLECTIVE_THUNK_H_

#include <atomic>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "xla/backends/cpu/thunks/device_run.h"
#include "xla/backends/cpu/thunks/run_group.h"
#include "xla/backends/cpu/thunks/thunk.h"
#include "xla/core/shape.h"
#include "xla/hlo/ops/device/device_groups.h"
#include "xla/runtime/parallel.h"

namespace xla::cpu {

class ProcessExchange;

// The groups that the devices of a run form.
struct Membership {
  std::vector<std::vector<int64_t>> groups;  // device numbers, in order
  std::vector<int32_t> group_of_device;      // -1: none
  std::vector<int32_t> place_of_device;      // its index in its group

  // Errors: those of DevicesOfGroup.
  static absl::StatusOr<Membership> Create(const ReplicaGroups& groups,
                                           CollectiveOpGroupMode mode,
                                           DeviceCounts counts);
};

// The operation that a collective thunk implements. Arrays are dense and
// row-major.
struct CollectiveSite {
  std::string name;
  absl::string_view op;  // "all-reduce", for ever
  int64_t channel = 0;   // 0: none
  absl::StatusOr<Membership> membership;
  std::vector<Shape> shapes;  // of the operands
  std::vector<Slice> operands;
  std::vector<Slice> results;
  // Identifies the start of an asynchronous collective for its done; null if
  // the device waits for the exchange where it begins.
  const void* start = nullptr;
};

// How far a device's last exchange is that some start began.
struct CollectiveProgress : DeviceRun::ThunkState {
  enum State { kStarted, kAwaited, kFinished };

  // Called by the device. Returns whether it must wait.
  bool Await();
  // Called by the exchange. Returns whether the device waits.
  bool Finish() {
    return state.exchange(kFinished, std::memory_order_acq_rel) == kAwaited;
  }

  const CollectiveThunk* thunk = nullptr;  // the start
  std::atomic<State> state{kFinished};
};

// All devices are suspended while the last one reads their operands and writes
// their results, in a loop that other threads help with. So results may share
// memory with operands. The devices of an asynchronous collective go on; what
// they run until its done leaves operands and results alone.
class CollectiveThunk : public Thunk {
 public:
  struct Member {
    int64_t device = 0;
    const CollectiveThunk* thunk = nullptr;
    absl::InlinedVector<const char*, 2> operands;
    absl::InlinedVector<char*, 2> results;
  };
  // The same result of each receiver.
  using Results = absl::InlinedVector<char*, 8>;
  // What one exchange reads and writes.
  struct Exchange {
    absl::InlinedVector<Member, 8> members;  // in the order of the group
    ParallelRunner& runner;
    // The members whose results are written: all of them, or those that share
    // a thunk.
    int64_t first_receiver = 0;
    int64_t receiver_count = 0;

    int64_t size() const { return static_cast<int64_t>(members.size()); }
    absl::Span<const Member> receivers() const {
      return absl::MakeConstSpan(members).subspan(first_receiver,
                                                  receiver_count);
    }
    Results ResultsOf(size_t number) const;
  };

  absl::string_view kind() const override { return site_.op; }
  BufferUses buffer_uses() const final;
  absl::StatusOr<ThunkResult> Run(DeviceRun& run, int64_t here) const final;
  std::string WaitsFor(const DeviceRun& run) const override;

 protected:
  // Which results may be written in the memory of operands without a copy of
  // the operands: none, or result i over operand i.
  enum class InPlace { kNever, kSameNumber };

  explicit CollectiveThunk(CollectiveSite site,
                           InPlace in_place = InPlace::kNever);

  const CollectiveSite& site() const { return site_; }

  // Writes the results of the receivers. They share memory with no operands
  // but those that InPlace allows, of receivers that are all members. What is
  // written does not depend on the runner. Errors: InvalidArgument.
  virtual absl::Status Transfer(const Exchange& exchange) const = 0;
  // Writes the results of the local members of a group that has members in
  // other processes. Errors: InvalidArgument; those of ProcessExchange.
  virtual absl::Status ProduceAcross(ProcessExchange& across) const = 0;
  // Does so by Transfer; the operands that it reads are there.
  absl::Status TransferLocal(ProcessExchange& across) const;
  // Runs on devices that are in no group. Errors: InvalidArgument unless
  // overridden.
  virtual absl::Status RunOutside(DeviceRun& run) const;

  // Fills the results with zeros.
  void ZeroResults(DeviceRun& run) const;
  // Errors: InvalidArgument unless whole == part * group_size.
  absl::Status CheckPart(int64_t whole, int64_t part, int64_t group_size) const;

 private:
  using Participants = absl::Span<const RunGroup::Participant>;

  // Moves the data of the group number `group`, of which all members of this
  // process have arrived: between them, or also with other processes.
  absl::Status RunExchange(DeviceRun& run, Participants participants,
                           int32_t group) const;
  absl::Status ExchangeHere(DeviceRun& run, Participants participants) const;
  absl::Status ExchangeAcross(DeviceRun& run, Participants participants,
                              const std::vector<int64_t>& members) const;
  // Lets the devices go on, except this one, whose exchange has ended.
  void Release(DeviceRun& run, Participants participants, int64_t except) const;
  // Whether some of `members` belong to other processes, and those that belong
  // to this one.
  bool SpansProcesses(const DeviceRun& run,
                      const std::vector<int64_t>& members) const;
  static std::vector<int64_t> LocalMembers(const DeviceRun& run,
                                           const std::vector<int64_t>& members);
  absl::Status CheckAlike(Participants participants) const;
  RunGroup::RendezvousKey KeyOf(const std::vector<int64_t>& members) const {
    return {site_.op, site_.channel, this, &members};
  }

  const CollectiveSite site_;
  const bool overlaps_;  // some result lies where Transfer cannot write it
};

// Waits for an exchange that a CollectiveThunk with the same `start` began.
class CollectiveDoneThunk : public Thunk {
 public:
  // `operands` and `results` are those of the start.
  CollectiveDoneThunk(std::string name, const void* start,
                      std::vector<Slice> operands, std::vector<Slice> results)
      : Thunk(std::move(name)),
        start_(start),
        operands_(std::move(operands)),
        results_(std::move(results)) {}

  absl::string_view kind() const override { return "collective-done"; }
  // The exchange may use them until here.
  BufferUses buffer_uses() const override {
    return BufferUses().Read(operands_).Read(results_);
  }
  absl::StatusOr<ThunkResult> Run(DeviceRun& run, int64_t here) const override;
  std::string WaitsFor(const DeviceRun& run) const override;

 private:
  const void* const start_;
  const std::vector<Slice> operands_;
  const std::vector<Slice> results_;
};

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_THUNKS_COLLECTIVES_COLLECTIVE_THUNK_H_
