// Compiles parts of a program alone, and runs them on the evaluator's values.
#include "xla/tools/debugging/native_difference.h"

#include <memory>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "xla/base/status_macros.h"
#include "xla/hlo/ir/side_effects.h"

namespace xla::tools {
namespace {

// Whether it computes a value from values, and says something alone.
bool CanRunAlone(const HloInstruction& hlo) {
  switch (hlo.opcode()) {
    case HloOpcode::kParameter:
    case HloOpcode::kConstant:
    case HloOpcode::kTuple:
    case HloOpcode::kGetTupleElement:
    case HloOpcode::kRng:
    case HloOpcode::kRngGetAndUpdateState:
      return false;
    default:
      return !hlo.HasSideEffect();
  }
}

// Compares the instructions and runs of one computation.
class NativeComparison {
 public:
  NativeComparison(const HloComputation& computation,
                   absl::Span<const Literal> arguments,
                   const ComparisonOptions& options)
      : computation_(computation),
        options_(options),
        values_(computation, arguments, options.seed) {}

  // The first instruction that differs alone, of those for which
  // RunsComputations is `runs`; null if there is none.
  const HloInstruction* Find(bool runs, std::string& difference) const {
    int tried = 0;
    for (const HloInstruction* hlo : computation_.MakeInstructionPostOrder()) {
      if (RunsComputations(*hlo) != runs || !CanRunAlone(*hlo)) continue;
      if (tried++ == kMostInstructions) break;
      const absl::Status agree = CompareAlone(*hlo);
      // What cannot be compared alone says nothing.
      if (agree.code() != absl::StatusCode::kFailedPrecondition) continue;
      difference = std::string(agree.message());
      return hlo;
    }
    return nullptr;
  }

  // The first run of what `hlo` runs whose native result differs.
  absl::StatusOr<std::optional<ComputationRun>> FindRun(
      const HloInstruction& hlo, std::string& difference) const {
    TF_ASSIGN_OR_RETURN(std::vector<Literal> operands, values_.OperandsOf(hlo));
    std::optional<BackendProgram> condition, other;
    std::optional<ComputationRun> found;
    TF_RETURN_IF_ERROR(ForEachRun(
        hlo, std::move(operands), options_.seed,
        [&](ComputationRun& run,
            const Literal& result) -> absl::StatusOr<bool> {
          std::optional<BackendProgram>& program =
              run.role.kind == RunRole::Kind::kCondition ? condition : other;
          if (!program.has_value()) {
            TF_ASSIGN_OR_RETURN(std::unique_ptr<HloModule> module,
                                ModuleOf(*run.computation));
            TF_ASSIGN_OR_RETURN(program, BackendProgram::Compile(
                                             options_.backend,
                                             std::move(module), options_.seed));
          }
          TF_ASSIGN_OR_RETURN(const Literal actual,
                              program->Run(run.arguments));
          const absl::Status agree = Agree(result, actual, options_);
          if (agree.ok()) return false;
          difference = std::string(agree.message());
          found = std::move(run);
          return true;
        }));
    return found;
  }

 private:
  // FailedPrecondition if the results differ; another error if one of them
  // could not be computed.
  absl::Status CompareAlone(const HloInstruction& hlo) const {
    const Literal* const expected = values_.Find(hlo);
    if (expected == nullptr) return absl::NotFoundError("no value");
    TF_ASSIGN_OR_RETURN(const std::vector<Literal> operands,
                        values_.OperandsOf(hlo));
    const absl::StatusOr<Literal> actual = RunAlone(hlo, operands);
    if (!actual.ok()) return absl::NotFoundError(actual.status().message());
    return Agree(*expected, *actual, options_);
  }

  absl::StatusOr<Literal> RunAlone(const HloInstruction& hlo,
                                   absl::Span<const Literal> operands) const {
    TF_ASSIGN_OR_RETURN(std::unique_ptr<HloModule> module, ModuleOf(hlo));
    TF_ASSIGN_OR_RETURN(
        const BackendProgram program,
        BackendProgram::Compile(options_.backend, std::move(module),
                                options_.seed));
    return program.Run(operands);
  }

  const HloComputation& computation_;
  const ComparisonOptions& options_;
  const EvaluatedValues values_;
};

}  // namespace

absl::StatusOr<NativeDifference> FindNativeDifference(
    const HloModule& module, absl::Span<const Literal> arguments,
    const ComparisonOptions& options) {
  NativeDifference found;
  found.computation = module.entry_computation();
  for (const Literal& argument : arguments) {
    found.arguments.push_back(argument.Clone());
  }
  while (true) {
    const NativeComparison comparison(*found.computation, found.arguments,
                                      options);
    std::string difference;
    const HloInstruction* const caller =
        comparison.Find(/*runs=*/true, difference);
    if (caller == nullptr) {
      const HloInstruction* const hlo =
          comparison.Find(/*runs=*/false, difference);
      if (hlo == nullptr) break;
      found.instruction = hlo;
      found.difference = std::move(difference);
      return found;
    }
    std::string in_run;
    absl::StatusOr<std::optional<ComputationRun>> run =
        comparison.FindRun(*caller, in_run);
    if (!run.ok() || !run->has_value()) {
      found.instruction = caller;
      found.difference = std::move(difference);
      if (run.ok()) {
        absl::StrAppend(&found.difference,
                        "\nwhat it runs computes the same from the same state "
                        "each time: small differences add up");
      }
      return found;
    }
    found.levels.push_back({(*run)->role, caller});
    found.computation = (*run)->computation;
    found.difference = std::move(in_run);
    // The comparison borrows the arguments no longer.
    found.arguments = std::move((*run)->arguments);
  }
  if (!found.levels.empty()) return found;
  return absl::NotFoundError("no instruction differs alone");
}

std::string DescribeDifference(const NativeDifference& difference) {
  std::string text =
      difference.instruction == nullptr
          ? absl::StrCat("native code of computation ",
                         difference.computation->name(),
                         " alone has another result, and of none of its "
                         "instructions alone\n")
          : absl::StrCat(
                "the first instruction whose native code alone has "
                "another value is ",
                NameAndLine(*difference.instruction), " of computation ",
                difference.computation->name(), "\n");
  for (auto level = difference.levels.rbegin();
       level != difference.levels.rend(); ++level) {
    absl::StrAppend(&text, "  in ", DescribeRole(level->role, *level->caller),
                    "\n");
  }
  if (difference.instruction != nullptr) {
    absl::StrAppend(&text, "  ", difference.instruction->ToString(), "\n");
  }
  return absl::StrCat(text, difference.difference, "\n");
}

}  // namespace xla::tools
