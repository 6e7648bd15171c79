// Text of the tables of stack frames: the part of annotation_text.h that only
// debugging uses.
#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "xla/base/status_macros.h"
#include "xla/hlo/attrs/annotation_text.h"
#include "xla/hlo/attrs/codec_text.h"

namespace xla {
namespace {

using Numbers = std::vector<std::pair<absl::string_view, int32_t>>;

void PrintRow(int number, const Numbers& fields, std::string* out) {
  absl::StrAppend(out, number, " ");
  absl::string_view separator = "{";
  for (const auto& [name, value] : fields) {
    absl::StrAppend(out, separator, name, "=", value);
    separator = " ";
  }
  out->append("}\n");
}

template <typename Strings>
void PrintNames(absl::string_view title, const Strings& names,
                std::string* out) {
  absl::StrAppend(out, title, "\n");
  for (int i = 0; i < names.size(); ++i) {
    absl::StrAppend(out, i + 1, " ");
    PrintQuoted(names[i], out);
    out->push_back('\n');
  }
  out->push_back('\n');
}

// Reads {name=1, ...} into `message`, all of whose fields are int32.
absl::Status ScanRow(TextScanner& scanner, google::protobuf::Message* message) {
  TF_RETURN_IF_ERROR(scanner.Consume("{"));
  while (!scanner.TryConsume("}")) {
    const size_t start = scanner.position();
    TF_ASSIGN_OR_RETURN(absl::string_view name, scanner.Name());
    const auto* field =
        message->GetDescriptor()->FindFieldByName(std::string(name));
    if (field == nullptr) {
      return scanner.ErrorAt(start, absl::StrCat("unknown field '", name, "'"));
    }
    TF_RETURN_IF_ERROR(scanner.Consume("="));
    TF_ASSIGN_OR_RETURN(int64_t value, scanner.Int64());
    if (value < 0 || value != static_cast<int32_t>(value)) {
      return scanner.ErrorAt(start, "expected a number from 0 to 2147483647");
    }
    message->GetReflection()->SetInt32(message, field, value);
    scanner.TryConsume(",");
  }
  return absl::OkStatus();
}

// Reads a table of that title if it comes next: rows numbered from 1, each read
// by `scan_row()`.
template <typename Row>
absl::Status ScanTable(TextScanner& scanner, absl::string_view title,
                       const Row& scan_row) {
  const size_t start = scanner.position();
  if (!scanner.TryConsumeWord(title)) return absl::OkStatus();
  // A computation may also have this name.
  const char next = scanner.Peek();
  if (next == '{' || next == '(') {
    scanner.set_position(start);
    return absl::OkStatus();
  }
  for (int64_t row = 1; '0' <= scanner.Peek() && scanner.Peek() <= '9'; ++row) {
    const size_t at = scanner.position();
    TF_ASSIGN_OR_RETURN(int64_t number, scanner.Int64());
    if (number != row) {
      return scanner.ErrorAt(at, absl::StrCat("expected row ", row));
    }
    TF_RETURN_IF_ERROR(scan_row());
  }
  return absl::OkStatus();
}

}  // namespace

void PrintStackFrameTables(const StackFrameIndexProto& index,
                           std::string* out) {
  if (index.stack_frames_size() == 0) return;
  PrintNames("FileNames", index.file_names(), out);
  PrintNames("FunctionNames", index.function_names(), out);
  out->append("FileLocations\n");
  for (int i = 0; i < index.file_locations_size(); ++i) {
    const auto& location = index.file_locations(i);
    PrintRow(i + 1,
             {{"file_name_id", location.file_name_id()},
              {"function_name_id", location.function_name_id()},
              {"line", location.line()},
              {"end_line", location.end_line()},
              {"column", location.column()},
              {"end_column", location.end_column()}},
             out);
  }
  out->append("\nStackFrames\n");
  for (int i = 0; i < index.stack_frames_size(); ++i) {
    const auto& frame = index.stack_frames(i);
    // In text, a frame without a parent names 1, and a frame whose parent is
    // frame n names n + 1.
    const int32_t parent = frame.parent_frame_id();
    PrintRow(
        i + 1,
        {{"file_location_id", frame.file_location_id()},
         {"parent_frame_id",
          parent == std::numeric_limits<int32_t>::max() ? parent : parent + 1}},
        out);
  }
  out->append("\n\n");
}

absl::Status ScanStackFrameTables(TextScanner& scanner,
                                  StackFrameIndexProto* index) {
  TF_RETURN_IF_ERROR(ScanTable(scanner, "FileNames", [&]() -> absl::Status {
    TF_ASSIGN_OR_RETURN(*index->add_file_names(), scanner.QuotedString());
    return absl::OkStatus();
  }));
  TF_RETURN_IF_ERROR(ScanTable(scanner, "FunctionNames", [&]() -> absl::Status {
    TF_ASSIGN_OR_RETURN(*index->add_function_names(), scanner.QuotedString());
    return absl::OkStatus();
  }));
  TF_RETURN_IF_ERROR(ScanTable(scanner, "FileLocations", [&] {
    return ScanRow(scanner, index->add_file_locations());
  }));
  return ScanTable(scanner, "StackFrames", [&]() -> absl::Status {
    auto* frame = index->add_stack_frames();
    TF_RETURN_IF_ERROR(ScanRow(scanner, frame));
    frame->set_parent_frame_id(std::max(0, frame->parent_frame_id() - 1));
    return absl::OkStatus();
  });
}

}  // namespace xla
