// Finds targets: this processor's version of each level, or another processor
// that has it.
#include "tests/backends/cpu/codegen/isa_targets.h"

#include <algorithm>
#include <utility>

#include "xla/base/logging.h"

namespace xla::cpu {
namespace {

// A processor that has every level of its architecture.
TargetInfo LatestProcessor() {
  auto latest =
      TargetFor(HostTarget().is_x86 ? "graniterapids" : "neoverse-v2");
  CHECK_OK(latest);
  return *std::move(latest);
}

std::vector<IsaTarget> FindTargets() {
  std::vector<IsaTarget> targets = {{"Host", HostTarget(), ""}};
  for (const CpuIsa isa : CpuIsasOfHost()) {
    const std::string missing = MissingForIsa(ProcessorTarget(), isa);
    auto target =
        LimitIsa(missing.empty() ? ProcessorTarget() : LatestProcessor(), isa);
    CHECK_OK(target);
    const bool known = std::any_of(
        targets.begin(), targets.end(), [&](const IsaTarget& other) {
          return other.target.features == target->features;
        });
    if (known) continue;
    targets.push_back(
        {std::string(CpuIsaName(isa)), *std::move(target), missing});
  }
  return targets;
}

}  // namespace

const std::vector<IsaTarget>& IsaTargets() {
  static const auto* const targets = new std::vector<IsaTarget>(FindTargets());
  return *targets;
}

}  // namespace xla::cpu
