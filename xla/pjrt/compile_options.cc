// Converts compile options to messages and back.
#include "xla/pjrt/compile_options.h"

#include <map>

#include "absl/strings/str_cat.h"
#include "google/protobuf/message.h"
#include "google/protobuf/unknown_field_set.h"
#include "xla/base/errors.h"
#include "xla/base/status_macros.h"
#include "xla/client/debug/debug_options_flags.h"

namespace xla {
namespace {

OptionOverrideProto ToProto(const CompileOptions::OptionOverride& value) {
  OptionOverrideProto proto;
  if (const auto* text = std::get_if<std::string>(&value)) {
    proto.set_string_field(*text);
  } else if (const auto* flag = std::get_if<bool>(&value)) {
    proto.set_bool_field(*flag);
  } else if (const auto* number = std::get_if<int64_t>(&value)) {
    proto.set_int_field(*number);
  } else {
    proto.set_double_field(std::get<double>(value));
  }
  return proto;
}

absl::StatusOr<CompileOptions::OptionOverride> FromProto(
    absl::string_view name, const OptionOverrideProto& proto) {
  using Value = CompileOptions::OptionOverride;
  switch (proto.value_case()) {
    case OptionOverrideProto::kStringField:
      return Value(proto.string_field());
    case OptionOverrideProto::kBoolField:
      return Value(proto.bool_field());
    case OptionOverrideProto::kIntField:
      return Value(static_cast<int64_t>(proto.int_field()));
    case OptionOverrideProto::kDoubleField:
      return Value(proto.double_field());
    case OptionOverrideProto::VALUE_NOT_SET:
      break;
  }
  return absl::InvalidArgumentError(
      absl::StrCat("compile options: the override of ", name, " has no value"));
}

// The value as text, from which fields of any type are parsed.
std::string TextOf(const CompileOptions::OptionOverride& value) {
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  if (const auto* flag = std::get_if<bool>(&value)) {
    return *flag ? "true" : "false";
  }
  if (const auto* number = std::get_if<int64_t>(&value)) {
    return absl::StrCat(*number);
  }
  return absl::StrCat(std::get<double>(value));
}

}  // namespace

absl::Status CompileOptions::ApplyAllOptionOverrides() {
  for (const auto& [name, value] : env_option_overrides) {
    TF_RETURN_IF_ERROR(ApplyOption(name, value));
  }
  return absl::OkStatus();
}

absl::Status CompileOptions::ApplyOption(const std::string& key,
                                         const OptionOverride& value) {
  if (!HasDebugOption(key)) {
    return InvalidArgument("No such compile option: '%s'", key);
  }
  const absl::Status set = SetDebugOption(
      key, TextOf(value), *executable_build_options.mutable_debug_options());
  if (set.ok()) return set;
  return absl::Status(set.code(),
                      absl::StrCat("compile options: ", set.message()));
}

absl::Status CompileOptions::ApplyOptionFromString(
    const google::protobuf::FieldDescriptor* field, const std::string& value) {
  if (field == nullptr ||
      field->containing_type() != DebugOptions::descriptor()) {
    return absl::InvalidArgumentError(
        "compile options: the field is not one of DebugOptions");
  }
  return ApplyOption(std::string(field->name()), value);
}

absl::StatusOr<CompileOptions::EnvironmentOptionOverrides>
CompileOptions::LoadEnvOptionOverrides(
    const google::protobuf::Map<std::string, OptionOverrideProto>&
        env_option_overrides) {
  // A map has no order: sort by name, so that equal options give equal bytes.
  const std::map<std::string, OptionOverrideProto> sorted(
      env_option_overrides.begin(), env_option_overrides.end());
  EnvironmentOptionOverrides overrides;
  for (const auto& [name, value] : sorted) {
    TF_ASSIGN_OR_RETURN(OptionOverride override, xla::FromProto(name, value));
    overrides.emplace_back(name, std::move(override));
  }
  return overrides;
}

absl::StatusOr<CompileOptionsProto> CompileOptions::ToProto() const {
  CompileOptionsProto proto;
  if (unknown != nullptr) proto = *unknown;
  proto.clear_argument_layouts();
  if (argument_layouts.has_value()) {
    for (const Shape& shape : *argument_layouts) {
      *proto.add_argument_layouts() = shape.ToProto();
    }
  }
  proto.set_parameter_is_tupled_arguments(parameter_is_tupled_arguments);
  TF_ASSIGN_OR_RETURN(const ExecutableBuildOptionsProto build,
                      executable_build_options.ToProto());
  // Fields for which the options have no member stay as they came.
  ExecutableBuildOptionsProto& to = *proto.mutable_executable_build_options();
  const ExecutableBuildOptionsProto before = to;
  to = build;
  to.set_comp_envs(before.comp_envs());
  to.GetReflection()->MutableUnknownFields(&to)->MergeFrom(
      before.GetReflection()->GetUnknownFields(before));
  proto.set_compile_portable_executable(compile_portable_executable);
  proto.set_profile_version(profile_version);
  proto.clear_env_option_overrides();
  for (const auto& [name, value] : env_option_overrides) {
    (*proto.mutable_env_option_overrides())[name] = xla::ToProto(value);
  }
  proto.set_allow_in_place_mlir_modification(allow_in_place_mlir_modification);
  proto.set_matrix_unit_operand_precision(matrix_unit_operand_precision);
  proto.clear_compiler_variant();
  if (compiler_variant.has_value()) {
    proto.set_compiler_variant(*compiler_variant);
  }
  return proto;
}

absl::StatusOr<CompileOptions> CompileOptions::FromProto(
    const CompileOptionsProto& proto) {
  CompileOptions options;
  if (proto.argument_layouts_size() > 0) {
    options.argument_layouts.emplace();
    for (const ShapeProto& shape : proto.argument_layouts()) {
      TF_ASSIGN_OR_RETURN(options.argument_layouts->emplace_back(),
                          Shape::FromProto(shape));
    }
  }
  options.parameter_is_tupled_arguments = proto.parameter_is_tupled_arguments();
  TF_ASSIGN_OR_RETURN(
      options.executable_build_options,
      ExecutableBuildOptionsFromProto(proto.executable_build_options()));
  options.compile_portable_executable = proto.compile_portable_executable();
  options.profile_version = proto.profile_version();
  TF_ASSIGN_OR_RETURN(options.env_option_overrides,
                      LoadEnvOptionOverrides(proto.env_option_overrides()));
  options.allow_in_place_mlir_modification =
      proto.allow_in_place_mlir_modification();
  options.matrix_unit_operand_precision = proto.matrix_unit_operand_precision();
  if (proto.has_compiler_variant()) {
    options.compiler_variant = proto.compiler_variant();
  }
  options.unknown = std::make_shared<const CompileOptionsProto>(proto);
  return options;
}

}  // namespace xla
