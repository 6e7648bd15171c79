// Pieces of attribute text that the codecs share.
#ifndef XLA_HLO_ATTRS_CODEC_TEXT_H_
#define XLA_HLO_ATTRS_CODEC_TEXT_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "google/protobuf/descriptor.h"
#include "xla/base/text_scanner.h"
#include "xla/proto/hlo.pb.h"

namespace xla {

// Appends ", name=".
void PrintAttrName(std::string_view name, std::string* out);
// Appends "1,2,3".
void PrintInts(absl::Span<const int64_t> values, std::string* out);
// {1,2,3}
void PrintIntList(absl::Span<const int64_t> values, std::string* out);
absl::StatusOr<std::vector<int64_t>> ScanIntList(TextScanner& scanner);
// Reads "{" item "," item ... "}" with `scan_item()` returning a Status.
template <typename ScanItem>
absl::Status ScanBraced(TextScanner& scanner, const ScanItem& scan_item) {
  absl::Status status = scanner.Consume("{");
  if (!status.ok() || scanner.TryConsume("}")) return status;
  do {
    status = scan_item();
    if (!status.ok()) return status;
  } while (scanner.TryConsume(","));
  return scanner.Consume("}");
}
// Reads ints joined by `separator`, as in 3x3 or 1_2_0.
absl::StatusOr<std::vector<int64_t>> ScanJoinedInts(TextScanner& scanner,
                                                    char separator);
// "a b\n" as \"a b\\n\" with quotes and C escapes.
void PrintQuoted(absl::string_view text, std::string* out);

// Returns the field of HloInstructionProto of that name (CHECK: it exists).
const google::protobuf::FieldDescriptor* InstructionField(
    std::string_view proto_name);

inline absl::string_view ToAbsl(std::string_view s) {
  return absl::string_view(s.data(), s.size());
}

}  // namespace xla

#endif  // XLA_HLO_ATTRS_CODEC_TEXT_H_
