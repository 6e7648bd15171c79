// Schedules modules with hlo_memory_scheduler.h, written as for XLA.
#include "xla/hlo/transforms/simplifiers/hlo_memory_scheduler.h"

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "xla/hlo/analysis/alias_info.h"
#include "xla/hlo/ir/hlo_module.h"
#include "xla/hlo/ir/hlo_schedule.h"
#include "xla/hlo/testlib/hlo_hardware_independent_test_base.h"
#include "xla/service/buffer_value.h"
#include "xla/shape_util.h"
#include "xla/tsl/platform/statusor.h"

namespace xla {
namespace {

using ::testing::ElementsAre;
using ::testing::UnorderedElementsAre;

// The two sums read wide values: one after the other, one of these is alive.
constexpr absl::string_view kTwoSums = R"(
HloModule two_sums
add {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT c = f32[] add(a, b)
}
ENTRY main {
  x = f32[] parameter(0)
  zero = f32[] constant(0)
  wide_1 = f32[1000] broadcast(x), dimensions={}
  wide_2 = f32[1000] broadcast(x), dimensions={}
  sum_1 = f32[] reduce(wide_1, zero), dimensions={0}, to_apply=add
  sum_2 = f32[] reduce(wide_2, zero), dimensions={0}, to_apply=add
  ROOT r = f32[] add(sum_1, sum_2)
})";

class HloMemorySchedulerTest : public HloHardwareIndependentTestBase {
 protected:
  static int64_t SizeOf(const BufferValue& value) {
    return ShapeUtil::ByteSizeOf(value.shape(), /*pointer_size=*/8);
  }
  static std::vector<std::string> Names(const HloModule& module,
                                        const HloSchedule& schedule) {
    std::vector<std::string> names;
    for (const HloInstruction* hlo :
         schedule.sequence(module.entry_computation()).instructions()) {
      names.emplace_back(hlo->name());
    }
    return names;
  }

  AliasInfo alias_info_;
};

TEST_F(HloMemorySchedulerTest, AlgorithmsNeedLittleMemory) {
  TF_ASSERT_OK_AND_ASSIGN(const auto module,
                          ParseAndReturnVerifiedModule(kTwoSums));
  const int64_t little = 4000 + 5 * 4;
  for (const ModuleSchedulerAlgorithm* algorithm :
       std::initializer_list<const ModuleSchedulerAlgorithm*>{
           new ListMemoryScheduler(&alias_info_, SizeOf),
           new DFSMemoryScheduler(&alias_info_, SizeOf),
           new DefaultMemoryScheduler(&alias_info_, SizeOf)}) {
    const std::unique_ptr<const ModuleSchedulerAlgorithm> owned(algorithm);
    int64_t peak = 0;
    TF_ASSERT_OK_AND_ASSIGN(const HloSchedule schedule,
                            ScheduleModule(module.get(), *owned, {}, &peak));
    EXPECT_GT(peak, 4000);
    EXPECT_LE(peak, little);
    EXPECT_EQ(schedule.sequences().size(), 2);
  }
  EXPECT_TRUE(
      ScheduleModule(module.get(), PostOrderScheduler(&alias_info_, SizeOf))
          .ok());
  int64_t peak = 0;
  TF_ASSERT_OK_AND_ASSIGN(
      const HloSchedule wide,
      ScheduleModule(module.get(), BFScheduler(&alias_info_, SizeOf), {},
                     &peak));
  EXPECT_GE(peak, 8000);
  EXPECT_THAT(Names(*module, wide), ElementsAre("x", "zero", "wide_1", "wide_2",
                                                "sum_1", "sum_2", "r"));
  TF_ASSERT_OK_AND_ASSIGN(
      const HloSchedule schedule,
      ScheduleModule(module.get(), &alias_info_, SizeOf, {}, &peak));
  EXPECT_LE(peak, little);
}

TEST_F(HloMemorySchedulerTest, SizesAndPostprocessorsCount) {
  TF_ASSERT_OK_AND_ASSIGN(const auto module,
                          ParseAndReturnVerifiedModule(kTwoSums));
  int64_t peak = 0;
  int calls = 0;
  auto count = [&](const HloInstructionSequence& sequence) {
    ++calls;
    return sequence;
  };
  TF_ASSERT_OK_AND_ASSIGN(
      const HloSchedule schedule,
      ScheduleModule(
          module.get(),
          DFSMemoryScheduler(
              &alias_info_, [](const BufferValue&) { return 1; }, count),
          {}, &peak));
  EXPECT_EQ(calls, 2);
  EXPECT_LE(peak, 5);
}

TEST_F(HloMemorySchedulerTest, Passes) {
  TF_ASSERT_OK_AND_ASSIGN(const auto module,
                          ParseAndReturnVerifiedModule(kTwoSums));
  EXPECT_TRUE(
      HloMemoryScheduler(&alias_info_, SizeOf).Run(module.get()).value());
  EXPECT_TRUE(module->has_schedule());
  EXPECT_THAT(Names(*module, module->schedule()),
              UnorderedElementsAre("x", "zero", "wide_1", "wide_2", "sum_1",
                                   "sum_2", "r"));
  EXPECT_TRUE(HloDescheduler().Run(module.get()).value());
  EXPECT_FALSE(module->has_schedule());
  EXPECT_FALSE(HloDescheduler().Run(module.get()).value());
  EXPECT_TRUE(HloTrivialScheduler().Run(module.get()).value());
  EXPECT_TRUE(module->has_schedule());
  EXPECT_TRUE(module->schedule().Verify().ok());
}

}  // namespace
}  // namespace xla
