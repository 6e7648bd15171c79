// Patterns of ops: a function for each opcode.
#ifndef COMPAT_XLA_SERVICE_PATTERN_MATCHER_OP_PATTERNS_H_
#define COMPAT_XLA_SERVICE_PATTERN_MATCHER_OP_PATTERNS_H_

#include <array>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <type_traits>

#include "absl/strings/string_view.h"
#include "xla/hlo/ir/hlo_instruction.h"
#include "xla/hlo/ops/hlo_opcode.h"
#include "xla/service/pattern_matcher/instruction_pattern.h"

namespace xla::match {

inline HloInstructionPattern Op() { return HloInstructionPattern(); }
inline HloInstructionPattern Op(const HloInstruction** matched_inst) {
  return HloInstructionPattern().Capture(matched_inst);
}
inline HloInstructionPattern Op(HloInstruction** matched_inst) {
  return HloInstructionPattern().Capture(matched_inst);
}

namespace detail {

// Adds patterns of the first operands, as many as are given.
template <typename... Operands>
HloInstructionPattern WithOperands(HloInstructionPattern op,
                                   const Operands&... operands) {
  int64_t i = 0;
  ((op = op.WithOperand(i++, operands)), ...);
  return op;
}

// Whether patterns of the op are those of its first operand, whatever other
// ones it has.
constexpr bool HasPatternOfFirstOperand(HloOpcode opcode) {
  switch (opcode) {
    case HloOpcode::kAllGatherStart:
    case HloOpcode::kAllReduceStart:
    case HloOpcode::kAllToAll:
    case HloOpcode::kCollectiveBroadcast:
    case HloOpcode::kCollectivePermute:
    case HloOpcode::kCollectivePermuteStart:
    case HloOpcode::kRaggedAllToAll:
      return true;
    default:
      return false;
  }
}

// The pattern of an opcode: arguments are operands, or a pointer to capture
// into and operands; as many as the op has, if any.
template <HloOpcode kOpcode>
HloInstructionPattern OpPattern() {
  return Op().WithOpcode(kOpcode);
}
template <HloOpcode kOpcode, typename Hlo, typename... Operands>
HloInstructionPattern OpPattern(Hlo** capture, const Operands&... operands) {
  auto op = WithOperands(Op(capture).WithOpcode(kOpcode), operands...);
  if constexpr (sizeof...(operands) == 0 || HasPatternOfFirstOperand(kOpcode)) {
    return op;
  } else {
    return op.WithNumOperands(sizeof...(operands));
  }
}
template <HloOpcode kOpcode, typename... Operands>
HloInstructionPattern OpPattern(const HloInstructionPattern& operand,
                                const Operands&... operands) {
  const auto op = WithOperands(Op().WithOpcode(kOpcode), operand, operands...);
  return HasPatternOfFirstOperand(kOpcode)
             ? op
             : op.WithNumOperands(1 + sizeof...(operands));
}

// The same for two operands in any order.
template <HloOpcode kOpcode>
HloInstructionPattern AnyOrder(const HloInstructionPattern& lhs,
                               const HloInstructionPattern& rhs) {
  return Op().WithOpcode(kOpcode).WithBinaryOperandsAnyOrder(lhs, rhs);
}
template <HloOpcode kOpcode, typename Hlo>
HloInstructionPattern AnyOrder(Hlo** capture, const HloInstructionPattern& lhs,
                               const HloInstructionPattern& rhs) {
  return Op(capture).WithOpcode(kOpcode).WithBinaryOperandsAnyOrder(lhs, rhs);
}

}  // namespace detail

#define XLA_OP_PATTERN_(name)                              \
  template <typename... Args>                              \
  HloInstructionPattern name(const Args&... args) {        \
    return detail::OpPattern<HloOpcode::k##name>(args...); \
  }
#define XLA_COMMUTATIVE_PATTERN_(name)                        \
  template <typename... Args>                                 \
  HloInstructionPattern name##AnyOrder(const Args&... args) { \
    return detail::AnyOrder<HloOpcode::k##name>(args...);     \
  }
XLA_OP_PATTERN_(Abs)
XLA_OP_PATTERN_(Acos)
XLA_OP_PATTERN_(Acosh)
XLA_OP_PATTERN_(Add)
XLA_OP_PATTERN_(AddDependency)
XLA_OP_PATTERN_(AfterAll)
XLA_OP_PATTERN_(AllGather)
XLA_OP_PATTERN_(AllGatherDone)
XLA_OP_PATTERN_(AllGatherStart)
XLA_OP_PATTERN_(AllReduce)
XLA_OP_PATTERN_(AllReduceDone)
XLA_OP_PATTERN_(AllReduceStart)
XLA_OP_PATTERN_(AllToAll)
XLA_OP_PATTERN_(And)
XLA_OP_PATTERN_(Asin)
XLA_OP_PATTERN_(Asinh)
XLA_OP_PATTERN_(AsyncDone)
XLA_OP_PATTERN_(AsyncStart)
XLA_OP_PATTERN_(AsyncUpdate)
XLA_OP_PATTERN_(Atan2)
XLA_OP_PATTERN_(Atanh)
XLA_OP_PATTERN_(BatchNormGrad)
XLA_OP_PATTERN_(BatchNormInference)
XLA_OP_PATTERN_(BatchNormTraining)
XLA_OP_PATTERN_(Bitcast)
XLA_OP_PATTERN_(BitcastConvert)
XLA_OP_PATTERN_(Broadcast)
XLA_OP_PATTERN_(Call)
XLA_OP_PATTERN_(Cbrt)
XLA_OP_PATTERN_(Ceil)
XLA_OP_PATTERN_(Cholesky)
XLA_OP_PATTERN_(Clamp)
XLA_OP_PATTERN_(Clz)
XLA_OP_PATTERN_(CollectiveBroadcast)
XLA_OP_PATTERN_(CollectivePermute)
XLA_OP_PATTERN_(CollectivePermuteDone)
XLA_OP_PATTERN_(CollectivePermuteStart)
XLA_OP_PATTERN_(Complex)
XLA_OP_PATTERN_(Concatenate)
XLA_OP_PATTERN_(Conditional)
XLA_OP_PATTERN_(Convert)
XLA_OP_PATTERN_(Convolution)
XLA_OP_PATTERN_(Copy)
XLA_OP_PATTERN_(CopyDone)
XLA_OP_PATTERN_(CopyStart)
XLA_OP_PATTERN_(Cos)
XLA_OP_PATTERN_(Cosh)
XLA_OP_PATTERN_(Divide)
XLA_OP_PATTERN_(Domain)
XLA_OP_PATTERN_(Dot)
XLA_OP_PATTERN_(DynamicReshape)
XLA_OP_PATTERN_(DynamicSlice)
XLA_OP_PATTERN_(DynamicUpdateSlice)
XLA_OP_PATTERN_(Erf)
XLA_OP_PATTERN_(Erfc)
XLA_OP_PATTERN_(Exp)
XLA_OP_PATTERN_(Expm1)
XLA_OP_PATTERN_(Fft)
XLA_OP_PATTERN_(Floor)
XLA_OP_PATTERN_(Fusion)
XLA_OP_PATTERN_(Gather)
XLA_OP_PATTERN_(GetDimensionSize)
XLA_OP_PATTERN_(Imag)
XLA_OP_PATTERN_(Infeed)
XLA_OP_PATTERN_(Iota)
XLA_OP_PATTERN_(IsFinite)
XLA_OP_PATTERN_(Log)
XLA_OP_PATTERN_(Log1p)
XLA_OP_PATTERN_(Logistic)
XLA_OP_PATTERN_(Map)
XLA_OP_PATTERN_(Maximum)
XLA_OP_PATTERN_(Minimum)
XLA_OP_PATTERN_(Multiply)
XLA_OP_PATTERN_(Negate)
XLA_OP_PATTERN_(Not)
XLA_OP_PATTERN_(OptimizationBarrier)
XLA_OP_PATTERN_(Or)
XLA_OP_PATTERN_(Outfeed)
XLA_OP_PATTERN_(Pad)
XLA_OP_PATTERN_(PartitionId)
XLA_OP_PATTERN_(PopulationCount)
XLA_OP_PATTERN_(Power)
XLA_OP_PATTERN_(RaggedAllToAll)
XLA_OP_PATTERN_(RaggedDot)
XLA_OP_PATTERN_(Real)
XLA_OP_PATTERN_(Recv)
XLA_OP_PATTERN_(RecvDone)
XLA_OP_PATTERN_(Reduce)
XLA_OP_PATTERN_(ReducePrecision)
XLA_OP_PATTERN_(ReduceScatter)
XLA_OP_PATTERN_(ReduceWindow)
XLA_OP_PATTERN_(Remainder)
XLA_OP_PATTERN_(ReplicaId)
XLA_OP_PATTERN_(Reshape)
XLA_OP_PATTERN_(Reverse)
XLA_OP_PATTERN_(Rng)
XLA_OP_PATTERN_(RngBitGenerator)
XLA_OP_PATTERN_(RngGetAndUpdateState)
XLA_OP_PATTERN_(RoundNearestAfz)
XLA_OP_PATTERN_(RoundNearestEven)
XLA_OP_PATTERN_(Rsqrt)
XLA_OP_PATTERN_(ScaledDot)
XLA_OP_PATTERN_(Scan)
XLA_OP_PATTERN_(Scatter)
XLA_OP_PATTERN_(Select)
XLA_OP_PATTERN_(SelectAndScatter)
XLA_OP_PATTERN_(Send)
XLA_OP_PATTERN_(SendDone)
XLA_OP_PATTERN_(SetDimensionSize)
XLA_OP_PATTERN_(ShiftLeft)
XLA_OP_PATTERN_(ShiftRightArithmetic)
XLA_OP_PATTERN_(ShiftRightLogical)
XLA_OP_PATTERN_(Sign)
XLA_OP_PATTERN_(Sin)
XLA_OP_PATTERN_(Sinh)
XLA_OP_PATTERN_(Slice)
XLA_OP_PATTERN_(Sort)
XLA_OP_PATTERN_(Sqrt)
XLA_OP_PATTERN_(StochasticConvert)
XLA_OP_PATTERN_(Subtract)
XLA_OP_PATTERN_(Tan)
XLA_OP_PATTERN_(Tanh)
XLA_OP_PATTERN_(TopK)
XLA_OP_PATTERN_(Transpose)
XLA_OP_PATTERN_(TriangularSolve)
XLA_OP_PATTERN_(Tuple)
XLA_OP_PATTERN_(While)
XLA_OP_PATTERN_(Xor)
XLA_COMMUTATIVE_PATTERN_(Add)
XLA_COMMUTATIVE_PATTERN_(And)
XLA_COMMUTATIVE_PATTERN_(Maximum)
XLA_COMMUTATIVE_PATTERN_(Minimum)
XLA_COMMUTATIVE_PATTERN_(Multiply)
XLA_COMMUTATIVE_PATTERN_(Or)
XLA_COMMUTATIVE_PATTERN_(Xor)
XLA_COMMUTATIVE_PATTERN_(Compare)
XLA_COMMUTATIVE_PATTERN_(Complex)
#undef XLA_OP_PATTERN_
#undef XLA_COMMUTATIVE_PATTERN_

// The names of older versions.
template <typename... Args>
HloInstructionPattern Round(const Args&... args) {
  return RoundNearestAfz(args...);
}

template <typename... Args>
HloInstructionPattern Compare(const Args&... args) {
  return detail::OpPattern<HloOpcode::kCompare>(args...);
}
#define XLA_COMPARE_PATTERN_(name)                   \
  template <typename... Args>                        \
  HloInstructionPattern name(const Args&... args) {  \
    return Compare(args...).WithComparisonDirection( \
        ComparisonDirection::k##name);               \
  }
XLA_COMPARE_PATTERN_(Eq)
XLA_COMPARE_PATTERN_(Ne)
XLA_COMPARE_PATTERN_(Ge)
XLA_COMPARE_PATTERN_(Gt)
XLA_COMPARE_PATTERN_(Le)
XLA_COMPARE_PATTERN_(Lt)
#undef XLA_COMPARE_PATTERN_
template <typename... Args>
HloInstructionPattern EqAnyOrder(const Args&... args) {
  return CompareAnyOrder(args...).WithComparisonDirection(
      ComparisonDirection::kEq);
}
template <typename... Args>
HloInstructionPattern NeAnyOrder(const Args&... args) {
  return CompareAnyOrder(args...).WithComparisonDirection(
      ComparisonDirection::kNe);
}

inline HloInstructionPattern Parameter() {
  return detail::OpPattern<HloOpcode::kParameter>();
}
inline HloInstructionPattern Parameter(int64_t parameter_num) {
  return Parameter().WithParameterNum(parameter_num);
}
template <typename Hlo>
HloInstructionPattern Parameter(Hlo** capture) {
  return detail::OpPattern<HloOpcode::kParameter>(capture);
}
template <typename Hlo>
HloInstructionPattern Parameter(Hlo** capture, int64_t parameter_num) {
  return Parameter(capture).WithParameterNum(parameter_num);
}

inline HloInstructionPattern GetTupleElement() {
  return detail::OpPattern<HloOpcode::kGetTupleElement>();
}
inline HloInstructionPattern GetTupleElement(
    const HloInstructionPattern& operand) {
  return detail::OpPattern<HloOpcode::kGetTupleElement>(operand);
}
template <typename Hlo>
HloInstructionPattern GetTupleElement(Hlo** capture) {
  return detail::OpPattern<HloOpcode::kGetTupleElement>(capture);
}
template <typename Hlo>
HloInstructionPattern GetTupleElement(Hlo** capture,
                                      const HloInstructionPattern& operand) {
  return detail::OpPattern<HloOpcode::kGetTupleElement>(capture, operand);
}
inline HloInstructionPattern GetTupleElement(
    const HloInstructionPattern& operand, int64_t tuple_index) {
  return GetTupleElement(operand).WithTupleIndex(tuple_index);
}
template <typename Hlo>
HloInstructionPattern GetTupleElement(Hlo** capture,
                                      const HloInstructionPattern& operand,
                                      int64_t tuple_index) {
  return GetTupleElement(capture, operand).WithTupleIndex(tuple_index);
}

// Takes a target, or several, before the operands.
inline HloInstructionPattern CustomCall() {
  return detail::OpPattern<HloOpcode::kCustomCall>();
}
template <typename First, typename... Args>
HloInstructionPattern CustomCall(const First& first, const Args&... args) {
  if constexpr (std::is_convertible_v<const First&, absl::string_view>) {
    return CustomCall(args...).WithCustomCallTarget(absl::string_view(first));
  } else {
    return detail::OpPattern<HloOpcode::kCustomCall>(first, args...);
  }
}
template <typename Hlo, typename Second, typename... Args>
HloInstructionPattern CustomCall(Hlo** capture, const Second& second,
                                 const Args&... args) {
  if constexpr (std::is_convertible_v<const Second&, absl::string_view>) {
    return CustomCall(capture, args...)
        .WithCustomCallTarget(absl::string_view(second));
  } else {
    return detail::OpPattern<HloOpcode::kCustomCall>(capture, second, args...);
  }
}
template <typename... Args>
HloInstructionPattern CustomCall(std::initializer_list<absl::string_view> names,
                                 const Args&... args) {
  return CustomCall(args...).WithCustomCallTarget(names);
}
template <typename Hlo, typename... Args>
HloInstructionPattern CustomCall(Hlo** capture,
                                 std::initializer_list<absl::string_view> names,
                                 const Args&... args) {
  return detail::OpPattern<HloOpcode::kCustomCall>(capture, args...)
      .WithCustomCallTarget(names);
}

// Constants: any, a scalar, an array of one element; with a value.
inline HloInstructionPattern Constant() {
  return detail::OpPattern<HloOpcode::kConstant>();
}
template <typename Hlo>
HloInstructionPattern Constant(Hlo** capture) {
  return detail::OpPattern<HloOpcode::kConstant>(capture);
}
inline HloInstructionPattern ConstantScalar() {
  return Op().IsConstantScalar();
}
template <typename T, typename = std::enable_if_t<!std::is_pointer_v<T>>>
HloInstructionPattern ConstantScalar(T value) {
  return Op().IsConstantScalar(value);
}
template <typename Hlo>
HloInstructionPattern ConstantScalar(Hlo** capture) {
  return Op(capture).IsConstantScalar();
}
template <typename Hlo, typename T>
HloInstructionPattern ConstantScalar(Hlo** capture, T value) {
  return Op(capture).IsConstantScalar(value);
}
inline HloInstructionPattern ConstantEffectiveScalar() {
  return Op().IsConstantEffectiveScalar();
}
template <typename T, typename = std::enable_if_t<!std::is_pointer_v<T>>>
HloInstructionPattern ConstantEffectiveScalar(T value) {
  return Op().IsConstantEffectiveScalar(value);
}
template <typename Hlo>
HloInstructionPattern ConstantEffectiveScalar(Hlo** capture) {
  return Op(capture).IsConstantEffectiveScalar();
}
template <typename Hlo, typename T>
HloInstructionPattern ConstantEffectiveScalar(Hlo** capture, T value) {
  return Op(capture).IsConstantEffectiveScalar(value);
}

template <typename... Args>
HloInstructionPattern NonConstant(const Args&... capture) {
  return Op(capture...).IsNonConstant();
}

}  // namespace xla::match

#endif  // COMPAT_XLA_SERVICE_PATTERN_MATCHER_OP_PATTERNS_H_
