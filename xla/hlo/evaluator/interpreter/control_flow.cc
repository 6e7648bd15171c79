// Kernels of calls, loops, branches and asynchronous calls.
#include "xla/hlo/evaluator/interpreter/control_flow.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "xla/base/status_macros.h"
#include "xla/core/layout_util.h"

namespace xla {

absl::StatusOr<Value> ZeroValue(const Shape& shape) {
  TF_ASSIGN_OR_RETURN(Literal zeros,
                      Literal::Make(LayoutUtil::GetWithDefaultLayout(shape)));
  return Value(std::move(zeros));
}

absl::StatusOr<Value> EvaluateTuple(const HloInstruction& hlo,
                                    std::vector<Value> operands) {
  return Value(std::move(operands));
}

absl::StatusOr<Value> EvaluateGetTupleElement(const HloInstruction& hlo,
                                              std::vector<Value> operands) {
  const size_t index = hlo.tuple_index();
  TF_RET_CHECK(operands[0].is_tuple() && index < operands[0].elements().size())
      << hlo.name();
  return operands[0].element(index);
}

absl::StatusOr<Value> EvaluateCall(Interpreter& interpreter,
                                   const HloInstruction& hlo,
                                   std::vector<Value> operands) {
  return interpreter.Run(*hlo.to_apply(), std::move(operands));
}

absl::StatusOr<Value> EvaluateWhile(Interpreter& interpreter,
                                    const HloInstruction& hlo,
                                    std::vector<Value> operands) {
  const int64_t most = interpreter.max_loop_iterations();
  std::vector<Value> state = std::move(operands);
  for (int64_t iteration = 0;; ++iteration) {
    // Condition and body may have no instructions that run.
    TF_RETURN_IF_ERROR(interpreter.CheckCancelled(hlo));
    TF_ASSIGN_OR_RETURN(Value go_on,
                        interpreter.Run(*hlo.while_condition(), state));
    if (!go_on.array().GetFirstElement<bool>()) return std::move(state[0]);
    if (most >= 0 && iteration >= most) {
      return absl::ResourceExhaustedError(absl::StrCat(
          "while: the loop does not end within ", most, " iterations"));
    }
    TF_ASSIGN_OR_RETURN(Value next,
                        interpreter.Run(*hlo.while_body(), std::move(state)));
    state.clear();
    state.push_back(std::move(next));
  }
}

absl::StatusOr<Value> EvaluateConditional(Interpreter& interpreter,
                                          const HloInstruction& hlo,
                                          std::vector<Value> operands) {
  const Literal& index = operands[0].array();
  const int64_t last = hlo.called_computations().size() - 1;
  int64_t branch;
  if (index.shape().element_type() == PRED) {
    branch = index.GetFirstElement<bool>() ? 0 : 1;
  } else {
    branch = index.GetFirstElement<int32_t>();
    if (branch < 0 || branch > last) branch = last;
  }
  std::vector<Value> arguments = {std::move(operands[branch + 1])};
  operands.clear();
  return interpreter.Run(*hlo.branch_computation(branch), std::move(arguments));
}

absl::StatusOr<Value> EvaluateAsyncStart(Interpreter& interpreter,
                                         const HloInstruction& hlo,
                                         std::vector<Value> operands) {
  std::vector<Value> parts = {Value(operands)};
  TF_ASSIGN_OR_RETURN(Value result,
                      interpreter.Run(*hlo.to_apply(), std::move(operands)));
  parts.push_back(std::move(result));
  for (int i = 2; i < hlo.shape().tuple_shapes_size(); ++i) {
    TF_ASSIGN_OR_RETURN(Value context, ZeroValue(hlo.shape().tuple_shapes(i)));
    parts.push_back(std::move(context));
  }
  return Value(std::move(parts));
}

}  // namespace xla
