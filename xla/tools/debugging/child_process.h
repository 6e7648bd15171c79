// Work in child processes, so that a crash or an endless loop ends that process
// alone.
#ifndef XLA_TOOLS_DEBUGGING_CHILD_PROCESS_H_
#define XLA_TOOLS_DEBUGGING_CHILD_PROCESS_H_

#include <string>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"

namespace xla::tools {

struct ChildResult {
  enum class End {
    kReturned,   // by itself
    kCrashed,    // by a signal, or by an exit that it did not ask for
    kTimeLimit,  // it was killed
  };
  End end = End::kReturned;
  int exit_code = 0;   // of kReturned
  std::string result;  // what the work returned, or standard output
  std::string errors;  // the last part of standard error
  std::string signal;  // of kCrashed: "Aborted", or "exit code 3"
};

// Calls `work` in a copy of this process, which may have no other threads while
// it is copied. Its standard output is dropped. A child that takes longer than
// `seconds` of wall time is killed with its own children; 0 is no limit. So is
// it if SIGINT, SIGTERM or SIGHUP ends this process meanwhile. One child at a
// time in a process.
// Errors: those of the system when it makes a process.
absl::StatusOr<ChildResult> CallInChild(absl::FunctionRef<std::string()> work,
                                        double seconds);

// Runs `command` with /bin/sh, with these variables added to the environment.
absl::StatusOr<ChildResult> RunShellCommand(
    const std::string& command,
    const std::vector<std::pair<std::string, std::string>>& variables,
    double seconds);

}  // namespace xla::tools

#endif  // XLA_TOOLS_DEBUGGING_CHILD_PROCESS_H_
