// Lexer: recognizes tokens by their first character.
#include "xla/stablehlo/text/lexer.h"

#include <algorithm>
#include <iterator>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "xla/base/status_macros.h"

namespace xla::stablehlo {
namespace {

constexpr absl::string_view kPunctuation = "(){}[]<>,:=-+*?/|";

bool IsWordStart(char c) { return absl::ascii_isalpha(c) || c == '_'; }
bool IsWordPart(char c) {
  return absl::ascii_isalnum(c) || c == '_' || c == '$' || c == '.';
}
bool IsSuffixPart(char c) { return IsWordPart(c) || c == '-'; }

char Closing(char open) {
  switch (open) {
    case '(':
      return ')';
    case '[':
      return ']';
    case '{':
      return '}';
    case '<':
      return '>';
    default:
      return '\0';
  }
}

}  // namespace

Lexer::Lexer(absl::string_view source) : source_(source) { MoveTo(0); }

size_t Lexer::SkipSpace(size_t offset) const {
  while (offset < source_.size()) {
    if (absl::ascii_isspace(source_[offset])) {
      ++offset;
    } else if (source_.substr(offset, 2) == "//") {
      const size_t line_end = source_.find('\n', offset);
      offset = line_end == absl::string_view::npos ? source_.size() : line_end;
    } else {
      break;
    }
  }
  return offset;
}

void Lexer::MoveTo(size_t offset) {
  token_.offset = SkipSpace(offset);
  const size_t end = EndOfToken(token_.offset, &token_.kind);
  token_.text = source_.substr(token_.offset, end - token_.offset);
}

size_t Lexer::EndOfToken(size_t offset, TokenKind* kind) const {
  if (offset >= source_.size()) {
    *kind = TokenKind::kEnd;
    return offset;
  }
  const char c = source_[offset];
  if (IsWordStart(c)) {
    *kind = TokenKind::kWord;
    while (offset < source_.size() && IsWordPart(source_[offset])) ++offset;
    return offset;
  }
  if (absl::ascii_isdigit(c)) return EndOfNumber(offset, kind);
  if (c == '"') {
    const size_t end = EndOfString(offset);
    *kind =
        end == absl::string_view::npos ? TokenKind::kError : TokenKind::kString;
    return end == absl::string_view::npos ? offset + 1 : end;
  }
  if (source_.substr(offset, 2) == "->") {
    *kind = TokenKind::kArrow;
    return offset + 2;
  }
  if (kPunctuation.find(c) != absl::string_view::npos) {
    *kind = TokenKind::kPunct;
    return offset + 1;
  }
  return EndOfName(offset, kind);
}

size_t Lexer::EndOfNumber(size_t offset, TokenKind* kind) const {
  const auto at = [&](size_t i) {
    return i < source_.size() ? source_[i] : '\0';
  };
  *kind = TokenKind::kInteger;
  if (at(offset) == '0' && at(offset + 1) == 'x' &&
      absl::ascii_isxdigit(at(offset + 2))) {
    offset += 2;
    while (absl::ascii_isxdigit(at(offset))) ++offset;
    return offset;
  }
  while (absl::ascii_isdigit(at(offset))) ++offset;
  if (at(offset) != '.') return offset;
  *kind = TokenKind::kFloat;
  ++offset;
  while (absl::ascii_isdigit(at(offset))) ++offset;
  if (at(offset) != 'e' && at(offset) != 'E') return offset;
  size_t digits = offset + 1;
  if (at(digits) == '+' || at(digits) == '-') ++digits;
  if (!absl::ascii_isdigit(at(digits))) return offset;
  while (absl::ascii_isdigit(at(digits))) ++digits;
  return digits;
}

size_t Lexer::EndOfName(size_t offset, TokenKind* kind) const {
  const char sigil = source_[offset];
  size_t end = offset + 1;
  *kind = sigil == '%'   ? TokenKind::kPercent
          : sigil == '^' ? TokenKind::kCaret
          : sigil == '@' ? TokenKind::kAt
          : sigil == '#' ? TokenKind::kHash
          : sigil == '!' ? TokenKind::kBang
                         : TokenKind::kError;
  if (*kind == TokenKind::kError) return end;
  if (sigil == '@' && end < source_.size() && source_[end] == '"') {
    end = EndOfString(end);
    if (end != absl::string_view::npos) return end;
    *kind = TokenKind::kError;
    return offset + 1;
  }
  const bool dashes = sigil == '%' || sigil == '^';
  while (end < source_.size() &&
         (dashes ? IsSuffixPart(source_[end]) : IsWordPart(source_[end]))) {
    ++end;
  }
  if (end == offset + 1) *kind = TokenKind::kError;
  return end;
}

size_t Lexer::EndOfString(size_t offset) const {
  for (++offset; offset < source_.size(); ++offset) {
    if (source_[offset] == '"') return offset + 1;
    if (source_[offset] == '\n') break;
    if (source_[offset] == '\\') ++offset;
  }
  return absl::string_view::npos;
}

bool Lexer::TryConsume(char punct) {
  if (!Is(punct)) return false;
  Advance();
  return true;
}

bool Lexer::TryConsumeWord(absl::string_view word) {
  if (!IsWord(word)) return false;
  Advance();
  return true;
}

bool Lexer::TryConsumeArrow() {
  if (!Is(TokenKind::kArrow)) return false;
  Advance();
  return true;
}

absl::Status Lexer::Expect(char punct) {
  if (TryConsume(punct)) return absl::OkStatus();
  return Expected(absl::StrCat("'", absl::string_view(&punct, 1), "'"));
}

absl::Status Lexer::ExpectWord(absl::string_view word) {
  if (TryConsumeWord(word)) return absl::OkStatus();
  return Expected(absl::StrCat("'", word, "'"));
}

absl::Status Lexer::ExpectArrow() {
  if (TryConsumeArrow()) return absl::OkStatus();
  return Expected("'->'");
}

absl::StatusOr<absl::string_view> Lexer::Take(TokenKind kind,
                                              absl::string_view what) {
  if (!Is(kind)) return Expected(what);
  const absl::string_view text = token_.text;
  Advance();
  return text;
}

absl::StatusOr<int64_t> Lexer::TakeInteger() {
  const size_t start = token_.offset;
  const bool negative = TryConsume('-');
  if (!Is(TokenKind::kInteger)) return Expected("an integer");
  const std::string digits = absl::StrCat(negative ? "-" : "", token_.text);
  int64_t value;
  if (!absl::SimpleAtoi(digits, &value)) {
    return ErrorAt(start, absl::StrCat("'", digits.substr(0, 40),
                                       "' is not a 64-bit integer"));
  }
  Advance();
  return value;
}

absl::StatusOr<absl::string_view> Lexer::Balanced() {
  const size_t start = token_.offset;
  std::vector<char> open;
  do {
    const char c = token_.text.empty() ? '\0' : token_.text[0];
    if (Is(TokenKind::kEnd)) {
      return ErrorAt(start, "this bracket is never closed");
    }
    if (Is(TokenKind::kError)) return Expected("a token");
    if (Is(TokenKind::kPunct)) {
      if (const char close = Closing(c); close != '\0') {
        open.push_back(close);
      } else if (!open.empty() && c == open.back()) {
        open.pop_back();
      } else if (c == ')' || c == ']' || c == '}' || c == '>') {
        return Error(absl::StrCat("'", token_.text,
                                  "' does not close the bracket before it"));
      }
    }
    if (open.empty()) break;
    Advance();
  } while (true);
  const absl::string_view text = source_.substr(start, end() - start);
  if (text.size() < 2) return ErrorAt(start, "expected a bracket");
  Advance();
  return text;
}

absl::Status Lexer::Error(absl::string_view message) const {
  return ErrorAt(token_.offset, message);
}

absl::Status Lexer::Expected(absl::string_view what) const {
  std::string got;
  switch (token_.kind) {
    case TokenKind::kEnd:
      got = "the end of the text";
      break;
    case TokenKind::kError:
      if (token_.text == "\"" || token_.text == "@") {
        got = "a string that is not closed";
        break;
      }
      [[fallthrough]];
    default:
      got = absl::StrCat("'", token_.text.substr(0, 40), "'");
  }
  return Error(absl::StrCat("expected ", what, ", got ", got));
}

absl::Status Lexer::ErrorAt(size_t offset, absl::string_view message) const {
  return absl::InvalidArgumentError(
      absl::StrCat(LocationAt(offset).ToString(), ": ", message));
}

Location Lexer::LocationAt(size_t offset) const {
  offset = std::min(offset, source_.size());
  if (line_starts_.empty()) {
    line_starts_.push_back(0);
    for (size_t i = 0; i < source_.size(); ++i) {
      if (source_[i] == '\n') line_starts_.push_back(i + 1);
    }
  }
  const auto next =
      std::upper_bound(line_starts_.begin(), line_starts_.end(), offset);
  Location location;
  location.text = true;
  location.line = static_cast<int32_t>(
      std::min<size_t>(next - line_starts_.begin(), INT32_MAX));
  location.column = static_cast<int32_t>(
      std::min<size_t>(offset - *std::prev(next) + 1, INT32_MAX));
  location.byte_offset = static_cast<int64_t>(offset);
  return location;
}

}  // namespace xla::stablehlo
