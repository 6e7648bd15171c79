// Puts pages together.
#include "xla/tools/show/page.h"

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "xla/tools/show/assets.h"

namespace xla::tools {
namespace {

// Pages need nothing from outside, and this lets them get nothing.
constexpr absl::string_view kPolicy =
    "default-src 'none'; style-src 'unsafe-inline'; script-src "
    "'unsafe-inline'; img-src data:";

std::string EscapeHtml(absl::string_view text) {
  return absl::StrReplaceAll(
      text, {{"&", "&amp;"}, {"<", "&lt;"}, {">", "&gt;"}, {"\"", "&quot;"}});
}

// All texts with this ending. Scripts define functions and classes, which may
// use each other in any order.
std::string Joined(absl::string_view ending) {
  std::string text;
  for (const Asset& asset : Assets()) {
    if (absl::EndsWith(asset.name, ending)) absl::StrAppend(&text, asset.text);
  }
  return text;
}

}  // namespace

std::string MakePage(PageKind kind, absl::string_view title,
                     absl::string_view json) {
  const absl::string_view start =
      kind == PageKind::kProgram ? "startProgramPage" : "startBenchmarkPage";
  return absl::StrCat(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"",
      kPolicy, "\">\n<title>", EscapeHtml(title), "</title>\n<style>\n",
      Joined(".css"), "</style>\n</head>\n<body>\n",
      "<noscript>This page needs JavaScript.</noscript>\n",
      "<script type=\"application/json\" id=\"data\">", json, "</script>\n",
      "<script>\n\"use strict\";\n(() => {\n", Joined(".js"), start,
      "(JSON.parse(document.getElementById(\"data\").textContent));\n",
      "})();\n</script>\n</body>\n</html>\n");
}

}  // namespace xla::tools
