// Compares transforms of all types and many lengths with their definition.
#include "xla/backends/cpu/kernels/fft.h"

#include <cmath>
#include <complex>
#include <numbers>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "gtest/gtest.h"
#include "tests/backends/cpu/kernels/kernel_test_base.h"

namespace xla::cpu {
namespace {

using Complex = std::complex<double>;
using Array = std::vector<Complex>;

// Transforms along the middle dimension of [outer, n, inner], by the
// definition.
void Transform(Array& a, int64_t outer, int64_t n, int64_t inner,
               bool inverse) {
  Array roots(n);
  for (int64_t k = 0; k < n; ++k) {
    roots[k] =
        std::polar(1.0, (inverse ? 2 : -2) * std::numbers::pi *
                            static_cast<double>(k) / static_cast<double>(n));
  }
  Array line(n);
  for (int64_t o = 0; o < outer; ++o) {
    for (int64_t i = 0; i < inner; ++i) {
      Complex* first = a.data() + o * n * inner + i;
      for (int64_t j = 0; j < n; ++j) line[j] = first[j * inner];
      for (int64_t k = 0; k < n; ++k) {
        Complex sum = 0;
        for (int64_t j = 0; j < n; ++j) sum += line[j] * roots[j * k % n];
        first[k * inner] = inverse ? sum / static_cast<double>(n) : sum;
      }
    }
  }
}

void TransformAll(Array& a, const FftDesc& d, bool inverse) {
  int64_t inner = 1;
  for (int i = static_cast<int>(d.lengths.size()) - 1; i >= 0; --i) {
    const int64_t n = d.lengths[i];
    Transform(a, static_cast<int64_t>(a.size()) / (n * inner), n, inner,
              inverse);
    inner *= n;
  }
}

std::string Name(const FftDesc& d) {
  return absl::StrCat(FftType_Name(d.type), d.wide ? " f64 " : " f32 ", d.batch,
                      " x ", absl::StrJoin(d.lengths, ","));
}

struct Transformed {
  std::vector<double> out;  // all parts
  std::vector<double> expected;
};

// The input of a type, and the expected result.
Transformed RunFft(const FftDesc& d, ParallelRunner& runner) {
  int64_t full = d.batch;
  for (int64_t length : d.lengths) full *= length;
  const int64_t n = d.lengths.back(), half = n / 2 + 1;
  const int64_t rows = full / n;
  std::mt19937 random(1);
  std::normal_distribution<double> normal;
  const bool real_in = d.type == RFFT, real_out = d.type == IRFFT;
  Array a(full);
  for (Complex& x : a)
    x = {normal(random), real_in || real_out ? 0 : normal(random)};
  Transformed result;
  Array in = a;
  if (d.type == IRFFT) {
    // The spectrum of real numbers, except for imaginary parts that must be
    // ignored.
    TransformAll(in, d, /*inverse=*/false);
    for (const Complex& x : a) result.expected.push_back(x.real());
  } else {
    TransformAll(a, d, d.type == IFFT);
    for (int64_t i = 0; i < full; ++i) {
      if (real_in && i % n >= half) continue;
      result.expected.push_back(a[i].real());
      result.expected.push_back(a[i].imag());
    }
  }
  const PrimitiveType type = d.wide ? F64 : F32;
  const int64_t in_count = real_in ? full : 2 * (real_out ? rows * half : full);
  Elements input(type, in_count), output(type, result.expected.size());
  int64_t at = 0;
  for (int64_t i = 0; i < full; ++i) {
    if (real_out && i % n >= half) continue;
    input.Set(at++, in[i].real());
    if (real_in) continue;
    const bool first_or_last =
        d.lengths.size() == 1 && (i % n == 0 || 2 * (i % n) == n);
    input.Set(at++, real_out && first_or_last ? 7.0 : in[i].imag());
  }
  auto plan = FftPlan::Make(d);
  EXPECT_TRUE(plan.ok()) << plan.status();
  Memory scratch((*plan)->ScratchBytes(runner.num_threads()));
  (*plan)->Run(input.data(), output.data(), scratch.data(), runner);
  for (int64_t i = 0; i < output.count(); ++i) {
    result.out.push_back(output.Get<double>(i));
  }
  return result;
}

void TestFft(const FftDesc& d) {
  InlineRunner runner;
  const Transformed result = RunFft(d, runner);
  double error = 0, norm = 0;
  for (size_t i = 0; i < result.out.size(); ++i) {
    error += std::pow(result.out[i] - result.expected[i], 2);
    norm += std::pow(result.expected[i], 2);
  }
  EXPECT_LE(std::sqrt(error / norm), d.wide ? 2e-15 * 8 : 1e-6) << Name(d);
}

TEST(FftTest, LengthsOfOneDimension) {
  for (int64_t n = 1; n <= 70; ++n) {
    for (FftType type : {FFT, IFFT, RFFT, IRFFT}) {
      for (bool wide : {false, true}) {
        TestFft({type, wide, 3, {n}});
        TestFft({type, wide, 19, {n}});
      }
    }
  }
  for (int64_t n : {100, 127, 128, 143, 256, 500, 512, 514, 1000, 1009, 1024}) {
    for (FftType type : {FFT, IFFT, RFFT, IRFFT}) {
      for (bool wide : {false, true}) TestFft({type, wide, 1, {n}});
    }
  }
}

// Transforms complex numbers whose imaginary parts are 0; if there are several
// adjacent lines, every third one has other imaginary parts.
void TestRealLines(FftType type, bool wide, int64_t n, int64_t lines) {
  SCOPED_TRACE(absl::StrCat(FftType_Name(type), " of ", n, ", ", lines,
                            " lines", wide ? " wide" : ""));
  const PrimitiveType element = wide ? F64 : F32;
  Elements input(element, 2 * n * lines), output(element, 2 * n * lines);
  std::mt19937 random(1);
  std::normal_distribution<double> normal;
  const auto is_real = [](int64_t line) { return line % 3 != 2; };
  for (int64_t i = 0; i < n * lines; ++i) {
    input.Set(2 * i, normal(random));
    input.Set(2 * i + 1, is_real(i / n) ? 0 : normal(random));
  }
  auto plan = FftPlan::Make({type, wide, lines, {n}});
  ASSERT_TRUE(plan.ok()) << plan.status();
  InlineRunner runner;
  Memory scratch((*plan)->ScratchBytes(1));
  (*plan)->Run(input.data(), output.data(), scratch.data(), runner);
  for (int64_t i = 0; i < n * lines; ++i) {
    if (!is_real(i / n)) continue;
    const int64_t mirror = i / n * n + (n - i % n) % n;
    EXPECT_EQ(output.Get<double>(2 * i), output.Get<double>(2 * mirror));
    EXPECT_EQ(output.Get<double>(2 * i + 1),
              -output.Get<double>(2 * mirror + 1));
  }
  if (lines > 2 && n > 2) {
    EXPECT_NE(output.Get<double>(2 * (2 * n) + 1), 0);
  }
}

TEST(FftTest, RealLinesHaveSymmetricTransforms) {
  for (int64_t n : {1,  2,  3,  4,  6,  8,  9,  14,  15,   16,
                    17, 19, 34, 37, 46, 53, 64, 101, 1009, 1024}) {
    for (FftType type : {FFT, IFFT}) {
      for (int64_t lines : {1, 5, 33}) {
        TestRealLines(type, false, n, lines);
        TestRealLines(type, true, n, lines);
      }
    }
  }
}

TEST(FftTest, SeveralDimensions) {
  for (FftType type : {FFT, IFFT, RFFT, IRFFT}) {
    for (bool wide : {false, true}) {
      TestFft({type, wide, 1, {4, 6}});
      TestFft({type, wide, 3, {17, 20}});
      TestFft({type, wide, 2, {1, 1}});
      TestFft({type, wide, 2, {8, 7, 9}});
      TestFft({type, wide, 1, {19, 4, 40}});
    }
  }
}

TEST(FftTest, EmptyArrays) {
  InlineRunner runner;
  for (FftType type : {FFT, IFFT, RFFT, IRFFT}) {
    auto plan = FftPlan::Make({type, false, 0, {4}});
    ASSERT_TRUE(plan.ok());
    (*plan)->Run(nullptr, nullptr, nullptr, runner);
  }
}

TEST(FftTest, SameBitsForEveryNumberOfThreads) {
  for (const FftDesc& d :
       {FftDesc{FFT, false, 40, {1, 512}}, FftDesc{RFFT, false, 6, {64, 66}},
        FftDesc{IRFFT, true, 3, {30, 10, 22}}}) {
    InlineRunner runner;
    const Transformed first = RunFft(d, runner);
    for (int threads : {1, 2, 3, 7}) {
      ThreadRunner threaded(threads);
      EXPECT_EQ(first.out, RunFft(d, threaded).out) << Name(d);
    }
  }
}

TEST(FftTest, RefusesImpossibleSizes) {
  EXPECT_FALSE(FftPlan::Make({FFT, false, 1, {}}).ok());
  EXPECT_FALSE(FftPlan::Make({FFT, false, 1, {1, 2, 3, 4}}).ok());
  EXPECT_FALSE(FftPlan::Make({FFT, false, 1, {-1}}).ok());
  EXPECT_FALSE(FftPlan::Make({FFT, false, 1 << 30, {1 << 30}}).ok());
}

}  // namespace
}  // namespace xla::cpu
