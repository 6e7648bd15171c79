// Uses every name of xla/hlo/builder/lib/tuple.h.
#include "xla/hlo/builder/lib/tuple.h"

#include "gtest/gtest.h"
#include "tests/compat/names/program_values.h"

namespace xla {
namespace {

using names_testing::Floats;
using names_testing::Scalar;

TEST(LibTupleNamesTest, TakesApartAndJoins) {
  EXPECT_EQ(names_testing::TupleOf([](XlaBuilder* b) {
              XlaOp nested =
                  Tuple(b, {Scalar(b, 1), Tuple(b, {Floats(b, {2, 3})})});
              ShapeTree<XlaOp> parts = DisassembleTuple(nested).value();
              EXPECT_TRUE(parts.element({}).IsIdenticalTo(nested));
              *parts.mutable_element({0}) = Neg(parts.element({0}));
              return AssembleTuple(b, std::move(parts));
            }),
            "( -1, ( {2, 3} ) )");
}

}  // namespace
}  // namespace xla
