// CacheKey: what the compilation cache finds entries by, a hash of everything
// on which a result depends.
#ifndef XLA_BACKENDS_CACHE_CACHE_KEY_H_
#define XLA_BACKENDS_CACHE_CACHE_KEY_H_

#include <array>
#include <cstdint>
#include <string>

#include "absl/functional/function_ref.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "xla/base/byte_fields.h"

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

// The key of the bytes that `write` writes. Where one field ends and the next
// begins counts only if the fields say so, as Text does.
CacheKey CacheKeyOf(absl::FunctionRef<void(ByteStream& out)> write);
// That of a list of texts.
CacheKey CacheKeyOf(absl::Span<const absl::string_view> parts);

}  // namespace xla

#endif  // XLA_BACKENDS_CACHE_CACHE_KEY_H_
