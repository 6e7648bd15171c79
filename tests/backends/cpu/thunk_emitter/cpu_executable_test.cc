// CpuExecutable: its bindings of allocations, and the cost of a run.
#include "xla/backends/cpu/cpu_executable.h"

#include <algorithm>
#include <cstring>
#include <iostream>
#include <thread>

#include "absl/time/clock.h"
#include "gmock/gmock.h"
#include "tests/backends/cpu/thunk_emitter/library_program.h"
#include "xla/backends/cpu/thunks/kernel_thunk.h"
#include "xla/hlo/parser/hlo_parser.h"

namespace xla::cpu {
namespace {

using ::testing::HasSubstr;
using Allocation = CpuExecutable::Allocation;

constexpr absl::string_view kNumber =
    "HloModule m\nENTRY e {\n ROOT r = u32[] replica-id()\n}";

TEST(CpuExecutableTest, ChecksBuffers) {
  const auto executable = CompileLibraryProgram(kNumber, {});
  ASSERT_TRUE(executable.ok());
  EXPECT_THAT(std::string((*executable)->ExecuteBuffers({}, {}).message()),
              HasSubstr("is for 1 devices, but got buffers for 0"));
  const Executable::DeviceBuffers nothing[1] = {};
  EXPECT_THAT(std::string((*executable)->ExecuteBuffers(nothing, {}).message()),
              HasSubstr("gives 1 arrays, but got memory for 0"));
  EXPECT_EQ((*executable)->memory_stats().output_bytes, 4);
  EXPECT_EQ((*executable)->memory_stats().argument_bytes, 0);
}

// temp = first + constant; output = second + temp, on integers.
void AddAll(char* const* a, int64_t begin, int64_t end) {
  const auto at = [&](int i) { return reinterpret_cast<int32_t*>(a[i]); };
  for (int64_t i = begin; i < end; ++i) {
    at(3)[i] = at(0)[i] + at(2)[i];
    at(1)[i] = at(4)[i] + at(3)[i];
  }
}

// s32[n], s32[n] -> s32[n], which may share the second parameter's memory. Only
// the layout of the entry computation matters here.
std::unique_ptr<CpuExecutable> AddProgram(int64_t n,
                                          std::vector<int32_t> constant) {
  static auto* const runner = new InlineRunner;
  const std::string shape = absl::StrCat("s32[", n, "]");
  auto module = ParseAndReturnUnverifiedModule(absl::StrCat(
      "HloModule m, input_output_alias={ {}: (1, {}, may-alias) }\n"
      "ENTRY e {\n a = ",
      shape, " parameter(0)\n b = ", shape, " parameter(1)\n ROOT r = ", shape,
      " add(a, b)\n}"));
  EXPECT_TRUE(module.ok()) << module.status();
  CpuExecutable::Program program;
  auto code = std::make_shared<std::vector<int32_t>>(std::move(constant));
  const int64_t bytes = 4 * n;
  program.allocations = {{Allocation::Kind::kParameter, 0, bytes, nullptr},
                         {Allocation::Kind::kOutput, 0, bytes, nullptr},
                         {Allocation::Kind::kConstant, -1, bytes,
                          reinterpret_cast<const char*>(code->data())},
                         {Allocation::Kind::kTemp, -1, bytes, nullptr},
                         {Allocation::Kind::kParameter, 1, bytes, nullptr}};
  program.code = code;
  std::vector<Slice> arrays;
  for (int64_t i = 0; i < 5; ++i) arrays.push_back({i, 0, bytes});
  program.thunks.push_back(std::make_unique<KernelThunk>(
      "add", AddAll, n, 1000, std::move(arrays), BufferUses()));
  return std::make_unique<CpuExecutable>(*std::move(module), std::move(program),
                                         runner);
}

TEST(CpuExecutableTest, AnOutputMayBeInADonatedParameter) {
  const auto executable = AddProgram(2, {100, 200});
  const Shape& shape =
      executable->module().entry_computation_layout().result_shape();
  alignas(64) int32_t a[2] = {1, 2}, b[2] = {10, 20}, out[2] = {-1, -1};
  const auto run = [&](int32_t* output, bool donated) {
    const Executable::Input inputs[] = {
        {&shape, reinterpret_cast<char*>(a), false},
        {&shape, reinterpret_cast<char*>(b), donated}};
    const Executable::Output outputs[] = {
        {&shape, reinterpret_cast<char*>(output)}};
    const Executable::DeviceBuffers buffers[] = {{inputs, outputs}};
    EXPECT_TRUE(executable->ExecuteBuffers(buffers, {}).ok());
  };
  run(out, false);
  EXPECT_THAT(out, ::testing::ElementsAre(111, 222));
  EXPECT_THAT(b, ::testing::ElementsAre(10, 20));
  run(b, true);
  EXPECT_THAT(b, ::testing::ElementsAre(111, 222));
  EXPECT_EQ(executable->memory_stats().alias_bytes, 8);
  EXPECT_EQ(executable->memory_stats().temp_bytes, 64);
}

// Runs with large and small arenas, from several threads concurrently.
TEST(CpuExecutableTest, RunsAtOnce) {
  for (const int64_t n : {16, 100000}) {
    const auto executable = AddProgram(n, std::vector<int32_t>(n, 5));
    const Shape& shape =
        executable->module().entry_computation_layout().result_shape();
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t) {
      threads.emplace_back([&, t] {
        std::vector<int32_t> a(n, t), b(n, 10), out(n);
        const Executable::Input inputs[] = {
            {&shape, reinterpret_cast<char*>(a.data()), false},
            {&shape, reinterpret_cast<char*>(b.data()), false}};
        const Executable::Output outputs[] = {
            {&shape, reinterpret_cast<char*>(out.data())}};
        const Executable::DeviceBuffers buffers[] = {{inputs, outputs}};
        for (int i = 0; i < 50; ++i) {
          ASSERT_TRUE(executable->ExecuteBuffers(buffers, {}).ok());
          ASSERT_EQ(out, std::vector<int32_t>(n, 15 + t));
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
  }
}

// Fast enough for programs with one small kernel.
TEST(CpuExecutableTest, OneRunTakesLessThanAMicrosecond) {
  const auto executable = CompileLibraryProgram(kNumber, {});
  ASSERT_TRUE(executable.ok());
  alignas(64) char memory[64];
  const Shape& shape =
      (*executable)->module().entry_computation_layout().result_shape();
  const Executable::Output output{&shape, memory};
  const Executable::DeviceBuffers buffers[1] = {{{}, {&output, 1}}};
  const Executable::RunOptions options;
  double best = 1e9;
  for (int i = 0; i < 20; ++i) {
    const absl::Time start = absl::Now();
    for (int j = 0; j < 1000; ++j) {
      ASSERT_TRUE((*executable)->ExecuteBuffers(buffers, options).ok());
    }
    best =
        std::min(best, absl::ToDoubleMicroseconds(absl::Now() - start) / 1e3);
  }
  std::cout << "microseconds a run: " << best << "\n";
  // Sanitizers are slower.
  EXPECT_LT(best, 20);
}

}  // namespace
}  // namespace xla::cpu
