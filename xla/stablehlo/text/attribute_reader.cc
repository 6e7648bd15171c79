// Reads attributes of MLIR's builtin dialect: numbers, strings, symbols, lists,
// dictionaries; and aliases. Other attributes are recognized here and read
// elsewhere.
#include "xla/stablehlo/text/attribute_reader.h"

#include <cstring>
#include <string>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "xla/base/status_macros.h"
#include "xla/core/primitive_util.h"
#include "xla/stablehlo/text/element_codec.h"

namespace xla::stablehlo {
namespace {

using Kind = Attribute::Kind;

// Undoes the escapes \n, \t, \", \\ and \0A; returns false for others.
bool Unescape(absl::string_view text, std::string* out) {
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\') {
      out->push_back(text[i]);
      continue;
    }
    if (++i == text.size()) return false;
    switch (text[i]) {
      case 'n':
        out->push_back('\n');
        continue;
      case 't':
        out->push_back('\t');
        continue;
      case '"':
      case '\\':
        out->push_back(text[i]);
        continue;
      default:
        break;
    }
    if (i + 1 == text.size()) return false;
    const int high = HexDigit(text[i]), low = HexDigit(text[i + 1]);
    if (high < 0 || low < 0) return false;
    out->push_back(static_cast<char>(high << 4 | low));
    ++i;
  }
  return true;
}

bool IsIntegerType(const Type& type) {
  return type.kind == Type::Kind::kIndex ||
         (type.kind == Type::Kind::kScalar &&
          (type.element_type == PRED ||
           primitive_util::IsIntegralType(type.element_type)));
}

bool IsFloatType(const Type& type) {
  return type.kind == Type::Kind::kScalar &&
         primitive_util::IsFloatingPointType(type.element_type);
}

}  // namespace

AttributeOr AttributeReader::ReadAttribute() {
  const Nesting nesting(*this);
  TF_RETURN_IF_ERROR(CheckDepth());
  ++nodes_;
  switch (lexer_.token().kind) {
    case TokenKind::kInteger:
    case TokenKind::kFloat:
      return ReadNumber();
    case TokenKind::kString: {
      TF_ASSIGN_OR_RETURN(const absl::string_view text, ReadString());
      if (lexer_.TryConsume(':')) TF_RETURN_IF_ERROR(ReadType().status());
      return Text(Kind::kString, text);
    }
    case TokenKind::kAt:
      return ReadSymbolAttribute();
    case TokenKind::kHash:
      return ReadHashAttribute();
    case TokenKind::kWord:
      return ReadWordAttribute();
    default:
      break;
  }
  if (lexer_.Is('-')) return ReadNumber();
  if (lexer_.Is('[')) return ReadArray();
  if (lexer_.Is('{')) {
    std::vector<NamedAttribute> fields;
    TF_RETURN_IF_ERROR(ReadDictionary(&fields));
    return Dictionary(fields);
  }
  if (!AtType()) return lexer_.Expected("an attribute");
  TF_ASSIGN_OR_RETURN(const Type* type, ReadType());
  return TypeAttribute(type);
}

AttributeOr AttributeReader::ReadWordAttribute() {
  const Token token = lexer_.token();
  if (AtType()) {
    TF_ASSIGN_OR_RETURN(const Type* type, ReadType());
    return TypeAttribute(type);
  }
  lexer_.Advance();
  const absl::string_view word = token.text;
  if (word == "true" || word == "false") return Bool(word == "true");
  if (word == "unit") return arena_.New(Attribute{});
  if (word == "dense") return ReadDense();
  if (word == "array") return ReadTypedArray();
  if (word == "dense_resource" || word == "sparse") {
    const Location location = lexer_.LocationAt(token.offset);
    return absl::UnimplementedError(absl::StrCat(
        location.ToString(), ": ", word, "<> attributes are not supported"));
  }
  if (word == "loc") {
    lexer_.MoveTo(token.offset);
    TF_RETURN_IF_ERROR(ReadLocation().status());
    return Text(Kind::kUnknown, "");
  }
  if (word == "affine_map" || word == "affine_set" || word == "strided" ||
      word == "distinct" || word == "opaque") {
    return ReadUnknownAttribute(token.offset);
  }
  lexer_.MoveTo(token.offset);
  return lexer_.Expected("an attribute");
}

AttributeOr AttributeReader::ReadUnknownAttribute(size_t start) {
  size_t end = start;
  while (lexer_.Is('<') || lexer_.Is('[')) {
    TF_ASSIGN_OR_RETURN(const absl::string_view body, lexer_.Balanced());
    end = body.data() + body.size() - lexer_.source().data();
  }
  if (end == start) return lexer_.Expected("'<'");
  return Text(Kind::kUnknown, lexer_.source().substr(start, end - start));
}

// Reads 1, -2 : i32, 1.5 : f32, 0x7F800000 : f32.
AttributeOr AttributeReader::ReadNumber() {
  const size_t start = lexer_.token().offset;
  const bool negative = lexer_.TryConsume('-');
  const Token token = lexer_.token();
  const bool is_float = token.kind == TokenKind::kFloat;
  if (!is_float && token.kind != TokenKind::kInteger) {
    return lexer_.Expected("a number");
  }
  lexer_.Advance();
  Attribute node;
  node.type = nullptr;
  if (lexer_.TryConsume(':')) {
    TF_ASSIGN_OR_RETURN(node.type, ReadType());
  } else {
    node.type = Scalar(is_float ? F64 : S64);
  }
  const PrimitiveType element =
      node.type->kind == Type::Kind::kIndex ? S64 : node.type->element_type;
  if (is_float) {
    if (!IsFloatType(*node.type)) {
      return lexer_.ErrorAt(start, "expected a float type behind a float");
    }
    node.kind = Kind::kFloat;
    if (!absl::SimpleAtod(token.text, &node.real)) {
      return lexer_.ErrorAt(start, "expected a float such as 1.0");
    }
    node.real = RoundToType(element, negative ? -node.real : node.real);
    return arena_.New(node);
  }
  uint64_t magnitude;
  if (!ParseMagnitude(token.text, &magnitude)) {
    return lexer_.ErrorAt(start, "the integer does not fit into 64 bits");
  }
  if (IsFloatType(*node.type) && absl::StartsWith(token.text, "0x") &&
      !negative) {
    const int width = primitive_util::BitWidth(element);
    if (width < 64 && magnitude >> width != 0) {
      return lexer_.ErrorAt(start, "the bit pattern does not fit the type");
    }
    node.kind = Kind::kFloat;
    node.real = FloatOfBits(element, magnitude);
    return arena_.New(node);
  }
  if (!IsIntegerType(*node.type)) {
    return lexer_.ErrorAt(start, "expected an integer type behind an integer");
  }
  if (!FitsIntegerType(element, negative, magnitude)) {
    return lexer_.ErrorAt(start, "the type cannot hold the integer");
  }
  if (element == PRED) return Bool(magnitude != 0);
  node.kind = Kind::kInteger;
  node.integer =
      SignExtend(element, negative ? uint64_t{0} - magnitude : magnitude);
  return arena_.New(node);
}

AttributeOr AttributeReader::ReadArray() {
  TF_RETURN_IF_ERROR(lexer_.Expect('['));
  std::vector<const Attribute*> elements;
  if (!lexer_.Is(']')) {
    do {
      TF_ASSIGN_OR_RETURN(elements.emplace_back(), ReadAttribute());
    } while (lexer_.TryConsume(','));
  }
  TF_RETURN_IF_ERROR(lexer_.Expect(']'));
  return Array(elements);
}

// Reads what follows `array`: "<i64: 1, 2>", "<i1: true>", "<f32: 1.0>",
// "<i64>".
AttributeOr AttributeReader::ReadTypedArray() {
  TF_RETURN_IF_ERROR(lexer_.Expect('<'));
  const size_t start = lexer_.token().offset;
  TF_ASSIGN_OR_RETURN(const Type* type, ReadType());
  const bool floats = IsFloatType(*type);
  if (!floats && !IsIntegerType(*type)) {
    return lexer_.ErrorAt(start, "expected a number type");
  }
  std::vector<int64_t> values;
  std::vector<const Attribute*> reals;
  if (lexer_.TryConsume(':')) {
    do {
      if (floats) {
        TF_ASSIGN_OR_RETURN(const Attribute* number, ReadNumber());
        Attribute real = *number;
        real.type = type;
        reals.push_back(arena_.New(real));
      } else if (lexer_.TryConsumeWord("true")) {
        values.push_back(1);
      } else if (lexer_.TryConsumeWord("false")) {
        values.push_back(0);
      } else {
        TF_ASSIGN_OR_RETURN(values.emplace_back(), lexer_.TakeInteger());
      }
    } while (lexer_.TryConsume(','));
  }
  TF_RETURN_IF_ERROR(lexer_.Expect('>'));
  if (floats) return Array(reals);
  Attribute node = *Integers(values);
  if (type->element_type != S64) node.type = type;
  return arena_.New(node);
}

AttributeOr AttributeReader::ReadSymbolAttribute() {
  TF_ASSIGN_OR_RETURN(absl::string_view name, ReadSymbol());
  // Nested symbols, @outer::@inner, are kept as one name.
  while (
      lexer_.Is(':') && lexer_.end() < lexer_.source().size() &&
      absl::StartsWith(lexer_.source().substr(lexer_.token().offset), "::@")) {
    lexer_.Advance();
    lexer_.Advance();
    TF_ASSIGN_OR_RETURN(const absl::string_view inner, ReadSymbol());
    name = arena_.CopyString(absl::StrCat(name, "::@", inner));
  }
  return Text(Kind::kSymbol, name);
}

AttributeOr AttributeReader::ReadHashAttribute() {
  const Token token = lexer_.token();
  lexer_.Advance();
  if (const auto it = attribute_aliases_.find(token.text);
      it != attribute_aliases_.end()) {
    nodes_ += it->second.nodes;
    return it->second.node;
  }
  const absl::string_view name = token.text.substr(1);
  if (lexer_.Is('<') || name.find('.') != absl::string_view::npos) {
    lexer_.MoveTo(token.offset);
    return ReadDialectAttribute(name);
  }
  return lexer_.ErrorAt(
      token.offset,
      absl::StrCat("attribute alias ", token.text, " is not defined"));
}

absl::Status AttributeReader::ReadAttributeAlias() {
  TF_ASSIGN_OR_RETURN(const absl::string_view name,
                      lexer_.Take(TokenKind::kHash, "an attribute alias"));
  TF_RETURN_IF_ERROR(lexer_.Expect('='));
  if (lexer_.IsWord("loc")) {
    TF_ASSIGN_OR_RETURN(location_aliases_[name], ReadLocation());
    attribute_aliases_[name] = {Text(Kind::kUnknown, ""), 1};
    return absl::OkStatus();
  }
  const int64_t before = nodes_;
  TF_ASSIGN_OR_RETURN(const Attribute* attribute, ReadAttribute());
  if (nodes_ - before > kMaxAliasNodes) {
    return lexer_.Error(
        absl::StrCat("attribute alias ", name, " is too large"));
  }
  attribute_aliases_[name] = {attribute, nodes_ - before};
  return absl::OkStatus();
}

absl::Status AttributeReader::ReadDictionary(std::vector<NamedAttribute>* out) {
  TF_RETURN_IF_ERROR(lexer_.Expect('{'));
  if (lexer_.TryConsume('}')) return absl::OkStatus();
  do {
    NamedAttribute field;
    if (lexer_.Is(TokenKind::kString)) {
      TF_ASSIGN_OR_RETURN(field.name, ReadString());
    } else {
      TF_ASSIGN_OR_RETURN(field.name,
                          lexer_.Take(TokenKind::kWord, "an attribute's name"));
    }
    if (lexer_.TryConsume('=')) {
      TF_ASSIGN_OR_RETURN(field.value, ReadAttribute());
    } else {
      field.value = arena_.New(Attribute{});
    }
    out->push_back(field);
  } while (lexer_.TryConsume(','));
  return lexer_.Expect('}');
}

absl::StatusOr<absl::string_view> AttributeReader::ReadString() {
  const size_t start = lexer_.token().offset;
  TF_ASSIGN_OR_RETURN(absl::string_view text,
                      lexer_.Take(TokenKind::kString, "a string"));
  text = text.substr(1, text.size() - 2);
  if (text.find('\\') == absl::string_view::npos) return text;
  std::string plain;
  if (!Unescape(text, &plain)) {
    return lexer_.ErrorAt(start, "the string has an unknown escape");
  }
  return arena_.CopyString(plain);
}

absl::StatusOr<absl::string_view> AttributeReader::ReadSymbol() {
  if (!lexer_.Is(TokenKind::kAt)) return lexer_.Expected("a @name");
  if (lexer_.token().text[1] != '"') {
    const absl::string_view name = lexer_.token().text.substr(1);
    lexer_.Advance();
    return name;
  }
  lexer_.MoveTo(lexer_.token().offset + 1);
  return ReadString();
}

const Attribute* AttributeReader::Integer(int64_t value, PrimitiveType type) {
  Attribute node{Kind::kInteger};
  node.integer = value;
  node.type = Scalar(type);
  return arena_.New(node);
}

const Attribute* AttributeReader::Bool(bool value) {
  Attribute node{Kind::kBool};
  node.integer = value ? 1 : 0;
  return arena_.New(node);
}

const Attribute* AttributeReader::Text(Kind kind, absl::string_view text) {
  Attribute node{kind};
  node.text = text;
  return arena_.New(node);
}

const Attribute* AttributeReader::Integers(absl::Span<const int64_t> values) {
  Attribute node{Kind::kIntegers};
  node.integers = arena_.Copy(values);
  return arena_.New(node);
}

const Attribute* AttributeReader::Array(
    absl::Span<const Attribute* const> elements) {
  Attribute node{Kind::kArray};
  node.elements = arena_.Copy(elements);
  return arena_.New(node);
}

const Attribute* AttributeReader::Dictionary(
    absl::Span<const NamedAttribute> fields) {
  Attribute node{Kind::kDictionary};
  node.fields = arena_.Copy(fields);
  return arena_.New(node);
}

const Attribute* AttributeReader::TypeAttribute(const Type* type) {
  Attribute node{Kind::kType};
  node.type = type;
  return arena_.New(node);
}

const Attribute* AttributeReader::Int64Elements(
    absl::Span<const int64_t> values, absl::Span<const int64_t> sizes) {
  Attribute node{Kind::kElements};
  node.type = Tensor(S64, sizes);
  absl::string_view data(reinterpret_cast<const char*>(values.data()),
                         values.size() * sizeof(int64_t));
  node.splat =
      !values.empty() && std::memcmp(data.data(), data.data() + sizeof(int64_t),
                                     data.size() - sizeof(int64_t)) == 0;
  if (node.splat) data = data.substr(0, sizeof(int64_t));
  node.data = arena_.CopyString(data);
  return arena_.New(node);
}

}  // namespace xla::stablehlo
