// Calls LAPACK targets on random column-major matrices, and has the small dense
// algebra that checks their results.
#ifndef TESTS_RUNTIME_LINALG_LINALG_TEST_BASE_H_
#define TESTS_RUNTIME_LINALG_LINALG_TEST_BASE_H_

#include <complex>
#include <cstdint>
#include <deque>
#include <limits>
#include <random>
#include <string>
#include <type_traits>
#include <vector>

#include "gtest/gtest.h"
#include "xla/runtime/ffi/attributes.h"
#include "xla/runtime/ffi/native_handler.h"
#include "xla/runtime/linalg/targets.h"

namespace xla::linalg {

template <typename T>
struct RealPart {
  using type = T;
};
template <typename T>
struct RealPart<std::complex<T>> {
  using type = T;
};
template <typename T>
using RealPartOf = typename RealPart<T>::type;

template <typename T>
char Letter() {
  if constexpr (std::is_same_v<T, float>) return 's';
  if constexpr (std::is_same_v<T, double>) return 'd';
  if constexpr (std::is_same_v<T, std::complex<float>>) return 'c';
  return 'z';
}

template <typename T>
T Conj(T value) {
  if constexpr (std::is_floating_point_v<T>) {
    return value;
  } else {
    return std::conj(value);
  }
}

// A column-major matrix.
template <typename T>
struct Matrix {
  int64_t rows = 0, columns = 0;
  std::vector<T> data;

  Matrix() = default;
  Matrix(int64_t r, int64_t c) : rows(r), columns(c), data(r * c) {}
  T& operator()(int64_t i, int64_t j) { return data[i + j * rows]; }
  const T& operator()(int64_t i, int64_t j) const { return data[i + j * rows]; }

  static Matrix Random(int64_t r, int64_t c, int seed) {
    std::mt19937 random(seed);
    std::normal_distribution<double> normal;
    Matrix m(r, c);
    for (T& value : m.data) {
      if constexpr (std::is_floating_point_v<T>) {
        value = static_cast<T>(normal(random));
      } else {
        using R = RealPartOf<T>;
        const R real = static_cast<R>(normal(random));
        value = T(real, static_cast<R>(normal(random)));
      }
    }
    return m;
  }
  static Matrix Identity(int64_t n) {
    Matrix m(n, n);
    for (int64_t i = 0; i < n; ++i) m(i, i) = 1;
    return m;
  }
  Matrix Adjoint() const {
    Matrix m(columns, rows);
    for (int64_t i = 0; i < rows; ++i) {
      for (int64_t j = 0; j < columns; ++j) m(j, i) = Conj((*this)(i, j));
    }
    return m;
  }
  // Keeps elements with low <= j - i <= high.
  Matrix Band(int64_t low, int64_t high) const {
    Matrix m(rows, columns);
    for (int64_t i = 0; i < rows; ++i) {
      for (int64_t j = 0; j < columns; ++j) {
        if (j - i >= low && j - i <= high) m(i, j) = (*this)(i, j);
      }
    }
    return m;
  }
  Matrix Columns(int64_t count) const {
    Matrix m(rows, count);
    std::copy_n(data.begin(), rows * count, m.data.begin());
    return m;
  }
};

template <typename T>
Matrix<T> operator*(const Matrix<T>& a, const Matrix<T>& b) {
  Matrix<T> c(a.rows, b.columns);
  for (int64_t j = 0; j < b.columns; ++j) {
    for (int64_t k = 0; k < a.columns; ++k) {
      for (int64_t i = 0; i < a.rows; ++i) c(i, j) += a(i, k) * b(k, j);
    }
  }
  return c;
}

template <typename T>
void ExpectNear(const Matrix<T>& a, const Matrix<T>& b, double factor = 100) {
  ASSERT_EQ(a.rows, b.rows);
  ASSERT_EQ(a.columns, b.columns);
  double difference = 0;
  double size = 1;
  for (size_t i = 0; i < a.data.size(); ++i) {
    difference = std::max<double>(difference, std::abs(a.data[i] - b.data[i]));
    size = std::max<double>(size, std::abs(b.data[i]));
  }
  EXPECT_LE(difference,
            factor * size * std::numeric_limits<RealPartOf<T>>::epsilon());
}

// The operands and results of one call, batch dimensions first.
class Call {
 public:
  explicit Call(std::string target) : target_(std::move(target)) {}

  template <typename T>
  Call& Argument(std::vector<int64_t> dims, const std::vector<T>& data) {
    arguments_.push_back(View<T>(std::move(dims), const_cast<T*>(data.data())));
    return *this;
  }
  template <typename T>
  Call& Argument(const Matrix<T>& m) {
    return Argument<T>({m.rows, m.columns}, m.data);
  }
  template <typename T>
  Call& Result(std::vector<int64_t> dims, std::vector<T>& data) {
    int64_t size = 1;
    for (int64_t dim : dims) size *= dim;
    data.resize(size);
    results_.push_back(View<T>(std::move(dims), data.data()));
    return *this;
  }
  template <typename T>
  Call& Result(Matrix<T>& m) {
    return Result<T>({m.rows, m.columns}, m.data);
  }
  // `attributes` is the attributes' text.
  absl::Status Run(const std::string& attributes = "") {
    auto map = ffi::ParseAttributes(attributes);
    if (!map.ok()) return map.status();
    ffi::NativeHandler handler = FindTarget(target_);
    if (handler == nullptr) return absl::NotFoundError(target_);
    return handler({target_, arguments_, results_, *map});
  }

 private:
  template <typename T>
  ffi::BufferView View(std::vector<int64_t> dims, T* data) {
    dims_.push_back(std::move(dims));
    return {primitive_util::NativeToPrimitiveType<T>(), dims_.back(), data};
  }

  std::string target_;
  std::deque<std::vector<int64_t>> dims_;
  std::vector<ffi::BufferView> arguments_;
  std::vector<ffi::BufferView> results_;
};

// Returns lapack_<letter><name>_ffi; `complex` is another name for complex
// types.
template <typename T>
std::string TargetName(const std::string& real,
                       const std::string& complex = "") {
  const bool is_complex = !std::is_floating_point_v<T>;
  return std::string("lapack_") + Letter<T>() +
         (is_complex && !complex.empty() ? complex : real) + "_ffi";
}

using AllTypes =
    ::testing::Types<float, double, std::complex<float>, std::complex<double>>;

}  // namespace xla::linalg

#endif  // TESTS_RUNTIME_LINALG_LINALG_TEST_BASE_H_
