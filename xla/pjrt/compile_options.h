// CompileOptions: a PJRT client's options for the compilation of a program.
#ifndef XLA_PJRT_COMPILE_OPTIONS_H_
#define XLA_PJRT_COMPILE_OPTIONS_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "google/protobuf/descriptor.h"
#include "google/protobuf/map.h"
#include "xla/client/executable_build_options.h"
#include "xla/core/shape.h"
#include "xla/proto/compile_options.pb.h"

namespace xla {

// A value type.
struct CompileOptions {
  // A shape with layout for each parameter; default layouts if unset.
  std::optional<std::vector<Shape>> argument_layouts;
  // True if the entry takes one tuple, whose elements are the arguments of
  // runs.
  bool parameter_is_tupled_arguments = false;
  ExecutableBuildOptions executable_build_options;
  // Compiles for one device, which each run chooses.
  bool compile_portable_executable = false;
  int64_t profile_version = 0;
  using OptionOverride = std::variant<std::string, bool, int64_t, double>;
  // Names of DebugOptions fields and their values. They are stored; names of
  // fields that do not exist here have no effect.
  using EnvironmentOptionOverrides =
      std::vector<std::pair<std::string, OptionOverride>>;
  EnvironmentOptionOverrides env_option_overrides;
  bool allow_in_place_mlir_modification = false;
  PrecisionConfig::Precision matrix_unit_operand_precision =
      PrecisionConfig::DEFAULT;
  std::optional<std::string> compiler_variant;
  // The fields of the message for which this struct has no member; may be null.
  std::shared_ptr<const CompileOptionsProto> unknown;

  // Applies the overrides to the debug options. Errors: those of
  // SetDebugOption.
  absl::Status ApplyAllOptionOverrides();
  // Sets one debug option. Errors: InvalidArgument for a name that XLA does not
  // have, or a value that does not fit.
  absl::Status ApplyOption(const std::string& key, const OptionOverride& value);
  absl::Status ApplyOptionFromString(
      const google::protobuf::FieldDescriptor* field, const std::string& value);
  // Returns the overrides of a message, by name. Errors: InvalidArgument for
  // one without a value.
  static absl::StatusOr<EnvironmentOptionOverrides> LoadEnvOptionOverrides(
      const google::protobuf::Map<std::string, OptionOverrideProto>&
          env_option_overrides);

  absl::StatusOr<CompileOptionsProto> ToProto() const;
  // Errors: InvalidArgument naming the field.
  static absl::StatusOr<CompileOptions> FromProto(
      const CompileOptionsProto& proto);
};

}  // namespace xla

#endif  // XLA_PJRT_COMPILE_OPTIONS_H_
