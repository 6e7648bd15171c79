// Follows locations with a stack of its own: they may nest deeply.
#include "xla/stablehlo/to_hlo/conversion/location_exporter.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "xla/base/status_macros.h"

namespace xla::stablehlo {
namespace {

using LocationKind = LocationAttr::Kind;

absl::string_view NameBeforeAt(const LocationAttr& location) {
  return location.text.substr(0, location.text.find('@'));
}

// Calls `visit` with the location and parts of it. It returns how many of the
// parts come next, the first ones, in order.
template <typename Visit>
absl::Status Walk(const LocationAttr& location, WorkBudget& budget,
                  const Visit& visit) {
  std::vector<const LocationAttr*> stack = {&location};
  while (!stack.empty()) {
    const LocationAttr& at = *stack.back();
    stack.pop_back();
    // Names are copied to the op_name, and that to instructions.
    TF_RETURN_IF_ERROR(budget.Charge(WorkBudget::kLocation +
                                     8 * static_cast<int64_t>(at.text.size())));
    // An artifact may have a fused location of no parts.
    size_t count = std::min(visit(at), at.parts.size());
    while (count-- > 0) stack.push_back(at.parts[count]);
  }
  return absl::OkStatus();
}

void Join(absl::string_view part, bool& first, std::string& out) {
  absl::StrAppend(&out, first ? "" : ";", part);
  first = false;
}

}  // namespace

absl::StatusOr<std::string> LocationExporter::OpNameOf(
    const LocationAttr& location) {
  std::string names;
  bool first = true;
  TF_RETURN_IF_ERROR(
      Walk(location, budget_, [&](const LocationAttr& at) -> size_t {
        if (at.kind == LocationKind::kFused) return at.parts.size();
        if (at.kind == LocationKind::kCallSite) return 1;  // the callee
        if (at.kind != LocationKind::kName) return 0;
        const absl::string_view name = NameBeforeAt(at);
        if (absl::EndsWith(name, ":")) return at.parts.size();
        Join(name, first, names);
        return 0;
      }));
  return names;
}

absl::StatusOr<std::string> LocationExporter::OpTypeOf(
    const LocationAttr& location) {
  std::string types;
  bool first = true;
  TF_RETURN_IF_ERROR(
      Walk(location, budget_, [&](const LocationAttr& at) -> size_t {
        // A fused location has it in its first part.
        if (at.kind == LocationKind::kFused ||
            at.kind == LocationKind::kCallSite)
          return 1;
        if (at.kind != LocationKind::kName) return 0;
        const absl::string_view name = NameBeforeAt(at);
        if (!absl::EndsWith(name, ":")) return at.parts.size();
        Join(name.substr(0, name.size() - 1), first, types);
        return 0;
      }));
  return types;
}

absl::Status LocationExporter::SetSource(const LocationAttr& location,
                                         OpMetadata& metadata) {
  return Walk(location, budget_, [&](const LocationAttr& at) -> size_t {
    if (at.kind == LocationKind::kFused) return at.parts.size();
    if (at.kind != LocationKind::kFileLineCol) return 0;
    metadata.set_source_file(std::string(at.text));
    metadata.set_source_line(at.line);
    metadata.set_source_end_line(at.end_line);
    metadata.set_source_column(at.column);
    metadata.set_source_end_column(at.end_column);
    return 0;
  });
}

absl::StatusOr<const OpMetadata*> LocationExporter::MetadataOf(
    const LocationAttr& location) {
  const auto known = metadata_.find(&location);
  if (known != metadata_.end()) return &known->second;
  OpMetadata metadata;
  if (location.kind != LocationKind::kUnknown) {
    TF_ASSIGN_OR_RETURN(std::string name, OpNameOf(location));
    metadata.set_op_name(std::move(name));
    TF_ASSIGN_OR_RETURN(std::string type, OpTypeOf(location));
    if (!type.empty()) metadata.set_op_type(std::move(type));
  }
  // The names of the op and its type come before the frames.
  const LocationAttr* stack = &location;
  while (stack->kind == LocationKind::kName && !stack->IsFrame() &&
         !stack->parts.empty()) {
    TF_RETURN_IF_ERROR(budget_.Charge(WorkBudget::kLocation));
    stack = stack->parts[0];
  }
  TF_ASSIGN_OR_RETURN(const int32_t frame, frames_.AddStack(*stack));
  if (frame != 0) {
    metadata.set_stack_frame_id(frame);
  } else {
    TF_RETURN_IF_ERROR(SetSource(*stack, metadata));
  }
  return &metadata_.emplace(&location, std::move(metadata)).first->second;
}

}  // namespace xla::stablehlo
