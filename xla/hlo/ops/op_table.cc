// The rows of all ops; each stands with its family.
#include "xla/hlo/ops/op_table.h"

#include <array>

#include "xla/hlo/ops/batch_norm.h"
#include "xla/hlo/ops/collectives.h"
#include "xla/hlo/ops/contraction.h"
#include "xla/hlo/ops/control_flow.h"
#include "xla/hlo/ops/convolution.h"
#include "xla/hlo/ops/elementwise_binary.h"
#include "xla/hlo/ops/elementwise_other.h"
#include "xla/hlo/ops/elementwise_unary.h"
#include "xla/hlo/ops/gather_scatter.h"
#include "xla/hlo/ops/linear_algebra.h"
#include "xla/hlo/ops/random.h"
#include "xla/hlo/ops/reduction.h"
#include "xla/hlo/ops/reshape.h"
#include "xla/hlo/ops/slicing.h"
#include "xla/hlo/ops/sorting.h"
#include "xla/hlo/ops/transfers.h"
#include "xla/hlo/ops/values.h"

namespace xla {
namespace {

constexpr std::array<const OpDef*, kHloOpcodeCount> kRows = {
    &kAbs, &kAcos, &kAcosh, &kAdd, &kAddDependency, &kAfterAll, &kAllGather,
    &kAllGatherDone, &kAllGatherStart, &kAllReduce, &kAllReduceDone,
    &kAllReduceStart, &kAllToAll, &kAnd, &kAsin, &kAsinh, &kAsyncDone,
    &kAsyncStart, &kAsyncUpdate, &kAtan2, &kAtanh, &kBatchNormGrad,
    &kBatchNormInference, &kBatchNormTraining, &kBitcast, &kBitcastConvert,
    &kBroadcast, &kCall, &kCbrt, &kCeil, &kCholesky, &kClamp,
    &kCollectiveBroadcast, &kCollectivePermute, &kCollectivePermuteDone,
    &kCollectivePermuteStart, &kCompare, &kComplex, &kConcatenate,
    &kConditional, &kConstant, &kConvert, &kConvolution, &kCopy, &kCopyDone,
    &kCopyStart, &kCos, &kCosh, &kClz, &kCustomCall, &kDivide, &kDomain, &kDot,
    &kDynamicReshape, &kDynamicSlice, &kDynamicUpdateSlice, &kErf, &kExp,
    &kExpm1, &kFft, &kFloor, &kFusion, &kGather, &kGetDimensionSize,
    &kGetTupleElement, &kImag, &kInfeed, &kIota, &kIsFinite, &kLog, &kLog1p,
    &kLogistic, &kMap, &kMaximum, &kMinimum, &kMulhi, &kMultiply, &kNegate,
    &kNot, &kOptimizationBarrier, &kOr, &kOutfeed, &kPad, &kParameter,
    &kPartitionId, &kPopulationCount, &kPower, &kRaggedAllToAll, &kRaggedDot,
    &kReal, &kRecv, &kRecvDone, &kReduce, &kReducePrecision, &kReduceScatter,
    &kReduceWindow, &kRemainder, &kReplicaId, &kReshape, &kReverse, &kRng,
    &kRngBitGenerator, &kRngGetAndUpdateState, &kRoundNearestAfz,
    &kRoundNearestEven, &kRsqrt, &kScaledDot, &kScan, &kScatter, &kSelect,
    &kSelectAndScatter, &kSend, &kSendDone, &kSetDimensionSize, &kShiftLeft,
    &kShiftRightArithmetic, &kShiftRightLogical, &kSign, &kSin, &kSinh, &kSlice,
    &kSort, &kSqrt, &kStochasticConvert, &kSubtract, &kTan, &kTanh, &kTopK,
    &kTranspose, &kTriangularSolve, &kTuple, &kWhile, &kXor,
};

constexpr bool RowsAreInEnumOrder() {
  for (int i = 0; i < kHloOpcodeCount; ++i) {
    if (kRows[i] == nullptr || static_cast<int>(kRows[i]->opcode) != i) {
      return false;
    }
  }
  return true;
}
static_assert(RowsAreInEnumOrder(),
              "kRows lists each opcode's row once, in the order of HloOpcode");

}  // namespace

absl::Span<const OpDef* const> OpTable() { return kRows; }

}  // namespace xla
