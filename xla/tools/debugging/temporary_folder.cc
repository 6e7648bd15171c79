// Makes folders with names that no other one has.
#include "xla/tools/debugging/temporary_folder.h"

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"

namespace xla::tools {

absl::StatusOr<std::unique_ptr<TemporaryFolder>> TemporaryFolder::Make(
    absl::string_view prefix) {
  std::error_code error;
  const std::filesystem::path parent =
      std::filesystem::temp_directory_path(error);
  if (error) {
    return absl::ErrnoToStatus(error.value(), "no folder for temporary files");
  }
  std::string path = (parent / absl::StrCat(prefix, "-XXXXXX")).string();
  if (mkdtemp(path.data()) == nullptr) {
    return absl::ErrnoToStatus(errno, absl::StrCat("cannot make ", path));
  }
  return std::unique_ptr<TemporaryFolder>(new TemporaryFolder(std::move(path)));
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace xla::tools
