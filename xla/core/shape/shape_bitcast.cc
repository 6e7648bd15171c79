// ShapeBitcast: reshapes and transposes that move no data.
#include "xla/core/shape/shape_bitcast.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "xla/base/errors.h"
#include "xla/base/logging.h"
#include "xla/base/status_macros.h"
#include "xla/core/index_util.h"
#include "xla/core/layout/tiling.h"
#include "xla/core/layout_util.h"
#include "xla/core/permutation_util.h"
#include "xla/core/shape_util.h"

namespace xla {

std::optional<ShapeBitcast::ShapeEqualityDescriptor>
ShapeBitcast::InsertedOrDeleted1SizedDimensions(const Shape& before,
                                                const Shape& after) {
  CHECK(before.IsArray() && after.IsArray());
  ShapeEqualityDescriptor result;
  int64_t i = 0, j = 0;
  while (i < before.rank() || j < after.rank()) {
    if (i < before.rank() && j < after.rank() &&
        before.dimensions(i) == after.dimensions(j)) {
      ++i;
      ++j;
    } else if (i < before.rank() && before.dimensions(i) == 1) {
      result.deleted_dimensions.push_back(i++);
    } else if (j < after.rank() && after.dimensions(j) == 1) {
      result.inserted_dimensions.push_back(j++);
    } else {
      return std::nullopt;
    }
  }
  return result;
}

std::vector<std::pair<int64_t, int64_t>>
ShapeBitcast::DimensionsUnmodifiedByReshape(const Shape& input,
                                            const Shape& output) {
  std::vector<std::pair<int64_t, int64_t>> unmodified;
  const auto cuts = CommonFactors(input.dimensions(), output.dimensions());
  for (size_t k = 0; k + 1 < cuts.size(); ++k) {
    // A piece with one dimension on each side is the same dimension twice,
    // unless the sizes differ, which happens only in arrays without elements.
    if (cuts[k + 1].first - cuts[k].first == 1 &&
        cuts[k + 1].second - cuts[k].second == 1 &&
        input.dimensions(cuts[k].first) == output.dimensions(cuts[k].second)) {
      unmodified.push_back(cuts[k]);
    }
  }
  return unmodified;
}

std::optional<std::vector<int64_t>>
ShapeBitcast::ReshapeLeavesDimensionsUnmodified(
    const Shape& from, const Shape& to,
    absl::Span<const int64_t> input_dim_indices) {
  if (!std::is_sorted(input_dim_indices.begin(), input_dim_indices.end())) {
    return std::nullopt;
  }
  const auto unmodified = DimensionsUnmodifiedByReshape(from, to);
  std::vector<int64_t> output_dims;
  for (int64_t dim : input_dim_indices) {
    auto it = std::find_if(unmodified.begin(), unmodified.end(),
                           [dim](const auto& p) { return p.first == dim; });
    if (it == unmodified.end()) return std::nullopt;
    output_dims.push_back(it->second);
  }
  return output_dims;
}

bool ShapeBitcast::TransposeIsBitcast(
    const Shape& input, const Shape& output,
    absl::Span<const int64_t> dimension_mapping, bool ignore_element_type) {
  CHECK(input.IsArray() && input.has_layout()) << input.ToString();
  CHECK(output.IsArray() && output.has_layout()) << output.ToString();
  if (!ignore_element_type && !ShapeUtil::SameElementType(input, output))
    return false;
  // The mapping makes sizes agree, so equal orders place elements equally.
  return ComposePermutations(dimension_mapping,
                             output.layout().minor_to_major()) ==
         std::vector<int64_t>(input.layout().minor_to_major().begin(),
                              input.layout().minor_to_major().end());
}

namespace {

// Returns true when a step along each dimension of `from` covers the same
// distance in the memory of `from` and of `to`, into which it is reshaped.
bool UnitStepsAgree(const Shape& from, const Shape& to) {
  Shape row_major = from;
  row_major.clear_layout();
  Shape to_row_major = to;
  to_row_major.clear_layout();
  DimensionVector index(from.rank(), 0);
  for (int64_t dim = 0; dim < from.rank(); ++dim) {
    if (from.dimensions(dim) <= 1) continue;
    index[dim] = 1;
    const int64_t number =
        IndexUtil::MultidimensionalIndexToLinearIndex(row_major, index);
    const int64_t here =
        IndexUtil::MultidimensionalIndexToLinearIndex(from, index);
    const int64_t there = IndexUtil::MultidimensionalIndexToLinearIndex(
        to,
        IndexUtil::LinearIndexToMultidimensionalIndex(to_row_major, number));
    if (here != there) return false;
    index[dim] = 0;
  }
  return true;
}

}  // namespace

bool ShapeBitcast::ReshapeIsBitcast(const Shape& input, const Shape& output,
                                    bool ignore_element_type) {
  CHECK(input.IsArray() && input.has_layout()) << input.ToString();
  CHECK(output.IsArray() && output.has_layout()) << output.ToString();
  if (!ignore_element_type && !ShapeUtil::SameElementType(input, output))
    return false;
  if (ShapeUtil::ElementsIn(input) != ShapeUtil::ElementsIn(output)) {
    return false;
  }
  if (ShapeUtil::ElementsIn(input) == 0) return true;
  return UnitStepsAgree(input, output) && UnitStepsAgree(output, input);
}

std::optional<std::vector<int64_t>>
ShapeBitcast::DeduceTransposeDimensionsForBitcast(const Shape& input,
                                                  const Shape& output) {
  if (input.rank() != output.rank() || !input.has_layout() ||
      !output.has_layout()) {
    return std::nullopt;
  }
  // Map each dimension of the output to the input dimension at the same
  // position in the memory order.
  std::vector<int64_t> mapping(output.rank());
  for (int64_t i = 0; i < output.rank(); ++i) {
    const int64_t to = output.layout().minor_to_major(i);
    const int64_t from = input.layout().minor_to_major(i);
    if (input.dimensions(from) != output.dimensions(to)) return std::nullopt;
    mapping[to] = from;
  }
  return mapping;
}

bool ShapeBitcast::IsReshapeOrTransposeBitcast(const Shape& a, const Shape& b,
                                               bool ignore_element_type) {
  if (!ignore_element_type && !ShapeUtil::SameElementType(a, b)) return false;
  return ReshapeIsBitcast(a, b, ignore_element_type) ||
         DeduceTransposeDimensionsForBitcast(a, b).has_value();
}

bool ShapeBitcast::BitcastDecompositionTrt::IsTranspose1Identity() const {
  return IsIdentityPermutation(transpose1_dims);
}
bool ShapeBitcast::BitcastDecompositionTrt::IsTranspose2Identity() const {
  return IsIdentityPermutation(transpose2_dims);
}

namespace {

bool HasUntiledLayout(const Shape& shape) {
  return shape.IsArray() && shape.has_layout() && !HasTilesOrPadding(shape);
}

std::vector<int64_t> MajorToMinor(const Shape& shape) {
  const auto order = shape.layout().minor_to_major();
  return std::vector<int64_t>(order.rbegin(), order.rend());
}

}  // namespace

bool ShapeBitcast::IsDecomposableBitcast(const Shape& input,
                                         const Shape& output) {
  return HasUntiledLayout(input) && HasUntiledLayout(output) &&
         ShapeUtil::ElementSizeInBits(input) ==
             ShapeUtil::ElementSizeInBits(output) &&
         ShapeUtil::ElementsIn(input) == ShapeUtil::ElementsIn(output);
}

std::optional<ShapeBitcast::BitcastDecompositionTrt>
ShapeBitcast::DecomposeBitcastToTrt(const Shape& input, const Shape& output) {
  if (!IsDecomposableBitcast(input, output)) return std::nullopt;
  BitcastDecompositionTrt result;
  result.transpose1_dims = MajorToMinor(input);
  result.transpose1_shape =
      ShapeUtil::MakeShapeWithDescendingLayoutAndSamePhysicalLayout(input);
  result.reshape_shape =
      ShapeUtil::MakeShapeWithDescendingLayoutAndSamePhysicalLayout(output);
  result.transpose2_dims = InversePermutation(MajorToMinor(output));
  return result;
}

ShapeBitcast::BitcastDecomposition ShapeBitcast::DecomposeBitcast(
    const Shape& input, const Shape& output) {
  if (!IsDecomposableBitcast(input, output)) return std::nullopt;
  if (ReshapeIsBitcast(input, output, /*ignore_element_type=*/true)) {
    return BitcastDecompositionReshape{};
  }
  if (auto dims = DeduceTransposeDimensionsForBitcast(input, output)) {
    return BitcastDecompositionTranspose{*std::move(dims)};
  }
  return *DecomposeBitcastToTrt(input, output);
}

namespace {

// Returns the order in memory, minor to major, of the dimensions of `output`
// that are not of size 1, for which a reshape from `input` moves no data. A
// group of input dimensions that the reshape turns into a group of output
// dimensions must lie together in `input`, in row-major order.
std::optional<std::vector<int64_t>> AlignedOrder(const Shape& input,
                                                 const Shape& output) {
  std::vector<int64_t> from, to, from_sizes, to_sizes;
  for (int64_t i = 0; i < input.rank(); ++i) {
    if (input.dimensions(i) == 1) continue;
    from.push_back(i);
    from_sizes.push_back(input.dimensions(i));
  }
  for (int64_t i = 0; i < output.rank(); ++i) {
    if (output.dimensions(i) == 1) continue;
    to.push_back(i);
    to_sizes.push_back(output.dimensions(i));
  }
  const auto cuts = CommonFactors(from_sizes, to_sizes);
  std::vector<int64_t> memory;  // positions in `from`, minor to major
  for (int64_t dim : input.layout().minor_to_major()) {
    const auto it = std::find(from.begin(), from.end(), dim);
    if (it != from.end()) memory.push_back(it - from.begin());
  }
  std::vector<int64_t> order;
  for (size_t i = 0; i < memory.size();) {
    size_t group = 0;
    while (cuts[group + 1].first <= memory[i]) ++group;
    for (int64_t want = cuts[group + 1].first - 1; want >= cuts[group].first;
         --want, ++i) {
      if (i == memory.size() || memory[i] != want) return std::nullopt;
    }
    for (int64_t j = cuts[group + 1].second - 1; j >= cuts[group].second; --j) {
      order.push_back(to[j]);
    }
  }
  return order;
}

}  // namespace

std::optional<Shape> ShapeBitcast::AlignLayouts(const Shape& input,
                                                const Shape& output) {
  if (!HasUntiledLayout(input) || !output.IsArray() ||
      ShapeUtil::ElementsIn(input) != ShapeUtil::ElementsIn(output)) {
    return std::nullopt;
  }
  Shape result = output;
  Layout& layout = *result.mutable_layout();
  if (ShapeUtil::IsZeroElementArray(input)) {
    layout = LayoutUtil::MakeDescendingLayout(output.rank());
    return result;
  }
  std::optional<std::vector<int64_t>> order = AlignedOrder(input, output);
  if (!order.has_value()) return std::nullopt;
  // Dimensions of size 1 lie next to the one behind them, so that a descending
  // order stays one.
  for (int64_t dim = output.rank() - 1; dim >= 0; --dim) {
    if (output.dimensions(dim) != 1) continue;
    const auto next = std::find(order->begin(), order->end(), dim + 1);
    order->insert(next == order->end() ? order->begin() : next + 1, dim);
  }
  layout = Layout(*order);
  layout.set_element_size_in_bits(input.layout().element_size_in_bits());
  layout.set_memory_space(input.layout().memory_space());
  return result;
}

absl::StatusOr<absl::InlinedVector<int64_t, 3>>
ShapeBitcast::GetNormalizedLogicalTransposeShape(
    const Shape& input, const Shape& output,
    absl::Span<const int64_t> dimensions,
    absl::InlinedVector<int64_t, 3>& permutation) {
  permutation.clear();
  for (const Shape* shape : {&input, &output}) {
    if (!HasUntiledLayout(*shape) ||
        !LayoutUtil::IsMonotonicWithDim0Major(shape->layout())) {
      return InvalidArgument("%s has no layout from major to minor",
                             ShapeUtil::HumanStringWithLayout(*shape));
    }
  }
  const int64_t rank = output.rank();
  bool fits = input.rank() == rank && IsPermutation(dimensions) &&
              static_cast<int64_t>(dimensions.size()) == rank;
  for (int64_t i = 0; fits && i < rank; ++i) {
    fits = output.dimensions(i) == input.dimensions(dimensions[i]);
  }
  if (!fits) {
    return InvalidArgument("no transpose makes %s of %s",
                           ShapeUtil::HumanString(output),
                           ShapeUtil::HumanString(input));
  }
  // The numbers of the input's dimensions without those of size 1.
  std::vector<int64_t> number(rank, 0);
  int64_t count = 0;
  for (int64_t i = 0; i < rank; ++i) {
    number[i] = count;
    if (input.dimensions(i) != 1) ++count;
  }
  // The groups of the output, by the first input dimension of each.
  absl::InlinedVector<int64_t, 3> sizes, firsts;
  int64_t last = -2;
  for (int64_t i = 0; i < rank; ++i) {
    if (output.dimensions(i) == 1) continue;
    const int64_t from = number[dimensions[i]];
    if (from == last + 1 && !sizes.empty()) {
      sizes.back() *= output.dimensions(i);
    } else {
      sizes.push_back(output.dimensions(i));
      firsts.push_back(from);
    }
    last = from;
  }
  // One group is not transposed.
  if (firsts.size() < 2) return sizes;
  for (int64_t first : firsts) {
    permutation.push_back(
        std::count_if(firsts.begin(), firsts.end(),
                      [first](int64_t f) { return f < first; }));
  }
  return sizes;
}

}  // namespace xla
