// VectorUse: how many elements native code computes at a time, and why not
// more. Includes no LLVM.
#ifndef XLA_BACKENDS_CPU_CODEGEN_PLANS_VECTOR_USE_H_
#define XLA_BACKENDS_CPU_CODEGEN_PLANS_VECTOR_USE_H_

#include "absl/strings/string_view.h"
#include "xla/backends/cpu/jit/target_info.h"
#include "xla/hlo/ir/hlo_instruction.h"

namespace xla::cpu {

struct VectorUse {
  int lanes = 1;  // elements in a vector register
  int width = 1;  // those that it has room for
  // Why it has fewer; empty if it has not.
  absl::string_view reason;
  // Whether the loop is over tiles or columns, where elements that lie across
  // the rows of an operand are read along them.
  bool tiled = false;
};

// What the plans say of `instruction`, which has native code.
VectorUse VectorUseOf(const HloInstruction& instruction,
                      const TargetInfo& target);

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_CODEGEN_PLANS_VECTOR_USE_H_
