// Correct plans, and the same plans with one wrong decision.
#include "xla/backends/cpu/checking/thunk_plan_verifier.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "tests/backends/cpu/planned_program.h"
#include "xla/backends/cpu/planning/local_buffers.h"
#include "xla/backends/cpu/thunks/concurrent_thunk.h"

namespace xla::cpu {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

// Common parts of the programs below: a loop that doubles f32[8] as often as an
// argument says, and an order.
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

// `v` is dead after it is summed; `w` takes its memory, is sorted there and
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

// A loop whose body is too large for a sequence.
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

// The convolution runs before the sequence that contains its transpose,
// although it is scheduled within it.
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

// A thunk that declares uses and cannot run.
class DeclaredThunk : public Thunk {
 public:
  DeclaredThunk(const std::string& name, BufferUses uses)
      : Thunk(name), uses_(std::move(uses)) {}
  absl::string_view kind() const override { return "declared"; }
  BufferUses buffer_uses() const override { return uses_; }
  absl::StatusOr<ThunkResult> Run(DeviceRun& run, int64_t here) const override {
    return absl::UnimplementedError("");
  }

  BufferUses uses_;
};

// Makes a thunk for each thunk of a plan, with the uses that are right for it.
class DeclaredThunksTest : public ThunkPlanVerifierTest {
 protected:
  void Declare(absl::string_view text) {
    Plan(text);
    for (const PlannedThunk& planned : plan_.thunks) {
      thunks_.push_back(Declared(planned));
    }
    EXPECT_EQ(VerifyThunks(), "");
  }

  std::string VerifyThunks() const {
    std::vector<const Thunk*> thunks;
    for (const auto& thunk : thunks_) thunks.push_back(thunk.get());
    return std::string(
        VerifyThunkPlan(*module_, *assignment_, plan_, thunks).message());
  }

  // The number of the first thunk of that kind.
  size_t Find(PlannedThunk::Kind kind) const {
    for (size_t i = 0; i < plan_.thunks.size(); ++i) {
      if (plan_.thunks[i].kind == kind) return i;
    }
    ADD_FAILURE() << "there is none";
    return 0;
  }

  std::vector<std::unique_ptr<DeclaredThunk>> thunks_;

 private:
  std::unique_ptr<DeclaredThunk> Declared(const PlannedThunk& planned) const {
    if (planned.kind == PlannedThunk::Kind::kLabel) return nullptr;
    const HloInstruction& hlo = *planned.instruction;
    BufferUses uses;
    switch (planned.kind) {
      case PlannedThunk::Kind::kKernel:
        uses = KernelUses(*assignment_, plan_.kernels[planned.index].spec);
        break;
      case PlannedThunk::Kind::kCopies:
        for (const HloInstruction* copy : plan_.copies[planned.index]) {
          uses.Read(assignment_->slices(copy->operand(0)));
          uses.Write(assignment_->slices(copy));
        }
        break;
      case PlannedThunk::Kind::kLibrary:
      case PlannedThunk::Kind::kCopy:
        for (const HloInstruction* operand : hlo.operands()) {
          uses.Read(assignment_->slices(operand));
        }
        uses.Write(assignment_->slices(&hlo));
        break;
      case PlannedThunk::Kind::kPack:
      case PlannedThunk::Kind::kJumpIfFalse:
        uses.Read(assignment_->slices(&hlo));
        break;
      case PlannedThunk::Kind::kSwitch:
        uses.Read(assignment_->slices(hlo.operand(0)));
        break;
      case PlannedThunk::Kind::kJump:
      case PlannedThunk::Kind::kLabel:
        break;
    }
    auto thunk = std::make_unique<DeclaredThunk>(hlo.name(), std::move(uses));
    if (planned.kind == PlannedThunk::Kind::kLibrary) {
      thunk->set_scratch_from(assignment_->arena_free_from(&hlo));
    }
    return thunk;
  }
};

TEST_F(DeclaredThunksTest, EveryMissingUseIsFound) {
  Declare(kLoopOfThunks);
  int left_out = 0;
  for (const auto& thunk : thunks_) {
    if (thunk == nullptr) continue;
    const BufferUses all = thunk->uses_;
    for (const BufferUse& without : all) {
      thunk->uses_ = BufferUses();
      for (const BufferUse& use : all) {
        if (!(use == without)) thunk->uses_.Add(use);
      }
      EXPECT_THAT(VerifyThunks(),
                  AllOf(HasSubstr(thunk->name()),
                        HasSubstr("does not declare that it ")));
      ++left_out;
    }
    thunk->uses_ = all;
  }
  EXPECT_GE(left_out, 8);
  EXPECT_EQ(VerifyThunks(), "");
}

TEST_F(DeclaredThunksTest, UseThatNoInstructionHasIsFound) {
  Declare(kLoopOfThunks);
  DeclaredThunk& thunk = *thunks_[Find(PlannedThunk::Kind::kLibrary)];
  thunk.uses_.Read({0, 0, 1});  // the program's parameter
  EXPECT_THAT(VerifyThunks(),
              AllOf(HasSubstr(thunk.name()), HasSubstr("none of its")));
}

TEST_F(DeclaredThunksTest, SwappedThunksAreFound) {
  Declare(kLoopOfThunks);
  const size_t library = Find(PlannedThunk::Kind::kLibrary);
  for (size_t i = 0; i < thunks_.size(); ++i) {
    if (i == library || thunks_[i] == nullptr) continue;
    std::swap(thunks_[library], thunks_[i]);
    EXPECT_NE(VerifyThunks(), "") << i;
    std::swap(thunks_[library], thunks_[i]);
  }
  // Swaps the plan's thunks too, so that the order of values is wrong.
  std::swap(thunks_[library], thunks_[library + 1]);
  std::swap(plan_.thunks[library], plan_.thunks[library + 1]);
  EXPECT_NE(VerifyThunks(), "");
}

TEST_F(DeclaredThunksTest, UsesStayInsideOfWhatMayBeUsed) {
  Declare(kLoopOfThunks);
  DeclaredThunk& thunk = *thunks_[Find(PlannedThunk::Kind::kLibrary)];
  const BufferUses all = thunk.uses_;
  const auto with = [&](BufferUse use) {
    thunk.uses_ = all;
    thunk.uses_.Add(use);
    return VerifyThunks();
  };
  using Kind = BufferUse::Kind;
  EXPECT_THAT(with({{0, 79996, 8}, Kind::kRead}),
              HasSubstr("which has only 80000 bytes"));
  EXPECT_THAT(with({{0, 0, 4}, Kind::kWrite}),
              HasSubstr("which is not to be written"));
  EXPECT_THAT(with({{99, 0, 4}, Kind::kRead}),
              HasSubstr("which does not exist"));
}

// `t` and the scratch of the sort both want memory of the arena.
TEST_F(DeclaredThunksTest, ScratchOverMemoryThatIsNeededIsFound) {
  Declare(absl::StrCat(kFunctions, R"(
ENTRY e {
  x = f32[20000] parameter(0)
  t = f32[20000] tanh(x)
  s = f32[20000] sort(x), dimensions={0}, to_apply=less
  r = f32[20000] reverse(s), dimensions={0}
  ROOT a = f32[20000] add(t, r)
})"));
  DeclaredThunk& thunk = *thunks_[Find(PlannedThunk::Kind::kLibrary)];
  ASSERT_GT(thunk.scratch_from(), 0);
  thunk.set_scratch_from(0);
  EXPECT_NE(VerifyThunks(), "");
}

// Plans a program in which two sorts are temporaries, and verifies other thunks
// in the place of its own.
class VerifyConcurrencyTest : public PlannedProgramTest {
 protected:
  void SetUp() override {
    Plan(R"(
HloModule m
less {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT r = pred[] compare(a, b), direction=LT
}
ENTRY e {
  x = f32[20000] parameter(0)
  y = f32[20000] parameter(1)
  s = f32[20000] sort(x), dimensions={0}, to_apply=less
  t = f32[20000] sort(y), dimensions={0}, to_apply=less
  ROOT a = f32[20000] add(s, t)
})");
    temp_ = assignment_->temp_allocation();
  }

  std::string Verify(BufferUses first, BufferUses second, bool one_chain,
                     int64_t scratch_from = -1) const {
    ThunkSequence members;
    members.push_back(
        std::make_unique<DeclaredThunk>("first", std::move(first)));
    members.push_back(
        std::make_unique<DeclaredThunk>("second", std::move(second)));
    ThunkSequence sequence;
    sequence.push_back(std::make_unique<ConcurrentThunk>(
        std::move(members), std::vector<int>{0, one_chain ? 0 : 1}));
    sequence[0]->set_scratch_from(scratch_from);
    return std::string(VerifyConcurrency(*assignment_, sequence).message());
  }

  int64_t temp_ = 0;
};

TEST_F(VerifyConcurrencyTest, ConflictsAreFound) {
  const Slice x = {0, 0, 80000};
  const Slice low = {temp_, 0, 128}, high = {temp_, 128, 128};
  const Slice middle = {temp_, 64, 128};
  const auto reads = [](const Slice& slice) {
    return BufferUses().Read(slice);
  };
  const auto writes = [](const Slice& slice) {
    return BufferUses().Write(slice);
  };
  EXPECT_EQ(Verify(reads(x).Write(low), reads(x).Write(high), false), "");
  EXPECT_EQ(Verify(reads(middle), reads(low), false), "");
  const auto both =
      AllOf(HasSubstr("declared first"), HasSubstr("declared second"));
  EXPECT_THAT(Verify(writes(low), reads(middle), false), both);
  EXPECT_THAT(Verify(reads(middle), writes(high), false), both);
  EXPECT_THAT(Verify(writes(low), writes(middle), false), both);
  // They may if they run one after the other.
  EXPECT_EQ(Verify(writes(low), reads(middle), true), "");
}

// What one of them needs, the scratch of the other may not be.
TEST_F(VerifyConcurrencyTest, ScratchIsBehindWhatAnyNeeds) {
  const BufferUses low = BufferUses().Write({temp_, 0, 128});
  const BufferUses high = BufferUses().Write({temp_, 128, 128});
  EXPECT_EQ(Verify(low, high, false, 256), "");
  EXPECT_THAT(Verify(low, high, false, 128),
              HasSubstr("where its scratch is, from byte 128 on"));
}

// The arrays of a kernel are in a wrong order, in another place, or not
// declared to be written or to share memory.
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
    // Describes the one array as if it were two.
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
