// What fusion is told of costs.
#include <memory>

#include "absl/strings/str_replace.h"
#include "gtest/gtest.h"
#include "xla/backends/cpu/fusion/cpu_fusion_backend.h"
#include "xla/hlo/ir/hlo_computation.h"
#include "xla/hlo/ir/hlo_module.h"
#include "xla/hlo/ops/op_def.h"
#include "xla/hlo/parser/hlo_parser.h"

namespace xla::cpu {
namespace {

double ElementNanoseconds(const FusionBackend& fusion, absl::string_view op) {
  const auto module =
      ParseAndReturnUnverifiedModule(absl::StrReplaceAll(R"(
HloModule m
ENTRY e {
  x = f32[1000] parameter(0)
  ROOT r = f32[1000] $op(x)
})",
                                                         {{"$op", op}}));
  EXPECT_TRUE(module.ok()) << module.status();
  return fusion.ElementNanoseconds(
      *(*module)->entry_computation()->root_instruction());
}

bool IsTranscendental(const OpDef& op) {
  return op.cost_class == CostClass::kTranscendental ||
         op.cost_class == CostClass::kLongTranscendental;
}

TEST(FusionCostsTest, FunctionsCostMoreThanAnAdditionOnEachTable) {
  for (const char* table : {"default", "znver4"}) {
    TargetInfo target;
    target.cost_table = table;
    const CpuFusionBackend fusion(target);
    const double negate = ElementNanoseconds(fusion, "negate");
    EXPECT_GT(negate, 0);
    for (const OpDef* op : OpTable()) {
      if (op->operands.size() != 1 || !IsTranscendental(*op)) continue;
      EXPECT_GE(ElementNanoseconds(fusion, HloOpcodeString(op->opcode)),
                5 * negate)
          << table << op->name;
    }
    EXPECT_EQ(ElementNanoseconds(fusion, "copy"), 0);
  }
}

TEST(FusionCostsTest, RatesAreOfTheTargetsCachesAndTable) {
  TargetInfo target;
  target.cost_table = "default";
  target.l2_bytes = 4 << 20;
  const CpuFusionBackend fusion(target);
  EXPECT_EQ(fusion.rates().cache_bytes, 1 << 20);
  EXPECT_GT(fusion.rates().read_ns_per_byte, fusion.rates().cached_ns_per_byte);
  EXPECT_GE(fusion.rates().write_ns_per_byte, fusion.rates().read_ns_per_byte);
  EXPECT_GT(fusion.rates().moving_ns, fusion.rates().repeated_ns);
}

}  // namespace
}  // namespace xla::cpu
