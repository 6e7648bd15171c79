// ComputationClones: the part of HloComputation that makes copies of it.
#ifndef XLA_HLO_IR_COMPUTATION_COMPUTATION_CLONES_H_
#define XLA_HLO_IR_COMPUTATION_COMPUTATION_CLONES_H_

#include <memory>
#include <string>
#include <utility>
#include <variant>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace xla {

class HloCloneContext;
class HloComputation;
class HloInstruction;
class HloModule;

class ComputationClones {
 public:
  // Returns a copy that is in no module. Called computations are those of the
  // context; of those that it lacks, fusions, custom calls and async-starts get
  // copies, in the module, and other ops keep theirs.
  std::unique_ptr<HloComputation> Clone(const std::string& suffix = "clone",
                                        HloCloneContext* context = nullptr);

  // Instructions and what takes their place; null is nothing.
  using Replacements = absl::flat_hash_map<const HloInstruction*,
                                           std::unique_ptr<HloInstruction>>;
  using Replacement =
      std::pair<const HloInstruction*, std::unique_ptr<HloInstruction>>;
  // Null is the root; several are made a tuple.
  using NewRoot = std::variant<const HloInstruction*,
                               const absl::Span<HloInstruction* const>>;

  // Like Clone, but copies the replacements in place of the instructions, with
  // all that they use, and adds copies of `extra_parameters` (CHECK that they
  // are parameters). What is used cannot be replaced by nothing (CHECK).
  // Operands of replacements are instructions of this computation, or other
  // replacements. Instructions keep their order; new ones come last, new
  // parameters after the last parameter.
  std::unique_ptr<HloComputation> CloneWithReplacements(
      const Replacements* replacements,
      absl::Span<const HloInstruction* const> extra_parameters = {},
      HloCloneContext* context = nullptr, const std::string& suffix = "clone",
      NewRoot new_root = nullptr);
  std::unique_ptr<HloComputation> CloneInContext(
      HloCloneContext& context, const Replacements* replacements = nullptr,
      absl::Span<const HloInstruction* const> extra_parameters = {},
      const std::string& suffix = "clone", NewRoot new_root = nullptr) const;
  std::unique_ptr<HloComputation> CloneWithReplacementPairs(
      Replacement r1, HloCloneContext* context = nullptr,
      const std::string& suffix = "clone");
  std::unique_ptr<HloComputation> CloneWithReplacementPairs(
      Replacement r1, Replacement r2, HloCloneContext* context = nullptr,
      const std::string& suffix = "clone");
  std::unique_ptr<HloComputation> CloneWithReplacementPairs(
      Replacement r1, Replacement r2, Replacement r3,
      HloCloneContext* context = nullptr, const std::string& suffix = "clone");

  // Makes a copy in `target` (which may be another module). Called computations
  // are mapped by `computations` where it has them; others stay the same
  // pointers.
  HloComputation* CloneInto(
      HloModule* target, absl::string_view name,
      const absl::flat_hash_map<const HloComputation*, HloComputation*>&
          computations = {}) const;
  // Makes a copy in the module of the context, where it calls the copies that
  // the context has, and records it there.
  HloComputation* CloneInto(HloCloneContext& context);

 protected:
  ~ComputationClones() = default;

 private:
  // Copies the instructions into `result`, which has none.
  void CloneInstructionsInto(HloComputation* result,
                             HloCloneContext* context) const;
  const HloComputation& self() const;
};

}  // namespace xla

#endif  // XLA_HLO_IR_COMPUTATION_COMPUTATION_CLONES_H_
