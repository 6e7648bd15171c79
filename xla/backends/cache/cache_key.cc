// Hashes with LLVM's BLAKE3.
#include "xla/backends/cache/cache_key.h"

#include "absl/strings/escaping.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/BLAKE3.h"

namespace xla {

std::string CacheKey::ToString() const {
  return absl::BytesToHexString(absl::string_view(
      reinterpret_cast<const char*>(digest.data()), digest.size()));
}

CacheKey CacheKeyOf(absl::FunctionRef<void(ByteStream& out)> write) {
  llvm::BLAKE3 hash;
  const auto consume = [&](absl::string_view bytes) {
    hash.update(llvm::StringRef(bytes.data(), bytes.size()));
  };
  {
    ByteStream out(consume);
    write(out);
  }
  CacheKey key;
  key.digest = hash.final<sizeof(key.digest)>();
  return key;
}

CacheKey CacheKeyOf(absl::Span<const absl::string_view> parts) {
  return CacheKeyOf([&](ByteStream& out) {
    for (const absl::string_view part : parts) out.Text(part);
  });
}

}  // namespace xla
