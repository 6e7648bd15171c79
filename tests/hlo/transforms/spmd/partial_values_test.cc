// Arrays that stay unreduced: values, and where the all-reduces are.
#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "tests/hlo/transforms/spmd/spmd_harness.h"

namespace xla {
namespace {

constexpr absl::string_view kWhole = "sharding={mesh['a'=4], [{}, {}]}";
constexpr absl::string_view kPartial =
    "sharding={mesh['a'=4], [{}, {}], unreduced={'a'}}";

// The product d is partial, and so is `op`, which ends without a sharding.
std::string PartsOf(absl::string_view op) {
  return ExpectPartsOfWhole(
      absl::StrCat(R"(HloModule m, num_partitions=4
ENTRY e {
  x = f32[4,8] parameter(0), sharding={mesh['a'=4], [{}, {'a'}]}
  y = f32[8,4] parameter(1), sharding={mesh['a'=4], [{'a'}, {}]}
  z = f32[4,4] parameter(2), )",
                   kWhole, R"(
  rows = f32[4,4] parameter(3), sharding={mesh['a'=4], [{'a'}, {}]}
  zero = f32[] constant(0)
  seven = f32[] constant(7)
  d = f32[4,4] dot(x, y), lhs_contracting_dims={1}, rhs_contracting_dims={0}, )",
                   kPartial, "\n  r = ", op, ", ", kPartial, R"(
  ROOT c = f32[4,4] copy(r), )",
                   kWhole, "\n}"),
      {.low = -2, .high = 2, .tolerance = 1e-5});
}

int AllReducesOf(absl::string_view op) {
  const std::string parts = PartsOf(op);
  EXPECT_EQ(CountCollectives(parts), CountOf(parts, "all-reduce")) << parts;
  return CountOf(parts, "all-reduce");
}

// The result alone is reduced.
TEST(SpmdPartialValuesTest, LinearOpsKeepPartialValues) {
  EXPECT_EQ(AllReducesOf("f32[4,4] negate(d)"), 1);
  EXPECT_EQ(AllReducesOf("f32[4,4] transpose(d), dimensions={1,0}"), 1);
  EXPECT_EQ(AllReducesOf("f32[4,4] add(d, d)"), 1);
  EXPECT_EQ(AllReducesOf("f32[4,4] add(d, z)"), 1);
  EXPECT_EQ(AllReducesOf("f32[4,4] subtract(z, d)"), 1);
  EXPECT_EQ(AllReducesOf("f32[4,4] multiply(z, d)"), 1);
  EXPECT_EQ(AllReducesOf("f32[4,4] reverse(d), dimensions={0}"), 1);
  EXPECT_EQ(AllReducesOf("f32[4,4] dot(z, d), lhs_contracting_dims={1}, "
                         "rhs_contracting_dims={0}"),
            1);
}

// A padding of 7 is added once, not by each device.
TEST(SpmdPartialValuesTest, OtherOperandsBecomePartial) {
  const std::string parts = ExpectPartsOfWhole(R"(HloModule m, num_partitions=4
ENTRY e {
  x = f32[4,8] parameter(0), sharding={mesh['a'=4], [{}, {'a'}]}
  seven = f32[] constant(7)
  zero = f32[] constant(0)
  s = f32[4] reduce(x, zero), dimensions={1}, to_apply=add, sharding={mesh['a'=4], [{}], unreduced={'a'}}
  p = f32[6] pad(s, seven), padding=1_1, sharding={mesh['a'=4], [{}], unreduced={'a'}}
  t = f32[] reduce(p, seven), dimensions={0}, to_apply=add, sharding={mesh['a'=4], [], unreduced={'a'}}
  ROOT c = f32[] copy(t), sharding={mesh['a'=4], []}
})");
  EXPECT_EQ(CountCollectives(parts), 1);
}

// They have the values of the whole, which each operand must have first.
TEST(SpmdPartialValuesTest, OtherOpsReduceTheirOperands) {
  PartsOf("f32[4,4] exponential(d)");
  PartsOf("f32[4,4] abs(d)");
  PartsOf("f32[4,4] multiply(d, d)");
  PartsOf("f32[4,4] maximum(d, z)");
  PartsOf("f32[4,4] divide(z, d)");
  PartsOf(
      "f32[4,4] dot(d, d), lhs_contracting_dims={1}, "
      "rhs_contracting_dims={0}");
  // Rows are divided by the axis along which d is partial.
  PartsOf("f32[4,4] add(d, rows)");
  PartsOf(
      "f32[4,4] dot(d, rows), lhs_contracting_dims={1}, "
      "rhs_contracting_dims={0}");
}

TEST(SpmdPartialValuesTest, RoundingIsNotLinear) {
  PartsOf("f32[4,4] round-nearest-even(d)");
  const std::string parts = ExpectPartsOfWhole(R"(HloModule m, num_partitions=2
ENTRY e {
  x = f32[4,2] parameter(0), sharding={mesh['a'=2], [{}, {'a'}]}
  h = f32[] constant(0.5)
  hs = f32[4,2] broadcast(h), dimensions={}
  y = f32[4,2] multiply(x, hs)
  zero = f32[] constant(0)
  s = f32[4] reduce(y, zero), dimensions={1}, to_apply=add, sharding={mesh['a'=2], [{}], unreduced={'a'}}
  i = s32[4] convert(s), sharding={mesh['a'=2], [{}], unreduced={'a'}}
  ROOT c = s32[4] copy(i), sharding={mesh['a'=2], [{}]}
})");
  EXPECT_EQ(CountOf(parts, "all-reduce"), 2);
}

TEST(SpmdPartialValuesTest, MaximaArePartialToo) {
  const std::string parts = ExpectPartsOfWhole(R"(HloModule m, num_partitions=4
ENTRY e {
  x = f32[4,8] parameter(0), sharding={mesh['a'=4], [{}, {'a'}]}
  low = f32[] constant(-100)
  z = f32[4] parameter(1), sharding={mesh['a'=4], [{}]}
  s = f32[4] reduce(x, low), dimensions={1}, to_apply=max, sharding={mesh['a'=4], [{}], unreduced=max{'a'}}
  b = f32[4] reverse(s), dimensions={0}, sharding={mesh['a'=4], [{}], unreduced=max{'a'}}
  m = f32[4] maximum(b, z), sharding={mesh['a'=4], [{}], unreduced=max{'a'}}
  c = f32[4] copy(m), sharding={mesh['a'=4], [{}]}
  sum = f32[4] add(b, z), sharding={mesh['a'=4], [{}], unreduced=max{'a'}}
  other = f32[4] copy(sum), sharding={mesh['a'=4], [{}]}
  ROOT t = (f32[4], f32[4]) tuple(c, other), sharding={{mesh['a'=4], [{}]}, {mesh['a'=4], [{}]}}
})");
  EXPECT_EQ(CountCollectives(parts), CountOf(parts, "all-reduce"));
}

// A sum that is to be kept as maxima is reduced first.
TEST(SpmdPartialValuesTest, FromOneKindToAnother) {
  ExpectPartsOfWhole(R"(HloModule m, num_partitions=4
ENTRY e {
  x = f32[4,8] parameter(0), sharding={mesh['a'=4], [{}, {'a'}]}
  low = f32[] constant(-100)
  s = f32[4] reduce(x, low), dimensions={1}, to_apply=max, sharding={mesh['a'=4], [{}], unreduced={'a'}}
  n = f32[4] negate(s), sharding={mesh['a'=4], [{}], unreduced={'a'}}
  ROOT c = f32[4] copy(n), sharding={mesh['a'=4], [{}]}
})");
}

}  // namespace
}  // namespace xla
