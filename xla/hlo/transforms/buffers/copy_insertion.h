// CopyInsertion:
//
//   x = f32[9] parameter(0)             x = f32[9] parameter(0)
//   u = f32[9] dynamic-update-     =>   copy = f32[9] copy(x)
//       slice(x, v, i)                  u = f32[9] dynamic-update-slice(copy,
//       ..)
// Adds copies only where values that control flow and in-place ops put into one
// memory are needed at the same time: changed carries whose initial value is
// needed later, is a parameter or is a constant; carries that are exchanged;
// operands that AliasInfo says are overwritten and that are read later; outputs
// that are parameters, constants or one value twice. BufferAssignment then
// accepts the module. Schedules the module if it has no schedule, and keeps it
// scheduled. Assumes what HloDataflow assumes.
#ifndef XLA_HLO_TRANSFORMS_BUFFERS_COPY_INSERTION_H_
#define XLA_HLO_TRANSFORMS_BUFFERS_COPY_INSERTION_H_

#include <string>
#include <vector>

#include "xla/hlo/analysis/alias_info.h"
#include "xla/hlo/pass/hlo_pass.h"

namespace xla {

class CopyInsertion : public HloPassInterface {
 public:
  // A frontend attribute of each copy that this pass adds. It says why the copy
  // is needed, and names what reads and what overwrites.
  static constexpr absl::string_view kReasonAttribute = "copy_reason";

  // `alias_info` outlives the pass.
  explicit CopyInsertion(const AliasInfo* alias_info)
      : alias_info_(alias_info) {}

  absl::string_view name() const override { return "copy-insertion"; }
  // Errors: as HloDataflow.
  absl::StatusOr<bool> RunImpl(HloModule* module) override;

 private:
  const AliasInfo* const alias_info_;
};

// A copy that copy insertion added and later passes left.
struct CopyReport {
  const HloInstruction* copy;
  std::string reason;
};

// The copies in the order of computations and instructions.
std::vector<CopyReport> ReportCopies(const HloModule& module);

}  // namespace xla

#endif  // XLA_HLO_TRANSFORMS_BUFFERS_COPY_INSERTION_H_
