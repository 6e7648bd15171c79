// func.func private @name(%a: T {attributes}) -> (U {attributes})
//     attributes {...} { ops }
#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "xla/base/status_macros.h"
#include "xla/stablehlo/text/op_reader.h"

namespace xla::stablehlo {
namespace {

using Kind = Attribute::Kind;

bool AnyFields(absl::Span<const Attribute* const> dictionaries) {
  return std::any_of(dictionaries.begin(), dictionaries.end(),
                     [](const Attribute* d) { return !d->fields.empty(); });
}

}  // namespace

absl::Status OpReader::ReadFunctionForm(Draft* draft) {
  for (absl::string_view visibility : {"private", "public", "nested"}) {
    if (!lexer_.TryConsumeWord(visibility)) continue;
    draft->attributes.push_back(
        {"sym_visibility", attributes_.Text(Kind::kString, visibility)});
    break;
  }
  TF_ASSIGN_OR_RETURN(const absl::string_view name, attributes_.ReadSymbol());
  draft->attributes.push_back(
      {"sym_name", attributes_.Text(Kind::kString, name)});

  std::vector<Argument> arguments;
  std::vector<const Attribute*> argument_attributes, result_attributes;
  std::vector<const Type*> results;
  bool named = true;
  TF_RETURN_IF_ERROR(ReadParameters(&arguments, &named, &argument_attributes));
  if (lexer_.TryConsumeArrow()) {
    TF_RETURN_IF_ERROR(ReadFunctionResults(&results, &result_attributes));
  }
  if (lexer_.TryConsumeWord("attributes")) {
    TF_RETURN_IF_ERROR(attributes_.ReadDictionary(&draft->attributes));
  }
  std::vector<const Type*> parameters;
  for (const Argument& argument : arguments) {
    parameters.push_back(argument.type);
  }
  Type type{Type::Kind::kFunction};
  type.elements = module_.arena.Copy(parameters);
  type.results = module_.arena.Copy(results);
  draft->attributes.push_back(
      {"function_type", attributes_.TypeAttribute(module_.arena.New(type))});
  if (AnyFields(argument_attributes)) {
    draft->attributes.push_back(
        {"arg_attrs", attributes_.Array(argument_attributes)});
  }
  if (AnyFields(result_attributes)) {
    draft->attributes.push_back(
        {"res_attrs", attributes_.Array(result_attributes)});
  }
  Region* body = &draft->regions.emplace_back();
  if (!lexer_.Is('{')) return absl::OkStatus();  // only a declaration
  if (!named) {
    return lexer_.Error("the arguments of a function with a body need names");
  }
  return ReadRegion(&arguments, /*isolated=*/true, body);
}

// Reads "(%a: T {attributes} loc(...), ...)", or only types in declarations.
absl::Status OpReader::ReadParameters(
    std::vector<Argument>* arguments, bool* named,
    std::vector<const Attribute*>* attributes) {
  TF_RETURN_IF_ERROR(lexer_.Expect('('));
  if (lexer_.TryConsume(')')) return absl::OkStatus();
  *named = lexer_.Is(TokenKind::kPercent);
  do {
    Argument argument;
    argument.offset = lexer_.token().offset;
    if (*named) {
      TF_ASSIGN_OR_RETURN(argument.name,
                          lexer_.Take(TokenKind::kPercent, "an argument"));
      TF_RETURN_IF_ERROR(lexer_.Expect(':'));
    }
    TF_ASSIGN_OR_RETURN(argument.type, attributes_.ReadType());
    std::vector<NamedAttribute> fields;
    if (lexer_.Is('{')) {
      TF_RETURN_IF_ERROR(attributes_.ReadDictionary(&fields));
    }
    TF_RETURN_IF_ERROR(attributes_.ReadTrailingLocation(&argument.location));
    arguments->push_back(argument);
    attributes->push_back(attributes_.Dictionary(fields));
  } while (lexer_.TryConsume(','));
  return lexer_.Expect(')');
}

// Reads "T" or "(T {attributes}, U)".
absl::Status OpReader::ReadFunctionResults(
    std::vector<const Type*>* types,
    std::vector<const Attribute*>* attributes) {
  if (!lexer_.TryConsume('(')) {
    TF_ASSIGN_OR_RETURN(types->emplace_back(), attributes_.ReadType());
    return absl::OkStatus();
  }
  if (lexer_.TryConsume(')')) return absl::OkStatus();
  do {
    TF_ASSIGN_OR_RETURN(types->emplace_back(), attributes_.ReadType());
    std::vector<NamedAttribute> fields;
    if (lexer_.Is('{')) {
      TF_RETURN_IF_ERROR(attributes_.ReadDictionary(&fields));
    }
    attributes->push_back(attributes_.Dictionary(fields));
  } while (lexer_.TryConsume(','));
  return lexer_.Expect(')');
}

}  // namespace xla::stablehlo
