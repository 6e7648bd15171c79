// Reduction with a predicate, and bisection of a pipeline with a wrong pass.
#include <memory>
#include <optional>
#include <utility>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "xla/hlo/parser/hlo_parser.h"
#include "xla/hlo/transforms/simplify/dce.h"
#include "xla/tools/arrays.h"
#include "xla/tools/debugging/first_difference.h"
#include "xla/tools/debugging/pass_bisection.h"
#include "xla/tools/reduction/reducer.h"

namespace xla::tools {
namespace {

constexpr int kMostLevels = 100;

constexpr absl::string_view kProgram = R"(HloModule m
ENTRY e {
  x = f32[16,24] parameter(0)
  y = f32[16,24] sine(x)
  v = f32[] constant(1.5)
  p = f32[20,26] pad(y, v), padding=2_2x1_1
  q = f32[20,26] exponential(p)
  r = f32[20,26] reverse(p), dimensions={0}
  ROOT z = f32[20,26] add(q, r)
})";

std::unique_ptr<HloModule> Parse() {
  return ParseAndReturnUnverifiedModule(kProgram).value();
}

bool ReversesPad(const ReducibleProgram& program) {
  for (const HloComputation* computation : program.module->computations()) {
    for (const HloInstruction* hlo : computation->instructions()) {
      if (hlo->opcode() == HloOpcode::kReverse &&
          hlo->operand(0)->opcode() == HloOpcode::kPad) {
        return true;
      }
    }
  }
  return false;
}

TEST(ReduceTest, KeepsWhatFails) {
  const absl::StatusOr<Reduction> small = Reduce({Parse(), {}}, ReversesPad);
  ASSERT_TRUE(small.ok()) << small.status();
  EXPECT_TRUE(small->complete);
  EXPECT_TRUE(ReversesPad(small->program));
  EXPECT_EQ(small->program.module->instruction_count(), 4);
}

TEST(ReduceTest, RefusesProgramWithoutFailure) {
  const absl::StatusOr<Reduction> small =
      Reduce({Parse(), {}}, [](const ReducibleProgram&) { return false; });
  EXPECT_EQ(small.status().code(), absl::StatusCode::kFailedPrecondition);
}

// Replaces the reverse by its operand.
class WrongReverse : public HloPassInterface {
 public:
  absl::string_view name() const override { return "wrong-reverse"; }
  absl::StatusOr<bool> RunImpl(HloModule* module) override {
    for (HloInstruction* hlo : module->entry_computation()->instructions()) {
      if (hlo->opcode() != HloOpcode::kReverse) continue;
      const absl::Status status =
          hlo->ReplaceAllUsesWith(hlo->mutable_operand(0));
      if (!status.ok()) return status;
      return true;
    }
    return false;
  }
};

TEST(BisectTest, FindsWrongPassAndInstruction) {
  const std::unique_ptr<HloModule> program = Parse();
  const std::vector<Literal> arguments = std::move(
      RandomArguments(
          {program->entry_computation()->parameter_instruction(0)->shape()}, 1,
          0)
          .value()[0]);
  const PipelineMaker make =
      [](const HloModule&) -> absl::StatusOr<std::unique_ptr<HloPassPipeline>> {
    auto pipeline = std::make_unique<HloPassPipeline>("test");
    pipeline->AddPass<HloDCE>();
    pipeline->AddPass<WrongReverse>();
    pipeline->AddPass<HloDCE>();
    return pipeline;
  };
  const auto wrong = BisectPasses(*program, arguments, make, {});
  ASSERT_TRUE(wrong.ok()) << wrong.status();
  ASSERT_TRUE(wrong->has_value());
  EXPECT_EQ((*wrong)->name, "wrong-reverse");
  EXPECT_EQ((*wrong)->outcome.kind, Outcome::Kind::kDiffer);
  const std::unique_ptr<HloModule> after = (*wrong)->before->Clone("");
  ASSERT_TRUE(WrongReverse().Run(after.get()).ok());
  const absl::StatusOr<FirstDifference> first = FindFirstDifference(
      *(*wrong)->before, *after, arguments, {}, kMostLevels);
  ASSERT_TRUE(first.ok()) << first.status();
  EXPECT_EQ(first->after->name(), "z");
}

}  // namespace
}  // namespace xla::tools
