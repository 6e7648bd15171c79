// hlo_verifier: XLA's header, with its options.
#ifndef COMPAT_XLA_SERVICE_HLO_VERIFIER_H_
#define COMPAT_XLA_SERVICE_HLO_VERIFIER_H_

#include <cstdint>
#include <functional>
#include <utility>

#include "xla/hlo/verifier/hlo_verifier.h"  // IWYU pragma: export
#include "xla/shape.h"
#include "xla/shape_util.h"
#include "xla/util.h"

namespace xla {

using ShapeSizeFn = std::function<int64_t(const Shape&)>;

// The members, with what they mean, are those of HloVerifierOptions.
struct HloVerifierOpts : HloVerifierOptions {
  HloVerifierOpts() {
    allow_mixed_precision = false;
    verify_shardings = true;
    check_replica_groups = true;
  }

  HloVerifierOpts&& WithLayoutSensitive(bool is_sensitive) {
    layout_sensitive = is_sensitive;
    return std::move(*this);
  }
  HloVerifierOpts&& MakeLayoutSensitive() { return WithLayoutSensitive(true); }
  HloVerifierOpts&& WithAllowMixedPrecision(bool allow) {
    allow_mixed_precision = allow;
    return std::move(*this);
  }
  HloVerifierOpts&& AllowMixedPrecision() {
    return WithAllowMixedPrecision(true);
  }
  // Needs to be layout-sensitive (Verify returns InvalidArgument).
  HloVerifierOpts&& WithInstructionCanChangeLayout(
      const HloPredicate& predicate) {
    instruction_can_change_layout = predicate;
    return std::move(*this);
  }
  // The bytes of shapes on the target.
  HloVerifierOpts&& WithCustomShapeSize(const ShapeSizeFn& size) {
    shape_size = size;
    return std::move(*this);
  }
  HloVerifierOpts&& WithAllowBitcastToHaveDifferentSize(bool allow) {
    allow_bitcast_to_have_different_size = allow;
    return std::move(*this);
  }
  HloVerifierOpts&& VerifyCallNestedComputationThreadName() {
    verify_call_nested_computation_thread_name = true;
    return std::move(*this);
  }
  HloVerifierOpts&& VerifyInstructionNameUnchanged() {
    verify_instruction_name_unchanged = true;
    return std::move(*this);
  }
  HloVerifierOpts&& VerifyBroadcastDimensionsOrder() {
    verify_broadcast_dimensions_order = true;
    return std::move(*this);
  }
  // Holds if it is layout-sensitive.
  HloVerifierOpts&& VerifyReshapeIsBitcast() {
    verify_reshape_is_bitcast = true;
    return std::move(*this);
  }
  HloVerifierOpts&& WithVerifyShardingDeviceNumbers(bool verify) {
    verify_sharding_device_numbers = verify;
    return std::move(*this);
  }
  HloVerifierOpts&& WithAllowUnboundedDynamism(bool allow) {
    allow_unbounded_dynamism = allow;
    return std::move(*this);
  }
  HloVerifierOpts&& VerifyNoHostMemorySpace() {
    verify_no_host_memory_space = true;
    return std::move(*this);
  }
  HloVerifierOpts&& WithVerifyNoCollectiveDeadlocks(bool verify) {
    verify_no_collective_deadlocks = verify;
    return std::move(*this);
  }
  HloVerifierOpts&& WithCheckReplicaGroups(bool check) {
    check_replica_groups = check;
    return std::move(*this);
  }

  bool IsLayoutSensitive() const { return layout_sensitive; }
  bool AllowMixedPrecision() const { return allow_mixed_precision; }
  bool CheckForCollectiveDeadlocks() const {
    return verify_no_collective_deadlocks;
  }
  bool ShouldCheckReplicaGroups() const { return check_replica_groups; }
  const HloPredicate& InstructionCanChangeLayout() const {
    return instruction_can_change_layout;
  }
  bool InstructionCanChangeLayout(const HloInstruction* instruction) const {
    return !instruction_can_change_layout ||
           instruction_can_change_layout(instruction);
  }
  int64_t ShapeSize(const Shape& shape) const {
    return shape_size ? shape_size(shape) : ShapeUtil::ByteSizeOf(shape);
  }
};

}  // namespace xla

#endif  // COMPAT_XLA_SERVICE_HLO_VERIFIER_H_
