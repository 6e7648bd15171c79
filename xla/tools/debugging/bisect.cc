// Bisects passes, then compares native code, and prints what it finds.
#include "xla/tools/debugging/bisect.h"

#include <unistd.h>

#include <iostream>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "xla/backends/cpu/analysis/cpu_alias_info.h"
#include "xla/backends/cpu/fusion/cpu_fusion_backend.h"
#include "xla/backends/cpu/pipeline.h"
#include "xla/base/status_macros.h"
#include "xla/hlo/transforms/registry.h"
#include "xla/tools/debugging/computation_runs.h"
#include "xla/tools/debugging/finding.h"
#include "xla/tools/debugging/first_difference.h"
#include "xla/tools/debugging/native_difference.h"
#include "xla/tools/debugging/pass_bisection.h"
#include "xla/tools/program.h"

namespace xla::tools {
namespace {

// The loops, branches and calls in each other that the search for an
// instruction goes into.
constexpr int kMaxLevels = 100;

class Bisector {
 public:
  explicit Bisector(const BisectFlags& flags)
      : flags_(flags), options_(OptionsOf(flags.comparison)) {}

  absl::Status Run() {
    TF_RETURN_IF_ERROR(CheckWritable(flags_.output));
    TF_ASSIGN_OR_RETURN(program_, ReadProgramToDebug(flags_.program));
    TF_ASSIGN_OR_RETURN(arguments_, ArgumentsOf(flags_.comparison, *program_));
    const PipelineMaker make = [this](const HloModule& module) {
      return MakePasses(module);
    };
    TF_ASSIGN_OR_RETURN(const std::optional<WrongPass> wrong,
                        BisectPasses(*program_, arguments_, make, options_));
    if (wrong.has_value()) return ReportPass(*wrong, make);
    if (!flags_.passes.empty()) {
      std::cout << "the evaluator's result is the same after all passes\n";
      return absl::OkStatus();
    }
    std::cout << "passes: the evaluator's result is the same after all\n";
    return CompareNative();
  }

 private:
  absl::StatusOr<std::unique_ptr<HloPassPipeline>> MakePasses(
      const HloModule& module) const {
    const PassBackend backend = {&fusion_, &alias_info_};
    if (flags_.passes.empty()) return cpu::MakePipeline(module, backend);
    auto pipeline = std::make_unique<HloPassPipeline>("bisect");
    for (absl::string_view name :
         absl::StrSplit(flags_.passes, ',', absl::SkipEmpty())) {
      TF_ASSIGN_OR_RETURN(std::unique_ptr<HloPassInterface> pass,
                          MakePass(name, backend));
      pipeline->AddPass(std::move(pass));
    }
    return pipeline;
  }

  absl::Status ReportPass(const WrongPass& wrong,
                          const PipelineMaker& make) const {
    const std::string summary = absl::StrCat(
        "pass ", wrong.name, ", number ", wrong.number + 1, " of ",
        wrong.passes,
        wrong.outcome.kind == Outcome::Kind::kDiffer
            ? ", changes what the program computes"
            : absl::StrCat(" (", KindName(wrong.outcome.kind), ")"));
    std::cout << summary << "\n" << wrong.outcome.message << "\n";
    std::optional<Finding> finding;
    if (wrong.outcome.kind == Outcome::Kind::kDiffer) {
      finding = Report(FindInstruction(wrong, make));
    }
    TF_RETURN_IF_ERROR(ReduceAndReport(
        *wrong.before, finding, [&](const ReducibleProgram& candidate) {
          return CheckPass(*candidate.module, candidate.arguments, *program_,
                           make, wrong.number, options_)
                     .kind == wrong.outcome.kind;
        }));
    return absl::FailedPreconditionError(absl::StrCat("bisect: ", summary));
  }

  // Finds the first instruction that the pass gave another value.
  absl::StatusOr<Finding> FindInstruction(const WrongPass& wrong,
                                          const PipelineMaker& make) const {
    TF_ASSIGN_OR_RETURN(const std::unique_ptr<HloPassPipeline> pipeline,
                        make(*program_));
    const std::unique_ptr<HloModule> after = wrong.before->Clone("");
    TF_RETURN_IF_ERROR(
        RunSomePasses(*pipeline, wrong.number, wrong.number + 1, after.get()));
    const auto search = [&](int max_levels) {
      return FindInChild(
          [&]() -> absl::StatusOr<Finding> {
            TF_ASSIGN_OR_RETURN(
                FirstDifference first,
                FindFirstDifference(*wrong.before, *after, arguments_, options_,
                                    max_levels));
            return Finding{DescribeDifference(first),
                           first.before->parent()->name(),
                           std::move(first.arguments)};
          },
          options_.time_limit_s);
    };
    absl::StatusOr<Finding> finding = search(kMaxLevels);
    if (absl::IsDeadlineExceeded(finding.status())) {
      std::cout << finding.status().message()
                << ", so it looks no further than the entry\n";
      finding = search(0);
    }
    return finding;
  }

  absl::Status CompareNative() {
    const Outcome outcome = CompareBackends(*program_, arguments_, options_);
    if (outcome.kind == Outcome::Kind::kAgree) {
      std::cout << "native code: its result is the evaluator's\n"
                   "no difference found\n";
      return absl::OkStatus();
    }
    const std::string summary =
        outcome.kind == Outcome::Kind::kDiffer
            ? "native code computes something else than the evaluator"
            : absl::StrCat("native code (", KindName(outcome.kind), ")");
    std::cout << summary << "\n" << outcome.message << "\n";
    std::optional<Finding> finding;
    if (outcome.kind == Outcome::Kind::kDiffer) {
      ReportThunk();
      finding = Report(FindNativeInstruction());
    }
    TF_RETURN_IF_ERROR(ReduceAndReport(
        *program_, finding, [&](const ReducibleProgram& candidate) {
          return CompareBackends(*candidate.module, candidate.arguments,
                                 options_)
                     .kind == outcome.kind;
        }));
    return absl::FailedPreconditionError(absl::StrCat("bisect: ", summary));
  }

  // Names the first thunk whose results differ, and its instruction.
  void ReportThunk() const {
    ComparisonOptions checked = options_;
    checked.check_thunks = true;
    const Outcome outcome = CompareBackends(*program_, arguments_, checked);
    if (outcome.kind == Outcome::Kind::kError) {
      std::cout << outcome.message << "\n";
    } else {
      std::cout
          << "no thunk alone differs from the evaluator by more than some "
             "roundings: small differences add up, or thunks share "
             "memory wrongly\n";
    }
  }

  // Finds the first instruction whose native code alone is wrong.
  absl::StatusOr<Finding> FindNativeInstruction() const {
    return FindInChild(
        [&]() -> absl::StatusOr<Finding> {
          TF_ASSIGN_OR_RETURN(
              NativeDifference native,
              FindNativeDifference(*program_, arguments_, options_));
          return Finding{DescribeDifference(native), native.computation->name(),
                         std::move(native.arguments)};
        },
        options_.time_limit_s);
  }

  // Prints a finding, or why there is none.
  static std::optional<Finding> Report(absl::StatusOr<Finding> finding) {
    if (finding.ok()) {
      std::cout << finding->report;
      return *std::move(finding);
    }
    std::cout << finding.status().message() << "\n";
    return std::nullopt;
  }

  // The computation of the finding with its arguments, if it is not the entry
  // and fails alone; else `module` with the program's.
  absl::StatusOr<ReducibleProgram> ProgramToReduce(
      const HloModule& module, std::optional<Finding>& finding,
      const FailureTest& fails) const {
    ReducibleProgram program;
    if (finding.has_value() &&
        finding->computation != module.entry_computation()->name()) {
      TF_ASSIGN_OR_RETURN(
          program.module,
          ModuleOf(*module.GetComputationWithName(finding->computation)));
      program.arguments = std::move(finding->arguments);
      if (fails(program)) return program;
      program.arguments.clear();
    }
    program.module = module.Clone("");
    for (const Literal& argument : arguments_) {
      program.arguments.push_back(argument.Clone());
    }
    return program;
  }

  absl::Status ReduceAndReport(const HloModule& module,
                               std::optional<Finding>& finding,
                               const FailureTest& fails) const {
    if (flags_.comparison.max_tests == 0) return absl::OkStatus();
    TF_ASSIGN_OR_RETURN(ReducibleProgram program,
                        ProgramToReduce(module, finding, fails));
    absl::StatusOr<Reduction> reduction = Reduce(
        std::move(program), fails, ReductionOptionsOf(flags_.comparison));
    // The line of progress stays where it is.
    if (isatty(STDERR_FILENO)) std::cerr << std::endl;
    if (!reduction.ok()) {
      std::cout << "no smaller program: " << reduction.status().message()
                << "\n";
      return absl::OkStatus();
    }
    std::cout << "the smallest program found in " << reduction->tests
              << " tests" << (reduction->complete ? "" : ", the most allowed,")
              << " that shows this";
    if (flags_.output == "-") {
      std::cout << ":\n"
                << reduction->program.module->ToString(
                       HloPrintOptions::Lossless());
      return absl::OkStatus();
    }
    std::cout << " is in " << flags_.output << "\n";
    return SaveProgram(reduction->program, flags_.output);
  }

  const BisectFlags& flags_;
  const ComparisonOptions options_;
  const cpu::CpuFusionBackend fusion_{cpu::HostTarget()};
  const cpu::CpuAliasInfo alias_info_;
  std::unique_ptr<HloModule> program_;
  std::vector<Literal> arguments_;
};

}  // namespace

absl::Status Bisect(const BisectFlags& flags) { return Bisector(flags).Run(); }

}  // namespace xla::tools
