// WhileUtil: functions that read, widen and make while loops over tuples.
#ifndef COMPAT_XLA_SERVICE_WHILE_UTIL_H_
#define COMPAT_XLA_SERVICE_WHILE_UTIL_H_

#include <cstdint>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/container/inlined_vector.h"
#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "xla/hlo/ir/hlo_computation.h"
#include "xla/hlo/ir/hlo_instruction.h"
#include "xla/hlo/ir/hlo_module.h"
#include "xla/literal_util.h"
#include "xla/service/call_inliner.h"
#include "xla/service/hlo_creation_utils.h"
#include "xla/service/tuple_util.h"
#include "xla/xla_data.pb.h"

namespace xla {

class WhileUtil {
 public:
  struct MakeInstructionsLiveInResult {
    HloInstruction* new_while_instr;
    // The tuple of the old loop's elements, which took its place.
    HloInstruction* replacement_instr;
    // The added values in the new body, in their order.
    std::vector<HloInstruction*> while_body_live_in_values;
    // What stands for the old loop's instructions in the new computations.
    CallInliner::InlinedInstructionMap while_body_instruction_map;
    CallInliner::InlinedInstructionMap while_condition_instruction_map;
  };

  // Replaces the loop, whose carry is a tuple (CHECK), by one that carries the
  // instructions too, as its last elements. They are of the loop's computation,
  // and may not depend on it. The old computations stay, and so does the
  // backend config, which counts the same iterations.
  static absl::StatusOr<MakeInstructionsLiveInResult> MakeInstructionsLiveIn(
      HloInstruction* while_instr,
      absl::Span<HloInstruction* const> instructions) {
    CHECK(while_instr->shape().IsTuple());
    const int64_t old_size = while_instr->shape().tuple_shapes_size();
    Shape carry = while_instr->shape();
    for (const HloInstruction* instruction : instructions) {
      *carry.add_tuple_shapes() = instruction->shape();
    }
    TF_ASSIGN_OR_RETURN(Widened condition,
                        Widen(while_instr->while_condition(), carry, false));
    TF_ASSIGN_OR_RETURN(Widened body,
                        Widen(while_instr->while_body(), carry, true));
    HloComputation* computation = while_instr->parent();
    HloInstruction* loop = computation->AddInstruction(
        HloInstruction::CreateWhile(
            carry, condition.computation, body.computation,
            TupleUtil::AppendSuffix(while_instr->mutable_operand(0),
                                    instructions)),
        &while_instr->metadata(), &while_instr->frontend_attributes());
    loop->CopyBackendConfigFrom(while_instr);
    HloInstruction* replacement = TupleUtil::ExtractPrefix(loop, old_size);
    TF_RETURN_IF_ERROR(Replace(while_instr, loop, replacement));
    return MakeInstructionsLiveInResult{
        loop, replacement, std::move(body.added), std::move(body.map),
        std::move(condition.map)};
  }

  using LoopStateTy = std::vector<HloInstruction*>;
  // Takes an s32[] from 0 and the values of the body, whose computation it adds
  // to; returns their values in the next iteration.
  using LoopBodyGeneratorTy = absl::FunctionRef<absl::StatusOr<LoopStateTy>(
      HloInstruction*, const LoopStateTy&)>;

  // Adds a loop that runs `trip_count` (CHECK: not negative) times, and returns
  // the values after it. An error of the generator leaves computations behind
  // that nothing calls.
  static absl::StatusOr<LoopStateTy> MakeCountedLoop(
      HloComputation* computation, int32_t trip_count,
      const LoopStateTy& init_values, LoopBodyGeneratorTy loop_body_generator,
      const OpMetadata& metadata) {
    CHECK_GE(trip_count, 0);
    LoopStateTy init = {computation->AddInstruction(
        HloInstruction::CreateConstant(LiteralUtil::CreateR0<int32_t>(0)))};
    init.insert(init.end(), init_values.begin(), init_values.end());
    HloInstruction* tuple =
        computation->AddInstruction(HloInstruction::CreateTuple(init));
    HloModule* module = computation->parent();
    TF_ASSIGN_OR_RETURN(HloComputation * condition,
                        CountCondition(module, tuple->shape(), trip_count));
    TF_ASSIGN_OR_RETURN(
        HloComputation * body,
        CountedBody(module, tuple->shape(), loop_body_generator));
    HloInstruction* loop = computation->AddInstruction(
        HloInstruction::CreateWhile(tuple->shape(), condition, body, tuple),
        &metadata);
    return ElementsFrom(loop, 1);
  }

  // Returns the elements of the body's parameter that the body's root has at
  // their own place, in that order, and then other instructions that are the
  // same elements. There are none unless the root is a tuple instruction.
  static std::vector<HloInstruction*> GetInvariantGTEsForWhileBody(
      const HloComputation& while_body) {
    const HloInstruction* parameter = while_body.parameter_instruction(0);
    const HloInstruction* root = while_body.root_instruction();
    std::vector<HloInstruction*> result;
    absl::flat_hash_set<int64_t> invariant;
    absl::flat_hash_set<const HloInstruction*> found;
    if (root->opcode() != HloOpcode::kTuple) return result;
    for (int64_t i = 0; i < root->operand_count(); ++i) {
      HloInstruction* element = root->operands()[i];
      if (element->opcode() == HloOpcode::kGetTupleElement &&
          element->operand(0) == parameter && element->tuple_index() == i) {
        result.push_back(element);
        invariant.insert(i);
        found.insert(element);
      }
    }
    for (HloInstruction* user : parameter->users()) {
      if (user->opcode() == HloOpcode::kGetTupleElement &&
          invariant.contains(user->tuple_index()) &&
          found.insert(user).second) {
        result.push_back(user);
      }
    }
    return result;
  }

  // Returns the instructions that are elements of the condition's parameter.
  static absl::flat_hash_map<int64_t, absl::InlinedVector<HloInstruction*, 1>>
  GetGTEsMapForWhileConditional(const HloComputation& while_conditional) {
    absl::flat_hash_map<int64_t, absl::InlinedVector<HloInstruction*, 1>>
        result;
    for (HloInstruction* user :
         while_conditional.parameter_instruction(0)->users()) {
      if (user->opcode() == HloOpcode::kGetTupleElement) {
        result[user->tuple_index()].push_back(user);
      }
    }
    return result;
  }

 private:
  struct Widened {
    HloComputation* computation;
    std::vector<HloInstruction*> added;
    CallInliner::InlinedInstructionMap map;
  };

  // Returns the elements of the tuple but the first `begin`.
  static std::vector<HloInstruction*> ElementsFrom(HloInstruction* tuple,
                                                   int64_t begin) {
    std::vector<HloInstruction*> elements;
    for (int64_t i = begin; i < tuple->shape().tuple_shapes_size(); ++i) {
      elements.push_back(tuple->parent()->AddInstruction(
          HloInstruction::CreateGetTupleElement(tuple, i)));
    }
    return elements;
  }

  // Returns a copy of the computation that takes the wide tuple; if it is a
  // body, it also returns it, with the added elements as they were.
  static absl::StatusOr<Widened> Widen(HloComputation* narrow,
                                       const Shape& wide, bool is_body) {
    HloComputation::Builder builder(absl::StrCat("wide.", narrow->name()));
    HloInstruction* parameter = builder.AddInstruction(
        HloInstruction::CreateParameter(0, wide, "wide_param"));
    Widened result;
    result.computation =
        narrow->parent()->AddEmbeddedComputation(builder.Build());
    const int64_t size =
        narrow->parameter_instruction(0)->shape().tuple_shapes_size();
    HloInstruction* call =
        result.computation->AddInstruction(HloInstruction::CreateCall(
            narrow->root_instruction()->shape(),
            {TupleUtil::ExtractPrefix(parameter, size)}, narrow));
    HloInstruction* root = call;
    if (is_body) {
      result.added = ElementsFrom(parameter, size);
      root = TupleUtil::AppendSuffix(call, result.added);
    }
    result.computation->set_root_instruction(root,
                                             /*accept_different_shape=*/true);
    TF_ASSIGN_OR_RETURN(result.map, CallInliner::Inline(call));
    return result;
  }

  // Removes the old loop even if it has side effects.
  static absl::Status Replace(HloInstruction* old_loop,
                              HloInstruction* new_loop,
                              HloInstruction* replacement) {
    TF_RETURN_IF_ERROR(new_loop->CopyAllControlDepsFrom(old_loop));
    TF_RETURN_IF_ERROR(old_loop->DropAllControlDeps());
    TF_RETURN_IF_ERROR(old_loop->ReplaceAllUsesWith(replacement));
    return old_loop->parent()->RemoveInstruction(old_loop);
  }

  static absl::StatusOr<HloComputation*> CountCondition(HloModule* module,
                                                        const Shape& carry,
                                                        int32_t limit) {
    HloComputation::Builder builder("while_cond");
    HloInstruction* parameter = builder.AddInstruction(
        HloInstruction::CreateParameter(0, carry, "carry"));
    HloComputation* condition = module->AddEmbeddedComputation(builder.Build());
    TF_ASSIGN_OR_RETURN(HloInstruction * count,
                        MakeGetTupleElementHlo(parameter, 0));
    HloInstruction* bound = condition->AddInstruction(
        HloInstruction::CreateConstant(LiteralUtil::CreateR0<int32_t>(limit)));
    TF_ASSIGN_OR_RETURN(HloInstruction * less,
                        MakeCompareHlo(ComparisonDirection::kLt, count, bound));
    condition->set_root_instruction(less, /*accept_different_shape=*/true);
    return condition;
  }

  static absl::StatusOr<HloComputation*> CountedBody(
      HloModule* module, const Shape& carry, LoopBodyGeneratorTy generator) {
    HloComputation::Builder builder("while_body");
    HloInstruction* parameter = builder.AddInstruction(
        HloInstruction::CreateParameter(0, carry, "carry"));
    HloComputation* body = module->AddEmbeddedComputation(builder.Build());
    TF_ASSIGN_OR_RETURN(HloInstruction * count,
                        MakeGetTupleElementHlo(parameter, 0));
    TF_ASSIGN_OR_RETURN(LoopStateTy next,
                        generator(count, ElementsFrom(parameter, 1)));
    TF_ASSIGN_OR_RETURN(
        HloInstruction * next_count,
        MakeBinaryHlo(HloOpcode::kAdd, count, MakeScalarLike(count, 1)));
    next.insert(next.begin(), next_count);
    body->set_root_instruction(
        body->AddInstruction(HloInstruction::CreateTuple(next)));
    return body;
  }
};

}  // namespace xla

#endif  // COMPAT_XLA_SERVICE_WHILE_UTIL_H_
