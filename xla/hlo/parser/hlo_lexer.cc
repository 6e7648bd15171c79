// Patterns of tokens, matched by hand.
#include "xla/hlo/parser/hlo_lexer.h"

#include <algorithm>
#include <bit>
#include <string>

#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "xla/core/primitive_util.h"
#include "xla/hlo/attrs/annotation_text.h"

namespace xla {
namespace {

constexpr uint64_t kNanPayloadMask = (uint64_t{1} << 52) - 1;
constexpr uint64_t kQuietNan = uint64_t{1} << 51;

struct Keyword {
  TokKind kind;
  absl::string_view text;
};
constexpr Keyword kKeywords[] = {
    {TokKind::kw_HloModule, "HloModule"},
    {TokKind::kw_ENTRY, "ENTRY"},
    {TokKind::kw_ROOT, "ROOT"},
    {TokKind::kw_FileLocations, "FileLocations"},
    {TokKind::kw_FileNames, "FileNames"},
    {TokKind::kw_FunctionNames, "FunctionNames"},
    {TokKind::kw_StackFrames, "StackFrames"},
    {TokKind::kw_true, "true"},
    {TokKind::kw_false, "false"},
    {TokKind::kw_maximal, "maximal"},
    {TokKind::kw_replicated, "replicated"},
    {TokKind::kw_manual, "manual"},
    {TokKind::kw_last_tile_dim_replicate, "last_tile_dim_replicate"},
    {TokKind::kw_shard_as, "shard_as"},
    {TokKind::kw_shard_like, "shard_like"},
    {TokKind::kw_unknown, "unknown"},
    {TokKind::kw_inf, "inf"},
    {TokKind::kw_unreduced, "unreduced"},
};

bool IsWordStart(char c) { return absl::ascii_isalpha(c) || c == '_'; }
bool IsWordChar(char c) {
  return absl::ascii_isalnum(c) || c == '-' || c == '.' || c == '_';
}

// Each of these goes over what it matches, or stays and returns false.
class Matcher {
 public:
  explicit Matcher(absl::string_view text) : text_(text) {}

  size_t length() const { return at_; }

  bool One(char c) {
    if (at_ == text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  // At least `least` digits or characters of `others`.
  bool Run(size_t least, absl::string_view others) {
    const size_t begin = at_;
    while (at_ < text_.size() && (absl::ascii_isdigit(text_[at_]) ||
                                  absl::StrContains(others, text_[at_]))) {
      ++at_;
    }
    if (at_ - begin >= least) return true;
    at_ = begin;
    return false;
  }
  bool Digits() { return Run(1, ""); }

  // [-]D.D, D. or .D, each with an exponent or not; or [-]D with one.
  bool Float() {
    One('-');
    const bool before = Digits();
    const bool point = One('.');
    const bool behind = point && Digits();
    if (!before && !behind) return false;
    return Exponent() || point;
  }
  bool Exponent() {
    const size_t begin = at_;
    if ((One('e') || One('E')) && (One('+') || One('-') || true) && Digits()) {
      return true;
    }
    at_ = begin;
    return false;
  }
  bool DimLabels() {
    return Run(2, "bf?") && One('_') && Run(2, "io?") && One('-') && One('>') &&
           Run(2, "bf?");
  }
  bool DxD() {
    if (!Digits()) return false;
    size_t parts = 0;
    while (Next('x', [&] { return Digits(); })) ++parts;
    return parts > 0;
  }
  bool Pad() {
    if (!LowHigh()) return false;
    while (Next('x', [&] { return LowHigh(); })) {
    }
    return true;
  }

 private:
  template <typename Then>
  bool Next(char separator, const Then& then) {
    const size_t begin = at_;
    if (One(separator) && then()) return true;
    at_ = begin;
    return false;
  }
  // low_high or low_high_interior.
  bool LowHigh() {
    One('-');
    if (!Digits() || !One('_')) return false;
    One('-');
    if (!Digits()) return false;
    Next('_', [&] { return Digits(); });
    return true;
  }

  absl::string_view text_;
  size_t at_ = 0;
};

// The length of the string in quotes that `text` begins with; 0 if none.
size_t QuotedLength(absl::string_view text) {
  const char quote = text[0];
  for (size_t i = 1; i < text.size(); ++i) {
    if (text[i] == quote) return i + 1;
    if (text[i] != '\\') continue;
    if (++i == text.size() || text[i] == '\n') return 0;
  }
  return 0;
}

}  // namespace

std::string TokKindToString(TokKind kind) {
  for (const Keyword& keyword : kKeywords) {
    if (keyword.kind == kind) return "kw_" + std::string(keyword.text);
  }
  static constexpr Keyword kOthers[] = {
      {TokKind::kEof, "kEof"},
      {TokKind::kError, "kError"},
      {TokKind::kEqual, "kEqual"},
      {TokKind::kComma, "kComma"},
      {TokKind::kColon, "kColon"},
      {TokKind::kAsterisk, "kAsterisk"},
      {TokKind::kQuestionMark, "kQuestionMark"},
      {TokKind::kOctothorp, "kOctothorp"},
      {TokKind::kPlus, "kPlus"},
      {TokKind::kTilde, "kTilde"},
      {TokKind::kLsquare, "kLsquare"},
      {TokKind::kRsquare, "kRsquare"},
      {TokKind::kLbrace, "kLbrace"},
      {TokKind::kRbrace, "kRbrace"},
      {TokKind::kLparen, "kLparen"},
      {TokKind::kRparen, "kRparen"},
      {TokKind::kDots, "kDots"},
      {TokKind::kArrow, "kArrow"},
      {TokKind::kLeq, "kLeq"},
      {TokKind::kNegInf, "kNegInf"},
      {TokKind::kPrimitiveType, "kPrimitiveType"},
      {TokKind::kName, "kName"},
      {TokKind::kAttributeName, "kAttributeName"},
      {TokKind::kDimLabels, "kDimLabels"},
      {TokKind::kDxD, "kDxD"},
      {TokKind::kPad, "kPad"},
      {TokKind::kIdent, "kIdent"},
      {TokKind::kString, "kString"},
      {TokKind::kInt, "kInt"},
      {TokKind::kDecimal, "kDecimal"},
  };
  for (const Keyword& other : kOthers) {
    if (other.kind == kind) return std::string(other.text);
  }
  return "";
}

std::string HloLexer::GetStrVal() const {
  switch (GetKind()) {
    case TokKind::kName:
    case TokKind::kAttributeName:
    case TokKind::kDimLabels:
    case TokKind::kDxD:
    case TokKind::kPad:
    case TokKind::kString:
    case TokKind::kIdent:
      return token_.text;
    default:
      LOG(FATAL) << TokKindToString(GetKind()) << " has no text";
  }
  return "";
}

TokKind HloLexer::LookAhead() {
  if (GetKind() == TokKind::kEof || GetKind() == TokKind::kError) {
    return GetKind();
  }
  const size_t position = position_;
  const Token token = token_;
  const TokKind next = Lex();
  position_ = position;
  token_ = token;
  return next;
}

TokKind HloLexer::Take(TokKind kind, size_t length) {
  position_ = token_.begin + length;
  token_.text = std::string(text_.substr(token_.begin, length));
  return kind;
}

bool HloLexer::SkipBlockComment() {
  const size_t begin = position_ + 2;
  const size_t end = text_.find("*/", begin);
  const absl::string_view comment = text_.substr(begin, end - begin);
  if (end == absl::string_view::npos || absl::StrContains(comment, '\0')) {
    return false;
  }
  position_ = end + 2;
  return true;
}

bool HloLexer::SkipSpace() {
  while (position_ < text_.size()) {
    const char c = Peek();
    if (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
      ++position_;
    } else if (c == '/' && Peek(1) == '*') {
      if (!SkipBlockComment()) return false;
    } else if (c == '/' && Peek(1) == '/') {
      position_ = std::min(
          text_.find_first_of(absl::string_view("\n\r\0", 3), position_),
          text_.size());
    } else {
      return c != '\0';
    }
  }
  return true;
}

TokKind HloLexer::LexToken(uint64_t skip_mask) {
  const bool is_text = SkipSpace();
  token_.begin = position_;
  if (!is_text) return TokKind::kError;
  if (position_ == text_.size()) return TokKind::kEof;
  const char c = Peek();
  if (IsWordStart(c)) return LexWord();
  if (c == '-' && Peek(1) == '>') return LexPunctuation();
  if (absl::ascii_isdigit(c) || c == '-' || c == '?') {
    const TokKind kind = LexNumberOrPattern(skip_mask);
    return kind == TokKind::kError ? LexPunctuation() : kind;
  }
  if (c == '%') return LexName();
  if (c == '"' || c == '\'') return LexString();
  return LexPunctuation();
}

TokKind HloLexer::LexPunctuation() {
  static constexpr Keyword kSigns[] = {
      {TokKind::kDots, "..."},    {TokKind::kArrow, "->"},
      {TokKind::kLeq, "<="},      {TokKind::kEqual, "="},
      {TokKind::kComma, ","},     {TokKind::kColon, ":"},
      {TokKind::kAsterisk, "*"},  {TokKind::kQuestionMark, "?"},
      {TokKind::kOctothorp, "#"}, {TokKind::kPlus, "+"},
      {TokKind::kTilde, "~"},     {TokKind::kLsquare, "["},
      {TokKind::kRsquare, "]"},   {TokKind::kLbrace, "{"},
      {TokKind::kRbrace, "}"},    {TokKind::kLparen, "("},
      {TokKind::kRparen, ")"},
  };
  for (const Keyword& sign : kSigns) {
    if (absl::StartsWith(text_.substr(token_.begin), sign.text)) {
      return Take(sign.kind, sign.text.size());
    }
  }
  ++position_;
  return TokKind::kError;
}

TokKind HloLexer::LexWord() {
  size_t length = 0;
  while (IsWordChar(Peek(length))) ++length;
  const absl::string_view word = text_.substr(token_.begin, length);
  if (Peek(length) == ':' || Peek(length) == '=') {
    const TokKind kind =
        Peek(length) == ':' ? TokKind::kName : TokKind::kAttributeName;
    Take(kind, length);
    ++position_;
    return kind;
  }
  if (primitive_util::IsPrimitiveTypeName(word)) {
    const auto type = primitive_util::StringToPrimitiveType(word);
    // Tuples and buffers are written as lists and as b(...).
    if (type.ok() && *type != TUPLE && *type != BUFFER) {
      token_.primitive_type = *type;
      return Take(TokKind::kPrimitiveType, length);
    }
  }
  if (word == "nan") return LexNan(/*negative=*/false, length);
  for (const Keyword& keyword : kKeywords) {
    if (word == keyword.text) return Take(keyword.kind, length);
  }
  Matcher labels(text_.substr(token_.begin));
  if (labels.DimLabels()) return Take(TokKind::kDimLabels, labels.length());
  return Take(TokKind::kIdent, length);
}

TokKind HloLexer::LexName() {
  ++position_;
  if (!IsWordStart(Peek())) return TokKind::kError;
  const size_t begin = position_;
  while (IsWordChar(Peek())) ++position_;
  token_.text = std::string(text_.substr(begin, position_ - begin));
  return TokKind::kName;
}

TokKind HloLexer::LexNumberOrPattern(uint64_t skip_mask) {
  const absl::string_view rest = text_.substr(token_.begin);
  const auto matches = [&](TokKind kind, bool (Matcher::*pattern)()) {
    Matcher matcher(rest);
    if ((skip_mask >> static_cast<int>(kind) & 1) != 0 ||
        !(matcher.*pattern)()) {
      return false;
    }
    Take(kind, matcher.length());
    return true;
  };
  if (matches(TokKind::kDecimal, &Matcher::Float)) {
    return absl::SimpleAtod(token_.text, &token_.decimal_value)
               ? TokKind::kDecimal
               : TokKind::kError;
  }
  if (matches(TokKind::kDimLabels, &Matcher::DimLabels)) {
    return TokKind::kDimLabels;
  }
  if (matches(TokKind::kDxD, &Matcher::DxD)) return TokKind::kDxD;
  if (matches(TokKind::kPad, &Matcher::Pad)) return TokKind::kPad;
  if (const TokKind kind = LexInteger(); kind != TokKind::kError) return kind;
  if (absl::StartsWith(rest, "-inf")) return Take(TokKind::kNegInf, 4);
  if (absl::StartsWith(rest, "-nan")) return LexNan(/*negative=*/true, 4);
  return TokKind::kError;
}

// Numbers without a sign may have 64 bits.
TokKind HloLexer::LexInteger() {
  Matcher matcher(text_.substr(token_.begin));
  const bool negative = matcher.One('-');
  if (!matcher.Digits()) return TokKind::kError;
  const absl::string_view digits = text_.substr(token_.begin, matcher.length());
  uint64_t bits = 0;
  if (negative ? !absl::SimpleAtoi(digits, &token_.int64_value)
               : !absl::SimpleAtoi(digits, &bits)) {
    return TokKind::kError;
  }
  if (!negative) token_.int64_value = std::bit_cast<int64_t>(bits);
  return Take(TokKind::kInt, matcher.length());
}

// The payload may follow in parentheses, as in nan(0x1).
TokKind HloLexer::LexNan(bool negative, size_t length) {
  Take(TokKind::kDecimal, length);
  uint64_t payload = kQuietNan;
  if (Peek() == '(') {
    const size_t end = text_.find(')', position_);
    if (end == absl::string_view::npos) return TokKind::kError;
    absl::string_view digits = text_.substr(position_ + 1, end - position_ - 1);
    if (!absl::StartsWith(digits, "0x") ||
        !absl::SimpleHexAtoi(digits, &payload) || payload == 0 ||
        payload > kNanPayloadMask) {
      return TokKind::kError;
    }
    position_ = end + 1;
  }
  token_.decimal_value = std::bit_cast<double>(
      (uint64_t{negative} << 63) | (uint64_t{0x7ff} << 52) | payload);
  return TokKind::kDecimal;
}

TokKind HloLexer::LexString() {
  const size_t length = QuotedLength(text_.substr(token_.begin));
  if (length == 0) {
    ++position_;
    return TokKind::kError;
  }
  position_ = token_.begin + length;
  return absl::CUnescape(text_.substr(token_.begin + 1, length - 2),
                         &token_.text)
             ? TokKind::kString
             : TokKind::kError;
}

TokKind HloLexer::LexJsonDict() {
  if (GetKind() != TokKind::kLbrace) return TokKind::kError;
  const size_t length = EndOfBraces(text_.substr(token_.begin));
  if (length == 0) return TokKind::kError;
  return token_.kind = Take(TokKind::kString, length);
}

std::pair<unsigned, unsigned> HloLexer::GetLineAndColumn(LocTy location) const {
  CHECK(location >= text_.data() && location <= text_.data() + text_.size());
  const absl::string_view before = text_.substr(0, location - text_.data());
  unsigned line = 1;
  size_t line_end = 0;
  for (size_t i = 0; i < before.size(); ++i) {
    if (before[i] != '\n') continue;
    ++line;
    line_end = i;
  }
  return {line, static_cast<unsigned>(before.size() - line_end)};
}

absl::string_view HloLexer::GetLine(LocTy loc) const {
  if (loc < text_.data() || loc >= text_.data() + text_.size()) {
    return "LINE OUT OF RANGE";
  }
  const size_t at = loc - text_.data();
  const size_t before = text_.substr(0, at + 1).rfind('\n');
  const size_t begin = before == absl::string_view::npos ? 0 : before + 1;
  const size_t end = std::min(text_.find('\n', at), text_.size());
  return end < begin ? absl::string_view() : text_.substr(begin, end - begin);
}

bool LexesAsJsonDict(absl::string_view str) {
  HloLexer lexer(str);
  return lexer.Lex() == TokKind::kLbrace &&
         lexer.LexJsonDict() == TokKind::kString &&
         lexer.Lex() == TokKind::kEof;
}

}  // namespace xla
