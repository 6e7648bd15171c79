// Prints statistics, and parses layouts.
#include "xla/pjrt/pjrt_common.h"

#include "absl/strings/str_cat.h"
#include "xla/base/status_macros.h"
#include "xla/core/shape_text.h"
#include "xla/pjrt/pjrt_layout.h"

namespace xla {

std::string CompiledMemoryStats::DebugString() const {
  return absl::StrCat("CompiledMemoryStats(generated_code_size_in_bytes=",
                      generated_code_size_in_bytes,
                      ", argument_size_in_bytes=", argument_size_in_bytes,
                      ", output_size_in_bytes=", output_size_in_bytes,
                      ", alias_size_in_bytes=", alias_size_in_bytes,
                      ", temp_size_in_bytes=", temp_size_in_bytes,
                      ", peak_memory_in_bytes=", peak_memory_in_bytes, ")");
}

absl::StatusOr<std::shared_ptr<const PjRtLayout>> PjRtLayout::Deserialize(
    absl::string_view serialized) {
  TF_ASSIGN_OR_RETURN(Layout layout, ParseLayout(serialized));
  return std::make_shared<const PjRtLayout>(std::move(layout));
}

}  // namespace xla

namespace tsl {

std::string AllocatorStats::DebugString() const {
  return absl::StrCat(
      "Limit: ", bytes_limit.value_or(0), "\nInUse: ", bytes_in_use,
      "\nMaxInUse: ", peak_bytes_in_use, "\nNumAllocs: ", num_allocs,
      "\nMaxAllocSize: ", largest_alloc_size, "\n");
}

}  // namespace tsl
