// Tests how the work of instructions is divided.
#include "xla/backends/cpu/codegen/plans/work.h"

#include <memory>

#include "absl/strings/str_replace.h"
#include "gtest/gtest.h"
#include "xla/hlo/parser/hlo_parser.h"

namespace xla::cpu {
namespace {

std::unique_ptr<HloModule> Parse(absl::string_view text) {
  auto module = ParseAndReturnUnverifiedModule(text);
  EXPECT_TRUE(module.ok()) << module.status() << text;
  return *std::move(module);
}

// Kernels that differ only in the producer of their operand share one function,
// so they must be divided alike.
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

}  // namespace
}  // namespace xla::cpu
