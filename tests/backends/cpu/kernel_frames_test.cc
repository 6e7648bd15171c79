// Which arrays kernels are called with, and what their code may assume of them.
#include "xla/backends/cpu/planning/kernel_frames.h"

#include <algorithm>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_replace.h"
#include "gmock/gmock.h"
#include "tests/backends/cpu/planned_program.h"

namespace xla::cpu {
namespace {

using ::testing::ElementsAre;
using AllocationKind = BufferAssignment::Kind;

class KernelFramesTest : public PlannedProgramTest {
 protected:
  const KernelFrame& Frame(int kernel = 0) const {
    return plan_.kernels[kernel].spec.frame;
  }
  std::vector<AllocationKind> Kinds(int kernel = 0) const {
    std::vector<AllocationKind> kinds;
    for (const KernelArray& array : Frame(kernel).arrays()) {
      kinds.push_back(assignment_->allocations()[array.slice.allocation].kind);
    }
    return kinds;
  }
  std::vector<int64_t> Alignments(int kernel = 0) const {
    std::vector<int64_t> alignments;
    for (const KernelArray& array : Frame(kernel).arrays()) {
      alignments.push_back(array.alignment);
    }
    return alignments;
  }
  std::vector<bool> Written(int kernel = 0) const {
    std::vector<bool> written;
    for (const KernelArray& array : Frame(kernel).arrays()) {
      written.push_back(array.written);
    }
    return written;
  }
  std::vector<bool> Invariant(int kernel = 0) const {
    std::vector<bool> invariant;
    for (size_t i = 0; i < Frame(kernel).arrays().size(); ++i) {
      invariant.push_back(Frame(kernel).IsInvariant(i));
    }
    return invariant;
  }
};

// The frame has the operands in order, except for the scalar constant, which is
// in the code, and the results.
TEST_F(KernelFramesTest, InstructionHasItsOperandsAndResults) {
  Plan(R"(
HloModule m
ENTRY e {
  one = f64[] constant(1)
  ones = f64[30000] broadcast(one), dimensions={}
  x = f64[30000] parameter(0)
  y = s16[30000] parameter(1)
  z = f64[30000] convert(y)
  s = f64[30000] subtract(x, z)
  a = f64[30000] add(s, ones)
  b = f32[30000] convert(s)
  ROOT t = (f64[30000], f32[30000]) tuple(a, b)
})");
  ASSERT_EQ(plan_.kernels.size(), 1);
  EXPECT_THAT(
      Kinds(),
      ElementsAre(AllocationKind::kParameter, AllocationKind::kParameter,
                  AllocationKind::kOutput, AllocationKind::kOutput));
  const KernelSpec& spec = plan_.kernels[0].spec;
  const HloInstruction& fusion = *spec.instructions[0];
  std::vector<int64_t> alignments;
  for (const HloInstruction* operand : fusion.operands()) {
    alignments.push_back(operand->shape().element_type() == F64 ? 8 : 2);
  }
  alignments.insert(alignments.end(), {64, 64});
  EXPECT_EQ(Alignments(), alignments);
  EXPECT_THAT(Written(), ElementsAre(false, false, true, true));
  EXPECT_THAT(Invariant(), ElementsAre(true, true, false, false));
  EXPECT_EQ(spec.frame.place(&fusion, 1).array, 3);
}

constexpr char kDonated[] = R"(
HloModule m ALIAS
ENTRY e {
  x = f32[30000] parameter(0)
  y = f32[30000] parameter(1)
  ROOT s = f32[30000] subtract(x, y)
})";

TEST_F(KernelFramesTest, DonatedParameterMayBeTheResult) {
  Plan(absl::StrReplaceAll(kDonated, {{"ALIAS", ""}}));
  ASSERT_EQ(plan_.kernels.size(), 1);
  EXPECT_THAT(Invariant(), ElementsAre(true, true, false));
  const KernelFrame plain = Frame();
  Plan(absl::StrReplaceAll(
      kDonated,
      {{"ALIAS", ", input_output_alias={ {}: (1, {}, may-alias) }"}}));
  EXPECT_THAT(Invariant(), ElementsAre(true, false, false));
  EXPECT_FALSE(Frame().HasSameFacts(plain));
  const HloInstruction& root = *plan_.kernels[0].spec.instructions[0];
  const auto& result = Frame().place(&root, 0);
  EXPECT_TRUE(
      Frame().MayShareMemory(Frame().place(root.operand(1), 0), result));
  EXPECT_FALSE(
      Frame().MayShareMemory(Frame().place(root.operand(0), 0), result));
}

// However many values lie in an allocation, it is one array of the sequence.
TEST_F(KernelFramesTest, SequenceHasEachAllocationOnce) {
  Plan(R"(
HloModule m
less {
  p = (s32[], f32[600], f32[600]) parameter(0)
  i = s32[] get-tuple-element(p), index=0
  n = s32[] constant(1000)
  ROOT c = pred[] compare(i, n), direction=LT
}
step {
  p = (s32[], f32[600], f32[600]) parameter(0)
  i = s32[] get-tuple-element(p), index=0
  x = f32[600] get-tuple-element(p), index=1
  y = f32[600] get-tuple-element(p), index=2
  one = s32[] constant(1)
  j = s32[] add(i, one)
  z = f32[600] subtract(x, y)
  w = f32[600] reverse(x), dimensions={0}
  ROOT t = (s32[], f32[600], f32[600]) tuple(j, z, w)
}
ENTRY e {
  x = f32[600] parameter(0)
  y = f32[600] parameter(1)
  zero = s32[] constant(0)
  t = (s32[], f32[600], f32[600]) tuple(zero, x, y)
  loop = (s32[], f32[600], f32[600]) while(t), condition=less, body=step
  a = f32[600] get-tuple-element(loop), index=1
  b = f32[600] get-tuple-element(loop), index=2
  ROOT r = f32[600] multiply(a, b)
})");
  ASSERT_EQ(plan_.kernels.size(), 1);
  const KernelSpec& spec = plan_.kernels[0].spec;
  ASSERT_TRUE(IsSequence(spec.instructions));
  absl::flat_hash_set<int64_t> allocations;
  for (const KernelArray& array : Frame().arrays()) {
    EXPECT_TRUE(allocations.insert(array.slice.allocation).second);
    EXPECT_EQ(array.slice.offset, 0);
    EXPECT_EQ(array.slice.size,
              assignment_->allocations()[array.slice.allocation].size);
  }
  absl::flat_hash_map<int64_t, int> values;  // by array
  for (const auto& computation : module_->computations()) {
    for (const auto& instruction : computation->instructions()) {
      if (!Frame().Has(instruction, 0)) continue;
      const KernelFrame::Place& place = Frame().place(instruction, 0);
      const BufferSlice& slice = assignment_->slice(instruction, 0);
      EXPECT_EQ(place.offset, slice.offset);
      EXPECT_EQ(place.size, slice.size);
      if (spec.local_buffers.contains(place.buffer)) continue;
      EXPECT_EQ(Frame().arrays()[place.array].slice.allocation,
                slice.allocation);
      ++values[place.array];
    }
  }
  int most = 0;
  for (const auto& [_, count] : values) most = std::max(most, count);
  EXPECT_GE(most, 2);
}

// Values that are only on the stack are not arrays of the kernel.
TEST_F(KernelFramesTest, LocalBuffersAreNotInTheFrame) {
  Plan(R"(
HloModule m
ENTRY e {
  x = f32[8] parameter(0)
  a = f32[8] reverse(x), dimensions={0}
  b = f32[4] slice(a), slice={[2:6]}
  c = f32[4] reverse(b), dimensions={0}
  d = f32[8] sine(a)
  ROOT t = (f32[4], f32[8]) tuple(c, d)
})");
  ASSERT_EQ(plan_.kernels.size(), 1);
  ASSERT_TRUE(IsSequence(plan_.kernels[0].spec.instructions));
  EXPECT_THAT(Kinds(),
              ElementsAre(AllocationKind::kParameter, AllocationKind::kOutput,
                          AllocationKind::kOutput));
  EXPECT_THAT(Invariant(), ElementsAre(true, false, false));
}

// A comparator has an array for each parameter, and one for the result, which
// may share memory with any of them.
TEST_F(KernelFramesTest, MappedComputationHasItsParametersAndResult) {
  Plan(R"(
HloModule m
less {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  c = f32[] abs(a)
  d = f32[] abs(b)
  ROOT r = pred[] compare(c, d), direction=LT
}
ENTRY e {
  x = f32[1000] parameter(0)
  ROOT s = f32[1000] sort(x), dimensions={0}, to_apply=less
})");
  ASSERT_EQ(plan_.kernels.size(), 1);
  EXPECT_NE(plan_.kernels[0].spec.mapped, nullptr);
  EXPECT_EQ(plan_.thunks[0].index, 0);
  EXPECT_THAT(Alignments(), ElementsAre(4, 4, 1));
  EXPECT_THAT(Written(), ElementsAre(false, false, true));
  EXPECT_THAT(Invariant(), ElementsAre(false, false, false));
}

}  // namespace
}  // namespace xla::cpu
