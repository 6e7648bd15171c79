// ProcessExchange: one exchange of a collective whose members belong to several
// processes. The thunks say what they need of the members elsewhere.
#ifndef XLA_BACKENDS_CPU_THUNKS_COLLECTIVES_PROCESS_EXCHANGE_H_
#define XLA_BACKENDS_CPU_THUNKS_COLLECTIVES_PROCESS_EXCHANGE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/types/span.h"
#include "xla/backends/cpu/thunks/collectives/collective_thunk.h"
#include "xla/distributed/process_run.h"
#include "xla/distributed/run_schedule.h"
#include "xla/distributed/schedule/schedule.h"
#include "xla/runtime/memory_chunk.h"

namespace xla::cpu {

// Used by the thread of the last local member to arrive; the devices of the
// others wait.
class ProcessExchange {
 public:
  // Part of an operand: `count` pieces of `bytes` bytes, `stride` bytes apart.
  struct Part {
    size_t operand = 0;
    int64_t offset = 0;
    int64_t bytes = 0;
    int64_t stride = 0;
    int64_t count = 1;
    bool operator==(const Part&) const = default;
  };

  // `exchange` has all members of the group, those of other processes without
  // memory; `operands` are the slices of each member's operands.
  ProcessExchange(distributed::ProcessRun& processes,
                  DeviceScheduler& scheduler, const CollectiveSite& site,
                  CollectiveThunk::Exchange& exchange);

  CollectiveThunk::Exchange& exchange() const { return exchange_; }
  // The positions of this process's members.
  absl::Span<const int> local_members() const { return group_.members[self_]; }
  const distributed::ProcessGroup& group() const { return group_; }
  int self() const { return self_; }  // a place in group()

  // Each of these gives the members of other processes memory with their
  // operands, as far as it says. Errors: those of ProcessRun::Run;
  // ResourceExhausted.
  //
  // Operands `first` to `last` - 1 of all members.
  absl::Status GatherOperands(size_t first, size_t last);
  // The operands of the first member.
  absl::Status BroadcastOperands();
  // What `parts` adds for each pair of a member and a local member of another
  // process that needs it. It is called in both of their processes.
  absl::Status ExchangeParts(
      absl::FunctionRef<void(int64_t from, int64_t to, std::vector<Part>*)>
          parts);

  // Copies the operands of the local members, so that results may overwrite
  // them.
  absl::Status SaveOperands();

  // Carries out a schedule; `spaces` are those of its steps. Other devices of
  // this process may run meanwhile.
  absl::Status Run(const distributed::Schedule& schedule,
                   absl::Span<char* const> spaces,
                   distributed::FoldFunction fold);
  // Memory that lives as long as the exchange.
  absl::StatusOr<char*> Allocate(int64_t bytes);

 private:
  using Members = std::vector<std::pair<int64_t, std::vector<Part>>>;

  // The parts that the members at place `to` need of those at place `from`.
  Members PartsBetween(
      int from, int to,
      absl::FunctionRef<void(int64_t, int64_t, std::vector<Part>*)> parts)
      const;
  char* MemoryOf(int64_t member, size_t operand);
  absl::Status Unpack(const Members& members, const char* from);

  distributed::ProcessRun& processes_;
  DeviceScheduler& scheduler_;
  const CollectiveSite& site_;
  CollectiveThunk::Exchange& exchange_;
  std::vector<int64_t> devices_;  // of the members
  const distributed::ProcessGroup group_;
  const int self_;
  std::vector<MemoryChunk> memory_;
};

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_THUNKS_COLLECTIVES_PROCESS_EXCHANGE_H_
