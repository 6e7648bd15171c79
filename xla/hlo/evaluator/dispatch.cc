// Selects the kernel of each opcode. A new opcode needs a case here or, if it
// is element-wise, kernels for its element types in elementwise/.
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "xla/base/status_macros.h"
#include "xla/hlo/evaluator/batch_norm.h"
#include "xla/hlo/evaluator/custom_call.h"
#include "xla/hlo/evaluator/device/collectives.h"
#include "xla/hlo/evaluator/device/transfers.h"
#include "xla/hlo/evaluator/elementwise/elementwise.h"
#include "xla/hlo/evaluator/interpreter/control_flow.h"
#include "xla/hlo/evaluator/interpreter/device_context.h"
#include "xla/hlo/evaluator/interpreter/interpreter.h"
#include "xla/hlo/evaluator/linear/contraction.h"
#include "xla/hlo/evaluator/linear/convolution.h"
#include "xla/hlo/evaluator/linear/linear_algebra.h"
#include "xla/hlo/evaluator/linear/sparse_kernel.h"
#include "xla/hlo/evaluator/movement/gather_scatter.h"
#include "xla/hlo/evaluator/movement/reshape.h"
#include "xla/hlo/evaluator/movement/slicing.h"
#include "xla/hlo/evaluator/movement/sorting.h"
#include "xla/hlo/evaluator/random/random.h"
#include "xla/hlo/evaluator/reduction/reduction.h"
#include "xla/hlo/ops/opcode_groups.h"

namespace xla {
namespace {

using ArrayKernel = absl::StatusOr<Literal> (*)(const HloInstruction&,
                                                Operands);
using CallingArrayKernel = absl::StatusOr<Literal> (*)(Interpreter&,
                                                       const HloInstruction&,
                                                       Operands);

// A function of its own keeps the frame of Evaluate small, which nests with
// calls.
[[gnu::noinline]] absl::StatusOr<Value> ToValue(
    absl::StatusOr<Literal> literal) {
  if (!literal.ok()) return std::move(literal).status();
  return Value(*std::move(literal));
}

absl::StatusOr<std::vector<const Literal*>> ArraysOf(
    const std::vector<Value>& operands) {
  std::vector<const Literal*> arrays;
  arrays.reserve(operands.size());
  for (const Value& operand : operands) {
    if (operand.is_tuple()) {
      return absl::InvalidArgumentError("an operand is a tuple");
    }
    arrays.push_back(&operand.array());
  }
  return arrays;
}

[[gnu::noinline]] absl::StatusOr<Value> Arrays(
    ArrayKernel kernel, const HloInstruction& hlo,
    const std::vector<Value>& operands) {
  TF_ASSIGN_OR_RETURN(std::vector<const Literal*> arrays, ArraysOf(operands));
  return ToValue(kernel(hlo, arrays));
}

[[gnu::noinline]] absl::StatusOr<Value> ArraysAndCalls(
    CallingArrayKernel kernel, Interpreter& interpreter,
    const HloInstruction& hlo, const std::vector<Value>& operands) {
  TF_ASSIGN_OR_RETURN(std::vector<const Literal*> arrays, ArraysOf(operands));
  return ToValue(kernel(interpreter, hlo, arrays));
}

}  // namespace

absl::StatusOr<Value> Interpreter::Evaluate(const HloInstruction& hlo,
                                            std::vector<Value> operands) {
  switch (hlo.opcode()) {
    case XLA_ELEMENTWISE_OPCODES:
      if (hlo.opcode() == HloOpcode::kSelect) {
        return EvaluateSelect(hlo, std::move(operands));
      }
      return Arrays(&EvaluateElementwise, hlo, operands);
    case HloOpcode::kBatchNormGrad:
      return Arrays(&EvaluateBatchNormGrad, hlo, operands);
    case HloOpcode::kBatchNormInference:
      return Arrays(&EvaluateBatchNormInference, hlo, operands);
    case HloOpcode::kBatchNormTraining:
      return Arrays(&EvaluateBatchNormTraining, hlo, operands);
    case HloOpcode::kBitcast:
      return Arrays(&EvaluateBitcast, hlo, operands);
    case HloOpcode::kBitcastConvert:
      return Arrays(&EvaluateBitcastConvert, hlo, operands);
    case HloOpcode::kBroadcast:
      return Arrays(&EvaluateBroadcast, hlo, operands);
    case HloOpcode::kCholesky:
      return Arrays(&EvaluateCholesky, hlo, operands);
    case HloOpcode::kConcatenate:
      return Arrays(&EvaluateConcatenate, hlo, operands);
    case HloOpcode::kConvolution:
      if (operands[1].is_tuple()) {
        const std::vector<Value>& kernel = operands[1].elements();
        TF_ASSIGN_OR_RETURN(Literal dense, DenseKernel(hlo, kernel[0].array(),
                                                       kernel[1].array()));
        operands[1] = Value(std::move(dense));
      }
      return Arrays(&EvaluateConvolution, hlo, operands);
    case HloOpcode::kDot:
      return Arrays(&EvaluateDot, hlo, operands);
    case HloOpcode::kDynamicReshape:
      return Arrays(&EvaluateDynamicReshape, hlo, operands);
    case HloOpcode::kDynamicSlice:
      return Arrays(&EvaluateDynamicSlice, hlo, operands);
    case HloOpcode::kDynamicUpdateSlice:
      return Arrays(&EvaluateDynamicUpdateSlice, hlo, operands);
    case HloOpcode::kFft:
      return Arrays(&EvaluateFft, hlo, operands);
    case HloOpcode::kGather:
      return Arrays(&EvaluateGather, hlo, operands);
    case HloOpcode::kGetDimensionSize:
      return Arrays(&EvaluateGetDimensionSize, hlo, operands);
    case HloOpcode::kIota:
      return Arrays(&EvaluateIota, hlo, operands);
    case HloOpcode::kPad:
      return Arrays(&EvaluatePad, hlo, operands);
    case HloOpcode::kRaggedDot:
      return Arrays(&EvaluateRaggedDot, hlo, operands);
    case HloOpcode::kReshape:
      return Arrays(&EvaluateReshape, hlo, operands);
    case HloOpcode::kReverse:
      return Arrays(&EvaluateReverse, hlo, operands);
    case HloOpcode::kRngBitGenerator:
      return Arrays(&EvaluateRngBitGenerator, hlo, operands);
    case HloOpcode::kScaledDot:
      return Arrays(&EvaluateScaledDot, hlo, operands);
    case HloOpcode::kSetDimensionSize:
      return Arrays(&EvaluateSetDimensionSize, hlo, operands);
    case HloOpcode::kSlice:
      return Arrays(&EvaluateSlice, hlo, operands);
    case HloOpcode::kTopK:
      return Arrays(&EvaluateTopK, hlo, operands);
    case HloOpcode::kTranspose:
      return Arrays(&EvaluateTranspose, hlo, operands);
    case HloOpcode::kTriangularSolve:
      return Arrays(&EvaluateTriangularSolve, hlo, operands);
    case HloOpcode::kMap:
      return ArraysAndCalls(&EvaluateMap, *this, hlo, operands);
    case HloOpcode::kReduce:
      return ArraysAndCalls(&EvaluateReduce, *this, hlo, operands);
    case HloOpcode::kReduceWindow:
      return ArraysAndCalls(&EvaluateReduceWindow, *this, hlo, operands);
    case HloOpcode::kRng:
      return ArraysAndCalls(&EvaluateRng, *this, hlo, operands);
    case HloOpcode::kScatter:
      return ArraysAndCalls(&EvaluateScatter, *this, hlo, operands);
    case HloOpcode::kSelectAndScatter:
      return ArraysAndCalls(&EvaluateSelectAndScatter, *this, hlo, operands);
    case HloOpcode::kSort:
      return ArraysAndCalls(&EvaluateSort, *this, hlo, operands);
    case HloOpcode::kCopyStart:
      return EvaluateCopyStart(hlo, std::move(operands));
    case HloOpcode::kGetTupleElement:
      return EvaluateGetTupleElement(hlo, std::move(operands));
    case HloOpcode::kTuple:
      return EvaluateTuple(hlo, std::move(operands));
    case HloOpcode::kAllGather:
    case HloOpcode::kAllGatherStart:
      return EvaluateAllGather(*this, hlo, std::move(operands));
    case HloOpcode::kAllReduce:
    case HloOpcode::kAllReduceStart:
      return EvaluateAllReduce(*this, hlo, std::move(operands));
    case HloOpcode::kAllToAll:
      return EvaluateAllToAll(*this, hlo, std::move(operands));
    case HloOpcode::kAsyncStart:
      return EvaluateAsyncStart(*this, hlo, std::move(operands));
    case HloOpcode::kCall:
    case HloOpcode::kFusion:
      return EvaluateCall(*this, hlo, std::move(operands));
    case HloOpcode::kCollectiveBroadcast:
      return EvaluateCollectiveBroadcast(*this, hlo, std::move(operands));
    case HloOpcode::kCollectivePermute:
    case HloOpcode::kCollectivePermuteStart:
      return EvaluateCollectivePermute(*this, hlo, std::move(operands));
    case HloOpcode::kConditional:
      return EvaluateConditional(*this, hlo, std::move(operands));
    case HloOpcode::kCustomCall:
      return EvaluateCustomCall(*this, hlo, std::move(operands));
    case HloOpcode::kInfeed:
      return EvaluateInfeed(*this, hlo, std::move(operands));
    case HloOpcode::kOutfeed:
      return EvaluateOutfeed(*this, hlo, std::move(operands));
    case HloOpcode::kRaggedAllToAll:
      return EvaluateRaggedAllToAll(*this, hlo, std::move(operands));
    case HloOpcode::kRecv:
      return EvaluateRecv(*this, hlo, std::move(operands));
    case HloOpcode::kRecvDone:
      return EvaluateRecvDone(*this, hlo, std::move(operands));
    case HloOpcode::kReduceScatter:
      return EvaluateReduceScatter(*this, hlo, std::move(operands));
    case HloOpcode::kScan:
      return EvaluateScan(*this, hlo, std::move(operands));
    case HloOpcode::kSend:
      return EvaluateSend(*this, hlo, std::move(operands));
    case HloOpcode::kWhile:
      return EvaluateWhile(*this, hlo, std::move(operands));
    case HloOpcode::kAddDependency:
    case HloOpcode::kAllReduceDone:
    case HloOpcode::kAsyncUpdate:
    case HloOpcode::kCopy:
    case HloOpcode::kDomain:
    case HloOpcode::kOptimizationBarrier:
      return std::move(operands[0]);
    case HloOpcode::kCopyDone:
      return operands[0].element(0);
    case HloOpcode::kAllGatherDone:
    case HloOpcode::kAsyncDone:
    case HloOpcode::kCollectivePermuteDone:
      return operands[0].element(1);
    case HloOpcode::kAfterAll:
    case HloOpcode::kSendDone:
      return Value();
    case HloOpcode::kReplicaId:
      return DeviceNumber(device_->replica_id());
    case HloOpcode::kPartitionId:
      return DeviceNumber(device_->partition_id());
    case HloOpcode::kRngGetAndUpdateState:
      return ToValue(EvaluateRngGetAndUpdateState(*this, hlo));
    case HloOpcode::kParameter:
    case HloOpcode::kConstant:
      // The interpreter's Run supplies their values.
      return absl::InternalError("the interpreter does not evaluate this");
  }
  return absl::InternalError(absl::StrCat(
      "opcode ", static_cast<int>(hlo.opcode()), " does not exist"));
}

}  // namespace xla
