// ManualRegions: which instructions are parts of manual computations.
#ifndef XLA_HLO_TRANSFORMS_SHARDING_MANUAL_REGIONS_H_
#define XLA_HLO_TRANSFORMS_SHARDING_MANUAL_REGIONS_H_

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "xla/hlo/ir/hlo_module.h"
#include "xla/hlo/sharding/axis_part.h"
#include "xla/hlo/sharding/device_mesh.h"
#include "xla/hlo/transforms/sharding/module_shardings.h"

namespace xla {

// The manual axes of a part of the program; none for what is computed as a
// whole. The mesh is null without axes.
struct ManualRegion {
  std::shared_ptr<const DeviceMesh> mesh;
  AxisList axes;  // in the order of the mesh

  friend bool operator==(const ManualRegion& a, const ManualRegion& b) {
    return a.mesh == b.mesh && a.axes == b.axes;
  }
};

// Values stay in their region except through SPMDFullToShardShape and
// SPMDShardToFullShape, so that instructions that use each other's values are
// in one. Tokens and constant expressions cross between regions. Control flow
// is in one region with the parameters and roots of what it calls; called
// instructions that nothing connects with these are in it too, unless their
// sharding names manual axes.
class ManualRegions {
 public:
  // Finds the regions of the computations that every partition runs, and copies
  // the constant expressions that several regions use. Calls are flattened
  // already. Errors: InvalidArgument for boundaries that do not say which axes
  // become manual, and for an instruction in two regions.
  static absl::StatusOr<ManualRegions> Find(HloModule* module,
                                            ModuleShardings& shardings);

  // The entry's computation first, and others after their callers.
  const std::vector<HloComputation*>& computations() const {
    return computations_;
  }
  const ManualRegion& Of(const HloInstruction* hlo) const {
    return regions_[numbers_.at(hlo)];
  }

 private:
  friend class RegionFinder;

  std::vector<HloComputation*> computations_;
  std::vector<ManualRegion> regions_;
  absl::flat_hash_map<const HloInstruction*, int32_t> numbers_;
};

}  // namespace xla

#endif  // XLA_HLO_TRANSFORMS_SHARDING_MANUAL_REGIONS_H_
