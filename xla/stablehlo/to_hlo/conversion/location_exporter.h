// LocationExporter: HLO metadata from the locations of ops, by XLA's rules.
//
//   loc("jit(f)/add"(callsite("g"("f.py":3:4) at "f"("f.py":9:1))))
//   => metadata={op_name="jit(f)/add" stack_frame_id=2}, and in the module:
//      frame 1: f at f.py:9, frame 2: g at f.py:3, called by frame 1
//   loc(fused["jit(f)/add", "f.py":3:4])
//   => metadata={op_name="jit(f)/add" source_file="f.py" source_line=3 ...}
//
// A name that ends with ':' is the op_type. Several names of a fused location
// are joined by ';'. What follows '@' in a name is left out.
#ifndef XLA_STABLEHLO_TO_HLO_CONVERSION_LOCATION_EXPORTER_H_
#define XLA_STABLEHLO_TO_HLO_CONVERSION_LOCATION_EXPORTER_H_

#include <cstdint>
#include <string>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "xla/hlo/ir/hlo_module.h"
#include "xla/proto/xla_data.pb.h"
#include "xla/stablehlo/ir/location_attr.h"
#include "xla/stablehlo/to_hlo/conversion/stack_frame_index_builder.h"
#include "xla/stablehlo/to_hlo/conversion/work_budget.h"

namespace xla::stablehlo {

class LocationExporter {
 public:
  // Charges the budget, which must outlive this, for the parts of locations
  // that it visits and for names. Errors of all functions: ResourceExhausted.
  explicit LocationExporter(WorkBudget& budget)
      : budget_(budget), frames_(budget) {}

  // Returns the metadata of an op at this location, valid until the next call.
  // Each is computed once.
  absl::StatusOr<const OpMetadata*> MetadataOf(const LocationAttr& location);
  // Returns the op_name alone, which is all that parameters get.
  absl::StatusOr<std::string> OpNameOf(const LocationAttr& location);

  // Gives the frames of all stacks to the module: to be called at the end.
  void AddStackFramesTo(HloModule& module) { frames_.AddTo(module); }

 private:
  absl::StatusOr<std::string> OpTypeOf(const LocationAttr& location);
  absl::Status SetSource(const LocationAttr& location, OpMetadata& metadata);

  WorkBudget& budget_;
  StackFrameIndexBuilder frames_;
  absl::flat_hash_map<const LocationAttr*, OpMetadata> metadata_;
};

}  // namespace xla::stablehlo

#endif  // XLA_STABLEHLO_TO_HLO_CONVERSION_LOCATION_EXPORTER_H_
