// One element as text and back, as XLA writes it: the shortest digits that
// round trip, nan with its payload. literal_text.h has the text of arrays.
#ifndef XLA_CORE_LITERAL_ELEMENT_TEXT_H_
#define XLA_CORE_LITERAL_ELEMENT_TEXT_H_

#include <string>

#include "absl/strings/string_view.h"
#include "xla/proto/xla_data.pb.h"

namespace xla {

// Appends `true`, `-3`, `0.333333343`, `-nan(0x7fc001)`, `(1, -inf)`.
void AppendElement(PrimitiveType type, const void* element, std::string* out);

// Reads all of `token`, a number of any type but complex, into the element of
// `type` at `element`. Decimal numbers are rounded to double first, as XLA
// does, but "-0" is kept. Returns "" or an error text: not a number of the
// type, out of its range, a nan payload that it cannot hold.
std::string ParseElement(absl::string_view token, PrimitiveType type,
                         void* element);

}  // namespace xla

#endif  // XLA_CORE_LITERAL_ELEMENT_TEXT_H_
