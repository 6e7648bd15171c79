// SourceLine: the line of the user's program that an instruction came from.
#ifndef XLA_HLO_ANALYSIS_SOURCE_LINE_H_
#define XLA_HLO_ANALYSIS_SOURCE_LINE_H_

#include <string>

#include "xla/hlo/ir/hlo_instruction.h"

namespace xla {

// Returns "model.py:12", the innermost frame that the metadata names, else the
// file and line in it; of a fusion without any, those of what it computes.
// Empty if the program does not say.
std::string SourceLine(const HloInstruction& hlo);

// Returns "jit(f)/layer_2/dot_general", the op_name of the metadata, likewise.
std::string SourceOpName(const HloInstruction& hlo);

}  // namespace xla

#endif  // XLA_HLO_ANALYSIS_SOURCE_LINE_H_
