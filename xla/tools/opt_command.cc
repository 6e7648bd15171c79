// tessera opt: runs passes over modules and prints the result.
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_split.h"
#include "xla/backends/compile_report.h"
#include "xla/backends/cpu/analysis/cpu_alias_info.h"
#include "xla/backends/cpu/fusion/cpu_fusion_backend.h"
#include "xla/backends/cpu/pipeline.h"
#include "xla/base/status_macros.h"
#include "xla/hlo/transforms/registry.h"
#include "xla/hlo/verifier/hlo_verifier.h"
#include "xla/tools/commands.h"
#include "xla/tools/debugging/bisect.h"
#include "xla/tools/program.h"
#include "xla/tools/progress/interrupts.h"
#include "xla/tools/progress/progress.h"

namespace xla::tools {
namespace {

// A line that starts with this separates the parts of --split-input-file.
constexpr absl::string_view kSeparator = "// -----";

// The smaller programs that --bisect tests by default.
constexpr int64_t kMaxBisectTests = 1000;

struct OptFlags {
  std::string program = "-";
  std::string output = "-";
  std::string passes;
  std::string pipeline;
  bool list_passes = false;
  bool split_input_file = false;
  bool no_verify = false;
  bool time_passes = false;
  bool bisect = false;
  std::string progress;  // of --progress
  ComparisonFlags comparison;
};

absl::Status ListPasses() {
  for (const PassEntry& pass : RegisteredPasses()) {
    std::cout << absl::StreamFormat("%-12s %s\n", pass.name, pass.summary);
  }
  return absl::OkStatus();
}

// Splits a file. Each part starts with as many empty lines as precede it in the
// file, so that errors name lines of the file.
std::vector<std::string> SplitProgram(absl::string_view text) {
  std::vector<std::string> parts(1);
  int line = 0;
  for (absl::string_view text_line : absl::StrSplit(text, '\n')) {
    ++line;
    if (absl::StartsWith(text_line, kSeparator)) {
      parts.emplace_back(line, '\n');
      continue;
    }
    absl::StrAppend(&parts.back(), text_line, "\n");
  }
  return parts;
}

// Runs the passes of --passes, then those of --pipeline.
absl::Status RunFlagPasses(const OptFlags& flags,
                           const HloPassPipeline::Observer& observer,
                           HloModule* module) {
  const cpu::CpuFusionBackend fusion(cpu::HostTarget());
  const cpu::CpuAliasInfo alias_info;
  const PassBackend backend = {&fusion, &alias_info};
  HloPassPipeline pipeline("opt", observer);
  for (absl::string_view name :
       absl::StrSplit(flags.passes, ',', absl::SkipEmpty())) {
    TF_ASSIGN_OR_RETURN(std::unique_ptr<HloPassInterface> pass,
                        MakePass(name, backend));
    pipeline.AddPass(std::move(pass));
  }
  TF_RETURN_IF_ERROR(pipeline.Run(module).status());
  if (flags.pipeline.empty()) return absl::OkStatus();
  return cpu::RunPasses(module, observer);
}

absl::StatusOr<std::string> Optimize(const OptFlags& flags,
                                     absl::string_view text,
                                     std::vector<CompileReport::Pass>& times) {
  TF_ASSIGN_OR_RETURN(std::unique_ptr<HloModule> module,
                      ParseProgram(text, flags.program));
  // Programs may come from between passes.
  const HloVerifier verifier({.allow_entry_buffers = true});
  if (!flags.no_verify) TF_RETURN_IF_ERROR(verifier.Verify(*module));
  Stopwatch clock;
  const auto observer = [&](const HloModule& after, absl::string_view pass,
                            bool changed) {
    times.push_back({std::string(pass), clock.Lap(), changed});
    const absl::Status verified =
        flags.no_verify ? absl::OkStatus() : verifier.Verify(after);
    clock.Lap();
    return verified;
  };
  TF_RETURN_IF_ERROR(RunFlagPasses(flags, observer, module.get()));
  return module->ToString(HloPrintOptions::Lossless());
}

absl::Status RunBisect(const OptFlags& flags) {
  if (!flags.passes.empty() && !flags.pipeline.empty()) {
    return absl::InvalidArgumentError(
        "--bisect looks through --passes or --pipeline, not both");
  }
  if (flags.split_input_file || flags.time_passes || flags.no_verify) {
    return absl::InvalidArgumentError(
        "--bisect takes one program, verifies it, and prints no times");
  }
  return Bisect({.program = flags.program,
                 .passes = flags.passes,
                 .output = flags.output,
                 .comparison = flags.comparison});
}

absl::Status Opt(const OptFlags& flags) {
  if (flags.list_passes) return ListPasses();
  if (flags.bisect) return RunBisect(flags);
  TF_ASSIGN_OR_RETURN(std::string text, ReadFile(flags.program));
  std::optional<Progress> progress(std::in_place, flags.progress, "reading",
                                   flags.program);
  const std::vector<std::string> parts = flags.split_input_file
                                             ? SplitProgram(text)
                                             : std::vector<std::string>{text};
  std::string result;
  std::vector<CompileReport::Pass> times;
  for (size_t i = 0; i < parts.size(); ++i) {
    TF_ASSIGN_OR_RETURN(std::string part, Optimize(flags, parts[i], times));
    absl::StrAppend(&result, i > 0 ? "// -----\n\n" : "", part);
  }
  progress.reset();
  if (flags.time_passes) std::cerr << PassTimesToString(times);
  return WriteFile(flags.output, result);
}

}  // namespace

void AddOptCommand(CLI::App& app, Action* action) {
  auto flags = std::make_shared<OptFlags>();
  CLI::App* command = app.add_subcommand(
      "opt", "Runs passes over HLO, verifying before and after each.");
  command->add_option("program", flags->program,
                      "HLO text or proto; - is standard input");
  command->add_option("-o,--output", flags->output,
                      "Where to write the HLO text; - is standard output");
  command->add_option("--passes", flags->passes,
                      "Names of passes in order, separated by commas");
  command
      ->add_option("--pipeline", flags->pipeline,
                   "Then run all passes of a backend; cpu: those that make a "
                   "module ready for code generation")
      ->check(CLI::IsMember({"cpu"}));
  command->add_flag("--time-passes", flags->time_passes,
                    "Print the time of each pass on standard error");
  command->add_flag("--list-passes", flags->list_passes,
                    "List the passes with a sentence on each");
  command->add_flag("--split-input-file", flags->split_input_file,
                    "Treat parts between lines '// -----' as modules of their "
                    "own");
  command->add_flag("--no-verify", flags->no_verify,
                    "Do not verify the module before and after each pass");
  CLI::Option* const bisect = command->add_flag(
      "--bisect", flags->bisect,
      "Find the pass, and the instruction, that changes what the program "
      "computes, by default among the passes of the CPU and in its native "
      "code; -o gets a small program that shows it. The flags below are for "
      "this");
  AddProgressFlag(*command, &flags->progress);
  AddComparisonFlags(*command, kMaxBisectTests, &flags->comparison);
  for (const char* name : {"--inputs", "--atol", "--rtol", "--seed",
                           "--time-limit", "--max-tests"}) {
    command->get_option(name)->needs(bisect);
  }
  command->callback([=] {
    *action = [=] {
      // Those that --bisect tests are processes of their own, which end with
      // this one.
      if (flags->bisect) return Opt(*flags);
      return RunInterruptibly([&] { return Opt(*flags); });
    };
  });
}

}  // namespace xla::tools
