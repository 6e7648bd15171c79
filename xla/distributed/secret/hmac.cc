// HMAC over LLVM's SHA-256.
#include "xla/distributed/secret/hmac.h"

#include <cstring>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/SHA256.h"

namespace xla::distributed {
namespace {

constexpr size_t kBlockBytes = 64;  // of SHA-256

using Block = std::array<uint8_t, kBlockBytes>;

// The hash of the key's block, each byte of it combined with `pad`, and
// `bytes`.
Digest PaddedHash(const Block& key, uint8_t pad, llvm::StringRef bytes) {
  Block padded;
  for (size_t i = 0; i < kBlockBytes; ++i) padded[i] = key[i] ^ pad;
  llvm::SHA256 hash;
  hash.update(llvm::ArrayRef<uint8_t>(padded));
  hash.update(bytes);
  return hash.final();
}

}  // namespace

Digest Sha256(absl::string_view bytes) {
  llvm::SHA256 hash;
  hash.update(llvm::StringRef(bytes.data(), bytes.size()));
  return hash.final();
}

Digest HmacSha256(absl::string_view key, absl::string_view message) {
  Block block = {};
  if (key.size() > kBlockBytes) {
    const Digest hashed = Sha256(key);
    std::memcpy(block.data(), hashed.data(), hashed.size());
  } else if (!key.empty()) {
    std::memcpy(block.data(), key.data(), key.size());
  }
  const Digest inner =
      PaddedHash(block, 0x36, {message.data(), message.size()});
  return PaddedHash(
      block, 0x5c, {reinterpret_cast<const char*>(inner.data()), inner.size()});
}

bool AreEqualInConstantTime(const Digest& a, const Digest& b) {
  // The compiler must not see that the rest matters no more once bytes differ.
  volatile uint8_t difference = 0;
  for (size_t i = 0; i < a.size(); ++i) difference = difference | (a[i] ^ b[i]);
  return difference == 0;
}

}  // namespace xla::distributed
