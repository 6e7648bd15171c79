// Asks with tiles, and takes the answer for open dimensions.
#include "xla/hlo/transforms/sharding/result_inference.h"

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "xla/base/status_macros.h"
#include "xla/hlo/ops/control_flow.h"
#include "xla/hlo/transforms/sharding/custom_partitioner.h"

namespace xla {
namespace {

bool StatesNames(const OpSharding& sharding) {
  return sharding.has_named_sharding() ||
         absl::c_any_of(sharding.tuple_shardings(), StatesNames);
}

bool HasPartitioner(const HloInstruction& hlo) {
  return hlo.opcode() == HloOpcode::kCustomCall &&
         !hlo.frontend_attributes().map().contains("xla.sdy.sharding_rule") &&
         FindCustomPartitioner(
             hlo.attrs<CustomCallAttrs>().custom_call_target) != nullptr;
}

}  // namespace

ResultInference::ResultInference(const HloModule& module) {
  for (const auto& computation : module.computations()) {
    for (const auto& hlo : computation->instructions()) {
      if (hlo->has_sharding() && StatesNames(hlo->sharding_proto())) {
        is_needed_ = false;
        return;
      }
      is_needed_ |= HasPartitioner(*hlo);
    }
  }
}

absl::StatusOr<bool> ResultInference::Infer(
    absl::Span<HloComputation* const> computations, ShardingGraph& graph) {
  if (!is_needed_) return false;
  bool changed = false;
  for (const HloComputation* computation : computations) {
    for (const HloInstruction* hlo : computation->MakeInstructionPostOrder()) {
      if (!HasPartitioner(*hlo)) continue;
      TF_ASSIGN_OR_RETURN(const bool inferred, InferCall(*hlo, graph));
      changed |= inferred;
    }
  }
  return changed;
}

absl::StatusOr<bool> ResultInference::InferCall(const HloInstruction& call,
                                                ShardingGraph& graph) {
  if (asked_.contains(&call)) return false;
  std::vector<OpSharding> operands;
  bool is_divided = false;
  for (const HloInstruction* operand : call.operands()) {
    for (const int32_t number : graph.ArraysOf(operand)) {
      const ShardedArray& array = graph.arrays()[number];
      if (array.sharding.mesh->is_maximal()) return false;
      operands.push_back(TilesForFramework(array.sharding));
      is_divided |= array.IsBound();
    }
  }
  const std::vector<int32_t> results = graph.ArraysOf(&call);
  if (!is_divided || std::ssize(operands) != call.operand_count() ||
      absl::c_any_of(results, [&](int32_t number) {
        return graph.arrays()[number].IsBound();
      })) {
    return false;
  }
  asked_.insert(&call);
  const std::shared_ptr<const CustomPartitioner> partitioner =
      FindCustomPartitioner(call.attrs<CustomCallAttrs>().custom_call_target);
  TF_ASSIGN_OR_RETURN(const std::optional<OpSharding> answer,
                      partitioner->InferResult(call, operands));
  if (!answer.has_value()) return false;
  if (call.shape().IsTuple() &&
      answer->tuple_shardings_size() != static_cast<int>(results.size())) {
    return absl::InvalidArgumentError(
        absl::StrCat(call.name(), ": the partitioner infers ",
                     answer->tuple_shardings_size(), " shardings for ",
                     results.size(), " results"));
  }
  bool changed = false;
  for (size_t i = 0; i < results.size(); ++i) {
    ShardedArray& array = graph.arrays()[results[i]];
    TF_ASSIGN_OR_RETURN(
        const MeshSharding inferred,
        ShardingOfFramework(
            call, call.shape().IsTuple() ? answer->tuple_shardings(i) : *answer,
            *array.shape, array.sharding));
    array.sharding.mesh = inferred.mesh;
    for (int64_t d = 0; d < inferred.rank(); ++d) {
      if (!array.sharding.dimensions[d].is_open) continue;
      array.sharding.dimensions[d].axes = inferred.dimensions[d].axes;
    }
    changed |= array.IsBound();
  }
  return changed;
}

}  // namespace xla
