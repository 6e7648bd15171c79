// Finds the one op that an asynchronous computation runs.
#include "xla/hlo/ir/async_ops.h"

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "xla/hlo/ir/hlo_computation.h"
#include "xla/hlo/ops/control_flow.h"

namespace xla {
namespace {

bool IsAsync(const HloInstruction& hlo) {
  return hlo.opcode() == HloOpcode::kAsyncStart ||
         hlo.opcode() == HloOpcode::kAsyncUpdate ||
         hlo.opcode() == HloOpcode::kAsyncDone;
}

// Whether "foo-start" and so on are not opcodes of their own.
bool HasAsyncName(HloOpcode opcode) {
  for (absl::string_view suffix : {"-start", "-update", "-done"}) {
    if (StringToHloOpcode(absl::StrCat(HloOpcodeString(opcode), suffix)).ok()) {
      return false;
    }
  }
  return opcode != HloOpcode::kParameter && opcode != HloOpcode::kConstant;
}

// The op of an async-start.
const HloInstruction* OnlyOp(const HloInstruction& start) {
  if (start.called_computations().size() != 1) return nullptr;
  const HloComputation& body = *start.called_computations()[0];
  const HloInstruction* root = body.root_instruction();
  const int64_t count = body.num_parameters();
  if (root == nullptr || body.instruction_count() != count + 1 ||
      root->operand_count() != count || start.operand_count() != count ||
      !HasAsyncName(root->opcode())) {
    return nullptr;
  }
  // The short form's shapes are those of the start and its operands.
  const Shape& shape = start.shape();
  if (!shape.IsTuple() || shape.tuple_shapes_size() < 2 ||
      shape.tuple_shapes(1) != root->shape()) {
    return nullptr;
  }
  for (int64_t i = 0; i < count; ++i) {
    if (root->operand(i) != body.parameter_instruction(i) ||
        root->operand(i)->shape() != start.operand(i)->shape()) {
      return nullptr;
    }
  }
  // What the short form has no place for.
  const std::string& thread = start.attrs<AsyncAttrs>().async_execution_thread;
  if (body.execution_thread() !=
          (thread.empty() ? HloComputation::kMainExecutionThread : thread) ||
      root->frontend_attributes().map_size() > 0 ||
      !root->raw_backend_config_string().empty() ||
      root->HasControlDependencies()) {
    return nullptr;
  }
  return root;
}

}  // namespace

const HloInstruction* AsyncOps::Find(const HloInstruction& hlo) {
  if (!IsAsync(hlo)) return nullptr;
  std::vector<const HloInstruction*> chain;
  const HloInstruction* next = &hlo;
  const HloInstruction* op = nullptr;
  while (true) {
    auto known = known_.find(next);
    if (known != known_.end()) {
      op = known->second;
      break;
    }
    chain.push_back(next);
    known_[next] = nullptr;  // ends a cycle
    if (next->opcode() == HloOpcode::kAsyncStart) {
      op = OnlyOp(*next);
      break;
    }
    if (next->operand_count() != 1 || !IsAsync(*next->operand(0)) ||
        !next->called_computations().empty()) {
      break;
    }
    next = next->operand(0);
  }
  for (const HloInstruction* link : chain) known_[link] = op;
  return op;
}

}  // namespace xla
