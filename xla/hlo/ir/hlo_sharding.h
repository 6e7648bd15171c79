// HloSharding: how a value is divided among devices, as XLA's clients see it.
#ifndef XLA_HLO_IR_HLO_SHARDING_H_
#define XLA_HLO_IR_HLO_SHARDING_H_

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "xla/core/array/array.h"
#include "xla/core/shape.h"
#include "xla/core/shape_index.h"
#include "xla/core/shape_tree.h"
#include "xla/hlo/ir/sharding/named_sharding.h"
#include "xla/hlo/ir/sharding/shard_group.h"
#include "xla/hlo/sharding/tile_assignment.h"
#include "xla/proto/xla_data.pb.h"

namespace xla {

// Of an array: on all devices whole (replicated), on one (maximal), in tiles
// (tiled), or as the program itself says (manual), as devices' partial sums
// (unreduced), or not known. Of a tuple: one for each leaf, in the order of
// ShapeTree. A tiled one has a device for each tile; further dimensions of its
// assignment are groups of devices (subgroups) that hold the same tile, partial
// sums of it or what the program says. What FromProto returns is valid; the
// other factories and functions require what their comments say (CHECK). Not
// thread safe.
class HloSharding {
 public:
  using Metadata = absl::Span<const OpMetadata>;

  using ShardGroup = HloShardGroup;
  static ShardGroup ShardAs(int64_t id) { return {id, true, false}; }
  static ShardGroup ShardLike(int64_t id) { return {id, false, true}; }
  static ShardGroup NotShardGroup() { return {}; }

  // Named ones, which the flags ask for, are of an empty or a maximal mesh.
  static HloSharding Replicate(Metadata metadata = {},
                               bool use_named_sharding = false) {
    return use_named_sharding ? HloSharding(NamedSharding::Replicate(metadata))
                              : HloSharding(OpSharding::REPLICATED, metadata);
  }
  static HloSharding Manual(Metadata metadata = {}) {
    return HloSharding(OpSharding::MANUAL, metadata);
  }
  static HloSharding Unreduced(Metadata metadata = {}) {
    return HloSharding(OpSharding::UNREDUCED, metadata);
  }
  static HloSharding Unknown(Metadata metadata = {}) {
    return HloSharding(OpSharding::UNKNOWN, metadata);
  }
  static HloSharding AssignDevice(int64_t device_id, Metadata metadata = {},
                                  bool use_named_sharding = false);
  // One dimension of the assignment for each of the array.
  static HloSharding Tile(TileAssignment tile_assignment,
                          Metadata metadata = {});
  static HloSharding Tile(Array<int64_t> tile_assignment,
                          Metadata metadata = {}) {
    return Tile(TileAssignment(std::make_shared<const Array<int64_t>>(
                    std::move(tile_assignment))),
                metadata);
  }
  static HloSharding IotaTile(absl::Span<const int64_t> dims,
                              Metadata metadata = {});
  static HloSharding IotaTile(absl::Span<const int64_t> dims,
                              absl::Span<const int64_t> reshape_dims,
                              absl::Span<const int> transpose_perm,
                              Metadata metadata = {});
  // Of an array of one dimension, in `num_tiles` > 1.
  static HloSharding Tile1D(const Shape& input_shape, int64_t num_tiles,
                            Metadata metadata = {});
  // The last dimension of the assignment is that of the devices with the same
  // tile, which are sorted. Replicated, or without that dimension, if that is
  // the same.
  static HloSharding PartialTile(const TileAssignment& tile_assignment,
                                 Metadata metadata = {});
  static HloSharding PartialTile(Array<int64_t> tile_assignment,
                                 Metadata metadata = {}) {
    return PartialTile(TileAssignment(std::make_shared<const Array<int64_t>>(
                           std::move(tile_assignment))),
                       metadata);
  }
  // The last dimensions of the assignment are subgroups of these types.
  // Dimensions of the same type become one, in the order of the types, with
  // replicated ones last; those of size 1 are left out.
  static HloSharding Subgroup(const TileAssignment& tile_assignment,
                              absl::Span<const OpSharding::Type> subgroup_types,
                              Metadata metadata = {});
  static HloSharding Subgroup(Array<int64_t> tile_assignment,
                              absl::Span<const OpSharding::Type> subgroup_types,
                              Metadata metadata = {}) {
    return Subgroup(TileAssignment(std::make_shared<const Array<int64_t>>(
                        std::move(tile_assignment))),
                    subgroup_types, metadata);
  }
  // The leaves are not tuples; an empty tuple has one.
  static HloSharding Tuple(const ShapeTree<HloSharding>& sub_shardings);
  static HloSharding Tuple(const Shape& tuple_shape,
                           absl::Span<const HloSharding> shardings);
  // Of these leaves, whatever the shape.
  static HloSharding FlatTuple(std::vector<HloSharding> sub_shardings);
  // The same for each leaf; Single also takes arrays.
  static HloSharding SingleTuple(const Shape& tuple_shape,
                                 const HloSharding& sharding);
  static HloSharding Single(const Shape& shape, const HloSharding& sharding);

  // The axes of a mesh, which ToProto keeps; all else is as of the tiles, but
  // for num_devices() to dimensions(), which are those of the mesh and the
  // array. CHECK that there are at most DeviceMesh::kMaxDevices devices.
  explicit HloSharding(NamedSharding named_sharding);
  bool UseNamedShardingLeaf() const { return named_sharding_.has_value(); }
  // Requires UseNamedShardingLeaf().
  const NamedSharding& named_sharding() const { return *named_sharding_; }
  // As tiles, under the same condition.
  static HloSharding V3ToV2Sharding(const NamedSharding& named_sharding);
  // By the axes axis_0, axis_1, ... of a mesh: of devices in order with the
  // factors of AnalyzeTileAssignment, or else of the tiles themselves. Axes of
  // a subgroup are sorted, so the order of manual and unreduced devices may
  // change. CHECK that the sharding is replicated, maximal, tiled or named, and
  // that tiles have the devices 0 to n-1, each once.
  static NamedSharding ToNamedSharding(const HloSharding& sharding);
  // The same, of each leaf; those that are on no mesh, as manual ones are, stay
  // as they are.
  static HloSharding ToV3Sharding(const HloSharding& sharding);

  // Errors: InvalidArgument for assignments that do not have the devices that
  // their dimensions say, types of subgroups that do not fit them, tuples in
  // tuples or with metadata, and as NamedSharding::ReadProto.
  static absl::StatusOr<HloSharding> FromProto(const OpSharding& proto);
  OpSharding ToProto() const;
  // "{devices=[2,1,2]<=[4] last_tile_dim_replicate}".
  std::string ToString(bool include_metadata = false) const;
  void Print(Printer* printer, bool include_metadata = false) const;

  // Errors: InvalidArgument unless the sharding fits the shape and, if it is
  // given, the number of devices, and uses no device twice.
  absl::Status Validate(const Shape& shape,
                        std::optional<int64_t> num_devices = {}) const;

  bool IsTuple() const { return type_ == OpSharding::TUPLE; }
  // Of a tuple: whether all leaves are.
  bool IsReplicated() const { return Is(OpSharding::REPLICATED); }
  bool IsReplicatedLeaf() const { return IsReplicated(); }
  bool IsManual() const { return Is(OpSharding::MANUAL); }
  bool IsUnknown() const { return Is(OpSharding::UNKNOWN); }
  bool IsUnreduced() const { return Is(OpSharding::UNREDUCED); }
  bool IsManualLeaf() const { return IsManual(); }
  bool IsUnknownLeaf() const { return IsUnknown(); }
  bool IsUnreducedLeaf() const { return IsUnreduced(); }
  bool IsManualSubgroup() const;
  bool IsUnreducedSubgroup() const;
  // Whether tiles are the whole array: replicated, or on one device.
  bool IsTileMaximal() const;
  bool IsTileMaximalLeaf() const { return IsTileMaximal(); }
  // The rest require that it is no tuple, unless they say otherwise.
  bool IsTiled() const { return type_ == OpSharding::OTHER; }
  bool IsTiledLeaf() const { return IsTiled(); }
  bool ReplicateOnLastTileDim() const { return replicate_on_last_tile_dim_; }
  bool HasPartialReplication() const { return SubgroupReplicationDim() >= 0; }

  const TileAssignment& tile_assignment() const { return tile_assignment_; }
  const std::vector<OpSharding::Type>& subgroup_types() const {
    return subgroup_types_;
  }
  TileAssignment device_assignment() const { return tile_assignment_; }
  // Of the assignment, and its dimensions; 0 and {0} for what has none.
  int64_t num_devices() const;
  absl::Span<const int64_t> dimensions() const;
  int64_t num_dimensions() const { return dimensions().size(); }
  int64_t dimension(int64_t i) const { return dimensions()[i]; }
  // The dimensions of the assignment that are not subgroups; requires
  // IsTiled().
  int64_t TiledDataRank() const;
  // The number of the dimension of a subgroup; -1 if there is none.
  int64_t SubgroupReplicationDim() const;
  int64_t SubgroupManualDim() const;
  int64_t SubgroupUnreducedDim() const;
  // With subgroups, without them, and along some dimensions. Requires that it
  // is maximal or tiled.
  int64_t TotalNumTiles() const;
  int64_t NumTiles() const;
  int64_t NumTiles(absl::Span<const int64_t> dims) const;

  // Negative numbers are no devices.
  static bool IsReservedDevice(int64_t device) { return device < 0; }
  // Also of tuples.
  bool UsesDevice(int64_t device) const;
  std::map<int64_t, int64_t> UsedDevices(int64_t* count) const;
  // The one device of maximal ones, if it is the same for all leaves.
  std::optional<int64_t> UniqueDevice() const;
  bool HasUniqueDevice() const { return UniqueDevice().has_value(); }
  int64_t GetUniqueDevice() const;

  // Indices of tiles, without subgroups; require IsTiled() and a device that
  // has a tile. A tile of several devices is that of the first.
  std::vector<int64_t> TileIndexForDevice(int64_t device) const;
  int64_t DeviceForTileIndex(absl::Span<const int64_t> index) const;
  // The bounds of a device's tile and its shape, which is of CeilOfRatio
  // elements in each dimension, or fewer at the end.
  std::vector<int64_t> TileOffsetForDevice(const Shape& shape,
                                           int64_t device) const;
  std::vector<int64_t> TileLimitForDevice(const Shape& shape,
                                          int64_t device) const;
  Shape TileShape(const Shape& shape) const;
  Shape TileShape(const Shape& shape, int64_t device) const;
  // Call `f` for each tile and device: with the index, subgroups too, and the
  // device; with the device and the bounds of its tile of an array. Errors of
  // the latter: InvalidArgument for what is not tiled, sizes of another rank
  // and devices that are not from 0 to num_devices().
  void EachTile(
      absl::FunctionRef<void(absl::Span<const int64_t>, int64_t)> f) const;
  using Bounds = absl::Span<const int64_t>;
  absl::Status EachTile(
      Bounds dims, absl::FunctionRef<void(int64_t, Bounds, Bounds)> f) const;

  // The leaves of a tuple.
  std::vector<HloSharding>& tuple_elements() { return tuple_elements_; }
  const std::vector<HloSharding>& tuple_elements() const {
    return tuple_elements_;
  }
  // 1 for empty tuples.
  static int64_t RequiredLeaves(const Shape& shape);
  // Errors: InvalidArgument if `shape` has another number of leaves.
  absl::StatusOr<ShapeTree<HloSharding>> AsShapeTree(const Shape& shape) const;
  ShapeTree<HloSharding> GetAsShapeTree(const Shape& shape) const;
  absl::StatusOr<HloSharding> GetTupleSharding(const Shape& shape) const;
  HloSharding NormalizeTupleSharding(const Shape& shape) const;
  // Of the part of a tuple's shape at `index`.
  HloSharding GetSubSharding(const Shape& shape, const ShapeIndex& index) const;
  // That of all leaves, if it is the same.
  std::optional<HloSharding> ExtractSingleSharding() const;

  std::vector<OpMetadata>& metadata() { return metadata_; }
  const std::vector<OpMetadata>& metadata() const { return metadata_; }
  // Of each leaf; those that have some keep it unless `overwrite`.
  HloSharding WithMetadata(Metadata metadata, bool overwrite) const;
  HloSharding WithoutMetadata() const;

  bool IsShardGroup() const {
    return shard_group_.shard_as || shard_group_.shard_like;
  }
  bool IsShardAs() const { return shard_group_.shard_as; }
  bool IsShardLike() const { return shard_group_.shard_like; }
  const ShardGroup& GetShardGroup() const { return shard_group_; }
  HloSharding& SetShardGroup(const ShardGroup& group) {
    shard_group_ = group;
    return *this;
  }
  HloSharding& ClearShardGroup() { return SetShardGroup(NotShardGroup()); }

  // Without metadata. A named one equals the same in tiles, even where it
  // differs from another named one of these tiles.
  bool operator==(const HloSharding& other) const;
  bool operator!=(const HloSharding& other) const { return !(*this == other); }
  template <typename H>
  friend H AbslHashValue(H h, const HloSharding& sharding) {
    return H::combine(std::move(h), sharding.type_, sharding.tile_assignment_,
                      sharding.subgroup_types_, sharding.tuple_elements_);
  }

 private:
  explicit HloSharding(OpSharding::Type type, Metadata metadata = {})
      : type_(type), metadata_(metadata.begin(), metadata.end()) {}
  // A tuple.
  explicit HloSharding(std::vector<HloSharding> leaves)
      : type_(OpSharding::TUPLE), tuple_elements_(std::move(leaves)) {}

  bool Is(OpSharding::Type type) const;
  bool HasSubgroup(OpSharding::Type type) const;
  int64_t SubgroupDim(OpSharding::Type type) const;
  absl::Status CheckLeafCount(const Shape& shape) const;
  absl::Status ValidateLeaf(const Shape& shape,
                            std::optional<int64_t> num_devices) const;

  OpSharding::Type type_;
  TileAssignment tile_assignment_;
  bool replicate_on_last_tile_dim_ = false;
  std::vector<OpSharding::Type> subgroup_types_;
  std::vector<HloSharding> tuple_elements_;
  std::vector<OpMetadata> metadata_;
  ShardGroup shard_group_;
  std::optional<NamedSharding> named_sharding_;
};

std::ostream& operator<<(std::ostream& out, const HloSharding& sharding);

}  // namespace xla

#endif  // XLA_HLO_IR_HLO_SHARDING_H_
