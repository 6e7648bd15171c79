// sort and topk.
#ifndef XLA_HLO_OPS_MOVEMENT_SORTING_H_
#define XLA_HLO_OPS_MOVEMENT_SORTING_H_

#include <cstdint>
#include <tuple>
#include <vector>

#include "absl/status/statusor.h"
#include "xla/core/shape.h"
#include "xla/hlo/attrs/attrs.h"
#include "xla/hlo/attrs/field_types.h"
#include "xla/hlo/ops/dimension_factors.h"
#include "xla/hlo/ops/op_def.h"

namespace xla {

struct SortAttrs {
  std::vector<int64_t> dimensions;
  bool is_stable = false;
  static constexpr auto kFields = std::tuple(
      Field{"dimensions", &SortAttrs::dimensions,
            "the one dimension along which to sort", Show::kRequired},
      Field{"is_stable", &SortAttrs::is_stable,
            "whether elements that compare equal keep their order"});
};

struct TopKAttrs {
  int64_t k = 0;
  bool largest = true;
  bool is_stable = false;
  static constexpr auto kFields = std::tuple(
      Field{"k", &TopKAttrs::k, "how many elements", Show::kRequired},
      Field{"largest", &TopKAttrs::largest,
            "the largest elements, else the smallest", Show::kAlways},
      Field{"is_stable", &TopKAttrs::is_stable,
            "whether of equal elements the first come first; they always do"});
};

// The operand's shape, or the tuple of those of several operands. The
// comparator has two scalar parameters per operand. Errors: sort_c1 to sort_c6.
// Source: section "Sort".
absl::StatusOr<Shape> InferSort(const InferArgs& args, const SortAttrs& attrs);
// T[.., n] -> (T[.., k], s32[.., k]). Errors: topk_c1 to topk_c3. Source:
// section "TopK".
absl::StatusOr<Shape> InferTopK(const InferArgs& args, const TopKAttrs& attrs);

// The sorted dimension is whole; so are those that elements are selected from
// and that selected elements are in.
DimensionFactors SortFactors(const FactorArgs& args, const SortAttrs& attrs);
DimensionFactors TopKFactors(const FactorArgs& args);

inline constexpr OpDef kSort = {
    .opcode = HloOpcode::kSort,
    .name = "sort",
    .operands = {"operands..."},
    .computations = {"to_apply"},
    .attrs = AttrsOf<SortAttrs>(),
    .infer = Infer<SortAttrs, InferSort>(),
    .factors = Factors<SortAttrs, SortFactors>(),
    .cost_class = CostClass::kAlgorithm,
    .summary = "Sorts arrays together by a comparator.",
    .section = "Sort",
};

inline constexpr OpDef kTopK = {
    .opcode = HloOpcode::kTopK,
    .name = "topk",
    .operands = {"operand"},
    .attrs = AttrsOf<TopKAttrs>(),
    .infer = Infer<TopKAttrs, InferTopK>(),
    .factors = Factors<NoAttrs, TopKFactors>(),
    .cost_class = CostClass::kAlgorithm,
    .summary = "The k largest or smallest elements of each row, in order.",
};

}  // namespace xla

#endif  // XLA_HLO_OPS_MOVEMENT_SORTING_H_
