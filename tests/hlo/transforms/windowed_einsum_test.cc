// Products block by block: their values, on each device.
#include "xla/hlo/transforms/devices/windowed_einsum.h"

#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "xla/core/literal/literal_util.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/evaluator/replicated.h"
#include "xla/hlo/parser/hlo_parser.h"
#include "xla/hlo/verifier/hlo_verifier.h"

namespace xla {
namespace {

std::vector<Literal> Run(const HloModule& module) {
  const HloModuleConfig& config = module.config();
  ReplicatedOptions options;
  options.num_replicas = config.replica_count();
  options.num_partitions = config.num_partitions();
  const int64_t devices = config.replica_count() * config.num_partitions();
  std::vector<Literal> values;
  for (int64_t device = 0; device < devices; ++device) {
    for (const HloInstruction* parameter :
         module.entry_computation()->parameter_instructions()) {
      std::vector<float> numbers(ShapeUtil::ElementsIn(parameter->shape()));
      for (size_t i = 0; i < numbers.size(); ++i) {
        numbers[i] = static_cast<float>((i * i + 5 * device) % 7) - 3;
      }
      absl::StatusOr<Literal> value =
          LiteralUtil::CreateR1<float>(numbers)
              .Reshape(parameter->shape().dimensions())
              ->Convert(parameter->shape().element_type());
      if (!value.ok()) ADD_FAILURE() << value.status();
      if (!value.ok()) return {};
      values.push_back(*std::move(value));
    }
  }
  std::vector<std::vector<const Literal*>> arguments(devices);
  for (size_t i = 0; i < values.size(); ++i) {
    arguments[i * devices / values.size()].push_back(&values[i]);
  }
  absl::StatusOr<std::vector<Literal>> results =
      EvaluateReplicated(module, arguments, options);
  EXPECT_TRUE(results.ok()) << results.status();
  return results.ok() ? *std::move(results) : std::vector<Literal>();
}

// Returns the text after the pass, which must keep every value.
std::string Windowed(absl::string_view header, absl::string_view body) {
  const std::string text =
      absl::StrCat("HloModule m, ", header, "\nENTRY e {\n", body, "\n}");
  auto module = ParseAndReturnUnverifiedModule(text);
  if (!module.ok()) ADD_FAILURE() << module.status();
  if (!module.ok()) return "";
  const std::vector<Literal> before = Run(**module);
  const auto changed = WindowedEinsum(/*min_bytes=*/0).Run(module->get());
  EXPECT_TRUE(changed.ok()) << changed.status();
  EXPECT_TRUE(HloVerifier().Verify(**module).ok());
  const std::vector<Literal> after = Run(**module);
  EXPECT_EQ(before.size(), after.size());
  for (size_t d = 0; d < before.size(); ++d) EXPECT_EQ(before[d], after[d]);
  return (*module)->ToString();
}

constexpr absl::string_view kTwoGroups =
    "channel_id=7, replica_groups={{3,0},{1,2}}, use_global_device_ids=true";

TEST(WindowedEinsumTest, RowsOfTheResult) {
  const std::string text = Windowed(
      "num_partitions=4",
      absl::StrCat("x = f32[2,3] parameter(0)\ny = f32[3,5] parameter(1)\n"
                   "g = f32[4,3] all-gather(x), dimensions={0}, ",
                   kTwoGroups,
                   "\nROOT d = f32[4,5] dot(g, y), lhs_contracting_dims={1}, "
                   "rhs_contracting_dims={0}"));
  EXPECT_EQ(text.find("all-gather"), std::string::npos);
  EXPECT_NE(text.find("replica_groups={{1,2},{3,0}}"), std::string::npos);
  EXPECT_NE(text.find("replica_groups={{2,1},{0,3}}"), std::string::npos);
}

TEST(WindowedEinsumTest, TermsOfTheSum) {
  const std::string text = Windowed(
      "num_partitions=4",
      absl::StrCat("x = bf16[5,4] parameter(0)\ny = bf16[2,3] parameter(1)\n"
                   "g = bf16[4,3] all-gather(y), dimensions={0}, ",
                   kTwoGroups,
                   "\nROOT d = bf16[5,3] dot(x, g), lhs_contracting_dims={1}, "
                   "rhs_contracting_dims={0}"));
  // bf16 is summed in f32.
  EXPECT_NE(text.find("f32[5,3]{1,0} add("), std::string::npos);
}

TEST(WindowedEinsumTest, BatchesOfBothOperands) {
  const std::string text = Windowed(
      "replica_count=3",
      "x = s32[2,3,4] parameter(0)\ny = s32[6,4,2] parameter(1)\n"
      "g = s32[6,3,4] all-gather(x), dimensions={0}, replica_groups={}\n"
      "ROOT d = s32[6,3,2] dot(g, y), lhs_batch_dims={0}, "
      "lhs_contracting_dims={2}, rhs_batch_dims={0}, rhs_contracting_dims={1}");
  EXPECT_EQ(text.find("all-gather"), std::string::npos);
}

TEST(WindowedEinsumTest, OperandsThatAreReadTwiceAreGathered) {
  const std::string text =
      Windowed("num_partitions=2",
               "x = f32[2,4] parameter(0)\n"
               "g = f32[4,4] all-gather(x), dimensions={0}, channel_id=1, "
               "replica_groups={{0,1}}, use_global_device_ids=true\n"
               "ROOT d = f32[4,4] dot(g, g), lhs_contracting_dims={1}, "
               "rhs_contracting_dims={0}");
  EXPECT_EQ(text.find("collective-broadcast"), std::string::npos);
}

}  // namespace
}  // namespace xla
