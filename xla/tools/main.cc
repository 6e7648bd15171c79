// The `tessera` command. Exit codes: 0 for success, 1 for a program that is
// wrong, fails or gives unexpected results, 2 for a wrong command line, 130 for
// a command that Ctrl-C cancelled.
#include <iostream>

#include "CLI/CLI.hpp"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "xla/base/version.h"
#include "xla/tools/commands.h"
#include "xla/tools/progress/interrupts.h"

int main(int argc, char** argv) {
  CLI::App app("Runs, checks and translates tensor programs.", "tessera");
  app.require_subcommand(1);
  app.set_version_flag("--version",
                       absl::StrCat("tessera ", xla::TesseraVersion()),
                       "Print the version and exit");
  app.set_help_all_flag("--help-all", "Help for all subcommands");
  xla::tools::Action action;
  xla::tools::AddRunCommand(app, &action);
  xla::tools::AddBenchCommand(app, &action);
  xla::tools::AddCompileCommand(app, &action);
  xla::tools::AddShowCommand(app, &action);
  xla::tools::AddOptCommand(app, &action);
  xla::tools::AddReduceCommand(app, &action);
  xla::tools::AddTranslateCommand(app, &action);
  xla::tools::AddDocsCommand(app, &action);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  absl::Status status = action();
  std::cout << std::flush;
  if (status.ok() && !std::cout) {
    status = absl::DataLossError("cannot write all of the standard output");
  }
  if (!status.ok()) {
    const bool cancelled = xla::tools::WasInterrupted();
    std::cerr << "tessera: " << (cancelled ? "cancelled: " : "")
              << status.message() << "\n";
    return cancelled ? xla::tools::kInterruptedStatus : 1;
  }
  return 0;
}
