// Checks, prints and converts named shardings.
#include "xla/hlo/ir/sharding/named_sharding.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "xla/base/errors.h"
#include "xla/base/logging.h"
#include "xla/base/status_macros.h"
#include "xla/hlo/attrs/named_sharding_text.h"

namespace xla {
namespace {

using DimensionSharding = NamedSharding::DimensionSharding;
using AxisProtos = google::protobuf::RepeatedPtrField<AxisRefProto>;

int64_t PreSizeOf(const AxisRef& axis) {
  return axis.sub_axis_info() ? axis.sub_axis_info()->pre_size : 1;
}

absl::StatusOr<std::vector<AxisRef>> ReadAxes(const AxisProtos& protos) {
  std::vector<AxisRef> axes;
  for (const AxisRefProto& proto : protos) {
    TF_ASSIGN_OR_RETURN(AxisRef axis, AxisRef::ReadProto(proto));
    axes.push_back(axis);
  }
  return axes;
}

void WriteAxes(absl::Span<const AxisRef> axes, AxisProtos* protos) {
  for (const AxisRef& axis : axes) *protos->Add() = axis.ToProto();
}

absl::Status CheckSorted(absl::Span<const AxisRef> axes,
                         absl::string_view what) {
  const auto comes_before = [](const AxisRef& a, const AxisRef& b) {
    return std::tuple(a.mesh_axis_index(), PreSizeOf(a)) <
           std::tuple(b.mesh_axis_index(), PreSizeOf(b));
  };
  if (absl::c_is_sorted(axes, comes_before)) return absl::OkStatus();
  return InvalidArgument("%s axes must be in the order of the mesh", what);
}

// Whether the axes are those of the mesh that have a size of more than 1, in
// order; there is at least one axis.
bool AreTheMesh(absl::Span<const AxisRef> axes, const Mesh& mesh) {
  std::vector<AxisRef> whole;
  for (int64_t i = 0; i < mesh.num_axes(); ++i) {
    if (mesh.axis_size(i) > 1) whole.push_back(AxisRef(i));
  }
  std::vector<AxisRef> given;
  for (const AxisRef& axis : axes) {
    if (axis.size(mesh) > 1) given.push_back(axis);
  }
  return !axes.empty() && given == whole;
}

std::vector<AxisRef> AllAxes(const Mesh& mesh) {
  std::vector<AxisRef> axes;
  for (int64_t i = 0; i < mesh.num_axes(); ++i) axes.push_back(AxisRef(i));
  return axes;
}

AxisRef AxisOfName(absl::string_view text, const Mesh& mesh) {
  const size_t part = text.rfind(":(");
  const absl::Span<const std::string> names = mesh.axis_names();
  const int64_t index =
      absl::c_find(names, text.substr(0, part)) - names.begin();
  CHECK_LT(index, mesh.num_axes()) << text << " in " << mesh.ToString();
  if (part == absl::string_view::npos) return AxisRef(index);
  const size_t close = text.find(')', part);
  CHECK(close != absl::string_view::npos) << text;
  int64_t pre_size = 0, size = 0;
  CHECK(absl::SimpleAtoi(text.substr(part + 2, close - part - 2), &pre_size) &&
        absl::SimpleAtoi(text.substr(close + 1), &size))
      << text;
  return AxisRef(index, {pre_size, size});
}

std::vector<AxisRef> AxesOfNames(absl::Span<const std::string> names,
                                 const Mesh& mesh) {
  std::vector<AxisRef> axes;
  for (const std::string& name : names) axes.push_back(AxisOfName(name, mesh));
  return axes;
}

}  // namespace

int64_t DimensionSharding::getShardedSize(const Mesh& mesh) const {
  int64_t parts = 1;
  for (const AxisRef& axis : axes_) parts *= axis.size(mesh);
  return parts;
}

void DimensionSharding::Append(const DimensionSharding& other,
                               const Mesh& mesh) {
  // Copies, since `other` may be this.
  const std::vector<AxisRef> added = other.axes_;
  for (size_t i = 0; i < added.size(); ++i) {
    const bool is_joint = i == 0 && !axes_.empty();
    if (is_joint && axes_.back().Merge(added[i], mesh)) continue;
    axes_.push_back(added[i]);
  }
}

std::optional<DimensionSharding> DimensionSharding::Slice(const Mesh& mesh,
                                                          int64_t slice_size) {
  if (slice_size < 1) return std::nullopt;
  std::vector<AxisRef> taken, rest;
  size_t next = 0;
  for (int64_t left = slice_size; left > 1; ++next) {
    if (next == axes_.size()) return std::nullopt;
    const AxisRef& axis = axes_[next];
    const int64_t size = axis.size(mesh);
    if (left % size == 0) {
      taken.push_back(axis);
      left /= size;
      continue;
    }
    if (size % left != 0) return std::nullopt;
    const int64_t index = axis.mesh_axis_index(), pre_size = PreSizeOf(axis);
    taken.push_back(AxisRef(index, {pre_size, left}));
    rest.push_back(AxisRef(index, {pre_size * left, size / left}));
    left = 1;
  }
  rest.insert(rest.end(), axes_.begin() + next, axes_.end());
  axes_ = std::move(rest);
  return DimensionSharding(taken, is_closed_);
}

bool DimensionSharding::IsPrefixOf(const DimensionSharding& other,
                                   const Mesh& mesh,
                                   const Mesh& other_mesh) const {
  if (!mesh.DeviceAssignmentEquals(other_mesh) ||
      axes_.size() > other.axes_.size()) {
    return false;
  }
  if (axes_.empty()) return true;
  const AxisRef& last = axes_.back();
  const AxisRef& whole = other.axes_[axes_.size() - 1];
  return std::equal(axes_.begin(), axes_.end() - 1, other.axes_.begin()) &&
         last.mesh_axis_index() == whole.mesh_axis_index() &&
         PreSizeOf(last) == PreSizeOf(whole) &&
         whole.size(other_mesh) % last.size(mesh) == 0;
}

std::string DimensionSharding::ToString(const Mesh* mesh) const {
  std::vector<std::string> parts;
  for (const AxisRef& axis : axes_) parts.push_back(axis.ToString(mesh));
  if (!is_closed_) parts.push_back("?");
  return absl::StrCat("{", absl::StrJoin(parts, ", "), "}");
}

NamedShardingProto::DimensionSharding DimensionSharding::ToProto() const {
  NamedShardingProto::DimensionSharding proto;
  WriteAxes(axes_, proto.mutable_axes());
  proto.set_is_closed(is_closed_);
  return proto;
}

absl::StatusOr<DimensionSharding> DimensionSharding::ReadProto(
    const NamedShardingProto::DimensionSharding& proto) {
  TF_ASSIGN_OR_RETURN(const std::vector<AxisRef> axes, ReadAxes(proto.axes()));
  return DimensionSharding(axes, proto.is_closed());
}

DimensionSharding DimensionSharding::FromProto(
    const NamedShardingProto::DimensionSharding& proto) {
  return ReadProto(proto).value();
}

NamedSharding::NamedSharding(Mesh mesh,
                             absl::Span<const DimensionSharding> dim_shardings,
                             absl::Span<const AxisRef> replicated_axes,
                             absl::Span<const AxisRef> unreduced_axes,
                             absl::Span<const AxisRef> manual_axes,
                             absl::Span<const OpMetadata> metadata)
    : mesh_(std::move(mesh)),
      dim_shardings_(dim_shardings.begin(), dim_shardings.end()),
      replicated_axes_(replicated_axes.begin(), replicated_axes.end()),
      unreduced_axes_(unreduced_axes.begin(), unreduced_axes.end()),
      manual_axes_(manual_axes.begin(), manual_axes.end()),
      metadata_(metadata.begin(), metadata.end()) {
  CHECK_OK(VerifyNamedSharding(*this));
  for (const DimensionSharding& dimension : dim_shardings_) {
    sharded_sizes_.push_back(dimension.getShardedSize(mesh_));
  }
}

NamedSharding NamedSharding::Unreduced(Mesh mesh,
                                       absl::Span<const OpMetadata> metadata) {
  const std::vector<AxisRef> axes = AllAxes(mesh);
  return NamedSharding(std::move(mesh), {}, {}, axes, {}, metadata);
}

NamedSharding NamedSharding::Manual(Mesh mesh,
                                    absl::Span<const OpMetadata> metadata) {
  const std::vector<AxisRef> axes = AllAxes(mesh);
  return NamedSharding(std::move(mesh), {}, {}, {}, axes, metadata);
}

bool NamedSharding::HasWholeDimensions() const {
  return !IsMaximal() &&
         absl::c_all_of(sharded_sizes_, [](int64_t n) { return n == 1; });
}

bool NamedSharding::IsReplicated() const {
  return HasWholeDimensions() && unreduced_axes_.empty() &&
         manual_axes_.empty();
}

bool NamedSharding::IsManual() const {
  return HasWholeDimensions() && replicated_axes_.empty() &&
         unreduced_axes_.empty() && AreTheMesh(manual_axes_, mesh_);
}

bool NamedSharding::IsUnreduced() const {
  return HasWholeDimensions() && replicated_axes_.empty() &&
         manual_axes_.empty() && AreTheMesh(unreduced_axes_, mesh_);
}

std::vector<AxisRef> NamedSharding::GetImplicitlyReplicatedAxes() const {
  // The parts of each axis that are named, by where they begin and end.
  std::vector<std::vector<std::pair<int64_t, int64_t>>> named(mesh_.num_axes());
  const auto name = [&](absl::Span<const AxisRef> axes) {
    for (const AxisRef& axis : axes) {
      const int64_t begin = PreSizeOf(axis);
      named[axis.mesh_axis_index()].push_back(
          {begin, begin * axis.size(mesh_)});
    }
  };
  for (const DimensionSharding& each : dim_shardings_) name(each.axes());
  name(replicated_axes_);
  name(unreduced_axes_);
  name(manual_axes_);
  std::vector<AxisRef> left;
  for (int64_t i = 0; i < mesh_.num_axes(); ++i) {
    const int64_t size = mesh_.axis_size(i);
    absl::c_sort(named[i]);
    named[i].push_back({size, size});
    int64_t at = 1;
    for (const auto& [begin, end] : named[i]) {
      if (begin > at) {
        left.push_back(at == 1 && begin == size ? AxisRef(i)
                                                : AxisRef(i, {at, begin / at}));
      }
      at = end;
    }
  }
  return left;
}

bool NamedSharding::HasPartialReplication() const {
  if (IsMaximal() || IsReplicated()) return false;
  return absl::c_any_of(replicated_axes_,
                        [&](const AxisRef& a) { return a.size(mesh_) > 1; }) ||
         !GetImplicitlyReplicatedAxes().empty();
}

std::string NamedSharding::ToString(bool include_metadata) const {
  NamedShardingProto proto = ToProto();
  if (!include_metadata) proto.clear_metadata();
  std::string text = "{";
  PrintNamedSharding(proto, &text);
  return absl::StrCat(text, "}");
}

NamedShardingProto NamedSharding::ToProto() const {
  NamedShardingProto proto;
  *proto.mutable_mesh() = mesh_.ToProto();
  for (const DimensionSharding& dimension : dim_shardings_) {
    *proto.add_dim_shardings() = dimension.ToProto();
  }
  WriteAxes(replicated_axes_, proto.mutable_replicated_axes());
  WriteAxes(unreduced_axes_, proto.mutable_unreduced_axes());
  WriteAxes(manual_axes_, proto.mutable_manual_axes());
  for (const OpMetadata& part : metadata_) *proto.add_metadata() = part;
  return proto;
}

absl::StatusOr<NamedSharding> NamedSharding::ReadProto(
    const NamedShardingProto& proto) {
  NamedSharding read;
  TF_ASSIGN_OR_RETURN(read.mesh_, Mesh::ReadProto(proto.mesh()));
  for (const auto& dimension : proto.dim_shardings()) {
    TF_ASSIGN_OR_RETURN(DimensionSharding added,
                        DimensionSharding::ReadProto(dimension));
    read.dim_shardings_.push_back(std::move(added));
  }
  TF_ASSIGN_OR_RETURN(read.replicated_axes_, ReadAxes(proto.replicated_axes()));
  TF_ASSIGN_OR_RETURN(read.unreduced_axes_, ReadAxes(proto.unreduced_axes()));
  TF_ASSIGN_OR_RETURN(read.manual_axes_, ReadAxes(proto.manual_axes()));
  TF_RETURN_IF_ERROR(VerifyNamedSharding(read));
  const std::vector<OpMetadata> metadata(proto.metadata().begin(),
                                         proto.metadata().end());
  return NamedSharding(std::move(read.mesh_), read.dim_shardings_,
                       read.replicated_axes_, read.unreduced_axes_,
                       read.manual_axes_, metadata);
}

NamedSharding NamedSharding::FromProto(const NamedShardingProto& proto) {
  return ReadProto(proto).value();
}

bool NamedSharding::operator==(const NamedSharding& other) const {
  return mesh_.DeviceAssignmentEquals(other.mesh_) &&
         dim_shardings_ == other.dim_shardings_ &&
         replicated_axes_ == other.replicated_axes_ &&
         unreduced_axes_ == other.unreduced_axes_ &&
         manual_axes_ == other.manual_axes_;
}

std::ostream& operator<<(std::ostream& out, const DimensionSharding& sharding) {
  return out << sharding.ToString();
}

std::ostream& operator<<(std::ostream& out, const NamedSharding& sharding) {
  return out << sharding.ToString();
}

absl::Status VerifyNamedSharding(const NamedSharding& named_sharding) {
  const Mesh& mesh = named_sharding.mesh();
  std::vector<AxisRef> used;
  const auto use = [&](absl::Span<const AxisRef> axes) {
    used.insert(used.end(), axes.begin(), axes.end());
    return ValidateSpanOfAxes(axes, mesh);
  };
  for (const DimensionSharding& each : named_sharding.dim_shardings()) {
    TF_RETURN_IF_ERROR(use(each.axes()));
  }
  for (const auto& [axes, what] :
       {std::pair(named_sharding.replicated_axes(), "replicated"),
        std::pair(named_sharding.unreduced_axes(), "unreduced"),
        std::pair(named_sharding.manual_axes(), "manual")}) {
    TF_RETURN_IF_ERROR(CheckSorted(axes, what));
    TF_RETURN_IF_ERROR(use(axes));
  }
  if (AxesCanCoexistWithoutOverlap(used)) return absl::OkStatus();
  return InvalidArgument("a sharding uses an axis of %s twice",
                         mesh.ToString());
}

namespace test_utils {

NamedSharding FromAxisNames(
    Mesh mesh, absl::Span<const std::vector<std::string>> dim_shardings,
    absl::Span<const std::string> replicated_axes,
    absl::Span<const std::string> unreduced_axes,
    absl::Span<const std::string> manual_axes,
    absl::Span<const OpMetadata> metadata) {
  std::vector<DimensionSharding> dimensions;
  for (const std::vector<std::string>& names : dim_shardings) {
    std::vector<std::string> axes;
    absl::c_copy_if(names, std::back_inserter(axes),
                    [](const std::string& name) { return name != "?"; });
    dimensions.push_back(DimensionSharding(AxesOfNames(axes, mesh),
                                           axes.size() == names.size()));
  }
  return NamedSharding(mesh, dimensions, AxesOfNames(replicated_axes, mesh),
                       AxesOfNames(unreduced_axes, mesh),
                       AxesOfNames(manual_axes, mesh), metadata);
}

}  // namespace test_utils
}  // namespace xla
