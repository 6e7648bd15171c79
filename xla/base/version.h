// The version of this project.
#ifndef XLA_BASE_VERSION_H_
#define XLA_BASE_VERSION_H_

#include "absl/strings/string_view.h"

namespace xla {

// "MAJOR.MINOR.PATCH", that of project() in CMakeLists.txt.
absl::string_view TesseraVersion();

}  // namespace xla

#endif  // XLA_BASE_VERSION_H_
