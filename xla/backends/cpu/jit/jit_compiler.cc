// Deduplicates, compiles in parallel, links.
#include "xla/backends/cpu/jit/jit_compiler.h"

#include <atomic>
#include <chrono>
#include <optional>
#include <utility>

#include "xla/backends/cpu/jit/deduplicate.h"
#include "xla/base/control/activity.h"
#include "xla/base/control/cancellation.h"
#include "xla/base/errors.h"
#include "xla/base/status_macros.h"

namespace xla::cpu {
namespace {

using Clock = std::chrono::steady_clock;

double Seconds(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

}  // namespace

absl::StatusOr<CompiledObjects> JitCompiler::CompileObjects(
    std::vector<ModuleInput> modules, const ParallelFor& parallel_for,
    CompileTimes& times, std::vector<ModuleDump>& dumps) const {
  const Clock::time_point start = Clock::now();
  for (const ModuleInput& input : modules) {
    if (input.context == nullptr || input.module == nullptr) {
      return InvalidArgument("a module to compile is missing");
    }
  }
  Duplicates duplicates = FindDuplicates(modules);
  times.deduplicate = Seconds(start);

  std::vector<std::optional<absl::StatusOr<ObjectCode>>> results(
      modules.size());
  TF_ASSIGN_OR_RETURN(const SymbolForms forms, RequestedSymbolForms());
  const ObjectOptions object_options = {.verify = options_.verify,
                                        .keep_dump = options_.keep_dumps,
                                        .frame_pointers = forms.any()};
  // Compiles the longest module first, whichever index the caller passes.
  std::atomic<int64_t> next = 0;
  const CancellationToken token = CancellationToken::Current();
  Activity* const activity = Activity::Current();
  const auto compile = [&](int64_t) {
    const int64_t index = duplicates.distinct[next++];
    if (token.cancelled()) {
      results[index] = absl::CancelledError("compilation of code cancelled");
      return;
    }
    results[index] = CompileToObject(std::move(modules[index]), options_.target,
                                     object_options);
    if (activity != nullptr) activity->Advance();
  };
  const int64_t count = static_cast<int64_t>(duplicates.distinct.size());
  if (activity != nullptr) activity->Begin("code", "modules of kernels", count);
  if (parallel_for != nullptr && count > 1) {
    parallel_for(count, compile);
  } else {
    for (int64_t i = 0; i < count; ++i) compile(i);
  }

  CompiledObjects objects;
  objects.fingerprint = fingerprint_;
  objects.aliases = std::move(duplicates.aliases);
  for (auto& result : results) {
    if (!result.has_value()) continue;
    TF_RETURN_IF_ERROR(result->status());
    times += (*result)->times;
    objects.objects.push_back(std::move((*result)->bytes));
    if (options_.keep_dumps) dumps.push_back(std::move((*result)->dump));
  }
  return objects;
}

absl::StatusOr<CompiledObjects> JitCompiler::CompileObjects(
    std::vector<ModuleInput> modules, const ParallelFor& parallel_for) const {
  CompileTimes times;
  std::vector<ModuleDump> dumps;
  return CompileObjects(std::move(modules), parallel_for, times, dumps);
}

absl::StatusOr<std::unique_ptr<CompiledCode>> JitCompiler::Compile(
    std::vector<ModuleInput> modules, const ParallelFor& parallel_for) const {
  const Clock::time_point start = Clock::now();
  CompileTimes times;
  std::vector<ModuleDump> dumps;
  TF_ASSIGN_OR_RETURN(
      CompiledObjects objects,
      CompileObjects(std::move(modules), parallel_for, times, dumps));
  TF_ASSIGN_OR_RETURN(std::unique_ptr<CompiledCode> code,
                      CompiledCode::Load(std::move(objects), options_.symbols,
                                         options_.target));
  times.link = code->times_.link;
  times.wall = Seconds(start);
  code->times_ = times;
  code->dumps_ = std::move(dumps);
  return code;
}

}  // namespace xla::cpu
