// The code generator's maths functions as a table with references, and compiled
// to loops over arrays, for their test and their accuracy tool.
#ifndef TESTS_BACKENDS_CPU_CODEGEN_MATH_FUNCTIONS_H_
#define TESTS_BACKENDS_CPU_CODEGEN_MATH_FUNCTIONS_H_

#include <cstdint>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "xla/backends/cpu/codegen/math/math.h"
#include "xla/backends/cpu/jit/compiled_code.h"
#include "xla/backends/cpu/jit/target_info.h"

namespace xla::cpu {

struct MathFunction {
  const char* name;
  int arity;
  llvm::Value* (*emit)(MathBuilder& math, llvm::Value* x, llvm::Value* y);
  // The value in a wider type; functions of one operand ignore y.
  double (*reference_f32)(double x, double y);
  long double (*reference_f64)(long double x, long double y);
  // The bounds of the error, as documented.
  double ulps_f32;
  double ulps_f64;
  // The range of ordinary operands, for timing and for the denser half of the
  // samples.
  double low;
  double high;
};

absl::Span<const MathFunction> MathFunctions();

// A processor to compile for, and its documented properties.
struct MathVariant {
  std::string name;
  TargetInfo target;
  MathOptions options;
};

// The host, the host limited to AVX2, and (on x86) the host limited to SSE2;
// only those that the host can run.
absl::StatusOr<std::vector<MathVariant>> MathVariants();

template <typename T>
using MathLoop = void(const T* x, const T* y, T* out, int64_t count);

// Compiles every function to a MathLoop called `name`_f32 or _f64 that handles
// `lanes` elements (0: one, as a scalar) at a time; count must be a multiple.
absl::StatusOr<std::unique_ptr<CompiledCode>> CompileMath(
    const MathVariant& variant, int lanes);

// The distance of `got` from `want` in units in the last place of T at `want`;
// infinity for a NaN or zero of the wrong kind.
template <typename T, typename Wide>
double UlpError(T got, Wide want);

}  // namespace xla::cpu

#endif  // TESTS_BACKENDS_CPU_CODEGEN_MATH_FUNCTIONS_H_
