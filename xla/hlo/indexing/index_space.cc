// Simplifies index expressions by the ranges of their variables.
#include <algorithm>
#include <functional>
#include <numeric>

#include "xla/base/checked_math.h"
#include "xla/hlo/indexing/index_expr.h"

namespace xla {
namespace {

using Kind = IndexExpr::Kind;
using Term = IndexExpr::Term;

// Returns the sum, with equal atoms joined; nullopt if a number does not fit.
std::optional<IndexExpr::Terms> Merge(const IndexExpr::Terms& a,
                                      const IndexExpr::Terms& b) {
  IndexExpr::Terms sum;
  size_t i = 0, j = 0;
  while (i < a.size() || j < b.size()) {
    const int order = i == a.size() ? 1
                      : j == b.size()
                          ? -1
                          : IndexExpr::Compare(a[i].atom, b[j].atom);
    if (order < 0) {
      sum.push_back(a[i++]);
    } else if (order > 0) {
      sum.push_back(b[j++]);
    } else {
      const std::optional<int64_t> coefficient =
          CheckedAdd(a[i].coefficient, b[j].coefficient);
      if (!coefficient.has_value()) return std::nullopt;
      if (*coefficient != 0) sum.push_back({a[i].atom, *coefficient});
      ++i;
      ++j;
    }
  }
  return sum;
}

// Returns the common divisors of `divisor` and a coefficient, at least 2 and
// descending.
absl::InlinedVector<int64_t, 4> CommonDivisors(const IndexExpr& e,
                                               int64_t divisor) {
  absl::InlinedVector<int64_t, 4> found;
  for (const Term& term : e.terms()) {
    const int64_t common = std::gcd(term.coefficient % divisor, divisor);
    if (common > 1) found.push_back(common);
  }
  std::sort(found.begin(), found.end(), std::greater<>());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

}  // namespace

IndexExpr IndexSpace::Variable(int32_t variable) const {
  const Interval& range = ranges_[variable];
  if (range.is_point()) return IndexExpr::Constant(range.lower);
  return IndexExpr::Variable(variable);
}

Interval IndexSpace::RangeOfAtom(const IndexExpr::Atom& atom) const {
  switch (atom.kind) {
    case Kind::kVariable:
      return ranges_[atom.variable];
    case Kind::kFloorDiv:
      return FloorDivide(RangeOf(*atom.operand), atom.divisor);
    case Kind::kMod:
      return Interval::Below(atom.divisor);
  }
  __builtin_unreachable();
}

Interval IndexSpace::RangeOf(const IndexExpr& e) const {
  if (!e.known()) return Interval();
  Interval range = Interval::Point(e.constant());
  for (const Term& term : e.terms()) {
    range = range + RangeOfAtom(term.atom) * term.coefficient;
  }
  return range;
}

IndexExpr IndexSpace::Atom(Kind kind, IndexExpr operand,
                           int64_t divisor) const {
  return IndexExpr::OfAtom(
      {.kind = kind,
       .divisor = divisor,
       .operand = std::make_shared<const IndexExpr>(std::move(operand))});
}

IndexExpr IndexSpace::Add(const IndexExpr& a, const IndexExpr& b) const {
  if (!a.known() || !b.known()) return IndexExpr::Unknown();
  const std::optional<int64_t> constant =
      CheckedAdd(a.constant(), b.constant());
  std::optional<IndexExpr::Terms> terms = Merge(a.terms(), b.terms());
  if (!constant.has_value() || !terms.has_value()) return IndexExpr::Unknown();
  IndexExpr sum = IndexExpr::Constant(*constant);
  sum.terms_ = *std::move(terms);
  for (const Term& term : sum.terms_) {
    sum.nodes_ += IndexExpr::NodesOf(term.atom);
  }
  if (sum.nodes_ > IndexExpr::kMaxNodes) return IndexExpr::Unknown();
  return JoinRemainders(std::move(sum));
}

IndexExpr IndexSpace::JoinRemainders(IndexExpr e) const {
  if (e.terms_.size() < 2) return e;
  for (const Term& term : e.terms_) {
    if (term.atom.kind != Kind::kMod) continue;
    const IndexExpr& whole = *term.atom.operand;
    const std::optional<int64_t> scale =
        CheckedMultiply(term.coefficient, term.atom.divisor);
    if (!scale.has_value()) continue;
    const IndexExpr quotient =
        Multiply(FloorDiv(whole, term.atom.divisor), *scale);
    if (!quotient.known() || quotient.terms_.empty()) continue;
    // All terms of the quotient must be there unchanged.
    bool all = true;
    for (const Term& part : quotient.terms_) {
      bool found = false;
      for (const Term& other : e.terms_) {
        found |= other.coefficient == part.coefficient &&
                 IndexExpr::Compare(other.atom, part.atom) == 0;
      }
      all &= found;
    }
    if (!all) continue;
    IndexExpr remainder = IndexExpr::OfAtom(term.atom);
    remainder = Multiply(remainder, term.coefficient);
    // Each iteration removes terms, so this ends.
    const IndexExpr joined = Add(Subtract(Subtract(e, remainder), quotient),
                                 Multiply(whole, term.coefficient));
    return joined.known() ? joined : e;
  }
  return e;
}

IndexExpr IndexSpace::Multiply(const IndexExpr& e, int64_t factor) const {
  if (!e.known() || factor == 1) return e;
  if (factor == 0) return IndexExpr();
  const std::optional<int64_t> constant = CheckedMultiply(e.constant_, factor);
  if (!constant.has_value()) return IndexExpr::Unknown();
  IndexExpr product = e;
  product.constant_ = *constant;
  for (Term& term : product.terms_) {
    const std::optional<int64_t> coefficient =
        CheckedMultiply(term.coefficient, factor);
    if (!coefficient.has_value()) return IndexExpr::Unknown();
    term.coefficient = *coefficient;
  }
  return product;
}

IndexSpace::Split IndexSpace::SplitBy(const IndexExpr& e,
                                      int64_t factor) const {
  Split split;
  const int64_t quotient = FloorOfRatio(e.constant_, factor);
  split.multiple.constant_ = quotient;
  split.rest.constant_ = e.constant_ - quotient * factor;
  for (const Term& term : e.terms_) {
    const bool divides = term.coefficient % factor == 0;
    IndexExpr& part = divides ? split.multiple : split.rest;
    part.terms_.push_back(
        {term.atom, divides ? term.coefficient / factor : term.coefficient});
    part.nodes_ += IndexExpr::NodesOf(term.atom);
  }
  return split;
}

IndexExpr IndexSpace::FloorDiv(const IndexExpr& e, int64_t divisor) const {
  if (!e.known() || divisor == 1) return e;
  const Interval quotients = FloorDivide(RangeOf(e), divisor);
  if (quotients.is_point() && !quotients.saturated()) {
    return IndexExpr::Constant(quotients.lower);
  }
  // (n * x + y) floordiv n is x + y floordiv n.
  const Split split = SplitBy(e, divisor);
  if (!(split.multiple == IndexExpr())) {
    return Add(split.multiple, FloorDiv(split.rest, divisor));
  }
  // (g * x + y) floordiv (g * n) is x floordiv n for y in [0, g).
  for (int64_t common : CommonDivisors(e, divisor)) {
    const Split parts = SplitBy(e, common);
    if (Interval::Below(common).Contains(RangeOf(parts.rest))) {
      return FloorDiv(parts.multiple, divisor / common);
    }
  }
  for (const Term& term : e.terms_) {
    if (term.coefficient != 1) continue;
    // (x + y floordiv m) floordiv n is (x * m + y) floordiv (m * n).
    if (term.atom.kind == Kind::kFloorDiv) {
      const std::optional<int64_t> both =
          CheckedMultiply(term.atom.divisor, divisor);
      const IndexExpr others = Subtract(e, IndexExpr::OfAtom(term.atom));
      const IndexExpr whole =
          Add(Multiply(others, term.atom.divisor), *term.atom.operand);
      if (both.has_value() && whole.known()) return FloorDiv(whole, *both);
    }
    // (x mod (m * n)) floordiv n is (x floordiv n) mod m.
    if (term.atom.kind == Kind::kMod && e.terms_.size() == 1 &&
        e.constant_ == 0 && term.atom.divisor % divisor == 0) {
      return Mod(FloorDiv(*term.atom.operand, divisor),
                 term.atom.divisor / divisor);
    }
  }
  return Atom(Kind::kFloorDiv, e, divisor);
}

IndexExpr IndexSpace::Mod(const IndexExpr& e, int64_t divisor) const {
  if (!e.known()) return e;
  if (divisor == 1) return IndexExpr();
  const Interval quotients = FloorDivide(RangeOf(e), divisor);
  if (quotients.is_point() && !quotients.saturated()) {
    const std::optional<int64_t> whole =
        CheckedMultiply(quotients.lower, -divisor);
    if (whole.has_value()) return Add(e, *whole);
  }
  // Multiples of n can be dropped, and so can a modulo by a multiple of n.
  IndexExpr rest = SplitBy(e, divisor).rest;
  bool changed = !(rest == e);
  for (const Term& term : IndexExpr::Terms(rest.terms_)) {
    IndexExpr atom = IndexExpr::OfAtom(term.atom);
    const std::optional<int64_t> period =
        CheckedMultiply(term.coefficient, term.atom.divisor);
    if (term.atom.kind == Kind::kMod && period.value_or(1) % divisor == 0) {
      rest = Add(
          rest, Multiply(Subtract(*term.atom.operand, atom), term.coefficient));
      changed = true;
    }
  }
  if (changed) return Mod(rest, divisor);
  // (g * x + y) mod (g * n) is g * (x mod n) + y for y in [0, g).
  for (int64_t common : CommonDivisors(e, divisor)) {
    const Split parts = SplitBy(e, common);
    if (Interval::Below(common).Contains(RangeOf(parts.rest))) {
      return Add(Multiply(Mod(parts.multiple, divisor / common), common),
                 parts.rest);
    }
  }
  return Atom(Kind::kMod, e, divisor);
}

IndexExpr IndexSpace::Substitute(
    const IndexExpr& e, absl::Span<const IndexExpr> replacements) const {
  if (!e.known()) return e;
  IndexExpr sum = IndexExpr::Constant(e.constant_);
  for (const Term& term : e.terms_) {
    const IndexExpr::Atom& atom = term.atom;
    IndexExpr value;
    switch (atom.kind) {
      case Kind::kVariable:
        value = replacements[atom.variable];
        break;
      case Kind::kFloorDiv:
        value = FloorDiv(Substitute(*atom.operand, replacements), atom.divisor);
        break;
      case Kind::kMod:
        value = Mod(Substitute(*atom.operand, replacements), atom.divisor);
        break;
    }
    sum = Add(sum, Multiply(value, term.coefficient));
  }
  return sum;
}

}  // namespace xla
