// The style sheet and the scripts of pages, which the build copies from
// xla/tools/show/page into the program.
#ifndef XLA_TOOLS_SHOW_ASSETS_H_
#define XLA_TOOLS_SHOW_ASSETS_H_

#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace xla::tools {

struct Asset {
  absl::string_view name;  // "page.css"
  absl::string_view text;
};

// All of them, in the order of their names. cmake/TesseraAssets.cmake makes the
// definition.
absl::Span<const Asset> Assets();

}  // namespace xla::tools

#endif  // XLA_TOOLS_SHOW_ASSETS_H_
