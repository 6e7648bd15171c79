// Derives factors of dimensions from indexing maps: a dimension of an operand
// is a product of factors if its index is a number in a mixed radix whose
// digits are those of the result's indices.
#include "xla/hlo/ops/dimension_factors.h"

#include <algorithm>
#include <map>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "xla/base/checked_math.h"

namespace xla {
namespace {

using Dimension = DimensionFactors::Dimension;

// A variable of a map: dimension `number` of the result, or a range.
struct FactorVariable {
  bool is_range = false;
  int64_t number = 0;

  friend auto operator<=>(const FactorVariable&,
                          const FactorVariable&) = default;
};

// (variable floordiv low) mod (high / low).
struct Digit {
  FactorVariable variable;
  int64_t low = 1;
  int64_t high = 1;

  int64_t size() const { return high / low; }
};

// Returns the arrays of a value: itself, or the elements of a tuple.
std::vector<const Shape*> ArraysOf(const Shape& shape) {
  if (!shape.IsTuple()) return {&shape};
  std::vector<const Shape*> arrays;
  for (const Shape& part : shape.tuple_shapes()) arrays.push_back(&part);
  return arrays;
}

absl::Span<const int64_t> SizesOf(const Shape& shape) {
  return shape.IsArray() ? shape.dimensions() : absl::Span<const int64_t>();
}

std::optional<FactorVariable> VariableOf(const IndexingMap& map,
                                         int32_t variable) {
  const IndexingMap::Kind kind = map.variables()[variable].kind;
  if (kind == IndexingMap::Kind::kRuntime) return std::nullopt;
  return FactorVariable{kind == IndexingMap::Kind::kRange,
                        map.NumberOfItsKind(variable)};
}

std::optional<Digit> DigitOf(const IndexingMap& map,
                             const IndexExpr::Atom& atom) {
  if (atom.kind == IndexExpr::Kind::kVariable) {
    const auto variable = VariableOf(map, atom.variable);
    const Interval& range = map.variables()[atom.variable].range;
    if (!variable.has_value() || range.lower != 0) return std::nullopt;
    return Digit{*variable, 1, range.upper + 1};
  }
  const IndexExpr& operand = *atom.operand;
  if (!operand.known() || operand.constant() != 0 ||
      operand.terms().size() != 1 || operand.terms()[0].coefficient != 1) {
    return std::nullopt;
  }
  std::optional<Digit> digit = DigitOf(map, operand.terms()[0].atom);
  if (!digit.has_value() || digit->size() % atom.divisor != 0) {
    return std::nullopt;
  }
  if (atom.kind == IndexExpr::Kind::kFloorDiv) {
    digit->low *= atom.divisor;
  } else {
    digit->high = digit->low * atom.divisor;
  }
  return digit;
}

// Returns the digits, the major one first, that index a dimension of `size`
// elements and take each position once; nullopt if `index` is no such number.
std::optional<std::vector<Digit>> DigitsOf(const IndexingMap& map,
                                           const IndexExpr& index,
                                           int64_t size) {
  if (!index.known() || index.constant() != 0) return std::nullopt;
  std::vector<IndexExpr::Term> terms(index.terms().begin(),
                                     index.terms().end());
  absl::c_sort(terms, [](const IndexExpr::Term& a, const IndexExpr::Term& b) {
    return a.coefficient < b.coefficient;
  });
  std::vector<Digit> digits;
  int64_t product = 1;
  for (const IndexExpr::Term& term : terms) {
    const std::optional<Digit> digit = DigitOf(map, term.atom);
    if (!digit.has_value() || term.coefficient != product) return std::nullopt;
    digits.push_back(*digit);
    const auto next = CheckedMultiply(product, digit->size());
    if (!next.has_value()) return std::nullopt;
    product = *next;
  }
  if (product != size) return std::nullopt;
  std::reverse(digits.begin(), digits.end());
  return digits;
}

// An operand that is read at `index` of the variables of `map`.
struct Access {
  int64_t operand;
  const IndexingMap* map;
  absl::Span<const IndexExpr> index;
};

// All elements that are read, including those that are runtime variables.
std::vector<Access> AccessesOf(const OpIndexing& indexing) {
  std::vector<Access> accesses;
  for (const OperandIndexing& read : indexing.reads) {
    accesses.push_back({read.operand, &read.map, read.map.results()});
    for (const IndexingMap::Variable& variable : read.map.variables()) {
      if (variable.kind == IndexingMap::Kind::kRuntime) {
        accesses.push_back({variable.source, &read.map, variable.index});
      }
    }
  }
  return accesses;
}

class FactorFinder {
 public:
  FactorFinder(const FactorArgs& args, const OpIndexing& indexing)
      : args_(args), accesses_(AccessesOf(indexing)), indexing_(indexing) {}

  std::optional<DimensionFactors> Find() {
    const std::vector<const Shape*> results = ArraysOf(args_.result);
    const absl::Span<const int64_t> sizes = SizesOf(*results[0]);
    for (size_t d = 0; d < sizes.size(); ++d) {
      splits_[{false, static_cast<int64_t>(d)}].size = sizes[d];
    }
    for (const Access& access : accesses_) FindSplits(access);
    for (auto& [variable, split] : splits_) AddFactors(variable, split);
    DimensionFactors::Array result;
    for (size_t d = 0; d < sizes.size(); ++d) {
      result.push_back(splits_[{false, static_cast<int64_t>(d)}].factors);
    }
    found_.results.assign(results.size(), result);
    for (const OperandIndexing& read : indexing_.reads) MarkConstraints(read);
    for (const Shape* operand : args_.operands) {
      found_.operands.emplace_back(SizesOf(*operand).size());
    }
    seen_.resize(args_.operands.size());
    for (const Access& access : accesses_) {
      if (!AddAccess(access)) return std::nullopt;
    }
    AddUnread();
    return std::move(found_);
  }

 private:
  // A variable, and the positions where its digits begin and end.
  struct Split {
    int64_t size = 0;
    std::vector<int64_t> cuts;
    Dimension factors;  // in order, the major one first
  };

  static int64_t SizeOf(const IndexingMap& map, int32_t variable) {
    return map.variables()[variable].range.upper + 1;
  }

  absl::Span<const int64_t> Sizes(const Access& access) const {
    return SizesOf(args_.operand(access.operand));
  }

  void FindSplits(const Access& access) {
    for (size_t d = 0; d < access.index.size(); ++d) {
      const auto digits =
          DigitsOf(*access.map, access.index[d], Sizes(access)[d]);
      if (!digits.has_value()) continue;
      for (const Digit& digit : *digits) {
        Split& split = splits_[digit.variable];
        split.size = std::max(split.size, digit.high);
        split.cuts.push_back(digit.low);
        split.cuts.push_back(digit.high);
      }
    }
    // A digit may take only a part of its range.
    for (int32_t i = 0; i < access.map->space().size(); ++i) {
      const auto variable = VariableOf(*access.map, i);
      if (!variable.has_value()) continue;
      auto it = splits_.find(*variable);
      if (it == splits_.end()) continue;
      it->second.size = std::max(it->second.size, SizeOf(*access.map, i));
    }
  }

  void AddFactors(const FactorVariable& variable, Split& split) {
    std::vector<int64_t>& cuts = split.cuts;
    cuts.push_back(1);
    cuts.push_back(split.size);
    absl::c_sort(cuts);
    cuts.erase(std::unique(cuts.begin(), cuts.end()), cuts.end());
    bool divides = true;
    for (size_t i = 1; i < cuts.size(); ++i) {
      divides &= cuts[i - 1] > 0 && cuts[i] % cuts[i - 1] == 0;
    }
    // The digits overlap, so the variable is one factor, as in the result.
    if (!divides) cuts = {1, split.size};
    const FactorKind kind =
        variable.is_range ? FactorKind::kSummed : FactorKind::kPassedThrough;
    for (size_t i = cuts.size(); i-- > 1;) {
      const Dimension added = found_.Add(kind, cuts[i] / cuts[i - 1]);
      split.factors.insert(split.factors.end(), added.begin(), added.end());
    }
  }

  // Returns the factors of a digit; nullopt if the digits of its variable do
  // not nest.
  std::optional<Dimension> FactorsOf(const Digit& digit) const {
    const Split& split = splits_.at(digit.variable);
    if (split.size == 0) return split.factors;
    Dimension factors;
    int64_t low = split.size;
    for (int32_t factor : split.factors) {
      const int64_t high = low;
      low /= found_.factors[factor].size;
      if (high <= digit.high && low >= digit.low) factors.push_back(factor);
    }
    int64_t product = 1;
    for (int32_t factor : factors) product *= found_.factors[factor].size;
    if (product != digit.size()) return std::nullopt;
    return factors;
  }

  std::optional<Dimension> FactorsOf(const Access& access, size_t d) const {
    const auto digits =
        DigitsOf(*access.map, access.index[d], Sizes(access)[d]);
    if (!digits.has_value()) return std::nullopt;
    Dimension all;
    for (const Digit& digit : *digits) {
      const std::optional<Dimension> factors = FactorsOf(digit);
      if (!factors.has_value()) return std::nullopt;
      all.insert(all.end(), factors->begin(), factors->end());
    }
    return all;
  }

  void Raise(const Dimension& factors, FactorKind kind) {
    for (int32_t factor : factors) {
      FactorKind& known = found_.factors[factor].kind;
      known = std::max(known, kind);
    }
  }

  // `expr` gives positions of elements other than by digits. Returns the factor
  // of the result along which elements move, if there is exactly one.
  std::optional<Dimension> MarkMoved(const IndexingMap& map,
                                     const IndexExpr& expr) {
    bool at_runtime = !expr.known();
    std::vector<FactorVariable> dimensions;
    for (int32_t i = 0; i < map.space().size(); ++i) {
      if (expr.known() && !expr.DependsOn(i)) continue;
      const auto variable = VariableOf(map, i);
      if (!variable.has_value()) {
        at_runtime = true;
      } else if (variable->is_range) {
        auto it = splits_.find(*variable);
        if (it != splits_.end()) Raise(it->second.factors, FactorKind::kWhole);
      } else {
        dimensions.push_back(*variable);
      }
    }
    const bool along_one = !at_runtime && dimensions.size() == 1;
    for (const FactorVariable& variable : dimensions) {
      Raise(splits_[variable].factors,
            along_one ? FactorKind::kPermuted : FactorKind::kWhole);
    }
    if (!along_one || splits_[dimensions[0]].factors.size() != 1) {
      return std::nullopt;
    }
    return splits_[dimensions[0]].factors;
  }

  void MarkConstraints(const OperandIndexing& read) {
    for (const IndexingMap::Constraint& constraint : read.map.constraints()) {
      MarkMoved(read.map, constraint.expr);
    }
  }

  Dimension AddDimension(const Access& access, size_t d) {
    if (auto factors = FactorsOf(access, d); factors.has_value()) {
      return *factors;
    }
    const int64_t size = Sizes(access)[d];
    const auto moved = MarkMoved(*access.map, access.index[d]);
    if (size == 1) return {};
    return moved.has_value() ? *moved : found_.Add(FactorKind::kWhole, size);
  }

  // Returns false if the operand is read in two ways that do not agree.
  bool AddAccess(const Access& access) {
    std::vector<IndexExpr>& seen = seen_[access.operand].emplace_back(
        access.index.begin(), access.index.end());
    DimensionFactors::Array& array = found_.operands[access.operand];
    if (seen_[access.operand].size() == 1) {
      for (size_t d = 0; d < access.index.size(); ++d) {
        array[d] = AddDimension(access, d);
      }
      return true;
    }
    const std::vector<IndexExpr>& first = seen_[access.operand][0];
    for (size_t d = 0; d < seen.size(); ++d) {
      const bool constants =
          seen[d].terms().empty() && first[d].terms().empty();
      if (!constants && !(seen[d] == first[d])) return false;
    }
    return true;
  }

  // Operands of which nothing is read.
  void AddUnread() {
    for (size_t i = 0; i < args_.operands.size(); ++i) {
      if (!seen_[i].empty()) continue;
      const absl::Span<const int64_t> sizes = SizesOf(args_.operand(i));
      for (size_t d = 0; d < sizes.size(); ++d) {
        found_.operands[i][d] = found_.Add(FactorKind::kWhole, sizes[d]);
      }
    }
  }

  const FactorArgs& args_;
  const std::vector<Access> accesses_;
  const OpIndexing& indexing_;
  std::map<FactorVariable, Split> splits_;
  // The indices at which operands are read.
  std::vector<std::vector<std::vector<IndexExpr>>> seen_;
  DimensionFactors found_;
};

std::string FactorName(int32_t factor) {
  constexpr int32_t kLetters = 'z' - 'i' + 1;
  if (factor < kLetters) return std::string(1, static_cast<char>('i' + factor));
  return absl::StrCat("z_", factor - kLetters + 1);
}

void AppendArrays(absl::Span<const DimensionFactors::Array> arrays,
                  std::string& text) {
  auto dimension = [](std::string* out, const Dimension& factors) {
    for (int32_t factor : factors) absl::StrAppend(out, FactorName(factor));
    if (factors.empty()) absl::StrAppend(out, "1");
  };
  auto array = [&](std::string* out, const DimensionFactors::Array& a) {
    absl::StrAppend(out, "[", absl::StrJoin(a, ", ", dimension), "]");
  };
  absl::StrAppend(&text, "(", absl::StrJoin(arrays, ", ", array), ")");
}

}  // namespace

Dimension DimensionFactors::Add(FactorKind kind, int64_t size) {
  if (size == 1) return {};
  factors.push_back({kind, size});
  return {static_cast<int32_t>(factors.size()) - 1};
}

int64_t DimensionFactors::DimensionOf(const Array& array, int32_t factor) {
  const auto found = std::find(array.begin(), array.end(), Dimension{factor});
  return found == array.end() ? -1 : found - array.begin();
}

bool DimensionFactors::IsOfKind(const Dimension& dimension,
                                FactorKind kind) const {
  return absl::c_all_of(
      dimension, [&](int32_t factor) { return factors[factor].kind == kind; });
}

std::string DimensionFactors::ToString() const {
  std::string text;
  AppendArrays(operands, text);
  absl::StrAppend(&text, "->");
  AppendArrays(results, text);
  std::vector<std::string> sizes;
  std::vector<std::string> of_kind[4];
  for (size_t i = 0; i < factors.size(); ++i) {
    const std::string name = FactorName(static_cast<int32_t>(i));
    sizes.push_back(absl::StrCat(name, "=", factors[i].size));
    of_kind[static_cast<int>(factors[i].kind)].push_back(name);
  }
  absl::StrAppend(&text, " {", absl::StrJoin(sizes, ", "), "}");
  for (const auto& [kind, name] : {std::pair(FactorKind::kSummed, "summed"),
                                   std::pair(FactorKind::kPermuted, "permuted"),
                                   std::pair(FactorKind::kWhole, "whole")}) {
    const std::vector<std::string>& names = of_kind[static_cast<int>(kind)];
    if (names.empty()) continue;
    absl::StrAppend(&text, " ", name, "={", absl::StrJoin(names, ", "), "}");
  }
  return text;
}

std::optional<DimensionFactors> FactorsOfIndexing(const FactorArgs& args,
                                                  const OpIndexing& indexing) {
  return FactorFinder(args, indexing).Find();
}

DimensionFactors CommonFactors(const FactorArgs& args,
                               absl::FunctionRef<FactorKind(int64_t)> kind) {
  DimensionFactors found;
  const std::vector<const Shape*> results = ArraysOf(args.result);
  const absl::Span<const int64_t> sizes = SizesOf(*results[0]);
  DimensionFactors::Array common;
  for (size_t d = 0; d < sizes.size(); ++d) {
    common.push_back(found.Add(kind(static_cast<int64_t>(d)), sizes[d]));
  }
  auto add = [&](const Shape& shape, std::vector<DimensionFactors::Array>& to) {
    DimensionFactors::Array& array = to.emplace_back();
    const absl::Span<const int64_t> own = SizesOf(shape);
    for (size_t d = 0; d < own.size(); ++d) {
      array.push_back(d < sizes.size() && own[d] == sizes[d]
                          ? common[d]
                          : found.Add(FactorKind::kWhole, own[d]));
    }
  };
  for (const Shape* operand : args.operands) add(*operand, found.operands);
  for (const Shape* result : results) add(*result, found.results);
  return found;
}

}  // namespace xla
