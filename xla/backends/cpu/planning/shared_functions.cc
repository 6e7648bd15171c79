// A hash of what an instruction computes finds candidates; all that its code
// depends on decides.
#include "xla/backends/cpu/planning/shared_functions.h"

#include "absl/container/flat_hash_map.h"
#include "absl/hash/hash.h"
#include "xla/hlo/analysis/leaves.h"

namespace xla::cpu {
namespace {

using Kind = BufferAssignment::Kind;

bool IsImmediate(const HloInstruction& instruction) {
  return instruction.IsConstant() && instruction.shape().dimensions().empty();
}

// What code depends on besides the instruction: how its arrays lie.
std::vector<int> MemoryOf(const BufferAssignment& assignment,
                          const HloInstruction& instruction) {
  std::vector<int> memory;
  const std::vector<BufferSlice> arrays = OwnArrays(assignment, instruction);
  for (const BufferSlice& array : arrays) {
    // Parameters have any alignment; what has no elements is not there.
    memory.push_back(array.allocation < 0
                         ? -1
                         : assignment.allocations()[array.allocation].kind ==
                               Kind::kParameter);
  }
  const size_t results = LeafCount(instruction.shape());
  for (size_t i = 0; i < arrays.size(); ++i) {
    for (size_t r = arrays.size() - results; r < arrays.size(); ++r) {
      memory.push_back(arrays[i].Overlaps(arrays[r]));
    }
  }
  return memory;
}

// Whether an operand may turn out to be the memory of a result, because it was
// donated: that is known of allocations, not of arrays.
bool MayBeDonated(const HloModule& module, const BufferAssignment& assignment,
                  const HloInstruction& instruction) {
  if (module.input_output_alias().entries().empty()) return false;
  for (const BufferSlice& result : assignment.slices(&instruction)) {
    if (result.allocation >= 0 &&
        assignment.allocations()[result.allocation].kind != Kind::kTemp) {
      return true;
    }
  }
  return false;
}

// Of these instructions, code depends on shapes and attributes of their own
// alone.
bool IsOfOwnKind(const HloInstruction& instruction) {
  return instruction.opcode() == HloOpcode::kFusion ||
         instruction.opcode() == HloOpcode::kTranspose ||
         instruction.IsElementwise();
}

bool MayShare(const HloModule& module, const BufferAssignment& assignment,
              const KernelSpec& spec) {
  return !spec.is_sequence() && IsOfOwnKind(*spec.instructions[0]) &&
         (spec.overwritten >= 0 ||
          !MayBeDonated(module, assignment, *spec.instructions[0]));
}

size_t HashOf(const KernelSpec& spec) {
  const HloInstruction& instruction = *spec.instructions[0];
  const auto hash = [](const HloInstruction& value) {
    return absl::HashOf(static_cast<int>(value.opcode()),
                        value.shape().element_type(),
                        value.shape().dimensions(), value.raw_attrs());
  };
  size_t sum = hash(instruction);
  for (const HloComputation* called : instruction.called_computations()) {
    // A sum, since equal computations may have other orders.
    for (const auto& value : called->instructions()) sum += hash(*value);
  }
  return absl::HashOf(sum, instruction.operand_count(), spec.overwritten);
}

bool SameOperand(const HloInstruction* x, const HloInstruction* y) {
  if (x->shape() != y->shape()) return false;
  // These are in the code.
  if (IsImmediate(*x) || IsImmediate(*y)) return x->Identical(*y);
  return true;
}

bool SameFunction(const BufferAssignment& assignment, const KernelSpec& x,
                  const KernelSpec& y) {
  const HloInstruction& a = *x.instructions[0];
  const HloInstruction& c = *y.instructions[0];
  if (x.overwritten != y.overwritten ||
      !a.IdenticalUnder(c, SameOperand,
                        [](const HloComputation* p, const HloComputation* q) {
                          return p->Equal(*q);
                        })) {
    return false;
  }
  for (int64_t i = 0; i < a.operand_count(); ++i) {
    // An array that is several operands is used under its first number.
    for (int64_t j = 0; j < i; ++j) {
      if ((a.operand(i) == a.operand(j)) != (c.operand(i) == c.operand(j))) {
        return false;
      }
    }
  }
  // Where all are given, nothing is known of the memory.
  return x.overwritten >= 0 ||
         MemoryOf(assignment, a) == MemoryOf(assignment, c);
}

}  // namespace

void ShareFunctions(const HloModule& module, const BufferAssignment& assignment,
                    absl::Span<PlannedKernel> kernels) {
  absl::flat_hash_map<size_t, std::vector<size_t>> groups;
  for (size_t i = 0; i < kernels.size(); ++i) {
    KernelSpec& spec = kernels[i].spec;
    if (!MayShare(module, assignment, spec)) continue;
    std::vector<size_t>& group = groups[HashOf(spec)];
    for (const size_t first : group) {
      if (!SameFunction(assignment, kernels[first].spec, spec)) continue;
      spec.function_of = static_cast<int64_t>(first);
      if (spec.overwritten < 0) {
        spec.own_arrays = kernels[first].spec.own_arrays = true;
      }
      break;
    }
    if (spec.function_of < 0) group.push_back(i);
  }
}

std::vector<BufferSlice> OwnArrays(const BufferAssignment& assignment,
                                   const HloInstruction& instruction) {
  std::vector<BufferSlice> arrays;
  const auto add = [&](const HloInstruction* value) {
    const auto slices = assignment.slices(value);
    arrays.insert(arrays.end(), slices.begin(), slices.end());
  };
  for (const HloInstruction* operand : instruction.operands()) add(operand);
  add(&instruction);
  return arrays;
}

}  // namespace xla::cpu
