// TopK by a stable sort of values with their indices.
#include "xla/hlo/builder/lib/sorting.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "xla/base/status_macros.h"
#include "xla/core/primitive_util.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/builder/lib/comparators.h"
#include "xla/hlo/builder/lib/constants.h"
#include "xla/hlo/ops/op_def.h"

namespace xla {
namespace {

struct Ranked {
  XlaOp values;
  XlaOp indices;
};

// Returns the first k of the last dimension, of size n, in descending order.
Ranked FirstOfSorted(Ranked input, int64_t n, int64_t k, int64_t dimension,
                     const XlaComputation& descending) {
  XlaOp sorted = Sort({input.values, input.indices}, descending, dimension,
                      /*is_stable=*/true);
  XlaOp values = GetTupleElement(sorted, 0);
  XlaOp indices = GetTupleElement(sorted, 1);
  if (k == n) return {values, indices};
  return {SliceInDim(values, 0, k, 1, dimension),
          SliceInDim(indices, 0, k, 1, dimension)};
}

}  // namespace

XlaOp TopK(XlaOp input, int64_t k, PrimitiveType index_type) {
  return TopKWithPartitions(input, k, 1, index_type);
}

XlaOp TopKWithPartitions(XlaOp input, int64_t k, int64_t num_partitions,
                         PrimitiveType index_type) {
  XlaBuilder* builder = input.builder();
  return builder->ReportErrorOrReturn([&]() -> absl::StatusOr<XlaOp> {
    TF_ASSIGN_OR_RETURN(const Shape shape, builder->GetShape(input));
    if (!shape.IsArray() || shape.rank() == 0 || k < 0 ||
        k > shape.dimensions().back() ||
        !primitive_util::IsIntegralType(index_type)) {
      // top_k_c1: 0 <= k <= n, and indices are integers.
      return RuleError(
          "top_k_c1",
          absl::StrCat("no ", k, " largest of ", ShapeUtil::HumanString(shape),
                       " with indices of type ",
                       PrimitiveType_Name(index_type)));
    }
    const int64_t last = shape.rank() - 1;
    const int64_t n = shape.dimensions(last);
    const XlaComputation descending =
        CreateScalarGtComputation({shape.element_type(), index_type}, builder);
    Ranked all = {input, constants_internal::IotaLike(input, index_type, last)};
    // Parts of fewer than k elements would not make the sorts shorter.
    const int64_t parts = std::clamp<int64_t>(
        num_partitions, 1, std::max<int64_t>(1, k == 0 ? 1 : n / k));
    const int64_t part = std::max<int64_t>(1, n / parts);
    Ranked best;
    int64_t best_size = 0;
    for (int64_t i = 0; i < parts; ++i) {
      const int64_t begin = i * part;
      const int64_t end = i + 1 == parts ? n : begin + part;
      Ranked piece = {SliceInDim(all.values, begin, end, 1, last),
                      SliceInDim(all.indices, begin, end, 1, last)};
      int64_t size = end - begin;
      if (best_size > 0) {
        // Earlier elements stand first, which keeps equal values in order.
        piece = {ConcatInDim(builder, {best.values, piece.values}, last),
                 ConcatInDim(builder, {best.indices, piece.indices}, last)};
        size += best_size;
      }
      best_size = std::min(k, size);
      best = FirstOfSorted(piece, size, best_size, last, descending);
    }
    return Tuple(builder, {best.values, best.indices});
  });
}

}  // namespace xla
