// Lists of opcodes for switches that have to name every op and treat a whole
// group alike:
//
//   case XLA_ELEMENTWISE_OPCODES:
//     return FusionRole::kElementwise;
//
// A new op of a listed cost class, or one that moves elements, goes into its
// list, as op_table.cc checks. One of another class has to be named in each of
// these switches.
#ifndef XLA_HLO_OPS_OPCODE_GROUPS_H_
#define XLA_HLO_OPS_OPCODE_GROUPS_H_

#include "xla/hlo/ops/hlo_opcode.h"

// clang-format off

// CostClass::kArithmetic to kLongTranscendental: each element is computed from
// those of the operands at the same index.
#define XLA_ELEMENTWISE_OPCODES \
  HloOpcode::kAbs: \
  case HloOpcode::kAcos: \
  case HloOpcode::kAcosh: \
  case HloOpcode::kAdd: \
  case HloOpcode::kAnd: \
  case HloOpcode::kAsin: \
  case HloOpcode::kAsinh: \
  case HloOpcode::kAtan2: \
  case HloOpcode::kAtanh: \
  case HloOpcode::kCbrt: \
  case HloOpcode::kCeil: \
  case HloOpcode::kClamp: \
  case HloOpcode::kCompare: \
  case HloOpcode::kComplex: \
  case HloOpcode::kConvert: \
  case HloOpcode::kCos: \
  case HloOpcode::kCosh: \
  case HloOpcode::kClz: \
  case HloOpcode::kDivide: \
  case HloOpcode::kErf: \
  case HloOpcode::kErfc: \
  case HloOpcode::kExp: \
  case HloOpcode::kExpm1: \
  case HloOpcode::kFloor: \
  case HloOpcode::kImag: \
  case HloOpcode::kIsFinite: \
  case HloOpcode::kLog: \
  case HloOpcode::kLog1p: \
  case HloOpcode::kLogistic: \
  case HloOpcode::kMaximum: \
  case HloOpcode::kMinimum: \
  case HloOpcode::kMulhi: \
  case HloOpcode::kMultiply: \
  case HloOpcode::kNegate: \
  case HloOpcode::kNot: \
  case HloOpcode::kOr: \
  case HloOpcode::kPopulationCount: \
  case HloOpcode::kPower: \
  case HloOpcode::kReal: \
  case HloOpcode::kReducePrecision: \
  case HloOpcode::kRemainder: \
  case HloOpcode::kRoundNearestAfz: \
  case HloOpcode::kRoundNearestEven: \
  case HloOpcode::kRsqrt: \
  case HloOpcode::kSelect: \
  case HloOpcode::kShiftLeft: \
  case HloOpcode::kShiftRightArithmetic: \
  case HloOpcode::kShiftRightLogical: \
  case HloOpcode::kSign: \
  case HloOpcode::kSin: \
  case HloOpcode::kSinh: \
  case HloOpcode::kSqrt: \
  case HloOpcode::kStochasticConvert: \
  case HloOpcode::kSubtract: \
  case HloOpcode::kTan: \
  case HloOpcode::kTanh: \
  case HloOpcode::kXor

// OpDef::moves except for reshapes: each element of the result is one of an
// operand's, at an index that the op's row gives.
#define XLA_MOVEMENT_OPCODES \
  HloOpcode::kBroadcast: \
  case HloOpcode::kConcatenate: \
  case HloOpcode::kDynamicSlice: \
  case HloOpcode::kDynamicUpdateSlice: \
  case HloOpcode::kGather: \
  case HloOpcode::kPad: \
  case HloOpcode::kReverse: \
  case HloOpcode::kSlice: \
  case HloOpcode::kTranspose

// CostClass::kApplication except for element-wise ops: a computation combines
// the elements of whole dimensions (OpDef::reduces) or of windows.
#define XLA_REDUCTION_OPCODES \
  HloOpcode::kReduce: \
  case HloOpcode::kReduceWindow

// CostClass::kNone: they name, bundle or order values in memory.
#define XLA_NO_CODE_OPCODES \
  HloOpcode::kAddDependency: \
  case HloOpcode::kAfterAll: \
  case HloOpcode::kBitcast: \
  case HloOpcode::kConstant: \
  case HloOpcode::kDomain: \
  case HloOpcode::kGetTupleElement: \
  case HloOpcode::kOptimizationBarrier: \
  case HloOpcode::kParameter: \
  case HloOpcode::kTuple

// CostClass::kControl: they run computations.
#define XLA_CONTROL_OPCODES \
  HloOpcode::kAsyncDone: \
  case HloOpcode::kAsyncStart: \
  case HloOpcode::kAsyncUpdate: \
  case HloOpcode::kCall: \
  case HloOpcode::kConditional: \
  case HloOpcode::kWhile

// CostClass::kDevice: they use the device's state, or exchange data with the
// host or other devices.
#define XLA_DEVICE_OPCODES \
  HloOpcode::kAllGather: \
  case HloOpcode::kAllGatherDone: \
  case HloOpcode::kAllGatherStart: \
  case HloOpcode::kAllReduce: \
  case HloOpcode::kAllReduceDone: \
  case HloOpcode::kAllReduceStart: \
  case HloOpcode::kAllToAll: \
  case HloOpcode::kCollectiveBroadcast: \
  case HloOpcode::kCollectivePermute: \
  case HloOpcode::kCollectivePermuteDone: \
  case HloOpcode::kCollectivePermuteStart: \
  case HloOpcode::kInfeed: \
  case HloOpcode::kOutfeed: \
  case HloOpcode::kPartitionId: \
  case HloOpcode::kRaggedAllToAll: \
  case HloOpcode::kRecv: \
  case HloOpcode::kRecvDone: \
  case HloOpcode::kReduceScatter: \
  case HloOpcode::kReplicaId: \
  case HloOpcode::kRngGetAndUpdateState: \
  case HloOpcode::kSend: \
  case HloOpcode::kSendDone

// clang-format on

#endif  // XLA_HLO_OPS_OPCODE_GROUPS_H_
