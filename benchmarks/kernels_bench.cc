// Times the library kernels of the CPU backend on one core.
#include <unistd.h>

#include <cmath>
#include <cstdint>
#include <new>
#include <random>
#include <vector>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "benchmark/benchmark.h"
#include "xla/backends/cpu/kernels/attention/attention.h"
#include "xla/backends/cpu/kernels/cholesky.h"
#include "xla/backends/cpu/kernels/fft.h"
#include "xla/backends/cpu/kernels/convolutions/convolution.h"
#include "xla/backends/cpu/kernels/products/dot.h"
#include "xla/backends/cpu/kernels/sort.h"
#include "xla/backends/cpu/kernels/topk.h"
#include "xla/backends/cpu/kernels/triangular_solve.h"
#include "xla/core/primitive_util.h"
#include "xla/runtime/parallel.h"

namespace xla::cpu {
namespace {

// Normally distributed numbers; kernels of other types read their bytes.
std::vector<float> Normal(int64_t count) {
  std::mt19937 random(1);
  std::normal_distribution<float> normal;
  std::vector<float> values(count);
  for (float& value : values) value = normal(random);
  return values;
}

// Memory for a kernel's scratch, aligned to 64 bytes as kernels ask for.
class Scratch {
 public:
  explicit Scratch(size_t bytes)
      : data_(static_cast<char*>(
            ::operator new(bytes + 64, std::align_val_t{64}))) {}
  ~Scratch() { ::operator delete(data_, std::align_val_t{64}); }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  char* data() const { return data_; }

 private:
  char* const data_;
};

// This machine.
KernelTarget HostTarget() {
  KernelTarget target;
#if defined(_SC_LEVEL1_DCACHE_SIZE)
  const int64_t l1 = sysconf(_SC_LEVEL1_DCACHE_SIZE);
  const int64_t l2 = sysconf(_SC_LEVEL2_CACHE_SIZE);
  if (l1 > 0 && l2 > 0) target.caches = {l1, l2};
#endif
  return target;
}

void SetRate(benchmark::State& state, const char* name, double amount) {
  state.counters[name] =
      benchmark::Counter(amount, benchmark::Counter::kIsIterationInvariantRate);
}

#if defined(__x86_64__)
// The limit of what products may reach without AVX-512: multiplications and
// additions in registers, of so many sums that their latency is hidden.
__attribute__((target("avx2,fma"))) void BM_MultiplyAdd(
    benchmark::State& state) {
  constexpr int kSums = 12;
  constexpr int64_t kSteps = 100000;
  __m256 sums[kSums];
  for (int i = 0; i < kSums; ++i) sums[i] = _mm256_set1_ps(0.1f * i);
  const __m256 factor = _mm256_set1_ps(0.999f), term = _mm256_set1_ps(0.001f);
  for (auto _ : state) {
    for (int64_t step = 0; step < kSteps; ++step) {
#pragma GCC unroll 12
      for (int i = 0; i < kSums; ++i) {
        sums[i] = _mm256_fmadd_ps(sums[i], factor, term);
      }
    }
  }
  for (const __m256& sum : sums) benchmark::DoNotOptimize(sum);
  SetRate(state, "flops", 2.0 * 8 * kSums * kSteps);
}
BENCHMARK(BM_MultiplyAdd)->Unit(benchmark::kMicrosecond);
#endif

void BM_Dot(benchmark::State& state, DotDesc desc) {
  const auto bytes = [&](PrimitiveType type, int64_t rows, int64_t columns) {
    return desc.batch * rows * columns * primitive_util::ByteWidth(type);
  };
  const std::vector<float> lhs = Normal(bytes(desc.lhs, desc.m, desc.k) / 4);
  const std::vector<float> rhs = Normal(bytes(desc.rhs, desc.k, desc.n) / 4);
  std::vector<float> out(bytes(desc.out, desc.m, desc.n) / 4);
  const auto plan = DotPlan::Make(desc, HostTarget());
  const Scratch scratch((*plan)->ScratchBytes(1));
  InlineRunner runner;
  for (auto _ : state) {
    (*plan)->Run(lhs.data(), rhs.data(), out.data(), scratch.data(), runner);
    benchmark::ClobberMemory();
  }
  SetRate(state, "flops", 2.0 * desc.batch * desc.m * desc.n * desc.k);
  SetRate(state, "bytes", 4.0 * (lhs.size() + rhs.size() + out.size()));
}
#define DOT(name, ...)                                  \
  BENCHMARK_CAPTURE(BM_Dot, name, DotDesc{__VA_ARGS__}) \
      ->Unit(benchmark::kMicrosecond)
DOT(f32_4, F32, F32, F32, 1, 4, 4, 4);
DOT(f32_8, F32, F32, F32, 1, 8, 8, 8);
DOT(f32_16, F32, F32, F32, 1, 16, 16, 16);
DOT(f32_32, F32, F32, F32, 1, 32, 32, 32);
DOT(f32_32_t, F32, F32, F32, 1, 32, 32, 32, false, true);
DOT(f32_64, F32, F32, F32, 1, 64, 64, 64);
DOT(f32_64_t, F32, F32, F32, 1, 64, 64, 64, false, true);
DOT(f32_1x64x64, F32, F32, F32, 1, 1, 64, 64);
DOT(bf16_32, BF16, BF16, BF16, 1, 32, 32, 32);
DOT(f32_8x8x8x8, F32, F32, F32, 8, 8, 8, 8);
DOT(f32_8x32x32x32, F32, F32, F32, 8, 32, 32, 32);
DOT(f32_256, F32, F32, F32, 1, 256, 256, 256);
DOT(f32_512, F32, F32, F32, 1, 512, 512, 512);
DOT(f32_768, F32, F32, F32, 1, 768, 768, 768);
DOT(f32_1024, F32, F32, F32, 1, 1024, 1024, 1024);
DOT(f32_2048, F32, F32, F32, 1, 2048, 2048, 2048);
DOT(f32_512x3072x768, F32, F32, F32, 1, 512, 3072, 768);
DOT(f32_nt_odd, F32, F32, F32, 1, 509, 257, 331, false, true);
DOT(f32_tn_512, F32, F32, F32, 1, 512, 512, 128, true, false);
DOT(f32_64x128, F32, F32, F32, 64, 128, 128, 128);
DOT(f32_vector_4096, F32, F32, F32, 1, 4096, 1, 4096);
DOT(f32_vector_left_4096, F32, F32, F32, 1, 1, 4096, 4096);
DOT(f32_8x4096, F32, F32, F32, 1, 8, 4096, 4096);
DOT(f32_8x4096_t, F32, F32, F32, 1, 8, 4096, 4096, false, true);
DOT(f32_32x256, F32, F32, F32, 1, 32, 256, 256);
DOT(f32_8x512x128, F32, F32, F32, 1, 8, 512, 128);
DOT(f32_8x128x512_t, F32, F32, F32, 1, 8, 128, 512, false, true);
DOT(f32_8_keys_1024x64, F32, F32, F32, 8, 1, 1024, 64, false, true);
DOT(f32_8_values_1024x64, F32, F32, F32, 8, 1, 64, 1024);
DOT(f32_attention_scores, F32, F32, F32, 16, 512, 512, 64, false, true);
DOT(f32_2000x16x16, F32, F32, F32, 2000, 16, 16, 16);
DOT(f32_50000x4x4, F32, F32, F32, 50000, 4, 4, 4);
DOT(f64_1024, F64, F64, F64, 1, 1024, 1024, 1024);
DOT(f64_512, F64, F64, F64, 1, 512, 512, 512);
DOT(bf16_1024, BF16, BF16, BF16, 1, 1024, 1024, 1024);
DOT(s8_1024, S8, S8, S32, 1, 1024, 1024, 1024);
DOT(s32_512, S32, S32, S32, 1, 512, 512, 512);
DOT(c64_512, C64, C64, C64, 1, 512, 512, 512);

// Attention without the softmax.
void BM_Attention(benchmark::State& state, int64_t batch, int64_t rows,
                  int64_t depth) {
  AttentionDesc desc;
  desc.first = {F32, F32, F32, batch, rows, rows, depth, false, true};
  desc.second = {F32, F32, F32, batch, rows, depth, rows};
  const std::vector<float> operand = Normal(batch * rows * depth);
  std::vector<float> out(operand.size());
  const auto plan = AttentionPlan::Make(desc, HostTarget());
  const Scratch scratch((*plan)->ScratchBytes(1));
  InlineRunner runner;
  for (auto _ : state) {
    (*plan)->Run(
        operand.data(), operand.data(), operand.data(), out.data(),
        [](int64_t, int64_t, ColumnRange, char*, char*) {}, scratch.data(),
        runner);
    benchmark::ClobberMemory();
  }
  SetRate(state, "flops", 4.0 * batch * rows * rows * depth);
}
BENCHMARK_CAPTURE(BM_Attention, attention_16x512x64, 16, 512, 64)
    ->Unit(benchmark::kMicrosecond);

// A matrix whose triangles and whose Cholesky factor are well conditioned.
std::vector<float> Dominant(int64_t order) {
  std::vector<float> a = Normal(order * order);
  for (float& value : a) value /= order;
  for (int64_t i = 0; i < order; ++i) a[i * order + i] = 2;
  return a;
}

void BM_TriangularSolve(benchmark::State& state, bool left, int64_t order) {
  const TriangularDesc desc = {.left = left, .rows = order, .columns = order};
  const std::vector<float> a = Dominant(order);
  std::vector<float> x = Normal(order * order);
  const TriangularSolvePlan plan(desc, KernelTarget());
  const Scratch scratch(plan.ScratchBytes());
  InlineRunner runner;
  for (auto _ : state) {
    plan.Run(a.data(), x.data(), scratch.data(), runner);
    benchmark::ClobberMemory();
    // Otherwise x would shrink to zero.
    state.PauseTiming();
    x = Normal(order * order);
    state.ResumeTiming();
  }
  SetRate(state, "flops", 1.0 * order * order * order);
}
BENCHMARK_CAPTURE(BM_TriangularSolve, left_512, true, 512)
    ->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(BM_TriangularSolve, right_512, false, 512)
    ->Unit(benchmark::kMicrosecond);

void BM_Cholesky(benchmark::State& state, int64_t order) {
  const std::vector<float> matrix = Dominant(order);
  const CholeskyPlan plan(F32, order, KernelTarget());
  const Scratch scratch(plan.ScratchBytes());
  InlineRunner runner;
  for (auto _ : state) {
    std::vector<float> a = matrix;
    plan.Run(a.data(), scratch.data(), runner);
    benchmark::ClobberMemory();
  }
  SetRate(state, "flops", 1.0 / 3 * order * order * order);
}
BENCHMARK_CAPTURE(BM_Cholesky, 512, 512)->Unit(benchmark::kMicrosecond);

// Square images and kernels with "SAME" padding.
void BM_Convolution(benchmark::State& state, int64_t batch, int64_t size,
                    int64_t in, int64_t out, int64_t kernel, int64_t stride,
                    int64_t groups) {
  ConvolutionDesc desc = {F32, F32, F32, batch, in, out, groups, 1};
  const ConvolutionDim dim = {.input = size,
                              .kernel = kernel,
                              .output = (size + stride - 1) / stride,
                              .stride = stride,
                              .padding_low = (kernel - 1) / 2};
  desc.dims = {dim, dim};
  const int64_t positions = batch * dim.output * dim.output;
  const std::vector<float> input = Normal(batch * size * size * in);
  const std::vector<float> filter = Normal(kernel * kernel * in / groups * out);
  std::vector<float> result(positions * out);
  const auto plan = ConvolutionPlan::Make(desc, HostTarget());
  const Scratch scratch((*plan)->ScratchBytes(1));
  InlineRunner runner;
  for (auto _ : state) {
    (*plan)->Run(input.data(), filter.data(), result.data(), scratch.data(),
                 runner);
    benchmark::ClobberMemory();
  }
  SetRate(state, "flops", 2.0 * positions * filter.size());
}
#define CONVOLUTION(name, ...)                         \
  BENCHMARK_CAPTURE(BM_Convolution, name, __VA_ARGS__) \
      ->Unit(benchmark::kMicrosecond)
CONVOLUTION(c3x3_8x8x8, 1, 8, 8, 8, 3, 1, 1);
CONVOLUTION(c3x3_56x56x64, 8, 56, 64, 64, 3, 1, 1);
CONVOLUTION(c3x3_28x28x128, 1, 28, 128, 128, 3, 1, 1);
CONVOLUTION(c3x3_14x14x256, 1, 14, 256, 256, 3, 1, 1);
CONVOLUTION(c3x3_7x7x512, 1, 7, 512, 512, 3, 1, 1);
CONVOLUTION(c1x1_56x56x256, 1, 56, 256, 64, 1, 1, 1);
CONVOLUTION(c1x1_7x7x2048, 1, 7, 2048, 512, 1, 1, 1);
CONVOLUTION(c1x1_s2_56x56x256, 1, 56, 256, 512, 1, 2, 1);
CONVOLUTION(c7x7_s2_stem, 8, 224, 3, 64, 7, 2, 1);
CONVOLUTION(c1x1_14x14x256, 8, 14, 256, 1024, 1, 1, 1);
CONVOLUTION(depthwise_3x3, 8, 56, 128, 128, 3, 1, 128);
CONVOLUTION(c3x3_32_groups, 8, 28, 128, 128, 3, 1, 32);

void BM_Fft(benchmark::State& state, FftDesc desc) {
  int64_t elements = desc.batch;
  for (int64_t length : desc.lengths) elements *= length;
  const auto plan = FftPlan::Make(desc);
  const std::vector<float> in = Normal(4 * elements);
  std::vector<float> out(4 * elements);
  const Scratch scratch((*plan)->ScratchBytes(1));
  InlineRunner runner;
  for (auto _ : state) {
    (*plan)->Run(in.data(), out.data(), scratch.data(), runner);
    benchmark::ClobberMemory();
  }
  const double scale = desc.type == RFFT || desc.type == IRFFT ? 2.5 : 5;
  SetRate(state, "flops",
          scale * elements * std::log2(1.0 * elements / desc.batch));
}
#define TRANSFORM(name, ...)                            \
  BENCHMARK_CAPTURE(BM_Fft, name, FftDesc{__VA_ARGS__}) \
      ->Unit(benchmark::kMicrosecond)
TRANSFORM(c64_256x4096, FFT, false, 256, {4096});
TRANSFORM(c64_4096x256, FFT, false, 4096, {256});
TRANSFORM(c64_1x1m, FFT, false, 1, {1 << 20});
TRANSFORM(c64_64x1000, FFT, false, 64, {1000});
TRANSFORM(c64_16x1009, FFT, false, 16, {1009});
TRANSFORM(c64_128x128x128, FFT, false, 1, {128, 128, 128});
TRANSFORM(r2_64x256x256, RFFT, false, 64, {256, 256});
TRANSFORM(ir2_64x256x256, IRFFT, false, 64, {256, 256});

void BM_Sort(benchmark::State& state, int64_t rows, int64_t length,
             bool with_index) {
  SortDesc desc;
  desc.outer = rows;
  desc.length = length;
  desc.operands = {F32};
  if (with_index) desc.operands.push_back(S32);
  desc.keys = {{0, SortOrder::kFloatNanLast, false}};
  const std::vector<float> keys = Normal(rows * length);
  std::vector<float> sorted(rows * length), indices(rows * length);
  const auto plan = SortPlan::Make(desc);
  const Scratch scratch((*plan)->ScratchBytes(1));
  const void* in[] = {keys.data(), keys.data()};
  void* out[] = {sorted.data(), indices.data()};
  InlineRunner runner;
  for (auto _ : state) {
    (*plan)->Run(in, out, nullptr, nullptr, scratch.data(), runner);
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * rows * length);
}
#define SORT(name, ...) \
  BENCHMARK_CAPTURE(BM_Sort, name, __VA_ARGS__)->Unit(benchmark::kMicrosecond)
SORT(f32_1m, 1, 1 << 20, false);
SORT(argsort_1024x4096, 1024, 4096, true);
SORT(argsort_1m, 1, 1 << 20, true);
SORT(f32_65536x16, 65536, 16, false);
SORT(f32_8192x128, 8192, 128, false);

bool Less(const void*, const void* const* pairs) {
  return *static_cast<const float*>(pairs[0]) <
         *static_cast<const float*>(pairs[1]);
}

void BM_SortByComparator(benchmark::State& state) {
  SortDesc desc;
  desc.length = 1 << 16;
  desc.operands = {F32};
  const std::vector<float> keys = Normal(desc.length);
  std::vector<float> sorted(desc.length);
  const auto plan = SortPlan::Make(desc);
  const Scratch scratch((*plan)->ScratchBytes(1));
  const void* in[] = {keys.data()};
  void* out[] = {sorted.data()};
  InlineRunner runner;
  for (auto _ : state) {
    (*plan)->Run(in, out, &Less, nullptr, scratch.data(), runner);
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * desc.length);
}
BENCHMARK(BM_SortByComparator)->Unit(benchmark::kMicrosecond);

void BM_TopK(benchmark::State& state) {
  const TopKDesc desc = {F32, SortOrder::kFloatTotal, true, 256, 32000, 40};
  const std::vector<float> in = Normal(desc.rows * desc.length);
  std::vector<float> values(desc.rows * desc.k);
  std::vector<int32_t> indices(desc.rows * desc.k);
  const auto plan = TopKPlan::Make(desc);
  const Scratch scratch((*plan)->ScratchBytes(1));
  InlineRunner runner;
  for (auto _ : state) {
    (*plan)->Run(in.data(), values.data(), indices.data(), scratch.data(),
                 runner);
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * desc.rows * desc.length);
}
BENCHMARK(BM_TopK)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace xla::cpu
