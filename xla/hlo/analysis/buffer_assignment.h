// BufferAssignment: where in memory each value of a module lies.
#ifndef XLA_HLO_ANALYSIS_BUFFER_ASSIGNMENT_H_
#define XLA_HLO_ANALYSIS_BUFFER_ASSIGNMENT_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "xla/hlo/analysis/alias_info.h"
#include "xla/hlo/ir/hlo_instruction.h"
#include "xla/hlo/ir/hlo_module.h"
#include "xla/runtime/buffer_allocation.h"

namespace xla {

using BufferSlice = BufferAllocation::Slice;

// Assigns memory to the leaves of every instruction that runs as a step: those
// of the entry and of the computations that while, conditional and call reach.
// Computations of fusions, reducers, comparators and so on have no memory.
class BufferAssignment {
 public:
  using Kind = BufferAllocation::Kind;
  struct Allocation : BufferAllocation {
    const HloInstruction* constant = nullptr;  // null unless kConstant
    // For an output: whether input_output_alias pairs it with a parameter.
    bool may_be_parameter = false;
    // For an output: the buffer of its result; others in it are temporaries.
    int64_t result_buffer = -1;
  };
  // A half-open interval in the times of HloLiveRange: those of the program
  // written as a straight line, with a loop's body once inside of the loop.
  struct Interval {
    int64_t begin;
    int64_t end;
  };
  struct Options {
    int64_t alignment = 64;  // of every array in the arena
    // The least bytes of a temporary that an output may hold. Smaller ones
    // would save little there, and backends can keep those of the arena in
    // registers.
    int64_t least_in_output = int64_t{16} << 10;
  };
  struct Statistics {
    int64_t buffers = 0;
    int64_t parameter_bytes = 0;
    int64_t output_bytes = 0;
    int64_t constant_bytes = 0;
    int64_t temp_bytes = 0;  // of the arena
    // The most temporary memory needed at one time; temp_bytes also includes
    // gaps between arrays.
    int64_t live_temp_bytes = 0;
  };

  // The module is verified and scheduled, and went through copy-insertion with
  // the same answers of `alias_info`, which is not needed later. Errors:
  // FailedPrecondition if it did not; those of HloDataflow; ResourceExhausted
  // if sizes overflow.
  static absl::StatusOr<std::unique_ptr<BufferAssignment>> Run(
      const HloModule& module, const AliasInfo& alias_info,
      const Options& options);
  static absl::StatusOr<std::unique_ptr<BufferAssignment>> Run(
      const HloModule& module, const AliasInfo& alias_info) {
    return Run(module, alias_info, Options());
  }

  // Returns the slice of a leaf of an instruction in one of these computations
  // (see Has).
  const BufferSlice& slice(const HloInstruction* instruction,
                           int64_t leaf) const;
  absl::Span<const BufferSlice> slices(const HloInstruction* instruction) const;
  bool Has(const HloInstruction* instruction) const {
    return leaves_.contains(instruction);
  }
  // Returns a number that is equal exactly for leaves of one buffer, which
  // always share a slice; -1 for leaves without memory.
  int64_t buffer_id(const HloInstruction* instruction, int64_t leaf) const;

  // Returns the time during which a buffer owns its memory: from the first
  // write to after the last read. Results of the program live to the end;
  // parameters and constants live all the time.
  Interval lifetime(int64_t buffer) const { return lifetimes_[buffer]; }
  // Returns the time after the last read of the value that `instruction` writes
  // to this leaf, or after its move to where it is needed longer. From then on
  // the memory may hold another value of the same buffer. 0 without memory.
  int64_t last_use(const HloInstruction* instruction, int64_t leaf) const {
    return leaves_.at(instruction).last_uses[leaf];
  }
  // Returns the interval from when `instruction`, which is a step, reads its
  // operands until its results are written.
  Interval times(const HloInstruction* instruction) const {
    return leaves_.at(instruction).times;
  }

  // Returns the byte of the arena from which on nothing is needed while
  // `instruction` runs in its place in the schedule, so that it may use the
  // memory there.
  int64_t arena_free_from(const HloInstruction* instruction) const;

  // The leaves of parameters, those of the result, constants, then the arena.
  absl::Span<const Allocation> allocations() const { return allocations_; }
  int64_t temp_allocation() const { return allocations_.size() - 1; }
  int64_t temp_bytes() const { return statistics_.temp_bytes; }
  const Statistics& statistics() const { return statistics_; }
  int64_t alignment() const { return alignment_; }

  // Returns text with a line for each allocation and each leaf with memory.
  std::string ToString() const;

 private:
  friend class BufferAssigner;
  struct Leaves {
    std::vector<BufferSlice> slices;
    std::vector<int64_t> buffers;
    std::vector<int64_t> last_uses;
    Interval times = {-1, -1};
    int64_t arena_free_from = -1;  // -1: unknown
  };

  BufferAssignment() = default;

  int64_t alignment_ = 0;
  std::vector<Allocation> allocations_;
  Statistics statistics_;
  std::vector<Interval> lifetimes_;                  // by buffer
  std::vector<const HloInstruction*> instructions_;  // in the order of steps
  absl::flat_hash_map<const HloInstruction*, Leaves> leaves_;
};

}  // namespace xla

#endif  // XLA_HLO_ANALYSIS_BUFFER_ASSIGNMENT_H_
