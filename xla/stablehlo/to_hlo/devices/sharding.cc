// Rules for ops that state where values live, and for manual computations,
// which see the partition's part of each value.
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "xla/base/status_macros.h"
#include "xla/hlo/ir/hlo_module.h"
#include "xla/stablehlo/to_hlo/conversion/annotations.h"
#include "xla/stablehlo/to_hlo/conversion/module_conversion.h"
#include "xla/stablehlo/to_hlo/conversion/placement.h"
#include "xla/stablehlo/to_hlo/conversion/rules.h"
#include "xla/stablehlo/to_hlo/conversion/tiling.h"
#include "xla/stablehlo/to_hlo/devices/global_sharding_rules.h"

namespace xla::stablehlo {
namespace {

using AxisNames = absl::flat_hash_set<absl::string_view>;

absl::Status ConvertIdentity(OpConversion& conversion) {
  TF_RETURN_IF_ERROR(conversion.ExpectResults(conversion.operand_count()));
  conversion.SetEachResult(conversion.operands());
  return absl::OkStatus();
}

// Returns the manual part of entry `i` of in_shardings or out_shardings.
absl::StatusOr<Tiling> ManualTiling(const OpConversion& conversion,
                                    absl::string_view list, size_t i,
                                    const AxisNames& manual_axes,
                                    const ModuleConversion& module) {
  const Attribute* shardings = conversion.Find(list);
  if (shardings == nullptr || i >= shardings->elements.size()) {
    return conversion.Error(absl::StrCat(list, " has no sharding ", i));
  }
  return module.TilingOf(*shardings->elements[i], &manual_axes);
}

// Checks that a sharding, if it is one, has an existing mesh.
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

// Values outside of manual computations are whole on every device.
absl::Status ConvertConstraint(OpConversion& conversion) {
  const Attribute* sharding = conversion.Find("sharding");
  if (sharding == nullptr) return conversion.Error("needs a sharding");
  if (conversion.module().is_global()) {
    return ConvertGlobalConstraint(*sharding, conversion);
  }
  TF_RETURN_IF_ERROR(CheckMesh(conversion, *sharding));
  return ConvertIdentity(conversion);
}

// Groups and barriers only affect the propagation of shardings.
absl::Status ConvertGroup(OpConversion& conversion) {
  TF_ASSIGN_OR_RETURN(const int64_t id, conversion.Integer("group_id"));
  if (conversion.module().is_global()) {
    return ConvertGlobalGroup(id, conversion);
  }
  return conversion.ExpectResults(0);
}

absl::Status ConvertBarrier(OpConversion& conversion) {
  // NONE, FORWARD, BACKWARD, BOTH
  const Attribute* direction = conversion.Find("allowed_direction");
  if (direction != nullptr && direction->kind == Attribute::Kind::kInteger &&
      (direction->integer < 0 || direction->integer > 3)) {
    return conversion.Error("allowed_direction must be 0 to 3");
  }
  if (conversion.module().is_global()) {
    return ConvertGlobalBarrier(
        direction == nullptr ? 0 : BarrierDirection(*direction), conversion);
  }
  return ConvertIdentity(conversion);
}

absl::Status ConvertManualComputation(OpConversion& conversion) {
  const Op& op = conversion.op();
  const Block* body = op.Body();
  if (body == nullptr ||
      std::ssize(body->arguments) != conversion.operand_count()) {
    return conversion.Error("needs a body with an argument for each operand");
  }
  if (conversion.module().is_global()) {
    return ConvertGlobalManualComputation(conversion);
  }
  AxisNames axes;
  if (const Attribute* names = conversion.Find("manual_axes")) {
    for (const Attribute* name : names->elements) axes.insert(name->text);
  }
  TF_RETURN_IF_ERROR(
      CheckShardings(conversion, "in_shardings", conversion.operand_count()));
  TF_RETURN_IF_ERROR(
      CheckShardings(conversion, "out_shardings", conversion.result_count()));
  ModuleConversion& module = conversion.module();
  HloComputation& computation = conversion.computation();
  for (size_t i = 0; i < body->arguments.size(); ++i) {
    HloInstruction* part = conversion.operand(i);
    if (module.partitions() > 1) {
      TF_ASSIGN_OR_RETURN(
          const Tiling tiling,
          ManualTiling(conversion, "in_shardings", i, axes, module));
      TF_ASSIGN_OR_RETURN(part, module.placement().Part(*op.operands[i], part,
                                                        tiling, computation));
    }
    module.set_value(body->arguments[i], part);
  }
  TF_ASSIGN_OR_RETURN(Instructions results,
                      module.ConvertBlock(*body, computation));
  TF_RETURN_IF_ERROR(conversion.ExpectResults(results.size()));
  for (size_t i = 0; i < results.size() && module.partitions() > 1; ++i) {
    TF_ASSIGN_OR_RETURN(Tiling tiling, ManualTiling(conversion, "out_shardings",
                                                    i, axes, module));
    TF_ASSIGN_OR_RETURN(
        results[i], module.placement().Gather(op.results[i], results[i],
                                              std::move(tiling), computation));
  }
  conversion.SetEachResult(results);
  return absl::OkStatus();
}

absl::StatusOr<OpSharding> OwnSharding(const OpConversion& conversion) {
  TF_ASSIGN_OR_RETURN(const std::string text,
                      conversion.String("mhlo.sharding"));
  return ParseShardingAttribute(text);
}

// A sharding is a hint, except that the one before SPMDFullToShardShape tells
// which part that op takes.
absl::Status ConvertShardingHint(OpConversion& conversion) {
  TF_RETURN_IF_ERROR(ConvertIdentity(conversion));
  ModuleConversion& module = conversion.module();
  if (module.partitions() == 1 || conversion.result_count() != 1) {
    return absl::OkStatus();
  }
  TF_ASSIGN_OR_RETURN(const OpSharding sharding, OwnSharding(conversion));
  TF_ASSIGN_OR_RETURN(Tiling tiling,
                      TilingOfProto(sharding, module.partitions()));
  module.placement().SetTiling(conversion.op().results[0], std::move(tiling));
  return absl::OkStatus();
}

absl::Status ConvertFullToShard(OpConversion& conversion) {
  TF_RETURN_IF_ERROR(conversion.ExpectOperands(1));
  TF_RETURN_IF_ERROR(conversion.ExpectResults(1));
  ModuleConversion& module = conversion.module();
  if (module.partitions() == 1) return ConvertIdentity(conversion);
  const Value& operand = *conversion.op().operands[0];
  const Tiling* tiling = module.placement().FindTiling(operand);
  if (tiling == nullptr) {
    return conversion.Error("its operand must be the result of a Sharding");
  }
  TF_ASSIGN_OR_RETURN(
      HloInstruction * part,
      TakePart(conversion.operand(0), *tiling, conversion.computation()));
  conversion.SetEachResult({&part, 1});
  return absl::OkStatus();
}

absl::Status ConvertShardToFull(OpConversion& conversion) {
  TF_RETURN_IF_ERROR(conversion.ExpectOperands(1));
  TF_RETURN_IF_ERROR(conversion.ExpectResults(1));
  ModuleConversion& module = conversion.module();
  if (module.partitions() == 1) return ConvertIdentity(conversion);
  TF_ASSIGN_OR_RETURN(const OpSharding sharding, OwnSharding(conversion));
  TF_ASSIGN_OR_RETURN(Tiling tiling,
                      TilingOfProto(sharding, module.partitions()));
  TF_ASSIGN_OR_RETURN(HloInstruction * whole,
                      module.placement().Gather(
                          conversion.op().results[0], conversion.operand(0),
                          std::move(tiling), conversion.computation()));
  conversion.SetEachResult({&whole, 1});
  return absl::OkStatus();
}

constexpr Rule kShardingRules[] = {
    {"sdy.manual_computation", ConvertManualComputation},
    {"sdy.propagation_barrier", ConvertBarrier},
    {"sdy.reshard", ConvertConstraint},
    {"sdy.sharding_constraint", ConvertConstraint},
    {"sdy.sharding_group", ConvertGroup},
};

constexpr Rule kTargets[] = {
    {"Sharding", ConvertShardingHint},
    {"SPMDFullToShardShape", ConvertFullToShard},
    {"SPMDShardToFullShape", ConvertShardToFull},
};

}  // namespace

absl::Span<const Rule> ShardingRules() { return kShardingRules; }

bool IsShardingTarget(absl::string_view target) {
  for (const Rule& row : kTargets) {
    if (row.name == target) return true;
  }
  return false;
}

absl::Status ConvertShardingTarget(absl::string_view target,
                                   OpConversion& conversion) {
  for (const Rule& row : kTargets) {
    if (row.name == target) return row.convert(conversion);
  }
  return conversion.Unimplemented(absl::StrCat("target ", target));
}

}  // namespace xla::stablehlo
