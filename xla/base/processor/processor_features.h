// The extensions of processors that a process can look for, by LLVM's names.
#ifndef XLA_BASE_PROCESSOR_PROCESSOR_FEATURES_H_
#define XLA_BASE_PROCESSOR_PROCESSOR_FEATURES_H_

#include <vector>

#include "absl/strings/string_view.h"

namespace xla {

// Returns the extensions of aarch64 or x86-64 that ProcessorHas knows on such
// processors.
const std::vector<absl::string_view>& KnownFeatures(bool is_aarch64);

// Returns whether this processor has the extension ("avx2", "dotprod") and the
// system lets this process use it; false for a name that is not known. AMX's
// tiles are asked for (ProcessHasTiles). Thread safe.
bool ProcessorHas(absl::string_view feature);

}  // namespace xla

#endif  // XLA_BASE_PROCESSOR_PROCESSOR_FEATURES_H_
