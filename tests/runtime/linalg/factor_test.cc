// Factors whose product is the matrix, and solutions that satisfy equations.
#include "tests/runtime/linalg/linalg_test_base.h"

namespace xla::linalg {
namespace {

template <typename T>
class FactorTest : public ::testing::Test {};
TYPED_TEST_SUITE(FactorTest, AllTypes);

TYPED_TEST(FactorTest, Cholesky) {
  using M = Matrix<TypeParam>;
  const M half = M::Random(5, 7, 1);
  const M a = half * half.Adjoint();
  M lower(5, 5);
  std::vector<int> info;
  ASSERT_TRUE(Call(TargetName<TypeParam>("potrf"))
                  .Argument(a)
                  .Result(lower)
                  .template Result<int>({}, info)
                  .Run("{uplo = 76 : ui8}")
                  .ok());
  EXPECT_EQ(info[0], 0);
  const M l = lower.Band(-5, 0);
  ExpectNear(l * l.Adjoint(), a);
}

TYPED_TEST(FactorTest, CholeskyOfABatchWithOneIndefinite) {
  using T = TypeParam;
  std::vector<T> a = {4, 0, 0, 9, -1, 0, 0, 1};
  std::vector<T> factor;
  std::vector<int> info;
  ASSERT_TRUE(Call(TargetName<T>("potrf"))
                  .template Argument<T>({2, 2, 2}, a)
                  .template Result<T>({2, 2, 2}, factor)
                  .template Result<int>({2}, info)
                  .Run("{uplo = 85 : ui8}")
                  .ok());
  EXPECT_EQ(info, (std::vector<int>{0, 1}));
  EXPECT_EQ(factor[0], T(2));
  EXPECT_EQ(factor[3], T(3));
}

TYPED_TEST(FactorTest, Lu) {
  using M = Matrix<TypeParam>;
  for (auto [m, n] : {std::pair(5, 3), std::pair(3, 5), std::pair(4, 4)}) {
    const M a = M::Random(m, n, 2);
    const int k = std::min(m, n);
    M lu(m, n);
    std::vector<int> pivots, info;
    ASSERT_TRUE(Call(TargetName<TypeParam>("getrf"))
                    .Argument(a)
                    .Result(lu)
                    .template Result<int>({k}, pivots)
                    .template Result<int>({}, info)
                    .Run()
                    .ok());
    EXPECT_EQ(info[0], 0);
    M l = lu.Band(-m, -1).Columns(k);
    for (int i = 0; i < k; ++i) l(i, i) = 1;
    M u(k, n);
    for (int i = 0; i < k; ++i) {
      for (int j = i; j < n; ++j) u(i, j) = lu(i, j);
    }
    M permuted = a;
    for (int i = 0; i < k; ++i) {
      for (int j = 0; j < n; ++j) {
        std::swap(permuted(i, j), permuted(pivots[i] - 1, j));
      }
    }
    ExpectNear(l * u, permuted);
  }
}

// Checks the factors of geqrf or geqp3, with Q formed by orgqr.
template <typename T>
void ExpectQr(const Matrix<T>& a, const Matrix<T>& qr,
              const std::vector<T>& tau) {
  const int64_t n = a.columns;
  Matrix<T> q(a.rows, n);
  ASSERT_TRUE(Call(TargetName<T>("orgqr", "ungqr"))
                  .Argument(qr)
                  .template Argument<T>({n}, tau)
                  .Result(q)
                  .Run()
                  .ok());
  ExpectNear(q.Adjoint() * q, Matrix<T>::Identity(n));
  Matrix<T> r(n, n);
  for (int64_t i = 0; i < n; ++i) {
    for (int64_t j = i; j < n; ++j) r(i, j) = qr(i, j);
  }
  ExpectNear(q * r, a);
  // Q^H a is R, with zeros below the diagonal.
  Matrix<T> product(a.rows, n);
  ASSERT_TRUE(Call(TargetName<T>("ormqr", "unmqr"))
                  .Argument(qr)
                  .template Argument<T>({n}, tau)
                  .Argument(a)
                  .Result(product)
                  .Run("{left = true, transpose = true}")
                  .ok());
  Matrix<T> tall(a.rows, n);
  for (int64_t i = 0; i < n; ++i) {
    for (int64_t j = 0; j < n; ++j) tall(i, j) = r(i, j);
  }
  ExpectNear(product, tall);
}

TYPED_TEST(FactorTest, Qr) {
  using M = Matrix<TypeParam>;
  const M a = M::Random(6, 4, 3);
  M qr(6, 4);
  std::vector<TypeParam> tau;
  ASSERT_TRUE(Call(TargetName<TypeParam>("geqrf"))
                  .Argument(a)
                  .Result(qr)
                  .template Result<TypeParam>({4}, tau)
                  .Run()
                  .ok());
  ExpectQr(a, qr, tau);
}

TYPED_TEST(FactorTest, PivotedQr) {
  using M = Matrix<TypeParam>;
  const M a = M::Random(6, 4, 4);
  M qr(6, 4);
  std::vector<TypeParam> tau;
  std::vector<int> free(4, 0), pivots;
  ASSERT_TRUE(Call(TargetName<TypeParam>("geqp3"))
                  .Argument(a)
                  .template Argument<int>({4}, free)
                  .Result(qr)
                  .template Result<int>({4}, pivots)
                  .template Result<TypeParam>({4}, tau)
                  .Run()
                  .ok());
  M permuted(6, 4);
  for (int j = 0; j < 4; ++j) {
    for (int i = 0; i < 6; ++i) permuted(i, j) = a(i, pivots[j] - 1);
  }
  ExpectQr(permuted, qr, tau);
  for (int i = 0; i + 1 < 4; ++i) {
    EXPECT_GE(std::abs(qr(i, i)) * 1.001, std::abs(qr(i + 1, i + 1)));
  }
}

TYPED_TEST(FactorTest, TriangularSolve) {
  using M = Matrix<TypeParam>;
  M a = M::Random(4, 4, 5).Band(-4, 0);
  for (int i = 0; i < 4; ++i) a(i, i) += TypeParam(5);
  const M b = M::Random(4, 3, 6);
  M x(4, 3);
  const std::string target = TargetName<TypeParam>("trsm");
  ASSERT_TRUE(Call(target)
                  .Argument(a)
                  .Argument(b)
                  .Result(x)
                  .Run("{side = 76 : ui8, uplo = 76 : ui8, trans_x = 78 : ui8, "
                       "diag = 78 : ui8}")
                  .ok());
  ExpectNear(a * x, b);
  ASSERT_TRUE(Call(target)
                  .Argument(a)
                  .Argument(b)
                  .Result(x)
                  .Run("{side = 76 : ui8, uplo = 76 : ui8, trans_x = 67 : ui8, "
                       "diag = 78 : ui8}")
                  .ok());
  ExpectNear(a.Adjoint() * x, b);
  const M wide = b.Adjoint();
  M y(3, 4);
  ASSERT_TRUE(Call(target)
                  .Argument(a)
                  .Argument(wide)
                  .Result(y)
                  .Run("{side = 82 : ui8, uplo = 76 : ui8, trans_x = 78 : ui8, "
                       "diag = 78 : ui8}")
                  .ok());
  ExpectNear(y * a, wide);
  // Programs for jaxlib 0.5.1 pass a factor of b.
  ASSERT_TRUE(Call(target)
                  .Argument(a)
                  .Argument(b)
                  .template Argument<TypeParam>({}, {TypeParam(1)})
                  .Result(x)
                  .Run("{side = 76 : ui8, uplo = 76 : ui8, trans_x = 78 : ui8, "
                       "diag = 78 : ui8}")
                  .ok());
  ExpectNear(a * x, b);
}

template <typename T>
Matrix<T> Tridiagonal(const std::vector<T>& lower, const std::vector<T>& middle,
                      const std::vector<T>& upper) {
  const int64_t n = static_cast<int64_t>(middle.size());
  Matrix<T> a(n, n);
  for (int64_t i = 0; i < n; ++i) {
    a(i, i) = middle[i];
    if (i > 0) a(i, i - 1) = lower[i];
    if (i + 1 < n) a(i, i + 1) = upper[i];
  }
  return a;
}

TYPED_TEST(FactorTest, TridiagonalSolves) {
  using M = Matrix<TypeParam>;
  const M d = M::Random(6, 3, 7);
  const std::vector<TypeParam> lower(d.data.begin(), d.data.begin() + 6);
  const std::vector<TypeParam> middle(d.data.begin() + 6, d.data.begin() + 12);
  const std::vector<TypeParam> upper(d.data.begin() + 12, d.data.end());
  const M b = M::Random(6, 2, 8);
  M x(6, 2);
  std::vector<TypeParam> overwritten[3];
  std::vector<int> info;
  Call solve(TargetName<TypeParam>("gtsv"));
  for (const auto* diagonal : {&lower, &middle, &upper}) {
    solve.template Argument<TypeParam>({6}, *diagonal);
  }
  solve.Argument(b);
  for (auto& result : overwritten) {
    solve.template Result<TypeParam>({6}, result);
  }
  ASSERT_TRUE(solve.Result(x).template Result<int>({}, info).Run().ok());
  EXPECT_EQ(info[0], 0);
  const M a = Tridiagonal(lower, middle, upper);
  ExpectNear(a * x, b, 10000);

  M perturbed(6, 2);
  Call other("tridiagonal_solve_perturbed_ffi");
  for (const auto* diagonal : {&lower, &middle, &upper}) {
    other.template Argument<TypeParam>({6}, *diagonal);
  }
  ASSERT_TRUE(other.Argument(b).Result(perturbed).Run().ok());
  ExpectNear(a * perturbed, b, 10000);
}

TYPED_TEST(FactorTest, SingularTridiagonalIsPerturbed) {
  using T = TypeParam;
  using R = RealPartOf<T>;
  const R eps = std::numeric_limits<R>::epsilon();
  const R tiny = std::numeric_limits<R>::min();
  struct Case {
    std::vector<T> lower, middle, upper, b;
    std::vector<T> x;
  };
  const std::vector<Case> cases = {
      {{0, 0, 0}, {1, 0, 3}, {0, 0, 0}, {1, 1, 3}, {1, R(1) / (3 * eps), 1}},
      {{0, 0}, {0, 0}, {0, 0}, {1, 1}, {1 / tiny, 1 / tiny}},
      {{0, 1}, {1, 1}, {1, 0}, {1, 2}, {1 - 1 / eps, 1 / eps}},
      {{0, 1}, {0, 0}, {1, 0}, {5, 7}, {7, 5}},
  };
  for (const Case& c : cases) {
    const int64_t n = static_cast<int64_t>(c.middle.size());
    Matrix<T> b(n, 1), x(n, 1);
    b.data = c.b;
    Call call("tridiagonal_solve_perturbed_ffi");
    call.template Argument<T>({n}, c.lower)
        .template Argument<T>({n}, c.middle)
        .template Argument<T>({n}, c.upper);
    ASSERT_TRUE(call.Argument(b).Result(x).Run().ok());
    for (int64_t i = 0; i < n; ++i) {
      EXPECT_LE(std::abs(x(i, 0) - c.x[i]), 4 * eps * std::abs(c.x[i]));
    }
  }
}

}  // namespace
}  // namespace xla::linalg
