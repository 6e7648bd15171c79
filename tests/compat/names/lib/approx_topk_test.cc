// Uses every name of xla/hlo/builder/lib/approx_topk.h.
#include "xla/hlo/builder/lib/approx_topk.h"

#include "gtest/gtest.h"
#include "tests/compat/names/program_values.h"

namespace xla {
namespace {

using names_testing::Floats;
using names_testing::Scalar;
using names_testing::TupleOf;

XlaComputation GreaterFirst() {
  XlaBuilder b("greater");
  Gt(Parameter(&b, 0, ShapeUtil::MakeShape(F32, {}), "x"),
     Parameter(&b, 1, ShapeUtil::MakeShape(F32, {}), "y"));
  return b.Build().value();
}

TEST(LibApproxTopkNamesTest, Forms) {
  const XlaComputation greater = GreaterFirst();
  auto values = [](XlaBuilder* b) { return Floats(b, {3, 1, 4, 1, 5}); };
  auto least = [](XlaBuilder* b) { return Scalar(b, -1e30f); };
  const std::string expected = "( {5, 4} )";
  EXPECT_EQ(TupleOf([&](XlaBuilder* b) {
              return ApproxTopK(b, {values(b)}, {least(b)}, 2, 0, greater);
            }),
            expected);
  EXPECT_EQ(TupleOf([&](XlaBuilder* b) {
              return ApproxTopK(b, {values(b)}, {least(b)}, 2, 0,
                                b->AddSubComputation(greater), 0.9f, true, -1);
            }),
            expected);
  EXPECT_EQ(TupleOf([&](XlaBuilder* b) {
              return ApproxTopKFallback(b, {values(b)}, {least(b)}, 2, 0,
                                        greater, /*recall_target=*/1.0f);
            }),
            expected);
  EXPECT_EQ(TupleOf([&](XlaBuilder* b) {
              return ApproxTopKFallback(b, {values(b)}, {least(b)}, 2, 0,
                                        b->AddSubComputation(greater));
            }),
            expected);
}

}  // namespace
}  // namespace xla
