// Reads and writes .npz archives, zip files of .npy files, in memory with
// libzip.
#include <zip.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "xla/base/errors.h"
#include "xla/base/status_macros.h"
#include "xla/core/literal/literal.h"
#include "xla/core/literal/literal_io.h"
#include "xla/core/shape.h"

namespace xla {
namespace {

struct DiscardZip {
  void operator()(zip_t* archive) const { zip_discard(archive); }
};
struct FreeSource {
  void operator()(zip_source_t* source) const { zip_source_free(source); }
};
struct CloseEntry {
  void operator()(zip_file_t* file) const { zip_fclose(file); }
};
using ZipPtr = std::unique_ptr<zip_t, DiscardZip>;
using SourcePtr = std::unique_ptr<zip_source_t, FreeSource>;

absl::Status ReadError(absl::string_view what) {
  return absl::InvalidArgumentError(absl::StrCat("npz: ", what));
}

absl::Status WriteError(absl::string_view what) {
  return absl::InternalError(absl::StrCat("npz: cannot write: ", what));
}

// Reads the bytes of one entry. The buffer grows with the data that the archive
// really holds, since the size that it claims may be anything.
absl::StatusOr<std::string> ReadEntry(zip_t* archive, zip_uint64_t index,
                                      zip_uint64_t claimed_size) {
  std::unique_ptr<zip_file_t, CloseEntry> file(
      zip_fopen_index(archive, index, 0));
  if (file == nullptr) return ReadError(zip_strerror(archive));
  // The most bytes that the buffer grows at a time.
  constexpr size_t kStep = size_t{1} << 20;
  std::string bytes;
  while (true) {
    const size_t at = bytes.size();
    const size_t step = std::clamp<size_t>(at, 4096, kStep);
    bytes.resize(at + step);
    const zip_int64_t read = zip_fread(file.get(), bytes.data() + at, step);
    if (read < 0) return ReadError(zip_file_strerror(file.get()));
    bytes.resize(at + static_cast<size_t>(read));
    if (bytes.size() > claimed_size) {
      return ReadError("an entry is larger than the archive says");
    }
    if (read == 0) return bytes;
  }
}

absl::Status AddEntry(zip_t* archive, const std::string& name,
                      const std::string& bytes) {
  SourcePtr source(zip_source_buffer(archive, bytes.data(), bytes.size(), 0));
  if (source == nullptr) return WriteError(zip_strerror(archive));
  const zip_int64_t index =
      zip_file_add(archive, name.c_str(), source.get(), ZIP_FL_ENC_UTF_8);
  if (index < 0) return WriteError(zip_strerror(archive));
  source.release();                          // the archive owns it now
  constexpr time_t kEpochOfZip = 315532800;  // 1980, for equal bytes
  if (zip_set_file_compression(archive, index, ZIP_CM_STORE, 0) != 0 ||
      zip_file_set_mtime(archive, index, kEpochOfZip, 0) != 0) {
    return WriteError(zip_strerror(archive));
  }
  return absl::OkStatus();
}

absl::StatusOr<std::string> SourceBytes(zip_source_t* source) {
  zip_stat_t stat;
  zip_stat_init(&stat);
  if (zip_source_stat(source, &stat) != 0 || !(stat.valid & ZIP_STAT_SIZE) ||
      zip_source_open(source) != 0) {
    return WriteError("the archive is not there");
  }
  std::string bytes(stat.size, '\0');
  const zip_int64_t read = zip_source_read(source, bytes.data(), bytes.size());
  zip_source_close(source);
  if (read != static_cast<zip_int64_t>(bytes.size())) {
    return WriteError("the archive is not complete");
  }
  return bytes;
}

}  // namespace

absl::StatusOr<std::vector<NamedLiteral>> ReadNpz(
    absl::string_view bytes,
    absl::FunctionRef<const Shape*(absl::string_view)> expected_shape) {
  // libzip accepts no bytes as an empty archive; a real empty one has 22.
  if (bytes.size() < 22) return ReadError("this is no .npz file");
  zip_error_t error;
  zip_error_init(&error);
  SourcePtr source(
      zip_source_buffer_create(bytes.data(), bytes.size(), 0, &error));
  ZipPtr archive(source == nullptr
                     ? nullptr
                     : zip_open_from_source(source.get(), ZIP_RDONLY, &error));
  if (archive == nullptr) {
    absl::Status status = ReadError(zip_error_strerror(&error));
    zip_error_fini(&error);
    return status;
  }
  source.release();  // the archive owns it now
  std::vector<NamedLiteral> arrays;
  const zip_int64_t count = zip_get_num_entries(archive.get(), 0);
  for (zip_int64_t i = 0; i < count; ++i) {
    zip_stat_t stat;
    if (zip_stat_index(archive.get(), i, 0, &stat) != 0 ||
        !(stat.valid & ZIP_STAT_NAME) || !(stat.valid & ZIP_STAT_SIZE)) {
      return ReadError(absl::StrCat("entry ", i, " has no name or size"));
    }
    const absl::string_view name = absl::StripSuffix(stat.name, ".npy");
    TF_ASSIGN_OR_RETURN(std::string entry,
                        ReadEntry(archive.get(), i, stat.size));
    absl::StatusOr<Literal> literal = ReadNpy(entry, expected_shape(name));
    if (!literal.ok()) return AddStatus(literal.status(), name);
    arrays.emplace_back(std::string(name), *std::move(literal));
  }
  return arrays;
}

absl::StatusOr<std::string> WriteNpz(
    absl::Span<const std::pair<std::string, LiteralSlice>> arrays) {
  zip_error_t error;
  zip_error_init(&error);
  SourcePtr source(zip_source_buffer_create(nullptr, 0, 0, &error));
  if (source == nullptr) return WriteError(zip_error_strerror(&error));
  zip_source_keep(source.get());  // keeps it to read what the archive writes
  ZipPtr archive(zip_open_from_source(source.get(), ZIP_TRUNCATE, &error));
  if (archive == nullptr) {
    zip_source_free(source.get());
    return WriteError(zip_error_strerror(&error));
  }
  absl::flat_hash_set<std::string> names;
  std::vector<std::string> files;  // read when the archive is closed
  files.reserve(arrays.size());
  for (const auto& [name, literal] : arrays) {
    if (!names.insert(name).second) {
      return absl::InvalidArgumentError(
          absl::StrCat("npz: two arrays are named ", name));
    }
    files.push_back(WriteNpy(literal));
    TF_RETURN_IF_ERROR(
        AddEntry(archive.get(), absl::StrCat(name, ".npy"), files.back()));
  }
  // libzip cannot make an empty archive; these bytes are one.
  if (arrays.empty()) return std::string("PK\x05\x06").append(18, '\0');
  if (zip_close(archive.get()) != 0) {
    return WriteError(zip_strerror(archive.get()));
  }
  archive.release();
  return SourceBytes(source.get());
}

absl::StatusOr<std::string> WriteNpz(absl::Span<const NamedLiteral> arrays) {
  std::vector<std::pair<std::string, LiteralSlice>> slices;
  for (const NamedLiteral& array : arrays) {
    slices.emplace_back(array.first, LiteralSlice(array.second));
  }
  return WriteNpz(slices);
}

}  // namespace xla
