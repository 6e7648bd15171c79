// Rules for calls: of functions, and of composites, which are functions that
// state under a name what they compute.
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "xla/base/status_macros.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/ops/hlo_opcode.h"
#include "xla/hlo/ops/movement/sorting.h"
#include "xla/stablehlo/to_hlo/conversion/annotations.h"
#include "xla/stablehlo/to_hlo/conversion/attribute_text.h"
#include "xla/stablehlo/to_hlo/conversion/module_conversion.h"
#include "xla/stablehlo/to_hlo/conversion/rules.h"
#include "xla/stablehlo/to_hlo/devices/shardy_round_trip.h"
#include "xla/stablehlo/to_hlo/named_ops.h"

namespace xla::stablehlo {
namespace {

// Returns the call that has these results, or null if it was inlined.
HloInstruction* CallOf(const Instructions& results) {
  if (results.empty()) return nullptr;
  HloInstruction* call = results[0];
  if (results.size() > 1 && call->opcode() == HloOpcode::kGetTupleElement) {
    call = call->mutable_operand(0);
  }
  return call->opcode() == HloOpcode::kCall ? call : nullptr;
}

absl::Status ConvertCall(OpConversion& conversion) {
  TF_ASSIGN_OR_RETURN(const std::string callee, conversion.String("callee"));
  // These are hints, like other dialects' attributes of the call.
  for (absl::string_view hint : {"no_inline", "arg_attrs", "res_attrs"}) {
    conversion.Find(hint);
  }
  if (conversion.module().is_partitioned() && IsRoundTripManualBody(callee)) {
    return ConvertRoundTripManualBody(callee, conversion);
  }
  TF_ASSIGN_OR_RETURN(
      const Instructions results,
      conversion.module().Call(conversion.op(), callee, conversion.operands(),
                               conversion.computation()));
  TF_RETURN_IF_ERROR(conversion.ExpectResults(results.size()));
  conversion.SetEachResult(results);
  if (HloInstruction* call = CallOf(results)) {
    AnnotateInstruction(conversion.op(), *call);
  }
  return absl::OkStatus();
}

// Keeps on the call what HLO says about composites, for passes that know the
// name.
void MarkComposite(const OpConversion& conversion, absl::string_view name,
                   HloInstruction& call) {
  FrontendAttributes attributes = call.frontend_attributes();
  auto& map = *attributes.mutable_map();
  map["composite.name"] = std::string(name);
  const Attribute* details = conversion.Find("composite_attributes");
  map["composite.attributes"] =
      details == nullptr ? "{}" : AttributeText(*details);
  const Attribute* version = conversion.Find("version");
  map["composite.version"] =
      absl::StrCat(version == nullptr ? 0 : version->integer);
  call.set_frontend_attributes(std::move(attributes));
  call.set_is_composite(true);
}

absl::Status ConvertComposite(OpConversion& conversion) {
  const Op& op = conversion.op();
  TF_ASSIGN_OR_RETURN(const std::string name, conversion.String("name"));
  const Attribute* details = conversion.Find("composite_attributes");
  conversion.Find("version");
  TF_ASSIGN_OR_RETURN(const bool known,
                      ConvertNamedOp(name, details, conversion));
  TF_ASSIGN_OR_RETURN(const std::string callee,
                      conversion.String("decomposition"));
  if (known) return absl::OkStatus();
  TF_ASSIGN_OR_RETURN(
      const Instructions results,
      conversion.module().Call(op, callee, conversion.operands(),
                               conversion.computation()));
  TF_RETURN_IF_ERROR(conversion.ExpectResults(results.size()));
  conversion.SetEachResult(results);
  if (HloInstruction* call = CallOf(results)) {
    MarkComposite(conversion, name, *call);
  }
  return absl::OkStatus();
}

constexpr Rule kCallsRules[] = {
    {"func.call", ConvertCall},
    {"stablehlo.composite", ConvertComposite},
};

}  // namespace

absl::Span<const Rule> CallRules() { return kCallsRules; }

}  // namespace xla::stablehlo
