// Spelling of types, constants and attributes in StableHLO's text.
#include "xla/stablehlo/from_hlo/text_forms.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstring>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "xla/base/convert_value.h"
#include "xla/core/layout_util.h"
#include "xla/core/primitive_util.h"
#include "xla/stablehlo/ir/ir.h"

namespace xla::stablehlo {
namespace {

// The most elements that are listed; more are written as bytes, which are
// shorter.
constexpr int64_t kMaxListedElements = 64;

std::string ElementTypeText(PrimitiveType type) {
  Type scalar;
  scalar.kind = Type::Kind::kScalar;
  scalar.element_type = type;
  return scalar.ToString();
}

absl::StatusOr<std::string> TensorText(const Shape& shape) {
  const PrimitiveType element = shape.element_type();
  if (!shape.IsArrayExcludingBuffer() || element == S1 || element == U1) {
    return absl::UnimplementedError(
        absl::StrCat("StableHLO has no type for ", shape.ToString()));
  }
  std::string text = "tensor<";
  std::vector<std::string> bounds;
  for (int i = 0; i < shape.dimensions_size(); ++i) {
    const bool dynamic = shape.is_dynamic_dimension(i);
    absl::StrAppend(&text, dynamic ? "?" : absl::StrCat(shape.dimensions(i)),
                    "x");
    const bool bounded = shape.is_bounded_dynamic_dimension(i);
    bounds.push_back(bounded ? absl::StrCat(shape.dimensions(i)) : "?");
  }
  absl::StrAppend(&text, ElementTypeText(element));
  if (shape.is_bounded_dynamic()) {
    absl::StrAppend(&text, ", #stablehlo.bounds<", absl::StrJoin(bounds, ", "),
                    ">");
  }
  return text + ">";
}

std::string BitsText(uint64_t bits, int width) {
  return absl::StrFormat("0x%0*X", std::max(1, (width + 3) / 4), bits);
}

// Returns one element of type T, which is not complex.
template <typename T>
std::string ElementText(T value) {
  if constexpr (std::is_same_v<T, bool>) {
    return value ? "true" : "false";
  } else if constexpr (std::is_integral_v<T> || is_intN_v<T>) {
    return absl::StrCat(
        ConvertValue<
            std::conditional_t<std::is_same_v<T, uint64_t>, uint64_t, int64_t>>(
            value));
  } else {
    const double real = ConvertValue<double>(value);
    if (std::isfinite(real)) return FloatText(real);
    uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof value);
    int width = sizeof(T) * 8;
    if constexpr (is_mini_float_v<T>) width = T::kBits;
    return BitsText(bits, width);
  }
}

template <typename T>
std::string ElementAt(const char* data, int64_t i) {
  T value;
  std::memcpy(static_cast<void*>(&value), data + i * sizeof(T), sizeof(T));
  if constexpr (is_complex_v<T>) {
    return absl::StrCat("(", ElementText(value.real()), ", ",
                        ElementText(value.imag()), ")");
  } else {
    return ElementText(value);
  }
}

// Appends the nested lists from `dimension` on; `next` counts elements.
template <typename Element>
void AppendLists(const Shape& shape, int dimension, const Element& element,
                 int64_t* next, std::string* out) {
  if (dimension == shape.dimensions_size()) {
    absl::StrAppend(out, element((*next)++));
    return;
  }
  *out += "[";
  for (int64_t i = 0; i < shape.dimensions(dimension); ++i) {
    if (i > 0) *out += ", ";
    AppendLists(shape, dimension + 1, element, next, out);
  }
  *out += "]";
}

}  // namespace

absl::StatusOr<std::string> TypeText(const Shape& shape) {
  if (shape.IsToken()) return std::string("!stablehlo.token");
  if (!shape.IsTuple()) return TensorText(shape);
  std::vector<std::string> elements;
  for (const Shape& element : shape.tuple_shapes()) {
    absl::StatusOr<std::string> text = TypeText(element);
    if (!text.ok()) return text;
    elements.push_back(*std::move(text));
  }
  return absl::StrCat("tuple<", absl::StrJoin(elements, ", "), ">");
}

std::string FloatText(double value) {
  std::string text;
  for (int digits : {6, 9, 17}) {
    text = absl::StrFormat("%.*e", digits, value);
    double parsed = 0;
    if (absl::SimpleAtod(text, &parsed) && parsed == value) break;
  }
  return text;
}

std::string DenseText(const Literal& given) {
  const Shape& shape = given.shape();
  const bool row_major = LayoutUtil::IsRowMajorOrUnset(shape);
  Literal moved;
  if (!row_major) {
    moved = given.Relayout(
        LayoutUtil::MakeDescendingLayout(shape.dimensions_size()));
  }
  const Literal& literal = row_major ? given : moved;
  const char* data = static_cast<const char*>(literal.untyped_data());
  const int64_t count = literal.element_count();
  const size_t bytes = literal.size_bytes();
  if (count == 0) return "dense<>";
  const size_t width = bytes / count;
  const bool splat = std::memcmp(data, data + width, bytes - width) == 0;
  const PrimitiveType type = shape.element_type();
  const auto element = [&](int64_t i) {
    return primitive_util::ArrayTypeSwitch<std::string>(
        [&](auto constant) {
          using T =
              typename primitive_util::PrimitiveTypeToNative<constant()>::type;
          return ElementAt<T>(data, i);
        },
        type);
  };
  if (splat) return absl::StrCat("dense<", element(0), ">");
  // MLIR's bytes of elements below 8 bits differ from those of literals.
  if (count > kMaxListedElements && primitive_util::BitWidth(type) >= 8) {
    return absl::StrCat("dense<\"0x",
                        absl::AsciiStrToUpper(absl::BytesToHexString(
                            absl::string_view(data, bytes))),
                        "\">");
  }
  std::string text = "dense<";
  int64_t next = 0;
  AppendLists(shape, 0, element, &next, &text);
  return text + ">";
}

std::string MatrixText(absl::Span<const std::vector<int64_t>> rows) {
  size_t columns = 0;
  for (const std::vector<int64_t>& row : rows) {
    columns = std::max(columns, row.size());
  }
  const std::string type =
      absl::StrCat(" : tensor<", rows.size(), "x", columns, "xi64>");
  if (columns == 0) return absl::StrCat("dense<>", type);
  std::vector<std::string> lists;
  for (std::vector<int64_t> row : rows) {
    row.resize(columns, -1);
    lists.push_back(ListText(row));
  }
  return absl::StrCat("dense<[", absl::StrJoin(lists, ", "), "]>", type);
}

std::string ListText(absl::Span<const int64_t> values) {
  return absl::StrCat("[", absl::StrJoin(values, ", "), "]");
}

std::string ArrayText(absl::Span<const int64_t> values) {
  if (values.empty()) return "array<i64>";
  return absl::StrCat("array<i64: ", absl::StrJoin(values, ", "), ">");
}

std::string BoolArrayText(const std::vector<bool>& values) {
  if (values.empty()) return "array<i1>";
  return absl::StrCat("array<i1: ",
                      absl::StrJoin(values, ", ",
                                    [](std::string* out, bool value) {
                                      absl::StrAppend(out,
                                                      value ? "true" : "false");
                                    }),
                      ">");
}

std::string Int64Text(absl::string_view name, int64_t value) {
  return absl::StrCat(name, " = ", value, " : i64");
}

std::string BoolText(absl::string_view name, bool value) {
  return absl::StrCat(name, " = ", value ? "true" : "false");
}

std::string QuotedText(absl::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      quoted += '\\';
      quoted += c;
    } else if (absl::ascii_isprint(c)) {
      quoted += c;
    } else {
      absl::StrAppendFormat(&quoted, "\\%02X",
                            static_cast<unsigned>(static_cast<uint8_t>(c)));
    }
  }
  return quoted + "\"";
}

std::string SymbolText(absl::string_view name) {
  const bool plain =
      !name.empty() && (absl::ascii_isalpha(name[0]) || name[0] == '_') &&
      std::all_of(name.begin(), name.end(), [](char c) {
        return absl::ascii_isalnum(c) || c == '_' || c == '.' || c == '$';
      });
  return absl::StrCat("@", plain ? std::string(name) : QuotedText(name));
}

}  // namespace xla::stablehlo
