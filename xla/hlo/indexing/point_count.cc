// Enumerates the variables that share a constraint together; the counts of all
// others are multiplied.
#include "xla/hlo/indexing/point_count.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "absl/functional/function_ref.h"

namespace xla {
namespace {

// The most values that are enumerated for each set of variables.
constexpr double kMaxTried = 1 << 12;

double CountOf(const Interval& interval) {
  return interval.empty() ? 0
                          : static_cast<double>(interval.upper) -
                                static_cast<double>(interval.lower) + 1;
}

bool IsRuntime(const IndexingMap& map, int32_t variable) {
  return map.variables()[variable].kind == IndexingMap::Kind::kRuntime;
}

// Variables, and the constraints on only these.
struct LinkedVariables {
  std::vector<int32_t> variables;
  std::vector<const IndexingMap::Constraint*> constraints;
};

bool DependsOnAny(const IndexExpr& expr, absl::Span<const int32_t> variables) {
  return std::any_of(variables.begin(), variables.end(),
                     [&](int32_t v) { return expr.DependsOn(v); });
}

// Returns the dimensions and ranges in sets that are linked by constraints.
// Constraints on runtime variables are in no set.
std::vector<LinkedVariables> LinkedByConstraints(const IndexingMap& map) {
  std::vector<LinkedVariables> sets;
  for (int32_t i = 0; i < map.space().size(); ++i) {
    if (!IsRuntime(map, i)) sets.push_back({{i}, {}});
  }
  for (const IndexingMap::Constraint& constraint : map.constraints()) {
    bool at_runtime = !constraint.expr.known();
    for (int32_t i = 0; i < map.space().size() && !at_runtime; ++i) {
      at_runtime = IsRuntime(map, i) && constraint.expr.DependsOn(i);
    }
    if (at_runtime) continue;
    LinkedVariables joined;
    for (auto it = sets.begin(); it != sets.end();) {
      if (!DependsOnAny(constraint.expr, it->variables)) {
        ++it;
        continue;
      }
      joined.variables.insert(joined.variables.end(), it->variables.begin(),
                              it->variables.end());
      joined.constraints.insert(joined.constraints.end(),
                                it->constraints.begin(), it->constraints.end());
      it = sets.erase(it);
    }
    joined.constraints.push_back(&constraint);
    sets.push_back(std::move(joined));
  }
  return sets;
}

// Calls visit(values) for all values of `variables`, others being at the start
// of their ranges; false, and no calls, if they are too many.
bool ForEachValue(const IndexingMap& map, absl::Span<const int32_t> variables,
                  absl::FunctionRef<void(absl::Span<const int64_t>)> visit) {
  double count = 1;
  std::vector<int64_t> values;
  for (const IndexingMap::Variable& variable : map.variables()) {
    values.push_back(variable.range.lower);
  }
  for (int32_t v : variables) count *= CountOf(map.variables()[v].range);
  if (count == 0 || count > kMaxTried) return count == 0;
  for (;;) {
    visit(values);
    size_t i = 0;
    for (; i < variables.size(); ++i) {
      const Interval& range = map.variables()[variables[i]].range;
      if (++values[variables[i]] <= range.upper) break;
      values[variables[i]] = range.lower;
    }
    if (i == variables.size()) return true;
  }
}

bool Holds(const LinkedVariables& set, absl::Span<const int64_t> values) {
  return std::all_of(set.constraints.begin(), set.constraints.end(),
                     [&](const IndexingMap::Constraint* constraint) {
                       const auto value = constraint->expr.Evaluate(values);
                       return value.has_value() &&
                              constraint->interval.Contains(*value);
                     });
}

// How many values of variable `v` in `range` leave the remainder that
// `constraint` asks for: those of v + c divided by n. Nullopt if it is of
// another form.
std::optional<double> CountRemainders(const IndexingMap::Constraint& constraint,
                                      int32_t v, const Interval& range) {
  const IndexExpr& expr = constraint.expr;
  if (expr.constant() != 0 || expr.terms().size() != 1 ||
      expr.terms()[0].coefficient != 1 || !constraint.interval.is_point()) {
    return std::nullopt;
  }
  const IndexExpr::Atom& atom = expr.terms()[0].atom;
  if (atom.kind != IndexExpr::Kind::kMod || atom.operand->terms().size() != 1 ||
      atom.operand->terms()[0].coefficient != 1 ||
      atom.operand->terms()[0].atom.kind != IndexExpr::Kind::kVariable ||
      atom.operand->terms()[0].atom.variable != v) {
    return std::nullopt;
  }
  if (range.empty()) return 0;
  // The multiples of n among the values without the remainder.
  const Interval values = range + Interval::Point(atom.operand->constant()) +
                          Interval::Point(-constraint.interval.lower);
  if (values.saturated()) return std::nullopt;
  const Interval quotients =
      FloorDivide(values + Interval{-1, 0}, atom.divisor);
  return static_cast<double>(quotients.upper) -
         static_cast<double>(quotients.lower);
}

// The same for one variable in intervals, which need not be tried, with at most
// one remainder.
std::optional<double> CountInIntervals(const IndexingMap& map,
                                       const LinkedVariables& set) {
  const int32_t v = set.variables[0];
  Interval range = map.variables()[v].range;
  const IndexingMap::Constraint* remainder = nullptr;
  for (const IndexingMap::Constraint* constraint : set.constraints) {
    if (constraint->expr.variable() == v) {
      range = range.Intersect(constraint->interval);
    } else if (remainder == nullptr) {
      remainder = constraint;
    } else {
      return std::nullopt;
    }
  }
  if (remainder == nullptr) return CountOf(range);
  return CountRemainders(*remainder, v, range);
}

double CountInside(const IndexingMap& map, const LinkedVariables& set) {
  double count = 1;
  for (int32_t v : set.variables) count *= CountOf(map.variables()[v].range);
  if (set.constraints.empty()) return count;
  // The values of one variable in an interval need not be enumerated.
  if (set.variables.size() == 1) {
    const std::optional<double> known = CountInIntervals(map, set);
    if (known.has_value()) return *known;
  }
  double inside = 0;
  const bool tried =
      ForEachValue(map, set.variables, [&](absl::Span<const int64_t> values) {
        inside += Holds(set, values) ? 1 : 0;
      });
  return tried ? inside : count;
}

// The same for a sum of multiples of variables that no constraint links.
// Starting with the least multiple, each one either fills the gaps of the next
// one or never reaches it, so no value occurs twice; nullopt if that does not
// hold for all.
std::optional<double> CountOfSum(const IndexingMap& map, const IndexExpr& index,
                                 const LinkedVariables& set) {
  if (index.HasQuotients() ||
      (set.variables.size() > 1 && !set.constraints.empty())) {
    return std::nullopt;
  }
  std::vector<std::pair<double, double>> terms;  // multiple, values
  for (const IndexExpr::Term& term : index.terms()) {
    const LinkedVariables of_term = {{term.atom.variable}, set.constraints};
    terms.emplace_back(std::abs(static_cast<double>(term.coefficient)),
                       CountInside(map, of_term));
  }
  std::sort(terms.begin(), terms.end());
  double reach = 0;
  double values = 1;
  bool dense = true;
  bool distinct = true;
  for (const auto& [multiple, count] : terms) {
    if (count == 0) return 0;
    dense &= multiple <= reach + 1;
    distinct &= multiple > reach;
    reach += multiple * (count - 1);
    values *= count;
  }
  if (dense) return reach + 1;
  return distinct ? std::optional<double>(values) : std::nullopt;
}

// Returns how many values an index takes where the constraints on its variables
// hold; nullopt if there are too many to enumerate.
std::optional<double> CountValues(const IndexingMap& map,
                                  const IndexExpr& index,
                                  absl::Span<const LinkedVariables> sets) {
  if (!index.known()) return std::nullopt;
  LinkedVariables set;
  for (const LinkedVariables& linked : sets) {
    if (!DependsOnAny(index, linked.variables)) continue;
    set.variables.insert(set.variables.end(), linked.variables.begin(),
                         linked.variables.end());
    set.constraints.insert(set.constraints.end(), linked.constraints.begin(),
                           linked.constraints.end());
  }
  for (int32_t i = 0; i < map.space().size(); ++i) {
    if (IsRuntime(map, i) && index.DependsOn(i)) return std::nullopt;
  }
  if (const auto count = CountOfSum(map, index, set); count.has_value()) {
    return count;
  }
  absl::flat_hash_set<int64_t> found;
  const bool tried =
      ForEachValue(map, set.variables, [&](absl::Span<const int64_t> values) {
        if (!Holds(set, values)) return;
        const auto value = index.Evaluate(values);
        if (value.has_value()) found.insert(*value);
      });
  if (!tried) return std::nullopt;
  return static_cast<double>(found.size());
}

}  // namespace

double CountPoints(const IndexingMap& map) {
  if (map.empty()) return 0;
  double count = 1;
  for (const LinkedVariables& set : LinkedByConstraints(map)) {
    count *= CountInside(map, set);
  }
  return count;
}

double CountElements(const IndexingMap& map, absl::Span<const int64_t> sizes) {
  if (map.empty()) return 0;
  const std::vector<LinkedVariables> sets = LinkedByConstraints(map);
  double elements = 1;
  for (size_t d = 0; d < sizes.size(); ++d) {
    const double all = static_cast<double>(sizes[d]);
    elements *=
        std::min(all, CountValues(map, map.results()[d], sets).value_or(all));
  }
  return std::min(elements, CountPoints(map));
}

}  // namespace xla
