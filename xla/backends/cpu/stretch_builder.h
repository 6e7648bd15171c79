// StretchBuilder: adds the thunks between two labels or jumps to a sequence,
// those side by side that gain by it.
#ifndef XLA_BACKENDS_CPU_STRETCH_BUILDER_H_
#define XLA_BACKENDS_CPU_STRETCH_BUILDER_H_

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "xla/backends/cpu/planning/concurrent_groups.h"
#include "xla/backends/cpu/thunks/thunk.h"
#include "xla/backends/cpu/thunks/thunk_sequence_builder.h"
#include "xla/hlo/analysis/buffer_assignment.h"

namespace xla::cpu {

// Both arguments of the constructor outlive it.
class StretchBuilder {
 public:
  StretchBuilder(const BufferAssignment& assignment,
                 ThunkSequenceBuilder& builder)
      : assignment_(assignment), builder_(builder) {}

  // What the thunk that is added next costs; may_run_concurrently is the
  // thunk's to say.
  void set_cost(const ThunkCost& cost) { cost_ = cost; }
  void Add(std::unique_ptr<Thunk> thunk);
  // The thunk added since the last call of this, null if there was none.
  const Thunk* TakeLast() { return std::exchange(last_, nullptr); }

  // Adds all thunks since the last time to the sequence, in order; groups of
  // neighbours (FindConcurrentGroups) become a ConcurrentThunk each.
  void Flush();
  // The sequence up to here, for a label or a jump.
  ThunkSequenceBuilder& Sequence() {
    Flush();
    return builder_;
  }

 private:
  void AddAlone(size_t begin, size_t end);
  void AddGroup(const ConcurrentGroup& group);

  const BufferAssignment& assignment_;
  ThunkSequenceBuilder& builder_;
  ThunkCost cost_;
  const Thunk* last_ = nullptr;
  ThunkSequence thunks_;
  std::vector<BufferUses> uses_;
  std::vector<ThunkCost> costs_;
};

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_STRETCH_BUILDER_H_
