// Eigenvalues, singular values and the reductions that precede them.
#include <cmath>

#include "tests/runtime/linalg/linalg_test_base.h"

namespace xla::linalg {
namespace {

template <typename T>
class EigenTest : public ::testing::Test {};
TYPED_TEST_SUITE(EigenTest, AllTypes);

template <typename T, typename R>
Matrix<T> Diagonal(const std::vector<R>& values) {
  Matrix<T> m(values.size(), values.size());
  for (size_t i = 0; i < values.size(); ++i) m(i, i) = T(values[i]);
  return m;
}

template <typename T>
Matrix<T> Hermitian(int64_t n, int seed) {
  Matrix<T> a = Matrix<T>::Random(n, n, seed);
  const Matrix<T> adjoint = a.Adjoint();
  for (size_t i = 0; i < a.data.size(); ++i) a.data[i] += adjoint.data[i];
  return a;
}

TYPED_TEST(EigenTest, Symmetric) {
  using T = TypeParam;
  using R = RealPartOf<T>;
  const Matrix<T> a = Hermitian<T>(5, 1);
  for (const char* uplo : {"76", "85"}) {
    Matrix<T> v(5, 5);
    std::vector<R> w;
    std::vector<int> info;
    ASSERT_TRUE(
        Call(TargetName<T>("syevd", "heevd"))
            .Argument(a)
            .Result(v)
            .template Result<R>({5}, w)
            .template Result<int>({}, info)
            .Run("{mode = 86 : ui8, uplo = " + std::string(uplo) + " : ui8}")
            .ok());
    EXPECT_EQ(info[0], 0);
    ExpectNear(a * v, v * Diagonal<T>(w));
    ExpectNear(v.Adjoint() * v, Matrix<T>::Identity(5));
    EXPECT_TRUE(std::is_sorted(w.begin(), w.end()));
  }
}

TYPED_TEST(EigenTest, TridiagonalReductionKeepsTrace) {
  using T = TypeParam;
  using R = RealPartOf<T>;
  const Matrix<T> a = Hermitian<T>(5, 2);
  Matrix<T> out(5, 5);
  std::vector<R> d, e;
  std::vector<T> tau;
  std::vector<int> info;
  ASSERT_TRUE(Call(TargetName<T>("sytrd", "hetrd"))
                  .Argument(a)
                  .Result(out)
                  .template Result<R>({5}, d)
                  .template Result<R>({4}, e)
                  .template Result<T>({4}, tau)
                  .template Result<int>({}, info)
                  .Run("{uplo = 76 : ui8}")
                  .ok());
  EXPECT_EQ(info[0], 0);
  double trace = 0, other = 0, square = 0, other_square = 0;
  for (int i = 0; i < 5; ++i) {
    trace += std::real(a(i, i));
    other += d[i];
    other_square += d[i] * d[i];
    if (i < 4) other_square += 2 * e[i] * e[i];
  }
  for (const T& value : a.data) square += std::norm(value);
  EXPECT_NEAR(trace, other, 1e-4);
  EXPECT_NEAR(square, other_square, 1e-4 * square);
}

TYPED_TEST(EigenTest, Svd) {
  using T = TypeParam;
  using R = RealPartOf<T>;
  for (const char* name : {"gesdd", "gesvd"}) {
    for (auto [m, n] : {std::pair(6, 4), std::pair(4, 6)}) {
      for (bool full : {false, true}) {
        const Matrix<T> a = Matrix<T>::Random(m, n, 3);
        const int k = std::min(m, n);
        Matrix<T> overwritten(m, n), u(m, full ? m : k), vt(full ? n : k, n);
        std::vector<R> s;
        std::vector<int> info;
        ASSERT_TRUE(Call(TargetName<T>(name))
                        .Argument(a)
                        .Result(overwritten)
                        .template Result<R>({k}, s)
                        .Result(u)
                        .Result(vt)
                        .template Result<int>({}, info)
                        .Run(full ? "{mode = 65 : ui8}" : "{mode = 83 : ui8}")
                        .ok());
        EXPECT_EQ(info[0], 0);
        ExpectNear(u.Adjoint() * u, Matrix<T>::Identity(u.columns));
        ExpectNear(vt * vt.Adjoint(), Matrix<T>::Identity(vt.rows));
        const Matrix<T> v = vt.Adjoint().Columns(k);
        ExpectNear(u.Columns(k) * Diagonal<T>(s) * v.Adjoint(), a);

        std::vector<R> alone;
        ASSERT_TRUE(Call(TargetName<T>(name))
                        .Argument(a)
                        .Result(overwritten)
                        .template Result<R>({k}, alone)
                        .Result(u)
                        .Result(vt)
                        .template Result<int>({}, info)
                        .Run("{mode = 78 : ui8}")
                        .ok());
        for (int i = 0; i < k; ++i) EXPECT_NEAR(alone[i], s[i], 1e-4);
      }
    }
  }
}

// The results of geev for one matrix.
template <typename T>
struct Eigen {
  using C = std::complex<RealPartOf<T>>;
  std::vector<C> w;
  Matrix<C> left, right;
  int info = 0;
};

template <typename T>
Eigen<T> EigenOf(const Matrix<T>& a) {
  using C = std::complex<RealPartOf<T>>;
  const int64_t n = a.rows;
  std::vector<T> w, imaginary;
  std::vector<int> info;
  Eigen<T> eigen{{}, Matrix<C>(n, n), Matrix<C>(n, n)};
  Call call(TargetName<T>("geev"));
  call.Argument(a).template Result<T>({n}, w);
  if (std::is_floating_point_v<T>) call.template Result<T>({n}, imaginary);
  call.Result(eigen.left).Result(eigen.right).template Result<int>({}, info);
  EXPECT_TRUE(
      call.Run("{compute_left = 86 : ui8, compute_right = 86 : ui8}").ok());
  for (int64_t i = 0; i < n; ++i) {
    if constexpr (std::is_floating_point_v<T>) {
      eigen.w.push_back(C(w[i], imaginary[i]));
    } else {
      eigen.w.push_back(w[i]);
    }
  }
  eigen.info = info[0];
  return eigen;
}

TYPED_TEST(EigenTest, General) {
  using T = TypeParam;
  using C = std::complex<RealPartOf<T>>;
  const Matrix<T> a = Matrix<T>::Random(6, 6, 4);
  const Eigen<T> eigen = EigenOf(a);
  EXPECT_EQ(eigen.info, 0);
  Matrix<C> complex_a(6, 6);
  for (size_t i = 0; i < a.data.size(); ++i) complex_a.data[i] = C(a.data[i]);
  const Matrix<C> w = Diagonal<C>(eigen.w);
  ExpectNear(complex_a * eigen.right, eigen.right * w, 1000);
  ExpectNear(eigen.left.Adjoint() * complex_a, w * eigen.left.Adjoint(), 1000);
}

TYPED_TEST(EigenTest, NotFiniteIsRefused) {
  Matrix<TypeParam> a = Matrix<TypeParam>::Random(3, 3, 5);
  a(1, 2) = std::nan("");
  EXPECT_EQ(EigenOf(a).info, -4);
}

TYPED_TEST(EigenTest, Schur) {
  using T = TypeParam;
  const Matrix<T> a = Matrix<T>::Random(5, 5, 6);
  Matrix<T> form(5, 5), vectors(5, 5);
  std::vector<T> w, imaginary;
  std::vector<int> selected, info;
  Call call(TargetName<T>("gees"));
  call.Argument(a).Result(form).Result(vectors).template Result<T>({5}, w);
  if (std::is_floating_point_v<T>) call.template Result<T>({5}, imaginary);
  call.template Result<int>({}, selected).template Result<int>({}, info);
  ASSERT_TRUE(call.Run("{mode = 86 : ui8, sort = 78 : ui8}").ok());
  EXPECT_EQ(info[0], 0);
  ExpectNear(vectors * form * vectors.Adjoint(), a);
  ExpectNear(form, form.Band(std::is_floating_point_v<T> ? -1 : 0, 5));
  EXPECT_EQ(call.Run("{mode = 86 : ui8, sort = 83 : ui8}").code(),
            absl::StatusCode::kUnimplemented);
}

TYPED_TEST(EigenTest, Hessenberg) {
  using T = TypeParam;
  const Matrix<T> a = Matrix<T>::Random(5, 5, 7);
  Matrix<T> out(5, 5);
  std::vector<T> tau;
  std::vector<int> info;
  Call call(TargetName<T>("gehrd"));
  call.Argument(a).Result(out).template Result<T>({4}, tau);
  call.template Result<int>({}, info);
  ASSERT_TRUE(call.Run("{low = 1 : i32, high = 5 : i32}").ok());
  EXPECT_EQ(info[0], 0);
  double norm = 0, other = 0;
  for (const T& value : a.data) norm += std::norm(value);
  for (const T& value : out.Band(-1, 5).data) other += std::norm(value);
  EXPECT_NEAR(norm, other, 1e-4 * norm);
  EXPECT_FALSE(call.Run("{low = 0 : i32, high = 5 : i32}").ok());
}

}  // namespace
}  // namespace xla::linalg
