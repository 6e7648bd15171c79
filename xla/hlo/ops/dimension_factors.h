// DimensionFactors: how the dimensions of an op's operands and results
// correspond. Each op defines it once, through its index relation or its row.
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

// How the op can be computed in parts, each for some of a factor's values, in
// the order from the simplest kind to the most restrictive.
enum class FactorKind : uint8_t {
  // A part of the results depends on the same part of the operands, and is the
  // op of these parts: an add's dimensions, the rows of a product.
  kPassedThrough,
  // Operands have it and results do not. The op gives a partial result for each
  // part of the operands; the result is the sum of these, or their reduction by
  // the op's reducer: a dot's contracting dimensions. A reducer's init value
  // enters each part, so it must be an identity.
  kSummed,
  // Elements move along it, or depend on their position, in a way that is known
  // at compile time: a part of the results depends on other parts of the
  // operands too. Pads, slices, windows, reverses, concatenates, iota.
  kPermuted,
  // A result depends on all of it, or on positions that are known only at run
  // time.
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
  // The dimensions of an array; none for a value that is no array.
  using Array = std::vector<Dimension>;

  std::vector<DimensionFactor> factors;
  std::vector<Array> operands;
  std::vector<Array> results;  // the elements of a tuple

  // Adds a factor, and returns the dimension that consists of it; a dimension
  // of one element has no factor.
  Dimension Add(FactorKind kind, int64_t size);
  // Returns the dimension of an array that consists of this factor; -1 if none
  // does.
  static int64_t DimensionOf(const Array& array, int32_t factor);
  // True if the dimension has only factors of this kind, or none.
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

// Gives the factors of an op for which they do not follow from indexing maps;
// nullopt if they are unknown.
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
// result, and ranges that its maps share. Nullopt if the maps are too
// complicated.
std::optional<DimensionFactors> FactorsOfIndexing(const FactorArgs& args,
                                                  const OpIndexing& indexing);

// Returns the factors of an op whose operands and results have the same
// dimensions, apart from scalars: one factor for each, of the kind that `kind`
// returns. Dimensions whose sizes differ from those of the first result are
// whole factors of their own.
DimensionFactors CommonFactors(const FactorArgs& args,
                               absl::FunctionRef<FactorKind(int64_t)> kind);

}  // namespace xla

#endif  // XLA_HLO_OPS_DIMENSION_FACTORS_H_
