// tessera translate: converts between HLO text, protos and StableHLO.
#include <memory>
#include <string>

#include "xla/base/status_macros.h"
#include "xla/hlo/verifier/hlo_verifier.h"
#include "xla/program/program_bytes.h"
#include "xla/stablehlo/stablehlo.h"
#include "xla/tools/commands.h"
#include "xla/tools/program.h"

namespace xla::tools {
namespace {

struct TranslateFlags {
  std::string program;
  std::string output = "-";
  std::string to;
  bool no_verify = false;
  bool print_locations = false;
};

absl::StatusOr<std::string> ToProtoBytes(const HloModule& module) {
  std::string bytes;
  if (!module.ToProto().SerializeToString(&bytes)) {
    return absl::InternalError("the module is too large for a proto");
  }
  return bytes;
}

absl::Status Translate(const TranslateFlags& flags) {
  TF_ASSIGN_OR_RETURN(std::string bytes, ReadFile(flags.program));
  TF_ASSIGN_OR_RETURN(std::unique_ptr<HloModule> module,
                      ParseProgram(bytes, flags.program));
  if (!flags.no_verify) TF_RETURN_IF_ERROR(HloVerifier().Verify(*module));
  std::string to = flags.to;
  if (flags.print_locations && to != "stablehlo") {
    return absl::InvalidArgumentError(
        "--mlir-print-debuginfo is for --to=stablehlo");
  }
  if (to.empty()) {
    to = DetectFormat(bytes) == ProgramFormat::kHloText ? "proto" : "text";
  }
  std::string translated;
  if (to == "proto") {
    TF_ASSIGN_OR_RETURN(translated, ToProtoBytes(*module));
  } else if (to == "stablehlo") {
    TF_ASSIGN_OR_RETURN(
        translated, stablehlo::PrintModule(
                        *module, {.print_locations = flags.print_locations}));
  } else {
    translated = module->ToString(HloPrintOptions::Lossless());
  }
  return WriteFile(flags.output, translated);
}

}  // namespace

void AddTranslateCommand(CLI::App& app, Action* action) {
  auto flags = std::make_shared<TranslateFlags>();
  CLI::App* command = app.add_subcommand(
      "translate", "Translates a program to HLO text, proto or StableHLO.");
  command
      ->add_option("program", flags->program,
                   "HLO text or HloModuleProto, StableHLO text or artifact, "
                   "told apart by content")
      ->required();
  command->add_option("-o,--output", flags->output,
                      "Where to write; - is standard output");
  command
      ->add_option("--to", flags->to,
                   "Form to write: HLO text, proto, or stablehlo text; by "
                   "default text, or proto if the input is HLO text")
      ->check(CLI::IsMember({"text", "proto", "stablehlo"}));
  command->add_flag("--no-verify", flags->no_verify,
                    "Do not check that the module is well formed");
  command->add_flag("--mlir-print-debuginfo", flags->print_locations,
                    "Print metadata as locations, loc(...), in stablehlo text");
  command->callback([=] { *action = [=] { return Translate(*flags); }; });
}

}  // namespace xla::tools
