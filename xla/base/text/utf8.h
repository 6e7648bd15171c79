// ValidUtf8: text from anywhere as UTF-8, as JSON and protos require it.
#ifndef XLA_BASE_TEXT_UTF8_H_
#define XLA_BASE_TEXT_UTF8_H_

#include <string>

#include "absl/strings/string_view.h"

namespace xla {

// Returns `text` with U+FFFD in place of each byte that is not part of valid
// UTF-8 (RFC 3629).
std::string ValidUtf8(absl::string_view text);

}  // namespace xla

#endif  // XLA_BASE_TEXT_UTF8_H_
