// The DebugOptions that the environment variable XLA_FLAGS sets.
#ifndef XLA_CLIENT_DEBUG_DEBUG_OPTIONS_FLAGS_H_
#define XLA_CLIENT_DEBUG_DEBUG_OPTIONS_FLAGS_H_

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "xla/proto/xla.pb.h"

namespace xla {

// The defaults without any flags.
DebugOptions DefaultDebugOptionsIgnoringFlags();

// The defaults changed by XLA_FLAGS, which is read once. Unknown flags are
// reported on stderr, once, and ignored. Thread safe.
DebugOptions GetDebugOptionsFromFlags();

// The defaults changed by `flags`: words --name=value, where name is a field of
// DebugOptions. A bool may omit its value; a repeated field takes values
// separated by commas, or none at all. Errors: those of SetDebugOption.
absl::StatusOr<DebugOptions> ParseDebugOptions(absl::string_view flags);

// Changes `options` by such flags. After an error some flags are set.
absl::Status ApplyDebugFlags(absl::string_view flags, DebugOptions& options);

// True if XLA has an option with that name.
bool HasDebugOption(absl::string_view name);

// Sets the field `name` to `value`. Options of XLA that have no effect here are
// skipped. Errors: InvalidArgument naming the option if it does not exist, or
// the value if it does not have the option's type.
absl::Status SetDebugOption(absl::string_view name, absl::string_view value,
                            DebugOptions& options);

}  // namespace xla

#endif  // XLA_CLIENT_DEBUG_DEBUG_OPTIONS_FLAGS_H_
