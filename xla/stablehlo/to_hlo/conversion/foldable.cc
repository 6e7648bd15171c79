// Checks instructions before the evaluator gets them, and bounds its work.
#include "xla/stablehlo/to_hlo/conversion/foldable.h"

#include <algorithm>
#include <limits>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "xla/base/checked_math.h"
#include "xla/base/status_macros.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/ir/hlo_computation.h"
#include "xla/hlo/ir/infer_instruction.h"
#include "xla/hlo/ops/reduction/reduction.h"

namespace xla::stablehlo {
namespace {

// The most elements of an array that is folded, and the deepest nesting of
// calls.
constexpr int64_t kMaxElements = 1 << 16;
constexpr int kMaxFoldedDepth = 100;
// The work of an op, in bytes, beyond its elements: the evaluator interprets,
// so ops cost more than what they write.
constexpr int64_t kOpWork = 256;
constexpr int64_t kElementWork = 16;
// An upper bound for log2 of the largest array's size, for sorts.
constexpr int64_t kComparisonsPerElement = 16;

// The work of running a computation once.
using WorkOf = absl::flat_hash_map<const HloComputation*, int64_t>;

absl::Status CheckShape(const HloInstruction& instruction) {
  const Shape& declared = instruction.shape();
  TF_ASSIGN_OR_RETURN(
      const Shape inferred,
      InferInstruction(instruction.def(), instruction.operands(),
                       instruction.called_computations(), &declared,
                       instruction.raw_attrs()));
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

absl::StatusOr<int64_t> ComputationWork(const HloComputation& computation,
                                        int depth, WorkOf& known);

int64_t Plus(int64_t a, int64_t b) {
  return CheckedAdd(a, b).value_or(std::numeric_limits<int64_t>::max());
}
int64_t Times(int64_t a, int64_t b) {
  return CheckedMultiply(a, b).value_or(std::numeric_limits<int64_t>::max());
}

int64_t Elements(const Shape& shape) {
  int64_t elements = 0;
  ShapeUtil::ForEachSubshape(shape, [&](const Shape& part, const ShapeIndex&) {
    if (part.IsArray()) elements += ShapeUtil::ElementsIn(part);
  });
  return elements;
}

template <typename Attrs>
int64_t WindowWork(int64_t elements, int64_t called, const Attrs& attrs) {
  for (const WindowDimension& dimension : attrs.window.dimensions()) {
    elements = Times(elements, std::max<int64_t>(dimension.size(), 1));
  }
  return Times(elements, Plus(kElementWork, called));
}

// Returns the work of an op on `elements`, its operands' and its own, that
// calls computations of work `called`.
int64_t OpWork(const HloInstruction& instruction, int64_t elements,
               int64_t called) {
  const int64_t plain = Plus(kOpWork, kElementWork * elements);
  switch (instruction.opcode()) {
    case HloOpcode::kCall:
    case HloOpcode::kConditional:
      return Plus(plain, called);
    case HloOpcode::kWhile:
      return Plus(plain, Times(kMaxFoldedIterations, called));
    case HloOpcode::kReduceWindow:
      return Plus(plain, WindowWork(elements, called,
                                    instruction.attrs<ReduceWindowAttrs>()));
    case HloOpcode::kSelectAndScatter:
      return Plus(plain,
                  WindowWork(elements, called,
                             instruction.attrs<SelectAndScatterAttrs>()));
    // These combine at most each element with each.
    case HloOpcode::kCholesky:
    case HloOpcode::kConvolution:
    case HloOpcode::kDot:
    case HloOpcode::kFft:
    case HloOpcode::kTriangularSolve:
      return Plus(plain, Times(Times(elements, elements), kElementWork));
    case HloOpcode::kSort:
      return Plus(plain, Times(Times(elements, kComparisonsPerElement),
                               Plus(kElementWork, called)));
    default:
      return Plus(plain, called == 0 ? 0 : Times(elements, called));
  }
}

absl::StatusOr<int64_t> InstructionWork(const HloInstruction& instruction,
                                        int depth, WorkOf& known) {
  if (instruction.opcode() == HloOpcode::kCustomCall) {
    return absl::InvalidArgumentError("a custom call is no constant");
  }
  TF_RETURN_IF_ERROR(CheckShape(instruction));
  int64_t called = 0;
  for (const HloComputation* computation : instruction.called_computations()) {
    TF_ASSIGN_OR_RETURN(int64_t more,
                        ComputationWork(*computation, depth + 1, known));
    called = Plus(called, more);
  }
  int64_t elements = Elements(instruction.shape());
  for (const HloInstruction* operand : instruction.operands()) {
    elements += Elements(operand->shape());
  }
  return OpWork(instruction, elements, called);
}

absl::StatusOr<int64_t> ComputationWork(const HloComputation& computation,
                                        int depth, WorkOf& known) {
  if (const auto it = known.find(&computation); it != known.end()) {
    return it->second;
  }
  if (depth > kMaxFoldedDepth) {
    return absl::InvalidArgumentError("computations are nested too deeply");
  }
  int64_t work = 0;
  for (const auto& instruction : computation.instructions()) {
    TF_ASSIGN_OR_RETURN(int64_t more,
                        InstructionWork(*instruction, depth, known));
    work = Plus(work, more);
  }
  known[&computation] = work;
  return work;
}

}  // namespace

absl::StatusOr<int64_t> FoldingWork(const HloInstruction& root) {
  WorkOf known;
  absl::flat_hash_set<const HloInstruction*> seen = {&root};
  std::vector<const HloInstruction*> pending = {&root};
  int64_t work = 0;
  while (!pending.empty()) {
    const HloInstruction* next = pending.back();
    pending.pop_back();
    TF_ASSIGN_OR_RETURN(int64_t more, InstructionWork(*next, 0, known));
    work = Plus(work, more);
    for (const HloInstruction* operand : next->operands()) {
      if (seen.insert(operand).second) pending.push_back(operand);
    }
  }
  return work;
}

}  // namespace xla::stablehlo
