// Values, buffers and what may share memory, as passes written for XLA ask.
#include <memory>
#include <string>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/compat/ir/module_fixtures.h"
#include "xla/hlo/analysis/alias_info.h"
#include "xla/hlo/analysis/hlo_alias_analysis.h"
#include "xla/hlo/analysis/hlo_dataflow_analysis.h"
#include "xla/hlo/analysis/hlo_operand_index.h"
#include "xla/hlo/analysis/tuple_points_to_analysis.h"
#include "xla/hlo/ir/hlo_instruction.h"
#include "xla/hlo/ir/hlo_module.h"
#include "xla/service/buffer_value.h"
#include "xla/service/hlo_buffer.h"
#include "xla/service/hlo_value.h"
#include "xla/service/logical_buffer.h"

namespace xla {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

// The loop changes element 0 and keeps element 1.
constexpr absl::string_view kLoop = R"(
HloModule loop
condition {
  q = (s32[], f32[4]) parameter(0)
  j = s32[] get-tuple-element(q), index=0
  n = s32[] constant(3)
  ROOT lt = pred[] compare(j, n), direction=LT
}
body {
  p = (s32[], f32[4]) parameter(0)
  i = s32[] get-tuple-element(p), index=0
  x = f32[4] get-tuple-element(p), index=1
  one = s32[] constant(1)
  next = s32[] add(i, one)
  ROOT t = (s32[], f32[4]) tuple(next, x)
}
ENTRY main {
  a = f32[4] parameter(0)
  zero = s32[] constant(0)
  init = (s32[], f32[4]) tuple(zero, a)
  w = (s32[], f32[4]) while(init), condition=condition, body=body
  r = f32[4] get-tuple-element(w), index=1
  ROOT out = f32[4] negate(r)
})";

class DataflowTest : public LoadedModuleTest {
 protected:
  std::unique_ptr<HloDataflowAnalysis> Flow(bool ssa_form,
                                            bool bitcasts = false) {
    auto flow = HloDataflowAnalysis::Run(*module_, ssa_form, bitcasts).value();
    EXPECT_TRUE(flow->Verify().ok());
    return flow;
  }
};

TEST_F(DataflowTest, TuplesPassOn) {
  Load(R"(
HloModule tuples
ENTRY e {
  a = f32[4] parameter(0)
  b = f32[4] parameter(1)
  pair = (f32[4], f32[4]) tuple(a, b)
  g = f32[4] get-tuple-element(pair), index=1
  c = f32[4] bitcast(g)
  ROOT sum = f32[4] add(g, c)
})");
  const auto flow = Flow(/*ssa_form=*/false);
  EXPECT_EQ(flow->value_count(), 4);
  EXPECT_EQ(flow->values().size(), 4u);
  EXPECT_TRUE(flow->ValueIsDefinedAt(Find("pair"), {}));
  EXPECT_FALSE(flow->ValueIsDefinedAt(Find("pair"), {1}));
  const HloValue& b = flow->GetValueDefinedAt(Find("b"));
  EXPECT_EQ(flow->GetUniqueValueAt(Find("c")), b);
  EXPECT_EQ(flow->GetValue(b.id()), b);
  EXPECT_THAT(b.positions(),
              UnorderedElementsAre(
                  HloPosition{Find("b"), {}}, HloPosition{Find("pair"), {1}},
                  HloPosition{Find("g"), {}}, HloPosition{Find("c"), {}}));
  EXPECT_EQ(b.defining_position(), (HloPosition{Find("b"), {}}));
  EXPECT_THAT(b.GetUses(),
              UnorderedElementsAre(HloUse(Find("c"), 0), HloUse(Find("sum"), 0),
                                   HloUse(Find("sum"), 1)));
  EXPECT_FALSE(b.live_out_of_module());
  EXPECT_TRUE(flow->GetUniqueValueAt(Find("sum")).live_out_of_module());
  EXPECT_EQ(flow->GetFlattenedValueSet(Find("pair")).values().size(), 3u);
  EXPECT_TRUE(b.IsArray());
  EXPECT_TRUE(flow->GetUniqueValueAt(Find("pair")).IsTuple());
  EXPECT_EQ(b.ToShortString(), absl::StrCat("<", b.id(), " b>"));
  EXPECT_THAT(flow->ToString(), HasSubstr("tuple index {1}"));

  const auto with_bitcasts = Flow(/*ssa_form=*/false, /*bitcasts=*/true);
  EXPECT_EQ(with_bitcasts->value_count(), 5);
  EXPECT_TRUE(with_bitcasts->ValueIsDefinedAt(Find("c")));
}

TEST_F(DataflowTest, LoopsMergeValues) {
  Load(kLoop);
  const auto flow = Flow(/*ssa_form=*/false);
  EXPECT_THAT(flow->GetValueSet(Find("w"), {0}).values(),
              UnorderedElementsAre(&flow->GetValueDefinedAt(Find("zero")),
                                   &flow->GetValueDefinedAt(Find("next"))));
  EXPECT_TRUE(flow->GetInstructionValueSet(Find("w")).IsAmbiguous());
  EXPECT_EQ(flow->GetUniqueValueAt(Find("x")),
            flow->GetValueDefinedAt(Find("a")));
  EXPECT_EQ(flow->GetUniqueValueAt(Find("r")),
            flow->GetValueDefinedAt(Find("a")));
}

TEST_F(DataflowTest, LoopsMakePhis) {
  Load(kLoop);
  const auto flow = Flow(/*ssa_form=*/true);
  for (const absl::string_view name : {"w", "p", "q"}) {
    EXPECT_TRUE(flow->ValueIsDefinedAt(Find(name), {0})) << name;
    EXPECT_TRUE(flow->GetUniqueValueAt(Find(name), {0}).is_phi()) << name;
    // The loop returns this element as it was.
    EXPECT_EQ(flow->GetUniqueValueAt(Find(name), {1}),
              flow->GetValueDefinedAt(Find("a")));
  }
  EXPECT_EQ(flow->GetUniqueValueAt(Find("i")),
            flow->GetUniqueValueAt(Find("p"), {0}));
  EXPECT_EQ(flow->GetUniqueValueAt(Find("w"), {0}).ToShortString(),
            absl::StrCat("<", flow->GetUniqueValueAt(Find("w"), {0}).id(),
                         " w{0} (phi)>"));
}

TEST_F(DataflowTest, NestedLoopsThatKeepAValueHaveNoPhi) {
  Load(R"(
HloModule nested
c1 {
  c1p = (pred[], f32[4]) parameter(0)
  ROOT c1r = pred[] get-tuple-element(c1p), index=0
}
c2 {
  c2p = (pred[], f32[4]) parameter(0)
  ROOT c2r = pred[] get-tuple-element(c2p), index=0
}
inner {
  ip = (pred[], f32[4]) parameter(0)
  ix = f32[4] get-tuple-element(ip), index=1
  no = pred[] constant(false)
  ROOT it = (pred[], f32[4]) tuple(no, ix)
}
outer {
  op = (pred[], f32[4]) parameter(0)
  iw = (pred[], f32[4]) while(op), condition=c1, body=inner
  ROOT ot = (pred[], f32[4]) opt-barrier(iw)
}
ENTRY main {
  a = f32[4] parameter(0)
  yes = pred[] constant(true)
  init = (pred[], f32[4]) tuple(yes, a)
  w = (pred[], f32[4]) while(init), condition=c2, body=outer
  ROOT r = f32[4] get-tuple-element(w), index=1
})");
  const auto flow = Flow(/*ssa_form=*/true);
  EXPECT_EQ(flow->GetUniqueValueAt(Find("r")),
            flow->GetValueDefinedAt(Find("a")));
  EXPECT_EQ(flow->GetUniqueValueAt(Find("ix")),
            flow->GetValueDefinedAt(Find("a")));
  EXPECT_TRUE(flow->GetUniqueValueAt(Find("op"), {0}).is_phi());
}

constexpr absl::string_view kBranches = R"(
HloModule branches
left {
  lp = f32[4] parameter(0)
  ROOT neg = f32[4] negate(lp)
}
right {
  ROOT rp = f32[4] parameter(0)
}
callee {
  cp = f32[4] parameter(0)
  ROOT twice = f32[4] add(cp, cp)
}
ENTRY main {
  a = f32[4] parameter(0)
  which = pred[] parameter(1)
  chosen = f32[4] conditional(which, a, a), true_computation=left,
    false_computation=right
  ROOT called = f32[4] call(chosen), to_apply=callee
})";

TEST_F(DataflowTest, BranchesAndCalls) {
  Load(kBranches);
  const auto flow = Flow(/*ssa_form=*/false);
  EXPECT_THAT(flow->GetValueSet(Find("chosen")).values(),
              UnorderedElementsAre(&flow->GetValueDefinedAt(Find("a")),
                                   &flow->GetValueDefinedAt(Find("neg"))));
  EXPECT_EQ(flow->GetValueSet(Find("cp")), flow->GetValueSet(Find("chosen")));
  EXPECT_EQ(flow->GetUniqueValueAt(Find("called")),
            flow->GetValueDefinedAt(Find("twice")));
  const auto ssa = Flow(/*ssa_form=*/true);
  EXPECT_TRUE(ssa->GetUniqueValueAt(Find("chosen")).is_phi());
  EXPECT_EQ(ssa->GetUniqueValueAt(Find("lp")),
            ssa->GetValueDefinedAt(Find("a")));
  EXPECT_TRUE(ssa->call_graph()
                  .GetNode(Find("neg")->parent())
                  .callers()[0]
                  ->IsEntryComputation());
}

TEST_F(DataflowTest, AsynchronousOpsPassOn) {
  Load(R"(
HloModule async
ENTRY e {
  a = f32[4] parameter(0)
  start = ((f32[4]), f32[4], u32[]) negate-start(a)
  ROOT done = f32[4] negate-done(start)
})");
  const auto flow = Flow(/*ssa_form=*/false);
  const HloInstruction* wrapped =
      Find("start")->async_wrapped_computation()->root_instruction();
  EXPECT_EQ(flow->GetUniqueValueAt(Find("start"), {0, 0}),
            flow->GetValueDefinedAt(Find("a")));
  EXPECT_EQ(flow->GetUniqueValueAt(Find("start"), {1}),
            flow->GetValueDefinedAt(wrapped));
  EXPECT_EQ(flow->GetUniqueValueAt(Find("done")),
            flow->GetValueDefinedAt(wrapped));
  EXPECT_TRUE(flow->ValueIsDefinedAt(Find("start"), {2}));
  EXPECT_TRUE(HloDataflowAnalysis::IsAsynchronousOperationStart(
      Find("start")->opcode()));
  EXPECT_TRUE(
      HloDataflowAnalysis::IsAsynchronousOperationDone(Find("done")->opcode()));
  EXPECT_FALSE(
      HloDataflowAnalysis::IsAsynchronousOperationDone(HloOpcode::kAdd));
}

// What other threads do is not known: calls of them and what they pass make
// values.
TEST_F(DataflowTest, OneThreadAlone) {
  Load(R"(
HloModule threads
inner {
  y = (f32[4], f32[4]) parameter(0)
  ROOT m = f32[4] get-tuple-element(y), index=1
}, execution_thread="worker"
wrapped {
  x = (f32[4], f32[4]) parameter(0)
  ROOT c = f32[4] call(x), to_apply=inner
}, execution_thread="worker"
ENTRY e {
  a = f32[4] parameter(0)
  b = (f32[4], f32[4]) tuple(a, a)
  start = (((f32[4], f32[4])), f32[4], u32[]) async-start(b), async_execution_thread="worker", calls=wrapped
  ROOT done = f32[4] async-done(start)
})");
  for (const bool ssa_form : {false, true}) {
    const auto worker =
        HloDataflowAnalysis::Run(*module_, ssa_form, false, {"worker"});
    ASSERT_TRUE(worker.ok()) << worker.status();
    EXPECT_EQ((*worker)->Verify(), absl::OkStatus());
    EXPECT_TRUE((*worker)->ValueIsDefinedAt(Find("x")));
    EXPECT_EQ((*worker)->GetUniqueValueAt(Find("c")),
              (*worker)->GetValueDefinedAt(Find("x"), {1}));
    EXPECT_FALSE((*worker)->ToString().empty());
    const auto main =
        HloDataflowAnalysis::Run(*module_, ssa_form, false, {"main"});
    ASSERT_TRUE(main.ok()) << main.status();
    EXPECT_EQ((*main)->Verify(), absl::OkStatus());
    EXPECT_EQ((*main)->GetUniqueValueAt(Find("start"), {0, 0, 0}),
              (*main)->GetValueDefinedAt(Find("a")));
    EXPECT_TRUE((*main)->ValueIsDefinedAt(Find("start"), {1}));
    EXPECT_EQ((*main)->GetUniqueValueAt(Find("done")),
              (*main)->GetValueDefinedAt(Find("start"), {1}));
  }
}

TEST_F(DataflowTest, ComputationsInBothContextsAreNotSupported) {
  Load(R"(
HloModule both
f {
  x = f32[] parameter(0)
  ROOT n = f32[] negate(x)
}
ENTRY e {
  a = f32[] parameter(0)
  b = f32[4] parameter(1)
  c = f32[] call(a), to_apply=f
  d = f32[4] map(b), dimensions={0}, to_apply=f
  ROOT t = (f32[], f32[4]) tuple(c, d)
})");
  EXPECT_EQ(HloDataflowAnalysis::Run(*module_).status().code(),
            absl::StatusCode::kUnimplemented);
}

TEST_F(DataflowTest, InPlacePairs) {
  Load(R"(
HloModule in_place
fused {
  fp = (f32[8], f32[2]) parameter(0)
  fx = f32[8] get-tuple-element(fp), index=0
  fu = f32[2] get-tuple-element(fp), index=1
  z = s32[] constant(0)
  fd = f32[8] dynamic-update-slice(fx, fu, z)
  ROOT ft = (f32[2], f32[8]) tuple(fu, fd)
}
ENTRY e {
  x = f32[8] parameter(0)
  u = f32[2] parameter(1)
  zero = s32[] constant(0)
  d = f32[8] dynamic-update-slice(x, u, zero)
  in = (f32[8], f32[2]) tuple(d, u)
  f = (f32[2], f32[8]) fusion(in), kind=kLoop, calls=fused
  c = f32[8] custom-call(d, u), custom_call_target="t",
    output_to_operand_aliasing={{}: (0, {})}
  neg = f32[8] negate(c)
  ROOT out = (f32[2], f32[8], f32[8]) tuple(u, neg, c)
})");
  const auto pairs = [&](absl::string_view name) {
    return HloDataflowAnalysis::GetInPlaceInputOutputPairs(Find(name));
  };
  const std::pair<HloOperandIndex, ShapeIndex> whole = {{0, {}}, {}};
  EXPECT_THAT(pairs("d"), ElementsAre(whole));
  EXPECT_THAT(pairs("c"), ElementsAre(whole));
  EXPECT_THAT(pairs("neg"), IsEmpty());
  const std::pair<HloOperandIndex, ShapeIndex> inside = {{0, {0}}, {1}};
  EXPECT_THAT(pairs("f"), ElementsAre(inside));
  EXPECT_TRUE(AliasInfo().MustAlias(Find("in"), {0}, Find("f"), {1}));
  EXPECT_FALSE(AliasInfo().MustAlias(Find("in"), {1}, Find("f"), {1}));
  const auto [source, index] = FollowTupleIndirection(Find("in"), {1});
  EXPECT_EQ(source, Find("u"));
  EXPECT_THAT(index, IsEmpty());
}

// A backend that reverses in place, and never adds in place.
class BackendAliases : public AliasInfo {
  std::optional<bool> MayAlias(const HloInstruction* operand,
                               const ShapeIndex& operand_index,
                               const HloInstruction* user,
                               const ShapeIndex& user_index) const override {
    if (user->opcode() == HloOpcode::kReverse) return true;
    if (user->opcode() == HloOpcode::kAdd) return false;
    return std::nullopt;
  }
};

TEST_F(DataflowTest, WhatMayBeWrittenOver) {
  Load(R"(
HloModule sharing
ENTRY e {
  x = f32[8] parameter(0)
  u = f32[2] parameter(1)
  zero = s32[] constant(0)
  one = f32[8] constant({1,1,1,1,1,1,1,1})
  n = f32[8] negate(x)
  d = f32[8] dynamic-update-slice(n, u, zero)
  s = f32[8] add(d, one)
  r = f32[8] reverse(s), dimensions={0}
  ROOT b = f32[8,2] broadcast(r), dimensions={0}
})");
  const auto flow = Flow(/*ssa_form=*/true);
  const auto can = [&](absl::string_view operand, absl::string_view user,
                       const AliasInfo& aliases) {
    return flow->CanShareOperandBufferWithUser(Find(operand), {}, Find(user),
                                               {}, &aliases);
  };
  EXPECT_TRUE(can("x", "n", AliasInfo()));
  EXPECT_TRUE(can("n", "d", AliasInfo()));
  EXPECT_FALSE(can("u", "d", AliasInfo()));
  EXPECT_TRUE(can("d", "s", AliasInfo()));
  EXPECT_FALSE(can("one", "s", AliasInfo()));
  EXPECT_FALSE(can("s", "r", AliasInfo()));
  EXPECT_FALSE(can("r", "b", AliasInfo()));
  EXPECT_FALSE(can("d", "s", BackendAliases()));
  EXPECT_TRUE(can("s", "r", BackendAliases()));
  EXPECT_FALSE(flow->DoesNotUseOperandBuffer(Find("x"), {}, Find("n")));
  EXPECT_TRUE(flow->DoesNotUseOperandBuffer(Find("x"), {}, Find("s")));
}

TEST_F(DataflowTest, LoopsAreOneBuffer) {
  Load(kLoop);
  const AliasInfo alias_info;
  const auto aliases =
      HloAliasAnalysis::Run(module_.get(), &alias_info).value();
  const HloBuffer& counter = aliases->GetUniqueBufferAt(Find("w"), {0});
  for (const absl::string_view name : {"zero", "next", "i", "j"}) {
    EXPECT_EQ(aliases->GetUniqueBufferAt(Find(name)), counter) << name;
  }
  EXPECT_EQ(counter.values().size(), 5u);
  const HloBuffer& data = aliases->GetUniqueBufferAt(Find("a"));
  EXPECT_NE(data, counter);
  EXPECT_EQ(aliases->GetUniqueBufferAt(Find("r")), data);
  EXPECT_EQ(data.GetUniqueValue(),
            aliases->dataflow_analysis().GetValueDefinedAt(Find("a")));
  EXPECT_FALSE(aliases->BufferLivesOut(data));
  EXPECT_THAT(aliases->LiveOutBuffers(),
              ElementsAre(&aliases->GetUniqueBufferAt(Find("out"))));
  EXPECT_TRUE(aliases->ValueLivesOut(
      aliases->dataflow_analysis().GetUniqueValueAt(Find("out"))));
  for (size_t i = 0; i < aliases->buffers().size(); ++i) {
    EXPECT_EQ(aliases->buffers()[i].id(), static_cast<int64_t>(i));
    EXPECT_EQ(aliases->GetBuffer(i), aliases->buffers()[i]);
    for (const HloValue* value : aliases->buffers()[i].values()) {
      EXPECT_EQ(aliases->GetBufferContainingValue(*value).id(),
                static_cast<int64_t>(i));
    }
  }
  EXPECT_THAT(counter.ComputePositions(),
              ::testing::Contains(HloPosition{Find("t"), {0}}));
  EXPECT_THAT(aliases->ToString(), HasSubstr("Buffers at each position"));
}

TEST_F(DataflowTest, BranchesAndUpdatesAreOneBuffer) {
  Load(R"(
HloModule updates, input_output_alias={ {}: (1, {}, may-alias) }
left {
  lp = f32[8] parameter(0)
  ROOT neg = f32[8] negate(lp)
}
right {
  rp = f32[8] parameter(0)
  ROOT abs = f32[8] abs(rp)
}
ENTRY e {
  which = pred[] parameter(0)
  x = f32[8] parameter(1)
  u = f32[2] parameter(2)
  zero = s32[] constant(0)
  chosen = f32[8] conditional(which, x, x), true_computation=left,
    false_computation=right
  ROOT d = f32[8] dynamic-update-slice(chosen, u, zero)
})");
  const AliasInfo alias_info;
  const auto aliases =
      HloAliasAnalysis::Run(module_.get(), &alias_info).value();
  const HloBuffer& result = aliases->GetUniqueBufferAt(Find("d"));
  for (const absl::string_view name : {"chosen", "neg", "abs", "x"}) {
    EXPECT_EQ(aliases->GetUniqueBufferAt(Find(name)), result) << name;
  }
  EXPECT_NE(aliases->GetUniqueBufferAt(Find("u")), result);
}

TEST_F(DataflowTest, SharedBodiesHaveNoAliasAnalysis) {
  Load(R"(
HloModule shared
c {
  cp = (pred[]) parameter(0)
  ROOT cr = pred[] get-tuple-element(cp), index=0
}
b {
  bp = (pred[]) parameter(0)
  no = pred[] constant(false)
  ROOT bt = (pred[]) tuple(no)
}
ENTRY e {
  a = pred[] parameter(0)
  init = (pred[]) tuple(a)
  w1 = (pred[]) while(init), condition=c, body=b
  ROOT w2 = (pred[]) while(w1), condition=c, body=b
})");
  const AliasInfo alias_info;
  EXPECT_EQ(HloAliasAnalysis::Run(module_.get(), &alias_info).status().code(),
            absl::StatusCode::kFailedPrecondition);
}

TEST_F(DataflowTest, ColorsOfBuffers) {
  Load(kLoop);
  const AliasInfo alias_info;
  const auto aliases =
      HloAliasAnalysis::Run(module_.get(), &alias_info).value();
  const HloBuffer& counter = aliases->GetUniqueBufferAt(Find("w"), {0});
  for (HloValue* value : aliases->dataflow_analysis().values()) {
    EXPECT_FALSE(value->has_color());
    value->set_color(value->defining_instruction() == Find("out") ? 1 : 0);
  }
  EXPECT_EQ(counter.color().value(), 0);
  aliases->dataflow_analysis().GetValueDefinedAt(Find("next")).set_color(2);
  EXPECT_EQ(counter.color().status().code(),
            absl::StatusCode::kFailedPrecondition);
}

TEST_F(DataflowTest, PointsToWithinComputations) {
  Load(kLoop);
  const auto points = TuplePointsToAnalysis::Run(module_.get()).value();
  const PointsToSet& init = points->GetPointsToSet(Find("init"));
  EXPECT_TRUE(init.IsDistinct());
  EXPECT_FALSE(init.IsAmbiguous());
  EXPECT_EQ(init.size(), 3u);
  EXPECT_THAT(init.tuple_sources({}), UnorderedElementsAre(Find("init")));
  EXPECT_THAT(init.tuple_sources({1}), IsEmpty());
  const LogicalBuffer* a = points->GetBufferDefinedAt(Find("a"), {}).value();
  EXPECT_THAT(init.element({1}), ElementsAre(a));
  EXPECT_TRUE(init.ContainsBuffer(*a));
  EXPECT_FALSE(init.ContainsBufferAtIndex(*a, {0}));
  EXPECT_THAT(points->GetBufferAliases(*a),
              UnorderedElementsAre(BufferAlias(Find("a"), {}),
                                   BufferAlias(Find("init"), {1})));
  // The loop makes its own, unlike in the dataflow.
  EXPECT_EQ(points->GetBuffersDefinedByInstruction(Find("w")).size(), 3u);
  EXPECT_TRUE(points->InstructionDefinesBufferAtIndex(Find("w"), {1}));
  EXPECT_TRUE(points->GetBuffersDefinedByInstruction(Find("r")).empty());
  EXPECT_EQ(points->GetBufferDefinedAt(Find("r"), {}).status().code(),
            absl::StatusCode::kFailedPrecondition);
  EXPECT_TRUE(points->VerifyBuffer(*a).ok());
  EXPECT_EQ(&points->GetBuffer(a->id()), a);
  EXPECT_FALSE(
      points->VerifyBuffer(LogicalBuffer(Find("r"), {}, a->id())).ok());
  EXPECT_EQ(a->ToString(), absl::StrCat("a[](#", a->id(), ")"));
  EXPECT_TRUE(points->DoesNotUseOperandBuffer(Find("w"), {1}, Find("r")));
  EXPECT_FALSE(points->DoesNotUseOperandBuffer(Find("w"), {}, Find("r")));
}

}  // namespace
}  // namespace xla
