// Text of named shardings: a mesh and the axes that split each dimension.
#include "xla/hlo/attrs/named_sharding_text.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "xla/base/checked_math.h"
#include "xla/base/status_macros.h"
#include "xla/hlo/attrs/annotation_text.h"
#include "xla/hlo/attrs/codec_text.h"
#include "xla/hlo/sharding/mesh_text.h"

namespace xla {
namespace {

using AxisRefs = google::protobuf::RepeatedPtrField<AxisRefProto>;
using AxisNumbers = absl::flat_hash_map<std::string, int64_t>;

// The op_type of metadata that says how partial values are reduced, since the
// proto has no field for it: op_name is SUM, MAX or MIN.
constexpr absl::string_view kReductionType = "sdy::reduction_op";

void PrintAxisRefs(const MeshProto& mesh, const AxisRefs& axes,
                   std::string* out) {
  for (int i = 0; i < axes.size(); ++i) {
    if (i > 0) out->append(", ");
    PrintMeshAxis(mesh, axes[i], out);
  }
}

// Whether this says no more than that partial values are reduced by max or min.
bool IsReduction(const OpMetadata& metadata) {
  if (metadata.op_name() != "MAX" && metadata.op_name() != "MIN") return false;
  OpMetadata reduction;
  reduction.set_op_type(std::string(kReductionType));
  reduction.set_op_name(metadata.op_name());
  return metadata.SerializeAsString() == reduction.SerializeAsString();
}

void PrintAxisGroup(absl::string_view name, absl::string_view reduction,
                    const MeshProto& mesh, const AxisRefs& axes,
                    std::string* out) {
  if (axes.empty()) return;
  absl::StrAppend(out, ", ", name, "=", reduction, "{");
  PrintAxisRefs(mesh, axes, out);
  out->push_back('}');
}

void PrintDimensions(const NamedShardingProto& sharding, std::string* out) {
  out->append(", [");
  for (int i = 0; i < sharding.dim_shardings_size(); ++i) {
    const auto& dimension = sharding.dim_shardings(i);
    out->append(i > 0 ? ", {" : "{");
    PrintAxisRefs(sharding.mesh(), dimension.axes(), out);
    if (!dimension.is_closed()) {
      out->append(dimension.axes_size() > 0 ? ", ?" : "?");
    }
    out->push_back('}');
  }
  out->push_back(']');
}

// Whether these are all axes of a mesh, whole and in order.
bool AreAllAxes(const MeshProto& mesh, const AxisRefs& axes) {
  if (axes.empty() || axes.size() != mesh.axes_size()) return false;
  for (int i = 0; i < axes.size(); ++i) {
    if (axes[i].mesh_axis_index() != i || axes[i].has_sub_axis_info()) {
      return false;
    }
  }
  return true;
}

// Returns the word for a sharding that says the same of all axes and nothing of
// dimensions; empty for others.
absl::string_view WordFor(const NamedShardingProto& sharding) {
  if (sharding.dim_shardings_size() > 0 ||
      sharding.replicated_axes_size() > 0) {
    return "";
  }
  const AxisRefs& unreduced = sharding.unreduced_axes();
  const AxisRefs& manual = sharding.manual_axes();
  if (unreduced.empty() && manual.empty()) return "replicated";
  if (unreduced.empty()) {
    return AreAllAxes(sharding.mesh(), manual) ? "manual" : "";
  }
  return manual.empty() && AreAllAxes(sharding.mesh(), unreduced) ? "unreduced"
                                                                  : "";
}

absl::StatusOr<std::string> ScanAxisName(TextScanner& scanner) {
  const size_t start = scanner.position();
  TF_RETURN_IF_ERROR(scanner.Consume("'"));
  absl::string_view text = scanner.text();
  size_t end = start + 1;
  while (end < text.size() && text[end] != '\'')
    end += text[end] == '\\' ? 2 : 1;
  std::string name;
  if (end >= text.size() ||
      !absl::CUnescape(text.substr(start + 1, end - start - 1), &name)) {
    return scanner.ErrorAt(start, "expected the name of an axis in quotes");
  }
  scanner.set_position(end + 1);
  return name;
}

absl::Status ScanMesh(TextScanner& scanner, MeshProto* mesh,
                      AxisNumbers* numbers) {
  TF_RETURN_IF_ERROR(scanner.Consume("["));
  if (scanner.TryConsume("]")) return absl::OkStatus();
  do {
    const size_t start = scanner.position();
    TF_ASSIGN_OR_RETURN(std::string name, ScanAxisName(scanner));
    if (!numbers->emplace(name, mesh->axes_size()).second) {
      return scanner.ErrorAt(start, "the mesh has two axes of this name");
    }
    MeshProto::MeshAxis* axis = mesh->add_axes();
    axis->set_name(std::move(name));
    TF_RETURN_IF_ERROR(scanner.Consume("="));
    TF_ASSIGN_OR_RETURN(int64_t size, scanner.Int64());
    axis->set_size(size);
  } while (scanner.TryConsume(","));
  return scanner.Consume("]");
}

template <typename Ints>
absl::Status ScanInts(TextScanner& scanner, absl::string_view close,
                      Ints* values) {
  while (true) {
    TF_ASSIGN_OR_RETURN(int64_t value, scanner.Int64());
    values->Add(value);
    if (!scanner.TryConsume(",")) return scanner.Consume(close);
  }
}

// (7,6,5) or ([4,2]T(1,0))
absl::Status ScanDeviceIds(TextScanner& scanner, MeshProto* mesh) {
  TF_RETURN_IF_ERROR(scanner.Consume("="));
  TF_RETURN_IF_ERROR(scanner.Consume("("));
  if (!scanner.TryConsume("[")) {
    return ScanInts(scanner, ")", mesh->mutable_device_ids());
  }
  auto* iota = mesh->mutable_iota_transform();
  const size_t start = scanner.position();
  TF_RETURN_IF_ERROR(ScanInts(scanner, "]", iota->mutable_reshape_dims()));
  // ([8]) stands for 8 devices in order, without device_ids.
  if (scanner.TryConsume(")")) {
    int64_t mesh_size = 1;
    for (const MeshProto::MeshAxis& axis : mesh->axes()) {
      mesh_size = MultiplyWithoutOverflow(mesh_size, axis.size());
    }
    int64_t count = 1;
    for (int64_t size : iota->reshape_dims()) {
      count = MultiplyWithoutOverflow(count, size);
    }
    if (count < 0 || count != mesh_size) {
      return scanner.ErrorAt(
          start, "there must be as many device_ids as devices in the mesh");
    }
    mesh->clear_iota_transform();
    return absl::OkStatus();
  }
  TF_RETURN_IF_ERROR(scanner.Consume("T"));
  TF_RETURN_IF_ERROR(scanner.Consume("("));
  TF_RETURN_IF_ERROR(ScanInts(scanner, ")", iota->mutable_transpose_perm()));
  return scanner.Consume(")");
}

absl::Status ScanAxisRef(TextScanner& scanner, const AxisNumbers& numbers,
                         AxisRefProto* axis) {
  const size_t start = scanner.position();
  TF_ASSIGN_OR_RETURN(std::string name, ScanAxisName(scanner));
  auto it = numbers.find(name);
  if (it == numbers.end()) {
    return scanner.ErrorAt(start, "the mesh has no axis of this name");
  }
  axis->set_mesh_axis_index(it->second);
  if (!scanner.TryConsume(":")) return absl::OkStatus();
  TF_RETURN_IF_ERROR(scanner.Consume("("));
  TF_ASSIGN_OR_RETURN(int64_t pre_size, scanner.Int64());
  axis->mutable_sub_axis_info()->set_pre_size(pre_size);
  TF_RETURN_IF_ERROR(scanner.Consume(")"));
  TF_ASSIGN_OR_RETURN(int64_t size, scanner.Int64());
  axis->mutable_sub_axis_info()->set_size(size);
  return absl::OkStatus();
}

absl::Status ScanDimensions(TextScanner& scanner, const AxisNumbers& numbers,
                            NamedShardingProto* sharding) {
  TF_RETURN_IF_ERROR(scanner.Consume("["));
  if (scanner.TryConsume("]")) return absl::OkStatus();
  do {
    auto* dimension = sharding->add_dim_shardings();
    dimension->set_is_closed(true);
    TF_RETURN_IF_ERROR(ScanBraced(scanner, [&]() -> absl::Status {
      if (scanner.TryConsume("?")) {
        dimension->set_is_closed(false);
        return absl::OkStatus();
      }
      return ScanAxisRef(scanner, numbers, dimension->add_axes());
    }));
  } while (scanner.TryConsume(","));
  return scanner.Consume("]");
}

// Reads one of the groups behind the dimensions: replicated={'a'}, or
// unreduced=max{'a'} for partial values that are not summed.
absl::Status ScanGroup(TextScanner& scanner, const AxisNumbers& numbers,
                       NamedShardingProto* sharding) {
  const size_t start = scanner.position();
  TF_ASSIGN_OR_RETURN(absl::string_view group, scanner.Name());
  TF_RETURN_IF_ERROR(scanner.Consume("="));
  if (group == "metadata") {
    return ScanShardingMetadata(scanner, sharding->mutable_metadata());
  }
  for (absl::string_view reduction : {"max", "min"}) {
    if (group != "unreduced" || !scanner.TryConsumeWord(reduction)) continue;
    OpMetadata* metadata = sharding->add_metadata();
    metadata->set_op_type(std::string(kReductionType));
    metadata->set_op_name(absl::AsciiStrToUpper(reduction));
  }
  AxisRefs* axes = group == "replicated"  ? sharding->mutable_replicated_axes()
                   : group == "unreduced" ? sharding->mutable_unreduced_axes()
                   : group == "manual"    ? sharding->mutable_manual_axes()
                                          : nullptr;
  if (axes == nullptr) {
    return scanner.ErrorAt(
        start, "expected replicated, unreduced, manual or metadata");
  }
  return ScanBraced(scanner,
                    [&] { return ScanAxisRef(scanner, numbers, axes->Add()); });
}

absl::Status ScanOnlyMetadata(TextScanner& scanner,
                              NamedShardingProto* sharding) {
  if (!scanner.TryConsume(",")) return absl::OkStatus();
  TF_RETURN_IF_ERROR(scanner.Consume("metadata"));
  TF_RETURN_IF_ERROR(scanner.Consume("="));
  return ScanShardingMetadata(scanner, sharding->mutable_metadata());
}

}  // namespace

void PrintShardingMetadata(
    const google::protobuf::RepeatedPtrField<OpMetadata>& metadata,
    bool always_list, std::string* out) {
  if (metadata.size() == 1 && !always_list) {
    PrintMetadata(metadata[0], out);
    return;
  }
  out->push_back('{');
  for (int i = 0; i < metadata.size(); ++i) {
    if (i > 0) out->append(", ");
    PrintMetadata(metadata[i], out);
  }
  out->push_back('}');
}

absl::Status ScanShardingMetadata(
    TextScanner& scanner,
    google::protobuf::RepeatedPtrField<OpMetadata>* metadata) {
  auto scan_one = [&]() -> absl::Status {
    TF_ASSIGN_OR_RETURN(*metadata->Add(), ScanMetadata(scanner));
    return absl::OkStatus();
  };
  const size_t start = scanner.position();
  scanner.TryConsume("{");
  const bool list = scanner.Peek() == '{';
  scanner.set_position(start);
  return list ? ScanBraced(scanner, scan_one) : scan_one();
}

absl::StatusOr<MeshAxesReplicaGroupListProto> ScanMeshAxes(
    TextScanner& scanner) {
  MeshAxesReplicaGroupListProto groups;
  AxisNumbers numbers;
  TF_RETURN_IF_ERROR(scanner.Consume("mesh"));
  TF_RETURN_IF_ERROR(ScanMesh(scanner, groups.mutable_mesh(), &numbers));
  if (scanner.TryConsume(",")) {
    TF_RETURN_IF_ERROR(scanner.Consume("device_ids"));
    TF_RETURN_IF_ERROR(ScanDeviceIds(scanner, groups.mutable_mesh()));
  }
  TF_RETURN_IF_ERROR(ScanBraced(scanner, [&] {
    return ScanAxisRef(scanner, numbers, groups.add_axes());
  }));
  return groups;
}

void PrintNamedSharding(const NamedShardingProto& sharding, std::string* out) {
  const MeshProto& mesh = sharding.mesh();
  PrintMesh(mesh, out);
  // The reader makes such metadata of max{...}, before any other.
  auto metadata = sharding.metadata();
  std::string reduction;
  if (!metadata.empty() && sharding.unreduced_axes_size() > 0 &&
      IsReduction(metadata[0])) {
    reduction = absl::AsciiStrToLower(metadata[0].op_name());
    metadata.DeleteSubrange(0, 1);
  }
  const bool is_maximal = mesh.axes().empty() && mesh.device_ids_size() == 1;
  const absl::string_view word = reduction.empty() ? WordFor(sharding) : "";
  if (!word.empty() && !is_maximal) {
    absl::StrAppend(out, ", ", word);
  } else if (!is_maximal) {
    PrintDimensions(sharding, out);
    PrintAxisGroup("replicated", "", mesh, sharding.replicated_axes(), out);
    PrintAxisGroup("unreduced", reduction, mesh, sharding.unreduced_axes(),
                   out);
    PrintAxisGroup("manual", "", mesh, sharding.manual_axes(), out);
  }
  if (!metadata.empty()) {
    out->append(", metadata=");
    PrintShardingMetadata(metadata, /*always_list=*/true, out);
  }
}

absl::StatusOr<NamedShardingProto> ScanNamedSharding(TextScanner& scanner) {
  NamedShardingProto sharding;
  if (scanner.TryConsumeWord("maximal_mesh")) {
    for (absl::string_view token : {"[", "device_id", "="}) {
      TF_RETURN_IF_ERROR(scanner.Consume(token));
    }
    TF_ASSIGN_OR_RETURN(int64_t device, scanner.Int64());
    sharding.mutable_mesh()->add_device_ids(device);
    TF_RETURN_IF_ERROR(scanner.Consume("]"));
    TF_RETURN_IF_ERROR(ScanOnlyMetadata(scanner, &sharding));
    return sharding;
  }
  AxisNumbers numbers;
  TF_RETURN_IF_ERROR(scanner.Consume("mesh"));
  TF_RETURN_IF_ERROR(ScanMesh(scanner, sharding.mutable_mesh(), &numbers));
  scanner.TryConsume(",");
  if (scanner.TryConsumeWord("device_ids")) {
    TF_RETURN_IF_ERROR(ScanDeviceIds(scanner, sharding.mutable_mesh()));
    scanner.TryConsume(",");
  }
  AxisRefs none;
  for (auto [word, axes] :
       {std::pair("replicated", &none),
        std::pair("manual", sharding.mutable_manual_axes()),
        std::pair("unreduced", sharding.mutable_unreduced_axes())}) {
    if (!scanner.TryConsumeWord(word)) continue;
    for (int i = 0; i < sharding.mesh().axes_size(); ++i) {
      axes->Add()->set_mesh_axis_index(i);
    }
    TF_RETURN_IF_ERROR(ScanOnlyMetadata(scanner, &sharding));
    return sharding;
  }
  TF_RETURN_IF_ERROR(ScanDimensions(scanner, numbers, &sharding));
  while (scanner.TryConsume(",")) {
    TF_RETURN_IF_ERROR(ScanGroup(scanner, numbers, &sharding));
  }
  return sharding;
}

}  // namespace xla
