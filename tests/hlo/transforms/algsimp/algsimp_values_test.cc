// The algebraic simplifier keeps values: each module of the lit files here,
// before and after, on arguments with nan, infinities, zeros of both signs and
// extremes. Bits must be equal, except that any nan equals any nan; modules
// with a name that begins with "close_" may differ by a rounding.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_split.h"
#include "xla/base/status_macros.h"
#include "xla/core/literal/comparison/error_spec.h"
#include "xla/core/literal/comparison/literal_comparison.h"
#include "xla/core/literal/literal_util.h"
#include "xla/core/primitive_util.h"
#include "xla/hlo/evaluator/hlo_evaluator.h"
#include "xla/hlo/parser/hlo_parser.h"
#include "xla/hlo/transforms/algebra/algebraic_simplifier.h"
#include "xla/hlo/verifier/hlo_verifier.h"

namespace xla {
namespace {

constexpr int kRuns = 4;

std::string SourceRoot() {
  const char* root = std::getenv("TESSERA_SRC");
  return root != nullptr ? root : ".";
}

// Returns the modules of all files, in the order of their names.
std::vector<std::string> Modules() {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator(
           SourceRoot() + "/tests/hlo/transforms/algsimp")) {
    if (entry.path().extension() == ".hlo") paths.push_back(entry.path());
  }
  std::sort(paths.begin(), paths.end());
  std::vector<std::string> modules;
  for (const auto& path : paths) {
    std::ifstream in(path);
    const std::string text((std::istreambuf_iterator<char>(in)), {});
    for (absl::string_view part : absl::StrSplit(text, "// -----")) {
      modules.emplace_back(part);
    }
  }
  return modules;
}

double SpecialNumber(std::mt19937& random) {
  constexpr double kInf = std::numeric_limits<double>::infinity();
  constexpr double kNumbers[] = {0.0,    -0.0,   1,     -1,    0.5,    -2,
                                 3,      kInf,   -kInf, 1e-40, -1e-44, 1e38,
                                 -3e-39, 65504,  1e-7,  NAN,   2.5,    -1.5,
                                 7,      1e-310, 1e300, 255,   0.1,    -0.7};
  if (random() % 3 == 0) {
    return std::normal_distribution<double>(0, 10)(random);
  }
  return kNumbers[random() % std::size(kNumbers)];
}

int64_t SpecialInteger(std::mt19937& random) {
  constexpr int64_t kMin = std::numeric_limits<int64_t>::min();
  constexpr int64_t kMax = std::numeric_limits<int64_t>::max();
  constexpr int64_t kIntegers[] = {0,  1,  2,  3,  4,   5,    6,
                                   7,  8,  -1, -2, -3,  kMin, kMax,
                                   31, 32, 63, 64, 100, -100};
  if (random() % 4 == 0) return static_cast<int64_t>(random()) - 0x7fffffff;
  return kIntegers[random() % std::size(kIntegers)];
}

Literal RandomArray(const Shape& shape, std::mt19937& random) {
  const PrimitiveType type = shape.element_type();
  if (primitive_util::IsComplexType(type)) {
    Literal array(ShapeUtil::ChangeElementType(shape, C128));
    for (complex128& z : array.data<complex128>()) {
      z = {SpecialNumber(random), SpecialNumber(random)};
    }
    return array.Convert(type).value();
  }
  if (primitive_util::IsFloatingPointType(type)) {
    Literal array(ShapeUtil::ChangeElementType(shape, F64));
    for (double& x : array.data<double>()) x = SpecialNumber(random);
    return array.Convert(type).value();
  }
  if (type == PRED) {
    Literal array(shape);
    for (bool& x : array.data<bool>()) x = random() % 2 == 0;
    return array;
  }
  Literal array(ShapeUtil::ChangeElementType(shape, S64));
  for (int64_t& x : array.data<int64_t>()) x = SpecialInteger(random);
  return array.Convert(type).value();
}

Literal RandomLiteral(const Shape& shape, std::mt19937& random) {
  if (shape.IsToken()) return LiteralUtil::CreateToken();
  if (!shape.IsTuple()) return RandomArray(shape, random);
  std::vector<Literal> elements;
  for (const Shape& element : shape.tuple_shapes()) {
    elements.push_back(RandomLiteral(element, random));
  }
  return LiteralUtil::MakeTupleOwned(std::move(elements));
}

void ExpectSame(const Literal& before, const Literal& after, bool close,
                const std::string& text) {
  const absl::Status same =
      close ? literal_comparison::Near(before, after, ErrorSpec(0, 5e-7))
            : literal_comparison::Equal(before, after);
  EXPECT_TRUE(same.ok()) << same << "\n" << text;
}

// Returns whether it ran: the evaluator has no other devices here.
bool RunBeforeAndAfter(const std::string& text) {
  auto module = ParseAndReturnUnverifiedModule(text);
  EXPECT_TRUE(module.ok()) << module.status() << text;
  std::unique_ptr<HloModule> simplified = (*module)->Clone();
  auto changed = AlgebraicSimplifier().Run(simplified.get());
  EXPECT_TRUE(changed.ok()) << changed.status() << text;
  EXPECT_TRUE(HloVerifier().Verify(*simplified).ok()) << text;
  EXPECT_FALSE(AlgebraicSimplifier().Run(simplified.get()).value())
      << "not simplified to the end\n"
      << simplified->ToString();
  std::mt19937 random(20);
  bool ran = false;
  for (int run = 0; run < kRuns; ++run) {
    std::vector<Literal> arguments;
    for (const HloInstruction* parameter :
         (*module)->entry_computation()->parameter_instructions()) {
      arguments.push_back(RandomLiteral(parameter->shape(), random));
    }
    auto before = HloEvaluator().Evaluate(**module, arguments);
    if (!before.ok()) return false;
    auto after = HloEvaluator().Evaluate(*simplified, arguments);
    EXPECT_TRUE(after.ok()) << after.status() << simplified->ToString();
    if (!after.ok()) return false;
    ExpectSame(*before, *after, absl::StartsWith((*module)->name(), "close_"),
               text + simplified->ToString());
    ran = true;
  }
  return ran;
}

TEST(AlgsimpValuesTest, ModulesKeepTheirValues) {
  int ran = 0, modules = 0;
  for (const std::string& text : Modules()) {
    ++modules;
    ran += RunBeforeAndAfter(text);
  }
  EXPECT_GT(modules, 100);
  // Only collectives of several devices did not run.
  EXPECT_GE(ran, modules - 10);
}

}  // namespace
}  // namespace xla
