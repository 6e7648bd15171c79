// Colors, positions and text of buffers.
#include "xla/hlo/analysis/values/hlo_buffer.h"

#include <algorithm>

#include "absl/algorithm/container.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace xla {

absl::StatusOr<BufferValue::Color> HloBuffer::color() const {
  const BufferValue::Color color = values_[0]->color();
  for (const HloValue* value : values_) {
    if (value->color() != color) {
      return absl::FailedPreconditionError(
          absl::StrCat("the values of buffer ", id_, " have colors ", color,
                       " and ", value->color()));
    }
  }
  return color;
}

std::vector<HloPosition> HloBuffer::ComputePositions() const {
  std::vector<HloPosition> positions;
  for (const HloValue* value : values_) {
    positions.insert(positions.end(), value->positions().begin(),
                     value->positions().end());
  }
  absl::c_sort(positions);
  positions.erase(std::unique(positions.begin(), positions.end()),
                  positions.end());
  return positions;
}

std::string HloBuffer::ToString() const {
  return absl::StrCat(
      "HloBuffer ", id_, ", values: ",
      absl::StrJoin(values_, ", ", [](std::string* out, const HloValue* value) {
        absl::StrAppend(out, value->ToShortString());
      }));
}

}  // namespace xla
