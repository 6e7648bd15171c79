// Comparison of two instructions.
#include "xla/hlo/ir/instruction/instruction_comparison.h"

#include <optional>

#include "google/protobuf/util/message_differencer.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/attrs/attrs.h"
#include "xla/hlo/ir/hlo_instruction.h"
#include "xla/hlo/ops/device/device_attrs.h"

namespace xla {
namespace {

bool SameAttributes(const HloInstruction& a, const HloInstruction& b,
                    bool ignore_channel_ids) {
  if (a.raw_attrs() == b.raw_attrs()) return true;
  if (!ignore_channel_ids) return false;
  Attrs a_attrs = a.raw_attrs();
  Attrs b_attrs = b.raw_attrs();
  std::optional<int64_t>* a_channel = MutableChannelOf(a_attrs);
  std::optional<int64_t>* b_channel = MutableChannelOf(b_attrs);
  if (a_channel == nullptr || b_channel == nullptr ||
      a_channel->has_value() != b_channel->has_value()) {
    return false;
  }
  *a_channel = *b_channel;
  return a_attrs == b_attrs;
}

// Compares all but shapes and operands of instructions of one opcode.
bool SameWork(const HloInstruction& a, const HloInstruction& b,
              InstructionComparison::SameComputations eq_computations,
              bool ignore_channel_ids) {
  switch (a.opcode()) {
    case HloOpcode::kAfterAll:
    case HloOpcode::kAddDependency:
    case HloOpcode::kInfeed:
    case HloOpcode::kSend:
    case HloOpcode::kSendDone:
    case HloOpcode::kRecv:
    case HloOpcode::kRecvDone:
      return false;
    default:
      break;
  }
  const auto& a_called = a.called_computations();
  const auto& b_called = b.called_computations();
  if (a_called.size() != b_called.size() ||
      !SameAttributes(a, b, ignore_channel_ids)) {
    return false;
  }
  for (size_t i = 0; i < a_called.size(); ++i) {
    if (!eq_computations(a_called[i], b_called[i])) return false;
  }
  return true;
}

bool SameOperands(const HloInstruction& a, const HloInstruction& b,
                  InstructionComparison::SameInstructions eq_operands,
                  bool ignore_commutation) {
  bool same = true;
  for (int64_t i = 0; same && i < a.operand_count(); ++i) {
    same = eq_operands(a.operand(i), b.operand(i));
  }
  if (same || !ignore_commutation || !a.def().commutative ||
      a.operand_count() != 2) {
    return same;
  }
  return eq_operands(a.operand(0), b.operand(1)) &&
         eq_operands(a.operand(1), b.operand(0));
}

}  // namespace

const HloInstruction& InstructionComparison::self() const {
  return static_cast<const HloInstruction&>(*this);
}

bool InstructionComparison::SameAs(const HloInstruction& other,
                                   SameInstructions eq_operands,
                                   SameComputations eq_computations,
                                   const Rules& rules) const {
  const HloInstruction& hlo = self();
  if (&hlo == &other) return true;
  if (hlo.opcode() != other.opcode() ||
      hlo.operand_count() != other.operand_count() ||
      !(rules.layout_sensitive
            ? ShapeUtil::Equal(hlo.shape(), other.shape())
            : ShapeUtil::Compatible(hlo.shape(), other.shape()))) {
    return false;
  }
  if (rules.sharding_sensitive && hlo.has_sharding() && other.has_sharding() &&
      !hlo.has_compatible_sharding(&other)) {
    return false;
  }
  return hlo.raw_backend_config_string() == other.raw_backend_config_string() &&
         SameOperands(hlo, other, eq_operands, rules.ignore_commutation) &&
         SameWork(hlo, other, eq_computations, rules.ignore_channel_ids);
}

bool InstructionComparison::SameOp(const HloInstruction& other) const {
  return self().opcode() == other.opcode() &&
         SameWork(self(), other, std::equal_to<const HloComputation*>(),
                  /*ignore_channel_ids=*/false);
}

bool InstructionComparison::equal_result_accuracy(
    const HloInstruction* other) const {
  return google::protobuf::util::MessageDifferencer::Equals(
      self().result_accuracy(), other->result_accuracy());
}

}  // namespace xla
