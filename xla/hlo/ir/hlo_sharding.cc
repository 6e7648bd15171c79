// Shardings made, read from protos, checked against shapes and asked for tiles.
#include "xla/hlo/ir/hlo_sharding.h"

#include <algorithm>
#include <iterator>
#include <memory>

#include "absl/algorithm/container.h"
#include "absl/container/flat_hash_set.h"
#include "xla/base/checked_math.h"
#include "xla/base/errors.h"
#include "xla/base/logging.h"
#include "xla/base/status_macros.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/attrs/sharding_text.h"
#include "xla/hlo/sharding/device_mesh.h"
#include "xla/hlo/sharding/mesh_sharding.h"
#include "xla/hlo/sharding/tile_sharding.h"

namespace xla {
namespace {

bool IsReserved(const OpMetadata& metadata) {
  return metadata.op_type() == "sdy::reduction_op" ||
         metadata.op_type() == "sdy::priorities";
}

// Errors: InvalidArgument unless `sizes` are positive and have a product that
// is a number of devices.
absl::StatusOr<int64_t> DeviceCount(absl::Span<const int64_t> sizes) {
  for (const int64_t size : sizes) {
    if (size < 1) {
      return InvalidArgument("a sharding has a dimension of size %d", size);
    }
  }
  const std::optional<int64_t> count = CheckedProduct(sizes);
  if (!count.has_value() || *count > DeviceMesh::kMaxDevices) {
    return InvalidArgument("a sharding has more than %d devices",
                           DeviceMesh::kMaxDevices);
  }
  return *count;
}

absl::StatusOr<TileAssignment> ReadTiles(const OpSharding& proto) {
  const std::vector<int64_t> dims(proto.tile_assignment_dimensions().begin(),
                                  proto.tile_assignment_dimensions().end());
  TF_ASSIGN_OR_RETURN(const int64_t count, DeviceCount(dims));
  if (proto.iota_reshape_dims_size() > 0) {
    const IotaTransform iota = {
        {proto.iota_reshape_dims().begin(), proto.iota_reshape_dims().end()},
        {proto.iota_transpose_perm().begin(),
         proto.iota_transpose_perm().end()}};
    TF_ASSIGN_OR_RETURN(const std::vector<int64_t> devices, ExpandIota(iota));
    if (static_cast<int64_t>(devices.size()) != count) {
      return InvalidArgument("a sharding of %d tiles lists %d devices", count,
                             devices.size());
    }
    return TileAssignment(dims, iota.dims,
                          std::vector<int>(iota.perm.begin(), iota.perm.end()));
  }
  if (proto.tile_assignment_devices_size() != count) {
    return InvalidArgument("a sharding of %d tiles lists %d devices", count,
                           proto.tile_assignment_devices_size());
  }
  auto devices = std::make_shared<Array<int64_t>>(dims);
  absl::c_copy(proto.tile_assignment_devices(), devices->begin());
  return TileAssignment(std::move(devices));
}

// The order of subgroups.
bool ComesBefore(OpSharding::Type a, OpSharding::Type b) {
  const auto rank = [](OpSharding::Type type) {
    return type == OpSharding::REPLICATED ? OpSharding::Type_MAX + 1
                                          : static_cast<int>(type);
  };
  return rank(a) < rank(b);
}

// With the devices along the last dimension in order.
TileAssignment SortedGroups(const TileAssignment& tiles) {
  const int64_t size = tiles.dimensions().back();
  std::shared_ptr<Array<int64_t>> sorted = tiles.shared_array_clone();
  for (int64_t* group = sorted->begin(); group != sorted->end();
       group += size) {
    std::sort(group, group + size);
  }
  return *sorted == tiles.array() ? tiles : TileAssignment(std::move(sorted));
}

// The sharding itself unless it is of a tuple.
absl::Span<const HloSharding> LeavesOf(const HloSharding& sharding) {
  if (!sharding.IsTuple()) return absl::MakeConstSpan(&sharding, 1);
  return sharding.tuple_elements();
}

}  // namespace

HloSharding HloSharding::AssignDevice(int64_t device_id, Metadata metadata,
                                      bool use_named_sharding) {
  if (use_named_sharding) {
    return HloSharding(NamedSharding::MaximalSharding(device_id, metadata));
  }
  HloSharding sharding(OpSharding::MAXIMAL, metadata);
  sharding.tile_assignment_ = TileAssignment(device_id);
  return sharding;
}

HloSharding HloSharding::Tile(TileAssignment tile_assignment,
                              Metadata metadata) {
  HloSharding sharding(OpSharding::OTHER, metadata);
  sharding.tile_assignment_ = std::move(tile_assignment);
  return sharding;
}

HloSharding HloSharding::IotaTile(absl::Span<const int64_t> dims,
                                  Metadata metadata) {
  return Tile(TileAssignment(dims), metadata);
}

HloSharding HloSharding::IotaTile(absl::Span<const int64_t> dims,
                                  absl::Span<const int64_t> reshape_dims,
                                  absl::Span<const int> transpose_perm,
                                  Metadata metadata) {
  return Tile(TileAssignment(dims, reshape_dims, transpose_perm), metadata);
}

HloSharding HloSharding::Tile1D(const Shape& input_shape, int64_t num_tiles,
                                Metadata metadata) {
  CHECK_EQ(input_shape.dimensions_size(), 1);
  CHECK_GT(num_tiles, 1);
  return IotaTile({num_tiles}, metadata);
}

HloSharding HloSharding::PartialTile(const TileAssignment& tile_assignment,
                                     Metadata metadata) {
  CHECK_GT(tile_assignment.num_dimensions(), 0);
  const absl::Span<const int64_t> dims = tile_assignment.dimensions();
  if (dims.back() == tile_assignment.num_elements()) return Replicate(metadata);
  if (dims.back() == 1) {
    return Tile(tile_assignment.Reshape(dims.first(dims.size() - 1)), metadata);
  }
  HloSharding sharding = Tile(SortedGroups(tile_assignment), metadata);
  sharding.replicate_on_last_tile_dim_ = true;
  return sharding;
}

HloSharding HloSharding::Subgroup(
    const TileAssignment& tile_assignment,
    absl::Span<const OpSharding::Type> subgroup_types, Metadata metadata) {
  const int64_t rank = tile_assignment.num_dimensions();
  const int64_t data_rank = rank - static_cast<int64_t>(subgroup_types.size());
  CHECK_GE(data_rank, 0);
  std::vector<int> perm(rank);
  for (int64_t i = 0; i < rank; ++i) perm[i] = i;
  const auto type_of = [&](int dim) { return subgroup_types[dim - data_rank]; };
  std::stable_sort(perm.begin() + data_rank, perm.end(), [&](int a, int b) {
    return ComesBefore(type_of(a), type_of(b));
  });
  const absl::Span<const int64_t> dims = tile_assignment.dimensions();
  std::vector<int64_t> merged(dims.begin(), dims.begin() + data_rank);
  std::vector<OpSharding::Type> types;
  for (int64_t i = data_rank; i < rank; ++i) {
    const int64_t size = dims[perm[i]];
    if (size == 1) continue;
    if (!types.empty() && types.back() == type_of(perm[i])) {
      merged.back() *= size;
    } else {
      merged.push_back(size);
      types.push_back(type_of(perm[i]));
    }
  }
  if (types.size() == 1 && merged.back() == tile_assignment.num_elements()) {
    return HloSharding(types[0], metadata);
  }
  const TileAssignment tiles = tile_assignment.Transpose(perm).Reshape(merged);
  if (types.empty()) return Tile(tiles, metadata);
  const bool has_copies = types.back() == OpSharding::REPLICATED;
  if (has_copies && types.size() == 1) return PartialTile(tiles, metadata);
  HloSharding sharding =
      Tile(has_copies ? SortedGroups(tiles) : tiles, metadata);
  sharding.subgroup_types_ = std::move(types);
  return sharding;
}

HloSharding HloSharding::Tuple(const ShapeTree<HloSharding>& sub_shardings) {
  std::vector<HloSharding> leaves;
  for (const auto& [index, sharding] : sub_shardings.leaves()) {
    leaves.push_back(sharding);
  }
  if (leaves.empty()) leaves.push_back(sub_shardings.element({}));
  return Tuple(sub_shardings.shape(), leaves);
}

HloSharding HloSharding::Tuple(const Shape& tuple_shape,
                               absl::Span<const HloSharding> shardings) {
  CHECK(tuple_shape.IsTuple()) << tuple_shape.ToString();
  for (const HloSharding& sharding : shardings) {
    CHECK(!sharding.IsTuple()) << sharding.ToString();
  }
  CHECK(shardings.empty() ||
        static_cast<int64_t>(shardings.size()) == RequiredLeaves(tuple_shape))
      << tuple_shape.ToString();
  return HloSharding(
      std::vector<HloSharding>(shardings.begin(), shardings.end()));
}

HloSharding HloSharding::SingleTuple(const Shape& tuple_shape,
                                     const HloSharding& sharding) {
  return Tuple(tuple_shape,
               std::vector<HloSharding>(RequiredLeaves(tuple_shape), sharding));
}

HloSharding::HloSharding(NamedSharding named_sharding)
    : HloSharding(V3ToV2Sharding(named_sharding)) {
  const absl::Span<const OpMetadata> metadata = named_sharding.metadata();
  metadata_.assign(metadata.begin(), metadata.end());
  named_sharding_ = std::move(named_sharding);
}

HloSharding HloSharding::V3ToV2Sharding(const NamedSharding& named_sharding) {
  const MeshSharding sharding =
      MeshSharding::FromProto(named_sharding.ToProto()).value();
  OpSharding proto = TilesOfMeshSharding(sharding);
  // The form of passes does not name axes of size 1.
  if (named_sharding.IsManual()) proto.set_type(OpSharding::MANUAL);
  if (named_sharding.IsUnreduced()) proto.set_type(OpSharding::UNREDUCED);
  HloSharding tiles = FromProto(proto).value();
  // A list stays one, so that the way back gives the same mesh.
  if (tiles.IsTiled() && !named_sharding.mesh().device_assignment().iota()) {
    tiles.tile_assignment_ =
        TileAssignment(tiles.tile_assignment_.shared_array());
  }
  for (const OpMetadata& part : named_sharding.metadata()) {
    if (!IsReserved(part)) tiles.metadata_.push_back(part);
  }
  return tiles;
}

namespace {

HloSharding::ShardGroup GroupOf(const OpSharding& proto) {
  if (!proto.is_shard_group()) return HloSharding::NotShardGroup();
  return proto.shard_group_type() == OpSharding::LIKE
             ? HloSharding::ShardLike(proto.shard_group_id())
             : HloSharding::ShardAs(proto.shard_group_id());
}

}  // namespace

absl::StatusOr<HloSharding> HloSharding::FromProto(const OpSharding& proto) {
  const std::vector<OpMetadata> metadata(proto.metadata().begin(),
                                         proto.metadata().end());
  if (proto.has_named_sharding()) {
    TF_ASSIGN_OR_RETURN(NamedSharding named,
                        NamedSharding::ReadProto(proto.named_sharding()));
    // Also reads the metadata that the tiles depend on.
    TF_RETURN_IF_ERROR(
        MeshSharding::FromProto(proto.named_sharding()).status());
    HloSharding sharding(std::move(named));
    return std::move(sharding.SetShardGroup(GroupOf(proto)));
  }
  std::optional<HloSharding> sharding;
  switch (proto.type()) {
    case OpSharding::TUPLE: {
      if (!metadata.empty()) {
        return InvalidArgument("the sharding of a tuple has metadata");
      }
      std::vector<HloSharding> leaves;
      for (const OpSharding& leaf : proto.tuple_shardings()) {
        if (leaf.type() == OpSharding::TUPLE) {
          return InvalidArgument("a tuple's sharding has a tuple's in it");
        }
        TF_ASSIGN_OR_RETURN(HloSharding sharding, FromProto(leaf));
        leaves.push_back(std::move(sharding));
      }
      sharding = HloSharding(std::move(leaves));
      break;
    }
    case OpSharding::REPLICATED:
    case OpSharding::MANUAL:
    case OpSharding::UNKNOWN:
    case OpSharding::UNREDUCED:
      sharding = HloSharding(proto.type(), metadata);
      break;
    case OpSharding::MAXIMAL:
      if (proto.tile_assignment_devices_size() != 1) {
        return InvalidArgument("a maximal sharding has %d devices",
                               proto.tile_assignment_devices_size());
      }
      sharding = AssignDevice(proto.tile_assignment_devices(0), metadata);
      break;
    case OpSharding::OTHER: {
      TF_ASSIGN_OR_RETURN(const TileAssignment tiles, ReadTiles(proto));
      std::vector<OpSharding::Type> types;
      for (const int type : proto.last_tile_dims()) {
        types.push_back(static_cast<OpSharding::Type>(type));
      }
      if (proto.replicate_on_last_tile_dim()) {
        if (!types.empty()) {
          return InvalidArgument(
              "a sharding has last_tile_dim_replicate and last_tile_dims");
        }
        types.push_back(OpSharding::REPLICATED);
      }
      for (const OpSharding::Type type : types) {
        if (type != OpSharding::REPLICATED && type != OpSharding::MANUAL &&
            type != OpSharding::UNREDUCED) {
          return InvalidArgument("%s is no type of a subgroup",
                                 OpSharding::Type_Name(type));
        }
      }
      if (static_cast<int64_t>(types.size()) > tiles.num_dimensions()) {
        return InvalidArgument("%d subgroups have %d dimensions", types.size(),
                               tiles.num_dimensions());
      }
      sharding = Subgroup(tiles, types, metadata);
      break;
    }
    default:
      return InvalidArgument("a sharding has type %d", proto.type());
  }
  sharding->shard_group_ = GroupOf(proto);
  return *std::move(sharding);
}

OpSharding HloSharding::ToProto() const {
  OpSharding proto;
  if (IsShardGroup()) {
    proto.set_is_shard_group(true);
    proto.set_shard_group_id(shard_group_.shard_group_id);
    proto.set_shard_group_type(IsShardAs() ? OpSharding::AS : OpSharding::LIKE);
  }
  if (named_sharding_.has_value()) {
    *proto.mutable_named_sharding() = named_sharding_->ToProto();
    proto.mutable_named_sharding()->mutable_metadata()->Assign(
        metadata_.begin(), metadata_.end());
    return proto;
  }
  proto.set_type(type_);
  for (const HloSharding& leaf : tuple_elements_) {
    *proto.add_tuple_shardings() = leaf.ToProto();
  }
  for (const OpMetadata& part : metadata_) *proto.add_metadata() = part;
  if (type_ == OpSharding::MAXIMAL || type_ == OpSharding::OTHER) {
    for (const int64_t size : tile_assignment_.dimensions()) {
      proto.add_tile_assignment_dimensions(size);
    }
    if (const auto& iota = tile_assignment_.iota()) {
      proto.mutable_iota_reshape_dims()->Add(iota->reshape_dims().begin(),
                                             iota->reshape_dims().end());
      proto.mutable_iota_transpose_perm()->Add(iota->transpose_perm().begin(),
                                               iota->transpose_perm().end());
    } else {
      proto.mutable_tile_assignment_devices()->Add(
          tile_assignment_.array().begin(), tile_assignment_.array().end());
    }
  }
  proto.set_replicate_on_last_tile_dim(replicate_on_last_tile_dim_);
  for (const OpSharding::Type type : subgroup_types_) {
    proto.add_last_tile_dims(type);
  }
  return proto;
}

std::string HloSharding::ToString(bool include_metadata) const {
  std::string text;
  PrintSharding((include_metadata ? *this : WithoutMetadata()).ToProto(),
                &text);
  return text;
}

void HloSharding::Print(Printer* printer, bool include_metadata) const {
  printer->Append(ToString(include_metadata));
}

absl::Status HloSharding::CheckLeafCount(const Shape& shape) const {
  const int64_t leaves = ShapeUtil::GetLeafCount(shape);
  const int64_t count = tuple_elements_.size();
  if (leaves == count || (leaves == 0 && count == 1)) return absl::OkStatus();
  return InvalidArgument("%s has %d leaves, but the sharding %s has %d",
                         shape.ToString(), leaves, ToString(), count);
}

absl::Status HloSharding::ValidateLeaf(
    const Shape& shape, std::optional<int64_t> num_devices) const {
  const auto error = [&](const std::string& what) {
    return InvalidArgument("the sharding %s of %s %s", ToString(),
                           shape.ToString(), what);
  };
  if (shape.IsTuple()) return error("is not that of a tuple");
  if (type_ != OpSharding::MAXIMAL && type_ != OpSharding::OTHER) {
    return absl::OkStatus();
  }
  absl::flat_hash_set<int64_t> seen;
  for (const int64_t device : tile_assignment_.array()) {
    if (num_devices.has_value() && device >= *num_devices) {
      return error(absl::StrCat("names device ", device, " of ", *num_devices));
    }
    if (!seen.insert(device).second) {
      return error(absl::StrCat("names device ", device, " twice"));
    }
  }
  if (type_ == OpSharding::MAXIMAL) return absl::OkStatus();
  if (shape.dimensions_size() != TiledDataRank()) {
    return error(absl::StrCat(
        "divides ", TiledDataRank(),
        " dimensions: Number of tile assignment dimensions (excluding "
        "subgroups) is different than the input rank"));
  }
  if (num_devices.has_value() &&
      static_cast<int64_t>(seen.size()) != *num_devices) {
    return error(
        absl::StrCat("does not name all of ", *num_devices, " devices"));
  }
  if (seen.size() == 1) {
    return error("has one tile: say {replicated} or {maximal}");
  }
  return absl::OkStatus();
}

absl::Status HloSharding::Validate(const Shape& shape,
                                   std::optional<int64_t> num_devices) const {
  if (shape.IsToken()) return absl::OkStatus();
  if (!IsTuple()) return ValidateLeaf(shape, num_devices);
  if (!shape.IsTuple()) {
    return InvalidArgument("the sharding %s of %s is that of a tuple",
                           ToString(), shape.ToString());
  }
  TF_RETURN_IF_ERROR(CheckLeafCount(shape));
  size_t next = 0;
  return ShapeUtil::ForEachSubshapeWithStatus(
      shape, [&](const Shape& part, const ShapeIndex&) -> absl::Status {
        if (part.IsTuple()) return absl::OkStatus();
        const HloSharding& leaf = tuple_elements_[next++];
        return leaf.Validate(part, num_devices);
      });
}

bool HloSharding::Is(OpSharding::Type type) const {
  return absl::c_all_of(LeavesOf(*this), [&](const HloSharding& leaf) {
    return leaf.type_ == type;
  });
}

bool HloSharding::HasSubgroup(OpSharding::Type type) const {
  return absl::c_all_of(LeavesOf(*this), [&](const HloSharding& leaf) {
    return absl::c_linear_search(leaf.subgroup_types_, type);
  });
}

bool HloSharding::IsTileMaximal() const {
  return absl::c_all_of(LeavesOf(*this), [](const HloSharding& leaf) {
    return leaf.type_ == OpSharding::REPLICATED ||
           leaf.type_ == OpSharding::MAXIMAL;
  });
}

int64_t HloSharding::TiledDataRank() const {
  CHECK(IsTiled()) << ToString();
  return tile_assignment_.num_dimensions() -
         (replicate_on_last_tile_dim_ ? 1 : 0) - subgroup_types_.size();
}

int64_t HloSharding::SubgroupReplicationDim() const {
  if (replicate_on_last_tile_dim_) return tile_assignment_.num_dimensions() - 1;
  const auto it = absl::c_find(subgroup_types_, OpSharding::REPLICATED);
  if (it == subgroup_types_.end()) return -1;
  return TiledDataRank() + (it - subgroup_types_.begin());
}

int64_t HloSharding::SubgroupDim(OpSharding::Type type) const {
  const auto it = absl::c_find(subgroup_types_, type);
  if (it == subgroup_types_.end()) return -1;
  return TiledDataRank() + (it - subgroup_types_.begin());
}

bool HloSharding::IsManualSubgroup() const {
  return HasSubgroup(OpSharding::MANUAL);
}

bool HloSharding::IsUnreducedSubgroup() const {
  return HasSubgroup(OpSharding::UNREDUCED);
}

int64_t HloSharding::SubgroupManualDim() const {
  return SubgroupDim(OpSharding::MANUAL);
}

int64_t HloSharding::SubgroupUnreducedDim() const {
  return SubgroupDim(OpSharding::UNREDUCED);
}

HloSharding HloSharding::Single(const Shape& shape,
                                const HloSharding& sharding) {
  return shape.IsTuple() ? SingleTuple(shape, sharding) : sharding;
}

int64_t HloSharding::num_devices() const {
  return named_sharding_ ? named_sharding_->num_devices()
                         : tile_assignment_.num_elements();
}

absl::Span<const int64_t> HloSharding::dimensions() const {
  return named_sharding_ ? named_sharding_->dimensions()
                         : tile_assignment_.dimensions();
}

void HloSharding::EachTile(
    absl::FunctionRef<void(absl::Span<const int64_t>, int64_t)> f) const {
  tile_assignment_.Each(f);
}

HloSharding HloSharding::NormalizeTupleSharding(const Shape& shape) const {
  return IsTuple() ? *this : Single(shape, *this);
}

int64_t HloSharding::TotalNumTiles() const {
  if (IsTileMaximal()) return 1;
  CHECK(IsTiled()) << ToString();
  return tile_assignment_.num_elements();
}

int64_t HloSharding::NumTiles() const {
  if (IsTileMaximal()) return 1;
  return Product(tile_assignment_.dimensions().first(TiledDataRank()));
}

int64_t HloSharding::NumTiles(absl::Span<const int64_t> dims) const {
  if (IsTileMaximal()) return 1;
  int64_t tiles = 1;
  for (const int64_t dim : dims) {
    CHECK(dim >= 0 && dim < TiledDataRank()) << ToString();
    tiles *= dimension(dim);
  }
  return tiles;
}

bool HloSharding::UsesDevice(int64_t device) const {
  return absl::c_any_of(LeavesOf(*this), [&](const HloSharding& leaf) {
    return (leaf.type_ != OpSharding::MAXIMAL &&
            leaf.type_ != OpSharding::OTHER) ||
           leaf.tile_assignment_.UsesDevice(device);
  });
}

std::map<int64_t, int64_t> HloSharding::UsedDevices(int64_t* count) const {
  const absl::Span<const HloSharding> leaves = LeavesOf(*this);
  std::map<int64_t, int64_t> used;
  for (const HloSharding& leaf : leaves) {
    if (leaf.HasUniqueDevice()) ++used[leaf.GetUniqueDevice()];
  }
  if (count != nullptr) *count = leaves.size();
  return used;
}

std::optional<int64_t> HloSharding::UniqueDevice() const {
  if (type_ == OpSharding::MAXIMAL) return tile_assignment_.first();
  if (!IsTuple() || tuple_elements_.empty()) return std::nullopt;
  const std::optional<int64_t> device = tuple_elements_[0].UniqueDevice();
  for (const HloSharding& leaf : tuple_elements_) {
    if (leaf.UniqueDevice() != device) return std::nullopt;
  }
  return device;
}

int64_t HloSharding::GetUniqueDevice() const {
  const std::optional<int64_t> device = UniqueDevice();
  CHECK(device.has_value()) << ToString();
  return *device;
}

std::vector<int64_t> HloSharding::TileIndexForDevice(int64_t device) const {
  CHECK(IsTiled()) << ToString();
  std::vector<int64_t> found;
  tile_assignment_.Each([&](absl::Span<const int64_t> index, int64_t d) {
    if (d == device) found.assign(index.begin(), index.end());
  });
  CHECK(!found.empty()) << device << " of " << ToString();
  found.resize(TiledDataRank());
  return found;
}

int64_t HloSharding::DeviceForTileIndex(absl::Span<const int64_t> index) const {
  if (type_ == OpSharding::MAXIMAL) return tile_assignment_.first();
  CHECK(IsTiled()) << ToString();
  std::vector<int64_t> first(index.begin(), index.end());
  first.resize(tile_assignment_.num_dimensions());
  return tile_assignment_(first);
}

std::vector<int64_t> HloSharding::TileOffsetForDevice(const Shape& shape,
                                                      int64_t device) const {
  std::vector<int64_t> offset(shape.dimensions_size(), 0);
  if (IsTileMaximal()) return offset;
  CHECK_EQ(shape.dimensions_size(), TiledDataRank());
  const std::vector<int64_t> index = TileIndexForDevice(device);
  for (size_t i = 0; i < index.size(); ++i) {
    const int64_t size = shape.dimensions(i);
    offset[i] = std::min(index[i] * CeilOfRatio(size, dimension(i)), size);
  }
  return offset;
}

std::vector<int64_t> HloSharding::TileLimitForDevice(const Shape& shape,
                                                     int64_t device) const {
  std::vector<int64_t> limit(shape.dimensions().begin(),
                             shape.dimensions().end());
  if (IsTileMaximal()) return limit;
  CHECK_EQ(shape.dimensions_size(), TiledDataRank());
  const std::vector<int64_t> index = TileIndexForDevice(device);
  for (size_t i = 0; i < index.size(); ++i) {
    limit[i] = std::min((index[i] + 1) * CeilOfRatio(limit[i], dimension(i)),
                        limit[i]);
  }
  return limit;
}

Shape HloSharding::TileShape(const Shape& shape) const {
  Shape tile = shape;
  if (!IsTiled()) return tile;
  for (int64_t i = 0; i < TiledDataRank(); ++i) {
    tile.set_dimensions(i, CeilOfRatio(shape.dimensions(i), dimension(i)));
  }
  return tile;
}

Shape HloSharding::TileShape(const Shape& shape, int64_t device) const {
  Shape tile = shape;
  if (!IsTiled()) return tile;
  const std::vector<int64_t> offset = TileOffsetForDevice(shape, device);
  const std::vector<int64_t> limit = TileLimitForDevice(shape, device);
  for (size_t i = 0; i < offset.size(); ++i) {
    tile.set_dimensions(i, limit[i] - offset[i]);
  }
  return tile;
}

absl::Status HloSharding::EachTile(
    Bounds dims, absl::FunctionRef<void(int64_t, Bounds, Bounds)> f) const {
  if (!IsTiled() || static_cast<int64_t>(dims.size()) != TiledDataRank()) {
    return InvalidArgument("%s has no tiles of an array of rank %d", ToString(),
                           dims.size());
  }
  std::vector<int64_t> offset(dims.size()), limit(dims.size());
  return tile_assignment_.EachStatus(
      [&](absl::Span<const int64_t> index, int64_t device) {
        if (device < 0 || device >= num_devices()) {
          return InvalidArgument("device %d of %s is not below %d", device,
                                 ToString(), num_devices());
        }
        for (size_t i = 0; i < dims.size(); ++i) {
          const int64_t size = CeilOfRatio(dims[i], tile_assignment_.dim(i));
          offset[i] = std::min(index[i] * size, dims[i]);
          limit[i] = std::min((index[i] + 1) * size, dims[i]);
        }
        f(device, offset, limit);
        return absl::OkStatus();
      });
}

int64_t HloSharding::RequiredLeaves(const Shape& shape) {
  return std::max<int64_t>(ShapeUtil::GetLeafCount(shape), 1);
}

absl::StatusOr<ShapeTree<HloSharding>> HloSharding::AsShapeTree(
    const Shape& shape) const {
  if (!IsTuple()) return ShapeTree<HloSharding>(shape, *this);
  TF_RETURN_IF_ERROR(CheckLeafCount(shape));
  ShapeTree<HloSharding> tree(shape, Replicate());
  size_t next = 0;
  for (auto& [index, sharding] : tree.leaves()) {
    sharding = tuple_elements_[next++];
  }
  if (next < tuple_elements_.size()) {
    *tree.mutable_element({}) = tuple_elements_[next];
  }
  return tree;
}

absl::StatusOr<HloSharding> HloSharding::GetTupleSharding(
    const Shape& shape) const {
  if (!IsTuple()) return SingleTuple(shape, *this);
  TF_RETURN_IF_ERROR(CheckLeafCount(shape));
  return *this;
}

HloSharding HloSharding::GetSubSharding(const Shape& shape,
                                        const ShapeIndex& index) const {
  CHECK(IsTuple()) << ToString();
  int64_t before = 0;
  const Shape* part = &shape;
  for (const int64_t i : index) {
    for (int64_t j = 0; j < i; ++j) {
      before += ShapeUtil::GetLeafCount(part->tuple_shapes(j));
    }
    part = &part->tuple_shapes(i);
  }
  if (!part->IsTuple()) return tuple_elements_[before];
  return Tuple(*part, absl::MakeConstSpan(tuple_elements_)
                          .subspan(before, ShapeUtil::GetLeafCount(*part)));
}

std::optional<HloSharding> HloSharding::ExtractSingleSharding() const {
  if (!IsTuple()) return *this;
  if (tuple_elements_.empty()) return std::nullopt;
  for (const HloSharding& leaf : tuple_elements_) {
    if (leaf != tuple_elements_[0]) return std::nullopt;
  }
  return tuple_elements_[0];
}

HloSharding HloSharding::WithMetadata(Metadata metadata, bool overwrite) const {
  HloSharding result = *this;
  const auto assign = [&](HloSharding& leaf) {
    // Named ones keep what their meaning depends on.
    std::vector<OpMetadata> parts;
    absl::c_copy_if(leaf.metadata_, std::back_inserter(parts), IsReserved);
    if (!leaf.named_sharding_) parts.clear();
    if (!overwrite && leaf.metadata_.size() > parts.size()) return;
    parts.insert(parts.end(), metadata.begin(), metadata.end());
    if (leaf.named_sharding_) leaf.named_sharding_->metadata_ = parts;
    leaf.metadata_ = std::move(parts);
  };
  if (!IsTuple()) assign(result);
  for (HloSharding& leaf : result.tuple_elements_) assign(leaf);
  return result;
}

HloSharding HloSharding::WithoutMetadata() const {
  return WithMetadata({}, /*overwrite=*/true);
}

bool HloSharding::operator==(const HloSharding& other) const {
  return type_ == other.type_ && tile_assignment_ == other.tile_assignment_ &&
         replicate_on_last_tile_dim_ == other.replicate_on_last_tile_dim_ &&
         subgroup_types_ == other.subgroup_types_ &&
         tuple_elements_ == other.tuple_elements_ &&
         shard_group_ == other.shard_group_ &&
         (!named_sharding_ || !other.named_sharding_ ||
          *named_sharding_ == *other.named_sharding_);
}

ShapeTree<HloSharding> HloSharding::GetAsShapeTree(const Shape& shape) const {
  return AsShapeTree(shape).value();
}

std::ostream& operator<<(std::ostream& out, const HloSharding& sharding) {
  return out << sharding.ToString();
}

}  // namespace xla
