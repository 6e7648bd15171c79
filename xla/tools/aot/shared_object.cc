// Runs the system's C compiler.
#include "xla/tools/aot/shared_object.h"

#include <cstdlib>
#include <filesystem>
#include <memory>

#include "absl/strings/str_cat.h"
#include "xla/base/status_macros.h"
#include "xla/tools/debugging/child_process.h"
#include "xla/tools/debugging/temporary_folder.h"
#include "xla/tools/program.h"

namespace xla::tools {
namespace {

absl::StatusOr<std::string> FindRuntime() {
  std::error_code error;
  const std::filesystem::path command =
      std::filesystem::read_symlink("/proc/self/exe", error);
  const std::filesystem::path folder = command.parent_path().parent_path();
  std::string tried;
  for (const char* place :
       {"lib", "lib/x86_64-linux-gnu", "lib/aarch64-linux-gnu", "lib64"}) {
    const std::filesystem::path path = folder / place / "libtessera_aot.a";
    if (std::filesystem::exists(path, error)) return path.string();
    absl::StrAppend(&tried, tried.empty() ? "" : ", ", path.string());
  }
  return absl::NotFoundError(absl::StrCat("no libtessera_aot.a, looked for ",
                                          tried,
                                          "; --runtime says where it is"));
}

}  // namespace

absl::Status LinkSharedObject(absl::string_view object,
                              const SharedObjectOptions& options,
                              const std::string& path) {
  std::string runtime = options.runtime;
  if (runtime.empty()) {
    TF_ASSIGN_OR_RETURN(runtime, FindRuntime());
  }
  TF_ASSIGN_OR_RETURN(const std::unique_ptr<TemporaryFolder> files,
                      TemporaryFolder::Make("tessera-compile"));
  const std::string& folder = files->path();
  TF_RETURN_IF_ERROR(WriteFile(folder + "/program.o", object));
  TF_RETURN_IF_ERROR(WriteFile(
      folder + "/exports.map",
      absl::StrCat("{ global: ", options.program, "_program; ", options.program,
                   "_run; tessera_aot_*; local: *; };\n")));
  const char* const given = std::getenv("CC");
  const std::string linker = !options.linker.empty() ? options.linker
                             : given != nullptr && *given != '\0' ? given
                                                                  : "cc";
  // The runtime has functions that the object does not call; clients do.
  TF_ASSIGN_OR_RETURN(
      const ChildResult result,
      RunShellCommand(
          "$LINKER -shared -o \"$OUTPUT\" \"$FOLDER/program.o\" "
          "-Wl,--whole-archive \"$RUNTIME\" -Wl,--no-whole-archive "
          "-Wl,--version-script=\"$FOLDER/exports.map\" -Wl,-Bsymbolic "
          "-Wl,--gc-sections -Wl,-z,noexecstack -lm -lpthread",
          {{"LINKER", linker},
           {"OUTPUT", path},
           {"FOLDER", folder},
           {"RUNTIME", runtime}},
          /*seconds=*/0));
  if (result.end == ChildResult::End::kReturned && result.exit_code == 0) {
    return absl::OkStatus();
  }
  return absl::InternalError(
      absl::StrCat(linker, " cannot link ", path, ": ", result.errors));
}

}  // namespace xla::tools
