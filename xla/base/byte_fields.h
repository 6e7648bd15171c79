// ByteWriter and ByteReader encode numbers and strings as bytes for files,
// ByteStream for hashes. Their callers decide what the bytes mean and what an
// error says.
#ifndef XLA_BASE_BYTE_FIELDS_H_
#define XLA_BASE_BYTE_FIELDS_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>
#include <utility>

#include "absl/functional/function_ref.h"
#include "absl/strings/string_view.h"

namespace xla {

// Writes numbers in little-endian order, the byte order of all hosts.
class ByteWriter {
 public:
  explicit ByteWriter(size_t size_hint) { out_.reserve(size_hint); }
  template <typename T>
  void Number(T value) {
    char bytes[sizeof(value)];
    std::memcpy(bytes, &value, sizeof(value));
    out_.append(bytes, sizeof(value));
  }
  void Bytes(absl::string_view bytes) {
    out_.append(bytes.data(), bytes.size());
  }
  // Writes the size as 8 bytes, then the text.
  void Text(absl::string_view text) {
    Number(uint64_t{text.size()});
    Bytes(text);
  }
  std::string Take() && { return std::move(out_); }

 private:
  std::string out_;
};

// Reads what ByteWriter wrote. Reading past the end fails; that read and all
// later ones return zeros and empty strings. Borrows the bytes.
class ByteReader {
 public:
  explicit ByteReader(absl::string_view bytes) : rest_(bytes) {}
  template <typename T>
  T Number() {
    const absl::string_view bytes = Bytes(sizeof(T));
    T value{};
    if (!failed_) std::memcpy(&value, bytes.data(), sizeof(T));
    return value;
  }
  absl::string_view Bytes(uint64_t size) {
    if (size > rest_.size()) {
      failed_ = true;
      rest_ = {};
    }
    if (failed_) return "";
    const absl::string_view bytes = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return bytes;
  }
  absl::string_view Text() { return Bytes(Number<uint64_t>()); }

  absl::string_view rest() const { return rest_; }
  bool failed() const { return failed_; }
  bool at_end() const { return !failed_ && rest_.empty(); }

 private:
  absl::string_view rest_;
  bool failed_ = false;
};

// Numbers and strings as bytes on their way to a consumer, such as a hash,
// which takes them in blocks. Not thread safe.
class ByteStream {
 public:
  // `consume` is called with the bytes in order, in blocks of any size, the
  // last time by the destructor. It must outlive the stream.
  explicit ByteStream(absl::FunctionRef<void(absl::string_view)> consume)
      : consume_(consume) {}
  ByteStream(const ByteStream&) = delete;
  ByteStream& operator=(const ByteStream&) = delete;
  ~ByteStream() { Flush(); }

  // Writes numbers and enumerators in little-endian order, the byte order of
  // all hosts.
  template <typename T>
  void Number(T value) {
    static_assert(std::is_arithmetic_v<T> || std::is_enum_v<T>);
    if (kBlockBytes - used_ < sizeof(value)) Flush();
    std::memcpy(block_.data() + used_, &value, sizeof(value));
    used_ += sizeof(value);
  }
  void Bytes(absl::string_view bytes) {
    if (bytes.size() > kBlockBytes - used_) Flush();
    if (bytes.size() > kBlockBytes) return consume_(bytes);
    if (bytes.empty()) return;
    std::memcpy(block_.data() + used_, bytes.data(), bytes.size());
    used_ += bytes.size();
  }
  // Writes the size as 8 bytes, then the text.
  void Text(absl::string_view text) {
    Number(uint64_t{text.size()});
    Bytes(text);
  }

 private:
  static constexpr size_t kBlockBytes = 8192;

  void Flush() {
    if (used_ > 0) consume_({block_.data(), used_});
    used_ = 0;
  }

  const absl::FunctionRef<void(absl::string_view)> consume_;
  size_t used_ = 0;
  std::array<char, kBlockBytes> block_;
};

}  // namespace xla

#endif  // XLA_BASE_BYTE_FIELDS_H_
