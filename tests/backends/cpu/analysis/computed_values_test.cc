// Kernels that are computed row by row, and over an operand, where the analyses
// allow it: their values against the evaluator's.
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "gtest/gtest.h"
#include "xla/backends/cpu/analysis/cpu_alias_info.h"
#include "xla/backends/cpu/cpu_compiler.h"
#include "xla/backends/cpu/fusion/cpu_fusion_backend.h"
#include "xla/backends/evaluator/evaluator_compiler.h"
#include "xla/base/status_macros.h"
#include "xla/core/literal/comparison/literal_comparison.h"
#include "xla/core/literal/literal_util.h"
#include "xla/hlo/analysis/buffer_assignment.h"
#include "xla/hlo/ir/hlo_computation.h"
#include "xla/hlo/ir/hlo_module.h"
#include "xla/hlo/ops/control_flow.h"
#include "xla/hlo/parser/hlo_parser.h"

namespace xla::cpu {
namespace {

// Multiples of 1/8 from -2 to 2, of a period that is no size; integers below 3.
Literal Argument(const Shape& shape, int64_t number) {
  Literal literal(shape);
  int64_t i = 11 * number;
  if (shape.element_type() == S32) {
    EXPECT_TRUE(literal
                    .Populate<int32_t>([&](absl::Span<const int64_t>) {
                      return static_cast<int32_t>(++i % 3);
                    })
                    .ok());
  } else {
    EXPECT_TRUE(literal
                    .Populate<float>([&](absl::Span<const int64_t>) {
                      return static_cast<float>(i++ * 7 % 33 - 16) / 8;
                    })
                    .ok());
  }
  return literal;
}

class ComputedValuesTest : public ::testing::Test {
 protected:
  // Runs the entry computation, which has reducers %add and %max, on the CPU
  // and the evaluator; returns the module that the CPU runs.
  const HloModule& Check(const std::string& entry) {
    const std::string text = absl::StrCat(R"(
HloModule m
add { a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT s = f32[] add(a, b) }
max { a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT s = f32[] maximum(a, b) }
ENTRY e {
  zero = f32[] constant(0)
)",
                                          entry, "\n}");
    auto actual = Run(CpuCompiler(), text);
    auto expected = Run(EvaluatorCompiler(), text);
    EXPECT_TRUE(actual.ok()) << actual.status();
    EXPECT_TRUE(expected.ok()) << expected.status();
    if (actual.ok() && expected.ok()) {
      const absl::Status near = literal_comparison::Near(
          expected->second, actual->second, ErrorSpec(1e-5, 1e-5));
      EXPECT_TRUE(near.ok()) << near << actual->first->module().ToString();
    }
    executable_ = std::move(actual->first);
    return executable_->module();
  }

  // The same, for a program of which one fusion by rows computes all but
  // bitcasts.
  void CheckRows(const std::string& entry) {
    SCOPED_TRACE(entry);
    const HloModule& module = Check(entry);
    int fusions = 0;
    for (const auto& hlo : module.entry_computation()->instructions()) {
      if (hlo->opcode() == HloOpcode::kFusion) {
        ++fusions;
        EXPECT_EQ(hlo->attrs<FusionAttrs>().kind, FusionKind::kInput);
        continue;
      }
      EXPECT_TRUE(hlo->operand_count() == 0 ||
                  hlo->opcode() == HloOpcode::kBitcast)
          << hlo->ToString();
    }
    EXPECT_EQ(fusions, 1) << module.ToString();
  }

 private:
  using Ran = std::pair<std::unique_ptr<Executable>, Literal>;

  template <typename CompilerType>
  static absl::StatusOr<Ran> Run(CompilerType compiler,
                                 const std::string& text) {
    TF_ASSIGN_OR_RETURN(std::unique_ptr<HloModule> module,
                        ParseAndReturnUnverifiedModule(text));
    std::vector<Literal> arguments;
    for (const HloInstruction* parameter :
         module->entry_computation()->parameter_instructions()) {
      arguments.push_back(
          Argument(parameter->shape(), parameter->parameter_number()));
    }
    std::vector<std::vector<const Literal*>> pointers(1);
    for (const Literal& literal : arguments) pointers[0].push_back(&literal);
    TF_ASSIGN_OR_RETURN(std::unique_ptr<Executable> executable,
                        compiler.Compile(std::move(module)));
    TF_ASSIGN_OR_RETURN(std::vector<Literal> results,
                        executable->Execute(pointers, {}));
    return Ran{std::move(executable), std::move(results[0])};
  }

  std::unique_ptr<Executable> executable_;
};

// Each row minus its sum, as %d.
constexpr char kRows[] = R"(
  x = f32[37,77] parameter(0)
  s = f32[37] reduce(x, zero), dimensions={1}, to_apply=add
  b = f32[37,77] broadcast(s), dimensions={0}
  d = f32[37,77] subtract(x, b)
)";

TEST_F(ComputedValuesTest, RowsInOtherOrder) {
  CheckRows(
      absl::StrCat(kRows, "ROOT r = f32[37,77] reverse(d), dimensions={1}"));
  CheckRows(R"(
  x = f32[11,6,35] parameter(0)
  s = f32[11] reduce(x, zero), dimensions={1,2}, to_apply=add
  b = f32[11,6,35] broadcast(s), dimensions={0}
  d = f32[11,6,35] subtract(x, b)
  t = f32[11,35,6] transpose(d), dimensions={0,2,1}
  v = f32[11,6,35] reshape(t)
  ROOT r = f32[11,6,35] add(v, x))");
}

// A loop of tiles is quicker where a row does not stay in the first cache.
TEST_F(ComputedValuesTest, LongRowsAreTransposedInTiles) {
  for (const int size : {16, 1024}) {
    const std::string text = absl::StrReplaceAll(R"(
HloModule m
add { a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT s = f32[] add(a, b) }
ENTRY e {
  zero = f32[] constant(0)
  x = f32[16,K,K] parameter(0)
  s = f32[16] reduce(x, zero), dimensions={1,2}, to_apply=add
  b = f32[16,K,K] broadcast(s), dimensions={0}
  d = f32[16,K,K] subtract(x, b)
  ROOT t = f32[16,K,K] transpose(d), dimensions={0,2,1}
})",
                                                 {{"K", absl::StrCat(size)}});
    const auto module = ParseAndReturnUnverifiedModule(text);
    ASSERT_TRUE(module.ok()) << module.status();
    const HloComputation& entry = *(*module)->entry_computation();
    std::vector<const HloInstruction*> values;
    for (const HloInstruction* hlo : entry.MakeInstructionPostOrder()) {
      if (hlo->operand_count() > 0) values.push_back(hlo);
    }
    EXPECT_EQ(CpuFusionBackend(HostTarget())
                  .FindReductionKernel(values, {entry.root_instruction()})
                  .has_value(),
              size == 16);
  }
}

TEST_F(ComputedValuesTest, PartsOfRows) {
  CheckRows(absl::StrCat(kRows, R"(
  h = f32[37,38] slice(d), slice={[0:37],[0:38]}
  g = f32[37,39] slice(d), slice={[0:37],[38:77]}
  n = f32[37,39] negate(g)
  c = f32[37,77] concatenate(n, h), dimensions={1}
  ROOT r = f32[37,77] add(c, x))"));
  CheckRows(absl::StrCat(kRows, R"(
  h = f32[37,70] slice(d), slice={[0:37],[3:73]}
  ROOT r = f32[37,77] pad(h, zero), padding=0_0x5_2)"));
  CheckRows(absl::StrCat(kRows, R"(
  p = f32[37,1] slice(d), slice={[0:37],[3:4]}
  ROOT r = f32[37] reshape(p))"));
}

TEST_F(ComputedValuesTest, DynamicPartsOfRows) {
  CheckRows(absl::StrCat(kRows, R"(
  i = s32[] parameter(1)
  z = s32[] constant(0)
  h = f32[37,70] dynamic-slice(d, z, i), dynamic_slice_sizes={37,70}
  ROOT r = f32[37,77] pad(h, zero), padding=0_0x0_7)"));
}

TEST_F(ComputedValuesTest, ShortSumsInRows) {
  CheckRows(R"(
  x = f32[13,40,2] parameter(0)
  s = f32[13] reduce(x, zero), dimensions={1,2}, to_apply=add
  b = f32[13,40,2] broadcast(s), dimensions={0}
  d = f32[13,40,2] subtract(x, b)
  t = f32[13,40] reduce(d, zero), dimensions={2}, to_apply=add
  u = f32[13,40,2] broadcast(t), dimensions={0,1}
  ROOT r = f32[13,40,2] multiply(u, x))");
}

TEST_F(ComputedValuesTest, LevelsOfMovedRows) {
  CheckRows(absl::StrCat(kRows, R"(
  v = f32[37,77] reverse(d), dimensions={1}
  w = f32[37,77] multiply(v, x)
  m = f32[37] reduce(w, zero), dimensions={1}, to_apply=max
  mb = f32[37,77] broadcast(m), dimensions={0}
  ROOT r = f32[37,77] add(mb, w))"));
}

TEST_F(ComputedValuesTest, RowsByWayOfOtherDimensions) {
  CheckRows(R"(
  x = f32[12,35] parameter(0)
  s = f32[12] reduce(x, zero), dimensions={1}, to_apply=add
  v = f32[3,4] reshape(s)
  b = f32[3,4,35] broadcast(v), dimensions={0,1}
  w = f32[12,35] reshape(b)
  ROOT r = f32[12,35] subtract(x, w))");
}

TEST_F(ComputedValuesTest, AllElementsAreARow) {
  CheckRows(R"(
  x = f32[12,35] parameter(0)
  s = f32[] reduce(x, zero), dimensions={0,1}, to_apply=add
  b = f32[12,35] broadcast(s), dimensions={}
  d = f32[12,35] subtract(x, b)
  ROOT r = f32[12,35] reverse(d), dimensions={0})");
}

// A result in the memory of an operand of other dimensions.
TEST_F(ComputedValuesTest, OverAnOperandOfOtherDimensions) {
  const HloModule& module = Check(R"(
  x = f32[64,50] parameter(0)
  y = f32[50,80] parameter(1)
  w = f32[640,8] parameter(2)
  d = f32[64,80] dot(x, y), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  e = f32[64,80] tanh(d)
  v = f32[640,8] reshape(e)
  m = f32[640,8] multiply(v, w)
  k = f32[8,8] dot(m, w), lhs_contracting_dims={0}, rhs_contracting_dims={0}
  ROOT r = (f32[640,8], f32[8,8]) tuple(m, k))");
  const auto buffers = BufferAssignment::Run(module, CpuAliasInfo());
  ASSERT_TRUE(buffers.ok()) << buffers.status();
  int over_dots = 0;
  for (const auto& hlo : module.entry_computation()->instructions()) {
    if (hlo->opcode() != HloOpcode::kFusion) continue;
    EXPECT_EQ(hlo->shape().dimensions().size(), 2);
    for (const HloInstruction* operand : hlo->operands()) {
      if (operand->opcode() != HloOpcode::kDot) continue;
      EXPECT_NE(operand->shape().dimensions(), hlo->shape().dimensions());
      EXPECT_EQ((*buffers)->slice(operand, 0), (*buffers)->slice(hlo, 0));
      ++over_dots;
    }
  }
  EXPECT_EQ(over_dots, 1) << module.ToString();
}

}  // namespace
}  // namespace xla::cpu
