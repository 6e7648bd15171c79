// Texts of one instruction whose operands have no names, and line ends.
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/compat/ir/module_fixtures.h"
#include "xla/hlo/ir/hlo_computation.h"
#include "xla/hlo/ir/hlo_module.h"
#include "xla/hlo/parser/hlo_parser.h"

namespace xla {
namespace {

TEST(SingleInstructionTest, OperandsNeedNoNames) {
  auto module = ParseAndReturnUnverifiedModule(
      "%multiply = f32[100,10]{1,0} multiply(f32[100,10]{1,0}, "
      "f32[100,10]{1,0})");
  ASSERT_TRUE(module.ok()) << module.status();
  const HloInstruction* root =
      (*module)->entry_computation()->root_instruction();
  EXPECT_EQ(root->name(), "multiply");
  ASSERT_EQ((*module)->entry_computation()->num_parameters(), 2);
  EXPECT_EQ(root->operand(0)->parameter_number(), 0);
  EXPECT_EQ(root->operand(1)->parameter_number(), 1);
  EXPECT_EQ(root->operand(0)->name(), "_0");
  EXPECT_EQ(root->operand(1)->name(), "_1");
}

TEST(SingleInstructionTest, NamesAndNoNamesMix) {
  auto module = ParseAndReturnUnverifiedModule(
      "f32[3] select(pred[3], f32[3] x, f32[3] negate(f32[3] x))");
  ASSERT_TRUE(module.ok()) << module.status();
  const HloComputation* entry = (*module)->entry_computation();
  EXPECT_EQ(entry->num_parameters(), 2);
  EXPECT_EQ(entry->root_instruction()->operand(2)->operand(0),
            entry->root_instruction()->operand(1));
}

TEST(SingleInstructionTest, ComputationsInsideNeedNames) {
  const auto module = ParseAndReturnUnverifiedModule(
      "f32[3] call(f32[3]), to_apply={ p = f32[3] parameter(0)\n"
      "ROOT n = f32[3] negate(f32[3]) }");
  EXPECT_FALSE(module.ok());
}

TEST(SingleInstructionTest, CommentsEndAtAnyLineEnd) {
  auto module = ParseAndReturnUnverifiedModule(
      "HloModule m // a module\rENTRY e { // the entry\r\n"
      "  ROOT p = f32[] parameter(0) // it\n}");
  ASSERT_TRUE(module.ok()) << module.status();
  EXPECT_EQ((*module)->entry_computation()->name(), "e");
}

}  // namespace
}  // namespace xla
