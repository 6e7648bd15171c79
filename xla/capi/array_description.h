// ArrayDescription: what a tessera_array_info points to.
#ifndef XLA_CAPI_ARRAY_DESCRIPTION_H_
#define XLA_CAPI_ARRAY_DESCRIPTION_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "xla/capi/include/tessera/tessera.h"
#include "xla/core/shape.h"
#include "xla/pjrt/pjrt_executable.h"

namespace xla::capi {

struct ArrayDescription {
  // `shape` is that of a buffer: an array with a layout, or a token.
  explicit ArrayDescription(std::shared_ptr<const Shape> shape);
  // Fills in as many members as the caller's struct has. Errors:
  // InvalidArgument if `out` is null or its size is not set.
  absl::Status WriteTo(tessera_array_info* out) const;

  std::shared_ptr<const Shape> shape;
  std::string text;
  int64_t device_bytes = 0;
  int64_t host_bytes = 0;
  std::string name;
  bool donated = false;
  int32_t alias = -1;
};

// In the order of the executable's leaves.
std::vector<ArrayDescription> DescribeParameters(
    const PjRtExecutable& executable);
std::vector<ArrayDescription> DescribeResults(const PjRtExecutable& executable);

}  // namespace xla::capi

#endif  // XLA_CAPI_ARRAY_DESCRIPTION_H_
