// Runs a computation: order, lifetimes, checks. dispatch.cc defines what each
// op does.
#include "xla/hlo/evaluator/interpreter/interpreter.h"

#include <mutex>
#include <new>
#include <stdexcept>
#include <string>
#include <utility>

#include "absl/container/flat_hash_set.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "xla/base/errors.h"
#include "xla/base/status_macros.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/ir/message_order.h"
#include "xla/hlo/ir/module/known_sizes.h"
#include "xla/hlo/ops/values.h"

namespace xla {

struct Interpreter::Plan {
  // One instruction, whose value goes to the slot with the step's number.
  struct Step {
    const HloInstruction* hlo;
    std::vector<int> operands;  // slots
    std::vector<int> dead;      // slots that no later step reads
    // The value of a constant, which all runs share.
    Value constant;
  };
  std::vector<Step> steps;
  int root = -1;
  absl::Status runnable;  // Unimplemented where a size is not known
};

class Interpreter::Plans {
 public:
  const Plan& Of(const HloComputation& computation) {
    std::lock_guard<std::mutex> lock(mutex_);
    std::unique_ptr<const Plan>& plan = plans_[&computation];
    if (plan == nullptr) plan = MakePlan(computation);
    return *plan;
  }

 private:
  std::unique_ptr<const Plan> MakePlan(const HloComputation& computation);

  std::mutex mutex_;
  MessageWaits waits_;
  absl::flat_hash_map<const HloComputation*, std::unique_ptr<const Plan>>
      plans_;
};

std::shared_ptr<Interpreter::Plans> Interpreter::MakePlans() {
  return std::make_shared<Plans>();
}

namespace {

// Returns the instructions that the root, or an effect, depends on.
absl::flat_hash_set<const HloInstruction*> NeededInstructions(
    const HloComputation& computation) {
  absl::flat_hash_set<const HloInstruction*> needed;
  std::vector<const HloInstruction*> work;
  const auto add = [&](const HloInstruction* hlo) {
    if (needed.insert(hlo).second) work.push_back(hlo);
  };
  add(computation.root_instruction());
  for (const auto& hlo : computation.instructions()) {
    if (hlo->HasSideEffect()) add(hlo);
  }
  while (!work.empty()) {
    const HloInstruction* hlo = work.back();
    work.pop_back();
    for (const HloInstruction* operand : hlo->operands()) add(operand);
    for (const HloInstruction* before : hlo->control_predecessors()) {
      add(before);
    }
  }
  return needed;
}

absl::Status CheckArguments(const HloComputation& computation,
                            const std::vector<Value>& arguments) {
  if (computation.num_parameters() != static_cast<int64_t>(arguments.size())) {
    return absl::InvalidArgumentError(
        absl::StrCat("computation ", computation.name(), " has ",
                     computation.num_parameters(), " parameters, got ",
                     arguments.size(), " arguments"));
  }
  for (size_t i = 0; i < arguments.size(); ++i) {
    const Shape& shape = computation.parameter_instruction(i)->shape();
    if (arguments[i].Fits(shape)) continue;
    return absl::InvalidArgumentError(
        absl::StrCat("argument ", i, " of computation ", computation.name(),
                     " must be ", ShapeUtil::HumanString(shape), ", got ",
                     ShapeUtil::HumanString(arguments[i].shape())));
  }
  return absl::OkStatus();
}

// Counts nested calls for as long as it lives.
class DepthScope {
 public:
  explicit DepthScope(int* depth) : depth_(depth) { ++*depth_; }
  ~DepthScope() { --*depth_; }

 private:
  int* depth_;
};

}  // namespace

Interpreter::Interpreter(DeviceContext* device, int64_t max_loop_iterations,
                         std::shared_ptr<Plans> plans)
    : device_(device),
      max_loop_iterations_(max_loop_iterations),
      plans_(plans != nullptr ? std::move(plans) : MakePlans()) {}

Interpreter::~Interpreter() = default;

const Interpreter::Plan& Interpreter::PlanOf(
    const HloComputation& computation) {
  const Plan*& plan = known_plans_[&computation];
  if (plan == nullptr) plan = &plans_->Of(computation);
  return *plan;
}

std::unique_ptr<const Interpreter::Plan> Interpreter::Plans::MakePlan(
    const HloComputation& computation) {
  auto plan = std::make_unique<Plan>();
  const auto needed = NeededInstructions(computation);
  absl::flat_hash_map<const HloInstruction*, int> slots;
  std::vector<int> last_reader;
  for (const HloInstruction* hlo : MakeMessageOrder(computation, waits_)) {
    if (!needed.contains(hlo)) continue;
    plan->runnable.Update(CheckKnownSizes(*hlo));
    const int slot = plan->steps.size();
    Plan::Step step{hlo, {}, {}, {}};
    for (const HloInstruction* operand : hlo->operands()) {
      // Only an operand in a cycle is missing; the step that reads it fails.
      auto it = slots.find(operand);
      step.operands.push_back(it == slots.end() ? -1 : it->second);
      if (it != slots.end()) last_reader[it->second] = slot;
    }
    if (hlo->opcode() == HloOpcode::kConstant) {
      const auto& literal = hlo->attrs<ConstantAttrs>().literal.value;
      if (literal != nullptr) step.constant = Value(literal);
    }
    slots[hlo] = slot;
    last_reader.push_back(slot);
    plan->steps.push_back(std::move(step));
  }
  auto root = slots.find(computation.root_instruction());
  if (root != slots.end()) plan->root = root->second;
  for (size_t slot = 0; slot < last_reader.size(); ++slot) {
    if (static_cast<int>(slot) == plan->root) continue;
    plan->steps[last_reader[slot]].dead.push_back(slot);
  }
  return plan;
}

absl::StatusOr<Value> Interpreter::Run(const HloComputation& computation,
                                       std::vector<Value> arguments) {
  const Plan& plan = PlanOf(computation);
  TF_RETURN_IF_ERROR(plan.runnable);
  TF_RETURN_IF_ERROR(CheckArguments(computation, arguments));
  if (call_depth_ >= kMaxCallDepth) {
    return absl::ResourceExhaustedError(
        absl::StrCat("calls nest deeper than ", kMaxCallDepth,
                     " at computation ", computation.name()));
  }
  DepthScope scope(&call_depth_);
  if (observer_.on_computation) {
    observer_.on_computation(computation, call_depth_);
  }
  const bool tells_values = observer_.on_value && call_depth_ == 1;
  TF_RET_CHECK(plan.root >= 0) << computation.name();
  std::vector<Value> slots(plan.steps.size());
  std::vector<Value> operands;
  for (size_t i = 0; i < plan.steps.size(); ++i) {
    const Plan::Step& step = plan.steps[i];
    if (step.hlo->opcode() == HloOpcode::kParameter) {
      slots[i] = std::move(arguments[step.hlo->parameter_number()]);
    } else if (step.hlo->opcode() == HloOpcode::kConstant) {
      slots[i] = step.constant;
    } else {
      TF_RETURN_IF_ERROR(CheckCancelled(*step.hlo));
      if (instructions_left_ == 0) {
        return absl::ResourceExhaustedError("too many instructions to run");
      }
      if (instructions_left_ > 0) --instructions_left_;
      operands.clear();
      operands.reserve(step.operands.size());
      for (int slot : step.operands) {
        TF_RET_CHECK(slot >= 0) << step.hlo->name();
        operands.push_back(slots[slot]);
      }
      // Dropping values that no later step reads lets the kernel take them
      // over.
      for (int slot : step.dead) slots[slot] = Value();
      TF_ASSIGN_OR_RETURN(slots[i],
                          RunInstruction(*step.hlo, std::move(operands)));
      if (tells_values) observer_.on_value(step.hlo, slots[i].ToLiteral());
    }
    for (int slot : step.dead) slots[slot] = Value();
  }
  return std::move(slots[plan.root]);
}

absl::Status Interpreter::CheckCancelled(const HloInstruction& hlo) const {
  if (!cancellation_.cancelled()) return absl::OkStatus();
  const HloModule* const module = hlo.GetModule();
  return RunCancelled(module == nullptr ? "a computation" : module->name(),
                      absl::StrCat("instruction ", hlo.name()));
}

absl::StatusOr<Value> Interpreter::EvaluateInMemory(
    const HloInstruction& hlo, std::vector<Value> operands) {
  // Kernels use standard containers for scratch memory, which throw when memory
  // runs out.
  try {
    return Evaluate(hlo, std::move(operands));
  } catch (const std::bad_alloc&) {
    return absl::ResourceExhaustedError("no memory to work in");
  } catch (const std::length_error&) {
    return absl::ResourceExhaustedError("no memory holds what it works in");
  }
}

absl::StatusOr<Value> Interpreter::RunInstruction(const HloInstruction& hlo,
                                                  std::vector<Value> operands) {
  absl::StatusOr<Value> value = EvaluateInMemory(hlo, std::move(operands));
  if (!value.ok()) {
    // Report only the innermost instruction.
    if (absl::StrContains(value.status().message(), " [in ")) return value;
    return WithMessage(value.status(), absl::StrCat(value.status().message(),
                                                    " [in ", hlo.name(), "]"));
  }
  if (value->Fits(hlo.shape())) return value;
  // The verifier allows an instruction to state another floating-point type
  // than its operands imply; the result is then rounded to it.
  if (!value->is_tuple() &&
      ShapeUtil::CompatibleIgnoringFpPrecision(value->shape(), hlo.shape())) {
    TF_ASSIGN_OR_RETURN(Literal converted,
                        value->array().Convert(hlo.shape().element_type()));
    return Value(std::move(converted));
  }
  TF_RET_CHECK(value->Fits(hlo.shape()))
      << hlo.name() << " was evaluated to "
      << ShapeUtil::HumanString(value->shape());
  return value;
}

}  // namespace xla
