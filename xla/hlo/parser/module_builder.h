// Turns a ModuleSyntax into an HloModule: resolves names, connects
// instructions, infers shapes that the text omits. The grammar is not its
// concern, and the verifier checks what the text states.
#ifndef XLA_HLO_PARSER_MODULE_BUILDER_H_
#define XLA_HLO_PARSER_MODULE_BUILDER_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "xla/base/text_scanner.h"
#include "xla/hlo/ir/async_ops.h"
#include "xla/hlo/ir/hlo_module.h"
#include "xla/hlo/parser/module_syntax.h"

namespace xla {

class ModuleBuilder {
 public:
  // `scanner` is of the text that `syntax` came from; it formats the errors.
  ModuleBuilder(const TextScanner& scanner, ModuleSyntax syntax)
      : scanner_(scanner), syntax_(std::move(syntax)) {}

  absl::StatusOr<std::unique_ptr<HloModule>> Build();

 private:
  // Sets CalledSyntax::computation of all calls by name.
  absl::Status ResolveComputations();
  // Orders callees before callers, otherwise as in the text. Errors: recursion.
  absl::StatusOr<std::vector<int>> OrderComputations();

  const TextScanner& scanner_;
  ModuleSyntax syntax_;
  std::vector<HloComputation*> built_;  // by index in the syntax
  // The dimensions and tuple elements that shapes not stated in the text may
  // still have; bounds the memory that a short text can ask for.
  int64_t shape_budget_ = int64_t{1} << 22;
  AsyncChecker async_;
};

// Builds one computation of a module; its callees are already built.
class ComputationBuilder {
 public:
  ComputationBuilder(const TextScanner& scanner, ComputationSyntax& syntax,
                     const std::vector<HloComputation*>& built,
                     HloModule& module, int64_t& shape_budget,
                     AsyncChecker& async)
      : scanner_(scanner),
        syntax_(syntax),
        built_(built),
        module_(module),
        shape_budget_(shape_budget),
        async_(async) {}

  absl::StatusOr<HloComputation*> Build();

 private:
  absl::Status NameInstructions();
  // Returns the positions in syntax_.instructions of the parameters, by number.
  absl::StatusOr<std::vector<int>> FindParameters();
  absl::Status AddInstructions();
  // Returns the index of the instruction with that name.
  absl::StatusOr<int> Find(const NameSyntax& name) const;
  absl::Status Connect(int index);
  absl::Status AddControlEdges(int index);
  absl::Status CheckNoCycle();
  absl::Status SetComputations(InstructionSyntax& syntax,
                               HloInstruction& caller);
  // Infers the shape if it is missing; wraps the op of foo-start.
  absl::Status Finish(int index);
  absl::Status InferShapeOf(const InstructionSyntax& syntax,
                            HloInstruction& hlo);
  // Returns an error if `shape`, which the text does not state, is too large:
  // inferred shapes can double with every tuple(x, x).
  absl::Status Charge(const Shape& shape, size_t position);
  const ProgramShape& SignatureOf(const HloComputation& computation);
  absl::Status Wrap(InstructionSyntax& syntax, HloInstruction& start);
  absl::Status CheckOperandShapes(int index);

  const TextScanner& scanner_;
  ComputationSyntax& syntax_;
  const std::vector<HloComputation*>& built_;
  HloModule& module_;
  int64_t& shape_budget_;
  AsyncChecker& async_;
  HloComputation* computation_ = nullptr;
  absl::flat_hash_map<absl::string_view, int> by_name_;
  std::vector<HloInstruction*> instructions_;  // by index in the syntax
  // Whether an instruction is used before the text defines it.
  bool has_forward_uses_ = false;
  absl::flat_hash_map<const HloComputation*, std::unique_ptr<ProgramShape>>
      signatures_;
};

}  // namespace xla

#endif  // XLA_HLO_PARSER_MODULE_BUILDER_H_
