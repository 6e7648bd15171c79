// Example 2: computations that call other computations, and a loop. Fits a line
// to points by gradient descent, with 300 steps in one program.
#include <cmath>
#include <iostream>

#include "xla/client/client_library.h"
#include "xla/hlo/builder/lib/arithmetic.h"
#include "xla/hlo/builder/xla_builder.h"
#include "xla/literal_util.h"
#include "xla/shape_util.h"
#include "xla/status_macros.h"

namespace {

using xla::XlaOp;

// The state of the loop: (step, slope, intercept, x, y).
xla::Shape State(int64_t points) {
  const xla::Shape scalar = xla::ShapeUtil::MakeScalarShape(xla::F32);
  const xla::Shape vector = xla::ShapeUtil::MakeShape(xla::F32, {points});
  return xla::ShapeUtil::MakeTupleShape(
      {xla::ShapeUtil::MakeScalarShape(xla::S32), scalar, scalar, vector,
       vector});
}

absl::StatusOr<xla::XlaComputation> Condition(const xla::Shape& state,
                                              int steps) {
  xla::XlaBuilder b("condition");
  const XlaOp step =
      xla::GetTupleElement(xla::Parameter(&b, 0, state, "state"), 0);
  xla::Lt(step, xla::ConstantR0<int32_t>(&b, steps));
  return b.Build();
}

// mean(v) of a vector of n elements.
XlaOp Mean(XlaOp v, float n, xla::XlaBuilder* b) {
  const XlaOp sum =
      xla::Reduce(v, xla::ConstantR0<float>(b, 0),
                  xla::CreateScalarAddComputation(xla::F32, b), {0});
  return sum / xla::ConstantR0<float>(b, n);
}

// One step down the gradient of mean((slope x + intercept - y)^2).
absl::StatusOr<xla::XlaComputation> Step(const xla::Shape& state, float rate) {
  xla::XlaBuilder b("step");
  const XlaOp s = xla::Parameter(&b, 0, state, "state");
  const XlaOp slope = xla::GetTupleElement(s, 1);
  const XlaOp intercept = xla::GetTupleElement(s, 2);
  const XlaOp x = xla::GetTupleElement(s, 3);
  const XlaOp y = xla::GetTupleElement(s, 4);
  const float n = state.tuple_shapes(3).dimensions(0);
  // Scalars meet vectors by implicit broadcasting.
  const XlaOp error = slope * x + intercept - y;
  const XlaOp scale = xla::ConstantR0<float>(&b, 2 * rate);
  xla::Tuple(&b, {xla::GetTupleElement(s, 0) + xla::ConstantR0<int32_t>(&b, 1),
                  slope - scale * Mean(error * x, n, &b),
                  intercept - scale * Mean(error, n, &b), x, y});
  return b.Build();
}

absl::StatusOr<xla::Literal> FitLine(absl::Span<const float> x,
                                     absl::Span<const float> y) {
  const xla::Shape state = State(x.size());
  TF_ASSIGN_OR_RETURN(xla::XlaComputation condition, Condition(state, 300));
  TF_ASSIGN_OR_RETURN(xla::XlaComputation step, Step(state, 0.1f));
  xla::XlaBuilder b("fit_line");
  const XlaOp zero = xla::ConstantR0<float>(&b, 0);
  const XlaOp last =
      xla::While(condition, step,
                 xla::Tuple(&b, {xla::ConstantR0<int32_t>(&b, 0), zero, zero,
                                 xla::ConstantR1<float>(&b, x),
                                 xla::ConstantR1<float>(&b, y)}));
  xla::Tuple(&b,
             {xla::GetTupleElement(last, 1), xla::GetTupleElement(last, 2)});
  TF_ASSIGN_OR_RETURN(xla::XlaComputation computation, b.Build());
  return xla::ClientLibrary::LocalClientOrDie()->ExecuteAndTransfer(computation,
                                                                    {});
}

}  // namespace

int main() {
  // These points lie on the line y = 3 x - 1.
  absl::StatusOr<xla::Literal> line =
      FitLine({-1, -0.5, 0, 0.5, 1}, {-4, -2.5, -1, 0.5, 2});
  if (!line.ok()) {
    std::cerr << line.status() << "\n";
    return 1;
  }
  const float slope = line->Get<float>({}, {0});
  const float intercept = line->Get<float>({}, {1});
  std::cout << "y = " << slope << " x + " << intercept << "\n";
  return std::abs(slope - 3) < 1e-3 && std::abs(intercept + 1) < 1e-3 ? 0 : 1;
}
