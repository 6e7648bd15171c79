// Emits the expressions, constraints and runtime variables of indexing maps.
#include "xla/backends/cpu/codegen/elemental/map_terms.h"

#include <algorithm>
#include <optional>

#include "llvm/IR/Constants.h"
#include "xla/base/checked_math.h"
#include "xla/base/status_macros.h"
#include "xla/core/shape_util.h"

namespace xla::cpu {
namespace {

// The least multiple of `divisor` which, added to x, makes it nonnegative.
int64_t Lift(const AffineIndex& x, int64_t divisor) {
  if (x.min >= 0 || x.min < INT64_MIN / 2) return 0;
  return CeilOfRatio(-x.min, divisor) * divisor;
}

}  // namespace

MapTerms::MapTerms(ElementalEmitter& emitter, const HloInstruction& user,
                   const IndexingMap& map, const VectorIndex& index,
                   absl::Span<const AffineIndex> ranges)
    : emitter_(emitter),
      user_(user),
      map_(map),
      index_(index),
      ranges_(ranges),
      t_(emitter.b(), index.lanes) {}

const AffineIndex* MapTerms::Known(const IndexExpr& expr) const {
  for (const auto& [known, term] : known_) {
    if (known == expr) return &term;
  }
  return nullptr;
}

absl::StatusOr<AffineIndex> MapTerms::Runtime(
    const IndexingMap::Variable& variable) {
  const HloInstruction* source = user_.operand(variable.source);
  VectorIndex at{.lanes = index_.lanes};
  for (const IndexExpr& expr : variable.index) {
    TF_ASSIGN_OR_RETURN(AffineIndex term, Term(expr));
    at.terms.push_back(std::move(term));
  }
  if (std::all_of(at.terms.begin(), at.terms.end(),
                  [](const AffineIndex& term) { return term.uniform(); })) {
    at.lanes = 1;
  }
  if (at.terms.empty()) at.linear = t_.Constant(0);
  TF_ASSIGN_OR_RETURN(Element element, emitter_.Emit(source, std::move(at)));
  llvm::Value* value = IndexFromInteger(emitter_.b(), element.value,
                                        source->shape().element_type());
  return t_.Clamp(t_.FromValue(value, INT64_MIN, INT64_MAX),
                  variable.range.lower, variable.range.upper);
}

absl::StatusOr<AffineIndex> MapTerms::VariableTerm(int32_t variable) {
  if (variable < map_.dimension_count()) return index_.terms[variable];
  const IndexingMap::Variable& what = map_.variables()[variable];
  if (what.kind == IndexingMap::Kind::kRange) {
    return ranges_[map_.NumberOfItsKind(variable)];
  }
  TF_ASSIGN_OR_RETURN(AffineIndex term, Runtime(what));
  known_.push_back({IndexExpr::Variable(variable), term});
  return term;
}

AffineIndex MapTerms::Quotient(const AffineIndex& operand,
                               int64_t divisor) const {
  const int64_t lift = Lift(operand, divisor);
  return t_.Add(t_.Divide(t_.Add(operand, lift), divisor), -(lift / divisor));
}

AffineIndex MapTerms::Remainder(const AffineIndex& operand,
                                int64_t divisor) const {
  return t_.Remainder(t_.Add(operand, Lift(operand, divisor)), divisor);
}

absl::StatusOr<AffineIndex> MapTerms::AtomTerm(const IndexExpr::Atom& atom) {
  if (const AffineIndex* known = Known(IndexExpr::OfAtom(atom))) return *known;
  if (atom.kind == IndexExpr::Kind::kVariable) {
    return VariableTerm(atom.variable);
  }
  TF_ASSIGN_OR_RETURN(const AffineIndex operand, Term(*atom.operand));
  return atom.kind == IndexExpr::Kind::kFloorDiv
             ? Quotient(operand, atom.divisor)
             : Remainder(operand, atom.divisor);
}

absl::StatusOr<AffineIndex> MapTerms::Term(const IndexExpr& expr) {
  if (const AffineIndex* known = Known(expr)) return *known;
  // Constants are added last, as one number.
  AffineIndex constant = t_.Constant(expr.constant());
  std::optional<AffineIndex> sum;
  for (const IndexExpr::Term& term : expr.terms()) {
    TF_ASSIGN_OR_RETURN(AffineIndex atom, AtomTerm(term.atom));
    atom = t_.Multiply(atom, term.coefficient);
    if (atom.uniform() && llvm::isa<llvm::ConstantInt>(atom.base)) {
      constant = t_.Add(constant, atom);
    } else {
      sum = sum.has_value() ? t_.Add(*sum, atom) : atom;
    }
  }
  return sum.has_value() ? t_.Add(*sum, constant) : constant;
}

absl::StatusOr<llvm::Value*> MapTerms::Inside() {
  InsideTest test(emitter_.b(), index_.lanes);
  // Terms that are divided are bounded first.
  for (const bool divides : {false, true}) {
    for (const auto& [expr, interval] : map_.constraints()) {
      if (expr.HasQuotients() != divides) continue;
      TF_ASSIGN_OR_RETURN(const AffineIndex term, Term(expr));
      known_.push_back({expr, test.Require(term, interval)});
    }
  }
  return test.inside();
}

absl::Status MapTerms::AssumeInside() {
  for (const auto& [expr, interval] : map_.constraints()) {
    TF_ASSIGN_OR_RETURN(const AffineIndex term, Term(expr));
    known_.push_back({expr, t_.Within(term, interval)});
  }
  return absl::OkStatus();
}

absl::StatusOr<VectorIndex> MapTerms::Source(
    absl::Span<const int64_t> dimensions) {
  VectorIndex source{.lanes = index_.lanes};
  for (size_t d = 0; d < dimensions.size(); ++d) {
    TF_ASSIGN_OR_RETURN(AffineIndex term, Term(map_.results()[d]));
    if (!map_.constraints().empty()) {
      term = t_.Within(term, {0, dimensions[d] - 1});
    } else {
      term.min = std::max<int64_t>(term.min, 0);
      term.max = std::min(term.max, dimensions[d] - 1);
    }
    source.terms.push_back(std::move(term));
  }
  if (source.terms.empty()) source.linear = t_.Constant(0);
  return source;
}

std::vector<AffineIndex> RangeTerms(absl::Span<llvm::Value* const> at,
                                    absl::Span<const int64_t> sizes) {
  std::vector<AffineIndex> terms;
  for (size_t i = 0; i < at.size(); ++i) {
    AffineIndex term{.base = at[i], .min = 0, .max = sizes[i] - 1};
    if (auto* known = llvm::dyn_cast<llvm::ConstantInt>(at[i])) {
      term.min = term.max = known->getSExtValue();
    }
    terms.push_back(term);
  }
  return terms;
}

}  // namespace xla::cpu
