// The header of an .npy file: element type, order and dimensions.
#ifndef XLA_CORE_LITERAL_NPY_NPY_HEADER_H_
#define XLA_CORE_LITERAL_NPY_NPY_HEADER_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace xla {

struct NpyHeader {
  char kind = 0;  // 'b', 'i', 'u', 'f', 'c', 'V' and others, as in NumPy
  int64_t item_bytes = 0;
  bool big_endian = false;
  bool fortran_order = false;
  std::vector<int64_t> dimensions;
  size_t data_offset = 0;  // where the elements start
};

// Returns InvalidArgument that names the format.
absl::Status NpyError(absl::string_view what);

// Parses the header. Errors: InvalidArgument that says what is missing or
// wrong.
absl::StatusOr<NpyHeader> ParseNpyHeader(absl::string_view bytes);

// Makes a header of version 1, padded to 64 bytes. An example of `descr` is
// "<f4".
std::string MakeNpyHeader(absl::string_view descr,
                          absl::Span<const int64_t> dimensions);

}  // namespace xla

#endif  // XLA_CORE_LITERAL_NPY_NPY_HEADER_H_
