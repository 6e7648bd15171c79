// A hash of a kernel's computation finds candidates, and a comparison of
// everything that its code depends on decides.
#include "xla/backends/cpu/planning/shared_functions.h"

#include "absl/container/flat_hash_map.h"
#include "absl/hash/hash.h"
#include "xla/backends/cpu/planning/kernel_frames.h"

namespace xla::cpu {
namespace {

// The code of these instructions depends only on their own shapes and
// attributes.
bool IsOfOwnKind(const HloInstruction& instruction) {
  return instruction.opcode() == HloOpcode::kFusion ||
         instruction.opcode() == HloOpcode::kTranspose ||
         instruction.IsElementwiseOp();
}

bool MayShare(const KernelRequest& request) {
  return request.mapped != nullptr || (!IsSequence(request.instructions) &&
                                       IsOfOwnKind(*request.instructions[0]));
}

size_t HashOf(const HloInstruction& value) {
  return absl::HashOf(static_cast<int>(value.opcode()),
                      value.shape().element_type(), value.shape().dimensions(),
                      value.raw_attrs());
}

// Hashes are added, since equal computations may differ in order.
size_t HashOf(const HloComputation& computation) {
  size_t sum = 0;
  for (const auto& value : computation.instructions()) sum += HashOf(*value);
  return sum;
}

size_t HashOf(const KernelRequest& request) {
  if (request.mapped != nullptr) return HashOf(*request.mapped);
  const HloInstruction& instruction = *request.instructions[0];
  size_t sum = HashOf(instruction);
  for (const HloComputation* called : instruction.called_computations()) {
    sum += HashOf(*called);
  }
  return absl::HashOf(sum, instruction.operand_count());
}

bool SameOperand(const HloInstruction* x, const HloInstruction* y) {
  if (x->shape() != y->shape()) return false;
  // Immediates are part of the code.
  if (IsImmediate(*x) || IsImmediate(*y)) return x->Identical(*y);
  return true;
}

bool SameInstruction(const HloInstruction& x, const HloInstruction& y) {
  if (!x.IdenticalUnder(y, SameOperand,
                        [](const HloComputation* p, const HloComputation* q) {
                          return p->Equal(*q);
                        })) {
    return false;
  }
  for (int64_t i = 0; i < x.operand_count(); ++i) {
    // An array that is several operands is used under its first number.
    for (int64_t j = 0; j < i; ++j) {
      if ((x.operand(i) == x.operand(j)) != (y.operand(i) == y.operand(j))) {
        return false;
      }
    }
  }
  return true;
}

bool SameComputation(const KernelRequest& x, const KernelRequest& y) {
  if (x.mapped != nullptr || y.mapped != nullptr) {
    return x.mapped != nullptr && y.mapped != nullptr &&
           x.mapped->Equal(*y.mapped);
  }
  return x.row_columns == y.row_columns &&
         SameInstruction(*x.instructions[0], *y.instructions[0]);
}

}  // namespace

std::vector<int64_t> FindSharedFunctions(
    absl::Span<const KernelRequest> requests,
    absl::Span<const KernelFrame> frames) {
  std::vector<int64_t> functions(requests.size(), -1);
  absl::flat_hash_map<size_t, std::vector<size_t>> groups;
  for (size_t i = 0; i < requests.size(); ++i) {
    if (!MayShare(requests[i])) continue;
    std::vector<size_t>& group = groups[HashOf(requests[i])];
    for (const size_t first : group) {
      if (!SameComputation(requests[first], requests[i]) ||
          !frames[first].HasSameFacts(frames[i])) {
        continue;
      }
      functions[i] = static_cast<int64_t>(first);
      break;
    }
    if (functions[i] < 0) group.push_back(i);
  }
  return functions;
}

}  // namespace xla::cpu
