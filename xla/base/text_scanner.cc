// Tokenizer of the text formats. Every loop moves forward over the text, so a
// scan takes linear time; only errors look back, to count lines.
#include "xla/base/text_scanner.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <system_error>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/charconv.h"
#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"

namespace xla {
namespace {

// Bits of the character classes that a byte belongs to.
enum : uint8_t { kSpace = 1, kDigit = 2, kNameStart = 4, kName = 8, kHex = 16 };

constexpr std::array<uint8_t, 256> kClasses = [] {
  std::array<uint8_t, 256> classes{};
  for (char c : {' ', '\t', '\n', '\r', '\f', '\v'}) classes[c] = kSpace;
  for (int c = '0'; c <= '9'; ++c) classes[c] = kDigit | kName | kHex;
  for (int c = 'a'; c <= 'z'; ++c) {
    const uint8_t hex = c <= 'f' ? kHex : 0;
    classes[c] = kNameStart | kName | hex;
    classes[c - 'a' + 'A'] = kNameStart | kName | hex;
  }
  classes['_'] = kNameStart | kName;
  classes['.'] = classes['-'] = kName;
  return classes;
}();

constexpr bool Is(char c, uint8_t classes) {
  return (kClasses[static_cast<uint8_t>(c)] & classes) != 0;
}

// Returns the byte at `i`, or '\0' past the end.
char At(absl::string_view text, size_t i) {
  return i < text.size() ? text[i] : '\0';
}

size_t SkipClass(absl::string_view text, size_t i, uint8_t classes) {
  while (i < text.size() && Is(text[i], classes)) ++i;
  return i;
}

// Returns the end of the comment that starts at `i`, or `i` if there is none or
// it is never closed; the parser then rejects its '/'.
size_t SkipComment(absl::string_view text, size_t i) {
  if (At(text, i) != '/') return i;
  if (At(text, i + 1) == '/') {
    const size_t end = text.find_first_of("\n\r", i);
    return end == absl::string_view::npos ? text.size() : end + 1;
  }
  if (At(text, i + 1) != '*') return i;
  const size_t end = text.find("*/", i + 2);
  return end == absl::string_view::npos ? i : end + 2;
}

bool ContinuesName(absl::string_view text, size_t i) {
  if (i >= text.size() || !Is(text[i], kName)) return false;
  return text[i] != '-' || At(text, i + 1) != '>';
}

// Returns the end of the name that starts at `i`; `i` if there is none.
size_t SkipName(absl::string_view text, size_t i) {
  if (i >= text.size() || !Is(text[i], kNameStart)) return i;
  do {
    ++i;
  } while (ContinuesName(text, i));
  return i;
}

// Returns the position after the quote that closes the string opened at `i`;
// npos if there is none.
size_t SkipString(absl::string_view text, size_t i) {
  const char quote = text[i];
  for (++i; i < text.size(); ++i) {
    if (text[i] == quote) return i + 1;
    if (text[i] == '\\') ++i;
  }
  return absl::string_view::npos;
}

// Returns the end of `digits` [. digits] at `i`; `i` if there are none.
size_t SkipMantissa(absl::string_view text, size_t i, uint8_t digits) {
  const size_t whole = SkipClass(text, i, digits);
  if (At(text, whole) != '.') return whole;
  const size_t end = SkipClass(text, whole + 1, digits);
  return whole == i && end == whole + 1 ? i : end;
}

// Skips an exponent introduced by `marker` (lower case), if there is one.
size_t SkipExponent(absl::string_view text, size_t i, char marker) {
  const char c = At(text, i);
  if (c != marker && c != marker - 'a' + 'A') return i;
  const char sign = At(text, i + 1);
  const size_t start = i + (sign == '+' || sign == '-' ? 2 : 1);
  const size_t end = SkipClass(text, start, kDigit);
  return end == start ? i : end;
}

// Returns the end of the unsigned number at `i`; `i` if there is none.
size_t SkipNumber(absl::string_view text, size_t i) {
  const absl::string_view word = text.substr(i, SkipName(text, i) - i);
  if (word == "inf") return i + 3;
  if (word == "nan") {
    if (At(text, i + 3) != '(') return i + 3;
    const size_t end = SkipClass(text, i + 4, kDigit | kNameStart);
    return At(text, end) == ')' ? end + 1 : i + 3;
  }
  if (At(text, i) == '0' && (At(text, i + 1) | 0x20) == 'x') {
    const size_t end = SkipMantissa(text, i + 2, kHex);
    if (end > i + 2) return SkipExponent(text, end, 'p');
  }
  const size_t end = SkipMantissa(text, i, kDigit);
  return end == i ? i : SkipExponent(text, end, 'e');
}

// Returns the token at `i` as an error shows it, at most kShown bytes long.
std::string Found(absl::string_view text, size_t i) {
  if (i >= text.size()) return "the end of the text";
  size_t end = SkipName(text, i);
  if (end == i) end = i + 1;
  // The most bytes of a token, which keeps error messages short.
  constexpr size_t kShown = 40;
  return absl::StrCat(
      "\"", absl::CHexEscape(text.substr(i, std::min(end - i, kShown))), "\"");
}

}  // namespace

void TextScanner::SkipSpace() {
  while (position_ < text_.size()) {
    const char c = text_[position_];
    if (Is(c, kSpace)) {
      ++position_;
    } else if (c == '/') {
      const size_t end = SkipComment(text_, position_);
      if (end == position_) return;
      position_ = end;
    } else {
      return;
    }
  }
}

bool TextScanner::AtEnd() { return position() == text_.size(); }

size_t TextScanner::position() {
  SkipSpace();
  return position_;
}

char TextScanner::Peek() { return At(text_, position()); }

bool TextScanner::NextIs(absl::string_view token) {
  return text_.substr(position(), token.size()) == token;
}

bool TextScanner::TryConsume(absl::string_view token) {
  if (!NextIs(token)) return false;
  position_ += token.size();
  return true;
}

bool TextScanner::TryConsumeWord(absl::string_view word) {
  if (!NextIs(word) || ContinuesName(text_, position_ + word.size())) {
    return false;
  }
  position_ += word.size();
  return true;
}

absl::Status TextScanner::Consume(absl::string_view token) {
  if (TryConsume(token)) return absl::OkStatus();
  return Error(
      absl::StrCat("expected \"", token, "\", got ", Found(text_, position_)));
}

absl::string_view TextScanner::PeekName() {
  size_t start = position();
  if (At(text_, start) == '%') ++start;
  return text_.substr(start, SkipName(text_, start) - start);
}

absl::StatusOr<absl::string_view> TextScanner::Name() {
  const absl::string_view name = PeekName();
  if (name.empty()) {
    return Error(
        absl::StrCat("expected a name, got ", Found(text_, position_)));
  }
  position_ = name.data() + name.size() - text_.data();
  return name;
}

absl::StatusOr<int64_t> TextScanner::Int64() {
  const size_t start = position();
  const size_t digits = start + (At(text_, start) == '-' ? 1 : 0);
  const size_t end = SkipClass(text_, digits, kDigit);
  if (end == digits) {
    return Error(
        absl::StrCat("expected an integer, got ", Found(text_, position_)));
  }
  int64_t value = 0;
  if (!absl::SimpleAtoi(text_.substr(start, end - start), &value)) {
    return Error("the integer does not fit in 64 bits");
  }
  position_ = end;
  return value;
}

absl::StatusOr<bool> TextScanner::Bool() {
  if (TryConsumeWord("true") || TryConsumeWord("1")) return true;
  if (TryConsumeWord("false") || TryConsumeWord("0")) return false;
  return Error(
      absl::StrCat("expected true or false, got ", Found(text_, position_)));
}

absl::StatusOr<absl::string_view> TextScanner::NumberToken() {
  const size_t start = position();
  const char sign = At(text_, start);
  const size_t number = start + (sign == '-' || sign == '+' ? 1 : 0);
  const size_t end = SkipNumber(text_, number);
  if (end == number) {
    return Error(
        absl::StrCat("expected a number, got ", Found(text_, position_)));
  }
  position_ = end;
  return text_.substr(start, end - start);
}

absl::StatusOr<double> TextScanner::Double() {
  const size_t start = position();
  absl::StatusOr<absl::string_view> token = NumberToken();
  if (!token.ok()) return token.status();
  absl::string_view digits = *token;
  const bool negative = digits[0] == '-';
  if (negative || digits[0] == '+') digits.remove_prefix(1);

  double value = 0;
  if (digits[0] == 'i') {
    value = std::numeric_limits<double>::infinity();
  } else if (digits[0] == 'n') {
    value = std::numeric_limits<double>::quiet_NaN();
  } else {
    auto format = absl::chars_format::general;
    if (At(digits, 0) == '0' && (At(digits, 1) | 0x20) == 'x') {
      digits.remove_prefix(2);
      format = absl::chars_format::hex;
    }
    const char* end = digits.data() + digits.size();
    const auto result = absl::from_chars(digits.data(), end, value, format);
    if (result.ptr != end || result.ec == std::errc::invalid_argument) {
      return ErrorAt(start, "expected a number");
    }
    // Out of range: `value` is the largest or the smallest number.
    if (result.ec == std::errc::result_out_of_range) {
      value = value > 1 ? std::numeric_limits<double>::infinity() : value;
    }
  }
  return negative ? -value : value;
}

absl::StatusOr<std::string> TextScanner::QuotedString() {
  const size_t start = position();
  if (At(text_, start) != '"' && At(text_, start) != '\'') {
    return Error(absl::StrCat("expected a string in double quotes, got ",
                              Found(text_, position_)));
  }
  const size_t end = SkipString(text_, start);
  if (end == absl::string_view::npos) {
    return Error("the string that starts here is never closed");
  }
  const absl::string_view inside = text_.substr(start + 1, end - start - 2);
  std::string value;
  std::string why;
  if (!absl::StrContains(inside, '\\')) {
    value = std::string(inside);
  } else if (!absl::CUnescape(inside, &value, &why)) {
    return Error(absl::StrCat("bad escape in the string: ", why));
  }
  position_ = end;
  return value;
}

absl::StatusOr<absl::string_view> TextScanner::Balanced(char open, char close) {
  const size_t start = position();
  if (At(text_, start) != open || start == text_.size()) {
    return Error(absl::StrCat("expected \"", absl::string_view(&open, 1),
                              "\", got ", Found(text_, position_)));
  }
  size_t depth = 0;
  for (size_t i = start; i < text_.size();) {
    const char c = text_[i];
    if (c == '"') {
      i = SkipString(text_, i);
      continue;
    }
    if (c == '/') {
      const size_t end = SkipComment(text_, i);
      i = end == i ? i + 1 : end;
      continue;
    }
    ++i;
    if (c == close && --depth == 0) {
      position_ = i;
      return text_.substr(start, i - start);
    }
    if (c == open) ++depth;
  }
  return Error(absl::StrCat("no \"", absl::string_view(&close, 1),
                            "\" closes this \"", absl::string_view(&open, 1),
                            "\""));
}

absl::Status TextScanner::Error(absl::string_view message) {
  return ErrorAt(position(), message);
}

absl::Status TextScanner::ErrorAt(size_t position,
                                  absl::string_view message) const {
  position = std::min(position, text_.size());
  const absl::string_view before = text_.substr(0, position);
  const size_t line_start = before.rfind('\n') + 1;  // npos + 1 is 0.
  const size_t column = position - line_start;
  const int64_t line_number =
      1 + std::count(before.begin(), before.end(), '\n');

  // A line may hold a whole literal: show at most kShown bytes of it, kBefore
  // of them before the position, about what fits on a terminal line.
  constexpr size_t kBefore = 80;
  constexpr size_t kShown = 120;
  const size_t from = column > kBefore ? column - kBefore : 0;
  absl::string_view line = text_.substr(line_start + from, kShown);
  line = line.substr(0, line.find('\n'));
  std::string shown(line);
  for (char& c : shown) {
    if (static_cast<unsigned char>(c) < ' ' || c == '\x7f') c = ' ';
  }
  return absl::InvalidArgumentError(
      absl::StrCat(line_number, ":", column + 1, ": ", message, "\n", shown,
                   "\n", std::string(column - from, ' '), "^"));
}

}  // namespace xla
