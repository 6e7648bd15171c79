// ProgressDisplay: a line on a terminal that tells what a command does, written
// again and again in the same place.
#ifndef XLA_TOOLS_PROGRESS_PROGRESS_DISPLAY_H_
#define XLA_TOOLS_PROGRESS_PROGRESS_DISPLAY_H_

#include <cstdint>
#include <functional>
#include <string>

#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "xla/base/control/activity.h"

namespace xla::tools {

// Returns "passes: algsimp, 1200 instructions, 310 MiB, 12 s": the phase with
// its detail and steps, the program's instructions if they are known, the
// memory of the process unless `resident_bytes` is negative, and the time. It
// is ASCII, and cut after `columns` characters.
std::string ProgressText(const Activity::State& state, int64_t resident_bytes,
                         absl::Duration elapsed, int columns);

// Not thread safe, except that `activity` may change at any time.
class ProgressDisplay {
 public:
  struct Options {
    // How long the work may take before the line appears.
    absl::Duration delay = absl::Seconds(2);
    std::function<absl::Time()> clock;
    std::function<void(absl::string_view)> write;  // on the terminal
    std::function<int64_t()> resident_bytes;       // negative: not known
    std::function<int()> columns;                  // of the terminal
  };

  // The work, which `activity` describes, begins now.
  ProgressDisplay(const Activity* activity, Options options)
      : activity_(activity),
        options_(std::move(options)),
        begin_(options_.clock()) {}
  ~ProgressDisplay() { Erase(); }
  ProgressDisplay(const ProgressDisplay&) = delete;
  ProgressDisplay& operator=(const ProgressDisplay&) = delete;

  // Writes the line if the work has taken so long and there is something to
  // say, which may have changed or not.
  void Update();
  // Removes the line, if there is one, so that other output can begin there.
  void Erase();

 private:
  const Activity* const activity_;
  const Options options_;
  const absl::Time begin_;
  bool shown_ = false;
};

}  // namespace xla::tools

#endif  // XLA_TOOLS_PROGRESS_PROGRESS_DISPLAY_H_
