// Reads and prints shapes and layouts as text, as XLA does. HLO text and
// literals are built on it.
//
//   f32[3,5]{1,0:T(8,128)(2,1)S(1)}   f32[<=10,?]   (s32[], pred[2])
//   token[]   opaque[]   b(f32[2])
//
// After the order, a layout may have, printed in this sequence and read in
// any: T tiles, L tail padding alignment, # index type, * pointer type,
// E element bits, S memory space, SC split configs, P physical shape,
// M metadata prefix bytes, and for the padding of the shapes document, which
// XLA has no text for: PD(3,5) padded dimensions, PV(ZERO_PAD) padding value.
#ifndef XLA_CORE_SHAPE_TEXT_H_
#define XLA_CORE_SHAPE_TEXT_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "xla/base/text_scanner.h"
#include "xla/core/layout.h"
#include "xla/core/shape.h"
#include "xla/core/shape/program_shape.h"

namespace xla {

// Parse all of `text`. Arrays without a layout get the default one. Errors:
// InvalidArgument with line and column for bad syntax, sizes that overflow
// int64, layouts that do not fit, nesting beyond Shape::kMaxNesting.
absl::StatusOr<Shape> ParseShape(absl::string_view text);
absl::StatusOr<Layout> ParseLayout(absl::string_view text);
// "{f32[1], s32[2,2]}".
absl::StatusOr<std::vector<Shape>> ParseShapeList(absl::string_view text);
// Parses "(x: f32[2], s32[]) -> f32[2]"; parameter names may be omitted.
absl::StatusOr<ProgramShape> ParseProgramShape(absl::string_view text);

struct ShapeTextOptions {
  // Gives arrays without a layout the default one (scalars always get it).
  bool fill_missing_layouts = true;
};

// Reads the shape at the cursor and moves the cursor behind it. A brace after
// an array opens its layout only if a number, ':' or, right after the bracket,
// '}' follows; otherwise it may open a computation.
absl::StatusOr<Shape> ScanShape(TextScanner& scanner,
                                const ShapeTextOptions& options = {});
absl::StatusOr<Layout> ScanLayout(TextScanner& scanner);
absl::StatusOr<ProgramShape> ScanProgramShape(
    TextScanner& scanner, const ShapeTextOptions& options = {});

// Returns true if `name` is a type such as f32, s2 or token. In HLO text such a
// word is always a type: other names equal to one need a '%'.
bool IsTypeWord(absl::string_view name);

// Returns true when an array, tuple, token, opaque or buffer shape may begin at
// the cursor: tells an operand's optional shape from its name.
bool NextIsShape(TextScanner& scanner);

// Appends the text of `shape` to `out`.
void PrintShape(const Shape& shape, bool print_layout, std::string* out);
void PrintLayout(const Layout& layout, std::string* out);
void PrintProgramShape(const ProgramShape& shape, bool print_layouts,
                       std::string* out);

}  // namespace xla

#endif  // XLA_CORE_SHAPE_TEXT_H_
