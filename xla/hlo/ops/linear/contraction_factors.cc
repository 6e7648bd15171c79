// Factors of ragged-dot and scaled-dot; those of dot follow from its indexing.
#include <algorithm>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/functional/function_ref.h"
#include "xla/hlo/ops/linear/contraction.h"

namespace xla {
namespace {

using Dimension = DimensionFactors::Dimension;

// The two sides of a product, and its result without groups.
struct ProductDimensions {
  DimensionFactors::Array lhs, rhs, result;
};

// Pairs up dimensions. `add` makes the factors of a dimension; it takes the
// dimensions of lhs and rhs, or -1 where a side lacks it, and the kind.
ProductDimensions PairDimensions(
    const FactorArgs& args, const DotDimensionNumbers& numbers,
    absl::FunctionRef<Dimension(int64_t lhs, int64_t rhs, FactorKind kind)>
        add) {
  ProductDimensions found;
  const int64_t lhs_rank = args.operand(0).rank();
  const int64_t rhs_rank = args.operand(1).rank();
  found.lhs.resize(lhs_rank);
  found.rhs.resize(rhs_rank);
  std::vector<bool> lhs_is_paired(lhs_rank), rhs_is_paired(rhs_rank);
  auto pair = [&](int64_t l, int64_t r, FactorKind kind) {
    found.lhs[l] = found.rhs[r] = add(l, r, kind);
    lhs_is_paired[l] = rhs_is_paired[r] = true;
  };
  for (int i = 0; i < numbers.lhs_batch_dimensions_size(); ++i) {
    const int64_t l = numbers.lhs_batch_dimensions(i);
    pair(l, numbers.rhs_batch_dimensions(i), FactorKind::kPassedThrough);
    found.result.push_back(found.lhs[l]);
  }
  for (int i = 0; i < numbers.lhs_contracting_dimensions_size(); ++i) {
    pair(numbers.lhs_contracting_dimensions(i),
         numbers.rhs_contracting_dimensions(i), FactorKind::kSummed);
  }
  for (int64_t d = 0; d < lhs_rank; ++d) {
    if (lhs_is_paired[d]) continue;
    found.lhs[d] = add(d, -1, FactorKind::kPassedThrough);
    found.result.push_back(found.lhs[d]);
  }
  for (int64_t d = 0; d < rhs_rank; ++d) {
    if (rhs_is_paired[d]) continue;
    found.rhs[d] = add(-1, d, FactorKind::kPassedThrough);
    found.result.push_back(found.rhs[d]);
  }
  return found;
}

// The dimensions of lhs that group_sizes has before the groups, if it is no
// vector: the batch and those of the ragged one's kind, up to that one.
std::vector<int64_t> DimensionsBeforeGroups(const FactorArgs& args,
                                            const DotDimensionNumbers& numbers,
                                            int64_t ragged) {
  const auto& batch = numbers.lhs_batch_dimensions();
  const auto& contracting = numbers.lhs_contracting_dimensions();
  std::vector<int64_t> before;
  auto add = [&](int64_t d) {
    if (d != ragged) before.push_back(d);
    return d != ragged;
  };
  if (absl::c_linear_search(batch, ragged)) {
    absl::c_all_of(batch, add);
    return before;
  }
  before.assign(batch.begin(), batch.end());
  if (absl::c_linear_search(contracting, ragged)) {
    absl::c_all_of(contracting, add);
    return before;
  }
  for (int64_t d = 0; d < ragged; ++d) {
    if (!absl::c_linear_search(batch, d) &&
        !absl::c_linear_search(contracting, d)) {
      before.push_back(d);
    }
  }
  return before;
}

// The size of a scale's dimension; 1 if the scale or the dimension is missing.
int64_t ScaleSize(const FactorArgs& args, int side, int64_t d) {
  const Shape& scale = args.operand(2 + side);
  return d < 0 || scale.rank() == 0 ? 1 : scale.dimensions(static_cast<int>(d));
}

}  // namespace

DimensionFactors RaggedDotFactors(const FactorArgs& args,
                                  const RaggedDotAttrs& attrs) {
  const RaggedDotDimensionNumbers& numbers = attrs.ragged_dot_dimension_numbers;
  const DotDimensionNumbers& dot = numbers.dot_dimension_numbers();
  const int64_t ragged = numbers.lhs_ragged_dimensions(0);
  const Shape& sizes = args.operand(2);
  DimensionFactors found;
  const Dimension groups =
      found.Add(FactorKind::kWhole, sizes.dimensions().back());
  auto is_group = [&](int64_t rhs) {
    return absl::c_linear_search(numbers.rhs_group_dimensions(), rhs);
  };
  ProductDimensions product = PairDimensions(
      args, dot, [&](int64_t l, int64_t r, FactorKind kind) -> Dimension {
        if (is_group(r)) return groups;
        if (l == ragged) kind = FactorKind::kWhole;
        return found.Add(kind, l >= 0 ? args.operand(0).dimensions(l)
                                      : args.operand(1).dimensions(r));
      });
  if (!numbers.rhs_group_dimensions().empty()) {
    // The result has no groups; dimensions of rhs are its last ones.
    const int64_t group = numbers.rhs_group_dimensions(0);
    int64_t behind = 0;
    for (int64_t d = group; d < args.operand(1).rank(); ++d) {
      if (!absl::c_linear_search(dot.rhs_batch_dimensions(), d) &&
          !absl::c_linear_search(dot.rhs_contracting_dimensions(), d)) {
        ++behind;
      }
    }
    product.result.erase(product.result.end() - behind);
  } else if (absl::c_linear_search(dot.lhs_contracting_dimensions(), ragged)) {
    product.result.insert(product.result.begin(), groups);
  }
  DimensionFactors::Array of_sizes;
  if (sizes.rank() > 1) {
    for (int64_t d : DimensionsBeforeGroups(args, dot, ragged)) {
      of_sizes.push_back(product.lhs[d]);
    }
  }
  of_sizes.push_back(groups);
  found.operands = {std::move(product.lhs), std::move(product.rhs),
                    std::move(of_sizes)};
  found.results = {std::move(product.result)};
  return found;
}

DimensionFactors ScaledDotFactors(const FactorArgs& args,
                                  const ScaledDotAttrs& attrs) {
  DimensionFactors found;
  DimensionFactors::Array scales[2];
  for (int side = 0; side < 2; ++side) {
    scales[side].resize(args.operand(2 + side).rank());
  }
  // A dimension consists of the blocks that a scale's element is for, and what
  // is in a block.
  ProductDimensions product = PairDimensions(
      args, attrs.dot_dimension_numbers,
      [&](int64_t l, int64_t r, FactorKind kind) {
        const int64_t size = l >= 0 ? args.operand(0).dimensions(l)
                                    : args.operand(1).dimensions(r);
        const int64_t dimensions[2] = {l, r};
        const int64_t blocks[2] = {ScaleSize(args, 0, l),
                                   ScaleSize(args, 1, r)};
        const int64_t few = std::min(blocks[0], blocks[1]);
        const int64_t many = std::max(blocks[0], blocks[1]);
        Dimension all;
        Dimension of_few;
        if (few == 0 || many % few != 0) {
          all = found.Add(FactorKind::kWhole, size);
        } else {
          all = of_few = found.Add(kind, few);
          const Dimension inner = found.Add(kind, many / few);
          all.insert(all.end(), inner.begin(), inner.end());
        }
        const Dimension of_many = all;
        if (few != 0 && many % few == 0) {
          const Dimension rest = found.Add(kind, size / many);
          all.insert(all.end(), rest.begin(), rest.end());
        }
        for (int side = 0; side < 2; ++side) {
          if (dimensions[side] < 0 || scales[side].empty()) continue;
          const bool fits = few != 0 && many % few == 0;
          scales[side][dimensions[side]] =
              !fits ? found.Add(FactorKind::kWhole, blocks[side])
              : blocks[side] == many ? of_many
                                     : of_few;
        }
        return all;
      });
  found.operands = {std::move(product.lhs), std::move(product.rhs),
                    std::move(scales[0]), std::move(scales[1])};
  found.results = {std::move(product.result)};
  return found;
}

}  // namespace xla
