// The error-returning forms of checked arithmetic.
#include "xla/base/checked_math.h"

#include <cstdint>
#include <optional>

#include "absl/status/statusor.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "xla/base/errors.h"

namespace xla {

std::optional<int64_t> CheckedProduct(absl::Span<const int64_t> factors) {
  int64_t product = 1;
  bool overflow = false;
  for (int64_t factor : factors) {
    if (factor == 0) return 0;
    overflow = __builtin_mul_overflow(product, factor, &product) || overflow;
  }
  if (overflow) return std::nullopt;
  return product;
}

absl::StatusOr<int64_t> AddOrError(int64_t a, int64_t b,
                                   absl::string_view what) {
  if (auto sum = CheckedAdd(a, b)) return *sum;
  return InvalidArgument("%s: %d + %d does not fit in 64 bits", what, a, b);
}

absl::StatusOr<int64_t> MultiplyOrError(int64_t a, int64_t b,
                                        absl::string_view what) {
  if (auto product = CheckedMultiply(a, b)) return *product;
  return InvalidArgument("%s: %d * %d does not fit in 64 bits", what, a, b);
}

absl::StatusOr<int64_t> ProductOrError(absl::Span<const int64_t> factors,
                                       absl::string_view what) {
  if (auto product = CheckedProduct(factors)) return *product;
  // The input decides how many factors there are; 16 keep the message short.
  constexpr size_t kShown = 16;
  return InvalidArgument("%s: %s%s does not fit in 64 bits", what,
                         absl::StrJoin(factors.subspan(0, kShown), " * "),
                         factors.size() > kShown ? " * ..." : "");
}

}  // namespace xla
