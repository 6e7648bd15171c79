// The list of all passes, from which --passes, --list-passes and docs/passes.md
// come.
#ifndef XLA_HLO_TRANSFORMS_REGISTRY_H_
#define XLA_HLO_TRANSFORMS_REGISTRY_H_

#include <memory>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "xla/hlo/pass/hlo_pass.h"

namespace xla {

struct PassEntry {
  absl::string_view name;
  absl::string_view summary;  // one sentence
  std::unique_ptr<HloPassInterface> (*make)();
};

// Returns all passes, sorted by name.
absl::Span<const PassEntry> RegisteredPasses();

// Makes a new pass of that name. Errors: NotFound, listing the names.
absl::StatusOr<std::unique_ptr<HloPassInterface>> MakePass(
    absl::string_view name);

}  // namespace xla

#endif  // XLA_HLO_TRANSFORMS_REGISTRY_H_
