// The list of all passes: what --passes, --list-passes and docs/passes.md
// know.
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

// Sorted by name.
absl::Span<const PassEntry> RegisteredPasses();

// A fresh pass of that name. Errors: NotFound, listing the names.
absl::StatusOr<std::unique_ptr<HloPassInterface>> MakePass(
    absl::string_view name);

}  // namespace xla

#endif  // XLA_HLO_TRANSFORMS_REGISTRY_H_
