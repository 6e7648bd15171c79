// Finds the forms in attributes and frontend attributes.
#include "xla/stablehlo/to_hlo/conversion/sharding_reader.h"

#include <algorithm>
#include <utility>

#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "xla/base/status_macros.h"
#include "xla/core/shape_util.h"
#include "xla/stablehlo/text/text_reader.h"
#include "xla/stablehlo/to_hlo/conversion/annotations.h"
#include "xla/stablehlo/to_hlo/conversion/sdy_sharding.h"

namespace xla::stablehlo {
namespace {

constexpr absl::string_view kFrontend = "mhlo.frontend_attributes";
constexpr absl::string_view kRoundTripSharding = "xla.sdy.sharding";

absl::Status ReaderError(absl::string_view message) {
  return absl::InvalidArgumentError(absl::StrCat("sdy.sharding: ", message));
}

int64_t RankOfValue(const Shape& shape) {
  return shape.IsArray() ? shape.rank() : 0;
}

// Returns the sharding of each of `count` values: of a tuple's elements, or the
// same one for all.
absl::StatusOr<std::vector<OpSharding>> SplitSharding(OpSharding sharding,
                                                      size_t count) {
  if (sharding.type() != OpSharding::TUPLE) {
    return std::vector<OpSharding>(count, std::move(sharding));
  }
  if (sharding.tuple_shardings_size() != static_cast<int>(count)) {
    return absl::InvalidArgumentError(
        absl::StrCat("mhlo.sharding has ", sharding.tuple_shardings_size(),
                     " shardings for ", count, " results"));
  }
  return std::vector<OpSharding>(sharding.tuple_shardings().begin(),
                                 sharding.tuple_shardings().end());
}

}  // namespace

bool IsRoundTripAttribute(absl::string_view name) {
  return absl::StartsWith(name, "xla.sdy.") && name != "xla.sdy.sharding_rule";
}

absl::Status ShardingReader::AddMesh(absl::string_view name,
                                     const Attribute& definition) {
  TF_ASSIGN_OR_RETURN(DeviceMesh read, ReadSdyMesh(definition));
  const auto mesh = std::make_shared<const DeviceMesh>(std::move(read));
  meshes_.emplace(name, mesh);
  if (whole_mesh_ == nullptr && !mesh->is_maximal() &&
      mesh->device_count() == partitions_) {
    whole_mesh_ = mesh;
  }
  return absl::OkStatus();
}

absl::Status ShardingReader::ReadMeshes(const Op& module, int64_t partitions) {
  partitions_ = partitions;
  for (const Op* op : module.Body()->ops) {
    const Attribute* definition = op->Find("mesh");
    if (op->name != "sdy.mesh" || definition == nullptr) continue;
    TF_RETURN_IF_ERROR(AddMesh(op->Find("sym_name")->text, *definition));
  }
  TF_ASSIGN_OR_RETURN(
      const Attribute* meshes,
      FrontendAttribute(module.Find(kFrontend), "xla.sdy.meshes"));
  if (meshes != nullptr) {
    for (const NamedAttribute& mesh : meshes->fields) {
      TF_RETURN_IF_ERROR(AddMesh(mesh.name, *mesh.value));
    }
  }
  if (whole_mesh_ != nullptr) return absl::OkStatus();
  TF_ASSIGN_OR_RETURN(DeviceMesh mesh,
                      DeviceMesh::Create({{"axis_0", partitions}}));
  whole_mesh_ = std::make_shared<const DeviceMesh>(std::move(mesh));
  return absl::OkStatus();
}

absl::StatusOr<const Attribute*> ShardingReader::FrontendAttribute(
    const Attribute* dictionary, absl::string_view name) {
  const Attribute* field =
      dictionary == nullptr ? nullptr : dictionary->Field(name);
  if (field == nullptr) return nullptr;
  // Quotes are escaped once more, depending on the version.
  std::string text(field->text);
  std::string unescaped;
  if (absl::StrContains(text, '\\') && absl::CUnescape(text, &unescaped)) {
    text = std::move(unescaped);
  }
  absl::StatusOr<const Attribute*> read =
      ReadAttributeText(arena_.CopyString(text), arena_);
  if (read.ok()) return read;
  return absl::Status(read.status().code(),
                      absl::StrCat(name, ": ", read.status().message()));
}

absl::StatusOr<std::shared_ptr<const DeviceMesh>> ShardingReader::MeshOf(
    const Attribute& sharding) {
  const Attribute* mesh = sharding.Field("mesh");
  if (mesh == nullptr) return ReaderError("there is no mesh");
  std::shared_ptr<const DeviceMesh> found;
  if (mesh->kind == Attribute::Kind::kDictionary) {
    TF_ASSIGN_OR_RETURN(DeviceMesh read, ReadSdyMesh(*mesh));
    found = std::make_shared<const DeviceMesh>(std::move(read));
  } else {
    const auto it = meshes_.find(mesh->text);
    if (it == meshes_.end()) {
      return ReaderError(absl::StrCat("there is no mesh @", mesh->text));
    }
    found = it->second;
  }
  const int64_t devices =
      found->is_maximal() ? found->maximal_device() + 1 : found->device_count();
  if (devices > partitions_ ||
      (!found->is_maximal() && devices != 1 && devices != partitions_)) {
    return ReaderError(absl::StrCat("the mesh has ", devices,
                                    " devices, but the program has ",
                                    partitions_, " partitions"));
  }
  return found;
}

absl::StatusOr<MeshSharding> ShardingReader::Read(const Attribute& sharding,
                                                  const Shape& shape) {
  TF_ASSIGN_OR_RETURN(std::shared_ptr<const DeviceMesh> mesh, MeshOf(sharding));
  TF_ASSIGN_OR_RETURN(MeshSharding named,
                      ReadSdySharding(sharding, std::move(mesh)));
  if (!named.mesh->is_maximal() && named.mesh->device_count() == 1) {
    named.mesh = whole_mesh_;
  }
  const int64_t rank = RankOfValue(shape);
  // A sharding without dimensions is replicated, and tokens have none.
  if (named.dimensions.empty() || !shape.IsArray()) {
    named.dimensions.assign(rank, MeshSharding::Dimension());
  }
  if (named.rank() != rank) {
    return ReaderError(absl::StrCat("there are ", named.rank(),
                                    " dimensions for ", shape.ToString()));
  }
  return named;
}

absl::StatusOr<AxisList> ShardingReader::ReadManualAxes(
    const Attribute& names, const Attribute& sharding) {
  TF_ASSIGN_OR_RETURN(const std::shared_ptr<const DeviceMesh> mesh,
                      MeshOf(sharding));
  std::vector<int32_t> axes;
  for (const Attribute* name : names.elements) {
    const std::optional<int32_t> axis = mesh->FindAxis(name->text);
    if (!axis.has_value()) {
      return ReaderError(absl::StrCat("the mesh has no axis ", name->text));
    }
    axes.push_back(*axis);
  }
  std::sort(axes.begin(), axes.end());
  axes.erase(std::unique(axes.begin(), axes.end()), axes.end());
  AxisList manual;
  for (const int32_t axis : axes) Append(mesh->WholeAxis(axis), manual);
  return manual;
}

absl::StatusOr<std::optional<OpSharding>> ShardingReader::OfEntryValue(
    const Attribute& dictionary, const Shape& shape) {
  const Attribute* sharding = dictionary.Field("sdy.sharding");
  if (sharding == nullptr) {
    TF_ASSIGN_OR_RETURN(sharding, FrontendAttribute(dictionary.Field(kFrontend),
                                                    kRoundTripSharding));
  }
  if (sharding != nullptr) {
    TF_ASSIGN_OR_RETURN(const MeshSharding named, Read(*sharding, shape));
    return named.ToOpSharding();
  }
  const Attribute* text = dictionary.Field("mhlo.sharding");
  if (text == nullptr) return std::nullopt;
  return ParseShardingAttribute(text->text);
}

absl::StatusOr<std::vector<OpSharding>> ShardingReader::OfResults(
    const Op& op, absl::Span<const Shape* const> shapes) {
  const Attribute* list = op.Find("sdy.sharding");
  if (list == nullptr) {
    TF_ASSIGN_OR_RETURN(
        list, FrontendAttribute(op.Find(kFrontend), kRoundTripSharding));
  }
  std::vector<OpSharding> shardings;
  if (list == nullptr) {
    const Attribute* text = op.Find("mhlo.sharding");
    if (text == nullptr) return shardings;
    TF_ASSIGN_OR_RETURN(OpSharding sharding,
                        ParseShardingAttribute(text->text));
    return SplitSharding(std::move(sharding),
                         std::max<size_t>(shapes.size(), 1));
  }
  const bool has_results = !shapes.empty();
  if (list->elements.size() != shapes.size() &&
      (has_results || list->elements.size() > 1)) {
    return ReaderError(absl::StrCat("there are ", list->elements.size(),
                                    " shardings for ", shapes.size(),
                                    " results"));
  }
  const Shape none = ShapeUtil::MakeNil();
  for (size_t i = 0; i < list->elements.size(); ++i) {
    TF_ASSIGN_OR_RETURN(
        const MeshSharding named,
        Read(*list->elements[i], has_results ? *shapes[i] : none));
    shardings.push_back(named.ToOpSharding());
  }
  return shardings;
}

}  // namespace xla::stablehlo
