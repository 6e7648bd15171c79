// What instructions are thought to cost, alone and as parts of fusions.
#include "xla/backends/cpu/codegen/plans/work.h"

#include <memory>
#include <string>

#include "absl/strings/str_replace.h"
#include "gtest/gtest.h"
#include "xla/backends/cpu/fusion/cpu_fusion_backend.h"
#include "xla/hlo/parser/hlo_parser.h"

namespace xla::cpu {
namespace {

std::unique_ptr<HloModule> Parse(absl::string_view text) {
  auto module = ParseAndReturnUnverifiedModule(text);
  EXPECT_TRUE(module.ok()) << module.status() << text;
  return *std::move(module);
}

TEST(WorkTest, FunctionsCostMoreThanAnAddition) {
  const std::unique_ptr<HloModule> sum = Parse(R"(
HloModule m
ENTRY e {
  x = f32[1000] parameter(0)
  ROOT r = f32[1000] add(x, x)
})");
  const HloInstruction& add = *sum->entry_computation()->root_instruction();
  for (const char* opcode :
       {"acos", "acosh", "asin", "asinh", "atanh", "cbrt", "cosine", "cosh",
        "erf", "exponential", "exponential-minus-one", "log", "log-plus-one",
        "logistic", "sine", "sinh", "tan", "tanh"}) {
    const std::unique_ptr<HloModule> module =
        Parse(absl::StrReplaceAll(R"(
HloModule m
ENTRY e {
  x = f32[1000] parameter(0)
  ROOT r = f32[1000] $op(x)
})",
                                  {{"$op", opcode}}));
    const HloInstruction& function =
        *module->entry_computation()->root_instruction();
    EXPECT_GE(WorkOf(function, HostTarget()).nanoseconds(),
              5 * WorkOf(add, HostTarget()).nanoseconds())
        << opcode;
    EXPECT_GE(CpuFusionBackend().ElementNanoseconds(function),
              5 * CpuFusionBackend().ElementNanoseconds(add))
        << opcode;
  }
}

// Kernels that differ in what made their operand run one function, so that
// they must be divided alike.
TEST(WorkTest, WorkgroupsDoNotDependOnWhatMadeAnOperand) {
  const auto workgroups = [](absl::string_view operand) {
    const std::unique_ptr<HloModule> module =
        Parse(absl::StrReplaceAll(R"(
HloModule m
ENTRY e {
  x = f32[600000] parameter(0)
  y = f32[300,2000] $operand
  ROOT r = f32[300,2000] copy(y)
})",
                                  {{"$operand", operand}}));
    return WorkOf(*module->entry_computation()->root_instruction(),
                  HostTarget())
        .workgroups;
  };
  const int64_t of_parameter = workgroups("parameter(1)");
  EXPECT_GT(of_parameter, 1);
  EXPECT_EQ(workgroups("bitcast(x)"), of_parameter);
  EXPECT_EQ(workgroups("custom-call(x), custom_call_target=\"f\""),
            of_parameter);
}

// Nanoseconds of a fusion that reads `type` and does nothing else.
double ReadNanoseconds(const std::string& type) {
  const std::unique_ptr<HloModule> module =
      Parse(absl::StrReplaceAll(R"(
HloModule m
f {
  p = $T[1000000] parameter(0)
  ROOT r = $T[1000000] reshape(p)
}
ENTRY e {
  x = $T[1000000] parameter(0)
  ROOT r = $T[1000000] fusion(x), kind=kLoop, calls=f
})",
                                {{"$T", type}}));
  return WorkOf(*module->entry_computation()->root_instruction(), HostTarget())
      .nanoseconds();
}

TEST(WorkTest, MemoryCostsByTheByte) {
  EXPECT_NEAR(ReadNanoseconds("f32"), 400000, 1);  // 10 GB/s
  EXPECT_NEAR(ReadNanoseconds("s8"), 100000, 1);
  EXPECT_NEAR(ReadNanoseconds("pred"), 100000, 1);
  EXPECT_NEAR(ReadNanoseconds("bf16"), 200000, 1);
  EXPECT_NEAR(ReadNanoseconds("f64"), 800000, 1);
  EXPECT_NEAR(ReadNanoseconds("c128"), 1600000, 1);
}

}  // namespace
}  // namespace xla::cpu
