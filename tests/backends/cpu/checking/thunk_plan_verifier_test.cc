// Plans that are right, and the same with one decision made wrong.
#include "xla/backends/cpu/checking/thunk_plan_verifier.h"

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "tests/backends/cpu/planned_program.h"

namespace xla::cpu {
namespace {

using ::testing::HasSubstr;

// What the programs below have in common: a loop that doubles f32[8] as often
// as an argument says, and an order.
constexpr char kFunctions[] = R"(
HloModule m
more {
  p = (s32[], s32[], f32[8]) parameter(0)
  i = s32[] get-tuple-element(p), index=0
  n = s32[] get-tuple-element(p), index=1
  ROOT c = pred[] compare(i, n), direction=LT
}
double {
  p = (s32[], s32[], f32[8]) parameter(0)
  i = s32[] get-tuple-element(p), index=0
  n = s32[] get-tuple-element(p), index=1
  v = f32[8] get-tuple-element(p), index=2
  one = s32[] constant(1)
  j = s32[] add(i, one)
  w = f32[8] add(v, v)
  ROOT t = (s32[], s32[], f32[8]) tuple(j, n, w)
}
less {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT r = pred[] compare(a, b), direction=LT
}
)";

// `v` is dead once it is summed up; `w` gets its memory, is sorted there and
// read by a branch.
constexpr char kDeadAfterLoop[] = R"(
sum {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT r = f32[] add(a, b)
}
ignores {
  a = f32[8] parameter(0)
  zero = f32[] constant(0)
  ROOT r = f32[4] broadcast(zero), dimensions={}
}
reverses {
  a = f32[4] parameter(0)
  ROOT r = f32[4] reverse(a), dimensions={0}
}
ENTRY e {
  n = s32[] parameter(0)
  x = f32[8] parameter(1)
  zero = s32[] constant(0)
  t = (s32[], s32[], f32[8]) tuple(zero, n, x)
  loop = (s32[], s32[], f32[8]) while(t), condition=more, body=double
  v = f32[8] get-tuple-element(loop), index=2
  nothing = f32[] constant(0)
  y = f32[] reduce(v, nothing), dimensions={0}, to_apply=sum
  ys = f32[4] broadcast(y), dimensions={}
  numbers = f32[4] iota(), iota_dimension=0
  w = f32[4] add(ys, numbers)
  sorted = f32[4] sort(w), dimensions={0}, to_apply=less
  first = f32[1] slice(sorted), slice={[0:1]}
  scalar = f32[] reshape(first)
  c = pred[] compare(scalar, nothing), direction=LT
  ROOT r = f32[4] conditional(c, v, sorted), true_computation=ignores,
    false_computation=reverses
})";

// A loop whose body is too much for a sequence.
constexpr char kLoopOfThunks[] = R"(
HloModule m
more {
  p = (s32[], f32[20000], f32[20000]) parameter(0)
  i = s32[] get-tuple-element(p), index=0
  n = s32[] constant(10)
  ROOT c = pred[] compare(i, n), direction=LT
}
less {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT r = pred[] compare(a, b), direction=LT
}
swap {
  p = (s32[], f32[20000], f32[20000]) parameter(0)
  i = s32[] get-tuple-element(p), index=0
  x = f32[20000] get-tuple-element(p), index=1
  y = f32[20000] get-tuple-element(p), index=2
  one = s32[] constant(1)
  j = s32[] add(i, one)
  s = f32[20000] sort(x), dimensions={0}, to_apply=less
  e = f32[20000] tanh(s)
  ROOT t = (s32[], f32[20000], f32[20000]) tuple(j, y, e)
}
ENTRY e {
  x = f32[20000] parameter(0)
  zero = s32[] constant(0)
  t = (s32[], f32[20000], f32[20000]) tuple(zero, x, x)
  ROOT w = (s32[], f32[20000], f32[20000]) while(t), condition=more, body=swap
})";

class ThunkPlanVerifierTest : public PlannedProgramTest {
 protected:
  absl::Status Verify() const {
    return VerifyThunkPlan(*module_, *assignment_, plan_);
  }
  LocalBuffers& LocalsOfFirstKernel() {
    return plan_.kernels[0].spec.local_buffers;
  }
};

TEST_F(ThunkPlanVerifierTest, StoringWhatIsDeadOverwritesItsSuccessor) {
  Plan(absl::StrCat(kFunctions, kDeadAfterLoop));
  EXPECT_TRUE(Verify().ok()) << Verify();
  int stored = 0;
  for (auto& [_, local] : LocalsOfFirstKernel()) {
    if (local.type != F32 || local.slice.size != 32) continue;
    EXPECT_FALSE(local.stored);
    local.stored = true;
    ++stored;
  }
  ASSERT_EQ(stored, 1);
  EXPECT_THAT(Verify().message(), HasSubstr("does not hold its value"));
}

TEST_F(ThunkPlanVerifierTest, EveryOmissionIsFound) {
  Plan(kLoopOfThunks);
  EXPECT_TRUE(Verify().ok()) << Verify();
  ASSERT_GT(plan_.thunks.size(), 6);
  // Without any one of the thunks that compute or copy, a value is missing.
  int left_out = 0;
  for (size_t i = 0; i < plan_.thunks.size(); ++i) {
    const PlannedThunk thunk = plan_.thunks[i];
    switch (thunk.kind) {
      case PlannedThunk::Kind::kLabel:
      case PlannedThunk::Kind::kJump:
      case PlannedThunk::Kind::kJumpIfFalse:
      case PlannedThunk::Kind::kSwitch:
        continue;
      default:
        break;
    }
    plan_.thunks[i] = {PlannedThunk::Kind::kCopies, nullptr,
                       static_cast<int64_t>(plan_.copies.size())};
    plan_.copies.push_back({});
    EXPECT_FALSE(Verify().ok()) << i;
    plan_.thunks[i] = thunk;
    ++left_out;
  }
  EXPECT_GE(left_out, 4);
}

// The convolution runs before the sequence that its transpose is in, although
// it is scheduled within.
TEST_F(ThunkPlanVerifierTest, SequencesReadWhatRanEarly) {
  Plan(R"(
HloModule m
ENTRY e {
  q0 = s32[] parameter(0)
  q1 = s32[1,32,32] parameter(1)
  n = s32[1,32,32] not(q1)
  b = s32[1,24,5] broadcast(q0), dimensions={}
  q2 = s64[] parameter(2)
  q3 = s64[] parameter(3)
  d = s32[1,32,32] dynamic-update-slice(n, b, q2, q3, q2)
  q4 = f64[2,15] parameter(4)
  q5 = f64[5,3] parameter(5)
  c = f64[3,2] convolution(q4, q5), dim_labels=bf_io->fb, feature_group_count=3
  ROOT t = (f64[3,2], s32[1,32,32]) tuple(c, d)
})");
  ASSERT_EQ(plan_.thunks.size(), 2);
  EXPECT_TRUE(plan_.thunks[0].early);
  EXPECT_TRUE(Verify().ok()) << Verify();
}

TEST_F(ThunkPlanVerifierTest, LocalThatIsNotLoadedIsFound) {
  Plan(absl::StrCat(kFunctions, R"(
ENTRY e {
  n = s32[] parameter(0)
  x = f32[8] parameter(1)
  sorted = f32[8] sort(x), dimensions={0}, to_apply=less
  zero = s32[] constant(0)
  t = (s32[], s32[], f32[8]) tuple(zero, n, sorted)
  loop = (s32[], s32[], f32[8]) while(t), condition=more, body=double
  ROOT v = f32[8] get-tuple-element(loop), index=2
})"));
  EXPECT_TRUE(Verify().ok()) << Verify();
  int loaded = 0;
  for (auto& kernel : plan_.kernels) {
    for (auto& [_, local] : kernel.spec.local_buffers) {
      if (!local.loaded) continue;
      local.loaded = false;
      ++loaded;
    }
  }
  ASSERT_EQ(loaded, 1);
  EXPECT_THAT(Verify().message(), HasSubstr("does not hold its value"));
}

// Arrays in a wrong order, in another place, or not said to be written or to
// share memory.
TEST_F(ThunkPlanVerifierTest, WrongArraysOfKernelsAreFound) {
  Plan(R"(
HloModule m
ENTRY e {
  x = f32[20000] parameter(0)
  y = f32[20000] parameter(1)
  ROOT d = f32[20000] subtract(x, y)
})");
  ASSERT_TRUE(Verify().ok()) << Verify();
  ASSERT_EQ(plan_.kernels.size(), 1);
  KernelSpec& spec = plan_.kernels[0].spec;
  const KernelFrame right = spec.frame;
  ASSERT_EQ(right.arrays().size(), 3);
  const auto verify = [&](std::vector<KernelArray> arrays) {
    spec.frame = KernelFrame();
    for (const KernelArray& array : arrays) spec.frame.Add(array);
    const HloInstruction* root = spec.instructions[0];
    for (const HloInstruction* value :
         {root->operand(0), root->operand(1), root}) {
      spec.frame.Bind(value, 0, right.place(value, 0));
    }
    return Verify();
  };
  const std::vector<KernelArray> arrays(right.arrays().begin(),
                                        right.arrays().end());
  EXPECT_TRUE(verify(arrays).ok());
  EXPECT_THAT(verify({arrays[1], arrays[0], arrays[2]}).message(),
              HasSubstr("the arrays of kernel"));
  for (const auto& change : std::vector<void (*)(KernelArray&)>{
           [](KernelArray& array) { array.slice.offset = 64; },
           [](KernelArray& array) { array.slice.size = 64; },
           [](KernelArray& array) { array.written = false; }}) {
    std::vector<KernelArray> wrong = arrays;
    change(wrong[2]);
    EXPECT_FALSE(verify(wrong).ok());
  }
}

TEST_F(ThunkPlanVerifierTest, SharedMemoryThatTheFrameDoesNotTellIsFound) {
  // tanh works in place.
  Plan(R"(
HloModule m
less {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT r = pred[] compare(a, b), direction=LT
}
ENTRY e {
  x = f32[20000] parameter(0)
  s = f32[20000] sort(x), dimensions={0}, to_apply=less
  t = f32[20000] tanh(s)
  ROOT r = f32[20000] sort(t), dimensions={0}, to_apply=less
})");
  ASSERT_TRUE(Verify().ok()) << Verify();
  int in_place = 0;
  for (auto& kernel : plan_.kernels) {
    if (kernel.spec.mapped != nullptr) continue;
    const HloInstruction* tanh = kernel.spec.instructions[0];
    const KernelFrame right = kernel.spec.frame;
    if (!right.MayShareMemory(right.place(tanh, 0),
                              right.place(tanh->operand(0), 0))) {
      continue;
    }
    ++in_place;
    // The one array, but as if it were two.
    kernel.spec.frame = KernelFrame();
    for (const HloInstruction* value : {tanh->operand(0), tanh}) {
      KernelFrame::Place place = right.place(value, 0);
      KernelArray array = right.arrays()[place.array];
      array.written = value == tanh;
      place.array = kernel.spec.frame.Add(array);
      kernel.spec.frame.Bind(value, 0, place);
    }
  }
  ASSERT_EQ(in_place, 1);
  EXPECT_THAT(Verify().message(), HasSubstr("the arrays of kernel"));
}

}  // namespace
}  // namespace xla::cpu
