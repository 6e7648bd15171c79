// ComputationPartitioner writes what one device does for a computation.
#ifndef XLA_HLO_TRANSFORMS_SPMD_COMPUTATION_PARTITIONER_H_
#define XLA_HLO_TRANSFORMS_SPMD_COMPUTATION_PARTITIONER_H_

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "xla/hlo/ir/hlo_module.h"
#include "xla/hlo/transforms/partition_rules/op_rule.h"
#include "xla/hlo/transforms/resharding/spmd_builder.h"
#include "xla/hlo/transforms/sharding/custom_partitioner.h"
#include "xla/hlo/transforms/spmd/plain_shardings.h"

namespace xla {

// What the computations of a module share.
struct PartitionedModule {
  HloModule* module;
  PlainShardings shardings;
  SpmdModuleState state;
  // The names of the instructions that new ones, by unique id, stand for.
  absl::flat_hash_map<int64_t, std::string> names;
};

using Shardings = std::vector<MeshSharding>;

// The shape of the value whose arrays are parts of those of `whole`.
Shape PartOfValue(const Shape& whole, const Shardings& shardings);

class ComputationPartitioner {
 public:
  // Returns a new computation of the module, for parameters whose arrays have
  // these shardings, and results that are to have `root`. Errors:
  // InvalidArgument for shardings that do not fit, Unimplemented for dynamic
  // dimensions that are split.
  static absl::StatusOr<HloComputation*> Partition(
      PartitionedModule& module, const HloComputation& source,
      absl::Span<const Shardings> parameters, const Shardings& root);

 private:
  using Arrays = std::vector<PartitionedArray>;

  ComputationPartitioner(PartitionedModule& module, HloComputation* target);

  void AddParameter(const HloInstruction& source);
  absl::Status Visit(const HloInstruction& hlo);
  absl::Status VisitOp(const HloInstruction& hlo, const Shardings& wanted);
  // Whether nothing is to be done for a slice, as its user reads its operand.
  absl::StatusOr<bool> IsJoined(const HloInstruction& slice);
  // Splits the op along its factors; returns false if it cannot be.
  absl::StatusOr<bool> SplitOp(const HloInstruction& hlo,
                               const Shardings& wanted);
  // Lets operands stay, or become, partial along axes along which the result
  // is to be. The arrays then say that these axes are manual, as each device
  // computes with its own values.
  void KeepPartial(const HloInstruction& hlo, Arrays& operands,
                   PartitionedArray& result);
  std::vector<HloInstruction*> WholeOperands(const HloInstruction& hlo);
  // Runs the op on every device with whole operands.
  absl::Status RunWhole(const HloInstruction& hlo, const Shardings& wanted);
  // Runs the op on one device, whose results the others get.
  absl::Status RunOnOneDevice(const HloInstruction& hlo, int64_t device,
                              const Shardings& wanted);
  // Runs what a framework says that each device does for a custom call.
  absl::Status RunDivided(const HloInstruction& hlo,
                          const CustomPartitioner* partitioner,
                          const Shardings& wanted);
  // Runs the op on every device with its parts of the operands; the op has no
  // results but tokens. Parts of different sizes are made whole.
  absl::Status RunOnParts(const HloInstruction& hlo, const Shardings& wanted);
  absl::Status VisitConstant(const HloInstruction& hlo,
                             const Shardings& wanted);
  absl::Status VisitWhile(const HloInstruction& loop, const Shardings& carry);
  absl::Status VisitBranches(const HloInstruction& hlo,
                             const Shardings& wanted);
  // Arrays become local along manual axes, or are no longer.
  absl::Status EnterManual(const HloInstruction& hlo,
                           const MeshSharding& wanted);
  absl::Status LeaveManual(const HloInstruction& hlo,
                           const MeshSharding& wanted);
  // Takes the operand's part as the result's. Errors: InvalidArgument if their
  // shapes differ.
  absl::Status CrossBorder(const HloInstruction& hlo, HloInstruction* part,
                           const MeshSharding& wanted);

  // Returns the array's part in another sharding. Each is made once.
  HloInstruction* Reshard(const PartitionedArray& array,
                          const MeshSharding& to);
  // The same from partial values of one kind to those of another.
  HloInstruction* ChangeReducer(const PartitionedArray& array,
                                const MeshSharding& to);
  // Replicates it, except along manual axes.
  HloInstruction* Replicate(const PartitionedArray& array);
  Arrays ReshardAll(const Arrays& arrays, const Shardings& to);
  // Adds the tuple, or the array, of a value of this shape.
  HloInstruction* MakeValue(const Shape& shape, const Arrays& arrays);
  HloInstruction* MakeValue(const Shape& shape, const Arrays& arrays,
                            size_t& next);
  // Returns the arrays of a new value; `whole` is what it is a part of.
  Arrays ArraysOf(HloInstruction* value, const Shape& whole,
                  const Shardings& shardings);
  // Adds a copy of the op for other operands and called computations.
  HloInstruction* Clone(const HloInstruction& hlo, Shape shape,
                        absl::Span<HloInstruction* const> operands);
  // Whether nothing of it, nor of its operands, is split among devices.
  bool IsLocal(const HloInstruction& hlo, const Shardings& wanted) const;
  void KeepControlDependencies(const HloComputation& source);
  absl::Status RemoveUnused();

  PartitionedModule& module_;
  SpmdBuilder emit_;
  absl::Span<const Shardings> parameters_;
  absl::flat_hash_map<const HloInstruction*, Arrays> values_;
  absl::flat_hash_map<const HloInstruction*, HloInstruction*> clones_;
  // A reshard that was made, and its result.
  struct Resharded {
    PartitionedArray of;
    MeshSharding to;
    HloInstruction* part;
  };
  absl::flat_hash_map<const HloInstruction*, std::vector<Resharded>> reshards_;
};

}  // namespace xla

#endif  // XLA_HLO_TRANSFORMS_SPMD_COMPUTATION_PARTITIONER_H_
