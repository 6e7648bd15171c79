// DfsHloVisitor: a function for each op, called for the instructions of a
// computation, operands first.
#ifndef COMPAT_XLA_HLO_IR_DFS_HLO_VISITOR_H_
#define COMPAT_XLA_HLO_IR_DFS_HLO_VISITOR_H_

#include <type_traits>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "xla/base/errors.h"
#include "xla/base/status_macros.h"
#include "xla/hlo/ir/hlo_computation.h"
#include "xla/hlo/ir/hlo_instruction.h"
#include "xla/hlo/ops/hlo_opcode.h"

// The opcodes, as V(name of the opcode, name of the handler): element-wise ops
// of one operand, of two, and all others.
#define XLA_FOR_EACH_UNARY_OP(V) \
  V(Abs, Abs) \
  V(Acos, Acos) \
  V(Acosh, Acosh) \
  V(Asin, Asin) \
  V(Asinh, Asinh) \
  V(Atanh, Atanh) \
  V(BitcastConvert, BitcastConvert) \
  V(Cbrt, Cbrt) \
  V(Ceil, Ceil) \
  V(Clz, Clz) \
  V(Convert, Convert) \
  V(Copy, Copy) \
  V(Cos, Cos) \
  V(Cosh, Cosh) \
  V(Erf, Erf) \
  V(Erfc, Erfc) \
  V(Exp, Exp) \
  V(Expm1, Expm1) \
  V(Floor, Floor) \
  V(Imag, Imag) \
  V(IsFinite, IsFinite) \
  V(Log, Log) \
  V(Log1p, Log1p) \
  V(Logistic, Logistic) \
  V(Negate, Negate) \
  V(Not, Not) \
  V(PopulationCount, PopulationCount) \
  V(Real, Real) \
  V(RoundNearestAfz, Round) \
  V(RoundNearestEven, RoundNearestEven) \
  V(Rsqrt, Rsqrt) \
  V(Sign, Sign) \
  V(Sin, Sin) \
  V(Sinh, Sinh) \
  V(Sqrt, Sqrt) \
  V(Tan, Tan) \
  V(Tanh, Tanh)
#define XLA_FOR_EACH_BINARY_OP(V) \
  V(Add, Add) \
  V(And, And) \
  V(Atan2, Atan2) \
  V(Compare, Compare) \
  V(Complex, Complex) \
  V(Divide, Divide) \
  V(Maximum, Maximum) \
  V(Minimum, Minimum) \
  V(Mulhi, Mulhi) \
  V(Multiply, Multiply) \
  V(Or, Or) \
  V(Power, Power) \
  V(Remainder, Remainder) \
  V(ShiftLeft, ShiftLeft) \
  V(ShiftRightArithmetic, ShiftRightArithmetic) \
  V(ShiftRightLogical, ShiftRightLogical) \
  V(StochasticConvert, StochasticConvert) \
  V(Subtract, Subtract) \
  V(Xor, Xor)
#define XLA_FOR_EACH_OTHER_OP(V) \
  V(AddDependency, AddDependency) \
  V(AfterAll, AfterAll) \
  V(AllGather, AllGather) \
  V(AllGatherDone, AllGatherDone) \
  V(AllGatherStart, AllGatherStart) \
  V(AllReduce, AllReduce) \
  V(AllReduceDone, AllReduceDone) \
  V(AllReduceStart, AllReduceStart) \
  V(AllToAll, AllToAll) \
  V(AsyncDone, AsyncDone) \
  V(AsyncStart, AsyncStart) \
  V(AsyncUpdate, AsyncUpdate) \
  V(BatchNormGrad, BatchNormGrad) \
  V(BatchNormInference, BatchNormInference) \
  V(BatchNormTraining, BatchNormTraining) \
  V(Bitcast, Bitcast) \
  V(Broadcast, Broadcast) \
  V(Call, Call) \
  V(Cholesky, Cholesky) \
  V(Clamp, Clamp) \
  V(CollectiveBroadcast, CollectiveBroadcast) \
  V(CollectivePermute, CollectivePermute) \
  V(CollectivePermuteDone, CollectivePermuteDone) \
  V(CollectivePermuteStart, CollectivePermuteStart) \
  V(Concatenate, Concatenate) \
  V(Conditional, Conditional) \
  V(Constant, Constant) \
  V(Convolution, Convolution) \
  V(CopyDone, CopyDone) \
  V(CopyStart, CopyStart) \
  V(CustomCall, CustomCall) \
  V(Domain, Domain) \
  V(Dot, Dot) \
  V(DynamicReshape, DynamicReshape) \
  V(DynamicSlice, DynamicSlice) \
  V(DynamicUpdateSlice, DynamicUpdateSlice) \
  V(Fft, Fft) \
  V(Fusion, Fusion) \
  V(Gather, Gather) \
  V(GetDimensionSize, GetDimensionSize) \
  V(GetTupleElement, GetTupleElement) \
  V(Infeed, Infeed) \
  V(Iota, Iota) \
  V(Map, Map) \
  V(OptimizationBarrier, OptimizationBarrier) \
  V(Outfeed, Outfeed) \
  V(Pad, Pad) \
  V(Parameter, Parameter) \
  V(PartitionId, PartitionId) \
  V(RaggedAllToAll, RaggedAllToAll) \
  V(RaggedDot, RaggedDot) \
  V(Recv, Recv) \
  V(RecvDone, RecvDone) \
  V(Reduce, Reduce) \
  V(ReducePrecision, ReducePrecision) \
  V(ReduceScatter, ReduceScatter) \
  V(ReduceWindow, ReduceWindow) \
  V(ReplicaId, ReplicaId) \
  V(Reshape, Reshape) \
  V(Reverse, Reverse) \
  V(Rng, Rng) \
  V(RngBitGenerator, RngBitGenerator) \
  V(RngGetAndUpdateState, RngGetAndUpdateState) \
  V(ScaledDot, ScaledDot) \
  V(Scan, Scan) \
  V(Scatter, Scatter) \
  V(Select, Select) \
  V(SelectAndScatter, SelectAndScatter) \
  V(Send, Send) \
  V(SendDone, SendDone) \
  V(SetDimensionSize, SetDimensionSize) \
  V(Slice, Slice) \
  V(Sort, Sort) \
  V(TopK, TopK) \
  V(Transpose, Transpose) \
  V(TriangularSolve, TriangularSolve) \
  V(Tuple, Tuple) \
  V(While, While)

namespace xla {

// Handlers of element-wise ops call HandleElementwiseUnary or -Binary, all
// others return Unimplemented, unless a visitor overrides them. Not thread safe.
template <typename HloInstructionPtr>
class DfsHloVisitorBase {
 public:
  static_assert(
      std::is_same_v<HloInstructionPtr, HloInstruction*> ||
      std::is_same_v<HloInstructionPtr, const HloInstruction*>);

  enum VisitState { kNotVisited = 0, kVisiting = 1, kVisited = 2 };

  DfsHloVisitorBase() = default;
  virtual ~DfsHloVisitorBase() = default;
  DfsHloVisitorBase(const DfsHloVisitorBase&) = delete;
  DfsHloVisitorBase& operator=(const DfsHloVisitorBase&) = delete;

  virtual absl::Status HandleElementwiseUnary(HloInstructionPtr hlo) {
    return Unhandled(hlo);
  }
  virtual absl::Status HandleElementwiseBinary(HloInstructionPtr hlo) {
    return Unhandled(hlo);
  }

#define XLA_HANDLER_(op, name)                               \
  virtual absl::Status Handle##name(HloInstructionPtr hlo) { \
    return HandleElementwiseUnary(hlo);                      \
  }
  XLA_FOR_EACH_UNARY_OP(XLA_HANDLER_)
#undef XLA_HANDLER_
#define XLA_HANDLER_(op, name)                               \
  virtual absl::Status Handle##name(HloInstructionPtr hlo) { \
    return HandleElementwiseBinary(hlo);                     \
  }
  XLA_FOR_EACH_BINARY_OP(XLA_HANDLER_)
#undef XLA_HANDLER_
#define XLA_HANDLER_(op, name)                               \
  virtual absl::Status Handle##name(HloInstructionPtr hlo) { \
    return Unhandled(hlo);                                   \
  }
  XLA_FOR_EACH_OTHER_OP(XLA_HANDLER_)
#undef XLA_HANDLER_

  // Called once after the last instruction, with the root of the walk.
  virtual absl::Status FinishVisit(HloInstructionPtr root) {
    return absl::OkStatus();
  }
  // Called before and after the handler of each instruction.
  virtual absl::Status Preprocess(HloInstructionPtr hlo) {
    return absl::OkStatus();
  }
  virtual absl::Status Postprocess(HloInstructionPtr hlo) {
    return absl::OkStatus();
  }

  // Whether the handler of an instruction was called already.
  VisitState GetVisitState(const HloInstruction& hlo) const {
    const auto it = states_.find(&hlo);
    return it == states_.end() ? kNotVisited : it->second;
  }
  bool DidVisit(const HloInstruction& hlo) const {
    return GetVisitState(hlo) == kVisited;
  }
  bool IsVisiting(const HloInstruction& hlo) const {
    return GetVisitState(hlo) == kVisiting;
  }
  bool NotVisited(const HloInstruction& hlo) const {
    return GetVisitState(hlo) == kNotVisited;
  }
  void SetVisiting(const HloInstruction& hlo) { states_[&hlo] = kVisiting; }
  void SetVisited(const HloInstruction& hlo) { states_[&hlo] = kVisited; }
  void ResetVisitStates() { states_.clear(); }
  virtual bool ShouldProcessNode(HloInstructionPtr hlo) { return true; }

  // Calls the handler of the opcode.
  absl::Status Dispatch(HloInstructionPtr hlo) {
    switch (hlo->opcode()) {
#define XLA_CASE_(op, name) \
  case HloOpcode::k##op:    \
    return Handle##name(hlo);
      XLA_FOR_EACH_UNARY_OP(XLA_CASE_)
      XLA_FOR_EACH_BINARY_OP(XLA_CASE_)
      XLA_FOR_EACH_OTHER_OP(XLA_CASE_)
#undef XLA_CASE_
    }
    return Internal("%s has an unknown opcode", hlo->name());
  }

 private:
  static absl::Status Unhandled(HloInstructionPtr hlo) {
    return Unimplemented("the visitor does not handle %s (%s)",
                         HloOpcodeString(hlo->opcode()), hlo->name());
  }

  absl::flat_hash_map<const HloInstruction*, VisitState> states_;
};
using DfsHloVisitor = DfsHloVisitorBase<HloInstruction*>;
using ConstDfsHloVisitor = DfsHloVisitorBase<const HloInstruction*>;

namespace internal {

// Visits what `root` depends on, and then `root`. A cycle is an error.
template <typename HloInstructionPtr>
absl::Status VisitBelow(HloInstruction* root,
                        DfsHloVisitorBase<HloInstructionPtr>* visitor,
                        bool ignore_control_predecessors) {
  std::vector<HloInstruction*> stack = {root};
  while (!stack.empty()) {
    HloInstruction* next = stack.back();
    if (visitor->DidVisit(*next) || !visitor->ShouldProcessNode(next)) {
      stack.pop_back();
      continue;
    }
    if (visitor->IsVisiting(*next)) {
      stack.pop_back();
      TF_RETURN_IF_ERROR(visitor->Preprocess(next));
      TF_RETURN_IF_ERROR(visitor->Dispatch(next));
      visitor->SetVisited(*next);
      TF_RETURN_IF_ERROR(visitor->Postprocess(next));
      continue;
    }
    visitor->SetVisiting(*next);
    const auto push = [&](HloInstruction* before) -> absl::Status {
      if (visitor->IsVisiting(*before)) {
        return FailedPrecondition("%s depends on itself", before->name());
      }
      if (!visitor->DidVisit(*before)) stack.push_back(before);
      return absl::OkStatus();
    };
    if (!ignore_control_predecessors) {
      const auto& before = next->control_predecessors();
      for (auto it = before.rbegin(); it != before.rend(); ++it) {
        TF_RETURN_IF_ERROR(push(*it));
      }
    }
    const auto& operands = next->operands();
    for (auto it = operands.rbegin(); it != operands.rend(); ++it) {
      TF_RETURN_IF_ERROR(push(*it));
    }
  }
  return absl::OkStatus();
}

}  // namespace internal

template <typename HloInstructionPtr>
absl::Status HloInstruction::Visit(
    DfsHloVisitorBase<HloInstructionPtr>* visitor) {
  return visitor->Dispatch(this);
}

template <typename HloInstructionPtr>
absl::Status HloInstruction::Accept(
    DfsHloVisitorBase<HloInstructionPtr>* visitor, bool call_finish_visit,
    bool ignore_control_predecessors, bool cross_computation) {
  if (cross_computation) {
    for (HloComputation* callee : parent()->MakeEmbeddedComputationsList()) {
      TF_RETURN_IF_ERROR(internal::VisitBelow(callee->root_instruction(),
                                              visitor,
                                              ignore_control_predecessors));
    }
  }
  TF_RETURN_IF_ERROR(
      internal::VisitBelow(this, visitor, ignore_control_predecessors));
  if (call_finish_visit) return visitor->FinishVisit(this);
  return absl::OkStatus();
}

template <typename HloInstructionPtr>
absl::Status HloComputation::Accept(
    DfsHloVisitorBase<HloInstructionPtr>* visitor) const {
  // The root comes last.
  for (HloInstruction* hlo : MakeInstructionPostOrder()) {
    if (hlo->user_count() > 0 || hlo == root_instruction()) continue;
    TF_RETURN_IF_ERROR(
        hlo->Accept(visitor, /*call_finish_visit=*/false));
  }
  return root_instruction()->Accept(visitor);
}

}  // namespace xla

#endif  // COMPAT_XLA_HLO_IR_DFS_HLO_VISITOR_H_
