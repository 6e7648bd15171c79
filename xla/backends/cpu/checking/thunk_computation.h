// ThunkComputation: what one thunk of a program computes, as HLO from the
// arrays that it reads to those that it leaves for others.
#ifndef XLA_BACKENDS_CPU_CHECKING_THUNK_COMPUTATION_H_
#define XLA_BACKENDS_CPU_CHECKING_THUNK_COMPUTATION_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/types/span.h"
#include "xla/backends/cpu/codegen/program_code.h"
#include "xla/core/shape.h"
#include "xla/hlo/analysis/buffer_assignment.h"
#include "xla/hlo/ir/hlo_module.h"

namespace xla::cpu {

struct ThunkComputation {
  // An array in memory while the program runs.
  struct Array {
    BufferSlice slice;
    Shape shape;
    std::string instruction;
  };
  // Is in a module of its own; its root is a tuple of `results`.
  const HloComputation* computation = nullptr;
  std::vector<Array> operands;  // before the thunk, by parameter
  std::vector<Array> results;   // after it
};

// Cuts computations out of a module, which it copies once.
class ThunkCutter {
 public:
  // Both arguments outlive this; results of Cut live as long as copy().
  ThunkCutter(const HloModule& module, const BufferAssignment& assignment);

  // Cuts out a thunk that runs `instructions` in this order, with `locals` on
  // its stack. Returns nullopt if it leaves no results in memory, or if it
  // depends on more than its arrays: other devices, the host, a random state,
  // custom calls.
  std::optional<ThunkComputation> Cut(
      absl::Span<const HloInstruction* const> instructions,
      const LocalBuffers& locals);

  std::shared_ptr<const HloModule> copy() const { return copy_; }

 private:
  class Builder;

  const BufferAssignment& assignment_;
  const std::shared_ptr<HloModule> copy_;
  // The instructions of copy_, by the computation's name and their own.
  absl::flat_hash_map<std::pair<std::string, std::string>, HloInstruction*>
      copies_;
};

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_CHECKING_THUNK_COMPUTATION_H_
