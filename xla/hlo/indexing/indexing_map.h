// IndexingMap: which element of one array an element of another depends on.
#ifndef XLA_HLO_INDEXING_INDEXING_MAP_H_
#define XLA_HLO_INDEXING_INDEXING_MAP_H_

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/types/span.h"
#include "xla/hlo/indexing/index_expr.h"
#include "xla/hlo/indexing/interval.h"

namespace xla {

// A function from variables to the indices of an array's element:
//   (d0, d1)[s0]{rt0} -> (d0 + s0, rt0), domain: d0 in [0, 7], ...
// Dimensions (d) are the indices of an element of the result. The element
// depends on those that the function gives for all values of the ranges (s),
// which are the reduced dimensions. Runtime variables (rt) are read from an
// array while the program runs.
// If a constraint does not hold, there is no such element: the indices of the
// result are outside of the operand, or the values of the ranges do not count.
// Results are meaningful only where all constraints hold, and are simplified by
// them.
//
// Not thread-safe while it is built.
class IndexingMap {
 public:
  enum class Kind { kDimension, kRange, kRuntime };
  struct Variable {
    Kind kind = Kind::kDimension;
    Interval range;
    // A kRuntime variable has the value of element `index` of the array
    // `source`, clamped to the range. For an op `source` is an operand's
    // number.
    int64_t source = 0;
    std::vector<IndexExpr> index;
  };
  struct Constraint {
    IndexExpr expr;
    Interval interval;
    friend bool operator==(const Constraint&, const Constraint&) = default;
  };

  // Makes a map of the elements of an array with these dimensions, still
  // without results.
  explicit IndexingMap(absl::Span<const int64_t> dimensions);
  static IndexingMap Identity(absl::Span<const int64_t> dimensions);

  // Each adds a variable and returns it.
  IndexExpr AddRange(Interval range);
  IndexExpr AddRuntime(Interval range, int64_t source,
                       std::vector<IndexExpr> index);
  void AddResult(IndexExpr result) { results_.push_back(std::move(result)); }
  // Adds the constraint that `expr` is in `interval`.
  void Constrain(const IndexExpr& expr, Interval interval);

  // The dimension as an expression.
  IndexExpr dimension(int64_t i) const {
    return space_.Variable(static_cast<int32_t>(i));
  }
  // Makes expressions of the variables.
  const IndexSpace& space() const { return space_; }

  absl::Span<const Variable> variables() const { return variables_; }
  absl::Span<const IndexExpr> results() const { return results_; }
  absl::Span<const Constraint> constraints() const { return constraints_; }
  int64_t dimension_count() const { return dimension_count_; }
  // Returns the number of variables of the same kind before this one.
  int64_t NumberOfItsKind(int32_t variable) const;
  // Returns the sizes of the ranges, in their order.
  std::vector<int64_t> RangeSizes() const;
  // False if a number does not fit in 64 bits, or if it got too long.
  bool known() const;
  // True if no index has an element.
  bool empty() const;
  // True if each result is the dimension with its number and there are no
  // constraints; the two arrays may differ along dimensions of one element.
  bool IsIdentity() const;
  // True if the element depends on this variable.
  bool DependsOn(int32_t variable) const;

  // Returns the composition: `next`, which has a dimension for each result of
  // this map, applied to this map's results. The variables of `next` other than
  // dimensions come last, with their sources.
  IndexingMap Compose(const IndexingMap& next) const;

  // Returns the indices for these values of all variables; nullopt if a
  // constraint does not hold. The values must be in their ranges.
  std::optional<std::vector<int64_t>> Evaluate(
      absl::Span<const int64_t> values) const;

  std::string ToString() const;

  // Equal maps give equal indices; others may do so too.
  friend bool operator==(const IndexingMap& a, const IndexingMap& b);

 private:
  IndexExpr AddVariable(Variable variable);
  // Adds the constraint in its simplest form, as one on the operand of a
  // product, of a sum with a number or of a quotient: (d0 + 3) floordiv 2 in
  // [1, 4] becomes d0 in [-1, 6].
  static Constraint Solved(Constraint constraint);
  std::string VariableName(int32_t variable) const;
  // Returns the ranges of all variables, narrowed by the constraints.
  IndexSpace ConstrainedSpace() const;

  std::vector<Variable> variables_;
  int64_t dimension_count_;
  IndexSpace space_;
  std::vector<IndexExpr> results_;
  std::vector<Constraint> constraints_;
  bool empty_ = false;
};

}  // namespace xla

#endif  // XLA_HLO_INDEXING_INDEXING_MAP_H_
