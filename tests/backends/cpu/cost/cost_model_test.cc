// The cost model: units, monotony, additivity, tables.
#include "xla/backends/cpu/cost/cost_model.h"

#include <memory>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/substitute.h"
#include "gtest/gtest.h"
#include "xla/hlo/ir/hlo_computation.h"
#include "xla/hlo/ir/hlo_module.h"
#include "xla/hlo/ops/hlo_opcode.h"
#include "xla/hlo/ops/op_def.h"
#include "xla/hlo/parser/hlo_parser.h"

namespace xla::cpu {
namespace {

// A processor that no table names, with vectors of 256 bits.
TargetInfo AnyTarget() {
  TargetInfo target;
  target.cpu = target.cost_table = "made-up";
  target.vector_bytes = 32;
  return target;
}

std::unique_ptr<HloModule> Parse(absl::string_view text) {
  auto module = ParseAndReturnUnverifiedModule(text);
  EXPECT_TRUE(module.ok()) << module.status() << text;
  return *std::move(module);
}

std::unique_ptr<HloModule> Program(absl::string_view lines,
                                   absl::string_view computations = "") {
  return Parse(absl::StrCat("HloModule m\n", computations, "\nENTRY e {\n",
                            lines, "\n}\n"));
}

CpuCost CodeCost(const HloModule& module,
                 const TargetInfo& target = AnyTarget()) {
  return CpuCostModel(target).CodeCost(
      *module.entry_computation()->root_instruction());
}

CpuCost LibraryCost(const HloModule& module) {
  const auto cost =
      CpuCostModel(AnyTarget())
          .LibraryCost(*module.entry_computation()->root_instruction());
  EXPECT_TRUE(cost.has_value());
  return cost.value_or(CpuCost());
}

std::string Unary(absl::string_view type, int64_t size, absl::string_view op) {
  return absl::Substitute("  x = $0[$1] parameter(0)\n  ROOT r = $0[$1] $2(x)",
                          type, size, op);
}

TEST(MachineCostsTest, ProcessorsWithoutATableHaveTheDefault) {
  const MachineCosts& any = MachineCostsFor("made-up");
  EXPECT_TRUE(any.cpus.empty());
  EXPECT_EQ(&MachineCostsFor("default"), &any);
  EXPECT_EQ(&MachineCostsFor(""), &any);
  EXPECT_NE(&MachineCostsFor("znver4"), &any);
  EXPECT_EQ(&AllMachineCosts().back(), &any);
}

// A misspelt op would have the rate of its class, unnoticed.
TEST(MachineCostsTest, TablesAreComplete) {
  for (const MachineCosts& table : AllMachineCosts()) {
    SCOPED_TRACE(table.cpus);
    for (const MachineCosts::OpRate& rate : table.ops) {
      if (rate.op.empty()) continue;
      EXPECT_TRUE(StringToHloOpcode(rate.op).ok()) << rate.op;
      EXPECT_GT(rate.f32_ns, 0) << rate.op;
      EXPECT_GT(rate.f64_ns, 0) << rate.op;
    }
    for (const auto* rates :
         {&table.arithmetic, &table.division, &table.square_root,
          &table.remainder, &table.transcendental, &table.long_transcendental,
          &table.product_ns}) {
      for (const double ns : *rates) EXPECT_GT(ns, 0);
    }
    for (const auto* rates : {&table.read_ns_per_byte, &table.write_ns_per_byte,
                              &table.transposed_ns_per_byte, &table.gathered_ns,
                              &table.sort_ns_per_byte}) {
      for (const double ns : *rates) EXPECT_GT(ns, 0);
    }
    for (const double ns :
         {table.run_ns, table.small_product_ns, table.library_call_ns,
          table.butterfly_ns, table.scan_ns_per_register, table.strided_ns,
          table.scattered_ns, table.patch_ns}) {
      EXPECT_GT(ns, 0);
    }
    EXPECT_GE(table.dependent_factor, 1);
    EXPECT_LT(table.l1_bytes, table.l2_bytes);
    EXPECT_LE(table.l2_bytes, table.l3_bytes);
  }
}

TEST(CpuCostModelTest, BytesAreThoseOfOperandsAndResults) {
  EXPECT_EQ(CodeCost(*Program(Unary("f32", 1000, "negate"))).bytes, 8000);
  EXPECT_EQ(CodeCost(*Program(Unary("s8", 1000, "negate"))).bytes, 2000);
  EXPECT_EQ(CodeCost(*Program(Unary("c128", 1000, "negate"))).bytes, 32000);
  EXPECT_EQ(CodeCost(*Program(R"(
  x = f32[100,30] parameter(0)
  b = f32[30] parameter(1)
  ROOT r = f32[100,30] broadcast(b), dimensions={1})"))
                .bytes,
            4 * (3000 + 30));
}

// A loop that is long enough takes its elements' time and no more: 1 GB in
// memory takes as many nanoseconds as a byte takes billionths.
TEST(CpuCostModelTest, MemoryIsInNanosecondsOfBytes) {
  const MachineCosts& machine = MachineCostsFor("default");
  const CpuCostModel model(AnyTarget());
  const double total = 1e9;
  EXPECT_NEAR(model.ReadNanoseconds(1e9, total),
              1e9 * machine.read_ns_per_byte[3], 1);
  EXPECT_NEAR(model.ReadNanoseconds(1000, 1000),
              1000 * machine.read_ns_per_byte[0], 1e-6);
}

TEST(CpuCostModelTest, MoreElementsNeverTakeLess) {
  for (const char* type : {"f32", "f64", "bf16", "s8", "c64"}) {
    for (const char* op : {"negate", "exponential", "copy"}) {
      if (std::string(type) == "s8" && std::string(op) == "exponential") {
        continue;
      }
      double last = 0, last_bytes = 0;
      for (int64_t size = 1; size < (int64_t{1} << 32); size *= 3) {
        const CpuCost cost = CodeCost(*Program(Unary(type, size, op)));
        EXPECT_GE(cost.nanoseconds, last) << type << " " << op << " " << size;
        EXPECT_GT(cost.bytes, last_bytes);
        last = cost.nanoseconds;
        last_bytes = cost.bytes;
      }
    }
  }
}

TEST(CpuCostModelTest, AFusionTakesWhatItsOpsTake) {
  const CpuCost a = CodeCost(*Program(Unary("f32", 5000, "exponential")));
  const CpuCost b = CodeCost(*Program(Unary("f32", 5000, "sqrt")));
  const auto fusion = Program(R"(
  x = f32[5000] parameter(0)
  ROOT r = f32[5000] fusion(x), kind=kLoop, calls=f)",
                              R"(
f {
  x = f32[5000] parameter(0)
  e = f32[5000] exponential(x)
  ROOT r = f32[5000] sqrt(e)
})");
  const CpuCost both = CodeCost(*fusion);
  EXPECT_NEAR(both.compute_ns, a.compute_ns + b.compute_ns, 1e-6);
  // What lies between the ops is not in memory.
  EXPECT_EQ(both.bytes, a.bytes);
  EXPECT_LT(both.nanoseconds, a.nanoseconds + b.nanoseconds);
}

TEST(CpuCostModelTest, AValueIsComputedAsOftenAsItIsRead) {
  const auto cost = [](absl::string_view size) {
    return CodeCost(*Parse(absl::StrReplaceAll(R"(
HloModule m
f {
  x = f32[$n] parameter(0)
  e = f32[$n] exponential(x)
  ROOT r = f32[1000,$n] broadcast(e), dimensions={1}
}
ENTRY e {
  x = f32[$n] parameter(0)
  ROOT r = f32[1000,$n] fusion(x), kind=kLoop, calls=f
})",
                                               {{"$n", size}})))
        .compute_ns;
  };
  const CpuCostModel model(AnyTarget());
  const auto exponential = Program(Unary("f32", 8, "exponential"));
  const double element = model.ElementNanoseconds(
      *exponential->entry_computation()->root_instruction());
  EXPECT_NEAR(cost("64"), 64000 * element, 1e-3);
}

TEST(CpuCostModelTest, NarrowVectorsTakeLonger) {
  TargetInfo narrow = AnyTarget();
  narrow.vector_bytes = 16;
  const auto program = Program(Unary("f32", 1000, "exponential"));
  EXPECT_GT(CodeCost(*program, narrow).compute_ns,
            CodeCost(*program).compute_ns);
}

TEST(CpuCostModelTest, FunctionsCostMoreThanAnAddition) {
  const double negate =
      CodeCost(*Program(Unary("f32", 1000, "negate"))).compute_ns;
  for (const OpDef* op : OpTable()) {
    const bool is_transcendental =
        op->cost_class == CostClass::kTranscendental ||
        op->cost_class == CostClass::kLongTranscendental;
    if (op->operands.size() != 1 || !is_transcendental) continue;
    EXPECT_GE(
        CodeCost(*Program(Unary("f32", 1000, HloOpcodeString(op->opcode))))
            .compute_ns,
        5 * negate)
        << op->name;
  }
}

// The same arrays take longer where caches are smaller.
TEST(CpuCostModelTest, CachesOfTheTargetCount) {
  TargetInfo large = AnyTarget();
  large.l1_bytes = 48 << 10;
  large.l2_bytes = 64 << 20;
  large.l3_bytes = int64_t{1} << 30;
  TargetInfo small = AnyTarget();
  small.l1_bytes = 16 << 10;
  small.l2_bytes = 128 << 10;
  small.l3_bytes = 1 << 20;
  const auto program = Program(Unary("f32", 1 << 20, "copy"));
  EXPECT_LT(CodeCost(*program, large).nanoseconds,
            CodeCost(*program, small).nanoseconds);
  // A target that does not say has those of the table.
  TargetInfo table = AnyTarget();
  const MachineCosts& machine = MachineCostsFor("default");
  table.l1_bytes = machine.l1_bytes;
  table.l2_bytes = machine.l2_bytes;
  table.l3_bytes = machine.l3_bytes;
  EXPECT_EQ(CodeCost(*program, table).nanoseconds,
            CodeCost(*program).nanoseconds);
}

TEST(CpuCostModelTest, UpdatesInPlaceTouchWhatTheyChange) {
  const auto program = Program(R"(
  x = f32[100000] parameter(0)
  u = f32[10] parameter(1)
  i = s32[] parameter(2)
  ROOT r = f32[100000] dynamic-update-slice(x, u, i))");
  EXPECT_LT(CodeCost(*program).bytes, 200);
}

// Returns the cost of an op on %x, an array of f32.
CpuCost Moving(absl::string_view shape, absl::string_view op) {
  return CodeCost(*Program(absl::Substitute(
      "  x = f32[$0] parameter(0)\n  ROOT r = f32$1", shape, op)));
}

TEST(CpuCostModelTest, MovingElementsTakesTheTimeOfTheirOrder) {
  const double copied = Moving("64,8,64", "[64,8,64] copy(x)").nanoseconds;
  // Whole rows go somewhere else.
  EXPECT_EQ(Moving("64,8,64", "[8,64,64] transpose(x), dimensions={1,0,2}")
                .nanoseconds,
            copied);
  EXPECT_EQ(
      Moving("64,8,64", "[64,8,64] reverse(x), dimensions={1}").nanoseconds,
      copied);
  EXPECT_EQ(Moving("64,8,64", "[512,64] reshape(x)").nanoseconds, copied);
  // Neighbors come from different rows.
  EXPECT_GT(Moving("64,8,64", "[64,64,8] transpose(x), dimensions={0,2,1}")
                .nanoseconds,
            copied);
  EXPECT_GT(Moving("8,64,64", "[64,64,8] broadcast(x), dimensions={2,0,1}")
                .nanoseconds,
            copied);
  // A column takes longer than as many elements of a row.
  EXPECT_GT(
      Moving("512,512", "[512,1] slice(x), slice={[0:512],[9:10]}").nanoseconds,
      2 * Moving("512,512", "[1,512] slice(x), slice={[9:10],[0:512]}")
              .nanoseconds);
}

TEST(CpuCostModelTest, OnlyWhatIsMovedIsRead) {
  EXPECT_EQ(Moving("1000", "[100] slice(x), slice={[200:300]}").bytes, 800);
  const CpuCost padded = CodeCost(*Program(R"(
  x = f32[1000] parameter(0)
  z = f32[] parameter(1)
  ROOT r = f32[1000] pad(x, z), padding=-900_900)"));
  EXPECT_EQ(padded.bytes, 4 * (1000 + 100 + 1));
  const CpuCost joined = CodeCost(*Program(R"(
  x = f32[1000] parameter(0)
  y = f32[500] parameter(1)
  ROOT r = f32[1500] concatenate(x, y), dimensions={0})"));
  EXPECT_EQ(joined.bytes, 2 * 4 * 1500);
}

TEST(CpuCostModelTest, GathersTakeTimeForEachRow) {
  const auto gather = [](absl::string_view slice) {
    return CodeCost(*Program(absl::Substitute(R"(
  x = f32[1000,4,16] parameter(0)
  i = s32[500,1] parameter(1)
  ROOT r = f32[500,$0] gather(x, i), offset_dims={1,2},
    collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1,
    slice_sizes={1,$0})",
                                              slice)))
        .memory_ns;
  };
  // Three quarters of the elements, but four short rows for each index in place
  // of one long row.
  EXPECT_GT(gather("4,12"), gather("4,16"));
}

std::string Dot(int64_t m, int64_t k, int64_t n) {
  return absl::Substitute(R"(
  x = f32[$0,$1] parameter(0)
  y = f32[$1,$2] parameter(1)
  ROOT r = f32[$0,$2] dot(x, y), lhs_contracting_dims={1},
    rhs_contracting_dims={0})",
                          m, k, n);
}

TEST(CpuCostModelTest, DotsGrowWithTheirProducts) {
  const CpuCost one = LibraryCost(*Program(Dot(256, 256, 256)));
  const CpuCost two = LibraryCost(*Program(Dot(256, 512, 256)));
  EXPECT_NEAR(two.compute_ns, 2 * one.compute_ns, 1);
  EXPECT_EQ(one.bytes, 3 * 256 * 256 * 4);
  // A vector's product is read faster than it is computed.
  const CpuCost vector = LibraryCost(*Program(Dot(1, 4096, 4096)));
  EXPECT_GE(vector.nanoseconds, vector.memory_ns);
}

TEST(CpuCostModelTest, LongerTransformsAndSortsTakeLonger) {
  double last_fft = 0, last_sort = 0;
  for (int64_t size = 2; size <= (1 << 24); size *= 4) {
    const double fft = LibraryCost(*Program(absl::Substitute(R"(
  x = c64[$0] parameter(0)
  ROOT r = c64[$0] fft(x), fft_type=FFT, fft_length={$0})",
                                                             size)))
                           .nanoseconds;
    const double sort = LibraryCost(*Program(absl::Substitute(R"(
  x = f32[$0] parameter(0)
  ROOT r = f32[$0] sort(x), dimensions={0}, to_apply=less)",
                                                              size),
                                             R"(
less {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT r = pred[] compare(a, b), direction=LT
})"))
                            .nanoseconds;
    EXPECT_GT(fft, last_fft);
    EXPECT_GT(sort, last_sort);
    last_fft = fft;
    last_sort = sort;
  }
}

TEST(CpuCostModelTest, WhatTheLibraryDoesNotDoHasNoLibraryCost) {
  const auto program = Program(Unary("f32", 8, "negate"));
  EXPECT_FALSE(
      CpuCostModel(AnyTarget())
          .LibraryCost(*program->entry_computation()->root_instruction())
          .has_value());
}

// Names of memory take no time.
TEST(CpuCostModelTest, BitcastsAreFree) {
  EXPECT_EQ(CodeCost(*Program(Unary("f32", 1000, "bitcast"))).nanoseconds, 0);
}

}  // namespace
}  // namespace xla::cpu
