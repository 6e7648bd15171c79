// Reads numbers of more than one byte.
#include "xla/stablehlo/bytecode/byte_cursor.h"

#include <bit>
#include <cstring>

namespace xla::stablehlo {

uint64_t ByteCursor::LongVarint() {
  if (position_ == end_) {
    Fail();
    return 0;
  }
  const uint8_t first = static_cast<uint8_t>(*position_);
  if (first == 0) ++position_;
  const int zeros = first == 0 ? 7 : std::countr_zero(first);
  const size_t size = first == 0 ? 8 : zeros + 1;
  uint64_t value = 0;
  const absl::string_view bytes = Bytes(size);
  std::memcpy(&value, bytes.data(), bytes.size());
  return first == 0 ? value : value >> size;
}

}  // namespace xla::stablehlo
