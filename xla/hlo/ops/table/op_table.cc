// The rows of all ops; each stands with its family.
#include <array>

#include "xla/hlo/ops/control_flow.h"
#include "xla/hlo/ops/device/collective_pairs.h"
#include "xla/hlo/ops/device/collectives.h"
#include "xla/hlo/ops/device/transfers.h"
#include "xla/hlo/ops/elementwise/elementwise_binary.h"
#include "xla/hlo/ops/elementwise/elementwise_other.h"
#include "xla/hlo/ops/elementwise/elementwise_unary.h"
#include "xla/hlo/ops/linear/contraction.h"
#include "xla/hlo/ops/linear/convolution.h"
#include "xla/hlo/ops/linear/linear_algebra.h"
#include "xla/hlo/ops/movement/gather_scatter.h"
#include "xla/hlo/ops/movement/reshape.h"
#include "xla/hlo/ops/movement/slicing.h"
#include "xla/hlo/ops/movement/sorting.h"
#include "xla/hlo/ops/op_def.h"
#include "xla/hlo/ops/opcode_groups.h"
#include "xla/hlo/ops/random.h"
#include "xla/hlo/ops/reduction/batch_norm.h"
#include "xla/hlo/ops/reduction/reduction.h"
#include "xla/hlo/ops/values.h"

namespace xla {
namespace {

constexpr std::array<const OpDef*, kHloOpcodeCount> kRows = {
    &kAbs,
    &kAcos,
    &kAcosh,
    &kAdd,
    &kAddDependency,
    &kAfterAll,
    &kAllGather,
    &kAllGatherDone,
    &kAllGatherStart,
    &kAllReduce,
    &kAllReduceDone,
    &kAllReduceStart,
    &kAllToAll,
    &kAnd,
    &kAsin,
    &kAsinh,
    &kAsyncDone,
    &kAsyncStart,
    &kAsyncUpdate,
    &kAtan2,
    &kAtanh,
    &kBatchNormGrad,
    &kBatchNormInference,
    &kBatchNormTraining,
    &kBitcast,
    &kBitcastConvert,
    &kBroadcast,
    &kCall,
    &kCbrt,
    &kCeil,
    &kCholesky,
    &kClamp,
    &kCollectiveBroadcast,
    &kCollectivePermute,
    &kCollectivePermuteDone,
    &kCollectivePermuteStart,
    &kCompare,
    &kComplex,
    &kConcatenate,
    &kConditional,
    &kConstant,
    &kConvert,
    &kConvolution,
    &kCopy,
    &kCopyDone,
    &kCopyStart,
    &kCos,
    &kCosh,
    &kClz,
    &kCustomCall,
    &kDivide,
    &kDomain,
    &kDot,
    &kDynamicReshape,
    &kDynamicSlice,
    &kDynamicUpdateSlice,
    &kErf,
    &kErfc,
    &kExp,
    &kExpm1,
    &kFft,
    &kFloor,
    &kFusion,
    &kGather,
    &kGetDimensionSize,
    &kGetTupleElement,
    &kImag,
    &kInfeed,
    &kIota,
    &kIsFinite,
    &kLog,
    &kLog1p,
    &kLogistic,
    &kMap,
    &kMaximum,
    &kMinimum,
    &kMulhi,
    &kMultiply,
    &kNegate,
    &kNot,
    &kOptimizationBarrier,
    &kOr,
    &kOutfeed,
    &kPad,
    &kParameter,
    &kPartitionId,
    &kPopulationCount,
    &kPower,
    &kRaggedAllToAll,
    &kRaggedDot,
    &kReal,
    &kRecv,
    &kRecvDone,
    &kReduce,
    &kReducePrecision,
    &kReduceScatter,
    &kReduceWindow,
    &kRemainder,
    &kReplicaId,
    &kReshape,
    &kReverse,
    &kRng,
    &kRngBitGenerator,
    &kRngGetAndUpdateState,
    &kRoundNearestAfz,
    &kRoundNearestEven,
    &kRsqrt,
    &kScaledDot,
    &kScan,
    &kScatter,
    &kSelect,
    &kSelectAndScatter,
    &kSend,
    &kSendDone,
    &kSetDimensionSize,
    &kShiftLeft,
    &kShiftRightArithmetic,
    &kShiftRightLogical,
    &kSign,
    &kSin,
    &kSinh,
    &kSlice,
    &kSort,
    &kSqrt,
    &kStochasticConvert,
    &kSubtract,
    &kTan,
    &kTanh,
    &kTopK,
    &kTranspose,
    &kTriangularSolve,
    &kTuple,
    &kWhile,
    &kXor,
};

constexpr bool RowsAreInEnumOrder() {
  for (int i = 0; i < kHloOpcodeCount; ++i) {
    if (static_cast<int>(kRows[i]->opcode) != i) return false;
  }
  return true;
}
static_assert(RowsAreInEnumOrder(),
              "kRows lists each opcode's row once, in the order of HloOpcode");

constexpr bool RowsHaveCostClasses() {
  for (const OpDef* row : kRows) {
    if (row->cost_class == CostClass{}) return false;
  }
  return true;
}
static_assert(RowsHaveCostClasses(), "each row names a cost_class");

enum class Group {
  kNone,
  kElementwise,
  kMovement,
  kReduction,
  kNoCode,
  kControl,
  kDevice
};

constexpr Group ListedGroup(HloOpcode opcode) {
  switch (opcode) {
    case XLA_ELEMENTWISE_OPCODES:
      return Group::kElementwise;
    case XLA_MOVEMENT_OPCODES:
      return Group::kMovement;
    case XLA_REDUCTION_OPCODES:
      return Group::kReduction;
    case XLA_NO_CODE_OPCODES:
      return Group::kNoCode;
    case XLA_CONTROL_OPCODES:
      return Group::kControl;
    case XLA_DEVICE_OPCODES:
      return Group::kDevice;
    default:
      return Group::kNone;
  }
}

constexpr Group GroupOf(const OpDef& row) {
  switch (row.cost_class) {
    case XLA_ELEMENTWISE_COST_CLASSES:
      return Group::kElementwise;
    case CostClass::kNone:
      return Group::kNoCode;
    case CostClass::kControl:
      return Group::kControl;
    case CostClass::kDevice:
      return Group::kDevice;
    case CostClass::kMovement:
      return row.moves && row.opcode != HloOpcode::kReshape ? Group::kMovement
                                                            : Group::kNone;
    case CostClass::kApplication:
      return row.elementwise ? Group::kNone : Group::kReduction;
    case CostClass::kFusion:
    case CostClass::kScatteredUpdate:
    case CostClass::kContraction:
    case CostClass::kAlgorithm:
    case CostClass::kForeign:
      return Group::kNone;
  }
  return Group::kNone;
}

constexpr bool GroupsFollowRows() {
  for (const OpDef* row : kRows) {
    if (ListedGroup(row->opcode) != GroupOf(*row)) return false;
  }
  return true;
}
static_assert(GroupsFollowRows(),
              "opcode_groups.h lists the ops of each group");

}  // namespace

absl::Span<const OpDef* const> OpTable() { return kRows; }

}  // namespace xla
