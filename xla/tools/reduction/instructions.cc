// Steps that take instructions out of computations.
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "xla/base/status_macros.h"
#include "xla/core/literal/literal_util.h"
#include "xla/core/shape_util.h"
#include "xla/tools/reduction/moves.h"

namespace xla::tools {
namespace {

using Values = absl::flat_hash_map<std::string, Literal>;

// Zeros of more elements are a broadcast.
constexpr int64_t kMaxConstantElements = 64;

bool IsLeaf(const HloInstruction& hlo) {
  return hlo.opcode() == HloOpcode::kParameter ||
         hlo.opcode() == HloOpcode::kConstant;
}

// Returns zeros in the place of `hlo`, which is an array.
HloInstruction* AddZeros(const HloInstruction& hlo) {
  HloComputation& computation = *hlo.parent();
  const Shape& shape = hlo.shape();
  if (ShapeUtil::ElementsIn(shape) <= kMaxConstantElements) {
    return computation.AddInstruction(
        HloInstruction::CreateConstant(Literal::CreateFromShape(shape)));
  }
  HloInstruction* zero = computation.AddInstruction(
      HloInstruction::CreateConstant(LiteralUtil::Zero(shape.element_type())));
  return computation.AddInstruction(
      HloInstruction::CreateBroadcast(shape, zero, {}));
}

bool CanCut(const HloInstruction& hlo) {
  if (IsLeaf(hlo) || hlo.IsRoot() || !hlo.shape().IsArray()) return false;
  const bool is_zeros = hlo.opcode() == HloOpcode::kBroadcast &&
                        hlo.operand(0)->opcode() == HloOpcode::kConstant;
  return hlo.parent()->IsEntryComputation() || !is_zeros;
}

// Puts a parameter in the place of an instruction of the entry. Returns null if
// its argument is not known.
HloInstruction* AddArgument(const HloInstruction& hlo, const Values* values,
                            ReducibleProgram& program) {
  HloComputation& entry = *program.module->entry_computation();
  if (values != nullptr) {
    const auto value = values->find(hlo.name());
    if (value == values->end()) return nullptr;
    program.arguments.push_back(value->second.Clone());
  }
  const int64_t number = entry.num_parameters();
  return entry.AddInstruction(HloInstruction::CreateParameter(
      number, hlo.shape(), absl::StrCat("argument_", number)));
}

absl::StatusOr<bool> Cut(const Values* values, ReducibleProgram& program,
                         absl::Span<const std::string> chunk) {
  bool changed = false;
  for (const std::string& name : chunk) {
    HloInstruction* hlo = FindInstruction(*program.module, name);
    if (hlo == nullptr || !CanCut(*hlo)) continue;
    HloInstruction* leaf = hlo->parent()->IsEntryComputation()
                               ? AddArgument(*hlo, values, program)
                               : AddZeros(*hlo);
    if (leaf == nullptr) continue;
    TF_RETURN_IF_ERROR(hlo->DropAllControlDeps());
    TF_RETURN_IF_ERROR(hlo->ReplaceAllUsesWith(leaf));
    changed = true;
  }
  return changed;
}

// Returns operand number `which` among those that have the shape of `hlo`; null
// if there are not so many.
HloInstruction* SameShapeOperand(const HloInstruction& hlo, int which) {
  for (HloInstruction* operand : hlo.operands()) {
    if (ShapeUtil::Compatible(operand->shape(), hlo.shape()) && which-- == 0) {
      return operand;
    }
  }
  return nullptr;
}

}  // namespace

bool CutInstructions(Trials& trials) {
  const Values known = trials.has_arguments() ? trials.Values() : Values();
  const Values* values = trials.has_arguments() ? &known : nullptr;
  return trials.TryChunks(
      NamesOf(*trials.best().module, CanCut),
      [values](ReducibleProgram& program, absl::Span<const std::string> chunk) {
        return Cut(values, program, chunk);
      });
}

bool BypassInstructions(Trials& trials) {
  constexpr int kOperands = 3;
  bool changed = false;
  for (int which = 0; which < kOperands; ++which) {
    changed |= trials.TryChunks(
        NamesOf(*trials.best().module,
                [&](const HloInstruction& hlo) {
                  return SameShapeOperand(hlo, which) != nullptr;
                }),
        [which](ReducibleProgram& program,
                absl::Span<const std::string> chunk) -> absl::StatusOr<bool> {
          bool edited = false;
          for (const std::string& name : chunk) {
            HloInstruction* hlo = FindInstruction(*program.module, name);
            if (hlo == nullptr) continue;
            HloInstruction* operand = SameShapeOperand(*hlo, which);
            if (operand == nullptr) continue;
            TF_RETURN_IF_ERROR(hlo->DropAllControlDeps());
            TF_RETURN_IF_ERROR(hlo->ReplaceAllUsesWith(operand));
            edited = true;
          }
          return edited;
        });
  }
  return changed;
}

bool DropEffects(Trials& trials) {
  const auto may_drop = [](const HloInstruction& hlo) {
    return hlo.HasSideEffect() && hlo.user_count() == 0 && !hlo.IsRoot() &&
           hlo.opcode() != HloOpcode::kParameter;
  };
  return trials.TryChunks(
      NamesOf(*trials.best().module, may_drop),
      [&](ReducibleProgram& program,
          absl::Span<const std::string> chunk) -> absl::StatusOr<bool> {
        bool edited = false;
        for (const std::string& name : chunk) {
          HloInstruction* hlo = FindInstruction(*program.module, name);
          if (hlo == nullptr || !may_drop(*hlo)) continue;
          TF_RETURN_IF_ERROR(hlo->DropAllControlDeps());
          TF_RETURN_IF_ERROR(hlo->parent()->RemoveInstruction(hlo));
          edited = true;
        }
        return edited;
      });
}

}  // namespace xla::tools
