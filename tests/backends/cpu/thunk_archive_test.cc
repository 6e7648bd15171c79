// Thunks that were written and read again: what they say of themselves is the
// same, and so is each bit of their results.
#include "xla/backends/cpu/thunks/thunk_archive.h"

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "xla/backends/cpu/cpu_compiler.h"
#include "xla/backends/cpu/cpu_executable.h"
#include "xla/backends/cpu/thunks/library/read_thunks.h"
#include "xla/backends/cpu/thunks/thunk_sequence_builder.h"
#include "xla/core/literal/fake_literal.h"
#include "xla/hlo/parser/hlo_parser.h"
#include "xla/runtime/thread_pool.h"

namespace xla::cpu {
namespace {

using ::testing::HasSubstr;

// The functions and constants of an executable.
class ProgramOf : public ThunkReader::Program {
 public:
  explicit ProgramOf(const CpuExecutable& executable)
      : executable_(executable) {}

  // Numbers functions in the order in which they are asked for.
  int64_t NumberOf(KernelFunction function) {
    for (size_t i = 0; i < functions_.size(); ++i) {
      if (functions_[i] == function) return static_cast<int64_t>(i);
    }
    functions_.push_back(function);
    return static_cast<int64_t>(functions_.size()) - 1;
  }
  KernelFunction Kernel(int64_t number) override {
    return number < static_cast<int64_t>(functions_.size()) ? functions_[number]
                                                            : nullptr;
  }
  absl::StatusOr<MemoryChunk> ConstantInForm(
      const Slice& constant, absl::string_view form, int64_t bytes,
      absl::FunctionRef<void(const void*, void*)> write) override {
    absl::StatusOr<MemoryChunk> memory = MemoryChunk::Allocate(bytes);
    if (!memory.ok()) return memory;
    const auto& allocation =
        executable_.program().allocations[constant.allocation];
    write(allocation.data + constant.offset, memory->data());
    return memory;
  }

 private:
  const CpuExecutable& executable_;
  std::vector<KernelFunction> functions_;
};

absl::StatusOr<std::string> Write(const ThunkSequence& thunks,
                                  ProgramOf& program) {
  ThunkWriter writer(
      [&](KernelFunction function) { return program.NumberOf(function); });
  if (absl::Status status = writer.WriteSequence(thunks); !status.ok()) {
    return status;
  }
  return std::move(writer).TakeBytes();
}

std::vector<Literal> FakeArguments(const HloModule& module) {
  std::vector<Literal> arguments;
  for (const HloInstruction* parameter :
       module.entry_computation()->parameter_instructions()) {
    arguments.push_back(*MakeFakeLiteral(parameter->shape()));
  }
  return arguments;
}

class ThunkArchiveTest : public ::testing::Test {
 protected:
  ThunkArchiveTest()
      : pool_(2), compiler_({.runner = &pool_, .pool = &pool_}) {}

  std::unique_ptr<Executable> Compile(const std::string& text) {
    auto executable = compiler_.Compile(*ParseAndReturnUnverifiedModule(text));
    EXPECT_TRUE(executable.ok()) << executable.status();
    return executable.ok() ? *std::move(executable) : nullptr;
  }

  // Writes and reads the thunks of `text`, one of which is a `kind`.
  void Check(const std::string& text, absl::string_view kind) {
    SCOPED_TRACE(text);
    const std::unique_ptr<Executable> made = Compile(text);
    ASSERT_NE(made, nullptr);
    const auto& executable = static_cast<const CpuExecutable&>(*made);
    const std::string listing = ThunkSequenceToString(executable.thunks());
    EXPECT_THAT(listing, HasSubstr(std::string(kind)));
    ProgramOf program(executable);
    const auto bytes = Write(executable.thunks(), program);
    ASSERT_TRUE(bytes.ok()) << bytes.status();
    const VectorLevelScope scope(executable.program().vector_level);
    ThunkReader reader(*bytes, &program);
    absl::StatusOr<ThunkSequence> read = ReadThunks(reader);
    ASSERT_TRUE(read.ok()) << read.status();
    EXPECT_TRUE(reader.at_end());
    EXPECT_EQ(ThunkSequenceToString(*read), listing);
    for (size_t i = 0; i < read->size(); ++i) {
      const Thunk& was = *executable.thunks()[i];
      const Thunk& is = *(*read)[i];
      EXPECT_EQ(is.scratch_bytes(3), was.scratch_bytes(3)) << was.name();
      EXPECT_EQ(is.kept_bytes(), was.kept_bytes()) << was.name();
      EXPECT_EQ(is.scratch_from(), was.scratch_from()) << was.name();
    }
    const auto again = Write(*read, program);
    ASSERT_TRUE(again.ok()) << again.status();
    EXPECT_EQ(*again, *bytes);
    CheckResults(executable, *std::move(read));
  }

  void CheckResults(const CpuExecutable& executable, ThunkSequence thunks) {
    const std::vector<Literal> arguments = FakeArguments(executable.module());
    std::vector<const Literal*> pointers;
    for (const Literal& argument : arguments) pointers.push_back(&argument);
    const CpuExecutable other(
        executable.module().Clone(""),
        {.thunks = std::move(thunks),
         .vector_level = executable.program().vector_level,
         .allocations = executable.program().allocations},
        &pool_, &pool_);
    const auto want = executable.Execute({pointers}, {});
    const auto got = other.Execute({pointers}, {});
    ASSERT_TRUE(want.ok()) << want.status();
    ASSERT_TRUE(got.ok()) << got.status();
    EXPECT_EQ((*got)[0], (*want)[0]);
  }

  ThreadPool pool_;
  CpuCompiler compiler_;
};

TEST_F(ThunkArchiveTest, Kernels) {
  Check(R"(HloModule m
ENTRY e {
  p = f32[300,200] parameter(0)
  s = f32[300,200] sine(p)
  zero = f32[] constant(0)
  ROOT r = f32[300] reduce(s, zero), dimensions={1}, to_apply={
    a = f32[] parameter(0)
    b = f32[] parameter(1)
    ROOT c = f32[] add(a, b)
  }
})",
        "kernel");
}

TEST_F(ThunkArchiveTest, Dots) {
  Check(R"(HloModule m
ENTRY e {
  p = f32[64,96] parameter(0)
  q = f32[96,128] parameter(1)
  b = f32[128] parameter(2)
  d = f32[64,128] dot(p, q), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  c = f32[64,128] broadcast(b), dimensions={1}
  s = f32[64,128] add(d, c)
  ROOT t = f32[64,128] tanh(s)
})",
        "dot");
  Check(R"(HloModule m
ENTRY e {
  p = bf16[5,7,32] parameter(0)
  q = bf16[7,33,32] parameter(1)
  ROOT d = bf16[7,5,33] dot(p, q), lhs_batch_dims={1}, rhs_batch_dims={0}, lhs_contracting_dims={2}, rhs_contracting_dims={2}
})",
        "dot");
}

TEST_F(ThunkArchiveTest, ConstantOperandIsPackedAgain) {
  std::string values;
  for (int row = 0; row < 128; ++row) {
    values += row == 0 ? "{" : ", {";
    for (int column = 0; column < 160; ++column) {
      values += std::string(column == 0 ? "" : ", ") +
                std::to_string((row * 7 + column * 3) % 11 - 5);
    }
    values += "}";
  }
  Check(R"(HloModule m
ENTRY e {
  p = f32[96,128] parameter(0)
  w = f32[128,160] constant({)" +
            values + R"(})
  ROOT d = f32[96,160] dot(p, w), lhs_contracting_dims={1}, rhs_contracting_dims={0}
})",
        ", constant");
}

TEST_F(ThunkArchiveTest, LoopKeepsPackedOperand) {
  Check(R"(HloModule m
cond {
  s = (s32[], f32[8,512], f32[512,512]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  n = s32[] constant(5)
  ROOT t = pred[] compare(i, n), direction=LT
}
body {
  s = (s32[], f32[8,512], f32[512,512]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  x = f32[8,512] get-tuple-element(s), index=1
  w = f32[512,512] get-tuple-element(s), index=2
  one = s32[] constant(1)
  next = s32[] add(i, one)
  d = f32[8,512] dot(x, w), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  y = f32[8,512] tanh(d)
  ROOT r = (s32[], f32[8,512], f32[512,512]) tuple(next, y, w)
}
ENTRY e {
  x = f32[8,512] parameter(0)
  w = f32[512,512] parameter(1)
  zero = s32[] constant(0)
  s = (s32[], f32[8,512], f32[512,512]) tuple(zero, x, w)
  l = (s32[], f32[8,512], f32[512,512]) while(s), condition=cond, body=body
  ROOT y = f32[8,512] get-tuple-element(l), index=1
})",
        "jump");
}

TEST_F(ThunkArchiveTest, Convolutions) {
  Check(R"(HloModule m
ENTRY e {
  p = f32[2,16,9,9] parameter(0)
  k = f32[24,16,3,3] parameter(1)
  ROOT c = f32[2,24,9,9] convolution(p, k), window={size=3x3 pad=1_1x1_1}, dim_labels=bf01_oi01->bf01
})",
        "convolution");
}

// softmax(q k) v; `mask` is the text that makes "masked" of the scores "s".
std::string AttentionText(const std::string& mask) {
  return R"(HloModule m
add {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT c = f32[] add(a, b)
}
max {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT c = f32[] maximum(a, b)
}
ENTRY e {
  q = f32[4,256,64] parameter(0)
  k = f32[4,256,64] parameter(1)
  v = f32[4,256,64] parameter(2)
  s = f32[4,256,256] dot(q, k), lhs_batch_dims={0}, rhs_batch_dims={0}, lhs_contracting_dims={2}, rhs_contracting_dims={2}
)" + mask +
         R"(
  least = f32[] constant(-inf)
  m = f32[4,256] reduce(masked, least), dimensions={2}, to_apply=max
  mm = f32[4,256,256] broadcast(m), dimensions={0,1}
  d = f32[4,256,256] subtract(masked, mm)
  x = f32[4,256,256] exponential(d)
  zero = f32[] constant(0)
  t = f32[4,256] reduce(x, zero), dimensions={2}, to_apply=add
  tt = f32[4,256,256] broadcast(t), dimensions={0,1}
  w = f32[4,256,256] divide(x, tt)
  ROOT o = f32[4,256,64] dot(w, v), lhs_batch_dims={0}, rhs_batch_dims={0}, lhs_contracting_dims={2}, rhs_contracting_dims={1}
})";
}

TEST_F(ThunkArchiveTest, Attention) {
  Check(AttentionText(R"(
  half = f32[] constant(0.5)
  halves = f32[4,256,256] broadcast(half), dimensions={}
  masked = f32[4,256,256] multiply(s, halves))"),
        "attention");
}

// The compiler does not ask each row for its columns unless it is to write
// thunks.
TEST_F(ThunkArchiveTest, AttentionWithoutTheColumnsOfItsMaskIsRefused) {
  const std::unique_ptr<Executable> made = Compile(AttentionText(R"(
  i = s32[4,256,256] iota(), iota_dimension=1
  j = s32[4,256,256] iota(), iota_dimension=2
  mask = pred[4,256,256] compare(i, j), direction=GE
  low = f32[] constant(-1e30)
  lows = f32[4,256,256] broadcast(low), dimensions={}
  masked = f32[4,256,256] select(mask, s, lows))"));
  ASSERT_NE(made, nullptr);
  const auto& executable = static_cast<const CpuExecutable&>(*made);
  ProgramOf program(executable);
  EXPECT_EQ(Write(executable.thunks(), program).status().code(),
            absl::StatusCode::kInternal);
}

TEST_F(ThunkArchiveTest, SortsAndTransforms) {
  Check(R"(HloModule m
ENTRY e {
  p = f32[40,1000] parameter(0)
  ROOT s = f32[40,1000] sort(p), dimensions={1}, to_apply={
    a = f32[] parameter(0)
    b = f32[] parameter(1)
    ROOT c = pred[] compare(a, b), direction=GT, type=TOTALORDER
  }
})",
        "sort");
  Check(R"(HloModule m
ENTRY e {
  p = f32[40,100] parameter(0)
  ROOT s = f32[40,100] sort(p), dimensions={1}, to_apply={
    a = f32[] parameter(0)
    b = f32[] parameter(1)
    aa = f32[] abs(a)
    bb = f32[] abs(b)
    ROOT c = pred[] compare(aa, bb), direction=LT
  }
})",
        "sort");
  Check(R"(HloModule m
ENTRY e {
  p = f32[4,1000] parameter(0)
  ROOT t = (f32[4,8], s32[4,8]) topk(p), k=8, largest=true
})",
        "topk");
  Check(R"(HloModule m
ENTRY e {
  p = c64[3,96] parameter(0)
  ROOT f = c64[3,96] fft(p), fft_type=FFT, fft_length={96}
})",
        "fft");
}

TEST_F(ThunkArchiveTest, Conditionals) {
  Check(R"(HloModule m
up {
  x = f32[64,64] parameter(0)
  ROOT y = f32[64,64] dot(x, x), lhs_contracting_dims={1}, rhs_contracting_dims={0}
}
down {
  x = f32[64,64] parameter(0)
  ROOT y = f32[64,64] negate(x)
}
ENTRY e {
  i = s32[] parameter(0)
  x = f32[64,64] parameter(1)
  ROOT c = f32[64,64] conditional(i, x, x), branch_computations={up, down}
})",
        "switch");
}

TEST_F(ThunkArchiveTest, HostCodeIsRefused) {
  const std::unique_ptr<Executable> made = Compile(R"(HloModule m
ENTRY e {
  t = token[] after-all()
  i = (f32[4], token[]) infeed(t)
  ROOT x = f32[4] get-tuple-element(i), index=0
})");
  ASSERT_NE(made, nullptr);
  const auto& executable = static_cast<const CpuExecutable&>(*made);
  ProgramOf program(executable);
  const auto bytes = Write(executable.thunks(), program);
  EXPECT_EQ(bytes.status().code(), absl::StatusCode::kUnimplemented);
  EXPECT_THAT(bytes.status().message(), HasSubstr("infeed"));
}

TEST_F(ThunkArchiveTest, DamagedBytesAreAnError) {
  const std::unique_ptr<Executable> made = Compile(R"(HloModule m
ENTRY e {
  p = f32[64,96] parameter(0)
  q = f32[96,128] parameter(1)
  ROOT d = f32[64,128] dot(p, q), lhs_contracting_dims={1}, rhs_contracting_dims={0}
})");
  ASSERT_NE(made, nullptr);
  const auto& executable = static_cast<const CpuExecutable&>(*made);
  ProgramOf program(executable);
  const auto bytes = Write(executable.thunks(), program);
  ASSERT_TRUE(bytes.ok()) << bytes.status();
  for (size_t length = 0; length < bytes->size(); ++length) {
    ThunkReader reader(absl::string_view(*bytes).substr(0, length), &program);
    EXPECT_FALSE(ReadThunks(reader).ok()) << length;
  }
}

}  // namespace
}  // namespace xla::cpu
