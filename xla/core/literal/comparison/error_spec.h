// The difference at which two floating-point values still agree.
#ifndef XLA_CORE_LITERAL_COMPARISON_ERROR_SPEC_H_
#define XLA_CORE_LITERAL_COMPARISON_ERROR_SPEC_H_

namespace xla {

// Elements agree when the absolute error is at most `abs` or the relative
// error, against the expected value, at most `rel`.
struct ErrorSpec {
  explicit ErrorSpec(double abs, double rel = 0) : abs(abs), rel(rel) {}

  double abs;
  double rel;
  // Any NaN agrees with any other; otherwise their bits must be the same.
  bool relaxed_nans = true;
  // A finite value that the type rounds to infinity agrees with infinity.
  bool more_infs_ok = false;
  bool fewer_infs_ok = false;
};

}  // namespace xla

#endif  // XLA_CORE_LITERAL_COMPARISON_ERROR_SPEC_H_
