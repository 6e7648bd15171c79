// Compares convolutions of all configurations with plain loops.
#include "xla/backends/cpu/kernels/convolutions/convolution.h"

#include <cstring>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "tests/backends/cpu/kernels/kernel_test_base.h"

namespace xla::cpu {
namespace {

using primitive_util::IsComplexType;
using primitive_util::IsFloatingPointType;

// Sets the output size for a window with this padding at the other side.
ConvolutionDim Dim(ConvolutionDim dim, int64_t padding_high = 0) {
  const int64_t base =
      dim.input == 0 ? 0 : (dim.input - 1) * dim.base_dilation + 1;
  const int64_t window = (dim.kernel - 1) * dim.window_dilation + 1;
  const int64_t room = base + dim.padding_low + padding_high - window;
  dim.output = room < 0 ? 0 : room / dim.stride + 1;
  return dim;
}

struct ConvolutionSizes {
  int64_t input = 1, kernel = 1, output = 1;
};

ConvolutionSizes SizesOf(const ConvolutionDesc& d) {
  ConvolutionSizes sizes;
  for (const ConvolutionDim& dim : d.dims) {
    sizes.input *= dim.input;
    sizes.kernel *= dim.kernel;
    sizes.output *= dim.output;
  }
  return sizes;
}

// The input position for an output and a kernel position, or -1.
int64_t Meet(const ConvolutionDesc& d, int64_t output, int64_t tap) {
  int64_t position = 0, step = 1;
  for (int64_t i = static_cast<int64_t>(d.dims.size()) - 1; i >= 0; --i) {
    const ConvolutionDim& dim = d.dims[i];
    const int64_t o = output % dim.output;
    int64_t w = tap % dim.kernel;
    if (dim.reversed) w = dim.kernel - 1 - w;
    const int64_t at =
        o * dim.stride - dim.padding_low + w * dim.window_dilation;
    if (at < 0 || at % dim.base_dilation != 0) return -1;
    if (at / dim.base_dilation >= dim.input) return -1;
    position += at / dim.base_dilation * step;
    step *= dim.input;
    output /= dim.output;
    tap /= dim.kernel;
  }
  return position;
}

struct ConvolutionArrays {
  explicit ConvolutionArrays(const ConvolutionDesc& d)
      : input(d.input, d.batch * SizesOf(d).input * d.in_features),
        kernel(d.kernel, SizesOf(d).kernel * d.in_features / d.feature_groups *
                             d.out_features),
        out(d.out,
            d.batch / d.batch_groups * SizesOf(d).output * d.out_features) {
    input.Randomize(1);
    kernel.Randomize(2);
  }
  Elements input, kernel, out;
};

void RunConvolution(const ConvolutionDesc& d, ConvolutionArrays& arrays,
                    ParallelRunner& runner,
                    const KernelTarget& target = KernelTarget()) {
  const auto plan = ConvolutionPlan::Make(d, target);
  ASSERT_TRUE(plan.ok()) << plan.status();
  Memory scratch((*plan)->ScratchBytes(runner.num_threads()));
  (*plan)->Run(arrays.input.data(), arrays.kernel.data(), arrays.out.data(),
               scratch.data(), runner);
}

template <typename Wide>
void ExpectSums(const ConvolutionDesc& d, const ConvolutionArrays& arrays) {
  const ConvolutionSizes sizes = SizesOf(d);
  const int64_t group_in = d.in_features / d.feature_groups;
  const int64_t group_out =
      d.out_features / (d.feature_groups * d.batch_groups);
  const std::vector<Wide> input = arrays.input.Values<Wide>();
  const std::vector<Wide> kernel = arrays.kernel.Values<Wide>();
  std::vector<int64_t> meets(sizes.output * sizes.kernel);
  for (int64_t i = 0; i < static_cast<int64_t>(meets.size()); ++i) {
    meets[i] = Meet(d, i / sizes.kernel, i % sizes.kernel);
  }
  Elements expected(d.out, 1);
  for (int64_t i = 0; i < arrays.out.count(); ++i) {
    const int64_t feature = i % d.out_features;
    const int64_t output = i / d.out_features % sizes.output;
    const int64_t group = feature / group_out;
    int64_t item = i / d.out_features / sizes.output;
    if (d.batch_groups > 1) item += group * (d.batch / d.batch_groups);
    const int64_t in_feature = d.feature_groups > 1 ? group * group_in : 0;
    Wide sum = 0;
    for (int64_t tap = 0; tap < sizes.kernel; ++tap) {
      const int64_t position = meets[output * sizes.kernel + tap];
      if (position < 0) continue;
      const int64_t from =
          (item * sizes.input + position) * d.in_features + in_feature;
      for (int64_t f = 0; f < group_in; ++f) {
        sum += input[from + f] *
               kernel[(tap * group_in + f) * d.out_features + feature];
      }
    }
    expected.Set(0, sum);
    ASSERT_EQ(arrays.out.Get<complex128>(i), expected.Get<complex128>(0))
        << item << "," << output << "," << feature;
  }
}

void ExpectResult(const ConvolutionDesc& d, const ConvolutionArrays& arrays) {
  if (IsComplexType(d.input)) {
    ExpectSums<complex128>(d, arrays);
  } else if (IsFloatingPointType(d.input)) {
    ExpectSums<double>(d, arrays);
  } else {
    ExpectSums<int64_t>(d, arrays);
  }
}

// Runs a convolution whose kernel is packed before; returns false if packing
// does not make it faster.
bool RunPackedConvolution(const ConvolutionDesc& d, ConvolutionArrays& arrays,
                          ParallelRunner& runner) {
  const KernelTarget target;
  const size_t bytes = PackedConvolutionKernelBytes(d, target);
  if (bytes == 0) return false;
  const Memory packed(bytes);
  PackConvolutionKernel(d, target, arrays.kernel.data(), packed.data());
  ConvolutionDesc desc = d;
  desc.kernel_packed = true;
  const auto plan = ConvolutionPlan::Make(desc, target);
  EXPECT_TRUE(plan.ok()) << plan.status();
  Memory scratch((*plan)->ScratchBytes(runner.num_threads()));
  (*plan)->Run(arrays.input.data(), packed.data(), arrays.out.data(),
               scratch.data(), runner);
  return true;
}

void TestConvolution(const ConvolutionDesc& d, const std::string& name) {
  SCOPED_TRACE(name + " " + PrimitiveType_Name(d.input));
  ConvolutionArrays arrays(d);
  InlineRunner runner;
  RunConvolution(d, arrays, runner);
  ExpectResult(d, arrays);
  std::memset(arrays.out.data(), 0, arrays.out.size());
  if (RunPackedConvolution(d, arrays, runner)) ExpectResult(d, arrays);
}

struct Case {
  std::string name;
  ConvolutionDesc desc;
};

std::vector<Case> Cases() {
  const auto square = [](ConvolutionDim dim, int64_t high = 0) {
    return absl::InlinedVector<ConvolutionDim, 3>{Dim(dim, high),
                                                  Dim(dim, high)};
  };
  const ConvolutionDim same = {.input = 7, .kernel = 3, .padding_low = 1};
  return {
      {"same", {F32, F32, F32, 2, 5, 6, 1, 1, square(same, 1)}},
      {"many features", {F32, F32, F32, 1, 70, 40, 1, 1, square(same, 1)}},
      {"few positions", {F32, F32, F32, 1, 60, 150, 1, 1, square(same, 1)}},
      {"deep",
       {F32,
        F32,
        F32,
        1,
        600,
        3,
        1,
        1,
        {Dim({.input = 5, .kernel = 3, .padding_low = 1}, 1)}}},
      {"pointwise",
       {F32, F32, F32, 2, 20, 33, 1, 1, square({.input = 6, .kernel = 1})}},
      {"stride",
       {F32, F32, F32, 2, 3, 8, 1, 1,
        square({.input = 9, .kernel = 3, .stride = 2, .padding_low = 1})}},
      {"window dilation",
       {F32, F32, F32, 1, 3, 4, 1, 1,
        square(
            {.input = 9, .kernel = 3, .padding_low = 2, .window_dilation = 2},
            2)}},
      {"base dilation",
       {F32, F32, F32, 1, 3, 4, 1, 1,
        square({.input = 5, .kernel = 3, .padding_low = 2, .base_dilation = 2},
               1)}},
      {"reversed",
       {F32, F32, F32, 1, 3, 4, 1, 1,
        square({.input = 5, .kernel = 3, .padding_low = 1, .reversed = true},
               1)}},
      {"all at once",
       {F32,
        F32,
        F32,
        2,
        4,
        6,
        2,
        1,
        {Dim({.input = 5,
              .kernel = 3,
              .stride = 2,
              .padding_low = 3,
              .base_dilation = 3,
              .window_dilation = 2,
              .reversed = true},
             2),
         Dim({.input = 8, .kernel = 2, .padding_low = -1}, -2)}}},
      {"feature groups", {F32, F32, F32, 2, 12, 8, 4, 1, square(same, 1)}},
      {"batch groups", {F32, F32, F32, 6, 3, 9, 1, 3, square(same, 1)}},
      {"short runs",
       {F32, F32, F32, 2, 1, 4, 1, 1,
        square({.input = 11, .kernel = 2, .padding_low = 1})}},
      {"single elements with steps",
       {F32, F32, F32, 1, 1, 5, 1, 1,
        square({.input = 13, .kernel = 1, .stride = 3})}},
      {"first layer",
       {F32, F32, F32, 2, 3, 8, 1, 1,
        square({.input = 33, .kernel = 3, .stride = 2, .padding_low = 1}, 1)}},
      {"depthwise", {F32, F32, F32, 2, 75, 75, 75, 1, square(same, 1)}},
      {"depthwise twice", {F32, F32, F32, 2, 5, 10, 5, 1, square(same, 1)}},
      {"depthwise dilated",
       {F32, F32, F32, 1, 9, 9, 9, 1,
        square({.input = 5,
                .kernel = 3,
                .stride = 2,
                .padding_low = 2,
                .base_dilation = 2,
                .window_dilation = 2,
                .reversed = true},
               2)}},
      {"depthwise, one image of blocks at edges",
       {F32, F32, F32, 1, 40, 40, 40, 1,
        square({.input = 14, .kernel = 5, .padding_low = 2}, 2)}},
      {"depthwise, blocks inside",
       {F32, F32, F32, 2, 24, 24, 24, 1,
        square({.input = 23, .kernel = 3, .padding_low = 1}, 1)}},
      {"depthwise, large kernel",
       {F32, F32, F32, 1, 9, 9, 9, 1,
        square({.input = 18, .kernel = 7, .padding_low = 3}, 3)}},
      {"depthwise, steps",
       {F32, F32, F32, 2, 3, 3, 3, 1,
        square({.input = 33, .kernel = 5, .stride = 2, .padding_low = 1}, 2)}},
      {"depthwise, gradient of steps",
       {F32, F32, F32, 1, 18, 18, 18, 1,
        square({.input = 17, .kernel = 5, .padding_low = 3, .base_dilation = 2},
               2)}},
      {"depthwise, more holes than outputs",
       {F32, F32, F32, 1, 6, 12, 6, 1,
        square({.input = 2, .kernel = 3, .padding_low = 1, .base_dilation = 5},
               -1)}},
      {"depthwise, steps in holes",
       {F32, F32, F32, 1, 34, 34, 34, 1,
        square({.input = 12,
                .kernel = 4,
                .stride = 4,
                .padding_low = 2,
                .base_dilation = 6,
                .window_dilation = 2},
               5)}},
      {"depthwise, padding beyond the kernel",
       {F32, F32, F32, 1, 5, 5, 5, 1,
        square({.input = 3, .kernel = 3, .padding_low = 6}, 7)}},
      {"depthwise, less than the input",
       {F32, F32, F32, 1, 66, 66, 66, 1,
        square({.input = 20, .kernel = 3, .padding_low = -2}, -3)}},
      {"depthwise, one line in pieces",
       {F32,
        F32,
        F32,
        1,
        72,
        72,
        72,
        1,
        {Dim({.input = 900, .kernel = 31, .padding_low = 30})}}},
      {"depthwise, three dimensions",
       {F32,
        F32,
        F32,
        2,
        20,
        40,
        20,
        1,
        {Dim({.input = 5, .kernel = 3, .padding_low = 1, .window_dilation = 2},
             2),
         Dim({.input = 6, .kernel = 3, .stride = 2, .padding_low = 1}, 1),
         Dim({.input = 9, .kernel = 3, .padding_low = 1}, 1)}}},
      {"few outputs",
       {F32, F32, F32, 1, 75, 25, 25, 1,
        square({.input = 14, .kernel = 14, .padding_low = 1}, 1)}},
      {"few outputs, steps",
       {F32, F32, F32, 1, 9 * 40, 40, 40, 1,
        square({.input = 14, .kernel = 7, .window_dilation = 2}, 1)}},
      {"few outputs, one feature each",
       {F32, F32, F32, 1, 18, 18, 18, 1,
        square({.input = 30, .kernel = 30, .padding_low = 2}, 2)}},
      {"few outputs, all at once",
       {F32,
        F32,
        F32,
        1,
        24,
        3,
        3,
        1,
        {Dim({.input = 9,
              .kernel = 9,
              .stride = 2,
              .padding_low = 3,
              .base_dilation = 2,
              .window_dilation = 2,
              .reversed = true},
             1),
         Dim({.input = 30, .kernel = 20}, -2)}}},
      {"col2im", {F32, F32, F32, 2, 33, 3, 1, 1, square(same, 1)}},
      {"col2im, one feature of a line",
       {F32,
        F32,
        F32,
        3,
        19,
        1,
        1,
        1,
        {Dim({.input = 90, .kernel = 5, .padding_low = 2}, 2)}}},
      {"col2im, holes",
       {F32, F32, F32, 2, 18, 3, 1, 1,
        square({.input = 13, .kernel = 4, .padding_low = 2, .base_dilation = 2},
               2)}},
      {"col2im, all at once",
       {F32,
        F32,
        F32,
        2,
        9,
        2,
        1,
        1,
        {Dim({.input = 11,
              .kernel = 4,
              .padding_low = 5,
              .base_dilation = 3,
              .window_dilation = 2,
              .reversed = true},
             -2),
         Dim({.input = 20, .kernel = 3, .padding_low = -1, .base_dilation = 2},
             9)}}},
      {"col2im, more holes than taps",
       {F32, F32, F32, 1, 5, 2, 1, 1,
        square({.input = 4, .kernel = 2, .padding_low = 1, .base_dilation = 5},
               7)}},
      {"col2im, lines in blocks",
       {F32,
        F32,
        F32,
        1,
        9,
        8,
        1,
        1,
        {Dim({.input = 10, .kernel = 5, .padding_low = 2}, 2),
         Dim({.input = 230,
              .kernel = 9,
              .padding_low = 11,
              .base_dilation = 2,
              .reversed = true},
             1)}}},
      {"col2im, three dimensions",
       {F32,
        F32,
        F32,
        2,
        12,
        2,
        1,
        1,
        {Dim({.input = 6, .kernel = 3, .padding_low = 1, .window_dilation = 2},
             3),
         Dim({.input = 5, .kernel = 2, .base_dilation = 2}),
         Dim({.input = 9, .kernel = 3, .padding_low = 1}, 1)}}},
      {"split depth",
       {F32,
        F32,
        F32,
        2,
        3,
        20,
        1,
        1,
        {Dim({.input = 70, .kernel = 67, .padding_low = 1}, -2),
         Dim({.input = 140,
              .kernel = 66,
              .padding_low = -3,
              .window_dilation = 2,
              .reversed = true})}}},
      {"no dimensions", {F32, F32, F32, 4, 5, 6, 1, 1, {}}},
      {"one",
       {F32,
        F32,
        F32,
        3,
        4,
        5,
        1,
        1,
        {Dim({.input = 20, .kernel = 4, .padding_low = 3})}}},
      {"three",
       {F32,
        F32,
        F32,
        1,
        3,
        4,
        1,
        1,
        {Dim(same, 1), Dim({.input = 4, .kernel = 2}), Dim(same)}}},
      {"kernel of zero",
       {F32,
        F32,
        F32,
        1,
        3,
        4,
        1,
        1,
        {{.input = 4, .kernel = 0, .output = 5}}}},
      {"no output",
       {F32, F32, F32, 1, 3, 4, 1, 1, {Dim({.input = 2, .kernel = 5})}}},
      {"no features", {F32, F32, F32, 1, 0, 4, 1, 1, square(same, 1)}},
      {"reversed lines, merged taps",
       {F32,
        F32,
        F32,
        3,
        11,
        8,
        1,
        1,
        {Dim({.input = 9,
              .kernel = 3,
              .stride = 2,
              .padding_low = 1,
              .window_dilation = 2,
              .reversed = true},
             1),
         Dim({.input = 30, .kernel = 3, .stride = 2, .padding_low = 1}, 1)}}},
      {"large kernel",
       {F32, F32, F32, 3, 40, 8, 1, 1,
        square({.input = 12, .kernel = 10, .padding_low = 1})}},
  };
}

TEST(ConvolutionTest, AllConfigurationsAndTypes) {
  for (const Case& c : Cases()) {
    for (PrimitiveType type : {F32, F64, BF16, F16, S8, S32, U64, C64}) {
      ConvolutionDesc desc = c.desc;
      desc.input = desc.kernel = desc.out = type;
      if (type == S8 || type == BF16) desc.out = type == S8 ? S32 : F32;
      if (type == F16) desc.out = F64;
      TestConvolution(desc, c.name);
      if (HasFatalFailure()) return;
    }
  }
}

TEST(ConvolutionTest, SameBitsForEveryNumberOfThreadsAndSizeOfCaches) {
  const ConvolutionDim same = {
      .input = 24, .kernel = 3, .output = 24, .padding_low = 1};
  const ConvolutionDim few = {
      .input = 7, .kernel = 3, .output = 7, .padding_low = 1};
  const ConvolutionDim one = {.input = 14, .output = 14};
  const ConvolutionDim most = {
      .input = 56, .kernel = 56, .output = 5, .padding_low = 2};
  const ConvolutionDim line = {
      .input = 999, .kernel = 4, .output = 999, .padding_low = 3};
  for (const ConvolutionDesc& desc :
       {ConvolutionDesc{F32, F32, F32, 1, 96, 300, 1, 1, {few, few}},
        ConvolutionDesc{F32, F32, F32, 1, 1024, 200, 1, 1, {one, one}},
        ConvolutionDesc{F32, F32, F32, 4, 16, 32, 1, 1, {same, same}},
        ConvolutionDesc{BF16, BF16, BF16, 4, 32, 64, 4, 1, {same, same}},
        ConvolutionDesc{F32, F32, F32, 4, 64, 64, 64, 1, {same, same}},
        ConvolutionDesc{BF16, BF16, F32, 4, 72, 72, 72, 1, {same, same}},
        ConvolutionDesc{F32, F32, F32, 1, 200, 400, 200, 1, {line}},
        ConvolutionDesc{F32, F32, F32, 1, 4 * 72, 72, 72, 1, {most, most}},
        ConvolutionDesc{BF16, BF16, BF16, 1, 96, 96, 96, 1, {most, most}},
        ConvolutionDesc{F32, F32, F32, 2, 40, 3, 1, 1, {same, same}},
        ConvolutionDesc{F32, F32, F32, 1, 700, 8, 1, 1, {same, line}},
        ConvolutionDesc{F32, F32, F32, 1, 512, 32, 1, 1, {few, few}},
        ConvolutionDesc{BF16, BF16, BF16, 3, 1, 40, 1, 1, {most, most}}}) {
    ConvolutionArrays arrays(desc);
    std::mt19937 random(3);
    std::normal_distribution<double> normal;
    for (int64_t i = 0; i < arrays.input.count(); ++i) {
      arrays.input.Set(i, normal(random));
    }
    InlineRunner runner;
    RunConvolution(desc, arrays, runner);
    const std::string first(arrays.out.as<char>(), arrays.out.size());
    for (int threads : {1, 2, 3, 7}) {
      std::memset(arrays.out.data(), 0, arrays.out.size());
      ThreadRunner threaded(threads);
      RunConvolution(desc, arrays, threaded);
      EXPECT_EQ(std::memcmp(first.data(), arrays.out.data(), first.size()), 0)
          << threads;
    }
    for (const KernelTarget& target : UnusualTargets()) {
      std::memset(arrays.out.data(), 0, arrays.out.size());
      ThreadRunner threaded(3);
      RunConvolution(desc, arrays, threaded, target);
      EXPECT_EQ(std::memcmp(first.data(), arrays.out.data(), first.size()), 0)
          << "caches of " << target.caches.l2_bytes;
    }
  }
}

// Convolutions of few features, and with long sums.
TEST(ConvolutionTest, ChoosesAlgorithms) {
  const auto algorithm = [](const ConvolutionDesc& desc) {
    return ConvolutionAlgorithmName(
        ConvolutionAlgorithmOf(desc, KernelTarget()));
  };
  const ConvolutionDim same = {
      .input = 9, .kernel = 3, .output = 9, .padding_low = 1};
  ConvolutionDesc desc = {F32, F32, F32, 1, 16, 3, 1, 1, {same, same}};
  EXPECT_EQ(algorithm(desc), "col2im");
  desc.dims[0].base_dilation = 2;
  desc.dims[0].output = 17;
  EXPECT_EQ(algorithm(desc), "col2im");
  desc.out_features = 9;
  EXPECT_EQ(algorithm(desc), "rows");
  // As gradients of kernels, which meet all of their input at few positions.
  const ConvolutionDim inside = {.input = 9, .kernel = 7, .output = 3};
  EXPECT_EQ(algorithm({F32, F32, F32, 1, 16, 3, 1, 1, {inside, inside}}),
            "rows");
  const ConvolutionDim many = {.input = 114, .kernel = 112, .output = 3};
  EXPECT_EQ(algorithm({F32, F32, F32, 3, 1, 32, 1, 1, {many, many}}),
            "split-depth");
  EXPECT_EQ(algorithm({F32, F32, F32, 300, 1, 32, 1, 1, {many, many}}), "rows");
}

// Each thread packs what it needs of the kernel, block by block.
TEST(ConvolutionTest, KernelsOfFewPositionsAreNotPackedAsAWhole) {
  const ConvolutionDim dim = {
      .input = 7, .kernel = 3, .output = 7, .padding_low = 1};
  const ConvolutionDesc desc = {F32, F32, F32, 1, 256, 512, 1, 1, {dim, dim}};
  const auto plan = ConvolutionPlan::Make(desc);
  ASSERT_TRUE(plan.ok()) << plan.status();
  EXPECT_LT((*plan)->ScratchBytes(2), 9 * 256 * 512 * sizeof(float) / 3);
}

// What follows sees each row once, after all of it has been written.
TEST(ConvolutionTest, FinishesEachRowOfDepthwiseConvolutionsOnce) {
  const ConvolutionDim dim = {
      .input = 40, .kernel = 3, .output = 40, .padding_low = 1};
  const ConvolutionDim line = {
      .input = 3000, .kernel = 9, .output = 3000, .padding_low = 8};
  for (const ConvolutionDesc& desc :
       {ConvolutionDesc{F32, F32, F32, 2, 36, 36, 36, 1, {dim, dim}},
        ConvolutionDesc{BF16, BF16, F32, 2, 36, 72, 36, 1, {dim, dim}},
        ConvolutionDesc{F32, F32, F32, 2, 40, 40, 40, 1, {line}}}) {
    ConvolutionArrays arrays(desc);
    for (int threads : {1, 3}) {
      ThreadRunner runner(threads);
      RunConvolution(desc, arrays, runner);
      std::vector<float> expected(arrays.out.count());
      for (int64_t i = 0; i < arrays.out.count(); ++i) {
        expected[i] = arrays.out.as<float>()[i] + i % desc.out_features + 1;
      }
      std::memset(arrays.out.data(), 0xff, arrays.out.size());
      const auto plan = ConvolutionPlan::Make(desc);
      ASSERT_TRUE(plan.ok()) << plan.status();
      Memory scratch((*plan)->ScratchBytes(threads));
      const auto finish = [&](int64_t row, int64_t rows, int64_t column,
                              int64_t columns) {
        for (int64_t r = row; r < row + rows; ++r) {
          for (int64_t c = column; c < column + columns; ++c) {
            arrays.out.as<float>()[r * desc.out_features + c] += c + 1;
          }
        }
      };
      (*plan)->RunAndFinish(arrays.input.data(), arrays.kernel.data(),
                            arrays.out.data(), scratch.data(), runner,
                            {finish});
      EXPECT_EQ(
          std::memcmp(expected.data(), arrays.out.data(), arrays.out.size()), 0)
          << threads;
    }
  }
}

// Neither operand is copied where it has the type of the sums, and of others
// there are only the lines that one line of output meets.
TEST(ConvolutionTest, DepthwiseConvolutionsKeepFewLines) {
  const ConvolutionDim dim = {
      .input = 112, .kernel = 3, .output = 112, .padding_low = 1};
  ConvolutionDesc desc = {F32, F32, F32, 8, 64, 64, 64, 1, {dim, dim}};
  auto plan = ConvolutionPlan::Make(desc);
  ASSERT_TRUE(plan.ok()) << plan.status();
  EXPECT_LE((*plan)->ScratchBytes(2), 1024);
  desc.input = desc.kernel = desc.out = BF16;
  plan = ConvolutionPlan::Make(desc);
  ASSERT_TRUE(plan.ok()) << plan.status();
  EXPECT_LE((*plan)->ScratchBytes(2), 2 * 5 * 112 * 64 * sizeof(float));
}

TEST(ConvolutionTest, RefusesImpossibleDescriptions) {
  ConvolutionDesc desc = {F32, F32, F32, 1, 4, 6, 4, 1, {{}}};
  EXPECT_FALSE(CheckConvolution(desc).ok());  // 6 features in 4 groups
  desc.out_features = 8;
  EXPECT_TRUE(CheckConvolution(desc).ok());
  desc.batch_groups = 2;
  EXPECT_FALSE(CheckConvolution(desc).ok());
  desc.batch_groups = 1;
  desc.dims[0].stride = 0;
  EXPECT_FALSE(CheckConvolution(desc).ok());
  desc.dims[0].stride = 1;
  desc.dims[0].input = desc.dims[0].output = int64_t{1} << 39;
  desc.batch = int64_t{1} << 39;
  EXPECT_FALSE(CheckConvolution(desc).ok());
}

}  // namespace
}  // namespace xla::cpu
