// Passes and tools that change, run or report whole modules, written as for
// XLA.
#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "xla/hlo/evaluator/hlo_evaluator.h"
#include "xla/hlo/ir/hlo_computation.h"
#include "xla/hlo/ir/hlo_instruction.h"
#include "xla/hlo/ir/hlo_instructions.h"
#include "xla/hlo/ir/hlo_module.h"
#include "xla/hlo/ir/hlo_opcode.h"
#include "xla/hlo/pass/hlo_pass_interface.h"
#include "xla/hlo/testlib/hlo_hardware_independent_test_base.h"
#include "xla/hlo/transforms/simplifiers/hlo_dce.h"
#include "xla/layout_util.h"
#include "xla/literal_util.h"
#include "xla/service/pattern_matcher.h"
#include "xla/service/pattern_matcher_gmock.h"
#include "xla/shape_util.h"
#include "xla/tsl/platform/statusor.h"

namespace xla {
namespace {

namespace m = match;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using Threads = absl::flat_hash_set<absl::string_view>;

class PassesTest : public HloHardwareIndependentTestBase {
 protected:
  // Evaluates the entry on one vector.
  std::vector<float> Run(const HloModule& module, std::vector<float> argument) {
    const Literal literal = LiteralUtil::CreateR1<float>(argument);
    HloEvaluator evaluator;
    const Literal result = evaluator.Evaluate(module, {&literal}).value();
    const auto data = result.data<float>();
    return {data.begin(), data.end()};
  }
};

// Replaces what depends on constants alone by its value.
class ConstantFolder : public HloModulePass {
 public:
  absl::string_view name() const override { return "constant-folder"; }
  using HloPassInterface::Run;
  absl::StatusOr<bool> Run(HloModule* module, const Threads&) override {
    HloEvaluator evaluator(/*max_loop_iterations=*/0);
    bool changed = false;
    for (HloComputation* computation : module->MakeNonfusionComputations()) {
      for (HloInstruction* hlo : computation->MakeInstructionPostOrder()) {
        if (hlo->opcode() == HloOpcode::kConstant || hlo->HasSideEffect() ||
            hlo->operands().empty() ||
            !absl::c_all_of(hlo->operands(), [](const HloInstruction* o) {
              return o->IsConstant();
            })) {
          continue;
        }
        Literal value;
        if (!evaluator.TryEvaluate(hlo, &value)) continue;
        TF_RETURN_IF_ERROR(computation->ReplaceWithNewInstruction(
            hlo, HloInstruction::CreateConstant(std::move(value))));
        changed = true;
      }
    }
    return changed;
  }
};

TEST_F(PassesTest, ConstantsAreFolded) {
  TF_ASSERT_OK_AND_ASSIGN(auto module, ParseAndReturnVerifiedModule(R"(
HloModule m
ENTRY main {
  x = f32[3] parameter(0)
  two = f32[] constant(2)
  root = f32[] sqrt(two)
  four = f32[] power(root, two)
  all = f32[3] broadcast(four), dimensions={}
  ROOT y = f32[3] multiply(x, all)
})"));
  EXPECT_TRUE(RunHloPass(ConstantFolder(), module.get()).value());
  const HloInstruction* value;
  ASSERT_THAT(module->entry_computation()->root_instruction(),
              GmockMatch(m::Multiply(m::Parameter(0), m::Constant(&value))));
  EXPECT_NEAR(value->literal().Get<float>({2}), 2, 1e-6);
  EXPECT_FALSE(RunHloPass(ConstantFolder(), module.get()).value());
}

// Keeps one of several instructions that compute the same.
class CommonSubexpressions : public HloModulePass {
 public:
  absl::string_view name() const override { return "common-subexpressions"; }
  using HloPassInterface::Run;
  absl::StatusOr<bool> Run(HloModule* module, const Threads&) override {
    bool changed = false;
    for (HloComputation* computation : module->computations()) {
      absl::flat_hash_map<std::string, HloInstruction*> first;
      for (HloInstruction* hlo : computation->MakeInstructionPostOrder()) {
        if (hlo->opcode() == HloOpcode::kParameter || hlo->HasSideEffect()) {
          continue;
        }
        std::string key = hlo->ToString(HloPrintOptions::Fingerprint());
        for (const HloInstruction* operand : hlo->operands()) {
          absl::StrAppend(&key, " ", operand->unique_id());
        }
        const auto [it, inserted] = first.try_emplace(key, hlo);
        if (inserted || !it->second->Identical(*hlo)) continue;
        TF_RETURN_IF_ERROR(computation->ReplaceInstruction(hlo, it->second));
        changed = true;
      }
    }
    return changed;
  }
};

TEST_F(PassesTest, CommonSubexpressionsAreShared) {
  TF_ASSERT_OK_AND_ASSIGN(auto module, ParseAndReturnVerifiedModule(R"(
HloModule m
ENTRY main {
  x = f32[3] parameter(0)
  a = f32[3] exponential(x), metadata={op_name="one"}
  b = f32[3] exponential(x), metadata={op_name="other"}
  na = f32[3] negate(a)
  nb = f32[3] negate(b)
  c = f32[3] cosine(x)
  s = f32[3] add(na, nb)
  ROOT y = f32[3] multiply(s, c)
})"));
  EXPECT_TRUE(RunHloPass(CommonSubexpressions(), module.get()).value());
  EXPECT_EQ(module->entry_computation()->instruction_count(), 6);
  EXPECT_FALSE(RunHloPass(CommonSubexpressions(), module.get()).value());
}

// Removes instructions, computations and the callees' unused parameters.
class DeadCode : public HloModulePass {
 public:
  absl::string_view name() const override { return "dead-code"; }
  using HloPassInterface::Run;
  absl::StatusOr<bool> Run(HloModule* module, const Threads&) override {
    bool changed = false;
    for (HloComputation* computation : module->computations()) {
      std::vector<HloInstruction*> order =
          computation->MakeInstructionPostOrder();
      std::reverse(order.begin(), order.end());
      for (HloInstruction* hlo : order) {
        if (!hlo->IsDead() || hlo->HasSideEffect() ||
            hlo->opcode() == HloOpcode::kParameter) {
          continue;
        }
        TF_RETURN_IF_ERROR(computation->RemoveInstruction(hlo));
        changed = true;
      }
    }
    std::vector<HloComputation*> unused;
    for (HloComputation* computation : module->computations()) {
      if (!computation->IsEntryComputation() &&
          computation->caller_instructions().empty()) {
        unused.push_back(computation);
      }
    }
    for (HloComputation* computation : unused) {
      TF_RETURN_IF_ERROR(module->RemoveEmbeddedComputation(computation));
      changed = true;
    }
    return changed;
  }
};

TEST_F(PassesTest, DeadCodeIsRemoved) {
  TF_ASSERT_OK_AND_ASSIGN(auto module, ParseAndReturnVerifiedModule(R"(
HloModule m
f {
  p = f32[3] parameter(0)
  ROOT n = f32[3] negate(p)
}
ENTRY main {
  x = f32[3] parameter(0)
  unused = f32[3] call(x), to_apply=f
  more = f32[3] add(unused, x)
  ROOT y = f32[3] abs(x)
})"));
  EXPECT_TRUE(RunHloPass(DeadCode(), module.get()).value());
  EXPECT_EQ(module->computation_count(), 1);
  EXPECT_EQ(module->instruction_count(), 2);
}

// Puts the instructions of callees in the place of calls.
class InlineCalls : public HloModulePass {
 public:
  absl::string_view name() const override { return "call-inliner"; }
  using HloPassInterface::Run;
  absl::StatusOr<bool> Run(HloModule* module, const Threads&) override {
    bool changed = false;
    for (HloComputation* computation : module->MakeComputationPostOrder()) {
      for (HloInstruction* call : computation->MakeInstructionPostOrder()) {
        if (call->opcode() != HloOpcode::kCall) continue;
        absl::flat_hash_map<const HloInstruction*, HloInstruction*> copies;
        for (HloInstruction* hlo :
             call->to_apply()->MakeInstructionPostOrder()) {
          if (hlo->opcode() == HloOpcode::kParameter) {
            copies[hlo] = call->mutable_operand(hlo->parameter_number());
            continue;
          }
          std::vector<HloInstruction*> operands;
          for (const HloInstruction* operand : hlo->operands()) {
            operands.push_back(copies.at(operand));
          }
          copies[hlo] = computation->AddInstruction(
              hlo->CloneWithNewOperands(hlo->shape(), operands));
        }
        TF_RETURN_IF_ERROR(computation->ReplaceInstruction(
            call, copies.at(call->to_apply()->root_instruction())));
        changed = true;
      }
    }
    return changed;
  }
};

// Turns a loop into calls of its body.
class LoopPeeler : public HloModulePass {
 public:
  explicit LoopPeeler(int64_t trips) : trips_(trips) {}
  absl::string_view name() const override { return "loop-peeler"; }
  using HloPassInterface::Run;
  absl::StatusOr<bool> Run(HloModule* module, const Threads&) override {
    bool changed = false;
    for (HloComputation* computation : module->MakeNonfusionComputations()) {
      for (HloInstruction* loop : computation->MakeInstructionPostOrder()) {
        if (loop->opcode() != HloOpcode::kWhile) continue;
        HloInstruction* state = loop->mutable_operand(0);
        for (int64_t i = 0; i < trips_; ++i) {
          state = computation->AddInstruction(HloInstruction::CreateCall(
              loop->shape(), {state}, loop->while_body()));
        }
        TF_RETURN_IF_ERROR(computation->ReplaceInstruction(loop, state));
        changed = true;
      }
    }
    return changed;
  }

 private:
  int64_t trips_;
};

TEST_F(PassesTest, LoopsBecomeCallsThatAreInlined) {
  TF_ASSERT_OK_AND_ASSIGN(auto module, ParseAndReturnVerifiedModule(R"(
HloModule m
condition {
  p = (s32[], f32[2]) parameter(0)
  i = s32[] get-tuple-element(p), index=0
  n = s32[] constant(3)
  ROOT lt = pred[] compare(i, n), direction=LT
}
body {
  q = (s32[], f32[2]) parameter(0)
  j = s32[] get-tuple-element(q), index=0
  one = s32[] constant(1)
  k = s32[] add(j, one)
  x = f32[2] get-tuple-element(q), index=1
  y = f32[2] add(x, x)
  ROOT t = (s32[], f32[2]) tuple(k, y)
}
ENTRY main {
  v = f32[2] parameter(0)
  zero = s32[] constant(0)
  init = (s32[], f32[2]) tuple(zero, v)
  w = (s32[], f32[2]) while(init), condition=condition, body=body
  ROOT r = f32[2] get-tuple-element(w), index=1
})"));
  EXPECT_THAT(Run(*module, {1, 3}), ElementsAre(8, 24));
  EXPECT_TRUE(RunHloPass(LoopPeeler(3), module.get()).value());
  EXPECT_THAT(Run(*module, {1, 3}), ElementsAre(8, 24));
  EXPECT_TRUE(RunHloPass(InlineCalls(), module.get()).value());
  EXPECT_TRUE(RunHloPass(DeadCode(), module.get()).value());
  EXPECT_EQ(module->computation_count(), 1);
  EXPECT_THAT(Run(*module, {1, 3}), ElementsAre(8, 24));
}

// Sums several arrays over all devices in one instruction.
class AllReduceCombiner : public HloModulePass {
 public:
  absl::string_view name() const override { return "all-reduce-combiner"; }
  using HloPassInterface::Run;
  absl::StatusOr<bool> Run(HloModule* module, const Threads&) override {
    HloComputation* computation = module->entry_computation();
    std::vector<HloInstruction*> found, operands;
    std::vector<Shape> shapes;
    for (HloInstruction* hlo : computation->MakeInstructionPostOrder()) {
      if (hlo->opcode() != HloOpcode::kAllReduce) continue;
      found.push_back(hlo);
      operands.push_back(hlo->mutable_operand(0));
      shapes.push_back(hlo->shape());
    }
    if (found.size() < 2) return false;
    HloInstruction* combined =
        computation->AddInstruction(HloInstruction::CreateAllReduce(
            ShapeUtil::MakeTupleShape(shapes), operands, found[0]->to_apply(),
            found[0]->replica_groups(), /*constrain_layout=*/false,
            found[0]->channel_id(), /*use_global_device_ids=*/false));
    for (size_t i = 0; i < found.size(); ++i) {
      TF_RETURN_IF_ERROR(computation->ReplaceWithNewInstruction(
          found[i], HloInstruction::CreateGetTupleElement(combined, i)));
    }
    return true;
  }
};

TEST_F(PassesTest, AllReducesAreCombined) {
  TF_ASSERT_OK_AND_ASSIGN(auto module, ParseAndReturnVerifiedModule(R"(
HloModule m
add {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT s = f32[] add(a, b)
}
ENTRY main {
  x = f32[4] parameter(0)
  y = f32[2,3] parameter(1)
  sx = f32[4] all-reduce(x), replica_groups={{0,1}}, to_apply=add
  sy = f32[2,3] all-reduce(y), replica_groups={{0,1}}, to_apply=add
  ROOT t = (f32[4], f32[2,3]) tuple(sx, sy)
})",
                                                                    2));
  EXPECT_TRUE(RunHloPass(AllReduceCombiner(), module.get()).value());
  EXPECT_THAT(
      module->entry_computation()->root_instruction(),
      GmockMatch(m::Tuple(
          m::GetTupleElement(m::Op().WithOpcode(HloOpcode::kAllReduce), 0),
          m::GetTupleElement(m::Op().WithOpcode(HloOpcode::kAllReduce), 1))));
  EXPECT_FALSE(RunHloPass(AllReduceCombiner(), module.get()).value());
}

// Computes elementwise ops of bfloat16 in float.
class Widener : public HloModulePass {
 public:
  absl::string_view name() const override { return "widener"; }
  using HloPassInterface::Run;
  absl::StatusOr<bool> Run(HloModule* module, const Threads&) override {
    bool changed = false;
    for (HloComputation* computation : module->MakeNonfusionComputations()) {
      for (HloInstruction* hlo : computation->MakeInstructionPostOrder()) {
        if (!hlo->IsElementwise() || hlo->opcode() == HloOpcode::kConvert ||
            hlo->shape().element_type() != BF16) {
          continue;
        }
        const Shape wide = ShapeUtil::ChangeElementType(hlo->shape(), F32);
        std::vector<HloInstruction*> operands;
        for (HloInstruction* operand : hlo->operands()) {
          operands.push_back(computation->AddInstruction(
              HloInstruction::CreateConvert(wide, operand)));
        }
        HloInstruction* computed = computation->AddInstruction(
            hlo->CloneWithNewOperands(wide, operands));
        TF_RETURN_IF_ERROR(computation->ReplaceWithNewInstruction(
            hlo, HloInstruction::CreateConvert(hlo->shape(), computed)));
        changed = true;
      }
    }
    return changed;
  }
};

TEST_F(PassesTest, TypesAreWidened) {
  TF_ASSERT_OK_AND_ASSIGN(auto module, ParseAndReturnVerifiedModule(R"(
HloModule m
ENTRY main {
  x = bf16[4] parameter(0)
  ROOT y = bf16[4] multiply(x, x)
})"));
  EXPECT_TRUE(RunHloPass(Widener(), module.get()).value());
  EXPECT_THAT(module->entry_computation()->root_instruction(),
              GmockMatch(m::Convert(
                  m::Multiply(m::Convert(m::Parameter(0)), m::Convert()))));
  EXPECT_FALSE(RunHloPass(Widener(), module.get()).value());
}

// Makes the program for one value of a parameter.
std::unique_ptr<HloModule> Specialized(const HloModule& module, int64_t number,
                                       Literal value) {
  std::unique_ptr<HloModule> copy = module.Clone("special");
  HloComputation* entry = copy->entry_computation();
  HloInstruction* constant =
      entry->AddInstruction(HloInstruction::CreateConstant(std::move(value)));
  CHECK_OK(entry->parameter_instruction(number)->ReplaceAllUsesWith(constant));
  return copy;
}

TEST_F(PassesTest, ProgramsAreSpecialized) {
  TF_ASSERT_OK_AND_ASSIGN(auto module, ParseAndReturnVerifiedModule(R"(
HloModule scale
ENTRY main {
  x = f32[2] parameter(0)
  s = f32[2] parameter(1)
  ROOT y = f32[2] multiply(x, s)
})"));
  auto special = Specialized(*module, 1, LiteralUtil::CreateR1<float>({2, 3}));
  EXPECT_EQ(special->name(), "scale-special");
  EXPECT_TRUE(verifier().Verify(*special).ok());
  const Literal x = LiteralUtil::CreateR1<float>({5, 5});
  HloEvaluator evaluator;
  TF_ASSERT_OK_AND_ASSIGN(const Literal y,
                          evaluator.Evaluate(*special, {&x, &x}));
  EXPECT_EQ(y, LiteralUtil::CreateR1<float>({10, 15}));
  EXPECT_THAT(module->entry_computation()->root_instruction(),
              GmockMatch(m::Multiply(m::Parameter(0), m::Parameter(1))));
}

TEST_F(PassesTest, CustomCallsRunInThePlugin) {
  TF_ASSERT_OK_AND_ASSIGN(auto module, ParseAndReturnVerifiedModule(R"(
HloModule m
ENTRY main {
  x = f32[2] parameter(0)
  y = f32[2] custom-call(x), custom_call_target="reverse"
  ROOT z = f32[2] negate(y)
})"));
  HloEvaluator evaluator;
  evaluator.set_custom_call_handler(
      [](const HloInstruction* call,
         absl::Span<const Literal*> operands) -> absl::StatusOr<Literal> {
        EXPECT_EQ(call->custom_call_target(), "reverse");
        const auto x = operands[0]->data<float>();
        return LiteralUtil::CreateR1<float>({x[1], x[0]});
      });
  const Literal x = LiteralUtil::CreateR1<float>({1, 2});
  TF_ASSERT_OK_AND_ASSIGN(const Literal z, evaluator.Evaluate(*module, {&x}));
  EXPECT_EQ(z, LiteralUtil::CreateR1<float>({-2, -1}));
}

// The module as a graph for dot, with control edges dashed.
std::string Graph(const HloModule& module) {
  std::string dot = "digraph {\n";
  for (const HloComputation* computation : module.computations()) {
    for (const HloInstruction* hlo : computation->instructions()) {
      for (const HloInstruction* operand : hlo->operands()) {
        absl::StrAppend(&dot, "\"", operand->name(), "\" -> \"", hlo->name(),
                        "\"\n");
      }
      for (const HloInstruction* before : hlo->control_predecessors()) {
        absl::StrAppend(&dot, "\"", before->name(), "\" -> \"", hlo->name(),
                        "\" [style=dashed]\n");
      }
    }
  }
  return dot + "}\n";
}

// The most bytes that values of the entry need at once, in its order.
int64_t PeakBytes(const HloModule& module) {
  const auto bytes = [](const HloInstruction* hlo) {
    return ShapeUtil::ByteSizeOf(hlo->shape(), /*pointer_size=*/8);
  };
  absl::flat_hash_map<const HloInstruction*, int64_t> uses;
  int64_t live = 0, peak = 0;
  for (const HloInstruction* hlo :
       module.entry_computation()->MakeInstructionPostOrder()) {
    live += bytes(hlo);
    peak = std::max(peak, live);
    for (const HloInstruction* operand : hlo->unique_operands()) {
      if (++uses[operand] == operand->user_count()) live -= bytes(operand);
    }
  }
  return peak;
}

// Gives instructions of a module where they come from.
void Stamp(HloModule* module, absl::string_view origin) {
  for (HloComputation* computation : module->computations()) {
    for (HloInstruction* hlo : computation->instructions()) {
      OpMetadata metadata = hlo->metadata();
      metadata.set_op_name(absl::StrCat(origin, "/", metadata.op_name()));
      hlo->set_metadata(metadata);
      hlo->set_frontend_attribute("origin", origin);
    }
  }
}

TEST_F(PassesTest, Reports) {
  TF_ASSERT_OK_AND_ASSIGN(auto module, ParseAndReturnVerifiedModule(R"(
HloModule m
ENTRY main {
  x = f32[4] parameter(0)
  a = f32[4] sine(x), metadata={op_name="s"}
  b = f32[4] cosine(x), control-predecessors={a}
  ROOT c = f32[4] add(a, b)
})"));
  EXPECT_THAT(Graph(*module), HasSubstr("\"x\" -> \"b\"\n"));
  EXPECT_THAT(Graph(*module), HasSubstr("\"a\" -> \"b\" [style=dashed]\n"));
  EXPECT_EQ(PeakBytes(*module), 3 * 16);
  Stamp(module.get(), "tool");
  const HloInstruction* a = FindInstruction(module.get(), "a");
  EXPECT_EQ(a->metadata().op_name(), "tool/s");
  EXPECT_EQ(a->get_frontend_attribute("origin"), "tool");
  TF_ASSERT_OK_AND_ASSIGN(auto again,
                          ParseAndReturnVerifiedModule(module->ToString()));
  EXPECT_EQ(FindInstruction(again.get(), "a")->metadata().op_name(), "tool/s");
}

TEST_F(PassesTest, EntryLayoutsAreSet) {
  HloModuleConfig config;
  config.set_seed(7);
  config.set_device_type("host");
  TF_ASSERT_OK_AND_ASSIGN(auto module, ParseAndReturnVerifiedModule(R"(
HloModule m
ENTRY main {
  x = f32[2,3] parameter(0)
  ROOT y = f32[2,3] negate(x)
})",
                                                                    config));
  EXPECT_EQ(module->config().seed(), 7);
  EXPECT_EQ(module->config().device_type(), "host");
  ComputationLayout* layout = module->mutable_entry_computation_layout();
  EXPECT_TRUE(layout->LayoutIsSet());
  layout->mutable_result_layout()->ResetLayout(LayoutUtil::MakeLayout({0, 1}));
  EXPECT_EQ(layout->ToString(), "(f32[2,3]{1,0})=>f32[2,3]{0,1}");
  EXPECT_THAT(
      module->ToString(),
      HasSubstr("entry_computation_layout={(f32[2,3]{1,0})->f32[2,3]{0,1}}"));
  layout->SetToDefaultLayout();
  EXPECT_EQ(*layout, ComputationLayout(
                         module->entry_computation()->ComputeProgramShape()));
  EXPECT_TRUE(layout->parameter_layout(0).MatchesLayoutInShape(
      ShapeUtil::MakeShape(F32, {2, 3})));
}

// Counts the computations that it is told to change.
class ThreadCounter : public HloModulePass {
 public:
  absl::string_view name() const override { return "thread-counter"; }
  size_t count = 0;

 protected:
  absl::StatusOr<bool> RunImpl(HloModule* module,
                               const Threads& threads) override {
    count += module->computations(threads).size();
    return false;
  }
};

// A pass that knows no threads.
class AllComputations : public HloModulePass {
 public:
  absl::string_view name() const override { return "all-computations"; }

 protected:
  absl::StatusOr<bool> RunImpl(HloModule* module) override { return false; }
};

TEST_F(PassesTest, PassesAreToldTheirThreads) {
  auto module = ParseAndReturnVerifiedModule(R"(
HloModule threads
parallel {
  ROOT x = f32[] parameter(0)
}, execution_thread="parallel"
ENTRY main {
  p = f32[] parameter(0)
  start = ((f32[]), f32[], s32[]) call-start(p), to_apply=parallel,
    async_execution_thread="parallel"
  ROOT done = f32[] call-done(start)
})")
                    .value();
  const size_t all = module->computation_count();
  HloPassPipeline pipeline("threads");
  auto& counter = pipeline.AddPass<ThreadCounter>();
  ASSERT_TRUE(pipeline.Run(module.get(), {"parallel"}).ok());
  EXPECT_GE(counter.count, 1u);
  EXPECT_LT(counter.count, all);
  counter.count = 0;
  ASSERT_TRUE(pipeline.Run(module.get()).ok());
  EXPECT_EQ(counter.count, all);
  // A pass over all computations refuses to work on some.
  EXPECT_EQ(AllComputations().Run(module.get(), {"parallel"}).status().code(),
            absl::StatusCode::kUnimplemented);
  EXPECT_TRUE(AllComputations().Run(module.get(), {"main", "parallel"}).ok());
  EXPECT_TRUE(HloDCE().Run(module.get(), {"parallel"}).ok());
}

}  // namespace
}  // namespace xla
