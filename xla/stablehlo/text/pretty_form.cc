// Reads the universal pretty form: after the op's name come operands,
// enumerators, "key = value" pairs, a dictionary of attributes and, behind a
// colon, types. The rows below define what keys mean; which pairs an op may
// have is checked elsewhere.
#include <algorithm>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "xla/base/status_macros.h"
#include "xla/stablehlo/text/op_reader.h"

namespace xla::stablehlo {
namespace {

struct KeyRow {
  absl::string_view op;
  absl::string_view key;
  absl::string_view attribute;
};

constexpr KeyRow kKeys[] = {
    {"stablehlo.broadcast", "sizes", "broadcast_sizes"},
    {"stablehlo.broadcast_in_dim", "dims", "broadcast_dimensions"},
    {"stablehlo.concatenate", "dim", "dimension"},
    {"stablehlo.dot", "precision", "precision_config"},
    {"stablehlo.dot_general", "precision", "precision_config"},
    {"stablehlo.dynamic_broadcast_in_dim", "dims", "broadcast_dimensions"},
    {"stablehlo.dynamic_iota", "dim", "iota_dimension"},
    {"stablehlo.dynamic_slice", "sizes", "slice_sizes"},
    {"stablehlo.einsum", "config", "einsum_config"},
    {"stablehlo.fft", "length", "fft_length"},
    {"stablehlo.fft", "type", "fft_type"},
    {"stablehlo.get_dimension_size", "dim", "dimension"},
    {"stablehlo.iota", "dim", "iota_dimension"},
    {"stablehlo.pad", "high", "edge_padding_high"},
    {"stablehlo.pad", "interior", "interior_padding"},
    {"stablehlo.pad", "low", "edge_padding_low"},
    {"stablehlo.reverse", "dims", "dimensions"},
    {"stablehlo.rng", "distribution", "rng_distribution"},
    {"stablehlo.rng_bit_generator", "algorithm", "rng_algorithm"},
    {"stablehlo.set_dimension_size", "dim", "dimension"},
    {"stablehlo.transpose", "dims", "permutation"},
    {"stablehlo.unary_einsum", "config", "einsum_config"},
};

absl::string_view AttributeOfKey(absl::string_view op, absl::string_view key) {
  for (const KeyRow& row : kKeys) {
    if (row.op == op && row.key == key) return row.attribute;
  }
  return key;
}

// Returns true for ops whose operands do not all have the op's single type.
bool OperandTypesDiffer(absl::string_view op) {
  return op == "stablehlo.complex" || op == "stablehlo.tuple" ||
         op == "stablehlo.select" || op == "chlo.constant_like" ||
         (!absl::StartsWith(op, "stablehlo.") &&
          !absl::StartsWith(op, "sdy.") && !absl::StartsWith(op, "chlo."));
}

// Returns true for ops that list one type per result after the colon.
bool HasResultForEachType(absl::string_view op) {
  return op == "stablehlo.optimization_barrier";
}

bool HasNoResults(absl::string_view op) {
  return op == "return" || op == "sdy.sharding_group";
}

}  // namespace

absl::Status OpReader::ReadPrettyForm(Draft* draft) {
  bool more = true;
  while (more) {
    TF_ASSIGN_OR_RETURN(more, ReadPrettyItem(draft));
  }
  if (!lexer_.TryConsume(':')) return absl::OkStatus();
  return ReadPrettyTypes(draft);
}

// Returns false at the end of the op or the beginning of its types.
absl::StatusOr<bool> OpReader::ReadPrettyItem(Draft* draft) {
  if (lexer_.TryConsume(',')) return true;
  switch (lexer_.token().kind) {
    case TokenKind::kPercent: {
      TF_ASSIGN_OR_RETURN(draft->operands.emplace_back(), ReadOperand());
      return true;
    }
    case TokenKind::kAt: {
      TF_ASSIGN_OR_RETURN(const absl::string_view name,
                          attributes_.ReadSymbol());
      const bool custom = draft->name == "stablehlo.custom_call";
      draft->attributes.push_back(
          {custom ? "call_target_name" : "callee",
           attributes_.Text(
               custom ? Attribute::Kind::kString : Attribute::Kind::kSymbol,
               name)});
      return true;
    }
    case TokenKind::kString: {
      if (draft->name != "stablehlo.composite") return false;
      TF_ASSIGN_OR_RETURN(const absl::string_view name,
                          attributes_.ReadString());
      draft->attributes.push_back(
          {"name", attributes_.Text(Attribute::Kind::kString, name)});
      return true;
    }
    case TokenKind::kWord: {
      if (lexer_.IsWord("loc")) return false;
      const size_t before = lexer_.token().offset;
      TF_RETURN_IF_ERROR(ReadPrettyWord(draft));
      return lexer_.token().offset != before;
    }
    default:
      break;
  }
  for (char open : {'(', '[', '{', '<'}) {
    if (!lexer_.Is(open)) continue;
    TF_RETURN_IF_ERROR(ReadPrettyBracket(draft));
    return true;
  }
  return false;
}

// Reads "key = value", or the enumerators of compare. Leaves other words alone,
// since they begin the next op.
absl::Status OpReader::ReadPrettyWord(Draft* draft) {
  const Token token = lexer_.token();
  lexer_.Advance();
  if (lexer_.TryConsume('=')) return ReadKeyValue(token.text, draft);
  if (draft->name != "stablehlo.compare") {
    lexer_.MoveTo(token.offset);
    return absl::OkStatus();
  }
  const bool direction = draft->operands.empty();
  draft->attributes.push_back(
      {direction ? "comparison_direction" : "compare_type",
       attributes_.Text(Attribute::Kind::kEnum, token.text)});
  return absl::OkStatus();
}

absl::Status OpReader::ReadKeyValue(absl::string_view key, Draft* draft) {
  if (key == "format") return ReadFormat(draft);
  const bool pair = key == "contracting_dims" || key == "batching_dims";
  if (pair && draft->name == "stablehlo.dot_general") {
    const bool contracting = key == "contracting_dims";
    TF_ASSIGN_OR_RETURN(const Attribute* lhs, attributes_.ReadBareValue());
    TF_RETURN_IF_ERROR(lexer_.ExpectWord("x"));
    TF_ASSIGN_OR_RETURN(const Attribute* rhs, attributes_.ReadBareValue());
    draft->attributes.push_back(
        {contracting ? "lhs_contracting_dimensions" : "lhs_batching_dimensions",
         lhs});
    draft->attributes.push_back(
        {contracting ? "rhs_contracting_dimensions" : "rhs_batching_dimensions",
         rhs});
    if (!contracting) return absl::OkStatus();
    // The pair is omitted without batch dimensions, and otherwise comes first.
    const bool batched =
        std::any_of(draft->attributes.begin(), draft->attributes.end(),
                    [](const NamedAttribute& attribute) {
                      return attribute.name == "lhs_batching_dimensions";
                    });
    if (batched) return absl::OkStatus();
    const Attribute* none = attributes_.Integers({});
    draft->attributes.push_back({"lhs_batching_dimensions", none});
    draft->attributes.push_back({"rhs_batching_dimensions", none});
    return absl::OkStatus();
  }
  const Attribute* value = nullptr;
  if (key == "out_sharding") {
    TF_ASSIGN_OR_RETURN(value, attributes_.ReadSharding());
  } else {
    TF_ASSIGN_OR_RETURN(value, attributes_.ReadBareValue());
  }
  draft->attributes.push_back({AttributeOfKey(draft->name, key), value});
  return absl::OkStatus();
}

absl::Status OpReader::ReadPrettyBracket(Draft* draft) {
  const bool sdy = absl::StartsWith(draft->name, "sdy.");
  if (lexer_.Is('(')) return ReadParenthesized(draft);
  if (lexer_.Is('<') && sdy) {
    TF_ASSIGN_OR_RETURN(const Attribute* sharding, attributes_.ReadSharding());
    draft->attributes.push_back({"sharding", sharding});
    return absl::OkStatus();
  }
  if (sdy && draft->operands.empty() && !lexer_.Is('<')) {
    // The axes of collectives.
    TF_ASSIGN_OR_RETURN(const absl::string_view axes, lexer_.Balanced());
    draft->attributes.push_back(
        {"axes", attributes_.Text(Attribute::Kind::kUnknown, axes)});
    return absl::OkStatus();
  }
  if (lexer_.Is('{')) return attributes_.ReadDictionary(&draft->attributes);
  if (lexer_.Is('[') && draft->name == "stablehlo.slice") {
    return ReadSliceBounds(draft);
  }
  if (lexer_.Is('[') && draft->name == "stablehlo.get_tuple_element") {
    lexer_.Advance();
    TF_ASSIGN_OR_RETURN(const int64_t index, lexer_.TakeInteger());
    draft->attributes.push_back({"index", attributes_.Integer(index, S32)});
    return lexer_.Expect(']');
  }
  return lexer_.Expected(
      absl::StrCat("an operand, attribute or ':' of ", draft->name));
}

// "(%a, %b)", "(%a, k = 2)"
absl::Status OpReader::ReadParenthesized(Draft* draft) {
  TF_RETURN_IF_ERROR(lexer_.Expect('('));
  if (lexer_.TryConsume(')')) return absl::OkStatus();
  do {
    if (lexer_.Is(TokenKind::kWord)) {
      const absl::string_view key = lexer_.token().text;
      lexer_.Advance();
      TF_RETURN_IF_ERROR(lexer_.Expect('='));
      TF_RETURN_IF_ERROR(ReadKeyValue(key, draft));
    } else {
      TF_ASSIGN_OR_RETURN(draft->operands.emplace_back(), ReadOperand());
    }
  } while (lexer_.TryConsume(','));
  return lexer_.Expect(')');
}

// "[0:4:2, 1:8]": start, limit and stride of each dimension.
absl::Status OpReader::ReadSliceBounds(Draft* draft) {
  std::vector<int64_t> starts, limits, strides;
  TF_RETURN_IF_ERROR(lexer_.Expect('['));
  if (!lexer_.Is(']')) {
    do {
      TF_ASSIGN_OR_RETURN(starts.emplace_back(), lexer_.TakeInteger());
      TF_RETURN_IF_ERROR(lexer_.Expect(':'));
      TF_ASSIGN_OR_RETURN(limits.emplace_back(), lexer_.TakeInteger());
      strides.push_back(1);
      if (lexer_.TryConsume(':')) {
        TF_ASSIGN_OR_RETURN(strides.back(), lexer_.TakeInteger());
      }
    } while (lexer_.TryConsume(','));
  }
  TF_RETURN_IF_ERROR(lexer_.Expect(']'));
  draft->attributes.insert(draft->attributes.end(),
                           {{"start_indices", attributes_.Integers(starts)},
                            {"limit_indices", attributes_.Integers(limits)},
                            {"strides", attributes_.Integers(strides)}});
  return absl::OkStatus();
}

// e5m10
absl::Status OpReader::ReadFormat(Draft* draft) {
  const Token token = lexer_.token();
  TF_RETURN_IF_ERROR(
      lexer_.Take(TokenKind::kWord, "a format such as e5m10").status());
  const size_t m = token.text.find('m');
  int32_t exponent, mantissa;
  if (token.text[0] != 'e' || m == absl::string_view::npos ||
      !absl::SimpleAtoi(token.text.substr(1, m - 1), &exponent) ||
      !absl::SimpleAtoi(token.text.substr(m + 1), &mantissa)) {
    return lexer_.ErrorAt(token.offset,
                          absl::StrCat("expected a format such as e5m10, got '",
                                       token.text, "'"));
  }
  draft->attributes.push_back(
      {"exponent_bits", attributes_.Integer(exponent, S32)});
  draft->attributes.push_back(
      {"mantissa_bits", attributes_.Integer(mantissa, S32)});
  return absl::OkStatus();
}

// Reads what follows the colon: "(T, U) -> V", "T, U -> V", or only types.
absl::Status OpReader::ReadPrettyTypes(Draft* draft) {
  const size_t offset = lexer_.token().offset;
  std::vector<const Type*> types;
  if (lexer_.Is('(')) {
    TF_ASSIGN_OR_RETURN(types, attributes_.ReadTypeOrList());
  } else {
    TF_ASSIGN_OR_RETURN(types, attributes_.ReadTypes());
  }
  if (!lexer_.TryConsumeArrow()) {
    return TakeTypes(std::move(types), offset, draft);
  }
  TF_RETURN_IF_ERROR(CheckOperandTypes(*draft, types, offset));
  TF_ASSIGN_OR_RETURN(draft->result_types, attributes_.ReadTypeOrList());
  return absl::OkStatus();
}

absl::Status OpReader::TakeTypes(std::vector<const Type*> types, size_t offset,
                                 Draft* draft) {
  if (HasNoResults(draft->name)) {
    return CheckOperandTypes(*draft, types, offset);
  }
  if (HasResultForEachType(draft->name)) {
    TF_RETURN_IF_ERROR(CheckOperandTypes(*draft, types, offset));
    draft->result_types = std::move(types);
    return absl::OkStatus();
  }
  const bool is_select = draft->name == "stablehlo.select";
  if (types.size() != (is_select ? 2 : 1)) {
    return lexer_.ErrorAt(
        offset, absl::StrCat("expected ", is_select ? 2 : 1, " types of ",
                             draft->name, ", got ", types.size()));
  }
  draft->result_types = {types.back()};
  if (is_select) types.push_back(types.back());
  if (!is_select && OperandTypesDiffer(draft->name)) return absl::OkStatus();
  if (!is_select) types.assign(draft->operands.size(), types.back());
  return CheckOperandTypes(*draft, types, offset);
}

}  // namespace xla::stablehlo
