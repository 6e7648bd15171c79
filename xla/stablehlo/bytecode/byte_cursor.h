// ByteCursor: reads MLIR bytecode's numbers from bytes that may be hostile.
#ifndef XLA_STABLEHLO_BYTECODE_BYTE_CURSOR_H_
#define XLA_STABLEHLO_BYTECODE_BYTE_CURSOR_H_

#include <cstddef>
#include <cstdint>

#include "absl/strings/string_view.h"

namespace xla::stablehlo {

// Reading past the end, or an invalid number, fails permanently: then no bytes
// are left, and all reads return zeros. Callers test ok() when they leave a
// loop or use what they read.
class ByteCursor {
 public:
  ByteCursor() = default;
  explicit ByteCursor(absl::string_view bytes)
      : position_(bytes.data()), end_(bytes.data() + bytes.size()) {}

  bool ok() const { return ok_; }
  size_t remaining() const { return end_ - position_; }
  const char* position() const { return position_; }
  void Fail() {
    ok_ = false;
    position_ = end_;
  }

  uint8_t Byte() {
    if (position_ == end_) {
      Fail();
      return 0;
    }
    return static_cast<uint8_t>(*position_++);
  }

  // The number of trailing zero bits of the first byte is the number of bytes
  // that follow; 8 if all are zero.
  uint64_t Varint() {
    if (position_ != end_ && (*position_ & 1) != 0) {
      return static_cast<uint8_t>(*position_++) >> 1;
    }
    return LongVarint();
  }
  int64_t SignedVarint() {  // zigzag encoding
    const uint64_t bits = Varint();
    return static_cast<int64_t>((bits >> 1) ^ (~(bits & 1) + 1));
  }
  // Reads how many items of at least one byte each follow; fails if there are
  // not enough bytes.
  size_t Count() {
    const uint64_t count = Varint();
    if (count > remaining()) {
      Fail();
      return 0;
    }
    return count;
  }
  absl::string_view Bytes(size_t size) {
    if (size > remaining()) {
      Fail();
      return "";
    }
    absl::string_view bytes(position_, size);
    position_ += size;
    return bytes;
  }

 private:
  uint64_t LongVarint();

  const char* position_ = nullptr;
  const char* end_ = nullptr;
  bool ok_ = true;
};

}  // namespace xla::stablehlo

#endif  // XLA_STABLEHLO_BYTECODE_BYTE_CURSOR_H_
