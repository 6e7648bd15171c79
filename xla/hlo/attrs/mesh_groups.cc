// Splits the axes of a mesh where sub-axes begin and end, and enumerates the
// positions that the pieces reach.
#include "xla/hlo/attrs/mesh_groups.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "xla/base/checked_math.h"
#include "xla/base/status_macros.h"

namespace xla {
namespace {

// The most devices of a mesh; the groups are written out, so this bounds their
// memory.
constexpr int64_t kMaxMeshDevices = int64_t{1} << 16;

absl::Status MeshError(absl::string_view message) {
  return absl::InvalidArgumentError(
      absl::StrCat("replica groups by mesh axes: ", message));
}

// An axis of the mesh or a part of one: `size` positions `stride` apart.
struct Piece {
  int64_t size = 1;
  int64_t stride = 1;
};

// Returns the product of the sizes of all axes.
absl::StatusOr<int64_t> CountDevices(const MeshProto& mesh) {
  int64_t count = 1;
  for (const auto& axis : mesh.axes()) {
    const std::optional<int64_t> next = CheckedMultiply(count, axis.size());
    if (axis.size() <= 0 || !next.has_value() || *next > kMaxMeshDevices) {
      return MeshError(absl::StrCat("the mesh must have 1 to ", kMaxMeshDevices,
                                    " devices, but axis '", axis.name(),
                                    "' has size ", axis.size()));
    }
    count = *next;
  }
  return count;
}

// Returns the device at each position of the mesh.
absl::StatusOr<std::vector<int64_t>> DevicesOf(const MeshProto& mesh,
                                               int64_t count) {
  std::vector<int64_t> devices(count);
  if (mesh.device_ids_size() > 0) {
    std::vector<bool> seen(count);
    if (mesh.device_ids_size() != count) {
      return MeshError(absl::StrCat("there are ", mesh.device_ids_size(),
                                    " device_ids for ", count, " devices"));
    }
    for (int64_t i = 0; i < count; ++i) {
      const int64_t id = mesh.device_ids(static_cast<int>(i));
      if (id < 0 || id >= count || seen[id]) {
        return MeshError(absl::StrCat("device_ids must be 0 to ", count - 1,
                                      ", each once; got ", id));
      }
      seen[id] = true;
      devices[i] = id;
    }
    return devices;
  }
  const auto& dims = mesh.iota_transform().reshape_dims();
  const auto& perm = mesh.iota_transform().transpose_perm();
  const int rank = dims.size();
  std::vector<bool> seen(rank);
  int64_t product = 1;
  bool fits = perm.size() == rank;
  for (int i = 0; fits && i < rank; ++i) {
    const std::optional<int64_t> next = CheckedMultiply(product, dims[i]);
    fits = dims[i] > 0 && next.has_value() && perm[i] >= 0 && perm[i] < rank &&
           !seen[perm[i]];
    if (!fits) break;
    seen[perm[i]] = true;
    product = *next;
  }
  if (!fits || (rank > 0 && product != count)) {
    return MeshError("device_ids is no transposed iota of the mesh's devices");
  }
  std::vector<int64_t> strides(rank, 1);
  for (int i = rank - 1; i > 0; --i) strides[i - 1] = strides[i] * dims[i];
  for (int64_t n = 0; n < count; ++n) {
    if (rank == 0) {
      devices[n] = n;
      continue;
    }
    int64_t rest = n;
    for (int i = rank - 1; i >= 0; --i) {
      devices[n] += rest % dims[perm[i]] * strides[perm[i]];
      rest /= dims[perm[i]];
    }
  }
  return devices;
}

// Returns all positions that `pieces` reach, the first piece slowest.
std::vector<int64_t> Positions(const std::vector<Piece>& pieces) {
  std::vector<int64_t> positions = {0};
  for (const Piece& piece : pieces) {
    std::vector<int64_t> next;
    next.reserve(positions.size() * piece.size);
    for (int64_t at : positions) {
      for (int64_t i = 0; i < piece.size; ++i) {
        next.push_back(at + i * piece.stride);
      }
    }
    positions = std::move(next);
  }
  return positions;
}

// The axes that a group spans, and what is left of each axis of the mesh.
struct Split {
  std::vector<Piece> within;
  std::vector<Piece> across;
};

absl::StatusOr<Split> SplitAxes(const MeshAxesReplicaGroupListProto& groups) {
  const MeshProto& mesh = groups.mesh();
  const int rank = mesh.axes_size();
  std::vector<int64_t> strides(rank, 1);
  for (int i = rank - 1; i > 0; --i) {
    strides[i - 1] = strides[i] * mesh.axes(i).size();
  }
  // For each axis of the mesh the parts that are taken: [before, before *
  // size), in products of sizes counted from the slowest part.
  std::vector<std::vector<std::pair<int64_t, int64_t>>> taken(rank);
  Split split;
  for (const AxisRefProto& axis : groups.axes()) {
    const int64_t number = axis.mesh_axis_index();
    if (number < 0 || number >= rank) {
      return MeshError(absl::StrCat("the mesh has no axis ", number));
    }
    const int64_t full = mesh.axes(static_cast<int>(number)).size();
    const bool part = axis.has_sub_axis_info();
    const int64_t before = part ? axis.sub_axis_info().pre_size() : 1;
    const int64_t size = part ? axis.sub_axis_info().size() : full;
    const std::optional<int64_t> end = CheckedMultiply(before, size);
    if (before <= 0 || size <= 0 || !end.has_value() || full % *end != 0) {
      return MeshError(absl::StrCat("(", before, ")", size,
                                    " is no part of an axis of size ", full));
    }
    taken[number].push_back({before, *end});
    split.within.push_back({size, strides[number] * (full / *end)});
  }
  for (int i = 0; i < rank; ++i) {
    const int64_t full = mesh.axes(i).size();
    std::sort(taken[i].begin(), taken[i].end());
    int64_t at = 1;
    taken[i].push_back({full, full});
    for (const auto& [before, end] : taken[i]) {
      if (before % at != 0) {
        return MeshError(
            absl::StrCat("parts of axis '", mesh.axes(i).name(), "' overlap"));
      }
      split.across.push_back({before / at, strides[i] * (full / before)});
      at = end;
    }
  }
  return split;
}

}  // namespace

absl::StatusOr<std::vector<std::vector<int64_t>>> ExpandMeshAxes(
    const MeshAxesReplicaGroupListProto& groups) {
  TF_ASSIGN_OR_RETURN(const int64_t count, CountDevices(groups.mesh()));
  TF_ASSIGN_OR_RETURN(const std::vector<int64_t> devices,
                      DevicesOf(groups.mesh(), count));
  TF_ASSIGN_OR_RETURN(const Split split, SplitAxes(groups));
  const std::vector<int64_t> within = Positions(split.within);
  if (within.size() < 2) {
    return MeshError("a group must have more than one device");
  }
  std::vector<std::vector<int64_t>> result;
  for (const int64_t start : Positions(split.across)) {
    std::vector<int64_t>& group = result.emplace_back();
    for (const int64_t at : within) group.push_back(devices[start + at]);
  }
  return result;
}

}  // namespace xla
