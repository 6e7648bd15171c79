// ParseAttributes and AttributesToString: attributes in MLIR's syntax.
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "xla/base/status_macros.h"
#include "xla/runtime/ffi/attribute_number.h"
#include "xla/runtime/ffi/attributes.h"

namespace xla::ffi {
namespace {

// The deepest nesting of dictionaries: bounds the recursion.
constexpr int kMaxDepth = 64;
// The most elements of all tensors in one text: a tensor states how many it
// has, whatever the length of the text, so this bounds the memory.
constexpr int64_t kMaxElements = int64_t{1} << 22;

bool IsNameCharacter(char c) {
  return absl::ascii_isalnum(c) || c == '_' || c == '.' || c == '$' || c == '-';
}

class AttributeParser {
 public:
  explicit AttributeParser(absl::string_view text) : text_(text) {}

  absl::StatusOr<AttributesMap> Parse() {
    const bool braces = TryConsume("{");
    AttributesMap map;
    TF_RETURN_IF_ERROR(Entries(map, 0));
    if (braces) TF_RETURN_IF_ERROR(Consume("}"));
    SkipSpace();
    if (position_ < text_.size()) return Error("the text goes on");
    return map;
  }

 private:
  void SkipSpace() {
    while (position_ < text_.size() && absl::ascii_isspace(text_[position_])) {
      ++position_;
    }
  }
  char Peek() {
    SkipSpace();
    return position_ < text_.size() ? text_[position_] : '\0';
  }
  bool TryConsume(absl::string_view token) {
    SkipSpace();
    if (!absl::StartsWith(text_.substr(position_), token)) return false;
    position_ += token.size();
    return true;
  }
  absl::Status Consume(absl::string_view token) {
    if (TryConsume(token)) return absl::OkStatus();
    return Error(absl::StrCat("expected \"", token, "\""));
  }
  // Reads a run of name characters: a name, keyword, type or number.
  absl::string_view Word() {
    SkipSpace();
    const size_t start = position_;
    while (position_ < text_.size()) {
      const char c = text_[position_];
      const bool exponent = c == '+' && position_ > start &&
                            absl::ascii_tolower(text_[position_ - 1]) == 'e';
      if (!IsNameCharacter(c) && !exponent) break;
      ++position_;
    }
    return text_.substr(start, position_ - start);
  }
  absl::Status Error(absl::string_view what) const {
    return absl::InvalidArgumentError(absl::StrCat(
        "attributes of a custom call: ", what, " at offset ", position_,
        " of \"", absl::CHexEscape(text_.substr(0, 200)), "\""));
  }

  absl::Status Entries(AttributesMap& map, int depth);
  absl::StatusOr<std::string> Name();
  absl::StatusOr<Attribute> Value(int depth);
  absl::StatusOr<std::string> String();
  absl::StatusOr<PrimitiveType> Type();
  absl::StatusOr<Attribute> Number();
  absl::StatusOr<Attribute> List();
  absl::StatusOr<Attribute> TypedArray();
  absl::StatusOr<Attribute> Dense();
  absl::Status DenseElements(std::vector<absl::string_view>& tokens);
  absl::StatusOr<Attribute> DenseBytes(const std::string& hex);
  absl::StatusOr<std::pair<PrimitiveType, int64_t>> TensorType();
  absl::Status Append(absl::string_view token, ArrayAttribute& array);

  const absl::string_view text_;
  size_t position_ = 0;
  int64_t elements_ = 0;  // of all tensors so far
};

absl::Status AttributeParser::Entries(AttributesMap& map, int depth) {
  if (depth >= kMaxDepth) {
    return Error(
        absl::StrCat("dictionaries nest more than ", kMaxDepth, " deep"));
  }
  if (Peek() == '}' || Peek() == '\0') return absl::OkStatus();
  do {
    TF_ASSIGN_OR_RETURN(std::string name, Name());
    TF_RETURN_IF_ERROR(Consume("="));
    TF_ASSIGN_OR_RETURN(Attribute value, Value(depth));
    if (!map.emplace(name, std::move(value)).second) {
      return Error(absl::StrCat("attribute \"", name, "\" is there twice"));
    }
  } while (TryConsume(","));
  return absl::OkStatus();
}

absl::StatusOr<std::string> AttributeParser::Name() {
  if (Peek() == '"') return String();
  std::string name(Word());
  if (name.empty()) return Error("expected the name of an attribute");
  return name;
}

absl::StatusOr<Attribute> AttributeParser::Value(int depth) {
  switch (Peek()) {
    case '{': {
      ++position_;
      AttributesMap nested;
      TF_RETURN_IF_ERROR(Entries(nested, depth + 1));
      TF_RETURN_IF_ERROR(Consume("}"));
      return Attribute(std::move(nested));
    }
    case '"': {
      TF_ASSIGN_OR_RETURN(std::string text, String());
      return Attribute::String(std::move(text));
    }
    case '[':
      return List();
    default:
      break;
  }
  if (TryConsume("array<")) return TypedArray();
  if (TryConsume("dense<")) return Dense();
  return Number();
}

// Undoes MLIR's escapes: \\, \", \n, \t, and two hexadecimal digits for a byte.
absl::StatusOr<std::string> AttributeParser::String() {
  TF_RETURN_IF_ERROR(Consume("\""));
  std::string result;
  while (position_ < text_.size() && text_[position_] != '"') {
    char c = text_[position_++];
    if (c != '\\') {
      result.push_back(c);
      continue;
    }
    absl::string_view rest = text_.substr(position_);
    if (rest.size() >= 2 && absl::ascii_isxdigit(rest[0]) &&
        absl::ascii_isxdigit(rest[1])) {
      result += absl::HexStringToBytes(rest.substr(0, 2));
      position_ += 2;
    } else if (!rest.empty() && (rest[0] == '\\' || rest[0] == '"')) {
      result.push_back(rest[0]);
      ++position_;
    } else if (!rest.empty() && (rest[0] == 'n' || rest[0] == 't')) {
      result.push_back(rest[0] == 'n' ? '\n' : '\t');
      ++position_;
    } else {
      return Error("unknown escape in a string");
    }
  }
  TF_RETURN_IF_ERROR(Consume("\""));
  return result;
}

absl::StatusOr<PrimitiveType> AttributeParser::Type() {
  absl::string_view name = Word();
  PrimitiveType type = AttributeType(name);
  if (type != PRIMITIVE_TYPE_INVALID) return type;
  return Error(absl::StrCat("type \"", name, "\" cannot be an attribute's"));
}

absl::StatusOr<Attribute> AttributeParser::Number() {
  absl::string_view token = Word();
  if (token.empty()) return Error("expected a value");
  if (token == "unit") return Attribute::Scalar(true);
  PrimitiveType type = S64;
  if (token == "true" || token == "false") {
    type = PRED;
    if (TryConsume(":")) TF_RETURN_IF_ERROR(Consume("i1"));
  } else if (TryConsume(":")) {
    TF_ASSIGN_OR_RETURN(type, Type());
  } else if (!absl::StartsWith(token, "0x") &&
             token.find_first_of(".eE") != absl::string_view::npos) {
    type = F64;
  }
  auto scalar = ParseNumber(token, type);
  if (!scalar.ok()) return Error(scalar.status().message());
  return Attribute(*scalar);
}

absl::Status AttributeParser::Append(absl::string_view token,
                                     ArrayAttribute& array) {
  auto scalar = ParseNumber(token, array.type);
  if (!scalar.ok()) return Error(scalar.status().message());
  array.bytes.insert(
      array.bytes.end(), scalar->bytes.begin(),
      scalar->bytes.begin() + primitive_util::ByteWidth(array.type));
  return absl::OkStatus();
}

// Reads [1 : i64, 2 : i64]: numbers of one type.
absl::StatusOr<Attribute> AttributeParser::List() {
  TF_RETURN_IF_ERROR(Consume("["));
  ArrayAttribute array;
  array.type = S64;
  bool first = true;
  while (Peek() != ']') {
    if (!first) TF_RETURN_IF_ERROR(Consume(","));
    TF_ASSIGN_OR_RETURN(Attribute element, Number());
    const auto* scalar = element.get_if<ScalarAttribute>();
    if (first) array.type = scalar->type;
    if (scalar->type != array.type) {
      return Error("the elements of a list are of different types");
    }
    array.bytes.insert(
        array.bytes.end(), scalar->bytes.begin(),
        scalar->bytes.begin() + primitive_util::ByteWidth(array.type));
    first = false;
  }
  ++position_;
  return Attribute(std::move(array));
}

// Reads what follows "array<": i64: 1, 2>
absl::StatusOr<Attribute> AttributeParser::TypedArray() {
  ArrayAttribute array;
  TF_ASSIGN_OR_RETURN(array.type, Type());
  if (TryConsume(":")) {
    do {
      TF_RETURN_IF_ERROR(Append(Word(), array));
    } while (TryConsume(","));
  }
  TF_RETURN_IF_ERROR(Consume(">"));
  return Attribute(std::move(array));
}

// Reads tensor<2x3xi64>: returns its element type and number of elements.
absl::StatusOr<std::pair<PrimitiveType, int64_t>>
AttributeParser::TensorType() {
  TF_RETURN_IF_ERROR(Consume("tensor<"));
  absl::string_view rest = Word();
  TF_RETURN_IF_ERROR(Consume(">"));
  int64_t count = 1;
  while (!rest.empty() && absl::ascii_isdigit(rest[0])) {
    const size_t x = rest.find('x');
    int64_t size = 0;
    if (x == absl::string_view::npos ||
        !absl::SimpleAtoi(rest.substr(0, x), &size) || size > kMaxElements) {
      return Error("wrong or too large tensor type");
    }
    count *= size;
    if (count > kMaxElements) return Error("too many elements");
    rest.remove_prefix(x + 1);
  }
  elements_ += count;
  if (elements_ > kMaxElements) return Error("too many elements");
  const PrimitiveType type = AttributeType(rest);
  if (type != PRIMITIVE_TYPE_INVALID) return std::make_pair(type, count);
  return Error(absl::StrCat("type \"", rest, "\" cannot be an attribute's"));
}

// Reads elements in row-major order; the brackets only group them.
absl::Status AttributeParser::DenseElements(
    std::vector<absl::string_view>& tokens) {
  int depth = 0;
  while (Peek() != '>') {
    if (TryConsume("[")) {
      ++depth;
    } else if (TryConsume("]")) {
      --depth;
    } else if (!TryConsume(",")) {
      tokens.push_back(Word());
      if (tokens.back().empty()) return Error("expected an element");
    }
    if (depth < 0) return Error("unbalanced brackets");
  }
  if (depth != 0) return Error("unbalanced brackets");
  return Consume(">");
}

// Reads "0x...": the bytes of all elements, or of one that all are equal to.
absl::StatusOr<Attribute> AttributeParser::DenseBytes(const std::string& hex) {
  TF_RETURN_IF_ERROR(Consume(">"));
  TF_RETURN_IF_ERROR(Consume(":"));
  TF_ASSIGN_OR_RETURN(auto type, TensorType());
  if (!absl::StartsWith(hex, "0x") || hex.size() % 2 != 0 ||
      hex.find_first_not_of("0123456789abcdefABCDEF", 2) != std::string::npos) {
    return Error("expected hexadecimal bytes");
  }
  std::string bytes = absl::HexStringToBytes(absl::string_view(hex).substr(2));
  const size_t width = primitive_util::ByteWidth(type.first);
  ArrayAttribute array;
  array.type = type.first;
  if (bytes.size() == width) {
    for (int64_t i = 0; i < type.second; ++i) {
      array.bytes.insert(array.bytes.end(), bytes.begin(), bytes.end());
    }
  } else if (bytes.size() == width * type.second) {
    array.bytes.assign(bytes.begin(), bytes.end());
  } else {
    return Error("the tensor type wants another number of bytes");
  }
  return Attribute(std::move(array));
}

// Reads what follows "dense<": [1, 2]> : tensor<2xi64>, 1> : tensor<2xi64>,
// "0x..."> : ...
absl::StatusOr<Attribute> AttributeParser::Dense() {
  if (Peek() == '"') {
    TF_ASSIGN_OR_RETURN(std::string hex, String());
    return DenseBytes(hex);
  }
  std::vector<absl::string_view> tokens;
  TF_RETURN_IF_ERROR(DenseElements(tokens));
  TF_RETURN_IF_ERROR(Consume(":"));
  TF_ASSIGN_OR_RETURN(auto type, TensorType());
  ArrayAttribute array;
  array.type = type.first;
  const int64_t given = static_cast<int64_t>(tokens.size());
  if (given != type.second && given != 1) {
    return Error(
        absl::StrCat(given, " elements for a tensor of ", type.second));
  }
  for (int64_t i = 0; i < type.second; ++i) {
    TF_RETURN_IF_ERROR(Append(tokens[given == 1 ? 0 : i], array));
  }
  return Attribute(std::move(array));
}

std::string Quoted(absl::string_view text) {
  std::string result = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\' || !absl::ascii_isprint(c)) {
      absl::StrAppendFormat(&result, "\\%02X", static_cast<unsigned char>(c));
    } else {
      result.push_back(c);
    }
  }
  return result + "\"";
}

bool IsPlainName(absl::string_view name) {
  if (name.empty() || !(absl::ascii_isalpha(name[0]) || name[0] == '_')) {
    return false;
  }
  for (char c : name) {
    if (!IsNameCharacter(c) || c == '-') return false;
  }
  return true;
}

std::string ArrayToString(const ArrayAttribute& array) {
  std::string result = absl::StrCat("array<", AttributeTypeName(array.type));
  const int width = primitive_util::ByteWidth(array.type);
  for (size_t i = 0; i < array.bytes.size(); i += width) {
    absl::StrAppend(&result, i == 0 ? ": " : ", ",
                    NumberToString(&array.bytes[i], array.type));
  }
  return result + ">";
}

std::string ValueToString(const Attribute& attribute) {
  if (const auto* scalar = attribute.get_if<ScalarAttribute>()) {
    std::string number = NumberToString(scalar->bytes.data(), scalar->type);
    if (scalar->type == PRED) return number;
    return absl::StrCat(number, " : ", AttributeTypeName(scalar->type));
  }
  if (const auto* array = attribute.get_if<ArrayAttribute>()) {
    return ArrayToString(*array);
  }
  if (const auto* text = attribute.get_if<std::string>()) return Quoted(*text);
  return AttributesToString(**attribute.get_if<Attribute::Dictionary>());
}

}  // namespace

absl::StatusOr<AttributesMap> ParseAttributes(absl::string_view text) {
  return AttributeParser(text).Parse();
}

std::string AttributesToString(const AttributesMap& attributes) {
  std::string result = "{";
  for (const auto& [name, attribute] : attributes) {
    absl::StrAppend(&result, result.size() > 1 ? ", " : "",
                    IsPlainName(name) ? name : Quoted(name), " = ",
                    ValueToString(attribute));
  }
  return result + "}";
}

}  // namespace xla::ffi
