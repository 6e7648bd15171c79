// Which values share memory, which copies that needs, and how much memory.
#include "xla/hlo/analysis/buffer_assignment.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/hlo/analysis/buffer_testing.h"
#include "xla/hlo/analysis/buffer_assignment_proto.h"
#include "xla/hlo/analysis/buffer_simulation.h"

namespace xla {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using Kind = BufferAssignment::Kind;

TEST(BufferAssignmentTest, ChainOfElementwiseOpsRunsInTheOutput) {
  const Assigned a = Assign(R"(
HloModule m
ENTRY e {
  x = f32[100] parameter(0)
  p = f32[100] negate(x)
  q = f32[100] exponential(p)
  ROOT r = f32[100] add(q, x)
})");
  EXPECT_THAT(a.reasons, IsEmpty());
  EXPECT_EQ(a.KindOf("x"), Kind::kParameter);
  EXPECT_EQ(a.Slice("r").allocation, a.Output(0));
  EXPECT_TRUE(a.Share("p", "r"));
  EXPECT_EQ(a.buffers->temp_bytes(), 0);
}

TEST(BufferAssignmentTest, NoSharingWhereOtherElementsAreRead) {
  const Assigned a = Assign(R"(
HloModule m
ENTRY e {
  x = f32[10,10] parameter(0)
  p = f32[10,10] negate(x)
  t = f32[10,10] transpose(p), dimensions={1,0}
  ROOT r = f32[10,10] negate(t)
})");
  EXPECT_THAT(a.reasons, IsEmpty());
  EXPECT_FALSE(a.Share("p", "t"));
  EXPECT_TRUE(a.Share("t", "r"));
  EXPECT_EQ(a.buffers->temp_bytes(), 448);
}

TEST(BufferAssignmentTest, ArenaIsReused) {
  const Assigned a = Assign(R"(
HloModule m
ENTRY e {
  x = f32[16,16] parameter(0)
  a = f32[16,16] transpose(x), dimensions={1,0}
  b = f32[16,16] dot(a, a), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  c = f32[16,16] dot(b, b), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  d = f32[16,16] dot(c, c), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  ROOT f = f32[16,16] dot(d, d), lhs_contracting_dims={1}, rhs_contracting_dims={0}
})");
  EXPECT_EQ(a.buffers->temp_bytes(), 2048);
  EXPECT_EQ(a.buffers->statistics().live_temp_bytes, 2048);
}

// Products of 16 KiB each. Two of them are needed at a time; the last ones are
// results.
constexpr char kProducts[] = R"(
ENTRY e {
  x = f32[64,64] parameter(0)
  a = f32[64,64] dot(x, x), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  b = f32[64,64] dot(a, a), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  c = f32[64,64] dot(b, b), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  d = f32[64,64] dot(c, c), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  f = f32[64,64] dot(d, d), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  ROOT t = (f32[64,64], f32[64,64]) tuple(d, f)
})";

TEST(BufferAssignmentTest, TemporariesInOutputsThatComeLater) {
  const Assigned a = Assign(absl::StrCat("HloModule m\n", kProducts));
  EXPECT_EQ(a.Slice("d").allocation, a.Output(0));
  EXPECT_EQ(a.Slice("f").allocation, a.Output(1));
  // d is made while c is needed, f comes after all of them.
  EXPECT_EQ(a.Slice("a").allocation, a.Output(1));
  EXPECT_EQ(a.Slice("b").allocation, a.Output(0));
  EXPECT_EQ(a.Slice("c").allocation, a.Output(1));
  EXPECT_EQ(a.buffers->temp_bytes(), 0);
}

TEST(BufferAssignmentTest, NoTemporariesInOutputsThatMayBeParameters) {
  const Assigned a = Assign(absl::StrCat(
      "HloModule m, input_output_alias={ {1}: (0, {}, may-alias) }\n",
      kProducts));
  EXPECT_FALSE(a.buffers->allocations()[a.Output(0)].may_be_parameter);
  EXPECT_TRUE(a.buffers->allocations()[a.Output(1)].may_be_parameter);
  EXPECT_EQ(a.Slice("a").allocation, a.Output(0));
  EXPECT_EQ(a.KindOf("b"), Kind::kTemp);
  EXPECT_EQ(a.KindOf("c"), Kind::kTemp);
  EXPECT_EQ(a.buffers->temp_bytes(), 2 * 64 * 64 * 4);
}

TEST(BufferAssignmentTest, ArenaBehindWhatIsNeededIsFree) {
  const Assigned a = Assign(R"(
HloModule m
ENTRY e {
  x = f32[16,16] parameter(0)
  a = f32[16,16] dot(x, x), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  b = f32[16,16] dot(a, a), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  c = f32[8,16] slice(b), slice={[0:8],[0:16]}
  ROOT d = f32[8,8] dot(c, c), lhs_contracting_dims={1}, rhs_contracting_dims={1}
})");
  const auto free_from = [&](const char* name) {
    return a.buffers->arena_free_from(a.Find(name));
  };
  EXPECT_EQ(a.buffers->temp_bytes(), 2048);
  EXPECT_EQ(free_from("a"), a.Slice("a").offset + 1024);
  EXPECT_EQ(free_from("b"), 2048);
  EXPECT_EQ(free_from("d"), a.Slice("c").offset + 512);
}

// Nobody reads the first result of the fusion. It takes the memory of the
// carry, over which either result may be written; the second, which may lie
// over the carry too and over which `next` may be written, must not follow it
// there.
TEST(BufferAssignmentTest, ResultsOfOneOpNeverShare) {
  const Assigned a = Assign(R"(
HloModule m
both {
  p = f32[100] parameter(0)
  dead = f32[100] exponential(p)
  live = f32[100] cosine(p)
  ROOT t = (f32[100], f32[100]) tuple(dead, live)
}
cond {
  p = (s32[], f32[100]) parameter(0)
  i = s32[] get-tuple-element(p), index=0
  n = s32[] constant(9)
  ROOT lt = pred[] compare(i, n), direction=LT
}
body {
  p = (s32[], f32[100]) parameter(0)
  i = s32[] get-tuple-element(p), index=0
  x = f32[100] get-tuple-element(p), index=1
  one = s32[] constant(1)
  j = s32[] add(i, one)
  results = (f32[100], f32[100]) fusion(x), kind=kLoop, calls=both
  live = f32[100] get-tuple-element(results), index=1
  next = f32[100] negate(live)
  ROOT t = (s32[], f32[100]) tuple(j, next)
}
ENTRY e {
  zero = s32[] constant(0)
  x = f32[100] parameter(0)
  y = f32[100] negate(x)
  t = (s32[], f32[100]) tuple(zero, y)
  ROOT loop = (s32[], f32[100]) while(t), condition=cond, body=body
})");
  EXPECT_TRUE(a.Share("next", "results", 0, 0) !=
              a.Share("next", "results", 0, 1));
  EXPECT_FALSE(a.Share("results", "results", 0, 1));
}

constexpr char kLoop[] = R"(
HloModule m
cond {
  p = (s32[], f32[1000], f32[1000]) parameter(0)
  i = s32[] get-tuple-element(p), index=0
  n = s32[] constant(9)
  ROOT lt = pred[] compare(i, n), direction=LT
}
body {
  p = (s32[], f32[1000], f32[1000]) parameter(0)
  i = s32[] get-tuple-element(p), index=0
  acc = f32[1000] get-tuple-element(p), index=1
  w = f32[1000] get-tuple-element(p), index=2
  one = s32[] constant(1)
  next = s32[] add(i, one)
  u = f32[1] dynamic-slice(w, i), dynamic_slice_sizes={1}
  old = f32[1] dynamic-slice(acc, i), dynamic_slice_sizes={1}
  new = f32[1] add(u, old)
  dus = f32[1000] dynamic-update-slice(acc, new, i)
  ROOT t = (s32[], f32[1000], f32[1000]) tuple(next, dus, w)
}
ENTRY e {
  w = f32[1000] parameter(0)
  zero = s32[] constant(0)
  z = f32[] constant(0)
  acc = f32[1000] broadcast(z), dimensions={}
  init = (s32[], f32[1000], f32[1000]) tuple(zero, acc, w)
  loop = (s32[], f32[1000], f32[1000]) while(init), condition=cond, body=body
  ROOT r = f32[1000] get-tuple-element(loop), index=1
})";

TEST(BufferAssignmentTest, LoopUpdatesItsCarryInTheOutput) {
  const Assigned a = Assign(kLoop);
  // Only the counter's constant is copied; the weight stays the parameter.
  EXPECT_THAT(a.reasons, ElementsAre(HasSubstr("constant zero is read only")));
  EXPECT_TRUE(a.Share("dus", "acc"));
  EXPECT_EQ(a.Slice("dus").allocation, a.Output(0));
  EXPECT_EQ(a.KindOf("loop", 2), Kind::kParameter);
  EXPECT_TRUE(a.Share("next", "i"));
}

TEST(BufferAssignmentTest, CopyWhereInitIsNeededAfterTheLoop) {
  std::string text = kLoop;
  text.replace(text.find("  ROOT r = f32[1000] get-tuple-element(loop), "
                         "index=1"),
               std::string::npos, R"(
  r = f32[1000] get-tuple-element(loop), index=1
  ROOT s = f32[1000] subtract(r, acc)
})");
  const Assigned a = Assign(text);
  ASSERT_THAT(a.reasons, SizeIs(2));
  EXPECT_THAT(a.reasons, ::testing::Contains(HasSubstr(
                             "would overwrite acc.1, which s reads later")));
}

TEST(BufferAssignmentTest, SwappedCarriesTakeThreeCopies) {
  const Assigned a = Assign(R"(
HloModule m
cond {
  p = (f32[8], f32[8], pred[]) parameter(0)
  ROOT go = pred[] get-tuple-element(p), index=2
}
body {
  p = (f32[8], f32[8], pred[]) parameter(0)
  a = f32[8] get-tuple-element(p), index=0
  b = f32[8] get-tuple-element(p), index=1
  go = pred[] get-tuple-element(p), index=2
  stop = pred[] not(go)
  ROOT t = (f32[8], f32[8], pred[]) tuple(b, a, stop)
}
ENTRY e {
  x = f32[8] parameter(0)
  y = f32[8] parameter(1)
  a = f32[8] negate(x)
  b = f32[8] negate(y)
  go = pred[] parameter(2)
  init = (f32[8], f32[8], pred[]) tuple(a, b, go)
  ROOT loop = (f32[8], f32[8], pred[]) while(init), condition=cond, body=body
})");
  EXPECT_THAT(a.reasons, SizeIs(4));  // one for the parameter `go`
  EXPECT_THAT(a.reasons,
              ::testing::Contains(HasSubstr("cycle of values that change")));
}

TEST(BufferAssignmentTest, OutputsOfParametersConstantsAndTwice) {
  const Assigned a = Assign(R"(
HloModule m
ENTRY e {
  x = f32[8] parameter(0)
  c = f32[8] constant({1,2,3,4,5,6,7,8})
  n = f32[8] negate(x)
  ROOT t = (f32[8], f32[8], f32[8], f32[8]) tuple(x, c, n, n)
})");
  EXPECT_THAT(a.reasons, SizeIs(3));
  EXPECT_EQ(a.buffers->temp_bytes(), 0);
}

TEST(BufferAssignmentTest, DonatedParameterIsUpdatedInItsHome) {
  const Assigned a = Assign(R"(
HloModule m, input_output_alias={ {}: (0, {}, may-alias) }
ENTRY e {
  x = f32[8] parameter(0)
  g = f32[8] parameter(1)
  d = f32[8] subtract(x, g)
  s = f32[8] reverse(x), dimensions={0}
  k = f32[8] reverse(s), dimensions={0}
  ROOT r = f32[8] add(d, k)
})");
  EXPECT_THAT(a.reasons, IsEmpty());
  EXPECT_EQ(a.Slice("r").allocation, a.Output(0));
}

TEST(BufferAssignmentTest, DonatedParametersThatChangePlaces) {
  const Assigned a = Assign(R"(
HloModule m, input_output_alias={ {0}: (0, {}, may-alias), {1}: (1, {}, may-alias) }
ENTRY e {
  x = f32[8] parameter(0)
  y = f32[8] parameter(1)
  ROOT t = (f32[8], f32[8]) tuple(y, x)
})");
  EXPECT_THAT(a.reasons, SizeIs(3));
}

// The memory of a donated parameter is reused even if the result has another
// type or layout.
TEST(BufferAssignmentTest, DonatedParameterOfAnotherLayoutOrType) {
  const Assigned a = Assign(R"(
HloModule m, input_output_alias={ {0}: (0, {}, may-alias), {1}: (1, {}, may-alias) }
ENTRY e {
  x = f32[2,3] parameter(0)
  y = f32[4] parameter(1)
  t = f32[3,2] transpose(x), dimensions={1,0}
  r = f32[4] reverse(y), dimensions={0}
  s = s32[4] convert(r)
  ROOT all = (f32[3,2], s32[4]) tuple(t, s)
})");
  EXPECT_THAT(a.reasons, SizeIs(1));
  EXPECT_NE(a.Slice("t").allocation, a.Output(0));
}

TEST(BufferAssignmentTest, DonatedCarry) {
  std::string text = kLoop;
  text.replace(text.find("HloModule m"), 11,
               "HloModule m, input_output_alias={ {1}: (0, {}, may-alias), "
               "{2}: (1, {}, may-alias) }");
  text.replace(text.find("ENTRY"), std::string::npos, R"(
ENTRY e {
  acc = f32[1000] parameter(0)
  w = f32[1000] parameter(1)
  zero = s32[] constant(0)
  init = (s32[], f32[1000], f32[1000]) tuple(zero, acc, w)
  ROOT loop = (s32[], f32[1000], f32[1000]) while(init), condition=cond, body=body
})");
  const Assigned a = Assign(text);
  // The copies are of the counter, of the carry to its output and of the weight
  // to its output.
  EXPECT_THAT(a.reasons, SizeIs(3));
  EXPECT_EQ(a.Slice("loop", 1).allocation, a.Output(1));
  const HloInstruction* root =
      a.module->entry_computation()->root_instruction();
  EXPECT_EQ(a.buffers->slice(root, 2).allocation, a.Output(2));
}

TEST(BufferAssignmentTest, BranchThatUpdatesAndBranchThatPasses) {
  const Assigned a = Assign(R"(
HloModule m
update {
  p = (f32[100], f32[1], s32[]) parameter(0)
  x = f32[100] get-tuple-element(p), index=0
  v = f32[1] get-tuple-element(p), index=1
  i = s32[] get-tuple-element(p), index=2
  ROOT u = f32[100] dynamic-update-slice(x, v, i)
}
pass {
  ROOT p = f32[100] parameter(0)
}
ENTRY e {
  y = f32[100] parameter(0)
  v = f32[1] parameter(1)
  i = s32[] parameter(2)
  c = pred[] parameter(3)
  x = f32[100] negate(y)
  t = (f32[100], f32[1], s32[]) tuple(x, v, i)
  r = f32[100] conditional(c, t, x), true_computation=update, false_computation=pass
  ROOT s = f32[100] reverse(r), dimensions={0}
})");
  EXPECT_THAT(a.reasons, IsEmpty());
  EXPECT_EQ(a.buffers->temp_bytes(), 448);
}

TEST(BufferAssignmentTest, FusedUpdateInPlace) {
  const Assigned a = Assign(R"(
HloModule m
fused {
  p = f32[10,10] parameter(0)
  u = f32[10] parameter(1)
  i = s32[] parameter(2)
  z = s32[] constant(0)
  old = f32[1,10] dynamic-slice(p, i, z), dynamic_slice_sizes={1,10}
  b = f32[1,10] reshape(u)
  new = f32[1,10] add(old, b)
  d = f32[10,10] dynamic-update-slice(p, new, i, z)
  ROOT r = f32[100] bitcast(d)
}
wider {
  p = f32[10,10] parameter(0)
  i = s32[] parameter(1)
  z = s32[] constant(0)
  other = f32[1,10] dynamic-slice(p, z, i), dynamic_slice_sizes={1,10}
  ROOT d = f32[10,10] dynamic-update-slice(p, other, i, z)
}
ENTRY e {
  y = f32[10,10] parameter(0)
  u = f32[10] parameter(1)
  i = s32[] parameter(2)
  x = f32[10,10] negate(y)
  k = f32[10,10] exponential(y)
  f = f32[100] fusion(x, u, i), kind=kLoop, calls=fused
  w = f32[10,10] fusion(k, i), kind=kLoop, calls=wider
  ROOT t = (f32[100], f32[10,10]) tuple(f, w)
})");
  EXPECT_THAT(a.reasons, IsEmpty());
  EXPECT_TRUE(a.Share("f", "x"));
  EXPECT_EQ(cpu::CpuAliasInfo().MustAlias(*a.Find("f"), 0),
            (OperandLeaf{0, 0}));
  EXPECT_FALSE(cpu::CpuAliasInfo().MustAlias(*a.Find("w"), 0).has_value());
  EXPECT_FALSE(a.Share("w", "k"));
}

TEST(BufferAssignmentTest, LoopFusionOverDyingOperand) {
  const Assigned a = Assign(R"(
HloModule m
fused {
  p = f32[10,10] parameter(0)
  q = f32[10,10] parameter(1)
  s = f32[10] parameter(2)
  n = f32[10,10] negate(p)
  t = f32[10,10] transpose(q), dimensions={1,0}
  b = f32[10,10] broadcast(s), dimensions={0}
  a = f32[10,10] add(n, t)
  ROOT m = f32[10,10] multiply(a, b)
}
ENTRY e {
  y = f32[10,10] parameter(0)
  s = f32[10] parameter(1)
  dies = f32[10,10] negate(y)
  moved = f32[10,10] exponential(y)
  f = f32[10,10] fusion(dies, moved, s), kind=kLoop, calls=fused
  ROOT r = f32[10,10] transpose(f), dimensions={1,0}
})");
  EXPECT_TRUE(a.Share("f", "dies"));
  EXPECT_FALSE(a.Share("f", "moved"));
  EXPECT_TRUE(cpu::CpuAliasInfo().MayAlias(*a.Find("f"), 0, 0));
  EXPECT_FALSE(cpu::CpuAliasInfo().MayAlias(*a.Find("f"), 0, 1));
  EXPECT_FALSE(cpu::CpuAliasInfo().MayAlias(*a.Find("f"), 0, 2));
}

TEST(BufferAssignmentTest, RowFusionOverDyingOperand) {
  const Assigned a = Assign(R"(
HloModule m
sum {
  x = f32[] parameter(0)
  y = f32[] parameter(1)
  ROOT s = f32[] add(x, y)
}
fused {
  p = f32[10,32] parameter(0)
  q = f32[10,32] parameter(1)
  n = f32[10,32] negate(p)
  zero = f32[] constant(0)
  r = f32[10] reduce(n, zero), dimensions={1}, to_apply=sum
  b = f32[10,32] broadcast(r), dimensions={0}
  d = f32[10,32] divide(n, b)
  v = f32[10,32] reverse(q), dimensions={1}
  ROOT a = f32[10,32] add(d, v)
}
ENTRY e {
  y = f32[10,32] parameter(0)
  dies = f32[10,32] negate(y)
  moved = f32[10,32] exponential(y)
  f = f32[10,32] fusion(dies, moved), kind=kInput, calls=fused
  ROOT r = f32[32,10] transpose(f), dimensions={1,0}
})");
  EXPECT_TRUE(a.Share("f", "dies"));
  EXPECT_TRUE(cpu::CpuAliasInfo().MayAlias(*a.Find("f"), 0, 0));
  EXPECT_FALSE(cpu::CpuAliasInfo().MayAlias(*a.Find("f"), 0, 1));
}

// Sums of columns need later rows, which in-place results would overwrite.
TEST(BufferAssignmentTest, FusionOfRowsAndColumnsKeepsItsOperands) {
  const Assigned a = Assign(R"(
HloModule m
sum {
  x = f32[] parameter(0)
  y = f32[] parameter(1)
  ROOT s = f32[] add(x, y)
}
fused {
  p = f32[10,32] parameter(0)
  zero = f32[] constant(0)
  r = f32[10] reduce(p, zero), dimensions={1}, to_apply=sum
  c = f32[32] reduce(p, zero), dimensions={0}, to_apply=sum
  n = f32[10,32] negate(p)
  ROOT t = (f32[10], f32[32], f32[10,32]) tuple(r, c, n)
}
ENTRY e {
  y = f32[10,32] parameter(0)
  dies = f32[10,32] exponential(y)
  ROOT f = (f32[10], f32[32], f32[10,32]) fusion(dies), kind=kInput, calls=fused
})");
  EXPECT_TRUE(cpu::CpuAliasInfo().MayAliasPairs(*a.Find("f")).empty());
}

TEST(BufferAssignmentTest, SortOverDyingOperand) {
  const Assigned a = Assign(R"(
HloModule m
less {
  x = f32[] parameter(0)
  y = f32[] parameter(1)
  i = s32[] parameter(2)
  j = s32[] parameter(3)
  ROOT l = pred[] compare(x, y), direction=LT
}
ENTRY e {
  p = f32[10,32] parameter(0)
  numbers = s32[10,32] iota(), iota_dimension=1
  s = (f32[10,32], s32[10,32]) sort(p, numbers), dimensions={1}, to_apply=less
  ROOT order = s32[10,32] get-tuple-element(s), index=1
})");
  EXPECT_TRUE(a.Share("s", "numbers", 1, 0));
  EXPECT_FALSE(a.Share("s", "p", 0, 0));
}

TEST(BufferAssignmentTest, ScatterOfTwoOperands) {
  const Assigned a = Assign(R"(
HloModule m
assign {
  p = f32[] parameter(0)
  q = f32[] parameter(1)
  r = f32[] parameter(2)
  s = f32[] parameter(3)
  ROOT t = (f32[], f32[]) tuple(r, s)
}
ENTRY e {
  x = f32[9] parameter(0)
  i = s32[2,1] parameter(1)
  v = f32[2] parameter(2)
  a = f32[9] negate(x)
  b = f32[9] cosine(x)
  both = (f32[9], f32[9]) scatter(a, b, i, v, v), update_window_dims={}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=assign
  s0 = f32[9] get-tuple-element(both), index=0
  d = f32[9] reverse(s0), dimensions={0}
  late = f32[9] subtract(d, b)
  ROOT t = ((f32[9], f32[9]), f32[9]) tuple(both, late)
})");
  ASSERT_THAT(a.reasons, SizeIs(1));
  EXPECT_THAT(a.reasons[0], HasSubstr("b, which late reads later"));
  EXPECT_TRUE(a.Share("both", "a"));
  EXPECT_FALSE(a.Share("both", "b", 1, 0));
}

TEST(BufferAssignmentTest, CustomCallWithDeclaredAlias) {
  const Assigned a = Assign(R"(
HloModule m
ENTRY e {
  x = f32[9] parameter(0)
  a = f32[9] negate(x)
  b = f32[9] cosine(x)
  c = (f32[4], f32[9]) custom-call(b, a), custom_call_target="f", output_to_operand_aliasing={{1}: (1, {})}
  d = f32[9] get-tuple-element(c), index=1
  ROOT r = f32[9] reverse(d), dimensions={0}
})");
  EXPECT_THAT(a.reasons, IsEmpty());
  EXPECT_TRUE(a.Share("c", "a", 1, 0));
  EXPECT_FALSE(a.Share("c", "b", 1, 0));
}

TEST(BufferAssignmentTest, FusionOfSeveralOutputs) {
  const Assigned a = Assign(R"(
HloModule m
same {
  p = f32[9] parameter(0)
  q = f32[9] parameter(1)
  n = f32[9] negate(p)
  s = f32[9] add(p, q)
  ROOT t = (f32[9], f32[9]) tuple(n, s)
}
other {
  p = f32[9] parameter(0)
  n = f32[9] negate(p)
  c = f32[4] slice(p), slice={[0:4]}
  ROOT t = (f32[9], f32[4]) tuple(n, c)
}
ENTRY e {
  x = f32[9] parameter(0)
  a = f32[9] negate(x)
  b = f32[9] cosine(x)
  k = f32[9] sine(x)
  f = (f32[9], f32[9]) fusion(a, b), kind=kLoop, calls=same
  g = (f32[9], f32[4]) fusion(k), kind=kLoop, calls=other
  f0 = f32[9] get-tuple-element(f), index=0
  f1 = f32[9] get-tuple-element(f), index=1
  g0 = f32[9] get-tuple-element(g), index=0
  g1 = f32[4] get-tuple-element(g), index=1
  u = f32[9] reverse(f0), dimensions={0}
  v = f32[9] reverse(f1), dimensions={0}
  w = f32[9] reverse(g0), dimensions={0}
  ROOT t = (f32[9], f32[9], f32[9], f32[4]) tuple(u, v, w, g1)
})");
  EXPECT_THAT(a.reasons, IsEmpty());
  EXPECT_TRUE(a.Share("f", "a", 0, 0));
  EXPECT_TRUE(a.Share("f", "b", 1, 0));
  EXPECT_FALSE(a.Share("g", "k", 0, 0));
}

// An output that nobody reads is written nevertheless. It is dead as early as
// the operand, but must not share its memory.
TEST(BufferAssignmentTest, FusionWithOutputThatIsNotRead) {
  const Assigned a = Assign(R"(
HloModule m
same {
  p = f32[9] parameter(0)
  n = f32[9] negate(p)
  s = f32[9] add(p, p)
  ROOT t = (f32[9], f32[9]) tuple(n, s)
}
ENTRY e {
  x = f32[9] parameter(0)
  a = f32[9] negate(x)
  f = (f32[9], f32[9]) fusion(a), kind=kLoop, calls=same
  f1 = f32[9] get-tuple-element(f), index=1
  ROOT v = f32[9] reverse(f1), dimensions={0}
})");
  EXPECT_THAT(a.reasons, IsEmpty());
  EXPECT_NE(a.Slice("f", 0).offset, a.Slice("f", 1).offset);
}

// The weights are not copied, since copies would cost more than the loop.
TEST(BufferAssignmentTest, ControlFlowThatOnlyReadsStaysOnTheParameter) {
  const Assigned a = Assign(R"(
HloModule m
read {
  p = (f32[9], f32[9]) parameter(0)
  w = f32[9] get-tuple-element(p), index=0
  x = f32[9] get-tuple-element(p), index=1
  ROOT s = f32[9] multiply(w, x)
}
pass {
  p = (f32[9], f32[9]) parameter(0)
  ROOT x = f32[9] get-tuple-element(p), index=1
}
cond {
  p = (f32[9], f32[9], pred[]) parameter(0)
  ROOT c = pred[] get-tuple-element(p), index=2
}
body {
  p = (f32[9], f32[9], pred[]) parameter(0)
  w = f32[9] get-tuple-element(p), index=0
  x = f32[9] get-tuple-element(p), index=1
  c = pred[] get-tuple-element(p), index=2
  t = (f32[9], f32[9]) tuple(w, x)
  y = f32[9] conditional(c, t, t), true_computation=read, false_computation=pass
  ROOT r = (f32[9], f32[9], pred[]) tuple(w, y, c)
}
ENTRY e {
  w = f32[9] parameter(0)
  x = f32[9] parameter(1)
  c = pred[] parameter(2)
  n = f32[9] negate(x)
  init = (f32[9], f32[9], pred[]) tuple(w, n, c)
  loop = (f32[9], f32[9], pred[]) while(init), condition=cond, body=body
  l = f32[9] get-tuple-element(loop), index=1
  k = f32[9] get-tuple-element(loop), index=0
  ROOT r = f32[9] add(l, k)
})");
  EXPECT_THAT(a.reasons, IsEmpty());
  EXPECT_EQ(a.KindOf("k"), Kind::kParameter);
  EXPECT_EQ(a.buffers->temp_bytes(), 0);
}

TEST(BufferAssignmentTest, LeavesWithoutMemory) {
  const Assigned a = Assign(R"(
HloModule m
ENTRY e {
  x = f32[0,5] parameter(0)
  k = token[] after-all()
  n = f32[0,5] negate(x)
  ROOT t = (f32[0,5], token[]) tuple(n, k)
})");
  EXPECT_EQ(a.Slice("n").allocation, -1);
  EXPECT_EQ(a.Slice("k").allocation, -1);
  EXPECT_EQ(a.buffers->allocations()[a.Output(1)].size, 0);
}

// The donated parameter and the result have one allocation; the tuple's leaves
// have indices of their own.
TEST(BufferAssignmentTest, ProtoNamesParametersAndResults) {
  const Assigned a = Assign(R"(
HloModule m, input_output_alias={ {1}: (0, {1}, may-alias) }
ENTRY e {
  p = (f32[4], f32[300]) parameter(0)
  q = f32[300] parameter(1)
  x = f32[300] get-tuple-element(p), index=1
  s = f32[300] add(x, q)
  m = f32[300] multiply(q, q)
  ROOT t = (f32[300], f32[300]) tuple(m, s)
})");
  const BufferAssignmentProto proto =
      BufferAssignmentToProto(*a.module, *a.buffers);
  // Leaves 0 and 1 of p, q, and the first result; the arena is empty.
  ASSERT_EQ(proto.buffer_allocations_size(), 5);
  const BufferAllocationProto& donated = proto.buffer_allocations(1);
  EXPECT_TRUE(donated.is_entry_computation_parameter());
  EXPECT_TRUE(donated.maybe_live_out());
  EXPECT_TRUE(donated.is_parameter_aliased_with_output());
  EXPECT_EQ(donated.parameter_number(), 0);
  EXPECT_THAT(donated.parameter_shape_index(), ElementsAre(1));
  EXPECT_EQ(donated.size(), 1200);
  EXPECT_EQ(proto.buffer_allocations(2).parameter_number(), 1);
  EXPECT_FALSE(proto.buffer_allocations(3).is_entry_computation_parameter());
  EXPECT_TRUE(proto.buffer_allocations(3).maybe_live_out());
  EXPECT_EQ(proto.heap_simulator_traces_size(), 0);
  const int64_t sum = a.Find("s")->unique_id();
  EXPECT_EQ(std::count_if(proto.logical_buffers().begin(),
                          proto.logical_buffers().end(),
                          [&](const LogicalBufferProto& buffer) {
                            return buffer.defined_at().instruction_id() == sum;
                          }),
            1);
}

}  // namespace
}  // namespace xla
