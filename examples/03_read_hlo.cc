// Example 3: read a program from HLO text, verify it, evaluate it, and see what
// errors look like.
#include <iostream>
#include <memory>
#include <string>

#include "xla/hlo/evaluator/hlo_evaluator.h"
#include "xla/hlo/ir/hlo_module.h"
#include "xla/hlo/parser/hlo_parser.h"
#include "xla/literal_util.h"
#include "xla/service/hlo_verifier.h"
#include "xla/status_macros.h"

namespace {

constexpr char kRowMaxima[] = R"(
HloModule row_maxima

larger {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT m = f32[] maximum(a, b)
}

ENTRY main {
  x = f32[2,3] parameter(0)
  lowest = f32[] constant(-inf)
  ROOT maxima = f32[2] reduce(x, lowest), dimensions={1}, to_apply=larger
}
)";

absl::StatusOr<xla::Literal> Run(absl::string_view text,
                                 const xla::Literal& argument) {
  TF_ASSIGN_OR_RETURN(std::unique_ptr<xla::HloModule> module,
                      xla::ParseAndReturnUnverifiedModule(text));
  TF_RETURN_IF_ERROR(xla::HloVerifier().Verify(*module));
  return xla::HloEvaluator().Evaluate(*module, {&argument});
}

}  // namespace

int main() {
  const xla::Literal x =
      xla::LiteralUtil::CreateR2<float>({{1, 7, 3}, {-2, -9, -4}});
  absl::StatusOr<xla::Literal> maxima = Run(kRowMaxima, x);
  if (!maxima.ok()) {
    std::cerr << maxima.status() << "\n";
    return 1;
  }
  std::cout << maxima->ToString() << "\n";

  // The same program with a wrong shape: the verifier names the rule.
  std::string wrong(kRowMaxima);
  wrong.replace(wrong.find("f32[2] reduce"), 6, "f32[9]");
  absl::StatusOr<xla::Literal> refused = Run(wrong, x);
  std::cout << refused.status().message() << "\n";
  return *maxima == xla::LiteralUtil::CreateR1<float>({7, -2}) && !refused.ok()
             ? 0
             : 1;
}
