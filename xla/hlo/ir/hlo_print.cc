// Prints instructions, computations and modules. Attributes print themselves
// (hlo/attrs); this file adds names, shapes, operands and annotations.
#include <algorithm>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/functional/function_ref.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/strip.h"
#include "xla/base/stable_hash.h"
#include "xla/base/text/printer.h"
#include "xla/base/text/sort_json.h"
#include "xla/core/literal/literal_text.h"
#include "xla/core/shape_text.h"
#include "xla/hlo/attrs/annotation_text.h"
#include "xla/hlo/attrs/codec_text.h"
#include "xla/hlo/attrs/sharding_text.h"
#include "xla/hlo/ir/async_ops.h"
#include "xla/hlo/ir/hlo_computation.h"
#include "xla/hlo/ir/hlo_instruction.h"
#include "xla/hlo/ir/hlo_module.h"
#include "xla/hlo/ir/module/print_order.h"
#include "xla/hlo/ops/device/device_attrs.h"
#include "xla/hlo/ops/device/transfers.h"
#include "xla/hlo/ops/op_def.h"
#include "xla/hlo/ops/values.h"

namespace xla {
namespace {

// Constants with more elements than this are abridged, as XLA does, unless the
// options say otherwise.
constexpr int64_t kLargeConstantElements = 10;

// How many operands compact_operands prints.
constexpr int64_t kCompactOperands = 4;

// How many instructions a reader keeps in view: longer computations end in
// their name if the options say so.
constexpr int64_t kShortComputation = 5;

bool IsSequentialCall(HloOpcode opcode) {
  return opcode == HloOpcode::kCall || opcode == HloOpcode::kConditional ||
         opcode == HloOpcode::kWhile;
}

void DropConfig(Attrs& attrs) {
  if (auto* infeed = attrs.As<InfeedAttrs>()) infeed->infeed_config.clear();
  if (auto* outfeed = attrs.As<OutfeedAttrs>()) outfeed->outfeed_config.clear();
}

using ComputationSet = absl::flat_hash_set<const HloComputation*>;

// Whether bodies stand in place of names.
bool PrintsBodies(const HloPrintOptions& options) {
  using Mode = HloPrintOptions::PrintSubcomputationMode;
  return options.print_subcomputation_mode() == Mode::kFullBodies ||
         options.print_subcomputation_mode() == Mode::kNonSequentialBodies;
}

// A body that goes into a text at an offset.
struct BodyPlace {
  size_t offset;
  const HloComputation* computation;
  int indent;
};

// Appends the text of one computation after the other; knows their names.
class ModulePrinter {
 public:
  // `inside` are the computations that are printed inside their callers. The
  // places of bodies are recorded, and left empty.
  ModulePrinter(const HloPrintOptions& options, const ComputationSet& inside,
                std::vector<BodyPlace>* bodies, std::string* out)
      : options_(options), inside_(inside), bodies_(*bodies), out_(*out) {}

  // An instruction by itself, without ROOT. Canonical names are printed only
  // where the options say that it is in a computation; they may come from a
  // map.
  void Alone(const HloInstruction& hlo, int indent,
             CanonicalNameMap* names = nullptr);
  // Prints the instructions in `order`, or in that of PrintOrder.
  void Computation(const HloComputation& computation, int indent,
                   absl::Span<const HloInstruction* const> order = {});

 private:
  using Mode = HloPrintOptions::PrintSubcomputationMode;

  void Name(absl::string_view name) {
    if (options_.print_percent()) out_.push_back('%');
    absl::StrAppend(&out_, name);
  }
  // Returns the name, or the part before its first dot.
  absl::string_view WithId(absl::string_view name) const {
    return options_.print_ids() ? name : name.substr(0, name.find('.'));
  }
  void InstructionName(const HloInstruction& hlo);
  // An instruction of a computation.
  void Line(const HloInstruction& hlo, int indent);
  void RightHandSide(const HloInstruction& hlo, int indent);
  void ShapeOf(const HloInstruction& hlo) {
    PrintShape(hlo.shape(), options_.include_layout_in_shapes(), &out_);
  }
  void Payload(const HloInstruction& hlo);
  void Operands(const HloInstruction& hlo);
  void CalledComputations(const HloInstruction& hlo, int indent);
  void CalledComputation(std::string_view role,
                         const HloComputation& computation, int indent);
  void Body(const HloComputation& computation, int indent);
  void Opcode(const HloInstruction& hlo, const HloInstruction* async_op);
  void PrintOpAttrs(const HloInstruction& hlo);
  void Attributes(const HloInstruction& hlo, const HloInstruction* async_op,
                  int indent);
  void Annotations(const HloInstruction& hlo);
  void Signature(const HloComputation& computation);
  void Indent(int indent) { out_.append(2 * indent, ' '); }

  const HloPrintOptions& options_;
  const ComputationSet& inside_;
  std::vector<BodyPlace>& bodies_;
  std::string& out_;
  // Whether what is printed is part of a computation.
  bool in_computation_ = false;
  // The numbers of canonical names.
  absl::flat_hash_map<const HloInstruction*, int64_t> numbers_;
  // Where canonical names come from instead; may be null.
  CanonicalNameMap* names_ = nullptr;
  AsyncOps async_ops_;
};

void ModulePrinter::InstructionName(const HloInstruction& hlo) {
  if (!options_.canonicalize_instruction_names()) {
    Name(WithId(hlo.name()));
    return;
  }
  if (names_ != nullptr) {
    out_.append(names_->LookupOrInsert(hlo.unique_id()));
    return;
  }
  const int64_t number =
      numbers_.try_emplace(&hlo, numbers_.size()).first->second;
  absl::StrAppend(&out_, "tmp_", number);
}

// Prints the payload that some ops have in place of operands.
void ModulePrinter::Payload(const HloInstruction& hlo) {
  if (hlo.opcode() == HloOpcode::kParameter) {
    if (options_.print_parameter_number()) {
      absl::StrAppend(&out_, hlo.parameter_number());
    }
    return;
  }
  const SharedLiteral& literal = hlo.attrs<ConstantAttrs>().literal;
  if (literal.value != nullptr && options_.print_only_essential_constants()) {
    const bool is_zero = literal.value->IsAll(0);
    if (is_zero || literal.value->IsAll(1)) {
      out_.push_back(is_zero ? '0' : '1');
    } else if (hlo.shape().IsInteger()) {
      PrintLiteralForHlo(*literal.value, &out_);
    } else {
      out_.append("{...}");
    }
    return;
  }
  const bool large =
      !hlo.shape().IsArray() ||
      ShapeUtil::ElementsIn(hlo.shape()) > kLargeConstantElements;
  if (literal.value == nullptr ||
      (large && !options_.print_large_constants())) {
    out_.append("{...}");
  } else {
    PrintLiteralForHlo(*literal.value, &out_);
  }
}

void ModulePrinter::Operands(const HloInstruction& hlo) {
  const int interval = options_.print_operand_index_annotation_interval();
  // Canonical names mean nothing outside of their computation.
  const bool named = options_.canonicalize_instruction_names()
                         ? in_computation_
                         : options_.print_operand_names();
  for (int64_t i = 0; i < hlo.operand_count(); ++i) {
    if (i > 0) out_.append(", ");
    if (options_.compact_operands() && i == kCompactOperands) {
      absl::StrAppend(&out_, "...(+", hlo.operand_count() - i, ")");
      break;
    }
    if (interval > 0 && i > 0 && i % interval == 0) {
      absl::StrAppend(&out_, "/*index=", i, "*/");
    }
    if (options_.print_operand_shape()) {
      ShapeOf(*hlo.operand(i));
      if (named) out_.push_back(' ');
    }
    if (named) InstructionName(*hlo.operand(i));
  }
}

void ModulePrinter::Body(const HloComputation& computation, int indent) {
  if (PrintsBodies(options_)) {
    out_.push_back('\n');
    bodies_.push_back({out_.size(), &computation, indent});
    return;
  }
  if (!inside_.contains(&computation)) {
    Name(WithId(computation.name()));
    return;
  }
  out_.append("{\n");
  for (const HloInstruction* inner : PrintOrder(computation)) {
    Indent(indent + 1);
    Line(*inner, indent + 1);
    out_.push_back('\n');
  }
  Indent(indent);
  out_.push_back('}');
}

void ModulePrinter::CalledComputation(std::string_view role,
                                      const HloComputation& computation,
                                      int indent) {
  PrintAttrName(role, &out_);
  Body(computation, indent);
}

void ModulePrinter::CalledComputations(const HloInstruction& hlo, int indent) {
  const auto& called = hlo.called_computations();
  const Mode mode = options_.print_subcomputation_mode();
  if (called.empty() || mode == Mode::kOff ||
      (mode == Mode::kNonSequentialBodies && IsSequentialCall(hlo.opcode()))) {
    return;
  }
  const bool bodies = PrintsBodies(options_);
  // Conditional is the only op whose roles depend on its operands.
  if (hlo.opcode() == HloOpcode::kConditional && called.size() == 2 &&
      hlo.operand_count() > 0 &&
      hlo.operand(0)->shape().element_type() == PRED) {
    CalledComputation("true_computation", *called[0], indent);
    CalledComputation("false_computation", *called[1], indent);
    return;
  }
  const NameList& roles = hlo.def().computations;
  for (int i = 0; i < roles.size(); ++i) {
    std::string_view role = roles.names[i];
    if (!IsVariadicName(role)) {
      if (static_cast<size_t>(i) >= called.size()) break;
      if (IsOptionalName(role)) role.remove_suffix(1);
      // XLA has another name for these two where it prints bodies.
      if (bodies && (hlo.opcode() == HloOpcode::kReduceScatter ||
                     hlo.opcode() == HloOpcode::kScan)) {
        role = "calls";
      }
      CalledComputation(role, *called[i], indent);
      continue;
    }
    role.remove_suffix(3);
    PrintAttrName(role, &out_);
    out_.push_back('{');
    for (size_t k = i; k < called.size(); ++k) {
      if (k > static_cast<size_t>(i)) out_.append(bodies ? "," : ", ");
      Body(*called[k], indent);
    }
    out_.append(bodies ? "\n}" : "}");
  }
}

void ModulePrinter::Annotations(const HloInstruction& hlo) {
  if (hlo.is_composite()) out_.append(", is_composite=true");
  if (hlo.has_sharding()) {
    PrintAttrName("sharding", &out_);
    PrintSharding(hlo.sharding_proto(), &out_);
  }
  if (hlo.frontend_attributes().map_size() > 0) {
    PrintAttrName("frontend_attributes", &out_);
    PrintFrontendAttributes(hlo.frontend_attributes(), &out_);
  }
  if (options_.print_control_dependencies() &&
      !hlo.control_predecessors().empty()) {
    PrintAttrName("control-predecessors", &out_);
    out_.push_back('{');
    absl::string_view separator;
    for (const HloInstruction* before : hlo.control_predecessors()) {
      absl::StrAppend(&out_, separator);
      Name(WithId(before->name()));
      separator = ", ";
    }
    out_.push_back('}');
  }
  if (hlo.statistics_viz().statistics_size() > 0) {
    PrintAttrName("statistics", &out_);
    PrintStatistics(hlo.statistics_viz(), &out_);
  }
  if (options_.print_original_value() && hlo.original_value() != nullptr) {
    PrintAttrName("origin", &out_);
    absl::StrAppend(&out_, "{", hlo.original_value()->ToString(), "}");
  }
  if (options_.print_metadata() && HasMetadataText(hlo.metadata())) {
    PrintAttrName("metadata", &out_);
    if (options_.print_metadata_only_op_name()) {
      OpMetadata op_name;
      op_name.set_op_name(hlo.metadata().op_name());
      PrintMetadata(op_name, &out_);
    } else {
      PrintMetadata(hlo.metadata(), &out_);
    }
  }
  if (options_.print_backend_config() &&
      !hlo.raw_backend_config_string().empty()) {
    PrintAttrName("backend_config", &out_);
    const std::string& config = hlo.raw_backend_config_string();
    PrintBackendConfig(options_.sort_backend_config()
                           ? SortJson(config).value_or(config)
                           : config,
                       &out_);
  }
}

void ModulePrinter::Opcode(const HloInstruction& hlo,
                           const HloInstruction* async_op) {
  absl::string_view name = HloOpcodeString(hlo.opcode());
  if (async_op != nullptr) {
    absl::ConsumePrefix(&name, "async");
    absl::StrAppend(&out_, HloOpcodeString(async_op->opcode()));
  }
  absl::StrAppend(&out_, name, "(");
}

void ModulePrinter::PrintOpAttrs(const HloInstruction& hlo) {
  if (!options_.print_extra_attributes()) return;
  const bool is_feed =
      hlo.opcode() == HloOpcode::kInfeed || hlo.opcode() == HloOpcode::kOutfeed;
  const bool drops_config = is_feed && !options_.print_infeed_outfeed_config();
  if (!options_.print_full_replica_group_list() && !drops_config) {
    PrintAttrs(hlo.raw_attrs(), &out_);
    return;
  }
  Attrs attrs = hlo.raw_attrs();
  if (drops_config) DropConfig(attrs);
  if (!options_.print_full_replica_group_list()) {
    PrintAttrs(attrs, &out_);
    return;
  }
  if (ReplicaGroups* groups = MutableGroupsOf(attrs)) {
    *groups = ReplicaGroups(groups->groups());
  }
  PrintAttrs(attrs, &out_);
}

void ModulePrinter::Attributes(const HloInstruction& hlo,
                               const HloInstruction* async_op, int indent) {
  PrintOpAttrs(hlo);
  const HloInstruction* caller = &hlo;
  if (async_op != nullptr) {
    if (hlo.opcode() != HloOpcode::kAsyncStart) return;
    PrintOpAttrs(*async_op);
    // A body is that of the start, not of the op in it.
    if (!PrintsBodies(options_)) {
      caller = async_op;
    }
  }
  CalledComputations(*caller, indent);
}

void ModulePrinter::Line(const HloInstruction& hlo, int indent) {
  if (hlo.IsRoot()) out_.append("ROOT ");
  InstructionName(hlo);
  out_.append(" = ");
  RightHandSide(hlo, indent);
}

void ModulePrinter::Alone(const HloInstruction& hlo, int indent,
                          CanonicalNameMap* names) {
  names_ = names;
  in_computation_ = options_.is_in_nested_computation();
  if (!options_.canonicalize_instruction_names() || in_computation_) {
    InstructionName(hlo);
    out_.append(" = ");
  }
  RightHandSide(hlo, indent);
}

void ModulePrinter::RightHandSide(const HloInstruction& hlo, int indent) {
  if (options_.print_result_shape()) {
    ShapeOf(hlo);
    out_.push_back(' ');
  }
  const HloInstruction* async_op =
      options_.syntax_sugar_async_ops() ? async_ops_.Find(hlo) : nullptr;
  Opcode(hlo, async_op);
  if (hlo.opcode() == HloOpcode::kParameter ||
      hlo.opcode() == HloOpcode::kConstant) {
    Payload(hlo);
  } else {
    Operands(hlo);
  }
  out_.push_back(')');
  Attributes(hlo, async_op, indent);
  Annotations(hlo);
}

// (p: f32[4], q: (f32[], s32[])) -> f32[4]
void ModulePrinter::Signature(const HloComputation& computation) {
  out_.push_back('(');
  for (int64_t i = 0; i < computation.num_parameters(); ++i) {
    const HloInstruction& parameter = *computation.parameter_instruction(i);
    if (i > 0) out_.append(", ");
    absl::StrAppend(&out_, WithId(parameter.name()), ": ");
    PrintShape(parameter.shape(), /*layout=*/false, &out_);
  }
  out_.append(") -> ");
  PrintShape(computation.root_instruction()->shape(), /*layout=*/false, &out_);
}

void ModulePrinter::Computation(const HloComputation& computation, int indent,
                                absl::Span<const HloInstruction* const> order) {
  in_computation_ = true;
  Indent(indent);
  if (options_.print_computation_mode() ==
          HloPrintOptions::PrintComputationMode::kComputationWithEntryKeyword &&
      computation.IsEntryComputation()) {
    out_.append("ENTRY ");
  }
  if (!options_.is_in_nested_computation()) {
    Name(options_.print_ids() ? absl::string_view(computation.name()) : "");
    if (options_.print_ids()) out_.push_back(' ');
  }
  if (options_.print_program_shape() &&
      computation.root_instruction() != nullptr) {
    Signature(computation);
    out_.push_back(' ');
  }
  out_.append("{\n");
  const auto print_order = PrintOrder(computation);
  if (order.empty()) order = print_order;
  for (const HloInstruction* hlo : order) {
    Indent(indent + 1);
    Line(*hlo, indent + 1);
    out_.push_back('\n');
  }
  Indent(indent);
  out_.push_back('}');
  if (computation.execution_thread() != HloComputation::kMainExecutionThread) {
    PrintAttrName("execution_thread", &out_);
    PrintQuoted(computation.execution_thread(), &out_);
  }
  if (options_.print_name_after_closing_brace() &&
      computation.instruction_count() > kShortComputation) {
    absl::StrAppend(&out_, " // ", computation.name());
  }
}

// Appends texts to one, each with the bodies at their places.
class BodyPrinter {
 public:
  BodyPrinter(const HloPrintOptions& options, const ComputationSet& inside,
              std::string* out)
      : options_(options), nested_(options), inside_(inside), out_(*out) {
    nested_.set_is_in_nested_computation(true);
  }

  // Appends what `print` makes a ModulePrinter print.
  void Append(absl::FunctionRef<void(ModulePrinter&)> print) {
    if (!PrintsBodies(options_)) {
      std::vector<BodyPlace> none;
      ModulePrinter printer(options_, inside_, &none, &out_);
      return print(printer);
    }
    Open(options_, print);
    while (!texts_.empty()) {
      Text& text = texts_.back();
      if (text.next == text.bodies.size()) {
        out_.append(text.text, text.done);
        texts_.pop_back();
        continue;
      }
      const BodyPlace body = text.bodies[text.next++];
      out_.append(text.text, text.done, body.offset - text.done);
      text.done = body.offset;
      AppendBody(body);
    }
  }

 private:
  // One whose bodies are being printed.
  struct Text {
    std::string text;
    std::vector<BodyPlace> bodies;
    size_t next = 0;
    size_t done = 0;  // how much of it is in the output
  };
  // Where computations are shared, bodies in bodies are exponentially many:
  // behind this length, one that was printed is not printed again.
  static constexpr size_t kMaxRepeatedBytes = 1 << 20;

  void Open(const HloPrintOptions& options,
            absl::FunctionRef<void(ModulePrinter&)> print) {
    Text& text = texts_.emplace_back();
    ModulePrinter printer(options, inside_, &text.bodies, &text.text);
    print(printer);
  }

  void AppendBody(const BodyPlace& body) {
    const auto [number, is_new] =
        printed_.try_emplace(body.computation, printed_.size());
    if (is_new || out_.size() < kMaxRepeatedBytes) {
      Open(nested_, [&](ModulePrinter& printer) {
        printer.Computation(*body.computation, body.indent);
      });
      return;
    }
    out_.append(2 * body.indent, ' ');
    absl::StrAppend(&out_, "{ body ", number->second, " }");
  }

  const HloPrintOptions& options_;
  HloPrintOptions nested_;
  const ComputationSet& inside_;
  std::string& out_;
  std::vector<Text> texts_;
  // By the order in which they were printed first.
  absl::flat_hash_map<const HloComputation*, size_t> printed_;
};

void PrintAliases(const HloModule& module, std::string* out) {
  const std::string aliases =
      module.input_output_alias_config().ToShortString();
  if (!aliases.empty()) {
    PrintAttrName("input_output_alias", out);
    absl::StrAppend(out, "{ ", aliases, " }");
  }
  const std::string donors = module.buffer_donor_config().ToShortString();
  if (!donors.empty()) {
    PrintAttrName("buffer_donor", out);
    absl::StrAppend(out, "{ ", donors, " }");
  }
}

void PrintEntryLayout(const ComputationLayout& layout, std::string* out) {
  PrintAttrName("entry_computation_layout", out);
  out->append("{(");
  for (int i = 0; i < layout.parameter_count(); ++i) {
    if (i > 0) out->append(", ");
    if (i > 0 && i % 5 == 0) absl::StrAppend(out, "/*index=", i, "*/");
    PrintShape(layout.parameter_shape(i), /*layout=*/true, out);
  }
  out->append(")->");
  PrintShape(layout.result_shape(), /*layout=*/true, out);
  out->push_back('}');
}

void PrintBools(absl::string_view name, const std::vector<bool>& values,
                std::string* out) {
  if (values.empty()) return;
  absl::string_view separator = "{";
  absl::StrAppend(out, ", ", name, "=");
  for (bool value : values) {
    absl::StrAppend(out, separator, value ? "true" : "false");
    separator = ",";
  }
  out->push_back('}');
}

void PrintModuleAttributes(const HloModule& module, std::string* out) {
  if (module.is_scheduled()) out->append(", is_scheduled=true");
  PrintAliases(module, out);
  if (module.config().alias_passthrough_params()) {
    out->append(", alias_passthrough_params=true");
  }
  if (module.config().has_entry_computation_layout()) {
    PrintEntryLayout(module.entry_computation_layout(), out);
  }
  PrintBools("allow_spmd_sharding_propagation_to_parameters",
             module.config().allow_spmd_sharding_propagation_to_parameters(),
             out);
  PrintBools("allow_spmd_sharding_propagation_to_output",
             module.config().allow_spmd_sharding_propagation_to_output(), out);
  if (module.config().replica_count() != 1) {
    absl::StrAppend(out, ", replica_count=", module.config().replica_count());
  }
  if (module.config().num_partitions() != 1) {
    absl::StrAppend(out, ", num_partitions=", module.config().num_partitions());
  }
  if (module.frontend_attributes().map_size() > 0) {
    PrintAttrName("frontend_attributes", out);
    PrintFrontendAttributes(module.frontend_attributes(), out);
  }
}

// Returns the computations that are printed inside their callers: the ops of
// async starts and, if the options say so, computations with a single caller.
ComputationSet PrintedInside(const HloModule& module,
                             const HloPrintOptions& options) {
  struct Calls {
    int64_t by_name = 0;
    int64_t as_async_op = 0;
    int depth = 0;  // nesting depth in the text
  };
  // Half of the depth of 64 beyond which the parser refuses text.
  constexpr int kMaxDepth = 32;
  absl::flat_hash_map<const HloComputation*, Calls> calls;
  AsyncOps async_ops;
  ComputationSet inside;
  std::vector<HloComputation*> order = module.MakeComputationPostOrder();
  std::reverse(order.begin(), order.end());  // callers first
  const bool by_name = options.print_subcomputation_mode() ==
                       HloPrintOptions::PrintSubcomputationMode::kNameOnly;
  for (const HloComputation* computation : order) {
    Calls& own = calls[computation];
    const bool is_async_op = own.as_async_op > 0 && own.by_name == 0;
    const bool is_inline = by_name && options.inline_computations() &&
                           own.by_name == 1 && own.as_async_op == 0 &&
                           own.depth <= kMaxDepth &&
                           !computation->IsEntryComputation();
    if (is_async_op || is_inline) inside.insert(computation);
    const int depth = is_inline ? own.depth + 1 : 1;
    for (const auto& hlo : computation->instructions()) {
      const bool is_async =
          options.syntax_sugar_async_ops() && async_ops.Find(*hlo) != nullptr;
      for (const HloComputation* called : hlo->called_computations()) {
        Calls& callee = calls[called];
        ++(is_async ? callee.as_async_op : callee.by_name);
        callee.depth = depth;
      }
    }
  }
  return inside;
}

std::string TextOf(const HloInstruction& hlo, const HloPrintOptions& options,
                   CanonicalNameMap* names) {
  std::string out(2 * options.indent_amount(), ' ');
  const ComputationSet none;
  BodyPrinter(options, none, &out).Append([&](ModulePrinter& printer) {
    printer.Alone(hlo, options.indent_amount(), names);
  });
  return out;
}

}  // namespace

std::string HloInstruction::ToString(const HloPrintOptions& options) const {
  return TextOf(*this, options, /*names=*/nullptr);
}

std::string HloComputation::ToString(const HloPrintOptions& options) const {
  return ToString(options, {});
}
std::string HloComputation::ToString(
    const HloPrintOptions& options,
    absl::Span<const HloInstruction* const> instruction_order) const {
  std::string out;
  const ComputationSet none;
  BodyPrinter(options, none, &out).Append([&](ModulePrinter& printer) {
    printer.Computation(*this, options.indent_amount(), instruction_order);
  });
  return out;
}
absl::Cord HloComputation::ToCord(
    const HloPrintOptions& options,
    absl::Span<const HloInstruction* const> instruction_order) const {
  return absl::Cord(ToString(options, instruction_order));
}

std::string HloModule::ToString(const HloPrintOptions& options) const {
  const int indent = options.indent_amount();
  std::string out(2 * indent, ' ');
  absl::StrAppend(&out, "HloModule ", options.print_ids() ? name_ : "");
  PrintModuleAttributes(*this, &out);
  if (!original_value_recovery_table_.empty()) {
    HloPrintOptions inside;
    inside.set_indent_amount(indent + 1);
    absl::StrAppend(&out, ", origin_recovery_table={\n",
                    original_value_recovery_table_.ToString(inside), "}\n");
  }
  out.append("\n\n");
  if (options.print_metadata() && stack_frame_index_.has_value()) {
    PrintStackFrameTables(*stack_frame_index_, &out);
  }
  const ComputationSet inside = PrintedInside(*this, options);
  HloPrintOptions with_entry = options;
  with_entry.set_print_computation_mode(
      HloPrintOptions::PrintComputationMode::kComputationWithEntryKeyword);
  BodyPrinter bodies(with_entry, inside, &out);
  for (const HloComputation* computation : PrintOrder(*this)) {
    if (inside.contains(computation)) continue;
    bodies.Append([&](ModulePrinter& printer) {
      printer.Computation(*computation, indent);
    });
    out.append("\n\n");
  }
  return out;
}

void HloInstruction::Print(Printer* printer,
                           const HloPrintOptions& options) const {
  printer->Append(ToString(options));
}
void InstructionProperties::PrintWithCanonicalNameMap(
    Printer* printer, const HloPrintOptions& options,
    CanonicalNameMap* canonical_name_map) const {
  printer->Append(TextOf(self(), options, canonical_name_map));
}
void HloComputation::Print(Printer* printer,
                           const HloPrintOptions& options) const {
  printer->Append(ToString(options));
}
void HloComputation::Print(
    Printer* printer, const HloPrintOptions& options,
    absl::Span<const HloInstruction* const> instruction_order) const {
  printer->Append(ToString(options, instruction_order));
}
void HloModule::Print(Printer* printer, const HloPrintOptions& options) const {
  printer->Append(ToString(options));
}

uint64_t HloModule::ToFingerprint(
    const HloPrintOptions& options,
    const absl::btree_map<std::string, NumericOrString>& custom_fields) const {
  HighwayHashPrinter printer;
  Print(&printer, options);
  for (const auto& [name, value] : custom_fields) {
    // The kind of the value and lengths, so that no two lists read alike.
    const double* number = std::get_if<double>(&value);
    const std::string text =
        number != nullptr
            ? absl::StrFormat("%.17g", *number)
            : std::visit(
                  [](const auto& content) { return absl::StrCat(content); },
                  value);
    printer.Append(absl::StrCat(name.size(), ":", name, value.index(), ":",
                                text.size(), ":", text));
  }
  return printer.ToFingerprint();
}

std::string HloModule::GetFingerprint128(const HloPrintOptions& options) const {
  const std::string text = ToString(options);
  return absl::StrFormat("%016x%016x", StableBlockHash(text), StableHash(text));
}

}  // namespace xla
