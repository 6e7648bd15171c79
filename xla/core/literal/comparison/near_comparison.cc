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
#include "xla/base/float_bits.h"
#include "xla/base/types.h"
#include "xla/core/literal/comparison/error_spec.h"
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
    if (detailed) {
      absl::StrAppend(&out, "\nexpected ", ToStringTruncated(expected_),
                      "\nactual ", ToStringTruncated(actual_));
    }
    return out;
  }

 private:
  // Counters of errors above 1e-5, 1e-4, ..., 1.
  static constexpr int kBuckets = 6;
  using Histogram = std::array<int64_t, kBuckets>;

  static void Count(double error, Histogram& histogram) {
    double bound = 1e-5;
    for (int64_t& bucket : histogram) {
      if (error > bound) ++bucket;
      bound *= 10;
    }
  }

  static void AppendHistogram(absl::string_view name,
                              const Histogram& histogram, std::string* out) {
    absl::StrAppend(out, "\nelements beyond ", name, " error");
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

  // Returns infinity where numbers have no distance.
  double PartError(double expected, double actual) const {
    if (std::isnan(expected)) {
      return std::isnan(actual) || error_.relaxed_nans ? 0 : kInf;
    }
    if (std::isnan(actual)) return kInf;
    if (expected == actual) return 0;
    if (std::isinf(actual) && !std::isinf(expected) && error_.more_infs_ok) {
      actual = std::copysign(largest_, actual);
    }
    if (std::isinf(expected) && !std::isinf(actual) && error_.fewer_infs_ok) {
      expected = std::copysign(largest_, expected);
    }
    return std::abs(actual - expected);
  }

  // Whether few enough numbers of the type are between two finite ones.
  bool IsWithinSteps(const void* want_element, const void* have_element) const {
    const auto& steps = error_.low_precision_fp_error_spec;
    if (steps.type != type_ || steps.within_n_values < 0 ||
        !primitive_util::IsFloatingPointType(type_) ||
        !std::isfinite(Value(want_element).real()) ||
        !std::isfinite(Value(have_element).real())) {
      return false;
    }
    return primitive_util::FloatingPointTypeSwitch<bool>(
        [&](auto constant) {
          primitive_util::NativeTypeOf<constant> want, have;
          std::memcpy(&want, want_element, sizeof(want));
          std::memcpy(&have, have_element, sizeof(have));
          return CalculateDistanceInFloats(want, have) <= steps.within_n_values;
        },
        type_);
  }

  bool Compare(absl::Span<const int64_t> at, const void* want_element,
               const void* have_element) {
    const complex128 want = Value(want_element);
    const complex128 have = Value(have_element);
    const double absolute = std::hypot(PartError(want.real(), have.real()),
                                       PartError(want.imag(), have.imag()));
    double size = std::abs(want);
    if (!std::isfinite(size) && error_.fewer_infs_ok) size = largest_;
    double relative = absolute == 0 ? 0 : absolute / size;
    if (std::isnan(relative) || std::isinf(absolute)) relative = kInf;
    max_absolute_ = std::max(max_absolute_, absolute);
    max_relative_ = std::max(max_relative_, relative);
    if (absolute <= error_.abs || relative <= error_.rel ||
        IsWithinSteps(want_element, have_element)) {
      return true;
    }
    Count(absolute, absolute_beyond_);
    Count(relative, relative_beyond_);
    Mismatch m{relative, absolute, {}};
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
    if (!mismatches.has_value()) {
      Shape flags = ShapeUtil::MakeStaticShape(expected.shape());
      flags.set_element_type(PRED);
      mismatches.emplace(flags);
    }
    mismatches->Set<bool>(at, true);
  });
  if (comparator.mismatches() == 0) return absl::OkStatus();
  if (callback) {
    callback(expected, actual, *mismatches, shape_index, comparator.buckets());
  }
  return absl::InvalidArgumentError(comparator.Report(detailed_message));
}

}  // namespace literal_comparison
}  // namespace xla
