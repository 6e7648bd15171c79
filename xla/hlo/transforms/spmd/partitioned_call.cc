// Takes the factors of custom calls from their sharding rules, and their parts
// from frameworks.
#include "xla/hlo/transforms/spmd/partitioned_call.h"

#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "xla/base/status_macros.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/analysis/leaves.h"
#include "xla/hlo/ir/channels.h"
#include "xla/hlo/ir/infer_instruction.h"
#include "xla/hlo/transforms/resharding/resharding.h"
#include "xla/hlo/transforms/sharding/sharding_rule.h"
#include "xla/hlo/verifier/hlo_verifier.h"

namespace xla {
namespace {

// Each channel of a program that was written for itself becomes a new one.
void RenewChannels(HloModule& program, SpmdModuleState& state) {
  absl::flat_hash_map<int64_t, int64_t> renewed;
  for (const auto& computation : program.computations()) {
    for (const auto& hlo : computation->instructions()) {
      const std::optional<int64_t> channel = ChannelIdOf(*hlo);
      if (!channel.has_value()) continue;
      const auto [it, is_new] = renewed.emplace(*channel, 0);
      if (is_new) it->second = ++state.channels;
      SetChannelId(*hlo, it->second);
    }
  }
}

// Checks a program that several devices will run.
absl::Status VerifyProgram(const HloInstruction& call,
                           const SpmdModuleState& state, HloModule& program) {
  program.mutable_config().set_num_partitions(state.num_partitions);
  program.mutable_config().set_replica_count(state.num_replicas);
  const absl::Status verified = HloVerifier().Verify(program);
  if (verified.ok()) return verified;
  return absl::InvalidArgumentError(absl::StrCat(
      call.name(),
      ": the partitioner's program breaks a rule: ", verified.message()));
}

absl::Status CheckParts(const HloInstruction& call, absl::string_view what,
                        const Shape& program, const Shape& part) {
  if (ShapeUtil::Compatible(program, part)) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat(call.name(), ": mismatch in ", what,
                   " shapes: the partitioner's program "
                   "has ",
                   ShapeUtil::HumanString(program), ", its shardings give ",
                   ShapeUtil::HumanString(part)));
}

}  // namespace

absl::StatusOr<std::optional<DimensionFactors>> PartitionFactorsOf(
    const HloInstruction& hlo) {
  if (hlo.opcode() != HloOpcode::kCustomCall) return DimensionFactorsOf(hlo);
  TF_ASSIGN_OR_RETURN(std::optional<ShardingRule> rule, ShardingRuleOf(hlo));
  if (!rule.has_value()) return DimensionFactorsOf(hlo);
  for (DimensionFactor& factor : rule->factors.factors) {
    if (factor.kind == FactorKind::kSummed) factor.kind = FactorKind::kWhole;
  }
  return std::move(rule->factors);
}

absl::StatusOr<DividedCall> DivideCall(
    const HloInstruction& call, const CustomPartitioner& partitioner,
    absl::Span<const PartitionedArray> operands,
    absl::Span<const MeshSharding> results, HloModule* module,
    SpmdModuleState& state) {
  std::vector<OpSharding> of_operands;
  for (const PartitionedArray& operand : operands) {
    of_operands.push_back(TilesForFramework(operand.sharding));
  }
  const bool is_tuple = call.shape().IsTuple();
  OpSharding of_result;
  of_result.set_type(OpSharding::TUPLE);
  for (const MeshSharding& result : results) {
    *of_result.add_tuple_shardings() = TilesForFramework(result);
  }
  if (!is_tuple) of_result = OpSharding(of_result.tuple_shardings(0));
  TF_ASSIGN_OR_RETURN(CustomPartitioner::Division division,
                      partitioner.Divide(call, of_operands, of_result));
  TF_RETURN_IF_ERROR(VerifyProgram(call, state, *division.program));
  const HloComputation* entry = division.program->entry_computation();
  if (division.operands.size() != operands.size() ||
      entry->num_parameters() != static_cast<int64_t>(operands.size()) ||
      (is_tuple && division.result.tuple_shardings_size() !=
                       static_cast<int>(results.size()))) {
    return absl::InvalidArgumentError(absl::StrCat(
        call.name(), ": the partitioner's program or its shardings are for ",
        "another number of arrays"));
  }
  DividedCall divided;
  for (size_t i = 0; i < operands.size(); ++i) {
    TF_ASSIGN_OR_RETURN(
        divided.operands.emplace_back(),
        ShardingOfFramework(call, division.operands[i], operands[i].shape,
                            operands[i].sharding));
    TF_RETURN_IF_ERROR(
        CheckParts(call, "operand", entry->parameter_instruction(i)->shape(),
                   PartShape(operands[i].shape, divided.operands[i])));
  }
  const std::vector<const Shape*> shapes = Leaves(call.shape());
  std::vector<Shape> parts;
  for (size_t i = 0; i < results.size(); ++i) {
    TF_ASSIGN_OR_RETURN(
        divided.results.emplace_back(),
        ShardingOfFramework(
            call,
            is_tuple ? division.result.tuple_shardings(i) : division.result,
            *shapes[i], results[i]));
    parts.push_back(PartShape(*shapes[i], divided.results[i]));
  }
  TF_RETURN_IF_ERROR(
      CheckParts(call, "result", entry->root_instruction()->shape(),
                 is_tuple ? ShapeUtil::MakeTupleShape(parts) : parts[0]));
  RenewChannels(*division.program, state);
  divided.program = module->DeepCloneComputation(*entry);
  return divided;
}

}  // namespace xla
