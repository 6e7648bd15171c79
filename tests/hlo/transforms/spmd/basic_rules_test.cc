// Values of dots, reductions, iotas and reshards in parts.
#include "gtest/gtest.h"
#include "tests/hlo/transforms/spmd/spmd_harness.h"

namespace xla {
namespace {

TEST(SpmdBasicRulesTest, SumsOverUnevenPartsMaskWhatIsBeyondTheEnd) {
  const std::string parts = ExpectPartsOfWhole(R"(HloModule m, num_partitions=4
ENTRY e {
  x = f32[3,7] parameter(0), sharding={mesh['a'=4], [{}, {'a'}]}
  y = f32[7,5] parameter(1), sharding={mesh['a'=4], [{'a'}, {}]}
  d = f32[3,5] dot(x, y), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  zero = f32[] constant(0)
  s = f32[3] reduce(x, zero), dimensions={1}, to_apply=add
  ROOT t = (f32[3,5], f32[3]) tuple(d, s), sharding={{mesh['a'=4], [{}, {}]}, {mesh['a'=4], [{}]}}
})");
  EXPECT_EQ(CountOf(parts, "all-reduce"), 2);
  EXPECT_EQ(CountCollectives(parts), 2);
}

TEST(SpmdBasicRulesTest, AxesInAnotherOrderAndDevicesThatAreNoIota) {
  ExpectPartsOfWhole(R"(HloModule m, num_partitions=6
ENTRY e {
  x = f32[12,7] parameter(0), sharding={mesh['a'=2,'b'=3], device_ids=(5,3,1,0,2,4), [{'b','a'}, {}]}
  ROOT n = f32[12,7] negate(x), sharding={mesh['a'=2,'b'=3], device_ids=(5,3,1,0,2,4), [{'a'}, {'b'}]}
})");
}

TEST(SpmdBasicRulesTest, ReshapesOfDimensionsThatShareADivisorMoveNothing) {
  const std::string parts = ExpectPartsOfWhole(R"(HloModule m, num_partitions=4
ENTRY e {
  x = f32[6,4,10] parameter(0), sharding={mesh['a'=2,'b'=2], [{'a'}, {}, {'b'}]}
  n = f32[6,4,10] negate(x)
  r = f32[4,6,2,5] reshape(n)
  ROOT s = f32[4,6,2,5] negate(r), sharding={mesh['a'=2,'b'=2], [{'a'}, {}, {'b'}, {}]}
})");
  EXPECT_EQ(CountCollectives(parts), 0) << parts;
}

}  // namespace
}  // namespace xla
