// Reads dense<...> : tensor<...>: nested lists, one value for all, hexadecimal
// bytes. The type comes last but is read first, so that values go directly to
// their bytes.
#include <algorithm>
#include <cstring>
#include <string>

#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "xla/base/checked_math.h"
#include "xla/base/status_macros.h"
#include "xla/core/primitive_util.h"
#include "xla/stablehlo/text/attribute_reader.h"
#include "xla/stablehlo/text/element_codec.h"

namespace xla::stablehlo {
namespace {

using primitive_util::IsComplexType;
using primitive_util::IsFloatingPointType;

// Reads the values between `<` and `>`. Iterative: the depth is a counter.
class DenseValues {
 public:
  DenseValues(const Lexer& lexer, const Type& type, size_t begin, size_t end)
      : lexer_(lexer),
        type_(type),
        element_(type.element_type),
        part_(element_ == C64    ? F32
              : element_ == C128 ? F64
                                 : element_),
        at_(begin),
        end_(end) {}

  absl::Status Read(int64_t count) {
    const int64_t most = static_cast<int64_t>((end_ - at_ + 1) / 2);
    data_.reserve(ElementBytes(element_) * std::min(count, most));
    if (Next() != '[') {
      TF_RETURN_IF_ERROR(ReadElement());
      single_ = true;
    } else {
      TF_RETURN_IF_ERROR(ReadLists());
    }
    if (Next() != '\0') return Error("expected '>'");
    return absl::OkStatus();
  }

  // True for a single value for all elements.
  bool single() const { return single_; }
  const std::string& data() const { return data_; }

 private:
  char Next() {
    while (at_ < end_ && absl::ascii_isspace(lexer_.source()[at_])) ++at_;
    return at_ < end_ ? lexer_.source()[at_] : '\0';
  }

  absl::Status Error(absl::string_view message) const {
    return lexer_.ErrorAt(at_, message);
  }

  absl::Status ReadLists() {
    const size_t rank = type_.dimensions.size();
    std::vector<int64_t> counts;
    bool separated = true;  // a value may come
    do {
      const char c = Next();
      if (c == '[') {
        if (!separated) return Error("expected ',' or ']'");
        if (counts.size() == rank) return WrongShape();
        counts.push_back(0);
        ++at_;
      } else if (c == ']') {
        if (counts.back() != type_.dimensions[counts.size() - 1]) {
          return WrongShape();
        }
        ++at_;
        counts.pop_back();
        if (!counts.empty()) ++counts.back();
        separated = false;
      } else if (c == ',' && !separated) {
        ++at_;
        separated = true;
        if (Next() == ']') return Error("expected a value");
      } else {
        if (!separated) return Error("expected ',' or ']'");
        if (counts.size() != rank) return WrongShape();
        TF_RETURN_IF_ERROR(ReadElement());
        ++counts.back();
        separated = false;
      }
    } while (!counts.empty());
    return absl::OkStatus();
  }

  absl::Status WrongShape() const {
    return Error(
        absl::StrCat("the values do not have the shape of ", type_.ToString()));
  }

  absl::Status ReadElement() {
    if (!IsComplexType(element_)) return ReadNumber();
    if (Next() != '(') return Error("expected '(' of a complex number");
    ++at_;
    TF_RETURN_IF_ERROR(ReadNumber());
    if (Next() != ',') return Error("expected ','");
    ++at_;
    TF_RETURN_IF_ERROR(ReadNumber());
    if (Next() != ')') return Error("expected ')'");
    ++at_;
    return absl::OkStatus();
  }

  absl::Status ReadNumber() {
    const bool negative = Next() == '-';
    if (negative) ++at_;
    const absl::string_view source = lexer_.source();
    const size_t begin = at_;
    while (at_ < end_ &&
           (absl::ascii_isalnum(source[at_]) || source[at_] == '.' ||
            ((source[at_] == '-' || source[at_] == '+') && at_ > begin &&
             (source[at_ - 1] == 'e' || source[at_ - 1] == 'E')))) {
      ++at_;
    }
    const absl::string_view word = source.substr(begin, at_ - begin);
    const absl::Status status = IsFloatingPointType(part_)
                                    ? AppendFloatWord(word, negative)
                                    : AppendIntegerWord(word, negative);
    if (status.ok()) return status;
    at_ = begin;
    return Error(absl::StrCat(status.message(), ", got '", negative ? "-" : "",
                              word.empty() && begin < end_
                                  ? source.substr(begin, 1)
                                  : word.substr(0, 40),
                              "'"));
  }

  absl::Status AppendFloatWord(absl::string_view word, bool negative) {
    uint64_t bits;
    if (!negative && word.substr(0, 2) == "0x" && ParseMagnitude(word, &bits)) {
      const int width = primitive_util::BitWidth(part_);
      if (width < 64 && bits >> width != 0) {
        return absl::InvalidArgumentError("expected a bit pattern that fits");
      }
      AppendBits(part_, bits, &data_);
      return absl::OkStatus();
    }
    double value = 0;
    if (word.empty() || !absl::ascii_isdigit(word[0]) ||
        word.find('.') == absl::string_view::npos ||
        !absl::SimpleAtod(word, &value)) {
      return absl::InvalidArgumentError("expected a float such as 1.0");
    }
    AppendFloat(part_, negative ? -value : value, &data_);
    return absl::OkStatus();
  }

  absl::Status AppendIntegerWord(absl::string_view word, bool negative) {
    if (word == "true" || word == "false") {
      if (part_ != PRED || negative) {
        return absl::InvalidArgumentError("expected an integer");
      }
      data_.push_back(word == "true" ? 1 : 0);
      return absl::OkStatus();
    }
    uint64_t magnitude;
    if (!ParseMagnitude(word, &magnitude)) {
      return absl::InvalidArgumentError(part_ == PRED ? "expected true or false"
                                                      : "expected an integer");
    }
    if (!FitsIntegerType(part_, negative, magnitude)) {
      return absl::InvalidArgumentError(
          "expected an integer that the type can hold");
    }
    if (part_ == PRED) {
      data_.push_back(magnitude != 0 ? 1 : 0);
      return absl::OkStatus();
    }
    const int64_t value =
        SignExtend(part_, negative ? uint64_t{0} - magnitude : magnitude);
    AppendBits(part_, static_cast<uint64_t>(value), &data_);
    return absl::OkStatus();
  }

  const Lexer& lexer_;
  const Type& type_;
  const PrimitiveType element_;
  const PrimitiveType part_;
  size_t at_;
  const size_t end_;
  bool single_ = false;
  std::string data_;
};

// Decodes the bytes of "0x...", without the quotes; returns false for other
// text.
bool DecodeHex(absl::string_view text, std::string* bytes) {
  if (text.size() < 2 || text.substr(0, 2) != "0x" || text.size() % 2 != 0) {
    return false;
  }
  bytes->reserve(text.size() / 2 - 1);
  for (size_t i = 2; i < text.size(); i += 2) {
    const int high = HexDigit(text[i]), low = HexDigit(text[i + 1]);
    if (high < 0 || low < 0) return false;
    bytes->push_back(static_cast<char>(high << 4 | low));
  }
  return true;
}

// Booleans take a byte each, or a bit each in text from older printers.
void NormalizeBooleans(int64_t count, std::string* bytes) {
  const int64_t size = static_cast<int64_t>(bytes->size());
  if (size != count && size > 1 && size == CeilOfRatio(count, 8)) {
    std::string unpacked(count, '\0');
    for (int64_t i = 0; i < count; ++i) {
      unpacked[i] = static_cast<char>((*bytes)[i / 8] >> (i % 8) & 1);
    }
    *bytes = std::move(unpacked);
  }
  for (char& c : *bytes) c = c != 0 ? 1 : 0;
}

// Keeps only the bits of elements below 8 bits, sign-extended if signed.
void NormalizeSmall(PrimitiveType type, std::string* bytes) {
  const int bits = primitive_util::BitWidth(type);
  if (bits >= 8) return;
  for (char& c : *bytes) {
    c = static_cast<char>(SignExtend(type, static_cast<uint8_t>(c)));
  }
}

// Returns the bytes of `blob`, a string, as elements of the type: all, or one
// for all.
absl::StatusOr<std::string> BytesOfBlob(const Lexer& lexer, const Token& blob,
                                        const Type& type, int64_t count) {
  std::string data;
  if (!DecodeHex(blob.text.substr(1, blob.text.size() - 2), &data)) {
    return lexer.ErrorAt(blob.offset, "expected bytes as \"0x...\"");
  }
  if (type.element_type == PRED) NormalizeBooleans(count, &data);
  NormalizeSmall(type.element_type, &data);
  const size_t width = ElementBytes(type.element_type);
  if (data.size() != width &&
      (data.size() % width != 0 ||
       static_cast<int64_t>(data.size() / width) != count)) {
    return lexer.ErrorAt(blob.offset,
                         absl::StrCat("has ", data.size(), " bytes, expected ",
                                      count, " elements of ", width));
  }
  return data;
}

}  // namespace

AttributeOr AttributeReader::ReadDense() {
  const absl::string_view source = lexer_.source();
  if (!lexer_.Is('<')) return lexer_.Expected("'<'");
  const size_t begin = lexer_.end();
  lexer_.Advance();
  const Token first = lexer_.token();
  const bool is_string = first.kind == TokenKind::kString;
  const size_t end = source.find('>', is_string ? lexer_.end() : begin);
  if (end == absl::string_view::npos) {
    return lexer_.ErrorAt(begin - 1, "this dense<> is never closed");
  }
  lexer_.MoveTo(end + 1);
  TF_RETURN_IF_ERROR(lexer_.Expect(':'));
  const size_t type_offset = lexer_.token().offset;
  TF_ASSIGN_OR_RETURN(const Type* type, ReadType());
  if (type->kind == Type::Kind::kUnknown) {
    return Text(Attribute::Kind::kUnknown,
                source.substr(begin - 1, end + 2 - begin));
  }
  if (type->kind != Type::Kind::kTensor || !type->IsStatic() ||
      type->quantized != nullptr) {
    return lexer_.ErrorAt(type_offset, "expected a tensor of static shape");
  }
  const std::optional<int64_t> count = CheckedProduct(type->dimensions);
  if (!count.has_value()) {
    return lexer_.ErrorAt(type_offset, "the tensor is too large");
  }
  Attribute node{Attribute::Kind::kElements};
  node.type = type;
  std::string data;
  bool single = false;
  if (is_string) {
    TF_ASSIGN_OR_RETURN(data, BytesOfBlob(lexer_, first, *type, *count));
  } else if (first.offset != end || *count != 0) {
    DenseValues values(lexer_, *type, begin, end);
    TF_RETURN_IF_ERROR(values.Read(*count));
    single = values.single();
    data = values.data();
  }
  const size_t width = ElementBytes(type->element_type);
  if (*count == 0) {
    data.clear();
  } else if (single || data.size() == width ||
             std::memcmp(data.data(), data.data() + width,
                         data.size() - width) == 0) {
    data.resize(width);
    node.splat = true;
  }
  node.data = arena_.CopyString(data);
  return arena_.New(node);
}

}  // namespace xla::stablehlo
