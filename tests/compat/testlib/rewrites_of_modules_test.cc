// The fixture for tests of passes, used as XLA's own tests use it.
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "absl/status/status.h"
#include "absl/status/status_macros.h"
#include "absl/status/status_matchers.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "gmock/gmock.h"
#include "gtest/gtest-spi.h"
#include "gtest/gtest.h"
#include "xla/hlo/ir/hlo_computation.h"
#include "xla/hlo/ir/hlo_instruction.h"
#include "xla/hlo/ir/hlo_module.h"
#include "xla/hlo/ir/hlo_opcode.h"
#include "xla/hlo/parser/hlo_parser.h"
#include "xla/hlo/pass/hlo_pass_interface.h"
#include "xla/hlo/testlib/filecheck.h"
#include "xla/hlo/testlib/hlo_hardware_independent_test_base.h"
#include "xla/hlo/testlib/pattern_matcher_gmock.h"
#include "xla/hlo/testlib/test.h"
#include "xla/hlo/testlib/verified_hlo_module.h"
#include "xla/layout_util.h"
#include "xla/service/computation_placer.h"
#include "xla/service/hlo_verifier.h"
#include "xla/service/pattern_matcher.h"
#include "xla/shape_util.h"
#include "xla/tsl/platform/env.h"

namespace xla {
namespace {

namespace m = match;
using ::absl_testing::IsOkAndHolds;
using ::absl_testing::StatusIs;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr absl::string_view kTwoSines = R"(
HloModule two_sines
ENTRY main {
  x = f32[4] parameter(0)
  a = f32[4] sine(x)
  ROOT b = f32[4] sine(a)
})";
constexpr absl::string_view kNoSine = R"(
HloModule no_sine
ENTRY main {
  x = f32[4] parameter(0)
  ROOT a = f32[4] cosine(x)
})";

// Makes each sine a cosine. May lie about what it did.
class SineToCosine : public HloModulePass {
 public:
  explicit SineToCosine(std::optional<bool> answer = std::nullopt)
      : answer_(answer) {}
  absl::string_view name() const override { return "sine-to-cosine"; }

 protected:
  absl::StatusOr<bool> RunImpl(
      HloModule* module,
      const absl::flat_hash_set<absl::string_view>& threads) override {
    bool changed = false;
    for (HloComputation* computation : module->computations()) {
      for (HloInstruction* hlo : computation->MakeInstructionPostOrder()) {
        if (hlo->opcode() != HloOpcode::kSin) continue;
        ABSL_RETURN_IF_ERROR(computation->ReplaceWithNewInstruction(
            hlo, HloInstruction::CreateUnary(hlo->shape(), HloOpcode::kCos,
                                             hlo->mutable_operand(0))));
        changed = true;
      }
    }
    return answer_.value_or(changed);
  }

 private:
  const std::optional<bool> answer_;
};

class RewritesOfModulesTest : public HloHardwareIndependentTestBase {
 protected:
  // Runs in the statements of EXPECT_NONFATAL_FAILURE, which see no members.
  static RewritesOfModulesTest* current_;
  void SetUp() override { current_ = this; }
};
RewritesOfModulesTest* RewritesOfModulesTest::current_ = nullptr;

TEST_F(RewritesOfModulesTest, RunsPasses) {
  ASSERT_OK_AND_ASSIGN(std::unique_ptr<VerifiedHloModule> module,
                       ParseAndReturnVerifiedModule(kTwoSines));
  EXPECT_EQ(module->name(), "two_sines");
  EXPECT_THAT(FindInstructions(module.get(), HloOpcode::kSin), SizeIs(2));
  SineToCosine pass;
  EXPECT_THAT(RunHloPass(pass, module.get()), IsOkAndHolds(true));
  EXPECT_THAT(RunHloPass(&pass, module.get()), IsOkAndHolds(false));
  EXPECT_THAT(RunHloPass(SineToCosine(), module.get()), IsOkAndHolds(false));
  EXPECT_THAT(module->entry_computation()->root_instruction(),
              GmockMatch(m::Cos(m::Cos(m::Parameter(0)))));
  EXPECT_THAT(FindInstructions(module.get(), HloOpcode::kSin), IsEmpty());
  EXPECT_EQ(FindInstruction(module.get(), HloOpcode::kSin), nullptr);
  EXPECT_NE(FindComputation(module.get(), "main"), nullptr);
}

TEST_F(RewritesOfModulesTest, ChecksWhatPassesReturn) {
  EXPECT_NONFATAL_FAILURE(
      current_->RunAndCheckHloRewrite(kTwoSines, SineToCosine(false), false)
          .IgnoreError(),
      "sine-to-cosine");
  EXPECT_NONFATAL_FAILURE(
      current_->RunAndCheckHloRewrite(kNoSine, SineToCosine(true))
          .IgnoreError(),
      "sine-to-cosine");
}

TEST_F(RewritesOfModulesTest, ChecksRewrites) {
  SineToCosine pass;
  ASSERT_OK_AND_ASSIGN(std::unique_ptr<HloModule> module,
                       RunAndCheckHloRewrite(kTwoSines, &pass));
  EXPECT_EQ(module->entry_computation()->root_instruction()->opcode(),
            HloOpcode::kCos);
  ASSERT_OK_AND_ASSIGN(module, RunAndCheckHloRewrite(kNoSine, SineToCosine(),
                                                     /*expect_change=*/false));
  ASSERT_OK_AND_ASSIGN(
      module, RunAndCheckHloRewrite(R"(
HloModule template
ENTRY main {
  x = $type[4] parameter(0)
  ROOT a = $type[4] $op(x)
})",
                                    SineToCosine(), /*expect_change=*/true,
                                    {{"$type", "bf16"}, {"$op", "sine"}}));
  EXPECT_EQ(module->result_shape().element_type(), BF16);
  EXPECT_THAT(RunAndCheckHloRewrite("no module", SineToCosine()),
              StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_NONFATAL_FAILURE(
      current_->RunAndCheckHloRewrite(kNoSine, SineToCosine()).IgnoreError(),
      "changed");
}

TEST_F(RewritesOfModulesTest, ChecksRewritesWithFileCheck) {
  if (!filecheck_internal::FindProgram().ok()) GTEST_SKIP() << "no FileCheck";
  bool was_called = false;
  RunAndFilecheckHloRewrite(kTwoSines, SineToCosine(), R"(
    // CHECK-NOT: {{ sine}}
    // CHECK: [[A:%[^ ]+]] = f32[4]{0} cosine(%x)
    // CHECK-NEXT: ROOT {{.*}} cosine([[A]])
  )",
                            [&](HloModule* module) { was_called = true; });
  EXPECT_TRUE(was_called);
  RunAndFilecheckHloRewrite(R"(
HloModule interleaved
// CHECK: ENTRY %main
ENTRY main {
  x = f32[4] parameter(0)
  // CHECK: cosine(%x)
  ROOT a = f32[4] sine(x)
})",
                            SineToCosine());
  RunAndFilecheckHloRewrite(kNoSine, SineToCosine(), std::nullopt);
  const HloModuleConfig config = GetModuleConfigForTest(/*replica_count=*/2);
  RunAndFilecheckHloRewrite(
      kTwoSines, SineToCosine(), "CHECK: cosine",
      [](HloModule* module) { EXPECT_EQ(module->config().replica_count(), 2); },
      &config);
}

TEST_F(RewritesOfModulesTest, FileCheckSeesWrongRewrites) {
  if (!filecheck_internal::FindProgram().ok()) GTEST_SKIP() << "no FileCheck";
  EXPECT_NONFATAL_FAILURE(current_->RunAndFilecheckHloRewrite(
                              kTwoSines, SineToCosine(), "CHECK: tangent"),
                          "CHECK: tangent");
  EXPECT_NONFATAL_FAILURE(current_->RunAndFilecheckHloRewrite(
                              kTwoSines, SineToCosine(), std::nullopt),
                          "two_sines");
}

TEST(FileCheckTest, MatchesText) {
  if (!filecheck_internal::FindProgram().ok()) GTEST_SKIP() << "no FileCheck";
  EXPECT_THAT(RunFileCheck("a\nb\n", "CHECK: a\nCHECK-NEXT: b"),
              IsOkAndHolds(true));
  EXPECT_THAT(RunFileCheck("a\nc\n", "CHECK: a\nCHECK-NEXT: b"),
              IsOkAndHolds(false));
  EXPECT_THAT(RunFileCheck("a", "nothing to check"), IsOkAndHolds(false));
  EXPECT_THAT(RunFileCheck("a", "OTHER: b", {"OTHER"}), IsOkAndHolds(false));
  EXPECT_THAT(RunFileCheck("a", "OTHER: a", {"OTHER"}), IsOkAndHolds(true));
  std::string path;
  ASSERT_TRUE(tsl::Env::Default()->LocalTempFilename(&path));
  EXPECT_OK(tsl::WriteStringToFile(tsl::Env::Default(), path, "CHECK: a"));
  EXPECT_THAT(RunFileCheckWithPatternFile("a", path), IsOkAndHolds(true));
  EXPECT_OK(tsl::Env::Default()->DeleteFile(path));
}

TEST(FileCheckTest, SaysThatTheProgramIsMissing) {
  const char* before = std::getenv("FILECHECK");
  const std::string program = before == nullptr ? "" : before;
  setenv("FILECHECK", "/no/such/program", /*overwrite=*/1);
  EXPECT_THAT(
      RunFileCheck("a", "CHECK: a"),
      StatusIs(absl::StatusCode::kNotFound, HasSubstr("/no/such/program")));
  setenv("FILECHECK", program.c_str(), /*overwrite=*/1);
}

TEST_F(RewritesOfModulesTest, ModulesAreVerifiedWhenTheyEnd) {
  auto module = CreateNewVerifiedModule();
  EXPECT_EQ(module->name(), "ModulesAreVerifiedWhenTheyEnd");
  EXPECT_EQ(TestName(), module->name());
  HloComputation::Builder builder("entry");
  HloInstruction* x = builder.AddInstruction(
      HloInstruction::CreateParameter(0, ShapeUtil::MakeShape(F32, {2}), "x"));
  builder.AddInstruction(HloInstruction::CreateUnary(
      ShapeUtil::MakeShape(F32, {3}), HloOpcode::kNegate, x));
  module->AddEntryComputation(builder.Build());
  EXPECT_THAT(module->Verify(), StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_NONFATAL_FAILURE(module.reset(), "in destructor");
  EXPECT_EQ(CreateNewVerifiedModule("two", 2)->config().replica_count(), 2);
  EXPECT_EQ(CreateNewUnverifiedModule()->name(), TestName());
}

TEST_F(RewritesOfModulesTest, ModulesKeepWhatTheTextSays) {
  constexpr absl::string_view kText =
      R"(HloModule kept, is_scheduled=true, input_output_alias={ {0}: (0, {}, may-alias) }, entry_computation_layout={(f32[2,3]{0,1})->(f32[2,3]{0,1})}, replica_count=2

ENTRY %main (x: f32[2,3]) -> (f32[2,3]) {
  %x = f32[2,3]{0,1} parameter(0)
  %n = f32[2,3]{0,1} negate(%x)
  ROOT %t = (f32[2,3]{0,1}) tuple(%n)
}
)";
  ASSERT_OK_AND_ASSIGN(const auto module, ParseAndReturnVerifiedModule(kText));
  ASSERT_OK_AND_ASSIGN(const auto plain, ParseAndReturnUnverifiedModule(kText));
  EXPECT_EQ(module->ToString(), plain->ToString());
  EXPECT_TRUE(module->has_schedule());
  EXPECT_EQ(module->input_output_alias_config().ToString(),
            plain->input_output_alias_config().ToString());
  EXPECT_THAT(module->ParseHloStringAndVerifyModule(kText),
              StatusIs(absl::StatusCode::kInternal));
}

TEST_F(RewritesOfModulesTest, LayoutsOfTheEntry) {
  ASSERT_OK_AND_ASSIGN(const auto module, ParseAndReturnVerifiedModule(R"(
HloModule layouts
ENTRY main {
  x = f32[2,3]{1,0} parameter(0)
  ROOT n = f32[2,3]{1,0} negate(x)
})"));
  ASSERT_OK_AND_ASSIGN(const auto other, ParseAndReturnVerifiedModule(kNoSine));
  EXPECT_THAT(CompareInputs(*module, *other), ElementsAre(0));
  EXPECT_THAT(CompareInputs(*module, *module), IsEmpty());
  const Layout columns = LayoutUtil::MakeLayout({0, 1});
  ForceParameterLayout(module.get(), 0, columns);
  ForceResultLayout(module.get(), columns);
  EXPECT_EQ(module->entry_computation_layout().parameter_layout(0).layout(),
            columns);
  EXPECT_EQ(module->entry_computation_layout().result_layout().layout(),
            columns);
  EXPECT_OK(UpdateEntryComputationLayoutToMatchProgramLayout(module.get()));
  EXPECT_EQ(module->entry_computation_layout().result_layout().layout(),
            LayoutUtil::MakeLayout({1, 0}));
  ForceClearParameterLayout(module.get(), 0);
  ForceClearResultLayout(module.get());
  EXPECT_FALSE(module->entry_computation_layout().AnyLayoutSet());
  EXPECT_OK(UpdateEntryComputationLayoutToMatchProgramLayout(module.get()));
}

TEST_F(RewritesOfModulesTest, Settings) {
  EXPECT_FALSE(verifier_layout_sensitive());
  set_verifier_layout_sensitive(true);
  EXPECT_TRUE(verifier_layout_sensitive());
  EXPECT_TRUE(allow_mixed_precision_in_hlo_verifier());
  EXPECT_FALSE(instruction_can_change_layout_func());
  set_hlo_verifier(std::make_unique<HloVerifier>(true, false));
  ASSERT_OK_AND_ASSIGN(const auto module,
                       ParseAndReturnVerifiedModule(
                           kNoSine, GetModuleConfigForTest(1, 2),
                           HloParserOptions().set_fill_missing_layouts(true)));
  EXPECT_OK(verifier().Run(module.get()).status());
  EXPECT_EQ(module->config().num_partitions(), 2);
  DebugOptions options = GetDebugOptionsForTest();
  SetAotFastMathDebugOptions(&options);
  EXPECT_TRUE(options.xla_cpu_enable_fast_math());
  EXPECT_EQ(DefaultPrecisionConfig(2).operand_precision_size(), 2);
  EXPECT_EQ(GetDefaultDeviceAssignment(2, 1)(1, 0), 1);
}

class LayoutsTest : public HloHardwareIndependentTestBase {
 protected:
  LayoutsTest()
      : HloHardwareIndependentTestBase(
            /*verifier_layout_sensitive=*/true,
            /*allow_mixed_precision_in_hlo_verifier=*/false,
            LayoutAssignmentMayChange) {}
  static bool LayoutAssignmentMayChange(const HloInstruction* hlo) {
    return hlo->opcode() == HloOpcode::kCopy;
  }
};

TEST_F(LayoutsTest, AreVerified) {
  EXPECT_TRUE(verifier_layout_sensitive());
  EXPECT_FALSE(allow_mixed_precision_in_hlo_verifier());
  EXPECT_TRUE(instruction_can_change_layout_func());
  EXPECT_OK(ParseAndReturnVerifiedModule(kNoSine));
}

TEST_F(LayoutsTest, ChangeOnlyWhereThePredicateSays) {
  EXPECT_OK(ParseAndReturnVerifiedModule(R"(
HloModule copied
ENTRY main {
  x = f32[4,5]{0,1} parameter(0)
  ROOT c = f32[4,5]{1,0} copy(x)
})"));
  constexpr absl::string_view kSliced = R"(
HloModule sliced
ENTRY main {
  x = f32[4,5]{0,1} parameter(0)
  ROOT s = f32[3,5]{1,0} slice(x), slice={[0:3], [0:5]}
})";
  EXPECT_NONFATAL_FAILURE(
      EXPECT_THAT(ParseAndReturnVerifiedModule(kSliced),
                  StatusIs(absl::StatusCode::kInvalidArgument,
                           HasSubstr("Instruction shouldn't change layouts"))),
      "in destructor");
  ASSERT_OK_AND_ASSIGN(const auto module,
                       ParseAndReturnUnverifiedModule(kSliced));
  EXPECT_THAT(verifier().Run(module.get()),
              StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_OK(
      HloVerifier(HloVerifierOpts().MakeLayoutSensitive()).Run(module.get()));
  set_instruction_can_change_layout_func({});
  EXPECT_OK(ParseAndReturnVerifiedModule(kSliced));
}

TEST_F(LayoutsTest, ShapesHaveTheSizesOfTheTarget) {
  constexpr absl::string_view kBitcast = R"(
HloModule bitcast
ENTRY main {
  x = f32[2,4]{1,0} parameter(0)
  ROOT b = f32[8]{0} bitcast(x)
})";
  EXPECT_OK(ParseAndReturnVerifiedModule(kBitcast));
  auto in_tiles = [](const Shape& shape) { return shape.rank() * 4096; };
  EXPECT_NONFATAL_FAILURE(
      EXPECT_THAT(
          ParseAndReturnVerifiedModule(kBitcast, GetModuleConfigForTest(),
                                       HloParserOptions(), in_tiles),
          StatusIs(absl::StatusCode::kInvalidArgument,
                   HasSubstr("Bitcast cannot have different shape sizes of "
                             "output (4096) and operand (8192)"))),
      "in destructor");
}

TEST_F(RewritesOfModulesTest, PredicatesOfLayoutsNeedLayouts) {
  set_instruction_can_change_layout_func(HloPredicateTrue);
  EXPECT_NONFATAL_FAILURE(
      EXPECT_THAT(ParseAndReturnVerifiedModule(kNoSine),
                  StatusIs(absl::StatusCode::kInvalidArgument)),
      "in destructor");
}

TEST_F(RewritesOfModulesTest, ModulesKeepTheirDevices) {
  DeviceAssignment swapped = GetDefaultDeviceAssignment(2, 1);
  swapped(0, 0) = 1;
  swapped(1, 0) = 0;
  ASSERT_OK_AND_ASSIGN(auto module,
                       ParseAndReturnVerifiedModule(kNoSine, 2, 1, swapped));
  EXPECT_EQ(module->config().replica_count(), 2);
  EXPECT_EQ(module->config().static_device_assignment(), swapped);
  EXPECT_EQ(module->Clone()->config().static_device_assignment(), swapped);
  ASSERT_OK_AND_ASSIGN(
      HloModuleConfig config,
      HloModule::CreateModuleConfigFromProto(module->ToProto(), {}));
  EXPECT_EQ(config.static_device_assignment(), swapped);
  config.reset_static_device_assignment();
  EXPECT_FALSE(config.has_static_device_assignment());
  EXPECT_FALSE(GetModuleConfigForTest(2).has_static_device_assignment());

  HloModuleProto malformed = module->ToProto();
  malformed.mutable_device_assignment()->set_replica_count(3);
  EXPECT_THAT(HloModule::CreateModuleConfigFromProto(malformed, {}),
              StatusIs(absl::StatusCode::kInvalidArgument));
}

}  // namespace
}  // namespace xla
