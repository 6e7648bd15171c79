// A program gives the same bits on any number of threads, even on more than
// there are processors, and its memory is bounded for many threads.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "xla/backends/cpu/cpu_compiler.h"
#include "xla/backends/cpu/cpu_executable.h"
#include "xla/core/literal/literal.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/parser/hlo_parser.h"
#include "xla/runtime/parallel.h"
#include "xla/runtime/thread_pool.h"

namespace xla::cpu {
namespace {

// A program for each way in which work is split, large enough to be split: its
// name, and a module whose parameters are f32.
struct DividedProgram {
  const char* name;
  const char* text;
  // Some of its thunks run side by side.
  bool is_concurrent = false;
};

constexpr DividedProgram kDividedPrograms[] = {
    {"Elementwise", R"(
HloModule m
ENTRY e {
  x = f32[400000] parameter(0)
  y = f32[400000] exponential(x)
  ROOT z = f32[400000] tanh(y)
})"},
    {"ReduceAll", R"(
HloModule m
add { a = f32[] parameter(0) b = f32[] parameter(1) ROOT s = f32[] add(a, b) }
ENTRY e {
  x = f32[1500,700] parameter(0)
  zero = f32[] constant(0)
  rows = f32[1500] reduce(x, zero), dimensions={1}, to_apply=add
  columns = f32[700] reduce(x, zero), dimensions={0}, to_apply=add
  all = f32[] reduce(x, zero), dimensions={0,1}, to_apply=add
  ROOT t = (f32[1500], f32[700], f32[]) tuple(rows, columns, all)
})"},
    {"Dots", R"(
HloModule m
ENTRY e {
  x = f32[310,420] parameter(0)
  y = f32[420,520] parameter(1)
  b = f32[40,70,90] parameter(2)
  v = f32[420] parameter(3)
  large = f32[310,520] dot(x, y), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  batched = f32[40,70,70] dot(b, b), lhs_batch_dims={0}, rhs_batch_dims={0}, lhs_contracting_dims={2}, rhs_contracting_dims={2}
  skinny = f32[310] dot(x, v), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  ROOT t = (f32[310,520], f32[40,70,70], f32[310]) tuple(large, batched, skinny)
})"},
    {"Attention", R"(
HloModule m
add { a = f32[] parameter(0) b = f32[] parameter(1) ROOT s = f32[] add(a, b) }
max { a = f32[] parameter(0) b = f32[] parameter(1) ROOT s = f32[] maximum(a, b) }
ENTRY e {
  q = f32[4,150,32] parameter(0)
  k = f32[4,150,32] parameter(1)
  v = f32[4,150,32] parameter(2)
  s = f32[4,150,150] dot(q, k), lhs_batch_dims={0}, rhs_batch_dims={0}, lhs_contracting_dims={2}, rhs_contracting_dims={2}
  low = f32[] constant(-inf)
  m = f32[4,150] reduce(s, low), dimensions={2}, to_apply=max
  mb = f32[4,150,150] broadcast(m), dimensions={0,1}
  d = f32[4,150,150] subtract(s, mb)
  e = f32[4,150,150] exponential(d)
  zero = f32[] constant(0)
  l = f32[4,150] reduce(e, zero), dimensions={2}, to_apply=add
  lb = f32[4,150,150] broadcast(l), dimensions={0,1}
  p = f32[4,150,150] divide(e, lb)
  ROOT o = f32[4,150,32] dot(p, v), lhs_batch_dims={0}, rhs_batch_dims={0}, lhs_contracting_dims={2}, rhs_contracting_dims={1}
})"},
    {"Convolutions", R"(
HloModule m
ENTRY e {
  x = f32[2,40,40,32] parameter(0)
  k = f32[3,3,32,48] parameter(1)
  d = f32[3,3,1,32] parameter(2)
  c = f32[2,38,38,48] convolution(x, k), window={size=3x3}, dim_labels=b01f_01io->b01f
  w = f32[2,38,38,32] convolution(x, d), window={size=3x3}, dim_labels=b01f_01io->b01f, feature_group_count=32
  ROOT t = (f32[2,38,38,48], f32[2,38,38,32]) tuple(c, w)
})"},
    {"Transforms", R"(
HloModule m
ENTRY e {
  x = f32[6,96,101] parameter(0)
  f = c64[6,96,51] fft(x), fft_type=RFFT, fft_length={96,101}
  ROOT r = f32[6,96,101] fft(f), fft_type=IRFFT, fft_length={96,101}
})"},
    {"Sorts", R"(
HloModule m
less { a = f32[] parameter(0) b = f32[] parameter(1) ROOT c = pred[] compare(a, b), direction=LT, type=TOTALORDER }
odd { a = f32[] parameter(0) b = f32[] parameter(1) aa = f32[] multiply(a, a) bb = f32[] multiply(b, b) ROOT c = pred[] compare(aa, bb), direction=LT }
ENTRY e {
  x = f32[300000] parameter(0)
  y = f32[300,700] parameter(1)
  z = f32[60000] parameter(2)
  a = f32[300000] sort(x), dimensions={0}, to_apply=less
  b = f32[300,700] sort(y), dimensions={1}, to_apply=less
  c = f32[60000] sort(z), dimensions={0}, is_stable=true, to_apply=odd
  ROOT t = (f32[300000], f32[300,700], f32[60000]) tuple(a, b, c)
})"},
    {"TopK", R"(
HloModule m
ENTRY e {
  x = f32[200,3000] parameter(0)
  ROOT t = (f32[200,7], s32[200,7]) topk(x), k=7, largest=true
})"},
    {"Factors", R"(
HloModule m
ENTRY e {
  x = f32[3,120,120] parameter(0)
  b = f32[3,120,80] parameter(1)
  xx = f32[3,120,120] dot(x, x), lhs_batch_dims={0}, rhs_batch_dims={0}, lhs_contracting_dims={2}, rhs_contracting_dims={2}
  l = f32[3,120,120] cholesky(xx), lower=true
  s = f32[3,120,80] triangular-solve(l, b), left_side=true, lower=true, transpose_a=NO_TRANSPOSE
  ROOT t = (f32[3,120,120], f32[3,120,80]) tuple(l, s)
})"},
    {"SmallFactors", R"(
HloModule m
ENTRY e {
  x = f32[3000,5,5] parameter(0)
  b = f32[3000,5,2] parameter(1)
  xx = f32[3000,5,5] dot(x, x), lhs_batch_dims={0}, rhs_batch_dims={0}, lhs_contracting_dims={2}, rhs_contracting_dims={2}
  l = f32[3000,5,5] cholesky(xx), lower=true
  s = f32[3000,5,2] triangular-solve(l, b), left_side=true, lower=true, transpose_a=NO_TRANSPOSE
  ROOT t = (f32[3000,5,5], f32[3000,5,2]) tuple(l, s)
})"},
    {"StackedColumns", R"(
HloModule m
ENTRY e {
  x = f32[100003,2] parameter(0)
  a = f32[100003,1] slice(x), slice={[0:100003], [0:1]}
  b = f32[100003,1] slice(x), slice={[0:100003], [1:2]}
  c = f32[100003,1] tanh(a)
  d = f32[100003,1] multiply(b, c)
  e = f32[100003,1] exponential(d)
  ROOT s = f32[100003,5] concatenate(a, b, c, d, e), dimensions={1}
})"},
    {"Scatter", R"(
HloModule m
add { a = f32[] parameter(0) b = f32[] parameter(1) ROOT s = f32[] add(a, b) }
ENTRY e {
  x = f32[500,600] parameter(0)
  u = f32[3000,600] parameter(1)
  i = s32[3000,1] iota(), iota_dimension=0
  n = s32[] constant(977)
  nb = s32[3000,1] broadcast(n), dimensions={}
  p = s32[3000,1] multiply(i, nb)
  m = s32[] constant(500)
  mb = s32[3000,1] broadcast(m), dimensions={}
  at = s32[3000,1] remainder(p, mb)
  ROOT r = f32[500,600] scatter(x, at, u), update_window_dims={1}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=add
})"},
    {"ScatterOfBatches", R"(
HloModule m
add { a = f32[] parameter(0) b = f32[] parameter(1) ROOT s = f32[] add(a, b) }
ENTRY e {
  x = f32[70,300] parameter(0)
  u = f32[3000,300] parameter(1)
  i = s32[3000,300] iota(), iota_dimension=0
  j = s32[3000,300] iota(), iota_dimension=1
  n = s32[] constant(977)
  nb = s32[3000,300] broadcast(n), dimensions={}
  p = s32[3000,300] multiply(i, nb)
  q = s32[3000,300] add(p, j)
  m = s32[] constant(71)
  mb = s32[3000,300] broadcast(m), dimensions={}
  at = s32[3000,300] remainder(q, mb)
  ROOT r = f32[70,300] scatter(x, at, u), update_window_dims={}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, input_batching_dims={1}, scatter_indices_batching_dims={1}, index_vector_dim=2, to_apply=add
})"},
    {"Branches", R"(
HloModule m
ENTRY e {
  x = f32[90,100] parameter(0)
  u = f32[100,110] parameter(1)
  v = f32[110,120] parameter(2)
  w = f32[100,130] parameter(3)
  z = f32[130,120] parameter(4)
  y = f32[90,100] parameter(5)
  a = f32[90,110] dot(x, u), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  s = f32[90,110] tanh(a)
  b = f32[90,120] dot(s, v), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  c = f32[90,130] dot(x, w), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  t = f32[90,130] tanh(c)
  d = f32[90,120] dot(t, z), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  r = f32[90,120] add(b, d)
  i = f32[90,90] dot(x, x), lhs_contracting_dims={1}, rhs_contracting_dims={1}
  j = f32[90,90] dot(x, y), lhs_contracting_dims={1}, rhs_contracting_dims={1}
  k = f32[90,90] dot(y, y), lhs_contracting_dims={1}, rhs_contracting_dims={1}
  ROOT o = (f32[90,120], f32[90,90], f32[90,90], f32[90,90]) tuple(r, i, j, k)
})",
     /*is_concurrent=*/true},
    {"LoopOfBranches", R"(
HloModule m
more {
  p = (s32[], f32[96,96], f32[96,96]) parameter(0)
  i = s32[] get-tuple-element(p), index=0
  n = s32[] constant(5)
  ROOT c = pred[] compare(i, n), direction=LT
}
twice {
  p = (s32[], f32[96,96], f32[96,96]) parameter(0)
  i = s32[] get-tuple-element(p), index=0
  x = f32[96,96] get-tuple-element(p), index=1
  y = f32[96,96] get-tuple-element(p), index=2
  one = s32[] constant(1)
  j = s32[] add(i, one)
  a = f32[96,96] dot(x, x), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  b = f32[96,96] dot(y, y), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  c = f32[96,96] dot(x, y), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  d = f32[96,96] dot(y, x), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  f = f32[96,96] dot(x, x), lhs_contracting_dims={1}, rhs_contracting_dims={1}
  g = f32[96,96] dot(y, y), lhs_contracting_dims={1}, rhs_contracting_dims={1}
  ac = f32[96,96] add(a, c)
  acd = f32[96,96] add(ac, d)
  bf = f32[96,96] add(b, f)
  bfg = f32[96,96] add(bf, g)
  v = f32[96,96] tanh(acd)
  w = f32[96,96] tanh(bfg)
  ROOT t = (s32[], f32[96,96], f32[96,96]) tuple(j, v, w)
}
ENTRY e {
  x = f32[96,96] parameter(0)
  y = f32[96,96] parameter(1)
  zero = s32[] constant(0)
  t = (s32[], f32[96,96], f32[96,96]) tuple(zero, x, y)
  l = (s32[], f32[96,96], f32[96,96]) while(t), condition=more, body=twice
  v = f32[96,96] get-tuple-element(l), index=1
  w = f32[96,96] get-tuple-element(l), index=2
  ROOT o = (f32[96,96], f32[96,96]) tuple(v, w)
})",
     /*is_concurrent=*/true},
    {"LoopOfOneOperand", R"(
HloModule m
more {
  p = (s32[], f32[60,300], f32[300,300]) parameter(0)
  i = s32[] get-tuple-element(p), index=0
  n = s32[] constant(5)
  ROOT c = pred[] compare(i, n), direction=LT
}
step {
  p = (s32[], f32[60,300], f32[300,300]) parameter(0)
  i = s32[] get-tuple-element(p), index=0
  x = f32[60,300] get-tuple-element(p), index=1
  w = f32[300,300] get-tuple-element(p), index=2
  one = s32[] constant(1)
  j = s32[] add(i, one)
  a = f32[60,300] dot(x, w), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  y = f32[60,300] tanh(a)
  ROOT t = (s32[], f32[60,300], f32[300,300]) tuple(j, y, w)
}
ENTRY e {
  x = f32[60,300] parameter(0)
  w = f32[300,300] parameter(1)
  zero = s32[] constant(0)
  t = (s32[], f32[60,300], f32[300,300]) tuple(zero, x, w)
  l = (s32[], f32[60,300], f32[300,300]) while(t), condition=more, body=step
  ROOT r = f32[60,300] get-tuple-element(l), index=1
})"},
    {"Windows", R"(
HloModule m
add { a = f32[] parameter(0) b = f32[] parameter(1) ROOT s = f32[] add(a, b) }
ENTRY e {
  x = f32[8,200,210] parameter(0)
  zero = f32[] constant(0)
  w = f32[8,198,208] reduce-window(x, zero), window={size=1x3x3}, to_apply=add
  ROOT c = f32[8,200,210] reduce-window(x, zero), window={size=1x1x210 pad=0_0x0_0x209_0}, to_apply=add
})"},
};

std::vector<Literal> ArgumentsOf(const Executable& executable) {
  std::vector<Literal> arguments;
  uint32_t state = 7;
  for (const ShapeLayout& parameter :
       executable.module().entry_computation_layout().parameter_layouts()) {
    Literal& literal = arguments.emplace_back(parameter.shape());
    for (float& x : literal.data<float>()) {
      state = state * 1664525 + 1013904223;
      x = static_cast<float>(state >> 8) / (1 << 23) - 1;
    }
  }
  return arguments;
}

// The bytes of all results.
std::string BytesOf(const std::vector<Literal>& results) {
  std::string bytes;
  for (const Literal& result : results) {
    ShapeUtil::ForEachSubshape(
        result.shape(), [&](const Shape& shape, const ShapeIndex& index) {
          if (!shape.IsArray()) return;
          bytes.append(static_cast<const char*>(result.untyped_data(index)),
                       result.size_bytes(index));
        });
  }
  return bytes;
}

bool RunsSomeSideBySide(const Executable& executable) {
  const auto& thunks = dynamic_cast<const CpuExecutable&>(executable).thunks();
  return std::any_of(thunks.begin(), thunks.end(), [](const auto& thunk) {
    return thunk->kind() == "concurrent";
  });
}

class ThreadCountsTest : public testing::TestWithParam<DividedProgram> {};

TEST_P(ThreadCountsTest, SameBits) {
  std::string alone;
  for (const int threads : {1, 2, 3, 7, 16, 64}) {
    ThreadPool pool(threads);
    CpuCompiler compiler({.runner = &pool, .pool = &pool});
    auto module = ParseAndReturnUnverifiedModule(GetParam().text);
    ASSERT_TRUE(module.ok()) << module.status();
    const auto executable = compiler.Compile(*std::move(module));
    ASSERT_TRUE(executable.ok()) << executable.status();
    EXPECT_TRUE(RunsSomeSideBySide(**executable) || !GetParam().is_concurrent);
    const std::vector<Literal> arguments = ArgumentsOf(**executable);
    std::vector<std::vector<const Literal*>> pointers(1);
    for (const Literal& argument : arguments) pointers[0].push_back(&argument);
    for (int run = 0; run < 2; ++run) {
      const auto results = (*executable)->Execute(pointers, {});
      ASSERT_TRUE(results.ok()) << results.status();
      const std::string bytes = BytesOf(*results);
      if (alone.empty()) alone = bytes;
      ASSERT_FALSE(bytes.empty());
      EXPECT_TRUE(bytes == alone) << threads << " threads, run " << run;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Programs, ThreadCountsTest,
                         testing::ValuesIn(kDividedPrograms),
                         [](const auto& info) { return info.param.name; });

// The scratch of large matrices: one per matrix that is processed concurrently.
TEST(ScratchTest, OfFactorsDoesNotGrowWithoutBound) {
  class ManyThreads : public InlineRunner {
   public:
    int num_threads() const override { return 64; }
  };
  for (const char* text : {R"(
HloModule m
ENTRY e {
  a = f64[32,1024,1024] parameter(0)
  b = f64[32,1024,64] parameter(1)
  ROOT x = f64[32,1024,64] triangular-solve(a, b), left_side=true, lower=true, transpose_a=NO_TRANSPOSE
})",
                           R"(
HloModule m
ENTRY e {
  a = f64[32,1024,1024] parameter(0)
  ROOT l = f64[32,1024,1024] cholesky(a), lower=true
})"}) {
    ManyThreads threads;
    CpuCompiler compiler({.runner = &threads});
    const auto executable =
        compiler.Compile(*ParseAndReturnUnverifiedModule(text));
    ASSERT_TRUE(executable.ok()) << executable.status();
    EXPECT_LE((*executable)->memory_stats().temp_bytes, 80 << 20);
  }
}

}  // namespace
}  // namespace xla::cpu
