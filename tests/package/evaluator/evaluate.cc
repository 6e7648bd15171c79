// Reads programs as HLO text and as StableHLO, builds one, verifies and
// evaluates them, without a compiler.
#include <cstdio>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "xla/hlo/builder/xla_builder.h"
#include "xla/hlo/evaluator/hlo_evaluator.h"
#include "xla/hlo/ir/hlo_module.h"
#include "xla/hlo/verifier/hlo_verifier.h"
#include "xla/literal.h"
#include "xla/literal_util.h"
#include "xla/program/program_bytes.h"
#include "xla/shape_util.h"

namespace {

constexpr absl::string_view kHloText = R"(HloModule sum
add {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT c = f32[] add(a, b)
}
ENTRY main {
  x = f32[3] parameter(0)
  zero = f32[] constant(0)
  ROOT sum = f32[] reduce(x, zero), dimensions={0}, to_apply=add
})";

constexpr absl::string_view kStablehloText = R"(module {
  func.func @main(%x: tensor<3xf32>) -> tensor<f32> {
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %sum = stablehlo.reduce(%x init: %zero)
        applies stablehlo.add across dimensions = [0]
        : (tensor<3xf32>, tensor<f32>) -> tensor<f32>
    func.return %sum : tensor<f32>
  }
})";

absl::StatusOr<std::string> BuiltBytes() {
  xla::XlaBuilder builder("sum");
  const xla::XlaOp x = xla::Parameter(
      &builder, 0, xla::ShapeUtil::MakeShape(xla::F32, {3}), "x");
  xla::Add(xla::Add(xla::Slice(x, {0}, {1}, {1}), xla::Slice(x, {1}, {2}, {1})),
           xla::Slice(x, {2}, {3}, {1}));
  absl::StatusOr<xla::XlaComputation> computation = builder.Build();
  if (!computation.ok()) return computation.status();
  return computation->proto().SerializeAsString();
}

// The sum of 1, 2 and 4 by the program in `bytes`.
absl::StatusOr<float> Sum(absl::string_view bytes) {
  absl::StatusOr<std::unique_ptr<xla::HloModule>> module =
      xla::ParseProgramBytes(bytes);
  if (!module.ok()) return module.status();
  xla::HloVerifier verifier(/*layout_sensitive=*/false,
                            /*allow_mixed_precision=*/false);
  if (absl::StatusOr<bool> run = verifier.Run(module->get()); !run.ok()) {
    return run.status();
  }
  const xla::Literal x = xla::LiteralUtil::CreateR1<float>({1, 2, 4});
  xla::HloEvaluator evaluator;
  absl::StatusOr<xla::Literal> sum = evaluator.Evaluate(**module, {&x});
  if (!sum.ok()) return sum.status();
  return sum->data<float>()[0];
}

}  // namespace

int main() {
  const absl::StatusOr<std::string> built = BuiltBytes();
  if (!built.ok()) {
    std::printf("%s\n", built.status().ToString().c_str());
    return 1;
  }
  for (const absl::string_view bytes :
       {kHloText, kStablehloText, absl::string_view(*built)}) {
    const absl::StatusOr<float> sum = Sum(bytes);
    if (!sum.ok() || *sum != 7) {
      std::printf("%s\n", sum.ok() ? std::to_string(*sum).c_str()
                                   : sum.status().ToString().c_str());
      return 1;
    }
  }
  if (Sum("HloModule nothing").ok()) return 1;
  std::printf("all checks passed\n");
  return 0;
}
