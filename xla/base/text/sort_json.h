// SortJson: one text for JSON values that differ in blanks and the order of
// keys.
#ifndef XLA_BASE_TEXT_SORT_JSON_H_
#define XLA_BASE_TEXT_SORT_JSON_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace xla {

// Returns the value without blanks, the members of each object ordered by their
// keys as they are written. Errors: InvalidArgument for what is not JSON, as
// far as that shows in its structure, and for values more than 256 deep.
absl::StatusOr<std::string> SortJson(absl::string_view json);

}  // namespace xla

#endif  // XLA_BASE_TEXT_SORT_JSON_H_
