// Prints docs/product-accuracy.md: `product_accuracy_tool [SHAPES]`, 500 for
// each row unless given.
#include <cstdint>
#include <iostream>
#include <string>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "tests/backends/cpu/accuracy/product_errors.h"
#include "xla/core/primitive_util.h"

namespace xla::cpu {
namespace {

constexpr char kIntroduction[] =
    R"(# Accuracy of products

Made by `product_accuracy_tool > docs/product-accuracy.md`; do not edit.

A dot or convolution of floats is a sum of products in F32, or in F64 if one of
the types is F64 or C128, and is rounded once to the type of the result.
Products of types of up to 16 bits are exact in F32. Packed products, of which
convolutions and attention consist, add up the sums of blocks of 512 terms or
more. What is guaranteed for each element is

    |result - exact| <= e * u * sum |a| |b| + one rounding of the result,

where u is 2^-24, or 2^-53 for sums in F64, `sum |a| |b|` is the sum of the
magnitudes of its products, and e is at most the number of terms (twice that of
complex numbers), as for any order of a sum. Since roundings have both signs, e
is about the root of that:

    e <= 8 + sqrt(terms)

holds for all that was measured (a complex sum consists of two real ones), and
`backends_cpu_accuracy_test` checks it at each vector level on other shapes.
Subnormal sums may differ by one more least number per term. The table has the
largest e, its root mean square over all elements, and the largest share of this
bound.

Exact results are sums in `long double`. Each row has SHAPES shapes of random
sizes; operands are uniform in (-1, 1), in (0, 1), or have magnitudes down to
2^-16, by turns. Integers are exact, modulo 2^n if the result has n bits. The
order of each sum depends on shapes, types and the vector level alone:
`contraction_fuzz_tool` (tests/fuzz) compares the bits for several numbers of
threads, and what follows products.

A rounding of the result hides the errors of sums if its type is narrower than
theirs; that e is near 0 there says that there was only one. Attention here is
two products with nothing between them, and its `sum |a| |b|` that of both.

| product | operands | result | level | terms | max e | rms e | share |
| --- | --- | --- | --- | ---: | ---: | ---: | ---: |
)";

struct Level {
  VectorLevel level;
  const char* name;
};

int Main(int argc, char** argv) {
  int64_t shapes = 500;
  if (argc > 2 || (argc == 2 && !absl::SimpleAtoi(argv[1], &shapes))) {
    std::cerr << "usage: product_accuracy_tool [SHAPES]\n";
    return 2;
  }
  std::string text = kIntroduction;
  const size_t at = text.find("SHAPES");
  text.replace(at, 6, absl::StrCat(shapes));
  std::cout << text;
  for (const ProductCase& product : ProductCases()) {
    for (const Level& level : {Level{VectorLevel::kBaseline, "baseline"},
                               Level{VectorLevel::kAvx2, "AVX2"},
                               Level{VectorLevel::kAvx512, "AVX512"},
                               Level{VectorLevel::kAvx512Bf16, "AVX512_BF16"},
                               Level{VectorLevel::kAmx, "AMX"}}) {
      if (level.level > ProcessorVectorLevel()) continue;
      if (!HasKernelsOfLevel(product, level.level)) continue;
      // Native code is compiled for the processor, whatever the level.
      const bool is_native = product.way == ProductWay::kNative;
      if (is_native && level.level != VectorLevel::kBaseline) continue;
      const VectorLevelScope scope(level.level);
      const ProductErrors errors = MeasureProduct(product, shapes, 1);
      const auto name = [](PrimitiveType type) {
        return primitive_util::LowercasePrimitiveTypeName(type);
      };
      std::cout << absl::StreamFormat(
          "| %s | %s | %s | %s | %d | %.2f | %.2f | %.2f |\n",
          ProductWayName(product.way), name(product.lhs), name(product.out),
          is_native ? "host" : level.name, errors.longest, errors.max,
          errors.root_mean_square, errors.share);
    }
  }
  return 0;
}

}  // namespace
}  // namespace xla::cpu

int main(int argc, char** argv) { return xla::cpu::Main(argc, argv); }
