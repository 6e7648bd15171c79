// HloVerifier: checks that a module is well formed. It runs the shape rules of
// each op (hlo/ops) again and adds the rules for computations, the module and
// its schedule.
#ifndef XLA_HLO_VERIFIER_HLO_VERIFIER_H_
#define XLA_HLO_VERIFIER_HLO_VERIFIER_H_

#include <cstdint>
#include <functional>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "xla/hlo/ir/async_ops.h"
#include "xla/hlo/ir/hlo_computation.h"
#include "xla/hlo/ir/hlo_instruction.h"
#include "xla/hlo/ir/hlo_module.h"
#include "xla/hlo/pass/hlo_pass.h"

namespace xla {

struct HloVerifierOptions {
  // Accept a declared element type that differs from the inferred one if both
  // are floating point (F32 where BF16 operands give BF16) and the op computes
  // elements. Ops that only move elements, collectives included, do not convert
  // them.
  bool allow_mixed_precision = true;
  // Accept an entry parameter or result that is the vector of its buffer where
  // the entry layout has tiles or padding. Passes see this form from
  // layout-normalization on; users' programs have the layout's dimensions.
  bool allow_entry_buffers = false;
  // Whether layouts were assigned, so that rule layout_c1 holds.
  bool layout_sensitive = false;
  // Unset, or false for the instructions of which rule layout_c2 holds. Needs
  // `layout_sensitive` (Verify returns InvalidArgument).
  std::function<bool(const HloInstruction*)> instruction_can_change_layout = {};
  // Unset, or the bytes of a shape on the target, for rule layout_c3.
  std::function<int64_t(const Shape&)> shape_size = {};
  // Limits rule layout_c3 to shapes whose elements take different sizes.
  bool allow_bitcast_to_have_different_size = false;
  // Refuse all instructions but those of asynchronous chains that call a
  // computation of another execution thread (instruction_c4). Loops, branches
  // and fusions that do are always refused.
  bool verify_call_nested_computation_thread_name = false;
  // Refuse instructions whose name is not the scheduling_name that their
  // metadata has, but for copies (instruction_c5); broadcasts whose dimensions
  // are not in ascending order (instruction_c6); with `layout_sensitive`,
  // reshapes that are no bitcast (layout_c4).
  bool verify_instruction_name_unchanged = false;
  bool verify_broadcast_dimensions_order = false;
  bool verify_reshape_is_bitcast = false;
  // Whether shapes may have dimensions without a bound (instruction_c7).
  bool allow_unbounded_dynamism = true;
  // Refuse arrays in the host's memory space (instruction_c8).
  bool verify_no_host_memory_space = false;
  // Refuse shardings that do not fit the shape (sharding_c1) or, with the
  // second option and if the module is to be partitioned, have other devices
  // than its partitions.
  bool verify_shardings = false;
  bool verify_sharding_device_numbers = true;
  // Refuse replica_groups of another number of devices than the module's, if
  // that is more than 1 (module_groups_c1). What an op refuses whatever the
  // module, such as numbers with gaps, is always refused.
  bool check_replica_groups = false;
  // In a module with a schedule, refuse transfers between devices that wait for
  // each other (deadlock_c1 to deadlock_c4).
  bool verify_no_collective_deadlocks = false;
};

// A broken rule gives InvalidArgument with the rule's label and the names of
// the module, computation and instruction; if several are broken, the first in
// program order. Takes time linear in the size of the module and does not
// change it.
class HloVerifier : public HloPassInterface {
 public:
  explicit HloVerifier(HloVerifierOptions options = {})
      : options_(std::move(options)) {}
  // With the checks of shardings and replica_groups.
  HloVerifier(bool layout_sensitive, bool allow_mixed_precision,
              std::function<bool(const HloInstruction*)>
                  instruction_can_change_layout = {},
              std::function<int64_t(const Shape&)> shape_size = {},
              bool verify_no_collective_deadlocks = false) {
    options_.layout_sensitive = layout_sensitive;
    options_.allow_mixed_precision = allow_mixed_precision;
    options_.verify_shardings = true;
    options_.check_replica_groups = true;
    options_.verify_no_collective_deadlocks = verify_no_collective_deadlocks;
    options_.instruction_can_change_layout =
        std::move(instruction_can_change_layout);
    options_.shape_size = std::move(shape_size);
  }

  // Checks rules module_c*, computation_c*, schedule_c*, alias_c*,
  // instruction_c*, async_c*, layout_c*, those of the options and of the ops.
  absl::Status Verify(const HloModule& module) const;

  absl::string_view name() const override { return "hlo-verifier"; }
  // Verifies; returns false, since nothing changes.
  absl::StatusOr<bool> RunImpl(HloModule* module) override;

 private:
  absl::Status VerifyComputation(const HloComputation& computation,
                                 AsyncChecker& checker) const;
  absl::Status VerifyInstruction(const HloInstruction& instruction) const;
  absl::Status VerifyLayouts(const HloInstruction& instruction) const;
  absl::Status VerifyDevices(const HloInstruction& instruction) const;

  HloVerifierOptions options_;
};

// Rules for the parts of a module.
//
// alias_c1 to alias_c4: input_output_alias and buffer_donor.
absl::Status VerifyAliases(const HloModule& module);
// schedule_c1: in a scheduled module operands come before users.
absl::Status VerifySchedule(const HloModule& module);
// async_c1 to async_c6: start and done instructions are paired and agree.
// `checker` belongs to the module.
absl::Status VerifyAsyncPairs(const HloComputation& computation,
                              AsyncChecker& checker);

// Rules for the devices of an instruction.
//
// sharding_c1: it fits the shape. `with_devices` also limits the devices of a
// module that is to be partitioned.
absl::Status VerifySharding(const HloInstruction& instruction,
                            bool with_devices);
// module_groups_c1: replica_groups have as many devices as the module.
absl::Status VerifyGroupsOfModule(const HloInstruction& instruction);
// instruction_c8: no array of the result is in the host's memory space.
absl::Status VerifyDeviceMemory(const HloInstruction& instruction);

// deadlock_c1 to deadlock_c4, of a module with a schedule: in its order, sends
// and receives between devices meet. Takes time proportional to the transfers
// times those that wait at once. Errors: ResourceExhausted when nested calls
// reach too many instructions.
absl::Status VerifyNoDeadlocks(const HloModule& module);

}  // namespace xla

#endif  // XLA_HLO_VERIFIER_HLO_VERIFIER_H_
