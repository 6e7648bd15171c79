// Annotates each while loop with how often it runs, as XLA does:
//
//   w = (s32[], f32[4]) while(t), condition=less_than_10, body=adds_one
//     =>  the same, backend_config={"known_trip_count":{"n":"10"},
//                    "known_init_step":{"init":"0","step":"1"},
//                    "known_induction_variable":{"tuple_index":"0"}}
//
// Runs near the end of a pipeline, since passes that change loops do not
// maintain the annotation. Leaves loops with a backend_config alone.
#ifndef XLA_HLO_TRANSFORMS_LOOPS_WHILE_LOOP_TRIP_COUNT_ANNOTATOR_H_
#define XLA_HLO_TRANSFORMS_LOOPS_WHILE_LOOP_TRIP_COUNT_ANNOTATOR_H_

#include "xla/hlo/pass/hlo_pass.h"

namespace xla {

class WhileLoopTripCountAnnotator : public HloPassInterface {
 public:
  absl::string_view name() const override {
    return "while-loop-trip-count-annotator";
  }
  absl::StatusOr<bool> RunImpl(HloModule* module) override;
};

}  // namespace xla

#endif  // XLA_HLO_TRANSFORMS_LOOPS_WHILE_LOOP_TRIP_COUNT_ANNOTATOR_H_
