// Programs and arrays that many tests of the client library use.
#ifndef COMPAT_XLA_TESTS_CLIENT_LIBRARY_TEST_RUNNER_UTILS_H_
#define COMPAT_XLA_TESTS_CLIENT_LIBRARY_TEST_RUNNER_UTILS_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "absl/types/span.h"
#include "xla/array2d.h"
#include "xla/base/logging.h"
#include "xla/hlo/builder/xla_builder.h"
#include "xla/hlo/builder/xla_computation.h"
#include "xla/literal_util.h"
#include "xla/shape_util.h"
#include "xla/tests/test_utils.h"
#include "xla/xla_data.pb.h"

namespace xla {

// The larger of two scalars.
inline XlaComputation CreateScalarMax(PrimitiveType test_type) {
  XlaBuilder builder("max");
  const Shape shape = ShapeUtil::MakeShape(test_type, {});
  const XlaOp x = Parameter(&builder, 0, shape, "x");
  const XlaOp y = Parameter(&builder, 1, shape, "y");
  Max(x, y);
  return builder.Build().value();
}
// A scalar, or zero if that is larger.
inline XlaComputation CreateScalarRelu(PrimitiveType test_type) {
  XlaBuilder builder("relu");
  const Shape shape = ShapeUtil::MakeShape(test_type, {});
  const XlaOp x = Parameter(&builder, 0, shape, "x");
  Max(x, ConstantLiteral(&builder, LiteralUtil::Zero(test_type)));
  return builder.Build().value();
}

// Element (i, j) is 1000 i + j + offset.
inline std::unique_ptr<Array2D<float>> CreatePatternedMatrix(
    int rows, int cols, float offset = 0.0f) {
  auto array = std::make_unique<Array2D<float>>(rows, cols);
  array->Each([&](absl::Span<const int64_t> at, float* value) {
    *value = 1000.0f * at[0] + at[1] + offset;
  });
  return array;
}
// The same with zeros below and to the right; not less than the matrix (CHECK).
inline std::unique_ptr<Array2D<float>> CreatePatternedMatrixWithZeroPadding(
    int rows, int cols, int rows_padded, int cols_padded) {
  CHECK_GE(rows_padded, rows);
  CHECK_GE(cols_padded, cols);
  auto array = std::make_unique<Array2D<float>>(rows_padded, cols_padded, 0.0f);
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < cols; ++j) (*array)(i, j) = 1000.0f * i + j;
  }
  return array;
}

// Numbers of PseudorandomGenerator.
template <typename NativeT>
std::vector<NativeT> CreatePseudorandomR1(int width, NativeT min_value,
                                          NativeT max_value, uint32_t seed) {
  PseudorandomGenerator<NativeT> generator(min_value, max_value, seed);
  std::vector<NativeT> values;
  for (int i = 0; i < width; ++i) values.push_back(generator.get());
  return values;
}
template <typename NativeT>
std::unique_ptr<Array2D<NativeT>> CreatePseudorandomR2(int rows, int cols,
                                                       NativeT min_value,
                                                       NativeT max_value,
                                                       uint32_t seed) {
  PseudorandomGenerator<NativeT> generator(min_value, max_value, seed);
  auto array = std::make_unique<Array2D<NativeT>>(rows, cols);
  array->Each([&](absl::Span<const int64_t>, NativeT* value) {
    *value = generator.get();
  });
  return array;
}

// Each of `specs` with each value of its member use_bfloat16.
template <typename TestCase>
std::vector<TestCase> ExpandUseBfloat16(
    absl::Span<const bool> use_bfloat16_params,
    absl::Span<const TestCase> specs) {
  std::vector<TestCase> expanded;
  for (const bool use_bfloat16 : use_bfloat16_params) {
    for (const TestCase& spec : specs) {
      expanded.push_back(spec);
      expanded.back().use_bfloat16 = use_bfloat16;
    }
  }
  return expanded;
}

}  // namespace xla

#endif  // COMPAT_XLA_TESTS_CLIENT_LIBRARY_TEST_RUNNER_UTILS_H_
