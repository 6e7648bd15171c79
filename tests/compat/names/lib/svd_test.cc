// Uses every name of xla/hlo/builder/lib/svd.h.
#include "xla/hlo/builder/lib/svd.h"

#include "gtest/gtest.h"
#include "tests/compat/names/program_values.h"

namespace xla {
namespace {

TEST(LibSvdNamesTest, Decomposes) {
  XlaBuilder b("svd");
  XlaOp a = ConstantR2<double>(&b, {{0, 3}, {-4, 0}, {0, 0}});
  const SVDResult svd = SVD(a);
  const SVDResult more =
      SVD(a, /*max_iter=*/50, /*epsilon=*/1e-9f, PrecisionConfig::HIGHEST);
  Tuple(&b, {svd.d, more.d, svd.u, svd.v});
  const Literal result = ClientLibrary::LocalClientOrDie()
                             ->ExecuteAndTransfer(b.Build().value(), {})
                             .value();
  for (int64_t form : {0, 1}) {
    EXPECT_NEAR(result.Get<double>({0}, {form}), 4, 1e-12);
    EXPECT_NEAR(result.Get<double>({1}, {form}), 3, 1e-12);
  }
  EXPECT_NEAR(std::abs(result.Get<double>({1, 0}, {2})), 1, 1e-12);
  EXPECT_NEAR(std::abs(result.Get<double>({0, 0}, {3})), 1, 1e-12);
}

}  // namespace
}  // namespace xla
