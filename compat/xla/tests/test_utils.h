// Arguments for modules, and small helpers of tests.
#ifndef COMPAT_XLA_TESTS_TEST_UTILS_H_
#define COMPAT_XLA_TESTS_TEST_UTILS_H_

#include <cstdint>
#include <memory>
#include <random>

#include "absl/status/status.h"
#include "xla/core/literal/fake_literal.h"  // IWYU pragma: export
#include "xla/hlo/ir/hlo_instruction.h"
#include "xla/hlo/ir/hlo_instructions.h"
#include "xla/hlo/ir/hlo_module.h"
#include "xla/layout_util.h"  // IWYU pragma: export
#include "xla/literal.h"      // IWYU pragma: export
#include "xla/service/hlo_verifier.h"
#include "xla/tests/fake_arguments.h"  // IWYU pragma: export
#include "xla/xla_data.pb.h"

namespace xla {

// Numbers in [min_value, max_value), the same ones for the same seed.
template <typename NativeT>
class PseudorandomGenerator {
 public:
  PseudorandomGenerator(NativeT min_value, NativeT max_value, uint32_t seed)
      : min_(min_value), max_(max_value), generator_(seed) {}

  NativeT get() {
    std::uniform_real_distribution<> unit;
    return static_cast<NativeT>(min_ + (max_ - min_) * unit(generator_));
  }

 private:
  const NativeT min_;
  const NativeT max_;
  std::mt19937 generator_;
};

inline absl::Status VerifyHloModule(HloModule* module, bool layout_sensitive,
                                    bool allow_mixed_precision) {
  return HloVerifier(layout_sensitive, allow_mixed_precision).Verify(*module);
}

// [m,k] x [k,n] -> [m,n].
inline std::unique_ptr<HloInstruction> CreateCanonicalDot(const Shape& shape,
                                                          HloInstruction* lhs,
                                                          HloInstruction* rhs) {
  DotDimensionNumbers numbers;
  numbers.add_lhs_contracting_dimensions(1);
  numbers.add_rhs_contracting_dimensions(0);
  PrecisionConfig precision;
  precision.mutable_operand_precision()->Resize(2, PrecisionConfig::DEFAULT);
  return HloInstruction::CreateDot(shape, lhs, rhs, numbers, precision);
}

}  // namespace xla

#endif  // COMPAT_XLA_TESTS_TEST_UTILS_H_
