// Chooses between the program form of a computation and the interpreter.
#include "xla/hlo/evaluator/reduction/scalar_function.h"

#include <cstring>
#include <utility>

#include "absl/strings/str_cat.h"
#include "xla/base/status_macros.h"
#include "xla/core/literal/literal_piece.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/evaluator/reduction/scalar_program.h"

namespace xla {

ScalarFunction::ScalarFunction(Interpreter& interpreter,
                               const HloComputation& computation)
    : interpreter_(&interpreter),
      computation_(&computation),
      program_(ScalarProgram::Create(computation)) {
  for (const HloInstruction* p : computation.parameter_instructions()) {
    parameter_types_.push_back(p->shape().element_type());
  }
  const Shape& result = computation.root_instruction()->shape();
  if (!result.IsTuple()) {
    result_types_.push_back(result.element_type());
    return;
  }
  for (const Shape& s : result.tuple_shapes()) {
    result_types_.push_back(s.element_type());
  }
}

ScalarFunction::ScalarFunction(ScalarFunction&&) = default;
ScalarFunction::~ScalarFunction() = default;

void ScalarFunction::Widen() {
  if (program_ == nullptr) return;
  std::unique_ptr<ScalarProgram> wide = program_->Widened();
  if (wide == nullptr) return;
  program_ = std::move(wide);
  parameter_types_ = program_->parameter_types();
  result_types_ = program_->result_types();
}

absl::Status ScalarFunction::Call(int64_t n,
                                  absl::Span<const void* const> inputs,
                                  absl::Span<void* const> outputs) {
  if (program_ == nullptr) return CallInterpreter(n, inputs, outputs);
  program_->Run(n, inputs, outputs);
  return absl::OkStatus();
}

absl::Status ScalarFunction::CallInterpreter(
    int64_t n, absl::Span<const void* const> inputs,
    absl::Span<void* const> outputs) {
  for (int64_t j = 0; j < n; ++j) {
    std::vector<Value> arguments;
    arguments.reserve(inputs.size());
    for (size_t i = 0; i < inputs.size(); ++i) {
      Literal scalar(ShapeUtil::MakeScalarShape(parameter_types_[i]));
      const int width = LiteralElementBytes(parameter_types_[i]);
      std::memcpy(scalar.untyped_data(),
                  static_cast<const char*>(inputs[i]) + j * width, width);
      arguments.emplace_back(std::move(scalar));
    }
    TF_ASSIGN_OR_RETURN(Value result,
                        interpreter_->Run(*computation_, std::move(arguments)));
    for (size_t i = 0; i < outputs.size(); ++i) {
      const Literal& scalar =
          result.is_tuple() ? result.element(i).array() : result.array();
      const int width = LiteralElementBytes(result_types_[i]);
      std::memcpy(static_cast<char*>(outputs[i]) + j * width,
                  scalar.untyped_data(), width);
    }
  }
  return absl::OkStatus();
}

absl::StatusOr<std::vector<Literal>> ScalarFunction::Map(
    absl::Span<const int64_t> dimensions,
    absl::Span<const Literal* const> arguments) {
  int64_t n = 1;
  for (int64_t size : dimensions) n *= size;
  std::vector<const void*> inputs;
  for (const Literal* argument : arguments) {
    inputs.push_back(argument->untyped_data());
  }
  std::vector<Literal> results;
  std::vector<void*> outputs;
  for (PrimitiveType type : result_types_) {
    TF_ASSIGN_OR_RETURN(Literal result,
                        Literal::Make(ShapeUtil::MakeShape(type, dimensions)));
    outputs.push_back(result.untyped_data());
    results.push_back(std::move(result));
  }
  TF_RETURN_IF_ERROR(Call(n, inputs, outputs));
  return results;
}

absl::StatusOr<bool> ScalarFunction::Test(
    absl::Span<const void* const> inputs) {
  bool result = false;
  void* output = &result;
  TF_RETURN_IF_ERROR(Call(1, inputs, {&output, 1}));
  return result;
}

}  // namespace xla
