// Tuning tables: their files and keys, and that they change no bit.
#include "xla/backends/cpu/tuning/tuning_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "xla/backends/cpu/cpu_compiler.h"
#include "xla/core/literal/literal_util.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/ir/hlo_computation.h"
#include "xla/hlo/parser/hlo_parser.h"
#include "xla/runtime/thread_pool.h"

namespace xla::cpu {
namespace {

using ::testing::HasSubstr;

// A folder for cached files, while it lives.
class CacheFolder {
 public:
  CacheFolder()
      : path_(std::filesystem::path(testing::TempDir()) /
              testing::UnitTest::GetInstance()->current_test_info()->name()) {
    std::filesystem::remove_all(path_);
    setenv("TESSERA_CACHE_DIR", path_.c_str(), 1);
  }
  ~CacheFolder() {
    unsetenv("TESSERA_CACHE_DIR");
    std::filesystem::remove_all(path_);
  }

 private:
  const std::filesystem::path path_;
};

std::string KeyOf(const std::string& lines) {
  const auto module = ParseAndReturnUnverifiedModule(
      absl::StrCat("HloModule m\nENTRY e {\n", lines, "}\n"));
  EXPECT_TRUE(module.ok()) << module.status();
  return TuningKey(*(*module)->entry_computation()->root_instruction());
}

TEST(TuningTableTest, IsReadAsItWasWritten) {
  CacheFolder folder;
  const std::string path = TuningTable::PathFor("some processor");
  EXPECT_EQ(TuningTable::ForProcessor("some processor"), nullptr);
  TuningTable table("some processor");
  table.Set("f32[2] dot(a, b)", {1, -2, 3});
  table.Set("f32[3] dot(a, b)", {});
  ASSERT_TRUE(table.Write(path).ok());
  const auto read = TuningTable::ForProcessor("some processor");
  ASSERT_NE(read, nullptr);
  EXPECT_EQ(read->size(), 2);
  EXPECT_EQ(read->Find("f32[2] dot(a, b)"), (KernelTuning{1, -2, 3}));
  EXPECT_EQ(read->Find("f32[4] dot(a, b)"), KernelTuning());
  EXPECT_EQ(TuningTable::ForProcessor("another processor"), nullptr);
}

TEST(TuningTableTest, FilesOfOthersAreRefused) {
  CacheFolder folder;
  const std::string path = TuningTable::PathFor("p");
  ASSERT_TRUE(TuningTable("p").Write(path).ok());
  for (const std::string line :
       {"1 2 dot", "x 0 0 dot", "0 0 99 dot", "0 0 -2147483648 dot",
        "0 0 -99999999999 dot", "0 0 0", ""}) {
    std::ofstream(path) << "tessera tuning 1\np\n" << line << "\n";
    const auto read = TuningTable::Read(path);
    ASSERT_FALSE(read.ok()) << line;
    EXPECT_THAT(read.status().ToString(), HasSubstr(":3: "));
    EXPECT_EQ(TuningTable::ForProcessor("p"), nullptr);
  }
  std::ofstream(path) << "tessera tuning 2\n";
  EXPECT_FALSE(TuningTable::Read(path).ok());
}

TEST(TuningTableTest, KeysNameWhatPlansDependOn) {
  const std::string dot =
      "a = f32[4,8] parameter(0)\nb = f32[8,2] parameter(1)\n"
      "ROOT d = f32[4,2] dot(a, b), lhs_contracting_dims={1}, "
      "rhs_contracting_dims={0}\n";
  EXPECT_EQ(KeyOf(dot),
            "f32[4,2]{1,0} dot(f32[4,8]{1,0}, f32[8,2]{1,0}), "
            "lhs_contracting_dims={1}, rhs_contracting_dims={0}");
  const std::string other =
      "x = f32[4,8] parameter(0)\nn = f32[4,8] negate(x)\n"
      "y = f32[8,2] parameter(1)\n"
      "ROOT z = f32[4,2] dot(n, y), lhs_contracting_dims={1}, "
      "rhs_contracting_dims={0}, metadata={op_name=\"n\"}\n";
  EXPECT_EQ(KeyOf(other), KeyOf(dot));
  const std::string transposed =
      "a = f32[8,4] parameter(0)\nb = f32[8,2] parameter(1)\n"
      "ROOT d = f32[4,2] dot(a, b), lhs_contracting_dims={0}, "
      "rhs_contracting_dims={0}\n";
  EXPECT_NE(KeyOf(transposed), KeyOf(dot));
}

TEST(TuningTableTest, KeysOfFusionsNameWhatTheyCompute) {
  const auto key = [](const std::string& op, const std::string& operand) {
    const auto module = ParseAndReturnUnverifiedModule(absl::StrCat(
        "HloModule m\nf {\n  a = f32[4,4] parameter(0)\n"
        "  d = f32[4,4] dot(a, a), lhs_contracting_dims={1}, "
        "rhs_contracting_dims={0}\n  ROOT e = f32[4,4] ",
        op, "(d)\n}\nENTRY e {\n  x = f32[4,4] parameter(0)\n  y = ", operand,
        "\n  ROOT z = f32[4,4] fusion(y), kind=kCustom, calls=f\n}\n"));
    EXPECT_TRUE(module.ok()) << module.status();
    return TuningKey(*(*module)->entry_computation()->root_instruction());
  };
  const std::string negated = key("negate", "f32[4,4] negate(x)");
  EXPECT_EQ(key("negate", "f32[4,4] abs(x)"), negated);
  EXPECT_NE(key("tanh", "f32[4,4] negate(x)"), negated);
}

TEST(TuningTableTest, TuningsSayWhatTheyChange) {
  EXPECT_EQ(KernelTuning().ToString(), "as modelled");
  EXPECT_EQ((KernelTuning{1, 0, -2}).ToString(), "l1 x2, tasks x1/4");
  KernelTarget target;
  target.caches = {32 << 10, 1 << 20};
  target.task_ns = 1000;
  target = KernelTuning{1, -1, 2}.Apply(target);
  EXPECT_EQ(target.caches.l1_bytes, 64 << 10);
  EXPECT_EQ(target.caches.l2_bytes, 512 << 10);
  EXPECT_EQ(target.task_ns, 4000);
  EXPECT_EQ(CandidateTunings()[0], KernelTuning());
}

// Products of all algorithms: packed, of few rows, tiny, of long sums, batched,
// of pairs; convolutions by rows, in place, of each feature; attention.
constexpr const char* kPrograms[] = {
    R"(a = f32[64,512] parameter(0)
b = f32[512,700] parameter(1)
ROOT d = f32[64,700] dot(a, b), lhs_contracting_dims={1}, rhs_contracting_dims={0})",
    R"(a = f32[600,200] parameter(0)
b = f32[600,300] parameter(1)
ROOT d = f32[200,300] dot(a, b), lhs_contracting_dims={0}, rhs_contracting_dims={0})",
    R"(a = f32[3,900] parameter(0)
b = f32[900,400] parameter(1)
ROOT d = f32[3,400] dot(a, b), lhs_contracting_dims={1}, rhs_contracting_dims={0})",
    R"(a = f32[12,60] parameter(0)
b = f32[60,40] parameter(1)
ROOT d = f32[12,40] dot(a, b), lhs_contracting_dims={1}, rhs_contracting_dims={0})",
    R"(a = f32[16,9000] parameter(0)
b = f32[16,9000] parameter(1)
ROOT d = f32[16,16] dot(a, b), lhs_contracting_dims={1}, rhs_contracting_dims={1})",
    R"(a = f32[50,9,11] parameter(0)
b = f32[50,11,7] parameter(1)
ROOT d = f32[50,9,7] dot(a, b), lhs_batch_dims={0}, lhs_contracting_dims={2}, rhs_batch_dims={0}, rhs_contracting_dims={1})",
    R"(a = bf16[130,600] parameter(0)
b = bf16[600,170] parameter(1)
ROOT d = bf16[130,170] dot(a, b), lhs_contracting_dims={1}, rhs_contracting_dims={0})",
    R"(a = f32[2,28,28,32] parameter(0)
b = f32[3,3,32,48] parameter(1)
ROOT c = f32[2,28,28,48] convolution(a, b), window={size=3x3 pad=1_1x1_1}, dim_labels=b01f_01io->b01f)",
    R"(a = f32[2,28,28,64] parameter(0)
b = f32[1,1,64,48] parameter(1)
ROOT c = f32[2,28,28,48] convolution(a, b), window={size=1x1}, dim_labels=b01f_01io->b01f)",
    R"(a = f32[2,28,28,32] parameter(0)
b = f32[3,3,1,32] parameter(1)
ROOT c = f32[2,28,28,32] convolution(a, b), window={size=3x3 pad=1_1x1_1}, dim_labels=b01f_01io->b01f, feature_group_count=32)",
    R"(q = f32[2,256,64] parameter(0)
k = f32[2,256,64] parameter(1)
s = f32[2,256,256] dot(q, k), lhs_batch_dims={0}, lhs_contracting_dims={2}, rhs_batch_dims={0}, rhs_contracting_dims={2}
low = f32[] constant(-inf)
m = f32[2,256] reduce(s, low), dimensions={2}, to_apply=max
ms = f32[2,256,256] broadcast(m), dimensions={0,1}
d = f32[2,256,256] subtract(s, ms)
e = f32[2,256,256] exponential(d)
ROOT o = f32[2,256,64] dot(e, k), lhs_batch_dims={0}, lhs_contracting_dims={2}, rhs_batch_dims={0}, rhs_contracting_dims={1})",
};

TEST(TuningTableTest, NoBitDependsOnTunings) {
  ThreadPool pool(2);
  const std::string processor =
      TuningTable::ProcessorOf(HostTarget(), pool.num_threads());
  for (const char* program : kPrograms) {
    SCOPED_TRACE(program);
    const std::string text = absl::StrCat(
        "HloModule m\n"
        "max { a = f32[] parameter(0) b = f32[] parameter(1)\n"
        "  ROOT c = f32[] maximum(a, b) }\n"
        "ENTRY e {\n",
        program, "\n}\n");
    const auto module = ParseAndReturnUnverifiedModule(text);
    ASSERT_TRUE(module.ok()) << module.status();
    std::vector<Literal> arguments;
    uint32_t seed = 1;
    for (const HloInstruction* parameter :
         (*module)->entry_computation()->parameter_instructions()) {
      std::vector<float> numbers(ShapeUtil::ElementsIn(parameter->shape()));
      for (float& x : numbers) {
        seed = seed * 1664525 + 1013904223;
        x = static_cast<float>(seed >> 8) / (1 << 23) - 1;
      }
      arguments.push_back(*LiteralUtil::CreateR1<float>(numbers)
                               .Reshape(parameter->shape().dimensions())
                               ->Convert(parameter->shape().element_type()));
    }
    std::vector<const Literal*> pointers;
    for (const Literal& argument : arguments) pointers.push_back(&argument);
    std::vector<Literal> results;
    for (const KernelTuning& tuning : CandidateTunings()) {
      CpuCompilerOptions options;
      options.runner = &pool;
      options.pool = &pool;
      options.tuning = std::make_shared<TuningTable>(processor, tuning);
      options.kernel_times = std::make_shared<KernelTimes>();
      const auto executable = CpuCompiler(options).Compile((*module)->Clone());
      ASSERT_TRUE(executable.ok()) << executable.status();
      auto result = (*executable)->Execute({pointers}, {});
      ASSERT_TRUE(result.ok()) << result.status();
      results.push_back(std::move((*result)[0]));
      EXPECT_EQ(options.kernel_times->Take().size(), 1);
      EXPECT_EQ(results.back(), results[0]) << tuning.ToString();
    }
  }
}

}  // namespace
}  // namespace xla::cpu
