#include "xla/base/text/printer.h"  // IWYU pragma: export

namespace tsl {
using xla::Fprint128;
}  // namespace tsl
