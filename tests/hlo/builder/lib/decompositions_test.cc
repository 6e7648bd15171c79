// Decompositions, for all types, shapes and batches: the product of the factors
// is the matrix, and the factors have their form.
#include <cmath>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/hlo/builder/lib/evaluate.h"
#include "xla/core/literal/literal_util.h"
#include "xla/core/primitive_util.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/builder/lib/comparators.h"
#include "xla/hlo/builder/lib/constants.h"
#include "xla/hlo/builder/lib/logdet.h"
#include "xla/hlo/builder/lib/lu_decomposition.h"
#include "xla/hlo/builder/lib/math.h"
#include "xla/hlo/builder/lib/matrix.h"
#include "xla/hlo/builder/lib/qr.h"
#include "xla/hlo/builder/lib/self_adjoint_eig.h"
#include "xla/hlo/builder/lib/slicing.h"
#include "xla/hlo/builder/lib/svd.h"
#include "xla/hlo/builder/lib/tridiagonal.h"

namespace xla {
namespace {

using Ops = absl::Span<const XlaOp>;
using Dims = std::vector<int64_t>;

constexpr PrecisionConfig::Precision kHighest = PrecisionConfig::HIGHEST;

double Tolerance(PrimitiveType type) {
  return type == F32 || type == C64 ? 2e-5 : 1e-12;
}

std::vector<Literal> One(Literal literal) {
  std::vector<Literal> result;
  result.push_back(std::move(literal));
  return result;
}

// Return x y and x^H.
XlaOp Times(XlaOp x, XlaOp y) { return BatchDot(x, y, kHighest); }
XlaOp Adjoint(XlaOp x) { return TransposeInMinorDims(MaybeConjugate(x, true)); }

// Returns x with column i multiplied by d[..., i].
XlaOp TimesDiagonal(XlaOp x, XlaOp d, PrimitiveType type) {
  XlaBuilder* builder = x.builder();
  const Shape shape = builder->GetShape(x).value();
  Dims places(shape.rank() - 1);
  for (size_t i = 0; i < places.size(); ++i) places[i] = i;
  ++places.back();
  return Mul(x, BroadcastInDim(ConvertElementType(d, type), shape.dimensions(),
                               places));
}

// Expects the maximum of |x| to be below the tolerance.
void ExpectZero(const Maker& make, absl::Span<const Literal> arguments,
                double tolerance) {
  const absl::StatusOr<Literal> result = RunOp(
      [&](XlaBuilder* b, Ops p) {
        XlaOp x = ConvertElementType(make(b, p), C128);
        return Complex(Abs(x), ZerosLike(Abs(x)));
      },
      arguments);
  ASSERT_TRUE(result.ok()) << result.status();
  for (const complex128& x : result->data<complex128>()) {
    ASSERT_LE(x.real(), tolerance) << result->shape().ToString();
  }
}

// Returns q^H q - 1.
XlaOp OrthogonalityError(XlaOp q) {
  const Shape shape = q.builder()->GetShape(q).value();
  const int64_t n = shape.dimensions().back();
  XlaOp product = Times(Adjoint(q), q);
  XlaOp identity = IdentityMatrix(q.builder(), shape.element_type(), n, n);
  return Sub(product, Broadcast(identity, shape.dimensions().subspan(
                                              0, shape.rank() - 2)));
}

struct Input {
  PrimitiveType type;
  Dims dims;
};

const std::vector<Input>& Inputs() {
  static const auto* inputs = new std::vector<Input>{
      {F64, {4, 4}},    {F64, {5, 3}},    {F64, {3, 6}},  {F64, {2, 3, 4, 3}},
      {F32, {5, 5}},    {F32, {2, 6, 4}}, {C128, {4, 4}}, {C128, {5, 2}},
      {C64, {2, 3, 3}}, {F64, {1, 1}},    {F64, {3, 1}},  {F64, {1, 4}}};
  return *inputs;
}

TEST(DecompositionsTest, Qr) {
  for (const Input& input : Inputs()) {
    for (bool full : {false, true}) {
      const std::vector<Literal> a = One(RandomLiteral(input.type, input.dims));
      const double tolerance = Tolerance(input.type);
      auto qr = [&](XlaOp x) {
        std::pair<XlaOp, XlaOp> result;
        QrExplicit(x, full, result.first, result.second);
        return result;
      };
      ExpectZero(
          [&](XlaBuilder*, Ops p) {
            const auto [q, r] = qr(p[0]);
            return Sub(Times(q, r), p[0]);
          },
          a, tolerance);
      ExpectZero([&](XlaBuilder*,
                     Ops p) { return OrthogonalityError(qr(p[0]).first); },
                 a, tolerance);
      ExpectZero(
          [&](XlaBuilder*, Ops p) {
            XlaOp r = qr(p[0]).second;
            return Sub(r, UpperTriangle(r));
          },
          a, 0);
    }
  }
}

// The values come from numpy.linalg.qr(a, mode="raw").
TEST(DecompositionsTest, QrHasLapacksForm) {
  const std::vector<Literal> a =
      One(LiteralUtil::CreateR2<double>({{3, 1}, {4, 2}}));
  ExpectNear(RunOp([](XlaBuilder*, Ops p) { return Qr(p[0]).q_and_r; }, a),
             LiteralUtil::CreateR2<double>({{-5, -2.2}, {0.5, 0.4}}), 1e-14);
  ExpectNear(RunOp([](XlaBuilder*, Ops p) { return Qr(p[0]).taus; }, a),
             LiteralUtil::CreateR1<double>({1.6, 0}), 1e-14);
}

TEST(DecompositionsTest, QrOfHugeAndTinyNumbers) {
  for (double scale : {1e300, 1e-300}) {
    const std::vector<Literal> a = One(LiteralUtil::CreateR2<double>(
        {{3 * scale, scale}, {4 * scale, 2 * scale}}));
    ExpectZero(
        [&](XlaBuilder*, Ops p) {
          XlaOp q, r;
          QrExplicit(p[0], true, q, r);
          return Div(Sub(Times(q, r), p[0]), ScalarLike(r, scale));
        },
        a, 1e-14);
  }
}

TEST(DecompositionsTest, Svd) {
  for (const Input& input : Inputs()) {
    const std::vector<Literal> a = One(RandomLiteral(input.type, input.dims));
    const double tolerance = Tolerance(input.type);
    ExpectZero(
        [&](XlaBuilder*, Ops p) {
          const SVDResult svd = SVD(p[0]);
          const int64_t k =
              std::min(input.dims.back(), input.dims[input.dims.size() - 2]);
          auto first = [&](XlaOp x, int64_t rows) {
            return SliceInMinorDims(x, {0, 0}, {rows, k});
          };
          XlaOp u = first(svd.u, input.dims[input.dims.size() - 2]);
          XlaOp v = first(svd.v, input.dims.back());
          return Sub(Times(TimesDiagonal(u, svd.d, input.type), Adjoint(v)),
                     p[0]);
        },
        a, tolerance);
    ExpectZero(
        [&](XlaBuilder*, Ops p) { return OrthogonalityError(SVD(p[0]).u); }, a,
        tolerance);
    ExpectZero(
        [&](XlaBuilder*, Ops p) { return OrthogonalityError(SVD(p[0]).v); }, a,
        tolerance);
  }
}

TEST(DecompositionsTest, SingularValues) {
  // The matrices are Hilbert's of size 4, one of rank 1, and zeros.
  auto values = [](Literal a) {
    return RunOp([](XlaBuilder*, Ops p) { return SVD(p[0]).d; },
                 One(std::move(a)));
  };
  Literal hilbert(ShapeUtil::MakeShape(F64, {4, 4}));
  for (int64_t i = 0; i < 4; ++i) {
    for (int64_t j = 0; j < 4; ++j) {
      hilbert.Set<double>({i, j}, 1.0 / (i + j + 1));
    }
  }
  ExpectNear(values(std::move(hilbert)),
             LiteralUtil::CreateR1<double>(
                 {1.5002142800592426, 0.16914122022144999,
                  0.0067382736057607502, 9.670230402260249e-05}),
             1e-14);
  ExpectNear(values(LiteralUtil::CreateR2<double>({{1, 2}, {2, 4}, {2, 4}})),
             LiteralUtil::CreateR1<double>({std::sqrt(45.0), 0}), 1e-14);
  ExpectNear(values(LiteralUtil::CreateR2<float>({{0, 0}, {0, 0}})),
             LiteralUtil::CreateR1<float>({0, 0}), 0);
}

TEST(DecompositionsTest, SingularMatricesHaveOrthonormalVectors) {
  const std::vector<Literal> a = One(LiteralUtil::CreateR2<double>(
      {{1, 2, 3}, {2, 4, 6}, {0, 0, 0}, {1, 2, 3}}));
  ExpectZero([](XlaBuilder*, Ops p) { return OrthogonalityError(SVD(p[0]).u); },
             a, 1e-13);
  ExpectZero([](XlaBuilder*, Ops p) { return OrthogonalityError(SVD(p[0]).v); },
             a, 1e-13);
}

TEST(DecompositionsTest, SelfAdjointEig) {
  const std::vector<Input> inputs = {
      {F64, {1, 1}}, {F64, {2, 2}},  {F64, {5, 5}},    {F64, {2, 2, 4, 4}},
      {F32, {6, 6}}, {C128, {4, 4}}, {C64, {2, 3, 3}}, {F64, {9, 9}}};
  for (const Input& input : inputs) {
    for (bool lower : {false, true}) {
      const std::vector<Literal> a = One(RandomLiteral(input.type, input.dims));
      const double tolerance = 2 * Tolerance(input.type);
      ExpectZero(
          [&](XlaBuilder*, Ops p) {
            const SelfAdjointEigResult eig = SelfAdjointEig(p[0], lower);
            XlaOp product =
                Times(TimesDiagonal(eig.v, eig.w, input.type), Adjoint(eig.v));
            return Sub(product, Symmetrize(p[0], lower));
          },
          a, tolerance);
      ExpectZero(
          [&](XlaBuilder*, Ops p) {
            return OrthogonalityError(SelfAdjointEig(p[0], lower).v);
          },
          a, tolerance);
    }
  }
}

TEST(DecompositionsTest, Eigenvalues) {
  const std::vector<Literal> a =
      One(LiteralUtil::CreateR2<double>({{2, -1, 0}, {-1, 2, -1}, {0, -1, 2}}));
  // The eigenvalues are 2 - 2 cos(k pi / 4).
  const Literal expected = LiteralUtil::CreateR1<double>(
      {2 - std::sqrt(2.0), 2, 2 + std::sqrt(2.0)});
  ExpectNear(
      RunOp([](XlaBuilder*, Ops p) { return SelfAdjointEig(p[0]).w; }, a),
      expected, 1e-14);
  ExpectNear(RunOp(
                 [](XlaBuilder*, Ops p) {
                   XlaOp w = SelfAdjointEig(p[0], true, 15, 1e-5, false).w;
                   return Sort({w},
                               CreateScalarLtComputation({F64}, w.builder()));
                 },
                 a),
             expected, 1e-14);
}

TEST(DecompositionsTest, Lu) {
  for (const Input& input : Inputs()) {
    const std::vector<Literal> a = One(RandomLiteral(input.type, input.dims));
    const int64_t rank = input.dims.size();
    const int64_t m = input.dims[rank - 2];
    const int64_t n = input.dims[rank - 1];
    ExpectZero(
        [&](XlaBuilder* b, Ops p) {
          const LuDecompositionResult lu = LuDecomposition(p[0]);
          const int64_t k = std::min(m, n);
          Dims batch(input.dims.begin(), input.dims.end() - 2);
          XlaOp one = Broadcast(IdentityMatrix(b, input.type, m, n), batch);
          XlaOp lower = Select(TriangleMask(p[0], -1), lu.lu, one);
          XlaOp product =
              Times(SliceInMinorDims(lower, {0, 0}, {m, k}),
                    SliceInMinorDims(UpperTriangle(lu.lu), {0, 0}, {k, n}));
          Dims places(rank - 1);
          for (size_t i = 0; i < places.size(); ++i) places[i] = i;
          XlaOp rows = BroadcastInDim(lu.permutation, input.dims, places);
          return Sub(product, TorchGather(p[0], rows, rank - 2));
        },
        a, Tolerance(input.type));
  }
}

// The values come from scipy.linalg.lu_factor.
TEST(DecompositionsTest, LuPivots) {
  const std::vector<Literal> a =
      One(LiteralUtil::CreateR2<float>({{1, 2, 4}, {2, 1, 3}, {4, 3, 1}}));
  EXPECT_EQ(
      RunToText([](XlaBuilder*, Ops p) { return LuDecomposition(p[0]).pivots; },
                a),
      "{2, 2, 2}");
  EXPECT_EQ(RunToText([](XlaBuilder*,
                         Ops p) { return LuDecomposition(p[0]).permutation; },
                      a),
            "{2, 0, 1}");
  ExpectNear(
      RunOp([](XlaBuilder*, Ops p) { return LuDecomposition(p[0]).lu; }, a),
      LiteralUtil::CreateR2<float>(
          {{4, 3, 1}, {0.25, 1.25, 3.75}, {0.5, -0.4, 4}}),
      1e-6);
}

TEST(DecompositionsTest, LuOfSingularMatrices) {
  const std::vector<Literal> a =
      One(LiteralUtil::CreateR2<float>({{0, 1}, {0, 2}}));
  EXPECT_EQ(
      RunToText([](XlaBuilder*, Ops p) { return LuDecomposition(p[0]).lu; }, a),
      "{ { 0, 1 }, { 0, 2 } }");
}

TEST(DecompositionsTest, LogDet) {
  const std::vector<Literal> a = One(LiteralUtil::CreateR3<double>(
      {{{1, 2}, {3, 4}}, {{2, 0}, {0, 3}}, {{1, 2}, {2, 4}}}));
  EXPECT_EQ(RunToText([](XlaBuilder*, Ops p) { return SLogDet(p[0]).sign; }, a),
            "{-1, 1, 0}");
  ExpectNear(
      RunOp([](XlaBuilder*, Ops p) { return SLogDet(p[0]).logdet; }, a),
      LiteralUtil::CreateR1<double>({std::log(2.0), std::log(6.0),
                                     -std::numeric_limits<double>::infinity()}),
      1e-15);
  ExpectNear(
      RunOp([](XlaBuilder*, Ops p) { return LogDet(p[0]); }, a),
      LiteralUtil::CreateR1<double>({std::nan(""), std::log(6.0),
                                     -std::numeric_limits<double>::infinity()}),
      1e-15);
}

TEST(DecompositionsTest, Tridiagonal) {
  const Dims diagonal = {2, 1, 5};
  std::vector<Literal> x;
  x.push_back(RandomLiteral(F64, diagonal, 1));
  x.push_back(RandomLiteral(F64, diagonal, 2));
  x.push_back(RandomLiteral(F64, diagonal, 3));
  x.push_back(RandomLiteral(F64, {2, 3, 5}, 4));
  for (double& d : x[1].data<double>()) d += 5;
  // Elements of the diagonals that are outside of the matrix are not read.
  x[0].Set<double>({0, 0, 0}, std::nan(""));
  x[2].Set<double>({0, 0, 4}, std::nan(""));
  auto residual = [](XlaOp solution, Ops p) {
    XlaOp product = tridiagonal::TridiagonalMatMul(
                        p[2], p[1], p[0], TransposeInMinorDims(solution))
                        .value();
    return Sub(product, TransposeInMinorDims(p[3]));
  };
  ExpectZero(
      [&](XlaBuilder*, Ops p) {
        return residual(tridiagonal::TridiagonalSolver(tridiagonal::kThomas,
                                                       p[0], p[1], p[2], p[3])
                            .value(),
                        p);
      },
      x, 1e-13);
  ExpectZero(
      [&](XlaBuilder* b, Ops p) {
        XlaOp diagonals = ConcatInDim(b, {p[2], p[1], p[0]}, 1);
        return residual(tridiagonal::TridiagonalSolver(tridiagonal::kThomas,
                                                       diagonals, p[3])
                            .value(),
                        p);
      },
      x, 1e-13);
}

TEST(DecompositionsTest, TridiagonalMatMul) {
  std::vector<Literal> x;
  x.push_back(LiteralUtil::CreateR2<float>({{4, 5, 9}}));
  x.push_back(LiteralUtil::CreateR2<float>({{1, 2, 3}}));
  x.push_back(LiteralUtil::CreateR2<float>({{9, 6, 7}}));
  x.push_back(LiteralUtil::CreateR2<float>({{1}, {10}, {100}}));
  EXPECT_EQ(RunToText(
                [](XlaBuilder*, Ops p) {
                  return tridiagonal::TridiagonalMatMul(p[0], p[1], p[2], p[3])
                      .value();
                },
                x),
            "{ {41}, {526}, {370} }");
}

TEST(DecompositionsTest, Rules) {
  std::vector<Literal> x;
  x.push_back(RandomLiteral(F32, {3}));
  x.push_back(RandomLiteral(F32, {2, 3}));
  x.push_back(RandomLiteral(F16, {2, 2}));
  ExpectBreaks("matrix_c1", [](XlaBuilder*, Ops p) { return SVD(p[0]).d; }, x);
  ExpectBreaks(
      "matrix_c2", [](XlaBuilder*, Ops p) { return SelfAdjointEig(p[1]).w; },
      x);
  ExpectBreaks("matrix_c2", [](XlaBuilder*, Ops p) { return LogDet(p[1]); }, x);
  ExpectBreaks(
      "matrix_c3", [](XlaBuilder*, Ops p) { return LuDecomposition(p[2]).lu; },
      x);
  ExpectBreaks(
      "householder_c1",
      [](XlaBuilder*, Ops p) {
        return ProductOfElementaryHouseholderReflectors(p[1], p[0]);
      },
      x);
  ExpectBreaks(
      "tridiagonal_c1",
      [](XlaBuilder* b, Ops p) {
        return b->ReportErrorOrReturn(tridiagonal::TridiagonalSolver(
            tridiagonal::kThomas, p[1], p[1], p[1], p[1]));
      },
      x);
  XlaBuilder b("ranks");
  XlaOp matrix = Parameter(&b, 0, ShapeUtil::MakeShape(F32, {3, 2}), "rhs");
  XlaOp cube = Parameter(&b, 1, ShapeUtil::MakeShape(F32, {1, 1, 3}), "diag");
  EXPECT_THAT(
      std::string(tridiagonal::TridiagonalMatMul(cube, cube, cube, matrix)
                      .status()
                      .message()),
      ::testing::HasSubstr("superdiag must have same rank as rhs"));
}

}  // namespace
}  // namespace xla
