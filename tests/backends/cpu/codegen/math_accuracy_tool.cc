// Measures error and speed of the maths functions in generated code and writes
// docs/math-accuracy.md.
//   math_accuracy_tool [--stride=N] [--samples=N] [--only=sin,cos] [--out=PATH]
//                      [--xla=PATH]
// f32 functions of one operand: every N-th of the 2^32 operands; all others:
// N samples. --xla: what xla_math_errors.py printed, for a table beside
// XLA:CPU's.
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "absl/types/span.h"
#include "tests/backends/cpu/codegen/math_errors.h"
#include "tests/backends/cpu/codegen/math_functions.h"

namespace xla::cpu {
namespace {

struct Flags {
  int64_t stride = 1;
  int64_t samples = 20'000'000;
  std::vector<std::string> only;  // functions; empty: all
  std::string out;
  std::string xla;
};

struct Row {
  double ulps = 0;
  double x = 0;
  double y = 0;
  double ns = 0;
};

constexpr int64_t kBlock = 4096;
// Of the operands compared with the f64 function, one in this many is also
// compared with the C library.
constexpr int64_t kLibraryStride = 1009;
// Variants that compute f32 functions in f64 add little: they run one block in
// this many.
constexpr int64_t kThroughDoubleStride = 16;

template <typename T, typename Wide>
void Take(const MathFunction& function, Wide (*reference)(Wide, Wide), T x, T y,
          T got, Row& row) {
  const double ulps = UlpError<T, Wide>(got, reference(Wide(x), Wide(y)));
  if (ulps <= row.ulps) return;
  row.ulps = ulps;
  row.x = x;
  row.y = y;
}

// A function of one f32 operand in one variant.
class OneOperand {
 public:
  OneOperand(const MathFunction& function, MathLoop<float>* loop,
             int64_t block_stride)
      : function_(function), loop_(loop), block_stride_(block_stride) {}

  // Compares block number `block` with the f64 function's results.
  void Compare(int64_t block, const std::vector<float>& x,
               const std::vector<double>& wide) {
    if (block % block_stride_ != 0) return;
    loop_(x.data(), x.data(), out_.data(), kBlock);
    // The C library decides about candidates for the largest error.
    const double block_largest =
        UlpErrors(out_.data(), wide.data(), kBlock, errors_.data());
    if (block_largest > largest_) {
      // Where the f64 function itself has a wrong NaN or zero, the other errors
      // still count.
      const bool wrong = block_largest > kWrong;
      for (int64_t i = 0; i < kBlock; ++i) {
        if (wrong ? errors_[i] <= largest_ : errors_[i] < block_largest) {
          continue;
        }
        Take(function_, function_.reference_f32, x[i], x[i], out_[i], row_);
      }
      if (!wrong) largest_ = block_largest;
    }
    for (int64_t i = block % kLibraryStride; i < kBlock; i += kLibraryStride) {
      Take(function_, function_.reference_f32, x[i], x[i], out_[i], row_);
    }
  }

  const Row& row() const { return row_; }

 private:
  // Errors beyond this, in ulp, are not rounding errors.
  static constexpr double kWrong = 1e6;

  const MathFunction& function_;
  MathLoop<float>* loop_;
  const int64_t block_stride_;
  Row row_;
  double largest_ = 0;
  std::vector<float> out_ = std::vector<float>(kBlock);
  std::vector<double> errors_ = std::vector<double>(kBlock);
};

// Compares every `stride`-th bit pattern, for all variants together.
void CompareAll(MathLoop<double>* wide_loop, int64_t stride,
                absl::Span<OneOperand> variants) {
  std::vector<float> x(kBlock);
  std::vector<double> x_wide(kBlock), wide(kBlock);
  uint64_t bits = 0;
  for (int64_t block = 0; bits < uint64_t{1} << 32; ++block) {
    for (int64_t i = 0; i < kBlock; ++i, bits += stride) {
      // The last block starts again from the beginning.
      const uint32_t word = static_cast<uint32_t>(bits);
      std::memcpy(&x[i], &word, sizeof(word));
    }
    Widen(x.data(), kBlock, x_wide.data());
    wide_loop(x_wide.data(), x_wide.data(), wide.data(), kBlock);
    for (OneOperand& variant : variants) variant.Compare(block, x, wide);
  }
}

template <typename T, typename Wide>
class Measurement {
 public:
  Measurement(const MathFunction& function, MathLoop<T>* loop,
              Wide (*reference)(Wide, Wide))
      : function_(function), loop_(loop), reference_(reference) {}

  // Half of the samples are between function.low and high, half are random
  // bits.
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
      for (int64_t i = 0; i < kBlock; ++i) {
        Take(function_, reference_, x[i], y[i], out[i], row_);
      }
    }
    return row_;
  }

  // Nanoseconds per ordinary element, the best of several blocks.
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

struct CompiledVariant {
  const MathVariant* variant;
  std::unique_ptr<CompiledCode> narrow;  // full registers of f32
  std::unique_ptr<CompiledCode> wide;    // full registers of f64
};

// One row for each variant.
std::vector<Row> MeasureF32(const MathFunction& function,
                            absl::Span<const CompiledVariant> variants,
                            const Flags& flags) {
  std::vector<Row> rows;
  std::vector<OneOperand> one_operand;
  for (const CompiledVariant& variant : variants) {
    auto* loop = LoopOf<float>(*variant.narrow, function);
    Measurement<float, double> m(function, loop, function.reference_f32);
    Row row;
    if (function.arity == 2) row = m.Samples(flags.samples);
    row.ns = m.Time();
    rows.push_back(row);
    one_operand.emplace_back(
        function, loop,
        variant.variant->options.has_fma ? 1 : kThroughDoubleStride);
  }
  if (function.arity == 2) return rows;
  CompareAll(LoopOf<double>(*variants[0].wide, function), flags.stride,
             absl::MakeSpan(one_operand));
  for (size_t v = 0; v < rows.size(); ++v) {
    const double ns = rows[v].ns;
    rows[v] = one_operand[v].row();
    rows[v].ns = ns;
  }
  return rows;
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

f32 functions of one operand: %s. The errors are those beside
the f64 function of the host, whose own error, below, is less than 1e-8 ulp of
f32; the largest one is that beside the C library in f64, as are those of one
operand in %d. Targets without fma compute them in f64: of these, one block of
operands in %d. Two operands and f64: random samples, half of them of ordinary
size and half random bits, against the C library in `long double`. Errors are in
units in the last place of the result; infinity would mean a wrong NaN or the
wrong sign of zero. Times are for one ordinary element of a loop over an array in
the first cache, at the full vector width of the target. Here the host is %s
with vectors of %d bits.

)",
      flags.stride, flags.samples, share, kLibraryStride, kThroughDoubleStride,
      host.cpu, host.vector_bytes * 8);
}

// XLA:CPU's f32 errors next to those of `rows`, on the host.
std::string BesideXla(const std::string& path,
                      const std::vector<std::pair<std::string, Row>>& rows) {
  std::ifstream file(path);
  std::string about, line;
  std::getline(file, about);
  std::map<std::string, std::vector<std::string>> words;
  while (std::getline(file, line)) {
    std::vector<std::string> row = absl::StrSplit(line, ' ');
    words[row[0]] = {row.begin() + 1, row.end()};
  }
  std::string table;
  std::vector<std::string> larger;
  for (const auto& [name, row] : rows) {
    const std::vector<std::string>& xla = words[name];
    double ulps = 0;
    if (xla.empty() || !absl::SimpleAtod(xla[0], &ulps)) continue;
    if (std::round(100 * row.ulps) > std::round(100 * ulps)) {
      larger.push_back(name);
    }
    absl::StrAppendFormat(
        &table, "| %s | %.2f | %s | %s |\n", name, row.ulps,
        ulps < 1000 ? xla[0] : absl::StrFormat("%.1e", ulps),
        xla.size() == 1 ? "-"
                        : absl::StrJoin(xla.begin() + 1, xla.end(), ", "));
  }
  return absl::StrFormat(R"(
## Beside XLA:CPU

The largest errors of f32 functions in units in the last place: ours are
those of the host above, XLA:CPU's are measured by xla_math_errors.py
(%s).
Subnormal operands and results, which XLA:CPU takes for 0, do not count.
Functions of which ours has the larger error: %s.

| function | Tessera | XLA:CPU | at |
| --- | ---: | ---: | --- |
%s)",
                         about, absl::StrJoin(larger, ", "), table);
}

int Run(const Flags& flags) {
  auto variants = MathVariants();
  if (!variants.ok()) {
    std::fprintf(stderr, "%s\n", variants.status().ToString().c_str());
    return 1;
  }
  std::vector<CompiledVariant> compiled;
  for (const MathVariant& variant : *variants) {
    auto narrow = CompileMath(variant, variant.target.vector_bytes / 4);
    auto wide = CompileMath(variant, variant.target.vector_bytes / 8);
    if (!narrow.ok() || !wide.ok()) {
      std::fprintf(stderr, "%s\n%s\n", narrow.status().ToString().c_str(),
                   wide.status().ToString().c_str());
      return 1;
    }
    compiled.push_back({&variant, *std::move(narrow), *std::move(wide)});
  }
  bool good = true;
  std::vector<std::pair<std::string, Row>> host_rows;
  std::vector<std::string> tables(compiled.size());
  for (const MathFunction& function : MathFunctions()) {
    if (!flags.only.empty() &&
        !absl::c_linear_search(flags.only, function.name)) {
      continue;
    }
    const std::vector<Row> rows = MeasureF32(function, compiled, flags);
    host_rows.emplace_back(function.name, rows[0]);
    for (size_t v = 0; v < compiled.size(); ++v) {
      const MathVariant& variant = *compiled[v].variant;
      const Row f64 = MeasureF64(function, *compiled[v].wide, flags);
      const std::string lines = absl::StrCat(
          Line(function, variant, "f32", function.ulps_f32, rows[v]),
          Line(function, variant, "f64", function.ulps_f64, f64));
      if (rows[v].ulps > function.ulps_f32 || f64.ulps > function.ulps_f64) {
        good = false;
        std::printf("TOO LARGE:\n");
      }
      std::printf("%s", lines.c_str());
      std::fflush(stdout);
      tables[v] += lines;
    }
  }
  const std::string text =
      absl::StrCat(Introduction(flags),
                   "| function | type | target | bound | max ulp | at | ns |\n",
                   "| --- | --- | --- | ---: | ---: | --- | ---: |\n",
                   absl::StrJoin(tables, ""),
                   flags.xla.empty() ? "" : BesideXla(flags.xla, host_rows));
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
      flags.only = absl::StrSplit(arg, ',', absl::SkipEmpty());
      known = true;
    } else if (absl::ConsumePrefix(&arg, "--xla=")) {
      flags.xla = std::string(arg);
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
