// The list of all passes, from which --passes, --list-passes and docs/passes.md
// come.
#ifndef XLA_HLO_TRANSFORMS_REGISTRY_H_
#define XLA_HLO_TRANSFORMS_REGISTRY_H_

#include <memory>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "xla/hlo/analysis/alias_info.h"
#include "xla/hlo/pass/hlo_pass.h"
#include "xla/hlo/transforms/fuse/fusion_backend.h"

namespace xla {

// The backend's answers to the passes that depend on it.
struct PassBackend {
  const FusionBackend* fusion = nullptr;
  const AliasInfo* alias_info = nullptr;
};

struct PassEntry {
  absl::string_view name;
  absl::string_view summary;  // one sentence
  // Both pointers of `backend` are set, and what they point to outlives the
  // pass.
  std::unique_ptr<HloPassInterface> (*make)(const PassBackend& backend);
};

// Returns all passes, sorted by name.
absl::Span<const PassEntry> RegisteredPasses();

// Whether there is a pass of that name.
bool IsRegisteredPass(absl::string_view name);

// Makes a new pass of that name for `backend`, as PassEntry::make. Errors:
// NotFound, listing the names.
absl::StatusOr<std::unique_ptr<HloPassInterface>> MakePass(
    absl::string_view name, const PassBackend& backend);

}  // namespace xla

#endif  // XLA_HLO_TRANSFORMS_REGISTRY_H_
