// ExplainReport: what the compiler left undone, by line of the source.
#ifndef XLA_TOOLS_EXPLAIN_REPORT_H_
#define XLA_TOOLS_EXPLAIN_REPORT_H_

#include <cstdint>
#include <string>
#include <vector>

#include "xla/backends/compile_report.h"

namespace xla::tools {

// Groups what was missed by line, those lines first that it costs most, and
// prints at most `most` of them, with the reasons of each, the dearest first. A
// program that does not name lines has one group for each op_name, or
// instruction. What costs less than half a nanosecond is printed only if `most`
// is the greatest number there is.
std::string ExplainReport(
    const std::vector<CompileReport::MissedOptimization>& missed, int64_t most);

}  // namespace xla::tools

#endif  // XLA_TOOLS_EXPLAIN_REPORT_H_
