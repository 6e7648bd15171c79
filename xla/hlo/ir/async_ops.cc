// Checks chains of asynchronous ops and finds the one op that a chain runs.
#include "xla/hlo/ir/async_ops.h"

#include <string>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/functional/function_ref.h"
#include "absl/strings/str_cat.h"
#include "xla/hlo/ir/hlo_computation.h"
#include "xla/hlo/ops/control_flow.h"
#include "xla/hlo/ops/op_def.h"

namespace xla {
namespace {

bool IsAsync(const HloInstruction& hlo) {
  return hlo.opcode() == HloOpcode::kAsyncStart ||
         hlo.opcode() == HloOpcode::kAsyncUpdate ||
         hlo.opcode() == HloOpcode::kAsyncDone;
}

// Returns true if "foo-start" and so on are not opcodes of their own.
bool HasAsyncName(HloOpcode opcode) {
  for (absl::string_view suffix : {"-start", "-update", "-done"}) {
    if (StringToHloOpcode(absl::StrCat(HloOpcodeString(opcode), suffix)).ok()) {
      return false;
    }
  }
  return opcode != HloOpcode::kParameter && opcode != HloOpcode::kConstant;
}

// Returns the only op of the computation of an async-start.
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
  // The short form states only the shapes of the start and its operands.
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
  // The short form could not tell the op's aliases from the start's.
  if (!start.attrs<AsyncStartAttrs>().output_to_operand_aliasing.empty() &&
      (root->opcode() == HloOpcode::kCustomCall ||
       root->opcode() == HloOpcode::kFusion)) {
    return nullptr;
  }
  // The short form has no place for these.
  const std::string& thread =
      start.attrs<AsyncStartAttrs>().async_execution_thread;
  if (body.execution_thread() !=
          (thread.empty() ? HloComputation::kMainExecutionThread : thread) ||
      root->frontend_attributes().map_size() > 0 ||
      !root->raw_backend_config_string().empty() || root->has_sharding() ||
      root->has_statistics() || root->is_composite() ||
      root->original_value() != nullptr || root->HasControlDependencies()) {
    return nullptr;
  }
  return root;
}

// Returns the root of the chain's one computation, which names the chain.
const HloInstruction* RootOf(const HloInstruction& start) {
  if (start.called_computations().size() != 1) return nullptr;
  return start.called_computations()[0]->root_instruction();
}

absl::string_view ThreadName(const std::string& thread) {
  return thread.empty() ? HloComputation::kMainExecutionThread
                        : absl::string_view(thread);
}

// Follows the chain that `hlo` is a link of to its async-start and returns
// at_start of that; null if the operands lead to none, or past a link for which
// `passes` is false. `found` holds the answers for links that were followed
// before, so that long chains cost little, and gains those of this chain.
const HloInstruction* FollowChain(
    const HloInstruction& hlo, AsyncLinks& found,
    absl::FunctionRef<bool(const HloInstruction& link)> passes,
    absl::FunctionRef<const HloInstruction*(const HloInstruction& start)>
        at_start) {
  std::vector<const HloInstruction*> chain;
  const HloInstruction* result = nullptr;
  const HloInstruction* link = &hlo;
  while (IsAsync(*link)) {
    // Null until the start is found; this ends a cycle.
    const auto [known, is_new] = found.emplace(link, nullptr);
    if (!is_new) {
      result = known->second;
      break;
    }
    chain.push_back(link);
    if (link->opcode() == HloOpcode::kAsyncStart) {
      result = at_start(*link);
      break;
    }
    if (link->operand_count() != 1 || !passes(*link)) break;
    link = link->operand(0);
  }
  for (const HloInstruction* passed : chain) found[passed] = result;
  return result;
}

}  // namespace

absl::Status AsyncChecker::CheckStart(const HloInstruction& start) {
  for (const HloComputation* called : start.called_computations()) {
    // async_c6: an async-start has its computation for itself.
    const auto [known, is_new] = callers_.emplace(called, &start);
    if (is_new) continue;
    return RuleError("async_c6", absl::StrCat("computation ", called->name(),
                                              " is called by ", start.name(),
                                              " and ", known->second->name()));
  }
  return absl::OkStatus();
}

absl::Status AsyncChecker::CheckLink(const HloInstruction& link,
                                     std::optional<HloOpcode> named) {
  const HloInstruction* start = FollowChain(
      link, starts_, [](const HloInstruction&) { return true; },
      [](const HloInstruction& found) { return &found; });
  if (start == nullptr) return absl::OkStatus();
  // async_c3: foo-update and foo-done go with a start of a foo.
  const HloInstruction* root = RootOf(*start);
  if (named.has_value() && root != nullptr && root->opcode() != *named) {
    return RuleError("async_c3", absl::StrCat(link.name(), " is one of ",
                                              HloOpcodeString(*named), ", but ",
                                              start->name(), " starts ",
                                              HloOpcodeString(root->opcode())));
  }
  // async_c4: they name the start's thread, if any.
  const std::string& own = link.attrs<AsyncAttrs>().async_execution_thread;
  const std::string& thread =
      start->attrs<AsyncStartAttrs>().async_execution_thread;
  if (!own.empty() && own != ThreadName(thread)) {
    return RuleError("async_c4", absl::StrCat(link.name(), " names the thread ",
                                              own, ", but ", start->name(),
                                              " runs in ", ThreadName(thread)));
  }
  // async_c5: they name the start's computation, if any.
  for (const HloComputation* called : link.called_computations()) {
    if (root == nullptr || called != root->parent()) {
      return RuleError(
          "async_c5",
          absl::StrCat(link.name(), " names the computation ", called->name(),
                       ", but ", start->name(), " calls another one"));
    }
  }
  return absl::OkStatus();
}

const HloInstruction* AsyncOps::Find(const HloInstruction& hlo) {
  // The short form of a link cannot name computations other than those that the
  // link before it names.
  return FollowChain(
      hlo, known_,
      [](const HloInstruction& link) {
        const auto& called = link.called_computations();
        return called.empty() ||
               absl::c_equal(called, link.operand(0)->called_computations());
      },
      OnlyOp);
}

}  // namespace xla
