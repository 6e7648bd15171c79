// CacheKey: what the compilation cache finds entries by, a hash of everything
// on which a result depends.
#ifndef XLA_BACKENDS_CACHE_CACHE_KEY_H_
#define XLA_BACKENDS_CACHE_CACHE_KEY_H_

#include <array>
#include <cstdint>
#include <string>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace xla {

// 256 bits of BLAKE3: nobody will meet two programs with the same key, nor find
// them on purpose. Source: O'Connor et al., "BLAKE3: one function, fast
// everywhere".
struct CacheKey {
  std::array<uint8_t, 32> digest = {};

  // 64 hexadecimal digits.
  std::string ToString() const;

  friend bool operator==(const CacheKey&, const CacheKey&) = default;
};

// The key of a list of texts. Where one ends and the next begins counts.
CacheKey CacheKeyOf(absl::Span<const absl::string_view> parts);

}  // namespace xla

#endif  // XLA_BACKENDS_CACHE_CACHE_KEY_H_
