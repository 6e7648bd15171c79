// Compares the row of an element with the rows of what the op's maps find.
#include "xla/hlo/analysis/indexing/row_indexing.h"

#include <optional>

#include "absl/container/inlined_vector.h"
#include "absl/types/span.h"
#include "xla/base/checked_math.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/indexing/indexing_map.h"
#include "xla/hlo/ir/infer_instruction.h"

namespace xla {
namespace {

// The array whose indices all results have; null if there is none.
const Shape* ResultArray(const HloInstruction& instruction) {
  const Shape* shape = &instruction.shape();
  while (shape->IsTuple() && !shape->tuple_shapes().empty()) {
    shape = &shape->tuple_shapes(0);
  }
  return shape->IsArray() ? shape : nullptr;
}

// The number of the row of the element at `index`, in an array of these sizes.
IndexExpr RowOf(const IndexSpace& space, absl::Span<const IndexExpr> index,
                absl::Span<const int64_t> sizes, int64_t rows) {
  IndexExpr linear;
  for (size_t d = 0; d < sizes.size(); ++d) {
    linear = space.Add(space.Multiply(linear, sizes[d]), index[d]);
  }
  return space.FloorDiv(linear, Product(sizes) / rows);
}

// The same for the element that `map` finds.
IndexExpr RowRead(const IndexingMap& map, absl::Span<const int64_t> sizes,
                  int64_t rows) {
  if (map.constraints().empty()) {
    return RowOf(map.space(), map.results(), sizes, rows);
  }
  // Composition simplifies by the constraints.
  IndexingMap row_of(sizes);
  const IndexingMap identity = IndexingMap::Identity(sizes);
  row_of.AddResult(RowOf(row_of.space(), identity.results(), sizes, rows));
  return map.Compose(row_of).results()[0];
}

bool ReadsSameIndex(const HloInstruction& user, int64_t operand,
                    const Shape& result) {
  return user.IsElementwiseOp() &&
         ShapeUtil::SameDimensions(user.operand(operand)->shape(), result);
}

}  // namespace

bool KeepsRows(const HloInstruction& user, int64_t operand, int64_t rows) {
  const Shape* result = ResultArray(user);
  const Shape& from = user.operand(operand)->shape();
  if (result == nullptr || !from.IsArray()) return false;
  const int64_t results = ShapeUtil::ElementsIn(*result);
  const int64_t elements = ShapeUtil::ElementsIn(from);
  if (results == 0 || results % rows != 0 || elements == 0 ||
      elements % rows != 0) {
    return false;
  }
  if (ReadsSameIndex(user, operand, *result)) return true;
  if (!result->is_static() || !from.is_static()) return false;
  const std::optional<OpIndexing> indexing = IndexingOf(user);
  if (!indexing.has_value()) return false;
  bool is_read = false;
  for (const auto& [i, map] : indexing->reads) {
    if (i != operand || map.empty()) continue;
    absl::InlinedVector<IndexExpr, 4> index;
    for (int64_t d = 0; d < map.dimension_count(); ++d) {
      index.push_back(map.dimension(d));
    }
    const IndexExpr row = RowOf(map.space(), index, result->dimensions(), rows);
    if (!row.known() || !(RowRead(map, from.dimensions(), rows) == row)) {
      return false;
    }
    is_read = true;
  }
  // An operand that is not read says where others are.
  return is_read;
}

bool KeepsLinearIndex(const HloInstruction& user, int64_t operand) {
  const Shape* result = ResultArray(user);
  const Shape& from = user.operand(operand)->shape();
  if (result == nullptr || !from.IsArray()) return false;
  const int64_t elements = ShapeUtil::ElementsIn(from);
  if (ShapeUtil::ElementsIn(*result) != elements) return false;
  // Rows of one element.
  return ReadsSameIndex(user, operand, *result) ||
         (elements > 0 && KeepsRows(user, operand, elements));
}

}  // namespace xla
