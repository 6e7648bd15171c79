// Builds all fusions first, then replaces instructions by them.
#include "xla/hlo/transforms/fuse/fusion_builder.h"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "xla/base/status_macros.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/ir/hlo_module.h"
#include "xla/hlo/ops/control_flow.h"
#include "xla/hlo/transforms/fuse/fusion_shapes.h"

namespace xla {
namespace {

// An output of a fusion.
struct FusedOutput {
  HloInstruction* value = nullptr;     // in the computation
  HloInstruction* replaced = nullptr;  // by that
  int64_t index = -1;                  // in the fusion's tuple, if it has one
  HloInstruction* fusion = nullptr;
};

class GroupBuilder {
 public:
  GroupBuilder(HloComputation* computation, FusionGroups& groups, int number)
      : computation_(computation), groups_(groups), number_(number) {
    std::vector<int> positions = groups.Group(number).members;
    std::sort(positions.begin(), positions.end());
    roots_ = groups.Group(number).roots;
    std::sort(roots_.begin(), roots_.end());
    for (int position : positions) {
      HloInstruction* hlo = groups.At(position).hlo;
      // A reshape of an operand names the same memory.
      if (groups.At(position).role == FusionRole::kReshape &&
          groups.At(position).root_of < 0 && !IsInside(hlo->operand(0))) {
        continue;
      }
      members_.push_back(hlo);
      inside_[hlo] = nullptr;
    }
  }

  bool IsFusion() const { return members_.size() > 1; }

  absl::Status Build(std::vector<FusedOutput>& outputs) {
    HloModule* module = computation_->parent();
    fused_ = module->AddEmbeddedComputation(
        std::make_unique<HloComputation>("fused_computation"));
    fused_->set_is_fusion_computation(true);
    fused_->SetExecutionThread(computation_->execution_thread());
    for (HloInstruction* hlo : members_) {
      std::vector<HloInstruction*> operands;
      for (HloInstruction* operand : hlo->operands()) {
        operands.push_back(Inside(operand));
      }
      inside_[hlo] = fused_->AddInstruction(
          hlo->CloneWithNewOperands(hlo->shape(), operands), hlo->name());
    }
    std::vector<FusedOutput> here = Outputs();
    HloInstruction* root = Root(here);
    fused_->set_root_instruction(root);
    const bool reduction =
        groups_.Group(number_).kind == FusionGroup::Kind::kReduction;
    FusionAttrs attrs;
    attrs.kind = reduction ? FusionKind::kInput : FusionKind::kLoop;
    const HloInstruction* last = groups_.At(roots_.back()).hlo;
    auto fusion = HloInstruction::Create(HloOpcode::kFusion, root->shape(),
                                         parameters_, attrs, {fused_});
    fusion->set_metadata(last->metadata());
    HloInstruction* added = computation_->AddInstruction(
        std::move(fusion), reduction ? "reduce_fusion" : "loop_fusion");
    for (FusedOutput& output : here) {
      output.fusion = added;
      outputs.push_back(output);
    }
    return absl::OkStatus();
  }

 private:
  bool IsInside(const HloInstruction* hlo) const {
    return inside_.contains(hlo) ||
           (hlo->opcode() == HloOpcode::kGetTupleElement &&
            inside_.contains(hlo->operand(0)));
  }

  HloInstruction* Inside(HloInstruction* hlo) {
    HloInstruction*& here = inside_[hlo];
    if (here != nullptr) return here;
    if (IsScalarConstant(*hlo)) {
      return here = fused_->AddInstruction(
                 hlo->CloneWithNewOperands(hlo->shape(), {}), hlo->name());
    }
    if (hlo->opcode() == HloOpcode::kGetTupleElement &&
        inside_.contains(hlo->operand(0))) {
      HloInstruction* tuple = inside_[hlo->operand(0)];
      HloInstruction* clone = fused_->AddInstruction(
          hlo->CloneWithNewOperands(hlo->shape(), {tuple}), hlo->name());
      return inside_[hlo] = clone;
    }
    here = fused_->AddInstruction(HloInstruction::CreateParameter(
                                      static_cast<int64_t>(parameters_.size()),
                                      hlo->shape(), hlo->name()),
                                  hlo->name());
    parameters_.push_back(hlo);
    return here;
  }

  // Returns the results of the group: for a root that is a tuple, each element
  // that a get-tuple-element reads.
  std::vector<FusedOutput> Outputs() {
    std::vector<FusedOutput> outputs;
    for (int position : roots_) {
      HloInstruction* hlo = groups_.At(position).hlo;
      if (!hlo->shape().IsTuple() || roots_.size() == 1) {
        outputs.push_back({inside_[hlo], hlo});
        continue;
      }
      for (HloInstruction* element : hlo->users()) {
        if (element->opcode() != HloOpcode::kGetTupleElement) continue;
        outputs.push_back({Inside(element), element});
      }
    }
    return outputs;
  }

  HloInstruction* Root(std::vector<FusedOutput>& outputs) {
    if (outputs.size() == 1) return outputs[0].value;
    std::vector<HloInstruction*> elements;
    for (FusedOutput& output : outputs) {
      output.index = static_cast<int64_t>(elements.size());
      elements.push_back(output.value);
    }
    return fused_->AddInstruction(HloInstruction::CreateTuple(elements),
                                  "tuple");
  }

  HloComputation* computation_;
  FusionGroups& groups_;
  const int number_;
  std::vector<int> roots_;
  std::vector<HloInstruction*> members_;
  std::vector<HloInstruction*> parameters_;
  HloComputation* fused_ = nullptr;
  // The instruction in the fusion for each one of the computation; null until
  // it is made.
  absl::flat_hash_map<const HloInstruction*, HloInstruction*> inside_;
};

}  // namespace

absl::StatusOr<bool> BuildFusions(HloComputation* computation,
                                  FusionGroups& groups) {
  std::vector<FusedOutput> outputs;
  for (int number : groups.GroupNumbers()) {
    GroupBuilder builder(computation, groups, number);
    if (!builder.IsFusion()) continue;
    TF_RETURN_IF_ERROR(builder.Build(outputs));
  }
  for (const FusedOutput& output : outputs) {
    HloInstruction* result = output.fusion;
    if (output.index >= 0) {
      result = computation->AddInstruction(
          HloInstruction::CreateGetTupleElement(result, output.index));
    }
    TF_RETURN_IF_ERROR(output.replaced->ReplaceAllUsesWith(result));
  }
  // An instruction that was fused with all of its users is dead.
  for (int position = groups.size() - 1; position >= 0; --position) {
    HloInstruction* hlo = groups.At(position).hlo;
    const bool part = !groups.At(position).in.empty() ||
                      hlo->opcode() == HloOpcode::kGetTupleElement ||
                      IsScalarConstant(*hlo);
    if (part && hlo->user_count() == 0 && !hlo->IsRoot() &&
        !hlo->HasControlDependencies()) {
      TF_RETURN_IF_ERROR(computation->RemoveInstruction(hlo));
    }
  }
  return !outputs.empty();
}

}  // namespace xla
