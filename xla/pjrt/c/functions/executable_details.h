// Arrays about an executable to which the C API returns pointers, in the form
// that it requires. They are computed together when first requested.
#ifndef XLA_PJRT_C_FUNCTIONS_EXECUTABLE_DETAILS_H_
#define XLA_PJRT_C_FUNCTIONS_EXECUTABLE_DETAILS_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "xla/pjrt/c/handles.h"

namespace xla::pjrt {

// A list of strings in C's form.
struct StringList {
  std::vector<std::string> strings;
  std::vector<const char*> pointers;
  std::vector<size_t> sizes;

  // Sets the pointers and sizes from the strings, which must not change
  // afterwards.
  void Point();
};

struct ExecutableDetails {
  std::vector<PJRT_Buffer_Type> output_types;
  std::vector<int64_t> output_dims;  // of all outputs, in order
  std::vector<size_t> output_ranks;
  StringList output_memory_kinds;
  StringList parameter_memory_kinds;
  std::vector<std::unique_ptr<PJRT_Layouts_MemoryLayout>> layouts;
  std::vector<PJRT_Layouts_MemoryLayout*> output_layouts;
  std::vector<PJRT_Layouts_MemoryLayout*> parameter_layouts;
  // Serialized; nullopt if the program has no shardings.
  std::optional<StringList> output_shardings;
  std::optional<StringList> parameter_shardings;
  std::string fingerprint;
  std::unique_ptr<NamedValues> costs;
  std::string optimized_program;
};

// Errors: those of the executable.
absl::StatusOr<const ExecutableDetails*> DetailsOf(PJRT_Executable* executable);
// The same, including costs, which take long to compute.
absl::StatusOr<const ExecutableDetails*> DetailsWithCosts(
    PJRT_Executable* executable);
// The same, including the optimized program.
absl::StatusOr<const ExecutableDetails*> DetailsWithProgram(
    PJRT_Executable* executable);

}  // namespace xla::pjrt

#endif  // XLA_PJRT_C_FUNCTIONS_EXECUTABLE_DETAILS_H_
