// Walks a module in the order of its text.
#include "xla/tools/show/module_data.h"

#include <cmath>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "xla/base/status_macros.h"
#include "xla/core/shape_text.h"
#include "xla/hlo/analysis/cost/cost_analysis.h"
#include "xla/hlo/ir/hlo_print_options.h"
#include "xla/hlo/ir/module/print_order.h"
#include "xla/hlo/ops/cost_class.h"
#include "xla/hlo/ops/op_def.h"

namespace xla::tools {
namespace {

// What the page colours instructions by.
absl::string_view ClassName(CostClass cost_class) {
  switch (cost_class) {
    case CostClass::kNone:
      return "value";
    case CostClass::kControl:
      return "control";
    case CostClass::kFusion:
      return "fusion";
    case CostClass::kMovement:
      return "movement";
    case XLA_ELEMENTWISE_COST_CLASSES:
      return "arithmetic";
    case CostClass::kApplication:
      return "reduction";
    case CostClass::kScatteredUpdate:
      return "scatter";
    case CostClass::kContraction:
      return "contraction";
    case CostClass::kAlgorithm:
      return "algorithm";
    case CostClass::kDevice:
      return "device";
    case CostClass::kForeign:
      return "foreign";
  }
  return "";
}

// The two parts of an instruction's text that no other field has: the value of
// a constant (or the number of a parameter), and the attributes.
struct OpText {
  std::string payload;
  std::string attributes;
};

OpText TextOf(const HloInstruction& instruction) {
  const std::string text =
      instruction.ToString(HloPrintOptions()
                               .set_print_percent(false)
                               .set_print_metadata(false)
                               .set_print_operand_names(false)
                               .set_print_result_shape(false)
                               .set_print_operand_index_annotation_interval(0));
  // "name = opcode(payload), attributes"; only payloads have parentheses, of
  // tuples.
  const size_t open = text.find('(', instruction.name().size());
  if (open == std::string::npos) return {};
  size_t close = open + 1;
  for (int depth = 1; close < text.size(); ++close) {
    depth += (text[close] == '(') - (text[close] == ')');
    if (depth == 0) break;
  }
  OpText parts;
  if (instruction.operand_count() == 0) {
    parts.payload = text.substr(open + 1, close - open - 1);
  }
  if (close + 3 < text.size()) parts.attributes = text.substr(close + 3);
  return parts;
}

class ModuleData {
 public:
  ModuleData(const ModuleNumbers& numbers, const CostAnalysis& costs,
             const PredictedTime& predicted, JsonWriter& json)
      : numbers_(numbers), costs_(costs), predicted_(predicted), json_(json) {}

  void Computation(const HloComputation& computation) {
    json_.BeginObject();
    json_.Field("name", computation.name());
    json_.Field("root", numbers_.Of(computation.root_instruction()));
    // Instructions of a computation have consecutive numbers.
    json_.Field("count", computation.instruction_count());
    json_.EndObject();
  }

  void Instruction(const HloInstruction& instruction) {
    json_.BeginObject();
    json_.Field("name", instruction.name());
    json_.Field("opcode", HloOpcodeString(instruction.opcode()));
    json_.Field("class", ClassName(instruction.def().cost_class));
    std::string shape;
    PrintShape(instruction.shape(), /*print_layout=*/true, &shape);
    json_.Field("shape", shape);
    const OpText text = TextOf(instruction);
    Optional("payload", text.payload);
    Optional("attributes", text.attributes);
    Numbers("operands", instruction.operands());
    Numbers("after", instruction.control_predecessors());
    Numbers("calls", instruction.called_computations());
    Source(instruction);
    Costs(instruction);
    json_.EndObject();
  }

  // The places in source files, each once.
  void Sources() {
    json_.BeginArray();
    for (const std::string& source : sources_) json_.String(source);
    json_.EndArray();
  }

 private:
  void Optional(absl::string_view key, absl::string_view text) {
    if (!text.empty()) json_.Field(key, text);
  }

  template <typename Range>
  void Numbers(absl::string_view key, const Range& range) {
    if (range.empty()) return;
    json_.Key(key);
    json_.BeginArray();
    for (const auto* each : range) json_.Number(numbers_.Of(each));
    json_.EndArray();
  }

  void Source(const HloInstruction& instruction) {
    const OpMetadata& metadata = instruction.metadata();
    Optional("op_name", metadata.op_name());
    // A line for each frame, the innermost one first.
    std::string source;
    const std::vector<HloStackFrame> frames =
        instruction.GetStackTraceFromMetadata();
    for (auto frame = frames.rbegin(); frame != frames.rend(); ++frame) {
      absl::StrAppend(&source, source.empty() ? "" : "\n", frame->file_name,
                      ":", frame->line, " ", frame->function_name);
    }
    if (source.empty() && !metadata.source_file().empty()) {
      source =
          absl::StrCat(metadata.source_file(), ":", metadata.source_line());
    }
    if (source.empty()) return;
    const auto [it, is_new] =
        source_numbers_.try_emplace(source, sources_.size());
    if (is_new) sources_.push_back(source);
    json_.Field("source", it->second);
  }

  void Costs(const HloInstruction& instruction) {
    const CostAnalysis::Cost cost = costs_.CostOf(instruction);
    if (cost.flops > 0) json_.Field("flops", cost.flops);
    if (cost.transcendentals > 0) {
      json_.Field("transcendentals", cost.transcendentals);
    }
    if (cost.bytes > 0) json_.Field("bytes", cost.bytes);
    const double nanoseconds = predicted_(instruction);
    if (std::isfinite(nanoseconds) && nanoseconds > 0) {
      json_.Field("predicted_ns", nanoseconds);
    }
  }

  const ModuleNumbers& numbers_;
  const CostAnalysis& costs_;
  const PredictedTime& predicted_;
  JsonWriter& json_;
  std::vector<std::string> sources_;
  absl::flat_hash_map<std::string, int64_t> source_numbers_;
};

}  // namespace

ModuleNumbers::ModuleNumbers(const HloModule& module) {
  for (const HloComputation* computation : PrintOrder(module)) {
    computation_numbers_[computation] = computations_.size();
    computations_.push_back(computation);
    for (const HloInstruction* instruction : PrintOrder(*computation)) {
      instruction_numbers_[instruction] = instructions_.size();
      instructions_.push_back(instruction);
    }
  }
}

absl::Status WriteModuleData(const HloModule& module,
                             const ModuleNumbers& numbers,
                             const PredictedTime& predicted, JsonWriter& json) {
  CostAnalysis costs;
  TF_RETURN_IF_ERROR(costs.Run(*module.entry_computation()));
  ModuleData data(numbers, costs, predicted, json);
  json.BeginObject();
  json.Field("name", module.name());
  json.Field("entry", numbers.Of(module.entry_computation()));
  json.Key("computations");
  json.BeginArray();
  for (const HloComputation* each : numbers.computations()) {
    data.Computation(*each);
  }
  json.EndArray();
  json.Key("instructions");
  json.BeginArray();
  for (const HloInstruction* each : numbers.instructions()) {
    data.Instruction(*each);
  }
  json.EndArray();
  json.Key("sources");
  data.Sources();
  json.EndObject();
  return absl::OkStatus();
}

}  // namespace xla::tools
