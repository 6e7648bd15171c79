// Turns flags into modules, arguments and compilers.
#include "xla/tools/compiled_program.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "xla/backends/partition_module.h"
#include "xla/base/errors.h"
#include "xla/base/status_macros.h"
#include "xla/client/debug/debug_options_flags.h"
#include "xla/tools/arrays.h"
#include "xla/tools/number_flags.h"
#include "xla/tools/program.h"
#include "xla/tools/progress/progress.h"

namespace xla::tools {

void AddProgramFlags(CLI::App& command, ProgramFlags* flags) {
  command
      .add_option("program", flags->program,
                  "HLO text or HloModuleProto, StableHLO text or artifact, "
                  "told apart by content; - is standard input")
      ->required();
  command.add_option("--inputs", flags->inputs,
                     ".npz file with the arguments as arg0, arg1, ..., tuples "
                     "flattened; r<k>_arg<i> is for replica k alone. Random "
                     "arguments if not given");
  command
      .add_option("--backend", flags->backend,
                  "cpu: native code; evaluator: the reference, plain loops")
      ->check(CLI::IsMember(CompilerNames()));
  command
      .add_option("--replicas", flags->replicas,
                  "Run so many replicas in lock step; by default as many as "
                  "the module says")
      ->check(IntegerFlag(1, 1024));
  command
      .add_option("--devices", flags->devices,
                  "Run over so many partitions; by default as many as the "
                  "module says. Where it has shardings, arguments and results "
                  "are whole arrays")
      ->check(IntegerFlag(1, 1024));
  command
      .add_option("--threads", flags->threads,
                  "Run on so many threads; by default TESSERA_NUM_THREADS, "
                  "else one for each CPU that the process may use")
      ->check(IntegerFlag(1, 1024));
  command
      .add_option("--seed", flags->seed,
                  "Seed of random arguments and of rng ops")
      ->check(SeedFlag());
  command.add_option("--cache-dir", flags->cache_dir,
                     "Keep compiled programs in this folder, and look for them "
                     "there, instead of TESSERA_CACHE_DIR");
  command.add_option("--dump-to", flags->dump_to,
                     "Write HLO after each pass that changes it, buffers, "
                     "LLVM IR, assembly and thunks to this folder");
  AddProgressFlag(command, &flags->progress);
}

absl::StatusOr<std::unique_ptr<HloModule>> ReadProgram(
    const ProgramFlags& flags) {
  TF_ASSIGN_OR_RETURN(std::unique_ptr<HloModule> module,
                      ReadProgram(flags.program));
  HloModuleConfig& config = module->mutable_config();
  if (flags.replicas > 0) config.set_replica_count(flags.replicas);
  if (flags.devices > 0 && config.num_partitions() == 1) {
    config.set_num_partitions(flags.devices);
  } else if (flags.devices > 0 && config.num_partitions() != flags.devices) {
    return absl::InvalidArgumentError(
        absl::StrCat("--devices=", flags.devices, ": the program has ",
                     config.num_partitions(), " partitions"));
  }
  config.set_debug_options(GetDebugOptionsFromFlags());
  if (!flags.dump_to.empty()) {
    config.mutable_debug_options().set_xla_dump_to(flags.dump_to);
    if (config.debug_options().xla_dump_hlo_pass_re().empty()) {
      config.mutable_debug_options().set_xla_dump_hlo_pass_re(".*");
    }
  }
  return module;
}

absl::StatusOr<std::vector<std::vector<Literal>>> MakeArguments(
    const ProgramFlags& flags, const HloModule& module) {
  const HloModuleConfig& config = module.config();
  const int64_t devices = config.replica_count() *
                          (HasShardings(module) ? 1 : config.num_partitions());
  std::vector<Shape> parameters;
  for (const HloInstruction* parameter :
       module.entry_computation()->parameter_instructions()) {
    parameters.push_back(parameter->shape());
  }
  if (parameters.empty()) {
    return std::vector<std::vector<Literal>>(devices);
  }
  if (flags.inputs.empty()) {
    return RandomArguments(parameters, devices, flags.seed);
  }
  TF_ASSIGN_OR_RETURN(std::string npz, ReadFile(flags.inputs));
  absl::StatusOr<std::vector<std::vector<Literal>>> arguments =
      ArgumentsFromNpz(npz, parameters, devices);
  if (arguments.ok()) return arguments;
  return AddStatus(arguments.status(), flags.inputs);
}

absl::StatusOr<CompiledProgram> MakeProgramCompiler(const ProgramFlags& flags) {
  if (!flags.cache_dir.value_or("").empty() && flags.backend != "cpu") {
    return absl::InvalidArgumentError(absl::StrCat(
        "--cache-dir: backend ", flags.backend, " compiles nothing to keep"));
  }
  CompiledProgram program;
  program.pool = std::make_unique<ThreadPool>(
      flags.threads > 0 ? flags.threads : DefaultThreadCount());
  TF_ASSIGN_OR_RETURN(
      program.compiler,
      MakeCompiler(flags.backend,
                   {.runner = program.pool.get(), .pool = program.pool.get()},
                   {.folder = flags.cache_dir}));
  return program;
}

}  // namespace xla::tools
