// Finds transposes that a loop computes at its own index, and tiles for them.
#include "xla/backends/cpu/codegen/plans/tile_plan.h"

#include <algorithm>
#include <bit>

#include "absl/container/flat_hash_set.h"
#include "xla/backends/cpu/codegen/plans/loop_plan.h"
#include "xla/backends/cpu/codegen/plans/work.h"
#include "xla/base/checked_math.h"
#include "xla/core/primitive_util.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/analysis/indexing/moved_elements.h"
#include "xla/hlo/ir/hlo_computation.h"

namespace xla::cpu {
namespace {

// The registers for the square of a tile.
constexpr int64_t kMaxRows = 16;
// The tiles of a workgroup. Rows of operands are read along the band, long
// enough for hardware prefetchers to follow.
constexpr int64_t kBandTiles = 16;
constexpr int64_t kStripTiles = 4;
constexpr int64_t kLineBytes = 64;
// The most elements of a dimension that get a vector each.
constexpr int64_t kShort = 4;
// The most bytes of an element of pixels that are moved in vectors, and the
// most values of such a loop, which has straight-line code for a whole tile.
constexpr int64_t kMostPixelBytes = 2;
constexpr size_t kFewValues = 8;
// The fewest blocks of elements, exchanged by permutations, that are a loop.
constexpr int64_t kLeastBlocks = 16;
// The fewest elements that are worth a vector.
constexpr int64_t kLeastVector = 8;

bool IsReshape(const HloInstruction& value) {
  return (value.opcode() == HloOpcode::kReshape ||
          value.opcode() == HloOpcode::kBitcast) &&
         value.shape().IsArray() && value.operand(0)->shape().IsArray() &&
         value.shape().element_type() ==
             value.operand(0)->shape().element_type();
}

// Returns the last dimension with more than one element; -1 if there is none.
int64_t Innermost(const Shape& shape) {
  int64_t d = static_cast<int64_t>(shape.dimensions().size()) - 1;
  while (d >= 0 && shape.dimensions(d) == 1) --d;
  return d;
}

bool IsTranspose(const HloInstruction& value) {
  return !IsReshape(value) && PermutationOf(value).has_value();
}

// Returns the transposes that are computed at the index of the loop, starting
// from `roots`.
std::vector<const HloInstruction*> TransposesAtIndex(
    std::vector<const HloInstruction*> roots, const Shape& shape) {
  absl::flat_hash_set<const HloInstruction*> seen(roots.begin(), roots.end());
  std::vector<const HloInstruction*> transposes;
  std::vector<const HloInstruction*>& work = roots;
  for (size_t next = 0; next < work.size(); ++next) {
    const HloInstruction* value = work[next];
    if (IsTranspose(*value)) {
      transposes.push_back(value);
      continue;
    }
    if (!value->IsElementwiseOp() && !IsReshape(*value)) {
      continue;
    }
    for (const HloInstruction* operand : value->operands()) {
      if (operand->shape().IsArray() &&
          ShapeUtil::SameDimensions(operand->shape(), shape) &&
          seen.insert(operand).second) {
        work.push_back(operand);
      }
    }
  }
  return transposes;
}

// Returns the last dimension before `inner` with more than one element; -1 if
// there is none.
int64_t NextOuter(const Shape& shape, int64_t inner) {
  int64_t d = inner - 1;
  while (d >= 0 && shape.dimensions(d) == 1) --d;
  return d;
}

// Returns the dimension of the result along which the operand is read in
// vectors: its innermost one. If that one is too short for vectors and the
// loop's inner dimension does not come right before it, vectors go along the
// dimension before it, with a short stride.
int64_t AcrossOf(const HloInstruction& transpose, const TilePlan& plan) {
  const Shape& operand = transpose.operand(0)->shape();
  const std::vector<int64_t> permutation = *PermutationOf(transpose);
  const int64_t innermost = Innermost(operand);
  const int64_t next = NextOuter(operand, innermost);
  if (permutation[innermost] == plan.inner || next < 0 ||
      permutation[next] == plan.inner ||
      operand.dimensions(innermost) > kShort ||
      operand.dimensions(next) < kLeastVector ||
      plan.shape->dimensions(plan.inner) < kLeastVector) {
    return permutation[innermost];
  }
  return permutation[next];
}

int64_t PartBytes(PrimitiveType type) {
  const int64_t bytes = std::max(1, primitive_util::BitWidth(type) / 8);
  return primitive_util::IsComplexType(type) ? bytes / 2 : bytes;
}

std::vector<const HloInstruction*> RootsOf(const HloInstruction& instruction) {
  if (instruction.opcode() != HloOpcode::kFusion) return {&instruction};
  const HloInstruction* root =
      instruction.fused_instructions_computation()->root_instruction();
  if (root->opcode() != HloOpcode::kTuple) return {root};
  return {root->operands().begin(), root->operands().end()};
}

// True if dimension `outer` is the next one of more than one element before
// dimension `inner`.
bool AreNeighbors(const Shape& shape, int64_t outer, int64_t inner) {
  for (int64_t d = outer + 1; d < inner; ++d) {
    if (shape.dimensions(d) != 1) return false;
  }
  return outer < inner;
}

// True if vectors along the loop's inner dimension are read from the operand
// with a short stride, since the operand's last dimension is short and comes
// right behind that one.
bool ReadsWithStride(const HloInstruction& transpose, const TilePlan& plan) {
  const Shape& operand = transpose.operand(0)->shape();
  const std::vector<int64_t> permutation = *PermutationOf(transpose);
  const auto inner =
      std::find(permutation.begin(), permutation.end(), plan.inner);
  return AreNeighbors(operand, inner - permutation.begin(), Innermost(operand));
}

// Chooses tiles with a short dimension as their rows or columns; returns false
// if the shape does not suit that.
bool PlanShortTiles(const TargetInfo& target, TilePlan& plan) {
  const int64_t rows = plan.shape->dimensions(plan.across);
  const int64_t columns = plan.shape->dimensions(plan.inner);
  const int64_t longer = std::max(rows, columns);
  if (std::min(rows, columns) > kShort || longer < kLeastVector) return false;
  const int64_t lanes = std::min<int64_t>(
      target.vector_bytes / PartBytes(plan.shape->element_type()),
      std::bit_floor(static_cast<uint64_t>(longer)));
  if (columns <= kShort) {
    if (!AreNeighbors(*plan.shape, plan.across, plan.inner)) return false;
    plan.kind = TileKind::kFewColumns;
    plan.columns = static_cast<int>(columns);
    plan.rows = static_cast<int>(lanes);
    return true;
  }
  for (const HloInstruction* transpose : plan.transposes) {
    if (!ReadsWithStride(*transpose, plan)) return false;
  }
  plan.kind = TileKind::kFewRows;
  plan.rows = static_cast<int>(rows);
  plan.columns = static_cast<int>(lanes);
  return true;
}

// True if tiles would exchange elements within blocks of so few that vectors of
// the plain loop, which consist of whole blocks, do it by one permutation.
bool IsWithinVectors(const TilePlan& plan, const TargetInfo& target) {
  const Shape& shape = *plan.shape;
  const int64_t lanes = target.vector_bytes / PartBytes(shape.element_type());
  const int64_t block =
      shape.dimensions(plan.across) * shape.dimensions(plan.inner);
  return AreNeighbors(shape, plan.across, plan.inner) &&
         2 * shape.dimensions(plan.inner) <= lanes &&
         LanesOfBlocks(block, lanes) > 0 &&
         ShapeUtil::ElementsIn(shape) >= kLeastBlocks * block;
}

void PlanWorkgroups(TilePlan& plan) {
  const Shape& shape = *plan.shape;
  const int64_t rows = shape.dimensions(plan.across);
  const int64_t columns = shape.dimensions(plan.inner);
  plan.band = std::min(rows, kBandTiles * plan.rows);
  // Few rows read one stretch of memory.
  const int64_t tiles =
      plan.kind == TileKind::kFewRows ? kBandTiles : kStripTiles;
  plan.strip = std::min(columns, tiles * plan.columns);
  plan.bands = CeilOfRatio(rows, plan.band);
  plan.strips = CeilOfRatio(columns, plan.strip);
  for (int64_t d = 0; d < static_cast<int64_t>(shape.dimensions().size());
       ++d) {
    if (d == plan.across || d == plan.inner || d == plan.channel) continue;
    plan.outer.push_back(shape.dimensions(d));
    plan.rest *= shape.dimensions(d);
  }
}

// Chooses the transposes, among those at the loop's index, that are read along
// dimension `across` of the loop, and returns the largest tile for them.
int64_t ChooseTransposes(absl::Span<const HloInstruction* const> at_index,
                         const TargetInfo& target, TilePlan& plan) {
  int64_t tile = kMaxRows;
  for (const HloInstruction* transpose : at_index) {
    const int64_t across = AcrossOf(*transpose, plan);
    if (across == plan.inner) continue;
    if (plan.transposes.empty()) plan.across = across;
    if (across != plan.across) continue;
    plan.transposes.push_back(transpose);
    tile = std::min(tile, target.vector_bytes /
                              PartBytes(transpose->shape().element_type()));
  }
  return tile;
}

// Chooses, in the same way, the transposes of pixels, whose channels stay
// behind the other dimensions. Wide elements are moved one by one as well.
int64_t ChooseTransposesOfPixels(
    absl::Span<const HloInstruction* const> at_index, const TargetInfo& target,
    TilePlan& plan) {
  const int64_t channel = Innermost(*plan.shape);
  const int64_t inner = NextOuter(*plan.shape, channel);
  const int64_t channels = plan.shape->dimensions(channel);
  if (inner < 1 || channels > kShort ||
      PartBytes(plan.shape->element_type()) > kMostPixelBytes) {
    return 0;
  }
  int64_t tile = kMaxRows;
  for (const HloInstruction* transpose : at_index) {
    const Shape& operand = transpose->operand(0)->shape();
    const std::vector<int64_t> permutation = *PermutationOf(*transpose);
    const int64_t innermost = Innermost(operand);
    const int64_t next = NextOuter(operand, innermost);
    if (next < 0 || permutation[innermost] != channel ||
        permutation[next] == inner ||
        PartBytes(transpose->shape().element_type()) > kMostPixelBytes) {
      continue;
    }
    if (plan.transposes.empty()) plan.across = permutation[next];
    if (plan.across != permutation[next]) continue;
    plan.transposes.push_back(transpose);
    tile = std::min(tile, target.vector_bytes /
                              PartBytes(transpose->shape().element_type()));
  }
  plan.kind = TileKind::kPixels;
  plan.channel = channel;
  plan.channels = channels;
  plan.inner = inner;
  return tile;
}

}  // namespace

const HloInstruction* BeforeReshapes(const HloInstruction* root) {
  while (IsReshape(*root) &&
         !ShapeUtil::SameDimensions(root->shape(), root->operand(0)->shape())) {
    root = root->operand(0);
  }
  return root;
}

std::optional<TilePlan> PlanTiles(const HloInstruction& instruction,
                                  const TargetInfo& target) {
  // The operands of an op outside a fusion are in memory, whatever computed
  // them.
  if (instruction.opcode() != HloOpcode::kFusion && !IsTranspose(instruction)) {
    return std::nullopt;
  }
  std::vector<const HloInstruction*> roots = RootsOf(instruction);
  for (const HloInstruction*& root : roots) {
    root = BeforeReshapes(root);
    if (!root->shape().IsArray() ||
        !ShapeUtil::SameDimensions(root->shape(), roots[0]->shape())) {
      return std::nullopt;
    }
  }
  TilePlan plan;
  plan.shape = &roots[0]->shape();
  plan.inner = Innermost(*plan.shape);
  if (plan.inner < 1 || ShapeUtil::ElementsIn(*plan.shape) == 0) {
    return std::nullopt;
  }
  const std::vector<const HloInstruction*> at_index =
      TransposesAtIndex(roots, *plan.shape);
  int64_t tile = ChooseTransposes(at_index, target, plan);
  if (plan.transposes.empty() && ValuesOf(instruction).size() <= kFewValues) {
    tile = ChooseTransposesOfPixels(at_index, target, plan);
  }
  if (plan.transposes.empty() || IsWithinVectors(plan, target)) {
    return std::nullopt;
  }
  if (plan.kind != TileKind::kPixels && PlanShortTiles(target, plan)) {
    PlanWorkgroups(plan);
    return plan;
  }
  const int64_t shorter = std::min(plan.shape->dimensions(plan.across),
                                   plan.shape->dimensions(plan.inner));
  tile =
      std::min<int64_t>(tile, std::bit_floor(static_cast<uint64_t>(shorter)));
  if (tile < 2 || ShapeUtil::ElementsIn(*plan.shape) < 2 * tile * tile) {
    return std::nullopt;
  }
  plan.rows = static_cast<int>(tile);
  const int64_t squares = std::min(
      kLineBytes /
          (tile * PartBytes(plan.shape->element_type()) * plan.channels),
      plan.shape->dimensions(plan.inner) / tile);
  plan.columns = static_cast<int>(tile * std::bit_floor(static_cast<uint64_t>(
                                             std::max<int64_t>(1, squares))));
  PlanWorkgroups(plan);
  return plan;
}

}  // namespace xla::cpu
