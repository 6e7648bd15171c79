// Replaces select-and-scatter by a reduce-window that finds the selected
// elements, and a scatter:
//
//   select-and-scatter(operand, source, init), select=ge, scatter=add
//     =>  at  = reduce-window((operand, iota), (0, -1)), to_apply=select
//         out = scatter(broadcast(init), at, source), to_apply=add
//
// on the flat operand. Windows without elements have position -1, which scatter
// skips. Dynamic dimensions are left alone.
#ifndef XLA_HLO_TRANSFORMS_EXPAND_SELECT_AND_SCATTER_EXPANDER_H_
#define XLA_HLO_TRANSFORMS_EXPAND_SELECT_AND_SCATTER_EXPANDER_H_

#include "absl/status/statusor.h"
#include "xla/hlo/pass/hlo_pass.h"
#include "xla/hlo/transforms/creation/hlo_builder.h"

namespace xla {

// The arrays of a select-and-scatter, all in static shapes. `operand_within`
// and `source_within` tell which elements exist: pred[] of the same dimensions,
// or null for all of them.
struct SelectAndScatterArrays {
  HloInstruction* operand = nullptr;
  HloInstruction* source = nullptr;
  HloInstruction* init = nullptr;
  HloInstruction* operand_within = nullptr;
  HloInstruction* source_within = nullptr;
};

// Emits the formula of `hlo`, a select-and-scatter, for `arrays`.
absl::StatusOr<HloInstruction*> EmitSelectAndScatter(
    HloBuilder& emit, const HloInstruction& hlo,
    const SelectAndScatterArrays& arrays);

class SelectAndScatterExpander : public HloPassInterface {
 public:
  absl::string_view name() const override {
    return "select-and-scatter-expander";
  }
  absl::StatusOr<bool> Run(HloModule* module) override;
};

}  // namespace xla

#endif  // XLA_HLO_TRANSFORMS_EXPAND_SELECT_AND_SCATTER_EXPANDER_H_
