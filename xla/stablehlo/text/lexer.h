// Tokens of MLIR text, and places of errors in it. The lexer knows no grammar.
#ifndef XLA_STABLEHLO_TEXT_LEXER_H_
#define XLA_STABLEHLO_TEXT_LEXER_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "xla/stablehlo/ir/ir.h"

namespace xla::stablehlo {

enum class TokenKind {
  kEnd,
  kError,    // an invalid character or an unterminated string
  kWord,     // stablehlo.add, tensor, true
  kPercent,  // %arg0
  kCaret,    // ^bb0
  kAt,       // @main, @"a b"
  kHash,     // #map, #stablehlo.dot, #1
  kBang,     // !t, !stablehlo.token
  kInteger,  // 12, 0x7F
  kFloat,    // 1.5e+00
  kString,   // "..." with the quotes
  kArrow,    // ->
  kPunct,    // any other single character of the language
};

struct Token {
  TokenKind kind = TokenKind::kEnd;
  absl::string_view text;  // as written
  size_t offset = 0;
};

// A cursor over `source`, which must outlive it. White space and // comments
// separate tokens.
class Lexer {
 public:
  explicit Lexer(absl::string_view source);

  const Token& token() const { return token_; }
  absl::string_view source() const { return source_; }
  // Returns the end of the current token.
  size_t end() const { return token_.offset + token_.text.size(); }
  void Advance() { MoveTo(end()); }
  // Makes the token at or behind `offset` the current one.
  void MoveTo(size_t offset);

  bool Is(TokenKind kind) const { return token_.kind == kind; }
  bool Is(char punct) const {
    return token_.kind == TokenKind::kPunct && token_.text[0] == punct;
  }
  bool IsWord(absl::string_view word) const {
    return token_.kind == TokenKind::kWord && token_.text == word;
  }
  bool TryConsume(char punct);
  bool TryConsumeWord(absl::string_view word);
  bool TryConsumeArrow();

  // Errors: InvalidArgument "line 3, column 5: expected ':', got 'x'".
  absl::Status Expect(char punct);
  absl::Status ExpectWord(absl::string_view word);
  absl::Status ExpectArrow();
  // Consumes and returns a token of that kind; `what` names it in the error.
  absl::StatusOr<absl::string_view> Take(TokenKind kind,
                                         absl::string_view what);
  // Consumes a decimal integer with an optional minus.
  absl::StatusOr<int64_t> TakeInteger();

  // Consumes and returns the text from the current token, an opening bracket,
  // through the matching one. Iterative; brackets must nest.
  absl::StatusOr<absl::string_view> Balanced();

  absl::Status Error(absl::string_view message) const;
  absl::Status Expected(absl::string_view what) const;
  absl::Status ErrorAt(size_t offset, absl::string_view message) const;
  Location LocationAt(size_t offset) const;

 private:
  size_t SkipSpace(size_t offset) const;
  size_t EndOfToken(size_t offset, TokenKind* kind) const;
  size_t EndOfNumber(size_t offset, TokenKind* kind) const;
  size_t EndOfName(size_t offset, TokenKind* kind) const;
  // Returns the position behind the closing quote; npos if there is none.
  size_t EndOfString(size_t offset) const;

  absl::string_view source_;
  Token token_;
  // Filled by the first call of LocationAt.
  mutable std::vector<size_t> line_starts_;
};

}  // namespace xla::stablehlo

#endif  // XLA_STABLEHLO_TEXT_LEXER_H_
