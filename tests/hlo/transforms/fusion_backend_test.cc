// Passes fuse what the backend says that it can compute in one kernel: the CPU
// here, and backends that do not exist.
#include "xla/hlo/transforms/fuse/fusion_backend.h"

#include <memory>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/hlo/analysis/buffer_testing.h"
#include "xla/backends/cpu/fusion/cpu_fusion_backend.h"
#include "xla/core/literal/comparison/literal_comparison.h"
#include "xla/core/literal/literal_util.h"
#include "xla/hlo/evaluator/hlo_evaluator.h"
#include "xla/hlo/ops/control_flow.h"
#include "xla/hlo/parser/hlo_parser.h"
#include "xla/hlo/transforms/fuse/attention_fusion.h"
#include "xla/hlo/transforms/fuse/instruction_fusion.h"
#include "xla/hlo/transforms/fuse/reduction_splitter.h"
#include "xla/hlo/transforms/simplify/dce.h"
#include "xla/hlo/verifier/hlo_verifier.h"

namespace xla {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::Each;
using ::testing::IsEmpty;
using ::testing::Not;

// A machine that computes small groups of element-wise ops and nothing else.
class ElementwiseBackend : public FusionBackend {
 public:
  explicit ElementwiseBackend(int max_instructions = 100) {
    limits_ = {.max_instructions = max_instructions,
               .max_emitted = 100,
               .max_parameters = 10,
               .max_outputs = 4,
               .max_maps = 4};
  }

  FusionRole RoleOf(const HloInstruction& instruction) const override {
    return instruction.IsElementwise() && instruction.shape().IsArray() &&
                   instruction.operand_count() > 0
               ? FusionRole::kElementwise
               : FusionRole::kOpaque;
  }
  double ElementNanoseconds(const HloInstruction&) const override { return 1; }
  const FusionRates& rates() const override { return rates_; }
  const FusionLimits& limits() const override { return limits_; }
  const ReductionChunks& reduction_chunks() const override { return chunks_; }
  std::optional<ReductionKernel> FindReductionKernel(
      absl::Span<const HloInstruction* const>,
      absl::Span<const HloInstruction* const>) const override {
    return std::nullopt;
  }
  std::optional<AttentionGroup> FindAttention(
      const HloInstruction&) const override {
    return std::nullopt;
  }
  std::optional<DotInPlaceGroup> FindDotInPlace(
      const HloInstruction& dot) const override {
    return std::nullopt;
  }
  std::optional<EpilogueGroup> FindEpilogue(
      const HloInstruction&) const override {
    return std::nullopt;
  }

 private:
  FusionRates rates_ = {.write_ns_per_byte = 1,
                        .read_ns_per_byte = 1,
                        .cached_ns_per_byte = 1,
                        .cache_bytes = 0,
                        .load_ns = 1,
                        .strided_ns = 1,
                        .kernel_ns = 1000};
  FusionLimits limits_;
  ReductionChunks chunks_;
};

// A CPU that splits long rows into chunks of 1000 elements.
class SmallChunks : public cpu::CpuFusionBackend {
 public:
  SmallChunks()
      : CpuFusionBackend(cpu::HostTarget()),
        chunks_(CpuFusionBackend::reduction_chunks()) {
    chunks_.row_chunk = 1000;
    chunks_.min_row_chunk = 10;
  }
  const ReductionChunks& reduction_chunks() const override { return chunks_; }

 private:
  ReductionChunks chunks_;
};

constexpr char kSoftmax[] = R"(
HloModule m
sum {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT s = f32[] add(a, b)
}
ENTRY e {
  x = f32[16,32] parameter(0)
  y = f32[32,16] parameter(1)
  zero = f32[] constant(0)
  t = f32[16,32] transpose(y), dimensions={1,0}
  n = f32[16,32] negate(x)
  a = f32[16,32] add(n, t)
  e = f32[16,32] exponential(a)
  r = f32[16] reduce(e, zero), dimensions={1}, to_apply=sum
  l = f32[16] log(r)
  m = f32[16] multiply(l, l)
  b = f32[16,32] broadcast(m), dimensions={0}
  ROOT d = f32[16,32] divide(e, b)
})";

// The CPU's answers for this processor.
const FusionBackend& Cpu() {
  static const auto* const backend =
      new cpu::CpuFusionBackend(cpu::HostTarget());
  return *backend;
}

std::unique_ptr<HloModule> Parse(absl::string_view text) {
  auto module = ParseAndReturnUnverifiedModule(text);
  EXPECT_TRUE(module.ok()) << module.status();
  return *std::move(module);
}

std::unique_ptr<HloModule> Fused(const FusionBackend& backend,
                                 absl::string_view text) {
  std::unique_ptr<HloModule> module = Parse(text);
  EXPECT_TRUE(InstructionFusion(&backend).Run(module.get()).ok());
  EXPECT_TRUE(HloDCE().Run(module.get()).ok());
  const absl::Status verified = HloVerifier().Verify(*module);
  EXPECT_TRUE(verified.ok()) << verified << module->ToString();
  return module;
}

// Return the opcodes that compute something: of a computation, and of each
// fusion.
std::vector<HloOpcode> OpcodesIn(const HloComputation& computation) {
  std::vector<HloOpcode> opcodes;
  for (const auto& hlo : computation.instructions()) {
    if (hlo->opcode() != HloOpcode::kParameter && !hlo->IsConstant()) {
      opcodes.push_back(hlo->opcode());
    }
  }
  return opcodes;
}

std::vector<std::vector<HloOpcode>> FusedOpcodes(const HloModule& module) {
  std::vector<std::vector<HloOpcode>> fusions;
  for (const auto& hlo : module.entry_computation()->instructions()) {
    if (hlo->opcode() != HloOpcode::kFusion) continue;
    fusions.push_back(OpcodesIn(*hlo->fused_instructions_computation()));
  }
  return fusions;
}

TEST(FusionBackendTest, TheCpuComputesRowsInOneKernel) {
  const auto module = Fused(Cpu(), kSoftmax);
  EXPECT_THAT(
      FusedOpcodes(*module),
      Contains(AllOf(Contains(HloOpcode::kExp), Contains(HloOpcode::kReduce),
                     Contains(HloOpcode::kBroadcast),
                     Contains(HloOpcode::kDivide))));
}

TEST(FusionBackendTest, AnotherBackendFusesElementwiseOpsAlone) {
  const auto module = Fused(ElementwiseBackend(), kSoftmax);
  const auto fusions = FusedOpcodes(*module);
  EXPECT_THAT(fusions, Contains(std::vector<HloOpcode>{HloOpcode::kLog,
                                                       HloOpcode::kMultiply}));
  for (const HloOpcode opcode :
       {HloOpcode::kReduce, HloOpcode::kBroadcast, HloOpcode::kTranspose}) {
    EXPECT_THAT(fusions, Each(Not(Contains(opcode))));
    EXPECT_THAT(OpcodesIn(*module->entry_computation()), Contains(opcode));
  }
}

TEST(FusionBackendTest, FusionsKeepTheLimitsOfTheBackend) {
  constexpr char kChain[] = R"(
HloModule m
ENTRY e {
  p = f32[64] parameter(0)
  a = f32[64] negate(p)
  b = f32[64] exponential(a)
  c = f32[64] cosine(b)
  d = f32[64] tanh(c)
  ROOT f = f32[64] abs(d)
})";
  const auto whole = FusedOpcodes(*Fused(ElementwiseBackend(), kChain));
  ASSERT_EQ(whole.size(), 1);
  EXPECT_EQ(whole[0].size(), 5);
  const auto pairs = FusedOpcodes(*Fused(ElementwiseBackend(2), kChain));
  EXPECT_EQ(pairs.size(), 2);
  for (const auto& fusion : pairs) EXPECT_EQ(fusion.size(), 2);
  EXPECT_THAT(FusedOpcodes(*Fused(ElementwiseBackend(1), kChain)), IsEmpty());
}

TEST(FusionBackendTest, ValuesAreTheSameForAllBackends) {
  const std::unique_ptr<HloModule> plain = Parse(kSoftmax);
  std::vector<float> x(16 * 32), y(16 * 32);
  for (size_t i = 0; i < x.size(); ++i) {
    x[i] = 0.01f * static_cast<float>(i % 97);
    y[i] = 0.02f * static_cast<float>(i % 31);
  }
  const Literal a = *LiteralUtil::CreateR1<float>(x).Reshape({16, 32});
  const Literal b = *LiteralUtil::CreateR1<float>(y).Reshape({32, 16});
  const auto value = [&](const HloModule& module) {
    return *HloEvaluator().Evaluate(module, {&a, &b});
  };
  const Literal expected = value(*plain);
  EXPECT_EQ(value(*Fused(ElementwiseBackend(), kSoftmax)), expected);
  EXPECT_EQ(value(*Fused(Cpu(), kSoftmax)), expected);
}

// Takes a module from fusion to buffers for a backend that fuses element-wise
// ops and computes nothing in place.
TEST(FusionBackendTest, AnotherBackendHasBuffersOfItsOwn) {
  const Assigned apart =
      Assign(Fused(ElementwiseBackend(), kSoftmax), AliasInfo());
  const Assigned cpu =
      Assign(Fused(ElementwiseBackend(), kSoftmax), cpu::CpuAliasInfo());
  ASSERT_NE(apart.buffers, nullptr);
  ASSERT_NE(cpu.buffers, nullptr);
  EXPECT_GT(apart.buffers->statistics().buffers,
            cpu.buffers->statistics().buffers);
}

constexpr char kLongSum[] = R"(
HloModule m
sum {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT s = f32[] add(a, b)
}
ENTRY e {
  x = f32[1000000] parameter(0)
  zero = f32[] constant(0)
  ROOT r = f32[] reduce(x, zero), dimensions={0}, to_apply=sum
})";

// Returns the number of results of the first of the two reductions that a long
// one is split into, or 0.
int64_t PartialSums(const FusionBackend& backend) {
  std::unique_ptr<HloModule> module = Parse(kLongSum);
  const auto changed = ReductionSplitter(&backend).Run(module.get());
  EXPECT_TRUE(changed.ok()) << changed.status();
  const HloInstruction& root = *module->entry_computation()->root_instruction();
  return *changed ? root.operand(0)->shape().dimensions(0) : 0;
}

TEST(FusionBackendTest, ReductionsAreCutAsTheBackendSays) {
  EXPECT_EQ(PartialSums(Cpu()), 32);
  EXPECT_EQ(PartialSums(SmallChunks()), 1000);
  EXPECT_EQ(PartialSums(ElementwiseBackend()), 0);
}

TEST(FusionBackendTest, OnlyABackendWithAttentionHasItFused) {
  constexpr char kAttention[] = R"(
HloModule m
max {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT m = f32[] maximum(a, b)
}
rows {
  s = f32[256,512] parameter(0)
  low = f32[] constant(-inf)
  m = f32[256] reduce(s, low), dimensions={1}, to_apply=max
  b = f32[256,512] broadcast(m), dimensions={0}
  ROOT d = f32[256,512] subtract(s, b)
}
ENTRY e {
  q = f32[256,64] parameter(0)
  k = f32[64,512] parameter(1)
  v = f32[512,64] parameter(2)
  s = f32[256,512] dot(q, k), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  p = f32[256,512] fusion(s), kind=kInput, calls=rows
  ROOT a = f32[256,64] dot(p, v), lhs_contracting_dims={1}, rhs_contracting_dims={0}
})";
  const ElementwiseBackend other;
  const auto fuses = [&](const FusionBackend& backend) {
    return *AttentionFusion(&backend).Run(Parse(kAttention).get());
  };
  EXPECT_TRUE(fuses(Cpu()));
  EXPECT_FALSE(fuses(other));
}

}  // namespace
}  // namespace xla
