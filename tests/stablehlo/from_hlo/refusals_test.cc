// HLO that StableHLO cannot express is refused, not changed.
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "xla/hlo/parser/hlo_parser.h"
#include "xla/stablehlo/from_hlo/print_module.h"

namespace xla {
namespace {

using ::testing::HasSubstr;

// An instruction with operand x, and part of the error for it.
struct Refusal {
  const char* name;
  const char* parameter;
  const char* instruction;
  const char* message;
};

class RefusalsTest : public ::testing::TestWithParam<Refusal> {};

TEST_P(RefusalsTest, IsUnimplemented) {
  const auto module = ParseAndReturnUnverifiedModule(absl::StrCat(
      "ENTRY e {\n  x = ", GetParam().parameter,
      " parameter(0)\n  ROOT r = ", GetParam().instruction, "\n}"));
  ASSERT_TRUE(module.ok()) << module.status();
  const auto text = stablehlo::PrintStablehlo(**module);
  EXPECT_TRUE(absl::IsUnimplemented(text.status())) << text.status();
  EXPECT_THAT(text.status().message(), HasSubstr(GetParam().message));
}

INSTANTIATE_TEST_SUITE_P(
    Instructions, RefusalsTest,
    ::testing::Values(
        Refusal{"CallWithLiteral", "f32[2]",
                "f32[2] custom-call(x), custom_call_target=\"t\", "
                "literal=s32[] 3",
                "no place for its literal"},
        Refusal{"CallWithSchedule", "f32[2]",
                "f32[2] custom-call(x), custom_call_target=\"t\", "
                "schedule=SCHEDULE_LATEST",
                "no place for its literal or its schedule"},
        Refusal{"TiledBitcast", "f32[2,2]{1,0:T(2,1)}", "f32[4] bitcast(x)",
                "depends on layouts"},
        Refusal{"CallThatConvolves", "f32[2]",
                "f32[2] custom-call(x), custom_call_target=\"t\", "
                "window={size=2}",
                "no place for its window"}),
    [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace xla
