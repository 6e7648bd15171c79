// Uses every name of xla/hlo/builder/lib/sorting.h.
#include "xla/hlo/builder/lib/sorting.h"

#include "gtest/gtest.h"
#include "tests/compat/names/program_values.h"

namespace xla {
namespace {

using names_testing::Floats;
using names_testing::TupleOf;

TEST(LibSortingNamesTest, TopK) {
  auto x = [](XlaBuilder* b) { return Floats(b, {1, 4, 2, 4}); };
  EXPECT_EQ(TupleOf([&](XlaBuilder* b) { return TopK(x(b), 3); }),
            "( {4, 4, 2}, {1, 3, 2} )");
  EXPECT_EQ(TupleOf([&](XlaBuilder* b) { return TopK(x(b), 1, S16); }),
            "( {4}, {1} )");
  EXPECT_EQ(TupleOf([&](XlaBuilder* b) { return TopKWithPartitions(x(b), 3); }),
            "( {4, 4, 2}, {1, 3, 2} )");
  EXPECT_EQ(TupleOf([&](XlaBuilder* b) {
              return TopKWithPartitions(x(b), 1, /*num_partitions=*/2, S32);
            }),
            "( {4}, {1} )");
}

}  // namespace
}  // namespace xla
