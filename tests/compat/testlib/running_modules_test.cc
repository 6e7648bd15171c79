// Runs modules with the fixtures of xla/tests, written as for XLA.
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "xla/error_spec.h"
#include "xla/hlo/ir/hlo_computation.h"
#include "xla/hlo/ir/hlo_instruction.h"
#include "xla/hlo/ir/hlo_module.h"
#include "xla/hlo/ir/hlo_opcode.h"
#include "xla/hlo/testlib/filecheck.h"
#include "xla/literal.h"
#include "xla/literal_util.h"
#include "xla/service/computation_placer.h"
#include "xla/service/platform_util.h"
#include "xla/tests/hlo_pjrt_interpreter_reference_mixin.h"
#include "xla/tests/hlo_pjrt_test_base.h"
#include "xla/tests/hlo_test_base.h"
#include "xla/tests/test_macros.h"
#include "xla/tests/test_utils.h"
#include "xla/tests/xla_test_backend_predicates.h"
#include "xla/tsl/lib/core/status_test_util.h"
#include "xla/tsl/platform/env.h"
#include "xla/tsl/platform/statusor.h"
#include "xla/tsl/platform/test.h"

namespace xla {
namespace {

using ::testing::HasSubstr;

constexpr absl::string_view kSumOfProducts = R"(
HloModule sum_of_products
add {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT c = f32[] add(a, b)
}
ENTRY main {
  x = f32[4,8] parameter(0)
  y = f32[4,8] parameter(1)
  start = f32[] parameter(2)
  product = f32[4,8] multiply(x, y)
  ROOT sum = f32[4] reduce(product, start), dimensions={1}, to_apply=add
})";

constexpr absl::string_view kNegate = R"(
HloModule negate
ENTRY main {
  x = f32[2] parameter(0)
  ROOT n = f32[2] negate(x)
})";

// Turns a module into another one with the same shapes.
void MakeRootAbsolute(HloModule* module) {
  HloComputation* entry = module->entry_computation();
  HloInstruction* root = entry->root_instruction();
  entry->set_root_instruction(entry->AddInstruction(
      HloInstruction::CreateUnary(root->shape(), HloOpcode::kAbs, root)));
}

using RunningModulesTest = HloTestBase;

XLA_TEST_F(RunningModulesTest, ComparesWithTheReference) {
  EXPECT_TRUE(RunAndCompare(kSumOfProducts, ErrorSpec{1e-5, 1e-5}));
  EXPECT_TRUE(RunAndCompareNoHloPasses(kSumOfProducts, error_spec_));
  EXPECT_TRUE(RunAndCompare(kNegate, std::nullopt));
  TF_ASSERT_OK_AND_ASSIGN(auto module, ParseAndReturnVerifiedModule(kNegate));
  EXPECT_TRUE(RunAndCompare(std::move(module), kDefaultErrorSpec));
  TF_ASSERT_OK_AND_ASSIGN(module, ParseAndReturnVerifiedModule(kNegate));
  Literal argument = LiteralUtil::CreateR1<float>({1, -2});
  std::vector<Literal*> arguments = {&argument};
  EXPECT_TRUE(RunAndCompare(std::move(module), arguments, std::nullopt));
}

TEST_F(RunningModulesTest, SeesDifferences) {
  const auto result =
      RunAndCompare(kNegate, std::nullopt, /*reference_preprocessor=*/nullptr,
                    /*test_preprocessor=*/MakeRootAbsolute);
  EXPECT_FALSE(result);
  EXPECT_THAT(result.message(), HasSubstr("f32[2]"));
  EXPECT_FALSE(RunAndCompareNoHloPasses(
      kNegate, std::nullopt, /*reference_preprocessor=*/MakeRootAbsolute));
  ASSERT_IS_NOT_OK(ParseAndReturnVerifiedModule("HloModule ?"));
  const auto invalid = RunAndCompare("HloModule ?", std::nullopt);
  EXPECT_FALSE(invalid);
  EXPECT_THAT(invalid.message(), HasSubstr("INVALID_ARGUMENT"));
}

TEST_F(RunningModulesTest, Executes) {
  const Literal argument = LiteralUtil::CreateR1<float>({1, -2});
  const Literal expected = LiteralUtil::CreateR1<float>({-1, 2});
  TF_ASSERT_OK_AND_ASSIGN(auto module, ParseAndReturnVerifiedModule(kNegate));
  TF_ASSERT_OK_AND_ASSIGN(const Literal result,
                          Execute(module->Clone(), {&argument}));
  EXPECT_EQ(result, expected);
  EXPECT_EQ(ExecuteAndTransfer(module->Clone(), {&argument}), expected);
  EXPECT_EQ(ExecuteNoHloPasses(module->Clone(), {&argument}), expected);
  TF_ASSERT_OK_AND_ASSIGN(auto executable,
                          CreateExecutable(module->Clone(), /*passes=*/true));
  TF_ASSERT_OK_AND_ASSIGN(
      const Literal again,
      test_runner().ExecuteWithExecutable(executable.get(), {&argument}));
  EXPECT_EQ(again, expected);
  EXPECT_TRUE(Run(std::move(module), /*run_hlo_passes=*/true));
  EXPECT_TRUE(Run(kSumOfProducts));
  EXPECT_FALSE(Run("HloModule ?"));
  std::vector<ExecutionProfile> profiles(2);
  EXPECT_TRUE(RunMultipleTimes(kSumOfProducts, /*run_hlo_passes=*/true,
                               &profiles, /*backend_config=*/nullptr,
                               /*assert_determinism=*/true));
  EXPECT_GT(profiles[1].compute_time_ns(), 0);
}

TEST_F(RunningModulesTest, ComparesTwoModules) {
  constexpr absl::string_view kSubtract = R"(
HloModule subtract
ENTRY main {
  x = f32[2] parameter(0)
  zero = f32[] constant(0)
  zeros = f32[2] broadcast(zero), dimensions={}
  ROOT n = f32[2] subtract(zeros, x)
})";
  EXPECT_TRUE(RunAndCompareTwoModules(kNegate, kSubtract, std::nullopt));
  EXPECT_TRUE(RunAndCompareTwoModules(kNegate, kSubtract, ErrorSpec{1e-6},
                                      /*run_hlo_passes=*/false));
  const Literal argument = LiteralUtil::CreateR1<float>({3, 4});
  EXPECT_TRUE(
      RunAndCompareTwoModules(kNegate, kSubtract, {&argument}, std::nullopt));
  TF_ASSERT_OK_AND_ASSIGN(auto negate, ParseAndReturnVerifiedModule(kNegate));
  TF_ASSERT_OK_AND_ASSIGN(auto absolute, ParseAndReturnVerifiedModule(kNegate));
  MakeRootAbsolute(absolute.get());
  EXPECT_FALSE(RunAndCompareTwoModules(std::move(negate), std::move(absolute),
                                       std::nullopt));
  EXPECT_FALSE(RunAndCompareTwoModules(kNegate, kSumOfProducts, std::nullopt));
}

TEST_F(RunningModulesTest, RunsReplicas) {
  constexpr absl::string_view kAllReduce = R"(
HloModule all_reduce
add {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT c = f32[] add(a, b)
}
ENTRY main {
  x = f32[2] parameter(0)
  ROOT sum = f32[2] all-reduce(x), replica_groups={}, to_apply=add
})";
  TF_ASSERT_OK_AND_ASSIGN(
      auto module, ParseAndReturnVerifiedModule(kAllReduce, /*replicas=*/2));
  Literal one = LiteralUtil::CreateR1<float>({1, 2});
  Literal two = LiteralUtil::CreateR1<float>({10, 20});
  TF_ASSERT_OK_AND_ASSIGN(
      std::vector<Literal> results,
      ExecuteReplicated(module->Clone(), {&one}, /*num_replicas=*/2,
                        /*use_threads=*/true, /*run_hlo_passes=*/true));
  ASSERT_EQ(results.size(), 2);
  EXPECT_EQ(results[1], LiteralUtil::CreateR1<float>({2, 4}));
  const std::vector<std::vector<Literal*>> arguments = {{&one}, {&two}};
  TF_ASSERT_OK_AND_ASSIGN(
      results, ExecuteReplicated(std::move(module), arguments,
                                 /*num_replicas=*/2, /*run_hlo_passes=*/true));
  EXPECT_EQ(results[0], LiteralUtil::CreateR1<float>({11, 22}));
  EXPECT_TRUE(RunReplicated(kAllReduce, /*run_hlo_passes=*/true,
                            /*num_replicas=*/2));
}

TEST_F(RunningModulesTest, RunsReplicasOnTheDevicesOfAnAssignment) {
  constexpr absl::string_view kReplica = R"(
HloModule replica
ENTRY main {
  ROOT r = u32[] replica-id()
})";
  TF_ASSERT_OK_AND_ASSIGN(
      auto module, ParseAndReturnVerifiedModule(kReplica, /*replicas=*/2));
  DeviceAssignment assignment(2, 1);
  assignment(0, 0) = 3;
  assignment(1, 0) = 1;
  auto run = [&] {
    return ExecuteReplicated(module->Clone(), {}, /*num_devices=*/2,
                             &assignment, /*run_hlo_passes=*/true,
                             /*use_threads=*/true);
  };
  TF_ASSERT_OK_AND_ASSIGN(std::vector<Literal> results, run());
  ASSERT_EQ(results.size(), 2);
  EXPECT_EQ(results[1], LiteralUtil::CreateR0<uint32_t>(1));
  assignment(1, 0) = 3;
  EXPECT_EQ(run().status().code(), absl::StatusCode::kInvalidArgument);
  assignment = DeviceAssignment(1, 2);
  assignment.FillIota(0);
  EXPECT_EQ(run().status().code(), absl::StatusCode::kInvalidArgument);
  // Without one, the module's own holds.
  module->mutable_config().set_static_device_assignment(assignment);
  EXPECT_EQ(ExecuteReplicated(module->Clone(), {}, /*num_devices=*/2,
                              /*use_threads=*/true, /*run_hlo_passes=*/true)
                .status()
                .code(),
            absl::StatusCode::kInvalidArgument);
}

TEST_F(RunningModulesTest, MatchesOptimizedModules) {
  constexpr absl::string_view kDouble = R"(
HloModule twice_negated
ENTRY main {
  x = f32[2] parameter(0)
  n = f32[2] negate(x)
  ROOT p = f32[2] negate(n)
})";
  TF_ASSERT_OK_AND_ASSIGN(const auto module, GetOptimizedModule(kDouble));
  EXPECT_EQ(FindInstruction(module.get(), HloOpcode::kNegate), nullptr);
  if (!filecheck_internal::FindProgram().ok()) GTEST_SKIP() << "no FileCheck";
  std::unique_ptr<HloModule> optimized;
  MatchOptimizedHlo(kDouble, R"(
    // CHECK: ENTRY
    // CHECK-NOT: negate
  )",
                    /*print_operand_shape=*/false, &optimized);
  EXPECT_NE(optimized, nullptr);
}

TEST_F(RunningModulesTest, ReadsFiles) {
  std::string path;
  ASSERT_TRUE(tsl::Env::Default()->LocalTempFilename(&path));
  TF_ASSERT_OK(tsl::WriteStringToFile(tsl::Env::Default(), path, kNegate));
  EXPECT_TRUE(RunAndCompareFromFile(path, error_spec_));
  EXPECT_TRUE(RunAndCompareNoHloPassesFromFile(path, error_spec_));
  TF_ASSERT_OK_AND_ASSIGN(
      const auto module,
      HloRunnerInterface::ReadModuleFromHloTextFile(path, DebugOptions()));
  EXPECT_EQ(module->name(), "negate");
  TF_ASSERT_OK(tsl::Env::Default()->DeleteFile(path));
  EXPECT_FALSE(RunAndCompareFromFile(path, error_spec_));
}

class PjRtTest : public HloPjRtInterpreterReferenceMixin<HloPjRtTestBase> {
 protected:
  absl::Status PreprocessModuleForTestRunner(HloModule* module) const override {
    MakeRootAbsolute(module);
    return absl::OkStatus();
  }
};

TEST_F(PjRtTest, ChangesModulesForTheTestRunner) {
  if (!test::DeviceTypeIs(test::kCpu)) GTEST_SKIP();
  EXPECT_FALSE(RunAndCompare(kNegate, std::nullopt));
  EXPECT_EQ(test_runner().Name(), "cpu");
  EXPECT_EQ(reference_runner().Name(), "evaluator");
}

TEST(FakeArgumentsTest, KeepIndicesInBounds) {
  TF_ASSERT_OK_AND_ASSIGN(
      const auto module,
      HloRunnerInterface::CreateModuleFromString(R"(
HloModule indices
add {
  a = s32[] parameter(0)
  b = s32[] parameter(1)
  ROOT c = s32[] add(a, b)
}
maximum {
  a = s32[] parameter(0)
  b = s32[] parameter(1)
  ROOT c = s32[] maximum(a, b)
}
ENTRY main {
  x = s32[8] parameter(0)
  start = s32[] parameter(1)
  slice = s32[6] dynamic-slice(x, start), dynamic_slice_sizes={6}
  indices = s32[50,1] parameter(2)
  moved = s32[50] reshape(indices)
  g = s32[50,2] gather(x, moved), offset_dims={1}, collapsed_slice_dims={},
    start_index_map={0}, index_vector_dim=1, slice_sizes={2}
  u = s32[50,3] parameter(3)
  s = s32[8] scatter(x, indices, u), update_window_dims={1},
    inserted_window_dims={}, scatter_dims_to_operand_dims={0},
    index_vector_dim=1, to_apply=add
  least = s32[] parameter(4)
  r = s32[] reduce(s, least), dimensions={0}, to_apply=maximum
  ROOT t = (s32[6], s32[50,2], s32[]) tuple(slice, g, r)
})",
                                                 DebugOptions()));
  TF_ASSERT_OK_AND_ASSIGN(const std::vector<Literal> arguments,
                          MakeFakeArguments(module.get()));
  ASSERT_EQ(arguments.size(), 5);
  EXPECT_LE(arguments[1].Get<int32_t>({}), 2);
  EXPECT_GE(arguments[1].Get<int32_t>({}), 0);
  for (const int32_t index : arguments[2].data<int32_t>()) {
    EXPECT_LE(index, 5);
    EXPECT_GE(index, 0);
  }
  EXPECT_EQ(arguments[4], LiteralUtil::MinValue(S32));
  TF_ASSERT_OK_AND_ASSIGN(const std::vector<Literal> again,
                          MakeFakeArguments(module.get()));
  EXPECT_EQ(arguments[0], again[0]);
}

}  // namespace
}  // namespace xla
