// The instructions of reshards.
#include "xla/hlo/transforms/resharding/resharding.h"

#include <map>
#include <utility>

#include "absl/algorithm/container.h"

namespace xla {
namespace {

// Who sends a part to whom: each device keeps its own if it can, and otherwise
// gets it from one that holds a copy and sends to nobody else.
std::vector<std::pair<int64_t, int64_t>> PermutationPairs(
    const MeshSharding& from, const MeshSharding& to) {
  const int64_t devices = from.mesh->device_count();
  auto keys = [&](const MeshSharding& sharding) {
    std::vector<std::vector<int64_t>> result(devices);
    auto add = [&](absl::Span<const AxisPart> axes) {
      const std::vector<int64_t> coordinates =
          sharding.mesh->CoordinatesOf(axes);
      for (int64_t p = 0; p < devices; ++p) result[p].push_back(coordinates[p]);
    };
    for (const MeshSharding::Dimension& dimension : sharding.dimensions) {
      add(dimension.axes);
    }
    add(sharding.unreduced);
    add(sharding.manual);
    return result;
  };
  const std::vector<std::vector<int64_t>> held = keys(from);
  const std::vector<std::vector<int64_t>> wanted = keys(to);
  std::map<std::vector<int64_t>, std::vector<int64_t>> senders;
  std::vector<std::pair<int64_t, int64_t>> pairs;
  std::vector<int64_t> receivers;
  for (int64_t p = devices; p-- > 0;) {
    if (held[p] == wanted[p]) {
      pairs.push_back({p, p});
    } else {
      senders[held[p]].push_back(p);
      receivers.push_back(p);
    }
  }
  absl::c_reverse(receivers);
  for (const int64_t p : receivers) {
    std::vector<int64_t>& free = senders[wanted[p]];
    if (free.empty()) continue;  // Not reached: there are as many copies.
    pairs.push_back({free.back(), p});
    free.pop_back();
  }
  absl::c_sort(pairs);
  return pairs;
}

class ReshardEmitter {
 public:
  ReshardEmitter(SpmdBuilder& emit, const Shape& shape, HloOpcode reducer)
      : emit_(emit), shape_(shape), reducer_(reducer) {}

  HloInstruction* Emit(HloInstruction* x, const ReshardStep& step) {
    const DeviceMesh& mesh = *step.from.mesh;
    switch (step.kind) {
      case ReshardKind::kSlice: {
        const int64_t size = PartSize(step.to, step.dimension);
        x = PadTo(x, step.dimension, size * SizeOf(step.axes));
        return emit_.DynamicSliceDim(
            x, step.dimension, emit_.Coordinate(mesh, step.axes, size), size);
      }
      case ReshardKind::kAllGather:
        x = emit_.AllGather(x, step.dimension, mesh, step.axes);
        return Trim(x, step.dimension, step.to);
      case ReshardKind::kAllToAll:
        x = PadTo(x, step.other_dimension,
                  PartSize(step.to, step.other_dimension) * SizeOf(step.axes));
        x = emit_.AllToAll(x, step.other_dimension, step.dimension, mesh,
                           step.axes);
        return Trim(x, step.dimension, step.to);
      case ReshardKind::kPermute:
        return emit_.CollectivePermute(x, PermutationPairs(step.from, step.to));
      case ReshardKind::kAllReduce:
        return emit_.AllReduce(x, reducer_, mesh, step.axes);
      case ReshardKind::kReduceScatter:
        x = PadTo(x, step.dimension,
                  PartSize(step.to, step.dimension) * SizeOf(step.axes));
        return emit_.ReduceScatter(x, step.dimension, reducer_, mesh,
                                   step.axes);
      case ReshardKind::kMakePartial:
        return MakePartial(x, step);
    }
    return x;
  }

 private:
  int64_t PartSize(const MeshSharding& sharding, int64_t d) const {
    return PartSizes(shape_.dimensions(), sharding)[d];
  }

  // Fills the end of a dimension, of which nothing is read.
  HloInstruction* PadTo(HloInstruction* x, int64_t d, int64_t size) {
    const int64_t missing = size - x->shape().dimensions(d);
    return emit_.PadDim(x, d, 0, missing,
                        emit_.Zero(x->shape().element_type()));
  }

  HloInstruction* Trim(HloInstruction* x, int64_t d, const MeshSharding& to) {
    return emit_.SliceDim(x, d, 0, PartSize(to, d));
  }

  HloInstruction* MakePartial(HloInstruction* x, const ReshardStep& step) {
    HloInstruction* first = emit_.IsAt(*step.from.mesh, step.axes, 0);
    HloInstruction* none =
        emit_.Constant(ReductionIdentity(reducer_, x->shape().element_type()));
    const absl::Span<const int64_t> sizes = x->shape().dimensions();
    return emit_.Select(emit_.Splat(first, sizes), x, emit_.Splat(none, sizes));
  }

  SpmdBuilder& emit_;
  const Shape& shape_;
  HloOpcode reducer_;
};

}  // namespace

HloInstruction* EmitReshard(SpmdBuilder& emit, HloInstruction* part,
                            const Shape& shape, HloOpcode reducer,
                            const std::vector<ReshardStep>& steps) {
  ReshardEmitter emitter(emit, shape, reducer);
  for (const ReshardStep& step : steps) part = emitter.Emit(part, step);
  return part;
}

}  // namespace xla
