// Replaces bitcasts that change the element type by what they compute:
//
//   ROOT r = u4[4] bitcast(u8[2] p)
//     =>  b = u4[2,2] bitcast-convert(p)
//         ROOT r = u4[4] reshape(b)
//
// Assumes row-major layouts, in which the elements' order is that of memory.
// Leaves bitcasts to the same type alone, which only rename memory, and
// bitcasts of complex numbers or where neither type's width divides the
// other's.
#ifndef XLA_HLO_TRANSFORMS_LAYOUT_BITCAST_EXPANDER_H_
#define XLA_HLO_TRANSFORMS_LAYOUT_BITCAST_EXPANDER_H_

#include "xla/hlo/pass/hlo_pass.h"

namespace xla {

class BitcastExpander : public HloPassInterface {
 public:
  absl::string_view name() const override { return "bitcast-expander"; }
  absl::StatusOr<bool> RunImpl(HloModule* module) override;
};

}  // namespace xla

#endif  // XLA_HLO_TRANSFORMS_LAYOUT_BITCAST_EXPANDER_H_
