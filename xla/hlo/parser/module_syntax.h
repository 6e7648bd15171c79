// A module as the text has it: names are not resolved, instructions not
// connected. SyntaxReader makes it, ModuleBuilder turns it into an HloModule.
#ifndef XLA_HLO_PARSER_MODULE_SYNTAX_H_
#define XLA_HLO_PARSER_MODULE_SYNTAX_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "xla/core/shape.h"
#include "xla/hlo/ir/hlo_instruction.h"
#include "xla/hlo/ir/hlo_module.h"

namespace xla {

// A name and where it occurs; `position` is a byte offset into the text.
struct NameSyntax {
  absl::string_view name;
  size_t position = 0;
};

// An operand: a name, or an instruction written in its place.
struct OperandSyntax {
  NameSyntax name;
  int32_t nested = -1;  // index of that instruction in its computation
  int32_t shape = -1;   // index of the stated shape in operand_shapes
};

// A computation that an instruction calls: a name, or one written inside it.
struct CalledSyntax {
  absl::string_view role;  // "to_apply"; "branch_computations" for each branch
  NameSyntax name;
  int32_t computation = -1;  // index in the module of one written inside
};

struct InstructionSyntax {
  NameSyntax name;  // empty where nested
  size_t opcode_position = 0;
  bool is_root = false;
  bool has_shape = false;
  bool maps_all_dimensions = false;  // a map that does not list them
  // The foo of a foo-update or foo-done.
  std::optional<HloOpcode> async_opcode;
  int32_t first_operand = 0;  // in ComputationSyntax::operands
  int32_t operand_count = 0;
  // Has its attributes and annotations, but no operands and computations, and
  // no shape unless has_shape.
  std::unique_ptr<HloInstruction> hlo;
  // The foo, without a shape, of a foo-start, where `hlo` is the async-start.
  std::unique_ptr<HloInstruction> wrapped;
  std::vector<CalledSyntax> called;
  std::vector<NameSyntax> control_predecessors;
};

struct ComputationSyntax {
  NameSyntax name;
  bool is_entry = false;
  std::string execution_thread;  // empty: the main one
  std::vector<InstructionSyntax> instructions;
  std::vector<OperandSyntax> operands;
  std::vector<Shape> operand_shapes;
};

struct ModuleSyntax {
  // Holds the fields of the module's header; no computations yet.
  std::unique_ptr<HloModule> module;
  bool has_header = false;
  std::vector<ComputationSyntax> computations;
};

}  // namespace xla

#endif  // XLA_HLO_PARSER_MODULE_SYNTAX_H_
