// Progress: shows on standard error what the command does while it lives.
#ifndef XLA_TOOLS_PROGRESS_PROGRESS_H_
#define XLA_TOOLS_PROGRESS_PROGRESS_H_

#include <memory>
#include <string>

#include "CLI/CLI.hpp"
#include "absl/strings/string_view.h"
#include "xla/base/control/activity.h"

namespace xla::tools {

// The values of --progress: "auto" shows the line if standard error is a
// terminal that can go back in a line, once the work takes two seconds;
// "always" also elsewhere, and from the start; "never" does not.
void AddProgressFlag(CLI::App& command, std::string* mode);

// The work of this thread tells what it does while a Progress lives
// (ActivityScope), and a thread shows it. Its end removes the line, so that it
// must come before other output. One at a time.
class Progress {
 public:
  // Begins with the phase `phase`.
  Progress(absl::string_view mode, absl::string_view phase,
           absl::string_view detail = "");
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

 private:
  class Drawer;

  Activity activity_;
  const ActivityScope scope_;
  const std::unique_ptr<Drawer> drawer_;  // null if nothing is shown
};

}  // namespace xla::tools

#endif  // XLA_TOOLS_PROGRESS_PROGRESS_H_
