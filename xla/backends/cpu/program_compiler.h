// ProgramCompiler: makes the native code and the thunks of a program whose plan
// is made, to run in this process or to be written to a file.
#ifndef XLA_BACKENDS_CPU_PROGRAM_COMPILER_H_
#define XLA_BACKENDS_CPU_PROGRAM_COMPILER_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "xla/backends/cpu/checking/thunk_computation.h"
#include "xla/backends/cpu/codegen/program_code.h"
#include "xla/backends/cpu/cpu_compiler.h"
#include "xla/backends/cpu/planning/run_cost.h"
#include "xla/backends/cpu/planning/thunk_planner.h"
#include "xla/backends/cpu/stretch_builder.h"
#include "xla/backends/cpu/thunk_emitter/thunk_emitter_context.h"
#include "xla/backends/cpu/thunks/thunk.h"
#include "xla/backends/cpu/thunks/thunk_sequence_builder.h"
#include "xla/backends/cpu/traced_program.h"
#include "xla/hlo/analysis/buffer_assignment.h"
#include "xla/hlo/ir/hlo_module.h"

namespace xla::cpu {

// Returns the level of library kernels that run beside code for `target`, be it
// that of this processor or not.
VectorLevel VectorLevelFor(const TargetInfo& target);

// Used once: one of EmitCode, LoadCode and EmitObjects, then MakeThunks.
class ProgramCompiler : public ThunkEmitterContext {
 public:
  // All arguments must outlive this.
  ProgramCompiler(const HloModule& module, const BufferAssignment& assignment,
                  const CpuCompilerOptions& options, const RunCosts& costs)
      : module_(module),
        assignment_(assignment),
        target_(options.target),
        costs_(costs),
        runner_(options.runner),
        tuning_(options.tuning),
        kernel_times_(options.kernel_times) {}

  // Compiles the plan's kernels. Errors: those of CompileProgram.
  absl::Status EmitCode(const ThunkPlan& plan, bool keep_dumps);
  // Takes code that an earlier EmitCode made. Errors: those of LoadProgram.
  absl::Status LoadCode(const ThunkPlan& plan, CompiledObjects objects);
  // Compiles the plan's kernels for another process: thunks are made to be
  // written (Thunk::Write), and not to be run. Errors: those of CompileObjects.
  absl::StatusOr<CompiledObjects> EmitObjects(const ThunkPlan& plan);

  absl::StatusOr<ThunkSequence> MakeThunks(const ThunkPlan& plan);

  // The number in the plan of a kernel that thunks made after EmitObjects call;
  // -1 for any other function.
  int64_t NumberOfKernel(KernelFunction function) const;
  // Of the thunks that MakeThunks numbered for traces.
  std::vector<ThunkOrigin> TakeOrigins() { return std::move(origins_); }
  // The code; null for a program without any, and after EmitObjects.
  std::shared_ptr<CompiledCode> compiled() const { return code_.code; }

  // ThunkEmitterContext.
  absl::StatusOr<Slice> SliceOf(const HloInstruction& hlo,
                                int64_t leaf) const override {
    return assignment_.slice(&hlo, leaf);
  }
  KernelTarget kernel_target() const override;
  using ThunkEmitterContext::TunedTarget;
  KernelTarget TunedTarget(const HloInstruction& product) const override;
  bool writes_thunks() const override { return writes_thunks_; }
  const Thunk* PackThunkOf(const HloInstruction& product) const override {
    const auto it = pack_thunks_.find(&product);
    return it == pack_thunks_.end() ? nullptr : it->second;
  }
  absl::StatusOr<KernelFunction> KernelOf(const HloInstruction& hlo,
                                          int64_t number) const override;

 private:
  // The result for a thunk of the plan: a thunk that computes or copies, null
  // if there is nothing to do, or for jumps the number in the sequence.
  struct MadeThunk {
    Thunk* op = nullptr;
    int64_t number = -1;
  };

  KernelFunction FunctionOf(int64_t kernel) const {
    return reinterpret_cast<KernelFunction>(code_.kernels[kernel]);
  }
  Slice At(const HloInstruction* instruction) const {
    return assignment_.slice(instruction, 0);
  }

  absl::Status Verify(const ThunkPlan& plan, const std::vector<MadeThunk>& made,
                      const ThunkSequence& sequence) const;
  // Adds `thunk`, or a check around it if the compilation is to be checked.
  void AddOp(std::unique_ptr<Thunk> thunk,
             absl::Span<const HloInstruction* const> instructions,
             const LocalBuffers& locals, StretchBuilder& stretch);
  absl::Status AddThunk(const ThunkPlan& plan, const PlannedThunk& thunk,
                        const std::vector<ThunkSequenceBuilder::Label>& labels,
                        StretchBuilder& stretch);

  const HloModule& module_;
  const BufferAssignment& assignment_;
  const TargetInfo& target_;
  const RunCosts& costs_;
  ParallelRunner* const runner_;
  // These may be null.
  const std::shared_ptr<const TuningTable> tuning_;
  const std::shared_ptr<KernelTimes> kernel_times_;
  // After EmitObjects its kernels are places in kernel_numbers_, not functions.
  ProgramCode code_;
  std::vector<char> kernel_numbers_;
  bool writes_thunks_ = false;
  std::optional<ThunkCutter> cutter_;  // where thunks are checked
  // The numbers in code_.kernels of the kernels that library ops call.
  absl::flat_hash_map<const HloInstruction*, int64_t> library_kernels_;
  // By product.
  absl::flat_hash_map<const HloInstruction*, const Thunk*> pack_thunks_;
  std::vector<ThunkOrigin> origins_;
};

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_PROGRAM_COMPILER_H_
