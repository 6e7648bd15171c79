// Moves instructions into computations of their own.
#include "xla/hlo/ir/computation/computation_outlining.h"

#include <memory>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "xla/base/errors.h"
#include "xla/base/logging.h"
#include "xla/base/status_macros.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/ir/hlo_computation.h"
#include "xla/hlo/ir/hlo_instruction.h"
#include "xla/hlo/ir/hlo_module.h"

namespace xla {
namespace {

// Returns the values that `instructions` use from outside, each once.
std::vector<HloInstruction*> OperandsFromOutside(
    absl::Span<HloInstruction* const> instructions) {
  const absl::flat_hash_set<const HloInstruction*> inside(instructions.begin(),
                                                          instructions.end());
  absl::flat_hash_set<const HloInstruction*> seen;
  std::vector<HloInstruction*> outside;
  for (auto it = instructions.rbegin(); it != instructions.rend(); ++it) {
    for (HloInstruction* operand : (*it)->operands()) {
      if (!inside.contains(operand) && seen.insert(operand).second) {
        outside.push_back(operand);
      }
    }
  }
  return outside;
}

// A computation and what its parameters stand for.
struct Outline {
  HloComputation* computation;
  std::vector<HloInstruction*> operands;
};

// Adds a computation to the module with copies of `instructions`, whose root is
// that of the first one.
Outline OutlineOf(absl::Span<HloInstruction* const> instructions,
                  absl::string_view name) {
  HloInstruction* root = instructions.front();
  HloModule* module = root->GetModule();
  CHECK(module != nullptr) << root->name() << " is in no module";
  std::vector<HloInstruction*> operands = OperandsFromOutside(instructions);
  const absl::flat_hash_set<const HloInstruction*> inside(instructions.begin(),
                                                          instructions.end());
  auto computation = std::make_unique<HloComputation>(name);
  computation->SetExecutionThread(root->parent()->execution_thread());
  absl::flat_hash_map<const HloInstruction*, HloInstruction*> mapped;
  for (size_t i = 0; i < operands.size(); ++i) {
    mapped[operands[i]] =
        computation->AddInstruction(HloInstruction::CreateParameter(
            i, operands[i]->shape(), absl::StrCat("param_", i)));
  }
  // The order of one needs no look at all of the others.
  const std::vector<HloInstruction*> order =
      instructions.size() == 1 ? std::vector<HloInstruction*>{root}
                               : root->parent()->MakeInstructionPostOrder();
  for (HloInstruction* hlo : order) {
    if (!inside.contains(hlo)) continue;
    std::vector<HloInstruction*> inner;
    for (HloInstruction* operand : hlo->operands()) {
      inner.push_back(mapped[operand]);
    }
    mapped[hlo] = computation->AddInstruction(
        hlo->CloneWithNewOperands(hlo->shape(), inner));
  }
  computation->set_root_instruction(mapped[root]);
  return {module->AddEmbeddedComputation(std::move(computation)),
          std::move(operands)};
}

}  // namespace

HloComputation& ComputationOutlining::self() {
  return static_cast<HloComputation&>(*this);
}

// Puts `caller`, which has a copy of the first instruction, in the place of it,
// and moves the others into it in their order.
void ComputationOutlining::MoveInto(
    HloInstruction* caller, absl::Span<HloInstruction* const> instructions) {
  HloInstruction* root = instructions.front();
  CHECK_OK(caller->CopyAllControlDepsFrom(root));
  CHECK_OK(self().ReplaceInstruction(root, caller));
  std::vector<HloInstruction*> pending(instructions.begin() + 1,
                                       instructions.end());
  for (bool moved = true; moved && !pending.empty();) {
    moved = false;
    // Those that come before all of their users.
    std::vector<HloInstruction*> waiting;
    for (HloInstruction* hlo : pending) {
      if (!caller->IsUserOf(hlo)) {
        waiting.push_back(hlo);
        continue;
      }
      moved = true;
      caller->AppendInstructionIntoCalledComputation(hlo);
      if (hlo->IsDead() && !hlo->HasControlDependencies()) {
        CHECK_OK(self().RemoveInstruction(hlo));
      }
    }
    pending = std::move(waiting);
  }
}

HloInstruction* ComputationOutlining::CreateFusionInstruction(
    absl::Span<HloInstruction* const> instructions_to_fuse,
    FusionKind fusion_kind) {
  HloInstruction* root = instructions_to_fuse.front();
  const Outline fused = OutlineOf({root}, "fused_computation");
  HloInstruction* fusion = self().AddInstruction(HloInstruction::CreateFusion(
      root->shape(), fusion_kind, fused.operands, fused.computation));
  root->SetupDerivedInstruction(fusion);
  MoveInto(fusion, instructions_to_fuse);
  return fusion;
}

HloInstruction* ComputationOutlining::CreateCallInstruction(
    absl::Span<HloInstruction* const> instructions_to_call,
    absl::string_view computation_name) {
  HloInstruction* root = instructions_to_call.front();
  const Outline called = OutlineOf({root}, computation_name);
  HloInstruction* call = self().AddInstruction(HloInstruction::CreateCall(
      root->shape(), called.operands, called.computation));
  root->SetupDerivedInstruction(call);
  MoveInto(call, instructions_to_call);
  return call;
}

HloInstruction* ComputationOutlining::OutlineInstructions(
    absl::Span<HloInstruction* const> instructions,
    absl::string_view computation_name) {
  HloInstruction* root = instructions.front();
  const Outline called = OutlineOf(instructions, computation_name);
  HloInstruction* call = self().AddInstruction(HloInstruction::CreateCall(
      root->shape(), called.operands, called.computation));
  root->SetupDerivedInstruction(call);
  CHECK_OK(self().ReplaceInstruction(root, call));
  return call;
}

HloInstruction* ComputationOutlining::CreateCompositeCallInstruction(
    absl::Span<HloInstruction* const> instructions_to_call,
    const std::string& name, const std::string& attributes, int64_t version) {
  HloInstruction* root = instructions_to_call.front();
  const Outline called = OutlineOf({root}, "called_computation");
  HloInstruction* call =
      self().AddInstruction(HloInstruction::CreateCompositeCall(
                                root->shape(), called.operands,
                                called.computation, name, attributes, version),
                            root->name());
  MoveInto(call, instructions_to_call);
  return call;
}

// Asynchronous ops -----------------------------------------------------------

HloInstruction* ComputationOutlining::AddCopyStart(
    HloInstruction* copy, absl::Span<const Shape> context_shapes) {
  std::vector<Shape> shapes = {copy->shape(), copy->operand(0)->shape()};
  shapes.insert(shapes.end(), context_shapes.begin(), context_shapes.end());
  return self().AddInstruction(HloInstruction::CreateCopyStart(
      ShapeUtil::MakeTupleShape(shapes), copy->mutable_operand(0)));
}

HloInstruction* ComputationOutlining::AddAsyncStart(
    HloInstruction* instruction, absl::Span<const Shape> context_shapes,
    absl::string_view thread, bool override_names) {
  HloComputation::Builder builder("async_computation");
  std::vector<HloInstruction*> parameters;
  std::vector<Shape> operand_shapes;
  for (const HloInstruction* operand : instruction->operands()) {
    const int64_t i = parameters.size();
    operand_shapes.push_back(operand->shape());
    parameters.push_back(builder.AddInstruction(HloInstruction::CreateParameter(
        i, operand->shape(), absl::StrCat("param_", i))));
  }
  HloInstruction* root = builder.AddInstruction(
      instruction->CloneWithNewOperands(instruction->shape(), parameters));
  HloModule* module = self().parent();
  HloComputation* computation =
      module->AddEmbeddedComputation(builder.Build(root));
  if (override_names) {
    module->SetAndUniquifyInstrName(
        root, absl::StrCat(instruction->name(), ".cloned"));
  }
  std::vector<Shape> shapes = {ShapeUtil::MakeTupleShape(operand_shapes),
                               root->shape()};
  shapes.insert(shapes.end(), context_shapes.begin(), context_shapes.end());
  return self().AddInstruction(HloInstruction::CreateAsyncStart(
      ShapeUtil::MakeTupleShape(shapes), instruction->operands(), computation,
      thread));
}

absl::StatusOr<HloInstruction*> ComputationOutlining::CreateAsyncInstructions(
    HloInstruction* instruction, absl::Span<const Shape> context_shapes,
    absl::string_view async_execution_thread, bool replace,
    bool override_names) {
  if (self().parent() == nullptr) {
    return FailedPrecondition("%s is in no module", self().name());
  }
  const bool is_copy = instruction->opcode() == HloOpcode::kCopy;
  HloInstruction* start =
      is_copy ? AddCopyStart(instruction, context_shapes)
              : AddAsyncStart(instruction, context_shapes,
                              async_execution_thread, override_names);
  HloInstruction* done = self().AddInstruction(
      is_copy ? HloInstruction::CreateUnary(instruction->shape(),
                                            HloOpcode::kCopyDone, start)
              : HloInstruction::CreateAsyncDone(instruction->shape(), start));
  if (override_names && !is_copy) {
    const std::string& name = start->async_wrapped_instruction()->name();
    self().parent()->SetAndUniquifyInstrName(start,
                                             absl::StrCat(name, ".call-start"));
    self().parent()->SetAndUniquifyInstrName(done,
                                             absl::StrCat(name, ".call-done"));
  }
  for (HloInstruction* link : {start, done}) {
    link->set_metadata(instruction->metadata());
    link->CopyBackendConfigFrom(instruction);
  }
  TF_RETURN_IF_ERROR(instruction->CopyAllControlDepsTo(start, done));
  if (replace) {
    TF_RETURN_IF_ERROR(self().ReplaceInstruction(instruction, done));
  }
  return done;
}

}  // namespace xla
