// Reads attributes of StableHLO and CHLO: enumerations and structs. Structs
// become dictionaries with all their fields. Attributes of sdy are read
// elsewhere, those of unknown dialects kept as text.
#include <algorithm>
#include <string>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "xla/base/status_macros.h"
#include "xla/stablehlo/text/attribute_reader.h"

namespace xla::stablehlo {
namespace {

using Kind = Attribute::Kind;

// The structs whose fields are read, the lists that are omitted when empty, and
// the integer that is omitted when 0.
struct StructRow {
  absl::string_view name;
  absl::string_view lists;
  absl::string_view integer;
};

constexpr StructRow kStructs[] = {
    {"axis_ref", "", ""},
    {"channel_handle", "", ""},
    {"mesh", "device_ids", ""},
    {"replica_group_mesh_axes", "", ""},
    {"dot_algorithm", "", ""},
    {"output_operand_alias", "output_tuple_indices,operand_tuple_indices", ""},
    {"result_accuracy", "", "ulps"},
    {"dot",
     "lhs_batching_dimensions,rhs_batching_dimensions,"
     "lhs_contracting_dimensions,rhs_contracting_dimensions",
     ""},
    {"ragged_dot",
     "lhs_batching_dimensions,rhs_batching_dimensions,"
     "lhs_contracting_dimensions,rhs_contracting_dimensions,"
     "lhs_ragged_dimensions,rhs_group_dimensions",
     ""},
    {"gather",
     "offset_dims,collapsed_slice_dims,operand_batching_dims,"
     "start_indices_batching_dims,start_index_map",
     "index_vector_dim"},
    {"scatter",
     "update_window_dims,inserted_window_dims,input_batching_dims,"
     "scatter_indices_batching_dims,scatter_dims_to_operand_dims",
     "index_vector_dim"},
};

const StructRow* FindStruct(absl::string_view name) {
  const auto row = std::find_if(
      std::begin(kStructs), std::end(kStructs),
      [&](const StructRow& candidate) { return candidate.name == name; });
  return row == std::end(kStructs) ? nullptr : row;
}

bool IsReadDialect(absl::string_view dialect) {
  return dialect == "stablehlo" || dialect == "chlo" || dialect == "mhlo";
}

bool HasField(absl::Span<const NamedAttribute> fields, absl::string_view name) {
  return std::any_of(
      fields.begin(), fields.end(),
      [&](const NamedAttribute& field) { return field.name == name; });
}

}  // namespace

// Returns the whole attribute that begins there, as text.
AttributeOr AttributeReader::ReadUnknownAt(size_t start) {
  lexer_.MoveTo(start);
  const absl::string_view name = lexer_.token().text;
  lexer_.Advance();
  if (lexer_.Is('<')) return ReadUnknownAttribute(start);
  return Text(Kind::kUnknown, name);
}

// Reads what follows "#sdy" or "#sdy.mnemonic".
AttributeOr AttributeReader::ReadSdyAttribute(absl::string_view mnemonic,
                                              size_t start) {
  if (mnemonic == "sharding") return ReadSharding();
  if (mnemonic == "mesh") return ReadMesh();
  if (!lexer_.TryConsume('<')) return ReadUnknownAt(start);
  const Attribute* value = nullptr;
  if (mnemonic == "sharding_per_value") {
    TF_ASSIGN_OR_RETURN(value, ReadShardings());
  } else if (mnemonic.empty() && lexer_.TryConsumeWord("manual_axes")) {
    TF_ASSIGN_OR_RETURN(value, ReadManualAxes());
  } else {
    return ReadUnknownAt(start);
  }
  TF_RETURN_IF_ERROR(lexer_.Expect('>'));
  return value;
}

// Reads "#dialect<...>" or "#dialect.name<...>".
AttributeOr AttributeReader::ReadDialectAttribute(absl::string_view name) {
  const size_t start = lexer_.token().offset;
  lexer_.Advance();
  const size_t dot = name.find('.');
  const absl::string_view dialect = name.substr(0, dot);
  absl::string_view mnemonic =
      dot == absl::string_view::npos ? "" : name.substr(dot + 1);
  const auto unknown = [&] { return ReadUnknownAt(start); };
  if (dialect == "sdy") return ReadSdyAttribute(mnemonic, start);
  if (!IsReadDialect(dialect) || !lexer_.Is('<')) return unknown();
  if (mnemonic.empty()) {
    // #stablehlo<precision HIGHEST>
    lexer_.Advance();
    if (!lexer_.Is(TokenKind::kWord)) return unknown();
    mnemonic = lexer_.token().text;
    lexer_.Advance();
    if (lexer_.Is(TokenKind::kWord)) {
      TF_ASSIGN_OR_RETURN(const Attribute* value, ReadEnumerator());
      TF_RETURN_IF_ERROR(lexer_.Expect('>'));
      return value;
    }
    return unknown();
  }
  if (mnemonic == "conv") {
    lexer_.Advance();
    std::vector<NamedAttribute> fields;
    TF_RETURN_IF_ERROR(ReadConvolutionDimensions(&fields));
    TF_RETURN_IF_ERROR(lexer_.Expect('>'));
    return Dictionary(fields);
  }
  if (FindStruct(mnemonic) != nullptr) return ReadStruct(mnemonic);
  // #stablehlo.result_accuracy_mode<HIGHEST>
  lexer_.Advance();
  if (!lexer_.Is(TokenKind::kWord)) return unknown();
  TF_ASSIGN_OR_RETURN(const Attribute* value, ReadEnumerator());
  if (!lexer_.TryConsume('>')) return unknown();
  return value;
}

AttributeOr AttributeReader::ReadEnumerator() {
  TF_ASSIGN_OR_RETURN(const absl::string_view word,
                      lexer_.Take(TokenKind::kWord, "an enumerator"));
  return Text(Kind::kEnum, word);
}

AttributeOr AttributeReader::ReadStruct(absl::string_view name) {
  const Nesting nesting(*this);
  TF_RETURN_IF_ERROR(CheckDepth());
  TF_RETURN_IF_ERROR(lexer_.Expect('<'));
  std::vector<NamedAttribute> fields;
  if (!lexer_.Is('>')) {
    do {
      NamedAttribute field;
      TF_ASSIGN_OR_RETURN(field.name,
                          lexer_.Take(TokenKind::kWord, "a field's name"));
      TF_RETURN_IF_ERROR(lexer_.Expect('='));
      if (field.name == "sub_axis_info") {
        TF_RETURN_IF_ERROR(ReadSubAxis(&fields));
        continue;
      }
      TF_ASSIGN_OR_RETURN(field.value, ReadBareValue());
      fields.push_back(field);
    } while (lexer_.TryConsume(','));
  }
  TF_RETURN_IF_ERROR(lexer_.Expect('>'));
  TF_RETURN_IF_ERROR(AddDefaults(name, &fields));
  return Dictionary(fields);
}

absl::Status AttributeReader::AddDefaults(absl::string_view name,
                                          std::vector<NamedAttribute>* fields) {
  const StructRow* row = FindStruct(name);
  if (row == nullptr) return absl::OkStatus();
  for (absl::string_view list :
       absl::StrSplit(row->lists, ',', absl::SkipEmpty())) {
    if (!HasField(*fields, list)) fields->push_back({list, Integers({})});
  }
  if (!row->integer.empty() && !HasField(*fields, row->integer)) {
    fields->push_back({row->integer, Integer(0)});
  }
  if (name != "result_accuracy") return absl::OkStatus();
  for (absl::string_view tolerance : {"atol", "rtol"}) {
    if (HasField(*fields, tolerance)) continue;
    Attribute zero{Kind::kFloat};
    zero.type = Scalar(F64);
    fields->push_back({tolerance, arena_.New(zero)});
  }
  return absl::OkStatus();
}

AttributeOr AttributeReader::ReadBareValue() {
  const Nesting nesting(*this);
  TF_RETURN_IF_ERROR(CheckDepth());
  const Token token = lexer_.token();
  switch (token.kind) {
    case TokenKind::kString: {
      TF_ASSIGN_OR_RETURN(const absl::string_view text, ReadString());
      return Text(Kind::kString, text);
    }
    case TokenKind::kInteger: {
      TF_ASSIGN_OR_RETURN(const int64_t value, lexer_.TakeInteger());
      return Integer(value);
    }
    case TokenKind::kWord:
      if (token.text == "true" || token.text == "false") {
        lexer_.Advance();
        return Bool(token.text == "true");
      }
      if (AtType()) {
        TF_ASSIGN_OR_RETURN(const Type* type, ReadType());
        return TypeAttribute(type);
      }
      if (token.text == "array" || token.text == "dense") {
        return ReadAttribute();
      }
      return ReadEnumerator();
    default:
      break;
  }
  if (lexer_.Is('[')) return ReadBareList();
  if (lexer_.Is('<')) return ReadStruct("");
  if (lexer_.Is('-')) {
    TF_ASSIGN_OR_RETURN(const int64_t value, lexer_.TakeInteger());
    return Integer(value);
  }
  return ReadAttribute();
}

// Reads [1, 2] and [true, false] as integers, [HIGH, LOW] and [[1], [2]] as
// array.
AttributeOr AttributeReader::ReadBareList() {
  TF_RETURN_IF_ERROR(lexer_.Expect('['));
  std::vector<const Attribute*> elements;
  std::vector<int64_t> values;
  if (!lexer_.Is(']')) {
    do {
      if (lexer_.Is(TokenKind::kInteger) || lexer_.Is('-')) {
        TF_ASSIGN_OR_RETURN(values.emplace_back(), lexer_.TakeInteger());
      } else if (lexer_.IsWord("true") || lexer_.IsWord("false")) {
        values.push_back(lexer_.IsWord("true") ? 1 : 0);
        lexer_.Advance();
      } else {
        TF_ASSIGN_OR_RETURN(elements.emplace_back(), ReadBareValue());
      }
    } while (lexer_.TryConsume(','));
  }
  if (!elements.empty() && !values.empty()) {
    return lexer_.Error("the list mixes numbers and other values");
  }
  TF_RETURN_IF_ERROR(lexer_.Expect(']'));
  return elements.empty() ? Integers(values) : Array(elements);
}

// Reads "[b, 0, 1, f]": the positions of the letters and of each spatial
// dimension.
absl::StatusOr<std::vector<int64_t>> AttributeReader::ReadSpatial(
    char first, char second, int64_t* first_at, int64_t* second_at) {
  const size_t start = lexer_.token().offset;
  TF_RETURN_IF_ERROR(lexer_.Expect('['));
  *first_at = *second_at = -1;
  std::vector<std::pair<int64_t, int64_t>> places;  // number, position
  int64_t position = 0;
  do {
    if (lexer_.Is(TokenKind::kInteger)) {
      TF_ASSIGN_OR_RETURN(const int64_t number, lexer_.TakeInteger());
      places.emplace_back(number, position);
    } else {
      const absl::string_view word = lexer_.token().text;
      int64_t* at = word == absl::string_view(&first, 1)    ? first_at
                    : word == absl::string_view(&second, 1) ? second_at
                                                            : nullptr;
      if (at == nullptr || *at != -1) {
        return lexer_.Expected(absl::StrCat("'", std::string(1, first), "', '",
                                            std::string(1, second),
                                            "' or a spatial dimension, each "
                                            "once"));
      }
      *at = position;
      lexer_.Advance();
    }
    ++position;
  } while (lexer_.TryConsume(','));
  TF_RETURN_IF_ERROR(lexer_.Expect(']'));
  std::sort(places.begin(), places.end());
  std::vector<int64_t> spatial;
  for (const auto& [number, at] : places) {
    if (number != static_cast<int64_t>(spatial.size())) {
      return lexer_.ErrorAt(
          start, "spatial dimensions are not numbered from 0, each once");
    }
    spatial.push_back(at);
  }
  if (*first_at < 0 || *second_at < 0) {
    return lexer_.ErrorAt(
        start, absl::StrCat("expected '", std::string(1, first), "' and '",
                            std::string(1, second), "'"));
  }
  return spatial;
}

absl::Status AttributeReader::ReadConvolutionDimensions(
    std::vector<NamedAttribute>* out) {
  if (lexer_.TryConsumeWord("raw")) {
    do {
      NamedAttribute field;
      TF_ASSIGN_OR_RETURN(field.name,
                          lexer_.Take(TokenKind::kWord, "a field's name"));
      TF_RETURN_IF_ERROR(lexer_.Expect('='));
      TF_ASSIGN_OR_RETURN(field.value, ReadBareValue());
      out->push_back(field);
    } while (lexer_.TryConsume(','));
    return absl::OkStatus();
  }
  int64_t batch, input, kernel_input, kernel_output, out_batch, output;
  TF_ASSIGN_OR_RETURN(const std::vector<int64_t> lhs,
                      ReadSpatial('b', 'f', &batch, &input));
  TF_RETURN_IF_ERROR(lexer_.ExpectWord("x"));
  TF_ASSIGN_OR_RETURN(const std::vector<int64_t> rhs,
                      ReadSpatial('i', 'o', &kernel_input, &kernel_output));
  TF_RETURN_IF_ERROR(lexer_.ExpectArrow());
  TF_ASSIGN_OR_RETURN(const std::vector<int64_t> result,
                      ReadSpatial('b', 'f', &out_batch, &output));
  out->insert(out->end(),
              {{"input_batch_dimension", Integer(batch)},
               {"input_feature_dimension", Integer(input)},
               {"input_spatial_dimensions", Integers(lhs)},
               {"kernel_input_feature_dimension", Integer(kernel_input)},
               {"kernel_output_feature_dimension", Integer(kernel_output)},
               {"kernel_spatial_dimensions", Integers(rhs)},
               {"output_batch_dimension", Integer(out_batch)},
               {"output_feature_dimension", Integer(output)},
               {"output_spatial_dimensions", Integers(result)}});
  return absl::OkStatus();
}

}  // namespace xla::stablehlo
