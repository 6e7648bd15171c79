// Runs programs on backends and compares literals.
#include "xla/tools/debugging/backend_comparison.h"

#include <memory>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "xla/backends/compiler.h"
#include "xla/base/status_macros.h"
#include "xla/client/compilers.h"
#include "xla/core/literal/comparison/literal_comparison.h"
#include "xla/core/shape_util.h"
#include "xla/tools/arrays.h"
#include "xla/tools/debugging/child_process.h"

namespace xla::tools {
namespace {

constexpr absl::string_view kEvaluator = "evaluator";
constexpr absl::string_view kCheckThunks = "xla_tessera_check_thunks";

std::string Serialize(const Outcome& outcome) {
  return absl::StrCat(
      std::string(1, static_cast<char>('0' + static_cast<int>(outcome.kind))),
      outcome.message);
}

Outcome Deserialize(absl::string_view text) {
  if (text.empty()) return {Outcome::Kind::kCrash, "it ended without a result"};
  return {static_cast<Outcome::Kind>(text[0] - '0'),
          std::string(text.substr(1))};
}

Outcome ErrorOutcome(absl::string_view backend, const absl::Status& status) {
  return {Outcome::Kind::kError,
          absl::StrCat("error of ", backend, ": ", status.message())};
}

// The worst elements of a difference, without the arrays that follow them.
absl::string_view WithoutArrays(absl::string_view message) {
  return message.substr(0, message.find("\nelements with absolute errors"));
}

std::unique_ptr<HloModule> ModuleFor(absl::string_view backend,
                                     const HloModule& module,
                                     const ComparisonOptions& options) {
  std::unique_ptr<HloModule> clone = module.Clone("");
  if (options.check_thunks && backend != kEvaluator) {
    auto& extra = *clone->mutable_config()
                       .mutable_debug_options()
                       .mutable_xla_backend_extra_options();
    extra[std::string(kCheckThunks)] = "";
  }
  return clone;
}

}  // namespace

absl::string_view KindName(Outcome::Kind kind) {
  switch (kind) {
    case Outcome::Kind::kAgree:
      return "agree";
    case Outcome::Kind::kDiffer:
      return "differ";
    case Outcome::Kind::kError:
      return "error";
    case Outcome::Kind::kCrash:
      return "crash";
    case Outcome::Kind::kTimeLimit:
      return "time limit";
  }
  return "";
}

Outcome Guarded(absl::FunctionRef<Outcome()> work, double time_limit_s) {
  const absl::StatusOr<ChildResult> child =
      CallInChild([&] { return Serialize(work()); }, time_limit_s);
  if (!child.ok()) {
    return {Outcome::Kind::kError, std::string(child.status().message())};
  }
  switch (child->end) {
    case ChildResult::End::kReturned:
      return Deserialize(child->result);
    case ChildResult::End::kCrashed:
      return {Outcome::Kind::kCrash,
              absl::StrCat(child->signal, child->errors.empty() ? "" : "\n",
                           child->errors)};
    case ChildResult::End::kTimeLimit:
      return {Outcome::Kind::kTimeLimit,
              absl::StrCat("no result after ", time_limit_s, " s")};
  }
  return {};
}

absl::StatusOr<BackendProgram> BackendProgram::Compile(
    absl::string_view backend, std::unique_ptr<HloModule> module,
    uint64_t seed) {
  TF_ASSIGN_OR_RETURN(const std::unique_ptr<Compiler> compiler,
                      MakeCompiler(backend));
  TF_ASSIGN_OR_RETURN(std::unique_ptr<Executable> executable,
                      compiler->Compile(std::move(module)));
  return BackendProgram(std::move(executable), seed);
}

absl::StatusOr<Literal> BackendProgram::Run(
    absl::Span<const Literal> arguments) const {
  std::vector<const Literal*> borrowed;
  for (const Literal& argument : arguments) borrowed.push_back(&argument);
  Executable::RunOptions run_options;
  run_options.seed = seed_;
  TF_ASSIGN_OR_RETURN(std::vector<Literal> results,
                      executable_->Execute({borrowed}, run_options));
  return std::move(results[0]);
}

absl::StatusOr<Literal> RunOn(absl::string_view backend,
                              const HloModule& module,
                              absl::Span<const Literal> arguments,
                              const ComparisonOptions& options) {
  TF_ASSIGN_OR_RETURN(
      const BackendProgram program,
      BackendProgram::Compile(backend, ModuleFor(backend, module, options),
                              options.seed));
  return program.Run(arguments);
}

absl::Status Agree(const Literal& expected, const Literal& actual,
                   const ComparisonOptions& options) {
  if (!ShapeUtil::Compatible(expected.shape(), actual.shape())) {
    return absl::FailedPreconditionError(absl::StrCat(
        "the result is ", ShapeUtil::HumanString(actual.shape()),
        ", expected is ", ShapeUtil::HumanString(expected.shape())));
  }
  absl::Status agree;
  int64_t number = 0;
  ShapeUtil::ForEachSubshape(
      expected.shape(), [&](const Shape& shape, const ShapeIndex& index) {
        if (!shape.IsArray()) return;
        const int64_t leaf = number++;
        if (!agree.ok()) return;
        const absl::Status near = literal_comparison::Near(
            LiteralSlice(expected, index), LiteralSlice(actual, index),
            options.error.has_value() ? *options.error
                                      : DefaultError(shape.element_type()));
        if (!near.ok()) {
          agree = absl::FailedPreconditionError(
              absl::StrCat("out", leaf, ": ", WithoutArrays(near.message())));
        }
      });
  return agree;
}

Outcome CompareBackends(const HloModule& module,
                        absl::Span<const Literal> arguments,
                        const ComparisonOptions& options) {
  return Guarded(
      [&]() -> Outcome {
        const absl::StatusOr<Literal> expected =
            RunOn(kEvaluator, module, arguments, options);
        const absl::StatusOr<Literal> actual =
            RunOn(options.backend, module, arguments, options);
        if (!expected.ok() && !actual.ok()) return {};
        if (!expected.ok()) return ErrorOutcome(kEvaluator, expected.status());
        if (!actual.ok()) return ErrorOutcome(options.backend, actual.status());
        const absl::Status agree = Agree(*expected, *actual, options);
        if (agree.ok()) return {};
        return {Outcome::Kind::kDiffer, std::string(agree.message())};
      },
      options.time_limit_s);
}

Outcome CompileGuarded(const HloModule& module,
                       const ComparisonOptions& options) {
  return Guarded(
      [&]() -> Outcome {
        const absl::StatusOr<std::unique_ptr<Compiler>> compiler =
            MakeCompiler(options.backend);
        if (!compiler.ok()) {
          return ErrorOutcome(options.backend, compiler.status());
        }
        const absl::Status compiled =
            (*compiler)
                ->Compile(ModuleFor(options.backend, module, options))
                .status();
        return compiled.ok() ? Outcome()
                             : ErrorOutcome(options.backend, compiled);
      },
      options.time_limit_s);
}

}  // namespace xla::tools
