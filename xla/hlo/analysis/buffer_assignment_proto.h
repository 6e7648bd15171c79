// BufferAssignmentToProto: a buffer assignment in XLA's form, for viewers of
// memory.
#ifndef XLA_HLO_ANALYSIS_BUFFER_ASSIGNMENT_PROTO_H_
#define XLA_HLO_ANALYSIS_BUFFER_ASSIGNMENT_PROTO_H_

#include "xla/hlo/analysis/buffer_assignment.h"
#include "xla/hlo/ir/hlo_module.h"
#include "xla/proto/buffer_assignment.pb.h"

namespace xla {

// `assignment` is that of `module`. A logical buffer is defined at the leaf
// that is written first; other leaves with memory of the buffer are its
// aliases, by the ids of their instructions. The only trace of a heap is that
// of the arena, and there is none if no buffer lies in it. A result that
// input_output_alias pairs with a parameter lies in the parameter's allocation,
// as it does when the caller donates the parameter. All colors are 0.
BufferAssignmentProto BufferAssignmentToProto(
    const HloModule& module, const BufferAssignment& assignment);

}  // namespace xla

#endif  // XLA_HLO_ANALYSIS_BUFFER_ASSIGNMENT_PROTO_H_
