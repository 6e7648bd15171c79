// MakeFakeLiteral: values for programs whose inputs do not matter.
#ifndef XLA_CORE_LITERAL_FAKE_LITERAL_H_
#define XLA_CORE_LITERAL_FAKE_LITERAL_H_

#include <cstdint>
#include <optional>
#include <random>
#include <utility>

#include "absl/status/statusor.h"
#include "xla/core/literal/literal.h"
#include "xla/core/shape.h"

namespace xla {

// Makes values for a parameter of `shape`: the same ones in every call. Floats
// are between -1 and 1, integers at most 100 in size, or, with
// `use_large_range`, anything finite; without `pseudo_random`, all are 1.
// Errors: those of Literal::Make; InvalidArgument for opaque values.
absl::StatusOr<Literal> MakeFakeLiteral(const Shape& shape,
                                        bool pseudo_random = true,
                                        bool use_large_range = false);

// Likewise, with numbers from `engine`; without one, all are 1. Integers are
// within `limit`, both ends included, and ascend in memory if `is_sorted`. With
// `no_duplicates`, no two are the same if the type, and the limit, have as
// many. With `max_bits_of_precision`, integers and floats are whole numbers of
// so many bits, as far as the type has them.
absl::StatusOr<Literal> MakeFakeLiteral(
    const Shape& shape, std::minstd_rand0* engine,
    std::optional<std::pair<int64_t, int64_t>> limit, bool is_sorted,
    bool no_duplicates, bool use_large_range,
    std::optional<int64_t> max_bits_of_precision);

}  // namespace xla

#endif  // XLA_CORE_LITERAL_FAKE_LITERAL_H_
