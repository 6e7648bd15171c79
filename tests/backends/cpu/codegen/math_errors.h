// Errors of blocks of f32 results relative to f64 ones, fast enough for all
// operands.
#ifndef TESTS_BACKENDS_CPU_CODEGEN_MATH_ERRORS_H_
#define TESTS_BACKENDS_CPU_CODEGEN_MATH_ERRORS_H_

#include <cstdint>

namespace xla::cpu {

// The number of elements handled at a time.
inline constexpr int64_t kErrorLanes = 8;

// errors[i] = UlpError(got[i], want[i]). Returns the largest one. `count` is a
// multiple of kErrorLanes.
double UlpErrors(const float* got, const double* want, int64_t count,
                 double* errors);

// wide[i] = x[i].
void Widen(const float* x, int64_t count, double* wide);

}  // namespace xla::cpu

#endif  // TESTS_BACKENDS_CPU_CODEGEN_MATH_ERRORS_H_
