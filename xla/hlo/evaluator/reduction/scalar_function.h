// ScalarFunction: a computation of scalars prepared for many calls, as reduce,
// map, sort and scatter need it. The interpreter runs computations with ops
// that it does not know itself, one call at a time.
#ifndef XLA_HLO_EVALUATOR_REDUCTION_SCALAR_FUNCTION_H_
#define XLA_HLO_EVALUATOR_REDUCTION_SCALAR_FUNCTION_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "xla/core/literal/literal.h"
#include "xla/core/shape.h"
#include "xla/hlo/evaluator/interpreter/interpreter.h"
#include "xla/hlo/ir/hlo_computation.h"

namespace xla {

class ScalarProgram;  // reduction/scalar_program.h

// Parameters are scalars; the result is a scalar or a flat tuple of scalars. It
// has scratch memory, so only one thread may use it at a time. Borrows both
// arguments.
class ScalarFunction {
 public:
  ScalarFunction(Interpreter& interpreter, const HloComputation& computation);
  ~ScalarFunction();
  ScalarFunction(ScalarFunction&&);

  size_t num_parameters() const { return parameter_types_.size(); }
  size_t num_results() const { return result_types_.size(); }
  PrimitiveType parameter_type(size_t i) const { return parameter_types_[i]; }
  PrimitiveType result_type(size_t i) const { return result_types_[i]; }

  // If the function is a single sum or product, makes it compute in a wider
  // type from now on, so that long reductions round once: small floats in F32,
  // F32 in F64, C64 in C128. Parameter and result types change. Otherwise does
  // nothing.
  void Widen();

  // Calls the function n times: inputs[i] points to n elements of parameter i's
  // type, outputs[i] to space for n of result i's. Elements are laid out as in
  // a literal. Call j reads and writes elements j only, so an output may be the
  // same array as an input. Errors: those of the interpreter.
  absl::Status Call(int64_t n, absl::Span<const void* const> inputs,
                    absl::Span<void* const> outputs);

  // Applies the function element-wise to arrays with dimensions `dimensions`,
  // one per parameter; returns one array per result.
  absl::StatusOr<std::vector<Literal>> Map(
      absl::Span<const int64_t> dimensions,
      absl::Span<const Literal* const> arguments);

  // Calls a function with a single PRED result once: a comparator, or the
  // select of select-and-scatter. `inputs` as in Call.
  absl::StatusOr<bool> Test(absl::Span<const void* const> inputs);

 private:
  absl::Status CallInterpreter(int64_t n, absl::Span<const void* const> inputs,
                               absl::Span<void* const> outputs);

  Interpreter* interpreter_;
  const HloComputation* computation_;
  std::vector<PrimitiveType> parameter_types_;
  std::vector<PrimitiveType> result_types_;
  // Null if the computation has an op that the program form lacks.
  std::unique_ptr<ScalarProgram> program_;
};

}  // namespace xla

#endif  // XLA_HLO_EVALUATOR_REDUCTION_SCALAR_FUNCTION_H_
