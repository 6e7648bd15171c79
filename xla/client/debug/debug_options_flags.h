// The DebugOptions that the environment variable XLA_FLAGS asks for.
#ifndef XLA_CLIENT_DEBUG_DEBUG_OPTIONS_FLAGS_H_
#define XLA_CLIENT_DEBUG_DEBUG_OPTIONS_FLAGS_H_

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "xla/proto/xla.pb.h"

namespace xla {

// What holds without any flags.
DebugOptions DefaultDebugOptionsIgnoringFlags();

// The defaults changed by XLA_FLAGS, which is read once. Flags that are not
// understood are reported on stderr, once, and left out. Thread safe.
DebugOptions GetDebugOptionsFromFlags();

// The defaults changed by `flags`: words --name=value, where name is a field
// of DebugOptions and a bool may stand without its value; a repeated field
// takes values separated by commas. Errors: those of SetDebugOption.
absl::StatusOr<DebugOptions> ParseDebugOptions(absl::string_view flags);

// Whether XLA has an option of that name.
bool HasDebugOption(absl::string_view name);

// Sets the field `name` to what `value` says. Options that XLA has but that
// mean nothing here are skipped. Errors: InvalidArgument that names the option
// if there is none, or the value if it is no value of its type.
absl::Status SetDebugOption(absl::string_view name, absl::string_view value,
                            DebugOptions& options);

}  // namespace xla

#endif  // XLA_CLIENT_DEBUG_DEBUG_OPTIONS_FLAGS_H_
