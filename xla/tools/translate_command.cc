// tessera translate: from HLO text to proto and back.
#include <memory>
#include <string>

#include "xla/base/status_macros.h"
#include "xla/hlo/verifier/hlo_verifier.h"
#include "xla/tools/commands.h"
#include "xla/tools/program.h"

namespace xla::tools {
namespace {

struct TranslateFlags {
  std::string program;
  std::string output = "-";
  std::string to;
  bool no_verify = false;
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
  // By default the other form than that of the input.
  const bool to_proto = flags.to.empty()
                            ? DetectFormat(bytes) == ProgramFormat::kHloText
                            : flags.to == "proto";
  if (!to_proto) {
    return WriteFile(flags.output,
                     module->ToString(HloPrintOptions::Lossless()));
  }
  TF_ASSIGN_OR_RETURN(std::string proto, ToProtoBytes(*module));
  return WriteFile(flags.output, proto);
}

}  // namespace

void AddTranslateCommand(CLI::App& app, Action* action) {
  auto flags = std::make_shared<TranslateFlags>();
  CLI::App* command = app.add_subcommand(
      "translate", "Translates a program between HLO text and proto.");
  command
      ->add_option("program", flags->program,
                   "HLO text or HloModuleProto, told apart by content")
      ->required();
  command->add_option("-o,--output", flags->output,
                      "Where to write; - is standard output");
  command
      ->add_option("--to", flags->to,
                   "Form to write: text or proto; by default the other one "
                   "than that of the input")
      ->check(CLI::IsMember({"text", "proto"}));
  command->add_flag("--no-verify", flags->no_verify,
                    "Do not check that the module is well formed");
  command->callback([=] { *action = [=] { return Translate(*flags); }; });
}

}  // namespace xla::tools
