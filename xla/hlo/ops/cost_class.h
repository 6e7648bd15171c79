// CostClass: what an op spends its time on, as far as the opcode alone decides.
// Cost models know the rates per element.
#ifndef XLA_HLO_OPS_COST_CLASS_H_
#define XLA_HLO_OPS_COST_CLASS_H_

#include <cstdint>

namespace xla {

// Each op's row names its class (OpDef::cost_class). Zero is no class, so that
// op_table.cc rejects a row that names none. Code that depends on the class
// switches over it without `default`.
enum class CostClass : uint8_t {
  // No code runs: the result is in memory before (parameter, constant) or
  // consists of the operands' memory (tuple, bitcast, after-all, ...).
  kNone = 1,
  // Only the called computations cost time: call, while, conditional, the async
  // ops.
  kControl,
  // One kernel runs the called computation; only its operands and results are
  // in memory.
  kFusion,
  // Elements are moved, not computed, perhaps at other indices: copy, reshape,
  // broadcast, iota, gather, ...
  kMovement,
  // Per element of the result, one machine instruction or a few: add, compare,
  // select, convert, ... (more for complex numbers).
  kArithmetic,
  // Per element, one slow machine instruction.
  kDivision,
  kSquareRoot,  // sqrt and rsqrt
  // Per element, a division followed by corrections, or the loop of fmod.
  kRemainder,
  // Per element, one polynomial after a reduction of the argument: exp, log,
  // sin, tanh, ... A power of integers is a few multiplications instead.
  kTranscendental,
  // Per element, several such polynomials or a branch between them: power,
  // atan2, erf, tan, ...
  kLongTranscendental,
  // The called computation runs for each element of the operands: map, reduce,
  // reduce-window.
  kApplication,
  // The called computation runs for each update, which may be written anywhere:
  // scatter, select-and-scatter.
  kScatteredUpdate,
  // Products are summed over dimensions: the dots and convolution.
  kContraction,
  // An algorithm of its own, in which the work for an element depends on the
  // sizes: sort, fft, cholesky, scan, random bits, ...
  kAlgorithm,
  // The op uses the device's state, or exchanges data with the host or other
  // devices, for which the device may have to wait.
  kDevice,
  // Foreign code of unknown cost: custom-call.
  kForeign,
};

// clang-format off
// The classes of ops that compute each element from the operands' elements at
// the same index, for switches that treat them alike:
//   case XLA_ELEMENTWISE_COST_CLASSES:
#define XLA_ELEMENTWISE_COST_CLASSES \
  CostClass::kArithmetic: \
  case CostClass::kDivision: \
  case CostClass::kSquareRoot: \
  case CostClass::kRemainder: \
  case CostClass::kTranscendental: \
  case CostClass::kLongTranscendental
// clang-format on

}  // namespace xla

#endif  // XLA_HLO_OPS_COST_CLASS_H_
