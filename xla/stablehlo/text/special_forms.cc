// Reads pretty forms that have a syntax of their own but no HLO regions:
// modules, constants, convolutions, casts, meshes; and sdy's computations.
#include <string>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "xla/base/status_macros.h"
#include "xla/stablehlo/text/op_reader.h"

namespace xla::stablehlo {

using Kind = Attribute::Kind;

OpReader::Form OpReader::SpecialForm(absl::string_view name) {
  struct Row {
    absl::string_view name;
    Form form;
  };
  static constexpr Row kForms[] = {
      {"builtin.module", &OpReader::ReadModuleForm},
      {"builtin.unrealized_conversion_cast", &OpReader::ReadCastForm},
      {"chlo.constant", &OpReader::ReadConstantForm},
      {"chlo.scan", &OpReader::ReadScanForm},
      {"func.func", &OpReader::ReadFunctionForm},
      {"sdy.constant", &OpReader::ReadConstantForm},
      {"sdy.manual_computation", &OpReader::ReadManualComputationForm},
      {"sdy.mesh", &OpReader::ReadMeshForm},
      {"sdy.named_computation", &OpReader::ReadManualComputationForm},
      {"stablehlo.constant", &OpReader::ReadConstantForm},
      {"stablehlo.convolution", &OpReader::ReadConvolutionForm},
      {"stablehlo.dynamic_conv", &OpReader::ReadConvolutionForm},
      {"stablehlo.reduce", &OpReader::ReadReduceForm},
      {"stablehlo.while", &OpReader::ReadWhileForm},
  };
  for (const Row& row : kForms) {
    if (row.name == name) return row.form;
  }
  return nullptr;
}

// module @name attributes {...} { ops }
absl::Status OpReader::ReadModuleForm(Draft* draft) {
  if (lexer_.Is(TokenKind::kAt)) {
    TF_ASSIGN_OR_RETURN(const absl::string_view name, attributes_.ReadSymbol());
    draft->attributes.push_back(
        {"sym_name", attributes_.Text(Kind::kString, name)});
  }
  if (lexer_.TryConsumeWord("attributes")) {
    TF_RETURN_IF_ERROR(attributes_.ReadDictionary(&draft->attributes));
  }
  const std::vector<Argument> no_arguments;
  return ReadRegion(&no_arguments, /*isolated=*/true,
                    &draft->regions.emplace_back());
}

// stablehlo.constant {attributes} dense<1> : tensor<i32>
absl::Status OpReader::ReadConstantForm(Draft* draft) {
  if (lexer_.Is('{')) {
    TF_RETURN_IF_ERROR(attributes_.ReadDictionary(&draft->attributes));
  }
  // Old printers write "() {value = ...} : () -> T".
  if (lexer_.Is('(')) return ReadPrettyForm(draft);
  const size_t start = lexer_.token().offset;
  TF_ASSIGN_OR_RETURN(const Attribute* value, attributes_.ReadAttribute());
  if (value->kind != Kind::kElements) {
    return lexer_.ErrorAt(start, "expected dense<...> : tensor<...>");
  }
  draft->attributes.push_back({"value", value});
  // A quantized constant has its own type.
  if (lexer_.TryConsume(':')) {
    TF_ASSIGN_OR_RETURN(draft->result_types.emplace_back(),
                        attributes_.ReadType());
  } else {
    draft->result_types = {value->type};
  }
  return absl::OkStatus();
}

// stablehlo.convolution(%x, %k) dim_numbers = [...]x[...]->[...],
//     window = {stride = [1, 1], ...} {attributes} : types
absl::Status OpReader::ReadConvolutionForm(Draft* draft) {
  TF_RETURN_IF_ERROR(lexer_.Expect('('));
  TF_RETURN_IF_ERROR(ReadOperandsUntil(')', &draft->operands));
  TF_RETURN_IF_ERROR(lexer_.ExpectWord("dim_numbers"));
  TF_RETURN_IF_ERROR(lexer_.Expect('='));
  TF_RETURN_IF_ERROR(attributes_.ReadConvolutionDimensions(&draft->attributes));
  if (lexer_.TryConsume(',')) {
    TF_RETURN_IF_ERROR(lexer_.ExpectWord("window"));
    TF_RETURN_IF_ERROR(lexer_.Expect('='));
    TF_RETURN_IF_ERROR(ReadWindow(draft));
  }
  if (lexer_.Is('{')) {
    TF_RETURN_IF_ERROR(attributes_.ReadDictionary(&draft->attributes));
  }
  TF_RETURN_IF_ERROR(lexer_.Expect(':'));
  return ReadFunctionalType(draft);
}

absl::Status OpReader::ReadWindow(Draft* draft) {
  struct Row {
    absl::string_view key, attribute;
  };
  static constexpr Row kRows[] = {{"stride", "window_strides"},
                                  {"pad", "padding"},
                                  {"lhs_dilate", "lhs_dilation"},
                                  {"rhs_dilate", "rhs_dilation"},
                                  {"reverse", "window_reversal"}};
  TF_RETURN_IF_ERROR(lexer_.Expect('{'));
  if (lexer_.TryConsume('}')) return absl::OkStatus();
  do {
    const Token token = lexer_.token();
    const Row* found = nullptr;
    for (const Row& row : kRows) {
      if (lexer_.IsWord(row.key)) found = &row;
    }
    if (found == nullptr) {
      return lexer_.Expected(
          "'stride', 'pad', 'lhs_dilate', 'rhs_dilate' or 'reverse'");
    }
    lexer_.Advance();
    TF_RETURN_IF_ERROR(lexer_.Expect('='));
    TF_ASSIGN_OR_RETURN(const Attribute* value, attributes_.ReadBareValue());
    if (found->key == "pad") {
      // Make [[low, high], ...] or [] a matrix.
      std::vector<int64_t> flat;
      for (const Attribute* pair : value->elements) {
        if (pair->kind != Kind::kIntegers || pair->integers.size() != 2) {
          return lexer_.ErrorAt(token.offset, "expected pairs [low, high]");
        }
        flat.insert(flat.end(), pair->integers.begin(), pair->integers.end());
      }
      if (!value->integers.empty()) {
        return lexer_.ErrorAt(token.offset, "expected pairs [low, high]");
      }
      value = attributes_.Int64Elements(
          flat, {static_cast<int64_t>(flat.size() / 2), 2});
    } else if (value->kind != Kind::kIntegers) {
      return lexer_.ErrorAt(token.offset, "expected a list");
    }
    draft->attributes.push_back({found->attribute, value});
  } while (lexer_.TryConsume(','));
  return lexer_.Expect('}');
}

// builtin.unrealized_conversion_cast %a : T to U
absl::Status OpReader::ReadCastForm(Draft* draft) {
  if (lexer_.Is(TokenKind::kPercent)) {
    do {
      TF_ASSIGN_OR_RETURN(draft->operands.emplace_back(), ReadOperand());
    } while (lexer_.TryConsume(','));
    TF_RETURN_IF_ERROR(lexer_.Expect(':'));
    const size_t offset = lexer_.token().offset;
    TF_ASSIGN_OR_RETURN(const std::vector<const Type*> types,
                        attributes_.ReadTypes());
    TF_RETURN_IF_ERROR(CheckOperandTypes(*draft, types, offset));
  }
  TF_RETURN_IF_ERROR(lexer_.ExpectWord("to"));
  TF_ASSIGN_OR_RETURN(draft->result_types, attributes_.ReadTypes());
  if (!lexer_.Is('{')) return absl::OkStatus();
  return attributes_.ReadDictionary(&draft->attributes);
}

// sdy.mesh @mesh = <["x"=2]>
absl::Status OpReader::ReadMeshForm(Draft* draft) {
  TF_ASSIGN_OR_RETURN(const absl::string_view name, attributes_.ReadSymbol());
  TF_RETURN_IF_ERROR(lexer_.Expect('='));
  TF_ASSIGN_OR_RETURN(const Attribute* mesh, attributes_.ReadMesh());
  draft->attributes = {{"sym_name", attributes_.Text(Kind::kString, name)},
                       {"mesh", mesh}};
  if (!lexer_.Is('{')) return absl::OkStatus();
  return attributes_.ReadDictionary(&draft->attributes);
}

// sdy.manual_computation(%a) in_shardings=[...] out_shardings=[...]
//     manual_axes={"x"} (%b: T) { ops } : (T) -> U
// sdy.named_computation<"name">(%a) ... without axes.
absl::Status OpReader::ReadManualComputationForm(Draft* draft) {
  if (lexer_.TryConsume('<')) {
    TF_ASSIGN_OR_RETURN(const absl::string_view name, attributes_.ReadString());
    draft->attributes.push_back(
        {"name", attributes_.Text(Kind::kString, name)});
    TF_RETURN_IF_ERROR(lexer_.Expect('>'));
  }
  TF_RETURN_IF_ERROR(lexer_.Expect('('));
  TF_RETURN_IF_ERROR(ReadOperandsUntil(')', &draft->operands));
  for (absl::string_view key :
       {"in_shardings", "out_shardings", "manual_axes"}) {
    if (!lexer_.TryConsumeWord(key)) continue;
    TF_RETURN_IF_ERROR(lexer_.Expect('='));
    const Attribute* value = nullptr;
    if (key == "manual_axes") {
      TF_ASSIGN_OR_RETURN(value, attributes_.ReadManualAxes());
    } else {
      TF_ASSIGN_OR_RETURN(value, attributes_.ReadShardings());
    }
    draft->attributes.push_back({key, value});
  }
  std::vector<Argument> arguments;
  if (lexer_.Is('(')) TF_RETURN_IF_ERROR(ReadArguments(&arguments));
  TF_RETURN_IF_ERROR(ReadRegion(&arguments, /*isolated=*/false,
                                &draft->regions.emplace_back()));
  if (lexer_.Is('{')) {
    TF_RETURN_IF_ERROR(attributes_.ReadDictionary(&draft->attributes));
  }
  TF_RETURN_IF_ERROR(lexer_.Expect(':'));
  return ReadFunctionalType(draft);
}

}  // namespace xla::stablehlo
