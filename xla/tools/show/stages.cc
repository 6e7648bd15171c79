// Runs the passes and keeps the texts between them.
#include "xla/tools/show/stages.h"

#include "absl/strings/str_split.h"
#include "xla/backends/cpu/pipeline.h"
#include "xla/backends/partition_module.h"
#include "xla/base/status_macros.h"
#include "xla/hlo/ir/hlo_print_options.h"
#include "xla/hlo/pass/hlo_pass.h"

namespace xla::tools {

void ProgramStages::Add(absl::string_view name, const HloModule& module) {
  Stage& stage = stages_.emplace_back();
  stage.name = std::string(name);
  const std::string text = module.ToString(
      HloPrintOptions().set_print_metadata(false).set_print_percent(false));
  for (absl::string_view line : absl::StrSplit(text, '\n')) {
    const auto [it, is_new] = numbers_.try_emplace(line, lines_.size());
    if (is_new) lines_.push_back(&it->first);
    stage.lines.push_back(it->second);
  }
}

void ProgramStages::Write(JsonWriter& json) const {
  json.BeginObject();
  json.Key("lines");
  json.BeginArray();
  for (const std::string* line : lines_) json.String(*line);
  json.EndArray();
  json.Key("stages");
  json.BeginArray();
  for (const Stage& stage : stages_) {
    json.BeginObject();
    json.Field("name", stage.name);
    // Runs of consecutive numbers, as pairs of the first and how many there
    // are.
    json.Key("runs");
    json.BeginArray();
    for (size_t begin = 0; begin < stage.lines.size();) {
      size_t end = begin + 1;
      while (end < stage.lines.size() &&
             stage.lines[end] == stage.lines[end - 1] + 1) {
        ++end;
      }
      json.Number(stage.lines[begin]);
      json.Number(end - begin);
      begin = end;
    }
    json.EndArray();
    json.EndObject();
  }
  json.EndArray();
  json.EndObject();
}

absl::Status AddCompilerStages(HloModule* module, const cpu::TargetInfo& target,
                               ProgramStages& stages) {
  stages.Add("as given", *module);
  const HloPassPipeline::Observer observer =
      [&](const HloModule& after, absl::string_view pass, bool changed) {
        if (changed) stages.Add(pass, after);
        return absl::OkStatus();
      };
  TF_RETURN_IF_ERROR(PartitionModule(module, observer));
  return cpu::RunPasses(module, observer, target);
}

}  // namespace xla::tools
