// The names of XLA's debug options.
#ifndef XLA_CLIENT_DEBUG_DEBUG_OPTION_NAMES_H_
#define XLA_CLIENT_DEBUG_DEBUG_OPTION_NAMES_H_

#include "absl/strings/string_view.h"

namespace xla {

// Whether XLA has a debug option of that name, for any backend, so that a
// program that sets it is taken even if it means nothing here.
bool IsDebugOptionName(absl::string_view name);

}  // namespace xla

#endif  // XLA_CLIENT_DEBUG_DEBUG_OPTION_NAMES_H_
