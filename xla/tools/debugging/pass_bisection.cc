// Keeps a number of passes after which all is well, and one after which it is
// not, until they are neighbors.
#include "xla/tools/debugging/pass_bisection.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "xla/base/errors.h"
#include "xla/base/status_macros.h"

namespace xla::tools {
namespace {

constexpr absl::string_view kReference = "evaluator";

// Compares the evaluator's result of `module` with `expected`.
Outcome Evaluate(const HloModule& module, absl::Span<const Literal> arguments,
                 const Literal& expected, const ComparisonOptions& options) {
  const absl::StatusOr<Literal> actual =
      RunOn(kReference, module, arguments, options);
  if (!actual.ok()) {
    return {Outcome::Kind::kError, absl::StrCat("error of the evaluator: ",
                                                actual.status().message())};
  }
  const absl::Status agree = Agree(expected, *actual, options);
  if (agree.ok()) return {};
  return {Outcome::Kind::kDiffer, std::string(agree.message())};
}

Outcome ErrorOf(const absl::Status& status) {
  return {Outcome::Kind::kError, std::string(status.message())};
}

// Returns an error if the evaluator does not end, or not in time. Its own
// errors are found again without a process.
absl::Status CheckThatItEnds(const HloModule& program,
                             absl::Span<const Literal> arguments,
                             const ComparisonOptions& options) {
  const Outcome outcome = Guarded(
      [&]() -> Outcome {
        RunOn(kReference, program, arguments, options).status().IgnoreError();
        return {};
      },
      options.time_limit_s);
  if (outcome.kind == Outcome::Kind::kAgree) return absl::OkStatus();
  return absl::FailedPreconditionError(absl::StrCat(
      "bisect: the evaluator, with whose result others are compared: ",
      KindName(outcome.kind), ": ", outcome.message));
}

// The outcome after the first `count` passes.
Outcome Probe(const HloModule& program, absl::Span<const Literal> arguments,
              const Literal& expected, const PipelineMaker& make, int count,
              const ComparisonOptions& options) {
  return Guarded(
      [&]() -> Outcome {
        const std::unique_ptr<HloModule> module = program.Clone("");
        const absl::StatusOr<std::unique_ptr<HloPassPipeline>> pipeline =
            make(program);
        if (!pipeline.ok()) return ErrorOf(pipeline.status());
        const absl::Status run =
            RunSomePasses(**pipeline, 0, count, module.get());
        return run.ok() ? Evaluate(*module, arguments, expected, options)
                        : ErrorOf(run);
      },
      options.time_limit_s);
}

}  // namespace

absl::Status RunSomePasses(HloPassPipeline& pipeline, int begin, int end,
                           HloModule* module) {
  for (int i = begin; i < end; ++i) {
    HloPassInterface& pass = pipeline.GetPass(i);
    const absl::Status status = pass.Run(module).status();
    if (!status.ok()) {
      return AddStatus(status, absl::StrCat("pass ", pass.name()));
    }
    module->Cleanup();
  }
  return absl::OkStatus();
}

absl::StatusOr<std::optional<WrongPass>> BisectPasses(
    const HloModule& program, absl::Span<const Literal> arguments,
    const PipelineMaker& make, const ComparisonOptions& options) {
  TF_RETURN_IF_ERROR(CheckThatItEnds(program, arguments, options));
  TF_ASSIGN_OR_RETURN(const Literal expected,
                      RunOn(kReference, program, arguments, options));
  TF_ASSIGN_OR_RETURN(const std::unique_ptr<HloPassPipeline> pipeline,
                      make(program));
  const int passes = pipeline->PassesSize();
  const auto probe = [&](int count) {
    return Probe(program, arguments, expected, make, count, options);
  };
  const Outcome start = probe(0);
  if (start.kind != Outcome::Kind::kAgree) {
    return absl::FailedPreconditionError(absl::StrCat(
        "bisect: two runs of the evaluator do not agree: ", start.message));
  }
  Outcome outcome = probe(passes);
  if (outcome.kind == Outcome::Kind::kAgree) return std::nullopt;
  int good = 0, bad = passes;
  while (bad - good > 1) {
    const int middle = good + (bad - good) / 2;
    Outcome at = probe(middle);
    if (at.kind == Outcome::Kind::kAgree) {
      good = middle;
    } else {
      bad = middle;
      outcome = std::move(at);
    }
  }
  WrongPass wrong;
  wrong.number = good;
  wrong.passes = passes;
  wrong.name = std::string(pipeline->GetPass(good).name());
  wrong.outcome = std::move(outcome);
  wrong.before = program.Clone("");
  TF_RETURN_IF_ERROR(RunSomePasses(*pipeline, 0, good, wrong.before.get()));
  return std::optional<WrongPass>(std::move(wrong));
}

Outcome CheckPass(const HloModule& module, absl::Span<const Literal> arguments,
                  const HloModule& program, const PipelineMaker& make,
                  int number, const ComparisonOptions& options) {
  return Guarded(
      [&]() -> Outcome {
        const absl::StatusOr<Literal> expected =
            RunOn(kReference, module, arguments, options);
        if (!expected.ok()) return ErrorOf(expected.status());
        const absl::StatusOr<std::unique_ptr<HloPassPipeline>> pipeline =
            make(program);
        if (!pipeline.ok()) return ErrorOf(pipeline.status());
        const std::unique_ptr<HloModule> changed = module.Clone("");
        const absl::Status run =
            RunSomePasses(**pipeline, number, number + 1, changed.get());
        return run.ok() ? Evaluate(*changed, arguments, *expected, options)
                        : ErrorOf(run);
      },
      options.time_limit_s);
}

}  // namespace xla::tools
