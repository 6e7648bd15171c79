// Runs the passes, assigns buffers, plans thunks, and makes native code and the
// list of thunks.
#include "xla/backends/cpu/cpu_compiler.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "xla/backends/cpu/analysis/cpu_alias_info.h"
#include "xla/backends/cpu/compilation_key.h"
#include "xla/backends/cpu/compile_dump.h"
#include "xla/backends/cpu/cpu_executable.h"
#include "xla/backends/cpu/explain/missed_optimizations.h"
#include "xla/backends/cpu/kernels/vector/vector_level.h"
#include "xla/backends/cpu/native_code.h"
#include "xla/backends/cpu/pipeline.h"
#include "xla/backends/cpu/planning/run_cost.h"
#include "xla/backends/cpu/planning/thunk_planner.h"
#include "xla/backends/cpu/program_compiler.h"
#include "xla/backends/cpu/thunks/thunk_sequence_builder.h"
#include "xla/backends/partition_module.h"
#include "xla/base/control/activity.h"
#include "xla/base/control/cancellation.h"
#include "xla/base/status_macros.h"
#include "xla/hlo/analysis/buffer_assignment.h"
#include "xla/runtime/tracing/trace_session.h"

namespace xla::cpu {
namespace {

// Called before each phase but the passes, which look after each other.
absl::Status BeginPhase(absl::string_view name, const HloModule& module) {
  if (CancellationToken::Current().cancelled()) {
    return absl::CancelledError(absl::StrCat("compilation of ", module.name(),
                                             " cancelled before phase ", name));
  }
  if (Activity* const activity = Activity::Current()) {
    activity->Begin(name);
    activity->SetInstructions(module.instruction_count());
  }
  return absl::OkStatus();
}

// Measures consecutive phases, and records them in the trace, if any.
class PhaseClock {
 public:
  // Seconds since the last call, or since construction. These are a phase
  // `name`, or belong to none if it is empty.
  double Lap(absl::string_view name = "") {
    const double seconds = clock_.Lap();
    if (trace_ == nullptr) return seconds;
    const int64_t begin_ns = std::exchange(begin_ns_, TraceNow());
    if (!name.empty()) Record(name, begin_ns);
    return seconds;
  }
  // Records that `name` took the last `seconds`.
  void RecordLast(absl::string_view name, double seconds) const {
    if (trace_ == nullptr || seconds <= 0) return;
    Record(name, begin_ns_ - static_cast<int64_t>(seconds * 1e9));
  }

 private:
  void Record(absl::string_view name, int64_t begin_ns) const {
    trace_->Record({.begin_ns = begin_ns,
                    .end_ns = begin_ns_,
                    .context = trace_->AddName(name),
                    .kind = TraceEvent::Kind::kCompile});
  }

  const std::shared_ptr<TraceSession> trace_ = TraceSession::Recording();
  Stopwatch clock_;
  int64_t begin_ns_ = trace_ == nullptr ? 0 : TraceNow();
};

std::vector<CpuExecutable::Allocation> Allocations(
    const BufferAssignment& assignment) {
  std::vector<CpuExecutable::Allocation> allocations;
  for (const BufferAssignment::Allocation& from : assignment.allocations()) {
    CpuExecutable::Allocation& to = allocations.emplace_back();
    to.leaf = static_cast<int32_t>(from.leaf);
    to.size_bytes = from.size;
    to.kind = from.kind;
    if (from.constant != nullptr) {
      to.data =
          static_cast<const char*>(from.constant->literal().untyped_data());
    }
  }
  return allocations;
}

// Observes the passes: measures times and writes dumps if requested.
absl::Status RunWatchedPasses(HloModule* module, const TargetInfo& target,
                              CompileDump* dump, CompileReport& report) {
  if (dump != nullptr) dump->BeforeOptimizations(*module);
  const TraceSpan all(TraceSession::Recording(), "passes");
  PhaseClock clock;
  double seconds = 0;
  const HloPassPipeline::Observer observer =
      [&](const HloModule& after, absl::string_view pass, bool changed) {
        report.passes.push_back({std::string(pass), clock.Lap(pass), changed});
        seconds += report.passes.back().seconds;
        if (dump != nullptr) dump->AfterPass(after, "cpu", pass, changed);
        clock.Lap();
        return absl::OkStatus();
      };
  TF_RETURN_IF_ERROR(PartitionModule(module, observer));
  TF_RETURN_IF_ERROR(RunPasses(module, observer, target));
  report.phases.push_back({"passes", seconds});
  if (dump != nullptr) dump->AfterOptimizations(*module);
  return absl::OkStatus();
}

// `seconds` is the time for emitting IR and for the JIT compiler.
void ReportCode(const CompiledCode* code, double seconds,
                CompileReport& report) {
  const CompileTimes times = code == nullptr ? CompileTimes() : code->times();
  report.phases.push_back({"codegen", seconds - times.wall});
  report.phases.push_back({"deduplicate", times.deduplicate});
  report.phases.push_back({"verify", times.verify});
  report.phases.push_back({"optimise", times.optimize});
  report.phases.push_back({"emit", times.emit});
  report.phases.push_back({"link", times.link});
  if (code == nullptr) return;
  report.counts.push_back(
      {"code modules", static_cast<int64_t>(code->objects().objects.size())});
  report.counts.push_back({"code bytes", code->code_bytes()});
}

void ReportCounts(const HloModule& module, const ThunkPlan& plan,
                  const ThunkSequence& thunks, CompileReport& report) {
  report.counts.push_back({"instructions", module.instruction_count()});
  report.counts.push_back(
      {"kernels", static_cast<int64_t>(plan.kernels.size())});
  report.counts.push_back({"thunks", static_cast<int64_t>(thunks.size())});
}

// Returns `options` limited by the debug options. Errors: InvalidArgument for a
// level that does not exist.
absl::StatusOr<CpuCompilerOptions> LimitedBy(const DebugOptions& debug_options,
                                             CpuCompilerOptions options) {
  TF_ASSIGN_OR_RETURN(const std::optional<CpuIsa> isa,
                      ParseCpuIsa(debug_options.xla_cpu_max_isa()));
  if (isa.has_value()) {
    TF_ASSIGN_OR_RETURN(options.target,
                        LimitIsa(std::move(options.target), *isa));
  }
  if (options.tuning != nullptr &&
      options.tuning->processor() !=
          TuningTable::ProcessorOf(options.target,
                                   options.runner->num_threads())) {
    options.tuning = nullptr;
  }
  return options;
}

// Makes the executable of a module that went through the passes; `stored`, if
// not null, has its code. The report already has the earlier phases; `all`
// measures the total time.
absl::StatusOr<std::unique_ptr<Executable>> MakeExecutable(
    std::unique_ptr<HloModule> module, NativeCode* stored,
    const CpuCompilerOptions& options, CompileDump* dump, CompileReport report,
    Stopwatch& all) {
  PhaseClock clock;
  // Otherwise serialized modules would show what passes added and removed.
  module->RenumberIds();
  TF_RETURN_IF_ERROR(BeginPhase("buffers", *module));
  TF_ASSIGN_OR_RETURN(std::unique_ptr<BufferAssignment> assignment,
                      BufferAssignment::Run(*module, CpuAliasInfo()));
  report.phases.push_back({"buffers", clock.Lap("buffers")});
  if (dump != nullptr) dump->Buffers(assignment->ToString());
  clock.Lap();
  TF_RETURN_IF_ERROR(BeginPhase("plan", *module));
  const RunCosts costs = FindRunCosts(*module, options.target);
  report.run_nanoseconds = costs.program;
  report.shortest_run_nanoseconds = costs.shortest;
  TF_ASSIGN_OR_RETURN(const ThunkPlan plan,
                      PlanThunks(*module, *assignment, costs, options.target));
  report.thunk_costs = FindThunkCosts(plan, costs, options.target);
  if (Explains(module->config().debug_options())) {
    report.missed = FindMissedOptimizations(*module, plan, options.target);
  }
  const uint64_t plan_hash = PlanHash(*module, *assignment, plan);
  report.phases.push_back({"plan", clock.Lap("plan")});
  ProgramCompiler program(*module, *assignment, options, costs);
  TF_RETURN_IF_ERROR(BeginPhase("code", *module));
  if (stored == nullptr) {
    TF_RETURN_IF_ERROR(program.EmitCode(plan, /*keep_dumps=*/dump != nullptr));
  } else if (stored->plan_hash != plan_hash) {
    return absl::FailedPreconditionError(
        "native code: on this processor the program has other thunks");
  } else {
    TF_RETURN_IF_ERROR(program.LoadCode(plan, std::move(stored->objects)));
  }
  const std::shared_ptr<CompiledCode> code = program.compiled();
  ReportCode(code.get(), clock.Lap("code"), report);
  if (code != nullptr) clock.RecordLast("link", code->times().link);
  if (dump != nullptr && code != nullptr) dump->Code(code->dumps());
  clock.Lap();
  const VectorLevel level =
      std::min(VectorLevelFor(options.target), ProcessorVectorLevel());
  const VectorLevelScope scope(level);
  TF_RETURN_IF_ERROR(BeginPhase("thunks", *module));
  TF_ASSIGN_OR_RETURN(ThunkSequence thunks, program.MakeThunks(plan));
  report.phases.push_back({"thunks", clock.Lap("thunks")});
  if (dump != nullptr) dump->Thunks(ThunkSequenceToString(thunks));
  ReportCounts(*module, plan, thunks, report);
  report.seconds = all.Lap();
  CpuExecutable::Program made{
      .thunks = std::move(thunks),
      .origins = program.TakeOrigins(),
      .vector_level = level,
      .allocations = Allocations(*assignment),
      .code = code,
      .code_bytes = code == nullptr ? 0 : code->code_bytes(),
      .objects = code == nullptr ? nullptr : &code->objects(),
      .plan_hash = plan_hash,
      .cost_table = options.target.cost_table,
      .cache_bytes = {options.target.l1_bytes, options.target.l2_bytes,
                      options.target.l3_bytes},
      .report = std::move(report)};
  return std::make_unique<CpuExecutable>(std::move(module), std::move(made),
                                         options.runner, options.pool);
}

absl::Status CheckOptions(const DebugOptions& options) {
  const int level = options.xla_backend_optimization_level();
  if (level >= 0 && level <= 3) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("xla_backend_optimization_level is ", level,
                   ", but 0 to 3 are possible"));
}

// Makes the executable of what SerializeCode() returned. `before`, if not null,
// is the config of the module that it was compiled from, and the code is as
// this compiler made it; else the code's own config is used with
// `debug_options`. Errors: those of Compiler::Load.
absl::StatusOr<std::unique_ptr<Executable>> LoadExecutable(
    absl::string_view code, const HloModuleConfig* before,
    const DebugOptions& debug_options, CpuCompilerOptions options,
    CompileReport report, Stopwatch& all) {
  PhaseClock clock;
  TF_ASSIGN_OR_RETURN(NativeCode stored, UnpackNativeCode(code));
  // The plan is made for the processor of the first compilation.
  options.target.cost_table = stored.cost_table;
  options.target.l1_bytes = stored.cache_bytes[0];
  options.target.l2_bytes = stored.cache_bytes[1];
  options.target.l3_bytes = stored.cache_bytes[2];
  if (!stored.objects.fingerprint.empty()) {
    TF_RETURN_IF_ERROR(
        CheckFingerprint(stored.objects.fingerprint, options.target));
  }
  const CodeOrigin origin =
      before == nullptr ? CodeOrigin::kAnywhere : CodeOrigin::kThisCompiler;
  TF_ASSIGN_OR_RETURN(std::unique_ptr<HloModule> module,
                      ModuleOf(stored, origin, debug_options));
  if (before != nullptr) {
    // Of all in it, passes change the layout alone.
    HloModuleConfig config = *before;
    config.SetComputationLayoutIfExists(
        module->entry_computation_layout().ComputeProgramShape());
    module->set_config(std::move(config));
  }
  report.phases.push_back({"read", clock.Lap("read")});
  const std::unique_ptr<CompileDump> dump = CompileDump::For(*module);
  return MakeExecutable(std::move(module), &stored, options, dump.get(),
                        std::move(report), all);
}

// Returns the executable that the cache has under the key; null if it has none.
std::unique_ptr<Executable> FindInCache(const CacheKey& key,
                                        const HloModuleConfig& config,
                                        const CpuCompilerOptions& options,
                                        CompileReport report, Stopwatch& all) {
  report.from_cache = true;
  std::unique_ptr<Executable> found;
  options.cache->Load(key, [&](absl::string_view code) -> absl::Status {
    TF_ASSIGN_OR_RETURN(
        found, LoadExecutable(code, &config, config.debug_options(), options,
                              std::move(report), all));
    return absl::OkStatus();
  });
  return found;
}

// Whether the executable may come from the cache or be kept there.
bool UsesCache(const HloModule& module, const CpuCompilerOptions& options) {
  if (options.cache == nullptr) return false;
  const DebugOptions& debug_options = module.config().debug_options();
  if (!CompileDump::MayDump(debug_options) && !Explains(debug_options) &&
      MayBeCached(module)) {
    return true;
  }
  options.cache->CountUncached();
  return false;
}

void KeepInCache(const CacheKey& key, const Executable& executable,
                 CompilationCache& cache) {
  const absl::StatusOr<std::string> code = executable.SerializeCode();
  if (code.ok() && !code->empty()) cache.Store(key, *code);
}

}  // namespace

absl::StatusOr<std::unique_ptr<Executable>> CpuCompiler::Compile(
    std::unique_ptr<HloModule> module) {
  Stopwatch all;
  const CancellationToken token = CancellationToken::Current();
  const CancellationScope cancellation(token);
  const TraceSpan span(TraceSession::Recording(),
                       absl::StrCat("compile ", module->name()));
  PhaseClock clock;  // its phases lie in the span
  CompileReport report;
  TF_ASSIGN_OR_RETURN(const CpuCompilerOptions options,
                      LimitedBy(module->config().debug_options(), options_));
  TF_RETURN_IF_ERROR(CheckOptions(module->config().debug_options()));
  std::optional<CacheKey> key;
  // The module of an entry with its key was checked when it was compiled.
  if (UsesCache(*module, options)) {
    key = CompilationKey(*module, options.target);
    report.phases.push_back({"key", clock.Lap("key")});
    std::unique_ptr<Executable> found =
        FindInCache(*key, module->config(), options, report, all);
    if (found != nullptr) return found;
    clock.Lap();
  }
  TF_RETURN_IF_ERROR(BeginPhase("check", *module));
  TF_RETURN_IF_ERROR(CheckProgram(*module));
  report.phases.push_back({"check", clock.Lap("check")});
  const std::unique_ptr<CompileDump> dump = CompileDump::For(*module);
  TF_RETURN_IF_ERROR(
      RunWatchedPasses(module.get(), options.target, dump.get(), report));
  TF_ASSIGN_OR_RETURN(std::unique_ptr<Executable> executable,
                      MakeExecutable(std::move(module), nullptr, options,
                                     dump.get(), std::move(report), all));
  if (key.has_value()) KeepInCache(*key, *executable, *options.cache);
  return executable;
}

absl::StatusOr<std::unique_ptr<Executable>> CpuCompiler::Load(
    absl::string_view code, const DebugOptions& debug_options) {
  Stopwatch all;
  const TraceSpan span(TraceSession::Recording(), "load");
  TF_ASSIGN_OR_RETURN(CpuCompilerOptions options,
                      LimitedBy(debug_options, options_));
  return LoadExecutable(code, nullptr, debug_options, std::move(options), {},
                        all);
}

}  // namespace xla::cpu
