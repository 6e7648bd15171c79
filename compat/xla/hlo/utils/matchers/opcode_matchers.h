// A matcher for each opcode, but for those of which hlo_matchers.h has more.
#ifndef COMPAT_XLA_HLO_UTILS_MATCHERS_OPCODE_MATCHERS_H_
#define COMPAT_XLA_HLO_UTILS_MATCHERS_OPCODE_MATCHERS_H_

#include <utility>
#include <vector>

#include "xla/hlo/ir/hlo_opcode.h"
#include "xla/hlo/utils/matchers/instruction_matchers.h"

namespace xla {
namespace testing {
namespace opcode_matchers {

#define XLA_OPCODE_MATCHER_(name)                                          \
  template <typename... M>                                                 \
  InstructionMatcher name(M... operands) {                                 \
    return matchers_internal::OfOpcode(HloOpcode::k##name, {operands...}); \
  }
XLA_OPCODE_MATCHER_(Abs)
XLA_OPCODE_MATCHER_(Acos)
XLA_OPCODE_MATCHER_(Acosh)
XLA_OPCODE_MATCHER_(Add)
XLA_OPCODE_MATCHER_(AddDependency)
XLA_OPCODE_MATCHER_(AfterAll)
XLA_OPCODE_MATCHER_(AllGather)
XLA_OPCODE_MATCHER_(AllGatherDone)
XLA_OPCODE_MATCHER_(AllGatherStart)
XLA_OPCODE_MATCHER_(AllReduce)
XLA_OPCODE_MATCHER_(AllReduceDone)
XLA_OPCODE_MATCHER_(AllReduceStart)
XLA_OPCODE_MATCHER_(AllToAll)
XLA_OPCODE_MATCHER_(And)
XLA_OPCODE_MATCHER_(Asin)
XLA_OPCODE_MATCHER_(Asinh)
XLA_OPCODE_MATCHER_(AsyncDone)
XLA_OPCODE_MATCHER_(AsyncStart)
XLA_OPCODE_MATCHER_(AsyncUpdate)
XLA_OPCODE_MATCHER_(Atan2)
XLA_OPCODE_MATCHER_(Atanh)
XLA_OPCODE_MATCHER_(BatchNormGrad)
XLA_OPCODE_MATCHER_(BatchNormInference)
XLA_OPCODE_MATCHER_(BatchNormTraining)
XLA_OPCODE_MATCHER_(Bitcast)
XLA_OPCODE_MATCHER_(BitcastConvert)
XLA_OPCODE_MATCHER_(Broadcast)
XLA_OPCODE_MATCHER_(Call)
XLA_OPCODE_MATCHER_(Cbrt)
XLA_OPCODE_MATCHER_(Ceil)
XLA_OPCODE_MATCHER_(Cholesky)
XLA_OPCODE_MATCHER_(Clamp)
XLA_OPCODE_MATCHER_(CollectiveBroadcast)
XLA_OPCODE_MATCHER_(CollectivePermute)
XLA_OPCODE_MATCHER_(CollectivePermuteDone)
XLA_OPCODE_MATCHER_(CollectivePermuteStart)
XLA_OPCODE_MATCHER_(Compare)
XLA_OPCODE_MATCHER_(Complex)
XLA_OPCODE_MATCHER_(Concatenate)
XLA_OPCODE_MATCHER_(Conditional)
XLA_OPCODE_MATCHER_(Convert)
XLA_OPCODE_MATCHER_(Convolution)
XLA_OPCODE_MATCHER_(Copy)
XLA_OPCODE_MATCHER_(CopyDone)
XLA_OPCODE_MATCHER_(CopyStart)
XLA_OPCODE_MATCHER_(Cos)
XLA_OPCODE_MATCHER_(Cosh)
XLA_OPCODE_MATCHER_(Clz)
XLA_OPCODE_MATCHER_(Divide)
XLA_OPCODE_MATCHER_(Domain)
XLA_OPCODE_MATCHER_(DynamicReshape)
XLA_OPCODE_MATCHER_(DynamicSlice)
XLA_OPCODE_MATCHER_(DynamicUpdateSlice)
XLA_OPCODE_MATCHER_(Erf)
XLA_OPCODE_MATCHER_(Erfc)
XLA_OPCODE_MATCHER_(Exp)
XLA_OPCODE_MATCHER_(Expm1)
XLA_OPCODE_MATCHER_(Fft)
XLA_OPCODE_MATCHER_(Floor)
XLA_OPCODE_MATCHER_(Fusion)
XLA_OPCODE_MATCHER_(Gather)
XLA_OPCODE_MATCHER_(GetDimensionSize)
XLA_OPCODE_MATCHER_(Imag)
XLA_OPCODE_MATCHER_(Infeed)
XLA_OPCODE_MATCHER_(Iota)
XLA_OPCODE_MATCHER_(IsFinite)
XLA_OPCODE_MATCHER_(Log)
XLA_OPCODE_MATCHER_(Log1p)
XLA_OPCODE_MATCHER_(Logistic)
XLA_OPCODE_MATCHER_(Map)
XLA_OPCODE_MATCHER_(Maximum)
XLA_OPCODE_MATCHER_(Minimum)
XLA_OPCODE_MATCHER_(Mulhi)
XLA_OPCODE_MATCHER_(Multiply)
XLA_OPCODE_MATCHER_(Negate)
XLA_OPCODE_MATCHER_(Not)
XLA_OPCODE_MATCHER_(OptimizationBarrier)
XLA_OPCODE_MATCHER_(Or)
XLA_OPCODE_MATCHER_(Outfeed)
XLA_OPCODE_MATCHER_(Pad)
XLA_OPCODE_MATCHER_(PartitionId)
XLA_OPCODE_MATCHER_(PopulationCount)
XLA_OPCODE_MATCHER_(Power)
XLA_OPCODE_MATCHER_(RaggedAllToAll)
XLA_OPCODE_MATCHER_(RaggedDot)
XLA_OPCODE_MATCHER_(Real)
XLA_OPCODE_MATCHER_(Recv)
XLA_OPCODE_MATCHER_(RecvDone)
XLA_OPCODE_MATCHER_(Reduce)
XLA_OPCODE_MATCHER_(ReducePrecision)
XLA_OPCODE_MATCHER_(ReduceScatter)
XLA_OPCODE_MATCHER_(ReduceWindow)
XLA_OPCODE_MATCHER_(Remainder)
XLA_OPCODE_MATCHER_(ReplicaId)
XLA_OPCODE_MATCHER_(Reshape)
XLA_OPCODE_MATCHER_(Reverse)
XLA_OPCODE_MATCHER_(Rng)
XLA_OPCODE_MATCHER_(RngBitGenerator)
XLA_OPCODE_MATCHER_(RngGetAndUpdateState)
XLA_OPCODE_MATCHER_(RoundNearestAfz)
XLA_OPCODE_MATCHER_(RoundNearestEven)
XLA_OPCODE_MATCHER_(Rsqrt)
XLA_OPCODE_MATCHER_(ScaledDot)
XLA_OPCODE_MATCHER_(Scan)
XLA_OPCODE_MATCHER_(Scatter)
XLA_OPCODE_MATCHER_(Select)
XLA_OPCODE_MATCHER_(SelectAndScatter)
XLA_OPCODE_MATCHER_(Send)
XLA_OPCODE_MATCHER_(SendDone)
XLA_OPCODE_MATCHER_(SetDimensionSize)
XLA_OPCODE_MATCHER_(ShiftLeft)
XLA_OPCODE_MATCHER_(ShiftRightArithmetic)
XLA_OPCODE_MATCHER_(ShiftRightLogical)
XLA_OPCODE_MATCHER_(Sign)
XLA_OPCODE_MATCHER_(Sin)
XLA_OPCODE_MATCHER_(Sinh)
XLA_OPCODE_MATCHER_(Slice)
XLA_OPCODE_MATCHER_(Sort)
XLA_OPCODE_MATCHER_(Sqrt)
XLA_OPCODE_MATCHER_(StochasticConvert)
XLA_OPCODE_MATCHER_(Subtract)
XLA_OPCODE_MATCHER_(Tan)
XLA_OPCODE_MATCHER_(Tanh)
XLA_OPCODE_MATCHER_(TopK)
XLA_OPCODE_MATCHER_(Transpose)
XLA_OPCODE_MATCHER_(TriangularSolve)
XLA_OPCODE_MATCHER_(Tuple)
XLA_OPCODE_MATCHER_(While)
XLA_OPCODE_MATCHER_(Xor)
#undef XLA_OPCODE_MATCHER_

// The operands as one list.
template <>
inline InstructionMatcher DynamicSlice(
    std::vector<InstructionMatcher> operands) {
  return matchers_internal::OfOpcode(HloOpcode::kDynamicSlice,
                                     std::move(operands));
}

}  // namespace opcode_matchers
}  // namespace testing
}  // namespace xla

#endif  // COMPAT_XLA_HLO_UTILS_MATCHERS_OPCODE_MATCHERS_H_
