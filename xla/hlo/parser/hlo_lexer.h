// HloLexer: the tokens of HLO text, for programs that read parts of it. The
// parser itself reads text without tokens (syntax_reader.h).
#ifndef XLA_HLO_PARSER_HLO_LEXER_H_
#define XLA_HLO_PARSER_HLO_LEXER_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include "absl/strings/string_view.h"
#include "xla/base/logging.h"
#include "xla/proto/xla_data.pb.h"

namespace xla {

enum class TokKind {
  kEof,
  kError,

  kEqual,         // =
  kComma,         // ,
  kColon,         // :
  kAsterisk,      // *
  kQuestionMark,  // ?
  kOctothorp,     // #
  kPlus,          // +
  kTilde,         // ~
  kLsquare,       // [
  kRsquare,       // ]
  kLbrace,        // {
  kRbrace,        // }
  kLparen,        // (
  kRparen,        // )
  kDots,          // ...
  kArrow,         // ->
  kLeq,           // <=

  // Words that are no names.
  kw_HloModule,
  kw_ENTRY,
  kw_ROOT,
  kw_FileLocations,
  kw_FileNames,
  kw_FunctionNames,
  kw_StackFrames,
  kw_true,
  kw_false,
  kw_maximal,
  kw_replicated,
  kw_manual,
  kw_last_tile_dim_replicate,
  kw_shard_as,
  kw_shard_like,
  kw_unknown,
  kw_inf,
  kw_unreduced,

  kNegInf,  // -inf

  // Tokens with a value.
  kPrimitiveType,  // f32
  kName,           // %add.1 or add.1:
  kAttributeName,  // dimensions=
  kDimLabels,      // b01f_01io->b01f
  kDxD,            // 3x4
  kPad,            // 0_1x2_3_4
  kIdent,          // any other word
  kString,         // "text", 'text', {json: "in braces"}
  kInt,            // -42
  kDecimal,        // 4.2, 1e9, nan, -nan(0x1)
};

// "kEqual" and so on.
std::string TokKindToString(TokKind kind);

// For Lex: kinds of tokens that begin with a digit and are not to be tried.
inline constexpr uint64_t kNoneMask = 0;
inline constexpr uint64_t kDimLabelsDxDPadDecimalMask =
    (1ULL << static_cast<int>(TokKind::kDimLabels)) |
    (1ULL << static_cast<int>(TokKind::kDxD)) |
    (1ULL << static_cast<int>(TokKind::kPad)) |
    (1ULL << static_cast<int>(TokKind::kDecimal));

// Skips white space and comments, /* */ and //. The text must outlive the
// lexer. Not thread safe.
class HloLexer {
 public:
  using LocTy = const char*;

  explicit HloLexer(absl::string_view buf) : text_(buf) {}

  // Goes to the next token. kError for text that is none.
  TokKind Lex(uint64_t skip_mask = kNoneMask) {
    return token_.kind = LexToken(skip_mask);
  }
  // Returns the kind of the token after this one, and stays.
  TokKind LookAhead();
  // Makes the token, a brace that was opened, a string up to the brace that
  // closes it; braces in strings do not count.
  TokKind LexJsonDict();

  // The token, and its value, which must be of that kind (CHECK).
  TokKind GetKind() const { return token_.kind; }
  std::string GetStrVal() const;
  int64_t GetInt64Val() const {
    CHECK(GetKind() == TokKind::kInt) << TokKindToString(GetKind());
    return token_.int64_value;
  }
  double GetDecimalVal() const {
    CHECK(GetKind() == TokKind::kDecimal) << TokKindToString(GetKind());
    return token_.decimal_value;
  }
  PrimitiveType GetPrimitiveTypeVal() const {
    CHECK(GetKind() == TokKind::kPrimitiveType) << TokKindToString(GetKind());
    return token_.primitive_type;
  }

  // Where the token begins.
  LocTy GetLoc() const { return text_.data() + token_.begin; }
  // Returns the line, from 1, and the column, from 0 in the first line and from
  // 1 in others. The location is in the text (CHECK).
  std::pair<unsigned, unsigned> GetLineAndColumn(LocTy location) const;
  // Returns the line without its end; "LINE OUT OF RANGE" outside of the text.
  absl::string_view GetLine(LocTy loc) const;

 private:
  struct Token {
    TokKind kind = TokKind::kError;
    size_t begin = 0;
    std::string text;
    int64_t int64_value = 0;
    double decimal_value = 0;
    PrimitiveType primitive_type = PRIMITIVE_TYPE_INVALID;
  };

  // The character at an offset from the position; 0 at the end.
  char Peek(size_t offset = 0) const {
    return position_ + offset < text_.size() ? text_[position_ + offset] : '\0';
  }
  // Return false for a comment that does not end, or a character 0.
  bool SkipSpace();
  bool SkipBlockComment();

  TokKind LexToken(uint64_t skip_mask);
  TokKind LexPunctuation();
  TokKind LexWord();
  TokKind LexNumberOrPattern(uint64_t skip_mask);
  TokKind LexInteger();
  TokKind LexNan(bool negative, size_t length);
  TokKind LexName();
  TokKind LexString();
  // Makes `length` characters from the token's beginning its text.
  TokKind Take(TokKind kind, size_t length);

  absl::string_view text_;
  size_t position_ = 0;
  Token token_;
};

// Whether the text is one dictionary in braces, with nothing behind it, of
// which the parser finds the end: backend_config={...}.
bool LexesAsJsonDict(absl::string_view str);

}  // namespace xla

#endif  // XLA_HLO_PARSER_HLO_LEXER_H_
