// The executions, the ways of products, and the comparison.
#include "tests/fuzz/contractions/contraction_check.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "tests/backward_runner.h"
#include "xla/backends/cpu/cpu_compiler.h"
#include "xla/backends/cpu/cpu_executable.h"
#include "xla/backends/cpu/thunks/concurrent_thunk.h"
#include "xla/base/status_macros.h"
#include "xla/client/compilers.h"
#include "xla/core/primitive_util.h"
#include "xla/core/shape_util.h"
#include "xla/runtime/parallel.h"
#include "xla/runtime/thread_pool.h"

namespace xla::fuzz {

namespace {

// What the reference allows is an estimate of roundings of both signs.
constexpr double kSlack = 1.5;

absl::StatusOr<Literal> Execute(const Executable& executable,
                                const std::vector<Literal>& arguments) {
  std::vector<const Literal*> pointers;
  for (const Literal& argument : arguments) pointers.push_back(&argument);
  TF_ASSIGN_OR_RETURN(std::vector<Literal> results,
                      executable.Execute({pointers}, {}));
  return std::move(results[0]);
}

absl::StatusOr<Literal> RunReference(const ContractionProgram& program) {
  static Compiler* const evaluator =
      MakeCompiler("evaluator").value().release();
  TF_ASSIGN_OR_RETURN(const std::unique_ptr<Executable> executable,
                      evaluator->Compile(program.reference->Clone()));
  return Execute(*executable, program.reference_arguments);
}

absl::StatusOr<std::unique_ptr<Executable>> Compile(
    const ContractionProgram& program, ParallelRunner& runner) {
  cpu::CpuCompiler compiler({.runner = &runner});
  return compiler.Compile(program.module->Clone(""));
}

// Adds the ways of `thunks`; returns how many products they compute.
int64_t AddWays(const cpu::ThunkSequence& thunks,
                std::vector<std::string>& ways) {
  int64_t products = 0;
  for (const auto& thunk : thunks) {
    if (thunk->kind() == "concurrent") {
      const auto& group = dynamic_cast<const cpu::ConcurrentThunk&>(*thunk);
      products += AddWays(group.thunks(), ways);
    } else if (thunk->kind() == "attention") {
      ways.push_back("attention");
      products += 2;
    } else if (thunk->kind() == "dot" || thunk->kind() == "convolution") {
      ways.push_back(
          absl::StrCat(thunk->kind(), " (", thunk->algorithm(), ")"));
      ++products;
    }
  }
  return products;
}

std::vector<std::string> WaysOf(const Executable& executable) {
  std::vector<std::string> ways;
  int64_t products = AddWays(
      dynamic_cast<const cpu::CpuExecutable&>(executable).thunks(), ways);
  for (const auto& computation : executable.module().computations()) {
    for (const auto& instruction : computation->instructions()) {
      if (instruction->opcode() == HloOpcode::kDot ||
          instruction->opcode() == HloOpcode::kConvolution) {
        --products;
      }
    }
  }
  if (products < 0) ways.push_back("native dot");
  if (ways.empty()) ways.push_back("none");
  return ways;
}

// Whether two results have the same bits.
bool SameBits(const Literal& a, const Literal& b) {
  return a.size_bytes() == b.size_bytes() &&
         std::memcmp(a.untyped_data(), b.untyped_data(), a.size_bytes()) == 0;
}

// Collects the elements that differ too much.
class Comparison {
 public:
  explicit Comparison(PrimitiveType type) {
    const PrimitiveType real = primitive_util::IsComplexType(type)
                                   ? primitive_util::ComplexComponentType(type)
                                   : type;
    // F8 types without infinity saturate earlier than their exponents say.
    has_classes_ = real == type && primitive_util::BitWidth(type) > 8;
    largest_ = std::ldexp(1.0, primitive_util::OverflowExponent(real)) *
               (primitive_util::BitWidth(real) == 8 ? 0.4 : 0.99);
  }

  void Add(absl::Span<const int64_t> index, complex128 exact, double error,
           complex128 actual) {
    ++all_;
    const double size = std::abs(exact);
    // Nothing is known where an intermediate value may overflow.
    if (std::isfinite(size) &&
        (!std::isfinite(error) || size + kSlack * error >= largest_)) {
      ++unknown_;
      return;
    }
    if (!std::isfinite(size)) {
      if (!SameSpecial(exact, actual)) Report(index, exact, error, actual);
      return;
    }
    const double difference = std::abs(actual - exact);
    if (difference <= kSlack * error) {
      if (error > 0) worst_ = std::max(worst_, difference / error);
      return;
    }
    Report(index, exact, error, actual);
  }

  std::string Failure() const {
    if (wrong_ > 0) {
      return absl::StrFormat("differs: %d of %d elements:%s", wrong_, all_,
                             first_);
    }
    return "";
  }
  double worst() const { return worst_; }
  bool is_vague() const { return 2 * unknown_ > all_; }

 private:
  // Complex products define no more than that they are not finite, and some
  // types of 8 bits have no infinity.
  bool SameSpecial(complex128 exact, complex128 actual) const {
    if (!has_classes_) return !std::isfinite(std::abs(actual));
    return std::isnan(exact.real()) ? std::isnan(actual.real())
                                    : exact.real() == actual.real();
  }
  void Report(absl::Span<const int64_t> index, complex128 exact, double error,
              complex128 actual) {
    if (++wrong_ > 5) return;
    absl::StrAppendFormat(
        &first_, "\n  [%s] is %.9g + %.9gi, must be %.9g + %.9gi +- %.3g",
        absl::StrJoin(index, ","), actual.real(), actual.imag(), exact.real(),
        exact.imag(), kSlack * error);
  }

  bool has_classes_;
  double largest_;
  int64_t all_ = 0, wrong_ = 0, unknown_ = 0;
  double worst_ = 0;
  std::string first_;
};

std::string CompareIntegers(const Literal& expected, const Literal& actual) {
  const Literal same_layout = actual.Relayout(expected.shape());
  if (SameBits(expected, same_layout)) return "";
  std::string first;
  int64_t wrong = 0;
  ShapeUtil::ForEachIndex(
      expected.shape(), [&](absl::Span<const int64_t> index) {
        const std::string want = expected.GetAsString(index);
        const std::string got = same_layout.GetAsString(index);
        if (want != got && ++wrong <= 5) {
          absl::StrAppend(&first, "\n  [", absl::StrJoin(index, ","), "] is ",
                          got, ", must be ", want);
        }
        return true;
      });
  return absl::StrCat("differs: ", wrong, " elements:", first);
}

std::string CompareReals(const ContractionProgram& program,
                         const Literal& expected, const Literal& actual,
                         ContractionOutcome& outcome) {
  std::vector<Literal> parts = expected.Clone().DecomposeTuple();
  const auto exact = parts[0].Convert(C128);
  const auto got = actual.Convert(C128);
  if (!exact.ok() || !got.ok()) return "generator: no conversion to C128";
  Comparison comparison(program.type);
  ShapeUtil::ForEachIndex(parts[0].shape(),
                          [&](absl::Span<const int64_t> index) {
                            comparison.Add(index, exact->Get<complex128>(index),
                                           parts[1].Get<double>(index),
                                           got->Get<complex128>(index));
                            return true;
                          });
  outcome.worst = comparison.worst();
  outcome.is_vague = comparison.is_vague();
  return comparison.Failure();
}

std::string Refused(const absl::Status& status) {
  return absl::StrCat("refused: ", status.ToString());
}

}  // namespace

ContractionOutcome CheckContraction(const ContractionProgram& program,
                                    int threads) {
  ContractionOutcome outcome;
  const auto expected = RunReference(program);
  if (!expected.ok()) {
    outcome.failure = absl::StrCat("generator: ", expected.status().ToString());
    return outcome;
  }
  InlineRunner inline_runner;
  const auto executable = Compile(program, inline_runner);
  if (!executable.ok()) {
    outcome.failure = Refused(executable.status());
    return outcome;
  }
  outcome.ways = WaysOf(**executable);
  const auto actual = Execute(**executable, program.arguments);
  if (!actual.ok()) {
    outcome.failure = Refused(actual.status());
    return outcome;
  }
  outcome.failure = IsInteger(program.type)
                        ? CompareIntegers(*expected, *actual)
                        : CompareReals(program, *expected, *actual, outcome);
  if (!outcome.failure.empty()) return outcome;
  BackwardRunner backward(threads);
  ThreadPool pool(threads);
  for (ParallelRunner* runner :
       std::initializer_list<ParallelRunner*>{&backward, &pool}) {
    // One of them is enough for most programs.
    if ((runner == &pool) != (threads % 2 == 0)) continue;
    const auto again = Compile(program, *runner);
    if (!again.ok()) {
      outcome.failure = Refused(again.status());
      return outcome;
    }
    const auto result = Execute(**again, program.arguments);
    if (!result.ok()) {
      outcome.failure = Refused(result.status());
      return outcome;
    }
    if (!SameBits(*actual, *result)) {
      outcome.failure =
          absl::StrCat("threads: other bits with ", threads, " than with 1");
    }
  }
  return outcome;
}

}  // namespace xla::fuzz
