// Values of ops that move elements by known distances, in parts: each op under
// several shardings, whose parts are even or not.
#include <algorithm>
#include <cstdint>
#include <iterator>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "gtest/gtest.h"
#include "tests/hlo/transforms/spmd/spmd_harness.h"

namespace xla {
namespace {

struct OpCase {
  std::vector<std::string> parameters;  // shapes
  std::string result;                   // shape
  std::string op;                       // of p0, p1, ...
};

// A mesh of two axes, in text, and its devices.
struct MeshCase {
  std::string mesh;
  int devices;
};

const MeshCase kMeshes[] = {
    {"mesh['a'=2]", 2},
    {"mesh['a'=3]", 3},
    {"mesh['a'=4]", 4},
    {"mesh['a'=5], device_ids=(3,0,4,1,2)", 5},
    {"mesh['a'=8]", 8},
    {"mesh['a'=2,'b'=2]", 4},
    {"mesh['a'=2,'b'=3], device_ids=(5,3,1,0,2,4)", 6},
    {"mesh['a'=2,'b'=4]", 8},
};

int RankOf(const std::string& shape) {
  if (shape.find("[]") != std::string::npos) return 0;
  return 1 + static_cast<int>(std::count(shape.begin(),
                                         shape.begin() + shape.find(']'), ','));
}

// A sharding that gives each axis of the mesh to some dimension, or to none.
std::string RandomSharding(const MeshCase& mesh, int rank,
                           std::mt19937_64& random) {
  std::vector<std::vector<std::string>> axes(rank);
  std::vector<std::string> all = {"'a'"};
  if (mesh.mesh.find("'b'") != std::string::npos) all.push_back("'b'");
  std::shuffle(all.begin(), all.end(), random);
  for (const std::string& axis : all) {
    const int d = static_cast<int>(random() % (rank + 1));
    if (d < rank) axes[d].push_back(axis);
  }
  std::vector<std::string> dimensions;
  for (const auto& list : axes) {
    dimensions.push_back(absl::StrCat("{", absl::StrJoin(list, ","), "}"));
  }
  return absl::StrCat("sharding={", mesh.mesh, ", [",
                      absl::StrJoin(dimensions, ", "), "]}");
}

std::string ModuleOf(const OpCase& op, const MeshCase& mesh,
                     std::mt19937_64& random) {
  std::string text =
      absl::StrCat("HloModule m, num_partitions=", mesh.devices, "\nENTRY e {");
  for (size_t i = 0; i < op.parameters.size(); ++i) {
    const std::string& shape = op.parameters[i];
    absl::StrAppend(&text, "\n  p", i, " = ", shape, " parameter(", i, "), ",
                    RandomSharding(mesh, RankOf(shape), random));
  }
  absl::StrAppend(&text, "\n  ROOT r = ", op.result, " ", op.op, ", ",
                  RandomSharding(mesh, RankOf(op.result), random), "\n}");
  return text;
}

class SpmdWindowOpTest : public ::testing::TestWithParam<OpCase> {};

TEST_P(SpmdWindowOpTest, PartsAreThoseOfTheWhole) {
  std::mt19937_64 random(7);
  for (const MeshCase& mesh : kMeshes) {
    for (int round = 0; round < 6; ++round) {
      SpmdRunOptions options;
      options.seed = round;
      ExpectPartsOfWhole(ModuleOf(GetParam(), mesh, random), options);
      if (HasFailure()) return;
    }
  }
}

const OpCase kMoved[] = {
    {{"f32[16]"}, "f32[8]", "slice(p0), slice={[4:12]}"},
    {{"f32[16]"}, "f32[8]", "slice(p0), slice={[0:16:2]}"},
    {{"f32[64]"}, "f32[32]", "slice(p0), slice={[0:32]}"},
    {{"f32[64]"}, "f32[56]", "slice(p0), slice={[8:64]}"},
    {{"f32[17,6]"}, "f32[5,5]", "slice(p0), slice={[2:15:3], [1:6]}"},
    // Nothing, in steps.
    {{"f32[16,2]"}, "f32[16,0]", "slice(p0), slice={[0:16], [2:2:2]}"},
    {{"s32[23]"}, "s32[1]", "slice(p0), slice={[22:23]}"},
    {{"pred[9,4]"}, "pred[1,4]", "slice(p0), slice={[3:4], [0:4]}"},
    {{"f32[9,8]"}, "f32[1,1]", "slice(p0), slice={[8:9], [5:6]}"},
    {{"f32[16]", "f32[]"}, "f32[18]", "pad(p0, p1), padding=1_1"},
    {{"f32[13]", "f32[]"}, "f32[9]", "pad(p0, p1), padding=-3_-1"},
    {{"f32[8,5]", "f32[]"}, "f32[24,6]", "pad(p0, p1), padding=1_1_2x0_1"},
    {{"s32[8]", "s32[]"}, "s32[12]", "pad(p0, p1), padding=-2_-1_1"},
    {{"f32[5]", "f32[]"}, "f32[27]", "pad(p0, p1), padding=9_9_1"},
    {{"f32[1,3]", "f32[]"}, "f32[12,3]", "pad(p0, p1), padding=7_4x0_0"},
    {{"f32[16]"}, "f32[16]", "reverse(p0), dimensions={0}"},
    {{"f32[13,6]"}, "f32[13,6]", "reverse(p0), dimensions={0,1}"},
    {{"f32[8]", "f32[8]"}, "f32[16]", "concatenate(p0, p1), dimensions={0}"},
    {{"f32[5,4]", "f32[9,4]", "f32[1,4]"},
     "f32[15,4]",
     "concatenate(p0, p1, p2), dimensions={0}"},
    {{"f32[3,12]", "f32[3,1]"},
     "f32[3,13]",
     "concatenate(p0, p1), dimensions={1}"},
    {{"s32[1]", "s32[1]", "s32[1]", "s32[30]", "s32[2]"},
     "s32[35]",
     "concatenate(p0, p1, p2, p3, p4), dimensions={0}"},
};
INSTANTIATE_TEST_SUITE_P(Moved, SpmdWindowOpTest, ::testing::ValuesIn(kMoved));

const OpCase kReduceWindows[] = {
    // Windows that alternate with each other.
    {{"f32[8]", "f32[]"},
     "f32[2]",
     "reduce-window(p0, p1), window={size=4 rhs_dilate=2}, to_apply=add"},
    {{"f32[16]", "f32[]"},
     "f32[16]",
     "reduce-window(p0, p1), window={size=3 pad=1_1}, to_apply=add"},
    {{"f32[16]", "f32[]"},
     "f32[8]",
     "reduce-window(p0, p1), window={size=2 stride=2}, to_apply=max"},
    {{"f32[17,9]", "f32[]"},
     "f32[8,9]",
     "reduce-window(p0, p1), window={size=3x3 stride=2x1 pad=0_0x1_1}, "
     "to_apply=max"},
    {{"f32[12,5]", "f32[]"},
     "f32[23,3]",
     "reduce-window(p0, p1), window={size=5x2 stride=1x2 pad=2_2x0_1 "
     "lhs_dilate=2x1}, to_apply=add"},
    {{"f32[11]", "f32[]"},
     "f32[17]",
     "reduce-window(p0, p1), window={size=3 stride=2 pad=4_2 lhs_dilate=3 "
     "rhs_dilate=2}, to_apply=min"},
    {{"s32[16]", "s32[]"},
     "s32[12]",
     "reduce-window(p0, p1), window={size=3 pad=-1_-1}, to_apply=add_s32"},
    {{"f32[16]", "f32[]"},
     "f32[16]",
     "reduce-window(p0, p1), window={size=16 pad=15_0}, to_apply=add"},
    {{"f32[13,3]", "f32[]"},
     "f32[13,3]",
     "reduce-window(p0, p1), window={size=13x1 pad=0_12x0_0}, to_apply=max"},
    {{"f32[7,9]", "f32[]"},
     "f32[7,9]",
     "reduce-window(p0, p1), window={size=7x9 pad=6_0x0_8}, to_apply=add"},
    {{"f32[7,9]", "f32[]"},
     "f32[1,9]",
     "reduce-window(p0, p1), window={size=7x3 pad=0_0x1_1}, to_apply=add"},
};
INSTANTIATE_TEST_SUITE_P(ReduceWindow, SpmdWindowOpTest,
                         ::testing::ValuesIn(kReduceWindows));

const OpCase kConvolutions[] = {
    {{"f32[4,16,3]", "f32[3,3,5]"},
     "f32[4,16,5]",
     "convolution(p0, p1), window={size=3 pad=1_1}, dim_labels=b0f_0io->b0f"},
    {{"f32[2,17,9,3]", "f32[3,2,3,4]"},
     "f32[2,9,10,4]",
     "convolution(p0, p1), window={size=3x2 stride=2x1 pad=1_1x1_1}, "
     "dim_labels=b01f_01io->b01f"},
    {{"f32[2,9,4]", "f32[4,4,3]"},
     "f32[2,17,3]",
     "convolution(p0, p1), window={size=4 pad=2_1 lhs_dilate=2 "
     "rhs_reversal=1}, dim_labels=b0f_0io->b0f"},
    {{"f32[2,16,4]", "f32[3,4,3]"},
     "f32[2,12,3]",
     "convolution(p0, p1), window={size=3 rhs_dilate=2}, "
     "dim_labels=b0f_0io->b0f"},
    {{"f32[2,8,12]", "f32[3,3,8]"},
     "f32[2,8,8]",
     "convolution(p0, p1), window={size=3 pad=1_1}, dim_labels=b0f_0io->b0f, "
     "feature_group_count=4"},
    {{"f32[2,8,6]", "f32[3,1,6]"},
     "f32[2,8,6]",
     "convolution(p0, p1), window={size=3 pad=1_1}, dim_labels=b0f_0io->b0f, "
     "feature_group_count=6"},
    {{"f32[2,8,6]", "f32[3,1,12]"},
     "f32[2,8,12]",
     "convolution(p0, p1), window={size=3 pad=1_1}, dim_labels=b0f_0io->b0f, "
     "feature_group_count=6"},
    {{"f32[8,6,3]", "f32[3,3,8]"},
     "f32[2,6,8]",
     "convolution(p0, p1), window={size=3 pad=1_1}, dim_labels=b0f_0io->b0f, "
     "batch_group_count=4"},
    // The gradient of a kernel, which slides over all of the input.
    {{"f32[4,16,3]", "f32[4,16,5]"},
     "f32[3,3,5]",
     "convolution(p0, p1), window={size=16 pad=1_1}, dim_labels=f0b_i0o->0bf"},
    {{"f32[2,12,2]", "f32[2,6,3]"},
     "f32[3,2,3]",
     "convolution(p0, p1), window={size=6 pad=1_0 rhs_dilate=2}, "
     "dim_labels=f0b_i0o->0bf"},
    {{"f32[2,12,2]", "f32[12,2,3]"},
     "f32[2,1,3]",
     "convolution(p0, p1), window={size=12}, dim_labels=b0f_0io->b0f"},
    {{"f32[2,12,2]", "f32[12,2,3]"},
     "f32[2,4,3]",
     "convolution(p0, p1), window={size=12 pad=2_1 rhs_reversal=1}, "
     "dim_labels=b0f_0io->b0f"},
};
INSTANTIATE_TEST_SUITE_P(Convolution, SpmdWindowOpTest,
                         ::testing::ValuesIn(kConvolutions));

const OpCase kSelectAndScatters[] = {
    {{"f32[16]", "f32[8]", "f32[]"},
     "f32[16]",
     "select-and-scatter(p0, p1, p2), window={size=2 stride=2}, select=ge, "
     "scatter=add"},
    {{"f32[17,6]", "f32[9,6]", "f32[]"},
     "f32[17,6]",
     "select-and-scatter(p0, p1, p2), window={size=3x3 stride=2x1 "
     "pad=1_1x1_1}, select=ge, scatter=add"},
    {{"f32[23]", "f32[5]", "f32[]"},
     "f32[23]",
     "select-and-scatter(p0, p1, p2), window={size=2 stride=5 pad=0_1}, "
     "select=ge, scatter=add"},
    {{"f32[9,7]", "f32[1,7]", "f32[]"},
     "f32[9,7]",
     "select-and-scatter(p0, p1, p2), window={size=9x1}, select=ge, "
     "scatter=add"},
};
INSTANTIATE_TEST_SUITE_P(SelectAndScatter, SpmdWindowOpTest,
                         ::testing::ValuesIn(kSelectAndScatters));

// Random sizes, windows and moves of one dimension, beside another one.
class RandomOps {
 public:
  explicit RandomOps(uint64_t seed) : random_(seed) {}

  OpCase Next() {
    switch (random_() % 6) {
      case 0:
        return Slice();
      case 1:
        return Pad();
      case 2:
        return Concatenate();
      case 3:
        return Convolution();
      case 4:
        return SelectAndScatter();
      default:
        return ReduceWindow();
    }
  }

 private:
  int Between(int low, int high) {
    return low + static_cast<int>(random_() % (high - low + 1));
  }

  // The other dimension: with a long one, transfers are cheaper than gathering,
  // no matter how many there are.
  int Beside() { return random_() % 2 == 0 ? 4 : 1200; }

  OpCase Slice() {
    const int beside = Beside();
    const int n = Between(1, 40);
    const int start = Between(0, n - 1);
    const int limit = Between(start + 1, n);
    const int stride = Between(1, 4);
    const int size = (limit - start + stride - 1) / stride;
    return {{absl::StrCat("f32[", n, ",", beside, "]")},
            absl::StrCat("f32[", size, ",", beside, "]"),
            absl::StrCat("slice(p0), slice={[", start, ":", limit, ":", stride,
                         "], [0:", beside, "]}")};
  }

  OpCase Pad() {
    const int beside = Beside();
    const int n = Between(1, 20);
    const int interior = Between(0, 2);
    const int dilated = (n - 1) * (interior + 1) + 1;
    const int low = Between(-dilated / 2, 9);
    const int high = Between(1 - dilated - std::min(low, 0), 9);
    const int size = low + dilated + high;
    if (size < 1) return Pad();
    return {{absl::StrCat("f32[", beside, ",", n, "]"), "f32[]"},
            absl::StrCat("f32[", beside, ",", size, "]"),
            absl::StrCat("pad(p0, p1), padding=0_0x", low, "_", high, "_",
                         interior)};
  }

  OpCase Concatenate() {
    const int beside = Beside();
    OpCase op;
    std::vector<std::string> names;
    int size = 0;
    for (int i = Between(2, 4); i > 0; --i) {
      const int n = Between(1, 17);
      names.push_back(absl::StrCat("p", op.parameters.size()));
      op.parameters.push_back(absl::StrCat("f32[", n, ",", beside, "]"));
      size += n;
    }
    op.result = absl::StrCat("f32[", size, ",", beside, "]");
    op.op = absl::StrCat("concatenate(", absl::StrJoin(names, ", "),
                         "), dimensions={0}");
    return op;
  }

  // A random window over n elements: its size, and its text without it.
  struct RandomWindow {
    int size;
    std::string rest;
    int results;
  };

  RandomWindow Window(int n, int largest, bool dilates, int low, int high) {
    while (true) {
      const int window = Between(1, largest);
      const int stride = Between(1, 3);
      const int base = dilates ? Between(1, 3) : 1;
      const int dilation = dilates ? Between(1, 2) : 1;
      const int before = Between(low, high);
      const int after = Between(low, high);
      const int room =
          (n - 1) * base + 1 + before + after - (window - 1) * dilation - 1;
      if (room < 0) continue;
      std::string rest = absl::StrCat(" stride=", stride, "x1 pad=", before,
                                      "_", after, "x0_0");
      if (dilates) {
        absl::StrAppend(&rest, " lhs_dilate=", base, "x1 rhs_dilate=", dilation,
                        "x1");
      }
      return {window, rest, room / stride + 1};
    }
  }

  OpCase ReduceWindow() {
    const int beside = Beside();
    const int n = Between(1, 24);
    const RandomWindow window = Window(n, 6, true, -1, 6);
    return {{absl::StrCat("f32[", n, ",", beside, "]"), "f32[]"},
            absl::StrCat("f32[", window.results, ",", beside, "]"),
            absl::StrCat("reduce-window(p0, p1), window={size=", window.size,
                         "x1", window.rest,
                         "}, to_apply=", random_() % 2 == 0 ? "add" : "max")};
  }

  OpCase SelectAndScatter() {
    const int n = Between(1, 24);
    const RandomWindow window = Window(n, 4, false, 0, 2);
    return {{absl::StrCat("f32[", n, ",3]"),
             absl::StrCat("f32[", window.results, ",3]"), "f32[]"},
            absl::StrCat("f32[", n, ",3]"),
            absl::StrCat(
                "select-and-scatter(p0, p1, p2), window={size=", window.size,
                "x1", window.rest, "}, select=ge, scatter=add")};
  }

  OpCase Convolution() {
    const int n = Between(1, 20);
    const RandomWindow window = Window(n, 12, true, -1, 6);
    const int groups = Between(1, 2);
    return {{absl::StrCat("f32[4,", n, ",1,4]"),
             absl::StrCat("f32[", window.size, ",1,", 4 / groups, ",6]")},
            absl::StrCat("f32[4,", window.results, ",1,6]"),
            absl::StrCat("convolution(p0, p1), window={size=", window.size,
                         "x1", window.rest, " rhs_reversal=", random_() % 2,
                         "x0}, dim_labels=b01f_01io->b01f, "
                         "feature_group_count=",
                         groups)};
  }

  std::mt19937_64 random_;
};

TEST(SpmdRandomWindowTest, PartsAreThoseOfTheWhole) {
  RandomOps ops(11);
  std::mt19937_64 random(12);
  for (int round = 0; round < 300; ++round) {
    ExpectPartsOfWhole(
        ModuleOf(ops.Next(), kMeshes[random() % std::size(kMeshes)], random));
    if (HasFailure()) return;
  }
}

// Neither reducer has an identity that the partitioner knows.
TEST(SpmdWindowTest, ReducersOfSeveralOps) {
  const std::string program = R"(HloModule m, num_partitions=4
pick {
  v = f32[] parameter(0)
  i = s32[] parameter(1)
  w = f32[] parameter(2)
  j = s32[] parameter(3)
  more = pred[] compare(v, w), direction=GT
  same = pred[] compare(v, w), direction=EQ
  first = pred[] compare(i, j), direction=LT
  tie = pred[] and(same, first)
  mine = pred[] or(more, tie)
  a = f32[] select(mine, v, w)
  b = s32[] select(mine, i, j)
  ROOT t = (f32[], s32[]) tuple(a, b)
}
mix {
  x = f32[] parameter(0)
  y = f32[] parameter(1)
  n = f32[] negate(x)
  ROOT r = f32[] add(n, y)
}
ENTRY e {
  x = f32[13,3] parameter(0), sharding={mesh['a'=4], [{'a'}, {}]}
  i = s32[13,3] parameter(1), sharding={mesh['a'=4], [{'a'}, {}]}
  low = f32[] constant(-inf)
  last = s32[] constant(2147483647)
  zero = f32[] constant(0)
  w = (f32[13,3], s32[13,3]) reduce-window(x, i, low, last), window={size=WINDOWx1 pad=PADx0_0}, to_apply=pick
  v = f32[13,3] get-tuple-element(w), index=0
  j = s32[13,3] get-tuple-element(w), index=1
  m = f32[13,3] reduce-window(x, zero), window={size=3x1 pad=1_1x0_0}, to_apply=mix, sharding={mesh['a'=4], [{'a'}, {}]}
  n = f32[6,3] reduce-window(x, zero), window={size=2x1 stride=2x1}, to_apply=mix, sharding={mesh['a'=4], [{'a'}, {}]}
  ROOT t = (f32[13,3], s32[13,3], f32[13,3], f32[6,3]) tuple(v, j, m, n), sharding={{mesh['a'=4], [{'a'}, {}]}, {mesh['a'=4], [{'a'}, {}]}, {mesh['a'=4], [{'a'}, {}]}, {mesh['a'=4], [{'a'}, {}]}}
})";
  for (const auto& [window, pad] :
       {std::pair("3", "1_1"), {"13", "12_0"}, {"13", "0_12"}}) {
    ExpectPartsOfWhole(
        absl::StrReplaceAll(program, {{"WINDOW", window}, {"PAD", pad}}));
  }
}

// Slices of one array that are joined: rolls, exchanged halves, repetition.
TEST(SpmdWindowTest, JoinedSlices) {
  const std::string program = R"(HloModule m, num_partitions=$D
ENTRY e {
  x = f32[$N,3] parameter(0), sharding={mesh['a'=$D], [{'a'}, {}]}
  a = f32[$A,3] slice(x), slice={[$M:$N], [0:3]}
  b = f32[$M,3] slice(x), slice={[0:$M], [0:3]}
  r = f32[$N,3] concatenate(a, b), dimensions={0}, sharding={mesh['a'=$D], [{'a'}, {}]}
  d = f32[$A,3] slice(r), slice={[$M:$N], [0:3]}
  e = f32[$M,3] slice(r), slice={[0:$M], [0:3]}
  s = f32[$L,3] concatenate(e, d, e), dimensions={0}, sharding={mesh['a'=$D], [{'a'}, {}]}
  ROOT t = (f32[$N,3], f32[$L,3]) tuple(r, s), sharding={{mesh['a'=$D], [{'a'}, {}]}, {mesh['a'=$D], [{'a'}, {}]}}
})";
  for (const int devices : {2, 3, 8}) {
    for (const int n : {7, 16, 24, 37}) {
      for (const int m : {1, n / 3, n - 1}) {
        ExpectPartsOfWhole(
            absl::StrReplaceAll(program, {{"$D", absl::StrCat(devices)},
                                          {"$N", absl::StrCat(n)},
                                          {"$M", absl::StrCat(m)},
                                          {"$A", absl::StrCat(n - m)},
                                          {"$L", absl::StrCat(n + m)}}));
      }
    }
  }
}

// A roll, a stencil, and a small network with its gradients.
TEST(SpmdWindowTest, Programs) {
  ExpectPartsOfWhole(R"(HloModule m, num_partitions=8
ENTRY e {
  x = f32[64,4] parameter(0), sharding={mesh['a'=8], [{'a'}, {}]}
  tail = f32[1,4] slice(x), slice={[63:64], [0:4]}
  head = f32[63,4] slice(x), slice={[0:63], [0:4]}
  roll = f32[64,4] concatenate(tail, head), dimensions={0}
  left = f32[62,4] slice(roll), slice={[0:62], [0:4]}
  right = f32[62,4] slice(x), slice={[2:64], [0:4]}
  sum = f32[62,4] add(left, right)
  zero = f32[] constant(0)
  ROOT p = f32[64,4] pad(sum, zero), padding=1_1x0_0, sharding={mesh['a'=8], [{'a'}, {}]}
})");
  ExpectPartsOfWhole(R"(HloModule m, num_partitions=4
ENTRY e {
  x = f32[2,16,16,3] parameter(0), sharding={mesh['a'=2,'b'=2], [{}, {'a'}, {'b'}, {}]}
  k = f32[3,3,3,4] parameter(1)
  g = f32[2,8,8,4] parameter(2), sharding={mesh['a'=2,'b'=2], [{}, {'a'}, {'b'}, {}]}
  zero = f32[] constant(0)
  low = f32[] constant(-inf)
  c = f32[2,16,16,4] convolution(x, k), window={size=3x3 pad=1_1x1_1}, dim_labels=b01f_01io->b01f
  p = f32[2,8,8,4] reduce-window(c, low), window={size=1x3x3x1 stride=1x2x2x1 pad=0_0x0_1x0_1x0_0}, to_apply=max
  dc = f32[2,16,16,4] select-and-scatter(c, g, zero), window={size=1x3x3x1 stride=1x2x2x1 pad=0_0x0_1x0_1x0_0}, select=ge, scatter=add
  dk = f32[3,3,3,4] convolution(x, dc), window={size=16x16 pad=1_1x1_1}, dim_labels=f01b_i01o->01bf
  dx = f32[2,16,16,3] convolution(dc, k), window={size=3x3 pad=1_1x1_1 rhs_reversal=1x1}, dim_labels=b01f_01oi->b01f
  ROOT t = (f32[2,8,8,4], f32[3,3,3,4], f32[2,16,16,3]) tuple(p, dk, dx), sharding={{mesh['a'=2,'b'=2], [{}, {'a'}, {'b'}, {}]}, {mesh['a'=2,'b'=2], replicated}, {mesh['a'=2,'b'=2], [{}, {'a'}, {'b'}, {}]}}
})");
}

}  // namespace
}  // namespace xla
