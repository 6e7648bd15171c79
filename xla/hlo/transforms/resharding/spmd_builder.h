// SpmdBuilder: writes what one device of a mesh does: collectives with the
// devices that differ from it along some axes, and numbers that depend on its
// position.
#ifndef XLA_HLO_TRANSFORMS_RESHARDING_SPMD_BUILDER_H_
#define XLA_HLO_TRANSFORMS_RESHARDING_SPMD_BUILDER_H_

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "absl/types/span.h"
#include "xla/core/literal/literal.h"
#include "xla/core/primitive_util.h"
#include "xla/hlo/attrs/field_types.h"
#include "xla/hlo/sharding/device_mesh.h"
#include "xla/hlo/transforms/creation/hlo_builder.h"

namespace xla {

// Returns x with op(x, y) == y for all y, also bit for bit (-0 for sums of
// floats). `op` is add, multiply, maximum, minimum, and, or, xor.
Literal ReductionIdentity(HloOpcode op, PrimitiveType type);

// What the collectives of a module share.
struct SpmdModuleState {
  int64_t num_partitions = 1;
  int64_t num_replicas = 1;
  int64_t channels = 0;  // the largest channel id in use
  std::map<std::pair<HloOpcode, PrimitiveType>, HloComputation*> reducers;
};

class SpmdBuilder : public HloBuilder {
 public:
  SpmdBuilder(HloComputation* computation, SpmdModuleState* state)
      : HloBuilder(computation), state_(*state) {}

  int64_t num_partitions() const { return state_.num_partitions; }

  // Collectives of the devices that differ along `axes`, in the order of their
  // coordinates. Operands are arrays.
  Hlo AllReduce(Hlo x, HloOpcode reducer, const DeviceMesh& mesh,
                absl::Span<const AxisPart> axes);
  // The parts become neighbours along `dimension`.
  Hlo AllGather(Hlo x, int64_t dimension, const DeviceMesh& mesh,
                absl::Span<const AxisPart> axes);
  // The size of `dimension` is a multiple of the number of devices.
  Hlo ReduceScatter(Hlo x, int64_t dimension, HloOpcode reducer,
                    const DeviceMesh& mesh, absl::Span<const AxisPart> axes);
  // Splits `split`, whose size is a multiple of the number of devices, and
  // makes the parts neighbours along `concat`.
  Hlo AllToAll(Hlo x, int64_t split, int64_t concat, const DeviceMesh& mesh,
               absl::Span<const AxisPart> axes);
  // The arrays of the first partition of each group, which is in one group.
  std::vector<Hlo> CollectiveBroadcast(
      absl::Span<const Hlo> arrays, std::vector<std::vector<int64_t>> groups);
  // Pairs of partitions, source and target. Who gets nothing has zeros.
  Hlo CollectivePermute(Hlo x, std::vector<std::pair<int64_t, int64_t>> pairs);

  // s32[]: values[p] on partition p.
  Hlo PerPartition(absl::Span<const int64_t> values);
  // s32[]: the coordinate times `factor`.
  Hlo Coordinate(const DeviceMesh& mesh, absl::Span<const AxisPart> axes,
                 int64_t factor = 1);
  // pred[]: whether the coordinate is this one.
  Hlo IsAt(const DeviceMesh& mesh, absl::Span<const AxisPart> axes,
           int64_t coordinate);
  // s32[size]: offset, offset + 1, ...; `offset` is an s32[].
  Hlo Positions(int64_t size, Hlo offset);
  // Whether integers are in [lower, upper).
  Hlo InRange(Hlo x, int64_t lower, int64_t upper);
  // Elements [start, start + size) of a dimension; `start` is s32[] and the
  // elements exist.
  Hlo DynamicSliceDim(Hlo x, int64_t dimension, Hlo start, int64_t size);
  // Appends or prepends copies of `fill`, a scalar, along a dimension. Negative
  // numbers remove elements.
  Hlo PadDim(Hlo x, int64_t dimension, int64_t low, int64_t high, Hlo fill);
  // Replaces the elements whose index along the dimension, plus `offset`, an
  // s32[], is outside of [lower, upper) by `fill`, a scalar.
  Hlo MaskDim(Hlo x, int64_t dimension, Hlo offset, int64_t lower,
              int64_t upper, Hlo fill);
  // Clamps s32[] numbers.
  Hlo Clamp(Hlo x, int64_t low, int64_t high);
  Hlo Index(int64_t value) { return Integer(S32, value); }

 private:
  // Groups of flattened device numbers, those of each replica apart.
  ReplicaGroups GlobalGroups(const DeviceMesh& mesh,
                             absl::Span<const AxisPart> axes) const;
  int64_t NextChannel() { return ++state_.channels; }
  Hlo AddReduction(HloOpcode opcode, Hlo x, Shape shape, HloOpcode reducer,
                   Attrs attrs);

  SpmdModuleState& state_;
  std::map<std::vector<int64_t>, Hlo> tables_;
  Hlo partition_ = nullptr;
};

}  // namespace xla

#endif  // XLA_HLO_TRANSFORMS_RESHARDING_SPMD_BUILDER_H_
