// What the time of an op goes into: the part of its cost that follows from the
// opcode alone. Rates per element are the cost models' to know.
#ifndef XLA_HLO_OPS_COST_CLASS_H_
#define XLA_HLO_OPS_COST_CLASS_H_

#include <cstdint>

namespace xla {

// Each op's row names its class (OpDef::cost_class). Zero is no class, so that
// op_table.cc rejects a row that names none; and what goes by the class
// switches over it without `default`.
enum class CostClass : uint8_t {
  // No code runs: the result is in memory before (parameter, constant) or
  // consists of the operands' memory (tuple, bitcast, after-all, ...).
  kNone = 1,
  // What the called computations cost, and nothing beside them: call, while,
  // conditional, the async ops.
  kControl,
  // One kernel for the called computation: memory is read and written at its
  // borders alone.
  kFusion,
  // Elements are moved, not computed, perhaps at other indices: copy, reshape,
  // broadcast, iota, gather, ...
  kMovement,
  // Per element of the result, one machine instruction or a few: add, compare,
  // select, convert, ... (more of complex numbers).
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
  // The called computation for each element that comes in: map, reduce,
  // reduce-window.
  kApplication,
  // The called computation for each update, wherever that is written: scatter,
  // select-and-scatter.
  kScatteredUpdate,
  // Products summed over dimensions: the dots and convolution.
  kContraction,
  // An algorithm of its own, in which the work for an element depends on the
  // sizes: sort, fft, cholesky, scan, random bits, ...
  kAlgorithm,
  // State of the device, or an exchange with the host or with other devices,
  // for which the device may have to wait.
  kDevice,
  // Foreign code that nothing is known about: custom-call.
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
