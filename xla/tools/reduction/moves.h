// The steps that make programs smaller. Each tries what it knows on the best
// program so far, and returns whether it found a smaller one that fails.
#ifndef XLA_TOOLS_REDUCTION_MOVES_H_
#define XLA_TOOLS_REDUCTION_MOVES_H_

#include "xla/tools/reduction/trials.h"

namespace xla::tools {

// Drops metadata, attributes for frontends and backends, shardings, control
// dependencies, aliases and the schedule.
bool StripAnnotations(Trials& trials);

// Makes an instruction of the entry the root, and drops elements of a tuple
// that is the root.
bool ShortenResults(Trials& trials);

// Replaces instructions of the entry by parameters that have their values, and
// those of other computations by zeros.
bool CutInstructions(Trials& trials);

// Replaces instructions by an operand of the same shape.
bool BypassInstructions(Trials& trials);

// Removes instructions that have effects and no users.
bool DropEffects(Trials& trials);

// Replaces calls and fusions by what they call, loops by one iteration, and
// conditionals by one branch; then removes tuples that are taken apart again,
// and what loops carry for nothing.
bool UnwrapCalls(Trials& trials);

// Replaces constants by 0, and numbers by smaller ones, which are trip counts
// of loops, among others.
bool SimplifyConstants(Trials& trials);

// Makes all dimensions of one size smaller, in all shapes at once. Arguments
// and constants keep their first elements.
bool ShrinkDimensions(Trials& trials);

// Reduces strides, padding and dilation of windows, and counts of groups.
bool SimplifyAttributes(Trials& trials);

}  // namespace xla::tools

#endif  // XLA_TOOLS_REDUCTION_MOVES_H_
