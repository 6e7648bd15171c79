// Reads types: tensors, scalars, tokens, tuples, functions. quantized_type.cc
// reads quantized elements; types of other dialects are kept as text.
#include <algorithm>
#include <array>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "xla/base/status_macros.h"
#include "xla/stablehlo/text/attribute_reader.h"

namespace xla::stablehlo {
namespace {

// The most dimensions of a tensor: bounds the work of later checks.
constexpr int64_t kMaxRank = 1 << 16;

struct NamedType {
  absl::string_view name;
  PrimitiveType type;
};

// Sorted by name.
constexpr std::array kElementTypes = {
    NamedType{"bf16", BF16},
    NamedType{"f16", F16},
    NamedType{"f32", F32},
    NamedType{"f4E2M1FN", F4E2M1FN},
    NamedType{"f64", F64},
    NamedType{"f6E2M3FN", F6E2M3FN},
    NamedType{"f6E3M2FN", F6E3M2FN},
    NamedType{"f8E3M4", F8E3M4},
    NamedType{"f8E4M3", F8E4M3},
    NamedType{"f8E4M3B11FNUZ", F8E4M3B11FNUZ},
    NamedType{"f8E4M3FN", F8E4M3FN},
    NamedType{"f8E4M3FNUZ", F8E4M3FNUZ},
    NamedType{"f8E5M2", F8E5M2},
    NamedType{"f8E5M2FNUZ", F8E5M2FNUZ},
    NamedType{"f8E8M0FNU", F8E8M0FNU},
    NamedType{"i1", PRED},
    NamedType{"i16", S16},
    NamedType{"i2", S2},
    NamedType{"i32", S32},
    NamedType{"i4", S4},
    NamedType{"i64", S64},
    NamedType{"i8", S8},
    NamedType{"ui16", U16},
    NamedType{"ui2", U2},
    NamedType{"ui32", U32},
    NamedType{"ui4", U4},
    NamedType{"ui64", U64},
    NamedType{"ui8", U8},
};

// Returns whether `name` is spelled like a number type, known or not: i7, si32,
// tf32.
bool IsNumberTypeName(absl::string_view name) {
  if (name == "tf32" || name == "f80" || name == "f128") return true;
  if (!absl::ConsumePrefix(&name, "s")) absl::ConsumePrefix(&name, "u");
  return absl::ConsumePrefix(&name, "i") && !name.empty() &&
         std::all_of(name.begin(), name.end(), absl::ascii_isdigit);
}

bool IsTypeWord(absl::string_view word) {
  static constexpr absl::string_view kWords[] = {
      "tensor", "tuple", "none", "index", "complex", "vector", "memref"};
  return std::find(std::begin(kWords), std::end(kWords), word) !=
             std::end(kWords) ||
         ElementTypeOfName(word) != PRIMITIVE_TYPE_INVALID ||
         IsNumberTypeName(word);
}

}  // namespace

PrimitiveType ElementTypeOfName(absl::string_view name) {
  const auto row = std::lower_bound(
      kElementTypes.begin(), kElementTypes.end(), name,
      [](const NamedType& a, absl::string_view b) { return a.name < b; });
  if (row == kElementTypes.end() || row->name != name) {
    return PRIMITIVE_TYPE_INVALID;
  }
  return row->type;
}

absl::Status AttributeReader::CheckDepth() const {
  if (depth_ <= kMaxTextDepth) return absl::OkStatus();
  return lexer_.Error(
      absl::StrCat("is nested deeper than ", kMaxTextDepth, " levels"));
}

bool AttributeReader::AtType() const {
  return lexer_.Is(TokenKind::kBang) || lexer_.Is('(') ||
         (lexer_.Is(TokenKind::kWord) && IsTypeWord(lexer_.token().text));
}

TypeOr AttributeReader::ReadType() {
  const Nesting nesting(*this);
  TF_RETURN_IF_ERROR(CheckDepth());
  ++nodes_;
  const Token token = lexer_.token();
  if (token.kind == TokenKind::kBang) return ReadDialectType();
  if (lexer_.Is('(')) return ReadFunctionType();
  if (!AtType()) return lexer_.Expected("a type");
  lexer_.Advance();
  if (token.text == "tensor") return ReadTensorType(token.offset);
  if (token.text == "tuple") return ReadBracketedTypes(Type::Kind::kTuple);
  if (token.text == "none") return arena_.New(Type{Type::Kind::kNone});
  if (token.text == "index") return arena_.New(Type{Type::Kind::kIndex});
  if (token.text == "complex") {
    TF_RETURN_IF_ERROR(lexer_.Expect('<'));
    TF_ASSIGN_OR_RETURN(const Type* part, ReadType());
    TF_RETURN_IF_ERROR(lexer_.Expect('>'));
    if (part->kind == Type::Kind::kScalar && part->element_type == F32) {
      return Scalar(C64);
    }
    if (part->kind == Type::Kind::kScalar && part->element_type == F64) {
      return Scalar(C128);
    }
    return lexer_.ErrorAt(token.offset,
                          "expected complex<f32> or complex<f64>");
  }
  const PrimitiveType element = ElementTypeOfName(token.text);
  if (element != PRIMITIVE_TYPE_INVALID) return Scalar(element);
  return ReadUnknownType(token.offset);
}

absl::StatusOr<std::vector<const Type*>> AttributeReader::ReadTypeOrList() {
  std::vector<const Type*> types;
  if (!lexer_.TryConsume('(')) {
    TF_ASSIGN_OR_RETURN(types.emplace_back(), ReadType());
    return types;
  }
  if (lexer_.TryConsume(')')) return types;
  TF_ASSIGN_OR_RETURN(types, ReadTypes());
  TF_RETURN_IF_ERROR(lexer_.Expect(')'));
  return types;
}

absl::StatusOr<std::vector<const Type*>> AttributeReader::ReadTypes() {
  std::vector<const Type*> types;
  do {
    TF_ASSIGN_OR_RETURN(types.emplace_back(), ReadType());
  } while (lexer_.TryConsume(','));
  return types;
}

absl::Status AttributeReader::ReadTypeAlias() {
  TF_ASSIGN_OR_RETURN(const absl::string_view name,
                      lexer_.Take(TokenKind::kBang, "a type alias"));
  TF_RETURN_IF_ERROR(lexer_.Expect('='));
  const int64_t before = nodes_;
  TF_ASSIGN_OR_RETURN(const Type* type, ReadType());
  if (nodes_ - before > kMaxAliasNodes) {
    return lexer_.Error(absl::StrCat("type alias ", name, " is too large"));
  }
  type_aliases_[name] = {type, nodes_ - before};
  return absl::OkStatus();
}

TypeOr AttributeReader::ReadFunctionType() {
  Type type{Type::Kind::kFunction};
  TF_ASSIGN_OR_RETURN(const std::vector<const Type*> inputs, ReadTypeOrList());
  TF_RETURN_IF_ERROR(lexer_.ExpectArrow());
  TF_ASSIGN_OR_RETURN(const std::vector<const Type*> results, ReadTypeOrList());
  type.elements = arena_.Copy(inputs);
  type.results = arena_.Copy(results);
  return arena_.New(type);
}

TypeOr AttributeReader::ReadBracketedTypes(Type::Kind kind) {
  Type type{kind};
  TF_RETURN_IF_ERROR(lexer_.Expect('<'));
  if (!lexer_.Is('>')) {
    TF_ASSIGN_OR_RETURN(const std::vector<const Type*> elements, ReadTypes());
    type.elements = arena_.Copy(elements);
  }
  TF_RETURN_IF_ERROR(lexer_.Expect('>'));
  return arena_.New(type);
}

TypeOr AttributeReader::ReadUnknownType(size_t start) {
  size_t end = start;
  if (lexer_.Is('<')) {
    TF_ASSIGN_OR_RETURN(const absl::string_view body, lexer_.Balanced());
    end = body.data() + body.size() - lexer_.source().data();
  } else {
    // The word or name alone.
    Lexer word(lexer_.source());
    word.MoveTo(start);
    end = word.end();
  }
  Type type{Type::Kind::kUnknown};
  type.text = lexer_.source().substr(start, end - start);
  return arena_.New(type);
}

TypeOr AttributeReader::ReadDialectType() {
  const Token token = lexer_.token();
  lexer_.Advance();
  if (const auto it = type_aliases_.find(token.text);
      it != type_aliases_.end()) {
    nodes_ += it->second.nodes;
    return it->second.node;
  }
  if (token.text == "!stablehlo.token" || token.text == "!mhlo.token") {
    return arena_.New(Type{Type::Kind::kToken});
  }
  if (token.text == "!stablehlo.future") {
    return ReadBracketedTypes(Type::Kind::kFuture);
  }
  if (token.text.find('.') == absl::string_view::npos && !lexer_.Is('<')) {
    return lexer_.ErrorAt(token.offset, absl::StrCat("type alias ", token.text,
                                                     " is not defined"));
  }
  return ReadUnknownType(token.offset);
}

TypeOr AttributeReader::ReadTensorType(size_t start) {
  const absl::string_view source = lexer_.source();
  if (!lexer_.Is('<')) return lexer_.Expected("'<'");
  // Simple types are looked up by their text.
  size_t close = lexer_.end();
  while (close < source.size() &&
         (absl::ascii_isalnum(source[close]) || source[close] == '?')) {
    ++close;
  }
  absl::string_view key;
  if (close < source.size() && source[close] == '>') {
    key = source.substr(lexer_.end(), close - lexer_.end());
    if (const auto it = tensor_types_.find(key); it != tensor_types_.end()) {
      lexer_.MoveTo(close + 1);
      return it->second;
    }
  }
  Type type{Type::Kind::kTensor};
  std::vector<int64_t> sizes;
  TF_RETURN_IF_ERROR(ReadDimensions(&sizes));
  type.dimensions = arena_.Copy(sizes);
  if (lexer_.Is(TokenKind::kBang) && lexer_.token().text == "!quant.uniform") {
    TF_ASSIGN_OR_RETURN(type.quantized, ReadQuantizedType());
    type.element_type = type.quantized->storage_type;
  } else {
    TF_ASSIGN_OR_RETURN(const Type* element, ReadType());
    if (element->kind == Type::Kind::kScalar) {
      type.element_type = element->element_type;
    } else if (element->kind == Type::Kind::kIndex) {
      type.element_type = S64;
    } else {
      type.kind = Type::Kind::kUnknown;
    }
  }
  if (lexer_.TryConsume(',')) TF_RETURN_IF_ERROR(ReadEncoding(&type));
  const size_t end = lexer_.end();
  TF_RETURN_IF_ERROR(lexer_.Expect('>'));
  if (type.kind == Type::Kind::kUnknown) {
    Type unknown{Type::Kind::kUnknown};
    unknown.text = source.substr(start, end - start);
    return arena_.New(unknown);
  }
  const Type* node = arena_.New(type);
  if (!key.empty()) tensor_types_[key] = node;
  return node;
}

// Reads "4x?x" character by character, since "x8x" has no tokens.
absl::Status AttributeReader::ReadDimensions(std::vector<int64_t>* sizes) {
  const absl::string_view source = lexer_.source();
  size_t at = lexer_.end();
  const auto skip_space = [&] {
    while (at < source.size() && absl::ascii_isspace(source[at])) ++at;
  };
  for (skip_space(); at < source.size(); skip_space()) {
    const size_t begin = at;
    if (source[at] == '*') {
      return lexer_.ErrorAt(at, "tensors of unknown rank are not supported");
    }
    if (source[at] == '?') {
      ++at;
      sizes->push_back(kDynamic);
    } else if (absl::ascii_isdigit(source[at])) {
      while (at < source.size() && absl::ascii_isdigit(source[at])) ++at;
      const absl::string_view digits = source.substr(begin, at - begin);
      if (!absl::SimpleAtoi(digits, &sizes->emplace_back())) {
        return lexer_.ErrorAt(begin, absl::StrCat("size ", digits.substr(0, 40),
                                                  " is not a 64-bit integer"));
      }
    } else {
      break;
    }
    skip_space();
    if (at >= source.size() || source[at] != 'x') {
      return lexer_.ErrorAt(at, "expected 'x' behind the size of a dimension");
    }
    ++at;
    if (sizes->size() > kMaxRank) {
      return lexer_.ErrorAt(begin, "the tensor has too many dimensions");
    }
  }
  lexer_.MoveTo(at);
  return absl::OkStatus();
}

// Reads #stablehlo.bounds<4, ?> and its older form; ignores other encodings.
absl::Status AttributeReader::ReadEncoding(Type* type) {
  const absl::string_view name = lexer_.token().text;
  const bool old =
      name == "#stablehlo.type_extensions" || name == "#mhlo.type_extensions";
  if (!old && name != "#stablehlo.bounds") {
    return ReadAttribute().status();
  }
  const size_t start = lexer_.token().offset;
  lexer_.Advance();
  TF_RETURN_IF_ERROR(lexer_.Expect('<'));
  if (old) {
    TF_RETURN_IF_ERROR(lexer_.ExpectWord("bounds"));
    TF_RETURN_IF_ERROR(lexer_.Expect('='));
    TF_RETURN_IF_ERROR(lexer_.Expect('['));
  }
  std::vector<int64_t> bounds;
  do {
    if (lexer_.TryConsume('?')) {
      bounds.push_back(kDynamic);
    } else {
      TF_ASSIGN_OR_RETURN(bounds.emplace_back(), lexer_.TakeInteger());
    }
  } while (lexer_.TryConsume(','));
  if (old) TF_RETURN_IF_ERROR(lexer_.Expect(']'));
  if (bounds.size() != type->dimensions.size()) {
    return lexer_.ErrorAt(start,
                          absl::StrCat("expected ", type->dimensions.size(),
                                       " bounds, got ", bounds.size()));
  }
  type->bounds = arena_.Copy(bounds);
  return lexer_.Expect('>');
}

const Type* AttributeReader::Scalar(PrimitiveType type) {
  Type node{Type::Kind::kScalar};
  node.element_type = type;
  return arena_.New(node);
}

const Type* AttributeReader::Tensor(PrimitiveType element,
                                    absl::Span<const int64_t> sizes) {
  Type node{Type::Kind::kTensor};
  node.element_type = element;
  node.dimensions = arena_.Copy(sizes);
  return arena_.New(node);
}

}  // namespace xla::stablehlo
