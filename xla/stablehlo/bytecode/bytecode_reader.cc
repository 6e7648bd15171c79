// Checks versions and reads the parts of an artifact in order.
#include "xla/stablehlo/bytecode/bytecode_reader.h"

#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "xla/base/errors.h"
#include "xla/base/status_macros.h"
#include "xla/stablehlo/bytecode/bytecode_file.h"
#include "xla/stablehlo/bytecode/ir_reader.h"
#include "xla/stablehlo/ir/version.h"

namespace xla::stablehlo {
namespace {

// Parses "StableHLO_v1.2.3"; returns nullopt for other producers.
std::optional<Version> VersionOfProducer(absl::string_view producer) {
  if (!absl::ConsumePrefix(&producer, "StableHLO_v")) return std::nullopt;
  const std::vector<absl::string_view> parts = absl::StrSplit(producer, '.');
  Version version = {};
  if (parts.size() != 3 || !absl::SimpleAtoi(parts[0], &version.major) ||
      !absl::SimpleAtoi(parts[1], &version.minor) ||
      !absl::SimpleAtoi(parts[2], &version.patch)) {
    return std::nullopt;
  }
  return version;
}

std::string ToString(const Version& v) {
  return absl::StrCat(v.major, ".", v.minor, ".", v.patch);
}

bool IsBefore(const Version& a, const Version& b) {
  return std::tie(a.major, a.minor, a.patch) <
         std::tie(b.major, b.minor, b.patch);
}

absl::Status CheckVersion(absl::string_view producer) {
  const std::optional<Version> version = VersionOfProducer(producer);
  // The ops determine the version of other producers.
  if (!version) return absl::OkStatus();
  if (IsBefore(kCurrentVersion, *version)) {
    return UnimplementedStrCat(
        "the artifact is of StableHLO ", ToString(*version),
        ", but the newest version that is read is ", ToString(kCurrentVersion),
        ": serialize it with this as target version, or update Tessera");
  }
  if (IsBefore(*version, kMinimumVersion)) {
    return UnimplementedStrCat(
        "the artifact is of StableHLO ", ToString(*version),
        ", but the oldest version that is read is ", ToString(kMinimumVersion),
        ": serialize the program again");
  }
  return absl::OkStatus();
}

}  // namespace

bool IsBytecode(absl::string_view bytes) {
  return absl::StartsWith(bytes, kBytecodeMagic);
}

absl::StatusOr<std::unique_ptr<Module>> ReadBytecode(absl::string_view bytes) {
  auto module = std::make_unique<Module>();
  module->source = std::string(bytes);
  TF_ASSIGN_OR_RETURN(const BytecodeFile file,
                      ReadBytecodeFile(module->source));
  TF_RETURN_IF_ERROR(CheckVersion(file.producer));
  TF_RETURN_IF_ERROR(IrReader(file, *module).Run());
  return module;
}

}  // namespace xla::stablehlo
