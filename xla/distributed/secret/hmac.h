// HMAC-SHA-256.
#ifndef XLA_DISTRIBUTED_SECRET_HMAC_H_
#define XLA_DISTRIBUTED_SECRET_HMAC_H_

#include <array>
#include <cstdint>

#include "absl/strings/string_view.h"

namespace xla::distributed {

using Digest = std::array<uint8_t, 32>;

// SHA-256 of any bytes. Source: FIPS 180-4.
Digest Sha256(absl::string_view bytes);

// Source: RFC 2104.
Digest HmacSha256(absl::string_view key, absl::string_view message);

// Takes the same time wherever the digests differ.
bool AreEqualInConstantTime(const Digest& a, const Digest& b);

}  // namespace xla::distributed

#endif  // XLA_DISTRIBUTED_SECRET_HMAC_H_
