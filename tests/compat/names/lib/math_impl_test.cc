// Uses every name of xla/hlo/builder/lib/math_impl.h.
#include "xla/hlo/builder/lib/math_impl.h"

#include <cmath>
#include <complex>

#include "gtest/gtest.h"
#include "tests/compat/names/program_values.h"

namespace xla {
namespace {

TEST(LibMathImplNamesTest, Asin) {
  XlaBuilder b("asin");
  const std::complex<double> z(0.5, -2);
  Tuple(&b, {math_impl::AsinReal<double>(ConstantR0<double>(&b, 0.5)),
             math_impl::AsinComplex<double>(ConstantR0<complex128>(&b, z))});
  const Literal result = ClientLibrary::LocalClientOrDie()
                             ->ExecuteAndTransfer(b.Build().value(), {})
                             .value();
  EXPECT_NEAR(result.Get<double>({}, {0}), std::asin(0.5), 1e-15);
  const complex128 value = result.Get<complex128>({}, {1});
  EXPECT_NEAR(value.real(), std::asin(z).real(), 1e-14);
  EXPECT_NEAR(value.imag(), std::asin(z).imag(), 1e-14);
}

}  // namespace
}  // namespace xla
