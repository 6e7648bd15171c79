// Walks over the call graph once: operands before users, callees where they are
// called.
#include "xla/hlo/analysis/hlo_dataflow.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "xla/base/status_macros.h"
#include "xla/hlo/analysis/leaves.h"

namespace xla {

bool HloDataflow::IsForwarding(HloOpcode opcode) {
  return GetOpDef(opcode).cost_class == CostClass::kNone &&
         opcode != HloOpcode::kParameter && opcode != HloOpcode::kConstant;
}

absl::StatusOr<std::unique_ptr<HloDataflow>> HloDataflow::Run(
    const HloModule& module) {
  auto flow = std::unique_ptr<HloDataflow>(new HloDataflow());
  TF_RETURN_IF_ERROR(
      flow->Walk(*module.entry_computation(), nullptr, CallRole::kEntry, {}));
  flow->Resolve();
  return flow;
}

absl::Span<const int> HloDataflow::values(
    const HloInstruction* instruction) const {
  return leaves_.at(instruction);
}

int HloDataflow::ElementOffset(const HloInstruction* tuple,
                               int64_t element) const {
  return offsets_.at(tuple)[element];
}

int HloDataflow::CarryOf(const HloInstruction* loop, int leaf) const {
  return carries_.at(loop)[leaf];
}

int HloDataflow::Find(int value) const {
  while (value >= 0 && replaced_by_[value] != value) {
    value = replaced_by_[value];
  }
  return value;
}

absl::StatusOr<HloDataflow::Leaves> HloDataflow::NewValues(
    const HloInstruction& hlo, Kind kind, const HloComputation* home) {
  Leaves leaves;
  TF_RETURN_IF_ERROR(AddValues(hlo, hlo.shape(), kind, home, leaves));
  return leaves;
}

// Adds a value for each leaf of `part`, which comes next in the shape of `hlo`.
absl::Status HloDataflow::AddValues(const HloInstruction& hlo,
                                    const Shape& part, Kind kind,
                                    const HloComputation* home,
                                    Leaves& leaves) {
  for (const Shape* shape : xla::Leaves(part)) {
    TF_ASSIGN_OR_RETURN(const int64_t bytes, LeafBytes(*shape));
    if (bytes == 0) {
      leaves.push_back(kNone);
      continue;
    }
    const int id = values_.size();
    values_.push_back(
        {&hlo, static_cast<int>(leaves.size()), kind, bytes, home});
    replaced_by_.push_back(id);
    leaves.push_back(id);
  }
  return absl::OkStatus();
}

absl::Status HloDataflow::Walk(const HloComputation& computation,
                               const HloInstruction* caller, CallRole role,
                               const std::vector<Leaves>& arguments) {
  if (!index_.emplace(&computation, computations_.size()).second) {
    return absl::FailedPreconditionError(
        absl::StrCat("buffers: computation ", computation.name(),
                     " is called more than once, by ", caller->name(),
                     " too; flatten-call-graph must run before"));
  }
  if (depth_ == kMaxDepth) {
    return absl::UnimplementedError(
        absl::StrCat("buffers: computation ", computation.name(), " is called ",
                     kMaxDepth, " levels below the entry"));
  }
  ++depth_;
  const size_t at = computations_.size();
  computations_.push_back({&computation, caller, role, {}});
  std::vector<HloInstruction*> order = computation.MakeInstructionPostOrder();
  for (const HloInstruction* hlo : order) {
    if (hlo->shape().IsTuple()) {
      std::vector<int>& offsets = offsets_[hlo];
      int offset = 0;
      for (const Shape& part : hlo->shape().tuple_shapes()) {
        offsets.push_back(offset);
        offset += LeafCount(part);
      }
    }
    if (hlo->opcode() == HloOpcode::kParameter && role != CallRole::kEntry) {
      leaves_[hlo] = arguments[hlo->parameter_number()];
      continue;
    }
    TF_ASSIGN_OR_RETURN(Leaves leaves, Transfer(*hlo));
    leaves_[hlo] = std::move(leaves);
  }
  computations_[at].order = std::move(order);
  --depth_;
  return absl::OkStatus();
}

HloDataflow::Leaves HloDataflow::ElementOf(const HloInstruction& tuple,
                                           int64_t element) const {
  const Leaves& all = leaves_.at(&tuple);
  const auto begin = all.begin() + ElementOffset(&tuple, element);
  return Leaves(begin, begin + LeafCount(tuple.shape().tuple_shapes(element)));
}

absl::StatusOr<HloDataflow::Leaves> HloDataflow::Transfer(
    const HloInstruction& hlo) {
  switch (hlo.opcode()) {
    case HloOpcode::kTuple: {
      Leaves all;
      for (const HloInstruction* operand : hlo.operands()) {
        const Leaves& part = leaves_.at(operand);
        all.insert(all.end(), part.begin(), part.end());
      }
      return all;
    }
    case HloOpcode::kGetTupleElement:
      return ElementOf(*hlo.operand(0), hlo.tuple_index());
    case HloOpcode::kBitcast:
    case HloOpcode::kOptimizationBarrier:
    case HloOpcode::kAddDependency:
    case HloOpcode::kDomain:
      return leaves_.at(hlo.operand(0));
    case HloOpcode::kAfterAll:
      return Leaves{kNone};
    case HloOpcode::kWhile:
      return TransferWhile(hlo);
    case HloOpcode::kConditional:
    case HloOpcode::kCall:
      return TransferBranches(hlo);
    case HloOpcode::kAsyncStart:
      return TransferStart(hlo);
    case HloOpcode::kAsyncDone:
      return ElementOf(*hlo.operand(0), 1);
    case HloOpcode::kAsyncUpdate:
      return absl::UnimplementedError(
          absl::StrCat("buffers: ", hlo.name(),
                       " is in the middle of an asynchronous op; "
                       "async-to-sync must run before"));
    case HloOpcode::kParameter:
      return NewValues(hlo, Kind::kParameter, hlo.parent());
    case HloOpcode::kConstant:
      return NewValues(hlo, Kind::kConstant, hlo.parent());
    default:
      return NewValues(hlo, Kind::kOp, hlo.parent());
  }
}

// The value is (operands, results, contexts...). What runs takes no memory of
// the program for its contexts.
absl::StatusOr<HloDataflow::Leaves> HloDataflow::TransferStart(
    const HloInstruction& start) {
  Leaves all;
  for (const HloInstruction* operand : start.operands()) {
    const Leaves& part = leaves_.at(operand);
    all.insert(all.end(), part.begin(), part.end());
  }
  TF_RETURN_IF_ERROR(AddValues(start, start.shape().tuple_shapes(1), Kind::kOp,
                               start.parent(), all));
  all.resize(LeafCount(start.shape()), kNone);
  return all;
}

absl::StatusOr<HloDataflow::Leaves> HloDataflow::TransferWhile(
    const HloInstruction& loop) {
  const HloComputation* body = loop.while_body();
  TF_ASSIGN_OR_RETURN(Leaves carries, NewValues(loop, Kind::kCarry, body));
  const std::vector<Leaves> arguments = {carries};
  TF_RETURN_IF_ERROR(
      Walk(*loop.while_condition(), &loop, CallRole::kCondition, arguments));
  TF_RETURN_IF_ERROR(Walk(*body, &loop, CallRole::kBody, arguments));
  TF_ASSIGN_OR_RETURN(Leaves results,
                      NewValues(loop, Kind::kLoopResult, loop.parent()));
  const Leaves& init = leaves_.at(loop.operand(0));
  const Leaves& roots = leaves_.at(body->root_instruction());
  for (size_t i = 0; i < carries.size(); ++i) {
    if (carries[i] == kNone || Find(roots[i]) != carries[i]) continue;
    // The loop does not change it: it is the value from before the loop
    // everywhere.
    replaced_by_[carries[i]] = Find(init[i]);
    replaced_by_[results[i]] = Find(init[i]);
    results[i] = Find(init[i]);
    carries[i] = kNone;
  }
  carries_[&loop] = std::move(carries);
  return results;
}

bool HloDataflow::IsVisibleOutside(int value,
                                   const HloInstruction& call) const {
  for (const HloComputation* callee : call.called_computations()) {
    if (values_[value].home == callee) return false;
  }
  return true;
}

absl::StatusOr<HloDataflow::Leaves> HloDataflow::TransferBranches(
    const HloInstruction& call) {
  const bool is_call = call.opcode() == HloOpcode::kCall;
  const int branches = call.called_computations().size();
  for (int i = 0; i < branches; ++i) {
    std::vector<Leaves> arguments;
    if (is_call) {
      for (const HloInstruction* operand : call.operands()) {
        arguments.push_back(leaves_.at(operand));
      }
    } else {
      arguments.push_back(leaves_.at(call.operand(i + 1)));
    }
    TF_RETURN_IF_ERROR(Walk(*call.called_computations()[i], &call,
                            CallRole::kBranch, arguments));
  }
  TF_ASSIGN_OR_RETURN(Leaves results,
                      NewValues(call, Kind::kJoin, call.parent()));
  for (size_t leaf = 0; leaf < results.size(); ++leaf) {
    if (results[leaf] == kNone) continue;
    int same = kNone;
    for (int i = 0; i < branches; ++i) {
      const int root = Find(
          leaves_.at(call.called_computations()[i]->root_instruction())[leaf]);
      if (i > 0 && root != same) same = kNone;
      if (i == 0) same = root;
      if (same == kNone) break;
    }
    if (same != kNone && IsVisibleOutside(same, call)) {
      replaced_by_[results[leaf]] = same;
      results[leaf] = same;
    }
  }
  return results;
}

void HloDataflow::Resolve() {
  for (auto& [instruction, leaves] : leaves_) {
    for (int& value : leaves) value = Find(value);
  }
}

}  // namespace xla
