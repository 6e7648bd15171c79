// Uses every public name of xla/error_spec.h.
#include "xla/error_spec.h"

#include "gtest/gtest.h"

namespace xla {
namespace {

TEST(ErrorSpecNamesTest, Defaults) {
  constexpr ErrorSpec error(0.5);
  EXPECT_EQ(error.abs, 0.5);
  EXPECT_EQ(error.rel, 0);
  EXPECT_FALSE(error.relaxed_nans);
  EXPECT_TRUE(error.all_nans_are_equivalent);
  EXPECT_FALSE(error.fewer_infs_ok);
  const ErrorSpec::LowPrecisionFPErrorSpec& few_bits =
      error.low_precision_fp_error_spec;
  EXPECT_EQ(few_bits.type, PRIMITIVE_TYPE_INVALID);
  EXPECT_EQ(few_bits.within_n_values, -1);
}

TEST(ErrorSpecNamesTest, Arguments) {
  ErrorSpec error(1e-3, 1e-4, /*relaxed_nans=*/true);
  EXPECT_EQ(error.rel, 1e-4);
  EXPECT_TRUE(error.relaxed_nans);
  error.low_precision_fp_error_spec = {F8E5M2, 2};
  EXPECT_EQ(error.low_precision_fp_error_spec.type, F8E5M2);
}

}  // namespace
}  // namespace xla
