// Lets values flow through the module until nothing changes.
// buffer_sharing_rules.cc answers which values may share memory.
#include "xla/hlo/analysis/values/hlo_dataflow_analysis.h"

#include <algorithm>
#include <functional>
#include <queue>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "xla/base/logging.h"
#include "xla/base/status_macros.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/analysis/values/forwarding.h"

namespace xla {
namespace {

HloValueSet SetOf(const HloValue& value) {
  HloValueSet set;
  set.AddValue(&value);
  return set;
}

}  // namespace

HloDataflowAnalysis::HloDataflowAnalysis(
    const HloModule& module, bool ssa_form, bool bitcast_defines_value,
    absl::flat_hash_set<absl::string_view> execution_threads)
    : module_(module),
      execution_threads_(std::move(execution_threads)),
      ssa_form_(ssa_form),
      bitcast_defines_value_(bitcast_defines_value),
      call_graph_(CallGraph::Build(&module)) {}

absl::StatusOr<std::unique_ptr<HloDataflowAnalysis>> HloDataflowAnalysis::Run(
    const HloModule& module, bool ssa_form, bool bitcast_defines_value,
    absl::flat_hash_set<absl::string_view> execution_threads) {
  auto analysis = std::unique_ptr<HloDataflowAnalysis>(new HloDataflowAnalysis(
      module, ssa_form, bitcast_defines_value, std::move(execution_threads)));
  TF_RETURN_IF_ERROR(analysis->CheckContexts());
  analysis->DefineValues();
  analysis->Propagate();
  analysis->SimplifyPhis();
  analysis->SetPositions();
  return analysis;
}

bool HloDataflowAnalysis::IsIncluded(absl::string_view thread) const {
  return execution_threads_.empty() || execution_threads_.contains(thread);
}

std::vector<HloComputation*> HloDataflowAnalysis::IncludedComputations() const {
  std::vector<HloComputation*> included;
  for (HloComputation* computation : module_.MakeComputationPostOrder()) {
    if (IsIncluded(computation->execution_thread())) {
      included.push_back(computation);
    }
  }
  return included;
}

absl::Status HloDataflowAnalysis::CheckContexts() const {
  for (const HloComputation* computation : IncludedComputations()) {
    if (call_graph_->GetNode(computation).context() == CallContext::kBoth) {
      return absl::UnimplementedError(
          absl::StrCat("dataflow: computation ", computation->name(),
                       " is called as a step and for elements"));
    }
  }
  return absl::OkStatus();
}

const InstructionValueSet& HloDataflowAnalysis::GetInstructionValueSet(
    const HloInstruction* instruction) const {
  const auto it = value_sets_.find(instruction);
  CHECK(it != value_sets_.end()) << instruction->name() << " is not known";
  return *it->second;
}

InstructionValueSet& HloDataflowAnalysis::GetInstructionValueSet(
    const HloInstruction* instruction) {
  const HloDataflowAnalysis& self = *this;
  return const_cast<InstructionValueSet&>(
      self.GetInstructionValueSet(instruction));
}

HloValueSet HloDataflowAnalysis::GetFlattenedValueSet(
    const HloInstruction* instruction) const {
  std::vector<const HloValueSet*> parts;
  for (const auto& part : GetInstructionValueSet(instruction)) {
    parts.push_back(&part.second);
  }
  HloValueSet all;
  all.AssignUnionOf(parts);
  return all;
}

bool HloDataflowAnalysis::ValueIsDefinedAt(const HloInstruction* instruction,
                                           const ShapeIndex& index) const {
  const auto& values = GetValueSet(instruction, index).values();
  return values.size() == 1 && values[0]->defining_instruction() == instruction;
}

const HloValue& HloDataflowAnalysis::GetValueDefinedAt(
    const HloInstruction* instruction, const ShapeIndex& index) const {
  CHECK(ValueIsDefinedAt(instruction, index))
      << instruction->name() << " makes no value at " << index;
  return GetUniqueValueAt(instruction, index);
}

HloValue& HloDataflowAnalysis::GetValueDefinedAt(
    const HloInstruction* instruction, const ShapeIndex& index) {
  CHECK(ValueIsDefinedAt(instruction, index))
      << instruction->name() << " makes no value at " << index;
  return GetUniqueValueAt(instruction, index);
}

const HloValue& HloDataflowAnalysis::GetValue(HloValue::Id value_id) const {
  return *values_.at(value_id);
}

HloValue& HloDataflowAnalysis::GetValue(HloValue::Id value_id) {
  return *values_.at(value_id);
}

void HloDataflowAnalysis::AddRootSource(const HloComputation& callee,
                                        const ShapeIndex& index,
                                        std::vector<Source>& sources) const {
  if (IsIncluded(callee.execution_thread())) {
    sources.emplace_back(callee.root_instruction(), index);
  }
}

void HloDataflowAnalysis::AddCallerSources(const HloInstruction& parameter,
                                           const ShapeIndex& index,
                                           std::vector<Source>& sources) const {
  const CallGraphNode& node = call_graph_->GetNode(parameter.parent());
  if (node.context() != CallContext::kControlFlow) return;
  const int64_t number = parameter.parameter_number();
  for (const CallSite& site : node.caller_callsites()) {
    const HloInstruction& caller = *site.instruction();
    if (!IsIncluded(caller.parent()->execution_thread())) continue;
    switch (caller.opcode()) {
      case HloOpcode::kWhile:
        sources.emplace_back(caller.operand(0), index);
        // Of a parameter that is the root, nothing new comes back.
        if (caller.while_body()->root_instruction() != &parameter) {
          AddRootSource(*caller.while_body(), index, sources);
        }
        break;
      case HloOpcode::kConditional:
        for (int i = 0; i < caller.branch_count(); ++i) {
          if (caller.branch_computation(i) == parameter.parent()) {
            sources.emplace_back(caller.operand(i + 1), index);
          }
        }
        break;
      case HloOpcode::kAsyncUpdate:
      case HloOpcode::kAsyncDone:
        sources.emplace_back(caller.operand(0),
                             Inside(0, Inside(number, index)));
        break;
      default:
        sources.emplace_back(caller.operand(number), index);
    }
  }
}

std::vector<HloDataflowAnalysis::Source> HloDataflowAnalysis::SourcesOf(
    const HloInstruction& hlo, const ShapeIndex& index) const {
  std::vector<Source> sources;
  if (hlo.opcode() == HloOpcode::kBitcast && bitcast_defines_value_) {
    return sources;
  }
  if (auto part = ForwardedPart(hlo, index, Forwarding::kDataflow)) {
    sources.emplace_back(hlo.operand(part->operand_number),
                         std::move(part->operand_index));
  }
  switch (hlo.opcode()) {
    case HloOpcode::kParameter:
      AddCallerSources(hlo, index, sources);
      break;
    case HloOpcode::kCall:
      AddRootSource(*hlo.to_apply(), index, sources);
      break;
    case HloOpcode::kWhile:
      AddRootSource(*hlo.while_body(), index, sources);
      sources.emplace_back(hlo.operand(0), index);
      break;
    case HloOpcode::kConditional:
      for (const HloComputation* branch : hlo.branch_computations()) {
        AddRootSource(*branch, index, sources);
      }
      break;
    case HloOpcode::kAsyncStart:
    case HloOpcode::kAsyncUpdate:
      // What a started computation returns is in element 1.
      if (!index.empty() && index[0] == 1 &&
          !ShapeUtil::GetSubshape(hlo.shape(), index).IsTuple()) {
        AddRootSource(*hlo.async_wrapped_computation(), Without(index, 1),
                      sources);
      }
      break;
    case HloOpcode::kAsyncDone:
      if (!ShapeUtil::GetSubshape(hlo.shape(), index).IsTuple()) {
        AddRootSource(*hlo.async_wrapped_computation(), index, sources);
      }
      break;
    default:
      break;
  }
  return sources;
}

void HloDataflowAnalysis::DefineValues() {
  for (HloComputation* computation : IncludedComputations()) {
    for (HloInstruction* hlo : computation->MakeInstructionPostOrder()) {
      auto sets = std::make_unique<InstructionValueSet>(&hlo->shape());
      for (auto& [index, set] : *sets) {
        if (!SourcesOf(*hlo, index).empty()) continue;
        const HloValue::Id id = NewValueId();
        values_[id] = std::make_unique<HloValue>(id, hlo, index);
        set.AddValue(values_[id].get());
      }
      value_sets_[hlo] = std::move(sets);
    }
  }
}

bool HloDataflowAnalysis::MayMakePhis(const HloInstruction& hlo) const {
  if (!ssa_form_) return false;
  if (hlo.opcode() == HloOpcode::kWhile ||
      hlo.opcode() == HloOpcode::kConditional) {
    return true;
  }
  if (hlo.opcode() != HloOpcode::kParameter) return false;
  return absl::c_any_of(
      call_graph_->GetNode(hlo.parent()).caller_callsites(),
      [](const CallSite& site) {
        return site.instruction()->opcode() == HloOpcode::kWhile ||
               site.instruction()->opcode() == HloOpcode::kConditional;
      });
}

bool HloDataflowAnalysis::UpdatePhi(HloInstruction* hlo,
                                    const ShapeIndex& index,
                                    const std::vector<Source>& sources,
                                    HloValueSet& set) {
  std::vector<HloValue::Id> inputs;
  for (const auto& [source, at] : sources) {
    for (const HloValue* value : GetValueSet(source, at).values()) {
      inputs.push_back(value->id());
    }
  }
  if (inputs.empty()) return false;
  const HloValue* current = set.values().empty() ? nullptr : set.values()[0];
  if (inputs.size() == 1) {
    if (current != nullptr && current->id() == inputs[0]) return false;
    set = SetOf(GetValue(inputs[0]));
    return true;
  }
  const bool has_phi = current != nullptr && current->is_phi() &&
                       current->defining_instruction() == hlo &&
                       current->defining_index() == index;
  if (has_phi) return phis_.SetInputs(current->id(), inputs);
  const HloValue::Id id = NewValueId();
  values_[id] = std::make_unique<HloValue>(id, hlo, index, /*is_phi=*/true);
  set = SetOf(*values_[id]);
  phis_.SetInputs(id, inputs);
  return true;
}

bool HloDataflowAnalysis::Update(HloInstruction* hlo) {
  const bool makes_phis = MayMakePhis(*hlo);
  bool changed = false;
  for (auto& [index, set] : GetInstructionValueSet(hlo)) {
    const std::vector<Source> sources = SourcesOf(*hlo, index);
    if (sources.empty()) continue;
    if (makes_phis) {
      changed |= UpdatePhi(hlo, index, sources, set);
      continue;
    }
    std::vector<const HloValueSet*> inputs;
    for (const auto& [source, at] : sources) {
      inputs.push_back(&GetValueSet(source, at));
    }
    changed |= set.AssignUnionOf(inputs);
  }
  return changed;
}

template <typename Add>
void HloDataflowAnalysis::ForEachDependent(const HloInstruction& hlo,
                                           const Add& add) const {
  for (HloInstruction* user : hlo.users()) {
    add(user);
    if (GetInstructionCallContext(user->opcode()) !=
        CallContext::kControlFlow) {
      continue;
    }
    for (const HloComputation* callee : user->called_computations()) {
      for (HloInstruction* parameter : callee->parameter_instructions()) {
        add(parameter);
      }
    }
  }
  if (!hlo.IsRoot()) return;
  for (const CallSite& site :
       call_graph_->GetNode(hlo.parent()).caller_callsites()) {
    if (site.context() != CallContext::kControlFlow) continue;
    add(site.instruction());
    if (site.instruction()->opcode() == HloOpcode::kWhile) {
      add(site.instruction()->while_body()->parameter_instruction(0));
      add(site.instruction()->while_condition()->parameter_instruction(0));
    }
  }
}

absl::flat_hash_map<const HloInstruction*, int64_t>
HloDataflowAnalysis::MakeOrder() const {
  // An instruction is opened, which puts its callees on top of it, and then
  // numbered.
  struct Step {
    const HloInstruction* hlo;
    bool is_open;
  };
  absl::flat_hash_map<const HloInstruction*, int64_t> order;
  std::vector<Step> stack;
  absl::flat_hash_set<const HloComputation*> seen;
  const auto push = [&](const HloComputation* computation) {
    if (!seen.insert(computation).second) return;
    const auto all = computation->MakeInstructionPostOrder();
    for (auto it = all.rbegin(); it != all.rend(); ++it) {
      stack.push_back({*it, false});
    }
  };
  push(module_.entry_computation());
  while (!stack.empty()) {
    Step& step = stack.back();
    if (step.is_open) {
      order.emplace(step.hlo, order.size());
      stack.pop_back();
      continue;
    }
    step.is_open = true;
    const HloInstruction& hlo = *step.hlo;  // `step` may move
    if (GetInstructionCallContext(hlo.opcode()) != CallContext::kControlFlow) {
      continue;
    }
    const auto& callees = hlo.called_computations();
    for (auto it = callees.rbegin(); it != callees.rend(); ++it) push(*it);
  }
  return order;
}

void HloDataflowAnalysis::Propagate() {
  const auto order = MakeOrder();
  using Work = std::pair<int64_t, HloInstruction*>;
  const auto later = [](const Work& a, const Work& b) {
    return a.first != b.first ? a.first > b.first
                              : a.second->unique_id() > b.second->unique_id();
  };
  std::priority_queue<Work, std::vector<Work>, decltype(later)> work(later);
  absl::flat_hash_set<const HloInstruction*> waiting;
  const auto add = [&](HloInstruction* hlo) {
    if (!value_sets_.contains(hlo) || !waiting.insert(hlo).second) return;
    const auto it = order.find(hlo);
    work.emplace(it == order.end() ? -1 : it->second, hlo);
  };
  for (HloComputation* computation : IncludedComputations()) {
    for (HloInstruction* hlo : computation->MakeInstructionPostOrder()) {
      add(hlo);
    }
  }
  while (!work.empty()) {
    HloInstruction* hlo = work.top().second;
    work.pop();
    waiting.erase(hlo);
    if (Update(hlo)) ForEachDependent(*hlo, add);
  }
}

void HloDataflowAnalysis::SimplifyPhis() {
  phis_.Simplify();
  absl::flat_hash_set<HloValue::Id> remaining;
  for (auto& [hlo, sets] : value_sets_) {
    for (auto& [index, set] : *sets) {
      if (ssa_form_ && set.values().size() == 1) {
        const HloValue::Id id = phis_.Find(set.values()[0]->id());
        if (id != set.values()[0]->id()) set = SetOf(GetValue(id));
      }
      for (const HloValue* value : set.values()) remaining.insert(value->id());
    }
  }
  absl::erase_if(values_, [&](const auto& entry) {
    return entry.second->is_phi() && !remaining.contains(entry.first);
  });
}

void HloDataflowAnalysis::SetPositions() {
  std::vector<std::vector<HloPosition>> positions(next_value_id_);
  for (HloComputation* computation : module_.computations()) {
    if (!IsIncluded(computation->execution_thread())) continue;
    for (HloInstruction* hlo : computation->instructions()) {
      if (!value_sets_.contains(hlo)) continue;  // in a cycle
      for (const auto& [index, set] : GetInstructionValueSet(hlo)) {
        for (const HloValue* value : set.values()) {
          if (value->defining_instruction() == hlo &&
              value->defining_index() == index) {
            continue;
          }
          positions[value->id()].push_back({hlo, index});
        }
      }
    }
  }
  for (auto& [id, value] : values_) {
    value->SetPositions(positions[id]);
    values_vector_.push_back(value.get());
  }
  absl::c_sort(values_vector_, HloValue::IdLessThan);
}

std::string HloDataflowAnalysis::ToString() const {
  std::string text =
      absl::StrCat("HloDataflowAnalysis, module ", module_.name(),
                   "\n  Instruction value sets:\n");
  for (const HloComputation* computation : IncludedComputations()) {
    for (const HloInstruction* hlo : computation->MakeInstructionPostOrder()) {
      absl::StrAppend(&text, "    ", hlo->name(), ":\n");
      for (const auto& [index, set] : GetInstructionValueSet(hlo)) {
        if (hlo->shape().IsTuple()) {
          absl::StrAppend(&text, "      tuple index ", index.ToString(), ":\n");
        }
        for (const HloValue* value : set.values()) {
          absl::StrAppend(&text, "        ", value->ToShortString(),
                          ValueIsDefinedAt(hlo, index) ? " (def)" : "", "\n");
        }
      }
    }
  }
  absl::StrAppend(&text, "  HloValues:\n");
  for (const HloValue* value : values()) {
    absl::StrAppend(&text, value->ToString(/*indent=*/4));
  }
  return text;
}

absl::Status HloDataflowAnalysis::Verify() const {
  for (const HloValue* value : values()) {
    for (const HloPosition& position : value->positions()) {
      TF_RET_CHECK(absl::c_linear_search(GetValueSet(position).values(), value))
          << value->ToShortString() << " is not at " << position.ToString();
    }
  }
  for (const auto& [hlo, sets] : value_sets_) {
    for (const auto& [index, set] : *sets) {
      for (const HloValue* value : set.values()) {
        TF_RET_CHECK(
            absl::c_any_of(value->positions(),
                           [&, hlo = hlo, &at = index](const HloPosition& p) {
                             return p.instruction == hlo && p.index == at;
                           }))
            << value->ToShortString() << " does not know " << hlo->name();
      }
    }
  }
  return absl::OkStatus();
}

}  // namespace xla
