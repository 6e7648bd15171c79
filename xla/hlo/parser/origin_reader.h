// Reads where values come from: original values of instructions, and the table
// of a module that says how to recover them.
#ifndef XLA_HLO_PARSER_ORIGIN_READER_H_
#define XLA_HLO_PARSER_ORIGIN_READER_H_

#include "absl/status/statusor.h"
#include "xla/base/text_scanner.h"
#include "xla/hlo/ir/debug/hlo_original_value.h"
#include "xla/hlo/ir/debug/original_value_recovery_table.h"

namespace xla {

// {({"x"}, {"y" {1}})}, {[synthetic_call]}, or {} for the empty tuple.
absl::StatusOr<OriginalValue> ScanOriginalValue(TextScanner& scanner);

// { {"a"} : {"b" {1}}, "the text of a module" {"c"} : {"d"} }. Of two entries
// for one array, the first one counts.
absl::StatusOr<OriginalValueRecoveryTable> ScanOriginalValueRecoveryTable(
    TextScanner& scanner);

}  // namespace xla

#endif  // XLA_HLO_PARSER_ORIGIN_READER_H_
