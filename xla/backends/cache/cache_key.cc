// Hashes with LLVM's BLAKE3.
#include "xla/backends/cache/cache_key.h"

#include "absl/strings/escaping.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/BLAKE3.h"

namespace xla {

std::string CacheKey::ToString() const {
  return absl::BytesToHexString(absl::string_view(
      reinterpret_cast<const char*>(digest.data()), digest.size()));
}

CacheKey CacheKeyOf(absl::Span<const absl::string_view> parts) {
  llvm::BLAKE3 hash;
  for (const absl::string_view part : parts) {
    const uint64_t size = part.size();
    hash.update(llvm::ArrayRef<uint8_t>(reinterpret_cast<const uint8_t*>(&size),
                                        sizeof(size)));
    hash.update(llvm::StringRef(part.data(), part.size()));
  }
  CacheKey key;
  key.digest = hash.final<sizeof(key.digest)>();
  return key;
}

}  // namespace xla
