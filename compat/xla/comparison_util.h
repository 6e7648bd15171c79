// comparison_util: XLA's header, with the comparison of keys.
#ifndef COMPAT_XLA_COMPARISON_UTIL_H_
#define COMPAT_XLA_COMPARISON_UTIL_H_

#include <utility>

#include "xla/core/comparison.h"  // IWYU pragma: export
#include "xla/primitive_util.h"   // IWYU pragma: export

namespace xla {

// Returns a function that tells whether key_fn(a) < key_fn(b), for sorting.
template <typename KeyFn>
auto LessThanByKey(KeyFn&& key_fn) {
  return [key_fn = std::forward<KeyFn>(key_fn)](const auto& a, const auto& b) {
    return key_fn(a) < key_fn(b);
  };
}

}  // namespace xla

#endif  // COMPAT_XLA_COMPARISON_UTIL_H_
