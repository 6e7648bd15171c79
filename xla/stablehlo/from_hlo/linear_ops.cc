// Prints dots, convolutions, FFT, decompositions and batch normalization.
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "xla/base/status_macros.h"
#include "xla/hlo/ops/linear/contraction.h"
#include "xla/hlo/ops/linear/convolution.h"
#include "xla/hlo/ops/linear/linear_algebra.h"
#include "xla/hlo/ops/reduction/batch_norm.h"
#include "xla/stablehlo/from_hlo/module_printer.h"
#include "xla/stablehlo/from_hlo/text_forms.h"

namespace xla::stablehlo {
namespace {

std::string PrecisionText(const PrecisionConfig& config,
                          absl::string_view dialect) {
  std::vector<std::string> elements;
  for (const int precision : config.operand_precision()) {
    const absl::string_view name =
        precision == PrecisionConfig::HIGHEST ? "HIGHEST"
        : precision == PrecisionConfig::HIGH  ? "HIGH"
                                              : "DEFAULT";
    elements.push_back(absl::StrCat("#", dialect, "<precision ", name, ">"));
  }
  return absl::StrCat("precision_config = [", absl::StrJoin(elements, ", "),
                      "]");
}

struct AlgorithmRow {
  PrecisionConfig::Algorithm algorithm;
  absl::string_view operands;
  absl::string_view accumulation;
  int operations;
  bool imprecise;
};

constexpr AlgorithmRow kAlgorithms[] = {
    {PrecisionConfig::ALG_DOT_ANY_F8_ANY_F8_F32, "f8E5M2", "f32", 1, false},
    {PrecisionConfig::ALG_DOT_ANY_F8_ANY_F8_F32_FAST_ACCUM, "f8E5M2", "f32", 1,
     true},
    {PrecisionConfig::ALG_DOT_F16_F16_F16, "f16", "f16", 1, false},
    {PrecisionConfig::ALG_DOT_F16_F16_F32, "f16", "f32", 1, false},
    {PrecisionConfig::ALG_DOT_BF16_BF16_BF16, "bf16", "bf16", 1, false},
    {PrecisionConfig::ALG_DOT_BF16_BF16_F32, "bf16", "f32", 1, false},
    {PrecisionConfig::ALG_DOT_BF16_BF16_F32_X3, "bf16", "f32", 3, false},
    {PrecisionConfig::ALG_DOT_BF16_BF16_F32_X6, "bf16", "f32", 6, false},
    {PrecisionConfig::ALG_DOT_BF16_BF16_F32_X9, "bf16", "f32", 9, false},
    {PrecisionConfig::ALG_DOT_TF32_TF32_F32, "tf32", "f32", 1, false},
    {PrecisionConfig::ALG_DOT_TF32_TF32_F32_X3, "tf32", "f32", 3, false},
    {PrecisionConfig::ALG_DOT_F32_F32_F32, "f32", "f32", 1, false},
    {PrecisionConfig::ALG_DOT_F64_F64_F64, "f64", "f64", 1, false},
};

std::string AlgorithmText(const AlgorithmRow& row) {
  return absl::StrCat(
      "algorithm = #stablehlo.dot_algorithm<lhs_precision_type = ",
      row.operands, ", rhs_precision_type = ", row.operands,
      ", accumulation_type = ", row.accumulation,
      ", lhs_component_count = 1, rhs_component_count = 1, "
      "num_primitive_operations = ",
      row.operations,
      ", allow_imprecise_accumulation = ", row.imprecise ? "true" : "false",
      ">");
}

std::string DotFields(const DotDimensionNumbers& dims) {
  return absl::StrCat(
      "lhs_batching_dimensions = ", ListText(dims.lhs_batch_dimensions()),
      ", rhs_batching_dimensions = ", ListText(dims.rhs_batch_dimensions()),
      ", lhs_contracting_dimensions = ",
      ListText(dims.lhs_contracting_dimensions()),
      ", rhs_contracting_dimensions = ",
      ListText(dims.rhs_contracting_dimensions()));
}

// "[b, 0, 1, f]": letters and numbers at the positions of the dimensions.
template <typename Spatial>
std::string LabelsText(absl::string_view first, int64_t first_at,
                       absl::string_view second, int64_t second_at,
                       const Spatial& spatial) {
  std::vector<std::string> labels(spatial.size() + 2);
  labels[first_at] = std::string(first);
  labels[second_at] = std::string(second);
  for (int i = 0; i < spatial.size(); ++i) {
    labels[spatial[i]] = absl::StrCat(i);
  }
  return absl::StrCat("[", absl::StrJoin(labels, ", "), "]");
}

std::string ConvolutionText(const ConvolutionDimensionNumbers& dims) {
  return absl::StrCat("dimension_numbers = #stablehlo.conv<",
                      LabelsText("b", dims.input_batch_dimension(), "f",
                                 dims.input_feature_dimension(),
                                 dims.input_spatial_dimensions()),
                      "x",
                      LabelsText("i", dims.kernel_input_feature_dimension(),
                                 "o", dims.kernel_output_feature_dimension(),
                                 dims.kernel_spatial_dimensions()),
                      "->",
                      LabelsText("b", dims.output_batch_dimension(), "f",
                                 dims.output_feature_dimension(),
                                 dims.output_spatial_dimensions()),
                      ">");
}

}  // namespace

absl::Status ModulePrinter::PrintLinear(const HloInstruction& hlo,
                                        Frame& frame) {
  std::string name = absl::StrCat("stablehlo.", HloOpcodeString(hlo.opcode()));
  for (char& c : name) c = c == '-' ? '_' : c;
  TF_ASSIGN_OR_RETURN(OpText op, Start(hlo, frame, name));
  if (const auto* fft = hlo.raw_attrs().As<FftAttrs>()) {
    op.attributes.push_back(absl::StrCat("fft_type = #stablehlo<fft_type ",
                                         FftType_Name(fft->fft_type), ">"));
    op.attributes.push_back(
        absl::StrCat("fft_length = ", ArrayText(fft->fft_length)));
  } else if (const auto* cholesky = hlo.raw_attrs().As<CholeskyAttrs>()) {
    op.attributes.push_back(
        BoolText("lower", cholesky->cholesky_options.lower()));
  } else if (const auto* solve = hlo.raw_attrs().As<TriangularSolveAttrs>()) {
    const TriangularSolveOptions& options = solve->triangular_solve_options;
    op.attributes.push_back(BoolText("left_side", options.left_side()));
    op.attributes.push_back(BoolText("lower", options.lower()));
    op.attributes.push_back(BoolText("unit_diagonal", options.unit_diagonal()));
    op.attributes.push_back(absl::StrCat(
        "transpose_a = #stablehlo<transpose ",
        TriangularSolveOptions::Transpose_Name(options.transpose_a()), ">"));
  } else {
    const auto& norm = hlo.attrs<BatchNormAttrs>();
    op.attributes.push_back(
        absl::StrCat("epsilon = ", FloatText(norm.epsilon), " : f32"));
    op.attributes.push_back(Int64Text("feature_index", norm.feature_index));
  }
  return Finish(hlo, frame, op);
}

absl::Status ModulePrinter::PrintDot(const HloInstruction& hlo, Frame& frame) {
  const auto& attrs = hlo.attrs<DotAttrs>();
  if (hlo.operand_count() != 2) {
    return Unsupported(hlo, "StableHLO has no sparse dots");
  }
  TF_ASSIGN_OR_RETURN(OpText op, Start(hlo, frame, "stablehlo.dot_general"));
  op.attributes.push_back(
      absl::StrCat("dot_dimension_numbers = #stablehlo.dot<",
                   DotFields(attrs.dot_dimension_numbers), ">"));
  const PrecisionConfig& config = attrs.precision_config;
  if (config.algorithm() == PrecisionConfig::ALG_UNSET) {
    if (config.operand_precision_size() == 2) {
      op.attributes.push_back(PrecisionText(config, "stablehlo"));
    }
    return Finish(hlo, frame, op);
  }
  // An algorithm determines the precision completely.
  for (const AlgorithmRow& row : kAlgorithms) {
    if (row.algorithm != config.algorithm()) continue;
    op.attributes.push_back(AlgorithmText(row));
    return Finish(hlo, frame, op);
  }
  return Unsupported(hlo, "StableHLO has no such dot algorithm");
}

absl::Status ModulePrinter::PrintRaggedDot(const HloInstruction& hlo,
                                           Frame& frame) {
  const auto& attrs = hlo.attrs<RaggedDotAttrs>();
  const RaggedDotDimensionNumbers& dims = attrs.ragged_dot_dimension_numbers;
  TF_ASSIGN_OR_RETURN(OpText op, Start(hlo, frame, "chlo.ragged_dot"));
  op.attributes.push_back(absl::StrCat(
      "ragged_dot_dimension_numbers = #chlo.ragged_dot<",
      DotFields(dims.dot_dimension_numbers()),
      ", lhs_ragged_dimensions = ", ListText(dims.lhs_ragged_dimensions()),
      ", rhs_group_dimensions = ", ListText(dims.rhs_group_dimensions()), ">"));
  if (attrs.precision_config.operand_precision_size() == 2) {
    op.attributes.push_back(PrecisionText(attrs.precision_config, "chlo"));
  }
  return Finish(hlo, frame, op);
}

absl::Status ModulePrinter::PrintConvolution(const HloInstruction& hlo,
                                             Frame& frame) {
  const auto& attrs = hlo.attrs<ConvolutionAttrs>();
  if (attrs.sparsity_config.has_lhs() || attrs.sparsity_config.has_rhs() ||
      attrs.convolution_kind != CONVOLUTION_KIND_UNSET) {
    return Unsupported(
        hlo, "StableHLO has neither sparsity_config nor convolution_kind");
  }
  if (hlo.operand(0)->shape().element_type() !=
      hlo.operand(1)->shape().element_type()) {
    return Unsupported(hlo, "StableHLO's operands have one type");
  }
  std::vector<int64_t> strides, lhs_dilation, rhs_dilation;
  std::vector<std::vector<int64_t>> padding;
  std::vector<bool> reversal;
  for (const WindowDimension& dimension : attrs.window.dimensions()) {
    strides.push_back(dimension.stride());
    lhs_dilation.push_back(dimension.base_dilation());
    rhs_dilation.push_back(dimension.window_dilation());
    padding.push_back({dimension.padding_low(), dimension.padding_high()});
    reversal.push_back(dimension.window_reversal());
  }
  TF_ASSIGN_OR_RETURN(OpText op, Start(hlo, frame, "stablehlo.convolution"));
  if (!strides.empty()) {
    op.attributes.insert(
        op.attributes.end(),
        {absl::StrCat("window_strides = ", ArrayText(strides)),
         absl::StrCat("padding = ", MatrixText(padding)),
         absl::StrCat("lhs_dilation = ", ArrayText(lhs_dilation)),
         absl::StrCat("rhs_dilation = ", ArrayText(rhs_dilation)),
         absl::StrCat("window_reversal = ", BoolArrayText(reversal))});
  }
  op.attributes.push_back(ConvolutionText(attrs.convolution_dimension_numbers));
  op.attributes.push_back(
      Int64Text("feature_group_count", attrs.feature_group_count));
  op.attributes.push_back(
      Int64Text("batch_group_count", attrs.batch_group_count));
  if (attrs.precision_config.operand_precision_size() == 2) {
    op.attributes.push_back(PrecisionText(attrs.precision_config, "stablehlo"));
  }
  return Finish(hlo, frame, op);
}

}  // namespace xla::stablehlo
