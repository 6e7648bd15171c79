// Makes annotations of the ops of sdy and of its round trip.
#include "xla/stablehlo/to_hlo/devices/global_sharding_rules.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "xla/base/status_macros.h"
#include "xla/hlo/ir/hlo_module.h"
#include "xla/stablehlo/to_hlo/conversion/global_sharding.h"
#include "xla/stablehlo/to_hlo/conversion/module_conversion.h"

namespace xla::stablehlo {
namespace {

constexpr absl::string_view kFrontend = "mhlo.frontend_attributes";
constexpr absl::string_view kDirections[] = {"NONE", "FORWARD", "BACKWARD",
                                             "BOTH"};

absl::StatusOr<std::vector<Shape>> ArgumentShapes(const Block& block) {
  std::vector<Shape> shapes;
  for (const Value& argument : block.arguments) {
    TF_ASSIGN_OR_RETURN(shapes.emplace_back(), ShapeOfType(*argument.type));
  }
  return shapes;
}

// Checks the results of a manual computation against the op's types.
absl::Status SetManualResults(const Instructions& results,
                              OpConversion& conversion) {
  TF_RETURN_IF_ERROR(conversion.ExpectResults(results.size()));
  for (size_t i = 0; i < results.size(); ++i) {
    if (!conversion.result_type(i).IsStatic()) continue;
    TF_ASSIGN_OR_RETURN(const Shape shape, conversion.ResultShape(i));
    const Shape& whole = results[i]->shape();
    if (shape.IsArray() && shape.dimensions() != whole.dimensions()) {
      return conversion.Error(absl::StrCat("result ", i, " is ",
                                           shape.ToString(), ", but its parts ",
                                           "make ", whole.ToString()));
    }
  }
  conversion.SetEachResult(results);
  return absl::OkStatus();
}

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
  return ConvertGlobalGroup(id, conversion);
}

absl::Status ConvertRoundTripBarrier(OpConversion& conversion) {
  TF_ASSIGN_OR_RETURN(const int64_t direction,
                      FrontendInteger(conversion, "xla.sdy.allowed_direction"));
  return ConvertGlobalBarrier(direction, conversion);
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

absl::Status ConvertBoundary(OpConversion& conversion) {
  TF_RETURN_IF_ERROR(conversion.ExpectResults(conversion.operand_count()));
  conversion.SetEachResult(conversion.operands());
  return absl::OkStatus();
}

struct RoundTripRow {
  absl::string_view name;  // behind "xla.sdy."
  absl::Status (*convert)(OpConversion& conversion);
};

constexpr RoundTripRow kRoundTripTargets[] = {
    {"FuncResultSharding", ConvertResultSharding},
    {"GlobalToLocalShape", ConvertBoundary},
    {"LocalToGlobalShape", ConvertBoundary},
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

absl::Status ConvertGlobalConstraint(const Attribute& sharding,
                                     OpConversion& conversion) {
  TF_RETURN_IF_ERROR(conversion.ExpectOperands(1));
  TF_RETURN_IF_ERROR(conversion.ExpectResults(1));
  HloInstruction* operand = conversion.operand(0);
  absl::StatusOr<NamedSharding> named =
      conversion.module().sharding_reader().Read(sharding, operand->shape());
  if (!named.ok()) return conversion.Annotate(named.status());
  HloInstruction* result = operand;
  if (operand->shape().IsArray()) {
    result = AddShardingCall("Sharding", operand->shape(), operand,
                             named->ToOpSharding(), conversion.computation());
  }
  conversion.SetEachResult({&result, 1});
  return absl::OkStatus();
}

absl::Status ConvertGlobalGroup(int64_t id, OpConversion& conversion) {
  TF_RETURN_IF_ERROR(conversion.ExpectOperands(1));
  TF_RETURN_IF_ERROR(conversion.ExpectResults(0));
  OpSharding group;
  group.set_type(OpSharding::UNKNOWN);
  group.set_is_shard_group(true);
  group.set_shard_group_id(id);
  group.set_shard_group_type(OpSharding::AS);
  HloInstruction* operand = conversion.operand(0);
  if (!operand->shape().IsArray()) return absl::OkStatus();
  AddShardingCall("Sharding", operand->shape(), operand, std::move(group),
                  conversion.computation(), /*has_side_effect=*/true);
  return absl::OkStatus();
}

int64_t BarrierDirection(const Attribute& direction) {
  if (direction.kind == Attribute::Kind::kInteger) return direction.integer;
  for (int64_t i = 0; i < std::ssize(kDirections); ++i) {
    if (kDirections[i] == direction.text) return i;
  }
  return -1;
}

absl::Status ConvertGlobalBarrier(int64_t direction, OpConversion& conversion) {
  TF_RETURN_IF_ERROR(conversion.ExpectOperands(1));
  TF_RETURN_IF_ERROR(conversion.ExpectResults(1));
  if (direction < 0 || direction >= std::ssize(kDirections)) {
    return conversion.Error("allowed_direction must be 0 to 3");
  }
  HloInstruction* operand = conversion.operand(0);
  OpSharding unknown;
  unknown.set_type(OpSharding::UNKNOWN);
  HloInstruction* barrier =
      AddShardingCall("xla.sdy.PropagationBarrier", operand->shape(), operand,
                      std::move(unknown), conversion.computation());
  FrontendAttributes attributes;
  (*attributes.mutable_map())["xla.sdy.allowed_direction"] =
      std::string(kDirections[direction]);
  barrier->set_frontend_attributes(std::move(attributes));
  conversion.SetEachResult({&barrier, 1});
  return absl::OkStatus();
}

absl::Status ConvertGlobalManualComputation(OpConversion& conversion) {
  const ManualShardings shardings = {conversion.Find("in_shardings"),
                                     conversion.Find("out_shardings"),
                                     conversion.Find("manual_axes")};
  const Block& body = *conversion.op().Body();
  ModuleConversion& module = conversion.module();
  TF_ASSIGN_OR_RETURN(const std::vector<Shape> shapes, ArgumentShapes(body));
  TF_ASSIGN_OR_RETURN(const Instructions parts,
                      EnterManual(shardings, shapes, conversion));
  for (size_t i = 0; i < parts.size(); ++i) {
    module.set_value(body.arguments[i], parts[i]);
  }
  const int64_t first = conversion.computation().instruction_count();
  TF_ASSIGN_OR_RETURN(const Instructions returned,
                      module.ConvertBlock(body, conversion.computation()));
  TF_ASSIGN_OR_RETURN(const Instructions results,
                      LeaveManual(shardings, returned, conversion));
  TF_RETURN_IF_ERROR(MarkManual(shardings, first, conversion));
  return SetManualResults(results, conversion);
}

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
  TF_ASSIGN_OR_RETURN(const std::vector<Shape> shapes,
                      ArgumentShapes(*body->Body()));
  if (std::ssize(shapes) != conversion.operand_count()) {
    return conversion.Error(
        "@xla.sdy.manual_computation_body takes another "
        "number of arguments");
  }
  TF_ASSIGN_OR_RETURN(const Instructions parts,
                      EnterManual(shardings, shapes, conversion));
  const int64_t first = conversion.computation().instruction_count();
  TF_ASSIGN_OR_RETURN(
      const Instructions returned,
      module.Call(conversion.op(), function, parts, conversion.computation(),
                  /*inlined=*/true));
  TF_ASSIGN_OR_RETURN(const Instructions results,
                      LeaveManual(shardings, returned, conversion));
  TF_RETURN_IF_ERROR(MarkManual(shardings, first, conversion));
  TF_RETURN_IF_ERROR(conversion.ExpectResults(results.size()));
  conversion.SetEachResult(results);
  return absl::OkStatus();
}

}  // namespace xla::stablehlo
