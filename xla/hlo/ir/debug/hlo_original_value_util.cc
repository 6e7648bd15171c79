// Copies original values, and shares equal ones.
#include "xla/hlo/ir/debug/hlo_original_value_util.h"

#include "absl/container/flat_hash_set.h"
#include "absl/hash/hash.h"
#include "xla/base/logging.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/ir/hlo_computation.h"
#include "xla/hlo/ir/hlo_module.h"

namespace xla {

void CopyOriginalValue(const HloInstruction* src_instruction,
                       HloInstruction* dest_instruction, bool clone,
                       bool issue_warning) {
  if (src_instruction == nullptr || dest_instruction == nullptr ||
      !ShapeUtil::Compatible(src_instruction->shape(),
                             dest_instruction->shape())) {
    if (issue_warning) {
      LOG(WARNING) << "an original value is not copied to an instruction of "
                      "another shape";
    }
    return;
  }
  std::shared_ptr<OriginalValue> value = src_instruction->original_value();
  if (value == nullptr) return;
  if (clone) value = std::make_shared<OriginalValue>(*value);
  dest_instruction->set_original_value(std::move(value));
}

namespace {

struct PointeeHash {
  size_t operator()(const std::shared_ptr<OriginalValue>& value) const {
    return absl::HashOf(*value);
  }
};
struct PointeeEqual {
  bool operator()(const std::shared_ptr<OriginalValue>& a,
                  const std::shared_ptr<OriginalValue>& b) const {
    return *a == *b;
  }
};

}  // namespace

void DeduplicateOriginalValues(HloModule* module) {
  absl::flat_hash_set<std::shared_ptr<OriginalValue>, PointeeHash, PointeeEqual>
      values;
  for (HloComputation* computation : module->computations()) {
    for (HloInstruction* instruction : computation->instructions()) {
      std::shared_ptr<OriginalValue> value = instruction->original_value();
      if (value == nullptr) continue;
      const auto [it, is_new] = values.insert(std::move(value));
      if (!is_new) instruction->set_original_value(*it);
    }
  }
}

}  // namespace xla
