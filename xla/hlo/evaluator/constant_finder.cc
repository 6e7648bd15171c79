// Finds values backwards from an instruction: through tuples, calls and loops
// to constants.
#include "xla/hlo/evaluator/constant_finder.h"

#include <algorithm>

#include "absl/numeric/int128.h"
#include "absl/strings/str_cat.h"
#include "xla/base/status_macros.h"
#include "xla/core/literal/literal_util.h"
#include "xla/core/primitive_util.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/evaluator/parsed_while_loop.h"
#include "xla/hlo/ir/hlo_module.h"
#include "xla/hlo/ir/module/known_sizes.h"
#include "xla/hlo/ops/values.h"

namespace xla {
namespace {

// Returns true for ops whose value is not a function of their operands.
bool NeedsSurroundings(HloOpcode opcode, bool has_custom_call_handler) {
  const OpDef& def = GetOpDef(opcode);
  return def.device_dependent || def.side_effect ||
         (opcode == HloOpcode::kCustomCall && !has_custom_call_handler);
}

Value ElementAt(Value value, const ShapeIndex& index) {
  for (const int64_t i : index) {
    Value element = value.element(i);
    value = std::move(element);
  }
  return value;
}

// Returns whether `body` returns the part of its parameter at `index` in the
// same place.
bool ReturnsUnchanged(const HloComputation& body, int64_t parameter_number,
                      const ShapeIndex& index) {
  const HloInstruction* hlo = body.root_instruction();
  ShapeIndex at = index;
  while (true) {
    switch (hlo->opcode()) {
      case HloOpcode::kTuple:
        if (at.empty()) return false;
        hlo = hlo->operand(at.front());
        at.pop_front();
        break;
      case HloOpcode::kGetTupleElement:
        at.push_front(hlo->tuple_index());
        hlo = hlo->operand(0);
        break;
      case HloOpcode::kBitcast:
        if (hlo->shape() != hlo->operand(0)->shape()) return false;
        hlo = hlo->operand(0);
        break;
      case HloOpcode::kAddDependency:
      case HloOpcode::kDomain:
      case HloOpcode::kOptimizationBarrier:
        hlo = hlo->operand(0);
        break;
      default:
        return hlo->opcode() == HloOpcode::kParameter &&
               hlo->parameter_number() == parameter_number && at == index;
    }
  }
}

}  // namespace

absl::Status NotConstant(const HloInstruction& hlo) {
  return absl::FailedPreconditionError(absl::StrCat(
      hlo.name(), " (", hlo.def().name.data(), ") is not a constant"));
}

void ConstantFinder::Set(const HloInstruction* hlo, Value value) {
  results_.insert_or_assign(Part(hlo, {}), std::optional(std::move(value)));
}

absl::StatusOr<Value> ConstantFinder::Evaluate(const HloInstruction& hlo) {
  if (const auto it = results_.find(Part(&hlo, {})); it != results_.end()) {
    return **it->second;
  }
  for (const HloInstruction* operand : hlo.operands()) {
    if (results_.contains(Part(operand, {}))) continue;
    if (!operand->IsConstant()) return NotConstant(*operand);
    TF_ASSIGN_OR_RETURN(Value value, Run(*operand));
    Set(operand, std::move(value));
  }
  if (hlo.opcode() == HloOpcode::kParameter) return NotConstant(hlo);
  return Run(hlo);
}

ConstantFinder::Result ConstantFinder::Find(const HloInstruction* hlo,
                                            ShapeIndex index) {
  const Part wanted(hlo, std::move(index));
  std::vector<Frame> stack = {{wanted}};
  if (results_.contains(wanted)) return results_.at(wanted);
  TF_RET_CHECK(waiting_.insert(wanted).second) << hlo->name();
  while (!stack.empty()) {
    Result result = std::optional<Value>();
    std::optional<Part> needed = Step(stack.back(), result);
    if (needed.has_value() && !waiting_.insert(*needed).second) {
      // Only a malformed module has such a cycle.
      result = absl::InternalError(
          absl::StrCat("the value of ", needed->first->name(),
                       " depends on itself, which the verifier forbids"));
      needed.reset();
    }
    if (needed.has_value()) {
      stack.push_back({*std::move(needed)});
      continue;
    }
    waiting_.erase(stack.back().part);
    results_.insert_or_assign(std::move(stack.back().part), std::move(result));
    stack.pop_back();
  }
  return results_.at(wanted);
}

std::optional<ConstantFinder::Part> ConstantFinder::Step(Frame& frame,
                                                         Result& result) {
  const auto& [hlo, index] = frame.part;
  if (!index.empty()) {
    const auto whole = results_.find(Part(hlo, {}));
    if (whole != results_.end() && whole->second.ok() &&
        whole->second->has_value()) {
      result = ElementAt(**whole->second, index);
      return std::nullopt;
    }
  }
  if (hlo->opcode() == HloOpcode::kConstant) {
    absl::StatusOr<Value> value = Run(*hlo);
    result = value.ok() ? Result(ElementAt(*std::move(value), index))
                        : Result(value.status());
    return std::nullopt;
  }
  if (std::optional<Part> source = SourceOf(frame.part)) {
    const auto it = results_.find(*source);
    if (it == results_.end()) return source;
    result = it->second;
    // What a caller cannot evaluate may still be known when it runs.
    if (hlo->opcode() == HloOpcode::kParameter && !result.ok()) {
      result = std::optional<Value>();
    }
    return std::nullopt;
  }
  if (hlo->opcode() == HloOpcode::kParameter) return std::nullopt;
  return StepOperands(frame, result);
}

std::optional<ConstantFinder::Part> ConstantFinder::StepOperands(
    Frame& frame, Result& result) {
  const auto& [hlo, index] = frame.part;
  for (; frame.done < hlo->operand_count(); ++frame.done) {
    Part operand(hlo->operand(frame.done), {});
    const auto it = results_.find(operand);
    if (it == results_.end()) return operand;
    if (!it->second.ok()) {
      result = it->second;
      return std::nullopt;
    }
    if (!it->second->has_value()) {
      if (hlo->opcode() == HloOpcode::kWhile) result = AfterLoop(*hlo, index);
      return std::nullopt;
    }
  }
  if (hlo->opcode() == HloOpcode::kInfeed) return std::nullopt;
  absl::StatusOr<Value> value = Run(*hlo);
  if (!value.ok()) {
    result = value.status();
    if (hlo->opcode() == HloOpcode::kWhile) {
      std::optional<Value> last = AfterLoop(*hlo, index);
      if (last.has_value()) result = std::move(last);
    }
    return std::nullopt;
  }
  result = ElementAt(*value, index);
  if (!index.empty()) Set(hlo, *std::move(value));
  return std::nullopt;
}

std::optional<ConstantFinder::Part> ConstantFinder::SourceOf(const Part& part) {
  const auto& [hlo, index] = part;
  switch (hlo->opcode()) {
    case HloOpcode::kGetTupleElement: {
      ShapeIndex at = index;
      at.push_front(hlo->tuple_index());
      return Part(hlo->operand(0), std::move(at));
    }
    case HloOpcode::kTuple:
      if (index.empty()) return std::nullopt;
      return Part(hlo->operand(index.front()),
                  ShapeIndex(index.begin() + 1, index.end()));
    case HloOpcode::kParameter:
      return ArgumentOf(part);
    default:
      return std::nullopt;
  }
}

std::optional<ConstantFinder::Part> ConstantFinder::ArgumentOf(
    const Part& parameter) {
  const auto& [hlo, index] = parameter;
  const absl::Span<const CallSite> callers = CallersOf(hlo->parent());
  if (callers.size() != 1) return std::nullopt;
  const HloInstruction& caller = *callers[0].instruction();
  const int64_t number = hlo->parameter_number();
  if (caller.opcode() == HloOpcode::kWhile
          ? !ReturnsUnchanged(*caller.while_body(), number, index)
          : caller.opcode() != HloOpcode::kCall) {
    return std::nullopt;
  }
  return Part(caller.operand(number), index);
}

absl::Span<const CallSite> ConstantFinder::CallersOf(
    const HloComputation* computation) {
  if (computation == nullptr || computation->parent() == nullptr) return {};
  if (call_graph_ == nullptr) {
    own_call_graph_ = CallGraph::Build(computation->parent());
    call_graph_ = own_call_graph_.get();
  }
  const CallGraphNode* node = call_graph_->FindNode(computation);
  return node == nullptr ? absl::Span<const CallSite>()
                         : node->caller_callsites();
}

std::optional<Value> ConstantFinder::AfterLoop(const HloInstruction& loop,
                                               const ShapeIndex& index) {
  if (index.size() != 1 || depth_ >= kMaxDepth) return std::nullopt;
  ++depth_;
  const std::optional<ParsedWhileLoop> parsed = ParseWhileLoop(loop, *this);
  --depth_;
  if (!parsed.has_value() || parsed->is_dynamic()) return std::nullopt;
  const ParsedStaticWhileLoop& counted = *parsed->static_while_loop;
  const Shape& shape = ShapeUtil::GetSubshape(loop.shape(), index);
  if (counted.induction_var_index != index[0] || counted.trip_count < 0 ||
      !ShapeUtil::IsScalar(shape) ||
      !primitive_util::IsIntegralType(shape.element_type())) {
    return std::nullopt;
  }
  const absl::int128 last =
      counted.induction_var_init_value +
      absl::int128(counted.trip_count) * counted.step_size;
  if (last != absl::int128(static_cast<int64_t>(last))) return std::nullopt;
  const int64_t wide = static_cast<int64_t>(last);
  absl::StatusOr<Literal> literal =
      LiteralUtil::CreateR0<int64_t>(wide).Convert(shape.element_type());
  // A variable that wraps around is not what the trip count says.
  if (!literal.ok() || literal->GetFirstInteger() != wide) return std::nullopt;
  return Value(*std::move(literal));
}

absl::Status ConstantFinder::CheckPure(const HloInstruction& root) {
  std::vector<const HloInstruction*> work = {&root};
  absl::flat_hash_set<const HloComputation*> seen;
  while (!work.empty()) {
    const HloInstruction& hlo = *work.back();
    work.pop_back();
    if (NeedsSurroundings(hlo.opcode(), has_custom_call_handler_)) {
      return NotConstant(hlo);
    }
    for (const HloComputation* computation : hlo.called_computations()) {
      if (pure_.contains(computation) || !seen.insert(computation).second) {
        continue;
      }
      for (const HloInstruction* called : computation->instructions()) {
        work.push_back(called);
      }
    }
  }
  pure_.insert(seen.begin(), seen.end());
  return absl::OkStatus();
}

absl::StatusOr<Value> ConstantFinder::Run(const HloInstruction& hlo) {
  if (hlo.opcode() == HloOpcode::kConstant) {
    const auto& literal = hlo.attrs<ConstantAttrs>().literal.value;
    TF_RET_CHECK(literal != nullptr) << hlo.name();
    return Value(literal);
  }
  TF_RETURN_IF_ERROR(CheckPure(hlo));
  TF_RETURN_IF_ERROR(CheckKnownSizes(hlo));
  std::vector<Value> operands;
  for (const HloInstruction* operand : hlo.operands()) {
    TF_RETURN_IF_ERROR(CheckKnownSizes(*operand));
    operands.push_back(**results_.at(Part(operand, {})));
  }
  return interpreter_.RunInstruction(hlo, std::move(operands));
}

}  // namespace xla
