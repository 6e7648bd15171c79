// Jumps, kernels and copies on one device.
#include "xla/backends/cpu/thunks/control_thunks.h"

#include <vector>

#include "gmock/gmock.h"
#include "tests/backends/cpu/thunks/thunk_test_base.h"
#include "xla/backends/cpu/thunks/thunk_sequence_builder.h"

namespace xla::cpu {
namespace {

using ::testing::HasSubstr;

int32_t& Int(char* const* arrays, int i) {
  return *reinterpret_cast<int32_t*>(arrays[i]);
}

// While allocation 0 is below 10, adds it to allocation 1, and 1 to it.
ThunkSequence SumBelowTen() {
  ThunkSequenceBuilder builder;
  const auto test = builder.NewLabel(), end = builder.NewLabel();
  builder.Bind(test);
  builder.Add(Kernel(3, [](char* const* a, int64_t, int64_t) {
    *a[2] = Int(a, 0) < 10 ? 1 : 0;
  }));
  builder.AddJumpIfFalse("while", Whole(2, 1), end);
  builder.Add(Kernel(
      2, [](char* const* a, int64_t, int64_t) { Int(a, 1) += Int(a, 0)++; }));
  builder.AddJump("while", test);
  builder.Bind(end);
  return *std::move(builder).Build();
}

TEST(ControlThunksTest, Loop) {
  TestDevices devices(1, 3);
  ASSERT_TRUE(devices.Run(SumBelowTen()).ok());
  EXPECT_EQ(devices.At<int32_t>(0, 0), 10);
  EXPECT_EQ(devices.At<int32_t>(0, 1), 45);
}

TEST(ControlThunksTest, Listing) {
  EXPECT_EQ(ThunkSequenceToString(SumBelowTen()),
            "0: kernel kernel\n1: jump-if-false while\n2: kernel kernel\n"
            "3: jump while\n");
}

// Sets allocation 1 to the number of the branch that allocation 0 selects.
ThunkSequence Branches(bool is_pred) {
  ThunkSequenceBuilder builder;
  const std::vector<ThunkSequenceBuilder::Label> branches = {
      builder.NewLabel(), builder.NewLabel(), builder.NewLabel()};
  const auto end = builder.NewLabel();
  builder.AddSwitch("switch", Whole(0, is_pred ? 1 : 4), is_pred, branches);
  const KernelFunction kernels[] = {
      [](char* const* a, int64_t, int64_t) { Int(a, 1) = 0; },
      [](char* const* a, int64_t, int64_t) { Int(a, 1) = 1; },
      [](char* const* a, int64_t, int64_t) { Int(a, 1) = 2; }};
  for (int i = 0; i < 3; ++i) {
    builder.Bind(branches[i]);
    builder.Add(Kernel(2, kernels[i]));
    builder.AddJump("end", end);
  }
  builder.Bind(end);
  return *std::move(builder).Build();
}

TEST(ControlThunksTest, SwitchTakesTheLastBranchForWhatIsOutOfRange) {
  const ThunkSequence thunks = Branches(/*is_pred=*/false);
  for (const auto& [index, branch] : std::vector<std::pair<int32_t, int32_t>>{
           {0, 0}, {1, 1}, {2, 2}, {3, 2}, {-1, 2}, {INT32_MIN, 2}}) {
    TestDevices devices(1, 2);
    devices.At<int32_t>(0, 0) = index;
    ASSERT_TRUE(devices.Run(thunks).ok());
    EXPECT_EQ(devices.At<int32_t>(0, 1), branch) << index;
  }
}

TEST(ControlThunksTest, SwitchOnPredTakesTheFirstBranchForTrue) {
  const ThunkSequence thunks = Branches(/*is_pred=*/true);
  for (const bool value : {false, true}) {
    TestDevices devices(1, 2);
    devices.At<bool>(0, 0) = value;
    ASSERT_TRUE(devices.Run(thunks).ok());
    EXPECT_EQ(devices.At<int32_t>(0, 1), value ? 0 : 1);
  }
}

TEST(ThunkSequenceBuilderTest, LabelsMustBeBoundOnce) {
  ThunkSequenceBuilder nowhere;
  nowhere.AddJump("jump", nowhere.NewLabel());
  EXPECT_THAT(std::move(nowhere).Build().status().message(),
              HasSubstr("bound nowhere"));
  ThunkSequenceBuilder twice;
  const auto label = twice.NewLabel();
  twice.Bind(label);
  twice.Bind(label);
  EXPECT_THAT(std::move(twice).Build().status().message(),
              HasSubstr("bound twice"));
}

TEST(KernelThunkTest, TasksCoverAllItemsOnce) {
  ThunkSequence thunks;
  thunks.push_back(std::make_unique<KernelThunk>(
      "kernel",
      [](char* const* a, int64_t begin, int64_t end) {
        for (int64_t i = begin; i < end; ++i) ++a[0][i];
      },
      50, 7, std::vector<Slice>{Whole(0, 50)}, BufferUses()));
  TestDevices devices(1, 1);
  ASSERT_TRUE(devices.Run(thunks).ok());
  for (int i = 0; i < 64; ++i) {
    EXPECT_EQ(devices.At<char>(0, 0, i), i < 50 ? 1 : 0) << i;
  }
}

// Parts of allocations in any order, arrays without memory, and whole
// allocations that follow each other.
TEST(KernelThunkTest, GetsItsOwnArraysInOrder) {
  const auto run = [](std::vector<Slice> arrays, KernelFunction function) {
    ThunkSequence thunks;
    thunks.push_back(std::make_unique<KernelThunk>(
        "kernel", function, 1, 1, std::move(arrays), BufferUses()));
    TestDevices devices(1, 4);
    for (int i = 0; i < 4; ++i) {
      for (int j = 0; j < 4; ++j) devices.At<int32_t>(0, i, j) = 10 * i + j;
    }
    EXPECT_TRUE(devices.Run(thunks).ok());
    return devices.At<int32_t>(0, 3);
  };
  EXPECT_EQ(run({{3, 0, 4}, {1, 8, 4}, {-1, 0, 0}, {1, 4, 4}},
                [](char* const* a, int64_t, int64_t) {
                  Int(a, 0) = a[2] == nullptr ? 100 * Int(a, 1) + Int(a, 3) : 0;
                }),
            1211);
  EXPECT_EQ(run({Whole(1, 256), Whole(2, 256), Whole(3, 256)},
                [](char* const* a, int64_t, int64_t) {
                  Int(a, 2) += 100 * Int(a, 0) + Int(a, 1);
                }),
            1050);
}

TEST(CopyThunkTest, CopiesInOrderAndLeavesEqualAddressesAlone) {
  ThunkSequence thunks;
  thunks.push_back(std::make_unique<CopyThunk>(
      "copy", std::vector<CopyThunk::Move>{{Whole(0, 4), Whole(1, 4)},
                                           {Whole(1, 4), Whole(2, 4)},
                                           {Whole(2, 4), Whole(2, 4)}}));
  TestDevices devices(1, 3);
  devices.At<int32_t>(0, 0) = 7;
  ASSERT_TRUE(devices.Run(thunks).ok());
  EXPECT_EQ(devices.At<int32_t>(0, 2), 7);
}

TEST(CopyThunkTest, LargeOnesInPieces) {
  class TwoThreads : public InlineRunner {
   public:
    int num_threads() const override { return 2; }
  };
  TwoThreads runner;
  std::vector<char> from((5 << 20) + 3), to(from.size());
  for (size_t i = 0; i < from.size(); ++i) from[i] = static_cast<char>(i * 7);
  CopyBytes(runner, from.data(), to.data(), from.size());
  EXPECT_EQ(from, to);
  // Overlapping copies behave like memmove.
  std::vector<char> expected(from.begin(), from.end() - 1);
  CopyBytes(runner, from.data(), from.data() + 1, from.size() - 1);
  EXPECT_TRUE(std::equal(expected.begin(), expected.end(), from.begin() + 1));
}

}  // namespace
}  // namespace xla::cpu
