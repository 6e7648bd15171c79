// Implements order, values and text of expressions. index_space.cc simplifies.
#include "xla/hlo/indexing/index_expr.h"

#include "absl/strings/str_cat.h"
#include "xla/base/checked_math.h"

namespace xla {
namespace {

template <typename T>
int Order(const T& a, const T& b) {
  return a < b ? -1 : (b < a ? 1 : 0);
}

}  // namespace

IndexExpr IndexExpr::Constant(int64_t value) {
  IndexExpr e;
  e.constant_ = value;
  return e;
}

IndexExpr IndexExpr::Variable(int32_t variable) {
  Atom atom;
  atom.variable = variable;
  return OfAtom(std::move(atom));
}

IndexExpr IndexExpr::Unknown() {
  IndexExpr e;
  e.known_ = false;
  return e;
}

int IndexExpr::NodesOf(const Atom& atom) {
  return 1 + (atom.operand == nullptr ? 0 : atom.operand->nodes_);
}

IndexExpr IndexExpr::OfAtom(Atom atom) {
  IndexExpr e;
  e.nodes_ = NodesOf(atom);
  if (e.nodes_ > kMaxNodes) return Unknown();
  e.terms_.push_back({std::move(atom), 1});
  return e;
}

std::optional<int32_t> IndexExpr::variable() const {
  if (!known_ || constant_ != 0 || terms_.size() != 1) return std::nullopt;
  const Term& term = terms_[0];
  if (term.coefficient != 1 || term.atom.kind != Kind::kVariable) {
    return std::nullopt;
  }
  return term.atom.variable;
}

bool IndexExpr::HasQuotients() const {
  for (const Term& term : terms_) {
    if (term.atom.kind != Kind::kVariable) return true;
  }
  return false;
}

bool IndexExpr::DependsOn(int32_t variable) const {
  for (const Term& term : terms_) {
    if (term.atom.kind == Kind::kVariable
            ? term.atom.variable == variable
            : term.atom.operand->DependsOn(variable)) {
      return true;
    }
  }
  return false;
}

std::optional<int64_t> IndexExpr::Evaluate(
    absl::Span<const int64_t> values) const {
  if (!known_) return std::nullopt;
  int64_t sum = constant_;
  for (const Term& term : terms_) {
    std::optional<int64_t> value;
    if (term.atom.kind == Kind::kVariable) {
      value = values[term.atom.variable];
    } else {
      value = term.atom.operand->Evaluate(values);
      if (!value.has_value()) return std::nullopt;
      const int64_t quotient = FloorOfRatio(*value, term.atom.divisor);
      value = term.atom.kind == Kind::kFloorDiv
                  ? quotient
                  : *value - quotient * term.atom.divisor;
    }
    value = CheckedMultiply(*value, term.coefficient);
    if (value.has_value()) value = CheckedAdd(sum, *value);
    if (!value.has_value()) return std::nullopt;
    sum = *value;
  }
  return sum;
}

std::string IndexExpr::ToString(
    const std::function<std::string(int32_t)>& variable_name) const {
  if (!known_) return "unknown";
  std::string text;
  auto append = [&](bool negative, const std::string& part) {
    if (text.empty()) {
      absl::StrAppend(&text, negative ? "-" : "", part);
    } else {
      absl::StrAppend(&text, negative ? " - " : " + ", part);
    }
  };
  for (const Term& term : terms_) {
    const Atom& atom = term.atom;
    const uint64_t magnitude = term.coefficient < 0
                                   ? -static_cast<uint64_t>(term.coefficient)
                                   : static_cast<uint64_t>(term.coefficient);
    std::string part;
    if (atom.kind == Kind::kVariable) {
      part = variable_name(atom.variable);
    } else {
      std::string operand = atom.operand->ToString(variable_name);
      if (!atom.operand->variable().has_value()) {
        operand = absl::StrCat("(", operand, ")");
      }
      part = absl::StrCat(operand,
                          atom.kind == Kind::kMod ? " mod " : " floordiv ",
                          atom.divisor);
      if (magnitude != 1) part = absl::StrCat("(", part, ")");
    }
    if (magnitude != 1) absl::StrAppend(&part, " * ", magnitude);
    append(term.coefficient < 0, part);
  }
  if (constant_ != 0 || terms_.empty()) {
    const uint64_t magnitude = constant_ < 0 ? -static_cast<uint64_t>(constant_)
                                             : static_cast<uint64_t>(constant_);
    append(constant_ < 0, absl::StrCat(magnitude));
  }
  return text;
}

int IndexExpr::Compare(const Atom& a, const Atom& b) {
  if (int order = Order(a.kind, b.kind)) return order;
  if (a.kind == Kind::kVariable) return Order(a.variable, b.variable);
  if (int order = Order(a.divisor, b.divisor)) return order;
  if (a.operand == b.operand) return 0;
  return Compare(*a.operand, *b.operand);
}

int IndexExpr::Compare(const IndexExpr& a, const IndexExpr& b) {
  if (int order = Order(a.known_, b.known_)) return order;
  if (int order = Order(a.terms_.size(), b.terms_.size())) return order;
  for (size_t i = 0; i < a.terms_.size(); ++i) {
    if (int order = Compare(a.terms_[i].atom, b.terms_[i].atom)) return order;
    if (int order = Order(a.terms_[i].coefficient, b.terms_[i].coefficient)) {
      return order;
    }
  }
  return Order(a.constant_, b.constant_);
}

}  // namespace xla
