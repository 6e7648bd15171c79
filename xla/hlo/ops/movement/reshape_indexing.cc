// Indexing of broadcast, reshape, bitcast, transpose and reverse.
#include <algorithm>
#include <numeric>
#include <utility>

#include "xla/core/layout_util.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/ops/movement/reshape.h"
#include "xla/hlo/ops/op_indexing.h"

namespace xla {
namespace {

OpIndexing ReadsOne(IndexingMap map) {
  OpIndexing indexing;
  indexing.reads.push_back({0, std::move(map)});
  return indexing;
}

// The factors of a shape's dimensions, which are found from the major one on.
class FactorsOfShape {
 public:
  explicit FactorsOfShape(const Shape& shape)
      : sizes_(shape.dimensions()), factors_(sizes_.size()) {}

  // Goes on to the next dimension if nothing is left of the present one.
  // Returns false if there is none.
  bool NextDimension() {
    while (left_ == 1 && next_ < sizes_.size()) left_ = sizes_[next_++];
    return left_ != 1;
  }
  // What has no factors yet of the present dimension.
  int64_t left() const { return left_; }
  // Of all factors so far.
  int64_t product() const { return product_; }
  void Take(int64_t size, const DimensionFactors::Dimension& factor) {
    left_ /= size;
    product_ *= size;
    DimensionFactors::Dimension& dimension = factors_[next_ - 1];
    dimension.insert(dimension.end(), factor.begin(), factor.end());
  }
  const DimensionFactors::Array& factors() const { return factors_; }

 private:
  absl::Span<const int64_t> sizes_;
  DimensionFactors::Array factors_;
  size_t next_ = 0;
  int64_t left_ = 1;
  int64_t product_ = 1;
};

// Returns the row-major position in dimensions [begin, end) of the map.
IndexExpr Position(const IndexingMap& map, absl::Span<const int64_t> sizes,
                   size_t begin, size_t end) {
  const IndexSpace& space = map.space();
  IndexExpr position;
  for (size_t d = begin; d < end; ++d) {
    position = space.Add(space.Multiply(position, sizes[d]),
                         map.dimension(static_cast<int64_t>(d)));
  }
  return position;
}

}  // namespace

OpIndexing BroadcastIndexing(const IndexingArgs& args,
                             const BroadcastAttrs& attrs) {
  IndexingMap map(args.result.dimensions());
  for (int64_t d : attrs.dimensions) map.AddResult(map.dimension(d));
  return ReadsOne(std::move(map));
}

OpIndexing ReshapeIndexing(const IndexingArgs& args) {
  const absl::Span<const int64_t> from = args.operand(0).dimensions();
  const absl::Span<const int64_t> to = args.result.dimensions();
  IndexingMap map(to);
  if (map.empty()) {
    for (size_t d = 0; d < from.size(); ++d) map.AddResult(IndexExpr());
    return ReadsOne(std::move(map));
  }
  const IndexSpace& space = map.space();
  std::vector<IndexExpr> results(from.size());
  for (const ReshapeGroup& group : ReshapeGroups(from, to)) {
    IndexExpr position = Position(map, to, group.to, group.to_end);
    for (size_t d = group.from_end; d-- > group.from;) {
      results[d] = d == group.from ? position : space.Mod(position, from[d]);
      if (d > group.from) position = space.FloorDiv(position, from[d]);
    }
  }
  for (IndexExpr& result : results) map.AddResult(std::move(result));
  return ReadsOne(std::move(map));
}

std::optional<OpIndexing> BitcastIndexing(const IndexingArgs& args) {
  // Known only if the bytes in memory are the elements in row-major order.
  for (const Shape* shape : {&args.operand(0), &args.result}) {
    if (shape->has_layout() &&
        (!LayoutUtil::IsMonotonicWithDim0Major(shape->layout()) ||
         !shape->layout().tiles().empty())) {
      return std::nullopt;
    }
  }
  // A bitcast of memory with padding may have another number of elements.
  if (args.operand(0).element_type() != args.result.element_type() ||
      ShapeUtil::ElementsIn(args.operand(0)) !=
          ShapeUtil::ElementsIn(args.result)) {
    return std::nullopt;
  }
  return ReshapeIndexing(args);
}

OpIndexing TransposeIndexing(const IndexingArgs& args,
                             const TransposeAttrs& attrs) {
  IndexingMap map(args.result.dimensions());
  std::vector<IndexExpr> results(attrs.dimensions.size());
  for (size_t d = 0; d < results.size(); ++d) {
    results[attrs.dimensions[d]] = map.dimension(static_cast<int64_t>(d));
  }
  for (IndexExpr& result : results) map.AddResult(std::move(result));
  return ReadsOne(std::move(map));
}

OpIndexing ReverseIndexing(const IndexingArgs& args,
                           const ReverseAttrs& attrs) {
  IndexingMap map(args.result.dimensions());
  const IndexSpace& space = map.space();
  for (int64_t d = 0; d < map.dimension_count(); ++d) {
    const bool reversed =
        std::find(attrs.dimensions.begin(), attrs.dimensions.end(), d) !=
        attrs.dimensions.end();
    const int64_t last = args.result.dimensions(static_cast<int>(d)) - 1;
    map.AddResult(
        reversed ? space.Subtract(IndexExpr::Constant(last), map.dimension(d))
                 : map.dimension(d));
  }
  return ReadsOne(std::move(map));
}

DimensionFactors ReshapeFactors(const FactorArgs& args,
                                const ReshapeAttrs& attrs) {
  DimensionFactors found;
  if (ShapeUtil::IsZeroElementArray(args.result)) {
    for (auto [shape, arrays] : {std::pair(&args.operand(0), &found.operands),
                                 std::pair(&args.result, &found.results)}) {
      DimensionFactors::Array& array = arrays->emplace_back();
      for (const int64_t size : shape->dimensions()) {
        array.push_back(found.Add(FactorKind::kWhole, size));
      }
    }
    return found;
  }
  FactorsOfShape from(args.operand(0));
  FactorsOfShape to(args.result);
  while (from.NextDimension() | to.NextDimension()) {
    const int64_t common =
        from.product() == to.product() ? std::gcd(from.left(), to.left()) : 1;
    if (common > 1) {
      const auto factor = found.Add(FactorKind::kPassedThrough, common);
      from.Take(common, factor);
      to.Take(common, factor);
      continue;
    }
    // Where one has come less far, it catches up, if it can as far as the
    // other.
    const int64_t reached = std::min(from.product(), to.product());
    const int64_t further = std::max(from.product(), to.product());
    for (FactorsOfShape* shape : {&from, &to}) {
      if (shape->product() > reached || shape->left() == 1) continue;
      const bool can_meet = further > reached && further % reached == 0 &&
                            shape->left() % (further / reached) == 0;
      const int64_t size = can_meet ? further / reached : shape->left();
      shape->Take(size, found.Add(FactorKind::kWhole, size));
    }
  }
  found.operands.push_back(from.factors());
  found.results.push_back(to.factors());
  return found;
}

DimensionFactors IotaFactors(const FactorArgs& args, const IotaAttrs& attrs) {
  return CommonFactors(args, [&](int64_t d) {
    return d == attrs.iota_dimension ? FactorKind::kPermuted
                                     : FactorKind::kPassedThrough;
  });
}

}  // namespace xla
