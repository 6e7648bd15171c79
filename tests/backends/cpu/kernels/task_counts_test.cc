// On many threads, large work has a task for each, even if it is a smaller
// batch.
#include <algorithm>
#include <cstring>

#include "tests/backends/cpu/kernels/kernel_test_base.h"
#include "xla/backends/cpu/kernels/convolutions/convolution.h"
#include "xla/backends/cpu/kernels/fft.h"
#include "xla/backends/cpu/kernels/products/dot.h"
#include "xla/backends/cpu/kernels/sort.h"
#include "xla/backends/cpu/kernels/topk.h"

namespace xla::cpu {
namespace {

constexpr int kManyThreads = 72;

// Runs all tasks on this thread, as if on many threads.
class CountingRunner : public ParallelRunner {
 public:
  explicit CountingRunner(int num_threads = kManyThreads)
      : num_threads_(num_threads) {}
  int num_threads() const override { return num_threads_; }
  void ParallelFor(int64_t count,
                   absl::FunctionRef<void(int64_t)> fn) override {
    most_ = std::max(most_, count);
    for (int64_t i = 0; i < count; ++i) fn(i);
  }
  int64_t most() const { return most_; }

 private:
  const int num_threads_;
  int64_t most_ = 0;
};

int64_t TasksOfDot(const DotDesc& desc) {
  Elements lhs(desc.lhs, desc.batch * desc.m * desc.k);
  const int64_t item = desc.k * desc.n;
  Elements rhs(desc.rhs, desc.rhs_batch_stride == 0
                             ? desc.batch * item
                             : (desc.batch - 1) * desc.rhs_batch_stride + item);
  Elements out(desc.out, desc.batch * desc.m * desc.n);
  std::memset(lhs.data(), 0, lhs.size());
  std::memset(rhs.data(), 0, rhs.size());
  const auto plan = DotPlan::Make(desc);
  EXPECT_TRUE(plan.ok()) << plan.status();
  if (!plan.ok()) return 0;
  const Memory scratch((*plan)->ScratchBytes(kManyThreads));
  CountingRunner runner;
  (*plan)->Run(lhs.data(), rhs.data(), out.data(), scratch.data(), runner);
  return runner.most();
}

TEST(TaskCountsTest, Dots) {
  // Tiny, skinny in batches and alone, packed in batches and alone; also
  // batches smaller than the number of threads.
  EXPECT_GE(TasksOfDot({F32, F32, F32, 6000, 16, 16, 16}), kManyThreads);
  EXPECT_GE(TasksOfDot({F32, F32, F32, 80, 4, 600, 500}), kManyThreads);
  DotDesc skinny = {F32, F32, F32, 16, 4, 80000, 128};
  skinny.rhs_batch_stride = 16;  // the same matrix again, to save memory
  EXPECT_GE(TasksOfDot(skinny), kManyThreads);
  EXPECT_GE(TasksOfDot({F32, F32, F32, 1, 4, 80000, 300}), kManyThreads);
  EXPECT_GE(TasksOfDot({F32, F32, F32, 80, 100, 100, 200}), kManyThreads);
  EXPECT_GE(TasksOfDot({F32, F32, F32, 16, 700, 700, 700}), kManyThreads);
  EXPECT_GE(TasksOfDot({F32, F32, F32, 1, 700, 700, 700}), kManyThreads);
  // Parts of a long contracting dimension.
  EXPECT_EQ(TasksOfDot({F32, F32, F32, 1, 16, 16, 50000}), 16);
}

int64_t TasksOfConvolution(int64_t batch, int64_t groups, int num_threads) {
  ConvolutionDesc desc = {F32, F32, F32, batch, 32, 32, groups, 1};
  desc.dims = {{.input = 130, .kernel = 3, .output = 128},
               {.input = 130, .kernel = 3, .output = 128}};
  const auto plan = ConvolutionPlan::Make(desc);
  EXPECT_TRUE(plan.ok()) << plan.status();
  if (!plan.ok()) return 0;
  Elements input(F32, desc.batch * 130 * 130 * 32);
  Elements kernel(F32, 9 * 32 / groups * 32);
  Elements out(F32, desc.batch * 128 * 128 * 32);
  std::memset(input.data(), 0, input.size());
  std::memset(kernel.data(), 0, kernel.size());
  const Memory scratch((*plan)->ScratchBytes(num_threads));
  CountingRunner runner(num_threads);
  (*plan)->Run(input.data(), kernel.data(), out.data(), scratch.data(), runner);
  return runner.most();
}

TEST(TaskCountsTest, Convolutions) {
  EXPECT_GE(TasksOfConvolution(2, 1, kManyThreads), kManyThreads);
  EXPECT_GE(TasksOfConvolution(17, 32, 300), 300);
}

TEST(TaskCountsTest, Transforms) {
  const FftDesc desc = {FFT, false, 40, {128, 128}};
  const auto plan = FftPlan::Make(desc);
  ASSERT_TRUE(plan.ok()) << plan.status();
  Elements in(C64, 40 * 128 * 128), out(C64, 40 * 128 * 128);
  std::memset(in.data(), 0, in.size());
  const Memory scratch((*plan)->ScratchBytes(kManyThreads));
  CountingRunner runner;
  (*plan)->Run(in.data(), out.data(), scratch.data(), runner);
  EXPECT_GE(runner.most(), kManyThreads);
}

int64_t TasksOfSort(const SortDesc& desc, SortLess less) {
  const int64_t count = desc.outer * desc.length * desc.inner;
  Elements in(U32, count), out(U32, count);
  std::mt19937 random(1);
  for (int64_t i = 0; i < count; ++i) in.as<uint32_t>()[i] = random();
  const void* inputs[] = {in.data()};
  void* outputs[] = {out.data()};
  const auto plan = SortPlan::Make(desc);
  EXPECT_TRUE(plan.ok()) << plan.status();
  if (!plan.ok()) return 0;
  const Memory scratch((*plan)->ScratchBytes(kManyThreads));
  CountingRunner runner;
  (*plan)->Run(inputs, outputs, less, nullptr, scratch.data(), runner);
  const uint32_t* sorted = out.as<uint32_t>();
  for (int64_t row = 0; row < desc.outer; ++row) {
    EXPECT_TRUE(std::is_sorted(sorted + row * desc.length,
                               sorted + (row + 1) * desc.length));
  }
  return runner.most();
}

TEST(TaskCountsTest, Sorts) {
  const auto less = [](const void*, const void* const* operands) {
    return *static_cast<const uint32_t*>(operands[0]) <
           *static_cast<const uint32_t*>(operands[1]);
  };
  const SortKey key = {.operand = 0, .order = SortOrder::kInteger};
  const auto desc = [](int64_t outer, int64_t length) {
    SortDesc d;
    d.operands = {U32};
    d.outer = outer;
    d.length = length;
    return d;
  };
  SortDesc rows = desc(80, 20000), one = desc(1, kManyThreads << 16);
  rows.keys = one.keys = {key};
  EXPECT_GE(TasksOfSort(rows, nullptr), kManyThreads);
  EXPECT_GE(TasksOfSort(one, nullptr), kManyThreads);
  EXPECT_GE(TasksOfSort(desc(1, 128 << 12), less), kManyThreads);
}

TEST(TaskCountsTest, TopK) {
  const TopKDesc desc = {F32, SortOrder::kFloatTotal, true, 100, 32768, 4};
  Elements in(F32, desc.rows * desc.length), values(F32, desc.rows * desc.k);
  Elements indices(S32, desc.rows * desc.k);
  std::memset(in.data(), 0, in.size());
  const auto plan = TopKPlan::Make(desc);
  ASSERT_TRUE(plan.ok()) << plan.status();
  const Memory scratch((*plan)->ScratchBytes(kManyThreads));
  CountingRunner runner;
  (*plan)->Run(in.data(), values.data(), indices.as<int32_t>(), scratch.data(),
               runner);
  EXPECT_GE(runner.most(), kManyThreads);
}

}  // namespace
}  // namespace xla::cpu
