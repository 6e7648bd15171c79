// Rules of tuple, get-tuple-element, get-dimension-size and tokens.
#include "xla/core/shape_util.h"
#include "xla/hlo/ops/movement/reshape.h"
#include "xla/hlo/transforms/algebra/rule.h"

namespace xla::algebra {
namespace {

// (x[0], x[1], ..) => x, with all elements of x
Result TupleOfElements(HloInstruction* hlo, RuleContext&) {
  HloInstruction* x = nullptr;
  for (int64_t i = 0; i < hlo->operand_count(); ++i) {
    HloInstruction* element = hlo->mutable_operand(i);
    if (!Is(element, HloOpcode::kGetTupleElement) ||
        element->tuple_index() != i) {
      return nullptr;
    }
    if (x == nullptr) x = Lhs(element);
    if (Lhs(element) != x) return nullptr;
  }
  return x;
}

// (x, y)[1] => y
Result ElementOfTuple(HloInstruction* hlo, RuleContext&) {
  return Arg(Lhs(hlo), HloOpcode::kTuple, hlo->tuple_index());
}

// get-dimension-size(x) => n, for a dimension of fixed size n
Result SizeOfStatic(HloInstruction* hlo, RuleContext& context) {
  const int64_t d = hlo->attrs<DimensionSizeAttrs>().dimensions[0];
  const Shape& shape = Lhs(hlo)->shape();
  if (!shape.IsArray() || shape.is_dynamic_dimension(d)) return nullptr;
  return context.Integer(TypeOf(hlo), shape.dimensions(d));
}

// after-all(t) => t
Result AfterOne(HloInstruction* hlo, RuleContext&) {
  return hlo->operand_count() == 1 ? Lhs(hlo) : nullptr;
}

// add-dependency(x, after-all()) => x
Result NoDependency(HloInstruction* hlo, RuleContext&) {
  if (!Is(Rhs(hlo), HloOpcode::kAfterAll) || Rhs(hlo)->operand_count() != 0 ||
      Rhs(hlo)->HasControlDependencies()) {
    return nullptr;
  }
  return Lhs(hlo);
}

constexpr Rule kTuple[] = {TupleOfElements};
constexpr Rule kGetTupleElement[] = {ElementOfTuple};
constexpr Rule kGetDimensionSize[] = {SizeOfStatic};
constexpr Rule kAfterAll[] = {AfterOne};
constexpr Rule kAddDependency[] = {NoDependency};

}  // namespace

Rules TupleRules() { return kTuple; }
Rules GetTupleElementRules() { return kGetTupleElement; }
Rules GetDimensionSizeRules() { return kGetDimensionSize; }
Rules AfterAllRules() { return kAfterAll; }
Rules AddDependencyRules() { return kAddDependency; }

}  // namespace xla::algebra
