// Errors of products beside sums in `long double`, for the test of their
// bounds and for docs/product-accuracy.md.
#ifndef TESTS_BACKENDS_CPU_ACCURACY_PRODUCT_ERRORS_H_
#define TESTS_BACKENDS_CPU_ACCURACY_PRODUCT_ERRORS_H_

#include <cstdint>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "xla/backends/cpu/kernels/vector/vector_level.h"
#include "xla/proto/xla_data.pb.h"

namespace xla::cpu {

// The ways of computing products: the algorithms of the library, attention as
// two products with nothing between them, and code for small dots.
enum class ProductWay {
  kTiny,
  kSplitDepth,
  kSkinny,
  kPacked,
  kPackedConstant,
  kAttention,
  kNative,
  kDepthwise,
  kCol2Im,
  kInPlace,
  kRows,
};

struct ProductCase {
  ProductWay way;
  PrimitiveType lhs, rhs, out;
};

// What errors are promised of sums of so many products: in units of the unit
// roundoff of the type of sums (2^-24, of F64 2^-53) times the sum of the
// magnitudes of the products, after one rounding to the type of the result.
double ErrorBound(int64_t terms);

absl::Span<const ProductCase> ProductCases();
// Whether products of these types have kernels at `level` that lesser levels
// lack.
bool HasKernelsOfLevel(const ProductCase& product, VectorLevel level);
absl::string_view ProductWayName(ProductWay way);

// Operands are uniform in (-1, 1), in (0, 1), or of magnitudes from 2^-16 to 1,
// by turns.
struct ProductErrors {
  int64_t shapes = 0;
  int64_t longest = 0;  // terms of a sum
  double max = 0;
  double share = 0;  // the largest share of its bound that an error is
  double root_mean_square = 0;  // over all elements
};

// Draws `shapes` shapes, the same for the same seed, that are computed in this
// way at the current vector level.
ProductErrors MeasureProduct(const ProductCase& product, int64_t shapes,
                             uint64_t seed);

}  // namespace xla::cpu

#endif  // TESTS_BACKENDS_CPU_ACCURACY_PRODUCT_ERRORS_H_
