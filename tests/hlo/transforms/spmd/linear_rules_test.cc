// Values of ragged and scaled dots, Fourier transforms, linear algebra, batch
// normalization, select-and-scatter, sorts and random numbers in parts.
#include <string>

#include "absl/strings/str_replace.h"
#include "absl/strings/string_view.h"
#include "gtest/gtest.h"
#include "tests/hlo/transforms/spmd/spmd_harness.h"

namespace xla {
namespace {

// Runs the program with several arguments. Returns the partitioned module.
std::string ExpectPartsForSeeds(absl::string_view text,
                                SpmdRunOptions options = {}) {
  std::string parts;
  for (options.seed = 1; options.seed <= 6; ++options.seed) {
    parts = ExpectPartsOfWhole(text, options);
    if (parts.empty()) break;
  }
  return parts;
}

TEST(SpmdRaggedDotTest, RowsInGroupsAreDivided) {
  SpmdRunOptions options;
  options.integer_low = -1;
  options.integer_high = 7;
  for (absl::string_view type : {"s8", "u16", "s32", "u32", "s64"}) {
    const std::string parts =
        ExpectPartsForSeeds(absl::StrReplaceAll(R"(HloModule m, num_partitions=4
ENTRY e {
  x = f32[13,40] parameter(0), sharding={mesh['a'=4], [{'a'}, {}]}
  w = f32[5,40,16] parameter(1), sharding={mesh['a'=4], replicated}
  g = TYPE[5] parameter(2), sharding={mesh['a'=4], replicated}
  ROOT r = f32[13,16] ragged-dot(x, w, g), lhs_contracting_dims={1}, rhs_contracting_dims={1}, lhs_ragged_dims={0}, rhs_group_dims={0}, sharding={mesh['a'=4], [{'a'}, {}]}
})",
                                                {{"TYPE", type}}),
                            options);
    EXPECT_EQ(CountCollectives(parts), 0) << parts;
  }
}

TEST(SpmdRaggedDotTest, BatchesRowsColumnsAndSums) {
  SpmdRunOptions options;
  options.integer_low = 0;
  options.integer_high = 4;
  const std::string parts = ExpectPartsForSeeds(R"(HloModule m, num_partitions=8
ENTRY e {
  x = f32[3,2,13,6] parameter(0), sharding={mesh['a'=2,'b'=2,'c'=2], [{'c'}, {}, {'a'}, {}]}
  w = f32[7,3,5,6] parameter(1), sharding={mesh['a'=2,'b'=2,'c'=2], [{'b'}, {'c'}, {}, {}]}
  g = s32[3,2,5] parameter(2), sharding={mesh['a'=2,'b'=2,'c'=2], [{'c'}, {}, {}]}
  ROOT r = f32[3,2,13,7] ragged-dot(x, w, g), lhs_batch_dims={0}, lhs_contracting_dims={3}, rhs_batch_dims={1}, rhs_contracting_dims={3}, lhs_ragged_dims={2}, rhs_group_dims={2}, sharding={mesh['a'=2,'b'=2,'c'=2], [{'c'}, {}, {'a'}, {'b'}]}
})",
                                                options);
  EXPECT_EQ(CountCollectives(parts), 0) << parts;
  ExpectPartsForSeeds(R"(HloModule m, num_partitions=4
ENTRY e {
  x = f32[13,400] parameter(0), sharding={mesh['a'=4], [{}, {'a'}]}
  w = f32[5,400,3] parameter(1), sharding={mesh['a'=4], [{}, {'a'}, {}]}
  g = s32[5] parameter(2), sharding={mesh['a'=4], replicated}
  y = f32[400,3] parameter(3), sharding={mesh['a'=4], [{'a'}, {}]}
  r = f32[13,3] ragged-dot(x, w, g), lhs_contracting_dims={1}, rhs_contracting_dims={1}, lhs_ragged_dims={0}, rhs_group_dims={0}, sharding={mesh['a'=4], replicated}
  s = f32[5,13,3] ragged-dot(x, y, g), lhs_contracting_dims={1}, rhs_contracting_dims={0}, lhs_ragged_dims={1}, sharding={mesh['a'=4], replicated}
  ROOT t = (f32[13,3], f32[5,13,3]) tuple(r, s)
})",
                      options);
}

TEST(SpmdRaggedDotTest, GroupsAreDivided) {
  SpmdRunOptions options;
  options.integer_low = 0;
  options.integer_high = 5;
  const std::string parts = ExpectPartsForSeeds(
      R"(HloModule m, num_partitions=4
ENTRY e {
  x = f32[13,64] parameter(0), sharding={mesh['a'=4], replicated}
  w = f32[6,64,64] parameter(1), sharding={mesh['a'=4], [{'a'}, {}, {}]}
  g = s32[6] parameter(2), sharding={mesh['a'=4], replicated}
  ROOT r = f32[13,64] ragged-dot(x, w, g), lhs_contracting_dims={1}, rhs_contracting_dims={1}, lhs_ragged_dims={0}, rhs_group_dims={0}, sharding={mesh['a'=4], replicated}
})",
      options);
  EXPECT_EQ(CountOf(parts, "all-reduce"), 1) << parts;
  EXPECT_EQ(CountOf(parts, "all-gather"), 1) << parts;
  EXPECT_NE(parts.find("s64[8]"), std::string::npos) << parts;
}

TEST(SpmdScaledDotTest, BlocksAreDivided) {
  const std::string parts = ExpectPartsForSeeds(R"(HloModule m, num_partitions=8
ENTRY e {
  x = f32[13,64] parameter(0), sharding={mesh['a'=2,'b'=4], [{'a'}, {'b'}]}
  y = f32[64,6] parameter(1), sharding={mesh['a'=2,'b'=4], [{'b'}, {}]}
  s = f32[13,8] parameter(2), sharding={mesh['a'=2,'b'=4], [{'a'}, {'b'}]}
  t = f32[4,6] parameter(3), sharding={mesh['a'=2,'b'=4], [{'b'}, {}]}
  ROOT r = f32[13,6] scaled-dot(x, y, s, t), lhs_contracting_dims={1}, rhs_contracting_dims={0}, sharding={mesh['a'=2,'b'=4], [{'a'}, {}]}
})");
  EXPECT_EQ(CountOf(parts, "all-reduce"), 1) << parts;
  EXPECT_EQ(CountCollectives(parts), 1);
}

TEST(SpmdScaledDotTest, SumsThatDoNotDivideAndAnElementForEachScale) {
  ExpectPartsForSeeds(R"(HloModule m, num_partitions=4
ENTRY e {
  x = f32[3,13] parameter(0), sharding={mesh['a'=4], [{}, {'a'}]}
  y = f32[13,6] parameter(1), sharding={mesh['a'=4], [{'a'}, {}]}
  s = f32[3,13] parameter(2), sharding={mesh['a'=4], [{}, {'a'}]}
  t = f32[] parameter(3), sharding={mesh['a'=4], replicated}
  ROOT r = f32[3,6] scaled-dot(x, y, s, t), lhs_contracting_dims={1}, rhs_contracting_dims={0}, sharding={mesh['a'=4], replicated}
})");
}

TEST(SpmdLinearAlgebraTest, BatchesStayWhereTheyAre) {
  SpmdRunOptions options;
  options.low = 1;
  options.propagate = false;
  const std::string parts = ExpectPartsForSeeds(R"(HloModule m, num_partitions=4
ENTRY e {
  a = f32[6,3,3] parameter(0), sharding={mesh['a'=4], [{'a'}, {}, {}]}
  b = f32[6,3,5] parameter(1), sharding={mesh['a'=4], [{'a'}, {}, {}]}
  x = f32[6,3,5] triangular-solve(a, b), left_side=true, lower=true, unit_diagonal=true, transpose_a=NO_TRANSPOSE, sharding={mesh['a'=4], [{'a'}, {}, {}]}
  c = f32[6,3,3] cholesky(a), lower=true, sharding={mesh['a'=4], [{'a'}, {}, {}]}
  z = c64[6,3,5] convert(b), sharding={mesh['a'=4], [{'a'}, {}, {}]}
  f = c64[6,3,5] fft(z), fft_type=FFT, fft_length={5}, sharding={mesh['a'=4], [{'a'}, {}, {}]}
  r = f32[6,8] reduce-precision(g), exponent_bits=8, mantissa_bits=23, sharding={mesh['a'=4], [{'a'}, {}]}
  g = f32[6,8] parameter(2), sharding={mesh['a'=4], [{'a'}, {}]}
  h = c64[6,5] fft(r), fft_type=RFFT, fft_length={8}, sharding={mesh['a'=4], [{'a'}, {}]}
  ROOT t = (f32[6,3,5], f32[6,3,3], c64[6,3,5], c64[6,5]) tuple(x, c, f, h), sharding={{mesh['a'=4], [{'a'}, {}, {}]}, {mesh['a'=4], [{'a'}, {}, {}]}, {mesh['a'=4], [{'a'}, {}, {}]}, {mesh['a'=4], [{'a'}, {}]}}
})",
                                                options);
  EXPECT_EQ(CountCollectives(parts), 0) << parts;
}

TEST(SpmdLinearAlgebraTest, MatricesMoveToWhereTheyAreWhole) {
  const std::string parts = ExpectPartsForSeeds(R"(HloModule m, num_partitions=4
ENTRY e {
  z = c64[16,64] parameter(0), sharding={mesh['a'=4], [{}, {'a'}]}
  ROOT f = c64[16,64] fft(z), fft_type=FFT, fft_length={64}, sharding={mesh['a'=4], [{}, {'a'}]}
})");
  EXPECT_EQ(CountOf(parts, "all-to-all"), 2) << parts;
  EXPECT_EQ(CountCollectives(parts), 2);
}

TEST(SpmdBatchNormTest, FeaturesAreDivided) {
  const std::string parts = ExpectPartsForSeeds(R"(HloModule m, num_partitions=4
ENTRY e {
  x = f32[6,13] parameter(0), sharding={mesh['a'=4], [{}, {'a'}]}
  s = f32[13] parameter(1), sharding={mesh['a'=4], [{'a'}]}
  o = f32[13] parameter(2), sharding={mesh['a'=4], [{'a'}]}
  ROOT t = (f32[6,13], f32[13], f32[13]) batch-norm-training(x, s, o), epsilon=1, feature_index=1, sharding={{mesh['a'=4], [{}, {'a'}]}, {mesh['a'=4], [{'a'}]}, {mesh['a'=4], [{'a'}]}}
})",
                                                {.propagate = false});
  EXPECT_EQ(CountCollectives(parts), 0) << parts;
}

TEST(SpmdSelectAndScatterTest, BatchesStayWhereTheyAre) {
  const std::string parts = ExpectPartsForSeeds(R"(HloModule m, num_partitions=4
ENTRY e {
  x = f32[6,8] parameter(0), sharding={mesh['a'=4], [{'a'}, {}]}
  s = f32[6,4] parameter(1), sharding={mesh['a'=4], [{'a'}, {}]}
  zero = f32[] constant(0)
  ROOT r = f32[6,8] select-and-scatter(x, s, zero), window={size=1x2 stride=1x2}, select=ge, scatter=add, sharding={mesh['a'=4], [{'a'}, {}]}
})");
  EXPECT_EQ(CountCollectives(parts), 0) << parts;
  ExpectPartsForSeeds(R"(HloModule m, num_partitions=4
ENTRY e {
  x = f32[6,8] parameter(0), sharding={mesh['a'=4], [{}, {'a'}]}
  s = f32[6,4] parameter(1), sharding={mesh['a'=4], [{}, {'a'}]}
  zero = f32[] constant(0)
  ROOT r = f32[6,8] select-and-scatter(x, s, zero), window={size=1x2 stride=1x2}, select=ge, scatter=add, sharding={mesh['a'=4], [{}, {'a'}]}
})");
}

TEST(SpmdSortTest, SortedDimensionsAreWhole) {
  constexpr absl::string_view kSort = R"(HloModule m, num_partitions=4
less {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  c = s32[] parameter(2)
  d = s32[] parameter(3)
  ROOT l = pred[] compare(a, b), direction=LT
}
ENTRY e {
  x = f32[SIZE] parameter(0), sharding={mesh['a'=4], [SPLIT]}
  i = s32[SIZE] parameter(1), sharding={mesh['a'=4], [SPLIT]}
  ROOT s = (f32[SIZE], s32[SIZE]) sort(x, i), dimensions={DIM}, is_stable=true, to_apply=less, sharding={{mesh['a'=4], [SPLIT]}, {mesh['a'=4], [SPLIT]}}
})";
  const auto sort = [&](absl::string_view size, absl::string_view split,
                        absl::string_view dimension) {
    return ExpectPartsForSeeds(
        absl::StrReplaceAll(
            kSort, {{"SIZE", size}, {"SPLIT", split}, {"DIM", dimension}}),
        {.propagate = false});
  };
  EXPECT_EQ(CountCollectives(sort("13,5", "{'a'}, {}", "1")), 0);
  const std::string moved = sort("32,640", "{}, {'a'}", "1");
  EXPECT_EQ(CountOf(moved, "all-to-all"), 4) << moved;
  EXPECT_EQ(CountCollectives(moved), 4);
  EXPECT_EQ(CountOf(sort("13", "{'a'}", "0"), "all-gather"), 2);
  sort("7,13", "{}, {'a'}", "1");
}

TEST(SpmdRandomTest, BitsAreTheSameForEverySharding) {
  for (absl::string_view split :
       {"{'a'}, {}", "{}, {'a','b'}", "{'b'}, {'a'}"}) {
    const std::string parts =
        ExpectPartsForSeeds(absl::StrReplaceAll(R"(HloModule m, num_partitions=4
ENTRY e {
  s = u64[2] parameter(0), sharding={mesh['a'=2,'b'=2], replicated}
  ROOT r = (u64[2], u32[13,6]) rng-bit-generator(s), algorithm=rng_three_fry, sharding={{mesh['a'=2,'b'=2], replicated}, {mesh['a'=2,'b'=2], [SPLIT]}}
})",
                                                {{"SPLIT", split}}),
                            {.propagate = false});
    EXPECT_EQ(CountCollectives(parts), 0) << parts;
  }
}

TEST(SpmdScanTest, SlicesInParts) {
  const std::string parts = ExpectPartsOfWhole(R"(HloModule m, num_partitions=4
step {
  a = f32[3,10] parameter(0)
  b = f32[3,10] parameter(1)
  c = f32[3,10] parameter(2)
  n = f32[] parameter(3)
  two = f32[] constant(2)
  next = f32[] add(n, two)
  all = f32[3,10] broadcast(next), dimensions={}
  s = f32[3,10] add(a, c)
  d = f32[3,10] subtract(s, b)
  e = f32[3,10] maximum(d, all)
  ROOT t = (f32[3,10], f32[3,10], f32[]) tuple(e, d, next)
}
ENTRY e {
  x = f32[3,5,10] parameter(0), sharding={mesh['a'=4], [{}, {}, {'a'}]}
  y = f32[3,5,10] parameter(1), sharding={mesh['a'=4], [{}, {}, {'a'}]}
  c = f32[3,10] parameter(2)
  n = f32[] parameter(3)
  s = (f32[3,5,10], f32[3,10], f32[]) scan(x, y, c, n), dimensions={1}, num_carries=2, to_apply=step
  e = f32[3,5,10] get-tuple-element(s), index=0
  ROOT g = f32[3,5,10] negate(e), sharding={mesh['a'=4], [{}, {}, {'a'}]}
})");
  EXPECT_EQ(CountCollectives(parts), 0) << parts;
}

// Where slices are mixed, or the scanned dimension is divided, they are whole.
TEST(SpmdScanTest, OtherComputationsAndTheScannedDimension) {
  ExpectPartsOfWhole(R"(HloModule m, num_partitions=4
mixes {
  a = f32[8] parameter(0)
  c = f32[8] parameter(1)
  r = f32[8] reverse(c), dimensions={0}
  s = f32[8] add(a, r)
  ROOT t = (f32[8], f32[8]) tuple(s, s)
}
sums {
  a = f32[8] parameter(0)
  c = f32[8] parameter(1)
  s = f32[8] add(a, c)
  ROOT t = (f32[8], f32[8]) tuple(s, s)
}
ENTRY e {
  x = f32[4,8] parameter(0), sharding={mesh['a'=4], [{}, {'a'}]}
  y = f32[4,8] parameter(1), sharding={mesh['a'=4], [{'a'}, {}]}
  c = f32[8] parameter(2), sharding={mesh['a'=4], [{'a'}]}
  s = (f32[4,8], f32[8]) scan(x, c), dimensions={0}, num_carries=1, to_apply=mixes
  e = f32[4,8] get-tuple-element(s), index=0
  u = (f32[4,8], f32[8]) scan(y, c), dimensions={0}, num_carries=1, is_reverse=true, to_apply=sums
  v = f32[4,8] get-tuple-element(u), index=0
  w = f32[8] get-tuple-element(u), index=1
  ROOT t = (f32[4,8], f32[4,8], f32[8]) tuple(e, v, w), sharding={{mesh['a'=4], [{'a'}, {}]}, {mesh['a'=4], [{'a'}, {}]}, {mesh['a'=4], [{'a'}]}}
})");
}

}  // namespace
}  // namespace xla
