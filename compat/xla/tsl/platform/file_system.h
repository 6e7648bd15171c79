// Files that are open, as Env returns them.
#ifndef COMPAT_XLA_TSL_PLATFORM_FILE_SYSTEM_H_
#define COMPAT_XLA_TSL_PLATFORM_FILE_SYSTEM_H_

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/cord.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "xla/base/status_macros.h"

namespace tsl {

// Threads may share one.
class RandomAccessFile {
 public:
  RandomAccessFile() = default;
  virtual ~RandomAccessFile() = default;
  RandomAccessFile(const RandomAccessFile&) = delete;
  RandomAccessFile& operator=(const RandomAccessFile&) = delete;

  virtual absl::Status Name(absl::string_view* result) const {
    return absl::UnimplementedError("the file has no name");
  }
  // Reads from byte `offset` on until `scratch`, which holds the result, is
  // full. Errors: OutOfRange, with what there is, at the end of the file.
  virtual absl::Status Read(uint64_t offset, absl::string_view& result,
                            absl::Span<char> scratch) const = 0;
  absl::Status Read(uint64_t offset, size_t n, absl::string_view* result,
                    char* scratch) const {
    return Read(offset, *result, absl::MakeSpan(scratch, n));
  }
};

// Not thread safe.
class WritableFile {
 public:
  WritableFile() = default;
  virtual ~WritableFile() = default;
  WritableFile(const WritableFile&) = delete;
  WritableFile& operator=(const WritableFile&) = delete;

  virtual absl::Status Append(absl::string_view data) = 0;
  virtual absl::Status Append(const absl::Cord& cord) {
    return Append(absl::string_view(std::string(cord)));
  }
  virtual absl::Status Close() = 0;
  virtual absl::Status Flush() = 0;
  // Waits until the disk has everything.
  virtual absl::Status Sync() = 0;
  virtual absl::Status Name(absl::string_view* result) const {
    return absl::UnimplementedError("the file has no name");
  }
  virtual absl::Status Tell(int64_t* position) {
    *position = -1;
    return absl::UnimplementedError("the file has no position");
  }
};

// The contents of a file.
class ReadOnlyMemoryRegion {
 public:
  ReadOnlyMemoryRegion() = default;
  virtual ~ReadOnlyMemoryRegion() = default;
  ReadOnlyMemoryRegion(const ReadOnlyMemoryRegion&) = delete;
  ReadOnlyMemoryRegion& operator=(const ReadOnlyMemoryRegion&) = delete;

  virtual const void* data() = 0;
  virtual uint64_t length() = 0;
};

namespace internal {

// The error in errno of an operation on a file.
inline absl::Status FileError(absl::string_view name) {
  return absl::ErrnoToStatus(errno, name);
}

class OpenFile : public RandomAccessFile, public WritableFile {
 public:
  // `flags` are those of open(2).
  static absl::StatusOr<std::unique_ptr<OpenFile>> Open(std::string name,
                                                        int flags) {
    const int file = open(name.c_str(), flags | O_CLOEXEC, 0666);
    if (file < 0) return FileError(name);
    return std::unique_ptr<OpenFile>(new OpenFile(file, std::move(name)));
  }
  ~OpenFile() override {
    if (file_ >= 0) close(file_);
  }

  absl::Status Name(absl::string_view* result) const override {
    *result = name_;
    return absl::OkStatus();
  }
  absl::Status Read(uint64_t offset, absl::string_view& result,
                    absl::Span<char> scratch) const override {
    size_t size = 0;
    while (size < scratch.size()) {
      const ssize_t read = pread(file_, scratch.data() + size,
                                 scratch.size() - size, offset + size);
      if (read < 0 && errno == EINTR) continue;
      if (read < 0) return FileError(name_);
      if (read == 0) break;
      size += read;
    }
    result = absl::string_view(scratch.data(), size);
    if (size == scratch.size()) return absl::OkStatus();
    return absl::OutOfRangeError(
        absl::StrCat(name_, ": read ", size, " of ", scratch.size(), " bytes"));
  }
  absl::Status Append(absl::string_view data) override {
    while (!data.empty()) {
      const ssize_t written = write(file_, data.data(), data.size());
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) return FileError(name_);
      data.remove_prefix(written);
    }
    return absl::OkStatus();
  }
  using WritableFile::Append;
  absl::Status Close() override {
    if (close(std::exchange(file_, -1)) != 0) return FileError(name_);
    return absl::OkStatus();
  }
  absl::Status Flush() override { return absl::OkStatus(); }
  absl::Status Sync() override {
    return fsync(file_) == 0 ? absl::OkStatus() : FileError(name_);
  }
  absl::Status Tell(int64_t* position) override {
    *position = lseek(file_, 0, SEEK_CUR);
    return *position < 0 ? FileError(name_) : absl::OkStatus();
  }
  absl::StatusOr<std::string> ReadAll() const {
    std::string contents;
    struct stat info;
    if (fstat(file_, &info) != 0) return FileError(name_);
    if (S_ISDIR(info.st_mode)) {
      errno = EISDIR;
      return FileError(name_);
    }
    // Files of /proc have no size: read until there is nothing more.
    absl::Status status;
    while (status.ok()) {
      const size_t size = contents.size();
      contents.resize(size + info.st_size + 4096);
      absl::string_view part;
      status = Read(size, part, absl::MakeSpan(contents).subspan(size));
      contents.resize(size + part.size());
    }
    if (!absl::IsOutOfRange(status)) return status;
    return contents;
  }

 private:
  OpenFile(int file, std::string name) : file_(file), name_(std::move(name)) {}

  int file_;
  const std::string name_;
};

class FileContents : public ReadOnlyMemoryRegion {
 public:
  explicit FileContents(std::string contents)
      : contents_(std::move(contents)) {}
  const void* data() override { return contents_.data(); }
  uint64_t length() override { return contents_.size(); }

 private:
  const std::string contents_;
};

}  // namespace internal
}  // namespace tsl

#endif  // COMPAT_XLA_TSL_PLATFORM_FILE_SYSTEM_H_
