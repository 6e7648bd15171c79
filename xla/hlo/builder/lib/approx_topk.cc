// The result sizes are those that XLA has for a TPU. Sorting finds the
// elements, or a single reduction if only the first is wanted.
#include "xla/hlo/builder/lib/approx_topk.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "xla/base/checked_math.h"
#include "xla/base/status_macros.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/builder/lib/approx_topk_shape.h"
#include "xla/hlo/ops/op_def.h"

namespace xla {
namespace {

// Elements in a TPU's tile: of arrays of rank 1, and along the last dimension
// of others. A dimension that fits in one tile is not reduced.
constexpr int64_t kVectorTile = 1024;
constexpr int64_t kLaneTile = 128;

int64_t Log2Floor(int64_t x) {
  return std::bit_width(static_cast<uint64_t>(x)) - 1;
}

int64_t Log2Ceil(int64_t x) { return x <= 1 ? 0 : Log2Floor(x - 1) + 1; }

}  // namespace

absl::StatusOr<std::pair<int64_t, int64_t>> ApproxTopKReductionOutputSize(
    int64_t input_size, int64_t rank, int64_t top_k, float recall_target,
    bool aggregate_to_topk, int64_t input_size_override) {
  using Sizes = std::pair<int64_t, int64_t>;
  if (aggregate_to_topk) return Sizes{top_k, -1};
  const int64_t tile = rank == 1 ? kVectorTile : kLaneTile;
  if (input_size <= tile) return Sizes{input_size, 0};
  // approx_top_k_c2: an override is not below the size.
  if (input_size_override >= 0 && input_size_override < input_size) {
    return RuleError(
        "approx_top_k_c2",
        absl::StrCat("reduction_input_size_override ", input_size_override,
                     " is less than the dimension's size ", input_size));
  }
  const int64_t whole =
      input_size_override >= 0 ? input_size_override : input_size;
  if (top_k == 1) return Sizes{tile, Log2Ceil(CeilOfRatio(whole, tile))};
  if (recall_target == 1.0f) return Sizes{input_size, 0};
  // approx_top_k_c1: the recall is in (0, 1].
  if (!(recall_target > 0 && recall_target < 1)) {
    return RuleError(
        "approx_top_k_c1",
        absl::StrCat("recall_target ", recall_target, " is not within (0, 1]"));
  }
  // With M windows, each of the first k elements is alone in its window with a
  // probability of (1 - 1/M)^(k - 1), about exp((1 - k) / M).
  const double wanted = (1.0 - static_cast<double>(top_k)) /
                        std::log(static_cast<double>(recall_target));
  const int64_t windows = std::clamp<int64_t>(
      static_cast<int64_t>(std::min(wanted, 0x1p62)), tile, input_size);
  int64_t log2_window = Log2Floor(whole / windows);
  if (log2_window == 0) return Sizes{input_size, 0};
  // An override that is much larger must not reduce to less than a tile.
  log2_window = std::min(log2_window, Log2Ceil(input_size / tile));
  const int64_t tiles =
      CeilOfRatio(CeilOfRatio(input_size, tile), int64_t{1} << log2_window);
  return Sizes{tiles * tile, log2_window};
}

namespace {

// approx_top_k_c3: operands have the same dimensions, of which reduction_dim is
// one, and init values are scalars of their types.
absl::StatusOr<std::vector<Shape>> CheckOperands(
    XlaBuilder* builder, absl::Span<const XlaOp> operands,
    absl::Span<const XlaOp> init_values, int64_t reduction_dim) {
  TF_ASSIGN_OR_RETURN(std::vector<Shape> shapes,
                      builder->GetOperandShapes(operands));
  TF_ASSIGN_OR_RETURN(const std::vector<Shape> inits,
                      builder->GetOperandShapes(init_values));
  bool fits = !shapes.empty() && shapes.size() == inits.size() &&
              shapes[0].IsArray() && reduction_dim >= 0 &&
              reduction_dim < shapes[0].rank();
  for (size_t i = 0; fits && i < shapes.size(); ++i) {
    fits =
        shapes[i].IsArray() &&
        ShapeUtil::SameDimensions(shapes[0], shapes[i]) &&
        ShapeUtil::IsScalarWithElementType(inits[i], shapes[i].element_type());
  }
  if (fits) return shapes;
  std::string text;
  for (const Shape& shape : shapes) {
    absl::StrAppend(&text, " ", ShapeUtil::HumanString(shape));
  }
  absl::StrAppend(&text, " with init values");
  for (const Shape& shape : inits) {
    absl::StrAppend(&text, " ", ShapeUtil::HumanString(shape));
  }
  return RuleError("approx_top_k_c3", absl::StrCat("no top k of dimension ",
                                                   reduction_dim, " of", text));
}

// Returns (lhs..., rhs...) -> the operands that `comparator` puts first.
XlaComputation MakeSelection(XlaBuilder* builder,
                             absl::Span<const Shape> shapes,
                             const CalledComputation& comparator) {
  std::unique_ptr<XlaBuilder> inner = builder->CreateSubBuilder("first_of_two");
  const int64_t n = shapes.size();
  std::vector<XlaOp> parameters;
  for (int64_t i = 0; i < 2 * n; ++i) {
    parameters.push_back(
        Parameter(inner.get(), i,
                  ShapeUtil::MakeScalarShape(shapes[i % n].element_type()),
                  absl::StrCat("p", i)));
  }
  std::vector<XlaOp> pairs;
  for (int64_t i = 0; i < n; ++i) {
    pairs.push_back(parameters[i]);
    pairs.push_back(parameters[n + i]);
  }
  XlaOp first = Call(inner.get(), comparator, pairs);
  std::vector<XlaOp> selected;
  for (int64_t i = 0; i < n; ++i) {
    selected.push_back(Select(first, parameters[i], parameters[n + i]));
  }
  Tuple(inner.get(), selected);
  return inner->BuildAndNoteError();
}

XlaOp FirstOnly(XlaBuilder* builder, absl::Span<const XlaOp> operands,
                absl::Span<const XlaOp> init_values,
                absl::Span<const Shape> shapes, int64_t reduction_dim,
                const CalledComputation& comparator) {
  const XlaComputation selection = MakeSelection(builder, shapes, comparator);
  XlaOp reduced =
      Reduce(builder, operands, init_values, selection, {reduction_dim});
  std::vector<int64_t> sizes(shapes[0].dimensions().begin(),
                             shapes[0].dimensions().end());
  sizes[reduction_dim] = 1;
  std::vector<XlaOp> firsts;
  for (size_t i = 0; i < operands.size(); ++i) {
    firsts.push_back(Reshape(GetTupleElement(reduced, i), sizes));
  }
  return Tuple(builder, firsts);
}

XlaOp TopKOf(XlaBuilder* builder, absl::Span<const XlaOp> operands,
             absl::Span<const XlaOp> init_values, int64_t top_k,
             int64_t reduction_dim, const CalledComputation& comparator,
             float recall_target, bool aggregate_to_topk,
             int64_t reduction_input_size_override) {
  return builder->ReportErrorOrReturn([&]() -> absl::StatusOr<XlaOp> {
    TF_ASSIGN_OR_RETURN(
        const std::vector<Shape> shapes,
        CheckOperands(builder, operands, init_values, reduction_dim));
    const int64_t n = shapes[0].dimensions(reduction_dim);
    // approx_top_k_c4: there are k elements.
    if (top_k < 1 || top_k > n) {
      return RuleError("approx_top_k_c4", absl::StrCat("no first ", top_k,
                                                       " of ", n, " elements"));
    }
    TF_ASSIGN_OR_RETURN(const auto sizes,
                        ApproxTopKReductionOutputSize(
                            n, shapes[0].rank(), top_k, recall_target,
                            aggregate_to_topk, reduction_input_size_override));
    const int64_t size = std::min(sizes.first, n);
    // The result of a reduction of several operands is a tuple.
    if (size == 1 && operands.size() > 1) {
      return FirstOnly(builder, operands, init_values, shapes, reduction_dim,
                       comparator);
    }
    XlaOp sorted = Sort(operands, comparator, reduction_dim);
    std::vector<XlaOp> results;
    for (size_t i = 0; i < operands.size(); ++i) {
      XlaOp all = operands.size() == 1 ? sorted : GetTupleElement(sorted, i);
      results.push_back(SliceInDim(all, 0, size, 1, reduction_dim));
    }
    return Tuple(builder, results);
  });
}

}  // namespace

XlaOp ApproxTopKFallback(XlaBuilder* builder, absl::Span<const XlaOp> operands,
                         absl::Span<const XlaOp> init_values, int64_t top_k,
                         int64_t reduction_dim,
                         const XlaComputation& comparator, float recall_target,
                         bool aggregate_to_topk,
                         int64_t reduction_input_size_override) {
  return TopKOf(builder, operands, init_values, top_k, reduction_dim,
                comparator, recall_target, aggregate_to_topk,
                reduction_input_size_override);
}

XlaOp ApproxTopKFallback(XlaBuilder* builder, absl::Span<const XlaOp> operands,
                         absl::Span<const XlaOp> init_values, int64_t top_k,
                         int64_t reduction_dim, XlaComputationId comparator,
                         float recall_target, bool aggregate_to_topk,
                         int64_t reduction_input_size_override) {
  return TopKOf(builder, operands, init_values, top_k, reduction_dim,
                comparator, recall_target, aggregate_to_topk,
                reduction_input_size_override);
}

XlaOp ApproxTopK(XlaBuilder* builder, absl::Span<const XlaOp> operands,
                 absl::Span<const XlaOp> init_values, int64_t top_k,
                 int64_t reduction_dim, const XlaComputation& comparator,
                 float recall_target, bool aggregate_to_topk,
                 int64_t reduction_input_size_override) {
  return TopKOf(builder, operands, init_values, top_k, reduction_dim,
                comparator, recall_target, aggregate_to_topk,
                reduction_input_size_override);
}

XlaOp ApproxTopK(XlaBuilder* builder, absl::Span<const XlaOp> operands,
                 absl::Span<const XlaOp> init_values, int64_t top_k,
                 int64_t reduction_dim, XlaComputationId comparator,
                 float recall_target, bool aggregate_to_topk,
                 int64_t reduction_input_size_override) {
  return TopKOf(builder, operands, init_values, top_k, reduction_dim,
                comparator, recall_target, aggregate_to_topk,
                reduction_input_size_override);
}

}  // namespace xla
