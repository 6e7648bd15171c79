// Runs small programs for the tests of this folder, as a client does, and gives
// what they return as text.
#ifndef TESTS_COMPAT_NAMES_PROGRAM_VALUES_H_
#define TESTS_COMPAT_NAMES_PROGRAM_VALUES_H_

#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "xla/client/client_library.h"
#include "xla/client/local_client.h"
#include "xla/hlo/builder/xla_builder.h"
#include "xla/literal.h"
#include "xla/shape_util.h"

namespace xla::names_testing {

// Returns the result of the builder's program, which has no parameters, or the
// text of the error.
inline std::string RunToText(XlaBuilder* b) {
  const absl::StatusOr<XlaComputation> program = b->Build();
  if (!program.ok()) return program.status().ToString();
  const absl::StatusOr<Literal> result =
      ClientLibrary::LocalClientOrDie()->ExecuteAndTransfer(*program, {});
  return result.ok() ? result->ToStringWithoutShapeOneline()
                     : result.status().ToString();
}

// Returns the value that `make` adds.
inline std::string ValueOf(absl::FunctionRef<XlaOp(XlaBuilder*)> make) {
  XlaBuilder b("value");
  Copy(make(&b));
  return RunToText(&b);
}

// Returns the same for ops that give a tuple.
inline std::string TupleOf(absl::FunctionRef<XlaOp(XlaBuilder*)> make) {
  XlaBuilder b("value");
  make(&b);
  return RunToText(&b);
}

// Returns the shape of what `make` adds, or the text of the error.
inline std::string ShapeOf(absl::FunctionRef<XlaOp(XlaBuilder*)> make) {
  XlaBuilder b("shape");
  const XlaOp op = make(&b);
  const absl::StatusOr<Shape> shape = b.GetShape(op);
  return shape.ok() ? ShapeUtil::HumanString(*shape)
                    : shape.status().ToString();
}

// Constants.
inline XlaOp Floats(XlaBuilder* b, std::vector<float> values) {
  return ConstantR1<float>(b, values);
}
inline XlaOp Ints(XlaBuilder* b, std::vector<int32_t> values) {
  return ConstantR1<int32_t>(b, values);
}
inline XlaOp Scalar(XlaBuilder* b, float value) {
  return ConstantR0<float>(b, value);
}

// (T[], T[]) -> T[].
inline XlaComputation AddOf(PrimitiveType type) {
  XlaBuilder b("add");
  const Shape scalar = ShapeUtil::MakeShape(type, {});
  Add(Parameter(&b, 0, scalar, "x"), Parameter(&b, 1, scalar, "y"));
  return b.Build().value();
}

}  // namespace xla::names_testing

#endif  // TESTS_COMPAT_NAMES_PROGRAM_VALUES_H_
