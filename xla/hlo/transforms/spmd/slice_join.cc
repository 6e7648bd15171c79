// Each slice is an exchange of its own, from the array's parts.
#include "xla/hlo/transforms/spmd/slice_join.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "xla/base/checked_math.h"
#include "xla/hlo/ops/movement/slicing.h"
#include "xla/hlo/transforms/partition_rules/window_split.h"
#include "xla/hlo/transforms/resharding/window_exchange.h"

namespace xla {
namespace {

// Each takes an exchange, and a selection of all elements.
constexpr int64_t kMostSlices = 4;

bool SlicesAlong(const HloInstruction& slice, int64_t dimension) {
  const std::vector<SliceRange>& ranges = slice.attrs<SliceAttrs>().slice;
  const Shape& whole = slice.operand(0)->shape();
  for (int64_t d = 0; d < whole.rank(); ++d) {
    if (ranges[d].stride != 1) return false;
    if (d != dimension &&
        (ranges[d].start != 0 ||
         ranges[d].limit != whole.dimensions(static_cast<int>(d)))) {
      return false;
    }
  }
  return true;
}

// Returns the elements of `after` from position `base` of the whole array on,
// and those of `before`; both are the devices' parts.
HloInstruction* SelectFrom(SpmdBuilder& emit, int64_t dimension,
                           const DeviceLine& line, int64_t base,
                           HloInstruction* after, HloInstruction* before) {
  const absl::Span<const int64_t> sizes = after->shape().dimensions();
  const int64_t size = sizes[dimension];
  HloInstruction* index =
      emit.Positions(size, emit.Coordinate(line.mesh, line.axes, size));
  HloInstruction* is_after = emit.Compare(ComparisonDirection::kGe, index,
                                          emit.IntegerLike(index, base));
  return emit.Select(emit.Broadcast(is_after, sizes, {dimension}), after,
                     before);
}

}  // namespace

const HloInstruction* SourceOfJoin(const HloInstruction& hlo) {
  if (hlo.opcode() != HloOpcode::kConcatenate || hlo.operand_count() < 2 ||
      hlo.operand_count() > kMostSlices || hlo.shape().is_dynamic() ||
      IsEmptyOrHuge(hlo)) {
    return nullptr;
  }
  const int64_t d = hlo.attrs<ConcatenateAttrs>().dimensions[0];
  const HloInstruction* source = nullptr;
  for (const HloInstruction* slice : hlo.operands()) {
    if (slice->opcode() != HloOpcode::kSlice || slice->user_count() != 1 ||
        slice->HasControlDependencies() || !SlicesAlong(*slice, d)) {
      return nullptr;
    }
    if (source == nullptr) source = slice->operand(0);
    if (slice->operand(0) != source) return nullptr;
  }
  return source->shape().is_dynamic() ? nullptr : source;
}

bool CanJoin(const MeshSharding& source, const HloInstruction& join,
             const MeshSharding& wanted) {
  const int64_t d = join.attrs<ConcatenateAttrs>().dimensions[0];
  return source == wanted && !wanted.dimensions[d].axes.empty() &&
         wanted.unreduced.empty();
}

HloInstruction* EmitJoin(SpmdBuilder& emit, const HloInstruction& join,
                         HloInstruction* part, const MeshSharding& sharding) {
  const int64_t d = join.attrs<ConcatenateAttrs>().dimensions[0];
  const DeviceLine line = {*sharding.mesh, sharding.dimensions[d].axes};
  const int64_t parts = SizeOf(line.axes);
  const int64_t size =
      CeilOfRatio(join.shape().dimensions(static_cast<int>(d)), parts);
  HloInstruction* joined = nullptr;
  int64_t base = 0;
  for (const HloInstruction* slice : join.operands()) {
    const SliceRange& range = slice->attrs<SliceAttrs>().slice[d];
    const int64_t length = range.limit - range.start;
    DeviceWindows windows;
    windows.size = size;
    for (int64_t c = 0; c < parts; ++c) {
      // Where the first element of the slice is in the window.
      const int64_t first = base - c * size;
      windows.starts.push_back(range.start - first);
      windows.needed.push_back({std::clamp<int64_t>(first, 0, size),
                                std::clamp<int64_t>(first + length, 0, size)});
    }
    const WindowExchange exchange(
        slice->operand(0)->shape().dimensions(static_cast<int>(d)), parts,
        std::move(windows));
    HloInstruction* window = exchange.Emit(emit, part, d, line, nullptr);
    joined = joined == nullptr
                 ? window
                 : SelectFrom(emit, d, line, base, window, joined);
    base += length;
  }
  return joined;
}

}  // namespace xla
