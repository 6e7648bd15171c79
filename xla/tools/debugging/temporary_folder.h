// TemporaryFolder: files for programs that a command runs.
#ifndef XLA_TOOLS_DEBUGGING_TEMPORARY_FOLDER_H_
#define XLA_TOOLS_DEBUGGING_TEMPORARY_FOLDER_H_

#include <memory>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace xla::tools {

// A new folder below the system's one for temporary files. The destructor
// removes it with all that is in it.
class TemporaryFolder {
 public:
  // The folder's name begins with `prefix`. Errors: those of the system.
  static absl::StatusOr<std::unique_ptr<TemporaryFolder>> Make(
      absl::string_view prefix);
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  // Removes those that exist, before a signal ends the process, which calls no
  // destructors. Thread safe, but not to be called by a handler of signals.
  static void RemoveAll();

  const std::string& path() const { return path_; }

 private:
  explicit TemporaryFolder(std::string path) : path_(std::move(path)) {}
  const std::string path_;
};

}  // namespace xla::tools

#endif  // XLA_TOOLS_DEBUGGING_TEMPORARY_FOLDER_H_
