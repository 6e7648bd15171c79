// Counts what a fusion reads and writes, by XLA's rules.
#include <algorithm>
#include <utility>
#include <vector>

#include "absl/cleanup/cleanup.h"
#include "xla/base/checked_math.h"
#include "xla/base/status_macros.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/analysis/cost/hlo_cost_analysis.h"

namespace xla {
namespace {

// Returns the instruction that takes the element at `index` out of a tuple; of
// those on the way to it, the last there is.
const HloInstruction* ElementAt(const HloInstruction* tuple,
                                const ShapeIndex& index) {
  for (const int64_t i : index) {
    for (const HloInstruction* user : tuple->users()) {
      if (user->opcode() == HloOpcode::kGetTupleElement &&
          user->tuple_index() == i) {
        tuple = user;
        break;
      }
    }
  }
  return tuple;
}

bool MovesAPart(HloOpcode opcode) {
  return opcode == HloOpcode::kSlice || opcode == HloOpcode::kDynamicSlice ||
         opcode == HloOpcode::kDynamicUpdateSlice;
}

}  // namespace

absl::Status HloCostAnalysis::HandleFusion(const HloInstruction* hlo) {
  const HloComputation* fused = hlo->fused_instructions_computation();
  if (hlo->IsCustomFusion()) {
    for (const HloInstruction* each : fused->instructions()) {
      if (each->opcode() == HloOpcode::kGather) return HandleGather(each);
      if (each->opcode() == HloOpcode::kScatter) return HandleScatter(each);
    }
  }
  TF_ASSIGN_OR_RETURN(
      current_properties_,
      ProcessSubcomputation(hlo->fused_instructions_computation()));
  current_properties_[kBytesAccessedKey] = 0;
  TF_RETURN_IF_ERROR(FusionProcessOutputBytesAccessed(hlo));
  TF_RETURN_IF_ERROR(FusionCalculateUtilizations(hlo));
  TF_RETURN_IF_ERROR(FusionCountConstantsMemoryAccess(hlo));
  return FusionProcessOperandBytesRead(hlo);
}

absl::Status HloCostAnalysis::FusionProcessOutputBytesAccessed(
    const HloInstruction* fusion) {
  const HloInstruction* root = fusion->fused_expression_root();
  ShapeUtil::ForEachSubshape(
      fusion->shape(), [&](const Shape& part, const ShapeIndex& index) {
        if (!part.IsArray()) return;
        const HloInstruction* source = root;
        if (index.size() == 1 && root->opcode() == HloOpcode::kTuple) {
          source = root->operand(index[0]);
          if (ShouldFilterFusionOutputIndex(fusion, index)) {
            current_properties_.set_output_bytes_accessed(index, 0);
            hlo_properties_[source].set_operand_utilization(0, 0);
            return;
          }
        }
        int64_t bytes = GetShapeSize(part);
        if (source->opcode() == HloOpcode::kDynamicUpdateSlice) {
          bytes = GetShapeSize(source->operand(1)->shape());
          hlo_properties_[source].set_operand_utilization(0, 0);
        }
        current_properties_[kBytesAccessedKey] += bytes;
        current_properties_.set_output_bytes_accessed(index, bytes);
      });
  if (!fusion->shape().IsTuple()) return absl::OkStatus();
  // Gives each tuple the sum of its elements, and keeps what it has already:
  // the sums over the ops of the fusion.
  current_properties_.set_output_bytes_accessed(0);
  ShapeUtil::ForEachSubshapePostOrder(
      fusion->shape(), [&](const Shape& part, const ShapeIndex& index) {
        if (!part.IsTuple() ||
            current_properties_.output_bytes_accessed(index) != 0) {
          return;
        }
        float bytes = 0;
        for (int64_t i = 0; i < part.tuple_shapes_size(); ++i) {
          // XLA asks for the position in the innermost tuple alone.
          if (!part.tuple_shapes(i).IsTuple() &&
              ShouldFilterFusionOutputIndex(fusion, {i})) {
            continue;
          }
          ShapeIndex element = index;
          element.push_back(i);
          bytes += current_properties_.output_bytes_accessed(element);
        }
        current_properties_.set_output_bytes_accessed(index, bytes);
      });
  return absl::OkStatus();
}

absl::Status HloCostAnalysis::FusionCalculateUtilizations(
    const HloInstruction* fusion) {
  for (const HloInstruction* each :
       fusion->fused_instructions_computation()->instructions()) {
    hlo_properties_[each][kUtilizationKey] =
        ShouldFilterFusionInstruction(fusion, each) ? 0 : 1;
  }
  return absl::OkStatus();
}

absl::Status HloCostAnalysis::FusionCountConstantsMemoryAccess(
    const HloInstruction* fusion) {
  for (const HloInstruction* each :
       fusion->fused_instructions_computation()->instructions()) {
    if (each->opcode() != HloOpcode::kConstant || !each->shape().IsArray() ||
        ShapeUtil::ElementsIn(each->shape()) <=
            static_cast<int64_t>(immediate_constant_max_elements())) {
      continue;
    }
    float utilization = hlo_properties_[each][kUtilizationKey];
    if (!options_.count_multiple_input_accesses) {
      utilization = std::min(utilization, 1.0f);
    }
    current_properties_[kBytesAccessedKey] +=
        GetShapeSize(each->shape()) * utilization;
  }
  return absl::OkStatus();
}

absl::Status HloCostAnalysis::FusionProcessOperandBytesRead(
    const HloInstruction* fusion) {
  const std::vector<HloInstruction*>& parameters = fusion->fused_parameters();
  for (size_t i = 0; i < parameters.size(); ++i) {
    const HloInstruction* parameter = parameters[i];
    int64_t bytes = 0;
    if (ShouldFilterFusionInput(fusion, i)) {
      // Reads nothing.
    } else if (!parameter->shape().IsTuple()) {
      bytes = FusionParameterReadBytes(parameter);
    } else {
      ShapeUtil::ForEachLeafShape(
          parameter->shape(), [&](const Shape&, const ShapeIndex& index) {
            const int64_t read =
                FusionParameterReadBytes(ElementAt(parameter, index));
            bytes = SaturatingAdd(bytes, read);
            current_properties_.set_operand_bytes_accessed(i, index, read);
          });
    }
    current_properties_[kBytesAccessedKey] += bytes;
    current_properties_.set_operand_bytes_accessed(i, bytes);
    current_properties_.set_operand_utilization(
        i, hlo_properties_[parameter][kUtilizationKey]);
  }
  return absl::OkStatus();
}

int64_t HloCostAnalysis::BytesReadBy(const HloInstruction& user,
                                     const HloInstruction& value,
                                     bool& is_read) const {
  const HloOpcode opcode = user.opcode();
  const bool is_first = user.operand(0) == &value;
  if (opcode == HloOpcode::kSlice ||
      (opcode == HloOpcode::kDynamicSlice && is_first)) {
    return GetShapeSize(user.shape());
  }
  // The result of an update lies where the updated operand does.
  if (opcode == HloOpcode::kDynamicUpdateSlice && is_first) return 0;
  if (opcode != HloOpcode::kBroadcast && opcode != HloOpcode::kReshape &&
      std::exchange(is_read, true)) {
    return 0;
  }
  return GetShapeSize(value.shape());
}

int64_t HloCostAnalysis::NestedReadBytes(
    const HloInstruction* parameter) const {
  const auto it = nested_reads_->find(parameter);
  if (it != nested_reads_->end()) return it->second;
  const int64_t bytes = FusionParameterReadBytes(parameter);
  nested_reads_->emplace(parameter, bytes);
  return bytes;
}

int64_t HloCostAnalysis::FusionParameterReadBytes(
    const HloInstruction* hlo) const {
  // What the fusions inside read is the same for as long as this runs.
  absl::flat_hash_map<const HloInstruction*, int64_t> reads;
  const auto outer_reads = nested_reads_;
  if (outer_reads == nullptr) nested_reads_ = &reads;
  const absl::Cleanup restore = [&] { nested_reads_ = outer_reads; };
  int64_t bytes = 0;
  bool is_read = false;
  for (const HloInstruction* user : hlo->users()) {
    if (user->opcode() != HloOpcode::kFusion) {
      bytes = SaturatingAdd(bytes, BytesReadBy(*user, *hlo, is_read));
      continue;
    }
    const HloInstruction* root = user->fused_expression_root();
    for (const int64_t i : user->OperandIndices(hlo)) {
      const HloInstruction* parameter = user->fused_parameter(i);
      // A fusion whose root takes the parameter itself passes on which part of
      // it is used.
      const bool passes_on =
          root->operand_count() == 0 || root->operand(0) == parameter;
      bool is_read_inside = false;
      for (const HloInstruction* after : user->users()) {
        if (passes_on && MovesAPart(after->opcode())) {
          bytes =
              SaturatingAdd(bytes, BytesReadBy(*after, *user, is_read_inside));
        } else if (!std::exchange(is_read_inside, true)) {
          bytes = SaturatingAdd(bytes, NestedReadBytes(parameter));
        }
      }
    }
  }
  return bytes;
}

}  // namespace xla
