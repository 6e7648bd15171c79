// CustomPartitioner: how a framework itself divides custom calls of a target.
#ifndef XLA_HLO_TRANSFORMS_SHARDING_CUSTOM_PARTITIONER_H_
#define XLA_HLO_TRANSFORMS_SHARDING_CUSTOM_PARTITIONER_H_

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "xla/hlo/ir/hlo_module.h"
#include "xla/hlo/sharding/mesh_sharding.h"

namespace xla {

// Shardings are tiles, that of a tuple's elements TUPLE. Several threads may
// call one partitioner.
class CustomPartitioner {
 public:
  // How a call is divided. The program's entry takes the operands' parts and
  // returns those of the results, a tuple if the call's result is one.
  struct Division {
    std::unique_ptr<HloModule> program;
    std::vector<OpSharding> operands;
    OpSharding result;
  };

  virtual ~CustomPartitioner() = default;

  // Divides a call whose operands have these shardings, and whose result is to
  // have `result`; both may become others. Errors: the framework's.
  virtual absl::StatusOr<Division> Divide(const HloInstruction& call,
                                          absl::Span<const OpSharding> operands,
                                          const OpSharding& result) const = 0;
  // Returns the sharding of the result, or nullopt if it is not known. Errors:
  // the framework's.
  virtual absl::StatusOr<std::optional<OpSharding>> InferResult(
      const HloInstruction& call,
      absl::Span<const OpSharding> operands) const = 0;
};

// JAX's calls of this target exist only for a partitioner.
inline constexpr absl::string_view kCustomPartitioningTarget =
    "CustomSPMDPartitioning";

// The partitioner of a target, in the whole process; a later one takes its
// place, and null removes it. Find returns null if there is none. Thread-safe.
void RegisterCustomPartitioner(
    absl::string_view target,
    std::shared_ptr<const CustomPartitioner> partitioner);
std::shared_ptr<const CustomPartitioner> FindCustomPartitioner(
    absl::string_view target);

// Whether the partitioner must see a custom call: its target has a
// CustomPartitioner or is kCustomPartitioningTarget, or it is
// "InspectSharding".
bool NeedsPartitioner(const HloInstruction& hlo);

// Returns a sharding for a framework: manual computations around a call, and
// that values are partial, are not its concern.
OpSharding TilesForFramework(MeshSharding sharding);

// Returns the sharding that a framework's tiles give an array of a call, in the
// manual computation of `before`, what it had. Errors: InvalidArgument for
// tiles that do not divide arrays among the module's partitions.
absl::StatusOr<MeshSharding> ShardingOfFramework(const HloInstruction& call,
                                                 const OpSharding& tiles,
                                                 const Shape& shape,
                                                 const MeshSharding& before);

// Tells a framework the sharding of an array, as tiles; the configuration of
// the call "InspectSharding" says whom to tell. Errors: the framework's.
using ShardingInspector = absl::Status (*)(absl::string_view config,
                                           const OpSharding& sharding);
// Without an inspector, or with null, these calls tell nobody. Thread-safe.
void SetShardingInspector(ShardingInspector inspector);
absl::Status InspectSharding(const HloInstruction& call,
                             const OpSharding& sharding);

// Whether this is T -> T "InspectSharding".
bool IsShardingInspection(const HloInstruction& hlo);

}  // namespace xla

#endif  // XLA_HLO_TRANSFORMS_SHARDING_CUSTOM_PARTITIONER_H_
