// Replaces select-and-scatter. Comparisons of the slices of the operand that
// are the same element of all windows find what each window selects, and each
// element is combined with the sources of the windows that selected it:
//
//   select-and-scatter(operand, source, init), window={size=2}, select=ge,
//   scatter=add
//     =>  at  = select(slice(operand, 0) >= slice(operand, 1), 0, 1)
//         s1  = init + pad(source, low=1)
//         a   = select(pad(at, -1, low=1) == 1, s1, init)
//         s2  = a + pad(source, high=1)
//         out = select(pad(at, -1, high=1) == 0, s2, a)
//
// in the order of the windows. With a stride, `at` and the source are repeated.
// Of padded windows the comparisons also ask which of both is an element.
// Windows that are large or dynamic, or are compared in another way, select by
// a reduce-window, and what they select is named by its position in the flat
// operand:
//
//   at = reduce-window((operand, iota), (0, -1)), to_apply=select
//
// Elements that are in many windows, or are combined by more than one op, are
// updated by a scatter, which skips position -1, that of a window without
// elements:
//
//   out = scatter(broadcast(init), at, source), to_apply=add
//
// Dynamic dimensions are left alone.
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
  absl::StatusOr<bool> RunImpl(HloModule* module) override;
};

}  // namespace xla

#endif  // XLA_HLO_TRANSFORMS_EXPAND_SELECT_AND_SCATTER_EXPANDER_H_
