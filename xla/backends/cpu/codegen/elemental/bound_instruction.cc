// Operands and results of an instruction bound to memory.
#include "xla/backends/cpu/codegen/elemental/bound_instruction.h"

#include <memory>

#include "absl/memory/memory.h"
#include "xla/base/status_macros.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/analysis/leaves.h"
#include "xla/hlo/ir/hlo_computation.h"

namespace xla::cpu {
namespace {

// Stores to outputs from this size on bypass the caches, even if the output
// would fit into the last one: that saves reading the lines first and leaves
// the caches to the inputs. Smaller outputs are likely to be read from the
// caches later.
constexpr int64_t kStreamedBytes = 16 << 20;

// Collects the instruction at each leaf of `root`'s shape.
void CollectRoots(const HloInstruction* root, std::vector<Root>& roots) {
  if (root->opcode() == HloOpcode::kTuple) {
    for (const HloInstruction* element : root->operands()) {
      CollectRoots(element, roots);
    }
    return;
  }
  const int64_t leaves = LeafCount(root->shape());
  for (int64_t leaf = 0; leaf < leaves; ++leaf) {
    roots.push_back({.value = root, .leaf = leaf});
  }
}

}  // namespace

absl::StatusOr<std::unique_ptr<BoundInstruction>> BoundInstruction::Make(
    EmitContext& context, ArrayMap& arrays, const HloInstruction& instruction) {
  auto bound = absl::WrapUnique(new BoundInstruction(context, instruction));
  const bool fusion = instruction.opcode() == HloOpcode::kFusion;
  CollectRoots(
      fusion ? instruction.fused_instructions_computation()->root_instruction()
             : &instruction,
      bound->roots_);
  const std::vector<const Shape*> results = Leaves(instruction.shape());
  for (size_t leaf = 0; leaf < bound->roots_.size(); ++leaf) {
    if (!results[leaf]->IsArray()) continue;
    TF_ASSIGN_OR_RETURN(bound->roots_[leaf].array,
                        arrays.ArrayOf(&instruction, leaf));
    // Scatters read the outputs that they write.
    bound->roots_[leaf].array.set_invariant(false);
  }
  for (int64_t i = 0; i < instruction.operand_count(); ++i) {
    const HloInstruction* operand = instruction.operand(i);
    const HloInstruction* inside =
        fusion ? instruction.fused_instructions_computation()
                     ->parameter_instruction(i)
               : operand;
    const std::vector<const Shape*> leaves = Leaves(operand->shape());
    for (size_t leaf = 0; leaf < leaves.size(); ++leaf) {
      if (!leaves[leaf]->IsArray()) continue;
      // Scalar constants become immediates.
      if (operand->IsConstant() && operand->shape().dimensions().empty()) {
        if (fusion) {
          bound->emitter_.Bind(inside, leaf,
                               [operand, &emitter = bound->emitter_](
                                   EmitContext&, const VectorIndex& index) {
                                 return emitter.Emit(operand, index);
                               });
        }
        continue;
      }
      TF_ASSIGN_OR_RETURN(IrArray array, arrays.ArrayOf(operand, leaf));
      bool written = false;
      for (size_t r = 0; r < bound->roots_.size(); ++r) {
        written |= arrays.SameMemory(operand, leaf, &instruction, r);
      }
      bound->in_place_ |= written;
      if (written) array.set_invariant(false);
      bound->emitter_.BindArray(inside, leaf, array);
    }
  }
  return bound;
}

bool BoundInstruction::StreamOutputs() {
  int64_t bytes = 0;
  for (const Root& root : roots_) {
    if (!root.array.is_null()) {
      bytes += ShapeUtil::ByteSizeOf(root.array.shape());
    }
  }
  if (in_place_ || bytes < kStreamedBytes) return false;
  for (Root& root : roots_) root.array.set_streaming(true);
  return true;
}

}  // namespace xla::cpu
