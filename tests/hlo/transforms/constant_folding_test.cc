// Constant folding of arrays that are too large for files.
#include "xla/hlo/transforms/simplify/constant_folding.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>

#include "xla/core/literal/literal_util.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/ir/hlo_module.h"
#include "xla/hlo/ops/movement/reshape.h"

namespace xla {
namespace {

// Makes a module that transposes a constant [rows, columns], or negates it.
std::unique_ptr<HloModule> MakeModule(HloOpcode opcode, int64_t rows,
                                      int64_t columns) {
  auto module = std::make_unique<HloModule>("m", HloModuleConfig());
  HloComputation* entry =
      module->AddEntryComputation(std::make_unique<HloComputation>("e"));
  Literal literal(ShapeUtil::MakeShape(U8, {rows, columns}));
  for (int64_t i = 0; i < rows * columns; ++i) {
    literal.data<uint8_t>()[i] = static_cast<uint8_t>(i % 251);
  }
  HloInstruction* constant =
      entry->AddInstruction(HloInstruction::CreateConstant(std::move(literal)));
  const bool transposes = opcode == HloOpcode::kTranspose;
  entry->set_root_instruction(entry->AddInstruction(HloInstruction::Create(
      opcode,
      transposes ? ShapeUtil::MakeShape(U8, {columns, rows})
                 : constant->shape(),
      {constant}, transposes ? Attrs(TransposeAttrs{{1, 0}}) : Attrs())));
  return module;
}

TEST(ConstantFoldingTest, TransposesTheKernelsOfNetworks) {
  // As large as f32[3,3,512,512].
  auto module = MakeModule(HloOpcode::kTranspose, 4608, 512);
  auto changed = ConstantFolding().Run(module.get());
  ASSERT_TRUE(changed.ok()) << changed.status();
  const HloInstruction* root = module->entry_computation()->root_instruction();
  ASSERT_TRUE(*changed && root->IsConstant());
  EXPECT_EQ(root->literal().Get<uint8_t>({511, 4607}), (4608 * 512 - 1) % 251);
  EXPECT_EQ(root->literal().Get<uint8_t>({1, 2}), (2 * 512 + 1) % 251);
}

TEST(ConstantFoldingTest, LeavesWorkThatTakesLong) {
  for (HloOpcode opcode : {HloOpcode::kTranspose, HloOpcode::kNot}) {
    const int64_t rows = opcode == HloOpcode::kTranspose ? 20000 : 4608;
    auto module = MakeModule(opcode, rows, 512);
    auto changed = ConstantFolding().Run(module.get());
    ASSERT_TRUE(changed.ok()) << changed.status();
    EXPECT_FALSE(*changed);
  }
}

}  // namespace
}  // namespace xla
