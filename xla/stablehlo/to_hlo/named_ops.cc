// Converts "chlo.X" and "mhlo.X" to HLO ops.
#include "xla/stablehlo/to_hlo/named_ops.h"

#include "absl/strings/str_replace.h"
#include "absl/strings/strip.h"
#include "xla/base/status_macros.h"
#include "xla/hlo/ops/elementwise/elementwise_unary.h"
#include "xla/hlo/ops/hlo_opcode.h"
#include "xla/hlo/ops/movement/sorting.h"
#include "xla/hlo/ops/op_def.h"
#include "xla/stablehlo/to_hlo/conversion/rules.h"

namespace xla::stablehlo {
namespace {

// Returns the row of the element-wise op that MHLO or CHLO names `name`, with
// '_' for HLO's '-'; null if there is none, or if it needs more than operands.
const OpDef* FindElementwise(absl::string_view name) {
  const absl::StatusOr<HloOpcode> opcode =
      StringToHloOpcode(absl::StrReplaceAll(name, {{"_", "-"}}));
  if (!opcode.ok()) return nullptr;
  const OpDef& row = GetOpDef(*opcode);
  const bool is_plain =
      row.elementwise && !row.declares_shape && row.computations.size() == 0 &&
      (row.attrs == &kNoAttrsDef || row.attrs == AttrsOf<AccuracyAttrs>());
  return is_plain ? &row : nullptr;
}

// Finds the k greatest elements of the last dimension, and their indices.
absl::Status ConvertTopK(const Attribute* attributes,
                         OpConversion& conversion) {
  TF_RETURN_IF_ERROR(conversion.ExpectOperands(1));
  TF_RETURN_IF_ERROR(conversion.ExpectResults(2));
  const Attribute* k = attributes == nullptr ? nullptr : attributes->Field("k");
  if (k == nullptr) return conversion.Error("top_k needs its attribute k");
  const Attribute* largest = attributes->Field("largest");
  return conversion.Emit(
      HloOpcode::kTopK, conversion.operands(),
      TopKAttrs{.k = k->integer,
                .largest = largest == nullptr || largest->integer != 0});
}

// Composites that have the region of the op that they represent: the region and
// the attributes define the result, whatever the decomposition does. (jaxlib
// 0.10's decomposition of chlo.scan always runs forwards.)
constexpr absl::string_view kOpsWithRegion[] = {"chlo.scan"};

absl::Status ConvertAsOp(absl::string_view name, const Attribute& attributes,
                         OpConversion& conversion) {
  Op op = conversion.op();
  op.name = name;
  op.attributes = attributes.fields;
  OpConversion as_op(conversion.module(), conversion.computation(), op,
                     conversion.operands());
  TF_RETURN_IF_ERROR(FindRule(name)->convert(as_op));
  return as_op.CheckAllRead();
}

}  // namespace

absl::StatusOr<bool> ConvertNamedOp(absl::string_view name,
                                    const Attribute* attributes,
                                    OpConversion& conversion) {
  if (!conversion.op().regions.empty() && attributes != nullptr) {
    for (absl::string_view op : kOpsWithRegion) {
      if (op != name) continue;
      TF_RETURN_IF_ERROR(ConvertAsOp(op, *attributes, conversion));
      return true;
    }
  }
  if (!absl::ConsumePrefix(&name, "chlo.") &&
      !absl::ConsumePrefix(&name, "mhlo.")) {
    return false;
  }
  if (name == "top_k" || name == "topk") {
    TF_RETURN_IF_ERROR(ConvertTopK(attributes, conversion));
    return true;
  }
  const OpDef* row = FindElementwise(name);
  if (row == nullptr) return false;
  TF_RETURN_IF_ERROR(conversion.ExpectOperands(row->operands.size()));
  TF_RETURN_IF_ERROR(conversion.ExpectResults(1));
  TF_RETURN_IF_ERROR(conversion.Emit(row->opcode, conversion.operands()));
  return true;
}

}  // namespace xla::stablehlo
