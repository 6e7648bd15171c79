// Reads files, and the programs in them.
#include "xla/tools/program.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>

#include "absl/strings/str_cat.h"
#include "xla/base/errors.h"
#include "xla/base/status_macros.h"
#include "xla/hlo/verifier/hlo_verifier.h"
#include "xla/program/program_bytes.h"
#include "xla/tools/progress/interrupts.h"

namespace xla::tools {

absl::StatusOr<std::string> ReadFile(const std::string& path) {
  if (path == "-") {
    const InputWait wait;
    return std::string(std::istreambuf_iterator<char>(std::cin), {});
  }
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    return absl::ErrnoToStatus(errno, absl::StrCat("cannot read ", path));
  }
  // libstdc++ opens folders, and throws when it reads them.
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) {
    return absl::InvalidArgumentError(
        absl::StrCat("cannot read ", path, ": it is a folder"));
  }
  std::string bytes(std::istreambuf_iterator<char>(file), {});
  if (file.bad() || (bytes.empty() && file.fail() && !file.eof())) {
    return absl::UnknownError(absl::StrCat("cannot read ", path));
  }
  return bytes;
}

absl::Status WriteFile(const std::string& path, absl::string_view bytes) {
  if (path == "-") {
    std::cout << bytes << std::flush;
    return absl::OkStatus();
  }
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file << bytes << std::flush;
  if (!file) {
    return absl::ErrnoToStatus(errno, absl::StrCat("cannot write ", path));
  }
  return absl::OkStatus();
}

absl::Status CheckWritable(const std::string& path) {
  if (path == "-") return absl::OkStatus();
  std::error_code ignored;
  const std::filesystem::file_status status =
      std::filesystem::status(path, ignored);
  if (std::filesystem::is_directory(status)) {
    return absl::InvalidArgumentError(
        absl::StrCat("cannot write ", path, ": it is a folder"));
  }
  const bool is_new = !std::filesystem::exists(status);
  // Pipes have readers, which would take this for all there is.
  if (!is_new && !std::filesystem::is_regular_file(status)) {
    return absl::OkStatus();
  }
  // Keeps what is in the file.
  std::ofstream file(path, std::ios::binary | std::ios::app);
  if (!file) {
    return absl::ErrnoToStatus(errno, absl::StrCat("cannot write ", path));
  }
  if (is_new) std::filesystem::remove(path, ignored);
  return absl::OkStatus();
}

absl::StatusOr<std::unique_ptr<HloModule>> ParseProgram(
    absl::string_view bytes, absl::string_view file) {
  absl::StatusOr<std::unique_ptr<HloModule>> module = ParseProgramBytes(bytes);
  if (module.ok()) return module;
  // Errors of HLO text begin with line:column.
  const bool text = DetectFormat(bytes) == ProgramFormat::kHloText;
  return WithMessage(module.status(), absl::StrCat(file, text ? ":" : ": ",
                                                   module.status().message()));
}

absl::StatusOr<std::unique_ptr<HloModule>> ReadProgram(const std::string& path,
                                                       bool verify) {
  TF_ASSIGN_OR_RETURN(std::string bytes, ReadFile(path));
  TF_ASSIGN_OR_RETURN(std::unique_ptr<HloModule> module,
                      ParseProgram(bytes, path));
  if (!verify) return module;
  absl::Status verified = HloVerifier().Verify(*module);
  if (!verified.ok()) {
    return absl::Status(verified.code(),
                        absl::StrCat(path, ": ", verified.message()));
  }
  return module;
}

}  // namespace xla::tools
