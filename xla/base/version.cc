// The version string, which the build defines for this file alone.
#include "xla/base/version.h"

namespace xla {

absl::string_view TesseraVersion() { return TESSERA_VERSION; }

}  // namespace xla
