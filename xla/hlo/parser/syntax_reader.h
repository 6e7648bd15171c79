// Reads HLO text into a ModuleSyntax: the grammar, without the meaning of
// names. Recursive only where text nests (computations inside instructions,
// instructions inside operands), to a fixed depth.
#ifndef XLA_HLO_PARSER_SYNTAX_READER_H_
#define XLA_HLO_PARSER_SYNTAX_READER_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "xla/base/text_scanner.h"
#include "xla/hlo/ir/hlo_module_config.h"
#include "xla/hlo/parser/hlo_parser.h"
#include "xla/hlo/parser/module_syntax.h"

namespace xla {

class SyntaxReader {
 public:
  SyntaxReader(TextScanner& scanner, const HloParserOptions& options)
      : scanner_(scanner) {
    shape_options_.fill_missing_layouts = options.fill_missing_layouts();
    entry_layout_options_.fill_missing_layouts =
        options.fill_missing_layouts() && !options.keep_module_auto_layouts();
  }

  // Reads all of the text.
  absl::StatusOr<ModuleSyntax> Read(const HloModuleConfig& config);

 private:
  // The most levels of computations and instructions inside others: bounds the
  // recursion.
  static constexpr int kMaxNesting = 64;

  // The beginning of the text decides what it is.
  enum class Start { kModule, kComputations, kInstruction };
  Start FindStart();

  // syntax_reader.cc
  absl::Status ReadStackFrames();
  absl::Status ReadComputations();
  absl::Status ReadComputation();
  absl::Status ReadSignature();
  absl::Status ReadInstructionList(ComputationSyntax& computation);
  absl::Status ReadSingleInstruction();

  // instruction_reader.cc
  using Keys = absl::InlinedVector<absl::string_view, 8>;
  absl::Status ReadInstruction(ComputationSyntax& computation);
  // Reads what follows "name =" and appends the instruction.
  absl::Status ReadRightHandSide(ComputationSyntax& computation,
                                 InstructionSyntax instruction, bool nested);
  absl::Status ReadOpcode(InstructionSyntax& instruction, Shape shape);
  absl::Status ReadPayload(InstructionSyntax& instruction);
  absl::Status ReadOperands(ComputationSyntax& computation,
                            InstructionSyntax& instruction);
  absl::Status ReadOperand(ComputationSyntax& computation,
                           OperandSyntax& operand);
  absl::Status ReadAttributes(InstructionSyntax& instruction);
  absl::Status ReadAttribute(const NameSyntax& key,
                             InstructionSyntax& instruction);
  // Returns true if `key` was an attribute that any instruction may have.
  absl::StatusOr<bool> ReadAnnotation(absl::string_view key,
                                      InstructionSyntax& instruction);
  absl::Status ReadControlPredecessors(InstructionSyntax& instruction);
  // Returns true if `key` names computations that the instruction calls.
  absl::StatusOr<bool> ReadCalled(const NameSyntax& key,
                                  InstructionSyntax& instruction);
  absl::Status ReadOneCalled(absl::string_view role,
                             InstructionSyntax& instruction);
  absl::Status CheckRequired(const InstructionSyntax& instruction);

  // module_header.cc
  absl::Status ReadHeader();
  absl::Status ReadHeaderAttribute(absl::string_view key, size_t position);
  absl::Status ReadEntryLayout();
  absl::Status ReadInputOutputAlias();
  absl::Status ReadBufferDonor();

  // Reads a name; without a '%' it may not be a type's name.
  absl::StatusOr<NameSyntax> ReadName();
  // Like ReadName, for a definition; without a '%' it may end in a ':'.
  absl::StatusOr<NameSyntax> ReadDefinedName();
  absl::Status CheckNewKey(absl::string_view key, size_t position, Keys& keys);
  // Returns an error if the nesting gets too deep; else adds a level until
  // Leave.
  absl::Status Enter();
  void Leave() { --depth_; }

  TextScanner& scanner_;
  ShapeTextOptions shape_options_;
  ShapeTextOptions entry_layout_options_;
  ModuleSyntax syntax_;
  // That of a text of one instruction, whose operands need no names.
  const ComputationSyntax* single_ = nullptr;
  int depth_ = 0;
  // The fields of the current attributes that the text has set.
  uint64_t taken_ = 0;
};

}  // namespace xla

#endif  // XLA_HLO_PARSER_SYNTAX_READER_H_
