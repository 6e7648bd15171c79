// Keeps the values of one evaluation, looks them up in the other, and follows
// control flow.
#include "xla/tools/debugging/first_difference.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "xla/base/status_macros.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/evaluator/hlo_evaluator.h"

namespace xla::tools {
namespace {

// What a report shows of the instructions that a pass made.
constexpr size_t kShownInstructions = 10;

using Level = FirstDifference::Level;
using InstructionsByName =
    absl::flat_hash_map<std::string, const HloInstruction*>;

InstructionsByName ByName(const HloComputation& computation) {
  InstructionsByName by_name;
  for (const HloInstruction* hlo : computation.instructions()) {
    by_name[hlo->name()] = hlo;
  }
  return by_name;
}

// What `hlo` depends on through instructions whose names `known` lacks.
std::vector<const HloInstruction*> NewOperands(
    const HloInstruction* hlo, const InstructionsByName& known) {
  absl::flat_hash_set<const HloInstruction*> found;
  std::vector<const HloInstruction*> pending = {hlo};
  while (!pending.empty()) {
    const HloInstruction* user = pending.back();
    pending.pop_back();
    for (const HloInstruction* operand : user->operands()) {
      if (!known.contains(operand->name()) && found.insert(operand).second) {
        pending.push_back(operand);
      }
    }
  }
  std::vector<const HloInstruction*> ordered;
  for (const HloInstruction* other :
       hlo->parent()->MakeInstructionPostOrder()) {
    if (found.contains(other)) ordered.push_back(other);
  }
  return ordered;
}

// The only one of `instructions` that runs computations as `hlo` does.
const HloInstruction* OnlyOneLike(
    const HloInstruction& hlo,
    absl::Span<const HloInstruction* const> instructions) {
  const HloInstruction* found = nullptr;
  for (const HloInstruction* other : instructions) {
    if (other->opcode() != hlo.opcode()) continue;
    if (found != nullptr) return nullptr;
    found = other;
  }
  return found;
}

// Whether both take values of the same shapes.
bool TakeTheSame(const HloComputation& a, const HloComputation& b) {
  if (a.num_parameters() != b.num_parameters()) return false;
  for (int64_t i = 0; i < a.num_parameters(); ++i) {
    if (!ShapeUtil::Compatible(a.parameter_instruction(i)->shape(),
                               b.parameter_instruction(i)->shape())) {
      return false;
    }
  }
  return true;
}

// Compares one computation of both versions, with the same arguments.
class ComputationComparison {
 public:
  ComputationComparison(const HloComputation& before,
                        const HloComputation& after,
                        absl::Span<const Literal> arguments,
                        const ComparisonOptions& options)
      : before_(before),
        after_(after),
        options_(options),
        old_by_name_(ByName(before)),
        new_by_name_(ByName(after)),
        old_values_(before, arguments, options.seed),
        new_values_(after, arguments, options.seed) {}

  // Sets what is about the instructions in `found`; false if all agree.
  bool Find(FirstDifference& found) const {
    for (const HloInstruction* hlo : after_.MakeInstructionPostOrder()) {
      const auto other = old_by_name_.find(hlo->name());
      if (other != old_by_name_.end() && Differ(other->second, hlo, found)) {
        return true;
      }
    }
    return Differ(before_.root_instruction(), after_.root_instruction(), found);
  }

  // The instructions to go on in: those of `found`, or those that run
  // computations and that a pass gave another name. Nullopt if there are none.
  std::optional<Level> Callers(const FirstDifference& found) const {
    if (RunsComputations(*found.before) &&
        found.before->opcode() == found.after->opcode()) {
      return Level{{}, found.before, found.after};
    }
    const std::vector<const HloInstruction*> gone =
        NewOperands(found.before, new_by_name_);
    for (const HloInstruction* made : found.new_instructions) {
      if (!RunsComputations(*made)) continue;
      const HloInstruction* const other = OnlyOneLike(*made, gone);
      if (other != nullptr &&
          OnlyOneLike(*made, found.new_instructions) == made) {
        return Level{{}, other, made};
      }
    }
    return std::nullopt;
  }

  // Finds the first run of what `callers` run whose results differ, with the
  // same arguments, and sets `level.role`. Nullopt, with a sentence in `note`,
  // if there is none.
  std::optional<ComputationRun> FindRun(Level& callers,
                                        std::string& note) const {
    const absl::StatusOr<std::vector<Literal>> operands =
        SameOperands(callers, note);
    if (!operands.ok()) return std::nullopt;
    std::vector<Literal> copies;
    for (const Literal& operand : *operands) copies.push_back(operand.Clone());
    std::optional<ComputationRun> found;
    const absl::Status status = ForEachRun(
        *callers.before, std::move(copies), options_.seed,
        [&](ComputationRun& run,
            const Literal& result) -> absl::StatusOr<bool> {
          const HloComputation* const other =
              ComputationOf(*callers.after, run.role);
          if (other == nullptr || !TakeTheSame(*run.computation, *other)) {
            return absl::FailedPreconditionError(
                "what it runs takes other arguments after the pass");
          }
          HloEvaluator evaluator;
          evaluator.set_seed(options_.seed);
          TF_ASSIGN_OR_RETURN(
              const Literal actual,
              evaluator.Evaluate(*other, absl::MakeConstSpan(run.arguments)));
          if (Agree(result, actual, options_).ok()) return false;
          found = std::move(run);
          return true;
        });
    if (found.has_value()) {
      callers.role = found->role;
    } else if (!status.ok()) {
      note = std::string(status.message());
    } else {
      note =
          "what it runs computes the same from the same state each time: small "
          "differences add up, or it is run another number of times";
    }
    return found;
  }

 private:
  bool Differ(const HloInstruction* before, const HloInstruction* after,
              FirstDifference& found) const {
    const Literal* const expected = old_values_.Find(*before);
    const Literal* const actual = new_values_.Find(*after);
    if (expected == nullptr || actual == nullptr ||
        !ShapeUtil::Compatible(expected->shape(), actual->shape())) {
      return false;
    }
    const absl::Status agree = Agree(*expected, *actual, options_);
    if (agree.ok()) return false;
    found.before = before;
    found.after = after;
    found.difference = std::string(agree.message());
    found.new_instructions = NewOperands(after, old_by_name_);
    return true;
  }

  // The operands of `callers.before`, if those of `callers.after` agree.
  absl::StatusOr<std::vector<Literal>> SameOperands(const Level& callers,
                                                    std::string& note) const {
    const auto explained = [&](absl::string_view why) {
      note = std::string(why);
      return absl::FailedPreconditionError(why);
    };
    absl::StatusOr<std::vector<Literal>> operands =
        old_values_.OperandsOf(*callers.before);
    const absl::StatusOr<std::vector<Literal>> others =
        new_values_.OperandsOf(*callers.after);
    if (!operands.ok()) return explained(operands.status().message());
    if (!others.ok()) return explained(others.status().message());
    if (operands->size() != others->size()) {
      return explained("it has another number of operands after the pass");
    }
    for (size_t i = 0; i < operands->size(); ++i) {
      if (!ShapeUtil::Compatible((*operands)[i].shape(),
                                 (*others)[i].shape())) {
        return explained("its operands have other shapes after the pass");
      }
      if (!Agree((*operands)[i], (*others)[i], options_).ok()) {
        return explained("its operands differ already");
      }
    }
    return operands;
  }

  const HloComputation& before_;
  const HloComputation& after_;
  const ComparisonOptions& options_;
  const InstructionsByName old_by_name_, new_by_name_;
  const EvaluatedValues old_values_, new_values_;
};

// Appends the computations that both apply to elements, where they differ.
void AppendApplied(const FirstDifference& difference, std::string& text) {
  const HloInstruction& before = *difference.before;
  const HloInstruction& after = *difference.after;
  if (RunsComputations(after) || before.opcode() != after.opcode()) return;
  const size_t count = std::min(before.called_computations().size(),
                                after.called_computations().size());
  for (size_t i = 0; i < count; ++i) {
    const std::string old_text = before.called_computations()[i]->ToString();
    const std::string new_text = after.called_computations()[i]->ToString();
    if (old_text == new_text) continue;
    absl::StrAppend(&text, "  applied before: ", old_text,
                    "\n  applied after:  ", new_text, "\n");
  }
}

}  // namespace

absl::StatusOr<FirstDifference> FindFirstDifference(
    const HloModule& before, const HloModule& after,
    absl::Span<const Literal> arguments, const ComparisonOptions& options,
    int max_levels) {
  FirstDifference found;
  // Where to look next. It becomes part of `found` if something is there.
  std::vector<Level> levels;
  std::vector<Literal> next;
  for (const Literal& argument : arguments) next.push_back(argument.Clone());
  const HloComputation* old_computation = before.entry_computation();
  const HloComputation* new_computation = after.entry_computation();
  while (true) {
    FirstDifference inner;
    const ComputationComparison comparison(*old_computation, *new_computation,
                                           next, options);
    if (!comparison.Find(inner)) break;
    inner.levels = levels;
    const std::optional<Level> callers = comparison.Callers(inner);
    std::optional<ComputationRun> run;
    if (callers.has_value() && static_cast<int>(levels.size()) < max_levels) {
      levels.push_back(*callers);
      run = comparison.FindRun(levels.back(), inner.note);
    } else if (callers.has_value()) {
      inner.note = "what it runs was not looked into";
    }
    inner.arguments = std::move(next);
    found = std::move(inner);
    if (!run.has_value()) break;
    old_computation = run->computation;
    new_computation = ComputationOf(*callers->after, run->role);
    next = std::move(run->arguments);
  }
  if (found.after != nullptr) return found;
  return absl::NotFoundError("no instructions of the two entries differ");
}

std::string DescribeDifference(const FirstDifference& difference) {
  const HloInstruction& after = *difference.after;
  std::string text = absl::StrCat(
      "the first instruction with another value is ", NameAndLine(after));
  if (!difference.levels.empty()) {
    absl::StrAppend(&text, " of computation ", after.parent()->name());
  }
  absl::StrAppend(&text, "\n");
  for (auto level = difference.levels.rbegin();
       level != difference.levels.rend(); ++level) {
    absl::StrAppend(&text, "  in ", DescribeRole(level->role, *level->after),
                    "\n");
  }
  absl::StrAppend(&text, "  before: ", difference.before->ToString(),
                  "\n  after:  ", after.ToString(), "\n");
  AppendApplied(difference, text);
  const auto& made = difference.new_instructions;
  for (size_t i = 0; i < std::min(made.size(), kShownInstructions); ++i) {
    absl::StrAppend(&text, "  new:    ", made[i]->ToString(), "\n");
  }
  if (made.size() > kShownInstructions) {
    absl::StrAppend(&text, "          and ", made.size() - kShownInstructions,
                    " more\n");
  }
  if (!difference.note.empty()) {
    absl::StrAppend(&text, "  ", difference.note, "\n");
  }
  return text;
}

}  // namespace xla::tools
