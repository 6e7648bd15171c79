// WhileLoopTripCountAnnotator.
#ifndef COMPAT_XLA_HLO_TRANSFORMS_WHILE_LOOP_TRIP_COUNT_ANNOTATOR_H_
#define COMPAT_XLA_HLO_TRANSFORMS_WHILE_LOOP_TRIP_COUNT_ANNOTATOR_H_

#include "xla/hlo/transforms/loops/while_loop_trip_count_annotator.h"  // IWYU pragma: export

#endif  // COMPAT_XLA_HLO_TRANSFORMS_WHILE_LOOP_TRIP_COUNT_ANNOTATOR_H_
