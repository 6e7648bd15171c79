// A program is compiled to the same module, names and order included, whatever
// the process did before.
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "tests/fuzz/program_generator.h"
#include "xla/backends/cpu/pipeline.h"
#include "xla/core/literal/literal_util.h"
#include "xla/hlo/ir/hlo_module.h"

namespace xla::cpu {
namespace {

// The module after all passes, which run where `gaps` pieces of memory of an
// instruction's size are free, besides those of instructions that they remove.
std::string Compiled(uint64_t seed, int gaps) {
  auto program = fuzz::MakeProgram(seed);
  EXPECT_TRUE(program.ok()) << program.status();
  std::vector<std::unique_ptr<HloInstruction>> instructions;
  for (int i = 0; i < gaps; ++i) {
    instructions.push_back(
        HloInstruction::CreateConstant(LiteralUtil::CreateR0<int32_t>(i)));
  }
  instructions.clear();
  const absl::Status status = RunPasses(program->module.get());
  return status.ok() ? program->module->ToString() : status.ToString();
}

TEST(SameModuleTest, RandomPrograms) {
  constexpr uint64_t kFirst = 216;
  constexpr uint64_t kEnd = 236;
  std::vector<std::string> first;
  for (uint64_t seed = kFirst; seed < kEnd; ++seed) {
    first.push_back(Compiled(seed, 0));
  }
  // In another order, among others.
  for (uint64_t seed = kEnd - 1; seed >= kFirst; --seed) {
    EXPECT_EQ(Compiled(seed, static_cast<int>(seed % 30)), first[seed - kFirst])
        << "seed " << seed;
  }
}

}  // namespace
}  // namespace xla::cpu
