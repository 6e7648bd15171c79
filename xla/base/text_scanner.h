// Reads a text format one construct at a time: names, numbers, strings,
// punctuation. Knows no grammar; the readers of shapes, literals, attributes
// and HLO are built on it.
#ifndef XLA_BASE_TEXT_SCANNER_H_
#define XLA_BASE_TEXT_SCANNER_H_

#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace xla {

// A cursor over `text`, which must outlive it. White space and comments
// (`/* */` and `//` to a "\n" or "\r") separate tokens and are skipped
// before each one. Errors are InvalidArgument and show line, column, the
// line itself and a caret below it. Not thread safe.
class TextScanner {
 public:
  explicit TextScanner(absl::string_view text) : text_(text) {}

  // True when only white space and comments are left.
  bool AtEnd();

  // Returns the next character after white space, '\0' at the end, without
  // consuming it.
  char Peek();
  // Returns true when `token` comes next, without consuming it.
  bool NextIs(absl::string_view token);
  // Consumes `token` if it comes next. Does not look at what follows it:
  // TryConsume("add") also takes the start of "added".
  bool TryConsume(absl::string_view token);
  // Like TryConsume, for a whole word: no name character may follow.
  bool TryConsumeWord(absl::string_view word);
  absl::Status Consume(absl::string_view token);

  // Reads a run of letters, digits, '_', '.', '-' that starts with a letter or
  // '_'. Drops an optional leading '%'. '-' followed by '>' ends the name.
  absl::StatusOr<absl::string_view> Name();
  // Like Name, but leaves the cursor alone and returns "" if there is no name.
  absl::string_view PeekName();

  absl::StatusOr<int64_t> Int64();
  absl::StatusOr<bool> Bool();      // true, false, 1, 0
  absl::StatusOr<double> Double();  // also inf, nan, -inf, hex floats
  // Reads the characters of a number, sign included, or of inf or nan with a
  // payload such as -nan(0x7f). Literals decide what they mean.
  absl::StatusOr<absl::string_view> NumberToken();
  // Reads "..." or '...' and undoes C escapes.
  absl::StatusOr<std::string> QuotedString();

  // Returns the text from the cursor, which is at `open`, through the matching
  // `close`; delimiters inside strings do not count. Iterative.
  absl::StatusOr<absl::string_view> Balanced(char open, char close);

  // Returns the position of the cursor after white space, and moves it back.
  size_t position();
  void set_position(size_t position) { position_ = position; }
  absl::string_view text() const { return text_; }

  // Returns an error "line:column: message" with the line and a caret, for the
  // cursor or for a byte offset into the text.
  absl::Status Error(absl::string_view message);
  absl::Status ErrorAt(size_t position, absl::string_view message) const;

 private:
  void SkipSpace();

  absl::string_view text_;
  size_t position_ = 0;
};

}  // namespace xla

#endif  // XLA_BASE_TEXT_SCANNER_H_
