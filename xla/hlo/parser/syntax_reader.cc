// Reads modules, computations and single instructions: the outer grammar.
#include "xla/hlo/parser/syntax_reader.h"

#include <utility>

#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "xla/base/status_macros.h"
#include "xla/core/shape_text.h"
#include "xla/hlo/attrs/annotation_text.h"
#include "xla/hlo/ops/values.h"

namespace xla {

absl::StatusOr<NameSyntax> SyntaxReader::ReadName() {
  NameSyntax name;
  const bool has_percent = scanner_.Peek() == '%';
  name.position = scanner_.position();
  TF_ASSIGN_OR_RETURN(name.name, scanner_.Name());
  if (has_percent || !IsTypeWord(name.name)) return name;
  return scanner_.ErrorAt(
      name.position, absl::StrCat("expected a name, got the type '", name.name,
                                  "'; write '%", name.name, "'"));
}

absl::StatusOr<NameSyntax> SyntaxReader::ReadDefinedName() {
  const bool has_percent = scanner_.Peek() == '%';
  TF_ASSIGN_OR_RETURN(NameSyntax name, ReadName());
  if (!has_percent) scanner_.TryConsume(":");
  return name;
}

absl::Status SyntaxReader::CheckNewKey(absl::string_view key, size_t position,
                                       Keys& keys) {
  for (absl::string_view known : keys) {
    if (known == key) {
      return scanner_.ErrorAt(
          position, absl::StrCat("attribute '", key, "' occurs twice"));
    }
  }
  keys.push_back(key);
  return absl::OkStatus();
}

absl::Status SyntaxReader::Enter() {
  if (++depth_ <= kMaxNesting) return absl::OkStatus();
  return scanner_.Error(
      absl::StrCat("computations and instructions are nested more than ",
                   kMaxNesting, " deep"));
}

SyntaxReader::Start SyntaxReader::FindStart() {
  const size_t start = scanner_.position();
  Start found = Start::kInstruction;
  if (scanner_.TryConsumeWord("HloModule")) {
    found = Start::kModule;
  } else if (scanner_.TryConsumeWord("ENTRY")) {
    found = Start::kComputations;
  } else if (!NextIsShape(scanner_) && scanner_.Name().ok()) {
    scanner_.TryConsume(":");
    const char next = scanner_.Peek();
    if (next == '{' || next == '(') found = Start::kComputations;
  }
  scanner_.set_position(start);
  return found;
}

absl::StatusOr<ModuleSyntax> SyntaxReader::Read(const HloModuleConfig& config) {
  syntax_.module = std::make_unique<HloModule>("", config);
  if (scanner_.AtEnd()) {
    return scanner_.Error("expected an HLO module, got an empty text");
  }
  switch (FindStart()) {
    case Start::kModule:
      syntax_.has_header = true;
      TF_RETURN_IF_ERROR(ReadHeader());
      TF_RETURN_IF_ERROR(ReadStackFrames());
      TF_RETURN_IF_ERROR(ReadComputations());
      break;
    case Start::kComputations:
      TF_RETURN_IF_ERROR(ReadComputations());
      break;
    case Start::kInstruction:
      TF_RETURN_IF_ERROR(ReadSingleInstruction());
      break;
  }
  return std::move(syntax_);
}

absl::Status SyntaxReader::ReadStackFrames() {
  StackFrameIndexProto index;
  TF_RETURN_IF_ERROR(ScanStackFrameTables(scanner_, &index));
  if (index.ByteSizeLong() > 0) {
    syntax_.module->set_stack_frame_index(std::move(index));
  }
  return absl::OkStatus();
}

// Reads [ENTRY] name [signature] { ... } ...; without ENTRY the last one is the
// entry.
absl::Status SyntaxReader::ReadComputations() {
  if (scanner_.AtEnd()) {
    return scanner_.Error("expected a computation, got the end of the text");
  }
  bool has_entry = false;
  while (!scanner_.AtEnd()) {
    const size_t start = scanner_.position();
    const bool is_entry = scanner_.TryConsumeWord("ENTRY");
    if (is_entry && has_entry) {
      return scanner_.ErrorAt(start, "the module has two ENTRY computations");
    }
    has_entry |= is_entry;
    TF_RETURN_IF_ERROR(ReadComputation());
    syntax_.computations.back().is_entry = is_entry;
  }
  if (!has_entry) syntax_.computations.back().is_entry = true;
  return absl::OkStatus();
}

absl::Status SyntaxReader::ReadComputation() {
  ComputationSyntax computation;
  computation.name.position = scanner_.position();
  // XLA omits names in texts for fingerprints.
  if (scanner_.Peek() == '{') {
    computation.name.name = "_";
  } else {
    TF_ASSIGN_OR_RETURN(computation.name, ReadDefinedName());
  }
  if (scanner_.Peek() == '(') TF_RETURN_IF_ERROR(ReadSignature());
  TF_RETURN_IF_ERROR(ReadInstructionList(computation));
  const size_t end = scanner_.position();
  if (scanner_.TryConsume(",")) {
    if (!scanner_.TryConsumeWord("execution_thread")) {
      return scanner_.ErrorAt(end, "expected execution_thread after the ','");
    }
    TF_RETURN_IF_ERROR(scanner_.Consume("="));
    TF_ASSIGN_OR_RETURN(computation.execution_thread, scanner_.QuotedString());
  }
  syntax_.computations.push_back(std::move(computation));
  return absl::OkStatus();
}

// The parameters and the root repeat the signature, so only its syntax is
// checked.
absl::Status SyntaxReader::ReadSignature() {
  TF_RETURN_IF_ERROR(ScanProgramShape(scanner_).status());
  return absl::OkStatus();
}

absl::Status SyntaxReader::ReadInstructionList(ComputationSyntax& computation) {
  const size_t start = scanner_.position();
  TF_RETURN_IF_ERROR(scanner_.Consume("{"));
  bool has_root = false;
  while (!scanner_.TryConsume("}")) {
    const size_t instruction_start = scanner_.position();
    TF_RETURN_IF_ERROR(ReadInstruction(computation));
    if (computation.instructions.back().is_root) {
      if (has_root) {
        return scanner_.ErrorAt(instruction_start,
                                "the computation has a ROOT already");
      }
      has_root = true;
    }
  }
  if (computation.instructions.empty()) {
    return scanner_.ErrorAt(start, "a computation needs an instruction");
  }
  if (!has_root) computation.instructions.back().is_root = true;
  return absl::OkStatus();
}

// Reads [name =] shape opcode(shape [operand], ...), ...: the operands become
// the parameters.
absl::Status SyntaxReader::ReadSingleInstruction() {
  ComputationSyntax computation;
  single_ = &computation;
  computation.name = {"_", scanner_.position()};
  computation.is_entry = true;
  syntax_.module->set_name("_");
  InstructionSyntax instruction;
  instruction.is_root = true;
  const size_t start = scanner_.position();
  bool has_name = !NextIsShape(scanner_) && scanner_.Name().ok();
  if (has_name) {
    scanner_.TryConsume(":");
    has_name = scanner_.Peek() == '=';
  }
  scanner_.set_position(start);
  if (!has_name) {
    instruction.name = {"_", start};
  } else {
    TF_ASSIGN_OR_RETURN(instruction.name, ReadDefinedName());
    TF_RETURN_IF_ERROR(scanner_.Consume("="));
  }
  TF_RETURN_IF_ERROR(ReadRightHandSide(computation, std::move(instruction),
                                       /*nested=*/false));
  if (!scanner_.AtEnd()) {
    return scanner_.Error(
        "expected the end of the text after one instruction; a module begins "
        "with \"HloModule name\"");
  }
  absl::flat_hash_set<absl::string_view> known;
  for (const InstructionSyntax& i : computation.instructions) {
    known.insert(i.name.name);
  }
  int64_t number = 0;
  for (OperandSyntax& operand : computation.operands) {
    const bool is_named = !operand.name.name.empty();
    if (operand.nested >= 0 ||
        (is_named && !known.insert(operand.name.name).second)) {
      continue;
    }
    if (operand.shape < 0) {
      return scanner_.ErrorAt(operand.name.position,
                              "an operand of a single instruction needs a "
                              "shape");
    }
    InstructionSyntax parameter;
    parameter.name = operand.name;
    parameter.opcode_position = operand.name.position;
    parameter.has_shape = true;
    parameter.hlo = HloInstruction::CreateParameter(
        number, computation.operand_shapes[operand.shape],
        is_named ? std::string(operand.name.name) : absl::StrCat("_", number));
    ++number;
    if (!is_named) operand.nested = computation.instructions.size();
    computation.instructions.push_back(std::move(parameter));
  }
  single_ = nullptr;
  syntax_.computations.push_back(std::move(computation));
  return absl::OkStatus();
}

}  // namespace xla
