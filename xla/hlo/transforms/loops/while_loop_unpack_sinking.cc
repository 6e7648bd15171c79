// Finds the elements of carries that are unpacked before the loop, and repeats
// the unpacking in the body.
#include "xla/hlo/transforms/loops/while_loop_unpack_sinking.h"

#include <vector>

#include "xla/base/status_macros.h"
#include "xla/core/primitive_util.h"
#include "xla/hlo/transforms/loops/loop_carry.h"

namespace xla {
namespace {

using Hlo = HloInstruction*;

// An element of the carry that is unpacked before the loop.
struct Unpacked {
  std::vector<Hlo> reads;  // in the body: get-tuple-elements
  std::vector<Hlo> steps;  // from the bytes to the element
  Hlo bytes = nullptr;
};

// Returns how `value` is made from packed bytes, from the first step to the
// last; empty if it is something else.
std::vector<Hlo> StepsFromBytes(Hlo value) {
  std::vector<Hlo> steps;
  if (!value->shape().IsArray() ||
      primitive_util::BitWidth(value->shape().element_type()) >= 8) {
    return steps;
  }
  while (!value->HasControlDependencies()) {
    steps.insert(steps.begin(), value);
    switch (value->opcode()) {
      case HloOpcode::kReshape:
      case HloOpcode::kSlice:
      case HloOpcode::kTranspose:
        value = value->mutable_operand(0);
        continue;
      case HloOpcode::kBitcastConvert:
        if (value->operand(0)->shape().rank() < value->shape().rank()) {
          return steps;
        }
        return {};
      default:
        return {};
    }
  }
  return {};
}

// Returns the reads of element `i` in the body that are not its next value.
std::vector<Hlo> ReadsOf(const HloInstruction& loop, int64_t i) {
  std::vector<Hlo> reads;
  const HloInstruction* root = loop.while_body()->root_instruction();
  for (Hlo element : loop.while_body()->parameter_instruction(0)->users()) {
    if (element->tuple_index() != i || !IsFixedElement(loop, element)) continue;
    for (const HloInstruction* user : element->users()) {
      if (user == root) continue;
      reads.push_back(element);
      break;
    }
  }
  return reads;
}

std::vector<Unpacked> FindUnpacked(Hlo loop) {
  std::vector<Unpacked> all;
  if (loop->operand(0)->opcode() != HloOpcode::kTuple) return all;
  for (int64_t i = 0; i < loop->operand(0)->operand_count(); ++i) {
    Unpacked found;
    found.steps = StepsFromBytes(loop->mutable_operand(0)->mutable_operand(i));
    if (found.steps.empty()) continue;
    found.reads = ReadsOf(*loop, i);
    if (found.reads.empty()) continue;
    found.bytes = found.steps.front()->mutable_operand(0);
    all.push_back(std::move(found));
  }
  return all;
}

absl::StatusOr<bool> SinkInto(Hlo loop, CallerCounts& callers) {
  if (FindUnpacked(loop).empty()) return false;
  callers.MakeOwnComputations(loop);
  const std::vector<Unpacked> all = FindUnpacked(loop);
  std::vector<Hlo> bytes;
  for (const Unpacked& unpacked : all) bytes.push_back(unpacked.bytes);
  TF_ASSIGN_OR_RETURN(const ExtendedLoop extended, ExtendCarry(loop, bytes));
  HloComputation* body = extended.loop->while_body();
  Hlo root = body->root_instruction();
  for (size_t i = 0; i < all.size(); ++i) {
    Hlo value = extended.added[i];
    for (const HloInstruction* step : all[i].steps) {
      value = body->AddInstruction(
          step->CloneWithNewOperands(step->shape(), {value}));
    }
    for (Hlo read : all[i].reads) {
      const std::vector<Hlo> users = read->users();
      for (Hlo user : users) {
        if (user == root) continue;
        TF_RETURN_IF_ERROR(read->ReplaceUseWith(user, value));
      }
    }
  }
  return true;
}

}  // namespace

absl::StatusOr<bool> WhileLoopUnpackSinking::RunImpl(HloModule* module) {
  bool changed = false;
  // Loops are visited before those around them, which give them what they
  // unpack the next time.
  while (true) {
    TF_ASSIGN_OR_RETURN(const bool once,
                        ChangeExtensibleLoops(module, SinkInto));
    if (!once) return changed;
    changed = true;
  }
}

}  // namespace xla
