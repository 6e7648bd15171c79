// Reads shapes, layouts and program shapes from text. Plain arrays, nearly
// everything in an HLO module, are read directly from the characters;
// TextScanner reads the rest and reports errors.
#include <cstdint>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "xla/base/status_macros.h"
#include "xla/base/text_scanner.h"
#include "xla/core/layout_util.h"
#include "xla/core/permutation_util.h"
#include "xla/core/primitive_util.h"
#include "xla/core/shape.h"
#include "xla/core/shape_text.h"
#include "xla/core/shape_util.h"

namespace xla {
namespace {

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

struct NamedType {
  absl::string_view name;
  PrimitiveType type;
};

// Array types, those that programs use most first. The order of names that
// share a prefix does not matter, since a bracket has to follow.
constexpr NamedType kArrayTypes[] = {{"f32", F32},
                                     {"s32", S32},
                                     {"pred", PRED},
                                     {"bf16", BF16},
                                     {"u32", U32},
                                     {"f16", F16},
                                     {"f64", F64},
                                     {"s64", S64},
                                     {"u8", U8},
                                     {"s8", S8},
                                     {"s4", S4},
                                     {"u4", U4},
                                     {"s16", S16},
                                     {"u16", U16},
                                     {"u64", U64},
                                     {"c64", C64},
                                     {"c128", C128},
                                     {"s1", S1},
                                     {"u1", U1},
                                     {"s2", S2},
                                     {"u2", U2},
                                     {"f8e5m2", F8E5M2},
                                     {"f8e4m3", F8E4M3},
                                     {"f8e4m3fn", F8E4M3FN},
                                     {"f8e4m3b11fnuz", F8E4M3B11FNUZ},
                                     {"f8e3m4", F8E3M4},
                                     {"f8e5m2fnuz", F8E5M2FNUZ},
                                     {"f8e4m3fnuz", F8E4M3FNUZ},
                                     {"f4e2m1fn", F4E2M1FN},
                                     {"f8e8m0fnu", F8E8M0FNU},
                                     {"f6e3m2fn", F6E3M2FN},
                                     {"f6e2m3fn", F6E2M3FN}};

// Reads a number of at most 18 digits, which cannot overflow, from `text` at
// `at`; returns -1 if there is none.
int64_t FastNumber(absl::string_view text, size_t& at) {
  const size_t start = at;
  int64_t value = 0;
  while (at < text.size() && IsDigit(text[at])) {
    if (at - start == 18) return -1;
    value = value * 10 + (text[at++] - '0');
  }
  return at == start ? -1 : value;
}

// Reads an order in braces, without attributes, at `at`; returns false if the
// layout is not of this plain form.
bool FastLayout(absl::string_view text, size_t& at, Layout& layout) {
  ++at;  // the brace
  uint64_t seen = 0;
  while (true) {
    const int64_t dim = FastNumber(text, at);
    if (dim < 0 || dim >= 64 || (seen >> dim & 1) || at >= text.size()) {
      return false;
    }
    seen |= uint64_t{1} << dim;
    layout.add_minor_to_major(dim);
    if (text[at] == '}') break;
    if (text[at++] != ',') return false;
  }
  ++at;
  return (seen & (seen + 1)) == 0;
}

// Reads a static array such as f32[2,3]{1,0} at `at`, which moves behind it.
// Returns false, and leaves `at` anywhere, for anything else.
bool FastArray(absl::string_view text, const ShapeTextOptions& options,
               size_t& at, Shape& shape) {
  PrimitiveType type = PRIMITIVE_TYPE_INVALID;
  const absl::string_view rest = text.substr(at);
  for (const NamedType& known : kArrayTypes) {
    const size_t length = known.name.size();
    if (rest.size() > length && rest[length] == '[' &&
        std::memcmp(rest.data(), known.name.data(), length) == 0) {
      type = known.type;
      at += length + 1;
      break;
    }
  }
  if (type == PRIMITIVE_TYPE_INVALID) return false;
  shape.set_element_type(type);
  if (at < text.size() && text[at] == ']') {
    ++at;
  } else {
    while (true) {
      const int64_t size = FastNumber(text, at);
      if (size < 0 || at >= text.size()) return false;
      shape.add_dimensions(size);
      const char next = text[at++];
      if (next == ']') break;
      if (next != ',') return false;
    }
  }
  const int64_t rank = shape.rank();
  if (at < text.size() && text[at] == '{' && rank > 0) {
    if (at + 1 >= text.size() || !IsDigit(text[at + 1])) return false;
    if (!FastLayout(text, at, *shape.mutable_layout())) return false;
    if (shape.layout().minor_to_major_size() != rank) return false;
  } else {
    // White space and comments may come before a layout.
    size_t next = at;
    while (next < text.size() && text[next] == ' ') ++next;
    if (next < text.size() && absl::string_view("{/\t\r\n").find(text[next]) !=
                                  absl::string_view::npos) {
      return false;
    }
    if (options.fill_missing_layouts || rank == 0) {
      Layout& layout = *shape.mutable_layout();
      for (int64_t i = rank - 1; i >= 0; --i) layout.add_minor_to_major(i);
    }
  }
  return ShapeUtil::ValidateShapeSize(shape).ok();
}

PrimitiveType TypeNamed(absl::string_view name) {
  for (const NamedType& known : kArrayTypes) {
    if (known.name == name) return known.type;
  }
  absl::StatusOr<PrimitiveType> type =
      primitive_util::StringToPrimitiveType(name);
  return type.ok() ? *type : PRIMITIVE_TYPE_INVALID;
}

// The general reader. Tracks the nesting depth.
class ShapeReader {
 public:
  ShapeReader(TextScanner& scanner, const ShapeTextOptions& options)
      : scanner_(scanner), options_(options) {}

  absl::StatusOr<Shape> ReadShape();
  absl::StatusOr<Layout> ReadLayout();

 private:
  absl::StatusOr<Shape> ReadTuple();
  absl::StatusOr<Shape> ReadNamed();
  absl::Status ReadDimensions(Shape& shape);
  bool LayoutFollows(bool adjacent_brace);
  absl::Status ReadAttribute(Layout& layout);
  absl::Status ReadTiles(Layout& layout);
  absl::Status ReadLevels(const Layout& layout);
  absl::Status ReadSplitConfigs(Layout& layout);
  absl::StatusOr<int64_t> ReadNumberInParens();
  absl::StatusOr<PrimitiveType> ReadIndexType();
  absl::Status ReadList(char open, char close,
                        absl::InlinedVector<int64_t, 6>& values);
  absl::StatusOr<int64_t> ReadSize();

  TextScanner& scanner_;
  const ShapeTextOptions& options_;
  int depth_ = 0;
};

absl::StatusOr<Shape> ShapeReader::ReadShape() {
  size_t at = scanner_.position();
  Shape plain;
  if (FastArray(scanner_.text(), options_, at, plain)) {
    scanner_.set_position(at);
    return plain;
  }
  if (depth_ >= Shape::kMaxNesting) {
    return scanner_.Error(
        absl::StrCat("shape is nested deeper than ", Shape::kMaxNesting));
  }
  ++depth_;
  absl::StatusOr<Shape> shape =
      scanner_.NextIs("(") ? ReadTuple() : ReadNamed();
  --depth_;
  return shape;
}

absl::StatusOr<Shape> ShapeReader::ReadTuple() {
  TF_RETURN_IF_ERROR(scanner_.Consume("("));
  Shape tuple(TUPLE);
  if (scanner_.TryConsume(")")) return tuple;
  do {
    TF_ASSIGN_OR_RETURN(*tuple.add_tuple_shapes(), ReadShape());
  } while (scanner_.TryConsume(","));
  TF_RETURN_IF_ERROR(scanner_.Consume(")"));
  return tuple;
}

// Reads type[...] or b(...).
absl::StatusOr<Shape> ShapeReader::ReadNamed() {
  const size_t start = scanner_.position();
  const absl::string_view name = scanner_.PeekName();
  if (name == "b") {
    TF_RETURN_IF_ERROR(scanner_.Consume("b"));
    TF_RETURN_IF_ERROR(scanner_.Consume("("));
    TF_ASSIGN_OR_RETURN(Shape element, ReadShape());
    if (!element.IsArrayExcludingBuffer()) {
      return scanner_.ErrorAt(start, "a buffer holds an array");
    }
    TF_RETURN_IF_ERROR(scanner_.Consume(")"));
    return Shape::MakeBufferShape(std::move(element));
  }
  const PrimitiveType type = TypeNamed(name);
  Shape shape(type);
  if (type == PRIMITIVE_TYPE_INVALID || type == TUPLE || type == BUFFER) {
    return scanner_.ErrorAt(start,
                            absl::StrCat("expected a shape, got '", name, "'"));
  }
  TF_RETURN_IF_ERROR(scanner_.Consume(name));
  TF_RETURN_IF_ERROR(scanner_.Consume("["));
  TF_RETURN_IF_ERROR(ReadDimensions(shape));
  if (!shape.IsArray()) {
    if (shape.rank() == 0) return shape;
    return scanner_.ErrorAt(start,
                            absl::StrCat(name, " cannot have dimensions"));
  }
  const absl::Status size_ok = ShapeUtil::ValidateShapeSize(shape);
  if (!size_ok.ok()) return scanner_.ErrorAt(start, size_ok.message());
  const size_t end = scanner_.position();
  const bool adjacent = end > 0 && end < scanner_.text().size() &&
                        scanner_.text()[end - 1] == ']';
  if (!LayoutFollows(adjacent)) {
    if (options_.fill_missing_layouts || shape.rank() == 0) {
      LayoutUtil::SetToDefaultLayout(&shape);
    }
    return shape;
  }
  TF_ASSIGN_OR_RETURN(Layout layout, ReadLayout());
  if (layout.has_physical_shape()) {
    return scanner_.ErrorAt(
        end, "the layout has a physical shape, which only sparse arrays have");
  }
  const absl::Status fits = LayoutUtil::ValidateLayoutForShape(layout, shape);
  if (!fits.ok()) return scanner_.ErrorAt(end, fits.message());
  *shape.mutable_layout() = std::move(layout);
  return shape;
}

absl::Status ShapeReader::ReadDimensions(Shape& shape) {
  if (scanner_.TryConsume("]")) return absl::OkStatus();
  do {
    if (scanner_.TryConsume("?")) {
      shape.add_dimensions(Shape::kUnboundedSize, /*is_dynamic=*/true);
      continue;
    }
    const bool dynamic = scanner_.TryConsume("<=");
    TF_ASSIGN_OR_RETURN(int64_t size, ReadSize());
    shape.add_dimensions(size, dynamic);
  } while (scanner_.TryConsume(","));
  return scanner_.Consume("]");
}

// Reads a number that is not negative.
absl::StatusOr<int64_t> ShapeReader::ReadSize() {
  const size_t start = scanner_.position();
  TF_ASSIGN_OR_RETURN(int64_t size, scanner_.Int64());
  if (size < 0) {
    return scanner_.ErrorAt(start, absl::StrCat("size ", size, " is negative"));
  }
  return size;
}

bool ShapeReader::LayoutFollows(bool adjacent_brace) {
  if (!scanner_.NextIs("{")) return false;
  const size_t start = scanner_.position();
  scanner_.set_position(start + 1);
  const char next = scanner_.Peek();
  scanner_.set_position(start);
  return IsDigit(next) || next == ':' || (next == '}' && adjacent_brace);
}

absl::Status ShapeReader::ReadList(char open, char close,
                                   absl::InlinedVector<int64_t, 6>& values) {
  TF_RETURN_IF_ERROR(scanner_.Consume(absl::string_view(&open, 1)));
  do {
    TF_ASSIGN_OR_RETURN(int64_t value, ReadSize());
    values.push_back(value);
  } while (scanner_.TryConsume(","));
  return scanner_.Consume(absl::string_view(&close, 1));
}

absl::StatusOr<int64_t> ShapeReader::ReadNumberInParens() {
  TF_RETURN_IF_ERROR(scanner_.Consume("("));
  TF_ASSIGN_OR_RETURN(int64_t value, ReadSize());
  TF_RETURN_IF_ERROR(scanner_.Consume(")"));
  return value;
}

absl::StatusOr<PrimitiveType> ShapeReader::ReadIndexType() {
  TF_RETURN_IF_ERROR(scanner_.Consume("("));
  const size_t start = scanner_.position();
  TF_ASSIGN_OR_RETURN(absl::string_view name, scanner_.Name());
  const PrimitiveType type = TypeNamed(name);
  if (!primitive_util::IsUnsignedIntegralType(type)) {
    return scanner_.ErrorAt(start, "expected an unsigned integer type");
  }
  TF_RETURN_IF_ERROR(scanner_.Consume(")"));
  return type;
}

absl::Status ShapeReader::ReadTiles(Layout& layout) {
  do {
    TF_RETURN_IF_ERROR(scanner_.Consume("("));
    Tile& tile = *layout.add_tiles();
    do {
      if (scanner_.TryConsume("*")) {
        tile.add_dimensions(Tile::kCombineDimension);
        continue;
      }
      TF_ASSIGN_OR_RETURN(int64_t size, ReadSize());
      tile.add_dimensions(size);
    } while (scanner_.TryConsume(","));
    TF_RETURN_IF_ERROR(scanner_.Consume(")"));
  } while (scanner_.NextIs("("));
  return absl::OkStatus();
}

absl::Status ShapeReader::ReadSplitConfigs(Layout& layout) {
  do {
    TF_RETURN_IF_ERROR(scanner_.Consume("("));
    TF_ASSIGN_OR_RETURN(int64_t dimension, ReadSize());
    absl::InlinedVector<int64_t, 6> cuts;
    TF_RETURN_IF_ERROR(ReadList(':', ')', cuts));
    layout.add_split_configs(SplitConfig(dimension, cuts));
  } while (scanner_.NextIs("("));
  return absl::OkStatus();
}

// Reads D(D,D), how each dimension is stored. Only dense dimensions are
// accepted; XLA removed the sparse ones.
absl::Status ShapeReader::ReadLevels(const Layout& layout) {
  const size_t start = scanner_.position();
  TF_RETURN_IF_ERROR(scanner_.Consume("("));
  int levels = 0;
  do {
    const size_t at = scanner_.position();
    if (!scanner_.TryConsumeWord("D")) {
      return scanner_.ErrorAt(
          at, "expected D: the dimensions of an array are dense, not sparse");
    }
    ++levels;
  } while (scanner_.TryConsume(","));
  TF_RETURN_IF_ERROR(scanner_.Consume(")"));
  if (levels == layout.minor_to_major_size()) return absl::OkStatus();
  return scanner_.ErrorAt(
      start, absl::StrCat("there are ", levels, " level types for ",
                          layout.minor_to_major_size(), " dimensions"));
}

absl::Status ShapeReader::ReadAttribute(Layout& layout) {
  const size_t start = scanner_.position();
  if (scanner_.TryConsume("#")) {
    TF_ASSIGN_OR_RETURN(PrimitiveType type, ReadIndexType());
    layout.set_index_primitive_type(type);
    return absl::OkStatus();
  }
  if (scanner_.TryConsume("*")) {
    TF_ASSIGN_OR_RETURN(PrimitiveType type, ReadIndexType());
    layout.set_pointer_primitive_type(type);
    return absl::OkStatus();
  }
  TF_ASSIGN_OR_RETURN(absl::string_view name, scanner_.Name());
  if (name == "T") return ReadTiles(layout);
  if (name == "SC") return ReadSplitConfigs(layout);
  if (name == "P") {
    TF_RETURN_IF_ERROR(scanner_.Consume("("));
    TF_ASSIGN_OR_RETURN(*layout.mutable_physical_shape(), ReadShape());
    return scanner_.Consume(")");
  }
  if (name == "PD") {
    absl::InlinedVector<int64_t, 6> widths;
    TF_RETURN_IF_ERROR(ReadList('(', ')', widths));
    layout.set_padded_dimensions(widths);
    return absl::OkStatus();
  }
  if (name == "PV") {
    TF_RETURN_IF_ERROR(scanner_.Consume("("));
    TF_ASSIGN_OR_RETURN(absl::string_view value, scanner_.Name());
    PaddingValue padding;
    if (!PaddingValue_Parse(std::string(value), &padding)) {
      return scanner_.ErrorAt(start, "unknown padding value");
    }
    layout.set_padding_value(padding);
    return scanner_.Consume(")");
  }
  if (name == "D") return ReadLevels(layout);
  if (name != "L" && name != "E" && name != "S" && name != "M") {
    return scanner_.ErrorAt(
        start, absl::StrCat("unknown layout attribute '", name, "'"));
  }
  TF_ASSIGN_OR_RETURN(int64_t value, ReadNumberInParens());
  if (name == "L") layout.set_tail_padding_alignment_in_elements(value);
  if (name == "E") layout.set_element_size_in_bits(value);
  if (name == "S") layout.set_memory_space(value);
  if (name == "M") layout.set_dynamic_shape_metadata_prefix_bytes(value);
  return absl::OkStatus();
}

absl::StatusOr<Layout> ShapeReader::ReadLayout() {
  const size_t start = scanner_.position();
  TF_RETURN_IF_ERROR(scanner_.Consume("{"));
  Layout layout;
  if (IsDigit(scanner_.Peek())) {
    do {
      TF_ASSIGN_OR_RETURN(int64_t dim, scanner_.Int64());
      layout.add_minor_to_major(dim);
    } while (scanner_.TryConsume(","));
  }
  if (scanner_.TryConsume(":")) {
    while (!scanner_.NextIs("}")) TF_RETURN_IF_ERROR(ReadAttribute(layout));
  }
  TF_RETURN_IF_ERROR(scanner_.Consume("}"));
  if (!IsPermutation(layout.minor_to_major())) {
    return scanner_.ErrorAt(start,
                            "the order of a layout names each "
                            "dimension once");
  }
  return layout;
}

absl::Status ExpectEnd(TextScanner& scanner) {
  if (scanner.AtEnd()) return absl::OkStatus();
  return scanner.Error("expected the end of the text");
}

// Returns what `scan` reads, which must be all of `text`.
template <typename Scan>
auto ParseWhole(absl::string_view text, Scan scan)
    -> decltype(scan(std::declval<TextScanner&>())) {
  TextScanner scanner(text);
  TF_ASSIGN_OR_RETURN(auto value, scan(scanner));
  TF_RETURN_IF_ERROR(ExpectEnd(scanner));
  return value;
}

absl::StatusOr<std::vector<Shape>> ScanShapeList(TextScanner& scanner) {
  std::vector<Shape> shapes;
  TF_RETURN_IF_ERROR(scanner.Consume("{"));
  if (scanner.TryConsume("}")) return shapes;
  do {
    TF_ASSIGN_OR_RETURN(shapes.emplace_back(), ScanShape(scanner));
  } while (scanner.TryConsume(","));
  TF_RETURN_IF_ERROR(scanner.Consume("}"));
  return shapes;
}

}  // namespace

absl::StatusOr<Shape> ScanShape(TextScanner& scanner,
                                const ShapeTextOptions& options) {
  return ShapeReader(scanner, options).ReadShape();
}

absl::StatusOr<Layout> ScanLayout(TextScanner& scanner) {
  const ShapeTextOptions options;
  return ShapeReader(scanner, options).ReadLayout();
}

absl::StatusOr<ProgramShape> ScanProgramShape(TextScanner& scanner,
                                              const ShapeTextOptions& options) {
  TF_RETURN_IF_ERROR(scanner.Consume("("));
  ProgramShape result;
  if (!scanner.TryConsume(")")) {
    do {
      std::string name;
      const size_t start = scanner.position();
      const absl::StatusOr<absl::string_view> word = scanner.Name();
      if (word.ok() && scanner.TryConsume(":")) {
        name = std::string(*word);
      } else {
        scanner.set_position(start);
        // Parameters without a name are printed so.
        if (scanner.TryConsume("(unknown)")) {
          TF_RETURN_IF_ERROR(scanner.Consume(":"));
        } else {
          scanner.TryConsume(":");
        }
      }
      TF_ASSIGN_OR_RETURN(Shape shape, ScanShape(scanner, options));
      result.AddParameter(std::move(shape), std::move(name));
    } while (scanner.TryConsume(","));
    TF_RETURN_IF_ERROR(scanner.Consume(")"));
  }
  TF_RETURN_IF_ERROR(scanner.Consume("->"));
  TF_ASSIGN_OR_RETURN(*result.mutable_result(), ScanShape(scanner, options));
  return result;
}

bool IsTypeWord(absl::string_view name) {
  const PrimitiveType type = TypeNamed(name);
  return type != PRIMITIVE_TYPE_INVALID && type != TUPLE && type != BUFFER;
}

bool NextIsShape(TextScanner& scanner) {
  const char first = scanner.Peek();
  if (first == '(') return true;
  if (first == '%') return false;
  const absl::string_view name = scanner.PeekName();
  if (name.empty()) return false;
  const size_t start = scanner.position();
  scanner.set_position(start + name.size());
  const char next = scanner.Peek();
  scanner.set_position(start);
  if (name == "b") return next == '(';
  return next == '[' && TypeNamed(name) != PRIMITIVE_TYPE_INVALID;
}

absl::StatusOr<Shape> ParseShape(absl::string_view text) {
  return ParseWhole(text, [](TextScanner& s) { return ScanShape(s); });
}

absl::StatusOr<Layout> ParseLayout(absl::string_view text) {
  return ParseWhole(text, ScanLayout);
}

absl::StatusOr<std::vector<Shape>> ParseShapeList(absl::string_view text) {
  return ParseWhole(text, ScanShapeList);
}

absl::StatusOr<ProgramShape> ParseProgramShape(absl::string_view text) {
  return ParseWhole(text, [](TextScanner& s) { return ScanProgramShape(s); });
}

}  // namespace xla
