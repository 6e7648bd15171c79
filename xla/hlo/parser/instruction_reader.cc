// Instructions: the part of SyntaxReader behind a computation's brace.
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
#include "xla/hlo/parser/syntax_reader.h"

namespace xla {

// What is known of an instruction before it is made.
struct SyntaxReader::InstructionHead {
  Shape shape;
  HloOpcode opcode = HloOpcode::kAbs;
  // foo-start, -update and -done: `opcode` is one of async-start, -update and
  // -done, `def` the row of foo.
  bool is_async = false;
  const OpDef* def = nullptr;
  Attrs attrs;           // of def
  uint64_t taken = 0;    // which fields of attrs the text has set
  Attrs async_attrs;     // of the async op
};

absl::Status SyntaxReader::ReadInstruction(ComputationSyntax& computation) {
  InstructionSyntax instruction;
  instruction.is_root = scanner_.TryConsumeWord("ROOT");
  TF_ASSIGN_OR_RETURN(instruction.name, ReadName());
  TF_RETURN_IF_ERROR(scanner_.Consume("="));
  return ReadRightHandSide(computation, std::move(instruction),
                           /*nested=*/false);
}

absl::Status SyntaxReader::ReadRightHandSide(ComputationSyntax& computation,
                                             InstructionSyntax instruction,
                                             bool nested) {
  InstructionHead head;
  instruction.has_shape = NextIsShape(scanner_);
  if (instruction.has_shape) {
    TF_ASSIGN_OR_RETURN(head.shape, ScanShape(scanner_, shape_options_));
  }
  instruction.opcode_position = scanner_.position();
  TF_RETURN_IF_ERROR(ReadOpcode(head));
  TF_RETURN_IF_ERROR(scanner_.Consume("("));
  if (head.opcode == HloOpcode::kParameter ||
      head.opcode == HloOpcode::kConstant) {
    TF_RETURN_IF_ERROR(ReadPayload(head, computation, instruction));
  } else {
    TF_RETURN_IF_ERROR(ReadOperands(computation, instruction));
  }
  const size_t end = scanner_.position();
  if (head.is_async) {
    instruction.hlo =
        HloInstruction::Create(head.opcode, std::move(head.shape), {},
                               Attrs(GetOpDef(head.opcode).attrs));
    head.async_attrs = Attrs(GetOpDef(head.opcode).attrs);
  } else {
    instruction.hlo =
        HloInstruction::Create(head.opcode, std::move(head.shape), {},
                               std::move(head.attrs));
  }
  if (!nested) TF_RETURN_IF_ERROR(ReadAttributes(head, instruction));
  if (head.is_async && head.opcode != HloOpcode::kAsyncStart) {
    computation.instructions.push_back(std::move(instruction));
    return absl::OkStatus();
  }
  int field_number = 0;
  for (const FieldDef& field : head.def->attrs->fields()) {
    if (field.show == Show::kRequired && (head.taken >> field_number & 1) == 0) {
      return scanner_.ErrorAt(
          end, absl::StrCat("attribute '", ToAbsl(field.name), "' of ",
                            ToAbsl(head.def->name), " is missing"));
    }
    ++field_number;
  }
  if (head.is_async) {
    instruction.wrapped = HloInstruction::Create(head.def->opcode, Shape(), {},
                                                 std::move(head.attrs));
  }
  computation.instructions.push_back(std::move(instruction));
  return absl::OkStatus();
}

}  // namespace xla
