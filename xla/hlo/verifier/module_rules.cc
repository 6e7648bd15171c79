// Rules for aliases, schedules and asynchronous pairs.
#include <algorithm>
#include <optional>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "xla/base/status_macros.h"
#include "xla/core/layout/tiling.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/ir/async_ops.h"
#include "xla/hlo/ops/op_def.h"
#include "xla/hlo/verifier/hlo_verifier.h"

namespace xla {
namespace {

using Ints = google::protobuf::RepeatedField<int64_t>;

ShapeIndex ToIndex(const Ints& ints) {
  return ShapeIndex(ints.begin(), ints.end());
}

std::string IndexText(const Ints& ints) {
  return absl::StrCat("{", absl::StrJoin(ints, ","), "}");
}

// alias_c1: the parameter and the index into its shape exist.
absl::StatusOr<const Shape*> ParameterSubshape(const HloComputation& entry,
                                               int64_t number,
                                               const Ints& index) {
  if (number < 0 || number >= entry.num_parameters()) {
    return RuleError("alias_c1",
                     absl::StrCat("there is no parameter ", number));
  }
  const Shape& shape = entry.parameter_instruction(number)->shape();
  if (!ShapeUtil::IndexIsValid(shape, ToIndex(index))) {
    return RuleError("alias_c1",
                     absl::StrCat("parameter ", number, " of shape ",
                                  ShapeUtil::HumanString(shape),
                                  " has no element ", IndexText(index)));
  }
  return &ShapeUtil::GetSubshape(shape, ToIndex(index));
}

// Returns the bytes of an array of the entry's signature, those of its part of
// the entry layout `layout` (may be null) if that is tiled or padded; -1 if
// they are not known.
int64_t BytesAtEntry(const Shape& array, const Shape* layout,
                     const Ints& index) {
  if (layout != nullptr && ShapeUtil::IndexIsValid(*layout, ToIndex(index))) {
    const Shape& stated = ShapeUtil::GetSubshape(*layout, ToIndex(index));
    if (HasOwnBuffer(stated)) {
      return PaddedByteSize(stated).value_or(-1);
    }
  }
  return array.is_unbounded_dynamic() ? -1
                                      : ShapeUtil::ByteSizeOfElements(array);
}

// Returns the done opcode of a start opcode, or the opcode itself.
HloOpcode DoneOf(HloOpcode opcode) {
  switch (opcode) {
    case HloOpcode::kAllGatherStart:
      return HloOpcode::kAllGatherDone;
    case HloOpcode::kAllReduceStart:
      return HloOpcode::kAllReduceDone;
    case HloOpcode::kCollectivePermuteStart:
      return HloOpcode::kCollectivePermuteDone;
    case HloOpcode::kCopyStart:
      return HloOpcode::kCopyDone;
    case HloOpcode::kSend:
      return HloOpcode::kSendDone;
    case HloOpcode::kRecv:
      return HloOpcode::kRecvDone;
    case HloOpcode::kAsyncStart:
      return HloOpcode::kAsyncDone;
    default:
      return opcode;
  }
}

bool IsDone(HloOpcode opcode) {
  return opcode == HloOpcode::kAllGatherDone ||
         opcode == HloOpcode::kAllReduceDone ||
         opcode == HloOpcode::kCollectivePermuteDone ||
         opcode == HloOpcode::kCopyDone || opcode == HloOpcode::kAsyncDone;
}

}  // namespace

absl::Status VerifyAliases(const HloModule& module) {
  const HloComputation& entry = *module.entry_computation();
  const Shape& result = entry.root_instruction()->shape();
  absl::flat_hash_set<std::pair<int64_t, ShapeIndex>> used;
  absl::flat_hash_set<ShapeIndex> outputs;
  for (const auto& entry_proto : module.input_output_alias().entries()) {
    // alias_c2: the output exists, and is aliased once.
    const ShapeIndex output = ToIndex(entry_proto.output_shape_index());
    if (!ShapeUtil::IndexIsValid(result, output) ||
        !outputs.insert(output).second) {
      return RuleError(
          "alias_c2",
          absl::StrCat("output ", IndexText(entry_proto.output_shape_index()),
                       " of ", ShapeUtil::HumanString(result),
                       " does not exist or is aliased twice"));
    }
    TF_ASSIGN_OR_RETURN(const Shape* parameter,
                        ParameterSubshape(entry, entry_proto.parameter_number(),
                                          entry_proto.parameter_shape_index()));
    const Shape& output_shape = ShapeUtil::GetSubshape(result, output);
    const bool has_layout = module.config().has_entry_computation_layout();
    const Shape* parameter_layout =
        has_layout ? &module.entry_computation_layout().parameter_shape(
                         entry_proto.parameter_number())
                   : nullptr;
    const Shape* result_layout =
        has_layout ? &module.entry_computation_layout().result_shape()
                   : nullptr;
    // alias_c3: both sides are arrays of the same size in bytes, with what
    // their layouts pad.
    if (!parameter->IsArray() || !output_shape.IsArray() ||
        BytesAtEntry(*parameter, parameter_layout,
                     entry_proto.parameter_shape_index()) !=
            BytesAtEntry(output_shape, result_layout,
                         entry_proto.output_shape_index())) {
      return RuleError(
          "alias_c3", absl::StrCat("parameter ", entry_proto.parameter_number(),
                                   " ", ShapeUtil::HumanString(*parameter),
                                   " cannot share a buffer with output ",
                                   ShapeUtil::HumanString(output_shape)));
    }
    // alias_c4: a buffer is aliased or donated once.
    if (!used.insert({entry_proto.parameter_number(),
                      ToIndex(entry_proto.parameter_shape_index())})
             .second) {
      return RuleError(
          "alias_c4",
          absl::StrCat("parameter ", entry_proto.parameter_number(), " ",
                       IndexText(entry_proto.parameter_shape_index()),
                       " is aliased or donated twice"));
    }
  }
  for (const auto& donor : module.buffer_donor().entries()) {
    TF_RETURN_IF_ERROR(ParameterSubshape(entry, donor.parameter_number(),
                                         donor.parameter_shape_index())
                           .status());
    if (!used.insert({donor.parameter_number(),
                      ToIndex(donor.parameter_shape_index())})
             .second) {
      return RuleError("alias_c4",
                       absl::StrCat("parameter ", donor.parameter_number(), " ",
                                    IndexText(donor.parameter_shape_index()),
                                    " is aliased or donated twice"));
    }
  }
  return absl::OkStatus();
}

absl::Status VerifySchedule(const HloModule& module) {
  if (!module.is_scheduled()) return absl::OkStatus();
  for (const auto& computation : module.computations()) {
    absl::flat_hash_set<const HloInstruction*> done;
    for (const auto& instruction : computation->instructions()) {
      // schedule_c1: operands and control predecessors come first.
      auto check = [&](const HloInstruction* before) -> absl::Status {
        if (done.contains(before)) return absl::OkStatus();
        return RuleError("schedule_c1",
                         absl::StrCat(instruction->name(), " is scheduled in ",
                                      computation->name(), " before ",
                                      before->name(), ", which it needs"));
      };
      for (const HloInstruction* operand : instruction->operands()) {
        TF_RETURN_IF_ERROR(check(operand));
      }
      for (const HloInstruction* before : instruction->control_predecessors()) {
        TF_RETURN_IF_ERROR(check(before));
      }
      done.insert(instruction);
    }
  }
  return absl::OkStatus();
}

absl::Status VerifyAsyncPairs(const HloComputation& computation,
                              AsyncChecker& checker) {
  for (const auto& instruction : computation.instructions()) {
    const HloOpcode opcode = instruction->opcode();
    const HloOpcode done = DoneOf(opcode);
    if (done != opcode && opcode != HloOpcode::kSend &&
        opcode != HloOpcode::kRecv) {
      // async_c1: a start has one user, its done (or an update).
      if (!instruction->IsRoot() &&
          (instruction->user_count() != 1 ||
           (instruction->users()[0]->opcode() != done &&
            instruction->users()[0]->opcode() != HloOpcode::kAsyncUpdate))) {
        return RuleError("async_c1", absl::StrCat(instruction->name(),
                                                  " must be used once, by ",
                                                  HloOpcodeString(done)));
      }
    }
    if (opcode == HloOpcode::kAsyncStart) {
      TF_RETURN_IF_ERROR(checker.CheckStart(*instruction));
    }
    if (opcode == HloOpcode::kAsyncUpdate || opcode == HloOpcode::kAsyncDone) {
      TF_RETURN_IF_ERROR(checker.CheckLink(*instruction, std::nullopt));
    }
    if (IsDone(opcode)) {
      // async_c2: a done takes its start.
      const HloOpcode from = instruction->operand(0)->opcode();
      if (DoneOf(from) != opcode && from != HloOpcode::kAsyncUpdate) {
        return RuleError("async_c2",
                         absl::StrCat("the operand of ", instruction->name(),
                                      " must be the start that it ends, not ",
                                      instruction->operand(0)->name()));
      }
    }
  }
  return absl::OkStatus();
}

}  // namespace xla
