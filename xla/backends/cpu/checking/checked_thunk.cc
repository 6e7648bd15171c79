// Loads the operands, runs the thunk, evaluates the computation, compares.
#include "xla/backends/cpu/checking/checked_thunk.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <random>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "xla/backends/array_memory.h"
#include "xla/backends/cpu/thunks/device_run.h"
#include "xla/base/status_macros.h"
#include "xla/core/literal/comparison/literal_comparison.h"
#include "xla/core/literal/literal.h"
#include "xla/core/primitive_util.h"
#include "xla/hlo/evaluator/hlo_evaluator.h"

namespace xla::cpu {
namespace {

// The roundings of its type by which an element may be off: fewer for types
// with large roundings, since functions compute those in wider types.
constexpr double kRoundings = 128;
constexpr double kFewRoundings = 4;
constexpr double kSmallError = 1e-3;
// Results may be off by kPerturbations times the largest change that rounding
// the operands causes in kTrials trials.
constexpr double kPerturbations = 32;
constexpr int kTrials = 4;
// Bytes of a thunk's text in an error; longer texts are cut.
constexpr size_t kTextBytes = 4000;

bool IsInexact(PrimitiveType type) {
  return primitive_util::IsFloatingPointType(type) ||
         primitive_util::IsComplexType(type);
}

PrimitiveType PartType(PrimitiveType type) {
  return primitive_util::IsComplexType(type)
             ? primitive_util::ComplexComponentType(type)
             : type;
}

// Returns all elements, or their real and imaginary parts. Errors: those of
// Convert.
absl::StatusOr<std::vector<double>> Numbers(const Literal& literal) {
  const bool is_complex =
      primitive_util::IsComplexType(literal.shape().element_type());
  TF_ASSIGN_OR_RETURN(const Literal wide,
                      literal.Convert(is_complex ? C128 : F64));
  const auto* data = static_cast<const double*>(wide.untyped_data());
  return std::vector<double>(
      data, data + wide.element_count() * (is_complex ? 2 : 1));
}

// Flips the last bit of finite elements, each with a probability of one half.
absl::Status Perturb(std::minstd_rand& random, Literal& literal) {
  const PrimitiveType type = literal.shape().element_type();
  if (!IsInexact(type)) return absl::OkStatus();
  TF_ASSIGN_OR_RETURN(const std::vector<double> numbers, Numbers(literal));
  const int64_t width = primitive_util::ByteWidth(PartType(type));
  auto* bytes = static_cast<char*>(literal.untyped_data());
  for (size_t i = 0; i < numbers.size(); ++i) {
    const bool turn = random() % 2 == 0;
    if (std::isfinite(numbers[i]) && numbers[i] != 0) bytes[i * width] ^= turn;
  }
  return absl::OkStatus();
}

double LargestFinite(const std::vector<double>& numbers) {
  double largest = 0;
  for (const double x : numbers) {
    if (std::isfinite(x)) largest = std::max(largest, std::abs(x));
  }
  return largest;
}

// Checks that `expected` and `actual` agree except for roundings; `perturbed`
// are the results for perturbed operands.
absl::Status Agree(const Literal& expected, const Literal& actual,
                   absl::Span<const Literal* const> perturbed) {
  const PrimitiveType type = expected.shape().element_type();
  if (!IsInexact(type)) {
    for (const Literal* other : perturbed) {
      if (*other != expected) return absl::OkStatus();
    }
    return literal_comparison::Equal(expected, actual);
  }
  TF_ASSIGN_OR_RETURN(const std::vector<double> numbers, Numbers(expected));
  double change = 0;
  for (const Literal* other : perturbed) {
    TF_ASSIGN_OR_RETURN(std::vector<double> others, Numbers(*other));
    for (size_t i = 0; i < numbers.size(); ++i) others[i] -= numbers[i];
    // The rounding of an operand decides whether the result is finite.
    for (size_t i = 0; i < numbers.size(); ++i) {
      if (std::isfinite(numbers[i]) && !std::isfinite(others[i])) {
        return absl::OkStatus();
      }
    }
    change = std::max(change, LargestFinite(others));
  }
  const double rounding =
      std::ldexp(1.0, -primitive_util::SignificandWidth(PartType(type)));
  const double relative = std::min(
      kRoundings * rounding, std::max(kFewRoundings * rounding, kSmallError));
  ErrorSpec error(relative * LargestFinite(numbers) + kPerturbations * change,
                  relative);
  error.more_infs_ok = error.fewer_infs_ok = true;
  return literal_comparison::Near(expected, actual, error);
}

std::string Shortened(std::string text) {
  if (text.size() > kTextBytes) {
    text.resize(kTextBytes);
    text += "\n...";
  }
  return text;
}

}  // namespace

CheckedThunk::CheckedThunk(std::unique_ptr<Thunk> thunk,
                           ThunkComputation computation,
                           std::shared_ptr<const HloModule> module)
    : Thunk(thunk->name()),
      thunk_(std::move(thunk)),
      kind_(absl::StrCat("checked ", thunk_->kind())),
      computation_(std::move(computation)),
      module_(std::move(module)) {
  set_scratch_from(thunk_->scratch_from());
}

absl::StatusOr<std::vector<Literal>> CheckedThunk::Load(
    const std::vector<ThunkComputation::Array>& arrays, DeviceRun& run) const {
  std::vector<Literal> literals;
  for (const ThunkComputation::Array& array : arrays) {
    Literal& literal = literals.emplace_back(array.shape);
    if (array.slice.allocation < 0) continue;
    TF_RETURN_IF_ERROR(
        LoadArray(run.At(array.slice), array.shape, {}, literal));
  }
  return literals;
}

absl::StatusOr<std::vector<std::vector<Literal>>>
CheckedThunk::EvaluatePerturbed(const std::vector<Literal>& operands) const {
  HloEvaluator evaluator;
  std::minstd_rand random;
  std::vector<std::vector<Literal>> trials;
  for (int i = 0; i < kTrials; ++i) {
    std::vector<Literal> moved;
    for (const Literal& operand : operands) {
      TF_RETURN_IF_ERROR(Perturb(random, moved.emplace_back(operand.Clone())));
    }
    TF_ASSIGN_OR_RETURN(Literal all,
                        evaluator.Evaluate(*computation_.computation,
                                           absl::MakeConstSpan(moved)));
    trials.push_back(all.DecomposeTuple());
  }
  return trials;
}

absl::Status CheckedThunk::Compare(const std::vector<Literal>& operands,
                                   const std::vector<Literal>& results) const {
  HloEvaluator evaluator;
  const HloComputation& program = *computation_.computation;
  absl::StatusOr<Literal> evaluated =
      evaluator.Evaluate(program, absl::MakeConstSpan(operands));
  if (evaluated.status().code() == absl::StatusCode::kUnimplemented) {
    return absl::OkStatus();
  }
  TF_RETURN_IF_ERROR(evaluated.status());
  const std::vector<Literal> expected = evaluated->DecomposeTuple();
  std::vector<std::vector<Literal>> trials;
  for (size_t i = 0; i < results.size(); ++i) {
    if (Agree(expected[i], results[i], {}).ok()) continue;
    if (trials.empty()) {
      TF_ASSIGN_OR_RETURN(trials, EvaluatePerturbed(operands));
    }
    std::vector<const Literal*> perturbed;
    for (const auto& trial : trials) perturbed.push_back(&trial[i]);
    const absl::Status agrees = Agree(expected[i], results[i], perturbed);
    if (agrees.ok()) continue;
    return absl::InternalError(absl::StrCat(
        "check: ", thunk_->kind(), " ", name(), ": ",
        computation_.results[i].instruction, " differs from the evaluator's: ",
        agrees.message(), "\nin ", Shortened(program.ToString())));
  }
  return absl::OkStatus();
}

absl::StatusOr<ThunkResult> CheckedThunk::Run(DeviceRun& run,
                                              int64_t here) const {
  TF_ASSIGN_OR_RETURN(const std::vector<Literal> operands,
                      Load(computation_.operands, run));
  TF_ASSIGN_OR_RETURN(const ThunkResult result, thunk_->Run(run, here));
  TF_ASSIGN_OR_RETURN(const std::vector<Literal> results,
                      Load(computation_.results, run));
  TF_RETURN_IF_ERROR(Compare(operands, results));
  return result;
}

}  // namespace xla::cpu
