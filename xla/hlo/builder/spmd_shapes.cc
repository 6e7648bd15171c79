// Calls that change between whole arrays and a device's parts.
#include "xla/hlo/builder/spmd_shapes.h"

#include <numeric>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "xla/base/checked_math.h"
#include "xla/base/status_macros.h"
#include "xla/core/array/array.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/builder/builder.h"
#include "xla/hlo/builder/ops/custom_call.h"
#include "xla/hlo/builder/scoped_assignments.h"
#include "xla/hlo/builder/sharding_builder.h"
#include "xla/hlo/ir/hlo_sharding.h"
#include "xla/hlo/ops/op_def.h"

namespace xla {
namespace {

// Named shardings as tiles.
absl::StatusOr<OpSharding> TilesOf(const OpSharding& sharding) {
  if (!sharding.has_named_sharding()) return sharding;
  TF_ASSIGN_OR_RETURN(const HloSharding named,
                      HloSharding::FromProto(sharding));
  return HloSharding::V3ToV2Sharding(named.named_sharding())
      .SetShardGroup(named.GetShardGroup())
      .ToProto();
}

// spmd_shape_c1: tiles are of arrays with as many dimensions, of which
// single_dim is one.
absl::Status CheckTiles(const Shape& whole, const OpSharding& sharding,
                        int single_dim) {
  TF_ASSIGN_OR_RETURN(const HloSharding tiles,
                      HloSharding::FromProto(sharding));
  if (sharding.type() != OpSharding::OTHER) return absl::OkStatus();
  const int64_t rank = tiles.IsTiled()
                           ? tiles.TiledDataRank()
                           : sharding.tile_assignment_dimensions_size();
  if (whole.IsArray() && single_dim < whole.dimensions_size() &&
      rank >= whole.dimensions_size()) {
    return absl::OkStatus();
  }
  return RuleError(
      "spmd_shape_c1",
      absl::StrCat(ShapeUtil::HumanString(whole), " has no tiles [",
                   absl::StrJoin(sharding.tile_assignment_dimensions(), ","),
                   "] along dimension ", single_dim));
}

// The sharding of the parts: the program divides `single_dim` itself, so its
// devices become a group, and the other dimensions stay as they are.
absl::StatusOr<OpSharding> ShardingOfParts(const OpSharding& whole,
                                           int single_dim) {
  if (single_dim < 0 || whole.type() != OpSharding::OTHER) {
    return sharding_builder::Manual();
  }
  TF_ASSIGN_OR_RETURN(const HloSharding sharding,
                      HloSharding::FromProto(whole));
  Array<int64_t> devices = sharding.tile_assignment().array();
  std::vector<int64_t> order(devices.num_dimensions());
  std::iota(order.begin(), order.end(), 0);
  order.erase(order.begin() + single_dim);
  order.push_back(single_dim);
  devices.TransposeDimensions(order);
  OpSharding parts;
  parts.set_type(OpSharding::OTHER);
  for (int64_t size : devices.dimensions()) {
    if (parts.tile_assignment_dimensions_size() == single_dim) {
      parts.add_tile_assignment_dimensions(1);
    }
    parts.add_tile_assignment_dimensions(size);
  }
  for (int64_t device : devices) parts.add_tile_assignment_devices(device);
  if (whole.replicate_on_last_tile_dim()) {
    parts.add_last_tile_dims(OpSharding::REPLICATED);
  }
  for (int type : whole.last_tile_dims()) {
    parts.add_last_tile_dims(static_cast<OpSharding::Type>(type));
  }
  parts.add_last_tile_dims(OpSharding::MANUAL);
  return parts;
}

// Returns a call of `target` with the given sharding.
absl::StatusOr<XlaOp> Mark(XlaBuilder* builder, const std::string& target,
                           XlaOp operand, const Shape& shape,
                           const OpSharding& sharding,
                           absl::Span<const int64_t> unspecified_dims) {
  XlaScopedShardingAssignment assignment(builder, sharding);
  XlaOp op =
      CustomCall(builder, target, {operand}, shape,
                 unspecified_dims.empty()
                     ? ""
                     : absl::StrCat("unspecified_dims=[",
                                    absl::StrJoin(unspecified_dims, ","), "]"));
  TF_RETURN_IF_ERROR(builder->first_error());
  return op;
}

}  // namespace

absl::StatusOr<XlaOp> ConvertSpmdFullToShardShape(
    XlaBuilder* builder, XlaOp input, int single_dim,
    const OpSharding& sharding, absl::Span<const int64_t> unspecified_dims) {
  TF_ASSIGN_OR_RETURN(const Shape whole, builder->GetShape(input));
  TF_ASSIGN_OR_RETURN(const OpSharding manual_sharding, TilesOf(sharding));
  TF_RETURN_IF_ERROR(CheckTiles(whole, manual_sharding, single_dim));
  Shape part = whole;
  if (manual_sharding.type() == OpSharding::OTHER) {
    for (int d = 0; d < part.dimensions_size(); ++d) {
      if (single_dim >= 0 && d != single_dim) continue;
      part.set_dimensions(
          d, CeilOfRatio(whole.dimensions(d),
                         manual_sharding.tile_assignment_dimensions(d)));
    }
  }
  TF_ASSIGN_OR_RETURN(const OpSharding parts,
                      ShardingOfParts(manual_sharding, single_dim));
  TF_ASSIGN_OR_RETURN(XlaOp marked, Mark(builder, "Sharding", input, whole,
                                         manual_sharding, unspecified_dims));
  return Mark(builder, "SPMDFullToShardShape", marked, part, parts,
              unspecified_dims);
}

absl::StatusOr<XlaOp> ConvertSpmdShardToFullShape(
    XlaBuilder* builder, XlaOp input, const Shape& output_shape, int single_dim,
    const OpSharding& sharding, absl::Span<const int64_t> unspecified_dims) {
  TF_ASSIGN_OR_RETURN(const Shape part, builder->GetShape(input));
  TF_ASSIGN_OR_RETURN(const OpSharding manual_sharding, TilesOf(sharding));
  TF_RETURN_IF_ERROR(CheckTiles(output_shape, manual_sharding, single_dim));
  TF_ASSIGN_OR_RETURN(const OpSharding parts,
                      ShardingOfParts(manual_sharding, single_dim));
  TF_ASSIGN_OR_RETURN(XlaOp marked, Mark(builder, "Sharding", input, part,
                                         parts, unspecified_dims));
  return Mark(builder, "SPMDShardToFullShape", marked, output_shape,
              manual_sharding, unspecified_dims);
}

}  // namespace xla
