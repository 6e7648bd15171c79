// Checks instructions before the evaluator gets them.
#include "xla/stablehlo/to_hlo/ops/foldable.h"

#include <algorithm>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/container/inlined_vector.h"
#include "absl/strings/str_cat.h"
#include "xla/base/status_macros.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/ir/hlo_computation.h"
#include "xla/hlo/ops/op_def.h"

namespace xla::stablehlo {
namespace {

constexpr int64_t kMaxElements = 1 << 16;
constexpr int64_t kMaxOps = 1 << 20;
constexpr int kMaxDepth = 100;

// Ops that a computation runs, counted again for each call.
using OpCounts = absl::flat_hash_map<const HloComputation*, int64_t>;

absl::Status CheckShape(const HloInstruction& instruction) {
  absl::InlinedVector<const Shape*, 4> operands;
  for (const HloInstruction* operand : instruction.operands()) {
    operands.push_back(&operand->shape());
  }
  std::vector<ProgramShape> signatures;
  for (const HloComputation* called : instruction.called_computations()) {
    signatures.push_back(called->ComputeProgramShape());
  }
  std::vector<const ProgramShape*> pointers;
  for (const ProgramShape& signature : signatures) {
    pointers.push_back(&signature);
  }
  const Shape& declared = instruction.shape();
  TF_ASSIGN_OR_RETURN(
      const Shape inferred,
      InferShape(instruction.def(), InferArgs{operands, pointers, &declared},
                 instruction.raw_attrs().get()));
  if (!ShapeUtil::Compatible(inferred, declared)) {
    return absl::InvalidArgumentError(absl::StrCat(
        HloOpcodeString(instruction.opcode()), " is declared as ",
        declared.ToString(), " where its operands give ", inferred.ToString()));
  }
  bool is_small = true;
  ShapeUtil::ForEachSubshape(
      declared, [&](const Shape& part, const ShapeIndex&) {
        is_small = is_small && (!part.IsArray() ||
                                ShapeUtil::ElementsIn(part) <= kMaxElements);
      });
  if (is_small) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat(declared.ToString(), " is too large to be evaluated here"));
}

absl::StatusOr<int64_t> CheckComputation(const HloComputation& computation,
                                         int depth, OpCounts& counts);

// The ops that this one stands for.
absl::StatusOr<int64_t> CheckInstruction(const HloInstruction& instruction,
                                         int depth, OpCounts& counts) {
  TF_RETURN_IF_ERROR(CheckShape(instruction));
  int64_t count = 1;
  for (const HloComputation* called : instruction.called_computations()) {
    TF_ASSIGN_OR_RETURN(int64_t more,
                        CheckComputation(*called, depth + 1, counts));
    count = std::min(count + more, kMaxOps + 1);
  }
  return count;
}

absl::StatusOr<int64_t> CheckComputation(const HloComputation& computation,
                                         int depth, OpCounts& counts) {
  if (const auto it = counts.find(&computation); it != counts.end()) {
    return it->second;
  }
  if (depth > kMaxDepth) {
    return absl::InvalidArgumentError("computations are nested too deeply");
  }
  int64_t count = 0;
  for (const auto& instruction : computation.instructions()) {
    TF_ASSIGN_OR_RETURN(int64_t more,
                        CheckInstruction(*instruction, depth, counts));
    count = std::min(count + more, kMaxOps + 1);
  }
  counts[&computation] = count;
  return count;
}

}  // namespace

absl::Status CheckFoldable(const HloInstruction& root) {
  OpCounts counts;
  absl::flat_hash_set<const HloInstruction*> seen = {&root};
  std::vector<const HloInstruction*> pending = {&root};
  int64_t total = 0;
  while (!pending.empty()) {
    const HloInstruction* next = pending.back();
    pending.pop_back();
    TF_ASSIGN_OR_RETURN(int64_t count, CheckInstruction(*next, 0, counts));
    total += count;
    if (total > kMaxOps) {
      return absl::InvalidArgumentError("too many ops to be evaluated here");
    }
    for (const HloInstruction* operand : next->operands()) {
      if (seen.insert(operand).second) pending.push_back(operand);
    }
  }
  return absl::OkStatus();
}

}  // namespace xla::stablehlo
