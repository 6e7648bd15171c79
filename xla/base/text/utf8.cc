// Reads one sequence of bytes after the other.
#include "xla/base/text/utf8.h"

#include <cstddef>
#include <cstdint>

namespace xla {
namespace {

// Returns the number of bytes of the character at the begin of `text`, 0 if
// there is no valid one.
size_t CharacterBytes(absl::string_view text) {
  const auto byte = [&](size_t i) { return static_cast<uint8_t>(text[i]); };
  if (byte(0) < 0x80) return 1;
  const size_t count = byte(0) >= 0xf0   ? 4
                       : byte(0) >= 0xe0 ? 3
                       : byte(0) >= 0xc0 ? 2
                                         : 0;
  if (count == 0 || text.size() < count) return 0;
  uint32_t code = byte(0) & (0xff >> (count + 1));
  for (size_t i = 1; i < count; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return 0;
    code = code << 6 | (byte(i) & 0x3f);
  }
  // The least code of each length: longer forms are not allowed.
  constexpr uint32_t kLeast[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool is_surrogate = code >= 0xd800 && code < 0xe000;
  return code < kLeast[count] || code > 0x10ffff || is_surrogate ? 0 : count;
}

}  // namespace

std::string ValidUtf8(absl::string_view text) {
  std::string valid;
  valid.reserve(text.size());
  while (!text.empty()) {
    const size_t bytes = CharacterBytes(text);
    if (bytes == 0) {
      valid += "\xef\xbf\xbd";
      text.remove_prefix(1);
    } else {
      valid.append(text.data(), bytes);
      text.remove_prefix(bytes);
    }
  }
  return valid;
}

}  // namespace xla
