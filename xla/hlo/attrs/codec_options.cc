// Codecs of options: precision, accuracy, triangular-solve, cholesky, aliases
// of custom calls, replication of parameters.
#include <string>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "xla/base/status_macros.h"
#include "xla/hlo/attrs/codec_text.h"
#include "xla/hlo/attrs/field_codec.h"
#include "xla/hlo/attrs/field_types.h"

namespace xla {

// PrecisionConfig: operand_precision={highest,default}, algorithm=dot_... ----

template <>
void FieldCodec<PrecisionConfig>::Print(std::string_view name,
                                        const PrecisionConfig& value,
                                        bool always, std::string* out) {
  bool any = false;
  for (int p : value.operand_precision()) any |= p != PrecisionConfig::DEFAULT;
  if (any) {
    PrintAttrName("operand_precision", out);
    absl::string_view separator = "{";
    for (int p : value.operand_precision()) {
      absl::StrAppend(
          out, separator,
          absl::AsciiStrToLower(PrecisionConfig::Precision_Name(p)));
      separator = ",";
    }
    out->push_back('}');
  }
  if (value.algorithm() != PrecisionConfig::ALG_UNSET) {
    PrintAttrName("algorithm", out);
    absl::StrAppend(
        out, absl::AsciiStrToLower(absl::StripPrefix(
                 PrecisionConfig::Algorithm_Name(value.algorithm()), "ALG_")));
  }
}

template <>
absl::StatusOr<bool> FieldCodec<PrecisionConfig>::Parse(
    std::string_view name, absl::string_view key, TextScanner& scanner,
    PrecisionConfig* value) {
  const size_t start = scanner.position();
  if (key == "algorithm") {
    TF_ASSIGN_OR_RETURN(absl::string_view word, scanner.Name());
    PrecisionConfig::Algorithm algorithm;
    if (!PrecisionConfig::Algorithm_Parse(
            absl::StrCat("ALG_", absl::AsciiStrToUpper(word)), &algorithm)) {
      return scanner.ErrorAt(start,
                             absl::StrCat("unknown algorithm '", word, "'"));
    }
    value->set_algorithm(algorithm);
    return true;
  }
  if (key != "operand_precision") return false;
  value->clear_operand_precision();
  TF_RETURN_IF_ERROR(ScanBraced(scanner, [&]() -> absl::Status {
    TF_ASSIGN_OR_RETURN(absl::string_view word, scanner.Name());
    PrecisionConfig::Precision precision;
    if (!PrecisionConfig::Precision_Parse(absl::AsciiStrToUpper(word),
                                          &precision)) {
      return scanner.ErrorAt(start,
                             absl::StrCat("unknown precision '", word, "'"));
    }
    value->add_operand_precision(precision);
    return absl::OkStatus();
  }));
  return true;
}

// ResultAccuracy: {mode=highest} or {tolerance={atol=0,rtol=0.5,ulps=2}} -----

template <>
void FieldCodec<ResultAccuracy>::Print(std::string_view name,
                                       const ResultAccuracy& value, bool always,
                                       std::string* out) {
  if (value.has_tolerance()) {
    PrintAttrName(name, out);
    absl::StrAppend(out, "{tolerance={atol=", value.tolerance().atol(),
                    ",rtol=", value.tolerance().rtol(),
                    ",ulps=", value.tolerance().ulps(), "}}");
  } else if (value.mode() != ResultAccuracy::DEFAULT) {
    PrintAttrName(name, out);
    absl::StrAppend(
        out, "{mode=",
        absl::AsciiStrToLower(ResultAccuracy::Mode_Name(value.mode())), "}");
  }
}

namespace {

absl::Status ScanTolerance(TextScanner& scanner,
                           ResultAccuracy::Tolerance* tolerance) {
  return ScanBraced(scanner, [&]() -> absl::Status {
    const size_t start = scanner.position();
    TF_ASSIGN_OR_RETURN(absl::string_view field, scanner.Name());
    TF_RETURN_IF_ERROR(scanner.Consume("="));
    if (field == "ulps") {
      TF_ASSIGN_OR_RETURN(int64_t ulps, scanner.Int64());
      tolerance->set_ulps(ulps);
      return absl::OkStatus();
    }
    TF_ASSIGN_OR_RETURN(double number, scanner.Double());
    if (field == "atol") {
      tolerance->set_atol(number);
    } else if (field == "rtol") {
      tolerance->set_rtol(number);
    } else {
      return scanner.ErrorAt(start, "expected atol, rtol or ulps");
    }
    return absl::OkStatus();
  });
}

}  // namespace

template <>
absl::StatusOr<bool> FieldCodec<ResultAccuracy>::Parse(std::string_view name,
                                                       absl::string_view key,
                                                       TextScanner& scanner,
                                                       ResultAccuracy* value) {
  if (key != ToAbsl(name)) return false;
  value->Clear();
  TF_RETURN_IF_ERROR(scanner.Consume("{"));
  const size_t start = scanner.position();
  TF_ASSIGN_OR_RETURN(absl::string_view kind, scanner.Name());
  TF_RETURN_IF_ERROR(scanner.Consume("="));
  if (kind == "tolerance") {
    TF_RETURN_IF_ERROR(ScanTolerance(scanner, value->mutable_tolerance()));
  } else if (kind == "mode") {
    TF_ASSIGN_OR_RETURN(absl::string_view word, scanner.Name());
    ResultAccuracy::Mode mode;
    if (!ResultAccuracy::Mode_Parse(absl::AsciiStrToUpper(word), &mode)) {
      return scanner.ErrorAt(start,
                             absl::StrCat("unknown accuracy '", word, "'"));
    }
    value->set_mode(mode);
  } else {
    return scanner.ErrorAt(start, "expected mode or tolerance");
  }
  TF_RETURN_IF_ERROR(scanner.Consume("}"));
  return true;
}

// TriangularSolveOptions, CholeskyOptions: one attribute per field -----------

template <>
void FieldCodec<TriangularSolveOptions>::Print(
    std::string_view name, const TriangularSolveOptions& value, bool always,
    std::string* out) {
  FieldCodec<bool>::Print("left_side", value.left_side(), false, out);
  FieldCodec<bool>::Print("lower", value.lower(), false, out);
  FieldCodec<bool>::Print("unit_diagonal", value.unit_diagonal(), false, out);
  if (value.transpose_a() != TriangularSolveOptions::TRANSPOSE_INVALID) {
    PrintAttrName("transpose_a", out);
    out->append(TriangularSolveOptions::Transpose_Name(value.transpose_a()));
  }
}

template <>
absl::StatusOr<bool> FieldCodec<TriangularSolveOptions>::Parse(
    std::string_view name, absl::string_view key, TextScanner& scanner,
    TriangularSolveOptions* value) {
  if (key == "transpose_a") {
    const size_t start = scanner.position();
    TF_ASSIGN_OR_RETURN(absl::string_view word, scanner.Name());
    TriangularSolveOptions::Transpose transpose;
    if (!TriangularSolveOptions::Transpose_Parse(std::string(word),
                                                 &transpose)) {
      return scanner.ErrorAt(start,
                             "expected NO_TRANSPOSE, TRANSPOSE or ADJOINT");
    }
    value->set_transpose_a(transpose);
    return true;
  }
  if (key != "left_side" && key != "lower" && key != "unit_diagonal") {
    return false;
  }
  TF_ASSIGN_OR_RETURN(bool flag, scanner.Bool());
  if (key == "left_side") value->set_left_side(flag);
  if (key == "lower") value->set_lower(flag);
  if (key == "unit_diagonal") value->set_unit_diagonal(flag);
  return true;
}

template <>
void FieldCodec<CholeskyOptions>::Print(std::string_view name,
                                        const CholeskyOptions& value,
                                        bool always, std::string* out) {
  FieldCodec<bool>::Print("lower", value.lower(), false, out);
}
template <>
absl::StatusOr<bool> FieldCodec<CholeskyOptions>::Parse(
    std::string_view name, absl::string_view key, TextScanner& scanner,
    CholeskyOptions* value) {
  if (key != "lower") return false;
  TF_ASSIGN_OR_RETURN(bool lower, scanner.Bool());
  value->set_lower(lower);
  return true;
}
// ParameterReplication: {true,false} -----------------------------------------

template <>
void FieldCodec<ParameterReplication>::Print(std::string_view name,
                                             const ParameterReplication& value,
                                             bool always, std::string* out) {
  if (value.replicated_at_leaf_buffers_size() == 0) return;
  PrintAttrName(name, out);
  absl::string_view separator = "{";
  for (bool replicated : value.replicated_at_leaf_buffers()) {
    absl::StrAppend(out, separator, replicated ? "true" : "false");
    separator = ",";
  }
  out->push_back('}');
}
template <>
absl::StatusOr<bool> FieldCodec<ParameterReplication>::Parse(
    std::string_view name, absl::string_view key, TextScanner& scanner,
    ParameterReplication* value) {
  if (key != ToAbsl(name)) return false;
  value->Clear();
  TF_RETURN_IF_ERROR(ScanBraced(scanner, [&]() -> absl::Status {
    TF_ASSIGN_OR_RETURN(bool replicated, scanner.Bool());
    value->add_replicated_at_leaf_buffers(replicated);
    return absl::OkStatus();
  }));
  return true;
}
// std::vector<OutputOperandAlias>: {{0}: (1, {}), {1}: (0, {2})} -------------

template <>
void FieldCodec<std::vector<OutputOperandAlias>>::Print(
    std::string_view name, const std::vector<OutputOperandAlias>& value,
    bool always, std::string* out) {
  if (!always && value.empty()) return;
  PrintAttrName(name, out);
  out->push_back('{');
  absl::string_view separator;
  for (const OutputOperandAlias& alias : value) {
    absl::StrAppend(out, separator);
    PrintIntList(alias.output_index, out);
    absl::StrAppend(out, ": (", alias.operand_number, ", ");
    PrintIntList(alias.operand_index, out);
    out->push_back(')');
    separator = ", ";
  }
  out->push_back('}');
}

template <>
absl::StatusOr<bool> FieldCodec<std::vector<OutputOperandAlias>>::Parse(
    std::string_view name, absl::string_view key, TextScanner& scanner,
    std::vector<OutputOperandAlias>* value) {
  if (key != ToAbsl(name)) return false;
  value->clear();
  TF_RETURN_IF_ERROR(ScanBraced(scanner, [&]() -> absl::Status {
    OutputOperandAlias alias;
    TF_ASSIGN_OR_RETURN(std::vector<int64_t> output, ScanIntList(scanner));
    alias.output_index = ShapeIndex(output.begin(), output.end());
    TF_RETURN_IF_ERROR(scanner.Consume(":"));
    TF_RETURN_IF_ERROR(scanner.Consume("("));
    TF_ASSIGN_OR_RETURN(alias.operand_number, scanner.Int64());
    TF_RETURN_IF_ERROR(scanner.Consume(","));
    TF_ASSIGN_OR_RETURN(std::vector<int64_t> operand, ScanIntList(scanner));
    alias.operand_index = ShapeIndex(operand.begin(), operand.end());
    value->push_back(std::move(alias));
    return scanner.Consume(")");
  }));
  return true;
}

template <>
void FieldCodec<std::vector<OutputOperandAlias>>::ToProto(
    std::string_view proto_name, const std::vector<OutputOperandAlias>& value,
    HloInstructionProto* proto) {
  for (const OutputOperandAlias& alias : value) {
    OutputOperandAliasing* message = proto->add_output_operand_aliasing();
    for (int64_t i : alias.output_index) message->add_output_shape_index(i);
    message->set_operand_index(alias.operand_number);
    for (int64_t i : alias.operand_index) message->add_operand_shape_index(i);
  }
}

template <>
absl::Status FieldCodec<std::vector<OutputOperandAlias>>::FromProto(
    std::string_view proto_name, const HloInstructionProto& proto,
    std::vector<OutputOperandAlias>* value) {
  value->clear();
  for (const OutputOperandAliasing& message : proto.output_operand_aliasing()) {
    value->push_back({ShapeIndex(message.output_shape_index().begin(),
                                 message.output_shape_index().end()),
                      message.operand_index(),
                      ShapeIndex(message.operand_shape_index().begin(),
                                 message.operand_shape_index().end())});
  }
  return absl::OkStatus();
}

}  // namespace xla
