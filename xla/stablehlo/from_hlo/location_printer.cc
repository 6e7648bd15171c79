// Prints stacks from the outermost frame to the innermost one.
#include "xla/stablehlo/from_hlo/location_printer.h"

#include <vector>

#include "absl/strings/str_cat.h"
#include "xla/stablehlo/from_hlo/text_forms.h"

namespace xla::stablehlo {
namespace {

// "f.py":3:4, or "f.py":3:4 to 5:6. Text cannot hold negative numbers.
std::string LineText(absl::string_view file, int32_t line, int32_t column,
                     int32_t end_line, int32_t end_column) {
  const auto number = [](int32_t value) { return value < 0 ? 0 : value; };
  std::string text =
      absl::StrCat(QuotedText(file), ":", number(line), ":", number(column));
  if (end_line != line || end_column != column) {
    absl::StrAppend(&text, " to ", number(end_line), ":", number(end_column));
  }
  return text;
}

}  // namespace

std::string LocationPrinter::AliasOf(const std::string& location) {
  const auto [it, is_new] =
      aliases_.try_emplace(location, absl::StrCat("#loc", aliases_.size() + 1));
  if (is_new) {
    absl::StrAppend(&definitions_, it->second, " = loc(", location, ")\n");
  }
  return it->second;
}

std::string LocationPrinter::StackOf(int32_t frame) {
  std::vector<int32_t> chain;
  std::string stack;
  if (!module_.stack_frame_index().has_value()) return stack;
  const StackFrameIndexProto& index = *module_.stack_frame_index();
  // Tables that were read may have a frame that calls itself.
  while (frame > 0 && frame <= index.stack_frames_size() &&
         chain.size() < static_cast<size_t>(index.stack_frames_size())) {
    const auto known = stacks_.find(frame);
    if (known != stacks_.end()) {
      stack = known->second;
      break;
    }
    chain.push_back(frame);
    frame = index.stack_frames(frame - 1).parent_frame_id();
  }
  for (auto it = chain.rbegin(); it != chain.rend(); ++it) {
    const int32_t place = index.stack_frames(*it - 1).file_location_id();
    const HloStackFrame found = module_.get_stack_frame(*it);
    if (place < 1 || place > index.file_locations_size()) continue;
    const auto& line = index.file_locations(place - 1);
    const std::string named = AliasOf(
        absl::StrCat(QuotedText(found.function_name), "(",
                     LineText(found.file_name, line.line(), line.column(),
                              line.end_line(), line.end_column()),
                     ")"));
    stack = stack.empty()
                ? named
                : AliasOf(absl::StrCat("callsite(", named, " at ", stack, ")"));
    stacks_[*it] = stack;
  }
  return stack;
}

std::string LocationPrinter::OfOp(const OpMetadata& metadata) {
  const std::string stack = StackOf(metadata.stack_frame_id());
  std::string text = stack;
  for (const std::string& name :
       {metadata.op_type().empty() ? "" : absl::StrCat(metadata.op_type(), ":"),
        metadata.op_name()}) {
    if (name.empty()) continue;
    text = text.empty() ? QuotedText(name)
                        : absl::StrCat(QuotedText(name), "(", text, ")");
  }
  if (stack.empty() && !metadata.source_file().empty()) {
    const std::string line = LineText(
        metadata.source_file(), metadata.source_line(),
        metadata.source_column(),
        metadata.source_end_line() == 0 ? metadata.source_line()
                                        : metadata.source_end_line(),
        metadata.source_end_column() == 0 ? metadata.source_column()
                                          : metadata.source_end_column());
    text = text.empty() ? line : absl::StrCat("fused[", text, ", ", line, "]");
  }
  return text.empty() ? "" : absl::StrCat(" loc(", AliasOf(text), ")");
}

std::string LocationPrinter::OfArgument(const OpMetadata& metadata) {
  return metadata.op_name().empty()
             ? ""
             : absl::StrCat(" loc(", QuotedText(metadata.op_name()), ")");
}

}  // namespace xla::stablehlo
