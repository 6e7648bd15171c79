// Uses every name of xla/hlo/builder/lib/slicing.h.
#include "xla/hlo/builder/lib/slicing.h"

#include "gtest/gtest.h"
#include "tests/compat/names/program_values.h"

namespace xla {
namespace {

using names_testing::Ints;
using names_testing::ValueOf;

XlaOp Grid(XlaBuilder* b) {
  return ConstantR2<int32_t>(b, {{1, 2, 3}, {4, 5, 6}});
}
XlaOp Place(XlaBuilder* b, int32_t x) { return ConstantR0<int32_t>(b, x); }

TEST(LibSlicingNamesTest, Boxes) {
  EXPECT_EQ(ValueOf([](XlaBuilder* b) {
              return DynamicStridedSlice(Iota(b, S32, 6), {Place(b, 1)}, {5},
                                         {2});
            }),
            "{1, 3, 5}");
  EXPECT_EQ(ValueOf([](XlaBuilder* b) {
              return UpdateSlice(Grid(b), ConstantR2<int32_t>(b, {{9}}),
                                 {1, 2});
            }),
            "{ { 1, 2, 3 }, { 4, 5, 9 } }");
  EXPECT_EQ(ValueOf([](XlaBuilder* b) {
              return SliceInMinorDims(Grid(b), {1}, {3});
            }),
            "{ { 2, 3 }, { 5, 6 } }");
  EXPECT_EQ(ValueOf([](XlaBuilder* b) {
              return UpdateSliceInMinorDims(
                  Grid(b), ConstantR2<int32_t>(b, {{8}, {9}}), {0});
            }),
            "{ { 8, 2, 3 }, { 9, 5, 6 } }");
  EXPECT_EQ(ValueOf([](XlaBuilder* b) {
              return DynamicSliceInMinorDims(Grid(b), {Place(b, 1)}, {1});
            }),
            "{ {2}, {5} }");
  EXPECT_EQ(ValueOf([](XlaBuilder* b) {
              return DynamicUpdateSliceInMinorDims(
                  Grid(b), ConstantR2<int32_t>(b, {{8}, {9}}), {Place(b, 2)});
            }),
            "{ { 1, 2, 8 }, { 4, 5, 9 } }");
}

TEST(LibSlicingNamesTest, Indices) {
  EXPECT_EQ(ValueOf([](XlaBuilder* b) {
              return TorchGather(Grid(b), ConstantR2<int32_t>(b, {{2}, {0}}),
                                 1);
            }),
            "{ {3}, {4} }");
  EXPECT_EQ(ValueOf([](XlaBuilder* b) {
              return TorchGather(Grid(b), ConstantR2<int32_t>(b, {{2}, {0}}), 1,
                                 /*sparse=*/false);
            }),
            "{ {3}, {4} }");
  EXPECT_EQ(ValueOf([](XlaBuilder* b) {
              return TorchScatterDense(Grid(b),
                                       ConstantR2<int32_t>(b, {{2}, {0}}),
                                       ConstantR2<int32_t>(b, {{10}, {20}}), 1,
                                       [](XlaOp x, XlaOp y) { return x + y; });
            }),
            "{ { 1, 2, 13 }, { 24, 5, 6 } }");
  EXPECT_EQ(ValueOf([](XlaBuilder* b) {
              return TorchIndexSelect(Grid(b), Ints(b, {1, 0}), 0);
            }),
            "{ { 4, 5, 6 }, { 1, 2, 3 } }");
  EXPECT_EQ(ValueOf([](XlaBuilder* b) {
              return TorchIndexSelect(Grid(b),
                                      ConstantR2<int32_t>(b, {{2}, {0}}), 1,
                                      /*batch_dims=*/1);
            }),
            "{ {3}, {4} }");
}

}  // namespace
}  // namespace xla
