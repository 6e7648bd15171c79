// Reads and prints literals as HLO text has them inside `constant(...)`.
// Methods of LiteralBase print texts over several lines, with shapes.
#ifndef XLA_CORE_LITERAL_LITERAL_TEXT_H_
#define XLA_CORE_LITERAL_LITERAL_TEXT_H_

#include <string>

#include "absl/status/statusor.h"
#include "xla/base/text_scanner.h"
#include "xla/core/literal/literal.h"
#include "xla/core/shape.h"

namespace xla {

// Appends `{ { 1, 2 }, { 3, 4 } }`, `true`, `(1, -nan(0x7fc001))`, for tuples
// `( 1, {2} )`: the whole literal on one line.
void PrintLiteralForHlo(const LiteralSlice& literal, std::string* out);

// Reads a literal of `shape` at the cursor and moves the cursor behind it. The
// result has the memory order of `shape`, without tiles and padding. Memory is
// bounded by the text, not by the shape. Errors: InvalidArgument with line and
// column for wrong numbers of elements, numbers out of range, `{...}`, and
// shapes that have no text (dynamic, opaque).
absl::StatusOr<Literal> ScanLiteral(TextScanner& scanner, const Shape& shape);

}  // namespace xla

#endif  // XLA_CORE_LITERAL_LITERAL_TEXT_H_
