// Programs compiled ahead of time, linked in this process by the JIT compiler's
// linker: their results are those of the JIT compiler, bit for bit.
#include <cstdio>
#include <cstring>
#include <fstream>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "xla/backends/cpu/aot/aot_compiler.h"
#include "xla/backends/cpu/aot/aot_target.h"
#include "xla/backends/cpu/aot/runtime/program_data.h"
#include "xla/backends/cpu/aot/runtime/tessera_aot.h"
#include "xla/backends/cpu/cpu_compiler.h"
#include "xla/backends/cpu/jit/elf_object.h"
#include "xla/backends/cpu/jit/object_linker.h"
#include "xla/core/literal/fake_literal.h"
#include "xla/hlo/parser/hlo_parser.h"
#include "xla/runtime/memory_chunk.h"

extern "C" const void* tessera_aot_call_TesseraCancellationToken(void);

namespace xla::cpu::aot {
namespace {

using ::testing::HasSubstr;

constexpr char kMlp[] = R"(HloModule mlp
ENTRY e {
  x = f32[64,96] parameter(0)
  w = f32[96,128] parameter(1)
  b = f32[128] parameter(2)
  d = f32[64,128] dot(x, w), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  c = f32[64,128] broadcast(b), dimensions={1}
  s = f32[64,128] add(d, c)
  t = f32[64,128] tanh(s)
  zero = f32[] constant(0)
  r = f32[64] reduce(t, zero), dimensions={1}, to_apply={
    p = f32[] parameter(0)
    q = f32[] parameter(1)
    ROOT a = f32[] add(p, q)
  }
  ROOT out = (f32[64,128], f32[64]) tuple(t, r)
})";

constexpr char kLoop[] = R"(HloModule loop
body {
  s = (s32[], f32[300,40]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  x = f32[300,40] get-tuple-element(s), index=1
  one = s32[] constant(1)
  n = s32[] add(i, one)
  sorted = f32[300,40] sort(x), dimensions={1}, to_apply={
    a = f32[] parameter(0)
    b = f32[] parameter(1)
    ROOT lt = pred[] compare(a, b), direction=LT
  }
  y = f32[300,40] sine(sorted)
  ROOT t = (s32[], f32[300,40]) tuple(n, y)
}
condition {
  s = (s32[], f32[300,40]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  limit = s32[] constant(5)
  ROOT c = pred[] compare(i, limit), direction=LT
}
ENTRY e {
  x = f32[300,40] parameter(0)
  zero = s32[] constant(0)
  start = (s32[], f32[300,40]) tuple(zero, x)
  loop = (s32[], f32[300,40]) while(start), condition=condition, body=body
  ROOT r = f32[300,40] get-tuple-element(loop), index=1
})";

constexpr char kConvolution[] = R"(HloModule convolution
ENTRY e {
  x = bf16[2,16,16,8] parameter(0)
  k = bf16[3,3,8,12] parameter(1)
  c = bf16[2,16,16,12] convolution(x, k), window={size=3x3 pad=1_1x1_1}, dim_labels=b01f_01io->b01f
  f = f32[2,16,16,12] convert(c)
  ROOT m = f32[2,16,16,12] multiply(f, f)
})";

// 20 parameters are more arrays than a kernel has on its stack.
std::string ManyArrays() {
  std::string text = "HloModule many\nENTRY e {\n";
  std::string sum = "p0";
  for (int i = 0; i < 20; ++i) {
    text += "  p" + std::to_string(i) + " = f32[7] parameter(" +
            std::to_string(i) + ")\n";
  }
  for (int i = 1; i < 20; ++i) {
    const std::string next = "sum" + std::to_string(i);
    text += "  " + std::string(i == 19 ? "ROOT " : "") + next +
            " = f32[7] add(" + sum + ", p" + std::to_string(i) + ")\n";
    sum = next;
  }
  return text + "}\n";
}

// Threads that a loop starts and joins.
void RunOnThreads(void* pool, int64_t count, void (*body)(void*, int64_t),
                  void* context) {
  std::vector<std::thread> threads;
  for (int64_t i = 1; i < count; ++i) threads.emplace_back(body, context, i);
  body(context, 0);
  for (std::thread& thread : threads) thread.join();
}

SymbolTable Runtime() {
  SymbolTable symbols = {
      {"tessera_aot_run", reinterpret_cast<const void*>(&tessera_aot_run)},
      {"tessera_aot_call_TesseraCancellationToken",
       reinterpret_cast<const void*>(
           &tessera_aot_call_TesseraCancellationToken)}};
  for (const auto& [name, address] : RuntimeSymbols()) {
    if (name != "TesseraCancellationToken") {
      symbols.insert({"tessera_aot_call_" + name, address});
    }
  }
  return symbols;
}

class AotProgramTest : public ::testing::Test {
 protected:
  absl::StatusOr<AotProgram> Compile(const std::string& text) {
    if (options_.targets.empty()) {
      options_.targets.push_back(*AotTarget("native"));
    }
    auto module = ParseAndReturnUnverifiedModule(text);
    if (!module.ok()) return module.status();
    return CompileAheadOfTime(**module, options_);
  }

  // Links the program and returns what it exports.
  const tessera_aot_program* Link(const AotProgram& program) {
    const SymbolTable runtime = Runtime();
    absl::StatusOr<LinkedImage> linked =
        LinkObjects({program.object}, {}, runtime);
    EXPECT_TRUE(linked.ok()) << linked.status();
    if (!linked.ok()) return nullptr;
    image_ = *std::move(linked);
    EXPECT_TRUE(image_.symbols.contains("net_run"));
    return static_cast<const tessera_aot_program*>(
        image_.symbols["net_program"].address);
  }

  tessera_aot_status Load(const tessera_aot_program* program,
                          tessera_aot_options options = {}) {
    options.struct_size = sizeof(options);
    options.message = message_;
    options.message_bytes = sizeof(message_);
    return tessera_aot_load(program, &options, &instance_);
  }

  // Compares with the JIT compiler, on so many threads.
  void Check(const std::string& text, int threads) {
    SCOPED_TRACE(text);
    options_.max_threads = threads;
    const absl::StatusOr<AotProgram> program = Compile(text);
    ASSERT_TRUE(program.ok()) << program.status();
    const tessera_aot_program* linked = Link(*program);
    ASSERT_NE(linked, nullptr);
    const tessera_aot_threads pool = {.struct_size = sizeof(pool),
                                      .num_threads = threads,
                                      .parallel_for = RunOnThreads};
    std::vector<char> memory(program->load_bytes);
    tessera_aot_options options = {};
    if (threads > 1) options.threads = &pool;
    options.memory = memory.data();
    options.memory_bytes = memory.size();
    const MemoryChunk constants =
        *MemoryChunk::Allocate(program->constants.size());
    std::memcpy(constants.data(), program->constants.data(),
                program->constants.size());
    options.constants = constants.data();
    options.constants_bytes = program->constants.size();
    ASSERT_EQ(Load(linked, options), TESSERA_AOT_OK) << message_;
    EXPECT_LE(tessera_aot_arena_bytes(instance_),
              static_cast<size_t>(program->arena_bytes));

    const auto module = *ParseAndReturnUnverifiedModule(text);
    std::vector<Literal> literals;
    std::vector<const Literal*> pointers;
    for (const AotArray& array : program->arguments) {
      literals.push_back(*MakeFakeLiteral(array.shape));
    }
    std::vector<MemoryChunk> chunks;
    const auto allocate = [&](int64_t bytes) {
      chunks.push_back(*MemoryChunk::Allocate(bytes));
      return chunks.back().data();
    };
    std::vector<const void*> arguments;
    for (const Literal& literal : literals) {
      pointers.push_back(&literal);
      arguments.push_back(allocate(literal.size_bytes()));
      std::memcpy(chunks.back().data(), literal.untyped_data(),
                  literal.size_bytes());
    }
    std::vector<void*> results;
    for (const AotArray& array : program->results) {
      results.push_back(allocate(array.bytes));
    }
    void* const arena = allocate(tessera_aot_arena_bytes(instance_));
    ASSERT_EQ(
        tessera_aot_run(instance_, arguments.data(), results.data(), arena),
        TESSERA_AOT_OK);
    tessera_aot_unload(instance_);

    CpuCompiler compiler({.target = options_.targets[0]});
    auto executable = compiler.Compile(*ParseAndReturnUnverifiedModule(text));
    ASSERT_TRUE(executable.ok()) << executable.status();
    const auto want = (*executable)->Execute({pointers}, {});
    ASSERT_TRUE(want.ok()) << want.status();
    const Literal& value = (*want)[0];
    for (size_t i = 0; i < results.size(); ++i) {
      const ShapeIndex index = value.shape().IsTuple()
                                   ? ShapeIndex{static_cast<int64_t>(i)}
                                   : ShapeIndex{};
      EXPECT_EQ(std::memcmp(results[i], value.untyped_data(index),
                            program->results[i].bytes),
                0)
          << "result " << i << " on " << threads << " threads";
    }
  }

  AotOptions options_;
  LinkedImage image_;
  tessera_aot_instance* instance_ = nullptr;
  char message_[300] = "";
};

TEST_F(AotProgramTest, ResultsAreThoseOfTheJit) {
  for (const int threads : {1, 3}) {
    for (const std::string& text : {std::string(kMlp), std::string(kLoop),
                                    std::string(kConvolution), ManyArrays()}) {
      Check(text, threads);
    }
  }
}

TEST_F(AotProgramTest, ConstantsApart) {
  options_.constants_apart = true;
  Check(R"(HloModule m
ENTRY e {
  x = f32[8] parameter(0)
  c = f32[8] constant({1, 2, 3, 4, 5, 6, 7, 8})
  ROOT s = f32[8] multiply(x, c)
})",
        1);
}

TEST_F(AotProgramTest, WrongConstantsAreRefused) {
  options_.constants_apart = true;
  const absl::StatusOr<AotProgram> program = Compile(R"(HloModule m
ENTRY e {
  x = f32[8] parameter(0)
  c = f32[8] constant({1, 2, 3, 4, 5, 6, 7, 8})
  ROOT s = f32[8] multiply(x, c)
})");
  ASSERT_TRUE(program.ok()) << program.status();
  const tessera_aot_program* linked = Link(*program);
  EXPECT_EQ(tessera_aot_constants_bytes(linked), program->constants.size());
  EXPECT_EQ(Load(linked), TESSERA_AOT_INVALID_ARGUMENT);
  EXPECT_THAT(message_, HasSubstr("constants in a file of their own"));
  alignas(64) char other[64] = {};
  ASSERT_LE(program->constants.size(), sizeof(other));
  EXPECT_EQ(Load(linked, {.constants = other,
                          .constants_bytes = program->constants.size()}),
            TESSERA_AOT_INVALID_ARGUMENT);
  EXPECT_THAT(message_, HasSubstr("not those of the program"));
}

// The file of constants of a program that has none.
TEST_F(AotProgramTest, EmptyFilesAreMapped) {
  const std::string path = ::testing::TempDir() + "aot_program_test_empty.bin";
  std::ofstream(path).close();
  const void* data = &path;
  size_t bytes = 1;
  EXPECT_EQ(tessera_aot_map_file(path.c_str(), &data, &bytes), TESSERA_AOT_OK);
  EXPECT_EQ(data, nullptr);
  EXPECT_EQ(bytes, 0u);
  tessera_aot_unmap_file(data, bytes);
  std::remove(path.c_str());
  EXPECT_EQ(tessera_aot_map_file(path.c_str(), &data, &bytes),
            TESSERA_AOT_INVALID_ARGUMENT);
}

TEST_F(AotProgramTest, TakesTheBestLevelThatFits) {
#if !defined(__x86_64__)
  GTEST_SKIP() << "levels of x86-64";
#endif
  options_.targets = {*AotTarget("SSE2"), *AotTarget("native")};
  const absl::StatusOr<AotProgram> program = Compile(kMlp);
  ASSERT_TRUE(program.ok()) << program.status();
  const tessera_aot_program* linked = Link(*program);
  ASSERT_EQ(linked->num_levels, 2);
  EXPECT_EQ(std::string(linked->levels[1].features), "");
  ASSERT_EQ(Load(linked), TESSERA_AOT_OK) << message_;
  EXPECT_EQ(std::string(tessera_aot_features(instance_)),
            *NeededFeatures(options_.targets[1]));
  tessera_aot_unload(instance_);
}

TEST_F(AotProgramTest, CompilesForProcessorsThatAreNotHere) {
  for (const char* isa : {"AMX", "x86-64-v4", "armv8-a", "neoverse-v1"}) {
    SCOPED_TRACE(isa);
    options_.targets = {*AotTarget(isa)};
    for (const char* text : {kMlp, kLoop, kConvolution}) {
      const absl::StatusOr<AotProgram> program = Compile(text);
      ASSERT_TRUE(program.ok()) << program.status();
      const absl::StatusOr<ElfObject> object = ParseElfObject(program->object);
      ASSERT_TRUE(object.ok()) << object.status();
      EXPECT_EQ(object->machine, options_.targets[0].is_aarch64 ? 183 : 62);
    }
  }
}

TEST_F(AotProgramTest, MemoryMustSuffice) {
  const absl::StatusOr<AotProgram> program = Compile(kMlp);
  ASSERT_TRUE(program.ok()) << program.status();
  const tessera_aot_program* linked = Link(*program);
  EXPECT_EQ(Load(nullptr), TESSERA_AOT_INVALID_ARGUMENT);
  EXPECT_EQ(tessera_aot_load(linked, nullptr, nullptr),
            TESSERA_AOT_INVALID_ARGUMENT);
  ASSERT_EQ(Load(linked), TESSERA_AOT_OK) << message_;
  alignas(64) static char memory[1 << 20];
  const void* arguments[] = {memory, memory, memory};
  void* results[] = {memory, memory};
  void* const arena = memory + 64 * 1024;
  EXPECT_EQ(tessera_aot_run(instance_, nullptr, results, arena),
            TESSERA_AOT_INVALID_ARGUMENT);
  EXPECT_EQ(tessera_aot_run(instance_, arguments, nullptr, arena),
            TESSERA_AOT_INVALID_ARGUMENT);
  EXPECT_EQ(tessera_aot_run(instance_, arguments, results, nullptr),
            TESSERA_AOT_INVALID_ARGUMENT);
  EXPECT_EQ(tessera_aot_run(instance_, arguments, results, memory + 8),
            TESSERA_AOT_INVALID_ARGUMENT);
  arguments[1] = nullptr;
  EXPECT_EQ(tessera_aot_run(instance_, arguments, results, arena),
            TESSERA_AOT_INVALID_ARGUMENT);
  tessera_aot_unload(instance_);
  tessera_aot_unload(nullptr);
  tessera_aot_program damaged = *linked;
  damaged.format_version += 1;
  EXPECT_EQ(Load(&damaged), TESSERA_AOT_FAILED_PRECONDITION);
  EXPECT_THAT(message_, HasSubstr("was compiled for version"));
  damaged = *linked;
  damaged.magic[0] = 'X';
  EXPECT_EQ(Load(&damaged), TESSERA_AOT_INTERNAL);
}

TEST_F(AotProgramTest, RefusesWhatNeedsTheCompilersProcess) {
  const auto error = [&](const std::string& text) {
    return std::string(Compile(text).status().message());
  };
  EXPECT_THAT(error(R"(HloModule m
ENTRY e {
  p = u64[2] parameter(0)
  t = token[] after-all()
  ROOT c = token[] outfeed(p, t), outfeed_shape=u64[2]
})"),
              HasSubstr("c: a program that is compiled ahead of time has no "
                        "outfeed"));
  EXPECT_THAT(error(R"(HloModule m
ENTRY e {
  ROOT t = token[] after-all()
})"),
              HasSubstr("token[]"));
  EXPECT_THAT(error(R"(HloModule m
ENTRY e {
  low = f32[] constant(0)
  high = f32[] constant(1)
  ROOT r = f32[8] rng(low, high), distribution=rng_uniform
})"),
              HasSubstr("r: a program that is compiled ahead of time has no "
                        "rng"));
  EXPECT_THAT(error(R"(HloModule m
ENTRY e {
  a = f32[<=8] parameter(0)
  ROOT r = f32[<=8] add(a, a)
})"),
              HasSubstr("a: a program that is compiled ahead of time has no "
                        "arguments or results of shape f32[<=8]"));
  for (const char* version :
       {"API_VERSION_ORIGINAL", "API_VERSION_TYPED_FFI"}) {
    EXPECT_THAT(error(std::string(R"(HloModule m
ENTRY e {
  a = f32[8] parameter(0)
  ROOT r = f32[8] custom-call(a), custom_call_target="mine", api_version=)") +
                      version + "\n}"),
                HasSubstr("r: a program that is compiled ahead of time has no "
                          "custom-call, such as this one of \"mine\""));
  }
  options_.name = "1net";
  EXPECT_THAT(error(kMlp), HasSubstr("no C identifier"));
  options_.name = "net";
  options_.targets = {*AotTarget("armv8-a"), *AotTarget("x86-64")};
  EXPECT_THAT(error(kMlp), HasSubstr("one architecture"));
  EXPECT_THAT(std::string(AotTarget("pentium-9").status().message()),
              HasSubstr("no processor is called 'pentium-9'"));
}

// Two's complement in four bits is no int8_t.
TEST_F(AotProgramTest, SmallIntegersAreBits) {
  const absl::StatusOr<AotProgram> program = Compile(R"(HloModule m
ENTRY e {
  a = s4[5] parameter(0)
  ROOT r = s4[5] negate(a)
})");
  ASSERT_TRUE(program.ok()) << program.status();
  const std::string header = AotHeader(*program, options_, "m");
  EXPECT_THAT(header, HasSubstr("const uint8_t* a,"));
  EXPECT_THAT(header, HasSubstr("in its lowest bits; the others are 0"));
}

TEST_F(AotProgramTest, HeaderHasTypesAndSizes) {
  const absl::StatusOr<AotProgram> program = Compile(R"(HloModule m
ENTRY e {
  int = c64[2,3] parameter(0)
  x.1 = bf16[5] parameter(1)
  x_1 = pred[] parameter(2)
  y = bf16[5] negate(x.1)
  ROOT t = (c64[2,3], bf16[5], pred[]) tuple(int, y, x_1)
})");
  ASSERT_TRUE(program.ok()) << program.status();
  const std::string header = AotHeader(*program, options_, "a */ file");
  for (const char* text :
       {"from a *  file", "const float* int_", "const uint16_t* x_1,",
        "const uint8_t* x_1_2,", "#define NET_NUM_ARGUMENTS 3",
        "extern const tessera_aot_program net_program;"}) {
    EXPECT_THAT(header, HasSubstr(text));
  }
}

}  // namespace
}  // namespace xla::cpu::aot
