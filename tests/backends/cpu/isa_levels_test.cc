// Tests that the debug option xla_cpu_max_isa limits generated code and library
// kernels together, for one compilation.
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/backends/cpu/kernels/kernel_test_base.h"
#include "xla/backends/cpu/cpu_compiler.h"
#include "xla/backends/cpu/jit/target_info.h"
#include "xla/backends/cpu/kernels/products/dot.h"
#include "xla/backends/cpu/kernels/vector/vector_level.h"
#include "xla/backends/cpu/native_code.h"
#include "xla/core/literal/literal.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/parser/hlo_parser.h"
#include "xla/runtime/thread_pool.h"

namespace xla::cpu {
namespace {

using ::testing::HasSubstr;

constexpr int64_t kSize = 160;
constexpr char kProduct[] = R"(
HloModule product
ENTRY e {
  x = f32[160,160] parameter(0)
  y = f32[160,160] parameter(1)
  d = f32[160,160] dot(x, y), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  ROOT t = (f32[160,160], f32[160,160]) tuple(d, s)
  s = f32[160,160] multiply(x, x)
})";

// An empty `level` stands for that of the compiler's target.
absl::StatusOr<std::unique_ptr<Executable>> CompileAt(
    CpuCompiler& compiler, const std::string& level) {
  auto module = ParseAndReturnUnverifiedModule(kProduct).value();
  module->mutable_config().mutable_debug_options().set_xla_cpu_max_isa(level);
  return compiler.Compile(std::move(module));
}

Literal Numbers(uint32_t seed) {
  Literal literal(ShapeUtil::MakeShape(F32, {kSize, kSize}));
  for (float& x : literal.data<float>()) {
    seed = seed * 1664525 + 1013904223;
    x = static_cast<float>(seed >> 8) / (1 << 22) - 2;
  }
  return literal;
}

std::vector<float> ProductOf(const Executable& executable, const Literal& x,
                             const Literal& y) {
  const std::vector<std::vector<const Literal*>> arguments = {{&x, &y}};
  auto results = executable.Execute(arguments, {});
  EXPECT_TRUE(results.ok()) << results.status();
  const Literal product = std::move(results->at(0).DecomposeTuple()[0]);
  return {product.data<float>().begin(), product.data<float>().end()};
}

// The library's product at a level.
std::vector<float> ProductAt(VectorLevel level, const Literal& x,
                             const Literal& y) {
  const VectorLevelScope scope(level);
  const DotDesc desc = {F32, F32, F32, 1, kSize, kSize, kSize};
  const auto plan = DotPlan::Make(desc);
  EXPECT_TRUE(plan.ok()) << plan.status();
  const Memory scratch((*plan)->ScratchBytes(1));
  std::vector<float> out(kSize * kSize);
  InlineRunner runner;
  (*plan)->Run(x.untyped_data(), y.untyped_data(), out.data(), scratch.data(),
               runner);
  return out;
}

bool SameBits(const std::vector<float>& a, const std::vector<float>& b) {
  return a.size() == b.size() &&
         std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0;
}

std::string FingerprintOf(const Executable& executable) {
  const auto code = executable.SerializeCode();
  EXPECT_TRUE(code.ok()) << code.status();
  return UnpackNativeCode(*code).value().objects.fingerprint;
}

TEST(IsaLevelsTest, CodeAndKernelsTogether) {
  const Literal x = Numbers(1), y = Numbers(2);
  ThreadPool pool(3);
  CpuCompiler compiler({.runner = &pool, .pool = &pool});
  for (const CpuIsa isa : CpuIsasOfHost()) {
    const auto executable = CompileAt(compiler, std::string(CpuIsaName(isa)));
    ASSERT_TRUE(executable.ok()) << executable.status();
    EXPECT_EQ(FingerprintOf(**executable),
              TargetFingerprint(*LimitIsa(HostTarget(), isa)));
    EXPECT_TRUE(SameBits(ProductOf(**executable, x, y),
                         ProductAt(VectorLevelOf(isa), x, y)))
        << CpuIsaName(isa);
  }
  const auto unlimited = CompileAt(compiler, "");
  ASSERT_TRUE(unlimited.ok()) << unlimited.status();
  EXPECT_EQ(FingerprintOf(**unlimited), TargetFingerprint(HostTarget()));
  EXPECT_TRUE(SameBits(ProductOf(**unlimited, x, y),
                       ProductAt(ProcessorVectorLevel(), x, y)));
}

// Checks that the comparisons above mean something: with fused multiply-adds
// the product has other bits than without.
TEST(IsaLevelsTest, KernelsOfLevelsDiffer) {
  if (ProcessorVectorLevel() == VectorLevel::kBaseline) {
    GTEST_SKIP() << "the processor has one level of kernels";
  }
  const Literal x = Numbers(1), y = Numbers(2);
  EXPECT_FALSE(SameBits(ProductAt(VectorLevel::kBaseline, x, y),
                        ProductAt(VectorLevel::kAvx2, x, y)));
}

TEST(IsaLevelsTest, ScopesEndWithWhatWasBefore) {
  const VectorLevel most = ProcessorVectorLevel();
  EXPECT_EQ(CurrentVectorLevel(), most);
  {
    const VectorLevelScope outer(VectorLevel::kBaseline);
    EXPECT_EQ(CurrentVectorLevel(), VectorLevel::kBaseline);
    {
      const VectorLevelScope inner(VectorLevel::kNeonI8mm);
      EXPECT_EQ(CurrentVectorLevel(), most);
    }
    EXPECT_EQ(CurrentVectorLevel(), VectorLevel::kBaseline);
  }
  EXPECT_EQ(CurrentVectorLevel(), most);
}

TEST(IsaLevelsTest, CodeForMoreIsNotLoaded) {
  const TargetInfo lowest = *LimitIsa(HostTarget(), CpuIsasOfHost().front());
  if (lowest.features == HostTarget().features) {
    GTEST_SKIP() << "the processor has one level";
  }
  CpuCompiler all, limited({.target = lowest});
  const std::string code = (*CompileAt(all, ""))->SerializeCode().value();
  EXPECT_TRUE(all.Load(code, DebugOptions()).ok());
  const absl::Status refusal = limited.Load(code, DebugOptions()).status();
  EXPECT_EQ(refusal.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(std::string(refusal.message()), HasSubstr("needs"));
  DebugOptions options;
  options.set_xla_cpu_max_isa(std::string(CpuIsaName(CpuIsasOfHost().front())));
  EXPECT_EQ(all.Load(code, options).status(), refusal);
}

TEST(IsaLevelsTest, RefusesUnknownLevels) {
  CpuCompiler compiler;
  for (const char* level : {"AVX1024", "x86-64", " AVX2"}) {
    const absl::Status status = CompileAt(compiler, level).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << level;
    EXPECT_THAT(std::string(status.message()), HasSubstr("xla_cpu_max_isa"));
  }
}

}  // namespace
}  // namespace xla::cpu
