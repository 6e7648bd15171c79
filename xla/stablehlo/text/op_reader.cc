// Reads the whole text, and ops in generic form:
//   %0:2 = "dialect.op"(%a) <{properties}> ({regions}) {attributes} : types
#include "xla/stablehlo/text/op_reader.h"

#include <utility>

#include "absl/container/flat_hash_set.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "xla/base/status_macros.h"
#include "xla/stablehlo/ir/struct_attributes.h"

namespace xla::stablehlo {
namespace {

// The most results of an op: "%0:N" names N values in few bytes.
constexpr size_t kMaxResults = 1 << 20;

absl::string_view NormalName(absl::string_view name) {
  if (name == "return" || absl::EndsWith(name, ".return")) return "return";
  if (name == "call") return "func.call";
  if (name == "module") return "builtin.module";
  return name;
}

// Returns a name that two attributes share, if any.
absl::string_view Repeated(absl::Span<const NamedAttribute> attributes) {
  if (attributes.size() <= 12) {
    for (size_t i = 0; i < attributes.size(); ++i) {
      for (size_t j = 0; j < i; ++j) {
        if (attributes[i].name == attributes[j].name) {
          return attributes[i].name;
        }
      }
    }
    return "";
  }
  absl::flat_hash_set<absl::string_view> names;
  for (const NamedAttribute& attribute : attributes) {
    if (!names.insert(attribute.name).second) return attribute.name;
  }
  return "";
}

}  // namespace

absl::Status OpReader::ReadSource() {
  std::vector<Op*> ops;
  scope_.Enter(/*isolated=*/true);
  while (!lexer_.Is(TokenKind::kEnd)) {
    TF_RETURN_IF_ERROR(ReadTopLevel(&ops));
  }
  TF_RETURN_IF_ERROR(ResolveLocations());
  const bool is_module = ops.size() == 1 && ops[0]->name == "builtin.module";
  module_.root = is_module ? ops[0] : NewModule(ops);
  return absl::OkStatus();
}

absl::Status OpReader::ResolveLocations() {
  for (const PendingLocation& pending : pending_locations_) {
    TF_ASSIGN_OR_RETURN(*pending.location,
                        attributes_.ResolveLocation(pending.trailing));
  }
  return absl::OkStatus();
}

absl::Status OpReader::ReadTopLevel(std::vector<Op*>* ops) {
  if (lexer_.Is(TokenKind::kHash)) return attributes_.ReadAttributeAlias();
  if (lexer_.Is(TokenKind::kBang)) return attributes_.ReadTypeAlias();
  if (lexer_.Is('{')) return SkipFileMetadata();
  TF_ASSIGN_OR_RETURN(const Op* op, ReadOp());
  ops->push_back(const_cast<Op*>(op));
  return absl::OkStatus();
}

// Skips "{-# ... #-}", the data of resources, which no attribute may use.
absl::Status OpReader::SkipFileMetadata() {
  const size_t start = lexer_.token().offset;
  const absl::string_view source = lexer_.source();
  if (source.substr(start, 3) != "{-#") return lexer_.Expected("an op");
  const size_t end = source.find("#-}", start);
  if (end == absl::string_view::npos) {
    return lexer_.Error("'{-#' is never closed");
  }
  lexer_.MoveTo(end + 3);
  return absl::OkStatus();
}

const Op* OpReader::NewModule(absl::Span<Op* const> ops) {
  Arena& arena = module_.arena;
  Block block;
  block.ops = arena.Copy(ops);
  Block* const blocks[] = {arena.New(block)};
  Region region;
  region.blocks = arena.Copy(absl::MakeConstSpan(blocks));
  Op op;
  op.name = "builtin.module";
  op.location = lexer_.LocationAt(0);
  op.regions = arena.Copy(absl::MakeConstSpan(&region, 1));
  return arena.New(op);
}

absl::StatusOr<const Op*> OpReader::ReadOp() {
  Draft draft;
  std::vector<ResultName> names;
  if (lexer_.Is(TokenKind::kPercent)) {
    TF_RETURN_IF_ERROR(ReadResultNames(&names));
    for (const ResultName& name : names) {
      draft.num_named_results += name.count;
    }
  }
  draft.offset = lexer_.token().offset;
  if (lexer_.Is(TokenKind::kString)) {
    TF_ASSIGN_OR_RETURN(draft.name, attributes_.ReadString());
    TF_RETURN_IF_ERROR(ReadGenericForm(&draft));
  } else {
    TF_ASSIGN_OR_RETURN(draft.name,
                        lexer_.Take(TokenKind::kWord, "an op's name"));
    draft.name = NormalName(draft.name);
    if (const Form form = SpecialForm(draft.name); form != nullptr) {
      TF_RETURN_IF_ERROR((this->*form)(&draft));
    } else {
      TF_RETURN_IF_ERROR(ReadPrettyForm(&draft));
    }
  }
  TF_RETURN_IF_ERROR(attributes_.ReadTrailingLocation(&draft.location));
  return Finish(std::move(draft), names);
}

absl::Status OpReader::ReadResultNames(std::vector<ResultName>* names) {
  do {
    const size_t offset = lexer_.token().offset;
    TF_ASSIGN_OR_RETURN(const absl::string_view name,
                        lexer_.Take(TokenKind::kPercent, "a %name"));
    int64_t count = 1;
    if (lexer_.TryConsume(':')) {
      TF_ASSIGN_OR_RETURN(count, lexer_.TakeInteger());
      if (count < 1 || count > static_cast<int64_t>(kMaxResults)) {
        return lexer_.ErrorAt(offset, "the number of results is out of range");
      }
    }
    names->push_back({name, static_cast<size_t>(count), offset});
  } while (lexer_.TryConsume(','));
  return lexer_.Expect('=');
}

absl::Status OpReader::ReadGenericForm(Draft* draft) {
  draft->name = NormalName(draft->name);
  TF_RETURN_IF_ERROR(lexer_.Expect('('));
  TF_RETURN_IF_ERROR(ReadOperandsUntil(')', &draft->operands));
  if (lexer_.Is('[')) {
    const Location location = lexer_.LocationAt(lexer_.token().offset);
    return absl::UnimplementedError(absl::StrCat(
        location.ToString(), ": successor blocks are not supported"));
  }
  if (lexer_.TryConsume('<')) {
    TF_RETURN_IF_ERROR(attributes_.ReadDictionary(&draft->attributes));
    TF_RETURN_IF_ERROR(lexer_.Expect('>'));
  }
  if (lexer_.TryConsume('(')) {
    const bool isolated =
        draft->name == "func.func" || draft->name == "builtin.module";
    do {
      TF_RETURN_IF_ERROR(
          ReadRegion(nullptr, isolated, &draft->regions.emplace_back()));
    } while (lexer_.TryConsume(','));
    TF_RETURN_IF_ERROR(lexer_.Expect(')'));
  }
  if (lexer_.Is('{')) {
    TF_RETURN_IF_ERROR(attributes_.ReadDictionary(&draft->attributes));
  }
  TF_RETURN_IF_ERROR(lexer_.Expect(':'));
  return ReadFunctionalType(draft);
}

absl::Status OpReader::CheckResultNames(
    const Draft& draft, absl::Span<const ResultName> names) const {
  if (names.empty() || draft.num_named_results == draft.result_types.size()) {
    return absl::OkStatus();
  }
  return lexer_.ErrorAt(
      names[0].offset,
      absl::StrCat(draft.name, " has ", draft.result_types.size(),
                   " results, but ", draft.num_named_results, " are named"));
}

absl::StatusOr<const Op*> OpReader::Finish(Draft draft,
                                           absl::Span<const ResultName> names) {
  TF_RETURN_IF_ERROR(CheckResultNames(draft, names));
  FlattenAttributes(draft.name, attributes_.arena(), &draft.attributes);
  if (const absl::string_view name = Repeated(draft.attributes);
      !name.empty()) {
    return lexer_.ErrorAt(
        draft.offset,
        absl::StrCat(draft.name, " has the attribute '", name, "' twice"));
  }
  Arena& arena = module_.arena;
  Op op;
  op.name = draft.name;
  op.location = lexer_.LocationAt(draft.offset);
  op.operands = arena.Copy(draft.operands);
  op.results = NewValues(draft.result_types);
  op.attributes = arena.Copy(draft.attributes);
  op.regions = arena.Copy(draft.regions);
  size_t next = 0;
  for (const ResultName& name : names) {
    if (!scope_.Define(name.name, op.results.subspan(next, name.count))) {
      return lexer_.ErrorAt(name.offset,
                            absl::StrCat(name.name, " is defined twice"));
    }
    next += name.count;
  }
  Op* made = arena.New(op);
  if (!draft.location.is_given()) return made;
  draft.implied_ops.push_back(made);
  for (Op* located : draft.implied_ops) {
    pending_locations_.push_back({&located->loc, draft.location});
  }
  return made;
}

}  // namespace xla::stablehlo
