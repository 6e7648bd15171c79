// One function for each kind of op.
#include "xla/hlo/builder/inference/value_finder.h"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/container/flat_hash_set.h"
#include "xla/core/layout_util.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/attrs/field_types.h"
#include "xla/hlo/ir/hlo_computation.h"
#include "xla/hlo/ir/infer_instruction.h"
#include "xla/hlo/ops/control_flow.h"
#include "xla/hlo/ops/elementwise/elementwise_binary.h"
#include "xla/hlo/ops/movement/movement.h"
#include "xla/hlo/ops/movement/reshape.h"
#include "xla/hlo/ops/reduction/reduction.h"

namespace xla {
namespace {

// The most elements of an array that is inferred, and the deepest nesting of
// calls: they bound memory and recursion.
constexpr int64_t kMaxElements = 1000 * 1000;
constexpr int kMaxDepth = 32;
// The most elements of an array whose elements are known as sums.
constexpr int64_t kMaxSums = 32;
// The cost of visiting an op, in elements, against the budget.
constexpr int64_t kOpCost = 128;

const KnownArray* Known(const KnownValue& value) {
  return value.array.has_value() ? &*value.array : nullptr;
}

const Literal* Constant(const KnownValue& value) {
  return value.array.has_value() ? value.array->constant.get() : nullptr;
}

bool AreConstants(absl::Span<const KnownValue* const> values) {
  return absl::c_all_of(values, [](const KnownValue* value) {
    return Constant(*value) != nullptr;
  });
}

// The places of elements depend on sizes, which must hence be known.
template <typename Instructions>
bool AreStaticArrays(const Instructions& instructions) {
  return absl::c_all_of(instructions, [](const HloInstruction* hlo) {
    return hlo->shape().IsArray() && hlo->shape().is_static();
  });
}

MaybeArray AsConstant(Literal literal) {
  KnownArray array;
  array.constant = std::make_shared<const Literal>(std::move(literal));
  return array;
}

std::vector<KnownElement> ElementsOf(const Literal& literal) {
  const MaybeArray array = AsConstant(literal.Clone());
  return ElementsOf(&*array, literal.shape());
}

Literal InDefaultLayout(const Literal& literal) {
  return literal.Relayout(
      LayoutUtil::GetDefaultLayoutForShape(literal.shape()));
}

// Returns a literal as a known value.
KnownValue ValueOf(Literal literal) {
  KnownValue value;
  if (literal.shape().IsTuple()) {
    for (Literal& part : literal.DecomposeTuple()) {
      value.parts.push_back(ValueOf(std::move(part)));
    }
  } else if (literal.shape().IsArray()) {
    value.array = AsConstant(InDefaultLayout(literal));
  }
  return value;
}

MaybeArray OrNothing(absl::StatusOr<KnownArray> array) {
  if (!array.ok()) return std::nullopt;
  return *std::move(array);
}

// Returns `root` and the ops that its value follows from, operands first. The
// size of a dimension follows from a shape alone.
std::vector<const HloInstruction*> OpsBehind(const HloInstruction* root) {
  std::vector<const HloInstruction*> order;
  absl::flat_hash_set<const HloInstruction*> entered, done;
  std::vector<const HloInstruction*> pending = {root};
  while (!pending.empty()) {
    const HloInstruction* next = pending.back();
    if (entered.insert(next).second) {
      if (next->opcode() == HloOpcode::kGetDimensionSize) continue;
      pending.insert(pending.end(), next->operands().begin(),
                     next->operands().end());
      continue;
    }
    pending.pop_back();
    if (done.insert(next).second) order.push_back(next);
  }
  return order;
}

// Returns the size of a dimension, which is known up to its bound.
MaybeArray DimensionSize(const HloInstruction& hlo) {
  const int64_t d = hlo.attrs<DimensionSizeAttrs>().dimensions[0];
  const Shape& shape = hlo.operand(0)->shape();
  const int64_t bound = shape.dimensions(d);
  if (bound == Shape::kUnboundedSize) return std::nullopt;
  KnownElement size = KnownElement::Constant(bound);
  if (shape.is_dynamic_dimension(d)) {
    size.bounds.low = 0;
    size.dynamic = true;
  }
  return OrNothing(ArrayOf({size}, hlo.shape()));
}

// Returns true for cheap ops without state, which are worth evaluating.
bool IsSimple(const HloInstruction& hlo) {
  return hlo.opcode() == HloOpcode::kSort || hlo.IsElementwiseOp() ||
         hlo.def().reduces || hlo.opcode() == HloOpcode::kScatter ||
         MovesElements(hlo.opcode());
}

// Returns true if the function ends for all arguments, whatever is among them.
bool IsPlain(const HloComputation& function) {
  return absl::c_all_of(function.instructions(), [](const auto& hlo) {
    return hlo->IsElementwiseOp() || hlo->opcode() == HloOpcode::kParameter ||
           hlo->opcode() == HloOpcode::kConstant ||
           hlo->opcode() == HloOpcode::kTuple ||
           hlo->opcode() == HloOpcode::kGetTupleElement;
  });
}

// Returns, for each element of an array, the number of the element of the
// result that it is reduced to.
std::vector<int64_t> ReductionTargets(const Shape& shape,
                                      absl::Span<const int64_t> reduced) {
  std::vector<int64_t> targets;
  if (!shape.is_static()) return targets;
  const int64_t count = ShapeUtil::ElementsIn(shape);
  if (count > kMaxElements) return targets;
  targets.reserve(count);
  std::vector<int64_t> index(shape.rank(), 0);
  for (int64_t e = 0; e < count; ++e) {
    int64_t to = 0;
    for (int64_t d = 0; d < shape.rank(); ++d) {
      if (absl::c_linear_search(reduced, d)) continue;
      to = to * shape.dimensions(d) + index[d];
    }
    targets.push_back(to);
    for (int64_t d = shape.rank() - 1; d >= 0; --d) {
      if (++index[d] < shape.dimensions(d)) break;
      index[d] = 0;
    }
  }
  return targets;
}

// Returns what a custom call "SetBound" promises of its operand: its literal,
// or the first of a pair, has the upper bounds, and the second one says where
// they are only bounds, not the values.
MaybeArray SetBounds(const HloInstruction& hlo, const KnownArray* operand) {
  const Shape& shape = hlo.shape();
  const SharedLiteral& literal = hlo.attrs<CustomCallAttrs>().literal;
  if (literal.value == nullptr) return std::nullopt;
  const KnownValue promise = ValueOf(literal.value->Clone());
  const bool is_pair = promise.parts.size() == 2;
  const Literal* bounds = Constant(is_pair ? promise.parts[0] : promise);
  const Literal* dynamic = is_pair ? Constant(promise.parts[1]) : nullptr;
  if (bounds == nullptr || !ShapeUtil::Compatible(bounds->shape(), shape) ||
      (is_pair &&
       (dynamic == nullptr || dynamic->shape().element_type() != PRED ||
        !ShapeUtil::SameDimensions(dynamic->shape(), shape)))) {
    return std::nullopt;
  }
  std::vector<KnownElement> elements = ElementsOf(*bounds);
  const std::vector<KnownElement> known = ElementsOf(operand, shape);
  for (size_t e = 0; e < elements.size(); ++e) {
    if (dynamic != nullptr && !dynamic->data<bool>()[e]) continue;
    KnownElement& element = elements[e];
    element.dynamic = true;
    element.unbounded = !IsCounted(shape.element_type());
    if (element.unbounded) continue;
    // The promise has no lower bound.
    element.bounds.low = RangeOf(shape.element_type()).low;
    if (!known[e].unbounded && known[e].bounds.low <= element.bounds.high) {
      element.bounds.low = known[e].bounds.low;
    }
  }
  return OrNothing(ArrayOf(std::move(elements), bounds->Clone()));
}

// Returns the op that combines two elements; nullopt if it is not a single op.
std::optional<HloOpcode> ReducerOf(const HloComputation& function) {
  const HloInstruction& root = *function.root_instruction();
  if (root.operand_count() != 2 || function.num_parameters() != 2 ||
      root.operand(0) == root.operand(1) ||
      root.operand(0)->opcode() != HloOpcode::kParameter ||
      root.operand(1)->opcode() != HloOpcode::kParameter) {
    return std::nullopt;
  }
  switch (root.opcode()) {
    case HloOpcode::kAdd:
    case HloOpcode::kAnd:
    case HloOpcode::kMaximum:
    case HloOpcode::kMinimum:
    case HloOpcode::kMultiply:
    case HloOpcode::kOr:
      return root.opcode();
    default:
      return std::nullopt;
  }
}

// Applies the op to two elements. A result that may wrap around is unknown.
KnownElement Combined(HloOpcode opcode, PrimitiveType type,
                      const KnownElement& a, const KnownElement& b) {
  KnownElement result;
  if (a.unbounded || b.unbounded) return result;
  const auto bounds =
      BoundsOf(opcode, type, {a.bounds, b.bounds}, ComparisonDirection::kEq);
  if (!bounds.has_value()) return result;
  result.bounds = *bounds;
  result.unbounded = false;
  result.dynamic = a.dynamic || b.dynamic;
  return result;
}

// Keeps what is constant and the same in both.
KnownValue Common(const KnownValue& a, const KnownValue& b,
                  const Shape& shape) {
  KnownValue result;
  if (shape.IsTuple()) {
    const size_t count = shape.tuple_shapes_size();
    if (a.parts.size() != count || b.parts.size() != count) return result;
    for (size_t i = 0; i < count; ++i) {
      result.parts.push_back(
          Common(a.parts[i], b.parts[i], shape.tuple_shapes(i)));
    }
    return result;
  }
  if (!shape.IsArray() || !a.array.has_value() || !b.array.has_value()) {
    return result;
  }
  if (!IsCounted(shape.element_type())) {
    const Literal* constant = Constant(a);
    if (constant != nullptr && Constant(b) != nullptr &&
        *constant == *Constant(b)) {
      result = a;
    }
    return result;
  }
  std::vector<KnownElement> elements = ElementsOf(Known(a), shape);
  const std::vector<KnownElement> others = ElementsOf(Known(b), shape);
  for (size_t i = 0; i < elements.size(); ++i) {
    if (elements[i].dynamic || others[i].dynamic ||
        elements[i].bounds.low != others[i].bounds.low) {
      elements[i] = KnownElement();
    }
  }
  result.array = OrNothing(ArrayOf(std::move(elements), shape));
  return result;
}

}  // namespace

bool ValueFinder::Affords(const Shape& shape) {
  if (!shape.IsArray() || !shape.is_static()) return false;
  int64_t count = 1;
  for (int64_t size : shape.dimensions()) {
    if (size > kMaxElements) return false;
    count *= size;
    if (count > kMaxElements) return false;
  }
  budget_ -= count;
  return budget_ >= 0;
}

bool ValueFinder::AffordsAll(const Shape& shape) {
  return shape.IsTuple() ? absl::c_all_of(shape.tuple_shapes(),
                                          [this](const Shape& part) {
                                            return AffordsAll(part);
                                          })
                         : Affords(shape);
}

bool ValueFinder::HasSums(const Shape& shape) {
  return shape.IsArrayExcludingBuffer() && shape.IsInteger() &&
         shape.is_static() && ShapeUtil::ElementsIn(shape) <= kMaxSums;
}

void ValueFinder::AddSums(const Shape& shape, KnownValue& value) {
  if (!HasSums(shape) || Constant(value) != nullptr) return;
  std::vector<KnownElement> elements = ElementsOf(Known(value), shape);
  for (KnownElement& element : elements) {
    if (!element.dynamic || element.sum != 0) continue;
    element.sum = sums_.AddUnknown(
        element.unbounded ? std::nullopt : std::optional(element.bounds));
  }
  value.array = OrNothing(ArrayOf(std::move(elements), shape));
}

KnownValue ValueFinder::Find(const HloInstruction* root,
                             absl::Span<const KnownValue> arguments) {
  absl::flat_hash_map<const HloInstruction*, KnownValue> values;
  // The size of each dimension that was asked for is one number.
  absl::flat_hash_map<std::pair<const HloInstruction*, int64_t>, KnownValue>
      sizes;
  for (const HloInstruction* hlo : OpsBehind(root)) {
    budget_ -= kOpCost;
    if (budget_ < 0) return {};
    if (hlo->opcode() == HloOpcode::kParameter) {
      const int64_t number = hlo->parameter_number();
      values[hlo] = number < static_cast<int64_t>(arguments.size())
                        ? arguments[number]
                        : KnownValue();
      AddSums(hlo->shape(), values[hlo]);
      continue;
    }
    std::vector<const KnownValue*> operands;
    if (hlo->opcode() == HloOpcode::kGetDimensionSize) {
      KnownValue& size = sizes[{
          hlo->operand(0), hlo->attrs<DimensionSizeAttrs>().dimensions[0]}];
      if (!size.array.has_value()) {
        size = FindOp(*hlo, operands);
        AddSums(hlo->shape(), size);
      }
      values[hlo] = size;
      continue;
    }
    for (const HloInstruction* operand : hlo->operands()) {
      operands.push_back(&values.at(operand));
    }
    KnownValue value = FindOp(*hlo, operands);
    AddSums(hlo->shape(), value);
    values[hlo] = std::move(value);
  }
  return std::move(values.at(root));
}

KnownValue ValueFinder::FindOp(const HloInstruction& hlo, Operands operands) {
  KnownValue value;
  switch (hlo.opcode()) {
    case HloOpcode::kTuple:
      for (const KnownValue* operand : operands) {
        value.parts.push_back(*operand);
      }
      return value;
    case HloOpcode::kGetTupleElement:
      if (operands[0]->parts.empty()) return value;
      return operands[0]->parts[hlo.tuple_index()];
    case HloOpcode::kOptimizationBarrier:
      return *operands[0];
    case HloOpcode::kCall:
      return FindCall(hlo, operands);
    case HloOpcode::kConditional:
      return FindConditional(hlo, operands);
    case HloOpcode::kConstant:
      return hlo.shape().IsTuple() && AffordsAll(hlo.shape())
                 ? ValueOf(hlo.literal().Clone())
                 : FindIfAffordable(hlo, operands);
    case HloOpcode::kReduce:
      if (AffordsAll(hlo.shape()) && AreStaticArrays(hlo.operands())) {
        return Reduce(hlo, operands);
      }
      return value;
    case HloOpcode::kSort:
      if (hlo.shape().IsTuple()) {
        if (AffordsAll(hlo.shape()) && AreStaticArrays(hlo.operands()) &&
            AreConstants(operands)) {
          if (auto literal = Evaluate(hlo, operands)) {
            return ValueOf(*std::move(literal));
          }
        }
        for (size_t i = 0; i < operands.size(); ++i) {
          value.parts.emplace_back().array =
              Sort(Known(*operands[i]), hlo.shape().tuple_shapes(i));
        }
        return value;
      }
      break;
    default:
      break;
  }
  return FindIfAffordable(hlo, operands);
}

KnownValue ValueFinder::FindIfAffordable(const HloInstruction& hlo,
                                         Operands operands) {
  KnownValue value;
  if (Affords(hlo.shape())) value.array = FindArray(hlo, operands);
  return value;
}

MaybeArray ValueFinder::FindArray(const HloInstruction& hlo,
                                  Operands operands) {
  if (hlo.opcode() != HloOpcode::kGetDimensionSize &&
      !AreStaticArrays(hlo.operands())) {
    return std::nullopt;
  }
  switch (hlo.opcode()) {
    case HloOpcode::kConstant:
      return AsConstant(hlo.literal().Relayout(
          LayoutUtil::GetDefaultLayoutForShape(hlo.shape())));
    case HloOpcode::kGetDimensionSize:
      return DimensionSize(hlo);
    default:
      break;
  }
  if (hlo.opcode() == HloOpcode::kCustomCall) return Custom(hlo, operands);
  if (AreConstants(operands)) {
    const std::optional<Literal> literal = Evaluate(hlo, operands);
    if (!literal.has_value()) return std::nullopt;
    return AsConstant(InDefaultLayout(*literal));
  }
  if (MovesElements(hlo.opcode())) return Move(hlo, operands);
  switch (hlo.opcode()) {
    case HloOpcode::kSelect:
      return Select(hlo, operands);
    case HloOpcode::kSort:
      return Sort(Known(*operands[0]), hlo.shape());
    default:
      return Elementwise(hlo, operands);
  }
}

MaybeArray ValueFinder::Custom(const HloInstruction& hlo, Operands operands) {
  // Both return their operand.
  const std::string& target = hlo.attrs<CustomCallAttrs>().custom_call_target;
  if (operands.size() != 1 ||
      !ShapeUtil::Compatible(hlo.shape(), hlo.operand(0)->shape())) {
    return std::nullopt;
  }
  if (target == "SetBound") return SetBounds(hlo, Known(*operands[0]));
  return target == "Sharding" ? operands[0]->array : std::nullopt;
}

KnownValue ValueFinder::FindCall(const HloInstruction& hlo, Operands operands) {
  if (depth_ >= kMaxDepth) return {};
  std::vector<KnownValue> arguments;
  for (const KnownValue* operand : operands) arguments.push_back(*operand);
  ++depth_;
  KnownValue value =
      Find(hlo.called_computations()[0]->root_instruction(), arguments);
  --depth_;
  return value;
}

KnownValue ValueFinder::FindConditional(const HloInstruction& hlo,
                                        Operands operands) {
  const int64_t count = hlo.called_computations().size();
  if (depth_ >= kMaxDepth || count == 0) return {};
  const auto branch = [&](int64_t i) {
    ++depth_;
    KnownValue value = Find(hlo.called_computations()[i]->root_instruction(),
                            {operands[i + 1], 1});
    --depth_;
    return value;
  };
  if (const Literal* index = Constant(*operands[0])) {
    if (index->shape().element_type() == PRED) {
      return branch(index->Get<bool>({}) ? 0 : 1);
    }
    const int64_t i = index->GetFirstInteger().value_or(0);
    return branch(i < 0 || i >= count ? count - 1 : i);
  }
  KnownValue value = branch(0);
  for (int64_t i = 1; i < count; ++i) {
    value = Common(value, branch(i), hlo.shape());
  }
  // Bounds from one branch do not hold for the others.
  return count == 1 ? Common(value, value, hlo.shape()) : value;
}

std::optional<Literal> ValueFinder::Evaluate(const HloInstruction& hlo,
                                             Operands operands) {
  if (!IsSimple(hlo)) return std::nullopt;
  absl::flat_hash_map<const HloInstruction*, const LiteralBase*> constants;
  for (size_t i = 0; i < operands.size(); ++i) {
    constants[hlo.operand(i)] = Constant(*operands[i]);
  }
  absl::StatusOr<Literal> literal =
      evaluator_.EvaluateWithSubstitutions(&hlo, constants);
  if (!literal.ok()) return std::nullopt;
  return *std::move(literal);
}

std::optional<Literal> ValueFinder::EvaluateKnown(const HloInstruction& hlo,
                                                  Operands operands) {
  std::vector<KnownValue> values(operands.size());
  std::vector<const KnownValue*> pointers;
  for (size_t i = 0; i < operands.size(); ++i) {
    absl::StatusOr<Literal> value =
        PartOf(*operands[i], hlo.operand(i)->shape(), ElementPart::kLow);
    if (!value.ok()) return std::nullopt;
    values[i].array = AsConstant(*std::move(value));
    pointers.push_back(&values[i]);
  }
  return Evaluate(hlo, pointers);
}

MaybeArray ValueFinder::Elementwise(const HloInstruction& hlo,
                                    Operands operands) {
  if (!hlo.IsElementwiseOp()) return std::nullopt;
  std::vector<std::vector<KnownElement>> inputs;
  bool counted = true;
  for (size_t i = 0; i < operands.size(); ++i) {
    // If nothing is known of an operand, nothing is of the result.
    const KnownArray* known = Known(*operands[i]);
    if (known == nullptr) return std::nullopt;
    const Shape& shape = hlo.operand(i)->shape();
    counted = counted && IsCounted(shape.element_type());
    inputs.push_back(ElementsOf(known, shape));
  }
  std::vector<KnownElement> elements(ShapeUtil::ElementsIn(hlo.shape()));
  for (const auto& input : inputs) {
    if (input.size() != 1 && input.size() != elements.size()) {
      return std::nullopt;
    }
  }
  const bool has_bounds = counted && IsCounted(hlo.shape().element_type());
  std::vector<KnownElement> element_inputs(inputs.size());
  bool all_dynamic = true;
  for (size_t e = 0; e < elements.size(); ++e) {
    bool dynamic = false;
    for (size_t i = 0; i < inputs.size(); ++i) {
      // The bounds of a clamp may be scalars beside an array.
      element_inputs[i] = inputs[i][inputs[i].size() == 1 ? 0 : e];
      dynamic = dynamic || element_inputs[i].dynamic;
    }
    if (dynamic && has_bounds) elements[e] = Bounded(hlo, element_inputs);
    if (!dynamic) elements[e].dynamic = false;
    all_dynamic = all_dynamic && dynamic;
  }
  if (all_dynamic) {
    return has_bounds ? OrNothing(ArrayOf(std::move(elements), hlo.shape()))
                      : std::nullopt;
  }
  // The result is right where all inputs are constants and meaningless
  // elsewhere.
  std::optional<Literal> exact = EvaluateKnown(hlo, operands);
  if (!exact.has_value()) return std::nullopt;
  Literal values = InDefaultLayout(*exact);
  const std::vector<KnownElement> exact_elements = ElementsOf(values);
  for (size_t e = 0; e < elements.size(); ++e) {
    // A sum without unknown numbers has its value already.
    if (!elements[e].dynamic && elements[e].unbounded) {
      elements[e] = exact_elements[e];
    }
  }
  return OrNothing(ArrayOf(std::move(elements), std::move(values)));
}

KnownElement ValueFinder::Bounded(const HloInstruction& hlo,
                                  absl::Span<const KnownElement> inputs) {
  const PrimitiveType type = hlo.shape().element_type();
  const ComparisonDirection direction =
      hlo.opcode() == HloOpcode::kCompare ? hlo.attrs<CompareAttrs>().direction
                                          : ComparisonDirection::kEq;
  KnownElement result;
  std::vector<ValueBounds> bounds;
  for (const KnownElement& input : inputs) {
    if (!input.unbounded) bounds.push_back(input.bounds);
  }
  if (bounds.size() == inputs.size()) {
    if (auto found = BoundsOf(hlo.opcode(), type, bounds, direction)) {
      result.bounds = *found;
      result.unbounded = false;
    }
  }
  if (!HasSums(hlo.shape())) return result;
  result.sum = sums_.Apply(hlo.opcode(), type,
                           hlo.operand(0)->shape().element_type(), inputs);
  if (result.sum == 0) return result;
  const std::optional<ValueBounds> sum = sums_.BoundsOf(result.sum, type);
  if (!sum.has_value()) return result;
  if (sums_.IsConstant(result.sum)) return KnownElement::Constant(sum->low);
  if (result.unbounded) {
    result.bounds = *sum;
  } else {
    // Both hold.
    result.bounds.low = std::max(result.bounds.low, sum->low);
    result.bounds.high = std::min(result.bounds.high, sum->high);
  }
  result.unbounded = false;
  return result;
}

MaybeArray ValueFinder::Select(const HloInstruction& hlo, Operands operands) {
  if (Known(*operands[0]) == nullptr) return std::nullopt;
  const auto choice = ElementsOf(Known(*operands[0]), hlo.operand(0)->shape());
  const auto on_true = ElementsOf(Known(*operands[1]), hlo.shape());
  const auto on_false = ElementsOf(Known(*operands[2]), hlo.shape());
  std::vector<KnownElement> elements(on_true.size());
  for (size_t e = 0; e < elements.size(); ++e) {
    // A scalar may select between arrays.
    const KnownElement& chosen = choice[choice.size() == 1 ? 0 : e];
    if (chosen.dynamic) continue;
    elements[e] = chosen.bounds.low != 0 ? on_true[e] : on_false[e];
  }
  return WithValues(hlo, operands, std::move(elements));
}

MaybeArray ValueFinder::WithValues(const HloInstruction& hlo, Operands operands,
                                   std::vector<KnownElement> elements) {
  if (IsCounted(hlo.shape().element_type())) {
    return OrNothing(ArrayOf(std::move(elements), hlo.shape()));
  }
  if (absl::c_all_of(elements,
                     [](const KnownElement& e) { return e.dynamic; })) {
    return std::nullopt;
  }
  const std::optional<Literal> values = EvaluateKnown(hlo, operands);
  if (!values.has_value()) return std::nullopt;
  return OrNothing(ArrayOf(std::move(elements), InDefaultLayout(*values)));
}

MaybeArray ValueFinder::Move(const HloInstruction& hlo, Operands operands) {
  // The operands that elements come from are the first ones, those that say
  // where from come behind.
  const std::optional<OpIndexing> indexing = IndexingOf(hlo);
  if (!indexing.has_value()) return std::nullopt;
  size_t count = 0;
  for (const OperandIndexing& read : indexing->reads) {
    count = std::max(count, static_cast<size_t>(read.operand) + 1);
  }
  if (absl::c_all_of(operands.first(count), [](const KnownValue* operand) {
        return Known(*operand) == nullptr;
      })) {
    return std::nullopt;
  }
  // The op on the numbers of the elements, from 1, says where each comes from.
  // A gather of nothing gives zeros.
  HloComputation numbers("numbers");
  HloInstruction::InstructionVector inputs;
  std::vector<KnownElement> elements = {KnownElement::Constant(0)};
  for (size_t i = 0; i < operands.size(); ++i) {
    if (i >= count) {
      const Literal* place = Constant(*operands[i]);
      if (place == nullptr) return std::nullopt;
      inputs.push_back(numbers.AddInstruction(
          HloInstruction::CreateConstant(place->Clone())));
      continue;
    }
    const Shape& shape = hlo.operand(i)->shape();
    if (shape.element_type() != hlo.shape().element_type() || !Affords(shape)) {
      return std::nullopt;
    }
    const auto own = ElementsOf(Known(*operands[i]), shape);
    absl::StatusOr<Literal> literal =
        Literal::Make(ShapeUtil::MakeShape(S64, shape.dimensions()));
    if (!literal.ok()) return std::nullopt;
    for (size_t e = 0; e < own.size(); ++e) {
      literal->data<int64_t>()[e] = elements.size() + e;
    }
    elements.insert(elements.end(), own.begin(), own.end());
    inputs.push_back(numbers.AddInstruction(
        HloInstruction::CreateConstant(*std::move(literal))));
  }
  const Shape shape = ShapeUtil::MakeShape(S64, hlo.shape().dimensions());
  const HloInstruction* moved =
      numbers.AddInstruction(hlo.CloneWithNewOperands(shape, inputs));
  const absl::StatusOr<Literal> sources = evaluator_.Evaluate(moved);
  if (!sources.ok()) return std::nullopt;
  std::vector<KnownElement> results;
  for (int64_t source : sources->data<int64_t>()) {
    results.push_back(elements.at(source));
  }
  return WithValues(hlo, operands, std::move(results));
}

KnownValue ValueFinder::Reduce(const HloInstruction& hlo, Operands operands) {
  const Shape& from = hlo.operand(0)->shape();
  const Shape& to =
      hlo.shape().IsTuple() ? hlo.shape().tuple_shapes(0) : hlo.shape();
  const size_t count = operands.size() / 2;
  const std::vector<int64_t> targets =
      ReductionTargets(from, hlo.attrs<ReduceAttrs>().dimensions);
  // A result is a constant if the elements that are reduced to it are.
  std::vector<bool> dynamic(ShapeUtil::ElementsIn(to), false);
  for (size_t i = 0; i < operands.size(); ++i) {
    const Shape& shape = hlo.operand(i)->shape();
    if (!Affords(shape)) return {};
    const auto inputs = ElementsOf(Known(*operands[i]), shape);
    if (i >= count) {
      if (inputs[0].dynamic) dynamic.assign(dynamic.size(), true);
      continue;
    }
    for (size_t e = 0; e < inputs.size(); ++e) {
      if (inputs[e].dynamic) dynamic[targets[e]] = true;
    }
  }
  KnownValue exact;
  if (absl::c_linear_search(dynamic, false) && IsPlain(*hlo.to_apply())) {
    if (auto values = EvaluateKnown(hlo, operands)) {
      exact = ValueOf(*std::move(values));
    }
  }
  const auto result_of = [&](KnownValue value, const Shape& shape) {
    KnownValue result;
    std::vector<KnownElement> elements = ElementsOf(Known(value), shape);
    for (size_t e = 0; e < elements.size(); ++e) {
      if (dynamic[e]) elements[e] = KnownElement();
    }
    if (!hlo.shape().IsTuple()) BoundReduced(hlo, operands, targets, elements);
    if (const Literal* values = Constant(value)) {
      result.array = OrNothing(ArrayOf(std::move(elements), values->Clone()));
    } else if (IsCounted(shape.element_type())) {
      result.array = OrNothing(ArrayOf(std::move(elements), shape));
    }
    return result;
  };
  if (!hlo.shape().IsTuple()) return result_of(std::move(exact), to);
  KnownValue result;
  exact.parts.resize(count);
  for (size_t i = 0; i < count; ++i) {
    result.parts.push_back(
        result_of(std::move(exact.parts[i]), hlo.shape().tuple_shapes(i)));
  }
  return result;
}

void ValueFinder::BoundReduced(const HloInstruction& hlo, Operands operands,
                               absl::Span<const int64_t> targets,
                               std::vector<KnownElement>& results) {
  const PrimitiveType type = hlo.shape().element_type();
  const Shape& shape = hlo.operand(0)->shape();
  const auto reduction = ReducerOf(*hlo.to_apply());
  if (!reduction.has_value() || !IsCounted(type) ||
      shape.element_type() != type ||
      hlo.operand(1)->shape().element_type() != type ||
      hlo.to_apply()->root_instruction()->shape().element_type() != type) {
    return;
  }
  const auto inputs = ElementsOf(Known(*operands[0]), shape);
  const auto init = ElementsOf(Known(*operands[1]), hlo.operand(1)->shape());
  std::vector<KnownElement> combined(results.size(), init[0]);
  for (size_t e = 0; e < inputs.size(); ++e) {
    KnownElement& result = combined[targets[e]];
    result = Combined(*reduction, type, result, inputs[e]);
  }
  for (size_t e = 0; e < results.size(); ++e) {
    if (results[e].dynamic) results[e] = combined[e];
  }
}

MaybeArray ValueFinder::Sort(const KnownArray* operand, const Shape& shape) {
  if (!shape.IsArray() || operand == nullptr ||
      !IsCounted(shape.element_type()) || !Affords(shape)) {
    return std::nullopt;
  }
  std::vector<KnownElement> elements = ElementsOf(operand, shape);
  if (elements.empty()) return *operand;
  KnownElement any = elements[0];
  any.dynamic = true;
  any.sum = 0;
  for (const KnownElement& element : elements) {
    any.unbounded = any.unbounded || element.unbounded;
    any.bounds.low = std::min(any.bounds.low, element.bounds.low);
    any.bounds.high = std::max(any.bounds.high, element.bounds.high);
  }
  absl::c_fill(elements, any);
  return OrNothing(ArrayOf(std::move(elements), shape));
}

}  // namespace xla
