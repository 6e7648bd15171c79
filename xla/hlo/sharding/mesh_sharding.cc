// Converts named shardings from and to protos.
#include "xla/hlo/sharding/mesh_sharding.h"

#include <algorithm>
#include <string>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "xla/base/status_macros.h"

namespace xla {
namespace {

constexpr absl::string_view kReductionType = "sdy::reduction_op";
constexpr absl::string_view kPriorityType = "sdy::priorities";

absl::Status ShardingError(absl::string_view message) {
  return absl::InvalidArgumentError(absl::StrCat("sharding: ", message));
}

absl::StatusOr<UnreducedKind> ReadReduction(absl::string_view name) {
  if (name == "SUM") return UnreducedKind::kSum;
  if (name == "MAX") return UnreducedKind::kMax;
  if (name == "MIN") return UnreducedKind::kMin;
  return ShardingError(absl::StrCat("unknown reduction '", name, "'"));
}

absl::Status ReadPriorities(absl::string_view text, MeshSharding& sharding) {
  const std::vector<absl::string_view> parts = absl::StrSplit(text, ',');
  if (parts.size() != sharding.dimensions.size()) {
    return ShardingError("there must be a priority for each dimension");
  }
  for (size_t d = 0; d < parts.size(); ++d) {
    int64_t& priority = sharding.dimensions[d].priority;
    if (!absl::SimpleAtoi(parts[d], &priority) || priority < 0) {
      return ShardingError(absl::StrCat("bad priority '", parts[d], "'"));
    }
  }
  return absl::OkStatus();
}

void AddMetadata(absl::string_view type, std::string name,
                 NamedShardingProto& proto) {
  OpMetadata* metadata = proto.add_metadata();
  metadata->set_op_type(std::string(type));
  metadata->set_op_name(std::move(name));
}

}  // namespace

MeshSharding MeshSharding::Replicated(std::shared_ptr<const DeviceMesh> mesh,
                                      int64_t rank, bool is_open) {
  MeshSharding sharding;
  sharding.mesh = std::move(mesh);
  sharding.dimensions.resize(rank);
  for (Dimension& dimension : sharding.dimensions) {
    dimension.is_open = is_open;
  }
  return sharding;
}

absl::StatusOr<MeshSharding> MeshSharding::FromProto(
    const NamedShardingProto& proto) {
  MeshSharding sharding;
  TF_ASSIGN_OR_RETURN(DeviceMesh mesh, DeviceMesh::FromProto(proto.mesh()));
  sharding.mesh = std::make_shared<const DeviceMesh>(std::move(mesh));
  AxisList used;
  auto read = [&](const auto& protos, AxisList* axes) -> absl::Status {
    TF_ASSIGN_OR_RETURN(*axes, AxesFromProto(*sharding.mesh, protos));
    if (Overlap(used, *axes)) return ShardingError("an axis is used twice");
    Append(*axes, used);
    return absl::OkStatus();
  };
  for (const auto& each : proto.dim_shardings()) {
    Dimension& dimension = sharding.dimensions.emplace_back();
    dimension.is_open = !each.is_closed();
    TF_RETURN_IF_ERROR(read(each.axes(), &dimension.axes));
  }
  TF_RETURN_IF_ERROR(read(proto.replicated_axes(), &sharding.replicated));
  TF_RETURN_IF_ERROR(read(proto.unreduced_axes(), &sharding.unreduced));
  TF_RETURN_IF_ERROR(read(proto.manual_axes(), &sharding.manual));
  for (const OpMetadata& metadata : proto.metadata()) {
    if (metadata.op_type() == kReductionType) {
      TF_ASSIGN_OR_RETURN(sharding.unreduced_kind,
                          ReadReduction(metadata.op_name()));
    } else if (metadata.op_type() == kPriorityType) {
      TF_RETURN_IF_ERROR(ReadPriorities(metadata.op_name(), sharding));
    }
  }
  return sharding;
}

NamedShardingProto MeshSharding::ToProto() const {
  NamedShardingProto proto;
  *proto.mutable_mesh() = mesh->ToProto();
  bool has_priority = false;
  for (const Dimension& dimension : dimensions) {
    auto* added = proto.add_dim_shardings();
    added->set_is_closed(!dimension.is_open);
    AxesToProto(*mesh, dimension.axes, added->mutable_axes());
    has_priority |= dimension.priority != 0;
  }
  AxesToProto(*mesh, replicated, proto.mutable_replicated_axes());
  AxesToProto(*mesh, unreduced, proto.mutable_unreduced_axes());
  AxesToProto(*mesh, manual, proto.mutable_manual_axes());
  if (unreduced_kind != UnreducedKind::kSum) {
    AddMetadata(kReductionType,
                unreduced_kind == UnreducedKind::kMax ? "MAX" : "MIN", proto);
  }
  if (has_priority) {
    AddMetadata(kPriorityType,
                absl::StrJoin(dimensions, ",",
                              [](std::string* out, const Dimension& d) {
                                absl::StrAppend(out, d.priority);
                              }),
                proto);
  }
  return proto;
}

OpSharding MeshSharding::ToOpSharding() const {
  OpSharding sharding;
  *sharding.mutable_named_sharding() = ToProto();
  return sharding;
}

AxisList MeshSharding::DimensionAxes() const {
  AxisList axes;
  // Not joined: dimensions are apart.
  for (const Dimension& dimension : dimensions) {
    axes.insert(axes.end(), dimension.axes.begin(), dimension.axes.end());
  }
  return axes;
}

AxisList MeshSharding::UsedAxes() const {
  AxisList axes = DimensionAxes();
  axes.insert(axes.end(), unreduced.begin(), unreduced.end());
  axes.insert(axes.end(), manual.begin(), manual.end());
  return axes;
}

bool MeshSharding::IsReplicated() const {
  return !mesh->is_maximal() && unreduced.empty() &&
         std::all_of(dimensions.begin(), dimensions.end(),
                     [](const Dimension& each) { return each.axes.empty(); });
}

bool operator==(const MeshSharding& a, const MeshSharding& b) {
  return (a.mesh == b.mesh || *a.mesh == *b.mesh) &&
         a.dimensions == b.dimensions && a.replicated == b.replicated &&
         a.unreduced == b.unreduced && a.unreduced_kind == b.unreduced_kind &&
         a.manual == b.manual;
}

std::vector<int64_t> PartSizes(absl::Span<const int64_t> sizes,
                               const MeshSharding& sharding) {
  std::vector<int64_t> parts(sizes.begin(), sizes.end());
  for (size_t d = 0; d < parts.size(); ++d) {
    const int64_t count = sharding.PartCount(static_cast<int64_t>(d));
    parts[d] = (parts[d] + count - 1) / count;
  }
  return parts;
}

}  // namespace xla
