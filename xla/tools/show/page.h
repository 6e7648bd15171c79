// Pages: HTML files that hold their data, style and scripts, and load nothing.
#ifndef XLA_TOOLS_SHOW_PAGE_H_
#define XLA_TOOLS_SHOW_PAGE_H_

#include <string>

#include "absl/strings/string_view.h"

namespace xla::tools {

enum class PageKind { kProgram, kBenchmark };

// Returns a page that shows `json`, which a JsonWriter wrote. `title` is any
// text.
std::string MakePage(PageKind kind, absl::string_view title,
                     absl::string_view json);

}  // namespace xla::tools

#endif  // XLA_TOOLS_SHOW_PAGE_H_
