// Random modules, the corpus and a large module, all checked by the verifier of
// buffer assignments.
#include <cstdlib>
#include <fstream>
#include <iterator>

#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "gtest/gtest.h"
#include "tests/hlo/analysis/buffer_testing.h"
#include "tests/hlo/analysis/random_modules.h"
#include "xla/hlo/analysis/buffer_simulation.h"
#include "xla/hlo/parser/hlo_parser.h"
#include "xla/hlo/transforms/buffers/copy_insertion.h"
#include "xla/hlo/transforms/expand/async_to_sync.h"
#include "xla/hlo/transforms/simplify/call_inliner.h"
#include "xla/proto/hlo.pb.h"

namespace xla {
namespace {

TEST(BufferStressTest, RandomModules) {
  for (int seed = 0; seed < 400; ++seed) {
    SCOPED_TRACE(seed);
    Assign(RandomModule(seed));
    if (HasFailure()) break;
  }
}

std::unique_ptr<HloModule> ReadCorpus(const std::string& name) {
  const char* source = std::getenv("TESSERA_SRC");
  const std::string path = std::string(source == nullptr ? "." : source) +
                           "/tests/corpus/" + name + ".hlo.pb";
  std::ifstream file(path, std::ios::binary);
  const std::string bytes(std::istreambuf_iterator<char>(file), {});
  HloModuleProto proto;
  EXPECT_TRUE(proto.ParseFromString(bytes)) << path;
  auto module = HloModule::CreateFromProto(proto);
  EXPECT_TRUE(module.ok()) << module.status();
  return *std::move(module);
}

TEST(BufferStressTest, Corpus) {
  for (const char* name : {"digits_predict", "digits_train_step",
                           "text_generate", "text_train_step"}) {
    SCOPED_TRACE(name);
    std::unique_ptr<HloModule> module = ReadCorpus(name);
    ASSERT_TRUE(AsyncToSync().Run(module.get()).ok());
    const Assigned with_calls = Assign(module->Clone(""));
    ASSERT_TRUE(CallInliner().Run(module.get()).ok());
    const Assigned inlined = Assign(std::move(module));
    ASSERT_NE(inlined.buffers, nullptr);
    const auto& figures = inlined.buffers->statistics();
    RecordProperty(name, static_cast<int>(figures.temp_bytes));
    EXPECT_LE(figures.temp_bytes, figures.live_temp_bytes * 21 / 20);
  }
}

// The verifier must find a wrong assignment, that of a module without its
// copies.
TEST(BufferStressTest, VerifierFindsMissingCopy) {
  Assigned a = Assign(R"(
HloModule m
ENTRY e {
  x = f32[8] parameter(0)
  v = f32[1] parameter(1)
  i = s32[] parameter(2)
  n = f32[8] negate(x)
  u = f32[8] dynamic-update-slice(n, v, i)
  ROOT t = (f32[8], f32[8]) tuple(u, n)
})");
  ASSERT_EQ(a.reasons.size(), 1);
  HloComputation* entry = a.module->entry_computation();
  for (const auto& hlo : entry->instructions()) {
    if (hlo->opcode() != HloOpcode::kCopy) continue;
    ASSERT_TRUE(
        hlo->ReplaceAllUsesWith(const_cast<HloInstruction*>(hlo->operand(0)))
            .ok());
  }
  const cpu::CpuAliasInfo alias_info;
  EXPECT_FALSE(VerifyBufferAssignment(*a.module, alias_info, *a.buffers).ok());
  EXPECT_FALSE(BufferAssignment::Run(*a.module, alias_info).ok());
}

TEST(BufferStressTest, LargeModule) {
  auto module = ParseAndReturnUnverifiedModule(LargeModule(20000));
  ASSERT_TRUE(module.ok()) << module.status();
  const cpu::CpuAliasInfo alias_info;
  absl::Time start = absl::Now();
  ASSERT_TRUE(CopyInsertion(&alias_info).Run(module->get()).ok());
  RecordProperty("copy_insertion_ms",
                 absl::ToInt64Milliseconds(absl::Now() - start));
  start = absl::Now();
  auto buffers = BufferAssignment::Run(**module, alias_info);
  RecordProperty("assignment_ms",
                 absl::ToInt64Milliseconds(absl::Now() - start));
  ASSERT_TRUE(buffers.ok()) << buffers.status();
  const auto& figures = (*buffers)->statistics();
  EXPECT_LE(figures.temp_bytes, figures.live_temp_bytes * 5 / 4);
}

}  // namespace
}  // namespace xla
