// Values of dynamic slices, gathers, scatters and top-k in parts.
#include <string>

#include "absl/strings/str_replace.h"
#include "absl/strings/string_view.h"
#include "gtest/gtest.h"
#include "tests/hlo/transforms/spmd/spmd_harness.h"

namespace xla {
namespace {

// Runs the program with several arguments, of which indices are in
// [low, high]. Returns the partitioned module.
std::string ExpectIndexedParts(absl::string_view text, int64_t low = -8,
                               int64_t high = 24) {
  SpmdRunOptions options;
  options.integer_low = low;
  options.integer_high = high;
  std::string parts;
  for (options.seed = 1; options.seed <= 6; ++options.seed) {
    parts = ExpectPartsOfWhole(text, options);
    if (parts.empty()) break;
  }
  return parts;
}

constexpr absl::string_view kIndexTypes[] = {"s8",  "u8",  "s16", "u16",
                                             "s32", "u32", "s64", "u64"};

TEST(SpmdDynamicSliceTest, SlicesOfADividedDimensionAreReduced) {
  // Sizes of one element, of some, and of more than a part.
  for (absl::string_view size : {"1", "3", "5", "11"}) {
    const std::string parts = ExpectIndexedParts(absl::StrReplaceAll(
        R"(HloModule m, num_partitions=4
ENTRY e {
  x = f32[13,40] parameter(0), sharding={mesh['a'=4], [{'a'}, {}]}
  i = s32[] parameter(1), sharding={mesh['a'=4], replicated}
  zero = s32[] constant(0)
  ROOT s = f32[SIZE,40] dynamic-slice(x, i, zero), dynamic_slice_sizes={SIZE,40}, sharding={mesh['a'=4], replicated}
})",
        {{"SIZE", size}}));
    // Of 11 rows out of 13 the whole is cheaper.
    EXPECT_EQ(CountOf(parts, "all-reduce"), size == "11" ? 0 : 1) << parts;
    EXPECT_EQ(CountCollectives(parts), 1);
  }
}

TEST(SpmdDynamicSliceTest, IndicesOfAllTypes) {
  for (absl::string_view type : kIndexTypes) {
    ExpectIndexedParts(absl::StrReplaceAll(
                           R"(HloModule m, num_partitions=4
ENTRY e {
  x = s32[300,70] parameter(0), sharding={mesh['a'=4], [{'a'}, {}]}
  i = TYPE[] parameter(1), sharding={mesh['a'=4], replicated}
  j = TYPE[] parameter(2), sharding={mesh['a'=4], replicated}
  u = s32[2,3] parameter(3), sharding={mesh['a'=4], replicated}
  s = s32[2,3] dynamic-slice(x, i, j), dynamic_slice_sizes={2,3}, sharding={mesh['a'=4], replicated}
  v = s32[300,70] dynamic-update-slice(x, u, i, j), sharding={mesh['a'=4], [{'a'}, {}]}
  ROOT t = (s32[2,3], s32[300,70]) tuple(s, v), sharding={{mesh['a'=4], replicated}, {mesh['a'=4], [{'a'}, {}]}}
})",
                           {{"TYPE", type}}),
                       -20, 127);
  }
}

TEST(SpmdDynamicSliceTest, LargeIndices) {
  for (absl::string_view type : {"s64", "u64", "u32"}) {
    for (absl::string_view index :
         {"4294967295", "4294967296", "2147483648", "9223372036854775807"}) {
      if (type == "u32" && index.size() > 9 && index != "4294967295" &&
          index != "2147483648") {
        continue;
      }
      ExpectIndexedParts(absl::StrReplaceAll(
          R"(HloModule m, num_partitions=4
ENTRY e {
  x = s32[30,70] parameter(0), sharding={mesh['a'=4], [{'a'}, {}]}
  u = s32[2,3] parameter(1), sharding={mesh['a'=4], replicated}
  i = TYPE[] constant(INDEX)
  k = TYPE[3,1] constant({{INDEX}, {3}, {0}})
  s = s32[2,3] dynamic-slice(x, i, i), dynamic_slice_sizes={2,3}
  v = s32[30,70] dynamic-update-slice(x, u, i, i)
  g = s32[3,70] gather(x, k), offset_dims={1}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1, slice_sizes={1,70}
  c = s32[30,70] scatter(x, k, g), update_window_dims={1}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=add_s32
  ROOT t = (s32[2,3], s32[30,70], s32[3,70], s32[30,70]) tuple(s, v, g, c), sharding={{mesh['a'=4], replicated}, {mesh['a'=4], [{'a'}, {}]}, {mesh['a'=4], replicated}, {mesh['a'=4], [{'a'}, {}]}}
})",
          {{"TYPE", type}, {"INDEX", index}}));
    }
  }
}

TEST(SpmdDynamicSliceTest, TwoDividedDimensionsAndABatch) {
  const std::string parts = ExpectIndexedParts(R"(HloModule m, num_partitions=8
ENTRY e {
  x = bf16[6,13,11] parameter(0), sharding={mesh['a'=2,'b'=2,'c'=2], [{'b'}, {'c'}, {'a'}]}
  i = s32[3] parameter(1), sharding={mesh['a'=2,'b'=2,'c'=2], replicated}
  ROOT s = bf16[6,3,9] dynamic-slice(x, i), dynamic_slice_sizes={6,3,9}, sharding={mesh['a'=2,'b'=2,'c'=2], [{'b'}, {}, {}]}
})");
  EXPECT_EQ(CountCollectives(parts), 1);
}

TEST(SpmdDynamicSliceTest, ElementsOfAllKinds) {
  for (absl::string_view type :
       {"pred", "s4", "u8", "s64", "f16", "f8e4m3fnuz", "c64", "f8e8m0fnu"}) {
    ExpectIndexedParts(absl::StrReplaceAll(R"(HloModule m, num_partitions=3
ENTRY e {
  x = TYPE[10,20] parameter(0), sharding={mesh['a'=3], [{'a'}, {}]}
  i = s32[] parameter(1), sharding={mesh['a'=3], replicated}
  u = TYPE[2,20] parameter(2), sharding={mesh['a'=3], replicated}
  zero = s32[] constant(0)
  s = TYPE[2,20] dynamic-slice(x, i, zero), dynamic_slice_sizes={2,20}
  v = TYPE[10,20] dynamic-update-slice(x, u, i, zero)
  ROOT t = (TYPE[2,20], TYPE[10,20]) tuple(s, v), sharding={{mesh['a'=3], replicated}, {mesh['a'=3], [{'a'}, {}]}}
})",
                                           {{"TYPE", type}}));
  }
}

TEST(SpmdDynamicSliceTest, ZerosKeepTheirSigns) {
  ExpectIndexedParts(R"(HloModule m, num_partitions=2
ENTRY e {
  x = f32[4] constant({-0, 0, inf, -0})
  i = s32[] parameter(0), sharding={mesh['a'=2], replicated}
  y = f32[4] negate(x), sharding={mesh['a'=2], [{'a'}]}
  ROOT s = f32[2] dynamic-slice(y, i), dynamic_slice_sizes={2}, sharding={mesh['a'=2], replicated}
})",
                     -1, 4);
}

TEST(SpmdDynamicUpdateSliceTest, NothingMoves) {
  for (absl::string_view size : {"1", "3", "5", "11"}) {
    const std::string parts = ExpectIndexedParts(absl::StrReplaceAll(
        R"(HloModule m, num_partitions=4
ENTRY e {
  x = f32[13,6] parameter(0), sharding={mesh['a'=2,'b'=2], [{'b','a'}, {}]}
  u = f32[SIZE,6] parameter(1), sharding={mesh['a'=2,'b'=2], replicated}
  i = s32[] parameter(2), sharding={mesh['a'=2,'b'=2], replicated}
  zero = s32[] constant(0)
  ROOT s = f32[13,6] dynamic-update-slice(x, u, i, zero), sharding={mesh['a'=2,'b'=2], [{'b','a'}, {}]}
})",
        {{"SIZE", size}}));
    EXPECT_EQ(CountCollectives(parts), 0) << parts;
  }
}

TEST(SpmdDynamicUpdateSliceTest, TwoDividedDimensionsAndABatch) {
  const std::string parts = ExpectIndexedParts(R"(HloModule m, num_partitions=8
ENTRY e {
  x = f32[6,13,11] parameter(0), sharding={mesh['a'=2,'b'=2,'c'=2], [{'b'}, {'c'}, {'a'}]}
  u = f32[6,3,9] parameter(1), sharding={mesh['a'=2,'b'=2,'c'=2], [{'b'}, {}, {}]}
  i = u8[] parameter(2), sharding={mesh['a'=2,'b'=2,'c'=2], replicated}
  j = u8[] parameter(3), sharding={mesh['a'=2,'b'=2,'c'=2], replicated}
  k = u8[] parameter(4), sharding={mesh['a'=2,'b'=2,'c'=2], replicated}
  ROOT s = f32[6,13,11] dynamic-update-slice(x, u, i, j, k), sharding={mesh['a'=2,'b'=2,'c'=2], [{'b'}, {'c'}, {'a'}]}
})");
  EXPECT_EQ(CountCollectives(parts), 0) << parts;
}

TEST(SpmdGatherTest, IndexVectorsWithoutElementsCountSlices) {
  ExpectIndexedParts(R"(HloModule m, num_partitions=2
ENTRY e {
  x = s32[] parameter(0)
  i = u64[4,16,0] parameter(1), sharding={mesh['a'=2], [{'a'}, {}, {}]}
  ROOT g = s32[4,16] gather(x, i), offset_dims={}, collapsed_slice_dims={}, start_index_map={}, index_vector_dim=2, slice_sizes={}, sharding={mesh['a'=2], [{'a'}, {}]}
})");
}

TEST(SpmdGatherTest, BatchesWithoutIndices) {
  ExpectIndexedParts(R"(HloModule m, num_partitions=2
ENTRY e {
  x = s64[64] parameter(0), sharding={mesh['a'=2], [{'a'}]}
  i = s32[0,64,1,3] parameter(1), sharding={mesh['a'=2], replicated}
  ROOT g = s64[64,1,3] gather(x, i), offset_dims={}, collapsed_slice_dims={}, start_index_map={}, operand_batching_dims={0}, start_indices_batching_dims={1}, index_vector_dim=0, slice_sizes={1}, sharding={mesh['a'=2], [{'a'}, {}, {}]}
})");
}

TEST(SpmdGatherTest, RowsOfADividedTable) {
  for (absl::string_view type : kIndexTypes) {
    const std::string parts =
        ExpectIndexedParts(absl::StrReplaceAll(
                               R"(HloModule m, num_partitions=4
ENTRY e {
  x = f32[301,7] parameter(0), sharding={mesh['a'=4], [{'a'}, {}]}
  i = TYPE[5] parameter(1), sharding={mesh['a'=4], replicated}
  ROOT g = f32[5,7] gather(x, i), offset_dims={1}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1, slice_sizes={1,7}, sharding={mesh['a'=4], replicated}
})",
                               {{"TYPE", type}}),
                           -20, 127);
    EXPECT_EQ(CountOf(parts, "all-reduce"), 1);
    EXPECT_EQ(CountCollectives(parts), 1);
  }
}

TEST(SpmdGatherTest, SumsThatAreWantedInPartsAreScattered) {
  const std::string parts = ExpectIndexedParts(R"(HloModule m, num_partitions=4
ENTRY e {
  x = f32[512,32] parameter(0), sharding={mesh['a'=4], [{'a'}, {}]}
  i = s32[8,1] parameter(1), sharding={mesh['a'=4], replicated}
  ROOT g = f32[8,32] gather(x, i), offset_dims={1}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1, slice_sizes={1,32}, sharding={mesh['a'=4], [{}, {'a'}]}
})",
                                               0, 600);
  EXPECT_EQ(CountCollectives(parts), 1) << parts;
}

TEST(SpmdGatherTest, TwoIndexedDimensionsAndPartsOfTheIndices) {
  const std::string parts = ExpectIndexedParts(R"(HloModule m, num_partitions=8
ENTRY e {
  x = f32[13,5,40] parameter(0), sharding={mesh['a'=2,'b'=2,'c'=2], [{'c'}, {'a'}, {}]}
  i = s16[2,9] parameter(1), sharding={mesh['a'=2,'b'=2,'c'=2], [{}, {'b'}]}
  ROOT g = f32[1,9,40] gather(x, i), offset_dims={0,2}, collapsed_slice_dims={0}, start_index_map={1,0}, index_vector_dim=0, slice_sizes={1,1,40}, sharding={mesh['a'=2,'b'=2,'c'=2], [{}, {'b'}, {}]}
})");
  EXPECT_EQ(CountCollectives(parts), 1) << parts;
}

TEST(SpmdGatherTest, BatchesAndWholeWindowsPassThrough) {
  const std::string parts = ExpectIndexedParts(R"(HloModule m, num_partitions=8
ENTRY e {
  x = f32[5,13,7] parameter(0), sharding={mesh['a'=2,'b'=4], [{'b'}, {}, {'a'}]}
  i = s32[6,5] parameter(1), sharding={mesh['a'=2,'b'=4], [{}, {'b'}]}
  ROOT g = f32[6,5,7] gather(x, i), offset_dims={2}, collapsed_slice_dims={1}, start_index_map={1}, operand_batching_dims={0}, start_indices_batching_dims={1}, index_vector_dim=2, slice_sizes={1,1,7}, sharding={mesh['a'=2,'b'=4], [{}, {'b'}, {'a'}]}
})");
  EXPECT_EQ(CountCollectives(parts), 0) << parts;
}

TEST(SpmdGatherTest, IndexedWholeWindowsAndPartialWindows) {
  ExpectIndexedParts(R"(HloModule m, num_partitions=4
ENTRY e {
  x = f32[9,8] parameter(0), sharding={mesh['a'=4], [{'a'}, {}]}
  i = s32[6,2] parameter(1), sharding={mesh['a'=4], replicated}
  g = f32[6,9,3] gather(x, i), offset_dims={1,2}, collapsed_slice_dims={}, start_index_map={0,1}, index_vector_dim=1, slice_sizes={9,3}
  h = f32[6,4,3] gather(x, i), offset_dims={1,2}, collapsed_slice_dims={}, start_index_map={0,1}, index_vector_dim=1, slice_sizes={4,3}
  k = f32[6,5,1] gather(x, i), offset_dims={1,2}, collapsed_slice_dims={}, start_index_map={1,0}, index_vector_dim=1, slice_sizes={5,1}
  ROOT t = (f32[6,9,3], f32[6,4,3], f32[6,5,1]) tuple(g, h, k)
})");
}

// Parts of 3 and of 1 rows, windows of 5 and 2; a window may be in three parts.
TEST(SpmdGatherTest, WindowsOfADividedDimensionAreReduced) {
  const std::string parts = ExpectIndexedParts(R"(HloModule m, num_partitions=6
ENTRY e {
  x = f32[61,2000] parameter(0), sharding={mesh['a'=3,'b'=2], [{'a','b'}, {}]}
  y = f32[8,500] parameter(1), sharding={mesh['a'=3,'b'=2], [{'a'}, {'b'}]}
  i = s32[3] parameter(2), sharding={mesh['a'=3,'b'=2], replicated}
  j = s32[2,2] parameter(3), sharding={mesh['a'=3,'b'=2], replicated}
  g = f32[3,5,1] gather(x, i), offset_dims={1,2}, collapsed_slice_dims={}, start_index_map={0}, index_vector_dim=1, slice_sizes={5,1}
  h = f32[2,7,3] gather(y, j), offset_dims={1,2}, collapsed_slice_dims={}, start_index_map={0,1}, index_vector_dim=1, slice_sizes={7,3}
  ROOT t = (f32[3,5,1], f32[2,7,3]) tuple(g, h), sharding={{mesh['a'=3,'b'=2], replicated}, {mesh['a'=3,'b'=2], replicated}}
})",
                                               -4, 70);
  EXPECT_EQ(CountOf(parts, "all-gather"), 0) << parts;
}

TEST(SpmdScatterTest, WindowsInADividedDimensionMoveNothing) {
  const std::string parts = ExpectIndexedParts(R"(HloModule m, num_partitions=6
both {
  a = f32[] parameter(0)
  b = s32[] parameter(1)
  c = f32[] parameter(2)
  d = s32[] parameter(3)
  f = f32[] add(a, c)
  ROOT t = (f32[], s32[]) tuple(f, d)
}
ENTRY e {
  x = f32[60,8] parameter(0), sharding={mesh['a'=3,'b'=2], [{'a'}, {'b'}]}
  y = s32[60,8] parameter(1), sharding={mesh['a'=3,'b'=2], [{'a'}, {'b'}]}
  i = s32[4,2] parameter(2), sharding={mesh['a'=3,'b'=2], replicated}
  u = f32[4,25,2] parameter(3), sharding={mesh['a'=3,'b'=2], replicated}
  v = s32[4,25,2] parameter(4), sharding={mesh['a'=3,'b'=2], replicated}
  ROOT g = (f32[60,8], s32[60,8]) scatter(x, y, i, u, v), update_window_dims={1,2}, inserted_window_dims={}, scatter_dims_to_operand_dims={0,1}, index_vector_dim=1, to_apply=both, sharding={{mesh['a'=3,'b'=2], [{'a'}, {'b'}]}, {mesh['a'=3,'b'=2], [{'a'}, {'b'}]}}
})",
                                               -3, 40);
  EXPECT_EQ(CountCollectives(parts), 0) << parts;
}

TEST(SpmdScatterTest, WindowsAndUpdatesInParts) {
  ExpectIndexedParts(R"(HloModule m, num_partitions=4
ENTRY e {
  x = f32[70,50] parameter(0), sharding={mesh['a'=2,'b'=2], [{'a'}, {}]}
  i = s32[7] parameter(1), sharding={mesh['a'=2,'b'=2], [{'b'}]}
  u = f32[7,3,50] parameter(2), sharding={mesh['a'=2,'b'=2], [{'b'}, {}, {}]}
  ROOT g = f32[70,50] scatter(x, i, u), update_window_dims={1,2}, inserted_window_dims={}, scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=add, sharding={mesh['a'=2,'b'=2], [{'a'}, {}]}
})",
                     -5, 75);
}

TEST(SpmdScatterTest, RowsOfADividedTable) {
  for (absl::string_view type : kIndexTypes) {
    const std::string parts =
        ExpectIndexedParts(absl::StrReplaceAll(
                               R"(HloModule m, num_partitions=4
ENTRY e {
  x = f32[301,7] parameter(0), sharding={mesh['a'=4], [{'a'}, {}]}
  i = TYPE[15] parameter(1), sharding={mesh['a'=4], replicated}
  u = f32[15,7] parameter(2), sharding={mesh['a'=4], replicated}
  ROOT g = f32[301,7] scatter(x, i, u), update_window_dims={1}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=add, sharding={mesh['a'=4], [{'a'}, {}]}
})",
                               {{"TYPE", type}}),
                           -128, 127);
    EXPECT_EQ(CountCollectives(parts), 0);
  }
}

TEST(SpmdScatterTest, IndicesOutsideOfTheWholeUpdateNothing) {
  for (absl::string_view type : kIndexTypes) {
    ExpectIndexedParts(absl::StrReplaceAll(
                           R"(HloModule m, num_partitions=8
ENTRY e {
  x = s32[13,5] parameter(0), sharding={mesh['a'=8], [{'a'}, {}]}
  i = TYPE[2,15] parameter(1), sharding={mesh['a'=8], replicated}
  u = s32[15] parameter(2), sharding={mesh['a'=8], replicated}
  g = s32[13,5] scatter(x, i, u), update_window_dims={}, inserted_window_dims={0,1}, scatter_dims_to_operand_dims={1,0}, index_vector_dim=0, to_apply=add_s32, sharding={mesh['a'=8], [{'a'}, {}]}
  ROOT h = s32[13,5] scatter(g, i, u), update_window_dims={}, inserted_window_dims={0,1}, scatter_dims_to_operand_dims={0,1}, index_vector_dim=0, to_apply=add_s32, sharding={mesh['a'=8], [{}, {'a'}]}
})",
                           {{"TYPE", type}}),
                       -15, 15);
  }
}

TEST(SpmdScatterTest, DividedUpdatesAreReduced) {
  for (absl::string_view reducer : {"add", "max", "min"}) {
    const std::string parts = ExpectIndexedParts(absl::StrReplaceAll(
        R"(HloModule m, num_partitions=4
ENTRY e {
  x = f32[5] parameter(0), sharding={mesh['a'=4], replicated}
  i = s32[1501,1] parameter(1), sharding={mesh['a'=4], [{'a'}, {}]}
  u = f32[1501] parameter(2), sharding={mesh['a'=4], [{'a'}]}
  ROOT g = f32[5] scatter(x, i, u), update_window_dims={}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=REDUCER, sharding={mesh['a'=4], replicated}
})",
        {{"REDUCER", reducer}}));
    EXPECT_EQ(CountOf(parts, "all-reduce"), 1) << parts;
    EXPECT_EQ(CountCollectives(parts), 1);
  }
}

TEST(SpmdScatterTest, UpdatesThatReplaceAreGathered) {
  ExpectIndexedParts(R"(HloModule m, num_partitions=4
second {
  x = f32[] parameter(0)
  ROOT y = f32[] parameter(1)
}
ENTRY e {
  x = f32[11,3] parameter(0), sharding={mesh['a'=4], [{'a'}, {}]}
  i = s32[15] parameter(1), sharding={mesh['a'=4], [{'a'}]}
  u = f32[15,3] parameter(2), sharding={mesh['a'=4], [{'a'}, {}]}
  ROOT g = f32[11,3] scatter(x, i, u), update_window_dims={1}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=second, sharding={mesh['a'=4], [{'a'}, {}]}
})");
}

TEST(SpmdScatterTest, RowsAndUpdatesAndWindowsInPartsAndABatch) {
  const std::string parts = ExpectIndexedParts(R"(HloModule m, num_partitions=8
ENTRY e {
  x = f32[6,13,7] parameter(0), sharding={mesh['a'=2,'b'=2,'c'=2], [{'a'}, {'c'}, {'b'}]}
  i = s32[9,1,6] parameter(1), sharding={mesh['a'=2,'b'=2,'c'=2], [{}, {}, {'a'}]}
  u = f32[9,6,7] parameter(2), sharding={mesh['a'=2,'b'=2,'c'=2], [{}, {'a'}, {'b'}]}
  ROOT g = f32[6,13,7] scatter(x, i, u), update_window_dims={2}, inserted_window_dims={1}, scatter_dims_to_operand_dims={1}, input_batching_dims={0}, scatter_indices_batching_dims={2}, index_vector_dim=1, to_apply=add, sharding={mesh['a'=2,'b'=2,'c'=2], [{'a'}, {'c'}, {'b'}]}
})");
  EXPECT_EQ(CountCollectives(parts), 0) << parts;
}

TEST(SpmdScatterTest, RowsAndUpdatesByDifferentAxes) {
  ExpectIndexedParts(R"(HloModule m, num_partitions=8
ENTRY e {
  x = f32[13,2] parameter(0), sharding={mesh['a'=2,'b'=4], [{'a'}, {}]}
  i = u8[901] parameter(1), sharding={mesh['a'=2,'b'=4], [{'b'}]}
  u = f32[901,2] parameter(2), sharding={mesh['a'=2,'b'=4], [{'b'}, {}]}
  ROOT g = f32[13,2] scatter(x, i, u), update_window_dims={1}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=add, sharding={mesh['a'=2,'b'=4], [{'a'}, {}]}
})");
}

TEST(SpmdScatterTest, WindowsOfOneAndOfSomeElements) {
  ExpectIndexedParts(R"(HloModule m, num_partitions=4
ENTRY e {
  x = f32[9,8] parameter(0), sharding={mesh['a'=4], [{'a'}, {}]}
  i = s32[6,2] parameter(1), sharding={mesh['a'=4], replicated}
  u = f32[6,1,3] parameter(2), sharding={mesh['a'=4], replicated}
  v = f32[6,2,8] parameter(3), sharding={mesh['a'=4], replicated}
  g = f32[9,8] scatter(x, i, u), update_window_dims={1,2}, inserted_window_dims={}, scatter_dims_to_operand_dims={0,1}, index_vector_dim=1, to_apply=add, sharding={mesh['a'=4], [{'a'}, {}]}
  ROOT h = f32[9,8] scatter(g, i, v), update_window_dims={1,2}, inserted_window_dims={}, scatter_dims_to_operand_dims={0,1}, index_vector_dim=1, to_apply=add, sharding={mesh['a'=4], [{'a'}, {}]}
})",
                     -2, 8);
}

TEST(SpmdScatterTest, SeveralArrays) {
  ExpectIndexedParts(R"(HloModule m, num_partitions=4
both {
  a = f32[] parameter(0)
  b = s32[] parameter(1)
  c = f32[] parameter(2)
  d = s32[] parameter(3)
  f = f32[] add(a, c)
  g = s32[] maximum(b, d)
  ROOT t = (f32[], s32[]) tuple(f, g)
}
ENTRY e {
  x = f32[11,3] parameter(0), sharding={mesh['a'=4], [{'a'}, {}]}
  y = s32[11,3] parameter(1), sharding={mesh['a'=4], [{'a'}, {}]}
  i = s32[15] parameter(2), sharding={mesh['a'=4], [{'a'}]}
  u = f32[15,3] parameter(3), sharding={mesh['a'=4], replicated}
  v = s32[15,3] parameter(4), sharding={mesh['a'=4], [{'a'}, {}]}
  ROOT g = (f32[11,3], s32[11,3]) scatter(x, y, i, u, v), update_window_dims={1}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=both, sharding={{mesh['a'=4], [{'a'}, {}]}, {mesh['a'=4], [{'a'}, {}]}}
})");
}

TEST(SpmdTopKTest, TheBestOfEachPart) {
  for (absl::string_view largest : {"true", "false"}) {
    for (absl::string_view type : {"f32", "s32", "u8", "bf16"}) {
      for (absl::string_view k : {"1", "3", "5"}) {
        // Many elements are equal.
        const std::string parts = ExpectIndexedParts(absl::StrReplaceAll(
            R"(HloModule m, num_partitions=8
ENTRY e {
  x = TYPE[6,13] parameter(0), sharding={mesh['a'=2,'b'=4], [{'a'}, {'b'}]}
  ROOT t = (TYPE[6,COUNT], s32[6,COUNT]) topk(x), k=COUNT, largest=LARGEST, sharding={{mesh['a'=2,'b'=4], [{'a'}, {}]}, {mesh['a'=2,'b'=4], [{'a'}, {}]}}
})",
            {{"TYPE", type}, {"COUNT", k}, {"LARGEST", largest}}));
        EXPECT_NE(parts, "");
      }
    }
  }
}

TEST(SpmdTopKTest, PairsAreGatheredWhereTheWholeIsLarge) {
  for (absl::string_view largest : {"true", "false"}) {
    const std::string parts = ExpectIndexedParts(absl::StrReplaceAll(
        R"(HloModule m, num_partitions=4
ENTRY e {
  x = f32[3,8001] parameter(0), sharding={mesh['a'=4], [{}, {'a'}]}
  ROOT t = (f32[3,5], s32[3,5]) topk(x), k=5, largest=LARGEST, sharding={{mesh['a'=4], replicated}, {mesh['a'=4], replicated}}
})",
        {{"LARGEST", largest}}));
    EXPECT_EQ(CountOf(parts, "all-gather"), 2) << parts;
    EXPECT_EQ(CountOf(parts, "topk"), 2);
  }
}

TEST(SpmdTopKTest, ZerosAndNansInTheTotalOrder) {
  for (absl::string_view largest : {"true", "false"}) {
    for (absl::string_view type : {"f32", "f16", "bf16", "f64"}) {
      ExpectIndexedParts(absl::StrReplaceAll(
          R"(HloModule m, num_partitions=4
ENTRY e {
  c = TYPE[13] constant({0, -0, nan, -nan, inf, -inf, 0, -0, -nan, nan, -inf, inf, -nan})
  x = TYPE[13] negate(c), sharding={mesh['a'=4], [{'a'}]}
  big = TYPE[4096] parameter(0), sharding={mesh['a'=4], [{'a'}]}
  b = TYPE[4109] concatenate(big, x), dimensions={0}, sharding={mesh['a'=4], [{'a'}]}
  n = (TYPE[12], s32[12]) topk(b), k=12, largest=LARGEST, sharding={{mesh['a'=4], replicated}, {mesh['a'=4], replicated}}
  m = (TYPE[12], s32[12]) topk(x), k=12, largest=LARGEST, sharding={{mesh['a'=4], replicated}, {mesh['a'=4], replicated}}
  ROOT t = ((TYPE[12], s32[12]), (TYPE[12], s32[12])) tuple(n, m)
})",
          {{"TYPE", type}, {"LARGEST", largest}}));
    }
  }
}

TEST(SpmdTopKTest, BatchesStayWhereTheyAre) {
  const std::string parts = ExpectPartsOfWhole(R"(HloModule m, num_partitions=4
ENTRY e {
  x = f32[13,40] parameter(0), sharding={mesh['a'=4], [{'a'}, {}]}
  ROOT t = (f32[13,5], s32[13,5]) topk(x), k=5, largest=true, sharding={{mesh['a'=4], [{'a'}, {}]}, {mesh['a'=4], [{'a'}, {}]}}
})",
                                               {.propagate = false});
  EXPECT_EQ(CountCollectives(parts), 0) << parts;
}

}  // namespace
}  // namespace xla
