// Reads regions, blocks, operands and types of ops.
#include <limits>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "xla/base/status_macros.h"
#include "xla/stablehlo/text/op_reader.h"

namespace xla::stablehlo {

absl::Span<Value> OpReader::NewValues(absl::Span<const Type* const> types) {
  absl::Span<Value> values = module_.arena.NewArray<Value>(types.size());
  for (size_t i = 0; i < types.size(); ++i) {
    values[i].type = types[i];
    values[i].id = module_.num_values++;
  }
  return values;
}

absl::Status OpReader::ReadRegion(const std::vector<Argument>* entry,
                                  bool isolated, Region* region) {
  const AttributeReader::Nesting nesting(attributes_);
  TF_RETURN_IF_ERROR(attributes_.CheckDepth());
  TF_RETURN_IF_ERROR(lexer_.Expect('{'));
  scope_.Enter(isolated);
  TF_RETURN_IF_ERROR(ReadBlocks(entry, region));
  scope_.Leave();
  return lexer_.Expect('}');
}

absl::Status OpReader::ReadBlocks(const std::vector<Argument>* entry,
                                  Region* region) {
  std::vector<Block*> blocks;
  // Labels begin the blocks after an initial one without a label.
  while (blocks.empty() ? entry != nullptr || !lexer_.Is('}')
                        : lexer_.Is(TokenKind::kCaret)) {
    TF_ASSIGN_OR_RETURN(blocks.emplace_back(),
                        ReadBlock(blocks.empty() ? entry : nullptr));
  }
  region->blocks = module_.arena.Copy(blocks);
  return absl::OkStatus();
}

absl::StatusOr<Block*> OpReader::ReadBlock(const std::vector<Argument>* entry) {
  Block* block = module_.arena.New(Block{});
  std::vector<Argument> arguments;
  if (entry != nullptr) {
    arguments = *entry;
  } else if (lexer_.Is(TokenKind::kCaret)) {
    lexer_.Advance();
    if (lexer_.Is('(')) TF_RETURN_IF_ERROR(ReadArguments(&arguments));
    TF_RETURN_IF_ERROR(lexer_.Expect(':'));
  }
  TF_RETURN_IF_ERROR(DefineArguments(arguments, block));
  std::vector<Op*> ops;
  while (!lexer_.Is('}') && !lexer_.Is(TokenKind::kCaret)) {
    if (lexer_.Is(TokenKind::kEnd)) return lexer_.Expected("an op or '}'");
    TF_ASSIGN_OR_RETURN(const Op* op, ReadOp());
    ops.push_back(const_cast<Op*>(op));
  }
  block->ops = module_.arena.Copy(ops);
  return block;
}

absl::Status OpReader::ReadArguments(std::vector<Argument>* arguments) {
  TF_RETURN_IF_ERROR(lexer_.Expect('('));
  if (lexer_.TryConsume(')')) return absl::OkStatus();
  do {
    Argument argument;
    argument.offset = lexer_.token().offset;
    TF_ASSIGN_OR_RETURN(argument.name,
                        lexer_.Take(TokenKind::kPercent, "an argument"));
    TF_RETURN_IF_ERROR(lexer_.Expect(':'));
    TF_ASSIGN_OR_RETURN(argument.type, attributes_.ReadType());
    TF_RETURN_IF_ERROR(attributes_.ReadTrailingLocation(&argument.location));
    arguments->push_back(argument);
  } while (lexer_.TryConsume(','));
  return lexer_.Expect(')');
}

absl::Status OpReader::DefineArguments(absl::Span<const Argument> arguments,
                                       Block* block) {
  std::vector<const Type*> types;
  for (const Argument& argument : arguments) types.push_back(argument.type);
  block->arguments = NewValues(types);
  absl::Span<const LocationAttr*> locations =
      module_.arena.NewArray<const LocationAttr*>(arguments.size());
  block->argument_locations = locations;
  for (size_t i = 0; i < arguments.size(); ++i) {
    const Argument& argument = arguments[i];
    if (argument.location.is_given()) {
      pending_locations_.push_back({&locations[i], argument.location});
    }
    if (argument.name.empty()) continue;
    if (!scope_.Define(argument.name, block->arguments.subspan(i, 1))) {
      return lexer_.ErrorAt(argument.offset,
                            absl::StrCat(argument.name, " is defined twice"));
    }
  }
  return absl::OkStatus();
}

absl::StatusOr<const Value*> OpReader::ReadOperand() {
  const Token token = lexer_.token();
  const size_t end = lexer_.end();
  TF_RETURN_IF_ERROR(lexer_.Take(TokenKind::kPercent, "an operand").status());
  size_t index = 0;
  if (lexer_.Is(TokenKind::kHash) && lexer_.token().offset == end) {
    if (!absl::SimpleAtoi(lexer_.token().text.substr(1), &index)) {
      return lexer_.Expected("the number of a result");
    }
    lexer_.Advance();
  }
  const absl::Span<const Value> values = scope_.Find(token.text);
  if (values.empty()) {
    return lexer_.ErrorAt(token.offset,
                          absl::StrCat(token.text, " is not defined here"));
  }
  if (index >= values.size()) {
    return lexer_.ErrorAt(token.offset,
                          absl::StrCat(token.text, " has ", values.size(),
                                       " results, none of number ", index));
  }
  return &values[index];
}

absl::Status OpReader::ReadOperandsUntil(char close,
                                         std::vector<const Value*>* operands) {
  if (lexer_.TryConsume(close)) return absl::OkStatus();
  do {
    TF_ASSIGN_OR_RETURN(operands->emplace_back(), ReadOperand());
  } while (lexer_.TryConsume(','));
  return lexer_.Expect(close);
}

absl::Status OpReader::ReadFunctionalType(Draft* draft) {
  const size_t offset = lexer_.token().offset;
  TF_ASSIGN_OR_RETURN(const std::vector<const Type*> types,
                      attributes_.ReadTypeOrList());
  TF_RETURN_IF_ERROR(CheckOperandTypes(*draft, types, offset));
  TF_RETURN_IF_ERROR(lexer_.ExpectArrow());
  TF_ASSIGN_OR_RETURN(draft->result_types, attributes_.ReadTypeOrList());
  return absl::OkStatus();
}

absl::Status OpReader::CheckOperandTypes(const Draft& draft,
                                         absl::Span<const Type* const> types,
                                         size_t offset) const {
  if (types.size() != draft.operands.size()) {
    return lexer_.ErrorAt(
        offset, absl::StrCat(draft.name, " has ", draft.operands.size(),
                             " operands, but types of ", types.size()));
  }
  for (size_t i = 0; i < types.size(); ++i) {
    if (SameType(*types[i], *draft.operands[i]->type)) continue;
    return lexer_.ErrorAt(
        offset, absl::StrCat("operand ", i, " of ", draft.name, " is ",
                             draft.operands[i]->type->ToString(), ", not ",
                             types[i]->ToString()));
  }
  return absl::OkStatus();
}

}  // namespace xla::stablehlo
