// Printing and scanning of the pieces that attribute texts are made of.
#include "xla/hlo/attrs/codec_text.h"

#include <charconv>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "xla/base/logging.h"
#include "xla/base/status_macros.h"

namespace xla {

void PrintAttrName(std::string_view name, std::string* out) {
  out->append(", ");
  out->append(name);
  out->push_back('=');
}

void PrintInts(absl::Span<const int64_t> values, std::string* out) {
  for (size_t i = 0; i < values.size(); ++i) {
    if (i > 0) out->push_back(',');
    absl::StrAppend(out, values[i]);
  }
}

void PrintIntList(absl::Span<const int64_t> values, std::string* out) {
  out->push_back('{');
  PrintInts(values, out);
  out->push_back('}');
}

absl::StatusOr<std::vector<int64_t>> ScanIntList(TextScanner& scanner) {
  std::vector<int64_t> values;
  TF_RETURN_IF_ERROR(ScanBraced(scanner, [&]() -> absl::Status {
    TF_ASSIGN_OR_RETURN(int64_t value, scanner.Int64());
    values.push_back(value);
    return absl::OkStatus();
  }));
  return values;
}

absl::StatusOr<std::vector<int64_t>> ScanJoinedInts(TextScanner& scanner,
                                                    char separator) {
  scanner.Peek();  // skips white space
  const size_t start = scanner.position();
  absl::string_view text = scanner.text();
  size_t end = start;
  std::vector<int64_t> values;
  while (true) {
    int64_t value = 0;
    auto [p, error] =
        std::from_chars(text.data() + end, text.data() + text.size(), value);
    if (error != std::errc()) {
      return scanner.ErrorAt(
          end, absl::StrCat("expected an integer, as in 1",
                            absl::string_view(&separator, 1), "2"));
    }
    values.push_back(value);
    end = p - text.data();
    if (end >= text.size() || text[end] != separator) break;
    ++end;
  }
  scanner.set_position(end);
  return values;
}

void PrintQuoted(absl::string_view text, std::string* out) {
  absl::StrAppend(out, "\"", absl::CEscape(text), "\"");
}

const google::protobuf::FieldDescriptor* InstructionField(
    std::string_view proto_name) {
  const auto* field = HloInstructionProto::descriptor()->FindFieldByName(
      std::string(proto_name));
  CHECK(field != nullptr) << "no proto field " << std::string(proto_name);
  return field;
}

}  // namespace xla
