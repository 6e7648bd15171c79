// StackFrameIndexBuilder: the tables of stack frames of a module, from the
// locations of its ops.
#ifndef XLA_STABLEHLO_TO_HLO_CONVERSION_STACK_FRAME_INDEX_BUILDER_H_
#define XLA_STABLEHLO_TO_HLO_CONVERSION_STACK_FRAME_INDEX_BUILDER_H_

#include <cstdint>
#include <tuple>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "xla/hlo/ir/hlo_module.h"
#include "xla/proto/hlo.pb.h"
#include "xla/stablehlo/ir/location_attr.h"
#include "xla/stablehlo/to_hlo/conversion/work_budget.h"

namespace xla::stablehlo {

// Each name, line and frame is in its table once, in the order of use. Text of
// locations must outlive the builder.
class StackFrameIndexBuilder {
 public:
  explicit StackFrameIndexBuilder(WorkBudget& budget) : budget_(budget) {}

  // Adds the frames of a stack; returns the number of the innermost, from 1, or
  // 0 if the location has no frames. The frames of a caller are the parents of
  // those of its callee. The parts of a fused location are ops that have
  // nothing to do with each other: the first one that has frames counts.
  // Errors: ResourceExhausted.
  absl::StatusOr<int32_t> AddStack(const LocationAttr& location);

  // Moves the tables to the module, unless they are empty.
  void AddTo(HloModule& module);

 private:
  int32_t AddFrame(const LocationAttr& frame, int32_t parent);
  int32_t AddLine(const LocationAttr& frame);

  WorkBudget& budget_;
  StackFrameIndexProto index_;
  absl::flat_hash_map<absl::string_view, int32_t> files_;
  absl::flat_hash_map<absl::string_view, int32_t> functions_;
  // By file, function, line and column.
  absl::flat_hash_map<std::tuple<int32_t, int32_t, int32_t, int32_t>, int32_t>
      lines_;
  absl::flat_hash_map<std::pair<int32_t, int32_t>, int32_t> frames_;
  absl::flat_hash_map<const LocationAttr*, int32_t> stacks_;
};

}  // namespace xla::stablehlo

#endif  // XLA_STABLEHLO_TO_HLO_CONVERSION_STACK_FRAME_INDEX_BUILDER_H_
