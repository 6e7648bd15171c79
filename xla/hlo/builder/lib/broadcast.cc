// Repeats along dimensions by BroadcastInDim and Reshape.
#include "xla/hlo/builder/lib/broadcast.h"

#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "xla/base/status_macros.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/ops/op_def.h"

namespace xla {

absl::StatusOr<XlaOp> BroadcastTo(XlaOp input,
                                  absl::Span<int64_t const> output_dims) {
  TF_ASSIGN_OR_RETURN(const Shape shape, input.builder()->GetShape(input));
  absl::Span<const int64_t> dims = shape.dimensions();
  if (dims == output_dims) return input;
  const int64_t added = static_cast<int64_t>(output_dims.size()) - shape.rank();
  bool fits = shape.IsArray() && added >= 0;
  // Dimension x that becomes x y is broadcast as [y, x], then joined.
  std::vector<int64_t> split;
  std::vector<int64_t> places;
  for (size_t i = 0; fits && i < output_dims.size(); ++i) {
    const int64_t out = output_dims[i];
    const int64_t in = static_cast<int64_t>(i) < added ? 1 : dims[i - added];
    fits = out >= 0 && (in == 0 ? out == 0 : out % in == 0);
    if (!fits) break;
    if (static_cast<int64_t>(i) >= added) {
      if (in > 1 && out != in) split.push_back(out / in);
      places.push_back(split.size());
    }
    split.push_back(in == 1 ? out : in);
  }
  if (!fits) {
    // broadcast_to_c1: each size is a multiple of the input's.
    return RuleError(
        "broadcast_to_c1",
        absl::StrCat("cannot broadcast ", ShapeUtil::HumanString(shape),
                     " to [", absl::StrJoin(output_dims, ","), "]"));
  }
  return Reshape(BroadcastInDim(input, split, places), output_dims);
}

}  // namespace xla
