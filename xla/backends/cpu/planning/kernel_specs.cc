// Collects the parts of the specifications from the other files of the folder.
#include "xla/backends/cpu/planning/kernel_specs.h"

#include <utility>

#include "absl/container/flat_hash_set.h"
#include "xla/backends/cpu/codegen/plans/work.h"
#include "xla/backends/cpu/planning/cold_kernels.h"
#include "xla/backends/cpu/planning/kernel_frames.h"
#include "xla/backends/cpu/planning/local_buffers.h"
#include "xla/backends/cpu/planning/shared_functions.h"

namespace xla::cpu {
namespace {

KernelFrame FrameOf(const KernelFrames& frames, const KernelRequest& request,
                    const LocalBuffers& locals) {
  if (request.mapped != nullptr) return FrameOfMapped(*request.mapped);
  if (IsSequence(request.instructions)) {
    return frames.OfSequence(request.instructions, locals);
  }
  const HloInstruction& instruction = *request.instructions[0];
  return request.block < 0
             ? frames.OfInstruction(instruction)
             : FrameOfBlock(instruction, request.block, request.column_range);
}

// A loop of less ends before anybody notices that it was not cancelled. The
// look at the token takes part of a nanosecond in each iteration, which loops
// that are known to be short are spared.
constexpr double kLongLoopNs = 1e6;

void AddLongLoops(const HloInstruction& instruction, const RunCosts& costs,
                  absl::flat_hash_set<const HloInstruction*>& loops) {
  if (!HasBodies(instruction)) return;
  if (instruction.opcode() == HloOpcode::kWhile &&
      costs.Of(&instruction) >= kLongLoopNs &&
      !loops.insert(&instruction).second) {
    return;
  }
  for (const HloComputation* body : instruction.called_computations()) {
    for (const auto& inner : body->instructions()) {
      AddLongLoops(*inner, costs, loops);
    }
  }
}

absl::flat_hash_set<const HloInstruction*> LongLoops(
    const KernelRequest& request, const RunCosts& costs) {
  absl::flat_hash_set<const HloInstruction*> loops;
  for (const HloInstruction* instruction : request.instructions) {
    AddLongLoops(*instruction, costs, loops);
  }
  return loops;
}

}  // namespace

std::vector<PlannedKernel> MakeKernels(const HloModule& module,
                                       const BufferAssignment& assignment,
                                       const RunCosts& costs,
                                       absl::Span<const PlannedThunk> thunks,
                                       std::vector<KernelRequest> requests) {
  const KernelFrames frames_of(module, assignment);
  std::vector<LocalBuffers> locals;
  std::vector<KernelFrame> frames;
  for (const KernelRequest& request : requests) {
    locals.push_back(LocalBuffersOf(assignment, thunks, request));
    frames.push_back(FrameOf(frames_of, request, locals.back()));
  }
  const std::vector<int64_t> functions = FindSharedFunctions(requests, frames);
  const std::vector<bool> cold = FindColdKernels(costs, requests, functions);
  std::vector<PlannedKernel> kernels;
  for (size_t i = 0; i < requests.size(); ++i) {
    KernelRequest& request = requests[i];
    absl::flat_hash_set<const HloInstruction*> loops =
        LongLoops(request, costs);
    kernels.push_back({.spec = {.name = std::move(request.name),
                                .instructions = std::move(request.instructions),
                                .mapped = request.mapped,
                                .row_columns = request.row_columns,
                                .cancellable_loops = std::move(loops),
                                .frame = std::move(frames[i]),
                                .local_buffers = std::move(locals[i]),
                                .function_of = functions[i],
                                .is_cold = cold[i]},
                       .workgroups = request.workgroups,
                       .workgroups_per_task = request.workgroups_per_task,
                       .joins_workgroups = request.joins_workgroups});
  }
  return kernels;
}

}  // namespace xla::cpu
