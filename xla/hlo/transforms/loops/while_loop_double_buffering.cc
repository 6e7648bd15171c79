// The alias analysis of the unchanged module determines which carries need
// copies.
#include "xla/hlo/transforms/loops/while_loop_double_buffering.h"

#include <limits>
#include <memory>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "xla/base/status_macros.h"
#include "xla/core/literal/literal_util.h"
#include "xla/core/primitive_util.h"
#include "xla/hlo/analysis/buffer_sharing.h"
#include "xla/hlo/transforms/buffers/schedule.h"
#include "xla/hlo/transforms/loops/loop_carry.h"
#include "xla/hlo/transforms/loops/trip_count.h"
#include "xla/hlo/transforms/simplify/dce.h"
#include "xla/hlo/transforms/simplify/flatten_call_graph.h"

namespace xla {
namespace {

using Hlo = HloInstruction*;
using BytesOfBodies = absl::flat_hash_map<const HloComputation*, int64_t>;

// The bytes that all iterations must copy to justify each instruction of a body
// that would be compiled twice.
constexpr int64_t kMinBytesPerInstruction = 256 << 10;
// The bytes per iteration below which a copy costs less than the thunk that
// makes it.
constexpr int64_t kMinBytes = 16 << 10;
constexpr int64_t kMaxInstructions = 1000;

// Returns the bytes that are copied at the end of each body.
absl::StatusOr<BytesOfBodies> CopiedBytes(const HloModule& module,
                                          const AliasInfo& alias_info) {
  TF_ASSIGN_OR_RETURN(std::unique_ptr<BufferSharing> alias,
                      BufferSharing::Run(module, alias_info));
  BytesOfBodies bytes;
  const HloLiveRange& live = alias->live_range();
  for (const BufferSharing::NeededCopy& copy : alias->needed_copies()) {
    const HloLiveRange::Move& move = live.moves()[copy.move];
    if (move.kind != HloLiveRange::Move::Kind::kLoopRoot) continue;
    bytes[move.computation] += live.nodes()[move.target].bytes;
  }
  return bytes;
}

bool IsWorthIt(const HloComputation& body, int64_t bytes, int64_t iterations) {
  if (bytes < kMinBytes) return false;
  const int64_t size = CountInstructions(body, kMaxInstructions);
  if (size >= kMaxInstructions) return false;
  const int64_t needed = size * kMinBytesPerInstruction;
  return iterations > needed / bytes;
}

// Returns carry[index] + 2 * step.
Hlo TwoSteps(const CountedLoop& counted, HloComputation* body) {
  Hlo parameter = body->parameter_instruction(0);
  const Shape& shape = parameter->shape().tuple_shapes(counted.tuple_index);
  Hlo counter = body->AddInstruction(
      HloInstruction::CreateGetTupleElement(parameter, counted.tuple_index));
  Hlo step = body->AddInstruction(HloInstruction::CreateConstant(
      LiteralUtil::CreateR0(shape.element_type(), 2 * counted.step)));
  return body->AddInstruction(
      HloInstruction::Create(HloOpcode::kAdd, shape, {counter, step}));
}

// Returns whether the type can represent twice the step.
bool HasTwoSteps(const HloInstruction& loop, const CountedLoop& counted) {
  const PrimitiveType type =
      loop.shape().tuple_shapes(counted.tuple_index).element_type();
  const int bits = primitive_util::BitWidth(type) - 1;
  const int64_t limit = bits >= 63 ? std::numeric_limits<int64_t>::max() / 2
                                   : (int64_t{1} << bits) / 2;
  return counted.step < limit && -counted.step < limit &&
         (counted.step > 0 || !primitive_util::IsUnsignedIntegralType(type));
}

absl::Status Double(Hlo loop, const CountedLoop& counted) {
  HloModule* module = loop->GetModule();
  HloComputation* once = loop->while_body();
  if (counted.trip_count % 2 == 1) {
    TF_ASSIGN_OR_RETURN(
        std::vector<Hlo> first,
        AppendIteration(*once, InitialElements(loop), loop->parent()));
    Hlo init =
        loop->parent()->AddInstruction(HloInstruction::CreateTuple(first));
    TF_RETURN_IF_ERROR(loop->ReplaceOperandWith(0, init));
  }
  HloComputation* twice = once->CloneInto(module, once->name());
  for (const auto& hlo : twice->instructions()) {
    if (hlo->opcode() != HloOpcode::kFusion) continue;
    HloComputation* fused = hlo->called_computations()[0];
    hlo->set_called_computation(0, fused->CloneInto(module, fused->name()));
  }
  Hlo middle = twice->root_instruction();
  const HloInstruction::InstructionVector carry = middle->operands();
  TF_ASSIGN_OR_RETURN(std::vector<Hlo> next,
                      AppendIteration(*once, carry, twice));
  Hlo counter = next[counted.tuple_index];
  next[counted.tuple_index] = TwoSteps(counted, twice);
  twice->set_root_instruction(
      twice->AddInstruction(HloInstruction::CreateTuple(next)));
  TF_RETURN_IF_ERROR(twice->RemoveInstruction(middle));
  if (counter->user_count() == 0) {
    TF_RETURN_IF_ERROR(counter->DropAllControlDeps());
    TF_RETURN_IF_ERROR(twice->RemoveInstruction(counter));
  }
  loop->set_called_computation(1, twice);
  loop->set_raw_backend_config_string("");
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<bool> WhileLoopDoubleBuffering::RunImpl(HloModule* module) {
  std::vector<Hlo> loops;
  for (HloComputation* computation : module->MakeComputationPostOrder()) {
    for (Hlo hlo : computation->MakeInstructionPostOrder()) {
      if (!IsRepeatable(*hlo)) continue;
      const auto counted = FindCountedLoop(*hlo);
      if (counted.has_value() && counted->trip_count >= 2 &&
          HasTwoSteps(*hlo, *counted) &&
          IsWorthIt(*hlo->while_body(), BytesHandedOn(*hlo),
                    counted->trip_count)) {
        loops.push_back(hlo);
      }
    }
  }
  if (loops.empty()) return false;
  bool changed = false;
  if (!module->is_scheduled()) {
    TF_ASSIGN_OR_RETURN(changed, Schedule(alias_info_).Run(module));
  }
  TF_ASSIGN_OR_RETURN(const BytesOfBodies bytes,
                      CopiedBytes(*module, *alias_info_));
  bool doubled = false;
  for (Hlo loop : loops) {
    const auto it = bytes.find(loop->while_body());
    const auto counted = FindCountedLoop(*loop);
    if (it == bytes.end() || !counted.has_value() ||
        !IsWorthIt(*loop->while_body(), it->second, counted->trip_count)) {
      continue;
    }
    TF_RETURN_IF_ERROR(Double(loop, *counted));
    doubled = true;
  }
  if (!doubled) return changed;
  module->set_is_scheduled(false);
  TF_RETURN_IF_ERROR(HloDCE().Run(module).status());
  TF_RETURN_IF_ERROR(FlattenCallGraph().Run(module).status());
  return true;
}

}  // namespace xla
