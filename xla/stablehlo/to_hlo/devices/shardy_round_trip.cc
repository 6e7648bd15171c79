// Reads what Shardy writes into custom_calls and frontend attributes.
#include "xla/stablehlo/to_hlo/devices/shardy_round_trip.h"

#include <string>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "xla/base/status_macros.h"
#include "xla/hlo/ir/hlo_module.h"
#include "xla/stablehlo/to_hlo/conversion/module_conversion.h"
#include "xla/stablehlo/to_hlo/conversion/sharding_annotations.h"
#include "xla/stablehlo/to_hlo/devices/sharding.h"

namespace xla::stablehlo {
namespace {

constexpr absl::string_view kFrontend = "mhlo.frontend_attributes";

// Returns the integer at the start of a frontend attribute such as "2 : i32".
absl::StatusOr<int64_t> FrontendInteger(const OpConversion& conversion,
                                        absl::string_view name) {
  const Attribute* frontend = conversion.Find(kFrontend);
  const Attribute* field =
      frontend == nullptr ? nullptr : frontend->Field(name);
  if (field == nullptr) {
    return conversion.Error(absl::StrCat("lacks frontend attribute ", name));
  }
  absl::string_view text = field->text;
  text = absl::StripTrailingAsciiWhitespace(text.substr(0, text.find(':')));
  int64_t value;
  if (!absl::SimpleAtoi(text, &value)) {
    return conversion.Error(
        absl::StrCat("frontend attribute ", name, " must be an integer"));
  }
  return value;
}

absl::Status ConvertRoundTripGroup(OpConversion& conversion) {
  TF_ASSIGN_OR_RETURN(const int64_t id,
                      FrontendInteger(conversion, "xla.sdy.sharding_group_id"));
  return AddShardingGroup(id, conversion);
}

absl::Status ConvertRoundTripBarrier(OpConversion& conversion) {
  TF_ASSIGN_OR_RETURN(const int64_t direction,
                      FrontendInteger(conversion, "xla.sdy.allowed_direction"));
  return AddPropagationBarrier(direction, conversion);
}

// The caller sets the sharding that the call states.
absl::Status ConvertResultSharding(OpConversion& conversion) {
  TF_RETURN_IF_ERROR(conversion.ExpectOperands(1));
  TF_RETURN_IF_ERROR(conversion.ExpectResults(1));
  OpSharding unknown;
  unknown.set_type(OpSharding::UNKNOWN);
  HloInstruction* operand = conversion.operand(0);
  HloInstruction* call =
      AddShardingCall("xla.sdy.FuncResultSharding", operand->shape(), operand,
                      std::move(unknown), conversion.computation());
  conversion.SetEachResult({&call, 1});
  return absl::OkStatus();
}

struct RoundTripRow {
  absl::string_view name;  // behind "xla.sdy."
  absl::Status (*convert)(OpConversion& conversion);
};

constexpr RoundTripRow kRoundTripTargets[] = {
    {"FuncResultSharding", ConvertResultSharding},
    {"GlobalToLocalShape", ConvertIdentity},
    {"LocalToGlobalShape", ConvertIdentity},
    {"PropagationBarrier", ConvertRoundTripBarrier},
    {"ShardingGroup", ConvertRoundTripGroup},
};

const RoundTripRow* FindRoundTripTarget(absl::string_view target) {
  if (!absl::ConsumePrefix(&target, "xla.sdy.")) return nullptr;
  for (const RoundTripRow& row : kRoundTripTargets) {
    if (row.name == target) return &row;
  }
  return nullptr;
}

}  // namespace

bool IsRoundTripTarget(absl::string_view target) {
  return FindRoundTripTarget(target) != nullptr;
}

absl::Status ConvertRoundTripTarget(absl::string_view target,
                                    OpConversion& conversion) {
  const RoundTripRow* row = FindRoundTripTarget(target);
  if (row != nullptr) return row->convert(conversion);
  return conversion.Unimplemented(absl::StrCat("target ", target));
}

bool IsRoundTripManualBody(absl::string_view function) {
  // The functions' names have a prefix or a number behind.
  return absl::StrContains(function, "xla.sdy.manual_computation_body");
}

absl::Status ConvertRoundTripManualBody(absl::string_view function,
                                        OpConversion& conversion) {
  ModuleConversion& module = conversion.module();
  const Attribute* frontend = conversion.Find(kFrontend);
  ShardingReader& reader = module.sharding_reader();
  ManualShardings shardings;
  TF_ASSIGN_OR_RETURN(
      shardings.in_shardings,
      reader.FrontendAttribute(frontend, "xla.sdy.in_shardings"));
  TF_ASSIGN_OR_RETURN(
      shardings.out_shardings,
      reader.FrontendAttribute(frontend, "xla.sdy.out_shardings"));
  TF_ASSIGN_OR_RETURN(
      shardings.manual_axes,
      reader.FrontendAttribute(frontend, "xla.sdy.manual_axes"));
  const Op* body = module.FindFunction(function);
  if (body == nullptr || body->Body() == nullptr) {
    return conversion.Error(absl::StrCat("there is no body @", function));
  }
  TF_ASSIGN_OR_RETURN(const Instructions results,
                      ConvertManual(shardings, *body->Body(), conversion,
                                    [&](const Instructions& parts) {
                                      return module.Call(
                                          conversion.op(), function, parts,
                                          conversion.computation(),
                                          /*inlined=*/true);
                                    }));
  TF_RETURN_IF_ERROR(conversion.ExpectResults(results.size()));
  conversion.SetEachResult(results);
  return absl::OkStatus();
}

}  // namespace xla::stablehlo
