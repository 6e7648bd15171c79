// Unites the values of parts that must share memory.
#include "xla/hlo/analysis/values/hlo_alias_analysis.h"

#include <algorithm>
#include <numeric>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "xla/base/logging.h"
#include "xla/base/status_macros.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/ir/hlo_computation.h"

namespace xla {
namespace {

// Sets of values, by their places among dataflow.values().
class ValueGroups {
 public:
  explicit ValueGroups(const HloDataflowAnalysis& dataflow)
      : dataflow_(dataflow), parent_(dataflow.values().size()) {
    std::iota(parent_.begin(), parent_.end(), 0);
    for (size_t i = 0; i < parent_.size(); ++i) {
      place_[dataflow.values()[i]] = i;
    }
  }

  // Returns the first value of the group.
  int Find(int value) {
    while (parent_[value] != value) {
      parent_[value] = parent_[parent_[value]];
      value = parent_[value];
    }
    return value;
  }

  // Unites the values of two parts.
  void Unite(const HloInstruction* a, const ShapeIndex& a_index,
             const HloInstruction* b, const ShapeIndex& b_index) {
    const auto& first = dataflow_.GetValueSet(a, a_index).values();
    const auto& second = dataflow_.GetValueSet(b, b_index).values();
    for (const HloValue* x : first) {
      for (const HloValue* y : second) UniteTwo(place_.at(x), place_.at(y));
    }
  }

  // Unites all parts of two results of the same shape.
  void UniteAll(const HloInstruction* a, const HloInstruction* b) {
    ShapeUtil::ForEachSubshape(a->shape(),
                               [&](const Shape&, const ShapeIndex& index) {
                                 Unite(a, index, b, index);
                               });
  }

 private:
  void UniteTwo(int a, int b) {
    a = Find(a);
    b = Find(b);
    parent_[std::max(a, b)] = std::min(a, b);
  }

  const HloDataflowAnalysis& dataflow_;
  absl::flat_hash_map<const HloValue*, int> place_;
  std::vector<int> parent_;
};

void UniteControlFlow(const HloInstruction& hlo, ValueGroups& groups) {
  if (hlo.opcode() == HloOpcode::kWhile) {
    groups.UniteAll(&hlo, hlo.operand(0));
    groups.UniteAll(&hlo, hlo.while_body()->root_instruction());
    groups.UniteAll(&hlo, hlo.while_body()->parameter_instruction(0));
    groups.UniteAll(&hlo, hlo.while_condition()->parameter_instruction(0));
  } else if (hlo.opcode() == HloOpcode::kConditional) {
    for (const HloComputation* branch : hlo.branch_computations()) {
      groups.UniteAll(&hlo, branch->root_instruction());
    }
  }
}

// Ignores entries that name no part of the entry computation.
void UniteInputsAndOutputs(const HloModule& module, ValueGroups& groups) {
  const HloComputation& entry = *module.entry_computation();
  const HloInstruction* root = entry.root_instruction();
  for (const auto& alias : module.input_output_alias().entries()) {
    if (alias.parameter_number() < 0 ||
        alias.parameter_number() >= entry.num_parameters()) {
      continue;
    }
    const HloInstruction* parameter =
        entry.parameter_instruction(alias.parameter_number());
    const ShapeIndex output(alias.output_shape_index().begin(),
                            alias.output_shape_index().end());
    const ShapeIndex input(alias.parameter_shape_index().begin(),
                           alias.parameter_shape_index().end());
    if (ShapeUtil::IndexIsValid(root->shape(), output) &&
        ShapeUtil::IndexIsValid(parameter->shape(), input)) {
      groups.Unite(root, output, parameter, input);
    }
  }
}

}  // namespace

absl::StatusOr<std::unique_ptr<HloAliasAnalysis>> HloAliasAnalysis::Run(
    const HloModule* module, const AliasInfo* alias_info) {
  auto analysis =
      std::unique_ptr<HloAliasAnalysis>(new HloAliasAnalysis(module));
  TF_ASSIGN_OR_RETURN(analysis->dataflow_,
                      HloDataflowAnalysis::Run(*module, /*ssa_form=*/true));
  TF_RETURN_IF_ERROR(analysis->CheckFlattened());
  analysis->MakeBuffers(*alias_info);
  const HloInstruction* root = module->entry_computation()->root_instruction();
  ShapeUtil::ForEachSubshape(root->shape(), [&](const Shape&,
                                                const ShapeIndex& index) {
    for (const HloBuffer* buffer : analysis->ComputeBuffersAt(root, index)) {
      analysis->live_out_.insert(buffer->id());
    }
  });
  return analysis;
}

absl::Status HloAliasAnalysis::CheckFlattened() const {
  for (const CallGraphNode& node : dataflow_->call_graph().nodes()) {
    if (node.caller_callsites().size() < 2) continue;
    for (const CallSite& site : node.caller_callsites()) {
      const HloOpcode opcode = site.instruction()->opcode();
      if (opcode == HloOpcode::kWhile || opcode == HloOpcode::kConditional) {
        return absl::FailedPreconditionError(absl::StrCat(
            "aliases: computation ", node.computation()->name(),
            " is called more than once, by ", site.instruction()->name(),
            " too; flatten-call-graph must run before"));
      }
    }
  }
  return absl::OkStatus();
}

void HloAliasAnalysis::MakeBuffers(const AliasInfo& alias_info) {
  ValueGroups groups(*dataflow_);
  UniteInputsAndOutputs(*module_, groups);
  for (const HloComputation* computation : module_->computations()) {
    for (const HloInstruction* hlo : computation->instructions()) {
      UniteControlFlow(*hlo, groups);
      for (const auto& [input, output_index] :
           alias_info.GetInPlaceInputOutputPairs(hlo)) {
        groups.Unite(hlo, output_index, hlo->operand(input.operand_number),
                     input.operand_index);
      }
    }
  }
  const std::vector<HloValue*>& values = dataflow_->values();
  std::vector<std::vector<const HloValue*>> members;
  std::vector<int> group_of(values.size(), -1);  // by the group's first value
  for (size_t i = 0; i < values.size(); ++i) {
    int& group = group_of[groups.Find(i)];
    if (group < 0) {
      group = members.size();
      members.emplace_back();
    }
    members[group].push_back(values[i]);
    buffer_of_[values[i]] = group;
  }
  for (size_t i = 0; i < members.size(); ++i) {
    buffers_.emplace_back(i, std::move(members[i]));
  }
}

const HloBuffer& HloAliasAnalysis::GetUniqueBufferAt(
    const HloInstruction* instruction, const ShapeIndex& index) const {
  const auto buffers = ComputeBuffersAt(instruction, index);
  CHECK_EQ(buffers.size(), 1u) << instruction->name() << " at " << index;
  return *buffers[0];
}

std::vector<const HloBuffer*> HloAliasAnalysis::ComputeBuffersAt(
    const HloInstruction* instruction, const ShapeIndex& index) const {
  std::vector<const HloBuffer*> buffers;
  for (const HloValue* value :
       dataflow_->GetValueSet(instruction, index).values()) {
    buffers.push_back(&GetBufferContainingValue(*value));
  }
  absl::c_sort(buffers, HloBuffer::IdLessThan);
  buffers.erase(std::unique(buffers.begin(), buffers.end()), buffers.end());
  return buffers;
}

std::vector<const HloBuffer*> HloAliasAnalysis::LiveOutBuffers() const {
  std::vector<const HloBuffer*> buffers;
  for (const HloBuffer& buffer : buffers_) {
    if (BufferLivesOut(buffer)) buffers.push_back(&buffer);
  }
  return buffers;
}

std::string HloAliasAnalysis::ToString() const {
  std::string text = absl::StrCat("HloAliasAnalysis, module ", module_->name(),
                                  "\n  Buffers at each position:\n");
  for (const HloComputation* computation : module_->computations()) {
    for (const HloInstruction* hlo : computation->MakeInstructionPostOrder()) {
      absl::StrAppend(&text, "    ", hlo->name(), ":\n");
      ShapeUtil::ForEachSubshape(hlo->shape(), [&](const Shape&,
                                                   const ShapeIndex& index) {
        if (hlo->shape().IsTuple()) {
          absl::StrAppend(&text, "      tuple index ", index.ToString(), ":\n");
        }
        for (const HloBuffer* buffer : ComputeBuffersAt(hlo, index)) {
          absl::StrAppend(&text, "        ", buffer->ToString(), "\n");
        }
      });
    }
  }
  absl::StrAppend(&text, "  Buffers:\n");
  for (const HloBuffer& buffer : buffers_) {
    absl::StrAppend(&text, "    ", buffer.ToString(), "\n      positions:\n");
    for (const HloPosition& position : buffer.ComputePositions()) {
      absl::StrAppend(&text, "        ", position.ToString(), "\n");
    }
  }
  return text;
}

}  // namespace xla
