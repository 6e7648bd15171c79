// The table of passes.
#include "xla/hlo/transforms/registry.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "xla/hlo/transforms/simplify/cse.h"
#include "xla/hlo/transforms/simplify/dce.h"
#include "xla/hlo/transforms/verify.h"

namespace xla {
namespace {

template <typename Pass>
std::unique_ptr<HloPassInterface> Make() {
  return std::make_unique<Pass>();
}

constexpr PassEntry kPasses[] = {
    {"cse", "Keeps one of several instructions that compute the same value.",
     &Make<HloCSE>},
    {"dce", "Removes instructions and computations that nothing needs.",
     &Make<HloDCE>},
    {"verify", "Checks that the module is well formed; changes nothing.",
     &Make<VerifyPass>},
};

}  // namespace

absl::Span<const PassEntry> RegisteredPasses() { return kPasses; }

absl::StatusOr<std::unique_ptr<HloPassInterface>> MakePass(
    absl::string_view name) {
  for (const PassEntry& entry : kPasses) {
    if (entry.name == name) return entry.make();
  }
  return absl::NotFoundError(absl::StrCat(
      "no pass '", name, "'; there are ",
      absl::StrJoin(kPasses, ", ", [](std::string* out, const PassEntry& e) {
        absl::StrAppend(out, e.name);
      })));
}

}  // namespace xla
