// Example 1: build a computation, compile and run it, read the result.
#include <iostream>

#include "xla/client/client_library.h"
#include "xla/hlo/builder/xla_builder.h"
#include "xla/literal_util.h"
#include "xla/shape_util.h"

int main() {
  // Ops are functions of XlaOp; the builder records them.
  xla::XlaBuilder builder("add");
  const xla::Shape shape = xla::ShapeUtil::MakeShape(xla::F32, {3});
  xla::XlaOp x = xla::Parameter(&builder, 0, shape, "x");
  xla::XlaOp y = xla::Parameter(&builder, 1, shape, "y");
  xla::Add(xla::Mul(x, x), y);

  // Build returns the computation, or the first error of any op.
  absl::StatusOr<xla::XlaComputation> computation = builder.Build();
  if (!computation.ok()) {
    std::cerr << computation.status() << "\n";
    return 1;
  }

  // A client holds values for computations; literals are copied in and out.
  xla::LocalClient* client = xla::ClientLibrary::LocalClientOrDie();
  auto a =
      client->TransferToServer(xla::LiteralUtil::CreateR1<float>({1, 2, 3}));
  auto b =
      client->TransferToServer(xla::LiteralUtil::CreateR1<float>({10, 20, 30}));
  absl::StatusOr<xla::Literal> sum =
      client->ExecuteAndTransfer(*computation, {a->get(), b->get()});
  if (!sum.ok()) {
    std::cerr << sum.status() << "\n";
    return 1;
  }
  std::cout << sum->ToString() << "\n";  // f32[3] {11, 24, 39}
  return sum->Get<float>({2}) == 39 ? 0 : 1;
}
