// Concatenates that put a few columns side by side, as jnp.stack(axis=-1) does.
#ifndef XLA_BACKENDS_CPU_ANALYSIS_STACKED_COLUMNS_H_
#define XLA_BACKENDS_CPU_ANALYSIS_STACKED_COLUMNS_H_

#include "xla/hlo/ir/hlo_instruction.h"

namespace xla::cpu {

// Whether `hlo` is a concatenate along its innermost dimension, of few columns
// of real numbers and many rows, whose operands have one or two columns each on
// average. A loop over vectors of rows then computes each column with code of
// its own, and values that several columns need once.
bool StacksColumns(const HloInstruction& hlo);

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_ANALYSIS_STACKED_COLUMNS_H_
