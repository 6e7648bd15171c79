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
#include "xla/hlo/ir/hlo_clone_context.h"
#include "xla/hlo/ir/hlo_module.h"
#include "xla/hlo/ops/values.h"

namespace xla {

HloComputation::~HloComputation() = default;

bool HloComputation::IsEntryComputation() const {
  return parent_ != nullptr && parent_->entry_computation() == this;
}

HloInstruction* HloComputation::AddInstruction(
    std::unique_ptr<HloInstruction> instruction, absl::string_view name) {
  HloInstruction* added = instruction.get();
  for (HloInstruction* operand : added->operands_) {
    CHECK(operand->parent_ == this)
        << "operand " << operand->name() << " is of another computation";
  }
  absl::string_view wanted = !name.empty() ? name
                             : !added->name_.empty()
                                 ? added->name_
                                 : HloOpcodeString(added->opcode_);
  added->parent_ = this;
  if (parent_ != nullptr) {
    added->name_ = parent_->UniqueInstructionName(wanted);
    added->unique_id_ = parent_->NewUniqueId();
  } else {
    added->name_ = std::string(wanted);
  }
  if (added->opcode() == HloOpcode::kParameter) {
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

HloInstruction* HloComputation::GetInstructionWithName(
    absl::string_view name) const {
  for (const auto& instruction : instructions_) {
    if (instruction->name() == name) return instruction.get();
  }
  return nullptr;
}

bool ComputationOrder::operator()(const HloComputation* a,
                                  const HloComputation* b) const {
  return a->unique_id() < b->unique_id();
}

absl::StatusOr<HloInstruction*> HloComputation::Builder::AddParameter(
    std::unique_ptr<HloInstruction> parameter) {
  const int64_t number = parameter->parameter_number();
  if (number < computation_->num_parameters() &&
      computation_->parameter_instruction(number) != nullptr) {
    return absl::InvalidArgumentError(absl::StrCat(
        "parameter ", number, " of ", computation_->name(), " is there"));
  }
  return AddInstruction(std::move(parameter));
}

std::unique_ptr<HloComputation> HloComputation::Builder::Build(
    HloInstruction* root_instruction) {
  CHECK(last_ != nullptr) << computation_->name() << " has no instructions";
  for (const HloInstruction* parameter : computation_->parameters_) {
    CHECK(parameter != nullptr)
        << computation_->name() << " lacks a parameter below number "
        << computation_->num_parameters() - 1;
  }
  computation_->root_ = root_instruction != nullptr ? root_instruction : last_;
  auto built = std::move(computation_);
  computation_ = std::make_unique<HloComputation>(built->name());
  last_ = nullptr;
  return built;
}

std::vector<HloInstruction*> HloComputation::MakeInstructionPostOrder() const {
  // Kahn's algorithm with the position in instructions_ as priority.
  absl::flat_hash_map<const HloInstruction*, std::pair<int64_t, int64_t>>
      state;  // position, operands and control predecessors not yet done
  state.reserve(instructions_.size());
  int64_t position = 0;
  for (const auto& instruction : instructions_) {
    state.emplace(instruction.get(), std::make_pair(position++, int64_t{0}));
  }
  for (const auto& instruction : instructions_) {
    for (const HloInstruction* user : instruction->users()) {
      ++state[user].second;
    }
    for (const HloInstruction* next : instruction->control_successors()) {
      ++state[next].second;
    }
  }
  using Entry = std::pair<int64_t, HloInstruction*>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<Entry>> ready;
  for (const auto& instruction : instructions_) {
    const auto& [at, missing] = state[instruction.get()];
    if (missing == 0) ready.push({at, instruction.get()});
  }
  std::vector<HloInstruction*> order;
  order.reserve(instructions_.size());
  auto done = [&](HloInstruction* next) {
    auto& [at, missing] = state[next];
    if (--missing == 0) ready.push({at, next});
  };
  while (!ready.empty()) {
    HloInstruction* instruction = ready.top().second;
    ready.pop();
    order.push_back(instruction);
    for (HloInstruction* user : instruction->users()) done(user);
    for (HloInstruction* next : instruction->control_successors()) done(next);
  }
  return order;
}

absl::Status HloComputation::RemoveInstruction(HloInstruction* instruction) {
  const bool entry_parameter =
      instruction->opcode() == HloOpcode::kParameter && IsEntryComputation();
  if (instruction->user_count() > 0 || instruction == root_ ||
      entry_parameter || instruction->HasControlDependencies()) {
    return absl::FailedPreconditionError(
        absl::StrCat(instruction->name(), " is used and cannot be removed"));
  }
  if (instruction->opcode() == HloOpcode::kParameter) {
    return RemoveParameter(instruction->parameter_number());
  }
  for (HloInstruction* operand : instruction->operands_) {
    operand->RemoveUser(instruction);
  }
  instructions_.erase(instruction->position_);
  return absl::OkStatus();
}

absl::Status HloComputation::RemoveInstructionAndUnusedOperands(
    HloInstruction* instruction) {
  std::vector<HloInstruction*> pending = {instruction};
  absl::flat_hash_set<HloInstruction*> removed;
  while (!pending.empty()) {
    HloInstruction* next = pending.back();
    pending.pop_back();
    if (removed.contains(next)) continue;
    if (next != instruction &&
        (next->user_count() > 0 || next == root_ ||
         next->opcode() == HloOpcode::kParameter ||
         next->HasControlDependencies() || next->HasSideEffect())) {
      continue;
    }
    pending.insert(pending.end(), next->operands().begin(),
                   next->operands().end());
    removed.insert(next);
    TF_RETURN_IF_ERROR(RemoveInstruction(next));
  }
  return absl::OkStatus();
}

absl::Status HloComputation::ReplaceInstruction(
    HloInstruction* old_instruction, HloInstruction* new_instruction) {
  TF_RETURN_IF_ERROR(old_instruction->ReplaceAllUsesWith(new_instruction));
  TF_RETURN_IF_ERROR(old_instruction->DropAllControlDeps());
  if (old_instruction->opcode() == HloOpcode::kParameter) {
    return absl::OkStatus();
  }
  return RemoveInstructionAndUnusedOperands(old_instruction);
}

absl::Status HloComputation::ReplaceWithNewInstruction(
    HloInstruction* old_instruction,
    std::unique_ptr<HloInstruction> new_instruction) {
  if (new_instruction->metadata().ByteSizeLong() == 0 &&
      old_instruction->metadata().ByteSizeLong() > 0) {
    new_instruction->set_metadata(old_instruction->metadata());
  }
  return ReplaceInstruction(old_instruction,
                            AddInstruction(std::move(new_instruction)));
}

absl::Status HloComputation::RemoveParameter(int64_t i) {
  HloInstruction* parameter = parameters_[i];
  if (parameter->user_count() > 0 || parameter == root_) {
    return absl::FailedPreconditionError(
        absl::StrCat("parameter ", parameter->name(), " is used"));
  }
  parameters_.erase(parameters_.begin() + i);
  instructions_.erase(parameter->position_);
  for (size_t k = i; k < parameters_.size(); ++k) {
    parameters_[k]->mutable_attrs<ParameterAttrs>().number = k;
  }
  return absl::OkStatus();
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
  if (order.size() != instructions_.size()) {
    return absl::InvalidArgumentError(
        absl::StrCat("instruction order of ", name_, ": ", order.size(), " of ",
                     instructions_.size(), " instructions"));
  }
  for (HloInstruction* instruction : order) {
    instructions_.splice(instructions_.end(), instructions_,
                         instruction->position_);
  }
  return absl::OkStatus();
}

ProgramShape HloComputation::ComputeProgramShape() const {
  ProgramShape signature;
  for (const HloInstruction* parameter : parameters_) {
    signature.AddParameter(parameter->shape(), parameter->name());
  }
  if (root_ != nullptr) *signature.mutable_result() = root_->shape();
  return signature;
}

std::vector<HloInstruction*> HloComputation::caller_instructions() const {
  std::vector<HloInstruction*> callers;
  if (parent_ == nullptr) return callers;
  for (const auto& computation : parent_->computations()) {
    for (const auto& instruction : computation->instructions()) {
      const auto& called = instruction->called_computations();
      if (std::find(called.begin(), called.end(), this) != called.end()) {
        callers.push_back(instruction);
      }
    }
  }
  return callers;
}

HloComputation* HloComputation::CloneInto(
    HloModule* target, absl::string_view name,
    const absl::flat_hash_map<const HloComputation*, HloComputation*>&
        computations) const {
  HloComputation* result =
      target->AddEmbeddedComputation(std::make_unique<HloComputation>(name));
  CloneInstructionsInto(result, nullptr, computations);
  return result;
}

std::unique_ptr<HloComputation> HloComputation::Clone(
    const std::string& suffix, HloCloneContext* context) {
  auto clone = std::make_unique<HloComputation>(
      suffix.empty() ? name_ : absl::StrCat(name_, ".", suffix));
  CloneInstructionsInto(clone.get(), context, {});
  if (context != nullptr) context->MapComputation(this, clone.get());
  return clone;
}

void HloComputation::CloneInstructionsInto(
    HloComputation* result, HloCloneContext* context,
    const absl::flat_hash_map<const HloComputation*, HloComputation*>&
        computations) const {
  result->is_fusion_ = is_fusion_;
  result->execution_thread_ = execution_thread_;
  absl::flat_hash_map<const HloInstruction*, HloInstruction*> mapped;
  for (const HloInstruction* parameter : parameters_) {
    mapped[parameter] = result->AddInstruction(
        parameter->CloneWithNewOperands(parameter->shape(), {}, context));
  }
  for (const HloInstruction* instruction : MakeInstructionPostOrder()) {
    HloInstruction*& copy = mapped[instruction];
    if (copy == nullptr) {
      HloInstruction::InstructionVector operands;
      for (HloInstruction* operand : instruction->operands()) {
        operands.push_back(mapped.at(operand));
      }
      auto fresh = instruction->CloneWithNewOperands(instruction->shape(),
                                                     operands, context);
      for (HloComputation*& called : fresh->computations_) {
        auto it = computations.find(called);
        if (it != computations.end()) called = it->second;
      }
      copy = result->AddInstruction(std::move(fresh));
    }
    for (const HloInstruction* before : instruction->control_predecessors()) {
      CHECK_OK(mapped.at(before)->AddControlDependencyTo(copy));
    }
  }
  if (root_ != nullptr) result->root_ = mapped.at(root_);
}

namespace {

// Returns the values that `instructions` use from outside, each once.
std::vector<HloInstruction*> OperandsFromOutside(
    absl::Span<HloInstruction* const> instructions) {
  const absl::flat_hash_set<const HloInstruction*> inside(instructions.begin(),
                                                          instructions.end());
  absl::flat_hash_set<const HloInstruction*> seen;
  std::vector<HloInstruction*> outside;
  for (auto it = instructions.rbegin(); it != instructions.rend(); ++it) {
    for (HloInstruction* operand : (*it)->operands()) {
      if (!inside.contains(operand) && seen.insert(operand).second) {
        outside.push_back(operand);
      }
    }
  }
  return outside;
}

// Adds a computation to the module with copies of `instructions`, users before
// operands, whose parameters are `operands`, and the first one as root.
HloComputation* OutlinedComputation(
    absl::Span<HloInstruction* const> instructions,
    absl::Span<HloInstruction* const> operands, absl::string_view name) {
  HloModule* module = instructions[0]->GetModule();
  CHECK(module != nullptr) << instructions[0]->name() << " is in no module";
  auto computation = std::make_unique<HloComputation>(name);
  absl::flat_hash_map<const HloInstruction*, HloInstruction*> mapped;
  for (size_t i = 0; i < operands.size(); ++i) {
    mapped[operands[i]] =
        computation->AddInstruction(HloInstruction::CreateParameter(
            i, operands[i]->shape(), absl::StrCat("param_", i)));
  }
  for (auto it = instructions.rbegin(); it != instructions.rend(); ++it) {
    std::vector<HloInstruction*> inner;
    for (HloInstruction* operand : (*it)->operands()) {
      inner.push_back(mapped.at(operand));
    }
    mapped[*it] = computation->AddInstruction(
        (*it)->CloneWithNewOperands((*it)->shape(), inner));
  }
  computation->set_root_instruction(mapped.at(instructions[0]));
  return module->AddEmbeddedComputation(std::move(computation));
}

}  // namespace

HloInstruction* HloComputation::CreateFusionInstruction(
    absl::Span<HloInstruction* const> instructions_to_fuse,
    FusionKind fusion_kind) {
  HloInstruction* root = instructions_to_fuse.front();
  const std::vector<HloInstruction*> operands =
      OperandsFromOutside(instructions_to_fuse);
  HloComputation* fused =
      OutlinedComputation(instructions_to_fuse, operands, "fused_computation");
  HloInstruction* fusion = AddInstruction(HloInstruction::CreateFusion(
      root->shape(), fusion_kind, operands, fused));
  root->SetupDerivedInstruction(fusion);
  CHECK_OK(ReplaceInstruction(root, fusion));
  return fusion;
}

HloInstruction* HloComputation::CreateCallInstruction(
    absl::Span<HloInstruction* const> instructions_to_call) {
  HloInstruction* root = instructions_to_call.front();
  const std::vector<HloInstruction*> operands =
      OperandsFromOutside(instructions_to_call);
  HloComputation* called =
      OutlinedComputation(instructions_to_call, operands, "called_computation");
  HloInstruction* call = AddInstruction(
      HloInstruction::CreateCall(root->shape(), operands, called));
  root->SetupDerivedInstruction(call);
  CHECK_OK(ReplaceInstruction(root, call));
  return call;
}

std::vector<HloComputation*> HloComputation::MakeEmbeddedComputationsList()
    const {
  std::vector<HloComputation*> order;
  absl::flat_hash_set<const HloComputation*> seen = {this};
  // A computation, and whether its callees are in the list.
  std::vector<std::pair<HloComputation*, bool>> pending;
  const auto push_callees = [&](const HloComputation& caller) {
    for (const auto& instruction : caller.instructions_) {
      for (HloComputation* called : instruction->called_computations()) {
        if (!seen.contains(called)) pending.push_back({called, false});
      }
    }
  };
  push_callees(*this);
  while (!pending.empty()) {
    auto [next, done] = pending.back();
    if (done) {
      order.push_back(next);
      pending.pop_back();
    } else if (!seen.insert(next).second) {
      pending.pop_back();
    } else {
      pending.back().second = true;
      push_callees(*next);
    }
  }
  return order;
}

absl::btree_map<HloComputation*, int, ComputationOrder>
HloComputation::callee_computations() const {
  absl::btree_map<HloComputation*, int, ComputationOrder> callees;
  for (const auto& instruction : instructions_) {
    for (HloComputation* called : instruction->called_computations()) {
      ++callees[called];
    }
  }
  return callees;
}

absl::btree_map<HloComputation*, int, ComputationOrder>
HloComputation::caller_computations() const {
  absl::btree_map<HloComputation*, int, ComputationOrder> callers;
  for (const HloInstruction* caller : caller_instructions()) {
    callers[caller->parent()] +=
        absl::c_count(caller->called_computations(), this);
  }
  return callers;
}

std::optional<HloInstruction*> HloComputation::GetUniqueCaller(
    HloOpcode opcode) const {
  const std::vector<HloInstruction*> callers = caller_instructions();
  if (callers.size() != 1 || callers[0]->opcode() != opcode) {
    return std::nullopt;
  }
  return callers[0];
}

namespace {

// Pairs of computations that are assumed to be equal while their callers are
// compared.
using ComputationPairs = absl::flat_hash_set<
    std::pair<const HloComputation*, const HloComputation*>>;

bool EqualUnder(
    const HloComputation& a, const HloComputation& b, ComputationPairs& assumed,
    std::vector<std::pair<const HloComputation*, const HloComputation*>>&
        pending) {
  if (a.instruction_count() != b.instruction_count() ||
      a.num_parameters() != b.num_parameters()) {
    return false;
  }
  std::vector<HloInstruction*> a_order = a.MakeInstructionPostOrder();
  std::vector<HloInstruction*> b_order = b.MakeInstructionPostOrder();
  if (a_order.size() != b_order.size()) return false;
  absl::flat_hash_map<const HloInstruction*, const HloInstruction*> partner;
  auto same_operand = [&](const HloInstruction* x, const HloInstruction* y) {
    auto it = partner.find(x);
    return it != partner.end() && it->second == y;
  };
  auto same_computation = [&](const HloComputation* x,
                              const HloComputation* y) {
    if (x != y && assumed.insert({x, y}).second) pending.push_back({x, y});
    return true;
  };
  for (size_t i = 0; i < a_order.size(); ++i) {
    if (!a_order[i]->IdenticalUnder(*b_order[i], same_operand,
                                    same_computation)) {
      return false;
    }
    partner[a_order[i]] = b_order[i];
  }
  return same_operand(a.root_instruction(), b.root_instruction());
}

}  // namespace

bool HloComputation::Equal(const HloComputation& other) const {
  ComputationPairs assumed;
  std::vector<std::pair<const HloComputation*, const HloComputation*>> pending =
      {{this, &other}};
  while (!pending.empty()) {
    auto [a, b] = pending.back();
    pending.pop_back();
    if (a != b && !EqualUnder(*a, *b, assumed, pending)) return false;
  }
  return true;
}

}  // namespace xla
