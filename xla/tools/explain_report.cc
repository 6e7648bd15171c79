// Sums costs by line.
#include "xla/tools/explain_report.h"

#include <algorithm>
#include <limits>
#include <map>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "xla/tools/reports.h"

namespace xla::tools {
namespace {

using Missed = CompileReport::MissedOptimization;

struct Line {
  std::string place;
  double nanoseconds = 0;
  std::vector<const Missed*> missed;  // dearest first
};

std::string PlaceOf(const Missed& missed) {
  if (!missed.source_line.empty()) return missed.source_line;
  if (!missed.op_name.empty()) return missed.op_name;
  return missed.instruction;
}

std::vector<Line> LinesOf(const std::vector<Missed>& missed,
                          double least_nanoseconds) {
  std::vector<Line> lines;
  std::map<std::string, size_t> numbers;
  for (const Missed& one : missed) {
    if (one.nanoseconds < least_nanoseconds) continue;
    const auto [at, is_new] = numbers.insert({PlaceOf(one), lines.size()});
    if (is_new) lines.emplace_back().place = at->first;
    Line& line = lines[at->second];
    line.nanoseconds += one.nanoseconds;
    line.missed.push_back(&one);
  }
  std::stable_sort(lines.begin(), lines.end(),
                   [](const Line& a, const Line& b) {
                     return a.nanoseconds > b.nanoseconds;
                   });
  return lines;
}

std::string Text(const Missed& missed) {
  std::string text =
      absl::StrFormat("  %s, %.3f us: %s", missed.kind,
                      missed.nanoseconds * 1e-3, missed.instruction);
  if (missed.bytes > 0) {
    absl::StrAppend(&text, ", ", BytesText(missed.bytes));
  }
  absl::StrAppend(&text, "\n    ", missed.reason, "\n");
  if (!missed.advice.empty()) {
    absl::StrAppend(&text, "    advice: ", missed.advice, "\n");
  }
  return text;
}

}  // namespace

std::string ExplainReport(
    const std::vector<CompileReport::MissedOptimization>& missed,
    int64_t most) {
  if (missed.empty()) {
    return "explain: all is fused, in place and vectorized\n";
  }
  // Less would be printed as 0.000 us.
  const double least_nanoseconds =
      most == std::numeric_limits<int64_t>::max() ? 0 : 0.5;
  const auto is_left_out = [&](const Missed& one) {
    return one.nanoseconds < least_nanoseconds;
  };
  const auto left_out =
      std::count_if(missed.begin(), missed.end(), is_left_out);
  std::string text;
  const std::vector<Line> lines = LinesOf(missed, least_nanoseconds);
  if (lines.empty()) {
    text = "explain: all that takes time is fused, in place and vectorized\n";
  }
  for (size_t i = 0; i < lines.size(); ++i) {
    if (static_cast<int64_t>(i) == most) {
      absl::StrAppend(&text, lines.size() - i,
                      " lines that cost less are left out; --explain=all "
                      "prints them\n");
      break;
    }
    const Line& line = lines[i];
    absl::StrAppend(&text, line.place, ": ",
                    absl::StrFormat("%.3f us", line.nanoseconds * 1e-3), "\n");
    for (const Missed* one : line.missed) text += Text(*one);
  }
  if (left_out > 0) {
    absl::StrAppend(&text, left_out, left_out == 1 ? " reason" : " reasons",
                    " of less than a nanosecond left out; --explain=all "
                    "prints them\n");
  }
  return text;
}

}  // namespace xla::tools
