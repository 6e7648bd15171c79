// Prints reports.
#include "xla/backends/compile_report.h"

#include <algorithm>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_format.h"

namespace xla {
namespace {

struct PassSum {
  absl::string_view name;
  int runs = 0;
  int changes = 0;
  double seconds = 0;
};

// Sums passes by name, longest first; ties are in order of the first run.
std::vector<PassSum> SumByName(const std::vector<CompileReport::Pass>& passes) {
  std::vector<PassSum> sums;
  absl::flat_hash_map<absl::string_view, size_t> places;
  for (const CompileReport::Pass& pass : passes) {
    auto [it, fresh] = places.try_emplace(pass.name, sums.size());
    if (fresh) sums.push_back({pass.name});
    PassSum& sum = sums[it->second];
    ++sum.runs;
    sum.changes += pass.changed ? 1 : 0;
    sum.seconds += pass.seconds;
  }
  std::stable_sort(
      sums.begin(), sums.end(),
      [](const PassSum& a, const PassSum& b) { return a.seconds > b.seconds; });
  return sums;
}

}  // namespace

double CompileReport::PhaseSeconds(absl::string_view name) const {
  for (const Phase& phase : phases) {
    if (phase.name == name) return phase.seconds;
  }
  return 0;
}

int64_t CompileReport::CountOf(absl::string_view name) const {
  for (const Count& count : counts) {
    if (count.name == name) return count.number;
  }
  return 0;
}

std::string CompileReport::ToString() const {
  std::string text =
      absl::StrFormat("compile time        %10.3f ms%s\n", seconds * 1e3,
                      from_cache ? ", from the compilation cache" : "");
  for (const Phase& phase : phases) {
    absl::StrAppendFormat(&text, "  %-17s %10.3f ms\n", phase.name,
                          phase.seconds * 1e3);
  }
  for (const Count& count : counts) {
    absl::StrAppendFormat(&text, "%-19s %10d\n", count.name, count.number);
  }
  return text + PassTimesToString(passes);
}

std::string PassTimesToString(const std::vector<CompileReport::Pass>& passes) {
  std::string text;
  for (const PassSum& sum : SumByName(passes)) {
    absl::StrAppendFormat(&text,
                          "pass %-32s %10.3f ms, %d of %d runs changed\n",
                          sum.name, sum.seconds * 1e3, sum.changes, sum.runs);
  }
  return text;
}

}  // namespace xla
