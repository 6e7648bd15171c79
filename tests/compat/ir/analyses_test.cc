// Analyses and tools over modules, written as for XLA: visitors that count,
// reports, orders, graphs, inference of shapes.
#include <ctime>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "xla/hlo/evaluator/hlo_evaluator.h"
#include "xla/hlo/ir/dfs_hlo_visitor_with_default.h"
#include "xla/hlo/ir/hlo_casting_utils.h"
#include "xla/hlo/ir/hlo_clone_context.h"
#include "xla/hlo/ir/hlo_computation.h"
#include "xla/hlo/ir/hlo_instruction.h"
#include "xla/hlo/ir/hlo_instructions.h"
#include "xla/hlo/ir/hlo_module.h"
#include "xla/hlo/ir/hlo_opcode.h"
#include "xla/hlo/testlib/hlo_hardware_independent_test_base.h"
#include "xla/literal_util.h"
#include "xla/service/call_graph.h"
#include "xla/service/shape_inference.h"
#include "xla/shape_util.h"
#include "xla/tsl/platform/statusor.h"

namespace xla {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::UnorderedElementsAre;

class AnalysesTest : public HloHardwareIndependentTestBase {
 protected:
  std::unique_ptr<HloModule> Loop() {
    return ParseAndReturnVerifiedModule(R"(
HloModule loop
add {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT s = f32[] add(a, b)
}
condition {
  p = (s32[], f32[4]) parameter(0)
  i = s32[] get-tuple-element(p), index=0
  n = s32[] constant(3)
  ROOT lt = pred[] compare(i, n), direction=LT
}
body {
  q = (s32[], f32[4]) parameter(0)
  j = s32[] get-tuple-element(q), index=0
  one = s32[] constant(1)
  k = s32[] add(j, one)
  x = f32[4] get-tuple-element(q), index=1
  y = f32[4] multiply(x, x)
  ROOT t = (s32[], f32[4]) tuple(k, y)
}
ENTRY main {
  v = f32[4] parameter(0)
  zero = s32[] constant(0)
  init = (s32[], f32[4]) tuple(zero, v)
  w = (s32[], f32[4]) while(init), condition=condition, body=body
  r = f32[4] get-tuple-element(w), index=1
  z = f32[] constant(0)
  ROOT sum = f32[] reduce(r, z), dimensions={0}, to_apply=add
})")
        .value();
  }
};

// Counts instructions by opcode.
class Counter : public ConstDfsHloVisitorWithDefault {
 public:
  absl::Status DefaultAction(const HloInstruction* hlo) override {
    ++counts_[std::string(HloOpcodeString(hlo->opcode()))];
    return absl::OkStatus();
  }
  absl::Status FinishVisit(const HloInstruction* root) override {
    last_ = root->name();
    return absl::OkStatus();
  }
  std::map<std::string, int> counts_;
  std::string last_;
};

TEST_F(AnalysesTest, VisitorCounts) {
  auto module = Loop();
  Counter counter;
  ASSERT_TRUE(module->entry_computation()->Accept(&counter).ok());
  EXPECT_EQ(counter.counts_["constant"], 2);
  EXPECT_EQ(counter.counts_["while"], 1);
  EXPECT_EQ(counter.last_, "sum");
}

TEST_F(AnalysesTest, VisitorsGoIntoCallees) {
  auto module = Loop();
  Counter counter;
  const HloInstruction* root = module->entry_computation()->root_instruction();
  ASSERT_TRUE(
      root->Accept(&counter, true, false, /*cross_computation=*/true).ok());
  EXPECT_EQ(counter.counts_["parameter"], 1 + 2 + 1 + 1);
}

TEST_F(AnalysesTest, VisitorsThatLackAHandlerSaySo) {
  class OnlyAdd : public ConstDfsHloVisitor {
    absl::Status HandleAdd(const HloInstruction*) override {
      return absl::OkStatus();
    }
  };
  OnlyAdd visitor;
  const absl::Status status = Loop()->entry_computation()->Accept(&visitor);
  EXPECT_EQ(status.code(), absl::StatusCode::kUnimplemented);
}

// The depth of the longest path of element-wise ops.
TEST_F(AnalysesTest, FunctionVisitorMeasuresDepth) {
  auto module = ParseAndReturnVerifiedModule(R"(
HloModule m
ENTRY e {
  x = f32[4] parameter(0)
  a = f32[4] sine(x)
  b = f32[4] cosine(a)
  ROOT c = f32[4] add(b, x)
})")
                    .value();
  absl::flat_hash_map<const HloInstruction*, int> depth;
  FunctionVisitor visitor([&](HloInstruction* hlo) {
    int deepest = 0;
    for (const HloInstruction* operand : hlo->operands()) {
      deepest = std::max(deepest, depth[operand]);
    }
    depth[hlo] = deepest + (hlo->IsElementwise() ? 1 : 0);
    return absl::OkStatus();
  });
  ASSERT_TRUE(module->entry_computation()->Accept(&visitor).ok());
  EXPECT_EQ(depth[module->entry_computation()->root_instruction()], 3);
}

TEST_F(AnalysesTest, CallGraphKnowsContextsAndDepths) {
  auto module = Loop();
  std::unique_ptr<CallGraph> graph = CallGraph::Build(module.get());
  const auto node = [&](absl::string_view name) -> const CallGraphNode& {
    return graph->GetNode(module->GetComputationWithName(name));
  };
  EXPECT_EQ(graph->nodes().size(), 4);
  EXPECT_EQ(node("main").context(), CallContext::kControlFlow);
  EXPECT_EQ(node("body").context(), CallContext::kControlFlow);
  EXPECT_EQ(node("add").context(), CallContext::kEmbedded);
  EXPECT_EQ(node("main").depth(), 0);
  EXPECT_EQ(node("body").depth(), 1);
  EXPECT_EQ(node("main").callsites().size(), 2);
  EXPECT_EQ(node("body").caller_callsites()[0].instruction()->name(), "w");
  EXPECT_TRUE(graph->Dominates(module->entry_computation(),
                               module->GetComputationWithName("body")));
  EXPECT_FALSE(graph->Dominates(module->GetComputationWithName("body"),
                                module->GetComputationWithName("add")));
  EXPECT_TRUE(graph->IsFlattened());
  std::vector<std::string> order;
  ASSERT_TRUE(graph
                  ->VisitNodes([&](const CallGraphNode& n) {
                    order.push_back(n.computation()->name());
                    return absl::OkStatus();
                  })
                  .ok());
  EXPECT_EQ(order.back(), "main");
  const auto pair = graph->NearestAncestorsInSameComputation(
      FindInstruction(module.get(), "y"), FindInstruction(module.get(), "s"));
  EXPECT_EQ(pair.first->name(), "w");
  EXPECT_EQ(pair.second->name(), "sum");
  EXPECT_THAT(graph->NearestCommonAncestorComputations(
                  {module->GetComputationWithName("add"),
                   module->GetComputationWithName("body")}),
              UnorderedElementsAre(module->entry_computation()));
}

TEST_F(AnalysesTest, CommonAncestorsAreThoseGivenIfSomeAre) {
  auto module = ParseAndReturnVerifiedModule(R"(
HloModule m
ENTRY e {
  x = f32[4] parameter(0)
  a = f32[4] sine(x)
  b = f32[4] cosine(a)
  ROOT c = f32[4] add(b, a)
})")
                    .value();
  std::unique_ptr<CallGraph> graph = CallGraph::Build(module.get());
  const HloInstruction* b = FindInstruction(module.get(), "b");
  EXPECT_THAT(graph->NearestCommonAncestorInstructions(
                  {FindInstruction(module.get(), "a"), b}),
              UnorderedElementsAre(b));
}

// Finding each of many calls takes no search, which would take minutes.
TEST_F(AnalysesTest, CallSitesAreFoundAtOnce) {
  auto module = ParseAndReturnVerifiedModule(R"(
HloModule calls
f {
  x = f32[] parameter(0)
  ROOT n = f32[] negate(x)
}
ENTRY main {
  a = f32[] parameter(0)
  ROOT b = f32[] call(a), to_apply=f
})")
                    .value();
  HloComputation* main = module->entry_computation();
  HloInstruction* last = main->root_instruction();
  HloComputation* callee = last->to_apply();
  constexpr int kCalls = 200000;
  for (int i = 1; i < kCalls; ++i) {
    last = main->AddInstruction(
        HloInstruction::CreateCall(last->shape(), {last}, callee));
  }
  main->set_root_instruction(last);
  const auto graph = CallGraph::Build(module.get());
  const CallGraphNode& node = graph->GetNode(main);
  ASSERT_EQ(node.callsites().size(), kCalls);
  const std::clock_t start = std::clock();
  for (const HloInstruction* hlo : main->instructions()) {
    const CallSite* site = node.GetCallSite(hlo);
    if (hlo->opcode() == HloOpcode::kParameter) {
      EXPECT_EQ(site, nullptr);
    } else {
      ASSERT_NE(site, nullptr);
      ASSERT_EQ(site->instruction(), hlo);
    }
  }
  EXPECT_LT(std::clock() - start, 10 * CLOCKS_PER_SEC);
}

TEST_F(AnalysesTest, ScheduleIsPrinted) {
  auto module = ParseAndReturnVerifiedModule(R"(
HloModule m, is_scheduled=true
ENTRY e {
  x = f32[4] parameter(0)
  b = f32[4] cosine(x)
  a = f32[4] sine(x)
  ROOT c = f32[4] add(a, b)
})")
                    .value();
  std::vector<std::string> lines;
  for (const HloInstruction* hlo :
       module->entry_computation()->instructions()) {
    lines.push_back(hlo->name());
  }
  EXPECT_EQ(absl::StrJoin(lines, " "), "x b a c");
}

TEST_F(AnalysesTest, ClonesWithAContext) {
  auto module = Loop();
  HloCloneContext context(module.get(), "copy");
  HloComputation* body = module->GetComputationWithName("body");
  HloComputation* copy =
      module->AddEmbeddedComputation(body->Clone("copy", &context));
  EXPECT_EQ(copy->name(), "body.copy");
  EXPECT_EQ(context.GetComputation(body), copy);
  HloInstruction* y = body->GetInstructionWithName("y");
  EXPECT_EQ(context.GetInstruction(y)->opcode(), HloOpcode::kMultiply);
  EXPECT_EQ(context.GetInstruction(y)->parent(), copy);
  EXPECT_TRUE(copy->Equal(*body));
  std::unique_ptr<HloInstruction> clone = y->Clone("twin");
  EXPECT_EQ(clone->name(), "y.twin");
}

TEST_F(AnalysesTest, ModulesAreCloned) {
  auto module = Loop();
  std::unique_ptr<HloModule> clone = module->Clone("clone");
  EXPECT_EQ(clone->name(), "loop-clone");
  EXPECT_TRUE(clone->Equal(*module));
  EXPECT_NE(clone->entry_computation(), module->entry_computation());
}

TEST_F(AnalysesTest, BuildersMakeComputations) {
  auto module = CreateNewVerifiedModule("built");
  const Shape shape = ShapeUtil::MakeShape(F32, {2, 3});
  HloComputation::Builder reducer("max");
  HloInstruction* b = reducer.AddInstruction(
      HloInstruction::CreateParameter(1, ShapeUtil::MakeShape(F32, {}), "b"));
  HloInstruction* a = reducer.AddInstruction(
      HloInstruction::CreateParameter(0, ShapeUtil::MakeShape(F32, {}), "a"));
  reducer.AddInstruction(HloInstruction::CreateBinary(
      ShapeUtil::MakeShape(F32, {}), HloOpcode::kMaximum, a, b));
  HloComputation* max = module->AddEmbeddedComputation(reducer.Build());

  HloComputation::Builder builder("main");
  auto* x =
      builder.AddInstruction(HloInstruction::CreateParameter(0, shape, "x"));
  auto* low = builder.AddInstruction(
      HloInstruction::CreateConstant(LiteralUtil::MinValue(F32)));
  builder.AddInstruction(HloInstruction::CreateReduce(
      ShapeUtil::MakeShape(F32, {2}), x, low, {1}, max));
  module->AddEntryComputation(builder.Build());
  EXPECT_TRUE(verifier().Run(module.get()).ok());

  HloEvaluator evaluator;
  const Literal input = LiteralUtil::CreateR2<float>({{1, 5, 2}, {-3, -1, -2}});
  EXPECT_EQ(evaluator.Evaluate(*module, {&input}).value(),
            LiteralUtil::CreateR1<float>({5, -1}));
}

TEST_F(AnalysesTest, FusionsAreMadeAndGrow) {
  auto module = ParseAndReturnVerifiedModule(R"(
HloModule m
ENTRY e {
  x = f32[4] parameter(0)
  y = f32[4] parameter(1)
  a = f32[4] sine(x)
  b = f32[4] multiply(a, y)
  ROOT c = f32[4] add(b, x)
})")
                    .value();
  HloComputation* entry = module->entry_computation();
  HloInstruction* a = entry->GetInstructionWithName("a");
  HloInstruction* b = entry->GetInstructionWithName("b");
  HloInstruction* c = entry->GetInstructionWithName("c");
  HloInstruction* fusion =
      entry->CreateFusionInstruction({c, b}, HloInstruction::FusionKind::kLoop);
  EXPECT_TRUE(fusion->IsLoopFusion());
  EXPECT_EQ(fusion->fused_expression_root()->opcode(), HloOpcode::kAdd);
  EXPECT_EQ(fusion->operand_count(), 3);
  EXPECT_EQ(fusion->FuseInstruction(a)->opcode(), HloOpcode::kSin);
  EXPECT_EQ(fusion->operand_count(), 2);
  ASSERT_TRUE(entry->RemoveInstruction(a).ok());
  EXPECT_TRUE(verifier().Run(module.get()).ok());
  EXPECT_TRUE(fusion->IsElementwiseOnOperand(0));
  EXPECT_TRUE(fusion->fused_expression_root()->IsFused());

  const Literal x = LiteralUtil::CreateR1<float>({0, 1, 2, 3});
  EXPECT_EQ(HloEvaluator().Evaluate(*module, {&x, &x}).value().Get<float>({0}),
            0);
}

TEST_F(AnalysesTest, CallsAreOutlined) {
  auto module = ParseAndReturnVerifiedModule(R"(
HloModule m
ENTRY e {
  x = f32[4] parameter(0)
  a = f32[4] sine(x)
  b = f32[4] multiply(a, a)
  ROOT c = f32[4] add(b, x)
})")
                    .value();
  HloComputation* entry = module->entry_computation();
  HloInstruction* call = entry->CreateCallInstruction(
      {entry->GetInstructionWithName("b"), entry->GetInstructionWithName("a")});
  EXPECT_EQ(call->to_apply()->instruction_count(), 3);
  EXPECT_EQ(call->to_apply()->GetUniqueCaller(HloOpcode::kCall), call);
  EXPECT_THAT(entry->MakeEmbeddedComputationsList(),
              ElementsAre(call->to_apply()));
  EXPECT_TRUE(verifier().Run(module.get()).ok());
}

TEST_F(AnalysesTest, ClassesOfInstructions) {
  auto module = Loop();
  HloInstruction* sum = module->entry_computation()->root_instruction();
  EXPECT_EQ(Cast<HloReduceInstruction>(sum)->input_count(), 1);
  EXPECT_EQ(DynCast<HloDotInstruction>(sum), nullptr);
  EXPECT_NE(DynCast<HloDimensionsInstruction>(sum), nullptr);
  EXPECT_NE(dynamic_cast<HloReduceInstruction*>(sum), nullptr);
  EXPECT_TRUE((HloPredicateIsOp<HloOpcode::kMap, HloOpcode::kReduce>(sum)));
  EXPECT_TRUE(HloPredicateIsNotOp<HloOpcode::kMap>(sum));
}

TEST_F(AnalysesTest, AttributesUnderTheirNames) {
  auto module = ParseAndReturnVerifiedModule(R"(
HloModule m
ENTRY e {
  x = f32[8,4] parameter(0)
  i = s32[] parameter(1)
  s = f32[2,4] slice(x), slice={[1:5:2], [0:4]}
  d = f32[2,4] dynamic-slice(x, i, i), dynamic_slice_sizes={2,4}
  p = pred[2,4] compare(s, d), direction=GE
  t = f32[4,2] transpose(s), dimensions={1,0}
  ROOT c = (f32[4,2], pred[2,4]) custom-call(t, p), custom_call_target="sink", custom_call_has_side_effect=true, backend_config="abc", frontend_attributes={k="v"}
})")
                    .value();
  const auto* s = FindInstruction(module.get(), "s");
  EXPECT_THAT(s->slice_starts(), ElementsAre(1, 0));
  EXPECT_EQ(s->slice_strides(0), 2);
  const auto* d =
      Cast<HloDynamicSliceInstruction>(FindInstruction(module.get(), "d"));
  EXPECT_EQ(d->slice_sizes(0), 2);
  EXPECT_EQ(d->index_operands().size(), 2);
  const auto* p = FindInstruction(module.get(), "p");
  EXPECT_EQ(p->comparison_direction(), ComparisonDirection::kGe);
  EXPECT_EQ(p->comparison_order(), ComparisonOrder::kPartial);
  EXPECT_EQ(FindInstruction(module.get(), "t")->dimensions(0), 1);
  HloInstruction* c = FindInstruction(module.get(), HloOpcode::kCustomCall);
  EXPECT_EQ(c->custom_call_target(), "sink");
  EXPECT_TRUE(c->custom_call_has_side_effect());
  EXPECT_EQ(c->opaque(), "abc");
  EXPECT_EQ(c->get_frontend_attribute("k"), "v");
  EXPECT_FALSE(c->add_frontend_attribute("k", "w"));
  c->set_frontend_attribute("k", "w");
  EXPECT_THAT(c->ToString(), HasSubstr("frontend_attributes={k=\"w\"}"));
}

TEST_F(AnalysesTest, BackendConfigsAreProtos) {
  auto module = Loop();
  HloInstruction* w = FindInstruction(module.get(), "w");
  WhileLoopBackendConfig config;
  config.mutable_known_trip_count()->set_n(3);
  ASSERT_TRUE(w->set_backend_config(config).ok());
  EXPECT_EQ(w->backend_config<WhileLoopBackendConfig>()
                .value()
                .known_trip_count()
                .n(),
            3);
  w->set_raw_backend_config_string("no json");
  EXPECT_FALSE(w->backend_config<WhileLoopBackendConfig>().ok());
}

TEST_F(AnalysesTest, ShapesAreInferred) {
  const Shape a = ShapeUtil::MakeShape(F32, {2, 3});
  const Shape row = ShapeUtil::MakeShape(F32, {3});
  EXPECT_EQ(
      ShapeInference::InferBinaryOpShape(HloOpcode::kAdd, a, row, {1}).value(),
      a);
  EXPECT_FALSE(
      ShapeInference::InferBinaryOpShape(HloOpcode::kAdd, a, row, {0}).ok());
  EXPECT_EQ(ShapeInference::InferUnaryOpShape(HloOpcode::kIsFinite, a).value(),
            ShapeUtil::MakeShape(PRED, {2, 3}));
  EXPECT_EQ(ShapeInference::InferTransposeShape(a, {1, 0}).value(),
            ShapeUtil::MakeShape(F32, {3, 2}));
  EXPECT_EQ(ShapeInference::InferConcatOpShape({&a, &a}, 0).value(),
            ShapeUtil::MakeShape(F32, {4, 3}));
  EXPECT_EQ(ShapeInference::InferReshapeShape(a, {6}, -1).value(),
            ShapeUtil::MakeShape(F32, {6}));
  EXPECT_EQ(ShapeInference::InferBroadcastShape(row, {4}).value(),
            ShapeUtil::MakeShape(F32, {4, 3}));
  DotDimensionNumbers dims;
  dims.add_lhs_contracting_dimensions(1);
  dims.add_rhs_contracting_dimensions(0);
  EXPECT_EQ(ShapeInference::InferDotOpShape(a, row, dims, F64).value(),
            ShapeUtil::MakeShape(F64, {2}));
  const ProgramShape reducer = ShapeUtil::MakeProgramShape(
      {ShapeUtil::MakeScalarShape(F32), ShapeUtil::MakeScalarShape(F32)},
      ShapeUtil::MakeScalarShape(F32));
  const Shape scalar = ShapeUtil::MakeScalarShape(F32);
  EXPECT_EQ(
      ShapeInference::InferReduceShape({&a, &scalar}, {1}, reducer).value(),
      ShapeUtil::MakeShape(F32, {2}));
  EXPECT_FALSE(
      ShapeInference::InferReduceShape({&a, &scalar}, {2}, reducer).ok());
  EXPECT_EQ(ShapeInference::InferSliceShape(a, {0, 1}, {2, 3}, {1, 1}).value(),
            ShapeUtil::MakeShape(F32, {2, 2}));
}

TEST_F(AnalysesTest, ShapesOfCollectivesAreInferred) {
  const Shape a = ShapeUtil::MakeShape(F32, {4, 6});
  const Shape b = ShapeUtil::MakeShape(S32, {4, 2});
  const Shape wide = ShapeUtil::MakeShape(F32, {4, 12});
  EXPECT_EQ(ShapeInference::InferAllGatherShape({&a}, 1, 2).value(), wide);
  const Shape both = ShapeUtil::MakeTupleShape(
      {ShapeUtil::MakeShape(F32, {8, 6}), ShapeUtil::MakeShape(S32, {8, 2})});
  EXPECT_EQ(ShapeInference::InferAllGatherShape({&a, &b}, 0, 2).value(), both);
  EXPECT_FALSE(ShapeInference::InferAllGatherShape({&a}, 2, 2).ok());
  EXPECT_FALSE(ShapeInference::InferAllGatherShape({&a}, 1, 0).ok());
  const Shape start =
      ShapeInference::InferAllGatherStartShape({&a}, 1, 2).value();
  EXPECT_EQ(start, ShapeUtil::MakeTupleShape({a, wide}));
  EXPECT_EQ(ShapeInference::InferAllGatherDoneShape(start).value(), wide);
  EXPECT_FALSE(ShapeInference::InferAllGatherDoneShape(a).ok());

  const Shape pair = ShapeUtil::MakeTupleShape({a, b});
  EXPECT_EQ(ShapeInference::InferAllReduceShape({&a}).value(), a);
  EXPECT_EQ(ShapeInference::InferAllReduceStartShape({&a, &b}).value(), pair);
  EXPECT_EQ(ShapeInference::InferAllReduceDoneShape(pair).value(), pair);
  EXPECT_FALSE(ShapeInference::InferAllReduceShape({&pair}).ok());
  EXPECT_FALSE(ShapeInference::InferAllReduceShape({}).ok());
  EXPECT_EQ(ShapeInference::InferReduceScatterShape({&a}, 1, 3).value(),
            ShapeUtil::MakeShape(F32, {4, 2}));
  EXPECT_FALSE(ShapeInference::InferReduceScatterShape({&a}, 1, 4).ok());
  EXPECT_EQ(ShapeInference::InferCollectiveBroadcastShape({&a, &b}).value(),
            pair);

  EXPECT_EQ(ShapeInference::InferAllToAllShape(a, 0, 1, 2).value(),
            ShapeUtil::MakeShape(F32, {2, 12}));
  EXPECT_FALSE(ShapeInference::InferAllToAllShape(a, 1, 0, 4).ok());
  EXPECT_EQ(ShapeInference::InferAllToAllTupleShape({&a, &a}).value(),
            ShapeUtil::MakeTupleShape({a, a}));
  EXPECT_FALSE(ShapeInference::InferAllToAllTupleShape({&a, &b}).ok());
  const Shape out = ShapeUtil::MakeShape(F32, {9, 6});
  const Shape sizes = ShapeUtil::MakeShape(S64, {2});
  EXPECT_EQ(ShapeInference::InferRaggedAllToAllShape(
                {&a, &out, &sizes, &sizes, &sizes, &sizes})
                .value(),
            out);

  EXPECT_EQ(ShapeInference::InferCollectivePermuteShape({&a}, false).value(),
            a);
  const Shape context = ShapeUtil::MakeShape(U32, {});
  const Shape sent = ShapeInference::InferCollectivePermuteStartShape(
                         {&a}, {context, context}, false)
                         .value();
  EXPECT_EQ(sent, ShapeUtil::MakeTupleShape({a, a, context, context}));
  EXPECT_EQ(ShapeInference::InferCollectivePermuteDoneShape(sent).value(), a);
  EXPECT_EQ(
      ShapeInference::InferCollectivePermuteShape({&a, &out, &b, &b}, true)
          .value(),
      out);
  EXPECT_EQ(ShapeInference::InferCollectivePermuteStartShape({&a, &out, &b, &b},
                                                             {}, true)
                .value(),
            ShapeUtil::MakeTupleShape({a, out}));
  EXPECT_FALSE(ShapeInference::InferCollectivePermuteShape({&a}, true).ok());
}

TEST_F(AnalysesTest, ShapesOfDynamicSlicesAndOthersAreInferred) {
  const Shape a = ShapeUtil::MakeShape(F32, {4, 6});
  const Shape part = ShapeUtil::MakeShape(F32, {2, 3});
  const Shape at = ShapeUtil::MakeShape(S32, {});
  const Shape at_both = ShapeUtil::MakeShape(S32, {2});
  EXPECT_EQ(ShapeInference::InferDynamicSliceShape(a, {at, at}, {2, 3}).value(),
            part);
  EXPECT_EQ(ShapeInference::InferDynamicSliceShape(a, {at_both}, {2, 3}, false)
                .value(),
            part);
  EXPECT_FALSE(
      ShapeInference::InferDynamicSliceShape(a, {at, at}, {2, 3}, false).ok());
  EXPECT_FALSE(
      ShapeInference::InferDynamicSliceShape(a, {at, at}, {5, 3}).ok());
  EXPECT_EQ(
      ShapeInference::InferDynamicUpdateSliceShape(a, part, {at, at}).value(),
      a);
  EXPECT_FALSE(
      ShapeInference::InferDynamicUpdateSliceShape(part, a, {at, at}).ok());

  EXPECT_EQ(ShapeInference::InferBitcastConvertShape(a, U8).value(),
            ShapeUtil::MakeShape(U8, {4, 6, 4}));
  EXPECT_EQ(ShapeInference::InferStochasticConvertShape(
                a, ShapeUtil::MakeShape(U32, {4, 6}), BF16)
                .value(),
            ShapeUtil::MakeShape(BF16, {4, 6}));
  EXPECT_EQ(ShapeInference::InferBroadcastShape(ShapeUtil::MakeShape(F32, {6}),
                                                a, {1})
                .value(),
            a);
  EXPECT_FALSE(ShapeInference::InferBroadcastShape(
                   ShapeUtil::MakeShape(F32, {6}), a, {0})
                   .ok());
  EXPECT_EQ(
      ShapeInference::InferDynamicReshapeShape(a, {&at}, {24}, {true}).value(),
      ShapeUtil::MakeShape(F32, {24}, {true}));
  EXPECT_EQ(*ShapeInference::InferScalarBroadcastShape(
                 {ShapeUtil::MakeShape(F32, {}), a})
                 .value(),
            a);
  EXPECT_FALSE(ShapeInference::InferScalarBroadcastShape({at}).value());
  EXPECT_FALSE(ShapeInference::InferScalarBroadcastShape({a, part}).ok());

  const Shape scalar = ShapeUtil::MakeShape(F32, {});
  const Window window =
      ShapeInference::InferWindowFromDimensions({2, 2}, {2, 2}, {}, {}, {})
          .value();
  EXPECT_EQ(ShapeInference::InferReduceWindowShape(a, scalar, window).value(),
            part);
  const Shape features = ShapeUtil::MakeShape(F32, {6});
  EXPECT_EQ(ShapeInference::InferBatchNormInferenceShape(a, features, features,
                                                         features, features, 1)
                .value(),
            a);
  EXPECT_EQ(ShapeInference::InferBatchNormGradShape(a, features, features,
                                                    features, a, 1)
                .value(),
            ShapeUtil::MakeTupleShape({a, features, features}));
}

TEST_F(AnalysesTest, OpsThatTalkToDevicesAreMade) {
  auto module = CreateNewVerifiedModule("devices");
  const Shape scalar = ShapeUtil::MakeScalarShape(F32);
  HloComputation::Builder adder("add");
  auto* a =
      adder.AddInstruction(HloInstruction::CreateParameter(0, scalar, "a"));
  auto* b =
      adder.AddInstruction(HloInstruction::CreateParameter(1, scalar, "b"));
  adder.AddInstruction(
      HloInstruction::CreateBinary(scalar, HloOpcode::kAdd, a, b));
  HloComputation* add = module->AddEmbeddedComputation(adder.Build());

  const Shape shape = ShapeUtil::MakeShape(F32, {4});
  HloComputation::Builder builder("main");
  const auto make = [&](std::unique_ptr<HloInstruction> hlo) {
    return builder.AddInstruction(std::move(hlo));
  };
  auto* x = make(HloInstruction::CreateParameter(0, shape, "x"));
  ReplicaGroup group;
  group.add_replica_ids(0);
  group.add_replica_ids(1);
  auto* sum = make(HloInstruction::CreateAllReduce(
      shape, {x}, add, {group}, /*constrain_layout=*/false, 1,
      /*use_global_device_ids=*/true));
  make(HloInstruction::CreateAllGather(ShapeUtil::MakeShape(F32, {8}), {sum}, 0,
                                       {group}, false, std::nullopt, false));
  make(HloInstruction::CreateReduceScatter(ShapeUtil::MakeShape(F32, {2}),
                                           {sum}, add, {group}, false,
                                           std::nullopt, false, 0));
  make(HloInstruction::CreateAllToAll(shape, {sum}, {group}, false,
                                      std::nullopt, 0));
  make(HloInstruction::CreateCollectivePermute(shape, sum, {{0, 1}}, 2));
  auto* token = make(HloInstruction::CreateToken());
  make(HloInstruction::CreateInfeed(shape, token, "config"));
  make(HloInstruction::CreateOutfeed(shape, x, token, "config"));
  auto* send = make(HloInstruction::CreateSend(x, token, 3, false));
  make(HloInstruction::CreateSendDone(send, 3, false));
  auto* recv = make(HloInstruction::CreateRecv(shape, token, 3, false));
  auto* done = make(HloInstruction::CreateRecvDone(recv, 3, false));
  make(HloInstruction::CreateGetTupleElement(done, 0));
  module->AddEntryComputation(builder.Build());
  module->mutable_config().set_replica_count(2);
  EXPECT_EQ(verifier().Verify(*module), absl::OkStatus());
  EXPECT_EQ(sum->channel_id(), 1);
  EXPECT_EQ(sum->replica_groups().size(), 1);
  EXPECT_TRUE(Cast<HloAllReduceInstruction>(sum)->use_global_device_ids());
  EXPECT_NE(DynCast<HloChannelInstruction>(send), nullptr);
}

TEST_F(AnalysesTest, AsynchronousChainsAreMade) {
  auto module = CreateNewVerifiedModule("async");
  const Shape shape = ShapeUtil::MakeShape(F32, {4});
  HloComputation::Builder inner("negated");
  auto* p =
      inner.AddInstruction(HloInstruction::CreateParameter(0, shape, "p"));
  inner.AddInstruction(
      HloInstruction::CreateUnary(shape, HloOpcode::kNegate, p));
  HloComputation* wrapped = module->AddEmbeddedComputation(inner.Build());
  HloComputation::Builder builder("main");
  auto* x =
      builder.AddInstruction(HloInstruction::CreateParameter(0, shape, "x"));
  const Shape under_way =
      ShapeUtil::MakeTupleShape({ShapeUtil::MakeTupleShape({shape}), shape,
                                 ShapeUtil::MakeScalarShape(U32)});
  auto* start = builder.AddInstruction(
      HloInstruction::CreateAsyncStart(under_way, {x}, wrapped));
  auto* update = builder.AddInstruction(
      HloInstruction::CreateAsyncUpdate(under_way, start));
  auto* done =
      builder.AddInstruction(HloInstruction::CreateAsyncDone(shape, update));
  module->AddEntryComputation(builder.Build());
  EXPECT_EQ(verifier().Verify(*module), absl::OkStatus());
  EXPECT_EQ(done->async_chain_start(), start);
  EXPECT_EQ(start->async_chain_done(), done);
  EXPECT_EQ(done->async_wrapped_opcode(), HloOpcode::kNegate);
  EXPECT_EQ(start->async_execution_thread(), "main");
}

TEST_F(AnalysesTest, FingerprintsIgnoreNames) {
  auto module = Loop();
  // Not verified, since it does not stay valid.
  auto other = ParseAndReturnUnverifiedModule(module->ToString()).value();
  other->set_name("another");
  FindInstruction(other.get(), "sum")->SetName("total");
  const auto fingerprint = [](const HloModule& m) {
    return m.ToFingerprint(HloPrintOptions::Fingerprint());
  };
  EXPECT_EQ(fingerprint(*module), fingerprint(*other));
  FindInstruction(other.get(), "y")->mutable_shape()->set_element_type(F16);
  EXPECT_NE(fingerprint(*module), fingerprint(*other));
}

TEST_F(AnalysesTest, ReplacementsOfOtherShapes) {
  auto module = ParseAndReturnUnverifiedModule(R"(
HloModule m
ENTRY e {
  x = f32[4] parameter(0)
  a = f32[4] sine(x)
  ROOT t = (f32[4], f32[4]) tuple(a, a)
})")
                    .value();
  HloComputation* entry = module->entry_computation();
  HloInstruction* a = entry->GetInstructionWithName("a");
  HloInstruction* half = entry->AddInstruction(HloInstruction::CreateConvert(
      ShapeUtil::MakeShape(S32, {4}), a->mutable_operand(0)));
  EXPECT_FALSE(a->ReplaceAllUsesWith(half).ok());
  EXPECT_TRUE(a->ReplaceAllUsesWithDifferentShape(half).ok());
  EXPECT_TRUE(a->IsDead());
  EXPECT_THAT(entry->root_instruction()->OperandIndices(half),
              ElementsAre(0, 1));
  EXPECT_EQ(entry->root_instruction()->unique_operands().size(), 1);
  EXPECT_EQ(entry->root_instruction()->operand_index(half), 0);
}

}  // namespace
}  // namespace xla
