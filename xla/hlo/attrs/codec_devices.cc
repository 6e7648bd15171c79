// Codecs of the devices that collectives name: groups, pairs, shardings.
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/base/call_once.h"
#include "absl/strings/str_cat.h"
#include "xla/base/status_macros.h"
#include "xla/hlo/attrs/codec_text.h"
#include "xla/hlo/attrs/field_codec.h"
#include "xla/hlo/attrs/field_types.h"
#include "xla/hlo/attrs/named_sharding_text.h"
#include "xla/hlo/attrs/sharding_text.h"
#include "xla/hlo/sharding/replica_group.h"

namespace xla {
namespace {

absl::StatusOr<std::vector<int64_t>> ScanInts(TextScanner& scanner,
                                              absl::string_view open,
                                              absl::string_view close) {
  std::vector<int64_t> values;
  TF_RETURN_IF_ERROR(scanner.Consume(open));
  do {
    TF_ASSIGN_OR_RETURN(int64_t value, scanner.Int64());
    values.push_back(value);
  } while (scanner.TryConsume(","));
  TF_RETURN_IF_ERROR(scanner.Consume(close));
  return values;
}

// Returns `groups`, or its error at a position of the text.
template <typename List>
absl::StatusOr<ReplicaGroups> GroupsAt(const TextScanner& scanner, size_t start,
                                       const absl::StatusOr<List>& groups) {
  if (!groups.ok()) return scanner.ErrorAt(start, groups.status().message());
  return ReplicaGroups(groups->Clone());
}

absl::StatusOr<ReplicaGroups> ScanIotaGroups(TextScanner& scanner) {
  const size_t start = scanner.position();
  TF_ASSIGN_OR_RETURN(const std::vector<int64_t> dims,
                      ScanInts(scanner, "[", "]"));
  TF_RETURN_IF_ERROR(scanner.Consume("<="));
  TF_ASSIGN_OR_RETURN(const std::vector<int64_t> sizes,
                      ScanInts(scanner, "[", "]"));
  IotaReplicaGroupListProto iota;
  iota.mutable_iota_reshape_dims()->Add(sizes.begin(), sizes.end());
  if (scanner.TryConsume("T")) {
    TF_ASSIGN_OR_RETURN(const std::vector<int64_t> perm,
                        ScanInts(scanner, "(", ")"));
    for (const int64_t p : perm) {
      // The field is narrower than the number, which then is no dimension.
      const bool fits = p >= 0 && p < static_cast<int64_t>(sizes.size());
      iota.add_iota_transpose_perm(fits ? static_cast<int32_t>(p) : -1);
    }
  }
  if (dims.size() != 2) {
    return scanner.ErrorAt(start, "replica groups: expected [groups,devices]");
  }
  iota.set_num_replica_groups(dims[0]);
  iota.set_num_devices_per_group(dims[1]);
  return GroupsAt(scanner, start, IotaReplicaGroupList::ReadProto(iota));
}

// Errors: InvalidArgument also for groups of one device, which XLA's reader
// does not take.
absl::StatusOr<MeshAxesReplicaGroupList> ReadMeshGroups(
    const MeshAxesReplicaGroupListProto& proto) {
  TF_ASSIGN_OR_RETURN(MeshAxesReplicaGroupList groups,
                      MeshAxesReplicaGroupList::ReadProto(proto));
  if (groups.num_devices_per_group() < 2) {
    return absl::InvalidArgumentError(
        "replica groups by mesh axes: a group must have more than one device");
  }
  return groups;
}

absl::StatusOr<ReplicaGroups> ScanMeshGroups(TextScanner& scanner) {
  const size_t start = scanner.position();
  TF_ASSIGN_OR_RETURN(const MeshAxesReplicaGroupListProto proto,
                      ScanMeshAxes(scanner));
  return GroupsAt(scanner, start, ReadMeshGroups(proto));
}

}  // namespace

bool operator==(const DomainShardings& a, const DomainShardings& b) {
  return MessagesEqual(a.entry, b.entry) && MessagesEqual(a.exit, b.exit);
}

// ReplicaGroups --------------------------------------------------------------

struct ReplicaGroups::Contents {
  Groups groups;
  // Made of `groups` when somebody asks for it, unless it made them.
  mutable absl::once_flag once;
  mutable std::unique_ptr<const CollectiveDeviceListBase> list;
};

ReplicaGroups::ReplicaGroups() {
  static const auto& all =
      *new std::shared_ptr<const Contents>(std::make_shared<Contents>());
  contents_ = all;
}

ReplicaGroups::ReplicaGroups(Groups groups) {
  auto contents = std::make_shared<Contents>();
  contents->groups = std::move(groups);
  contents_ = std::move(contents);
}

ReplicaGroups::ReplicaGroups(
    std::unique_ptr<const CollectiveDeviceListBase> list) {
  auto contents = std::make_shared<Contents>();
  contents->groups = list->flattened_replica_groups();
  contents->list = std::move(list);
  contents_ = std::move(contents);
}

const ReplicaGroups::Groups& ReplicaGroups::groups() const {
  return contents_->groups;
}

const CollectiveDeviceListBase& ReplicaGroups::device_list() const {
  absl::call_once(contents_->once, [&] {
    if (contents_->list != nullptr) return;
    contents_->list = std::make_unique<CollectiveDeviceList>(groups());
  });
  return *contents_->list;
}

bool operator==(const ReplicaGroups& a, const ReplicaGroups& b) {
  if (a.contents_ == b.contents_) return true;
  return a.groups() == b.groups() && a.device_list() == b.device_list();
}

template <>
void FieldCodec<ReplicaGroups>::Print(std::string_view name,
                                      const ReplicaGroups& value, bool always,
                                      std::string* out) {
  PrintAttrName(name, out);
  out->append(value.device_list().ToString());
}

template <>
absl::StatusOr<bool> FieldCodec<ReplicaGroups>::Parse(std::string_view name,
                                                      absl::string_view key,
                                                      TextScanner& scanner,
                                                      ReplicaGroups* value) {
  if (key != ToAbsl(name)) return false;
  if (scanner.NextIs("[")) {
    TF_ASSIGN_OR_RETURN(*value, ScanIotaGroups(scanner));
    return true;
  }
  if (scanner.NextIs("mesh")) {
    TF_ASSIGN_OR_RETURN(*value, ScanMeshGroups(scanner));
    return true;
  }
  ReplicaGroups::Groups groups;
  TF_RETURN_IF_ERROR(ScanBraced(scanner, [&]() -> absl::Status {
    TF_ASSIGN_OR_RETURN(std::vector<int64_t> group, ScanIntList(scanner));
    groups.push_back(std::move(group));
    return absl::OkStatus();
  }));
  *value = ReplicaGroups(std::move(groups));
  return true;
}

template <>
void FieldCodec<ReplicaGroups>::ToProto(std::string_view proto_name,
                                        const ReplicaGroups& value,
                                        HloInstructionProto* proto) {
  const CollectiveDeviceListBase& list = value.device_list();
  if (const auto* axes = dynamic_cast<const MeshAxesReplicaGroupList*>(&list)) {
    *proto->mutable_mesh_axes_replica_group_list() = axes->ToProto();
    return;
  }
  if (const auto iota = list.MaybeConvertToIotaReplicaGroupList()) {
    *proto->mutable_iota_collective_device_list() = iota->ToProto();
    return;
  }
  *proto->mutable_collective_device_list() =
      CollectiveDeviceList(value.groups()).ToProto();
}

template <>
absl::Status FieldCodec<ReplicaGroups>::FromProto(
    std::string_view proto_name, const HloInstructionProto& proto,
    ReplicaGroups* value) {
  if (proto.has_mesh_axes_replica_group_list()) {
    TF_ASSIGN_OR_RETURN(const MeshAxesReplicaGroupList groups,
                        ReadMeshGroups(proto.mesh_axes_replica_group_list()));
    *value = ReplicaGroups(groups.Clone());
    return absl::OkStatus();
  }
  TF_ASSIGN_OR_RETURN(auto list, CollectiveDeviceListBase::ReadProto(proto));
  *value = ReplicaGroups(std::move(list));
  return absl::OkStatus();
}

// SourceTargetPairs ----------------------------------------------------------

template <>
void FieldCodec<SourceTargetPairs>::Print(std::string_view name,
                                          const SourceTargetPairs& value,
                                          bool always, std::string* out) {
  PrintAttrName(name, out);
  out->push_back('{');
  for (size_t i = 0; i < value.size(); ++i) {
    absl::StrAppend(out, i > 0 ? ",{" : "{", value[i].first, ",",
                    value[i].second, "}");
  }
  out->push_back('}');
}

template <>
absl::StatusOr<bool> FieldCodec<SourceTargetPairs>::Parse(
    std::string_view name, absl::string_view key, TextScanner& scanner,
    SourceTargetPairs* value) {
  if (key != ToAbsl(name)) return false;
  value->clear();
  TF_RETURN_IF_ERROR(ScanBraced(scanner, [&]() -> absl::Status {
    const size_t start = scanner.position();
    TF_ASSIGN_OR_RETURN(std::vector<int64_t> pair, ScanIntList(scanner));
    if (pair.size() != 2) {
      return scanner.ErrorAt(start, "expected a pair {source,target}");
    }
    value->push_back({pair[0], pair[1]});
    return absl::OkStatus();
  }));
  return true;
}

template <>
void FieldCodec<SourceTargetPairs>::ToProto(std::string_view proto_name,
                                            const SourceTargetPairs& value,
                                            HloInstructionProto* proto) {
  for (const auto& [source, target] : value) {
    SourceTarget* pair = proto->add_source_target_pairs();
    pair->set_source(source);
    pair->set_target(target);
  }
}

template <>
absl::Status FieldCodec<SourceTargetPairs>::FromProto(
    std::string_view proto_name, const HloInstructionProto& proto,
    SourceTargetPairs* value) {
  value->clear();
  for (const SourceTarget& pair : proto.source_target_pairs()) {
    value->push_back({pair.source(), pair.target()});
  }
  return absl::OkStatus();
}

// DomainShardings ------------------------------------------------------------

template <>
void FieldCodec<DomainShardings>::Print(std::string_view name,
                                        const DomainShardings& value,
                                        bool always, std::string* out) {
  PrintAttrName(name, out);
  out->append("{kind=\"sharding\", entry=");
  PrintSharding(value.entry, out);
  out->append(", exit=");
  PrintSharding(value.exit, out);
  out->append("}");
}

template <>
absl::StatusOr<bool> FieldCodec<DomainShardings>::Parse(
    std::string_view name, absl::string_view key, TextScanner& scanner,
    DomainShardings* value) {
  if (key != ToAbsl(name)) return false;
  for (absl::string_view token :
       {"{", "kind", "=", "\"sharding\"", ",", "entry", "="}) {
    TF_RETURN_IF_ERROR(scanner.Consume(token));
  }
  TF_ASSIGN_OR_RETURN(value->entry, ScanSharding(scanner));
  for (absl::string_view token : {",", "exit", "="}) {
    TF_RETURN_IF_ERROR(scanner.Consume(token));
  }
  TF_ASSIGN_OR_RETURN(value->exit, ScanSharding(scanner));
  TF_RETURN_IF_ERROR(scanner.Consume("}"));
  return true;
}

template <>
void FieldCodec<DomainShardings>::ToProto(std::string_view proto_name,
                                          const DomainShardings& value,
                                          HloInstructionProto* proto) {
  // XLA's protos swap the names of the two sides relative to its text.
  *proto->mutable_domain_entry_sharding() = value.exit;
  *proto->mutable_domain_exit_sharding() = value.entry;
}

template <>
absl::Status FieldCodec<DomainShardings>::FromProto(
    std::string_view proto_name, const HloInstructionProto& proto,
    DomainShardings* value) {
  value->entry = proto.domain_exit_sharding();
  value->exit = proto.domain_entry_sharding();
  return absl::OkStatus();
}

}  // namespace xla
