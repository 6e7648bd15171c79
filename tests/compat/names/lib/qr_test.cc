// Uses every name of xla/hlo/builder/lib/qr.h.
#include "xla/hlo/builder/lib/qr.h"

#include <cmath>

#include "gtest/gtest.h"
#include "tests/compat/names/program_values.h"
#include "xla/hlo/builder/lib/matrix.h"

namespace xla {
namespace {

using names_testing::ValueOf;

XlaOp Tall(XlaBuilder* b) {
  return ConstantR2<double>(b, {{1, 2}, {3, 4}, {5, 6}});
}

// Whether all elements are equal but for rounding.
XlaOp Near(XlaOp x, XlaOp y) {
  return Lt(Abs(Sub(x, y)), ConstantR0<double>(x.builder(), 1e-12));
}

TEST(LibQrNamesTest, Decompositions) {
  const std::string yes = "{ { 1, 1 }, { 1, 1 }, { 1, 1 } }";
  for (bool full : {false, true}) {
    EXPECT_EQ(ValueOf([&](XlaBuilder* b) {
                XlaOp q, r;
                QrExplicit(Tall(b), full, q, r);
                return Near(BatchDot(q, r), Tall(b));
              }),
              yes);
  }
  EXPECT_EQ(
      ValueOf([](XlaBuilder* b) {
        const QrDecomposition qr = Qr(Tall(b));
        XlaOp q = ProductOfElementaryHouseholderReflectors(qr.q_and_r, qr.taus);
        XlaOp r = UpperTriangle(Slice(qr.q_and_r, {0, 0}, {2, 2}, {1, 1}));
        return Near(BatchDot(q, r), Tall(b));
      }),
      yes);
}

}  // namespace
}  // namespace xla
