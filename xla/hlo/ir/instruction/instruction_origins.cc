// Stack traces of instructions.
#include "xla/hlo/ir/instruction/instruction_origins.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "xla/hlo/ir/debug/hlo_original_value_util.h"
#include "xla/hlo/ir/hlo_instruction.h"
#include "xla/hlo/ir/hlo_module.h"

namespace xla {

void InstructionOrigins::CopyOriginalValue(const HloInstruction* instruction,
                                           bool clone, bool issue_warning) {
  xla::CopyOriginalValue(instruction, static_cast<HloInstruction*>(this), clone,
                         issue_warning);
}

std::vector<HloStackFrame> InstructionOrigins::GetStackTraceFromMetadata()
    const {
  const auto& self = static_cast<const HloInstruction&>(*this);
  const HloModule* module = self.GetModule();
  std::vector<HloStackFrame> frames;
  if (module == nullptr || !module->stack_frame_index().has_value()) {
    return frames;
  }
  // Tables that were read from somewhere may have a frame that calls itself.
  const size_t max_depth = module->stack_frame_index()->stack_frames_size();
  int id = self.metadata().stack_frame_id();
  while (frames.size() < max_depth) {
    const HloStackFrame frame = module->get_stack_frame(id);
    if (frame.empty()) break;
    id = frame.parent_frame_id;
    frames.push_back(frame);
  }
  std::reverse(frames.begin(), frames.end());
  return frames;
}

std::string InstructionOrigins::GetStackTraceStringFromMetadata(
    int indent) const {
  const std::string margin(std::max(0, indent), ' ');
  std::string out;
  for (const HloStackFrame& frame : GetStackTraceFromMetadata()) {
    absl::StrAppend(&out, out.empty() ? "" : "\n", margin, frame.ToString());
  }
  if (!out.empty()) return out;
  const OpMetadata& metadata =
      static_cast<const HloInstruction&>(*this).metadata();
  if (metadata.source_file().empty()) {
    return absl::StrCat(margin, "<no source information>");
  }
  return absl::StrCat(margin, metadata.source_file(), ":",
                      metadata.source_line());
}

}  // namespace xla
