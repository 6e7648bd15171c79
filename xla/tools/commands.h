// The subcommands of `tessera`. Each adds itself with its flags to the command
// line, from where it runs.
#ifndef XLA_TOOLS_COMMANDS_H_
#define XLA_TOOLS_COMMANDS_H_

#include <functional>

#include "CLI/CLI.hpp"
#include "absl/status/status.h"

namespace xla::tools {

// What the chosen subcommand does after its flags are parsed.
using Action = std::function<absl::Status()>;

// `action` is set when the subcommand is on the command line.
void AddRunCommand(CLI::App& app, Action* action);
void AddBenchCommand(CLI::App& app, Action* action);
void AddCompileCommand(CLI::App& app, Action* action);
void AddShowCommand(CLI::App& app, Action* action);
void AddOptCommand(CLI::App& app, Action* action);
void AddReduceCommand(CLI::App& app, Action* action);
void AddTranslateCommand(CLI::App& app, Action* action);
void AddDocsCommand(CLI::App& app, Action* action);

}  // namespace xla::tools

#endif  // XLA_TOOLS_COMMANDS_H_
