// What follows from the parts of a location.
#include "xla/stablehlo/ir/location_attr.h"

#include "absl/strings/str_cat.h"

namespace xla::stablehlo {

void LocationAttr::Complete() {
  has_line = kind == Kind::kFileLineCol;
  has_frame = IsFrame();
  for (const LocationAttr* part : parts) {
    has_line = has_line || part->has_line;
    has_frame = has_frame || part->has_frame;
  }
}

const LocationAttr* LocationAttr::InnermostLine() const {
  const LocationAttr* at = this;
  while (at->has_line && at->kind != Kind::kFileLineCol) {
    // The callee comes before the caller.
    for (const LocationAttr* part : at->parts) {
      if (!part->has_line) continue;
      at = part;
      break;
    }
  }
  return at->has_line ? at : nullptr;
}

std::string LocationAttr::LineToString() const {
  const LocationAttr* line = InnermostLine();
  return line == nullptr ? "" : absl::StrCat(line->text, ":", line->line);
}

}  // namespace xla::stablehlo
