// Rules for ops of sdy, which say how the devices divide arrays. One partition
// has all arrays whole: there, these ops are identities.
#include "xla/stablehlo/to_hlo/devices/sharding.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "xla/base/status_macros.h"
#include "xla/hlo/ir/hlo_module.h"
#include "xla/stablehlo/to_hlo/conversion/rules.h"

namespace xla::stablehlo {
namespace {

constexpr absl::string_view kDirections[] = {"NONE", "FORWARD", "BACKWARD",
                                             "BOTH"};

// Checks that a sharding has an existing mesh.
absl::Status CheckMesh(const OpConversion& conversion,
                       const Attribute& sharding) {
  const Attribute* mesh = sharding.Field("mesh");
  if (mesh == nullptr) return conversion.Error("a sharding has no mesh");
  return conversion.Annotate(
      conversion.module().MeshDefinition(*mesh).status());
}

// Checks that a list of shardings has one for each value, even if a single
// device has all.
absl::Status CheckShardings(const OpConversion& conversion,
                            absl::string_view list, int64_t count) {
  const Attribute* shardings = conversion.Find(list);
  if (shardings == nullptr || std::ssize(shardings->elements) != count) {
    return conversion.Error(
        absl::StrCat(list, " must have ", count, " shardings"));
  }
  for (const Attribute* sharding : shardings->elements) {
    TF_RETURN_IF_ERROR(CheckMesh(conversion, *sharding));
  }
  return absl::OkStatus();
}

absl::Status Constrain(const Attribute& sharding, OpConversion& conversion) {
  TF_RETURN_IF_ERROR(conversion.ExpectOperands(1));
  TF_RETURN_IF_ERROR(conversion.ExpectResults(1));
  HloInstruction* operand = conversion.operand(0);
  absl::StatusOr<MeshSharding> named =
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

absl::Status ConvertConstraint(OpConversion& conversion) {
  const Attribute* sharding = conversion.Find("sharding");
  if (sharding == nullptr) return conversion.Error("needs a sharding");
  if (conversion.module().is_partitioned()) {
    return Constrain(*sharding, conversion);
  }
  TF_RETURN_IF_ERROR(CheckMesh(conversion, *sharding));
  return ConvertIdentity(conversion);
}

absl::Status ConvertGroup(OpConversion& conversion) {
  TF_ASSIGN_OR_RETURN(const int64_t id, conversion.Integer("group_id"));
  return conversion.module().is_partitioned() ? AddShardingGroup(id, conversion)
                                              : conversion.ExpectResults(0);
}

// Returns the number of a direction given as number or name; -1 for others.
int64_t BarrierDirection(const Attribute& direction) {
  if (direction.kind == Attribute::Kind::kInteger) return direction.integer;
  for (int64_t i = 0; i < std::ssize(kDirections); ++i) {
    if (kDirections[i] == direction.text) return i;
  }
  return -1;
}

absl::Status CheckDirection(int64_t direction, const OpConversion& conversion) {
  if (direction >= 0 && direction < std::ssize(kDirections)) {
    return absl::OkStatus();
  }
  return conversion.Error("allowed_direction must be 0 to 3");
}

absl::Status ConvertBarrier(OpConversion& conversion) {
  const Attribute* attribute = conversion.Find("allowed_direction");
  const int64_t direction =
      attribute == nullptr ? 0 : BarrierDirection(*attribute);
  TF_RETURN_IF_ERROR(CheckDirection(direction, conversion));
  return conversion.module().is_partitioned()
             ? AddPropagationBarrier(direction, conversion)
             : ConvertIdentity(conversion);
}

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

// The part of one device is the whole value.
absl::Status InlineManualComputation(const Block& body,
                                     OpConversion& conversion) {
  TF_RETURN_IF_ERROR(
      CheckShardings(conversion, "in_shardings", conversion.operand_count()));
  TF_RETURN_IF_ERROR(
      CheckShardings(conversion, "out_shardings", conversion.result_count()));
  ModuleConversion& module = conversion.module();
  for (size_t i = 0; i < body.arguments.size(); ++i) {
    module.set_value(body.arguments[i], conversion.operand(i));
  }
  TF_ASSIGN_OR_RETURN(const Instructions results,
                      module.ConvertBlock(body, conversion.computation()));
  TF_RETURN_IF_ERROR(conversion.ExpectResults(results.size()));
  conversion.SetEachResult(results);
  return absl::OkStatus();
}

absl::Status ConvertManualComputation(OpConversion& conversion) {
  const Block* body = conversion.op().Body();
  if (body == nullptr ||
      std::ssize(body->arguments) != conversion.operand_count()) {
    return conversion.Error("needs a body with an argument for each operand");
  }
  const ManualShardings shardings = {conversion.Find("in_shardings"),
                                     conversion.Find("out_shardings"),
                                     conversion.Find("manual_axes")};
  ModuleConversion& module = conversion.module();
  if (!module.is_partitioned()) {
    return InlineManualComputation(*body, conversion);
  }
  TF_ASSIGN_OR_RETURN(
      const Instructions results,
      ConvertManual(
          shardings, *body, conversion, [&](const Instructions& parts) {
            for (size_t i = 0; i < parts.size(); ++i) {
              module.set_value(body->arguments[i], parts[i]);
            }
            return module.ConvertBlock(*body, conversion.computation());
          }));
  return SetManualResults(results, conversion);
}

constexpr Rule kShardingRules[] = {
    {"sdy.manual_computation", ConvertManualComputation},
    {"sdy.propagation_barrier", ConvertBarrier},
    {"sdy.reshard", ConvertConstraint},
    {"sdy.sharding_constraint", ConvertConstraint},
    {"sdy.sharding_group", ConvertGroup},
};

}  // namespace

absl::Status ConvertIdentity(OpConversion& conversion) {
  TF_RETURN_IF_ERROR(conversion.ExpectResults(conversion.operand_count()));
  conversion.SetEachResult(conversion.operands());
  return absl::OkStatus();
}

bool IsShardingTarget(absl::string_view target) {
  return target == "Sharding" || target == "SPMDFullToShardShape" ||
         target == "SPMDShardToFullShape";
}

absl::Status AddShardingGroup(int64_t id, OpConversion& conversion) {
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

absl::Status AddPropagationBarrier(int64_t direction,
                                   OpConversion& conversion) {
  TF_RETURN_IF_ERROR(conversion.ExpectOperands(1));
  TF_RETURN_IF_ERROR(conversion.ExpectResults(1));
  TF_RETURN_IF_ERROR(CheckDirection(direction, conversion));
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

absl::StatusOr<Instructions> ConvertManual(
    const ManualShardings& shardings, const Block& body,
    OpConversion& conversion,
    absl::FunctionRef<absl::StatusOr<Instructions>(const Instructions& parts)>
        convert_body) {
  if (std::ssize(body.arguments) != conversion.operand_count()) {
    return conversion.Error("its body takes another number of arguments");
  }
  TF_ASSIGN_OR_RETURN(const std::vector<Shape> shapes, ArgumentShapes(body));
  TF_ASSIGN_OR_RETURN(const Instructions parts,
                      EnterManual(shardings, shapes, conversion));
  const int64_t first = conversion.computation().instruction_count();
  TF_ASSIGN_OR_RETURN(const Instructions returned, convert_body(parts));
  TF_ASSIGN_OR_RETURN(const Instructions results,
                      LeaveManual(shardings, returned, conversion));
  TF_RETURN_IF_ERROR(MarkManual(shardings, first, conversion));
  return results;
}

absl::Span<const Rule> ShardingRules() { return kShardingRules; }

}  // namespace xla::stablehlo
