// Follows operands from bodies to the carries that they come from.
#include "xla/backends/cpu/planning/loop_operands.h"

#include <cstdint>
#include <optional>

#include "absl/algorithm/container.h"
#include "xla/backends/cpu/codegen/plans/work.h"
#include "xla/backends/cpu/fusion/epilogue.h"
#include "xla/backends/cpu/thunk_emitter/product_in_fusion.h"
#include "xla/hlo/ir/hlo_computation.h"
#include "xla/hlo/transforms/loops/trip_count.h"

namespace xla::cpu {
namespace {

constexpr int64_t kLeastTrips = 3;

// A product and the element of a carry that is its right operand.
struct CarriedOperand {
  const HloInstruction* product;
  int64_t element;
};

// Returns the number of the element of its computation's carry that `hlo` is,
// through bitcasts; nullopt if it is none.
std::optional<int64_t> CarryElement(const HloInstruction* hlo) {
  while (hlo->opcode() == HloOpcode::kBitcast) hlo = hlo->operand(0);
  if (hlo->opcode() != HloOpcode::kGetTupleElement ||
      hlo->operand(0)->opcode() != HloOpcode::kParameter) {
    return std::nullopt;
  }
  return hlo->tuple_index();
}

bool IsLibraryDot(const HloInstruction& hlo) {
  if (hlo.opcode() == HloOpcode::kDot) return !IsSmallDot(hlo);
  if (!IsProductFusion(hlo)) return false;
  const ProductInFusion product(hlo);
  // A right operand that is computed while it is read has no memory.
  return product.hlo().opcode() == HloOpcode::kDot &&
         product.producer() == nullptr;
}

// Returns the elements of the carry of `loop` that never change and that
// products read, here or in loops inside.
std::vector<CarriedOperand> CarriedOperands(const HloInstruction& loop) {
  std::vector<CarriedOperand> operands;
  const auto add = [&](const HloInstruction* product,
                       const HloInstruction* value) {
    if (value == nullptr) return;
    const std::optional<int64_t> element = CarryElement(value);
    if (element.has_value() && IsInvariant(loop, *element)) {
      operands.push_back({product, *element});
    }
  };
  for (const auto& hlo : loop.while_body()->instructions()) {
    if (hlo->opcode() == HloOpcode::kWhile) {
      for (const CarriedOperand& inner : CarriedOperands(*hlo)) {
        add(inner.product, InitialElement(*hlo, inner.element));
      }
    } else if (IsLibraryDot(*hlo)) {
      add(hlo, &ProductInFusion(*hlo).operand(1));
    }
  }
  return operands;
}

}  // namespace

std::vector<LoopOperand> InvariantRightOperands(const HloInstruction& loop) {
  std::vector<LoopOperand> operands;
  const std::optional<CountedLoop> counted = FindCountedLoop(loop);
  if (counted.has_value() && counted->trip_count < kLeastTrips) return operands;
  for (const CarriedOperand& carried : CarriedOperands(loop)) {
    const HloInstruction* value = InitialElement(loop, carried.element);
    if (value == nullptr) continue;
    auto it = absl::c_find_if(operands, [&](const LoopOperand& operand) {
      return operand.value == value;
    });
    if (it == operands.end()) it = operands.insert(it, {value, {}});
    it->products.push_back(carried.product);
  }
  return operands;
}

}  // namespace xla::cpu
