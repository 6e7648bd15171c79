// Trip counts of while loops and values of instructions, found without running
// the program, as passes written for XLA ask for them.
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "xla/hlo/evaluator/hlo_evaluator.h"
#include "xla/hlo/evaluator/hlo_evaluator_interface.h"
#include "xla/hlo/ir/hlo_instruction.h"
#include "xla/hlo/ir/hlo_module.h"
#include "xla/hlo/testlib/hlo_hardware_independent_test_base.h"
#include "xla/literal_util.h"
#include "xla/service/call_graph.h"

namespace xla {
namespace {

using ::testing::ElementsAre;

// What is different from loop to loop.
struct LoopText {
  std::string init = "s32[] constant(2)";
  std::string step = "s32[] add(i, c)";
  std::string amount = "s32[] constant(3)";
  std::string bound = "s32[] constant(11)";
  std::string test = "pred[] compare(j, n), direction=LT";
  std::string limit = "s32[] constant(11)";  // an element of the carry
};

class WhileLoopsTest : public HloHardwareIndependentTestBase {
 protected:
  std::unique_ptr<HloModule> Module(const LoopText& loop) {
    return ParseAndReturnVerifiedModule(
               absl::StrCat(R"(
HloModule loop
body {
  p = (s32[], f32[4], s32[]) parameter(0)
  i = s32[] get-tuple-element(p), index=0
  x = f32[4] get-tuple-element(p), index=1
  m = s32[] get-tuple-element(p), index=2
  c = )",
                            loop.amount, "\n  next = ", loop.step, R"(
  y = f32[4] add(x, x)
  ROOT t = (s32[], f32[4], s32[]) tuple(next, y, m)
}
condition {
  q = (s32[], f32[4], s32[]) parameter(0)
  j = s32[] get-tuple-element(q), index=0
  l = s32[] get-tuple-element(q), index=2
  n = )",
                            loop.bound, "\n  ROOT r = ", loop.test, R"(
}
ENTRY main {
  a = f32[4] parameter(0)
  b = s32[] parameter(1)
  zero = )",
                            loop.init, "\n  limit = ", loop.limit, R"(
  init = (s32[], f32[4], s32[]) tuple(zero, a, limit)
  w = (s32[], f32[4], s32[]) while(init), condition=condition, body=body
  last = s32[] get-tuple-element(w), index=0
  data = f32[4] get-tuple-element(w), index=1
  ROOT out = (s32[], f32[4]) tuple(last, data)
})"))
        .value();
  }
  static HloInstruction* Loop(const HloModule& module) {
    return module.entry_computation()->GetInstructionWithName("w");
  }
  std::optional<ParsedWhileLoop> Parse(const LoopText& loop) {
    const auto module = Module(loop);
    return PatternMatchParseWhileLoop(Loop(*module));
  }
  // {trip count, index, init, step, bound}.
  std::vector<int64_t> Numbers(const LoopText& loop) {
    const std::optional<ParsedWhileLoop> parsed = Parse(loop);
    if (!parsed.has_value() || parsed->is_dynamic()) return {};
    const ParsedStaticWhileLoop& fixed = *parsed->static_while_loop;
    return {fixed.trip_count, fixed.induction_var_index,
            fixed.induction_var_init_value, fixed.step_size, fixed.loop_bound};
  }
};

TEST_F(WhileLoopsTest, CountsUpAndDown) {
  EXPECT_THAT(Numbers({}), ElementsAre(3, 0, 2, 3, 11));
  EXPECT_THAT(Numbers({.bound = "s32[] constant(12)"}),
              ElementsAre(4, 0, 2, 3, 12));
  EXPECT_THAT(Numbers({.test = "pred[] compare(j, n), direction=LE"}),
              ElementsAre(4, 0, 2, 3, 11));
  EXPECT_THAT(Numbers({.test = "pred[] compare(n, j), direction=GE"}),
              ElementsAre(4, 0, 2, 3, 11));
  EXPECT_THAT(Numbers({.init = "s32[] constant(20)",
                       .step = "s32[] subtract(i, c)",
                       .test = "pred[] compare(j, n), direction=GT"}),
              ElementsAre(3, 0, 20, -3, 11));
  EXPECT_THAT(Numbers({.init = "s32[] constant(20)",
                       .step = "s32[] add(c, i)",
                       .amount = "s32[] constant(-3)",
                       .test = "pred[] compare(n, j), direction=LE"}),
              ElementsAre(4, 0, 20, -3, 11));
  EXPECT_THAT(Numbers({.init = "s32[] constant(11)"}),
              ElementsAre(0, 0, 11, 3, 11));
}

TEST_F(WhileLoopsTest, BoundsMayBeComputedOrCarried) {
  EXPECT_THAT(Numbers({.test = "pred[] compare(j, l), direction=LT"}),
              ElementsAre(3, 0, 2, 3, 11));
  EXPECT_THAT(Numbers({.bound = "s32[] add(l, l)"}),
              ElementsAre(7, 0, 2, 3, 22));
  EXPECT_THAT(Numbers({.amount = "s32[] copy(m)"}),
              ElementsAre(1, 0, 2, 11, 11));
}

TEST_F(WhileLoopsTest, DynamicLoops) {
  const auto from_argument = Parse({.init = "s32[] negate(b)"});
  ASSERT_TRUE(from_argument.has_value());
  EXPECT_TRUE(from_argument->is_dynamic());
  const auto step_of_argument =
      Parse({.amount = "s32[] copy(m)", .limit = "s32[] negate(b)"});
  ASSERT_TRUE(step_of_argument.has_value());
  EXPECT_TRUE(step_of_argument->is_dynamic());
  EXPECT_TRUE(kParsedDynamicWhileLoop.is_dynamic());
  // Both sides of the comparison are dynamic, which is not understood.
  EXPECT_FALSE(Parse({.test = "pred[] compare(j, l), direction=LT",
                      .limit = "s32[] negate(b)"})
                   .has_value());
}

TEST_F(WhileLoopsTest, OthersAreNotUnderstood) {
  EXPECT_FALSE(Parse({.step = "s32[] multiply(i, c)"}).has_value());
  EXPECT_FALSE(Parse({.step = "s32[] subtract(c, i)"}).has_value());
  EXPECT_FALSE(Parse({.step = "s32[] copy(m)"}).has_value());
  EXPECT_FALSE(Parse({.amount = "s32[] constant(-3)"}).has_value());
  EXPECT_FALSE(Parse({.amount = "s32[] constant(0)"}).has_value());
  EXPECT_FALSE(
      Parse({.test = "pred[] compare(j, n), direction=NE"}).has_value());
}

TEST_F(WhileLoopsTest, ConditionsOfConstants) {
  EXPECT_THAT(Numbers({.test = "pred[] compare(n, l), direction=LE"}),
              ElementsAre(-1, -1, 0, 0, 1));
  EXPECT_THAT(Numbers({.test = "pred[] compare(n, l), direction=NE"}),
              ElementsAre(0, -1, 0, 0, 0));
}

std::string FlagLoop(absl::string_view init, absl::string_view next) {
  return absl::StrCat(R"(
HloModule flag
body {
  p = (pred[], f32[]) parameter(0)
  f = pred[] get-tuple-element(p), index=0
  x = f32[] get-tuple-element(p), index=1
  next = pred[] )",
                      next, R"(
  ROOT t = (pred[], f32[]) tuple(next, x)
}
inner {
  ip = (pred[], f32[]) parameter(0)
  if = pred[] get-tuple-element(ip), index=0
  ROOT it = (pred[]) tuple(if)
}
condition {
  q = (pred[], f32[]) parameter(0)
  called = (pred[]) call(q), to_apply=inner
  ROOT g = pred[] get-tuple-element(called), index=0
}
ENTRY main {
  a = f32[] parameter(0)
  b = pred[] parameter(1)
  first = pred[] )",
                      init, R"(
  init = (pred[], f32[]) tuple(first, a)
  ROOT w = (pred[], f32[]) while(init), condition=condition, body=body
})");
}

TEST_F(WhileLoopsTest, FlagsOfTheCarry) {
  const auto trip_count = [&](absl::string_view init, absl::string_view next) {
    const auto module =
        ParseAndReturnVerifiedModule(FlagLoop(init, next)).value();
    const auto parsed = PatternMatchParseWhileLoop(
        module->entry_computation()->root_instruction());
    if (!parsed.has_value()) return std::string("none");
    return parsed->is_dynamic()
               ? std::string("dynamic")
               : absl::StrCat(parsed->static_while_loop->trip_count);
  };
  EXPECT_EQ(trip_count("constant(false)", "not(f)"), "0");
  EXPECT_EQ(trip_count("constant(true)", "constant(false)"), "1");
  EXPECT_EQ(trip_count("constant(true)", "constant(true)"), "-1");
  EXPECT_EQ(trip_count("constant(true)", "opt-barrier(f)"), "-1");
  EXPECT_EQ(trip_count("constant(true)", "not(f)"), "none");
  EXPECT_EQ(trip_count("not(b)", "constant(false)"), "dynamic");
}

// Two loops, the second of which starts where the first one ends.
std::string LoopAfterLoop(absl::string_view first_test,
                          absl::string_view first_element) {
  return absl::StrCat(R"(
HloModule loops
body {
  p = (s32[], s32[]) parameter(0)
  i = s32[] get-tuple-element(p), index=0
  x = s32[] get-tuple-element(p), index=1
  c = s32[] constant(3)
  next = s32[] add(i, c)
  y = s32[] multiply(x, c)
  ROOT t = (s32[], s32[]) tuple(next, y)
}
first {
  p = (s32[], s32[]) parameter(0)
  i = s32[] get-tuple-element(p), index=0
  n = s32[] constant(11)
  ROOT r = pred[] )",
                      first_test, R"(
}
second_body {
  p = (s32[], s32[]) parameter(0)
  i = s32[] get-tuple-element(p), index=0
  x = s32[] get-tuple-element(p), index=1
  c = s32[] constant(1)
  next = s32[] add(i, c)
  ROOT t = (s32[], s32[]) tuple(next, x)
}
second {
  p = (s32[], s32[]) parameter(0)
  i = s32[] get-tuple-element(p), index=0
  n = s32[] constant(20)
  ROOT r = pred[] compare(i, n), direction=LT
}
ENTRY main {
  two = s32[] constant(2)
  init = (s32[], s32[]) tuple(two, two)
  v = (s32[], s32[]) while(init), condition=first, body=body
  i = s32[] get-tuple-element(v), index=)",
                      first_element, R"(
  again = (s32[], s32[]) tuple(i, two)
  ROOT w = (s32[], s32[]) while(again), condition=second, body=second_body
})");
}

// Loops on the way are not run, as they may never end; what their counters are
// afterwards is known all the same.
TEST_F(WhileLoopsTest, LoopsAfterOtherLoops) {
  const auto parse = [&](absl::string_view test, absl::string_view element) {
    const auto module =
        ParseAndReturnVerifiedModule(LoopAfterLoop(test, element)).value();
    return PatternMatchParseWhileLoop(
        module->entry_computation()->root_instruction());
  };
  const auto counted = parse("compare(i, n), direction=LT", "0");
  ASSERT_TRUE(counted.has_value() && !counted->is_dynamic());
  EXPECT_EQ(counted->static_while_loop->induction_var_init_value, 11);
  EXPECT_EQ(counted->static_while_loop->trip_count, 9);
  EXPECT_FALSE(parse("compare(i, n), direction=LT", "1").has_value());
  EXPECT_FALSE(parse("constant(true)", "0").has_value());
  EXPECT_FALSE(parse("compare(n, n), direction=EQ", "1").has_value());
  EXPECT_TRUE(parse("constant(false)", "1").has_value());
}

// The initial value takes 2^60 calls to compute.
TEST_F(WhileLoopsTest, NestedCallsAreNotRunForever) {
  std::string text = "HloModule calls\n";
  for (int i = 0; i <= 60; ++i) {
    const std::string use = absl::StrCat("call(a), to_apply=level", i - 1);
    absl::StrAppend(
        &text, "level", i, " {\n  a = s32[] parameter(0)\n  b = s32[] ",
        i == 0 ? "negate(a)" : use, "\n  c = s32[] ",
        i == 0 ? "negate(a)" : use, "\n  ROOT d = s32[] add(b, c)\n}\n");
  }
  absl::StrAppend(&text, R"(
body {
  p = (s32[]) parameter(0)
  i = s32[] get-tuple-element(p), index=0
  c = s32[] constant(1)
  next = s32[] add(i, c)
  ROOT t = (s32[]) tuple(next)
}
condition {
  p = (s32[]) parameter(0)
  i = s32[] get-tuple-element(p), index=0
  n = s32[] constant(20)
  ROOT r = pred[] compare(i, n), direction=LT
}
ENTRY main {
  one = s32[] constant(1)
  first = s32[] call(one), to_apply=level60
  init = (s32[]) tuple(first)
  ROOT w = (s32[]) while(init), condition=condition, body=body
})");
  const auto module = ParseAndReturnVerifiedModule(text).value();
  EXPECT_FALSE(PatternMatchParseWhileLoop(
                   module->entry_computation()->root_instruction())
                   .has_value());
}

// The verifier refuses such a module, but parsing a loop of it ends.
TEST_F(WhileLoopsTest, ConditionsThatCallThemselvesHaveNoTest) {
  const auto module = ParseAndReturnUnverifiedModule(R"(
HloModule cycle
body {
  p = (pred[]) parameter(0)
  ROOT t = (pred[]) copy(p)
}
deepest {
  p = (pred[]) parameter(0)
  ROOT t = (pred[]) copy(p)
}
inner {
  p = (pred[]) parameter(0)
  call = (pred[]) call(p), to_apply=deepest
  f = pred[] get-tuple-element(call), index=0
  ROOT t = (pred[]) tuple(f)
}
condition {
  p = (pred[]) parameter(0)
  call = (pred[]) call(p), to_apply=inner
  ROOT f = pred[] get-tuple-element(call), index=0
}
ENTRY main {
  init = (pred[]) parameter(0)
  ROOT w = (pred[]) while(init), condition=condition, body=body
})")
                          .value();
  HloComputation* inner = module->GetComputationWithName("inner");
  inner->GetInstructionWithName("call")->set_called_computation(0, inner);
  EXPECT_FALSE(PatternMatchParseWhileLoop(
                   module->entry_computation()->root_instruction())
                   .has_value());
}

// The graph says what calls a computation.
TEST_F(WhileLoopsTest, CallGraphsAreTaken) {
  const auto module = Module({});
  const std::unique_ptr<CallGraph> graph = CallGraph::Build(module.get());
  HloEvaluator::PrecomputedAnalyses analyses{nullptr, graph.get()};
  EXPECT_TRUE(PatternMatchParseWhileLoop(Loop(*module), analyses).has_value());
  const HloInstruction* limit =
      module->GetComputationWithName("body")->GetInstructionWithName("m");
  HloEvaluator evaluator;
  EXPECT_EQ(evaluator.Evaluate(limit, analyses, true).value().Get<int32_t>({}),
            11);
  // One that knows of no callers.
  const std::unique_ptr<CallGraph> empty =
      CallGraph::Build(module.get(), {"no thread"});
  EXPECT_EQ(empty->FindNode(limit->parent()), nullptr);
  analyses.call_graph = empty.get();
  EXPECT_FALSE(evaluator.Evaluate(limit, analyses, true).ok());
}

// The counter after the loop is known, the data is not.
TEST_F(WhileLoopsTest, ValuesAfterLoops) {
  const auto module = Module({});
  const HloComputation* entry = module->entry_computation();
  HloEvaluator evaluator;
  const auto value = [&](absl::string_view name) {
    return evaluator.Evaluate(entry->GetInstructionWithName(name), {},
                              /*recursively_evaluate_nonconstant_operands=*/
                              true);
  };
  EXPECT_EQ(value("last").value().Get<int32_t>({}), 11);
  const absl::Status error = value("data").status();
  EXPECT_EQ(error.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_EQ(internal::ParseEvalErrorDetail(error),
            internal::EvalErrorDetail::kDynamicValueDependence);
  EXPECT_EQ(internal::ParseEvalErrorDetail(absl::OkStatus()), std::nullopt);
}

TEST_F(WhileLoopsTest, ValuesInsideLoops) {
  const auto module = Module({});
  HloEvaluator evaluator;
  const auto value = [&](absl::string_view computation,
                         absl::string_view name) {
    return evaluator.Evaluate(
        module->GetComputationWithName(computation)
            ->GetInstructionWithName(name),
        /*recursively_evaluate_nonconstant_operands=*/true);
  };
  EXPECT_EQ(value("body", "m").value().Get<int32_t>({}), 11);
  EXPECT_EQ(value("condition", "l").value().Get<int32_t>({}), 11);
  EXPECT_FALSE(value("body", "i").ok());
  EXPECT_FALSE(value("condition", "r").ok());
}

TEST_F(WhileLoopsTest, SubstitutionsAndPartsOfTuples) {
  const auto module = ParseAndReturnVerifiedModule(R"(
HloModule parts
ENTRY e {
  p = f32[] parameter(0)
  two = f32[] constant(2)
  both = (f32[], (f32[], f32[])) tuple(p, pair)
  pair = (f32[], f32[]) tuple(two, p)
  inner = (f32[], f32[]) get-tuple-element(both), index=1
  known = f32[] get-tuple-element(inner), index=0
  four = f32[] add(known, known)
  ROOT sum = f32[] add(four, p)
})")
                          .value();
  const HloComputation* entry = module->entry_computation();
  HloEvaluator evaluator;
  EXPECT_EQ(evaluator.Evaluate(entry->GetInstructionWithName("four"), true)
                .value()
                .Get<float>({}),
            4);
  const Literal five = LiteralUtil::CreateR0<float>(5);
  EXPECT_EQ(evaluator
                .Evaluate(entry->root_instruction(), {},
                          /*recursively_evaluate_nonconstant_operands=*/true,
                          {{entry->parameter_instruction(0), &five}})
                .value()
                .Get<float>({}),
            9);
  Literal literal;
  EXPECT_FALSE(
      evaluator.TryEvaluate(entry->root_instruction(), &literal, true));
}

// An evaluator that counts what it is asked, around any other.
class CountingEvaluator : public HloEvaluatorInterface {
 public:
  explicit CountingEvaluator(std::unique_ptr<HloEvaluatorInterface> wrapped)
      : wrapped_(std::move(wrapped)) {}
  absl::StatusOr<Literal> Evaluate(
      const HloComputation& computation,
      absl::Span<const Literal* const> args) override {
    ++count_;
    return wrapped_->Evaluate(computation, args);
  }
  void ResetVisitStates() override { wrapped_->ResetVisitStates(); }
  void set_dynamic_dimension_inference(
      DynamicDimensionInference* inference) override {
    wrapped_->set_dynamic_dimension_inference(inference);
  }
  void set_use_fast_path(bool value) override {
    wrapped_->set_use_fast_path(value);
  }
  void set_custom_call_handler(CustomCallHandler handler) override {
    wrapped_->set_custom_call_handler(std::move(handler));
  }
  int count() const { return count_; }

 private:
  std::unique_ptr<HloEvaluatorInterface> wrapped_;
  int count_ = 0;
};

TEST_F(WhileLoopsTest, EvaluatorsWrapOthers) {
  const auto module = ParseAndReturnVerifiedModule(R"(
HloModule custom
ENTRY e {
  p = f32[] parameter(0)
  ROOT c = f32[] custom-call(p), custom_call_target="twice"
})")
                          .value();
  CountingEvaluator evaluator(std::make_unique<HloEvaluator>());
  evaluator.set_custom_call_handler(
      [](const HloInstruction* call,
         absl::Span<const Literal*> operands) -> absl::StatusOr<Literal> {
        return LiteralUtil::CreateR0<float>(2 * operands[0]->Get<float>({}));
      });
  const Literal three = LiteralUtil::CreateR0<float>(3);
  EXPECT_EQ(evaluator.Evaluate(*module->entry_computation(), {&three})
                .value()
                .Get<float>({}),
            6);
  EXPECT_EQ(evaluator.count(), 1);
}

// Records the computations that run, embedded ones under "inside".
class RecordingEvaluator : public HloEvaluator {
 public:
  RecordingEvaluator(std::vector<std::string>* log, std::string prefix)
      : log_(log), prefix_(std::move(prefix)) {}
  std::unique_ptr<HloEvaluator> CreateEmbedded(
      int64_t max_loop_iterations) override {
    return std::make_unique<RecordingEvaluator>(log_, "inside ");
  }
  void OnEvaluateComputation(const HloComputation& computation) override {
    log_->push_back(absl::StrCat(prefix_, computation.name()));
  }

 private:
  std::vector<std::string>* log_;
  std::string prefix_;
};

TEST_F(WhileLoopsTest, EvaluatorsTellWhatRuns) {
  const auto module = Module({.bound = "s32[] constant(5)"});
  std::vector<std::string> log;
  std::vector<std::string> values;
  RecordingEvaluator evaluator(&log, "");
  evaluator.set_eval_literal_handler(
      [&](const HloInstruction* hlo, const LiteralSlice& literal) {
        values.push_back(absl::StrCat(
            hlo->name(), " ", literal.shape().IsTuple() ? "tuple" : "array"));
      });
  const Literal data = LiteralUtil::CreateR1<float>({1, 2, 3, 4});
  const Literal number = LiteralUtil::CreateR0<int32_t>(0);
  const Literal result =
      evaluator.Evaluate(*module->entry_computation(), {&data, &number})
          .value();
  EXPECT_EQ(result.Get<float>({3}, {1}), 8);
  EXPECT_THAT(log, ElementsAre("main", "inside condition", "inside body",
                               "inside condition"));
  EXPECT_THAT(values, ElementsAre("init tuple", "w tuple", "last array",
                                  "data array", "out tuple"));
}

TEST_F(WhileLoopsTest, EvaluatorsOfSingleOps) {
  const Array2D<float> a({{1, 2}, {3, 4}});
  const Array2D<float> b({{5}, {6}});
  const auto product = HloEvaluator::MatmulArray2D(a, b);
  EXPECT_EQ((*product)(0, 0), 17);
  EXPECT_EQ((*product)(1, 0), 39);
  EXPECT_TRUE(HloEvaluator::IsOpcodeImplemented(HloOpcode::kFft));
  DotDimensionNumbers numbers;
  numbers.add_lhs_contracting_dimensions(1);
  numbers.add_rhs_contracting_dimensions(0);
  const Literal lhs = LiteralUtil::CreateR2<float>({{1, 2}});
  const Literal rhs = LiteralUtil::CreateR2<float>({{3}, {4}});
  const Literal twice = LiteralUtil::CreateR2<float>({{2}});
  EXPECT_EQ(HloEvaluator()
                .EvaluateScaledDotOp(numbers, PrecisionConfig(), lhs, rhs,
                                     twice, twice)
                .value()
                .Get<float>({0, 0}),
            44);
}

}  // namespace
}  // namespace xla
