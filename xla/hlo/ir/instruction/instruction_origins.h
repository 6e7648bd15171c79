// InstructionOrigins: the part of HloInstruction that says where it comes from:
// the value of the program before any pass, and the lines of its source.
#ifndef XLA_HLO_IR_INSTRUCTION_INSTRUCTION_ORIGINS_H_
#define XLA_HLO_IR_INSTRUCTION_INSTRUCTION_ORIGINS_H_

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "xla/hlo/ir/debug/hlo_module_metadata.h"
#include "xla/hlo/ir/debug/hlo_original_value.h"

namespace xla {

class HloInstruction;

class InstructionOrigins {
 public:
  // Null if it is not known. Whoever has the pointer may change the value, for
  // all instructions that share it.
  std::shared_ptr<OriginalValue> original_value() const {
    return original_value_;
  }
  void set_original_value(std::shared_ptr<OriginalValue> original_value) {
    original_value_ = std::move(original_value);
  }
  // Takes the value of the instruction, which must have a compatible shape: a
  // copy if `clone`, else the same object. If it has not, nothing is taken, and
  // a warning is logged if `issue_warning`.
  void CopyOriginalValue(const HloInstruction* instruction, bool clone = false,
                         bool issue_warning = false);

  // The stack frame that the metadata names and those that called it, the
  // outermost first; none for an instruction without module.
  std::vector<HloStackFrame> GetStackTraceFromMetadata() const;
  // The same as text, a line each, after `indent` spaces. Without any frame,
  // file and line of the metadata, or that there is no source information.
  std::string GetStackTraceStringFromMetadata(int indent = 0) const;

 protected:
  ~InstructionOrigins() = default;

 private:
  std::shared_ptr<OriginalValue> original_value_;
};

}  // namespace xla

#endif  // XLA_HLO_IR_INSTRUCTION_INSTRUCTION_ORIGINS_H_
