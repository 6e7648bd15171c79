// Ops on quantized tensors. Arithmetic is done in floating point between
// dequantize and quantize, as the specification defines it; ops that move
// elements or call others work on the stored integers, and so do regions,
// whose own ops are quantized again.
#include <deque>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "xla/base/status_macros.h"
#include "xla/stablehlo/to_hlo/conversion/module_conversion.h"
#include "xla/stablehlo/to_hlo/conversion/rules.h"
#include "xla/stablehlo/to_hlo/ops/quantization.h"

namespace xla::stablehlo {
namespace {

bool IsQuantized(const Type& type) { return type.quantized != nullptr; }

// Quantizes numbers, or values of another quantized type.
absl::Status ConvertQuantize(OpConversion& conversion) {
  TF_RETURN_IF_ERROR(conversion.ExpectOperands(1));
  TF_RETURN_IF_ERROR(conversion.ExpectResults(1));
  HloInstruction* value = conversion.operand(0);
  const Type& from = *conversion.op().operands[0]->type;
  if (IsQuantized(from)) {
    TF_ASSIGN_OR_RETURN(value, Dequantize(conversion, value, from));
  }
  TF_ASSIGN_OR_RETURN(HloInstruction * result,
                      Quantize(conversion, value, conversion.result_type()));
  conversion.SetResults(result);
  return absl::OkStatus();
}

absl::Status ConvertDequantize(OpConversion& conversion) {
  TF_RETURN_IF_ERROR(conversion.ExpectOperands(1));
  TF_RETURN_IF_ERROR(conversion.ExpectResults(1));
  TF_ASSIGN_OR_RETURN(HloInstruction * result,
                      Dequantize(conversion, conversion.operand(0),
                                 *conversion.op().operands[0]->type));
  conversion.SetResults(result);
  return absl::OkStatus();
}

constexpr absl::string_view kQuantize = "stablehlo.uniform_quantize";
constexpr absl::string_view kDequantize = "stablehlo.uniform_dequantize";

constexpr Rule kQuantizedRules[] = {
    {kQuantize, ConvertQuantize},
    {kDequantize, ConvertDequantize},
};

// Returns true for ops that compute with the values of elements.
bool IsArithmetic(absl::string_view name) {
  static const auto* const kNames = [] {
    auto* names = new absl::flat_hash_set<absl::string_view>();
    for (absl::Span<const Rule> rules :
         {ElementwiseRules(), ChloRules(), ContractionRules(),
          LinearAlgebraRules()}) {
      for (const Rule& rule : rules) names->insert(rule.name);
    }
    for (absl::string_view moving :
         {"stablehlo.select", "stablehlo.bitcast_convert", "chlo.constant_like",
          "chlo.broadcast_select", "chlo.top_k", "chlo.scan"}) {
      names->erase(moving);
    }
    return names;
  }();
  return kNames->contains(name);
}

// Checks ops that only move elements: operands and results must have the same
// quantization.
absl::Status CheckSameScale(OpConversion& conversion) {
  for (absl::Span<const Rule> rules :
       {MovementRules(), IndexingRules(), DynamicRules()}) {
    const bool moves = absl::c_any_of(rules, [&](const Rule& rule) {
      return rule.name == conversion.op().name;
    });
    if (!moves || conversion.result_count() == 0) continue;
    const QuantizedType* result = conversion.result_type().quantized;
    for (const Value* operand : conversion.op().operands) {
      const QuantizedType* type = operand->type->quantized;
      if (type == nullptr || result == nullptr || type->scales.size() != 1 ||
          result->scales.size() != 1) {
        continue;
      }
      if (type->scales != result->scales ||
          type->zero_points != result->zero_points ||
          type->storage_type != result->storage_type) {
        return conversion.Error(
            absl::StrCat("operands and results must be quantized alike, got ",
                         operand->type->ToString(), " and ",
                         conversion.result_type().ToString()));
      }
    }
  }
  return absl::OkStatus();
}

Type ExpressedType(const Type& type) {
  Type expressed = type;
  if (IsQuantized(type)) {
    expressed.element_type = type.quantized->expressed_type;
    expressed.quantized = nullptr;
  }
  return expressed;
}

// Applies the op to expressed types, between dequantize and quantize.
absl::Status Expand(OpConversion& conversion, const Rule& rule) {
  const Op& op = conversion.op();
  std::vector<HloInstruction*> operands(conversion.operands().begin(),
                                        conversion.operands().end());
  for (size_t i = 0; i < operands.size() && i < op.operands.size(); ++i) {
    const Type& type = *op.operands[i]->type;
    if (!IsQuantized(type)) continue;
    TF_ASSIGN_OR_RETURN(operands[i], Dequantize(conversion, operands[i], type));
  }
  std::deque<Type> types;
  std::vector<Value> results(op.results.begin(), op.results.end());
  for (Value& result : results) {
    result.type = &types.emplace_back(ExpressedType(*result.type));
  }
  Op expanded = op;
  expanded.results = absl::MakeSpan(results);
  OpConversion inner(conversion.module(), conversion.computation(), expanded,
                     operands);
  TF_RETURN_IF_ERROR(rule.convert(inner));
  conversion.AddRead(inner);
  for (const Value& result : op.results) {
    if (!IsQuantized(*result.type)) continue;
    HloInstruction* value = conversion.module().value(result);
    if (value == nullptr) return conversion.Error("a result has no value");
    TF_ASSIGN_OR_RETURN(value, Quantize(conversion, value, *result.type));
    conversion.module().set_value(result, value);
  }
  return absl::OkStatus();
}

}  // namespace

absl::Span<const Rule> QuantizedRules() { return kQuantizedRules; }

bool HasQuantizedType(const Op& op) {
  for (const Value& result : op.results) {
    if (IsQuantized(*result.type)) return true;
  }
  for (const Value* operand : op.operands) {
    if (IsQuantized(*operand->type)) return true;
  }
  return false;
}

absl::Status ConvertQuantizedOp(OpConversion& conversion) {
  const absl::string_view name = conversion.op().name;
  const Rule* rule = FindRule(name);
  if (rule == nullptr) {
    return conversion.Unimplemented("there is no rule for this op");
  }
  if (IsArithmetic(name)) return Expand(conversion, *rule);
  TF_RETURN_IF_ERROR(CheckSameScale(conversion));
  return rule->convert(conversion);
}

}  // namespace xla::stablehlo
