// DimensionFactors: how the dimensions of an op's operands and results hang
// together. Each op says it once, through its index relation or its row.
#ifndef XLA_HLO_OPS_DIMENSION_FACTORS_H_
#define XLA_HLO_OPS_DIMENSION_FACTORS_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "absl/functional/function_ref.h"
#include "absl/types/span.h"
#include "xla/core/shape.h"
#include "xla/hlo/attrs/attrs.h"
#include "xla/hlo/ops/op_indexing.h"

namespace xla {

// What happens if the op is done in parts, each for some of a factor's values,
// from the greatest demand on the parts to the least.
enum class FactorKind : uint8_t {
  // A part of the results depends on the same part of the operands, and is the
  // op of these parts: an add's dimensions, the rows of a product.
  kPassedThrough,
  // Operands have it and results do not. The op of each part of the operands
  // is a partial result; the sum of these, or what the op's reducer makes of
  // them, is the result: a dot's contracting dimensions. A reducer's init value
  // goes into each part, so it must not change what it is combined with.
  kSummed,
  // Elements change places along it, or depend on their place, in a way that is
  // known when the op is compiled: a part of the results depends on other parts
  // of the operands too. Pads, slices, windows, reverses, concatenates, iota.
  kPermuted,
  // A result depends on all of it, or on places that only a run can tell.
  kWhole,
};

struct DimensionFactor {
  FactorKind kind = FactorKind::kPassedThrough;
  int64_t size = 1;

  friend bool operator==(const DimensionFactor&,
                         const DimensionFactor&) = default;
};

// A dot of [i, k] and [k, j] has the factors i, j and k: the operands have the
// dimensions (i, k) and (k, j), the result (i, j), and k is summed. A reshape
// of [6,4] to [3,8] has factors of 3, 2 and 4 elements; a dimension of six is
// the product of the first two, one of eight that of the last two.
struct DimensionFactors {
  // The numbers of the factors whose product a dimension is, the major one
  // first; none for a dimension of one element. A dimension with a permuted
  // factor has that one alone, and may be of another size.
  using Dimension = absl::InlinedVector<int32_t, 2>;
  // The dimensions of an array; none for what is no array.
  using Array = std::vector<Dimension>;

  std::vector<DimensionFactor> factors;
  std::vector<Array> operands;
  std::vector<Array> results;  // the elements of a tuple

  // Adds a factor, and returns the dimension that consists of it: of no factor
  // where it has one element.
  Dimension Add(FactorKind kind, int64_t size);
  // True if the dimension has factors of this kind alone, or no factors.
  bool IsOfKind(const Dimension& dimension, FactorKind kind) const;

  // "([i, k], [k, j])->([i, j]) {i=4, j=8, k=16} summed={k}": factors are named
  // i to z, then z_1 and so on. A product of factors is "ij", no factor is "1".
  std::string ToString() const;

  friend bool operator==(const DimensionFactors&,
                         const DimensionFactors&) = default;
};

// Valid shapes of an op: those that its shape rule takes.
struct FactorArgs {
  absl::Span<const Shape* const> operands;
  const Shape& result;

  const Shape& operand(size_t i) const { return *operands[i]; }
};

// Gives the factors of an op whose maps of indices do not tell them; nullopt
// where they are not known.
using FactorsFn = std::optional<DimensionFactors> (*)(const FactorArgs& args,
                                                      const void* attrs);

// Adapts `Fn(args, attrs)`, or `Fn(args)` where A is NoAttrs, to FactorsFn.
template <typename A, auto Fn>
constexpr FactorsFn Factors() {
  return [](const FactorArgs& args,
            const void* attrs) -> std::optional<DimensionFactors> {
    if constexpr (std::is_same_v<A, NoAttrs>) {
      return Fn(args);
    } else {
      return Fn(args, *static_cast<const A*>(attrs));
    }
  };
}

// Derives the factors of an op from its index relation: dimensions of the
// result, and ranges that its maps share. Nullopt where the maps are too
// involved to say.
std::optional<DimensionFactors> FactorsOfIndexing(const FactorArgs& args,
                                                  const OpIndexing& indexing);

// The factors of an op whose operands and results have the same dimensions,
// apart from scalars: one factor for each, of the kind that `kind` says.
// Dimensions of other sizes than those of the first result are whole factors of
// their own.
DimensionFactors CommonFactors(const FactorArgs& args,
                               absl::FunctionRef<FactorKind(int64_t)> kind);

}  // namespace xla

#endif  // XLA_HLO_OPS_DIMENSION_FACTORS_H_
