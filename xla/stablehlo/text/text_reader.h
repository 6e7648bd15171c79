// Reads StableHLO text, pretty and generic, with the dialects func, chlo and
// sdy.
#ifndef XLA_STABLEHLO_TEXT_TEXT_READER_H_
#define XLA_STABLEHLO_TEXT_TEXT_READER_H_

#include <memory>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "xla/stablehlo/ir/ir.h"

namespace xla::stablehlo {

// Reads the tree of `text`, which is copied into the module. Functions without
// a surrounding module are accepted too. The input may be hostile. Errors:
// InvalidArgument with line and column.
absl::StatusOr<std::unique_ptr<Module>> ReadText(absl::string_view text);

// Reads one attribute, such as "#sdy.sharding<@mesh, [{}]>". Its nodes are in
// `arena` and point into `text`. Errors: as above.
absl::StatusOr<const Attribute*> ReadAttributeText(absl::string_view text,
                                                   Arena& arena);

}  // namespace xla::stablehlo

#endif  // XLA_STABLEHLO_TEXT_TEXT_READER_H_
