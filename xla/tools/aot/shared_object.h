// Links a program that was compiled ahead of time into a shared library.
#ifndef XLA_TOOLS_AOT_SHARED_OBJECT_H_
#define XLA_TOOLS_AOT_SHARED_OBJECT_H_

#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"

namespace xla::tools {

struct SharedObjectOptions {
  std::string program;  // AotOptions::name
  // The C compiler that links. Empty: that of the environment variable CC, else
  // cc.
  std::string linker;
  // libtessera_aot.a. Empty: the one that is installed, or was built, with this
  // command.
  std::string runtime;
};

// Writes to `path` a library with the object file `object` and the runtime. It
// exports NAME_program, NAME_run and tessera_aot_*. Errors: NotFound if there
// is no runtime; Internal with what the linker said; those of files.
absl::Status LinkSharedObject(absl::string_view object,
                              const SharedObjectOptions& options,
                              const std::string& path);

}  // namespace xla::tools

#endif  // XLA_TOOLS_AOT_SHARED_OBJECT_H_
