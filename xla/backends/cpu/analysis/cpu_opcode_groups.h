// Lists of opcodes that the CPU compiler treats alike, for switches that have
// to name every op; hlo/ops/opcode_groups.h has those that follow from rows.
#ifndef XLA_BACKENDS_CPU_ANALYSIS_CPU_OPCODE_GROUPS_H_
#define XLA_BACKENDS_CPU_ANALYSIS_CPU_OPCODE_GROUPS_H_

#include "xla/hlo/ops/hlo_opcode.h"

// clang-format off

// The library runs them, whatever surrounds them (thunk_emitter/library_ops.cc).
// A dot is not among them, since loops compute small ones.
#define XLA_CPU_LIBRARY_OPCODES \
  HloOpcode::kCholesky: \
  case HloOpcode::kConvolution: \
  case HloOpcode::kCustomCall: \
  case HloOpcode::kFft: \
  case HloOpcode::kGetDimensionSize: \
  case HloOpcode::kSetDimensionSize: \
  case HloOpcode::kSort: \
  case HloOpcode::kTopK: \
  case HloOpcode::kTriangularSolve

// Passes replace them by other ops (pipeline.cc).
#define XLA_CPU_EXPANDED_OPCODES \
  HloOpcode::kBatchNormGrad: \
  case HloOpcode::kBatchNormInference: \
  case HloOpcode::kBatchNormTraining: \
  case HloOpcode::kCopyDone: \
  case HloOpcode::kCopyStart: \
  case HloOpcode::kDynamicReshape: \
  case HloOpcode::kRaggedDot: \
  case HloOpcode::kRng: \
  case HloOpcode::kRngBitGenerator: \
  case HloOpcode::kScaledDot: \
  case HloOpcode::kScan: \
  case HloOpcode::kSelectAndScatter

// clang-format on

#endif  // XLA_BACKENDS_CPU_ANALYSIS_CPU_OPCODE_GROUPS_H_
