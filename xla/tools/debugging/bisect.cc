// Bisects passes, then compares native code, and prints what it finds.
#include "xla/tools/debugging/bisect.h"

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
#include "xla/hlo/analysis/source_line.h"
#include "xla/hlo/transforms/registry.h"
#include "xla/tools/debugging/first_difference.h"
#include "xla/tools/debugging/pass_bisection.h"
#include "xla/tools/program.h"

namespace xla::tools {
namespace {

// What a report shows of the instructions that a pass made.
constexpr size_t kShownInstructions = 10;

// " (model.py:12)", or nothing.
std::string SourceLineSuffix(const HloInstruction& hlo) {
  const std::string line = SourceLine(hlo);
  return line.empty() ? "" : absl::StrCat(" (", line, ")");
}

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
    if (wrong.outcome.kind == Outcome::Kind::kDiffer) {
      TF_RETURN_IF_ERROR(ReportInstruction(wrong, make));
    }
    TF_RETURN_IF_ERROR(
        ReduceAndReport(*wrong.before, [&](const ReducibleProgram& candidate) {
          return CheckPass(*candidate.module, candidate.arguments, *program_,
                           make, wrong.number, options_)
                     .kind == wrong.outcome.kind;
        }));
    return absl::FailedPreconditionError(absl::StrCat("bisect: ", summary));
  }

  absl::Status ReportInstruction(const WrongPass& wrong,
                                 const PipelineMaker& make) const {
    TF_ASSIGN_OR_RETURN(const std::unique_ptr<HloPassPipeline> pipeline,
                        make(*program_));
    const std::unique_ptr<HloModule> after = wrong.before->Clone("");
    TF_RETURN_IF_ERROR(
        RunSomePasses(*pipeline, wrong.number, wrong.number + 1, after.get()));
    const std::optional<FirstDifference> first =
        FindFirstDifference(*wrong.before, *after, arguments_, options_);
    if (!first.has_value()) {
      std::cout << "no instruction has the same name and another value: the "
                   "difference is in what the pass made\n";
      return absl::OkStatus();
    }
    std::cout << "the first instruction with another value is "
              << first->after->name() << SourceLineSuffix(*first->after)
              << "\n  before: " << first->before->ToString()
              << "\n  after:  " << first->after->ToString() << "\n";
    for (size_t i = 0; i < first->new_instructions.size(); ++i) {
      if (i == kShownInstructions) {
        std::cout << "          and "
                  << first->new_instructions.size() - kShownInstructions
                  << " more\n";
        break;
      }
      std::cout << "  new:    " << first->new_instructions[i]->ToString()
                << "\n";
    }
    return absl::OkStatus();
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
    if (outcome.kind == Outcome::Kind::kDiffer) ReportThunk();
    TF_RETURN_IF_ERROR(
        ReduceAndReport(*program_, [&](const ReducibleProgram& candidate) {
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
      std::cout << "each thunk alone computes what the evaluator does: small "
                   "differences add up, or thunks share memory wrongly\n";
    }
  }

  absl::Status ReduceAndReport(const HloModule& module,
                               const FailureTest& fails) const {
    if (flags_.comparison.max_tests == 0) return absl::OkStatus();
    ReducibleProgram program;
    program.module = module.Clone("");
    for (const Literal& argument : arguments_) {
      program.arguments.push_back(argument.Clone());
    }
    absl::StatusOr<Reduction> reduction = Reduce(
        std::move(program), fails, ReductionOptionsOf(flags_.comparison));
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
