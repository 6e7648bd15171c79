// Thunks that compute what their HLO says, and thunks that do not.
#include "xla/backends/cpu/checking/checked_thunk.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "gmock/gmock.h"
#include "tests/backends/cpu/thunks/thunk_test_base.h"
#include "xla/backends/cpu/analysis/cpu_alias_info.h"
#include "xla/backends/cpu/pipeline.h"
#include "xla/hlo/parser/hlo_parser.h"

namespace xla::cpu {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

class FunctionThunk : public Thunk {
 public:
  using Function = std::function<void(DeviceRun& run)>;
  explicit FunctionThunk(Function function)
      : Thunk("hand-written"), function_(std::move(function)) {}
  absl::string_view kind() const override { return "kernel"; }
  BufferUses buffer_uses() const override { return {}; }
  absl::StatusOr<ThunkResult> Run(DeviceRun& run, int64_t here) const override {
    function_(run);
    return ThunkResult{here + 1};
  }

 private:
  const Function function_;
};

// A program of one instruction, from allocation 0 to allocation 1.
class CheckedThunkTest : public ::testing::Test {
 protected:
  CheckedThunkTest() : devices_(1, 4) {}

  void Compile(absl::string_view text) {
    module_ = *ParseAndReturnUnverifiedModule(text);
    ASSERT_TRUE(RunPasses(module_.get()).ok());
    AssignBuffers();
  }
  void AssignBuffers() {
    assignment_ = *BufferAssignment::Run(*module_, CpuAliasInfo());
    cutter_ = std::make_unique<ThunkCutter>(*module_, *assignment_);
  }
  std::optional<ThunkComputation> CutRoot() {
    return cutter_->Cut({module_->entry_computation()->root_instruction()}, {});
  }
  absl::Status Run(FunctionThunk::Function function) {
    ThunkSequence thunks;
    thunks.push_back(std::make_unique<CheckedThunk>(
        std::make_unique<FunctionThunk>(std::move(function)), *CutRoot(),
        cutter_->copy()));
    return devices_.Run(thunks);
  }

  TestDevices devices_;
  std::unique_ptr<HloModule> module_;
  std::unique_ptr<BufferAssignment> assignment_;
  std::unique_ptr<ThunkCutter> cutter_;
};

template <typename T>
T* Array(DeviceRun& run, int allocation) {
  return reinterpret_cast<T*>(run.allocations()[allocation]);
}

TEST_F(CheckedThunkTest, NamesWhatDiffers) {
  Compile("ENTRY e { x = f32[3] parameter(0) ROOT n = f32[3] negate(x) }");
  devices_.At<float>(0, 0, 1) = 2;
  const auto negate = [](DeviceRun& run) {
    for (int i = 0; i < 3; ++i) {
      Array<float>(run, 1)[i] = -Array<float>(run, 0)[i];
    }
  };
  EXPECT_TRUE(Run(negate).ok()) << Run(negate);
  const absl::Status wrong = Run([&](DeviceRun& run) {
    negate(run);
    Array<float>(run, 1)[1] = -2.001f;
  });
  EXPECT_THAT(
      wrong.message(),
      AllOf(HasSubstr("kernel hand-written: n differs"),
            HasSubstr("[1] expected -2, actual -2.001"), HasSubstr("negate(")));
}

TEST_F(CheckedThunkTest, OperandsAreThoseOfBefore) {
  Compile("ENTRY e { x = s32[3] parameter(0) ROOT n = s32[3] negate(x) }");
  devices_.At<int>(0, 0, 2) = 5;
  const absl::Status status = Run([](DeviceRun& run) {
    Array<int>(run, 1)[2] = -5;
    Array<int>(run, 0)[2] = 7;  // as in-place ops do
  });
  EXPECT_TRUE(status.ok()) << status;
}

TEST_F(CheckedThunkTest, LostNanIsFound) {
  Compile(R"(ENTRY e {
    x = f16[2] parameter(0)
    y = f16[2] parameter(1)
    ROOT m = f16[2] maximum(x, y)
  })");
  devices_.At<uint16_t>(0, 0) = 0x7e00;  // nan
  EXPECT_FALSE(Run([](DeviceRun& run) {}).ok());
  EXPECT_TRUE(
      Run([](DeviceRun& run) { Array<uint16_t>(run, 2)[0] = 0x7e00; }).ok());
}

// A sum whose terms cancel may be off by as much as the rounding of one term.
TEST_F(CheckedThunkTest, RoundingsOfOperandsAreNoMistake) {
  Compile(R"(
sum {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT r = f32[] add(a, b)
}
ENTRY e {
  x = f32[3] parameter(0)
  zero = f32[] constant(0)
  ROOT r = f32[] reduce(x, zero), dimensions={0}, to_apply=sum
})");
  devices_.At<float>(0, 0, 0) = 1e7f;
  devices_.At<float>(0, 0, 1) = 0.25f;
  devices_.At<float>(0, 0, 2) = -1e7f;
  for (const float right : {0.0f, 0.25f, 1.0f}) {
    EXPECT_TRUE(
        Run([=](DeviceRun& run) { Array<float>(run, 1)[0] = right; }).ok());
  }
  EXPECT_FALSE(
      Run([](DeviceRun& run) { Array<float>(run, 1)[0] = 1e3f; }).ok());
}

TEST_F(CheckedThunkTest, WhatDependsOnOthersIsNotCut) {
  Compile(R"(ENTRY e {
    x = f32[2] parameter(0)
    ROOT c = f32[2] custom-call(x), custom_call_target="someone's"
  })");
  EXPECT_FALSE(CutRoot().has_value());
}

// Both branches pass on `x`, which nobody reads; the memory holds `w`, computed
// over `x`, after the thunk.
TEST_F(CheckedThunkTest, WhatNobodyReadsIsNotCompared) {
  module_ = *ParseAndReturnUnverifiedModule(R"(
HloModule m, is_scheduled=true
more {
  p = (s32[], s32[], s32[6]) parameter(0)
  i = s32[] get-tuple-element(p), index=0
  n = s32[] get-tuple-element(p), index=1
  ROOT c = pred[] compare(i, n), direction=LT
}
next {
  p = (s32[], s32[], s32[6]) parameter(0)
  i = s32[] get-tuple-element(p), index=0
  n = s32[] get-tuple-element(p), index=1
  x = s32[6] get-tuple-element(p), index=2
  one = s32[] constant(1)
  j = s32[] add(i, one)
  y = s32[6] add(x, x)
  ROOT t = (s32[], s32[], s32[6]) tuple(j, n, y)
}
passes {
  p = (s32[6], s32[]) parameter(0)
  x = s32[6] get-tuple-element(p), index=0
  i = s32[] get-tuple-element(p), index=1
  j = s32[] negate(i)
  ROOT t = (s32[6], s32[]) tuple(x, j)
}
passes_too {
  p = (s32[6], s32[]) parameter(0)
  x = s32[6] get-tuple-element(p), index=0
  i = s32[] get-tuple-element(p), index=1
  j = s32[] add(i, i)
  ROOT t = (s32[6], s32[]) tuple(x, j)
}
ENTRY e {
  n = s32[] parameter(0)
  one = s32[] constant(1)
  x = s32[6] broadcast(one), dimensions={}
  zero = s32[] constant(0)
  i = s32[] copy(zero)
  t = (s32[], s32[], s32[6]) tuple(i, n, x)
  loop = (s32[], s32[], s32[6]) while(t), condition=more, body=next
  w = s32[6] get-tuple-element(loop), index=2
  k = s32[] get-tuple-element(loop), index=0
  u = (s32[6], s32[]) tuple(x, n)
  c = (s32[6], s32[]) conditional(k, u, u), branch_computations={passes, passes_too}
  j = s32[] get-tuple-element(c), index=1
  ROOT r = (s32[], s32[6]) tuple(j, w)
})");
  AssignBuffers();
  std::vector<const HloInstruction*> thunks;
  for (const auto& hlo : module_->entry_computation()->instructions()) {
    if (assignment_->Has(hlo) &&
        assignment_->times(hlo).begin >= 0) {
      thunks.push_back(hlo);
    }
  }
  const std::optional<ThunkComputation> thunk = cutter_->Cut(thunks, {});
  ASSERT_TRUE(thunk.has_value());
  std::vector<std::string> arrays;
  for (const ThunkComputation::Array& result : thunk->results) {
    if (result.shape.rank() == 1) arrays.push_back(result.instruction);
  }
  EXPECT_THAT(arrays, ::testing::ElementsAre("loop"));
}

}  // namespace
}  // namespace xla::cpu
