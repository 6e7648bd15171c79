// Plans of loops, and their emission with one vectorised inner loop.
#include "xla/backends/cpu/codegen/loop_emitter.h"

#include <algorithm>
#include <bit>

#include "llvm/IR/Constants.h"
#include "xla/backends/cpu/codegen/loops.h"
#include "xla/backends/cpu/codegen/work.h"
#include "xla/base/status_macros.h"
#include "xla/core/primitive_util.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/analysis/leaves.h"

namespace xla::cpu {
namespace {

// Elements of a row that are worth an item of their own.
constexpr int64_t kBlockElements = 4096;

// True where the value at a row-major position depends on others at that
// position alone.
bool IsLinear(const HloInstruction& value, const Shape& shape) {
  if (ShapeUtil::ElementsIn(value.shape()) != ShapeUtil::ElementsIn(shape)) {
    return false;
  }
  if (value.opcode() == HloOpcode::kBroadcast) {
    return ShapeUtil::ElementsIn(value.operand(0)->shape()) == 1;
  }
  switch (value.opcode()) {
    case HloOpcode::kParameter:
    case HloOpcode::kConstant:
    case HloOpcode::kCopy:
      return true;
    case HloOpcode::kReshape:
    case HloOpcode::kBitcast:
      return true;
    default:
      return value.IsElementwise();
  }
}

}  // namespace

int RegisterBytes(PrimitiveType type) {
  switch (type) {
    case PRED:
      return 1;
    case C64:
      return 4;
    case C128:
      return 8;
    default:
      if (primitive_util::IsFloatingPointType(type)) {
        return std::max(4, primitive_util::BitWidth(type) / 8);
      }
      return std::max(1, primitive_util::BitWidth(type) / 8);
  }
}

LoopPlan PlanLoop(const Shape& shape,
                  absl::Span<const HloInstruction* const> values,
                  const TargetInfo& target) {
  LoopPlan plan;
  const int64_t elements = ShapeUtil::ElementsIn(shape);
  bool linear = true;
  int bytes = 1;
  int costly = 0;
  for (const HloInstruction* value : values) {
    if (!value->shape().IsArray()) continue;
    const bool scalar = ShapeUtil::ElementsIn(value->shape()) == 1;
    if (scalar && elements != 1) continue;
    linear = linear && IsLinear(*value, shape);
    bytes = std::max(bytes, RegisterBytes(value->shape().element_type()));
    if (IsCostly(value->opcode())) ++costly;
  }
  plan.inner = elements;
  if (!linear && !shape.dimensions().empty()) {
    int64_t d = static_cast<int64_t>(shape.dimensions().size()) - 1;
    while (d > 0 && shape.dimensions(d) == 1) --d;
    const int64_t width = target.vector_bytes / bytes;
    // Rows far shorter than a vector are better crossed by it.
    if (shape.dimensions(d) * 2 > width || elements <= width) {
      plan.inner = shape.dimensions(d);
      plan.outer.assign(shape.dimensions().begin(),
                        shape.dimensions().begin() + d);
      plan.rows = elements == 0 ? 0 : elements / plan.inner;
    }
  }
  // Simple bodies go over several registers at a time.
  const int unroll = costly == 0 && values.size() <= 8    ? 4
                     : costly <= 1 && values.size() <= 24 ? 2
                                                          : 1;
  const int64_t widest = unroll * target.vector_bytes / bytes;
  plan.lanes = static_cast<int>(std::max<int64_t>(
      1, std::min<int64_t>(widest, std::bit_floor(static_cast<uint64_t>(
                                       std::max<int64_t>(plan.inner, 1))))));
  plan.block = plan.inner;
  if (plan.inner >= 2 * kBlockElements) {
    plan.block = kBlockElements;  // a multiple of every number of lanes
    plan.blocks = (plan.inner + plan.block - 1) / plan.block;
  }
  return plan;
}

namespace {

class RowLoops {
 public:
  RowLoops(ElementalEmitter& emitter, const LoopPlan& plan, const Shape& shape,
           absl::Span<const LoopOutput> outputs, bool in_place)
      : emitter_(emitter),
        plan_(plan),
        shape_(shape),
        outputs_(outputs),
        in_place_(in_place) {}

  absl::Status Emit(llvm::Value* begin, llvm::Value* end) {
    llvm::IRBuilder<>& b = emitter_.b();
    if (plan_.rows == 1) return EmitRow(b.getInt64(0), begin, end);
    if (plan_.blocks == 1) {
      return EmitFor(b, begin, end, 1, [&](llvm::Value* row) {
        return EmitRow(row, b.getInt64(0), b.getInt64(1));
      });
    }
    llvm::Value* blocks = b.getInt64(plan_.blocks);
    return EmitFor(b, begin, end, 1, [&](llvm::Value* item) {
      llvm::Value* block = b.CreateURem(item, blocks);
      return EmitRow(b.CreateUDiv(item, blocks), block,
                     b.CreateAdd(block, b.getInt64(1)));
    });
  }

 private:
  // Blocks [begin, end) of a row.
  absl::Status EmitRow(llvm::Value* row, llvm::Value* begin, llvm::Value* end) {
    llvm::IRBuilder<>& b = emitter_.b();
    ElementalEmitter::Scope scope(emitter_);
    outer_ = LaneIndex{.lanes = 1};
    if (!plan_.outer.empty()) {
      outer_.linear = IndexTerm{.base = row, .min = 0, .max = plan_.rows - 1};
      outer_.MakeTerms(b, plan_.outer);
    }
    const int64_t lanes = plan_.lanes;
    const int64_t rest = plan_.inner % lanes;
    llvm::Value* block = b.getInt64(plan_.block);
    llvm::Value* first = b.CreateMul(begin, block);
    llvm::Value* last = b.CreateMul(end, block);
    auto at_most = [&](llvm::Value* x, int64_t limit) {
      return b.CreateBinaryIntrinsic(llvm::Intrinsic::smin, x,
                                     b.getInt64(limit));
    };
    if (rest == 0 || !in_place_) {
      // The last vector, if it does not fit, begins earlier and computes some
      // elements again.
      return EmitFor(b, first, at_most(last, plan_.inner), lanes,
                     [&](llvm::Value* i) {
                       IndexTerm at{.base = i, .divisor = lanes};
                       if (rest != 0) {
                         at.base = at_most(i, plan_.inner - lanes);
                         at.divisor = 1;
                       }
                       return EmitVector(at, lanes);
                     });
    }
    const int64_t whole = plan_.inner - rest;
    TF_RETURN_IF_ERROR(
        EmitFor(b, first, at_most(last, whole), lanes, [&](llvm::Value* i) {
          return EmitVector({.base = i, .divisor = lanes}, lanes);
        }));
    return EmitWhen(b, b.CreateICmpSGT(last, b.getInt64(whole)), [&] {
      return EmitFor(
          b, b.getInt64(whole), b.getInt64(plan_.inner), 1,
          [&](llvm::Value* i) { return EmitVector({.base = i}, 1); });
    });
  }

  absl::Status EmitVector(IndexTerm at, int lanes) {
    ElementalEmitter::Scope scope(emitter_);
    at.step = lanes == 1 ? 0 : 1;
    at.min = 0;
    at.max = plan_.inner - 1;
    LaneIndex index{.lanes = lanes};
    if (plan_.inner == ShapeUtil::ElementsIn(shape_)) {
      index.linear = at;
    } else {
      index.terms = outer_.terms;
      index.terms.push_back(at);
      const TermBuilder t(emitter_.b(), lanes);
      index.terms.resize(shape_.dimensions().size(), t.Constant(0));
    }
    std::vector<Element> elements;
    for (const LoopOutput& output : outputs_) {
      const Shape& shape = *Leaves(output.value->shape())[output.leaf];
      TF_ASSIGN_OR_RETURN(
          Element element,
          emitter_.Emit(output.value, IndexOf(index, shape), output.leaf));
      elements.push_back(element);
    }
    // Everything is read before anything is written: an output may lie where
    // an input was.
    for (size_t i = 0; i < outputs_.size(); ++i) {
      const LoopOutput& output = outputs_[i];
      output.array.Store(emitter_.context(),
                         output.place != nullptr
                             ? output.place(index)
                             : IndexOf(index, output.array.shape()),
                         elements[i]);
    }
    return absl::OkStatus();
  }

  // The index of the loop as one of an array with other dimensions.
  LaneIndex IndexOf(const LaneIndex& index, const Shape& shape) {
    if (ShapeUtil::SameDimensions(shape, shape_)) return index;
    return index.Reshaped(emitter_.b(), shape_.dimensions(),
                          shape.dimensions());
  }

  ElementalEmitter& emitter_;
  const LoopPlan& plan_;
  const Shape& shape_;
  const absl::Span<const LoopOutput> outputs_;
  const bool in_place_;
  LaneIndex outer_;
};

}  // namespace

absl::Status EmitLoop(ElementalEmitter& emitter, const LoopPlan& plan,
                      const Shape& shape, absl::Span<const LoopOutput> outputs,
                      llvm::Value* begin, llvm::Value* end, bool in_place) {
  if (plan.items() == 0) return absl::OkStatus();
  return RowLoops(emitter, plan, shape, outputs, in_place).Emit(begin, end);
}

}  // namespace xla::cpu
