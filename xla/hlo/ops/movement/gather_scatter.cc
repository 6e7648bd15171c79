// Shape rules of gather and scatter.
#include "xla/hlo/ops/movement/gather_scatter.h"

#include <algorithm>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "xla/base/status_macros.h"
#include "xla/core/layout_util.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/ops/reduction/reduction.h"
#include "xla/hlo/ops/rule_text.h"

namespace xla {
namespace {

using Dims = google::protobuf::RepeatedField<int64_t>;

// Checks that all of `dims` are in [0, bound) and differ; in order, too, if
// `ascending`. `name` is the attribute.
absl::Status CheckDims(absl::string_view rule, absl::string_view name,
                       const Dims& dims, int64_t bound, bool ascending) {
  std::vector<int64_t> sorted(dims.begin(), dims.end());
  absl::c_sort(sorted);
  const bool in_range =
      sorted.empty() || (sorted.front() >= 0 && sorted.back() < bound);
  const bool differ = absl::c_adjacent_find(sorted) == sorted.end();
  if (in_range && differ && (!ascending || absl::c_is_sorted(dims))) {
    return absl::OkStatus();
  }
  return Broken(rule, name, " must be ", ascending ? "ascending" : "different",
                " dimensions in [0,", bound, "), got {",
                absl::StrJoin(dims, ","), "}");
}

// Dimensions and their dynamic flags.
struct Sizes {
  std::vector<int64_t> sizes;
  std::vector<bool> dynamic;

  void Add(int64_t size, bool is_dynamic) {
    sizes.push_back(size);
    dynamic.push_back(is_dynamic);
  }
};

// The attributes that gather and scatter share, under gather's names.
struct IndexMap {
  const Shape& operand;
  const Shape& indices;
  int64_t index_vector_dim;
  const Dims& start_index_map;
  const Dims& collapsed_dims;
  const Dims& operand_batching_dims;
  const Dims& indices_batching_dims;
};

// The dimensions of the indices, with a trailing 1 if index_vector_dim says
// so.
Sizes ExpandedIndices(const IndexMap& map) {
  Sizes result;
  for (int64_t i = 0; i < map.indices.rank(); ++i) {
    result.Add(map.indices.dimensions(i), map.indices.is_dynamic_dimension(i));
  }
  if (map.index_vector_dim == map.indices.rank()) result.Add(1, false);
  return result;
}

// Checks a pair of lists of batching dimensions: rules c9, c10 of gather and
// scatter. Indices into operand and indices are in range already.
absl::Status CheckBatching(const IndexMap& map, absl::string_view pair_rule,
                           absl::string_view disjoint_rule) {
  const Dims& operand_dims = map.operand_batching_dims;
  const Dims& indices_dims = map.indices_batching_dims;
  if (operand_dims.size() != indices_dims.size()) {
    return Broken(pair_rule,
                  "there must be as many batching dimensions of the "
                  "operand as of the indices, got {",
                  absl::StrJoin(operand_dims, ","), "} and {",
                  absl::StrJoin(indices_dims, ","), "}");
  }
  for (int i = 0; i < operand_dims.size(); ++i) {
    if (indices_dims[i] == map.index_vector_dim ||
        !SizesFit(map.operand.dimensions(operand_dims[i]),
                  map.indices.dimensions(indices_dims[i]))) {
      return Broken(pair_rule, "batching dimension ", operand_dims[i], " of ",
                    Text(map.operand), " does not fit dimension ",
                    indices_dims[i], " of indices ", Text(map.indices));
    }
    if (absl::c_linear_search(map.collapsed_dims, operand_dims[i]) ||
        absl::c_linear_search(map.start_index_map, operand_dims[i])) {
      return Broken(disjoint_rule, "batching dimension ", operand_dims[i],
                    " is also a dimension that is collapsed or indexed");
    }
  }
  return absl::OkStatus();
}

// Labels of the rules that gather and scatter share, and attribute names.
struct SharedRules {
  absl::string_view indices, vector_dim, map_size, map_dims, collapsed,
      operand_batching, indices_batching, batching_pair, batching_disjoint;
  absl::string_view map_name, collapsed_name, operand_batching_name,
      indices_batching_name;
};

absl::Status CheckIndexMap(const IndexMap& map, const SharedRules& rules) {
  if (!ShapeUtil::ElementIsIntegral(map.indices)) {
    return Broken(rules.indices, "indices must be integers, got ",
                  Text(map.indices));
  }
  if (map.index_vector_dim < 0 || map.index_vector_dim > map.indices.rank()) {
    return Broken(rules.vector_dim, "index_vector_dim ", map.index_vector_dim,
                  " must be in [0,", map.indices.rank(), "] for indices ",
                  Text(map.indices));
  }
  const int64_t vector_size = ExpandedIndices(map).sizes[map.index_vector_dim];
  if (!SizesFit(map.start_index_map.size(), vector_size)) {
    return Broken(rules.map_size, rules.map_name, " {",
                  absl::StrJoin(map.start_index_map, ","), "} must have ",
                  vector_size, " entries, the size of dimension ",
                  map.index_vector_dim, " of indices ", Text(map.indices));
  }
  const int64_t rank = map.operand.rank();
  TF_RETURN_IF_ERROR(CheckDims(rules.map_dims, rules.map_name,
                               map.start_index_map, rank, false));
  TF_RETURN_IF_ERROR(CheckDims(rules.collapsed, rules.collapsed_name,
                               map.collapsed_dims, rank, true));
  TF_RETURN_IF_ERROR(CheckDims(rules.operand_batching,
                               rules.operand_batching_name,
                               map.operand_batching_dims, rank, true));
  TF_RETURN_IF_ERROR(
      CheckDims(rules.indices_batching, rules.indices_batching_name,
                map.indices_batching_dims, map.indices.rank(), false));
  return CheckBatching(map, rules.batching_pair, rules.batching_disjoint);
}

bool IsWindowDim(const IndexMap& map, int64_t operand_dim) {
  return !absl::c_linear_search(map.collapsed_dims, operand_dim) &&
         !absl::c_linear_search(map.operand_batching_dims, operand_dim);
}

constexpr SharedRules kGatherRules = {
    // gather_c2: indices are integers.
    .indices = "gather_c2",
    // gather_c3: index_vector_dim is a dimension of the indices or their rank.
    .vector_dim = "gather_c3",
    // gather_c4: start_index_map has an entry for each component of an index.
    .map_size = "gather_c4",
    // gather_c5: start_index_map lists different operand dimensions.
    .map_dims = "gather_c5",
    // gather_c6: collapsed_slice_dims ascend in the operand's dimensions.
    .collapsed = "gather_c6",
    // gather_c7: operand_batching_dims ascend in the operand's dimensions.
    .operand_batching = "gather_c7",
    // gather_c8: start_indices_batching_dims are different dimensions of the
    // indices.
    .indices_batching = "gather_c8",
    // gather_c9: batching dimensions are pairs of equal sizes.
    .batching_pair = "gather_c9",
    // gather_c10: a batching dimension is not collapsed and not indexed.
    .batching_disjoint = "gather_c10",
    .map_name = "start_index_map",
    .collapsed_name = "collapsed_slice_dims",
    .operand_batching_name = "operand_batching_dims",
    .indices_batching_name = "start_indices_batching_dims",
};

constexpr SharedRules kScatterRules = {
    // scatter_c3: indices are integers.
    .indices = "scatter_c3",
    // scatter_c4: index_vector_dim is a dimension of the indices or their rank.
    .vector_dim = "scatter_c4",
    // scatter_c5: scatter_dims_to_operand_dims has an entry for each component
    // of an index.
    .map_size = "scatter_c5",
    // scatter_c6: scatter_dims_to_operand_dims lists different operand
    // dimensions.
    .map_dims = "scatter_c6",
    // scatter_c7: inserted_window_dims ascend in the operand's dimensions.
    .collapsed = "scatter_c7",
    // scatter_c8: input_batching_dims ascend in the operand's dimensions.
    .operand_batching = "scatter_c8",
    // scatter_c9: scatter_indices_batching_dims are different dimensions of
    // the indices.
    .indices_batching = "scatter_c9",
    // scatter_c10: batching dimensions are pairs of equal sizes.
    .batching_pair = "scatter_c10",
    // scatter_c11: a batching dimension is not inserted and not indexed.
    .batching_disjoint = "scatter_c11",
    .map_name = "scatter_dims_to_operand_dims",
    .collapsed_name = "inserted_window_dims",
    .operand_batching_name = "input_batching_dims",
    .indices_batching_name = "scatter_indices_batching_dims",
};

absl::Status CheckSliceSizes(const IndexMap& map, const GatherAttrs& attrs) {
  const Shape& operand = map.operand;
  const auto& sizes = attrs.slice_sizes;
  // gather_c11: there is a slice size for each dimension, within its size.
  if (static_cast<int64_t>(sizes.size()) != operand.rank()) {
    return Broken("gather_c11", "expected ", operand.rank(),
                  " slice sizes for ", Text(operand), ", got {",
                  absl::StrJoin(sizes, ","), "}");
  }
  for (int64_t i = 0; i < operand.rank(); ++i) {
    if (sizes[i] < 0 || (sizes[i] > operand.dimensions(i) &&
                         !operand.is_unbounded_dynamic_dimension(i))) {
      return Broken("gather_c11", "slice size ", sizes[i],
                    " is not within dimension ", i, " of ", Text(operand));
    }
    // gather_c12: slices are at most 1 in collapsed and batching dimensions.
    if (!IsWindowDim(map, i) && sizes[i] > 1) {
      return Broken("gather_c12", "slice size ", sizes[i], " in dimension ", i,
                    ", which is collapsed or a batching dimension, must be at "
                    "most 1");
    }
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<Shape> InferGather(const InferArgs& args,
                                  const GatherAttrs& attrs) {
  // gather_c1: operand and indices are arrays.
  TF_RETURN_IF_ERROR(CheckArray("gather_c1", args.operand(0), "the operand"));
  TF_RETURN_IF_ERROR(CheckArray("gather_c1", args.operand(1), "the indices"));
  const GatherDimensionNumbers& numbers = attrs.dimension_numbers;
  const IndexMap map = {args.operand(0),
                        args.operand(1),
                        numbers.index_vector_dim(),
                        numbers.start_index_map(),
                        numbers.collapsed_slice_dims(),
                        numbers.operand_batching_dims(),
                        numbers.start_indices_batching_dims()};
  TF_RETURN_IF_ERROR(CheckIndexMap(map, kGatherRules));
  TF_RETURN_IF_ERROR(CheckSliceSizes(map, attrs));
  const Shape& operand = map.operand;
  // gather_c13: the other dimensions are as many as offset_dims.
  const int64_t window_rank = operand.rank() - map.collapsed_dims.size() -
                              map.operand_batching_dims.size();
  if (numbers.offset_dims_size() != window_rank) {
    return Broken("gather_c13", "expected ", window_rank,
                  " offset_dims for the dimensions of ", Text(operand),
                  " that are not collapsed or batching dimensions, got {",
                  absl::StrJoin(numbers.offset_dims(), ","), "}");
  }
  Sizes indices = ExpandedIndices(map);
  const int64_t rank = window_rank + indices.sizes.size() - 1;
  // gather_c14: offset_dims ascend in the result's dimensions.
  TF_RETURN_IF_ERROR(CheckDims("gather_c14", "offset_dims",
                               numbers.offset_dims(), rank, true));
  Sizes result;
  int64_t operand_dim = 0;
  int64_t indices_dim = 0;
  for (int64_t i = 0; i < rank; ++i) {
    if (absl::c_linear_search(numbers.offset_dims(), i)) {
      while (!IsWindowDim(map, operand_dim)) ++operand_dim;
      const int64_t size = attrs.slice_sizes[operand_dim];
      result.Add(size, operand.is_dynamic_dimension(operand_dim) &&
                           size == operand.dimensions(operand_dim));
      ++operand_dim;
    } else {
      if (indices_dim == map.index_vector_dim) ++indices_dim;
      result.Add(indices.sizes[indices_dim], indices.dynamic[indices_dim]);
      ++indices_dim;
    }
  }
  return ShapeUtil::MakeValidatedShape(operand.element_type(), result.sizes,
                                       result.dynamic);
}

namespace {

absl::Status CheckUpdate(const IndexMap& map, const Shape& update,
                         const ScatterDimensionNumbers& numbers) {
  const Sizes indices = ExpandedIndices(map);
  // scatter_c12: window dimensions of operand and updates are as many.
  const int64_t window_rank = map.operand.rank() - map.collapsed_dims.size() -
                              map.operand_batching_dims.size();
  if (numbers.update_window_dims_size() != window_rank) {
    return Broken("scatter_c12", "expected ", window_rank,
                  " update_window_dims for the dimensions of ",
                  Text(map.operand),
                  " that are not inserted or batching "
                  "dimensions, got {",
                  absl::StrJoin(numbers.update_window_dims(), ","), "}");
  }
  // scatter_c13: updates have the rank of windows and indices together.
  const int64_t rank = window_rank + indices.sizes.size() - 1;
  if (update.rank() != rank) {
    return Broken("scatter_c13", "updates must have rank ", rank, ", got ",
                  Text(update));
  }
  // scatter_c14: update_window_dims ascend in the updates' dimensions.
  TF_RETURN_IF_ERROR(CheckDims("scatter_c14", "update_window_dims",
                               numbers.update_window_dims(), rank, true));
  int64_t operand_dim = 0;
  int64_t indices_dim = 0;
  for (int64_t i = 0; i < rank; ++i) {
    if (absl::c_linear_search(numbers.update_window_dims(), i)) {
      while (!IsWindowDim(map, operand_dim)) ++operand_dim;
      // scatter_c15: windows are within the operand.
      if (update.dimensions(i) > map.operand.dimensions(operand_dim) &&
          !map.operand.is_unbounded_dynamic_dimension(operand_dim)) {
        return Broken("scatter_c15", "dimension ", i, " of updates ",
                      Text(update), " exceeds dimension ", operand_dim, " of ",
                      Text(map.operand));
      }
      ++operand_dim;
    } else {
      if (indices_dim == map.index_vector_dim) ++indices_dim;
      // scatter_c16: the other dimensions are those of the indices.
      if (!SizesFit(update.dimensions(i), indices.sizes[indices_dim])) {
        return Broken("scatter_c16", "dimension ", i, " of updates ",
                      Text(update), " must have size ",
                      indices.sizes[indices_dim], " as indices ",
                      Text(map.indices), " have");
      }
      ++indices_dim;
    }
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<Shape> InferScatter(const InferArgs& args,
                                   const ScatterAttrs& attrs) {
  const size_t n = args.operands.size() / 2;
  // scatter_c1: there are N >= 1 operands, indices and N updates.
  if (n < 1 || args.operands.size() != 2 * n + 1) {
    return Broken("scatter_c1",
                  "expected an odd number of operands, at least "
                  "3, got ",
                  args.operands.size());
  }
  // scatter_c2: all are arrays; operands have the same dimensions, and so have
  // updates.
  for (size_t i = 0; i < args.operands.size(); ++i) {
    TF_RETURN_IF_ERROR(CheckArray("scatter_c2", args.operand(i), "an operand"));
    const Shape& first = args.operand(i < n ? 0 : i > n ? n + 1 : n);
    if (!ShapeUtil::SameDimensions(first, args.operand(i))) {
      return Broken("scatter_c2",
                    "operands and updates must have the same "
                    "dimensions each, got ",
                    Text(first), " and ", Text(args.operand(i)));
    }
  }
  const ScatterDimensionNumbers& numbers = attrs.dimension_numbers;
  const IndexMap map = {args.operand(0),
                        args.operand(n),
                        numbers.index_vector_dim(),
                        numbers.scatter_dims_to_operand_dims(),
                        numbers.inserted_window_dims(),
                        numbers.input_batching_dims(),
                        numbers.scatter_indices_batching_dims()};
  TF_RETURN_IF_ERROR(CheckIndexMap(map, kScatterRules));
  TF_RETURN_IF_ERROR(CheckUpdate(map, args.operand(n + 1), numbers));

  std::vector<Shape> results;
  std::vector<Shape> scalars;
  std::vector<PrimitiveType> update_types;
  for (size_t i = 0; i < n; ++i) {
    LayoutUtil::SetToDefaultLayout(&results.emplace_back(args.operand(i)));
    scalars.push_back(
        ShapeUtil::MakeScalarShape(args.operand(i).element_type()));
    update_types.push_back(args.operand(n + 1 + i).element_type());
  }
  std::vector<const Shape*> inits;
  for (const Shape& scalar : scalars) inits.push_back(&scalar);
  TF_RETURN_IF_ERROR(
      CheckReducer(args.computation(0), inits, update_types, "scatter"));
  return ShapeUtil::MakeMaybeTupleShape(results);
}

}  // namespace xla
