// tessera show: writes a page that shows a program.
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "xla/backends/partition_module.h"
#include "xla/backends/sharded_literals.h"
#include "xla/base/errors.h"
#include "xla/base/status_macros.h"
#include "xla/tools/commands.h"
#include "xla/tools/compiled_program.h"
#include "xla/tools/program.h"
#include "xla/tools/progress/interrupts.h"
#include "xla/tools/progress/progress.h"
#include "xla/tools/show/measured_events.h"
#include "xla/tools/show/program_page.h"
#include "xla/tools/show/stages.h"

namespace xla::tools {
namespace {

struct ShowFlags {
  ProgramFlags program;
  std::string output;
  std::string trace;
  bool run = false;
  bool stages = false;
  bool uncompiled = false;
};

absl::Status CheckBackend(const ShowFlags& flags) {
  if (flags.program.backend == "cpu") return absl::OkStatus();
  for (const auto& [given, flag] :
       {std::pair(flags.stages, "--stages"), std::pair(flags.run, "--run")}) {
    if (given) {
      return absl::InvalidArgumentError(
          absl::StrCat(flag, " shows passes or thunks of backend cpu; backend ",
                       flags.program.backend, " has none"));
    }
  }
  return absl::OkStatus();
}

absl::StatusOr<std::vector<MeasuredEvent>> ReadTrace(const std::string& path) {
  TF_ASSIGN_OR_RETURN(const std::string json, ReadFile(path));
  absl::StatusOr<std::vector<MeasuredEvent>> events = ParseTrace(json);
  if (events.ok()) return events;
  return AddStatus(events.status(), path);
}

// Compiles the program, and runs it if the flags say so.
absl::Status ShowCompiled(const ShowFlags& flags,
                          std::unique_ptr<HloModule> module, ProgramPage page) {
  std::optional<Progress> progress(std::in_place, flags.program.progress,
                                   "compiling", module->name());
  ProgramStages stages;
  if (flags.stages) {
    TF_ASSIGN_OR_RETURN(const cpu::TargetInfo target, TargetOf(*module));
    const std::unique_ptr<HloModule> copy = module->Clone("");
    TF_RETURN_IF_ERROR(AddCompilerStages(copy.get(), target, stages));
    page.stages = &stages;
  }
  std::vector<std::vector<Literal>> arguments;
  const bool is_sharded = HasShardings(*module);
  if (flags.run) {
    TF_ASSIGN_OR_RETURN(arguments, MakeArguments(flags.program, *module));
  }
  TF_ASSIGN_OR_RETURN(CompiledProgram program,
                      MakeProgramCompiler(flags.program));
  TF_ASSIGN_OR_RETURN(program.executable,
                      program.compiler->Compile(std::move(module)));
  if (flags.run) {
    if (is_sharded) {
      std::vector<const Literal*> whole;
      for (const Literal& argument : arguments[0]) whole.push_back(&argument);
      TF_ASSIGN_OR_RETURN(arguments,
                          SplitArguments(program.executable->module(), whole));
    }
    TF_ASSIGN_OR_RETURN(page.events,
                        MeasureThunks(*program.executable, arguments));
  }
  page.backend = flags.program.backend;
  page.threads = program.pool->num_threads();
  page.executable = program.executable.get();
  page.module = &program.executable->module();
  TF_ASSIGN_OR_RETURN(const std::string html, MakeProgramPage(page));
  progress.reset();
  return WriteFile(flags.output, html);
}

absl::Status Show(const ShowFlags& flags) {
  TF_RETURN_IF_ERROR(CheckBackend(flags));
  TF_RETURN_IF_ERROR(CheckWritable(flags.output));
  TF_ASSIGN_OR_RETURN(std::unique_ptr<HloModule> module,
                      ReadProgram(flags.program));
  ProgramPage page;
  page.program = flags.program.program;
  if (!flags.trace.empty()) {
    TF_ASSIGN_OR_RETURN(page.events, ReadTrace(flags.trace));
  }
  if (!flags.uncompiled) {
    return ShowCompiled(flags, std::move(module), std::move(page));
  }
  page.module = module.get();
  TF_ASSIGN_OR_RETURN(const std::string html, MakeProgramPage(page));
  return WriteFile(flags.output, html);
}

}  // namespace

void AddShowCommand(CLI::App& app, Action* action) {
  auto flags = std::make_shared<ShowFlags>();
  CLI::App* command = app.add_subcommand(
      "show",
      "Writes an HTML page that shows a program: its graph, memory, times and "
      "the stages of its compilation.");
  AddProgramFlags(*command, &flags->program);
  command
      ->add_option("-o,--output", flags->output,
                   "Where to write the page, which needs no other file and no "
                   "network; - is standard output")
      ->required();
  CLI::Option* run =
      command->add_flag("--run", flags->run,
                        "Run the program, and show how long each thunk took");
  CLI::Option* trace =
      command
          ->add_option("--trace", flags->trace,
                       "Show the times of this trace, JSON in Chrome's format "
                       "with an event of category thunk for each thunk")
          ->excludes(run);
  CLI::Option* stages = command->add_flag(
      "--stages", flags->stages,
      "Add the program after each pass that changes it, to compare any two");
  CLI::Option* uncompiled = command->add_flag(
      "--uncompiled", flags->uncompiled,
      "Show the program as it is given, without memory, times and thunks, "
      "which only the compiled one has");
  uncompiled->excludes(run)->excludes(trace)->excludes(stages);
  for (const char* name : {"--backend", "--threads", "--dump-to"}) {
    uncompiled->excludes(command->get_option(name));
  }
  for (const char* name : {"--inputs", "--seed"}) {
    command->get_option(name)->needs(run);
  }
  command->callback([=] {
    *action = [=] { return RunInterruptibly([&] { return Show(*flags); }); };
  });
}

}  // namespace xla::tools
