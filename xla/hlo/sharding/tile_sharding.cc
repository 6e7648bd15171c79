// Reads a list of devices as a number in a mixed radix, whose digits are axes
// of the mesh or parts of them.
#include "xla/hlo/sharding/tile_sharding.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "xla/base/checked_math.h"
#include "xla/base/status_macros.h"

namespace xla {
namespace {

absl::Status TileError(absl::string_view message) {
  return absl::InvalidArgumentError(absl::StrCat("sharding: ", message));
}

// The tile assignment of an OpSharding of type OTHER.
struct Tiles {
  std::vector<int64_t> sizes;  // of dimensions, then one for each kind
  std::vector<OpSharding::Type> kinds;
  std::vector<int64_t> devices;  // in row-major order

  int64_t rank() const {
    return static_cast<int64_t>(sizes.size() - kinds.size());
  }
};

absl::StatusOr<Tiles> ReadTiles(const OpSharding& sharding, int64_t devices) {
  Tiles tiles;
  tiles.sizes.assign(sharding.tile_assignment_dimensions().begin(),
                     sharding.tile_assignment_dimensions().end());
  for (const int kind : sharding.last_tile_dims()) {
    tiles.kinds.push_back(static_cast<OpSharding::Type>(kind));
  }
  if (sharding.replicate_on_last_tile_dim()) {
    tiles.kinds.push_back(OpSharding::REPLICATED);
  }
  int64_t total = 1;
  for (const int64_t size : tiles.sizes) {
    const std::optional<int64_t> next = CheckedMultiply(total, size);
    if (size < 1 || !next.has_value() || *next > devices) {
      total = -1;
      break;
    }
    total = *next;
  }
  if (total != devices || tiles.rank() < 0) {
    return TileError(absl::StrCat("the tiles are not those of the program's ",
                                  devices, " devices"));
  }
  if (sharding.iota_reshape_dims().empty()) {
    tiles.devices.assign(sharding.tile_assignment_devices().begin(),
                         sharding.tile_assignment_devices().end());
  } else {
    TF_ASSIGN_OR_RETURN(tiles.devices,
                        ExpandIota({{sharding.iota_reshape_dims().begin(),
                                     sharding.iota_reshape_dims().end()},
                                    {sharding.iota_transpose_perm().begin(),
                                     sharding.iota_transpose_perm().end()}}));
  }
  std::vector<int64_t> sorted = tiles.devices;
  std::sort(sorted.begin(), sorted.end());
  for (int64_t i = 0; i < std::ssize(sorted); ++i) {
    if (sorted[i] != i) sorted.clear();
  }
  if (std::ssize(sorted) != devices) {
    return TileError("a device is missing in the tiles or occurs twice");
  }
  return tiles;
}

// `size` devices that are `stride` apart.
struct Digit {
  int64_t size = 1;
  int64_t stride = 1;
};

// Returns the digits of each tile dimension, the slowest first; nullopt if the
// devices are not in such an order.
std::optional<std::vector<std::vector<Digit>>> DigitsOf(const Tiles& tiles) {
  const auto iota = FindIotaTransform(tiles.devices);
  if (!iota.has_value()) return std::nullopt;
  std::vector<int64_t> strides(iota->dims.size(), 1);
  for (size_t i = strides.size(); i-- > 1;) {
    strides[i - 1] = strides[i] * iota->dims[i];
  }
  std::vector<Digit> rest;  // the slowest last
  for (size_t i = iota->perm.size(); i-- > 0;) {
    const int64_t d = iota->perm[i];
    rest.push_back({iota->dims[d], strides[d]});
  }
  std::vector<std::vector<Digit>> result;
  for (int64_t size : tiles.sizes) {
    std::vector<Digit>& digits = result.emplace_back();
    while (size > 1) {
      Digit& digit = rest.back();
      const int64_t part = std::min(size, digit.size);
      if (size % part != 0 || digit.size % part != 0) return std::nullopt;
      digits.push_back({part, digit.stride * (digit.size / part)});
      digit.size /= part;
      size /= part;
      if (digit.size == 1) rest.pop_back();
    }
  }
  return result;
}

// Returns the parts of axes that a digit consists of; nullopt if the mesh's
// strides do not fit.
std::optional<AxisList> AxesOf(const Digit& digit, const DeviceMesh& mesh) {
  AxisList axes;
  int64_t found = 1;
  for (int32_t a = 0; a < std::ssize(mesh.axes()); ++a) {
    const AxisPart whole = mesh.WholeAxis(a);
    const int64_t stride = mesh.StrideOf(whole);
    const int64_t low = std::max(digit.stride, stride);
    const int64_t high =
        std::min(digit.stride * digit.size, stride * whole.size);
    if (low >= high) continue;
    if (high % low != 0 || stride * whole.size % high != 0 ||
        low % stride != 0) {
      return std::nullopt;
    }
    const AxisPart part = {a, stride * whole.size / high, high / low};
    Append(part, axes);
    found *= part.size;
  }
  if (found != digit.size) return std::nullopt;
  return axes;
}

std::optional<AxisList> AxesOf(absl::Span<const Digit> digits,
                               const DeviceMesh& mesh) {
  AxisList all;
  for (const Digit& digit : digits) {
    const std::optional<AxisList> axes = AxesOf(digit, mesh);
    if (!axes.has_value()) return std::nullopt;
    Append(*axes, all);
  }
  return all;
}

void SetKind(OpSharding::Type kind, const AxisList& axes,
             MeshSharding& sharding) {
  if (kind == OpSharding::MANUAL) Append(axes, sharding.manual);
  if (kind == OpSharding::UNREDUCED) Append(axes, sharding.unreduced);
}

// Returns the sharding over axes of `mesh`; nullopt if they do not express it.
std::optional<MeshSharding> OverMesh(
    const Tiles& tiles, const std::shared_ptr<const DeviceMesh>& mesh) {
  const auto digits = DigitsOf(tiles);
  if (!digits.has_value() || !mesh->devices().empty()) return std::nullopt;
  MeshSharding sharding = MeshSharding::Replicated(mesh, tiles.rank());
  for (size_t d = 0; d < digits->size(); ++d) {
    std::optional<AxisList> axes = AxesOf((*digits)[d], *mesh);
    if (!axes.has_value()) return std::nullopt;
    if (static_cast<int64_t>(d) < tiles.rank()) {
      sharding.dimensions[d].axes = *std::move(axes);
    } else {
      SetKind(tiles.kinds[d - tiles.rank()], *axes, sharding);
    }
  }
  return sharding;
}

// Returns the sharding over a mesh with an axis for each dimension of tiles.
absl::StatusOr<MeshSharding> OverOwnMesh(const Tiles& tiles) {
  std::vector<DeviceMesh::Axis> axes;
  for (const int64_t size : tiles.sizes) {
    axes.push_back({absl::StrCat("axis_", axes.size()), size});
  }
  TF_ASSIGN_OR_RETURN(DeviceMesh mesh,
                      DeviceMesh::Create(std::move(axes), tiles.devices));
  MeshSharding sharding = MeshSharding::Replicated(
      std::make_shared<const DeviceMesh>(std::move(mesh)), tiles.rank());
  for (size_t d = 0; d < tiles.sizes.size(); ++d) {
    AxisList whole;
    Append(sharding.mesh->WholeAxis(static_cast<int32_t>(d)), whole);
    if (static_cast<int64_t>(d) < tiles.rank()) {
      sharding.dimensions[d].axes = std::move(whole);
    } else {
      SetKind(tiles.kinds[d - tiles.rank()], whole, sharding);
    }
  }
  return sharding;
}

OpSharding OfType(OpSharding::Type type) {
  OpSharding sharding;
  sharding.set_type(type);
  return sharding;
}

void SetDevices(absl::Span<const int64_t> devices, OpSharding& sharding) {
  const auto iota = FindIotaTransform(devices);
  if (!iota.has_value()) {
    sharding.mutable_tile_assignment_devices()->Add(devices.begin(),
                                                    devices.end());
    return;
  }
  for (const int64_t size : iota->dims) sharding.add_iota_reshape_dims(size);
  for (const int64_t d : iota->perm) {
    sharding.add_iota_transpose_perm(static_cast<int32_t>(d));
  }
}

// Adds the positions on a mesh where digits begin and end. Returns false, and
// adds nothing, if they do not divide each other.
bool AddCuts(const std::vector<std::vector<Digit>>& digits,
             std::set<int64_t>& cuts) {
  std::set<int64_t> all = cuts;
  for (const std::vector<Digit>& dimension : digits) {
    for (const Digit& digit : dimension) {
      all.insert(digit.stride);
      all.insert(digit.stride * digit.size);
    }
  }
  int64_t before = 1;
  for (const int64_t cut : all) {
    if (cut % before != 0) return false;
    before = cut;
  }
  cuts = std::move(all);
  return true;
}

void CollectTiles(const OpSharding& sharding,
                  std::vector<const OpSharding*>& found) {
  for (const OpSharding& element : sharding.tuple_shardings()) {
    CollectTiles(element, found);
  }
  if (sharding.type() == OpSharding::OTHER && !sharding.has_named_sharding()) {
    found.push_back(&sharding);
  }
}

}  // namespace

namespace {

// Tiles say in metadata how partial values are reduced.
constexpr absl::string_view kTileReduction = "sdy::reduction_op";

void SetReduction(const MeshSharding& sharding, OpSharding& tiles) {
  if (sharding.unreduced.empty() ||
      sharding.unreduced_kind == UnreducedKind::kSum) {
    return;
  }
  OpMetadata* metadata = tiles.add_metadata();
  metadata->set_op_type(std::string(kTileReduction));
  metadata->set_op_name(sharding.unreduced_kind == UnreducedKind::kMax ? "MAX"
                                                                       : "MIN");
}

UnreducedKind ReductionOf(const OpSharding& tiles) {
  for (const OpMetadata& metadata : tiles.metadata()) {
    if (metadata.op_type() != kTileReduction) continue;
    if (metadata.op_name() == "MAX") return UnreducedKind::kMax;
    if (metadata.op_name() == "MIN") return UnreducedKind::kMin;
  }
  return UnreducedKind::kSum;
}

OpSharding TilesWithoutReduction(const MeshSharding& sharding) {
  const DeviceMesh& mesh = *sharding.mesh;
  if (mesh.is_maximal()) {
    OpSharding maximal = OfType(OpSharding::MAXIMAL);
    maximal.add_tile_assignment_devices(mesh.maximal_device());
    return maximal;
  }
  // All axes have size 1, which no list of axes has.
  if (mesh.device_count() == 1) return OfType(OpSharding::REPLICATED);
  const AxisList copies = Difference(mesh.AllAxes(), sharding.UsedAxes());
  const struct {
    OpSharding::Type type;
    const AxisList& axes;
  } kinds[] = {{OpSharding::MANUAL, sharding.manual},
               {OpSharding::UNREDUCED, sharding.unreduced},
               {OpSharding::REPLICATED, copies}};
  for (const auto& kind : kinds) {
    if (SizeOf(kind.axes) == mesh.device_count()) return OfType(kind.type);
  }
  OpSharding result = OfType(OpSharding::OTHER);
  AxisList order;
  for (const MeshSharding::Dimension& dimension : sharding.dimensions) {
    result.add_tile_assignment_dimensions(SizeOf(dimension.axes));
    order.insert(order.end(), dimension.axes.begin(), dimension.axes.end());
  }
  std::vector<OpSharding::Type> last;
  for (const auto& kind : kinds) {
    if (kind.axes.empty()) continue;
    result.add_tile_assignment_dimensions(SizeOf(kind.axes));
    last.push_back(kind.type);
    order.insert(order.end(), kind.axes.begin(), kind.axes.end());
  }
  std::vector<int64_t> devices(mesh.device_count());
  for (int64_t p = 0; p < mesh.device_count(); ++p) {
    devices[mesh.CoordinateOf(p, order)] = mesh.DeviceAt(p);
  }
  const int64_t group = SizeOf(copies);
  for (auto at = devices.begin(); at != devices.end(); at += group) {
    std::sort(at, at + group);
  }
  SetDevices(devices, result);
  if (last.size() == 1 && last[0] == OpSharding::REPLICATED) {
    result.set_replicate_on_last_tile_dim(true);
  } else {
    for (const OpSharding::Type type : last) result.add_last_tile_dims(type);
  }
  return result;
}

}  // namespace

OpSharding TilesOfMeshSharding(const MeshSharding& sharding) {
  OpSharding tiles = TilesWithoutReduction(sharding);
  SetReduction(sharding, tiles);
  return tiles;
}

absl::StatusOr<DeviceMesh> FindCommonMesh(
    absl::Span<const OpSharding* const> shardings, int64_t devices) {
  std::vector<const OpSharding*> found;
  for (const OpSharding* sharding : shardings) CollectTiles(*sharding, found);
  std::set<int64_t> cuts = {1, devices};
  for (const OpSharding* sharding : found) {
    TF_ASSIGN_OR_RETURN(const Tiles tiles, ReadTiles(*sharding, devices));
    if (const auto digits = DigitsOf(tiles)) AddCuts(*digits, cuts);
  }
  std::vector<DeviceMesh::Axis> axes;
  for (auto cut = cuts.rbegin(); std::next(cut) != cuts.rend(); ++cut) {
    axes.push_back(
        {absl::StrCat("axis_", axes.size()), *cut / *std::next(cut)});
  }
  return DeviceMesh::Create(std::move(axes));
}

absl::StatusOr<MeshSharding> MeshShardingOfTiles(
    const OpSharding& sharding, int64_t rank,
    const std::shared_ptr<const DeviceMesh>& mesh) {
  if (sharding.has_named_sharding()) {
    TF_ASSIGN_OR_RETURN(MeshSharding named,
                        MeshSharding::FromProto(sharding.named_sharding()));
    // A sharding without dimensions is replicated, whatever the rank.
    if (named.dimensions.empty()) named.dimensions.resize(rank);
    if (named.rank() != rank) {
      return TileError(absl::StrCat("there are ", named.rank(),
                                    " dimensions for an array of ", rank));
    }
    return named;
  }
  MeshSharding result = MeshSharding::Replicated(mesh, rank);
  switch (sharding.type()) {
    case OpSharding::REPLICATED:
      return result;
    case OpSharding::MANUAL:
      result.manual = mesh->AllAxes();
      return result;
    case OpSharding::UNREDUCED:
      result.unreduced = mesh->AllAxes();
      result.unreduced_kind = ReductionOf(sharding);
      return result;
    case OpSharding::UNKNOWN:
      return MeshSharding::Replicated(mesh, rank, /*is_open=*/true);
    case OpSharding::MAXIMAL: {
      if (sharding.tile_assignment_devices_size() != 1 ||
          sharding.tile_assignment_devices(0) < 0 ||
          sharding.tile_assignment_devices(0) >= mesh->device_count()) {
        return TileError("{maximal} needs one of the program's devices");
      }
      return MeshSharding::Replicated(
          std::make_shared<const DeviceMesh>(
              DeviceMesh::Maximal(sharding.tile_assignment_devices(0))),
          rank);
    }
    case OpSharding::OTHER:
      break;
    default:
      return TileError("a tuple's sharding for an array");
  }
  TF_ASSIGN_OR_RETURN(const Tiles tiles,
                      ReadTiles(sharding, mesh->device_count()));
  if (tiles.rank() != rank) {
    return TileError(absl::StrCat("there are ", tiles.rank(),
                                  " dimensions for an array of ", rank));
  }
  if (auto over = OverMesh(tiles, mesh)) {
    result = *std::move(over);
  } else {
    TF_ASSIGN_OR_RETURN(result, OverOwnMesh(tiles));
  }
  result.unreduced_kind = ReductionOf(sharding);
  return result;
}

}  // namespace xla
