// Prints ops on elements, constants and random numbers.
#include <algorithm>
#include <optional>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "xla/base/status_macros.h"
#include "xla/core/comparison.h"
#include "xla/core/primitive_util.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/ops/elementwise/elementwise_binary.h"
#include "xla/hlo/ops/elementwise/elementwise_other.h"
#include "xla/hlo/ops/elementwise/elementwise_unary.h"
#include "xla/hlo/ops/random.h"
#include "xla/hlo/ops/values.h"
#include "xla/stablehlo/from_hlo/module_printer.h"
#include "xla/stablehlo/from_hlo/text_forms.h"

namespace xla::stablehlo {
namespace {

struct NameRow {
  HloOpcode opcode;
  absl::string_view name;
};

// Ops whose names are not HLO's with '_' for '-'.
constexpr NameRow kNames[] = {
    {HloOpcode::kAcos, "chlo.acos"},
    {HloOpcode::kAcosh, "chlo.acosh"},
    {HloOpcode::kAsin, "chlo.asin"},
    {HloOpcode::kAsinh, "chlo.asinh"},
    {HloOpcode::kAtanh, "chlo.atanh"},
    {HloOpcode::kClz, "stablehlo.count_leading_zeros"},
    {HloOpcode::kCosh, "chlo.cosh"},
    {HloOpcode::kErf, "chlo.erf"},
    {HloOpcode::kErfc, "chlo.erfc"},
    {HloOpcode::kExpm1, "stablehlo.exponential_minus_one"},
    {HloOpcode::kLog1p, "stablehlo.log_plus_one"},
    {HloOpcode::kMulhi, "chlo.mulhi"},
    {HloOpcode::kSinh, "chlo.sinh"},
};

std::string NameOf(HloOpcode opcode) {
  for (const NameRow& row : kNames) {
    if (row.opcode == opcode) return std::string(row.name);
  }
  std::string name = absl::StrCat("stablehlo.", HloOpcodeString(opcode));
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

std::optional<std::string> AccuracyText(const HloInstruction& hlo) {
  const AccuracyAttrs* attrs = hlo.raw_attrs().As<AccuracyAttrs>();
  if (attrs == nullptr) return std::nullopt;
  const ResultAccuracy& accuracy = attrs->result_accuracy;
  constexpr absl::string_view kMode = "mode = #stablehlo.result_accuracy_mode<";
  constexpr absl::string_view kName =
      "result_accuracy = #stablehlo.result_accuracy<";
  if (accuracy.has_tolerance()) {
    return absl::StrCat(
        kName, "atol = ", FloatText(accuracy.tolerance().atol()),
        ", rtol = ", FloatText(accuracy.tolerance().rtol()),
        ", ulps = ", accuracy.tolerance().ulps(), ", ", kMode, "TOLERANCE>>");
  }
  if (accuracy.mode() != ResultAccuracy::HIGHEST) return std::nullopt;
  return absl::StrCat(kName, kMode, "HIGHEST>>");
}

int DynamicCount(const Shape& shape) {
  int count = 0;
  for (int i = 0; i < shape.rank(); ++i) {
    count += shape.is_dynamic_dimension(i);
  }
  return count;
}

}  // namespace

absl::Status ModulePrinter::PrintElementwise(const HloInstruction& hlo,
                                             Frame& frame) {
  if (hlo.opcode() == HloOpcode::kCompare) return PrintCompare(hlo, frame);
  if (hlo.opcode() == HloOpcode::kStochasticConvert) {
    return Unsupported(hlo, "StableHLO has no such op");
  }
  const std::string name = NameOf(hlo.opcode());
  TF_ASSIGN_OR_RETURN(OpText op, Start(hlo, frame, name));
  if (hlo.shape().IsTuple()) return PrintTupleSelect(hlo, frame, op);
  TF_RETURN_IF_ERROR(ConvertMixedTypes(hlo, op));
  if (absl::StartsWith(name, "chlo.")) return Finish(hlo, frame, op);
  // The predicate or bounds may be scalars; the single type of the short form
  // would not tell that of a predicate.
  op.generic = hlo.opcode() == HloOpcode::kSelect;
  op.short_types = hlo.opcode() != HloOpcode::kBitcastConvert &&
                   hlo.opcode() != HloOpcode::kConvert &&
                   hlo.opcode() != HloOpcode::kReshape;
  if (hlo.opcode() == HloOpcode::kReshape &&
      (DynamicCount(hlo.shape()) > 1 ||
       DynamicCount(hlo.operand(0)->shape()) > 1)) {
    return Unsupported(hlo, "StableHLO has at most one bounded dimension here");
  }
  if (hlo.opcode() == HloOpcode::kBitcastConvert) {
    return PrintBitcastConvert(hlo, frame, std::move(op));
  }
  if (hlo.opcode() == HloOpcode::kReducePrecision) {
    const auto& attrs = hlo.attrs<ReducePrecisionAttrs>();
    op.suffix = absl::StrCat(", format = e", attrs.exponent_bits, "m",
                             attrs.mantissa_bits);
  }
  if (const auto accuracy = AccuracyText(hlo)) {
    op.attributes.push_back(*accuracy);
  }
  return Finish(hlo, frame, op);
}

// A pred has 8 bits in HLO but one in StableHLO, so it is converted through
// bytes.
absl::Status ModulePrinter::PrintBitcastConvert(const HloInstruction& hlo,
                                                Frame& frame, OpText op) {
  const Shape& from = hlo.operand(0)->shape();
  if (from.element_type() == PRED) {
    TF_ASSIGN_OR_RETURN(op.operands[0], Convert(op.operands[0], from, U8));
    TF_ASSIGN_OR_RETURN(op.operand_types[0],
                        TypeText(ShapeUtil::ChangeElementType(from, U8)));
  }
  if (hlo.shape().element_type() != PRED) return Finish(hlo, frame, op);
  const Shape bytes = ShapeUtil::ChangeElementType(hlo.shape(), U8);
  TF_ASSIGN_OR_RETURN(op.result_types[0], TypeText(bytes));
  TF_ASSIGN_OR_RETURN(const Names names, Write(op));
  TF_ASSIGN_OR_RETURN(std::string result, Convert(names[0], bytes, PRED));
  frame.names[&hlo] = {std::move(result)};
  return absl::OkStatus();
}

absl::Status ModulePrinter::ConvertMixedTypes(const HloInstruction& hlo,
                                              OpText& op) {
  const PrimitiveType declared = hlo.shape().element_type();
  const bool is_float = primitive_util::IsFloatingPointType(declared);
  if ((!is_float && declared != PRED) || hlo.opcode() == HloOpcode::kConvert ||
      hlo.opcode() == HloOpcode::kBitcastConvert) {
    return absl::OkStatus();
  }
  const int64_t first = hlo.opcode() == HloOpcode::kSelect ? 1 : 0;
  PrimitiveType type = declared;
  for (int64_t i = first; i < hlo.operand_count(); ++i) {
    const PrimitiveType operand = hlo.operand(i)->shape().element_type();
    if (!primitive_util::IsFloatingPointType(operand)) return absl::OkStatus();
    type = i == first && !is_float ? operand : HoldingType(type, operand);
  }
  for (int64_t i = first; i < hlo.operand_count(); ++i) {
    TF_RETURN_IF_ERROR(ConvertOperand(hlo, i, type, op));
  }
  if (!is_float || declared == type) return absl::OkStatus();
  Shape shape = ShapeUtil::ChangeElementType(hlo.shape(), type);
  TF_ASSIGN_OR_RETURN(op.result_types[0], TypeText(shape));
  op.converted_results.push_back({0, std::move(shape), declared});
  return absl::OkStatus();
}

absl::Status ModulePrinter::ConvertOperand(const HloInstruction& hlo, int64_t i,
                                           PrimitiveType type, OpText& op) {
  const Shape& shape = hlo.operand(i)->shape();
  if (shape.element_type() == type) return absl::OkStatus();
  TF_ASSIGN_OR_RETURN(op.operands[i], Convert(op.operands[i], shape, type));
  TF_ASSIGN_OR_RETURN(op.operand_types[i],
                      TypeText(ShapeUtil::ChangeElementType(shape, type)));
  return absl::OkStatus();
}

// Prints one select for each leaf.
absl::Status ModulePrinter::PrintTupleSelect(const HloInstruction& hlo,
                                             Frame& frame, const OpText& op) {
  const size_t count = op.result_types.size();
  if (op.operands.size() != 2 * count + 1) {
    return Unsupported(hlo, "StableHLO has no tuples of this kind");
  }
  Names names;
  for (size_t i = 0; i < count; ++i) {
    OpText leaf = op;
    leaf.operands = {op.operands[0], op.operands[1 + i],
                     op.operands[1 + count + i]};
    leaf.operand_types = {op.operand_types[0], op.operand_types[1 + i],
                          op.operand_types[1 + count + i]};
    leaf.result_types = {op.result_types[i]};
    TF_ASSIGN_OR_RETURN(const Names name, Write(leaf));
    names.push_back(name[0]);
  }
  frame.names[&hlo] = std::move(names);
  return absl::OkStatus();
}

absl::Status ModulePrinter::PrintCompare(const HloInstruction& hlo,
                                         Frame& frame) {
  const auto& attrs = hlo.attrs<CompareAttrs>();
  TF_ASSIGN_OR_RETURN(OpText op, Start(hlo, frame, "stablehlo.compare"));
  TF_RETURN_IF_ERROR(ConvertMixedTypes(hlo, op));
  op.attributes.push_back(
      absl::StrCat("comparison_direction = #stablehlo<comparison_direction ",
                   ComparisonDirectionToString(attrs.direction), ">"));
  if (attrs.type == Comparison::Type::kFloatTotalOrder) {
    op.attributes.push_back(
        "compare_type = #stablehlo<comparison_type TOTALORDER>");
  }
  return Finish(hlo, frame, op);
}

absl::Status ModulePrinter::PrintConstant(const HloInstruction& hlo,
                                          Frame& frame) {
  if (!hlo.shape().IsArray()) {
    return Unsupported(hlo, "StableHLO has no constants of this shape");
  }
  TF_ASSIGN_OR_RETURN(OpText op, Start(hlo, frame, "stablehlo.constant"));
  op.generic = false;
  if (!op.attributes.empty()) {
    op.suffix = absl::StrCat(" {", absl::StrJoin(op.attributes, ", "), "}");
    op.attributes.clear();
  }
  absl::StrAppend(&op.suffix, " ", DenseText(hlo.literal()));
  return Finish(hlo, frame, op);
}

absl::Status ModulePrinter::PrintRng(const HloInstruction& hlo, Frame& frame) {
  if (hlo.opcode() == HloOpcode::kRngBitGenerator) {
    TF_ASSIGN_OR_RETURN(OpText op,
                        Start(hlo, frame, "stablehlo.rng_bit_generator"));
    const RandomAlgorithm algorithm =
        hlo.attrs<RngBitGeneratorAttrs>().algorithm;
    op.attributes.push_back(
        absl::StrCat("rng_algorithm = #stablehlo<rng_algorithm ",
                     algorithm == RNG_THREE_FRY ? "THREE_FRY"
                     : algorithm == RNG_PHILOX  ? "PHILOX"
                                                : "DEFAULT",
                     ">"));
    return Finish(hlo, frame, op);
  }
  if (hlo.operand_count() != 2) {
    return Unsupported(hlo, "StableHLO's has two operands and a shape");
  }
  TF_ASSIGN_OR_RETURN(OpText op, Start(hlo, frame, "stablehlo.rng"));
  const absl::Span<const int64_t> sizes = hlo.shape().dimensions();
  OpText shape;
  shape.name = "stablehlo.constant";
  shape.generic = false;
  shape.suffix = sizes.empty() ? " dense<>"
                               : absl::StrCat(" dense<", ListText(sizes), ">");
  shape.result_types = {absl::StrCat("tensor<", sizes.size(), "xi64>")};
  op.operand_types.push_back(shape.result_types[0]);
  TF_ASSIGN_OR_RETURN(const Names name, Write(shape));
  op.operands.push_back(name[0]);
  const bool uniform = hlo.attrs<RngAttrs>().distribution == RNG_UNIFORM;
  op.attributes.push_back(
      absl::StrCat("rng_distribution = #stablehlo<rng_distribution ",
                   uniform ? "UNIFORM" : "NORMAL", ">"));
  return Finish(hlo, frame, op);
}

}  // namespace xla::stablehlo
