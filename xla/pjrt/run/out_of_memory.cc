// Finds the largest arrays of a module.
#include "xla/pjrt/run/out_of_memory.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/analysis/leaves.h"

namespace xla {
namespace {

constexpr absl::string_view kMark = "its largest arrays: ";
// The number of arrays that an error names.
constexpr size_t kArraysNamed = 5;

struct NamedArray {
  double bytes;
  const HloInstruction* instruction;
};

// The arrays of the computations whose values are in memory, which excludes
// fusions; largest first.
std::vector<NamedArray> LargestArrays(const HloModule& module) {
  std::vector<NamedArray> arrays;
  for (const auto& computation : module.computations()) {
    if (computation->IsFusionComputation()) continue;
    for (const auto& hlo : computation->instructions()) {
      if (!hlo->shape().IsArray() || hlo->opcode() == HloOpcode::kBitcast ||
          hlo->opcode() == HloOpcode::kGetTupleElement) {
        continue;
      }
      arrays.push_back({BytesOf(hlo->shape()), hlo});
    }
  }
  const size_t count = std::min(arrays.size(), kArraysNamed);
  std::partial_sort(arrays.begin(), arrays.begin() + count, arrays.end(),
                    [](const NamedArray& a, const NamedArray& b) {
                      return a.bytes > b.bytes;
                    });
  arrays.resize(count);
  return arrays;
}

}  // namespace

absl::Status ExplainOutOfMemory(const absl::Status& status,
                                const HloModule& module) {
  if (!absl::IsResourceExhausted(status)) return status;
  // Drops the name of the pass that requested the memory.
  const size_t start = status.message().find("out of memory");
  if (start == absl::string_view::npos ||
      absl::StrContains(status.message(), kMark)) {
    return status;
  }
  std::string arrays;
  for (const auto& [bytes, instruction] : LargestArrays(module)) {
    absl::StrAppend(&arrays, arrays.empty() ? "" : ", ",
                    instruction->shape().ToString(), " ", instruction->name(),
                    absl::StrFormat(" (%.0f bytes)", bytes));
  }
  return absl::ResourceExhaustedError(
      absl::StrCat(status.message().substr(start), "; program ", module.name(),
                   ", ", kMark, arrays.empty() ? "none" : arrays));
}

}  // namespace xla
