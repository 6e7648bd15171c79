// OpIndexing: which elements of its operands an element of an op's result
// depends on. Each op defines it once, in its row.
#ifndef XLA_HLO_OPS_OP_INDEXING_H_
#define XLA_HLO_OPS_OP_INDEXING_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <type_traits>
#include <vector>

#include "absl/types/span.h"
#include "xla/core/shape.h"
#include "xla/hlo/attrs/attrs.h"
#include "xla/hlo/indexing/indexing_map.h"

namespace xla {

// The elements of operand `operand` that `map` gives for the indices of the
// result.
struct OperandIndexing {
  int64_t operand = 0;
  IndexingMap map;
};

// The element of an op with OpDef::moves is that of the first entry that has
// one there, unchanged, or 0 if none has (a gather of slices without elements);
// there are no ranges. Other ops apply a function or a reducer to the elements
// of all entries, for all values of ranges; elements outside of an operand do
// not count. Range i of one entry is the same variable as range i of another.
struct OpIndexing {
  // Operands that are only sources of runtime variables have no entry; others
  // have one, or none if nothing of them is read.
  std::vector<OperandIndexing> reads;
};

// Valid shapes and attributes of an op: those that its shape rule takes.
struct IndexingArgs {
  absl::Span<const Shape* const> operands;
  // An op with several results gives the first, whose indices all of them
  // share.
  const Shape& result;

  const Shape& operand(size_t i) const { return *operands[i]; }
};

// Returns nullopt if it is unknown: numbers do not fit, or a layout decides.
using IndexingFn = std::optional<OpIndexing> (*)(const IndexingArgs& args,
                                                 const void* attrs);

// Adapts `Fn(args, attrs)`, or `Fn(args)` where A is NoAttrs, to IndexingFn.
template <typename A, auto Fn>
constexpr IndexingFn Indexing() {
  return [](const IndexingArgs& args,
            const void* attrs) -> std::optional<OpIndexing> {
    if constexpr (std::is_same_v<A, NoAttrs>) {
      return Fn(args);
    } else {
      return Fn(args, *static_cast<const A*>(attrs));
    }
  };
}

// Returns the element at position `place` of a dimension whose `size` elements
// are `step` apart, the first at 0; constrains `map` to positions that have
// one.
IndexExpr DilatedElement(const IndexExpr& place, int64_t size, int64_t step,
                         IndexingMap& map);

// Reads all operands at the index of the result; a scalar among arrays has one
// element for all indices.
OpIndexing ElementwiseIndexing(const IndexingArgs& args);

}  // namespace xla

#endif  // XLA_HLO_OPS_OP_INDEXING_H_
