// Tests the thunks that programs become, the arrays on the stack of sequences,
// and the estimated cost of a run.
#include "xla/backends/cpu/planning/thunk_planner.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "gmock/gmock.h"
#include "tests/backends/cpu/planned_program.h"
#include "xla/backends/cpu/planning/run_cost.h"

namespace xla::cpu {
namespace {

using ::testing::Gt;
using ::testing::Lt;
using Kind = PlannedThunk::Kind;

// x becomes 2 x + 1, ROUNDS times.
constexpr char kLoop[] = R"(
HloModule loop
less {
  p = (s32[], f32[SIZE]) parameter(0)
  i = s32[] get-tuple-element(p), index=0
  n = s32[] LIMIT
  ROOT c = pred[] compare(i, n), direction=LT
}
step {
  p = (s32[], f32[SIZE]) parameter(0)
  i = s32[] get-tuple-element(p), index=0
  x = f32[SIZE] get-tuple-element(p), index=1
  one = s32[] constant(1)
  j = s32[] add(i, one)
  unit = f32[] constant(1)
  units = f32[SIZE] broadcast(unit), dimensions={}
  y = f32[SIZE] add(x, x)
  z = f32[SIZE] add(y, units)
  ROOT t = (s32[], f32[SIZE]) tuple(j, z)
}
ENTRY e {
  x = f32[SIZE] parameter(0)
  zero = s32[] constant(0)
  t = (s32[], f32[SIZE]) tuple(zero, x)
  w = (s32[], f32[SIZE]) while(t), condition=less, body=step
  ROOT r = f32[SIZE] get-tuple-element(w), index=1
})";

class ThunkPlannerTest : public PlannedProgramTest {
 protected:
  void PlanLoop(int size, const std::string& limit) {
    Plan(absl::StrReplaceAll(kLoop,
                             {{"SIZE", absl::StrCat(size)}, {"LIMIT", limit}}));
  }
  // Returns the estimated nanoseconds of a run without the call itself.
  double Cost() const {
    const RunCosts costs = FindRunCosts(*module_, TargetOfPlans());
    return costs.program - costs.call;
  }

  // Returns how many locals of the last kernel are copied from memory as
  // `loaded` says and to memory as `stored` says.
  int Locals(bool loaded, bool stored) const {
    int count = 0;
    for (const auto& [_, local] : plan_.kernels.back().spec.local_buffers) {
      count += local.loaded == loaded && local.stored == stored;
    }
    return count;
  }
};

TEST_F(ThunkPlannerTest, SmallCarryThatIsTheResultIsLocal) {
  PlanLoop(64, "constant(1000)");
  ASSERT_EQ(plan_.thunks.size(), 1);
  EXPECT_EQ(Locals(/*loaded=*/false, /*stored=*/true), 1);
  EXPECT_EQ(Locals(true, false) + Locals(true, true), 0);
  EXPECT_GE(Locals(false, false), 1);  // the counter
}

TEST_F(ThunkPlannerTest, LargeCarryStaysInMemory) {
  PlanLoop(1024, "constant(1000)");
  ASSERT_EQ(plan_.thunks.size(), 1);
  EXPECT_EQ(Locals(false, true), 0);
}

// The copy of a large array runs first, so that the ops after it form one
// kernel with the start of the counter.
TEST_F(ThunkPlannerTest, LargeThunkPassesSmallOnes) {
  Plan(R"(
HloModule update
less {
  p = (s32[], f32[100000]) parameter(0)
  i = s32[] get-tuple-element(p), index=0
  n = s32[] constant(10)
  ROOT c = pred[] compare(i, n), direction=LT
}
step {
  p = (s32[], f32[100000]) parameter(0)
  i = s32[] get-tuple-element(p), index=0
  x = f32[100000] get-tuple-element(p), index=1
  one = s32[] constant(1)
  j = s32[] add(i, one)
  seven = f32[1] constant({7})
  y = f32[100000] dynamic-update-slice(x, seven, i)
  ROOT t = (s32[], f32[100000]) tuple(j, y)
}
ENTRY e {
  x = f32[100000] parameter(0)
  zero = s32[] constant(0)
  t = (s32[], f32[100000]) tuple(zero, x)
  w = (s32[], f32[100000]) while(t), condition=less, body=step
  ROOT r = f32[100000] get-tuple-element(w), index=1
})");
  ASSERT_EQ(plan_.thunks.size(), 2);
  EXPECT_EQ(plan_.thunks[0].kind, Kind::kCopy);
  EXPECT_EQ(plan_.thunks[1].kind, Kind::kKernel);
  EXPECT_EQ(plan_.kernels[0].spec.instructions.size(), 2);
}

// Native code for rows has no thunk of its own, and the values between the dots
// have no memory.
TEST_F(ThunkPlannerTest, DotsWithRowsBetweenThemAreOneThunk) {
  Plan(R"(
HloModule rows
largest {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT m = f32[] maximum(a, b)
}
ENTRY e {
  x = f32[4,300,40] parameter(0)
  s = f32[4,300,300] dot(x, x), lhs_batch_dims={0}, rhs_batch_dims={0},
    lhs_contracting_dims={2}, rhs_contracting_dims={2}
  least = f32[] constant(-inf)
  m = f32[4,300] reduce(s, least), dimensions={2}, to_apply=largest
  mb = f32[4,300,300] broadcast(m), dimensions={0,1}
  d = f32[4,300,300] subtract(s, mb)
  e = f32[4,300,300] exponential(d)
  ROOT y = f32[4,300,40] dot(e, x), lhs_batch_dims={0}, rhs_batch_dims={0},
    lhs_contracting_dims={2}, rhs_contracting_dims={1}
})");
  ASSERT_EQ(plan_.thunks.size(), 1);
  EXPECT_EQ(plan_.thunks[0].kind, Kind::kLibrary);
  ASSERT_EQ(plan_.kernels.size(), 1);
  const KernelFrame& frame = plan_.kernels[0].spec.frame;
  ASSERT_EQ(frame.arrays().size(), 1);  // the block of rows
  EXPECT_TRUE(frame.arrays()[0].written);
  const HloInstruction* rows = plan_.kernels[0].spec.instructions[0];
  EXPECT_TRUE(frame.MayShareMemory(frame.place(rows, 0),
                                   frame.place(rows->operand(0), 0)));
  EXPECT_EQ(plan_.thunks[0].index, 0);
  for (const auto& allocation : assignment_->allocations()) {
    if (allocation.kind == BufferAssignment::Kind::kTemp) {
      EXPECT_EQ(allocation.size, 0);
    }
  }
  EXPECT_THAT(Cost(), Gt(4 * 300 * 300 * 2 * 40 * 2 * 0.01));
  EXPECT_THAT(Cost(), Lt(1e9));
}

// A temporary in the memory of a result is not stored there later.
TEST_F(ThunkPlannerTest, TemporariesInOutputsAreNotStored) {
  Plan(R"(
HloModule m
less {
  p = (s32[], f32[3]) parameter(0)
  i = s32[] get-tuple-element(p), index=0
  n = s32[] constant(0)
  ROOT c = pred[] compare(n, i), direction=LT
}
step {
  p = (s32[], f32[3]) parameter(0)
  i = s32[] get-tuple-element(p), index=0
  x = f32[3] get-tuple-element(p), index=1
  one = s32[] constant(1)
  j = s32[] subtract(i, one)
  y = f32[3] add(x, x)
  ROOT t = (s32[], f32[3]) tuple(j, y)
}
ENTRY e {
  n = s32[] parameter(0)
  x = f32[3] parameter(1)
  t = (s32[], f32[3]) tuple(n, x)
  w = (s32[], f32[3]) while(t), condition=less, body=step
  y = f32[3] get-tuple-element(w), index=1
  ROOT r = c64[3] convert(y)
})",
       {.least_in_output = 1});
  const auto& output = assignment_->allocations()[2];
  ASSERT_EQ(output.kind, BufferAssignment::Kind::kOutput);
  ASSERT_EQ(plan_.kernels.size(), 1);
  int inside = 0;
  for (const auto& [buffer, local] : plan_.kernels[0].spec.local_buffers) {
    if (buffer == output.result_buffer) continue;
    inside += local.slice.allocation == 2;
    EXPECT_FALSE(local.stored);
  }
  EXPECT_GT(inside, 0);
}

// The inputs of the large thunk must be computed first.
TEST_F(ThunkPlannerTest, LargeThunkStaysBehindItsOperands) {
  Plan(R"(
HloModule chain
ENTRY e {
  x = f32[4] parameter(0)
  key = f32[4] exponential(x)
  values = f32[4,100000] parameter(1)
  old = f32[4,100000] broadcast(key), dimensions={0}
  r = f32[4,100000] multiply(old, values)
  ROOT t = (f32[4], f32[4,100000]) tuple(key, r)
})");
  for (size_t i = 0; i + 1 < plan_.thunks.size(); ++i) {
    EXPECT_EQ(plan_.thunks[i].kind, Kind::kKernel);
    EXPECT_EQ(plan_.kernels[plan_.thunks[i].index].workgroups_per_task,
              plan_.kernels[plan_.thunks[i].index].workgroups);
  }
  EXPECT_LT(plan_.kernels.back().workgroups_per_task,
            plan_.kernels.back().workgroups);
}

TEST_F(ThunkPlannerTest, CostGrowsWithIterations) {
  PlanLoop(64, "constant(1000)");
  const double thousand = Cost();
  EXPECT_THAT(thousand, Gt(1000));
  EXPECT_THAT(thousand, Lt(200'000));
  PlanLoop(64, "constant(100000)");
  EXPECT_NEAR(Cost() / thousand, 100, 2);
}

TEST_F(ThunkPlannerTest, CostOfLoopsOfUnknownLengthIsInfinite) {
  Plan(R"(
HloModule halving
less {
  x = f32[] parameter(0)
  one = f32[] constant(1)
  ROOT c = pred[] compare(x, one), direction=GT
}
step {
  x = f32[] parameter(0)
  half = f32[] constant(0.5)
  ROOT y = f32[] multiply(x, half)
}
ENTRY e {
  x = f32[] parameter(0)
  ROOT w = f32[] while(x), condition=less, body=step
})");
  EXPECT_EQ(Cost(), std::numeric_limits<double>::infinity());
}

}  // namespace
}  // namespace xla::cpu
