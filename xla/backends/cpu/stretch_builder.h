// StretchBuilder: adds the thunks between two labels or jumps to a sequence, in
// groups that run side by side where that saves time.
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

  // Sets the cost of the thunk that is added next; the thunk itself says
  // whether it may run concurrently.
  void set_cost(const ThunkCost& cost) { cost_ = cost; }
  void Add(std::unique_ptr<Thunk> thunk);
  // Returns the thunk added since the last call of this; null if there was
  // none.
  Thunk* TakeLast() { return std::exchange(last_, nullptr); }

  // Adds all thunks since the last call to the sequence, in order; groups of
  // neighbours (FindConcurrentGroups) become a ConcurrentThunk each.
  void Flush();
  // Returns the sequence so far, to add a label or a jump.
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
  Thunk* last_ = nullptr;
  ThunkSequence thunks_;
  std::vector<BufferUses> uses_;
  std::vector<ThunkCost> costs_;
};

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_STRETCH_BUILDER_H_
