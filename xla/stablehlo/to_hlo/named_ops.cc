// Converts "chlo.X" and "mhlo.X" to HLO ops.
#include "xla/stablehlo/to_hlo/named_ops.h"

#include "absl/strings/strip.h"
#include "xla/base/status_macros.h"
#include "xla/hlo/ops/hlo_opcode.h"
#include "xla/hlo/ops/movement/sorting.h"
#include "xla/stablehlo/to_hlo/conversion/rules.h"

namespace xla::stablehlo {
namespace {

struct NamedOp {
  absl::string_view name;
  HloOpcode opcode;
  int64_t operands;
};

constexpr NamedOp kNamedOps[] = {
    {"acos", HloOpcode::kAcos, 1},   {"acosh", HloOpcode::kAcosh, 1},
    {"asin", HloOpcode::kAsin, 1},   {"asinh", HloOpcode::kAsinh, 1},
    {"atanh", HloOpcode::kAtanh, 1}, {"cosh", HloOpcode::kCosh, 1},
    {"erf", HloOpcode::kErf, 1},     {"mulhi", HloOpcode::kMulhi, 2},
    {"sinh", HloOpcode::kSinh, 1},   {"tan", HloOpcode::kTan, 1},
};

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
  for (const NamedOp& row : kNamedOps) {
    if (row.name != name) continue;
    TF_RETURN_IF_ERROR(conversion.ExpectOperands(row.operands));
    TF_RETURN_IF_ERROR(conversion.ExpectResults(1));
    TF_RETURN_IF_ERROR(conversion.Emit(row.opcode, conversion.operands()));
    return true;
  }
  return false;
}

}  // namespace xla::stablehlo
