// Collectives between devices of one process: their values for groups, sizes
// and numbers of threads of all kinds, results in the memory of operands, and
// programs that run many times.
#include <algorithm>
#include <cstring>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "tests/backends/cpu/thunks/thunk_test_base.h"
#include "xla/backends/cpu/thunks/collectives/move_collectives.h"
#include "xla/backends/cpu/thunks/collectives/reduce_collectives.h"
#include "xla/backends/cpu/thunks/collectives/row_copies.h"
#include "xla/backends/cpu/thunks/thunk_sequence_builder.h"
#include "xla/core/shape_util.h"

namespace xla::cpu {
namespace {

using ::testing::HasSubstr;
using Groups = std::vector<std::vector<int64_t>>;

// A function of which the order of its operands, and of its calls, shows in the
// last bits.
float Mix(float x, float y) { return x / 3 + y; }

void MixFloats(char* const* a, int64_t begin, int64_t end) {
  const auto* x = reinterpret_cast<const float*>(a[0]);
  const auto* y = reinterpret_cast<const float*>(a[1]);
  auto* result = reinterpret_cast<float*>(a[2]);
  for (int64_t i = begin; i < end; ++i) result[i] = Mix(x[i], y[i]);
}

// Element i of the array number `array` of device d.
float ValueAt(int64_t d, int array, int64_t i) {
  return static_cast<float>((i * 7919 + d * 104729 + array * 31) % 1009) / 37;
}

// Allocations that hold operands and results, for arrays of floats.
struct Arrays {
  std::vector<Shape> shapes;  // of the operands
  std::vector<int> from, to;
};

CollectiveSite SiteOf(absl::string_view op, int64_t devices,
                      const Groups& groups, const Arrays& arrays,
                      const std::vector<Shape>& results) {
  const ReplicaGroups replica_groups(groups);
  CollectiveSite site{
      .name = absl::StrCat(op, ".1"),
      .op = op,
      .channel = 0,
      .membership = Membership::Create(
          replica_groups, COLLECTIVE_OP_GROUP_MODE_CROSS_REPLICA, {devices, 1}),
      .shapes = arrays.shapes,
      .operands = {},
      .results = {}};
  for (size_t i = 0; i < arrays.from.size(); ++i) {
    site.operands.push_back(
        Whole(arrays.from[i], 4 * ShapeUtil::ElementsIn(arrays.shapes[i])));
  }
  for (size_t i = 0; i < arrays.to.size(); ++i) {
    site.results.push_back(
        Whole(arrays.to[i], 4 * ShapeUtil::ElementsIn(results[i])));
  }
  return site;
}

Shape Floats(std::vector<int64_t> dimensions) {
  return ShapeUtil::MakeShape(F32, dimensions);
}

Groups OneGroup(int64_t devices) {
  Groups groups(1);
  for (int64_t d = 0; d < devices; ++d) groups[0].push_back(d);
  return groups;
}

int64_t BytesOf(const std::vector<Shape>& shapes) {
  int64_t bytes = 0;
  for (const Shape& shape : shapes) {
    bytes = std::max(bytes, 4 * ShapeUtil::ElementsIn(shape));
  }
  return bytes;
}

// Expects both arrays to be equal to the last bit.
void ExpectSame(const float* found, const std::vector<float>& expected) {
  if (expected.empty() ||
      std::memcmp(found, expected.data(), 4 * expected.size()) == 0) {
    return;
  }
  for (size_t i = 0; i < expected.size(); ++i) {
    ASSERT_EQ(std::memcmp(&found[i], &expected[i], 4), 0)
        << "element " << i << ": " << found[i] << " instead of " << expected[i];
  }
}

// Runs one collective on fresh devices, with different threads, and compares
// each result with expected(device, array, element).
using Expected = std::function<float(int64_t, int, int64_t)>;
void Check(std::unique_ptr<Thunk> thunk, int64_t devices, const Arrays& arrays,
           const std::vector<Shape>& results, const Expected& expected) {
  ThunkSequence thunks;
  thunks.push_back(std::move(thunk));
  int allocations = 1;
  for (int i : arrays.from) allocations = std::max(allocations, i + 1);
  for (int i : arrays.to) allocations = std::max(allocations, i + 1);
  // By device, then by array.
  std::vector<std::vector<std::vector<float>>> before(devices), after(devices);
  for (int64_t d = 0; d < devices; ++d) {
    for (size_t a = 0; a < arrays.from.size(); ++a) {
      std::vector<float>& values = before[d].emplace_back();
      values.resize(ShapeUtil::ElementsIn(arrays.shapes[a]));
      for (size_t i = 0; i < values.size(); ++i) values[i] = ValueAt(d, a, i);
    }
    for (size_t a = 0; a < arrays.to.size(); ++a) {
      std::vector<float>& values = after[d].emplace_back();
      values.resize(ShapeUtil::ElementsIn(results[a]));
      for (size_t i = 0; i < values.size(); ++i) values[i] = expected(d, a, i);
    }
  }
  ThreadPool two(2), three(3);
  for (ThreadPool* pool : {static_cast<ThreadPool*>(nullptr), &two, &three}) {
    SCOPED_TRACE(absl::StrCat(pool == nullptr ? 1 : pool->num_threads(),
                              " threads, ", devices, " devices"));
    TestDevices memory(DeviceCounts{devices, 1}, allocations,
                       std::max(BytesOf(arrays.shapes), BytesOf(results)));
    for (int64_t d = 0; d < devices; ++d) {
      for (size_t a = 0; a < arrays.from.size(); ++a) {
        std::copy(before[d][a].begin(), before[d][a].end(),
                  &memory.At<float>(d, arrays.from[a]));
      }
    }
    const absl::Status status = memory.Run(thunks, pool, true);
    ASSERT_TRUE(status.ok()) << status;
    for (int64_t d = 0; d < devices; ++d) {
      for (size_t a = 0; a < arrays.to.size(); ++a) {
        SCOPED_TRACE(absl::StrCat("device ", d, ", array ", a));
        ExpectSame(&memory.At<float>(d, arrays.to[a]), after[d][a]);
      }
    }
  }
}

const std::vector<int64_t>& GroupOf(const Groups& groups, int64_t device) {
  for (const auto& group : groups) {
    for (int64_t member : group) {
      if (member == device) return group;
    }
  }
  return groups[0];
}

int64_t PlaceOf(const std::vector<int64_t>& group, int64_t device) {
  return std::find(group.begin(), group.end(), device) - group.begin();
}

// Element i of all members' array, reduced in the order of the group.
float Reduced(const std::vector<int64_t>& group, int array, int64_t i) {
  float sum = ValueAt(group[0], array, i);
  for (size_t p = 1; p < group.size(); ++p) {
    sum = Mix(sum, ValueAt(group[p], array, i));
  }
  return sum;
}

void CheckAllReduce(int64_t devices, const Groups& groups,
                    const Arrays& arrays) {
  Check(std::make_unique<AllReduceThunk>(
            SiteOf("all-reduce", devices, groups, arrays, arrays.shapes),
            Reducer(MixFloats, F32)),
        devices, arrays, arrays.shapes, [&](int64_t d, int a, int64_t i) {
          return Reduced(GroupOf(groups, d), a, i);
        });
}

TEST(AllReduceTest, FoldsInTheOrderOfTheGroup) {
  for (int64_t devices = 1; devices <= 8; ++devices) {
    for (int64_t n : {0, 1, 63, 64, 257, 5000}) {
      CheckAllReduce(devices, OneGroup(devices), {{Floats({n})}, {0}, {1}});
      CheckAllReduce(devices, OneGroup(devices), {{Floats({n})}, {0}, {0}});
    }
  }
  CheckAllReduce(5, {{3, 1}, {4, 0, 2}}, {{Floats({300})}, {0}, {0}});
  CheckAllReduce(4, {{3}, {2, 1, 0}}, {{Floats({300})}, {0}, {1}});
}

TEST(AllReduceTest, LargeArraysOnSeveralThreads) {
  // In the caches, and past them.
  for (int64_t n : {100'003, 1'050'003}) {
    CheckAllReduce(2, OneGroup(2), {{Floats({n})}, {0}, {1}});
  }
  for (int64_t n : {100'003, 700'003}) {
    CheckAllReduce(3, {{2, 0, 1}}, {{Floats({n})}, {0}, {0}});
  }
}

TEST(AllReduceTest, SeveralArrays) {
  const Shape small = Floats({3}), none = Floats({0}), large = Floats({90'001});
  CheckAllReduce(3, OneGroup(3),
                 {{small, none, large, none}, {0, 1, 2, 3}, {4, 5, 6, 7}});
  // Results over operands of the same number, and over others.
  CheckAllReduce(3, OneGroup(3), {{large, large}, {0, 1}, {0, 1}});
  CheckAllReduce(3, OneGroup(3), {{large, large}, {0, 1}, {1, 0}});
  CheckAllReduce(2, OneGroup(2), {{small, small, small}, {0, 1, 2}, {1, 2, 0}});
}

TEST(ReduceScatterTest, RunsOfAnyLength) {
  struct Case {
    std::vector<int64_t> shape;
    int64_t dimension;
  };
  for (int64_t devices : {1, 2, 3, 8}) {
    for (const Case& c :
         {Case{{devices * 5}, 0}, Case{{7, devices}, 1},
          Case{{3, devices * 3, 5}, 1}, Case{{50, devices * 11, 13}, 1},
          Case{{devices * 4099, 3}, 0}, Case{{5, 0, devices}, 2}}) {
      const Groups groups = OneGroup(devices);
      std::vector<int64_t> part = c.shape;
      part[c.dimension] /= devices;
      const Arrays arrays{{Floats(c.shape)}, {0}, {1}};
      const RowLayout whole(arrays.shapes[0], c.dimension);
      Check(
          std::make_unique<ReduceScatterThunk>(
              SiteOf("reduce-scatter", devices, groups, arrays, {Floats(part)}),
              Reducer(MixFloats, F32), c.dimension,
              std::vector<Shape>{Floats(part)}),
          devices, arrays, {Floats(part)}, [&](int64_t d, int, int64_t i) {
            const int64_t run = whole.stride() / 4 / devices;
            return Reduced(groups[0], 0,
                           i / run * run * devices + d * run + i % run);
          });
    }
  }
}

TEST(ReduceScatterTest, PastTheCaches) {
  const std::vector<int64_t> group = {1, 0};
  const Arrays arrays{{Floats({2, 4, 180'003})}, {0}, {1}};
  const Shape part = Floats({2, 2, 180'003});
  Check(std::make_unique<ReduceScatterThunk>(
            SiteOf("reduce-scatter", 2, {group}, arrays, {part}),
            Reducer(MixFloats, F32), 1, std::vector<Shape>{part}),
        2, arrays, {part}, [&](int64_t d, int, int64_t i) {
          const int64_t run = 2 * 180'003;
          return Reduced(group, 0, i / run * 2 * run + (1 - d) * run + i % run);
        });
}

TEST(AllGatherTest, RowsOfAnyLength) {
  for (int64_t devices : {1, 2, 5, 8}) {
    for (int64_t length : {1, 2, 3, 70, 20'011}) {
      const int64_t rows = length > 1000 ? 3 : 17;
      const Arrays arrays{{Floats({rows, length})}, {0}, {1}};
      const Shape result = Floats({rows, length * devices});
      Groups groups = OneGroup(devices);
      std::reverse(groups[0].begin(), groups[0].end());
      Check(std::make_unique<AllGatherThunk>(
                SiteOf("all-gather", devices, groups, arrays, {result}), 1,
                std::vector<Shape>{result}),
            devices, arrays, {result}, [&](int64_t, int, int64_t i) {
              const int64_t row = i / (length * devices);
              const int64_t at = i % (length * devices);
              return ValueAt(groups[0][at / length], 0,
                             row * length + at % length);
            });
    }
  }
}

TEST(AllGatherTest, PastTheCaches) {
  const Arrays arrays{{Floats({2, 200'003})}, {0}, {1}};
  const Shape result = Floats({6, 200'003});
  Check(std::make_unique<AllGatherThunk>(
            SiteOf("all-gather", 3, OneGroup(3), arrays, {result}), 0,
            std::vector<Shape>{result}),
        3, arrays, {result}, [&](int64_t, int, int64_t i) {
          return ValueAt(i / 400'006, 0, i % 400'006);
        });
}

TEST(AllToAllTest, ArraysAndTuples) {
  for (int64_t devices : {1, 2, 3, 8}) {
    for (int64_t length : {1, 7, 9'001}) {
      for (int to : {0, 1}) {
        const int64_t block = 2 * length;
        const Shape shape = Floats({3, 2 * devices, length});
        const Arrays arrays{{shape}, {0}, {to}};
        Check(std::make_unique<AllToAllThunk>(
                  SiteOf("all-to-all", devices, OneGroup(devices), arrays,
                         {shape}),
                  1),
              devices, arrays, {shape}, [&](int64_t d, int, int64_t i) {
                const int64_t row = i / (devices * block);
                const int64_t sender = i / block % devices;
                return ValueAt(sender, 0,
                               (row * devices + d) * block + i % block);
              });
      }
    }
  }
  const Shape shape = Floats({1001});
  const Arrays arrays{{shape, shape, shape}, {0, 1, 2}, {2, 1, 0}};
  Check(std::make_unique<AllToAllThunk>(
            SiteOf("all-to-all", 3, {{2, 0, 1}}, arrays, arrays.shapes), -1),
        3, arrays, arrays.shapes, [&](int64_t d, int a, int64_t i) {
          const std::vector<int64_t> group = {2, 0, 1};
          return ValueAt(group[a], static_cast<int>(PlaceOf(group, d)), i);
        });
}

TEST(CollectivePermuteTest, CyclesAndZeros) {
  for (int64_t n : {1, 1003, 550'003}) {
    for (int to : {0, 1}) {
      const Arrays arrays{{Floats({n})}, {0}, {to}};
      // 0 -> 1 -> 2 -> 0, 2 -> 3; nothing goes to 4.
      const std::vector<int64_t> source = {2, 0, 1, 2, -1};
      Check(std::make_unique<CollectivePermuteThunk>(
                SiteOf("collective-permute", 5, OneGroup(5), arrays,
                       arrays.shapes),
                source),
            5, arrays, arrays.shapes, [&](int64_t d, int, int64_t i) {
              return source[d] < 0 ? 0 : ValueAt(source[d], 0, i);
            });
    }
  }
}

TEST(CollectiveBroadcastTest, FromTheFirstOfTheGroup) {
  for (int64_t n : {1, 1003, 850'003}) {
    for (int to : {0, 1}) {
      const Arrays arrays{{Floats({n})}, {0}, {to}};
      Check(std::make_unique<CollectiveBroadcastThunk>(
                SiteOf("collective-broadcast", 4, {{2, 0, 1, 3}}, arrays,
                       arrays.shapes)),
            4, arrays, arrays.shapes,
            [&](int64_t, int, int64_t i) { return ValueAt(2, 0, i); });
    }
  }
}

// An all-reduce of a channel.
std::unique_ptr<Thunk> OnChannel(int64_t devices, int64_t n, int from, int to) {
  const Arrays arrays{{Floats({n})}, {from}, {to}};
  CollectiveSite site =
      SiteOf("all-reduce", devices, OneGroup(devices), arrays, arrays.shapes);
  site.channel = 5;
  return std::make_unique<AllReduceThunk>(std::move(site),
                                          Reducer(MixFloats, F32));
}

TEST(CollectivesOfOneChannelTest, ResultsOfSomeAreInPlace) {
  // Device 1 has another thunk than the others, in place.
  constexpr int64_t kDevices = 3, kElements = 40'000;
  const std::vector<int64_t> group = {0, 1, 2};
  ThunkSequenceBuilder builder;
  const auto other = builder.NewLabel(), end = builder.NewLabel();
  builder.AddJumpIfFalse("choose", Whole(2, 1), other);
  builder.Add(OnChannel(kDevices, kElements, 0, 0));
  builder.AddJump("end", end);
  builder.Bind(other);
  builder.Add(OnChannel(kDevices, kElements, 0, 1));
  builder.Bind(end);
  const ThunkSequence thunks = *std::move(builder).Build();
  ThreadPool pool(2);
  TestDevices devices(DeviceCounts{kDevices, 1}, 3, 4 * kElements);
  devices.At<char>(1, 2) = 1;
  for (int64_t d = 0; d < kDevices; ++d) {
    for (int64_t i = 0; i < kElements; ++i) {
      devices.At<float>(d, 0, i) = ValueAt(d, 0, i);
    }
  }
  ASSERT_TRUE(devices.Run(thunks, &pool, true).ok());
  for (int64_t d = 0; d < kDevices; ++d) {
    for (int64_t i = 0; i < kElements; ++i) {
      ASSERT_EQ(devices.At<float>(d, d == 1 ? 0 : 1, i), Reduced(group, 0, i))
          << d << ", " << i;
    }
  }
}

TEST(CollectivesOfOneChannelTest, TheErrorNamesWhoIsMissing) {
  ThunkSequenceBuilder builder;
  const auto end = builder.NewLabel();
  builder.AddJumpIfFalse("skip", Whole(2, 1), end);
  builder.Add(OnChannel(3, 4, 0, 1));
  builder.Bind(end);
  const ThunkSequence thunks = *std::move(builder).Build();
  ThreadPool pool(2);
  TestDevices devices(3, 3);
  // Runs with the same state after one that failed.
  for (int i = 0; i < 20; ++i) {
    for (int d = 0; d < 3; ++d) devices.At<char>(d, 2) = d == i % 3 ? 0 : 1;
    const absl::Status status = devices.RunAgain(thunks, &pool, true);
    EXPECT_EQ(status.code(), absl::StatusCode::kAborted);
    EXPECT_THAT(std::string(status.message()),
                HasSubstr(absl::StrCat(
                    "waits for all-reduce.1 (all-reduce, channel 5) with "
                    "devices {0,1,2}, of which {",
                    i % 3, "} did not arrive")));
    for (int d = 0; d < 3; ++d) devices.At<char>(d, 2) = 1;
    ASSERT_TRUE(devices.RunAgain(thunks, &pool, true).ok());
  }
}

TEST(CollectivesTest, SixteenCollectivesOnEightDevicesAThousandTimes) {
  constexpr int64_t kDevices = 8, kElements = 64;
  const Groups pairs = {{0, 1}, {2, 3}, {4, 5}, {6, 7}};
  const Groups halves = {{6, 4, 2, 0}, {1, 3, 5, 7}};
  const Arrays there{{Floats({kElements})}, {0}, {1}};
  const Arrays back{{Floats({kElements})}, {1}, {0}};
  const Arrays in_place{{Floats({kElements})}, {0}, {0}};
  ThunkSequence thunks;
  for (int i = 0; i < 4; ++i) {
    thunks.push_back(std::make_unique<CollectivePermuteThunk>(
        SiteOf("collective-permute", kDevices, OneGroup(kDevices), there,
               there.shapes),
        std::vector<int64_t>{7, 0, 1, 2, 3, 4, 5, 6}));
    thunks.push_back(std::make_unique<AllToAllThunk>(
        SiteOf("all-to-all", kDevices, halves, back, back.shapes), 0));
    thunks.push_back(std::make_unique<AllReduceThunk>(
        SiteOf("all-reduce", kDevices, pairs, in_place, in_place.shapes),
        Reducer(MixFloats, F32)));
    thunks.push_back(std::make_unique<AllReduceThunk>(
        SiteOf("all-reduce", kDevices, OneGroup(kDevices), in_place,
               in_place.shapes),
        Reducer(
            [](char* const* a, int64_t begin, int64_t end) {
              for (int64_t e = begin; e < end; ++e) {
                reinterpret_cast<float*>(a[2])[e] =
                    std::max(reinterpret_cast<const float*>(a[0])[e],
                             reinterpret_cast<const float*>(a[1])[e]);
              }
            },
            F32)));
  }
  // Once on this thread alone, which says what to expect.
  const auto begin = [&](TestDevices& devices) {
    for (int64_t d = 0; d < kDevices; ++d) {
      for (int64_t i = 0; i < kElements; ++i) {
        devices.At<float>(d, 0, i) = ValueAt(d, 0, i);
      }
    }
  };
  TestDevices expected(kDevices, 2), devices(kDevices, 2);
  begin(expected);
  ASSERT_TRUE(expected.Run(thunks).ok());
  ThreadPool pool(2);
  for (int run = 0; run < 1000; ++run) {
    begin(devices);
    ASSERT_TRUE(devices.RunAgain(thunks, &pool, true).ok());
    for (int64_t d = 0; d < kDevices; ++d) {
      ASSERT_EQ(std::memcmp(&devices.At<float>(d, 0), &expected.At<float>(d, 0),
                            4 * kElements),
                0)
          << "device " << d << " in run " << run;
    }
  }
  EXPECT_LE(pool.started_threads(), 2);
}

}  // namespace
}  // namespace xla::cpu
