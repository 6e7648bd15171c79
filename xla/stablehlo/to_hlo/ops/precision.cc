// Reads the precision of products, and finds HLO's name for a dot algorithm.
#include "xla/stablehlo/to_hlo/ops/precision.h"

#include <algorithm>
#include <string>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "xla/base/status_macros.h"
#include "xla/core/primitive_util.h"

namespace xla::stablehlo {
namespace {

struct Algorithm {
  absl::string_view operand_type;  // of both operands; "f8": any of 8 bits
  absl::string_view accumulation_type;
  int64_t operations;
  bool imprecise;
  PrecisionConfig::Algorithm name;
};

// The algorithms, without their component counts; num_primitive_operations
// distinguishes them.
constexpr Algorithm kAlgorithms[] = {
    {"f8", "f32", 1, false, PrecisionConfig::ALG_DOT_ANY_F8_ANY_F8_F32},
    {"f8", "f32", 1, true,
     PrecisionConfig::ALG_DOT_ANY_F8_ANY_F8_F32_FAST_ACCUM},
    {"f16", "f16", 1, false, PrecisionConfig::ALG_DOT_F16_F16_F16},
    {"f16", "f32", 1, false, PrecisionConfig::ALG_DOT_F16_F16_F32},
    {"bf16", "bf16", 1, false, PrecisionConfig::ALG_DOT_BF16_BF16_BF16},
    {"bf16", "f32", 1, false, PrecisionConfig::ALG_DOT_BF16_BF16_F32},
    {"bf16", "f32", 3, false, PrecisionConfig::ALG_DOT_BF16_BF16_F32_X3},
    {"bf16", "f32", 6, false, PrecisionConfig::ALG_DOT_BF16_BF16_F32_X6},
    {"bf16", "f32", 9, false, PrecisionConfig::ALG_DOT_BF16_BF16_F32_X9},
    {"tf32", "f32", 1, false, PrecisionConfig::ALG_DOT_TF32_TF32_F32},
    {"tf32", "f32", 3, false, PrecisionConfig::ALG_DOT_TF32_TF32_F32_X3},
    {"f32", "f32", 1, false, PrecisionConfig::ALG_DOT_F32_F32_F32},
    {"f64", "f64", 1, false, PrecisionConfig::ALG_DOT_F64_F64_F64},
};

// Returns "f32", "tf32" (which is no element type of tensors), "f8" for any of
// 8 bits.
std::string TypeName(OpConversion& conversion, absl::string_view attribute) {
  const Attribute* found = conversion.Find(attribute);
  if (found == nullptr || found->type == nullptr) return "";
  const PrimitiveType type = found->type->element_type;
  if (primitive_util::IsF8Type(type)) return "f8";
  if (primitive_util::IsArrayType(type)) {
    return absl::AsciiStrToLower(
        primitive_util::LowercasePrimitiveTypeName(type));
  }
  return absl::StrContains(absl::AsciiStrToLower(found->type->text), "tf32")
             ? "tf32"
             : "";
}

absl::StatusOr<PrecisionConfig::Algorithm> AlgorithmOf(
    OpConversion& conversion) {
  const std::string lhs = TypeName(conversion, "lhs_precision_type");
  const std::string rhs = TypeName(conversion, "rhs_precision_type");
  const std::string accumulation = TypeName(conversion, "accumulation_type");
  if (lhs.empty() && rhs.empty() && accumulation.empty()) {
    return PrecisionConfig::ALG_UNSET;
  }
  for (absl::string_view count :
       {"lhs_component_count", "rhs_component_count"}) {
    TF_ASSIGN_OR_RETURN(const int64_t components,
                        conversion.IntegerOr(count, 1));
    if (components != 1) {
      return conversion.Unimplemented(absl::StrCat(
          "no dot algorithm of HLO has operands of several components: ", count,
          " is ", components));
    }
  }
  TF_ASSIGN_OR_RETURN(int64_t operations,
                      conversion.IntegerOr("num_primitive_operations", 1));
  TF_ASSIGN_OR_RETURN(bool imprecise,
                      conversion.BoolOr("allow_imprecise_accumulation", false));
  for (const Algorithm& algorithm : kAlgorithms) {
    if (lhs == algorithm.operand_type && rhs == algorithm.operand_type &&
        accumulation == algorithm.accumulation_type &&
        operations == algorithm.operations &&
        imprecise == algorithm.imprecise) {
      return algorithm.name;
    }
  }
  return conversion.Unimplemented(
      absl::StrCat("no dot algorithm of HLO has operand types '", lhs,
                   "' and '", rhs, "', accumulation type '", accumulation,
                   "', ", operations, " primitive operations and ",
                   imprecise ? "" : "no ", "imprecise accumulation"));
}

}  // namespace

absl::StatusOr<PrecisionConfig> PrecisionOf(OpConversion& conversion) {
  PrecisionConfig config;
  const Attribute* precision = conversion.Find("precision_config");
  bool is_default = true;
  if (precision != nullptr && precision->kind != Attribute::Kind::kArray) {
    return conversion.Error("precision_config must be a list");
  }
  if (precision != nullptr) {
    for (const Attribute* element : precision->elements) {
      PrecisionConfig::Precision parsed = PrecisionConfig::DEFAULT;
      if (element->text == "HIGH") {
        parsed = PrecisionConfig::HIGH;
      } else if (element->text == "HIGHEST") {
        parsed = PrecisionConfig::HIGHEST;
      } else if (element->text != "DEFAULT") {
        return conversion.Error(
            absl::StrCat("unknown precision: '", element->text, "'"));
      }
      is_default = is_default && parsed == PrecisionConfig::DEFAULT;
      config.add_operand_precision(parsed);
    }
  }
  if (is_default) config.clear_operand_precision();
  TF_ASSIGN_OR_RETURN(PrecisionConfig::Algorithm algorithm,
                      AlgorithmOf(conversion));
  config.set_algorithm(algorithm);
  return config;
}

}  // namespace xla::stablehlo
