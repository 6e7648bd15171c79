// Reads locations:
//   loc("f.py":3:4)  loc("f.py":3:4 to 5:6)  loc("f.py":3:4 to :6)
//   loc("add")  loc("add"(#loc1))  loc(callsite(#loc1 at "f.py":3:4))
//   loc(fused<metadata>[#loc1, "x"])  loc(unknown)  loc(#loc2)
// An alias inside of brackets is defined before it; that of a whole location
// may be defined behind it, where MLIR's printer puts most of them.
#include <limits>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "xla/base/status_macros.h"
#include "xla/stablehlo/text/attribute_reader.h"

namespace xla::stablehlo {
namespace {

using LocationKind = LocationAttr::Kind;

}  // namespace

LocationOr AttributeReader::ReadLocation() {
  TF_RETURN_IF_ERROR(lexer_.ExpectWord("loc"));
  TF_RETURN_IF_ERROR(lexer_.Expect('('));
  TF_ASSIGN_OR_RETURN(const LocationAttr* location, ReadLocationBody());
  TF_RETURN_IF_ERROR(lexer_.Expect(')'));
  return location;
}

absl::Status AttributeReader::ReadTrailingLocation(TrailingLocation* out) {
  if (!lexer_.IsWord("loc")) return absl::OkStatus();
  lexer_.Advance();
  TF_RETURN_IF_ERROR(lexer_.Expect('('));
  const Token token = lexer_.token();
  if (token.kind == TokenKind::kHash) {
    lexer_.Advance();
    if (lexer_.TryConsume(')')) {
      out->alias = token.text;
      out->offset = token.offset;
      return absl::OkStatus();
    }
    lexer_.MoveTo(token.offset);
  }
  TF_ASSIGN_OR_RETURN(out->location, ReadLocationBody());
  return lexer_.Expect(')');
}

LocationOr AttributeReader::ResolveLocation(
    const TrailingLocation& trailing) const {
  const LocationAttr* location = trailing.location;
  if (!trailing.alias.empty()) {
    const auto it = location_aliases_.find(trailing.alias);
    if (it == location_aliases_.end()) {
      // Whoever does not name the dialect of a location means an alias.
      if (trailing.alias.find('.') != absl::string_view::npos) return nullptr;
      return lexer_.ErrorAt(
          trailing.offset,
          absl::StrCat("location alias ", trailing.alias,
                       attribute_aliases_.contains(trailing.alias)
                           ? " is no location"
                           : " is not defined"));
    }
    location = it->second;
  }
  return location == nullptr || location->kind == LocationKind::kUnknown
             ? nullptr
             : location;
}

LocationOr AttributeReader::ReadLocationBody() {
  const Nesting nesting(*this);
  TF_RETURN_IF_ERROR(CheckDepth());
  if (lexer_.Is(TokenKind::kString)) return ReadNameOrLine();
  if (lexer_.Is(TokenKind::kHash)) return ReadLocationHash();
  LocationAttr location;
  std::vector<const LocationAttr*> parts;
  if (lexer_.TryConsumeWord("unknown")) return arena_.New(location);
  if (lexer_.TryConsumeWord("callsite")) {
    location.kind = LocationKind::kCallSite;
    TF_RETURN_IF_ERROR(lexer_.Expect('('));
    TF_ASSIGN_OR_RETURN(parts.emplace_back(), ReadLocationBody());
    TF_RETURN_IF_ERROR(lexer_.ExpectWord("at"));
    TF_ASSIGN_OR_RETURN(parts.emplace_back(), ReadLocationBody());
    TF_RETURN_IF_ERROR(lexer_.Expect(')'));
  } else if (lexer_.TryConsumeWord("fused")) {
    location.kind = LocationKind::kFused;
    if (lexer_.TryConsume('<')) {
      TF_RETURN_IF_ERROR(ReadAttribute().status());
      TF_RETURN_IF_ERROR(lexer_.Expect('>'));
    }
    TF_RETURN_IF_ERROR(lexer_.Expect('['));
    do {
      TF_ASSIGN_OR_RETURN(parts.emplace_back(), ReadLocationBody());
    } while (lexer_.TryConsume(','));
    TF_RETURN_IF_ERROR(lexer_.Expect(']'));
  } else {
    return lexer_.Expected(
        "a location: a string, an alias, callsite, fused or unknown");
  }
  location.parts = arena_.Copy(parts);
  location.Complete();
  return arena_.New(location);
}

// Reads `"name"`, `"name"(location)`, `"file":line`, `"file":line:column` and
// ranges.
LocationOr AttributeReader::ReadNameOrLine() {
  LocationAttr location;
  TF_ASSIGN_OR_RETURN(location.text, ReadString());
  location.kind = LocationKind::kName;
  if (lexer_.TryConsume('(')) {
    const LocationAttr* child = nullptr;
    TF_ASSIGN_OR_RETURN(child, ReadLocationBody());
    TF_RETURN_IF_ERROR(lexer_.Expect(')'));
    location.parts = arena_.Copy(absl::MakeConstSpan(&child, 1));
  } else if (lexer_.TryConsume(':')) {
    location.kind = LocationKind::kFileLineCol;
    TF_ASSIGN_OR_RETURN(location.line, ReadLineNumber());
    if (lexer_.TryConsume(':')) {
      TF_ASSIGN_OR_RETURN(location.column, ReadLineNumber());
    }
    location.end_line = location.line;
    location.end_column = location.column;
    if (lexer_.TryConsumeWord("to")) {
      if (!lexer_.Is(':')) {
        TF_ASSIGN_OR_RETURN(location.end_line, ReadLineNumber());
      }
      TF_RETURN_IF_ERROR(lexer_.Expect(':'));
      TF_ASSIGN_OR_RETURN(location.end_column, ReadLineNumber());
    }
  }
  location.Complete();
  return arena_.New(location);
}

absl::StatusOr<int32_t> AttributeReader::ReadLineNumber() {
  const size_t start = lexer_.token().offset;
  TF_ASSIGN_OR_RETURN(const int64_t number, lexer_.TakeInteger());
  if (number < 0 || number > std::numeric_limits<int32_t>::max()) {
    return lexer_.ErrorAt(start, "a line or column is less than 2^31");
  }
  return static_cast<int32_t>(number);
}

// Reads an alias, or a location of another dialect, which is unknown.
LocationOr AttributeReader::ReadLocationHash() {
  const Token token = lexer_.token();
  const auto it = location_aliases_.find(token.text);
  if (it != location_aliases_.end()) {
    lexer_.Advance();
    return it->second;
  }
  TF_ASSIGN_OR_RETURN(const Attribute* other, ReadHashAttribute());
  if (other->kind == Attribute::Kind::kUnknown) {
    return arena_.New(LocationAttr());
  }
  return lexer_.ErrorAt(token.offset,
                        absl::StrCat(token.text, " is no location"));
}

}  // namespace xla::stablehlo
