// The names of XLA's debug options.
#ifndef XLA_CLIENT_DEBUG_DEBUG_OPTION_NAMES_H_
#define XLA_CLIENT_DEBUG_DEBUG_OPTION_NAMES_H_

#include "absl/strings/string_view.h"

namespace xla {

// True if XLA has a debug option with that name for any backend. A program that
// sets it is accepted even if the option has no effect here.
bool IsDebugOptionName(absl::string_view name);

}  // namespace xla

#endif  // XLA_CLIENT_DEBUG_DEBUG_OPTION_NAMES_H_
