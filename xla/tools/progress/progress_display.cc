// Composes and writes the line.
#include "xla/tools/progress/progress_display.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"

namespace xla::tools {
namespace {

// To the beginning of the line, which becomes empty.
constexpr absl::string_view kClear = "\r\x1b[2K";

}  // namespace

std::string ProgressText(const Activity::State& state, int64_t resident_bytes,
                         absl::Duration elapsed, int columns) {
  std::string text = state.phase;
  if (!state.detail.empty()) absl::StrAppend(&text, ": ", state.detail);
  if (state.steps > 0) {
    absl::StrAppend(&text, ", ", state.done, " of ", state.steps);
  } else if (state.done > 0) {
    absl::StrAppend(&text, ", ", state.done, " steps");
  }
  if (state.instructions >= 0) {
    absl::StrAppend(&text, ", ", state.instructions, " instructions");
  }
  if (resident_bytes >= 0) {
    absl::StrAppend(&text, ", ", resident_bytes >> 20, " MiB");
  }
  absl::StrAppend(&text, ", ", absl::ToInt64Seconds(elapsed), " s");
  if (static_cast<int64_t>(text.size()) > columns) {
    text.resize(std::max(columns, 0));
  }
  // Names come from the program.
  for (char& c : text) {
    if (c < ' ' || c > '~') c = '?';
  }
  return text;
}

void ProgressDisplay::Update() {
  const absl::Duration elapsed = options_.clock() - begin_;
  if (elapsed < options_.delay) return;
  const Activity::State state = activity_->Get();
  if (state.phase.empty()) return;
  // A line that fills the last column would continue in the next line.
  const std::string text = ProgressText(state, options_.resident_bytes(),
                                        elapsed, options_.columns() - 1);
  options_.write(absl::StrCat(kClear, text));
  shown_ = true;
}

void ProgressDisplay::Erase() {
  if (!std::exchange(shown_, false)) return;
  options_.write(kClear);
}

}  // namespace xla::tools
