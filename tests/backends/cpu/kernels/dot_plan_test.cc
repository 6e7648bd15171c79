// What plans of products take on, and which algorithms and memory they choose.
#include "gtest/gtest.h"
#include "xla/backends/cpu/kernels/products/dot.h"
#include "xla/backends/cpu/kernels/vector/vector_level.h"

namespace xla::cpu {
namespace {

size_t ScratchBytes(const DotDesc& desc, int num_threads) {
  const auto plan = DotPlan::Make(desc);
  EXPECT_TRUE(plan.ok()) << plan.status();
  return plan.ok() ? (*plan)->ScratchBytes(num_threads) : 0;
}

// Without AVX-512, rows of the left operand are read in place, however far
// apart they are.
TEST(DotPlanTest, RowsAPageApartNeedNoCopies) {
  const VectorLevelScope scope(VectorLevel::kAvx2);
  DotDesc desc = {F32, F32, F32, 1, 1000, 1000, 1024};
  const size_t bytes = ScratchBytes(desc, 2);
  desc.lhs_stride = 1030;
#if defined(__x86_64__)
  EXPECT_EQ(bytes, ScratchBytes(desc, 2));
#else
  EXPECT_GT(bytes, ScratchBytes(desc, 2));
#endif
}

// A long contracting dimension is divided only if there are few rows and few
// columns: long lines of weights are read from end to end.
TEST(DotPlanTest, DepthOfSmallResultsIsSplit) {
  const auto algorithm = [](int64_t m, int64_t n) {
    return DotAlgorithmOf({F32, F32, F32, 1, m, n, 100000}, KernelTarget());
  };
  EXPECT_EQ(algorithm(16, 16), DotAlgorithm::kSplitDepth);
  EXPECT_EQ(algorithm(60, 200), DotAlgorithm::kSplitDepth);
  EXPECT_EQ(algorithm(1, 4096), DotAlgorithm::kSkinny);
  EXPECT_EQ(algorithm(4096, 1), DotAlgorithm::kSkinny);
  EXPECT_EQ(algorithm(300, 300), DotAlgorithm::kPacked);
}

TEST(DotPlanTest, ThreadsPackTheirOwnColumnsOnly) {
  const DotDesc desc = {F32, F32, F32, 1, 250, 256, 250};
  EXPECT_LT(ScratchBytes(desc, 2), ScratchBytes(desc, 1) * 3 / 2);
}

TEST(DotPlanTest, RefusesImpossibleSizes) {
  EXPECT_FALSE(CheckDot({F32, F32, F32, 1, -1, 2, 2}).ok());
  EXPECT_FALSE(DotPlan::Make({F32, F32, F32, 1, -1, 2, 2}).ok());
  EXPECT_FALSE(CheckDot({F32, TUPLE, F32, 1, 1, 2, 2}).ok());
  EXPECT_FALSE(
      CheckDot({F32, F32, F32, 1, int64_t{1} << 40, 2, int64_t{1} << 40}).ok());
  DotDesc d = {F32, F32, F32, 1, 4, 4, 4};
  d.lhs_stride = 3;
  EXPECT_FALSE(CheckDot(d).ok());
  DotDesc scaled = {F32, S8, F32, 1, 17, 40, 40};
  scaled.scales = {F32, 40};
  EXPECT_FALSE(CheckDot(scaled).ok());
  DotDesc complex = {C64, C64, C64, 1, 4, 4, 4};
  complex.rhs_computed = true;
  EXPECT_FALSE(CheckDot(complex).ok());
  DotDesc shared = {F32, F32, F32, 2, 4, 4, 4};
  shared.lhs_shared = true;
  EXPECT_TRUE(CheckDot(shared).ok());
  shared.lhs_batch_stride = 16;
  EXPECT_FALSE(CheckDot(shared).ok());
}

// Rows of packed elements begin with bytes, and so do groups along them.
TEST(DotPlanTest, PackedRowsHaveWholeBytes) {
  DotDesc d = {F32, S4, F32, 1, 1, 301, 166};
  d.rhs_bits_packed = true;
  EXPECT_FALSE(HasScaledDot(d));
  d.n = 300;
  EXPECT_TRUE(HasScaledDot(d));
  d.rhs_transposed = true;
  d.k = 165;
  EXPECT_FALSE(HasScaledDot(d));
  d.k = 166;
  d.scales = {F32, 15};
  EXPECT_FALSE(HasScaledDot(d));
}

}  // namespace
}  // namespace xla::cpu
