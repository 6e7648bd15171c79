// Reads instructions: the part of SyntaxReader inside a computation's braces.
#include <algorithm>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "xla/base/status_macros.h"
#include "xla/core/literal/literal_text.h"
#include "xla/hlo/attrs/annotation_text.h"
#include "xla/hlo/attrs/codec_text.h"
#include "xla/hlo/attrs/sharding_text.h"
#include "xla/hlo/ops/control_flow.h"
#include "xla/hlo/ops/values.h"
#include "xla/hlo/parser/origin_reader.h"
#include "xla/hlo/parser/syntax_reader.h"

namespace xla {
namespace {

// Returns the instruction that the attributes belong to: the foo of foo-start.
HloInstruction& Main(const InstructionSyntax& instruction) {
  return instruction.wrapped ? *instruction.wrapped : *instruction.hlo;
}

bool CallsAnything(HloOpcode opcode) {
  return GetOpDef(opcode).computations.size() > 0;
}

}  // namespace

absl::Status SyntaxReader::ReadInstruction(ComputationSyntax& computation) {
  InstructionSyntax instruction;
  instruction.is_root = scanner_.TryConsumeWord("ROOT");
  TF_ASSIGN_OR_RETURN(instruction.name, ReadDefinedName());
  TF_RETURN_IF_ERROR(scanner_.Consume("="));
  return ReadRightHandSide(computation, std::move(instruction),
                           /*nested=*/false);
}

absl::Status SyntaxReader::ReadRightHandSide(ComputationSyntax& computation,
                                             InstructionSyntax instruction,
                                             bool nested) {
  Shape shape;
  instruction.has_shape = NextIsShape(scanner_);
  if (instruction.has_shape) {
    TF_ASSIGN_OR_RETURN(shape, ScanShape(scanner_, shape_options_));
  }
  TF_RETURN_IF_ERROR(ReadOpcode(instruction, std::move(shape)));
  TF_RETURN_IF_ERROR(scanner_.Consume("("));
  const HloOpcode opcode = instruction.hlo->opcode();
  if (opcode == HloOpcode::kParameter || opcode == HloOpcode::kConstant) {
    TF_RETURN_IF_ERROR(ReadPayload(instruction));
  } else {
    TF_RETURN_IF_ERROR(ReadOperands(computation, instruction));
  }
  taken_ = 0;
  if (!nested) TF_RETURN_IF_ERROR(ReadAttributes(instruction));
  TF_RETURN_IF_ERROR(CheckRequired(instruction));
  instruction.maps_all_dimensions = opcode == HloOpcode::kMap && taken_ == 0;
  computation.instructions.push_back(std::move(instruction));
  return absl::OkStatus();
}

// Reads foo, or foo-start, foo-update and foo-done; unless these are opcodes of
// their own, they are the async-start, -update and -done of a foo.
absl::Status SyntaxReader::ReadOpcode(InstructionSyntax& instruction,
                                      Shape shape) {
  instruction.opcode_position = scanner_.position();
  auto word = scanner_.Name();
  if (!word.ok()) {
    return scanner_.ErrorAt(instruction.opcode_position,
                            instruction.has_shape
                                ? "expected the name of an op"
                                : "expected a shape or the name of an op");
  }
  absl::StatusOr<HloOpcode> opcode = StringToHloOpcode(*word);
  if (!opcode.ok()) {
    static constexpr std::pair<absl::string_view, HloOpcode> kAsync[] = {
        {"-start", HloOpcode::kAsyncStart},
        {"-update", HloOpcode::kAsyncUpdate},
        {"-done", HloOpcode::kAsyncDone}};
    for (const auto& [suffix, async_opcode] : kAsync) {
      absl::string_view inner = *word;
      if (!absl::ConsumeSuffix(&inner, suffix)) continue;
      auto inner_opcode = StringToHloOpcode(inner);
      if (!inner_opcode.ok()) continue;
      opcode = async_opcode;
      if (async_opcode == HloOpcode::kAsyncStart) {
        instruction.wrapped = HloInstruction::Create(*inner_opcode, Shape());
      } else {
        instruction.async_opcode = *inner_opcode;
      }
    }
  }
  if (!opcode.ok()) {
    return scanner_.ErrorAt(instruction.opcode_position,
                            absl::StrCat("unknown op '", *word, "'"));
  }
  instruction.hlo = HloInstruction::Create(*opcode, std::move(shape));
  return absl::OkStatus();
}

// parameter(0), constant({1, 2}).
absl::Status SyntaxReader::ReadPayload(InstructionSyntax& instruction) {
  HloInstruction& hlo = *instruction.hlo;
  if (!instruction.has_shape) {
    return scanner_.ErrorAt(
        instruction.opcode_position,
        absl::StrCat("the shape of a ", ToAbsl(hlo.def().name),
                     " cannot be inferred; write it before the op"));
  }
  if (hlo.opcode() == HloOpcode::kParameter) {
    TF_ASSIGN_OR_RETURN(hlo.mutable_attrs<ParameterAttrs>().number,
                        scanner_.Int64());
  } else {
    TF_ASSIGN_OR_RETURN(Literal literal, ScanLiteral(scanner_, hlo.shape()));
    hlo.mutable_attrs<ConstantAttrs>().literal =
        SharedLiteral(std::move(literal));
  }
  return scanner_.Consume(")");
}

absl::Status SyntaxReader::ReadOperands(ComputationSyntax& computation,
                                        InstructionSyntax& instruction) {
  absl::InlinedVector<OperandSyntax, 4> operands;
  if (!scanner_.TryConsume(")")) {
    do {
      TF_RETURN_IF_ERROR(ReadOperand(computation, operands.emplace_back()));
    } while (scanner_.TryConsume(","));
    TF_RETURN_IF_ERROR(scanner_.Consume(")"));
  }
  // The operands come after those of nested instructions.
  instruction.first_operand = computation.operands.size();
  instruction.operand_count = operands.size();
  computation.operands.insert(computation.operands.end(), operands.begin(),
                              operands.end());
  return absl::OkStatus();
}

// Reads [shape] name, or [shape] op(...); of a single instruction, also shape.
absl::Status SyntaxReader::ReadOperand(ComputationSyntax& computation,
                                       OperandSyntax& operand) {
  const size_t start = scanner_.position();
  if (NextIsShape(scanner_)) {
    TF_ASSIGN_OR_RETURN(Shape shape, ScanShape(scanner_, shape_options_));
    operand.shape = computation.operand_shapes.size();
    computation.operand_shapes.push_back(std::move(shape));
    const char next = scanner_.Peek();
    if (&computation == single_ && (next == ',' || next == ')')) {
      operand.name.position = start;
      return absl::OkStatus();
    }
  }
  TF_ASSIGN_OR_RETURN(operand.name, ReadName());
  if (scanner_.Peek() != '(') return absl::OkStatus();
  scanner_.set_position(start);
  TF_RETURN_IF_ERROR(Enter());
  InstructionSyntax nested;
  nested.name.position = start;
  TF_RETURN_IF_ERROR(
      ReadRightHandSide(computation, std::move(nested), /*nested=*/true));
  Leave();
  operand.nested = computation.instructions.size() - 1;
  return absl::OkStatus();
}

absl::Status SyntaxReader::ReadAttributes(InstructionSyntax& instruction) {
  Keys keys;
  while (scanner_.TryConsume(",")) {
    TF_ASSIGN_OR_RETURN(NameSyntax key, ReadName());
    TF_RETURN_IF_ERROR(CheckNewKey(key.name, key.position, keys));
    TF_RETURN_IF_ERROR(scanner_.Consume("="));
    TF_RETURN_IF_ERROR(ReadAttribute(key, instruction));
  }
  return absl::OkStatus();
}

absl::Status SyntaxReader::ReadAttribute(const NameSyntax& key,
                                         InstructionSyntax& instruction) {
  TF_ASSIGN_OR_RETURN(bool done, ReadAnnotation(key.name, instruction));
  if (done) return absl::OkStatus();
  // Computations inside the instruction have a set of their own.
  const uint64_t taken = taken_;
  TF_ASSIGN_OR_RETURN(done, ReadCalled(key, instruction));
  taken_ = taken;
  if (done) return absl::OkStatus();
  HloInstruction& main = Main(instruction);
  TF_ASSIGN_OR_RETURN(int field,
                      ParseAttr(key.name, scanner_, main.mutable_raw_attrs()));
  if (field >= 0) {
    taken_ |= uint64_t{1} << field;
    return absl::OkStatus();
  }
  if (instruction.wrapped) {
    TF_ASSIGN_OR_RETURN(field, ParseAttr(key.name, scanner_,
                                         instruction.hlo->mutable_raw_attrs()));
    if (field >= 0) return absl::OkStatus();
  }
  return scanner_.ErrorAt(
      key.position, absl::StrCat(ToAbsl(main.def().name), " has no attribute '",
                                 key.name, "'"));
}

absl::StatusOr<bool> SyntaxReader::ReadAnnotation(
    absl::string_view key, InstructionSyntax& instruction) {
  HloInstruction& hlo = *instruction.hlo;
  if (key == "metadata") {
    TF_ASSIGN_OR_RETURN(OpMetadata metadata, ScanMetadata(scanner_));
    hlo.set_metadata(std::move(metadata));
  } else if (key == "sharding") {
    const size_t position = scanner_.position();
    TF_ASSIGN_OR_RETURN(OpSharding sharding, ScanSharding(scanner_));
    const absl::Status valid = HloSharding::FromProto(sharding).status();
    if (!valid.ok()) {
      return scanner_.ErrorAt(position, std::string(valid.message()));
    }
    hlo.set_sharding(std::move(sharding));
  } else if (key == "frontend_attributes") {
    TF_ASSIGN_OR_RETURN(FrontendAttributes attributes,
                        ScanFrontendAttributes(scanner_));
    hlo.set_frontend_attributes(std::move(attributes));
  } else if (key == "backend_config") {
    TF_ASSIGN_OR_RETURN(std::string config, ScanBackendConfig(scanner_));
    hlo.set_raw_backend_config_string(std::move(config));
  } else if (key == "control-predecessors") {
    TF_RETURN_IF_ERROR(ReadControlPredecessors(instruction));
  } else if (key == "statistics") {
    TF_ASSIGN_OR_RETURN(StatisticsViz statistics, ScanStatistics(scanner_));
    hlo.set_statistics_viz(std::move(statistics));
  } else if (key == "origin") {
    TF_ASSIGN_OR_RETURN(OriginalValue value, ScanOriginalValue(scanner_));
    hlo.set_original_value(std::make_shared<OriginalValue>(std::move(value)));
  } else if (key == "is_composite" && hlo.opcode() == HloOpcode::kCall) {
    TF_ASSIGN_OR_RETURN(bool is_composite, scanner_.Bool());
    hlo.set_is_composite(is_composite);
  } else {
    return false;
  }
  return true;
}

absl::Status SyntaxReader::ReadControlPredecessors(
    InstructionSyntax& instruction) {
  return ScanBraced(scanner_, [&]() -> absl::Status {
    TF_ASSIGN_OR_RETURN(instruction.control_predecessors.emplace_back(),
                        ReadName());
    return absl::OkStatus();
  });
}

absl::StatusOr<bool> SyntaxReader::ReadCalled(const NameSyntax& key,
                                              InstructionSyntax& instruction) {
  const HloInstruction& main = Main(instruction);
  absl::string_view role;
  bool list = false;
  for (std::string_view declared : main.def().computations.names) {
    if (declared.empty()) break;
    list = IsVariadicName(declared);
    if (list) declared.remove_suffix(3);
    if (IsOptionalName(declared)) declared.remove_suffix(1);
    if (key.name == ToAbsl(declared)) role = ToAbsl(declared);
    if (!role.empty()) break;
  }
  if (role.empty() && main.opcode() == HloOpcode::kConditional &&
      (key.name == "true_computation" || key.name == "false_computation")) {
    role = key.name;
    list = false;
  } else if (role.empty() && main.opcode() == HloOpcode::kCustomCall &&
             key.name == "to_apply") {
    role = key.name;
    list = false;
  } else if (role.empty() && key.name == "calls" &&
             CallsAnything(instruction.hlo->opcode())) {
    // This is a foo-start with the computation that it stands for.
    role = key.name;
    list = false;
  }
  if (role.empty()) return false;
  if (!list) {
    TF_RETURN_IF_ERROR(ReadOneCalled(role, instruction));
  } else {
    TF_RETURN_IF_ERROR(
        ScanBraced(scanner_, [&] { return ReadOneCalled(role, instruction); }));
  }
  return true;
}

absl::Status SyntaxReader::ReadOneCalled(absl::string_view role,
                                         InstructionSyntax& instruction) {
  CalledSyntax called;
  called.role = role;
  if (scanner_.Peek() != '{') {
    TF_ASSIGN_OR_RETURN(called.name, ReadName());
  } else {
    called.name = {"_", scanner_.position()};
    ComputationSyntax inside;
    inside.name = called.name;
    TF_RETURN_IF_ERROR(Enter());
    TF_RETURN_IF_ERROR(ReadInstructionList(inside));
    Leave();
    called.computation = syntax_.computations.size();
    syntax_.computations.push_back(std::move(inside));
  }
  instruction.called.push_back(called);
  return absl::OkStatus();
}

absl::Status SyntaxReader::CheckRequired(const InstructionSyntax& instruction) {
  const OpDef& def = Main(instruction).def();
  int number = 0;
  for (const FieldDef& field : def.attrs->fields()) {
    if (field.show == Show::kRequired && (taken_ >> number & 1) == 0) {
      return scanner_.ErrorAt(
          instruction.opcode_position,
          absl::StrCat("attribute '", ToAbsl(field.name), "' of ",
                       ToAbsl(def.name), " is missing"));
    }
    ++number;
  }
  return absl::OkStatus();
}

}  // namespace xla
