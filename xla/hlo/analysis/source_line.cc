// Reads metadata and stack frames.
#include "xla/hlo/analysis/source_line.h"

#include <vector>

#include "absl/strings/str_cat.h"
#include "xla/hlo/ir/hlo_computation.h"

namespace xla {
namespace {

std::string OwnLine(const HloInstruction& hlo) {
  const std::vector<HloStackFrame> frames = hlo.GetStackTraceFromMetadata();
  if (!frames.empty() && !frames.back().file_name.empty()) {
    return absl::StrCat(std::string(frames.back().file_name), ":",
                        frames.back().line);
  }
  const OpMetadata& metadata = hlo.metadata();
  if (metadata.source_file().empty()) return "";
  return absl::StrCat(metadata.source_file(), ":", metadata.source_line());
}

std::string OwnOpName(const HloInstruction& hlo) {
  return hlo.metadata().op_name();
}

// What `own` says of the instruction, or else of what a fusion computes, the
// last one first.
template <typename Own>
std::string FirstKnown(const HloInstruction& hlo, const Own& own) {
  std::string text = own(hlo);
  if (!text.empty() || hlo.opcode() != HloOpcode::kFusion) return text;
  const std::vector<HloInstruction*> order =
      hlo.fused_instructions_computation()->MakeInstructionPostOrder();
  for (auto it = order.rbegin(); it != order.rend(); ++it) {
    text = FirstKnown(**it, own);
    if (!text.empty()) return text;
  }
  return "";
}

}  // namespace

std::string SourceLine(const HloInstruction& hlo) {
  return FirstKnown(hlo, OwnLine);
}

std::string SourceOpName(const HloInstruction& hlo) {
  return FirstKnown(hlo, OwnOpName);
}

}  // namespace xla
