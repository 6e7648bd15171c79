// Rewrites uses and sets shardings; the order of the walk is Shardy's.
#include "xla/hlo/transforms/sharding/sharding_constraints.h"

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "xla/base/status_macros.h"
#include "xla/hlo/analysis/leaves.h"
#include "xla/hlo/ops/control_flow.h"
#include "xla/hlo/sharding/mesh_sharding.h"
#include "xla/hlo/transforms/sharding/program_order.h"
#include "xla/hlo/transforms/sharding/sharding_calls.h"

namespace xla {
namespace {

OpSharding Unknown() {
  OpSharding unknown;
  unknown.set_type(OpSharding::UNKNOWN);
  return unknown;
}

bool IsUnknownSharding(const OpSharding& sharding) {
  return sharding.type() == OpSharding::UNKNOWN &&
         !sharding.has_named_sharding();
}

HloInstruction* AddCall(absl::string_view target, HloInstruction* operand,
                        OpSharding sharding) {
  CustomCallAttrs attrs;
  attrs.custom_call_target = std::string(target);
  HloInstruction* call = operand->parent()->AddInstruction(
      HloInstruction::Create(HloOpcode::kCustomCall, operand->shape(),
                             {operand}, std::move(attrs)));
  call->set_sharding(std::move(sharding));
  return call;
}

bool MayChooseResult(const HloModuleConfig& config, size_t leaf) {
  const std::vector<bool>& flags =
      config.allow_spmd_sharding_propagation_to_output();
  if (flags.empty()) return true;
  return leaf < flags.size() ? flags[leaf] : flags.size() == 1 && flags[0];
}

HloInstruction* AddResultCall(HloInstruction* value, OpSharding sharding,
                              bool may_choose) {
  if (ShardingCallOf(*value) == ShardingCall::kResult) return value;
  if (IsUnknownSharding(sharding) && !may_choose) {
    sharding.set_type(OpSharding::REPLICATED);
  }
  return AddCall("xla.sdy.FuncResultSharding", value, std::move(sharding));
}

// Makes the root a tuple instruction if its value is a tuple.
HloInstruction* TupleRoot(HloComputation& entry) {
  HloInstruction* root = entry.root_instruction();
  if (root->opcode() == HloOpcode::kTuple) return root;
  std::vector<HloInstruction*> elements;
  for (int64_t i = 0; i < root->shape().tuple_shapes_size(); ++i) {
    elements.push_back(
        entry.AddInstruction(HloInstruction::CreateGetTupleElement(root, i)));
  }
  HloInstruction* tuple =
      entry.AddInstruction(HloInstruction::CreateTuple(elements));
  *tuple->mutable_shape() = root->shape();
  entry.set_root_instruction(tuple);
  return tuple;
}

bool IsStatedLeaf(const HloInstruction& hlo, int leaf) {
  if (!hlo.has_sharding()) return false;
  const OpSharding& sharding = hlo.sharding_proto();
  if (sharding.type() != OpSharding::TUPLE) return !IsUnknownSharding(sharding);
  return leaf < sharding.tuple_shardings_size() &&
         !IsUnknownSharding(sharding.tuple_shardings(leaf));
}

// What a constraint says, for comparison.
std::string KeyOf(const HloInstruction& constraint) {
  return absl::StrCat(constraint.sharding_proto().SerializeAsString(), "/",
                      constraint.raw_backend_config_string());
}

bool IsFullyClosed(const HloInstruction& constraint) {
  const OpSharding& sharding = constraint.sharding_proto();
  if (!sharding.has_named_sharding()) {
    return sharding.type() != OpSharding::UNKNOWN &&
           constraint.raw_backend_config_string().empty();
  }
  return absl::c_all_of(
      sharding.named_sharding().dim_shardings(),
      [](const NamedShardingProto::DimensionSharding& dimension) {
        return dimension.is_closed();
      });
}

class ConstraintApplier {
 public:
  explicit ConstraintApplier(HloModule* module) : module_(module) {}

  absl::Status Visit(HloComputation* computation) {
    for (HloInstruction* hlo : DepthFirstOrder(*computation)) {
      switch (hlo->opcode()) {
        case HloOpcode::kWhile:
        case HloOpcode::kConditional:
        case HloOpcode::kCall:
          for (HloComputation* called : hlo->called_computations()) {
            callers_[called] = hlo;
            TF_RETURN_IF_ERROR(Visit(called));
          }
          break;
        default:
          if (!IsConstraint(*hlo)) break;
          if (!IsManualEntry(*hlo)) TF_RETURN_IF_ERROR(ApplyChain(hlo));
          TF_RETURN_IF_ERROR(Apply(hlo));
      }
    }
    return absl::OkStatus();
  }

 private:
  // Returns the value outside that a branch of a conditional gets, or that a
  // loop leaves alone; others are their own source.
  HloInstruction* SourceOf(HloInstruction* value) const {
    while (true) {
      if (HloInstruction* outside = BranchOperandOf(*value)) {
        value = outside;
        continue;
      }
      if (value->opcode() != HloOpcode::kGetTupleElement) break;
      HloInstruction* tuple = value->mutable_operand(0);
      const int64_t element = value->tuple_index();
      if (tuple->opcode() == HloOpcode::kParameter) {
        const auto caller = callers_.find(tuple->parent());
        if (caller == callers_.end()) break;
        tuple = OutsideOf(*tuple, caller->second, element);
      } else if (tuple->opcode() == HloOpcode::kWhile) {
        tuple = IsCarriedUnchanged(*tuple, element) ? tuple->mutable_operand(0)
                                                    : nullptr;
      }
      if (tuple == nullptr || tuple->opcode() != HloOpcode::kTuple) break;
      value = tuple->mutable_operand(element);
    }
    return value;
  }

  // Returns the operand of a conditional that is the parameter of its branch;
  // null for other values.
  HloInstruction* BranchOperandOf(const HloInstruction& value) const {
    if (value.opcode() != HloOpcode::kParameter) return nullptr;
    const auto caller = callers_.find(value.parent());
    if (caller == callers_.end() ||
        caller->second->opcode() != HloOpcode::kConditional) {
      return nullptr;
    }
    return OutsideOf(value, caller->second, /*element=*/0);
  }

  // Returns the operand of the caller that is the parameter, as far as the
  // element is concerned; null if it is none.
  static HloInstruction* OutsideOf(const HloInstruction& parameter,
                                   HloInstruction* caller, int64_t element) {
    if (caller->opcode() == HloOpcode::kWhile) {
      return IsCarriedUnchanged(*caller, element) ? caller->mutable_operand(0)
                                                  : nullptr;
    }
    const auto& called = caller->called_computations();
    const int64_t branch =
        absl::c_find(called, parameter.parent()) - called.begin();
    return caller->opcode() == HloOpcode::kConditional
               ? caller->mutable_operand(branch + 1)
               : nullptr;
  }

  bool IsEdgeTarget(const HloInstruction& value) const {
    const HloInstruction* hlo = &value;
    while (hlo->opcode() == HloOpcode::kGetTupleElement) hlo = hlo->operand(0);
    switch (hlo->opcode()) {
      case HloOpcode::kWhile:
      case HloOpcode::kConditional:
      case HloOpcode::kOptimizationBarrier:
        return true;
      case HloOpcode::kParameter: {
        const auto caller = callers_.find(hlo->parent());
        return caller != callers_.end() &&
               caller->second->opcode() == HloOpcode::kWhile;
      }
      default:
        return false;
    }
  }

  bool IsStated(const HloInstruction& value) const {
    if (IsStatedLeaf(value, 0)) return true;
    if (value.opcode() == HloOpcode::kGetTupleElement) {
      const HloInstruction& tuple = *value.operand(0);
      return IsStatedLeaf(
          tuple, FirstLeafOfElement(tuple.shape(), value.tuple_index()));
    }
    if (value.opcode() != HloOpcode::kParameter ||
        value.parent() != module_->entry_computation()) {
      return false;
    }
    // Flags count the leaves of all parameters.
    const std::vector<bool>& flags =
        module_->config().allow_spmd_sharding_propagation_to_parameters();
    if (flags.empty()) return false;
    size_t leaf = 0;
    for (int64_t p = 0; p < value.parameter_number(); ++p) {
      leaf += LeafCount(value.parent()->parameter_instruction(p)->shape());
    }
    return !(leaf < flags.size() ? flags[leaf] : flags.size() == 1 && flags[0]);
  }

  static bool HasOtherConstraint(const HloInstruction& value,
                                 const HloInstruction* except) {
    return absl::c_any_of(value.users(), [&](const HloInstruction* user) {
      return user != except && IsConstraint(*user);
    });
  }

  absl::Status ApplyChain(HloInstruction* head) {
    HloInstruction* input = head->mutable_operand(0);
    if (IsConstraint(*input) || IsStated(*SourceOf(input)) ||
        HasOtherConstraint(*input, head)) {
      return absl::OkStatus();
    }
    HloInstruction* tail = head;
    while (tail->user_count() == 1 && !tail->IsRoot() &&
           IsConstraint(*tail->users()[0]) &&
           !IsManualEntry(*tail->users()[0])) {
      tail = tail->users()[0];
    }
    if (tail == head || HasOtherConstraint(*tail, nullptr)) {
      return absl::OkStatus();
    }
    // Users that come before the chain keep the array. The order of
    // instructions is that of the program, of which nothing depends on it: the
    // chain has no other operands.
    bool is_behind = false;
    std::vector<HloInstruction*> later;
    for (const auto& hlo : head->parent()->instructions()) {
      if (is_behind && hlo->IsUserOf(input) && hlo != head &&
          ShardingCallOf(*hlo) != ShardingCall::kResult) {
        later.push_back(hlo);
      }
      is_behind |= hlo == tail;
    }
    for (HloInstruction* user : later) {
      TF_RETURN_IF_ERROR(input->ReplaceUseWith(user, tail));
    }
    return absl::OkStatus();
  }

  absl::Status Apply(HloInstruction* constraint) {
    HloInstruction* input = constraint->mutable_operand(0);
    HloInstruction* source = SourceOf(input);
    if (IsStated(*source) || !IsFullyClosed(*constraint)) {
      return absl::OkStatus();
    }
    const std::string key = KeyOf(*constraint);
    for (const HloInstruction* user : input->users()) {
      if (IsConstraint(*user) && KeyOf(*user) != key) return absl::OkStatus();
    }
    if (!IsEdgeTarget(*source)) {
      source->set_sharding(constraint->sharding_proto());
      return absl::OkStatus();
    }
    const std::vector<HloInstruction*> users = input->users();
    for (HloInstruction* user : users) {
      if (user == constraint) continue;
      TF_RETURN_IF_ERROR(input->ReplaceUseWith(user, constraint));
    }
    if (input->IsRoot()) input->parent()->set_root_instruction(constraint);
    return SetUnreduced(*constraint, *input);
  }

  // Axes with partial values are not propagated, but a loop's carry has those
  // that it is given.
  static absl::Status SetUnreduced(const HloInstruction& constraint,
                                   HloInstruction& input) {
    if (!constraint.sharding_proto().has_named_sharding() ||
        constraint.sharding_proto().named_sharding().unreduced_axes().empty()) {
      return absl::OkStatus();
    }
    TF_ASSIGN_OR_RETURN(
        MeshSharding named,
        MeshSharding::FromProto(constraint.sharding_proto().named_sharding()));
    MeshSharding open = MeshSharding::Replicated(
        named.mesh, static_cast<int64_t>(input.shape().dimensions().size()),
        /*is_open=*/true);
    open.unreduced = named.unreduced;
    open.unreduced_kind = named.unreduced_kind;
    input.set_sharding(open.ToOpSharding());
    return absl::OkStatus();
  }

  HloModule* module_;
  absl::flat_hash_map<const HloComputation*, HloInstruction*> callers_;
};

// What an array's instruction states, for comparison; empty if nothing.
std::string StatedKey(const HloInstruction& value) {
  if (!IsStatedLeaf(value, 0)) return "";
  return KeyOf(value);
}

// Whether the devices hold the same parts.
bool IsDividedAlike(const HloInstruction& a, const HloInstruction& b) {
  if (!a.has_sharding() || !b.has_sharding()) return false;
  const auto x = MeshSharding::FromProto(a.sharding_proto().named_sharding());
  const auto y = MeshSharding::FromProto(b.sharding_proto().named_sharding());
  if (!x.ok() || !y.ok() || x->rank() != y->rank() || *x->mesh != *y->mesh ||
      x->unreduced != y->unreduced || x->unreduced_kind != y->unreduced_kind) {
    return false;
  }
  for (int64_t d = 0; d < x->rank(); ++d) {
    if (x->dimensions[d].axes != y->dimensions[d].axes) return false;
  }
  return true;
}

void BecomeSharding(HloInstruction& call) {
  auto& attrs = call.mutable_attrs<CustomCallAttrs>();
  attrs.custom_call_target = "Sharding";
  attrs.custom_call_has_side_effect = false;
  call.set_frontend_attributes({});
}

}  // namespace

absl::Status AddResultCalls(HloModule* module) {
  HloComputation& entry = *module->entry_computation();
  HloInstruction* root = entry.root_instruction();
  if (root->shape().IsArray()) {
    entry.set_root_instruction(
        AddResultCall(root, Unknown(), MayChooseResult(module->config(), 0)));
    return absl::OkStatus();
  }
  if (!root->shape().IsTuple()) return absl::OkStatus();
  root = TupleRoot(entry);
  OpSharding stated;
  if (root->has_sharding()) stated = root->sharding_proto();
  int leaf = 0;
  for (int64_t i = 0; i < root->operand_count(); ++i) {
    HloInstruction* value = root->mutable_operand(i);
    OpSharding sharding = Unknown();
    if (leaf < stated.tuple_shardings_size()) {
      sharding = stated.tuple_shardings(leaf);
    } else if (root->has_sharding() && stated.type() != OpSharding::TUPLE) {
      sharding = stated;
    }
    const bool may_choose = MayChooseResult(module->config(), leaf);
    leaf += LeafCount(value->shape());
    if (!value->shape().IsArray()) continue;
    TF_RETURN_IF_ERROR(root->ReplaceOperandWith(
        i, AddResultCall(value, std::move(sharding), may_choose)));
  }
  root->clear_sharding();
  return absl::OkStatus();
}

absl::Status ApplyShardingConstraints(HloModule* module) {
  return ConstraintApplier(module).Visit(module->entry_computation());
}

absl::Status SeparateConflictingGroups(HloModule* module) {
  // The markers of each group, by its number.
  std::map<int64_t, std::vector<HloInstruction*>> groups;
  for (const auto& computation : module->computations()) {
    for (const auto& hlo : computation->instructions()) {
      if (!IsGroupMarker(*hlo)) continue;
      groups[hlo->sharding_proto().shard_group_id()].push_back(hlo);
    }
  }
  for (const auto& [id, markers] : groups) {
    absl::flat_hash_set<std::string> keys;
    for (const HloInstruction* marker : markers) {
      std::string key = StatedKey(*marker->operand(0));
      if (!key.empty()) keys.insert(std::move(key));
    }
    if (keys.size() < 2) continue;
    absl::flat_hash_map<HloInstruction*, HloInstruction*> open;
    for (HloInstruction* marker : markers) {
      HloInstruction* value = marker->mutable_operand(0);
      HloInstruction*& call = open[value];
      if (call == nullptr) {
        const std::vector<HloInstruction*> users = value->users();
        call = AddCall("Sharding", value, Unknown());
        for (HloInstruction* user : users) {
          TF_RETURN_IF_ERROR(value->ReplaceUseWith(user, call));
        }
        if (value->IsRoot()) value->parent()->set_root_instruction(call);
      }
    }
  }
  return absl::OkStatus();
}

absl::StatusOr<bool> FinishShardingCalls(HloModule* module) {
  bool changed = false;
  for (const auto& computation : module->computations()) {
    for (HloInstruction* hlo : computation->MakeInstructionPostOrder()) {
      const ShardingCall call = ShardingCallOf(*hlo);
      HloInstruction* operand =
          hlo->operand_count() == 1 ? hlo->mutable_operand(0) : nullptr;
      switch (call) {
        case ShardingCall::kSharding:
          if (!IsGroupMarker(*hlo)) continue;
          break;
        case ShardingCall::kResult:
        case ShardingCall::kBarrier:
          if (IsDividedAlike(*hlo, *operand)) break;
          BecomeSharding(*hlo);
          changed = true;
          continue;
        default:
          continue;
      }
      changed |= call != ShardingCall::kResult;
      TF_RETURN_IF_ERROR(hlo->DropAllControlDeps());
      TF_RETURN_IF_ERROR(hlo->ReplaceAllUsesWith(operand));
      TF_RETURN_IF_ERROR(computation->RemoveInstruction(hlo));
    }
  }
  return changed;
}

}  // namespace xla
