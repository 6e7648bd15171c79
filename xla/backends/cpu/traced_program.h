// MakeTracedProgram: what traces say about the thunks of a compiled program.
#ifndef XLA_BACKENDS_CPU_TRACED_PROGRAM_H_
#define XLA_BACKENDS_CPU_TRACED_PROGRAM_H_

#include <memory>
#include <vector>

#include "absl/types/span.h"
#include "xla/backends/cpu/thunks/thunk.h"
#include "xla/hlo/ir/hlo_module.h"
#include "xla/runtime/tracing/trace_event.h"

namespace xla::cpu {

// From which HLO a thunk was made. The thunk's trace_number is its place among
// the origins of its program.
struct ThunkOrigin {
  const Thunk* thunk = nullptr;
  // The instruction after which it is named.
  const HloInstruction* instruction = nullptr;
  // All that it computes, in order; none for a thunk that packs an operand.
  std::vector<const HloInstruction*> instructions;
};

// Costs, text and names are made when a trace asks for them. `module` is that
// of the origins; their thunks are not needed afterwards.
std::shared_ptr<const TracedProgram> MakeTracedProgram(
    std::shared_ptr<const HloModule> module,
    absl::Span<const ThunkOrigin> origins);

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_TRACED_PROGRAM_H_
