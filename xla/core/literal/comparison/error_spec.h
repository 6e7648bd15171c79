// The difference at which two floating-point values still agree.
#ifndef XLA_CORE_LITERAL_COMPARISON_ERROR_SPEC_H_
#define XLA_CORE_LITERAL_COMPARISON_ERROR_SPEC_H_

#include "xla/proto/xla_data.pb.h"

namespace xla {

// Elements agree when the absolute error is at most `abs` or the relative
// error, against the expected value, at most `rel`; complex ones when both
// parts do, or when the relative error of the whole number is at most `rel`.
struct ErrorSpec {
  explicit constexpr ErrorSpec(double aabs, double arel = 0,
                               bool relaxed_nans = false)
      : abs(aabs), rel(arel), relaxed_nans(relaxed_nans) {}

  double abs;
  double rel;
  // Where a NaN is expected, any value agrees.
  bool relaxed_nans;
  // Any NaN agrees with any other. Otherwise the difference in bits counts if
  // `relaxed_nans` does not hold.
  bool all_nans_are_equivalent = true;
  // An infinity is as good as the largest finite number where a finite number
  // is expected, that is, fewer of them need be there than are.
  bool fewer_infs_ok = false;
  // The same where an infinity is expected and a finite number is there.
  bool more_infs_ok = false;

  // Values also agree if, rounded to the type, there are at most so many steps
  // from one number of it to the next between them; 0 and -0 are one. Unused if
  // negative.
  struct LowPrecisionFPErrorSpec {
    PrimitiveType type = PRIMITIVE_TYPE_INVALID;
    int within_n_values = -1;
  };
  LowPrecisionFPErrorSpec low_precision_fp_error_spec;

  // Integers that are one apart agree: they were rounded in different ways.
  bool allow_integer_rounding_difference = false;
};

}  // namespace xla

#endif  // XLA_CORE_LITERAL_COMPARISON_ERROR_SPEC_H_
