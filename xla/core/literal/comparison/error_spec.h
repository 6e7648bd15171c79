// The difference at which two floating-point values still agree.
#ifndef XLA_CORE_LITERAL_COMPARISON_ERROR_SPEC_H_
#define XLA_CORE_LITERAL_COMPARISON_ERROR_SPEC_H_

#include "xla/proto/xla_data.pb.h"

namespace xla {

// Elements agree when the absolute error is at most `abs` or the relative
// error, against the expected value, at most `rel`. Any NaN agrees with any
// other.
struct ErrorSpec {
  // Values of the type also agree if there are at most so many steps from one
  // number of the type to the next between them. Unused if negative.
  struct LowPrecisionFPErrorSpec {
    PrimitiveType type;
    int within_n_values;
  };

  explicit ErrorSpec(double abs, double rel = 0) : abs(abs), rel(rel) {}

  double abs;
  double rel;
  // Where a NaN is expected, any value agrees.
  bool relaxed_nans = false;
  // A finite value that the type rounds to infinity agrees with infinity.
  bool more_infs_ok = false;
  bool fewer_infs_ok = false;
  LowPrecisionFPErrorSpec low_precision_fp_error_spec = {PRIMITIVE_TYPE_INVALID,
                                                         -1};
};

}  // namespace xla

#endif  // XLA_CORE_LITERAL_COMPARISON_ERROR_SPEC_H_
