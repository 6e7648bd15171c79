// One function for each kind of op.
#include "xla/hlo/builder/inference/value_finder.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/container/flat_hash_set.h"
#include "xla/core/layout_util.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/ir/hlo_computation.h"
#include "xla/hlo/ir/infer_instruction.h"
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
// The cost of visiting an op, in elements, against the budget.
constexpr int64_t kOpCost = 128;

const KnownArray* Known(const KnownValue& value) {
  return value.array.has_value() ? &*value.array : nullptr;
}

const Literal* Constant(const KnownValue& value) {
  return value.array.has_value() ? value.array->constant.get() : nullptr;
}

MaybeArray AsConstant(Literal literal) {
  KnownArray array;
  array.constant = std::make_shared<const Literal>(std::move(literal));
  return array;
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
  if (hlo.opcode() == HloOpcode::kSort) return hlo.shape().IsArray();
  return hlo.IsElementwise() || hlo.def().reduces ||
         hlo.opcode() == HloOpcode::kScatter || MovesElements(hlo.opcode());
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

KnownValue ValueFinder::Find(const HloInstruction* root,
                             absl::Span<const KnownValue> arguments) {
  absl::flat_hash_map<const HloInstruction*, KnownValue> values;
  for (const HloInstruction* hlo : OpsBehind(root)) {
    budget_ -= kOpCost;
    if (budget_ < 0) return {};
    if (hlo->opcode() == HloOpcode::kParameter) {
      const int64_t number = hlo->parameter_number();
      values[hlo] = number < static_cast<int64_t>(arguments.size())
                        ? arguments[number]
                        : KnownValue();
      continue;
    }
    std::vector<const KnownValue*> operands;
    if (hlo->opcode() != HloOpcode::kGetDimensionSize) {
      for (const HloInstruction* operand : hlo->operands()) {
        operands.push_back(&values.at(operand));
      }
    }
    KnownValue value = FindOp(*hlo, operands);
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
    case HloOpcode::kSort:
      if (hlo.shape().IsTuple()) {
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
  if (Affords(hlo.shape())) value.array = FindArray(hlo, operands);
  return value;
}

MaybeArray ValueFinder::FindArray(const HloInstruction& hlo,
                                  Operands operands) {
  for (const HloInstruction* operand : hlo.operands()) {
    // The places of elements depend on sizes.
    if (hlo.opcode() != HloOpcode::kGetDimensionSize &&
        (!operand->shape().IsArray() || !operand->shape().is_static())) {
      return std::nullopt;
    }
  }
  const bool all_constant = absl::c_all_of(
      operands,
      [](const KnownValue* value) { return Constant(*value) != nullptr; });
  switch (hlo.opcode()) {
    case HloOpcode::kConstant:
      return AsConstant(hlo.literal().Relayout(
          LayoutUtil::GetDefaultLayoutForShape(hlo.shape())));
    case HloOpcode::kGetDimensionSize:
      return DimensionSize(hlo);
    default:
      break;
  }
  if (all_constant) return Evaluate(hlo, operands);
  if (MovesElements(hlo.opcode())) return Move(hlo, operands);
  if (hlo.def().reduces) return Reduce(hlo, operands);
  switch (hlo.opcode()) {
    case HloOpcode::kSelect:
      return Select(hlo, operands);
    case HloOpcode::kSort:
      return Sort(Known(*operands[0]), hlo.shape());
    default:
      return Elementwise(hlo, operands);
  }
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

MaybeArray ValueFinder::Evaluate(const HloInstruction& hlo, Operands operands) {
  if (!IsSimple(hlo)) return std::nullopt;
  absl::flat_hash_map<const HloInstruction*, const LiteralBase*> constants;
  for (size_t i = 0; i < operands.size(); ++i) {
    constants[hlo.operand(i)] = Constant(*operands[i]);
  }
  absl::StatusOr<Literal> literal =
      evaluator_.EvaluateWithSubstitutions(&hlo, constants);
  if (!literal.ok()) return std::nullopt;
  return AsConstant(literal->Relayout(
      LayoutUtil::GetDefaultLayoutForShape(literal->shape())));
}

MaybeArray ValueFinder::Elementwise(const HloInstruction& hlo,
                                    Operands operands) {
  const PrimitiveType type = hlo.shape().element_type();
  if (!hlo.IsElementwise() || !IsCounted(type)) return std::nullopt;
  std::vector<KnownValue> lows;
  std::vector<std::vector<KnownElement>> inputs;
  for (size_t i = 0; i < operands.size(); ++i) {
    const Shape& shape = hlo.operand(i)->shape();
    const KnownArray* known = Known(*operands[i]);
    if (!IsCounted(shape.element_type())) return std::nullopt;
    inputs.push_back(ElementsOf(known, shape));
    absl::StatusOr<Literal> low = PartOf(known, shape, ElementPart::kLow);
    if (!low.ok()) return std::nullopt;
    lows.emplace_back().array = AsConstant(*std::move(low));
  }
  // The result is right where all elements are constants and meaningless
  // elsewhere.
  std::vector<const KnownValue*> pointers;
  for (const KnownValue& low : lows) pointers.push_back(&low);
  const MaybeArray exact = Evaluate(hlo, pointers);
  if (!exact.has_value()) return std::nullopt;
  std::vector<KnownElement> elements = ElementsOf(&*exact, hlo.shape());
  const ComparisonDirection direction =
      hlo.opcode() == HloOpcode::kCompare ? hlo.attrs<CompareAttrs>().direction
                                          : ComparisonDirection::kEq;
  for (size_t e = 0; e < elements.size(); ++e) {
    bool dynamic = false, unbounded = false;
    std::vector<ValueBounds> bounds;
    for (const auto& input : inputs) {
      dynamic = dynamic || input[e].dynamic;
      unbounded = unbounded || input[e].unbounded;
      bounds.push_back(input[e].bounds);
    }
    if (!dynamic) continue;
    elements[e] = KnownElement();
    if (unbounded) continue;
    if (auto result = BoundsOf(hlo.opcode(), type, bounds, direction)) {
      elements[e] = {*result, /*unbounded=*/false, /*dynamic=*/true};
    }
  }
  return OrNothing(ArrayOf(std::move(elements), hlo.shape()));
}

MaybeArray ValueFinder::Select(const HloInstruction& hlo, Operands operands) {
  if (!IsCounted(hlo.shape().element_type()) ||
      !ShapeUtil::SameDimensions(hlo.shape(), hlo.operand(0)->shape())) {
    return std::nullopt;
  }
  const auto choice = ElementsOf(Known(*operands[0]), hlo.operand(0)->shape());
  const auto on_true = ElementsOf(Known(*operands[1]), hlo.shape());
  const auto on_false = ElementsOf(Known(*operands[2]), hlo.shape());
  std::vector<KnownElement> elements(choice.size());
  for (size_t e = 0; e < elements.size(); ++e) {
    if (choice[e].dynamic) continue;
    elements[e] = choice[e].bounds.low != 0 ? on_true[e] : on_false[e];
  }
  return OrNothing(ArrayOf(std::move(elements), hlo.shape()));
}

MaybeArray ValueFinder::Move(const HloInstruction& hlo, Operands operands) {
  if (!IsCounted(hlo.shape().element_type())) return std::nullopt;
  // The operands that elements come from are the first ones, those that say
  // where from come behind.
  const std::optional<OpIndexing> indexing = IndexingOf(hlo);
  if (!indexing.has_value()) return std::nullopt;
  size_t count = 0;
  for (const OperandIndexing& read : indexing->reads) {
    count = std::max(count, static_cast<size_t>(read.operand) + 1);
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
    if (!Affords(shape)) return std::nullopt;
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
  return OrNothing(ArrayOf(std::move(results), hlo.shape()));
}

MaybeArray ValueFinder::Reduce(const HloInstruction& hlo, Operands operands) {
  const PrimitiveType type = hlo.shape().element_type();
  const Shape& shape = hlo.operand(0)->shape();
  const auto reduction = ReducerOf(*hlo.to_apply());
  if (operands.size() != 2 || !reduction.has_value() || !IsCounted(type) ||
      shape.element_type() != type ||
      hlo.to_apply()->root_instruction()->shape().element_type() != type ||
      !Affords(shape)) {
    return std::nullopt;
  }
  const auto inputs = ElementsOf(Known(*operands[0]), shape);
  const auto init = ElementsOf(Known(*operands[1]), hlo.operand(1)->shape());
  std::vector<KnownElement> results(ShapeUtil::ElementsIn(hlo.shape()),
                                    init[0]);
  const auto& reduced = hlo.attrs<ReduceAttrs>().dimensions;
  std::vector<int64_t> index(shape.rank(), 0);
  for (const KnownElement& input : inputs) {
    int64_t to = 0;
    for (int64_t d = 0; d < shape.rank(); ++d) {
      if (absl::c_linear_search(reduced, d)) continue;
      to = to * shape.dimensions(d) + index[d];
    }
    results[to] = Combined(*reduction, type, results[to], input);
    for (int64_t d = shape.rank() - 1; d >= 0; --d) {
      if (++index[d] < shape.dimensions(d)) break;
      index[d] = 0;
    }
  }
  return OrNothing(ArrayOf(std::move(results), hlo.shape()));
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
  for (const KnownElement& element : elements) {
    any.unbounded = any.unbounded || element.unbounded;
    any.bounds.low = std::min(any.bounds.low, element.bounds.low);
    any.bounds.high = std::max(any.bounds.high, element.bounds.high);
  }
  absl::c_fill(elements, any);
  return OrNothing(ArrayOf(std::move(elements), shape));
}

}  // namespace xla
