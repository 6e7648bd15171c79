// ShardingReader: reads the shardings that a program states for its values, in
// any of the forms that frameworks send.
#ifndef XLA_STABLEHLO_TO_HLO_CONVERSION_SHARDING_READER_H_
#define XLA_STABLEHLO_TO_HLO_CONVERSION_SHARDING_READER_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "xla/core/shape.h"
#include "xla/hlo/sharding/device_mesh.h"
#include "xla/hlo/sharding/mesh_sharding.h"
#include "xla/proto/xla_data.pb.h"
#include "xla/stablehlo/ir/ir.h"

namespace xla::stablehlo {

// The forms, of which the first counts where a value has several:
// - the attribute sdy.sharding;
// - the same as text, the frontend attribute xla.sdy.sharding, in programs that
//   went through HLO (Shardy's round trip);
// - mhlo.sharding, the text or the proto of an HLO sharding.
// The first two become named shardings, the last stays as it is.
class ShardingReader {
 public:
  // Reads the meshes of a module: its sdy.mesh ops and the frontend attribute
  // xla.sdy.meshes. Errors: InvalidArgument for broken meshes.
  absl::Status ReadMeshes(const Op& module, int64_t partitions);

  // Reads an sdy.sharding of a value of this shape. A mesh of one device is
  // replaced by the first mesh that has all partitions, since the sharding says
  // nothing about them. Errors: those of ReadSdySharding, and InvalidArgument
  // for an unknown mesh, another number of devices, and another rank.
  absl::StatusOr<MeshSharding> Read(const Attribute& sharding,
                                    const Shape& shape);

  // Returns the axes of `names` in the order of the mesh, which is that of
  // `sharding`. Errors: those of Read.
  absl::StatusOr<AxisList> ReadManualAxes(const Attribute& names,
                                          const Attribute& sharding);

  // Returns what a dictionary of arg_attrs or res_attrs states; nullopt if it
  // states nothing.
  absl::StatusOr<std::optional<OpSharding>> OfEntryValue(
      const Attribute& dictionary, const Shape& shape);
  // Returns the shardings of an op's results; empty if it states none. An op
  // without results, whose `shapes` are empty, may have one too: where it runs.
  absl::StatusOr<std::vector<OpSharding>> OfResults(
      const Op& op, absl::Span<const Shape* const> shapes);

  // Reads a frontend attribute of the round trip, which is an attribute of sdy
  // as text; null if there is none. `dictionary` may be null.
  absl::StatusOr<const Attribute*> FrontendAttribute(
      const Attribute* dictionary, absl::string_view name);

 private:
  absl::StatusOr<std::shared_ptr<const DeviceMesh>> MeshOf(
      const Attribute& sharding);
  absl::Status AddMesh(absl::string_view name, const Attribute& definition);

  int64_t partitions_ = 1;
  absl::flat_hash_map<std::string, std::shared_ptr<const DeviceMesh>> meshes_;
  // Has all partitions.
  std::shared_ptr<const DeviceMesh> whole_mesh_;
  Arena arena_;
};

// Whether a frontend attribute belongs to the round trip alone: the others are
// kept on instructions.
bool IsRoundTripAttribute(absl::string_view name);

}  // namespace xla::stablehlo

#endif  // XLA_STABLEHLO_TO_HLO_CONVERSION_SHARDING_READER_H_
