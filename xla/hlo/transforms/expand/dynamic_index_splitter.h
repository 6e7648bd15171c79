// Gives dynamic-slice and dynamic-update-slice one scalar per dimension:
//
//   d = f32[1,2] dynamic-slice(x, i), i = s32[2]
//     =>  d = f32[1,2] dynamic-slice(x, i[0], i[1])
#ifndef XLA_HLO_TRANSFORMS_EXPAND_DYNAMIC_INDEX_SPLITTER_H_
#define XLA_HLO_TRANSFORMS_EXPAND_DYNAMIC_INDEX_SPLITTER_H_

#include "xla/hlo/pass/hlo_pass.h"

namespace xla {

class DynamicIndexSplitter : public HloPassInterface {
 public:
  absl::string_view name() const override { return "dynamic-index-splitter"; }
  absl::StatusOr<bool> RunImpl(HloModule* module) override;
};

}  // namespace xla

#endif  // XLA_HLO_TRANSFORMS_EXPAND_DYNAMIC_INDEX_SPLITTER_H_
