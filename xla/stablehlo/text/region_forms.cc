// Reads pretty forms of while, reduce and CHLO's scan.
#include <utility>

#include "absl/strings/str_cat.h"
#include "xla/base/status_macros.h"
#include "xla/stablehlo/text/op_reader.h"

namespace xla::stablehlo {

// stablehlo.while(%i = %a, %j = %b) : T, U attributes {...}
//     cond { ops } do { ops }
absl::Status OpReader::ReadWhileForm(Draft* draft) {
  std::vector<Argument> arguments;
  TF_RETURN_IF_ERROR(lexer_.Expect('('));
  if (!lexer_.TryConsume(')')) {
    do {
      Argument& argument = arguments.emplace_back();
      argument.offset = lexer_.token().offset;
      TF_ASSIGN_OR_RETURN(argument.name,
                          lexer_.Take(TokenKind::kPercent, "an argument"));
      TF_RETURN_IF_ERROR(lexer_.Expect('='));
      TF_ASSIGN_OR_RETURN(draft->operands.emplace_back(), ReadOperand());
    } while (lexer_.TryConsume(','));
    TF_RETURN_IF_ERROR(lexer_.Expect(')'));
  }
  if (lexer_.TryConsume(':') && !arguments.empty()) {
    const size_t offset = lexer_.token().offset;
    TF_ASSIGN_OR_RETURN(draft->result_types, attributes_.ReadTypes());
    TF_RETURN_IF_ERROR(CheckOperandTypes(*draft, draft->result_types, offset));
  } else if (!arguments.empty()) {
    return lexer_.Expected("':' and the types of while");
  }
  for (size_t i = 0; i < arguments.size(); ++i) {
    arguments[i].type = draft->result_types[i];
  }
  if (lexer_.TryConsumeWord("attributes")) {
    TF_RETURN_IF_ERROR(attributes_.ReadDictionary(&draft->attributes));
  }
  draft->regions.resize(2);
  TF_RETURN_IF_ERROR(lexer_.ExpectWord("cond"));
  TF_RETURN_IF_ERROR(
      ReadRegion(&arguments, /*isolated=*/false, &draft->regions[0]));
  TF_RETURN_IF_ERROR(lexer_.ExpectWord("do"));
  return ReadRegion(&arguments, /*isolated=*/false, &draft->regions[1]);
}

// stablehlo.reduce(%x init: %a), (%y init: %b)
// either  applies stablehlo.add across dimensions = [0] {...} : types
// or      across dimensions = [0] {...} : types
//         reducer(%l0: T, %r0: T) (%l1: U, %r1: U) { ops }
absl::Status OpReader::ReadReduceForm(Draft* draft) {
  std::vector<const Value*> inits;
  do {
    TF_RETURN_IF_ERROR(lexer_.Expect('('));
    TF_ASSIGN_OR_RETURN(draft->operands.emplace_back(), ReadOperand());
    TF_RETURN_IF_ERROR(lexer_.ExpectWord("init"));
    TF_RETURN_IF_ERROR(lexer_.Expect(':'));
    TF_ASSIGN_OR_RETURN(inits.emplace_back(), ReadOperand());
    TF_RETURN_IF_ERROR(lexer_.Expect(')'));
  } while (lexer_.TryConsume(','));
  draft->operands.insert(draft->operands.end(), inits.begin(), inits.end());
  absl::string_view applied;
  const size_t offset = lexer_.token().offset;
  if (lexer_.TryConsumeWord("applies")) {
    TF_ASSIGN_OR_RETURN(applied, lexer_.Take(TokenKind::kWord, "an op's name"));
  }
  TF_RETURN_IF_ERROR(lexer_.ExpectWord("across"));
  TF_RETURN_IF_ERROR(lexer_.ExpectWord("dimensions"));
  TF_RETURN_IF_ERROR(lexer_.Expect('='));
  TF_ASSIGN_OR_RETURN(const Attribute* dimensions, attributes_.ReadBareValue());
  draft->attributes.push_back({"dimensions", dimensions});
  if (lexer_.Is('{')) {
    TF_RETURN_IF_ERROR(attributes_.ReadDictionary(&draft->attributes));
  }
  TF_RETURN_IF_ERROR(lexer_.Expect(':'));
  TF_RETURN_IF_ERROR(ReadFunctionalType(draft));
  if (applied.empty()) return ReadReducer(draft);
  return BuildReducer(applied, offset, draft);
}

// chlo.scan(%x) inits (%c) dimension=0 attributes {...} { ^bb0(...): ops }
//     : types
absl::Status OpReader::ReadScanForm(Draft* draft) {
  TF_RETURN_IF_ERROR(lexer_.Expect('('));
  TF_RETURN_IF_ERROR(ReadOperandsUntil(')', &draft->operands));
  const int64_t inputs = static_cast<int64_t>(draft->operands.size());
  TF_RETURN_IF_ERROR(lexer_.ExpectWord("inits"));
  TF_RETURN_IF_ERROR(lexer_.Expect('('));
  TF_RETURN_IF_ERROR(ReadOperandsUntil(')', &draft->operands));
  const int64_t carries = static_cast<int64_t>(draft->operands.size()) - inputs;
  TF_RETURN_IF_ERROR(lexer_.ExpectWord("dimension"));
  TF_RETURN_IF_ERROR(lexer_.Expect('='));
  TF_ASSIGN_OR_RETURN(const Attribute* dimension, attributes_.ReadBareValue());
  draft->attributes.push_back({"dimension", dimension});
  if (lexer_.TryConsumeWord("attributes")) {
    TF_RETURN_IF_ERROR(attributes_.ReadDictionary(&draft->attributes));
  }
  TF_RETURN_IF_ERROR(
      ReadRegion(nullptr, /*isolated=*/false, &draft->regions.emplace_back()));
  TF_RETURN_IF_ERROR(lexer_.Expect(':'));
  const size_t offset = lexer_.token().offset;
  TF_RETURN_IF_ERROR(ReadFunctionalType(draft));
  const int64_t outputs =
      static_cast<int64_t>(draft->result_types.size()) - carries;
  if (outputs < 0) {
    return lexer_.ErrorAt(offset, "expected a result for each of 'inits'");
  }
  draft->attributes.push_back(
      {"operandSegmentSizes", attributes_.Integers({inputs, carries})});
  draft->attributes.push_back(
      {"resultSegmentSizes", attributes_.Integers({outputs, carries})});
  return absl::OkStatus();
}

// Each input has a pair; the block has the left arguments, then the right ones.
absl::Status OpReader::ReadReducer(Draft* draft) {
  TF_RETURN_IF_ERROR(lexer_.ExpectWord("reducer"));
  std::vector<Argument> left, right;
  while (lexer_.Is('(')) {
    std::vector<Argument> pair;
    const size_t offset = lexer_.token().offset;
    TF_RETURN_IF_ERROR(ReadArguments(&pair));
    if (pair.size() != 2) {
      return lexer_.ErrorAt(offset, "expected two arguments for each input");
    }
    left.push_back(pair[0]);
    right.push_back(pair[1]);
  }
  left.insert(left.end(), right.begin(), right.end());
  return ReadRegion(&left, /*isolated=*/false, &draft->regions.emplace_back());
}

// Builds the region that "applies" abbreviates: one op on scalars of the
// elements.
absl::Status OpReader::BuildReducer(absl::string_view op_name, size_t offset,
                                    Draft* draft) {
  if (draft->operands.size() != 2 || draft->result_types.size() != 1 ||
      draft->result_types[0]->kind != Type::Kind::kTensor) {
    return lexer_.ErrorAt(offset, "'applies' is for one tensor alone");
  }
  Arena& arena = module_.arena;
  Type type = *draft->result_types[0];
  type.dimensions = {};
  type.bounds = {};
  const Type* scalar = arena.New(type);
  Block* block = arena.New(Block{});
  const Type* const types[] = {scalar, scalar};
  block->arguments = NewValues(types);
  Op* apply = arena.New(Op{});
  apply->name = op_name;
  apply->location = lexer_.LocationAt(offset);
  const Value* const arguments[] = {&block->arguments[0], &block->arguments[1]};
  apply->operands = arena.Copy(absl::MakeConstSpan(arguments));
  apply->results = NewValues(absl::MakeConstSpan(types).first(1));
  Op* result = arena.New(Op{});
  result->name = "return";
  result->location = apply->location;
  const Value* const returned[] = {&apply->results[0]};
  result->operands = arena.Copy(absl::MakeConstSpan(returned));
  Op* const ops[] = {apply, result};
  draft->implied_ops = {apply, result};
  block->ops = arena.Copy(absl::MakeConstSpan(ops));
  Block* const blocks[] = {block};
  draft->regions.emplace_back().blocks =
      arena.Copy(absl::MakeConstSpan(blocks));
  return absl::OkStatus();
}

}  // namespace xla::stablehlo
