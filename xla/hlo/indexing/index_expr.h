// IndexExpr: an affine expression of integer variables with floor division and
// modulo by constants, in a normal form; and IndexSpace, which makes them.
#ifndef XLA_HLO_INDEXING_INDEX_EXPR_H_
#define XLA_HLO_INDEXING_INDEX_EXPR_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "absl/types/span.h"
#include "xla/hlo/indexing/interval.h"

namespace xla {

// constant + coefficient * atom + ..., the atoms in order and each once. An
// atom is a variable, or the floor quotient or the remainder (never negative)
// of another expression by a divisor of at least 2.
//
// An expression whose numbers do not fit in 64 bits, or that would have more
// than kMaxNodes atoms, is unknown, and so is every expression made of it.
class IndexExpr {
 public:
  static constexpr int kMaxNodes = 128;

  enum class Kind { kVariable, kFloorDiv, kMod };
  struct Atom {
    Kind kind = Kind::kVariable;
    int32_t variable = 0;  // of kVariable
    int64_t divisor = 1;   // of the others
    std::shared_ptr<const IndexExpr> operand;
  };
  struct Term {
    Atom atom;
    int64_t coefficient = 1;
  };
  using Terms = absl::InlinedVector<Term, 2>;

  IndexExpr() = default;  // 0
  static IndexExpr Constant(int64_t value);
  static IndexExpr Variable(int32_t variable);
  static IndexExpr OfAtom(Atom atom);
  static IndexExpr Unknown();

  bool known() const { return known_; }
  // Returns the number of the variable if the expression consists of one.
  std::optional<int32_t> variable() const;
  int64_t constant() const { return constant_; }
  const Terms& terms() const { return terms_; }
  // True if `variable` occurs, in quotients and remainders too.
  bool DependsOn(int32_t variable) const;
  // True unless all atoms are variables.
  bool HasQuotients() const;

  // Returns the value for variables i = values[i]; nullopt if it, or a part of
  // it, does not fit in 64 bits, or if the expression is unknown.
  std::optional<int64_t> Evaluate(absl::Span<const int64_t> values) const;

  // Returns "d0 * 4 + s0 floordiv 2 - 1", with the name of each variable.
  std::string ToString(
      const std::function<std::string(int32_t)>& variable_name) const;

  // Compares normal forms: equal expressions have equal values, but different
  // expressions may have equal values too.
  friend bool operator==(const IndexExpr& a, const IndexExpr& b) {
    return Compare(a, b) == 0;
  }
  // A total order: less than 0, 0, or more than 0.
  static int Compare(const IndexExpr& a, const IndexExpr& b);
  static int Compare(const Atom& a, const Atom& b);

 private:
  friend class IndexSpace;

  static int NodesOf(const Atom& atom);

  bool known_ = true;
  int nodes_ = 0;  // atoms, with those in operands of atoms
  int64_t constant_ = 0;
  Terms terms_;
};

// The ranges of variables 0, 1, ..., by which expressions of them are
// simplified. All operations return normal forms, which are exact for every
// value in the ranges. Thread-safe unless it is assigned to.
class IndexSpace {
 public:
  // Returns the number of the new variable.
  int32_t AddVariable(Interval range) {
    ranges_.push_back(range);
    return size() - 1;
  }
  int32_t size() const { return static_cast<int32_t>(ranges_.size()); }
  // Returns the variable, or a constant if its range is one number.
  IndexExpr Variable(int32_t variable) const;

  Interval RangeOf(const IndexExpr& e) const;

  IndexExpr Add(const IndexExpr& a, const IndexExpr& b) const;
  IndexExpr Add(const IndexExpr& a, int64_t b) const {
    return Add(a, IndexExpr::Constant(b));
  }
  IndexExpr Subtract(const IndexExpr& a, const IndexExpr& b) const {
    return Add(a, Multiply(b, -1));
  }
  IndexExpr Multiply(const IndexExpr& e, int64_t factor) const;
  // Return the quotient, rounded down, and the remainder; `divisor` is at least
  // 1.
  IndexExpr FloorDiv(const IndexExpr& e, int64_t divisor) const;
  IndexExpr Mod(const IndexExpr& e, int64_t divisor) const;

  // Returns `e` with variable i replaced by replacements[i], expressions of
  // this space.
  IndexExpr Substitute(const IndexExpr& e,
                       absl::Span<const IndexExpr> replacements) const;

 private:
  // e = multiple * factor + rest: the terms of `rest` are those whose
  // coefficients `factor` does not divide, its constant is in [0, factor).
  struct Split {
    IndexExpr multiple;
    IndexExpr rest;
  };
  Split SplitBy(const IndexExpr& e, int64_t factor) const;

  Interval RangeOfAtom(const IndexExpr::Atom& atom) const;
  IndexExpr Atom(IndexExpr::Kind kind, IndexExpr operand,
                 int64_t divisor) const;
  // Joins quotients with their remainders: (x floordiv n) * n + x mod n is x.
  IndexExpr JoinRemainders(IndexExpr e) const;

  std::vector<Interval> ranges_;
};

}  // namespace xla

#endif  // XLA_HLO_INDEXING_INDEX_EXPR_H_
