// Uses every name of xla/hlo/builder/lib/comparators.h.
#include "xla/hlo/builder/lib/comparators.h"

#include <cmath>

#include "gtest/gtest.h"
#include "tests/compat/names/program_values.h"

namespace xla {
namespace {

using names_testing::Floats;
using names_testing::Ints;
using names_testing::TupleOf;

TEST(LibComparatorsNamesTest, Sorts) {
  EXPECT_EQ(TupleOf([](XlaBuilder* b) {
              return Sort({Floats(b, {NAN, 0.0f, -0.0f, -1})},
                          CreateScalarLtComputation({F32}, b));
            }),
            "{-1, -0, 0, nan}");
  EXPECT_EQ(TupleOf([](XlaBuilder* b) {
              return Sort({Ints(b, {1, 3, 2}), Ints(b, {10, 30, 20})},
                          CreateScalarGtComputation({S32, S32}, b));
            }),
            "( {3, 2, 1}, {30, 20, 10} )");
  // By the first key downwards, then by the second upwards.
  EXPECT_EQ(TupleOf([](XlaBuilder* b) {
              return Sort({Ints(b, {1, 2, 2}), Ints(b, {0, 5, 4})},
                          CreateScalarComparisonComputation(
                              "by_two_keys", {S32, S32}, {Gt, Lt}, b));
            }),
            "( {2, 2, 1}, {4, 5, 0} )");
  EXPECT_EQ(TupleOf([](XlaBuilder* b) {
              return Sort({Ints(b, {1, 2}), Ints(b, {5, 4})},
                          CreateScalarComparisonComputation(
                              "by_second", {S32, S32}, {std::nullopt, Lt}, b));
            }),
            "( {2, 1}, {4, 5} )");
}

}  // namespace
}  // namespace xla
