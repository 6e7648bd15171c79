// Composes and simplifies indexing maps.
#include "xla/hlo/indexing/indexing_map.h"

#include <algorithm>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "xla/base/checked_math.h"

namespace xla {
namespace {

// Returns the values of x for which x * coefficient + constant is in
// `interval`.
std::optional<Interval> Solve(Interval interval, int64_t coefficient,
                              int64_t constant) {
  if (constant == Interval::kLeast || coefficient == Interval::kLeast) {
    return std::nullopt;
  }
  Interval values = interval + Interval::Point(-constant);
  if (coefficient < 0) {
    values = values * -1;
    coefficient = -coefficient;
  }
  if (values.lower != Interval::kLeast) {
    values.lower = CeilOfRatio(values.lower, coefficient);
  }
  if (values.upper != Interval::kMost) {
    values.upper = FloorOfRatio(values.upper, coefficient);
  }
  return values;
}

}  // namespace

IndexingMap::IndexingMap(absl::Span<const int64_t> dimensions)
    : dimension_count_(static_cast<int64_t>(dimensions.size())) {
  for (int64_t size : dimensions) AddVariable({.range = Interval::Below(size)});
}

IndexingMap IndexingMap::Identity(absl::Span<const int64_t> dimensions) {
  IndexingMap map(dimensions);
  for (size_t i = 0; i < dimensions.size(); ++i) {
    map.AddResult(map.dimension(static_cast<int64_t>(i)));
  }
  return map;
}

IndexExpr IndexingMap::AddVariable(Variable variable) {
  empty_ |= variable.range.empty();
  const int32_t number = space_.AddVariable(variable.range);
  variables_.push_back(std::move(variable));
  return space_.Variable(number);
}

IndexExpr IndexingMap::AddRange(Interval range) {
  return AddVariable({.kind = Kind::kRange, .range = range});
}

IndexExpr IndexingMap::AddRuntime(Interval range, int64_t source,
                                  std::vector<IndexExpr> index) {
  return AddVariable({Kind::kRuntime, range, source, std::move(index)});
}

IndexingMap::Constraint IndexingMap::Solved(Constraint constraint) {
  while (constraint.expr.known() && constraint.expr.terms().size() == 1) {
    const IndexExpr::Term& term = constraint.expr.terms()[0];
    std::optional<Interval> values = Solve(
        constraint.interval, term.coefficient, constraint.expr.constant());
    if (!values.has_value()) break;
    if (term.atom.kind != IndexExpr::Kind::kFloorDiv) {
      return {IndexExpr::OfAtom(term.atom), *values};
    }
    // x floordiv n is in [a, b] where x is in [a * n, b * n + n - 1].
    const Interval least = Interval::Point(values->lower) * term.atom.divisor;
    const Interval most = Interval::Point(values->upper) * term.atom.divisor +
                          Interval::Point(term.atom.divisor - 1);
    constraint = {*term.atom.operand, {least.lower, most.upper}};
  }
  return constraint;
}

void IndexingMap::Constrain(const IndexExpr& expr, Interval interval) {
  Constraint constraint = Solved({expr, interval});
  if (expr.known()) {
    const Interval range = space_.RangeOf(constraint.expr);
    if (constraint.interval.Contains(range)) return;
    empty_ |= range.Intersect(constraint.interval).empty();
  }
  for (Constraint& other : constraints_) {
    if (!(other.expr == constraint.expr)) continue;
    other.interval = other.interval.Intersect(constraint.interval);
    empty_ |= other.interval.empty();
    return;
  }
  constraints_.push_back(std::move(constraint));
}

int64_t IndexingMap::NumberOfItsKind(int32_t variable) const {
  const Kind kind = variables_[variable].kind;
  return std::count_if(variables_.begin(), variables_.begin() + variable,
                       [&](const Variable& v) { return v.kind == kind; });
}

std::vector<int64_t> IndexingMap::RangeSizes() const {
  std::vector<int64_t> sizes;
  for (const Variable& variable : variables_) {
    if (variable.kind == Kind::kRange) {
      sizes.push_back(variable.range.upper + 1);
    }
  }
  return sizes;
}

bool IndexingMap::known() const {
  return absl::c_all_of(results_,
                        [](const IndexExpr& e) { return e.known(); }) &&
         absl::c_all_of(constraints_,
                        [](const Constraint& c) { return c.expr.known(); }) &&
         absl::c_all_of(variables_, [](const Variable& v) {
           return absl::c_all_of(v.index,
                                 [](const IndexExpr& e) { return e.known(); });
         });
}

bool IndexingMap::empty() const { return empty_; }

bool IndexingMap::IsIdentity() const {
  if (!constraints_.empty() || empty_ ||
      static_cast<int64_t>(results_.size()) != dimension_count_) {
    return false;
  }
  for (int64_t i = 0; i < dimension_count_; ++i) {
    if (!(results_[i] == dimension(i))) return false;
  }
  return true;
}

bool IndexingMap::DependsOn(int32_t variable) const {
  auto depends = [&](const IndexExpr& e) { return e.DependsOn(variable); };
  if (absl::c_any_of(results_, depends)) return true;
  for (const Constraint& constraint : constraints_) {
    if (depends(constraint.expr)) return true;
  }
  for (size_t i = 0; i < variables_.size(); ++i) {
    // The index of a runtime variable that is needed may depend on it.
    if (absl::c_any_of(variables_[i].index, depends) &&
        static_cast<int32_t>(i) != variable &&
        DependsOn(static_cast<int32_t>(i))) {
      return true;
    }
  }
  return false;
}

IndexSpace IndexingMap::ConstrainedSpace() const {
  IndexSpace space;
  for (size_t i = 0; i < variables_.size(); ++i) {
    Interval range = variables_[i].range;
    for (const Constraint& constraint : constraints_) {
      if (constraint.expr.variable() == static_cast<int32_t>(i)) {
        range = range.Intersect(constraint.interval);
      }
    }
    space.AddVariable(range);
  }
  return space;
}

IndexingMap IndexingMap::Compose(const IndexingMap& next) const {
  IndexingMap map = *this;
  map.results_.clear();
  // The expressions, in variables of `map`, that replace the variables of
  // `next`.
  std::vector<IndexExpr> values = results_;
  for (size_t i = next.dimension_count_; i < next.variables_.size(); ++i) {
    Variable variable = next.variables_[i];
    const IndexSpace space = map.ConstrainedSpace();
    for (IndexExpr& index : variable.index) {
      index = space.Substitute(index, values);
    }
    values.push_back(map.AddVariable(std::move(variable)));
  }
  for (const Constraint& constraint : next.constraints_) {
    map.Constrain(map.space_.Substitute(constraint.expr, values),
                  constraint.interval);
  }
  map.empty_ |= next.empty_;
  const IndexSpace space = map.ConstrainedSpace();
  for (const IndexExpr& result : next.results_) {
    map.AddResult(space.Substitute(result, values));
  }
  return map;
}

std::optional<std::vector<int64_t>> IndexingMap::Evaluate(
    absl::Span<const int64_t> values) const {
  if (empty_) return std::nullopt;
  for (const Constraint& constraint : constraints_) {
    const std::optional<int64_t> value = constraint.expr.Evaluate(values);
    if (!value.has_value() || !constraint.interval.Contains(*value)) {
      return std::nullopt;
    }
  }
  std::vector<int64_t> indices;
  for (const IndexExpr& result : results_) {
    const std::optional<int64_t> index = result.Evaluate(values);
    if (!index.has_value()) return std::nullopt;
    indices.push_back(*index);
  }
  return indices;
}

std::string IndexingMap::VariableName(int32_t variable) const {
  const int64_t before = NumberOfItsKind(variable);
  switch (variables_[variable].kind) {
    case Kind::kDimension:
      return absl::StrCat("d", before);
    case Kind::kRange:
      return absl::StrCat("s", before);
    case Kind::kRuntime:
      return absl::StrCat("rt", before);
  }
  __builtin_unreachable();
}

std::string IndexingMap::ToString() const {
  auto name = [this](int32_t variable) { return VariableName(variable); };
  auto expr = [&](std::string* out, const IndexExpr& e) {
    absl::StrAppend(out, e.ToString(name));
  };
  std::vector<std::string> names[3];
  std::vector<std::string> domain;
  for (int32_t i = 0; i < space_.size(); ++i) {
    const Variable& variable = variables_[i];
    names[static_cast<int>(variable.kind)].push_back(name(i));
    domain.push_back(
        absl::StrCat(name(i), " in ", xla::ToString(variable.range)));
    if (variable.kind == Kind::kRuntime) {
      absl::StrAppend(&domain.back(), " from operand ", variable.source, "[",
                      absl::StrJoin(variable.index, ", ", expr), "]");
    }
  }
  std::string text = absl::StrCat("(", absl::StrJoin(names[0], ", "), ")");
  if (!names[1].empty()) {
    absl::StrAppend(&text, "[", absl::StrJoin(names[1], ", "), "]");
  }
  if (!names[2].empty()) {
    absl::StrAppend(&text, "{", absl::StrJoin(names[2], ", "), "}");
  }
  absl::StrAppend(&text, " -> (", absl::StrJoin(results_, ", ", expr), ")");
  for (const Constraint& constraint : constraints_) {
    domain.push_back(absl::StrCat(constraint.expr.ToString(name), " in ",
                                  xla::ToString(constraint.interval)));
  }
  if (empty_) domain.push_back("empty");
  if (!domain.empty()) {
    absl::StrAppend(&text, ", domain: ", absl::StrJoin(domain, ", "));
  }
  return text;
}

bool operator==(const IndexingMap& a, const IndexingMap& b) {
  auto equal = [](const IndexingMap::Variable& x,
                  const IndexingMap::Variable& y) {
    return x.kind == y.kind && x.range == y.range && x.source == y.source &&
           x.index == y.index;
  };
  return a.empty_ == b.empty_ &&
         absl::c_equal(a.variables_, b.variables_, equal) &&
         a.results_ == b.results_ && a.constraints_ == b.constraints_;
}

}  // namespace xla
