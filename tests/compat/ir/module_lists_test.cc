// Lists of a module's computations, their callers, hashes and schedules, as
// programs for XLA use them.
#include <memory>
#include <string>
#include <vector>

#include "absl/container/btree_map.h"
#include "absl/hash/hash.h"
#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "xla/hlo/ir/dfs_hlo_visitor_with_default.h"
#include "xla/hlo/ir/hlo_computation.h"
#include "xla/hlo/ir/hlo_instruction.h"
#include "xla/hlo/ir/hlo_module.h"
#include "xla/hlo/ir/hlo_schedule.h"
#include "xla/hlo/parser/hlo_parser.h"
#include "xla/hlo/transforms/simplifiers/hlo_dce.h"
#include "xla/hlo/transforms/simplifiers/hlo_memory_scheduler.h"
#include "xla/service/buffer_value.h"
#include "xla/shape_util.h"
#include "xla/sort_json.h"
#include "xla/tsl/lib/core/status_test_util.h"
#include "xla/tsl/platform/statusor.h"

namespace xla {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// The caller is the first in the list; `lost` has no callers.
constexpr absl::string_view kCalls = R"(
HloModule calls
half {
  h = f32[] parameter(0)
  ROOT k = f32[] multiply(h, h)
}
lost { ROOT l = f32[] parameter(0) }
sum {
  p = f32[] parameter(0)
  q = f32[] parameter(1)
  ROOT s = f32[] add(p, q)
}
less {
  b = f32[] parameter(0)
  ROOT c = pred[] compare(b, b), direction=LT
}
ENTRY main {
  x = f32[] parameter(0)
  flag = pred[] parameter(1)
  r = f32[] all-reduce(x), to_apply=sum
  w = f32[] while(r), condition=less, body=half
  t = f32[] conditional(flag, w, w), true_computation=half, false_computation=half
  ROOT u = f32[] custom-call(t), custom_call_target="f", to_apply=half
})";

std::unique_ptr<HloModule> Parsed(absl::string_view text) {
  return ParseAndReturnUnverifiedModule(text).value();
}

std::vector<std::string> Names(const HloModule& module) {
  std::vector<std::string> names;
  for (const HloComputation* computation : module.computations()) {
    names.push_back(computation->name());
  }
  return names;
}

TEST(ModuleListsTest, TheComputationAtHandMayBeRemoved) {
  const auto module = Parsed(kCalls);
  const int64_t all = module->computation_count();
  for (HloComputation* computation : module->computations()) {
    if (computation->IsDeadComputation()) {
      TF_ASSERT_OK(module->RemoveEmbeddedComputation(computation));
    }
  }
  EXPECT_EQ(module->computation_count(), all - 1);
  EXPECT_EQ(module->computations().size(), static_cast<size_t>(all - 1));
  EXPECT_EQ(module->GetComputationWithName("lost"), nullptr);
  EXPECT_EQ(module->MakeComputationPostOrder().size(), all - 1u);
  EXPECT_THAT(module->ToString(), Not(HasSubstr("lost")));
  const auto clone = module->Clone("");
  module->CleanupComputations();
  EXPECT_EQ(module->computation_count(), all - 1);
  EXPECT_EQ(Names(*module), Names(*clone));
  EXPECT_FALSE(module->RemoveUnreachableComputations());
}

TEST(ModuleListsTest, ClonesListComputationsAsTheOriginalDoes) {
  HloModule module("m");
  const Shape shape = ShapeUtil::MakeShape(F32, {});
  const auto identity = [&](absl::string_view name) {
    HloComputation::Builder builder(name);
    builder.AddInstruction(HloInstruction::CreateParameter(0, shape, "p"));
    return builder.Build();
  };
  HloComputation* entry = module.AddEntryComputation(identity("e"));
  for (absl::string_view name : {"f", "g"}) {
    HloComputation* callee = module.AddEmbeddedComputation(identity(name));
    entry->AddInstruction(HloInstruction::CreateCall(
        shape, {entry->parameter_instruction(0)}, callee));
  }
  EXPECT_THAT(Names(*module.Clone("c")), ElementsAre("e.c", "f.c", "g.c"));
}

TEST(ModuleListsTest, CallersOfEachKind) {
  const auto module = Parsed(kCalls);
  const HloComputation* half = module->GetComputationWithName("half");
  const HloComputation* sum = module->GetComputationWithName("sum");
  const HloComputation* less = module->GetComputationWithName("less");
  EXPECT_TRUE(half->IsWhileBodyComputation());
  EXPECT_EQ(half->WhileCallInstruction()->name(), "w");
  EXPECT_FALSE(less->IsWhileBodyComputation());
  EXPECT_TRUE(half->IsConditionalBranchComputation());
  EXPECT_EQ(half->ConditionalCallInstruction()->name(), "t");
  EXPECT_TRUE(half->IsCustomCallComputation());
  EXPECT_EQ(half->CustomCallInstruction()->name(), "u");
  EXPECT_FALSE(half->IsCollectiveCalledComputation());
  EXPECT_TRUE(sum->IsCollectiveCalledComputation());
  EXPECT_EQ(sum->CollectiveCallInstruction()->name(), "r");
}

TEST(ModuleListsTest, ComputationsOfCompositeCalls) {
  const auto module = Parsed(R"(
HloModule m
f { ROOT p = f32[] parameter(0) }
g { ROOT q = f32[] parameter(0) }
ENTRY e {
  x = f32[] parameter(0)
  y = f32[] call(x), to_apply=f, is_composite=true, frontend_attributes={composite.attributes={},composite.name="a.b",composite.version="1"}
  ROOT z = f32[] call(y), to_apply=g
})");
  EXPECT_THAT(module->MakeNonFusionNonCompositeComputations({"main"}),
              ElementsAre(module->GetComputationWithName("g"),
                          module->entry_computation()));
}

// Hashes ---------------------------------------------------------------------

// An entry over a and b, two instructions in either order, and a root.
std::unique_ptr<HloModule> Three(absl::string_view first,
                                 absl::string_view second,
                                 absl::string_view root) {
  return Parsed(absl::StrCat(
      "HloModule m\nc { x = f32[] parameter(0) ROOT n = f32[] negate(x) }\n",
      "ENTRY e { a = f32[2] parameter(0) b = f32[2] parameter(1)\n", first,
      "\n", second, "\nROOT r = ", root, "}"));
}

TEST(ModuleHashTest, GoesByWhatIsComputed) {
  const std::string s = "s = f32[2] sine(a)";
  const std::string m = "m = f32[2] map(b), dimensions={0}, to_apply=c";
  const std::string root = "f32[2] add(s, m)";
  const auto module = Three(s, m, root);
  const size_t hash = absl::HashOf(*module);
  const auto same = Three(m, s, root);
  same->entry_computation()->root_instruction()->SetAndSanitizeName("other");
  EXPECT_EQ(hash, absl::HashOf(*same));
  EXPECT_EQ(absl::HashOf(*module->entry_computation()),
            absl::HashOf(*same->entry_computation()));
  EXPECT_NE(hash, absl::HashOf(*Three(s, m, "f32[2] add(m, s)")));
  EXPECT_NE(hash, absl::HashOf(*Three(s, m, "f32[2] subtract(s, m)")));
  EXPECT_NE(hash, absl::HashOf(*Three("s = f32[2] sine(b)", m, root)));
  EXPECT_NE(hash, absl::HashOf(*Three("s = f32[2] constant({1, 2})", m, root)));
  EXPECT_NE(absl::HashOf(*Three("s = f32[2] constant({1, 3})", m, root)),
            absl::HashOf(*Three("s = f32[2] constant({1, 2})", m, root)));
  EXPECT_NE(
      absl::HashOf(*module->entry_computation()),
      absl::HashOf(
          *Three(s + " t = f32[2] cosine(a)", m, root)->entry_computation()));
  const auto called = Three(s, m, root);
  HloComputation* callee = called->GetComputationWithName("c");
  callee->set_root_instruction(callee->parameter_instruction(0));
  EXPECT_NE(hash, absl::HashOf(*called));
  EXPECT_EQ(absl::HashOf(HloModule("m")), absl::HashOf(HloModule("n")));
}

TEST(ModuleHashTest, FieldsChangeFingerprints) {
  const auto module = Parsed(kCalls);
  const HloPrintOptions options = HloPrintOptions::ModuleFingerprint();
  using Fields = absl::btree_map<std::string, NumericOrString>;
  const auto of = [&](const Fields& fields) {
    return module->ToFingerprint(options, fields);
  };
  EXPECT_EQ(of({}), module->ToFingerprint(options));
  const Fields fields = {{"k", int64_t{1}}, {"d", 0.5}, {"s", "t"}};
  EXPECT_EQ(of(fields), of(fields));
  EXPECT_NE(of(fields), of({}));
  EXPECT_NE(of({{"k", int64_t{1}}}), of({{"k", "1"}}));
  EXPECT_NE(of({{"k", 1.0}}), of({{"k", 1.0 + 1e-15}}));
}

// Text -----------------------------------------------------------------------

TEST(SortJsonTest, OrdersKeysAtEachLevel) {
  EXPECT_EQ(SortJson(R"( { "b" : [ {"z":1, "a":-2.5e+3}, null ], "a": {} } )")
                .value(),
            R"({"a":{},"b":[{"a":-2.5e+3,"z":1},null]})");
  EXPECT_EQ(SortJson(R"(["a\" b", []])").value(), R"(["a\" b",[]])");
  for (absl::string_view wrong :
       {"", "{", "[1,", "{\"a\"}", "{a:1}", "{\"a\":1,}", "\"", "\"\\", "1 2",
        "[1]]", "{\"a\":1 \"b\":2}"}) {
    EXPECT_FALSE(SortJson(wrong).ok()) << wrong;
  }
  EXPECT_FALSE(SortJson(std::string(100000, '[')).ok());
}

TEST(SortJsonTest, OfBackendConfigs) {
  const auto module = Parsed(R"(
HloModule m
ENTRY e {
  x = f32[] parameter(0)
  y = f32[] custom-call(x), custom_call_target="t", backend_config={"n":{"2":"c","1":"d"},"m":0}
  ROOT z = f32[] custom-call(y), custom_call_target="t", backend_config="not {"
})");
  const auto sorted = HloPrintOptions().set_sort_backend_config(true);
  EXPECT_THAT(module->ToString(sorted),
              HasSubstr(R"(backend_config={"m":0,"n":{"1":"d","2":"c"}})"));
  EXPECT_THAT(module->ToString(sorted), HasSubstr(R"("not {")"));
  EXPECT_THAT(module->ToString(),
              HasSubstr(R"(backend_config={"n":{"2":"c","1":"d"},"m":0})"));
}

// Schedules, passes of threads -----------------------------------------------

TEST(ModuleScheduleTest, NewComputationsGetTheirPostOrder) {
  const auto module = Parsed(R"(
HloModule m
ENTRY e {
  x = f32[] parameter(0)
  y = f32[] sine(x)
  ROOT z = f32[] add(x, y)
})");
  TF_ASSERT_OK_AND_ASSIGN(
      HloSchedule schedule,
      ScheduleModule(module.get(), [](const BufferValue& value) {
        return ShapeUtil::ByteSizeOf(value.shape());
      }));
  HloComputation* entry = module->entry_computation();
  HloInstruction* call =
      entry->CreateCallInstruction({entry->root_instruction()});
  EXPECT_FALSE(schedule.is_computation_scheduled(call->to_apply()));
  EXPECT_FALSE(schedule.Verify().ok());
  TF_ASSERT_OK(schedule.Update());
  EXPECT_EQ(schedule.sequence(call->to_apply()).instructions(),
            call->to_apply()->MakeInstructionPostOrder());
  TF_EXPECT_OK(schedule.Verify());
}

TEST(ModuleScheduleTest, OfOneThread) {
  const auto module = Parsed(R"(
HloModule m
off {
  p = f32[] parameter(0)
  dead = f32[] sine(p)
  ROOT n = f32[] negate(p)
}, execution_thread="host"
ENTRY e {
  x = f32[] parameter(0)
  gone = f32[] cosine(x)
  start = ((f32[]), f32[]) async-start(x), calls=off, async_execution_thread="host"
  ROOT done = f32[] async-done(start)
})");
  const auto one = [](const BufferValue&) { return 1; };
  TF_ASSERT_OK_AND_ASSIGN(HloSchedule schedule,
                          ScheduleModule(module.get(), one, {"main"}));
  EXPECT_EQ(schedule.sequences().size(), 1);
  TF_ASSERT_OK_AND_ASSIGN(bool changed, HloDCE().Run(module.get(), {"main"}));
  EXPECT_TRUE(changed);
  EXPECT_EQ(module->entry_computation()->instruction_count(), 3);
  EXPECT_EQ(module->GetComputationWithName("off")->instruction_count(), 3);
  TF_ASSERT_OK(schedule.Update({"main"}));
  TF_ASSERT_OK_AND_ASSIGN(changed, HloDCE().Run(module.get(), {"main"}));
  EXPECT_FALSE(changed);
  TF_ASSERT_OK_AND_ASSIGN(changed, HloDCE().Run(module.get()));
  EXPECT_TRUE(changed);
  EXPECT_EQ(module->GetComputationWithName("off")->instruction_count(), 2);
}

TEST(ModuleListsTest, ErrorsOfVisitorsNameTheCycle) {
  const auto module = Parsed(R"(
HloModule m
ENTRY e {
  x = f32[] parameter(0)
  a = f32[] sine(x)
  b = f32[] cosine(a)
  c = f32[] add(x, b)
  ROOT d = f32[] negate(c)
})");
  HloComputation* entry = module->entry_computation();
  const auto find = [&](absl::string_view name) {
    return entry->GetInstructionWithName(name);
  };
  TF_ASSERT_OK(find("c")->AddControlDependencyTo(find("a")));
  FunctionVisitor visitor([](HloInstruction*) { return absl::OkStatus(); });
  const absl::Status status = find("d")->Accept(&visitor);
  EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(status.message(), HasSubstr("cycle is detected"));
  EXPECT_THAT(status.message(), HasSubstr("\n c\n a\n b\n c"));
  TF_ASSERT_OK(find("c")->DropAllControlDeps());
}

}  // namespace
}  // namespace xla
