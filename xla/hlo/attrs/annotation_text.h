// Text of what any instruction or module may carry besides its attributes:
// metadata, frontend attributes, backend config, statistics, stack frames.
#ifndef XLA_HLO_ATTRS_ANNOTATION_TEXT_H_
#define XLA_HLO_ATTRS_ANNOTATION_TEXT_H_

#include <cstddef>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "xla/base/text_scanner.h"
#include "xla/proto/hlo.pb.h"
#include "xla/proto/xla_data.pb.h"

namespace xla {

// {op_type="a" op_name="b" source_file="f.py" source_line=3 ...}
bool HasMetadataText(const OpMetadata& metadata);
void PrintMetadata(const OpMetadata& metadata, std::string* out);
absl::StatusOr<OpMetadata> ScanMetadata(TextScanner& scanner);

// {a="b",c={"json": 1}}, sorted by name.
void PrintFrontendAttributes(const FrontendAttributes& attributes,
                             std::string* out);
absl::StatusOr<FrontendAttributes> ScanFrontendAttributes(TextScanner& scanner);

// Returns the end of the text in braces that `text` begins with, skipping
// strings; 0 if it does not, or the brace is never closed. Does not skip
// comments, since JSON holds "http://...".
size_t EndOfBraces(absl::string_view text);

// Prints a JSON object as it is, anything else as a quoted string.
void PrintBackendConfig(const std::string& config, std::string* out);
absl::StatusOr<std::string> ScanBackendConfig(TextScanner& scanner);

// {visualizing_index=1,flops=3.5}
void PrintStatistics(const StatisticsViz& statistics, std::string* out);
absl::StatusOr<StatisticsViz> ScanStatistics(TextScanner& scanner);

// Prints the tables FileNames, FunctionNames, FileLocations and StackFrames,
// which stand between the head of a module and its computations; omits empty
// ones.
void PrintStackFrameTables(const StackFrameIndexProto& index, std::string* out);
// Reads those of the tables that come next.
absl::Status ScanStackFrameTables(TextScanner& scanner,
                                  StackFrameIndexProto* index);

}  // namespace xla

#endif  // XLA_HLO_ATTRS_ANNOTATION_TEXT_H_
