// The version of this project.
#ifndef XLA_BASE_VERSION_H_
#define XLA_BASE_VERSION_H_

#include "absl/strings/string_view.h"

namespace xla {

// Returns "MAJOR.MINOR.PATCH" as project() in CMakeLists.txt has it.
absl::string_view TesseraVersion();

}  // namespace xla

#endif  // XLA_BASE_VERSION_H_
