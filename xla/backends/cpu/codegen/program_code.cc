// Distributes functions over LLVM modules, which compile in parallel.
#include "xla/backends/cpu/codegen/program_code.h"

#include <algorithm>
#include <functional>
#include <queue>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "xla/backends/cpu/codegen/kernel_emitter.h"
#include "xla/backends/cpu/codegen/plans/work.h"
#include "xla/backends/cpu/jit/jit_compiler.h"
#include "xla/base/checked_math.h"
#include "xla/base/status_macros.h"

namespace xla::cpu {
namespace {

// LLVM spends most of its time per function, but some per module, so several
// functions share a module. There are enough modules to keep all threads busy.
constexpr size_t kMaxInModule = 16;

// An estimate of how long code takes to compile, in HLO instructions.
class Weights {
 public:
  explicit Weights(const HloModule& module) {
    for (const HloComputation* computation :
         module.MakeComputationPostOrder()) {
      int64_t& weight = computations_[computation];
      for (const auto& instruction : computation->instructions()) {
        weight = std::min(weight + Of(*instruction), kMost);
      }
    }
  }

  int64_t Of(const HloComputation& computation) const {
    auto it = computations_.find(&computation);
    return it == computations_.end() ? 1 : it->second;
  }
  int64_t Of(const HloInstruction& instruction) const {
    constexpr int64_t kCostly = 10;
    int64_t weight = IsCostly(instruction.opcode()) ? kCostly : 1;
    for (const HloComputation* called : instruction.called_computations()) {
      weight = std::min(weight + Of(*called), kMost);
    }
    return weight;
  }
  int64_t Of(const KernelSpec& kernel) const {
    int64_t weight = kernel.mapped == nullptr ? 0 : Of(*kernel.mapped);
    for (const HloInstruction* instruction : kernel.instructions) {
      weight = std::min(weight + Of(*instruction), kMost);
    }
    return weight;
  }

 private:
  static constexpr int64_t kMost = int64_t{1} << 40;
  absl::flat_hash_map<const HloComputation*, int64_t> computations_;
};

std::vector<int64_t> WeightsOf(const HloModule& module,
                               absl::Span<const KernelSpec* const> kernels) {
  const Weights weights(module);
  std::vector<int64_t> result;
  for (const KernelSpec* kernel : kernels) {
    result.push_back(weights.Of(*kernel));
  }
  return result;
}

// Distributes `order` over modules: the heaviest kernel first, each to the
// module with the lowest load so far.
std::vector<std::vector<size_t>> Distribute(std::vector<size_t> order,
                                            const std::vector<int64_t>& weights,
                                            size_t threads) {
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return weights[a] > weights[b]; });
  const size_t count = std::max(CeilOfRatio(order.size(), kMaxInModule),
                                std::min(threads, order.size()));
  std::vector<std::vector<size_t>> modules(count);
  // The modules that take more kernels, by load and number.
  using Load = std::pair<int64_t, size_t>;
  std::priority_queue<Load, std::vector<Load>, std::greater<Load>> open;
  for (size_t m = 0; m < count; ++m) open.push({0, m});
  for (const size_t function : order) {
    const auto [load, m] = open.top();
    open.pop();
    modules[m].push_back(function);
    if (modules[m].size() < kMaxInModule) {
      open.push({load + weights[function], m});
    }
  }
  return modules;
}

// The numbers of the kernels that become one LLVM module.
struct Group {
  std::vector<size_t> functions;
  OptLevel level;
};

bool OptimizesCode(const DebugOptions& options) {
  return !options.has_xla_backend_optimization_level() ||
         options.xla_backend_optimization_level() > 0;
}

// Groups hot and cold functions; without `optimize` all count as cold.
std::vector<Group> GroupFunctions(absl::Span<const KernelSpec* const> kernels,
                                  const std::vector<int64_t>& weights,
                                  size_t threads, bool optimize) {
  std::vector<size_t> hot, cold;
  for (size_t i = 0; i < kernels.size(); ++i) {
    if (kernels[i]->function_of >= 0) continue;
    (!optimize || kernels[i]->is_cold ? cold : hot).push_back(i);
  }
  std::vector<Group> groups;
  for (auto& functions : Distribute(std::move(hot), weights, threads)) {
    groups.push_back({std::move(functions), OptLevel::kHot});
  }
  // Cold functions form one module, since they take little time.
  for (auto& functions : Distribute(std::move(cold), weights, 1)) {
    groups.push_back({std::move(functions), OptLevel::kCold});
  }
  return groups;
}

absl::Status FindFunctions(absl::Span<const KernelSpec* const> kernels,
                           ProgramCode& program) {
  for (size_t i = 0; i < kernels.size(); ++i) {
    const int64_t shared = kernels[i]->function_of;
    TF_ASSIGN_OR_RETURN(program.kernels.emplace_back(),
                        program.code->Find(KernelSymbol(
                            shared < 0 ? static_cast<int64_t>(i) : shared)));
  }
  return absl::OkStatus();
}

// Names the functions after their kernels, for perf and gdb if somebody asked
// for that: "jit_step::fusion.3". A function that several kernels share has the
// name of the first.
absl::Status PublishNames(absl::Span<const KernelSpec* const> kernels,
                          CompiledCode& code) {
  TF_ASSIGN_OR_RETURN(const SymbolForms forms, RequestedSymbolForms());
  if (!forms.any()) return absl::OkStatus();
  absl::flat_hash_map<std::string, std::string> names;
  for (size_t i = 0; i < kernels.size(); ++i) {
    if (kernels[i]->function_of >= 0) continue;
    const HloComputation* computation =
        kernels[i]->mapped != nullptr ? kernels[i]->mapped
                                      : kernels[i]->instructions[0]->parent();
    names[KernelSymbol(i)] =
        absl::StrCat(computation->parent()->name(), "::", kernels[i]->name);
  }
  return code.Publish(forms, names);
}

// Makes the LLVM modules of all kernels.
absl::StatusOr<std::vector<ModuleInput>> EmitModules(
    const HloModule& module, const TargetInfo& target,
    absl::Span<const KernelSpec* const> kernels,
    const CompileThreads& threads) {
  const std::vector<Group> groups =
      GroupFunctions(kernels, WeightsOf(module, kernels), threads.count,
                     OptimizesCode(module.config().debug_options()));
  std::vector<ModuleInput> inputs(groups.size());
  std::vector<absl::Status> statuses(inputs.size());
  auto emit_group = [&](int64_t g) {
    inputs[g] = NewModule(kernels[groups[g].functions[0]]->name, target,
                          groups[g].level);
    for (const size_t i : groups[g].functions) {
      statuses[g] =
          EmitKernel(*kernels[i], target, KernelSymbol(i), *inputs[g].module);
      if (!statuses[g].ok()) return;
    }
  };
  if (threads.parallel_for != nullptr) {
    threads.parallel_for(inputs.size(), emit_group);
  } else {
    for (size_t g = 0; g < inputs.size(); ++g) emit_group(g);
  }
  for (const absl::Status& status : statuses) TF_RETURN_IF_ERROR(status);
  return inputs;
}

}  // namespace

std::string KernelSymbol(int64_t kernel) {
  return absl::StrCat("kernel.", kernel);
}

absl::StatusOr<ProgramCode> CompileProgram(
    const HloModule& module, const TargetInfo& target,
    absl::Span<const KernelSpec* const> kernels, const CompileThreads& threads,
    bool keep_dumps) {
  ProgramCode program;
  if (kernels.empty()) return program;
  TF_ASSIGN_OR_RETURN(std::vector<ModuleInput> inputs,
                      EmitModules(module, target, kernels, threads));
  const JitCompiler compiler({.target = target, .keep_dumps = keep_dumps});
  TF_ASSIGN_OR_RETURN(
      program.code, compiler.Compile(std::move(inputs), threads.parallel_for));
  TF_RETURN_IF_ERROR(PublishNames(kernels, *program.code));
  TF_RETURN_IF_ERROR(FindFunctions(kernels, program));
  return program;
}

absl::StatusOr<CompiledObjects> CompileObjects(
    const HloModule& module, const TargetInfo& target,
    absl::Span<const KernelSpec* const> kernels,
    const CompileThreads& threads) {
  if (kernels.empty()) return CompiledObjects();
  TF_ASSIGN_OR_RETURN(std::vector<ModuleInput> inputs,
                      EmitModules(module, target, kernels, threads));
  const JitCompiler compiler({.target = target});
  return compiler.CompileObjects(std::move(inputs), threads.parallel_for);
}

absl::StatusOr<ProgramCode> LoadProgram(
    CompiledObjects objects, const TargetInfo& target,
    absl::Span<const KernelSpec* const> kernels) {
  ProgramCode program;
  if (kernels.empty()) return program;
  TF_ASSIGN_OR_RETURN(program.code,
                      CompiledCode::Load(std::move(objects), {}, target));
  TF_RETURN_IF_ERROR(PublishNames(kernels, *program.code));
  TF_RETURN_IF_ERROR(FindFunctions(kernels, program));
  return program;
}

}  // namespace xla::cpu
