// hlo_verifier: XLA's header, with its options.
#ifndef COMPAT_XLA_SERVICE_HLO_VERIFIER_H_
#define COMPAT_XLA_SERVICE_HLO_VERIFIER_H_

#include <cstdint>
#include <functional>
#include <utility>

#include "xla/hlo/verifier/hlo_verifier.h"  // IWYU pragma: export
#include "xla/shape.h"
#include "xla/util.h"

namespace xla {

using ShapeSizeFn = std::function<int64_t(const Shape&)>;

// The options that Tessera's verifier has.
class HloVerifierOpts {
 public:
  HloVerifierOpts&& WithLayoutSensitive(bool layout_sensitive) {
    options_.layout_sensitive = layout_sensitive;
    return std::move(*this);
  }
  HloVerifierOpts&& MakeLayoutSensitive() { return WithLayoutSensitive(true); }
  HloVerifierOpts&& WithAllowMixedPrecision(bool allow) {
    options_.allow_mixed_precision = allow;
    return std::move(*this);
  }
  HloVerifierOpts&& AllowMixedPrecision() {
    return WithAllowMixedPrecision(true);
  }
  // Needs to be layout-sensitive (Verify returns InvalidArgument).
  HloVerifierOpts&& WithInstructionCanChangeLayout(
      const HloPredicate& instruction_can_change_layout) {
    options_.instruction_can_change_layout = instruction_can_change_layout;
    return std::move(*this);
  }
  // The bytes of shapes on the target.
  HloVerifierOpts&& WithCustomShapeSize(const ShapeSizeFn& shape_size) {
    options_.shape_size = shape_size;
    return std::move(*this);
  }
  HloVerifierOpts&& WithAllowBitcastToHaveDifferentSize(bool allow) {
    options_.allow_bitcast_to_have_different_size = allow;
    return std::move(*this);
  }
  HloVerifierOpts&& VerifyCallNestedComputationThreadName() {
    options_.verify_call_nested_computation_thread_name = true;
    return std::move(*this);
  }
  HloVerifierOpts&& VerifyInstructionNameUnchanged() {
    options_.verify_instruction_name_unchanged = true;
    return std::move(*this);
  }
  HloVerifierOpts&& VerifyBroadcastDimensionsOrder() {
    options_.verify_broadcast_dimensions_order = true;
    return std::move(*this);
  }
  // Holds if it is layout-sensitive.
  HloVerifierOpts&& VerifyReshapeIsBitcast() {
    options_.verify_reshape_is_bitcast = true;
    return std::move(*this);
  }

  bool IsLayoutSensitive() const { return options_.layout_sensitive; }
  bool InstructionCanChangeLayout(const HloInstruction* instruction) const {
    return !options_.instruction_can_change_layout ||
           options_.instruction_can_change_layout(instruction);
  }

  // NOLINTNEXTLINE(google-explicit-constructor): as HloVerifier takes them.
  operator HloVerifierOptions() const { return options_; }

 private:
  HloVerifierOptions options_;
};

}  // namespace xla

#endif  // COMPAT_XLA_SERVICE_HLO_VERIFIER_H_
