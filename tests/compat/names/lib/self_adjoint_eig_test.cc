// Uses every name of xla/hlo/builder/lib/self_adjoint_eig.h.
#include "xla/hlo/builder/lib/self_adjoint_eig.h"

#include "gtest/gtest.h"
#include "tests/compat/names/program_values.h"

namespace xla {
namespace {

TEST(LibSelfAdjointEigNamesTest, Decomposes) {
  XlaBuilder b("eig");
  XlaOp a = ConstantR2<double>(&b, {{2, 9}, {1, 2}});
  const SelfAdjointEigResult lower = SelfAdjointEig(a);
  const SelfAdjointEigResult upper =
      SelfAdjointEig(a, /*lower=*/false, /*max_iter=*/20, /*tol=*/1e-6f, true);
  Tuple(&b, {lower.w, upper.w, lower.v});
  const Literal result = ClientLibrary::LocalClientOrDie()
                             ->ExecuteAndTransfer(b.Build().value(), {})
                             .value();
  EXPECT_NEAR(result.Get<double>({0}, {0}), 1, 1e-12);
  EXPECT_NEAR(result.Get<double>({1}, {0}), 3, 1e-12);
  EXPECT_NEAR(result.Get<double>({0}, {1}), -7, 1e-12);
  EXPECT_NEAR(result.Get<double>({1}, {1}), 11, 1e-12);
  EXPECT_NEAR(std::abs(result.Get<double>({0, 0}, {2})), std::sqrt(0.5), 1e-12);
}

}  // namespace
}  // namespace xla
