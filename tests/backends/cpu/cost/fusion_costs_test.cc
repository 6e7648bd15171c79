// What fusion is told of costs.
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
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

// Returns the time of one op with the operands %p0, %p1, ... of these shapes.
double ElementNanoseconds(const FusionBackend& fusion,
                          const std::vector<std::string>& parameters,
                          const std::string& op) {
  std::string text = "HloModule m\nENTRY e {\n";
  for (size_t i = 0; i < parameters.size(); ++i) {
    absl::StrAppend(&text, "  p", i, " = ", parameters[i], " parameter(", i,
                    ")\n");
  }
  const auto module = ParseAndReturnUnverifiedModule(
      absl::StrCat(text, "  ROOT r = ", op, "}"));
  EXPECT_TRUE(module.ok()) << module.status();
  return fusion.ElementNanoseconds(
      *(*module)->entry_computation()->root_instruction());
}

TEST(FusionCostsTest, FindingAnElementGoesByWhereItLies) {
  for (const char* table : {"default", "znver4"}) {
    SCOPED_TRACE(table);
    TargetInfo target;
    target.cost_table = table;
    const CpuFusionBackend fusion(target);
    const auto moving = [&](const std::string& op) {
      return ElementNanoseconds(fusion, {"f32[64,64]"}, op);
    };
    // The indices are those of the result, or dimensions of them.
    EXPECT_EQ(moving("f32[64,64,8] broadcast(p0), dimensions={0,1}"), 0);
    EXPECT_EQ(moving("f32[32,128] reshape(p0)"), 0);
    // Rows are somewhere else.
    const double rows = moving("f32[32,64] slice(p0), slice={[32:64],[0:64]}");
    EXPECT_GT(rows, 0);
    EXPECT_EQ(moving("f32[64,64] reverse(p0), dimensions={0}"), rows);
    EXPECT_EQ(
        ElementNanoseconds(fusion, {"f32[2,3,64]"},
                           "f32[3,2,64] transpose(p0), dimensions={1,0,2}"),
        rows);
    // Elements are the other way round, or apart from each other.
    const double reversed = moving("f32[64,64] reverse(p0), dimensions={1}");
    EXPECT_GT(reversed, rows);
    const double transposed =
        moving("f32[64,64] transpose(p0), dimensions={1,0}");
    EXPECT_EQ(transposed, fusion.rates().strided_ns);
    EXPECT_GT(transposed, reversed);
    EXPECT_EQ(moving("f32[64,32] slice(p0), slice={[0:64],[0:64:2]}"), rows);
    // Operands are tested one after the other.
    const double two =
        ElementNanoseconds(fusion, {"f32[64,64]", "f32[64,64]"},
                           "f32[64,128] concatenate(p0, p1), dimensions={1}");
    EXPECT_GT(two, rows);
    EXPECT_EQ(ElementNanoseconds(fusion, {"f32[64,64]", "f32[]"},
                                 "f32[66,64] pad(p0, p1), padding=1_1x0_0"),
              two);
    EXPECT_EQ(ElementNanoseconds(fusion, {"f32[64,64]"},
                                 "f32[64,64] concatenate(p0), dimensions={1}"),
              0);
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
