// Reads the characters of a text format one construct at a time: names,
// numbers, strings, punctuation. Knows no grammar; shapes, literals,
// attributes and HLO are read with it.
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
// (`/* */` and `//` to the end of the line) separate tokens and are skipped
// before each one. Errors are InvalidArgument and show line, column, the
// line itself and a caret below it. Not thread safe.
class TextScanner {
 public:
  explicit TextScanner(absl::string_view text) : text_(text) {}

  // True when only white space and comments are left.
  bool AtEnd();

  // The next character after white space, '\0' at the end; not consumed.
  char Peek();
  // True when `token` comes next; not consumed.
  bool NextIs(absl::string_view token);
  // Consumes `token` if it comes next. Does not look at what follows it:
  // TryConsume("add") also takes the start of "added".
  bool TryConsume(absl::string_view token);
  // As TryConsume, for a whole word: a name character must not follow.
  bool TryConsumeWord(absl::string_view word);
  absl::Status Consume(absl::string_view token);

  // A run of letters, digits, '_', '.', '-' that starts with a letter or '_'.
  // An optional leading '%' is dropped. '-' followed by '>' ends the name.
  absl::StatusOr<absl::string_view> Name();
  // As Name, but leaves the cursor alone and returns "" if there is none.
  absl::string_view PeekName();

  absl::StatusOr<int64_t> Int64();
  absl::StatusOr<bool> Bool();      // true, false, 1, 0
  absl::StatusOr<double> Double();  // also inf, nan, -inf, hex floats
  // The characters of a number, sign included, or of inf and nan with its
  // payload such as -nan(0x7f). For literals, which decide what it means.
  absl::StatusOr<absl::string_view> NumberToken();
  // "..." or '...' with C escapes undone.
  absl::StatusOr<std::string> QuotedString();

  // The text from the cursor, which is at `open`, through the `close` that
  // balances it; strings inside are respected. Iterative.
  absl::StatusOr<absl::string_view> Balanced(char open, char close);

  // Where the cursor is, after white space; and going back there.
  size_t position();
  void set_position(size_t position) { position_ = position; }
  absl::string_view text() const { return text_; }

  // "line:column: message", the line and a caret, for the cursor or for a
  // byte offset into the text.
  absl::Status Error(absl::string_view message);
  absl::Status ErrorAt(size_t position, absl::string_view message) const;

 private:
  void SkipSpace();

  absl::string_view text_;
  size_t position_ = 0;
};

}  // namespace xla

#endif  // XLA_BASE_TEXT_SCANNER_H_
