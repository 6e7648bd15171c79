// Copies original values from one instruction to another.
#ifndef XLA_HLO_IR_DEBUG_HLO_ORIGINAL_VALUE_UTIL_H_
#define XLA_HLO_IR_DEBUG_HLO_ORIGINAL_VALUE_UTIL_H_

#include <cstdint>
#include <memory>
#include <type_traits>

#include "absl/container/flat_hash_map.h"
#include "xla/hlo/ir/debug/hlo_original_value.h"
#include "xla/hlo/ir/hlo_instruction.h"

namespace xla {

class HloModule;

// Gives `dest_instruction`, a tuple, the elements of the tuple
// `src_instruction` at new places. Does nothing if the source has no such
// elements, or if the new places are not as many as these elements.
template <typename T>
std::enable_if_t<std::is_integral_v<T>> CopyOriginalValue(
    const HloInstruction* src_instruction, HloInstruction* dest_instruction,
    const absl::flat_hash_map<T, T>& old_to_new_tuple_idx) {
  const std::shared_ptr<OriginalValue> source =
      src_instruction->original_value();
  if (source == nullptr || source->is_synthetic_call()) return;
  auto copy = std::make_shared<OriginalValue>(dest_instruction->shape());
  for (const auto& [from, to] : old_to_new_tuple_idx) {
    const ShapeIndex from_index = {static_cast<int64_t>(from)};
    if (to < 0 || static_cast<size_t>(to) >= old_to_new_tuple_idx.size() ||
        source->tree().find(from_index) == source->tree().end()) {
      return;
    }
    copy->mutable_tree()->CopySubtreeFrom(source->tree(), from_index,
                                          {static_cast<int64_t>(to)});
  }
  dest_instruction->set_original_value(std::move(copy));
}

// Gives the value of `src_instruction` to `dest_instruction` if their shapes
// are compatible: a copy if `clone`, and else the same object. If they are not,
// logs a warning if `issue_warning`.
void CopyOriginalValue(const HloInstruction* src_instruction,
                       HloInstruction* dest_instruction, bool clone,
                       bool issue_warning);

// Lets instructions of the module whose values are equal share one object.
void DeduplicateOriginalValues(HloModule* module);

}  // namespace xla

#endif  // XLA_HLO_IR_DEBUG_HLO_ORIGINAL_VALUE_UTIL_H_
