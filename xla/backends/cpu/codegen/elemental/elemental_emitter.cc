// Dispatch over opcodes, memoized values, constants.
#include "xla/backends/cpu/codegen/elemental/elemental_emitter.h"

#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Module.h"
#include "xla/backends/cpu/analysis/cpu_opcode_groups.h"
#include "xla/backends/cpu/codegen/elementwise/elementwise.h"
#include "xla/base/status_macros.h"
#include "xla/core/primitive_util.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/ir/infer_instruction.h"
#include "xla/hlo/ops/opcode_groups.h"

namespace xla::cpu {
namespace {

// A window of up to so many elements is straight code rather than a loop, and
// so is a reduction.
constexpr int64_t kStraightWindow = 32;
constexpr int64_t kStraightReduction = 8;

bool IsUniform(const VectorIndex& index) {
  if (index.linear.has_value() && index.terms.empty()) {
    return index.linear->uniform();
  }
  for (const AffineIndex& term : index.terms) {
    if (!term.uniform()) return false;
  }
  return true;
}

// The number of leaves (arrays and tokens) before element `i` of a tuple.
int64_t LeavesBefore(const Shape& tuple, int64_t i) {
  int64_t leaves = 0;
  for (int64_t e = 0; e < i; ++e) {
    leaves += ShapeUtil::GetLeafCount(tuple.tuple_shapes(e));
  }
  return leaves;
}

Element SelectElement(llvm::IRBuilder<>& b, llvm::Value* condition,
                      const Element& x, const Element& y) {
  Element result{b.CreateSelect(condition, x.value, y.value)};
  if (x.imag != nullptr) {
    result.imag = b.CreateSelect(condition, x.imag, y.imag);
  }
  return result;
}

}  // namespace

void ElementalEmitter::Bind(const HloInstruction* instruction, int64_t leaf,
                            Generator generator) {
  generators_[{instruction, leaf}] = std::move(generator);
}

void ElementalEmitter::BindArray(const HloInstruction* instruction,
                                 int64_t leaf, IrArray array) {
  arrays_[{instruction, leaf}] = array;
}

const IrArray* ElementalEmitter::BoundArray(const HloInstruction* instruction,
                                            int64_t leaf) const {
  auto it = arrays_.find({instruction, leaf});
  return it == arrays_.end() ? nullptr : &it->second;
}

absl::StatusOr<const OpIndexing*> ElementalEmitter::Indexing(
    const HloInstruction* instruction) {
  auto [it, fresh] = indexings_.try_emplace(instruction);
  if (fresh) it->second = IndexingOf(*instruction);
  if (!it->second.has_value()) {
    return absl::UnimplementedError(
        absl::StrCat("indices that 64 bits do not hold, or of a layout that "
                     "is not row-major: ",
                     instruction->ToString()));
  }
  return &*it->second;
}

ElementalEmitter::Key ElementalEmitter::KeyOf(const HloInstruction* instruction,
                                              int64_t leaf,
                                              const VectorIndex& index) const {
  Key key = {reinterpret_cast<uintptr_t>(instruction),
             static_cast<uintptr_t>(leaf), static_cast<uintptr_t>(index.lanes),
             reinterpret_cast<uintptr_t>(context_.mask)};
  auto add = [&](const AffineIndex& term) {
    if (term.lanes != nullptr) {
      key.push_back(reinterpret_cast<uintptr_t>(term.lanes));
      key.push_back(~uintptr_t{0});
    } else {
      key.push_back(reinterpret_cast<uintptr_t>(term.base));
      key.push_back(static_cast<uintptr_t>(term.step));
    }
  };
  // If there are terms, they determine the index.
  if (index.terms.empty() && index.linear.has_value()) add(*index.linear);
  for (const AffineIndex& term : index.terms) add(term);
  return key;
}

absl::StatusOr<Element> ElementalEmitter::Emit(
    const HloInstruction* instruction, VectorIndex index, int64_t leaf) {
  // A value that all lanes share is computed once.
  if (index.lanes > 1 && !arguments_have_lanes_ && IsUniform(index)) {
    const int lanes = index.lanes;
    index.lanes = 1;
    Masked unmasked(context_, nullptr);
    TF_ASSIGN_OR_RETURN(Element one, Emit(instruction, std::move(index), leaf));
    return Splat(b(), one, lanes);
  }
  const Key key = KeyOf(instruction, leaf, index);
  for (auto scope = memo_.rbegin(); scope != memo_.rend(); ++scope) {
    auto it = scope->find(key);
    if (it != scope->end()) return it->second;
  }
  Element element;
  if (const IrArray* array = BoundArray(instruction, leaf)) {
    element = array->Load(context_, index);
  } else if (auto it = generators_.find({instruction, leaf});
             it != generators_.end()) {
    TF_ASSIGN_OR_RETURN(element, it->second(context_, index));
  } else {
    TF_ASSIGN_OR_RETURN(element, EmitOp(instruction, index, leaf));
  }
  memo_.back()[key] = element;
  return element;
}

absl::StatusOr<Element> ElementalEmitter::EmitScalar(
    const HloInstruction* instruction) {
  VectorIndex index;
  index.linear = AffineIndexBuilder(b(), 1).Constant(0);
  index.terms.assign(instruction->shape().dimensions().size(), *index.linear);
  return Emit(instruction, std::move(index));
}

absl::StatusOr<llvm::Value*> ElementalEmitter::EmitScalarIndex(
    const HloInstruction* instruction) {
  TF_ASSIGN_OR_RETURN(Element element, EmitScalar(instruction));
  return IndexFromInteger(b(), element.value,
                          instruction->shape().element_type());
}

absl::StatusOr<AffineIndex> EmitSliceStart(ElementalEmitter& emitter,
                                           const HloInstruction* start,
                                           int64_t largest) {
  TF_ASSIGN_OR_RETURN(llvm::Value * value, emitter.EmitScalarIndex(start));
  const AffineIndexBuilder t(emitter.b(), 1);
  return t.Clamp(t.FromValue(value, INT64_MIN, INT64_MAX), 0, largest);
}

absl::StatusOr<std::vector<Element>> ElementalEmitter::EmitComputation(
    const HloComputation& computation, absl::Span<const Element> arguments) {
  ElementalEmitter body(context_);
  VectorIndex index;
  index.linear = AffineIndexBuilder(b(), 1).Constant(0);
  for (size_t i = 0; i < arguments.size(); ++i) {
    index.lanes = LanesOf(arguments[i].value);
    body.Bind(computation.parameter_instruction(i), 0,
              [element = arguments[i]](EmitContext&, const VectorIndex&)
                  -> absl::StatusOr<Element> { return element; });
  }
  body.arguments_have_lanes_ = index.lanes > 1;
  const HloInstruction* root = computation.root_instruction();
  std::vector<Element> results;
  const int64_t leaves = ShapeUtil::GetLeafCount(root->shape());
  for (int64_t leaf = 0; leaf < leaves; ++leaf) {
    TF_ASSIGN_OR_RETURN(Element result, body.Emit(root, index, leaf));
    results.push_back(result);
  }
  return results;
}

absl::StatusOr<Element> ElementalEmitter::EmitConstant(
    const HloInstruction* instruction, const VectorIndex& index) {
  const Shape& shape = instruction->shape();
  const LiteralSlice literal(instruction->literal());
  const int64_t elements = ShapeUtil::ElementsIn(shape);
  if (elements == 1) {
    return Splat(b(), ConstantElement(b().getContext(), literal, 0),
                 index.lanes);
  }
  llvm::Module* module = b().GetInsertBlock()->getModule();
  const std::string name = absl::StrCat("constant.", instruction->unique_id());
  llvm::GlobalVariable* global = module->getNamedGlobal(name);
  if (global == nullptr) {
    TF_ASSIGN_OR_RETURN(llvm::Constant * data,
                        ConstantArray(b().getContext(), literal));
    global =
        new llvm::GlobalVariable(*module, data->getType(), true,
                                 llvm::GlobalValue::PrivateLinkage, data, name);
    global->setAlignment(llvm::Align(64));
  }
  IrArray array(global, &shape);
  array.set_invariant(true);
  return array.Load(context_, index);
}

absl::StatusOr<Element> ElementalEmitter::EmitOperandwise(
    const HloInstruction* instruction, const VectorIndex& index) {
  absl::InlinedVector<Element, 4> operands;
  const bool is_scalar = instruction->shape().dimensions().empty();
  for (const HloInstruction* operand : instruction->operands()) {
    // The predicate of select and the bounds of clamp may be scalars.
    if (operand->shape().dimensions().empty() && !is_scalar) {
      TF_ASSIGN_OR_RETURN(Element element, EmitScalar(operand));
      operands.push_back(Splat(b(), element, index.lanes));
    } else {
      TF_ASSIGN_OR_RETURN(Element element, Emit(operand, index));
      operands.push_back(element);
    }
  }
  if (instruction->opcode() == HloOpcode::kMap) {
    TF_ASSIGN_OR_RETURN(std::vector<Element> results,
                        EmitComputation(*instruction->to_apply(), operands));
    return results[0];
  }
  return EmitElementwise(context_, *instruction, operands);
}

absl::StatusOr<Element> ElementalEmitter::EmitIf(
    llvm::Value* inside,
    const std::function<absl::StatusOr<Element>()>& then_value,
    const std::function<absl::StatusOr<Element>()>& else_value) {
  if (auto* known = llvm::dyn_cast<llvm::ConstantInt>(inside)) {
    return known->isOne() ? then_value() : else_value();
  }
  if (!inside->getType()->isVectorTy()) {
    TF_ASSIGN_OR_RETURN(Element x, then_value());
    TF_ASSIGN_OR_RETURN(Element y, else_value());
    return SelectElement(b(), inside, x, y);
  }
  llvm::Value* outer = context_.mask;
  auto both = [&](llvm::Value* mask) {
    return outer == nullptr ? mask : b().CreateAnd(outer, mask);
  };
  Element x, y;
  {
    Masked masked(context_, both(inside));
    TF_ASSIGN_OR_RETURN(x, then_value());
  }
  {
    Masked masked(context_, both(b().CreateNot(inside)));
    TF_ASSIGN_OR_RETURN(y, else_value());
  }
  return SelectElement(b(), inside, x, y);
}

absl::StatusOr<Element> ElementalEmitter::EmitOp(
    const HloInstruction* instruction, VectorIndex& index, int64_t leaf) {
  switch (instruction->opcode()) {
    case HloOpcode::kConstant:
      return EmitConstant(instruction, index);
    case HloOpcode::kCopy:
    case HloOpcode::kOptimizationBarrier:
    case HloOpcode::kAddDependency:
    case HloOpcode::kDomain:
      return Emit(instruction->operand(0), index, leaf);
    case HloOpcode::kTuple: {
      for (const HloInstruction* operand : instruction->operands()) {
        const int64_t leaves = ShapeUtil::GetLeafCount(operand->shape());
        if (leaf < leaves) return Emit(operand, index, leaf);
        leaf -= leaves;
      }
      return absl::InternalError("leaf beyond a tuple's");
    }
    case HloOpcode::kGetTupleElement: {
      const HloInstruction* operand = instruction->operand(0);
      const int64_t before =
          LeavesBefore(operand->shape(), instruction->tuple_index());
      return Emit(operand, index, before + leaf);
    }
    case HloOpcode::kBitcast:
    case HloOpcode::kReshape:
      return EmitReshape(instruction, index);
    case HloOpcode::kBitcastConvert:
      return EmitBitcastConvert(instruction, index);
    case HloOpcode::kIota:
      return EmitIota(instruction, index);
    case XLA_REDUCTION_OPCODES:
      return EmitReduction(
          instruction, index, leaf,
          instruction->def().reduces ? kStraightReduction : kStraightWindow);
    case HloOpcode::kDot:
      return EmitDot(instruction, index);
    case XLA_MOVEMENT_OPCODES:
      return EmitMoved(instruction, index);
    case XLA_ELEMENTWISE_OPCODES:
    case HloOpcode::kMap:
      return EmitOperandwise(instruction, index);
    // These are bound to memory or to a generator if they are in the code at
    // all. Asking for an element of one that is not gives EmitElementwise's
    // error.
    case HloOpcode::kAfterAll:
    case XLA_DEVICE_OPCODES:
    case XLA_CONTROL_OPCODES:
    case XLA_CPU_LIBRARY_OPCODES:
    case XLA_CPU_EXPANDED_OPCODES:
    case HloOpcode::kFusion:
    case HloOpcode::kParameter:
    case HloOpcode::kScatter:
      return EmitOperandwise(instruction, index);
  }
  return EmitOperandwise(instruction, index);
}

}  // namespace xla::cpu
