// Shardings in tiles as named ones, by the axes of a mesh that the tiles need.
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "xla/base/logging.h"
#include "xla/hlo/ir/hlo_sharding.h"
#include "xla/hlo/ir/sharding/named_sharding.h"
#include "xla/hlo/sharding/mesh_and_axis.h"
#include "xla/hlo/sharding/tile_assignment.h"

namespace xla {
namespace {

// A mesh, and the axes of each dimension of an assignment, the slowest first.
struct TilesOnMesh {
  Mesh mesh;
  std::vector<std::vector<AxisRef>> axes;
};

Mesh MeshOf(const TileAssignment& devices) {
  std::vector<std::string> names;
  for (int64_t i = 0; i < devices.num_dimensions(); ++i) {
    names.push_back(absl::StrCat("axis_", i));
  }
  return Mesh(devices,
              std::vector<absl::string_view>(names.begin(), names.end()));
}

// Devices in order, if the axes can be such that the tiles have them.
std::optional<TilesOnMesh> OnMeshInOrder(const TileAssignment& tiles) {
  const auto found = AnalyzeTileAssignment(tiles);
  if (!found.has_value()) return std::nullopt;
  // One device; a mesh without axes would be a maximal one.
  const std::vector<int64_t> sizes =
      found->local_mesh.empty() ? std::vector<int64_t>{1} : found->local_mesh;
  TilesOnMesh result{MeshOf(TileAssignment(sizes)), {}};
  std::vector<int64_t> order(found->sub_dims.size());
  for (size_t i = 0; i < order.size(); ++i) order[i] = i;
  // Parts of a dimension are numbered from the fastest.
  absl::c_sort(order, [&](int64_t a, int64_t b) {
    return found->sub_dims[a].tile_sub_dim_index >
           found->sub_dims[b].tile_sub_dim_index;
  });
  result.axes.resize(tiles.num_dimensions());
  for (const int64_t i : order) {
    result.axes[found->sub_dims[i].tile_dim_index].push_back(AxisRef(i));
  }
  return result;
}

// The tiles themselves as a mesh, without dimensions of size 1.
TilesOnMesh OnMeshOfTiles(const TileAssignment& tiles) {
  std::vector<int64_t> sizes;
  std::vector<std::vector<AxisRef>> axes(tiles.num_dimensions());
  for (int64_t i = 0; i < tiles.num_dimensions(); ++i) {
    if (tiles.dim(i) == 1) continue;
    axes[i] = {AxisRef(sizes.size())};
    sizes.push_back(tiles.dim(i));
  }
  return {MeshOf(tiles.Reshape(sizes)), std::move(axes)};
}

}  // namespace

HloSharding HloSharding::FlatTuple(std::vector<HloSharding> sub_shardings) {
  for (const HloSharding& sharding : sub_shardings) {
    CHECK(!sharding.IsTuple()) << sharding.ToString();
  }
  return HloSharding(std::move(sub_shardings));
}

NamedSharding HloSharding::ToNamedSharding(const HloSharding& sharding) {
  if (sharding.UseNamedShardingLeaf()) {
    NamedSharding named = sharding.named_sharding();
    named.metadata_ = sharding.metadata_;
    return named;
  }
  const Metadata metadata = sharding.metadata_;
  if (sharding.type_ == OpSharding::REPLICATED) {
    return NamedSharding::Replicate(metadata);
  }
  if (sharding.type_ == OpSharding::MAXIMAL) {
    return NamedSharding::MaximalSharding(sharding.GetUniqueDevice(), metadata);
  }
  CHECK(sharding.IsTiled()) << sharding.ToString() << " is on no mesh";
  const TileAssignment& tiles = sharding.tile_assignment_;
  std::optional<TilesOnMesh> on_mesh = OnMeshInOrder(tiles);
  if (!on_mesh.has_value()) on_mesh = OnMeshOfTiles(tiles);

  const int64_t rank = sharding.TiledDataRank();
  std::vector<NamedSharding::DimensionSharding> dimensions;
  for (int64_t i = 0; i < rank; ++i) {
    dimensions.push_back(NamedSharding::DimensionSharding(on_mesh->axes[i],
                                                          /*is_closed=*/true));
  }
  const auto axes_of = [&](OpSharding::Type type) {
    std::vector<AxisRef> axes;
    for (int64_t i = rank; i < tiles.num_dimensions(); ++i) {
      const OpSharding::Type of_group =
          sharding.replicate_on_last_tile_dim_
              ? OpSharding::REPLICATED
              : sharding.subgroup_types_[i - rank];
      if (of_group != type) continue;
      axes.insert(axes.end(), on_mesh->axes[i].begin(), on_mesh->axes[i].end());
    }
    absl::c_sort(axes, [](const AxisRef& a, const AxisRef& b) {
      return a.mesh_axis_index() < b.mesh_axis_index();
    });
    return axes;
  };
  return NamedSharding(
      on_mesh->mesh, dimensions, axes_of(OpSharding::REPLICATED),
      axes_of(OpSharding::UNREDUCED), axes_of(OpSharding::MANUAL), metadata);
}

HloSharding HloSharding::ToV3Sharding(const HloSharding& sharding) {
  if (sharding.IsTuple()) {
    std::vector<HloSharding> leaves;
    for (const HloSharding& leaf : sharding.tuple_elements_) {
      leaves.push_back(ToV3Sharding(leaf));
    }
    HloSharding tuple = FlatTuple(std::move(leaves));
    return std::move(tuple.SetShardGroup(sharding.shard_group_));
  }
  if (sharding.UseNamedShardingLeaf() || sharding.IsManual() ||
      sharding.IsUnreduced() || sharding.IsUnknown()) {
    return sharding;
  }
  HloSharding named(ToNamedSharding(sharding));
  return std::move(named.SetShardGroup(sharding.shard_group_));
}

}  // namespace xla
