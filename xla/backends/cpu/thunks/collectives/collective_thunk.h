// CollectiveThunk: the base of all collectives: their groups, the rendezvous of
// members, and the exchange that the last member to arrive does for all.
#ifndef XLA_BACKENDS_CPU_THUNKS_COLLECTIVES_COLLECTIVE_THUNK_H_
#define XLA_BACKENDS_CPU_THUNKS_COLLECTIVES_COLLECTIVE_THUNK_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "xla/backends/cpu/thunks/kernel_thunk.h"
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
  // The result of a start op also holds its operands, which are copied there,
  // and contexts, which are zeros.
  std::vector<CopyThunk::Move> forwards;
  std::vector<Slice> zeros;
};

// All devices are suspended while the last one reads their operands and writes
// their results, so results may share memory with operands.
class CollectiveThunk : public Thunk {
 public:
  struct Member {
    int64_t device = 0;
    const CollectiveThunk* thunk = nullptr;
    std::vector<const char*> operands;
    std::vector<char*> results;
  };
  // The members are in the order of the group.
  struct Exchange {
    std::vector<Member> members;
    ParallelRunner& runner;
    int64_t size() const { return static_cast<int64_t>(members.size()); }
  };

  absl::string_view kind() const override { return site_.op; }
  BufferUses buffer_uses() const final;
  absl::StatusOr<ThunkResult> Run(DeviceRun& run, int64_t here) const final;
  std::string WaitsFor(const DeviceRun& run) const override;

 protected:
  explicit CollectiveThunk(CollectiveSite site)
      : Thunk(site.name), site_(std::move(site)) {}

  const CollectiveSite& site() const { return site_; }

  // Writes the results of member `me`, which share no memory with any member's
  // operands. Called for several members at once. Errors: InvalidArgument.
  virtual absl::Status Produce(const Exchange& exchange, int64_t me) const = 0;
  // Writes all results; every member is at this thunk. Results may share memory
  // with operands if WorksInPlace() said so.
  virtual absl::Status ProduceAll(const Exchange& exchange) const;
  // Whether ProduceAll supports the overlaps between slices.
  virtual bool WorksInPlace() const;
  // Writes the results of the local members of a group that has members in
  // other processes. Errors: InvalidArgument; those of ProcessExchange.
  virtual absl::Status ProduceAcross(ProcessExchange& across) const = 0;
  // Does so by Produce; the operands that it reads are there.
  absl::Status ProduceLocal(ProcessExchange& across) const;
  // Runs on devices that are in no group. Errors: InvalidArgument unless
  // overridden.
  virtual absl::Status RunOutside(DeviceRun& run) const;

  // Fills the results with zeros.
  void ZeroResults(DeviceRun& run) const;
  // Errors: InvalidArgument unless whole == part * group_size.
  absl::Status CheckPart(int64_t whole, int64_t part, int64_t group_size) const;

 private:
  absl::Status RunExchange(
      DeviceRun& run,
      absl::Span<const RunGroup::Participant> participants) const;
  // The same for a group of which `participants` are the local members.
  absl::Status RunAcross(DeviceRun& run,
                         absl::Span<const RunGroup::Participant> participants,
                         absl::Span<const int64_t> members) const;
  absl::Status CheckAlike(
      absl::Span<const RunGroup::Participant> participants) const;

  const CollectiveSite site_;
};

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_THUNKS_COLLECTIVES_COLLECTIVE_THUNK_H_
