// Repeats the steps until none of them finds a smaller program.
#include "xla/tools/reduction/reducer.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "xla/base/status_macros.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/verifier/hlo_verifier.h"
#include "xla/tools/reduction/moves.h"

namespace xla::tools {
namespace {

struct Step {
  absl::string_view name;
  bool (*run)(Trials& trials);
};

// Those that remove most come first.
constexpr Step kSteps[] = {
    {"strip annotations", StripAnnotations},
    {"shorten results", ShortenResults},
    {"cut instructions", CutInstructions},
    {"drop effects", DropEffects},
    {"bypass instructions", BypassInstructions},
    {"unwrap calls", UnwrapCalls},
    {"simplify constants", SimplifyConstants},
    {"shrink dimensions", ShrinkDimensions},
    {"simplify attributes", SimplifyAttributes},
};

absl::Status CheckArguments(const ReducibleProgram& program) {
  if (program.arguments.empty()) return absl::OkStatus();
  const HloComputation& entry = *program.module->entry_computation();
  if (static_cast<int64_t>(program.arguments.size()) !=
      entry.num_parameters()) {
    return absl::InvalidArgumentError(absl::StrCat(
        "reduce: the program has ", entry.num_parameters(),
        " parameters, but there are ", program.arguments.size(), " arguments"));
  }
  for (int64_t i = 0; i < entry.num_parameters(); ++i) {
    const Shape& wanted = entry.parameter_instruction(i)->shape();
    const Shape& given = program.arguments[i].shape();
    if (ShapeUtil::Compatible(wanted, given)) continue;
    return absl::InvalidArgumentError(absl::StrCat(
        "reduce: parameter ", i, " is ", ShapeUtil::HumanString(wanted),
        ", its argument ", ShapeUtil::HumanString(given)));
  }
  return absl::OkStatus();
}

}  // namespace

ReducibleProgram ReducibleProgram::Copy() const {
  ReducibleProgram copy;
  copy.module = module->Clone("");
  for (const Literal& argument : arguments) {
    copy.arguments.push_back(argument.Clone());
  }
  return copy;
}

absl::StatusOr<Reduction> Reduce(ReducibleProgram program,
                                 const FailureTest& fails,
                                 const ReductionOptions& options) {
  TF_RETURN_IF_ERROR(
      HloVerifier({.allow_entry_buffers = true}).Verify(*program.module));
  TF_RETURN_IF_ERROR(CheckArguments(program));
  if (!fails(program)) {
    return absl::FailedPreconditionError(
        "reduce: the failure does not occur in the program as it is");
  }
  Trials trials(std::move(program), fails, options);
  for (bool changed = true; changed && !trials.exhausted();) {
    changed = false;
    for (const Step& step : kSteps) {
      trials.set_step(step.name);
      changed |= step.run(trials);
    }
  }
  Reduction reduction;
  reduction.tests = trials.tests();
  reduction.complete = !trials.exhausted();
  reduction.program = trials.Take();
  return reduction;
}

}  // namespace xla::tools
