// Reports on a compiled program, as text.
#ifndef XLA_TOOLS_REPORTS_H_
#define XLA_TOOLS_REPORTS_H_

#include <string>

#include "absl/status/statusor.h"
#include "xla/backends/compiler.h"
#include "xla/hlo/ir/hlo_module.h"

namespace xla::tools {

// Lines of arithmetic and traffic, memory, compile phases, predicted times and
// thunks.
absl::StatusOr<std::string> ExecutableReport(const Executable& executable);

// A line about the cache of the compiler; empty if there is none.
std::string CacheReport(const Compiler& compiler);

// A line for each copy that the compiler had to add, with its size and the
// reason; if there are none, one line that says so.
std::string CopiesReport(const HloModule& module);

// Lines about the memory that a run needs on each device.
std::string MemoryReport(const Executable::MemoryStats& stats);

// Prints "1.50 MB", in powers of 1000.
std::string BytesText(double bytes);

}  // namespace xla::tools

#endif  // XLA_TOOLS_REPORTS_H_
