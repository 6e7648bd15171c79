// FileDescriptor: an open file of the system, closed at the end of its scope.
#ifndef XLA_BACKENDS_CACHE_FILE_DESCRIPTOR_H_
#define XLA_BACKENDS_CACHE_FILE_DESCRIPTOR_H_

#include <unistd.h>

#include <utility>

namespace xla {

class FileDescriptor {
 public:
  // Negative: no file.
  explicit FileDescriptor(int number = -1) : number_(number) {}
  FileDescriptor(FileDescriptor&& other) noexcept
      : number_(std::exchange(other.number_, -1)) {}
  FileDescriptor& operator=(FileDescriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  ~FileDescriptor() {
    if (number_ >= 0) close(number_);
  }

  int get() const { return number_; }
  bool is_open() const { return number_ >= 0; }
  // The caller closes it.
  int Release() { return std::exchange(number_, -1); }

 private:
  int number_;
};

}  // namespace xla

#endif  // XLA_BACKENDS_CACHE_FILE_DESCRIPTOR_H_
