// Makes thunks in the order of the plan.
#include "xla/backends/cpu/program_compiler.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "xla/backends/cpu/checking/checked_thunk.h"
#include "xla/backends/cpu/checking/thunk_plan_verifier.h"
#include "xla/backends/cpu/kernels/vector/vector_level.h"
#include "xla/backends/cpu/planning/concurrent_groups.h"
#include "xla/backends/cpu/planning/local_buffers.h"
#include "xla/backends/cpu/thunk_emitter/library_ops.h"
#include "xla/backends/cpu/thunks/kernel_thunk.h"
#include "xla/base/status_macros.h"
#include "xla/runtime/tracing/trace_session.h"

namespace xla::cpu {
namespace {

// `tessera run --check`, and for other clients
// xla_backend_extra_options=xla_tessera_check_thunks. XLA gives extra options
// that do not begin with xla_ to LLVM, in a process with both.
bool ChecksThunks(const DebugOptions& options) {
  return options.xla_backend_extra_options().count("xla_tessera_check_thunks") >
         0;
}

CompileThreads CompileOn(ParallelRunner* runner) {
  if (runner->num_threads() == 1) return {};
  return {.count = runner->num_threads(),
          .parallel_for = [runner](int64_t count,
                                   absl::FunctionRef<void(int64_t)> body) {
            const std::shared_ptr<TraceSession> trace =
                TraceSession::Recording();
            runner->ParallelFor(count, [&](int64_t i) {
              const TraceSpan span(trace, "kernels of a module");
              body(i);
            });
          }};
}

std::vector<const KernelSpec*> KernelsOf(const ThunkPlan& plan) {
  std::vector<const KernelSpec*> kernels;
  for (const PlannedKernel& kernel : plan.kernels) {
    kernels.push_back(&kernel.spec);
  }
  return kernels;
}

std::vector<Slice> ArraysOf(const KernelSpec& spec) {
  std::vector<Slice> arrays;
  for (const KernelArray& array : spec.frame.arrays()) {
    arrays.push_back(array.slice);
  }
  return arrays;
}

}  // namespace

VectorLevel VectorLevelFor(const TargetInfo& target) {
  VectorLevel level = VectorLevel::kBaseline;
  if (target.is_aarch64 && target.Has("dotprod")) {
    level = !target.Has("bf16")  ? VectorLevel::kNeonDotProd
            : target.Has("i8mm") ? VectorLevel::kNeonI8mm
                                 : VectorLevel::kNeonBf16;
  }
  if (target.has_avx2 && target.has_fma && target.has_f16c) {
    level = target.Has("avxvnni") ? VectorLevel::kAvxVnni : VectorLevel::kAvx2;
  }
  if (target.has_avx512) level = VectorLevel::kAvx512;
  if (target.has_avx512 && target.Has("avx512vnni")) {
    level = target.Has("avx512bf16") ? VectorLevel::kAvx512Bf16
                                     : VectorLevel::kAvx512Vnni;
  }
  if (level == VectorLevel::kAvx512Bf16 && target.Has("amx-int8") &&
      target.Has("amx-bf16")) {
    level = VectorLevel::kAmx;
  }
  return level;
}

absl::Status ProgramCompiler::EmitCode(const ThunkPlan& plan, bool keep_dumps) {
  TF_ASSIGN_OR_RETURN(code_, CompileProgram(module_, target_, KernelsOf(plan),
                                            CompileOn(runner_), keep_dumps));
  return absl::OkStatus();
}

absl::Status ProgramCompiler::LoadCode(const ThunkPlan& plan,
                                       CompiledObjects objects) {
  TF_ASSIGN_OR_RETURN(
      code_, LoadProgram(std::move(objects), target_, KernelsOf(plan)));
  return absl::OkStatus();
}

absl::StatusOr<CompiledObjects> ProgramCompiler::EmitObjects(
    const ThunkPlan& plan) {
  writes_thunks_ = true;
  kernel_numbers_.resize(plan.kernels.size());
  for (char& place : kernel_numbers_) code_.kernels.push_back(&place);
  return CompileObjects(module_, target_, KernelsOf(plan), CompileOn(runner_));
}

int64_t ProgramCompiler::NumberOfKernel(KernelFunction function) const {
  const char* const place = reinterpret_cast<const char*>(function);
  const char* const first = kernel_numbers_.data();
  if (place < first || place >= first + kernel_numbers_.size()) return -1;
  return place - first;
}

absl::StatusOr<ThunkSequence> ProgramCompiler::MakeThunks(
    const ThunkPlan& plan) {
  for (const PlannedThunk& thunk : plan.thunks) {
    if (thunk.kind == PlannedThunk::Kind::kLibrary && thunk.index >= 0) {
      library_kernels_.insert({thunk.instruction, thunk.index});
    }
  }
  if (ChecksThunks(module_.config().debug_options())) {
    cutter_.emplace(module_, assignment_);
  }
  ThunkSequenceBuilder builder;
  StretchBuilder stretch(assignment_, builder);
  std::vector<ThunkSequenceBuilder::Label> labels;
  for (int64_t i = 0; i < plan.labels; ++i) {
    labels.push_back(builder.NewLabel());
  }
  std::vector<MadeThunk> made;
  for (const PlannedThunk& thunk : plan.thunks) {
    stretch.set_cost(CostOfThunk(plan, thunk, costs_));
    TF_RETURN_IF_ERROR(AddThunk(plan, thunk, labels, stretch));
    made.push_back({stretch.TakeLast(), builder.size() - 1});
  }
  stretch.Flush();
  TF_ASSIGN_OR_RETURN(ThunkSequence thunks, std::move(builder).Build());
  if (VerifiesThunkPlans()) {
    TF_RETURN_IF_ERROR(Verify(plan, made, thunks));
  }
  for (size_t i = 0; i < made.size(); ++i) {
    if (made[i].op == nullptr) continue;
    made[i].op->set_trace_number(static_cast<int32_t>(origins_.size()));
    origins_.push_back({made[i].op, plan.thunks[i].instruction,
                        InstructionsOf(plan, plan.thunks[i])});
  }
  return thunks;
}

KernelTarget ProgramCompiler::kernel_target() const {
  KernelTarget target;
  target.vector_level = VectorLevelFor(target_);
  if (!writes_thunks_) {
    target.vector_level = std::min(target.vector_level, ProcessorVectorLevel());
  }
  target.caches = {target_.l1_bytes, target_.l2_bytes};
  if (costs_.keeps_threads_awake()) {
    target.task_ns = KernelTarget::kShortTaskNs;
  }
  return target;
}

KernelTarget ProgramCompiler::TunedTarget(const HloInstruction& product) const {
  // A loop's packed operands are for the usual plan.
  if (PackThunkOf(product) != nullptr) return kernel_target();
  if (tuning_ == nullptr) return kernel_target();
  return tuning_->Find(product).Apply(kernel_target());
}

absl::StatusOr<KernelFunction> ProgramCompiler::KernelOf(
    const HloInstruction& hlo, int64_t number) const {
  auto it = library_kernels_.find(&hlo);
  if (it != library_kernels_.end()) return FunctionOf(it->second + number);
  return absl::InternalError(absl::StrCat("no kernel for ", hlo.name()));
}

absl::Status ProgramCompiler::Verify(const ThunkPlan& plan,
                                     const std::vector<MadeThunk>& made,
                                     const ThunkSequence& sequence) const {
  std::vector<const Thunk*> thunks;
  for (size_t i = 0; i < made.size(); ++i) {
    const PlannedThunk::Kind kind = plan.thunks[i].kind;
    const bool jumps = kind == PlannedThunk::Kind::kJump ||
                       kind == PlannedThunk::Kind::kJumpIfFalse ||
                       kind == PlannedThunk::Kind::kSwitch;
    thunks.push_back(jumps ? sequence[made[i].number].get() : made[i].op);
  }
  TF_RETURN_IF_ERROR(VerifyThunkPlan(module_, assignment_, plan, thunks));
  return VerifyConcurrency(assignment_, sequence);
}

void ProgramCompiler::AddOp(
    std::unique_ptr<Thunk> thunk,
    absl::Span<const HloInstruction* const> instructions,
    const LocalBuffers& locals, StretchBuilder& stretch) {
  if (cutter_.has_value()) {
    std::optional<ThunkComputation> computation =
        cutter_->Cut(instructions, locals);
    if (computation.has_value()) {
      thunk = std::make_unique<CheckedThunk>(
          std::move(thunk), *std::move(computation), cutter_->copy());
    }
  }
  stretch.Add(std::move(thunk));
}

absl::Status ProgramCompiler::AddThunk(
    const ThunkPlan& plan, const PlannedThunk& thunk,
    const std::vector<ThunkSequenceBuilder::Label>& labels,
    StretchBuilder& stretch) {
  const HloInstruction* instruction = thunk.instruction;
  switch (thunk.kind) {
    case PlannedThunk::Kind::kKernel: {
      const PlannedKernel& kernel = plan.kernels[thunk.index];
      AddOp(std::make_unique<KernelThunk>(
                kernel.spec.name, FunctionOf(thunk.index), kernel.workgroups,
                kernel.workgroups_per_task, ArraysOf(kernel.spec),
                KernelUses(assignment_, kernel.spec), kernel.joins_workgroups),
            kernel.spec.instructions, kernel.spec.local_buffers, stretch);
      return absl::OkStatus();
    }
    case PlannedThunk::Kind::kLibrary: {
      TF_ASSIGN_OR_RETURN(std::unique_ptr<Thunk> library,
                          EmitLibraryThunk(*instruction, *this));
      if (library == nullptr) return absl::OkStatus();
      if (kernel_times_ != nullptr && IsTunable(*instruction)) {
        library = std::make_unique<TimedThunk>(
            std::move(library), TuningKey(*instruction), kernel_times_);
      }
      if (!thunk.early) {
        library->set_scratch_from(assignment_.arena_free_from(instruction));
      }
      AddOp(std::move(library), {instruction}, {}, stretch);
      return absl::OkStatus();
    }
    case PlannedThunk::Kind::kPack: {
      TF_ASSIGN_OR_RETURN(
          PackedOperand packed,
          EmitPackThunk(*instruction, plan.packs[thunk.index], *this));
      if (packed.thunk == nullptr) return absl::OkStatus();
      for (const HloInstruction* product : packed.products) {
        pack_thunks_[product] = packed.thunk.get();
      }
      stretch.Add(std::move(packed.thunk));
      return absl::OkStatus();
    }
    case PlannedThunk::Kind::kCopy:
      stretch.Add(std::make_unique<CopyThunk>(
          instruction->name(),
          std::vector<CopyThunk::Move>{
              {At(instruction->operand(0)), At(instruction)}}));
      return absl::OkStatus();
    case PlannedThunk::Kind::kCopies: {
      std::vector<CopyThunk::Move> moves;
      for (const HloInstruction* copy : plan.copies[thunk.index]) {
        moves.push_back({At(copy->operand(0)), At(copy)});
      }
      stretch.Add(
          std::make_unique<CopyThunk>(instruction->name(), std::move(moves)));
      return absl::OkStatus();
    }
    case PlannedThunk::Kind::kLabel:
      stretch.Sequence().Bind(labels[thunk.index]);
      return absl::OkStatus();
    case PlannedThunk::Kind::kJump:
      stretch.Sequence().AddJump(instruction->name(), labels[thunk.index]);
      return absl::OkStatus();
    case PlannedThunk::Kind::kJumpIfFalse:
      stretch.Sequence().AddJumpIfFalse(instruction->name(), At(instruction),
                                        labels[thunk.index]);
      return absl::OkStatus();
    case PlannedThunk::Kind::kSwitch: {
      std::vector<ThunkSequenceBuilder::Label> targets;
      for (int64_t target : thunk.targets) targets.push_back(labels[target]);
      const HloInstruction* selector = instruction->operand(0);
      stretch.Sequence().AddSwitch(instruction->name(), At(selector),
                                   selector->shape().element_type() == PRED,
                                   std::move(targets));
      return absl::OkStatus();
    }
  }
  return absl::InternalError("no such kind of thunk");
}

}  // namespace xla::cpu
