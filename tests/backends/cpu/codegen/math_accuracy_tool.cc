// Measures error and speed of the maths functions in generated code and writes
// docs/math-accuracy.md.
//   math_accuracy_tool [--stride=N] [--samples=N] [--only=name] [--out=PATH]
// f32 functions of one operand: every N-th of the 2^32 operands; all others:
// N samples.
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/strip.h"
#include "tests/backends/cpu/codegen/math_functions.h"

namespace xla::cpu {
namespace {

struct Flags {
  int64_t stride = 1;
  int64_t samples = 20'000'000;
  std::string only;
  std::string out;
};

struct Row {
  double ulps = 0;
  double x = 0;
  double y = 0;
  double ns = 0;
};

constexpr int64_t kBlock = 4096;

template <typename T, typename Wide>
class Measurement {
 public:
  Measurement(const MathFunction& function, MathLoop<T>* loop,
              Wide (*reference)(Wide, Wide))
      : function_(function), loop_(loop), reference_(reference) {}

  // Every `stride`-th bit pattern.
  Row AllOperands(int64_t stride) {
    std::vector<T> x(kBlock), out(kBlock);
    uint64_t bits = 0;
    while (bits < uint64_t{1} << 32) {
      int64_t count = 0;
      for (; count < kBlock && bits < uint64_t{1} << 32; bits += stride) {
        const uint32_t word = static_cast<uint32_t>(bits);
        std::memcpy(&x[count++], &word, sizeof(word));
      }
      for (int64_t i = count; i < kBlock; ++i) x[i] = 1;
      loop_(x.data(), x.data(), out.data(), kBlock);
      for (int64_t i = 0; i < count; ++i) Take(x[i], x[i], out[i]);
    }
    return row_;
  }

  // Half of the samples between function.low and high, half any bits.
  Row Samples(int64_t samples) {
    std::mt19937_64 random(1);
    std::uniform_real_distribution<T> ordinary(function_.low, function_.high);
    std::vector<T> x(kBlock), y(kBlock), out(kBlock);
    auto any = [&] {
      const uint64_t bits = random();
      T value;
      std::memcpy(&value, &bits, sizeof(value));
      return value;
    };
    for (int64_t done = 0; done < samples; done += kBlock) {
      for (int64_t i = 0; i < kBlock; ++i) {
        x[i] = i % 2 ? ordinary(random) : any();
        y[i] = i % 4 < 3 ? ordinary(random) : any();
      }
      loop_(x.data(), y.data(), out.data(), kBlock);
      for (int64_t i = 0; i < kBlock; ++i) Take(x[i], y[i], out[i]);
    }
    return row_;
  }

  // Nanoseconds for one ordinary element, the best of several blocks.
  double Time() const {
    std::mt19937_64 random(2);
    std::uniform_real_distribution<T> ordinary(function_.low, function_.high);
    std::vector<T> x(kBlock), y(kBlock), out(kBlock);
    for (T& v : x) v = ordinary(random);
    for (T& v : y) v = ordinary(random);
    double best = 1e30;
    for (int run = 0; run < 300; ++run) {
      const auto start = std::chrono::steady_clock::now();
      loop_(x.data(), y.data(), out.data(), kBlock);
      const std::chrono::duration<double, std::nano> spent =
          std::chrono::steady_clock::now() - start;
      best = std::min(best, spent.count() / kBlock);
    }
    return best;
  }

 private:
  void Take(T x, T y, T got) {
    const double ulps = UlpError<T, Wide>(got, reference_(Wide(x), Wide(y)));
    if (ulps <= row_.ulps) return;
    row_.ulps = ulps;
    row_.x = x;
    row_.y = y;
  }

  const MathFunction& function_;
  MathLoop<T>* loop_;
  Wide (*reference_)(Wide, Wide);
  Row row_;
};

template <typename T>
MathLoop<T>* LoopOf(const CompiledCode& code, const MathFunction& function) {
  const char* suffix = sizeof(T) == 8 ? "_f64" : "_f32";
  auto loop = code.Function<MathLoop<T>>(absl::StrCat(function.name, suffix));
  if (!loop.ok()) {
    std::fprintf(stderr, "%s\n", loop.status().ToString().c_str());
    std::exit(1);
  }
  return *loop;
}

Row MeasureF32(const MathFunction& function, const CompiledCode& code,
               const Flags& flags) {
  Measurement<float, double> m(function, LoopOf<float>(code, function),
                               function.reference_f32);
  Row row = function.arity == 1 ? m.AllOperands(flags.stride)
                                : m.Samples(flags.samples);
  row.ns = m.Time();
  return row;
}

Row MeasureF64(const MathFunction& function, const CompiledCode& code,
               const Flags& flags) {
  Measurement<double, long double> m(function, LoopOf<double>(code, function),
                                     function.reference_f64);
  Row row = m.Samples(flags.samples);
  row.ns = m.Time();
  return row;
}

std::string Line(const MathFunction& function, const MathVariant& variant,
                 const char* type, double bound, const Row& row) {
  std::string where = absl::StrFormat("%.9g", row.x);
  if (std::strcmp(type, "f64") == 0) where = absl::StrFormat("%.17g", row.x);
  if (function.arity == 2) {
    absl::StrAppend(&where, absl::StrFormat(", %.17g", row.y));
  }
  if (row.ulps == 0) where = "-";
  return absl::StrFormat("| %s | %s | %s | %.3g | %.2f | %s | %.2f |\n",
                         function.name, type, variant.name, bound, row.ulps,
                         where, row.ns);
}

std::string Introduction(const Flags& flags) {
  const std::string share = flags.stride == 1
                                ? std::string("all operands")
                                : absl::StrCat("one operand in ", flags.stride);
  const TargetInfo& host = HostTarget();
  return absl::StrFormat(
      R"(# Accuracy and speed of the vector maths

Made by `math_accuracy_tool --stride=%d --samples=%d`; do not edit.

f32 functions of one operand: %s, against the C library in f64. Two operands and
f64: random samples, half of them of ordinary size and half random bits, against
the C library in `long double`. Errors are in units in the last place of the
result; infinity would mean a wrong NaN or the wrong sign of zero. Times are for
one ordinary element of a loop over an array in the first cache, at the full
vector width of the target. Here the host is %s with vectors of %d bits.

)",
      flags.stride, flags.samples, share, host.cpu, host.vector_bytes * 8);
}

int Run(const Flags& flags) {
  auto variants = MathVariants();
  if (!variants.ok()) {
    std::fprintf(stderr, "%s\n", variants.status().ToString().c_str());
    return 1;
  }
  std::string text =
      absl::StrCat(Introduction(flags),
                   "| function | type | target | bound | max ulp | at | ns |\n",
                   "| --- | --- | --- | ---: | ---: | --- | ---: |\n");
  bool good = true;
  for (const MathVariant& variant : *variants) {
    auto narrow = CompileMath(variant, variant.target.vector_bytes / 4);
    auto wide = CompileMath(variant, variant.target.vector_bytes / 8);
    if (!narrow.ok() || !wide.ok()) {
      std::fprintf(stderr, "%s\n%s\n", narrow.status().ToString().c_str(),
                   wide.status().ToString().c_str());
      return 1;
    }
    for (const MathFunction& function : MathFunctions()) {
      if (!flags.only.empty() && flags.only != function.name) continue;
      const Row f32 = MeasureF32(function, **narrow, flags);
      const Row f64 = MeasureF64(function, **wide, flags);
      const std::string lines =
          absl::StrCat(Line(function, variant, "f32", function.ulps_f32, f32),
                       Line(function, variant, "f64", function.ulps_f64, f64));
      if (f32.ulps > function.ulps_f32 || f64.ulps > function.ulps_f64) {
        good = false;
        std::printf("TOO LARGE:\n");
      }
      std::printf("%s", lines.c_str());
      std::fflush(stdout);
      text += lines;
    }
  }
  if (!flags.out.empty()) {
    std::FILE* file = std::fopen(flags.out.c_str(), "w");
    if (file == nullptr) return 1;
    std::fputs(text.c_str(), file);
    std::fclose(file);
  }
  return good ? 0 : 1;
}

int Main(int argc, char** argv) {
  Flags flags;
  for (int i = 1; i < argc; ++i) {
    absl::string_view arg = argv[i];
    bool known = false;
    if (absl::ConsumePrefix(&arg, "--stride=")) {
      known = absl::SimpleAtoi(arg, &flags.stride) && flags.stride > 0;
    } else if (absl::ConsumePrefix(&arg, "--samples=")) {
      known = absl::SimpleAtoi(arg, &flags.samples);
    } else if (absl::ConsumePrefix(&arg, "--only=")) {
      flags.only = std::string(arg);
      known = true;
    } else if (absl::ConsumePrefix(&arg, "--out=")) {
      flags.out = std::string(arg);
      known = true;
    }
    if (!known) {
      std::fprintf(stderr, "unknown flag: %s\n", argv[i]);
      return 2;
    }
  }
  return Run(flags);
}

}  // namespace
}  // namespace xla::cpu

int main(int argc, char** argv) { return xla::cpu::Main(argc, argv); }
