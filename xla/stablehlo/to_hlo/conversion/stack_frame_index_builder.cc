// Follows stacks from the outermost caller to the op.
#include "xla/stablehlo/to_hlo/conversion/stack_frame_index_builder.h"

#include <string>
#include <vector>

#include "xla/base/status_macros.h"

namespace xla::stablehlo {
namespace {

// Returns the number of `text`, which becomes the next one in `table` if it is
// new.
template <typename Table>
int32_t NumberOf(absl::string_view text, Table* table,
                 absl::flat_hash_map<absl::string_view, int32_t>& numbers) {
  const auto [it, is_new] = numbers.emplace(text, table->size() + 1);
  if (is_new) *table->Add() = std::string(text);
  return it->second;
}

}  // namespace

int32_t StackFrameIndexBuilder::AddLine(const LocationAttr& frame) {
  const LocationAttr& line = *frame.parts[0];
  const int32_t file = NumberOf(line.text, index_.mutable_file_names(), files_);
  const int32_t function =
      NumberOf(frame.text, index_.mutable_function_names(), functions_);
  const auto [it, is_new] =
      lines_.emplace(std::tuple(file, function, line.line, line.column),
                     index_.file_locations_size() + 1);
  if (is_new) {
    auto* location = index_.add_file_locations();
    location->set_file_name_id(file);
    location->set_function_name_id(function);
    location->set_line(line.line);
    location->set_end_line(line.end_line);
    location->set_column(line.column);
    location->set_end_column(line.end_column);
  }
  return it->second;
}

int32_t StackFrameIndexBuilder::AddFrame(const LocationAttr& frame,
                                         int32_t parent) {
  const int32_t line = AddLine(frame);
  const auto [it, is_new] =
      frames_.emplace(std::pair(line, parent), index_.stack_frames_size() + 1);
  if (is_new) {
    auto* added = index_.add_stack_frames();
    added->set_file_location_id(line);
    added->set_parent_frame_id(parent);
  }
  return it->second;
}

absl::StatusOr<int32_t> StackFrameIndexBuilder::AddStack(
    const LocationAttr& location) {
  if (!location.has_frame) return 0;
  const auto known = stacks_.find(&location);
  if (known != stacks_.end()) return known->second;
  int32_t frame = 0;
  std::vector<const LocationAttr*> pending = {&location};
  while (!pending.empty()) {
    const LocationAttr& at = *pending.back();
    pending.pop_back();
    TF_RETURN_IF_ERROR(budget_.Charge(WorkBudget::kLocation));
    if (at.IsFrame()) {
      const int known = index_.stack_frames_size();
      frame = AddFrame(at, frame);
      if (index_.stack_frames_size() == known) continue;
      TF_RETURN_IF_ERROR(budget_.Charge(WorkBudget::kStackFrame));
      continue;
    }
    for (const LocationAttr* part : at.parts) {
      if (!part->has_frame) continue;
      pending.push_back(part);
      // Of a call, the caller comes last and therefore first.
      if (at.kind == LocationAttr::Kind::kFused) break;
    }
  }
  stacks_.emplace(&location, frame);
  return frame;
}

void StackFrameIndexBuilder::AddTo(HloModule& module) {
  if (index_.stack_frames_size() > 0) {
    module.set_stack_frame_index(std::move(index_));
  }
}

}  // namespace xla::stablehlo
