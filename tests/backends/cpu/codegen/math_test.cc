// The maths functions in generated code: special values and sampled errors, for
// every width and kind of processor that the host can run.
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "tests/backends/cpu/codegen/isa_targets.h"
#include "tests/backends/cpu/codegen/math_functions.h"

namespace xla::cpu {
namespace {

// One compiled variant per process: compiling takes longer than calling.
struct Compiled {
  std::string name;
  int lanes;
  std::unique_ptr<CompiledCode> code;
};

const std::vector<Compiled>& AllCompiled() {
  static const auto* all = [] {
    auto* result = new std::vector<Compiled>;
    auto variants = MathVariants();
    EXPECT_TRUE(variants.ok()) << variants.status();
    if (!variants.ok()) return result;
    auto add = [&](const MathVariant& variant, int lanes) {
      auto code = CompileMath(variant, lanes);
      EXPECT_TRUE(code.ok()) << variant.name << ": " << code.status();
      if (!code.ok()) return;
      result->push_back({variant.name, lanes, *std::move(code)});
    };
    // The host at widths below, at and above its registers; the other
    // processors at their own width. Scalars have branches of their own.
    for (int lanes : {0, 4, 6, 8, 16, 32}) add(variants->front(), lanes);
    for (size_t i = 1; i < variants->size(); ++i) {
      for (int lanes : {0, 4}) add((*variants)[i], lanes);
    }
    // Every level, at the width of loops over its registers.
    for (size_t i = 1; i < IsaTargets().size(); ++i) {
      const IsaTarget& isa = IsaTargets()[i];
      if (!isa.missing.empty()) continue;
      const TargetInfo& target = isa.target;
      add({isa.name,
           target,
           {.has_fma = target.has_fma,
            .has_round = target.has_round,
            .has_avx512 = target.has_avx512,
            .is_x86 = target.is_x86}},
          target.Lanes(4));
    }
    return result;
  }();
  return *all;
}

template <typename T>
using Wide = std::conditional_t<sizeof(T) == 8, long double, double>;

template <typename T>
Wide<T> Reference(const MathFunction& function, T x, T y) {
  if constexpr (sizeof(T) == 8) {
    return function.reference_f64(x, y);
  } else {
    return function.reference_f32(x, y);
  }
}

// A multiple of all widths.
constexpr size_t kMultiple = 96;

// Pads values to whole vectors.
template <typename T>
void Pad(std::vector<T>& values) {
  while (values.size() % kMultiple != 0) values.push_back(1);
}

// Evaluates `function` on all pairs and compares; stops at the first mistake.
template <typename T>
void Check(const Compiled& compiled, const MathFunction& function,
           const std::vector<T>& x, const std::vector<T>& y) {
  const char* suffix = sizeof(T) == 8 ? "_f64" : "_f32";
  const std::string name = absl::StrCat(function.name, suffix);
  auto loop = compiled.code->Function<MathLoop<T>>(name);
  ASSERT_TRUE(loop.ok()) << loop.status();
  std::vector<T> out(x.size());
  (*loop)(x.data(), y.data(), out.data(), static_cast<int64_t>(x.size()));
  const double bound = sizeof(T) == 8 ? function.ulps_f64 : function.ulps_f32;
  for (size_t i = 0; i < x.size(); ++i) {
    const Wide<T> want = Reference(function, x[i], y[i]);
    ASSERT_LE((UlpError<T, Wide<T>>(out[i], want)), bound)
        << name << " " << compiled.name << " x" << compiled.lanes << " of "
        << x[i] << ", " << y[i] << ": " << out[i] << " instead of " << want;
  }
}

template <typename T>
std::vector<T> SpecialValues() {
  using Limits = std::numeric_limits<T>;
  std::vector<T> values = {0,
                           Limits::denorm_min(),
                           3 * Limits::denorm_min(),
                           Limits::min() / 3,
                           Limits::min(),
                           Limits::epsilon(),
                           T(0.1),
                           T(0.25),
                           T(0.5),
                           T(0.75),
                           1 - Limits::epsilon() / 2,
                           1,
                           1 + Limits::epsilon(),
                           T(1.5),
                           2,
                           T(2.5),
                           3,
                           T(3.14159265358979323846),
                           10,
                           T(88.5),
                           T(89.2),
                           T(103.5),
                           T(127.75),
                           T(709.5),
                           T(710.3),
                           T(744.8),
                           100000,
                           T(8388607.5),
                           8388609,
                           16777215,
                           T(4503599627370495.5),
                           T(9007199254740991),
                           T(1e10),
                           T(1e22),
                           T(6.07064944e18),
                           Limits::max() / 3,
                           Limits::max(),
                           Limits::infinity(),
                           Limits::quiet_NaN()};
  const size_t count = values.size();
  for (size_t i = 0; i < count; ++i) values.push_back(-values[i]);
  return values;
}

template <typename T>
void CheckSpecials() {
  const std::vector<T> specials = SpecialValues<T>();
  std::vector<T> x, y;
  for (T a : specials) {
    for (T b : specials) {
      x.push_back(a);
      y.push_back(b);
    }
  }
  Pad(x);
  Pad(y);
  std::vector<T> once = specials;
  Pad(once);
  for (const Compiled& compiled : AllCompiled()) {
    for (const MathFunction& function : MathFunctions()) {
      if (function.arity == 1) {
        Check(compiled, function, once, once);
      } else {
        Check(compiled, function, x, y);
      }
    }
  }
}

template <typename T>
void CheckSamples() {
  std::mt19937_64 random(7);
  for (const Compiled& compiled : AllCompiled()) {
    for (const MathFunction& function : MathFunctions()) {
      std::uniform_real_distribution<T> ordinary(function.low, function.high);
      std::vector<T> x(10 * kMultiple), y(10 * kMultiple);
      for (size_t i = 0; i < x.size(); ++i) {
        x[i] = ordinary(random);
        y[i] = ordinary(random);
        if (i % 4 != 0) continue;
        const uint64_t bits = random();
        std::memcpy(&x[i], &bits, sizeof(T));
      }
      Check(compiled, function, x, y);
    }
  }
}

TEST(MathTest, SpecialValuesF32) { CheckSpecials<float>(); }
TEST(MathTest, SpecialValuesF64) { CheckSpecials<double>(); }
TEST(MathTest, SamplesF32) { CheckSamples<float>(); }
TEST(MathTest, SamplesF64) { CheckSamples<double>(); }

// Operands whose reduction cancels the most digits: nearest to multiples of
// pi/2.
TEST(MathTest, HardestTrigonometricOperands) {
  std::vector<float> f32 = {5.2414e13f, 16367173.0f * 0x1p72f, 1.6e36f};
  std::vector<double> f64 = {6381956970095103.0 * 0x1p797,
                             0x1.6ac5b262ca1ffp849, 3.14159265358979311600,
                             1e300};
  Pad(f32);
  Pad(f64);
  for (const Compiled& compiled : AllCompiled()) {
    for (const MathFunction& function : MathFunctions()) {
      const std::string name = function.name;
      if (name != "sin" && name != "cos" && name != "tan") continue;
      Check(compiled, function, f32, f32);
      Check(compiled, function, f64, f64);
    }
  }
}

// Operands whose reduction loses little, but whose reduced argument is so near
// pi/2 that the polynomial's roundings, unless it is lowered there, add up to
// results above 1 and to more than 2 ulp.
TEST(MathTest, SinesNextToOne) {
  std::vector<float> operands = {3981.96875f, 2104.86719f, 8810.59668f,
                                 2525.84058f, 1657.1532f,  116.338028f};
  Pad(operands);
  for (const Compiled& compiled : AllCompiled()) {
    for (const MathFunction& function : MathFunctions()) {
      const std::string name = function.name;
      if (name != "sin" && name != "cos") continue;
      Check(compiled, function, operands, operands);
      auto loop = compiled.code->Function<MathLoop<float>>(name + "_f32");
      ASSERT_TRUE(loop.ok()) << loop.status();
      std::vector<float> out(operands.size());
      (*loop)(operands.data(), operands.data(), out.data(),
              static_cast<int64_t>(out.size()));
      for (size_t i = 0; i < out.size(); ++i) {
        ASSERT_LE(std::fabs(out[i]), 1) << name << " of " << operands[i];
      }
    }
  }
}

// A lane's result does not depend on its neighbors, even huge ones.
TEST(MathTest, LanesAreIndependent) {
  std::vector<float> mixed(kMultiple, 1.25f);
  std::vector<float> y(kMultiple, 0.3f);
  for (size_t i = 0; i < mixed.size(); i += 3) mixed[i] = 3e30f;
  const std::vector<float> plain(kMultiple, 1.25f);
  for (const Compiled& compiled : AllCompiled()) {
    for (const MathFunction& function : MathFunctions()) {
      auto loop = compiled.code->Function<MathLoop<float>>(
          absl::StrCat(function.name, "_f32"));
      ASSERT_TRUE(loop.ok()) << loop.status();
      std::vector<float> from_mixed(kMultiple), from_plain(kMultiple);
      (*loop)(mixed.data(), y.data(), from_mixed.data(), kMultiple);
      (*loop)(plain.data(), y.data(), from_plain.data(), kMultiple);
      for (size_t i = 0; i < mixed.size(); ++i) {
        if (i % 3 == 0) continue;
        ASSERT_TRUE(std::memcmp(&from_mixed[i], &from_plain[i], 4) == 0)
            << function.name << " " << from_mixed[i] << " " << from_plain[i];
      }
    }
  }
}

// Exponentials of vectors in which an operand is large take other code than
// those in which none is; both give the same bits.
template <typename T>
void CheckBothPaths() {
  std::mt19937_64 random(11);
  const T bound = sizeof(T) == 8 ? 745 : 104;
  std::uniform_real_distribution<T> ordinary(-bound, bound);
  std::vector<T> plain(100 * kMultiple), mixed;
  for (size_t i = 0; i < plain.size(); ++i) {
    // Every other group of three has multiples of a half, where exp2 rounds
    // ties.
    plain[i] = ordinary(random) / (i % 5 == 0 ? 1 : 2);
    if (i / 3 % 2 == 0) plain[i] = std::round(plain[i] * 2) / 2;
  }
  mixed = plain;
  for (size_t i = 0; i < mixed.size(); i += 3) mixed[i] = i % 2 ? -1e5 : 1e5;
  for (const Compiled& compiled : AllCompiled()) {
    for (const char* name : {"exp", "exp2", "logistic"}) {
      auto loop = compiled.code->Function<MathLoop<T>>(
          absl::StrCat(name, sizeof(T) == 8 ? "_f64" : "_f32"));
      ASSERT_TRUE(loop.ok()) << loop.status();
      std::vector<T> from_mixed(mixed.size()), from_plain(mixed.size());
      const int64_t count = static_cast<int64_t>(mixed.size());
      (*loop)(mixed.data(), plain.data(), from_mixed.data(), count);
      (*loop)(plain.data(), plain.data(), from_plain.data(), count);
      for (size_t i = 0; i < mixed.size(); ++i) {
        if (i % 3 == 0) continue;
        ASSERT_EQ(std::memcmp(&from_mixed[i], &from_plain[i], sizeof(T)), 0)
            << compiled.name << " " << name << " of " << plain[i] << ": "
            << from_mixed[i] << " " << from_plain[i];
      }
    }
  }
}

TEST(MathTest, ExponentialsOnBothPathsF32) { CheckBothPaths<float>(); }
TEST(MathTest, ExponentialsOnBothPathsF64) { CheckBothPaths<double>(); }

}  // namespace
}  // namespace xla::cpu
