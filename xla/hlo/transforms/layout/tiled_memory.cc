// Each tile is one step: combine dimensions, pad, split, move the tiles' inner
// dimensions last. The inverse reverses the steps.
#include "xla/hlo/transforms/layout/tiled_memory.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "xla/base/checked_math.h"
#include "xla/base/status_macros.h"
#include "xla/core/layout/tiling.h"
#include "xla/core/literal/literal_util.h"
#include "xla/core/primitive_util.h"

namespace xla {
namespace {

using Hlo = HloInstruction*;
using Dims = std::vector<int64_t>;

// The effect of one tile on the sizes.
struct Step {
  Dims before;    // sizes, leading ones of the tile's rank included
  Dims combined;  // with '*' multiplied into the dimension behind it
  Dims padded;    // rounded up to multiples of the tile
  Dims split;     // each tiled dimension as (tiles, within)
  Dims order;     // of `split`: all tile numbers, then the positions within
  Dims after;     // sizes in that order
};

Step StepOf(const Dims& sizes, const Tile& tile) {
  Step step;
  const int64_t named = tile.num_dimensions();
  const int64_t rank = std::max<int64_t>(named, sizes.size());
  step.before.assign(rank - sizes.size(), 1);
  step.before.insert(step.before.end(), sizes.begin(), sizes.end());
  Dims insides;
  int64_t pending = 1;
  for (int64_t i = 0; i < rank; ++i) {
    const bool is_tiled = i >= rank - named;
    const int64_t inside = is_tiled ? tile.dimension(i - (rank - named)) : 0;
    if (inside == Tile::kCombineDimension) {
      pending *= step.before[i];
      continue;
    }
    step.combined.push_back(pending * step.before[i]);
    pending = 1;
    insides.push_back(inside);
  }
  Dims tiles, within;
  for (size_t i = 0; i < insides.size(); ++i) {
    tiles.push_back(step.split.size());
    if (insides[i] == 0) {
      step.padded.push_back(step.combined[i]);
      step.split.push_back(step.combined[i]);
      continue;
    }
    const int64_t count = CeilOfRatio(step.combined[i], insides[i]);
    step.padded.push_back(count * insides[i]);
    step.split.push_back(count);
    within.push_back(step.split.size());
    step.split.push_back(insides[i]);
  }
  step.order = std::move(tiles);
  step.order.insert(step.order.end(), within.begin(), within.end());
  for (int64_t d : step.order) step.after.push_back(step.split[d]);
  return step;
}

// The effect of the whole layout of `shape`, from its dimensions in major to
// minor order to the vector.
struct Plan {
  Dims order;   // the dimensions, major to minor
  Dims sizes;   // their sizes
  Dims padded;  // sizes after padded_dimensions
  std::vector<Step> steps;
  int64_t elements = 1;  // after the last step
  int64_t count = 1;     // with the tail padding
};

absl::StatusOr<Plan> PlanOf(const Shape& shape) {
  TF_ASSIGN_OR_RETURN(const Tiling tiling, Tiling::Create(shape));
  const Layout& layout = shape.layout();
  Plan plan;
  plan.count = tiling.padded_element_count();
  plan.order.assign(layout.minor_to_major().rbegin(),
                    layout.minor_to_major().rend());
  for (int64_t d : plan.order) {
    plan.sizes.push_back(shape.dimensions(d));
    plan.padded.push_back(layout.padded_dimensions().empty()
                              ? shape.dimensions(d)
                              : layout.padded_dimensions()[d]);
  }
  Dims sizes = plan.padded;
  for (const Tile& tile : layout.tiles()) {
    plan.steps.push_back(StepOf(sizes, tile));
    sizes = plan.steps.back().after;
  }
  for (int64_t size : sizes) plan.elements *= size;
  return plan;
}

absl::StatusOr<Hlo> PaddingOf(HloBuilder& emit, const Shape& shape) {
  const PrimitiveType type = shape.element_type();
  switch (shape.layout().padding_value()) {
    case INVALID_PAD:
    case ZERO_PAD:
    case UNKNOWN_PAD:
      // F8E8M0FNU has no zero; its lowest value is the nearest.
      return type == F8E8M0FNU ? emit.Constant(LiteralUtil::MinValue(type))
                               : emit.Zero(type);
    case ONE_PAD:
      return emit.Constant(LiteralUtil::One(type));
    case LOWEST_PAD:
      return emit.Constant(LiteralUtil::MinValue(type));
    case HIGHEST_PAD:
      return emit.Constant(LiteralUtil::MaxValue(type));
    default:
      return absl::UnimplementedError(
          absl::StrCat("layout-normalization: ", shape.ToString(true),
                       " is padded with what no array shows"));
  }
}

// Appends the padding of the layout of `shape` to elements.
class Padder {
 public:
  Padder(HloBuilder& emit, const Shape& shape) : emit_(emit), shape_(shape) {}

  // Pads `x` in each dimension up to `sizes`.
  absl::StatusOr<Hlo> PadTo(Hlo x, const Dims& sizes) {
    for (size_t d = 0; d < sizes.size(); ++d) {
      const int64_t missing = sizes[d] - x->shape().dimensions(d);
      if (missing == 0) continue;
      if (padding_ == nullptr) {
        TF_ASSIGN_OR_RETURN(padding_, PaddingOf(emit_, shape_));
      }
      Dims more(x->shape().dimensions().begin(), x->shape().dimensions().end());
      more[d] = missing;
      x = emit_.Concatenate({x, emit_.Splat(padding_, more)}, d);
    }
    return x;
  }

 private:
  HloBuilder& emit_;
  const Shape& shape_;
  Hlo padding_ = nullptr;  // made when first needed
};

// Returns the first `sizes` elements of `x`.
Hlo CutTo(HloBuilder& emit, Hlo x, const Dims& sizes) {
  for (size_t d = 0; d < sizes.size(); ++d) {
    if (x->shape().dimensions(d) != sizes[d]) {
      x = emit.SliceDim(x, d, 0, sizes[d]);
    }
  }
  return x;
}

}  // namespace

absl::StatusOr<Hlo> ToTiledMemory(HloBuilder& emit, Hlo array,
                                  const Shape& shape) {
  TF_ASSIGN_OR_RETURN(const Plan plan, PlanOf(shape));
  Padder padder(emit, shape);
  TF_ASSIGN_OR_RETURN(
      Hlo x, padder.PadTo(emit.Transpose(array, plan.order), plan.padded));
  for (const Step& step : plan.steps) {
    TF_ASSIGN_OR_RETURN(
        x, padder.PadTo(emit.Reshape(x, step.combined), step.padded));
    x = emit.Transpose(emit.Reshape(x, step.split), step.order);
  }
  return padder.PadTo(emit.Reshape(x, {plan.elements}), {plan.count});
}

absl::StatusOr<Hlo> FromTiledMemory(HloBuilder& emit, Hlo memory,
                                    const Shape& shape) {
  TF_ASSIGN_OR_RETURN(const Plan plan, PlanOf(shape));
  Hlo x = CutTo(emit, memory, {plan.elements});
  for (size_t i = plan.steps.size(); i-- > 0;) {
    const Step& step = plan.steps[i];
    x = emit.Transpose(emit.Reshape(x, step.after), InverseOf(step.order));
    x = CutTo(emit, emit.Reshape(x, step.padded), step.combined);
    x = emit.Reshape(x, step.before);
  }
  x = CutTo(emit, emit.Reshape(x, plan.padded), plan.sizes);
  return emit.Transpose(x, InverseOf(plan.order));
}

}  // namespace xla
