// tessera compile: writes a program as an object file that runs without the
// compiler.
#include <cstdlib>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "xla/backends/cpu/aot/aot_compiler.h"
#include "xla/backends/cpu/aot/aot_target.h"
#include "xla/base/cpu_isa.h"
#include "xla/base/status_macros.h"
#include "xla/runtime/cpu_count.h"
#include "xla/runtime/thread_pool.h"
#include "xla/tools/aot/shared_object.h"
#include "xla/tools/commands.h"
#include "xla/tools/compiled_program.h"
#include "xla/tools/program.h"

namespace xla::tools {
namespace {

struct CompileFlags {
  std::string program;
  std::string object;
  std::string header;
  std::string shared;
  std::string constants;
  std::string name;
  std::string runtime;
  std::string linker;
  std::vector<std::string> isas = {"native"};
  int max_threads = 1;
};

// The name of the object or library without folders and ending.
std::string DefaultName(const CompileFlags& flags) {
  const std::string& path = !flags.object.empty() ? flags.object : flags.shared;
  return std::filesystem::path(path).stem().string();
}

absl::StatusOr<std::vector<cpu::TargetInfo>> Targets(
    const CompileFlags& flags, const DebugOptions& debug_options) {
  std::vector<cpu::TargetInfo> targets;
  for (const std::string& name : flags.isas) {
    TF_ASSIGN_OR_RETURN(targets.emplace_back(), cpu::aot::AotTarget(name));
    if (name != "native") continue;
    TF_ASSIGN_OR_RETURN(const std::optional<CpuIsa> limit,
                        ParseCpuIsa(debug_options.xla_cpu_max_isa()));
    if (!limit.has_value()) continue;
    TF_ASSIGN_OR_RETURN(targets.back(),
                        cpu::LimitIsa(std::move(targets.back()), *limit));
  }
  return targets;
}

// Two results in one file would leave the later one alone.
absl::Status CheckPaths(const CompileFlags& flags) {
  std::map<std::filesystem::path, absl::string_view> flag_of;
  const std::pair<absl::string_view, const std::string*> paths[] = {
      {"-o", &flags.object},
      {"--header", &flags.header},
      {"--shared", &flags.shared},
      {"--constants", &flags.constants}};
  for (const auto& [flag, path] : paths) {
    if (path->empty()) continue;
    const auto [it, added] = flag_of.try_emplace(
        std::filesystem::path(*path).lexically_normal(), flag);
    if (!added) {
      return absl::InvalidArgumentError(
          absl::StrCat(it->second, " and ", flag, " are one file, ", *path));
    }
  }
  return absl::OkStatus();
}

// The runtime beside this command and the usual linker are for its own
// architecture.
absl::Status CheckLinker(const CompileFlags& flags,
                         const cpu::TargetInfo& target) {
  const char* const given = std::getenv("CC");
  const bool has_linker =
      !flags.linker.empty() || (given != nullptr && *given != '\0');
  if (flags.shared.empty() ||
      target.is_aarch64 == cpu::HostTarget().is_aarch64 ||
      (has_linker && !flags.runtime.empty())) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(
      absl::StrCat("--shared for ", target.triple,
                   " needs --linker, a C compiler for it, and --runtime, its "
                   "libtessera_aot.a"));
}

absl::Status Compile(const CompileFlags& flags) {
  if (flags.object.empty() && flags.shared.empty()) {
    return absl::InvalidArgumentError(
        "say where the program goes: -o net.o, --shared net.so, or both");
  }
  TF_RETURN_IF_ERROR(CheckPaths(flags));
  ProgramFlags program_flags;
  program_flags.program = flags.program;
  TF_ASSIGN_OR_RETURN(const std::unique_ptr<HloModule> module,
                      ReadProgram(program_flags));
  ThreadPool pool(DefaultThreadCount());
  cpu::aot::AotOptions options;
  options.name = flags.name.empty() ? DefaultName(flags) : flags.name;
  TF_ASSIGN_OR_RETURN(options.targets,
                      Targets(flags, module->config().debug_options()));
  TF_RETURN_IF_ERROR(CheckLinker(flags, options.targets[0]));
  options.max_threads = flags.max_threads;
  options.constants_apart = !flags.constants.empty();
  options.runner = &pool;
  TF_ASSIGN_OR_RETURN(const cpu::aot::AotProgram program,
                      cpu::aot::CompileAheadOfTime(*module, options));
  if (!flags.constants.empty()) {
    TF_RETURN_IF_ERROR(WriteFile(flags.constants, program.constants));
  }
  if (!flags.object.empty()) {
    TF_RETURN_IF_ERROR(WriteFile(flags.object, program.object));
  }
  if (!flags.header.empty()) {
    TF_RETURN_IF_ERROR(WriteFile(
        flags.header,
        cpu::aot::AotHeader(
            program, options,
            std::filesystem::path(flags.program).filename().string())));
  }
  if (!flags.shared.empty()) {
    SharedObjectOptions link;
    link.program = options.name;
    link.linker = flags.linker;
    link.runtime = flags.runtime;
    return LinkSharedObject(program.object, link, flags.shared);
  }
  return absl::OkStatus();
}

}  // namespace

void AddCompileCommand(CLI::App& app, Action* action) {
  const auto flags = std::make_shared<CompileFlags>();
  CLI::App* command = app.add_subcommand(
      "compile",
      "Compile a program ahead of time, to an object file or shared library "
      "that runs without the compiler");
  command->add_option("program", flags->program, "HLO or StableHLO")
      ->required();
  command->add_option("-o,--object", flags->object, "Write the object file");
  command->add_option(
      "--header", flags->header,
      "Write the C header of the object file or shared library");
  command->add_option("--shared", flags->shared,
                      "Write a shared library, which includes the runtime");
  command->add_option("--constants", flags->constants,
                      "Write constants to this file instead of the object");
  command->add_option("--name", flags->name,
                      "What exported names begin with, a C identifier; "
                      "otherwise the name of the object file or "
                      "shared library");
  command
      ->add_option("--isa", flags->isas,
                   "Processors to have code for, of which a run takes the best "
                   "that fits: native, x86-64-v3, AVX512, armv8-a, "
                   "neoverse-v1, ...")
      ->delimiter(',');
  command
      ->add_option("--max-threads", flags->max_threads,
                   "The most threads that run the program, for the size of "
                   "its arena")
      ->check(CLI::Range(1, 1024));
  command->add_option("--linker", flags->linker,
                      "The C compiler that links --shared; otherwise $CC, or "
                      "cc");
  command->add_option("--runtime", flags->runtime,
                      "The libtessera_aot.a for --shared, if it is not beside "
                      "this command");
  command->callback([=] { *action = [flags] { return Compile(*flags); }; });
}

}  // namespace xla::tools
