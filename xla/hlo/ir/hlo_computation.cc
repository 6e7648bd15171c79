// Adding, removing, ordering and copying instructions.
#include "xla/hlo/ir/hlo_computation.h"

#include <algorithm>
#include <queue>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "xla/base/logging.h"
#include "xla/base/status_macros.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/ir/hlo_clone_context.h"
#include "xla/hlo/ir/hlo_module.h"
#include "xla/hlo/ops/values.h"

namespace xla {

HloComputation::~HloComputation() { DropUsersOutside(); }

// Leaves null in the place of instructions that others, which were never added
// to a computation, use.
void HloComputation::DropUsersOutside() {
  for (HloInstruction* instruction : instructions()) {
    for (HloInstruction* user : instruction->users()) {
      if (user->parent_ == this) continue;
      std::replace(user->operands_.begin(), user->operands_.end(), instruction,
                   static_cast<HloInstruction*>(nullptr));
    }
  }
}

bool HloComputation::IsEntryComputation() const {
  return parent_ != nullptr && parent_->entry_computation() == this;
}

HloInstruction* HloComputation::AddInstruction(
    std::unique_ptr<HloInstruction> instruction, absl::string_view name) {
  CheckOperands(*instruction);
  return Take(std::move(instruction), name);
}

void HloComputation::CheckOperands(const HloInstruction& instruction) const {
  for (const HloInstruction* operand : instruction.operands_) {
    CHECK(operand != nullptr)
        << instruction.name() << " in " << name_ << " lost an operand";
    CHECK(operand->parent_ == this)
        << "operand " << operand->name() << " is of another computation";
  }
}

HloInstruction* HloComputation::Take(
    std::unique_ptr<HloInstruction> instruction, absl::string_view name) {
  HloInstruction* added = instruction.get();
  absl::string_view wanted = name.empty() ? added->name_ : name;
  if (wanted.empty()) wanted = HloOpcodeString(added->opcode_);
  added->parent_ = this;
  if (parent_ != nullptr) {
    added->name_ = parent_->UniqueInstructionName(wanted);
    added->unique_id_ = parent_->NewUniqueId();
  } else {
    added->name_ = std::string(wanted);
  }
  if (added->opcode() == HloOpcode::kParameter) {
    CHECK_GE(added->parameter_number(), 0) << added->name_;
    const size_t number = added->parameter_number();
    if (number >= parameters_.size()) parameters_.resize(number + 1, nullptr);
    CHECK(parameters_[number] == nullptr)
        << "parameter " << number << " of " << name_ << " was added before";
    parameters_[number] = added;
  }
  instructions_.push_back(std::move(instruction));
  added->position_ = std::prev(instructions_.end());
  if (root_ == nullptr) root_ = added;
  return added;
}

absl::StatusOr<HloInstruction*> HloComputation::Add(
    HloOpcode opcode, absl::Span<HloInstruction* const> operands, Attrs attrs,
    absl::Span<HloComputation* const> computations, const Shape* declared) {
  TF_ASSIGN_OR_RETURN(std::unique_ptr<HloInstruction> instruction,
                      HloInstruction::Infer(opcode, operands, std::move(attrs),
                                            computations, declared));
  return AddInstruction(std::move(instruction));
}

HloInstruction* HloComputation::AddInstruction(
    std::unique_ptr<HloInstruction> instruction, const OpMetadata* metadata,
    const FrontendAttributes* frontend_attributes) {
  if (metadata != nullptr) instruction->set_metadata(*metadata);
  if (frontend_attributes != nullptr) {
    instruction->set_frontend_attributes(*frontend_attributes);
  }
  return AddInstruction(std::move(instruction));
}

void HloComputation::set_root_instruction(HloInstruction* root,
                                          bool accept_different_shape) {
  CHECK(accept_different_shape || IsFusionComputation() ||
        ShapeUtil::Compatible(root->shape(), root_->shape()))
      << root->ToString() << " and " << root_->ToString();
  if (IsEntryComputation() &&
      !Shape::Equal().IgnoreLayout()(root->shape(), root_->shape())) {
    parent_->set_input_output_alias_config(
        HloInputOutputAliasConfig(root->shape()));
  }
  root_ = root;
}

HloInstruction* HloComputation::Builder::AddInstruction(
    std::unique_ptr<HloInstruction> instruction) {
  instructions_.push_back(std::move(instruction));
  return last_added_instruction();
}

absl::StatusOr<HloInstruction*> HloComputation::Builder::AddParameter(
    std::unique_ptr<HloInstruction> parameter) {
  const int64_t number = parameter->parameter_number();
  for (const auto& instruction : instructions_) {
    if (instruction->opcode() == HloOpcode::kParameter &&
        instruction->parameter_number() == number) {
      return absl::InvalidArgumentError(
          absl::StrCat("parameter ", number, " of ", name_, " is there"));
    }
  }
  return AddInstruction(std::move(parameter));
}

absl::Status HloComputation::Builder::ForEachInstruction(
    absl::FunctionRef<absl::Status(const HloInstruction*)> func) const {
  for (const auto& instruction : instructions_) {
    TF_RETURN_IF_ERROR(func(instruction.get()));
  }
  return absl::OkStatus();
}

std::unique_ptr<HloComputation> HloComputation::Builder::Build(
    HloInstruction* root_instruction) {
  CHECK(!instructions_.empty()) << name_ << " has no instructions";
  auto built = std::make_unique<HloComputation>(name_);
  built->root_ =
      root_instruction != nullptr ? root_instruction : last_added_instruction();
  for (auto& instruction : instructions_) {
    built->Take(std::move(instruction), /*name=*/"");
  }
  instructions_.clear();
  for (const HloInstruction* instruction : built->instructions()) {
    built->CheckOperands(*instruction);
  }
  for (const HloInstruction* parameter : built->parameters_) {
    CHECK(parameter != nullptr) << name_ << " lacks a parameter below number "
                                << built->num_parameters() - 1;
  }
  return built;
}

namespace {

// Whether each of the instructions comes after its operands and control
// predecessors.
bool IsPostOrder(absl::Span<HloInstruction* const> order) {
  absl::flat_hash_set<const HloInstruction*> seen;
  seen.reserve(order.size());
  const auto all_seen = [&](const auto& before) {
    return absl::c_all_of(
        before, [&](const HloInstruction* hlo) { return seen.contains(hlo); });
  };
  return absl::c_all_of(order, [&](const HloInstruction* hlo) {
    return all_seen(hlo->operands()) && all_seen(hlo->control_predecessors()) &&
           seen.insert(hlo).second;
  });
}

}  // namespace

std::vector<HloInstruction*> HloComputation::MakeInstructionPostOrder() const {
  // Most lists are in order, and then the algorithm below keeps them.
  std::vector<HloInstruction*> list(instructions().begin(),
                                    instructions().end());
  if (IsPostOrder(list)) return list;
  // Kahn's algorithm with the position in instructions_ as priority.
  absl::flat_hash_map<const HloInstruction*, std::pair<int64_t, int64_t>>
      state;  // position, operands and control predecessors not yet done
  state.reserve(instruction_count());
  int64_t position = 0;
  for (const HloInstruction* instruction : instructions()) {
    state.emplace(instruction, std::make_pair(position++, int64_t{0}));
  }
  for (const HloInstruction* instruction : instructions()) {
    // Users that were never added to the computation are not its own.
    for (const HloInstruction* user : instruction->users()) {
      if (user->parent() == this) ++state[user].second;
    }
    for (const HloInstruction* next : instruction->control_successors()) {
      ++state[next].second;
    }
  }
  using Entry = std::pair<int64_t, HloInstruction*>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<Entry>> ready;
  for (HloInstruction* instruction : instructions()) {
    const auto& [at, missing] = state[instruction];
    if (missing == 0) ready.push({at, instruction});
  }
  std::vector<HloInstruction*> order;
  order.reserve(instruction_count());
  auto done = [&](HloInstruction* next) {
    auto& [at, missing] = state[next];
    if (--missing == 0) ready.push({at, next});
  };
  while (!ready.empty()) {
    HloInstruction* instruction = ready.top().second;
    ready.pop();
    order.push_back(instruction);
    for (HloInstruction* user : instruction->users()) {
      if (user->parent() == this) done(user);
    }
    for (HloInstruction* next : instruction->control_successors()) done(next);
  }
  return order;
}

void HloComputation::Retire(HloInstruction* instruction) {
  instruction->DetachFromOperandsAndUsers();
  instruction->ClearCalledComputations();
  // Values may be large.
  if (instruction->opcode() == HloOpcode::kConstant) {
    instruction->mutable_attrs<ConstantAttrs>().literal = SharedLiteral();
  }
  instruction->parent_ = nullptr;
  instruction->is_removed_ = true;
  // The list keeps the place, where an iterator may be.
  removed_.push_back(std::move(*instruction->position_));
  if (parent_ != nullptr && parent_->has_schedule()) {
    parent_->schedule().OnRemoval(this, instruction);
  }
}

absl::Status HloComputation::SetInstructionOrder(
    absl::Span<HloInstruction* const> order) {
  absl::flat_hash_set<const HloInstruction*> seen;
  for (const HloInstruction* instruction : order) {
    if (instruction->parent() != this || !seen.insert(instruction).second) {
      return absl::InvalidArgumentError(
          absl::StrCat("instruction order of ", name_,
                       ": not a permutation at ", instruction->name()));
    }
  }
  if (static_cast<int64_t>(order.size()) != instruction_count()) {
    return absl::InvalidArgumentError(
        absl::StrCat("instruction order of ", name_, ": ", order.size(), " of ",
                     instruction_count(), " instructions"));
  }
  Reorder(order);
  if (parent_ != nullptr && parent_->has_schedule() && !is_fusion_) {
    parent_->schedule().FollowList(this);
  }
  return absl::OkStatus();
}

void HloComputation::Reorder(absl::Span<HloInstruction* const> order) {
  for (HloInstruction* instruction : order) {
    instructions_.splice(instructions_.end(), instructions_,
                         instruction->position_);
  }
}

void HloComputation::Reorder(
    absl::Span<HloInstruction* const> order,
    const absl::flat_hash_set<const HloInstruction*>& moved) {
  // The positions after the last one that moved do not matter.
  size_t i = order.size();
  if (moved.size() == 1) {
    i = absl::c_find(order, *moved.begin()) - order.begin() + 1;
  }
  auto next = i < order.size() ? order[i]->position_ : instructions_.end();
  for (size_t left = moved.size(); left > 0 && i > 0; --i) {
    const HloInstruction* instruction = order[i - 1];
    if (moved.contains(instruction)) {
      instructions_.splice(next, instructions_, instruction->position_);
      --left;
    }
    next = instruction->position_;
  }
}

ProgramShape HloComputation::ComputeProgramShape(bool include_ids) const {
  ProgramShape signature;
  for (const HloInstruction* parameter : parameters_) {
    const std::string& name = parameter->name();
    signature.AddParameter(parameter->shape(),
                           include_ids ? name : name.substr(0, name.find('.')));
  }
  if (root_ != nullptr) *signature.mutable_result() = root_->shape();
  return signature;
}

}  // namespace xla
