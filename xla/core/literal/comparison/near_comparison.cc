// Compares element by element as complex double, which holds every floating
// type exactly, and keeps the worst errors for the report.
#include "xla/core/literal/comparison/near_comparison.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/types/span.h"
#include "xla/base/convert_value.h"
#include "xla/base/float_bits.h"
#include "xla/base/types.h"
#include "xla/core/literal/comparison/error_spec.h"
#include "xla/core/literal/comparison/wider_bounds.h"
#include "xla/core/literal/element_convert.h"
#include "xla/core/literal/literal.h"
#include "xla/core/literal/literal_piece.h"
#include "xla/core/primitive_util.h"
#include "xla/core/shape.h"
#include "xla/core/shape_util.h"

namespace xla {
namespace literal_comparison {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr size_t kWorst = 10;

struct Mismatch {
  double relative = 0;
  double absolute = 0;
  std::vector<int64_t> index;

  bool operator<(const Mismatch& other) const {  // worse first
    if (relative != other.relative) return relative > other.relative;
    return absolute > other.absolute;
  }
};

class NearComparator {
 public:
  NearComparator(const LiteralSlice& expected, const LiteralSlice& actual,
                 const ErrorSpec& error)
      : expected_(expected),
        actual_(actual),
        type_(expected.shape().element_type()),
        width_(LiteralElementBytes(type_)),
        error_(error),
        wider_bounds_(error),
        largest_(LargestFinite()) {}

  // Calls `mismatch` with the index of each element that disagrees.
  void Run(absl::FunctionRef<void(absl::Span<const int64_t>)> mismatch) {
    const LiteralPiece& other = actual_.root_piece();
    expected_.EachElement(
        [&](absl::Span<const int64_t> at, const void* element) {
          ++total_;
          const char* found = other.buffer + other.LinearIndex(at) * width_;
          if (std::memcmp(element, found, width_) == 0) return true;
          if (!Compare(at, element, found)) {
            ++mismatches_;
            mismatch(at);
          }
          return true;
        });
  }

  int64_t mismatches() const { return mismatches_; }
  ErrorBuckets buckets() const {
    return ErrorBuckets({absolute_beyond_.begin(), absolute_beyond_.end()},
                        {relative_beyond_.begin(), relative_beyond_.end()});
  }

  std::string Report(bool detailed) const {
    std::string out = absl::StrFormat(
        "%d of %d elements (%.4f%%) of %s are not within abs %g, rel %g:",
        mismatches_, total_, 100.0 * mismatches_ / total_,
        expected_.shape().ToString(), error_.abs, error_.rel);
    absl::StrAppendFormat(&out, "\nlargest absolute error %.9g, relative %.9g",
                          max_absolute_, max_relative_);
    absl::StrAppend(&out, "\nthe worst elements:");
    for (const Mismatch& m : worst_) {
      absl::StrAppendFormat(
          &out,
          "\n  [%s] expected %s, actual %s, abs error %.9g, rel error %.9g",
          absl::StrJoin(m.index, ","), expected_.GetAsString(m.index),
          actual_.GetAsString(m.index), m.absolute, m.relative);
    }
    AppendHistogram("absolute", absolute_beyond_, &out);
    AppendHistogram("relative", relative_beyond_, &out);
    absl::StrAppend(&out, wider_bounds_.ToString());
    if (detailed) {
      absl::StrAppend(&out, "\nexpected ", ToStringTruncated(expected_),
                      "\nactual ", ToStringTruncated(actual_));
    }
    return out;
  }

 private:
  // Counters of errors of 1e-4, 1e-3, ..., 1 and more.
  static constexpr int kBuckets = 5;
  using Histogram = std::array<int64_t, kBuckets>;

  static void Count(double error, Histogram& histogram) {
    constexpr double kBounds[kBuckets] = {1e-4, 1e-3, 1e-2, 0.1, 1};
    for (int i = 0; i < kBuckets; ++i) {
      if (error >= kBounds[i]) ++histogram[i];
    }
  }

  static void AppendHistogram(absl::string_view name,
                              const Histogram& histogram, std::string* out) {
    absl::StrAppend(out, "\nelements with ", name, " errors of at least");
    for (int i = 0; i < kBuckets; ++i) {
      absl::StrAppend(out, i > 0 ? ", " : " ", "1e-", kBuckets - 1 - i, ": ",
                      histogram[i]);
    }
  }

  double LargestFinite() const {
    return primitive_util::FloatingPointTypeSwitch<double>(
        [](auto constant) {
          using T = primitive_util::NativeTypeOf<constant>;
          return static_cast<double>(std::numeric_limits<T>::max());
        },
        primitive_util::IsComplexType(type_) ? (type_ == C64 ? F32 : F64)
                                             : type_);
  }

  complex128 Value(const void* element) const {
    complex128 value;
    ConvertElements(type_, element, C128, &value, 1);
    return value;
  }

  // Of one real number, or of one part of a complex one.
  struct Errors {
    double absolute = 0;
    double relative = 0;
  };

  // Returns infinity where numbers have no distance.
  double Distance(double expected, double actual) const {
    if (std::isnan(expected) && error_.relaxed_nans) return 0;
    if (std::isnan(expected) || std::isnan(actual)) {
      const bool agree = std::isnan(expected) && std::isnan(actual) &&
                         error_.all_nans_are_equivalent;
      return agree ? 0 : kInf;
    }
    if (expected == actual) return 0;
    return std::abs(actual - expected);
  }
  Errors ErrorsOf(double expected, double actual) const {
    if (std::isinf(actual) && std::isfinite(expected) && error_.fewer_infs_ok) {
      actual = std::copysign(largest_, actual);
    }
    if (std::isinf(expected) && std::isfinite(actual) && error_.more_infs_ok) {
      expected = std::copysign(largest_, expected);
    }
    Errors errors;
    errors.absolute = Distance(expected, actual);
    if (errors.absolute == 0) return errors;
    errors.relative = errors.absolute / std::abs(expected);
    if (!std::isfinite(errors.absolute) || !std::isfinite(expected)) {
      errors.relative = kInf;
    }
    return errors;
  }

  // Whether few enough numbers of the type are between two finite ones.
  bool IsWithinSteps(double want, double have) const {
    const auto& steps = error_.low_precision_fp_error_spec;
    if (steps.within_n_values < 0 || !std::isfinite(want) ||
        !std::isfinite(have) ||
        !primitive_util::IsFloatingPointType(steps.type)) {
      return false;
    }
    return primitive_util::FloatingPointTypeSwitch<bool>(
        [&](auto constant) {
          using T = primitive_util::NativeTypeOf<constant>;
          return CalculateDistanceInFloats(ConvertValue<T>(want),
                                           ConvertValue<T>(have)) <=
                 steps.within_n_values;
        },
        steps.type);
  }

  // Counts the errors of one part, and returns whether it agrees.
  bool ComparePart(double want, double have, Mismatch& worst) {
    const Errors errors = ErrorsOf(want, have);
    max_absolute_ = std::max(max_absolute_, errors.absolute);
    max_relative_ = std::max(max_relative_, errors.relative);
    const bool is_beyond_absolute = errors.absolute > error_.abs;
    const bool is_beyond_relative = errors.relative > error_.rel;
    if (!is_beyond_absolute && !is_beyond_relative) return true;
    if (IsWithinSteps(want, have)) return true;
    if (is_beyond_absolute) Count(errors.relative, relative_beyond_);
    if (is_beyond_relative) Count(errors.absolute, absolute_beyond_);
    if (!is_beyond_absolute || !is_beyond_relative) return true;
    worst.absolute = std::max(worst.absolute, errors.absolute);
    worst.relative = std::max(worst.relative, errors.relative);
    return false;
  }

  bool Compare(absl::Span<const int64_t> at, const void* want_element,
               const void* have_element) {
    const complex128 want = Value(want_element);
    const complex128 have = Value(have_element);
    Mismatch m;
    bool agree = ComparePart(want.real(), have.real(), m);
    if (primitive_util::IsComplexType(type_)) {
      agree &= ComparePart(want.imag(), have.imag(), m);
      // Rounding errors of products are relative to the number, not to its
      // smaller part.
      const double size = std::abs(want);
      agree |=
          std::isfinite(size) && std::abs(have - want) <= error_.rel * size;
    }
    if (agree) return true;
    wider_bounds_.Add(m.absolute, m.relative);
    if (worst_.size() < kWorst || m < worst_.back()) {
      m.index.assign(at.begin(), at.end());
      worst_.insert(std::upper_bound(worst_.begin(), worst_.end(), m), m);
      if (worst_.size() > kWorst) worst_.pop_back();
    }
    return false;
  }

  const LiteralSlice expected_;
  const LiteralSlice actual_;
  const PrimitiveType type_;
  const int width_;
  const ErrorSpec error_;
  WiderBounds wider_bounds_;
  const double largest_;
  int64_t total_ = 0;
  int64_t mismatches_ = 0;
  double max_absolute_ = 0;
  double max_relative_ = 0;
  Histogram absolute_beyond_{};
  Histogram relative_beyond_{};
  std::vector<Mismatch> worst_;
};

}  // namespace

absl::Status NearArray(const LiteralSlice& expected, const LiteralSlice& actual,
                       const ErrorSpec& error, bool detailed_message,
                       const MiscompareCallback& callback,
                       const ShapeIndex& shape_index) {
  NearComparator comparator(expected, actual, error);
  std::optional<Literal> mismatches;
  comparator.Run([&](absl::Span<const int64_t> at) {
    MarkMismatch(expected.shape(), at, mismatches);
  });
  if (comparator.mismatches() == 0) return absl::OkStatus();
  if (callback) {
    callback(expected, actual, *mismatches, shape_index, comparator.buckets());
  }
  return absl::InvalidArgumentError(comparator.Report(detailed_message));
}

}  // namespace literal_comparison
}  // namespace xla
