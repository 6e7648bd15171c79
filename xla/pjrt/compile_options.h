// CompileOptions: what a PJRT client says about how to compile a program.
#ifndef XLA_PJRT_COMPILE_OPTIONS_H_
#define XLA_PJRT_COMPILE_OPTIONS_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "absl/status/statusor.h"
#include "xla/client/executable_build_options.h"
#include "xla/core/shape.h"
#include "xla/proto/compile_options.pb.h"

namespace xla {

// A value.
struct CompileOptions {
  // A shape with layout for each parameter; default layouts without.
  std::optional<std::vector<Shape>> argument_layouts;
  // The entry takes one tuple, and runs get its elements.
  bool parameter_is_tupled_arguments = false;
  ExecutableBuildOptions executable_build_options;
  // For one device, which each run names.
  bool compile_portable_executable = false;
  int64_t profile_version = 0;
  using OptionOverride = std::variant<std::string, bool, int64_t, double>;
  // Names of DebugOptions fields with values. Kept; those that name fields that
  // do not exist here have no effect.
  using EnvironmentOptionOverrides =
      std::vector<std::pair<std::string, OptionOverride>>;
  EnvironmentOptionOverrides env_option_overrides;
  bool allow_in_place_mlir_modification = false;
  PrecisionConfig::Precision matrix_unit_operand_precision =
      PrecisionConfig::DEFAULT;
  std::optional<std::string> compiler_variant;
  // Fields of the message that this struct has no member for; may be null.
  std::shared_ptr<const CompileOptionsProto> unknown;

  // Sets the overrides in the debug options. Errors: those of SetDebugOption.
  absl::Status ApplyAllOptionOverrides();

  absl::StatusOr<CompileOptionsProto> ToProto() const;
  // Errors: InvalidArgument that names the field.
  static absl::StatusOr<CompileOptions> FromProto(
      const CompileOptionsProto& proto);
};

// Errors: InvalidArgument that names the field.
absl::StatusOr<ExecutableBuildOptions> ExecutableBuildOptionsFromProto(
    const ExecutableBuildOptionsProto& proto);
absl::StatusOr<ExecutableBuildOptionsProto> ExecutableBuildOptionsToProto(
    const ExecutableBuildOptions& options);

}  // namespace xla

#endif  // XLA_PJRT_COMPILE_OPTIONS_H_
