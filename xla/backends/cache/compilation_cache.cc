// Puts entries into frames that show whether they are whole, and counts.
#include "xla/backends/cache/compilation_cache.h"

#include <cstdlib>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "xla/base/byte_fields.h"
#include "xla/base/logging.h"
#include "xla/base/stable_hash.h"
#include "xla/base/status_macros.h"

namespace xla {
namespace {

// The frame, with little-endian numbers, followed by the bytes of the entry:
//   8 bytes   "TSRACACH"
//   4 bytes   format version
//  32 bytes   the key
//   8 bytes   the number of bytes
//   8 bytes   their StableBlockHash
constexpr absl::string_view kMagic = "TSRACACH";
constexpr uint32_t kFormatVersion = 1;

absl::string_view DigestOf(const CacheKey& key) {
  return {reinterpret_cast<const char*>(key.digest.data()), key.digest.size()};
}

std::string FrameOf(const CacheKey& key, absl::string_view bytes) {
  ByteWriter writer(64);
  writer.Bytes(kMagic);
  writer.Number(kFormatVersion);
  writer.Bytes(DigestOf(key));
  writer.Number(uint64_t{bytes.size()});
  writer.Number(StableBlockHash(bytes));
  return std::move(writer).Take();
}

// Errors: InvalidArgument unless `file` is a whole entry of this key.
absl::StatusOr<absl::string_view> Unframed(const CacheKey& key,
                                           absl::string_view file) {
  ByteReader reader(file);
  const bool ours = reader.Bytes(kMagic.size()) == kMagic &&
                    reader.Number<uint32_t>() == kFormatVersion &&
                    reader.Bytes(key.digest.size()) == DigestOf(key);
  const uint64_t size = reader.Number<uint64_t>();
  const uint64_t checksum = reader.Number<uint64_t>();
  const absl::string_view bytes = reader.rest();
  if (ours && !reader.failed() && bytes.size() == size &&
      StableBlockHash(bytes) == checksum) {
    return bytes;
  }
  return absl::InvalidArgumentError("the entry is damaged");
}

absl::StatusOr<int64_t> BoundOf(const std::optional<int64_t>& option) {
  int64_t bytes = CompilationCache::kDefaultMaxBytes;
  if (option.has_value()) {
    if (*option >= 1) return *option;
    return absl::InvalidArgumentError(
        absl::StrCat("the bound of the compilation cache is ", *option,
                     " bytes: at least 1 is needed"));
  }
  const char* set = std::getenv("TESSERA_CACHE_MAX_BYTES");
  if (set == nullptr || *set == '\0') return bytes;
  if (absl::SimpleAtoi(set, &bytes) && bytes >= 1) return bytes;
  return absl::InvalidArgumentError(absl::StrCat(
      "TESSERA_CACHE_MAX_BYTES must be a number of bytes, at least 1, not '",
      absl::string_view(set).substr(0, 64), "'"));
}

}  // namespace

std::string CompilationCacheStatistics::ToString() const {
  return absl::StrCat(hits, " hits, ", misses, " misses, ", stores, " stores, ",
                      evictions, " evictions, ", uncached, " uncached, ",
                      errors, " errors");
}

absl::StatusOr<std::shared_ptr<CompilationCache>> CompilationCache::Open(
    const CompilationCacheOptions& options) {
  std::string folder;
  if (options.folder.has_value()) {
    folder = *options.folder;
  } else if (const char* set = std::getenv("TESSERA_CACHE_DIR")) {
    folder = set;
  }
  TF_ASSIGN_OR_RETURN(const int64_t max_bytes, BoundOf(options.max_bytes));
  if (folder.empty()) return nullptr;
  return std::make_shared<CompilationCache>(folder, max_bytes);
}

bool CompilationCache::Load(
    const CacheKey& key,
    absl::FunctionRef<absl::Status(absl::string_view bytes)> load) {
  const std::string name = key.ToString();
  const absl::StatusOr<std::string> file = folder_.Read(name);
  absl::Status status = file.status();
  if (file.ok()) {
    const absl::StatusOr<absl::string_view> bytes = Unframed(key, *file);
    status = bytes.ok() ? load(*bytes) : bytes.status();
  }
  if (status.ok()) {
    Count(&Counters::hits);
    VLOG(1) << "compilation cache: hit " << name;
    return true;
  }
  Count(&Counters::misses);
  VLOG(1) << "compilation cache: miss " << name << ", " << status;
  if (absl::IsNotFound(status)) return false;
  Count(&Counters::errors);
  // If memory is short, the entry is as good as before.
  if (!absl::IsPermissionDenied(status) && !absl::IsResourceExhausted(status)) {
    folder_.Remove(name);
  }
  return false;
}

void CompilationCache::Store(const CacheKey& key, absl::string_view bytes) {
  const std::string frame = FrameOf(key, bytes);
  const absl::StatusOr<int64_t> removed =
      folder_.Write(key.ToString(), {frame, bytes});
  if (removed.ok()) {
    Count(&Counters::stores);
    Count(&Counters::evictions, *removed);
    return;
  }
  if (absl::IsOutOfRange(removed.status())) return;
  Count(&Counters::errors);
  if (!warned_.exchange(true)) {
    LOG(WARNING) << "the compilation cache in " << folder()
                 << " does not keep programs: " << removed.status();
  }
}

CompilationCacheStatistics CompilationCache::Counters::Get() const {
  return {.hits = hits.load(),
          .misses = misses.load(),
          .stores = stores.load(),
          .evictions = evictions.load(),
          .uncached = uncached.load(),
          .errors = errors.load()};
}

CompilationCache::Counters& CompilationCache::OfProcess() {
  static auto* const counters = new Counters;
  return *counters;
}

CompilationCacheStatistics CompilationCache::ProcessStatistics() {
  return OfProcess().Get();
}

void CompilationCache::Count(std::atomic<int64_t> Counters::* counter,
                             int64_t number) {
  counters_.*counter += number;
  OfProcess().*counter += number;
}

}  // namespace xla
