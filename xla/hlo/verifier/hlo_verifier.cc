// The rules for modules, computations and single instructions.
#include "xla/hlo/verifier/hlo_verifier.h"

#include <string>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "xla/base/errors.h"
#include "xla/base/status_macros.h"
#include "xla/core/layout/tiling.h"
#include "xla/core/layout_util.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/ir/infer_instruction.h"
#include "xla/hlo/ir/instruction/composite_call.h"
#include "xla/hlo/ops/op_def.h"

namespace xla {
namespace {

// module_c2: the call graph has no cycle.
absl::Status VerifyCallGraph(const HloModule& module) {
  // In this order each callee has been seen before its caller.
  absl::flat_hash_set<const HloComputation*> seen;
  for (const HloComputation* computation : module.MakeComputationPostOrder()) {
    for (const auto& instruction : computation->instructions()) {
      for (const HloComputation* called : instruction->called_computations()) {
        if (called->parent() != &module) {
          // module_c3: called computations belong to the module.
          return RuleError(
              "module_c3",
              absl::StrCat(instruction->name(), " calls ", called->name(),
                           ", which is of another module"));
        }
        if (!seen.contains(called)) {
          return RuleError("module_c2",
                           absl::StrCat("computation ", called->name(),
                                        " is part of a cycle of calls through ",
                                        instruction->name()));
        }
      }
    }
    seen.insert(computation);
  }
  return absl::OkStatus();
}

// Returns true if `actual`, the shape of a parameter or the result, may stand
// where the entry layout has `stated`.
bool FitsEntryLayout(const Shape& stated, const Shape& actual,
                     bool allow_buffers) {
  if (stated.IsTuple()) {
    if (!actual.IsTuple() ||
        stated.tuple_shapes_size() != actual.tuple_shapes_size()) {
      return false;
    }
    for (int i = 0; i < stated.tuple_shapes_size(); ++i) {
      if (!FitsEntryLayout(stated.tuple_shapes(i), actual.tuple_shapes(i),
                           allow_buffers)) {
        return false;
      }
    }
    return true;
  }
  return ShapeUtil::Compatible(stated, actual) ||
         (allow_buffers && IsBufferVector(actual, stated));
}

// module_c4: the entry layout has the shapes of the entry computation.
absl::Status VerifyEntryLayout(const HloModule& module, bool allow_buffers) {
  if (!module.config().has_entry_computation_layout()) return absl::OkStatus();
  const ComputationLayout& layout = module.entry_computation_layout();
  const HloComputation& entry = *module.entry_computation();
  if (layout.parameter_count() != entry.num_parameters()) {
    return RuleError(
        "module_c4",
        absl::StrCat("entry_computation_layout has ", layout.parameter_count(),
                     " parameters, the entry computation ",
                     entry.num_parameters()));
  }
  auto check = [&](const Shape& stated, const Shape& actual,
                   absl::string_view what) -> absl::Status {
    if (FitsEntryLayout(stated, actual, allow_buffers)) return absl::OkStatus();
    return RuleError(
        "module_c4",
        absl::StrCat("entry_computation_layout gives ", what, " the shape ",
                     ShapeUtil::HumanString(stated), ", the computation ",
                     ShapeUtil::HumanString(actual)));
  };
  for (int64_t i = 0; i < entry.num_parameters(); ++i) {
    TF_RETURN_IF_ERROR(check(layout.parameter_shape(i),
                             entry.parameter_instruction(i)->shape(),
                             absl::StrCat("parameter ", i)));
  }
  return check(layout.result_shape(), entry.root_instruction()->shape(),
               "the result");
}

// module_c5: names are unique.
absl::Status VerifyNames(const HloModule& module) {
  absl::flat_hash_set<absl::string_view> instructions, computations;
  for (const auto& computation : module.computations()) {
    if (!computations.insert(computation->name()).second) {
      return RuleError("module_c5", absl::StrCat("two computations are named ",
                                                 computation->name()));
    }
    for (const auto& instruction : computation->instructions()) {
      if (!instructions.insert(instruction->name()).second) {
        return RuleError(
            "module_c5",
            absl::StrCat("two instructions are named ", instruction->name()));
      }
    }
  }
  return absl::OkStatus();
}

// Returns true if the op computes its result and so converts it to the declared
// floating-point type. Other ops pass elements on unchanged.
bool ConvertsResult(const OpDef& op) {
  switch (op.cost_class) {
    case CostClass::kArithmetic:
      return op.opcode != HloOpcode::kReducePrecision;
    case CostClass::kDivision:
    case CostClass::kSquareRoot:
    case CostClass::kRemainder:
    case CostClass::kTranscendental:
    case CostClass::kLongTranscendental:
    case CostClass::kApplication:
    case CostClass::kScatteredUpdate:
      return true;
    case CostClass::kContraction:
      return op.opcode != HloOpcode::kScaledDot;
    case CostClass::kAlgorithm:
      return op.opcode == HloOpcode::kCholesky ||
             op.opcode == HloOpcode::kSort ||
             op.opcode == HloOpcode::kTriangularSolve;
    case CostClass::kNone:
    case CostClass::kControl:
    case CostClass::kFusion:
    case CostClass::kMovement:
    case CostClass::kDevice:
    case CostClass::kForeign:
      return false;
  }
  return false;
}

// Whether an instruction of this opcode may call a computation of another
// thread than its own.
bool MayCallOtherThreads(HloOpcode opcode, const HloVerifierOptions& options) {
  switch (opcode) {
    case HloOpcode::kAsyncStart:
    case HloOpcode::kAsyncUpdate:
    case HloOpcode::kAsyncDone:
      return true;
    case HloOpcode::kConditional:
    case HloOpcode::kFusion:
    case HloOpcode::kWhile:
      return false;
    default:
      return !options.verify_call_nested_computation_thread_name;
  }
}

// Returns true if `declared` is allowed where the rules give `inferred`.
bool SameShape(const Shape& declared, const Shape& inferred,
               bool allow_mixed_precision) {
  return allow_mixed_precision
             ? ShapeUtil::CompatibleIgnoringFpPrecision(declared, inferred)
             : ShapeUtil::Compatible(declared, inferred);
}

// Returns true if both are arrays of the same rank with layouts whose orders of
// dimensions differ.
bool ChangesOrder(const Shape& from, const Shape& to) {
  return from.IsArray() && to.IsArray() && from.rank() == to.rank() &&
         from.has_layout() && to.has_layout() &&
         from.layout().minor_to_major() != to.layout().minor_to_major();
}

// Returns "instruction add.1", and the line of the user's program if it is
// known: "instruction add.1 (f.py:3)".
std::string NameWithLine(const HloInstruction& instruction) {
  const OpMetadata& metadata = instruction.metadata();
  std::string line;
  const std::vector<HloStackFrame> frames =
      instruction.GetStackTraceFromMetadata();
  if (!frames.empty()) {
    line = absl::StrCat(frames.back().file_name, ":", frames.back().line);
  } else if (!metadata.source_file().empty()) {
    line = absl::StrCat(metadata.source_file(), ":", metadata.source_line());
  }
  return absl::StrCat("instruction ", instruction.name(),
                      line.empty() ? "" : " (", line, line.empty() ? "" : ")");
}

}  // namespace

absl::Status HloVerifier::Verify(const HloModule& module) const {
  if (options_.instruction_can_change_layout && !options_.layout_sensitive) {
    return InvalidArgument(
        "The verifier takes a predicate of instructions that can change "
        "layouts only if it is layout-sensitive.");
  }
  auto verify = [&]() -> absl::Status {
    // module_c1: there is an entry computation.
    if (!module.has_entry_computation()) {
      return RuleError("module_c1", "there is no entry computation");
    }
    TF_RETURN_IF_ERROR(VerifyNames(module));
    TF_RETURN_IF_ERROR(VerifyCallGraph(module));
    AsyncChecker checker;
    for (const HloComputation* computation :
         module.MakeComputationPostOrder()) {
      TF_RETURN_IF_ERROR(
          AddStatus(VerifyComputation(*computation, checker),
                    absl::StrCat("computation ", computation->name())));
    }
    TF_RETURN_IF_ERROR(VerifyEntryLayout(module, options_.allow_entry_buffers));
    TF_RETURN_IF_ERROR(VerifyAliases(module));
    TF_RETURN_IF_ERROR(VerifySchedule(module));
    if (!options_.verify_no_collective_deadlocks || !module.has_schedule()) {
      return absl::OkStatus();
    }
    return VerifyNoDeadlocks(module);
  };
  return AddStatus(verify(), absl::StrCat("module ", module.name()));
}

absl::StatusOr<bool> HloVerifier::RunImpl(HloModule* module) {
  TF_RETURN_IF_ERROR(Verify(*module));
  return false;
}

absl::Status HloVerifier::VerifyComputation(const HloComputation& computation,
                                            AsyncChecker& checker) const {
  // computation_c1: the root is an instruction of the computation.
  const HloInstruction* root = computation.root_instruction();
  if (root == nullptr || root->parent() != &computation) {
    return RuleError("computation_c1", "it has no root of its own");
  }
  const std::vector<HloInstruction*> order =
      computation.MakeInstructionPostOrder();
  // computation_c2: operands and control edges form no cycle.
  if (static_cast<int64_t>(order.size()) != computation.instruction_count()) {
    absl::flat_hash_set<const HloInstruction*> done(order.begin(), order.end());
    for (const auto& instruction : computation.instructions()) {
      if (!done.contains(instruction)) {
        return RuleError("computation_c2",
                         absl::StrCat(instruction->name(),
                                      " is part of a cycle, or follows one"));
      }
    }
  }
  for (const HloInstruction* instruction : order) {
    absl::Status verified = VerifyInstruction(*instruction);
    if (!verified.ok()) return AddStatus(verified, NameWithLine(*instruction));
  }
  return VerifyAsyncPairs(computation, checker);
}

absl::Status HloVerifier::VerifyLayouts(
    const HloInstruction& instruction) const {
  const Shape& shape = instruction.shape();
  const bool may_change = options_.instruction_can_change_layout == nullptr ||
                          options_.instruction_can_change_layout(&instruction);
  for (const HloInstruction* operand : instruction.operands()) {
    // layout_c1: where layouts were assigned, an element-wise op other than a
    // copy and those of its operands that have its dimensions are laid out
    // alike.
    if (instruction.IsElementwiseOp() &&
        instruction.opcode() != HloOpcode::kCopy &&
        ShapeUtil::SameDimensions(operand->shape(), shape) &&
        !LayoutUtil::LayoutsInShapesEqual(operand->shape(), shape)) {
      return RuleError("layout_c1",
                       absl::StrCat("operand ", operand->name(), " is ",
                                    operand->shape().ToString(true)));
    }
    // layout_c2: an instruction that may not change layouts, and those of its
    // operands that have its rank, have the same order of dimensions.
    if (!may_change && ChangesOrder(operand->shape(), shape)) {
      return RuleError(
          "layout_c2",
          absl::StrCat("Instruction shouldn't change layouts: operand ",
                       operand->name(), " is ", operand->shape().ToString(true),
                       ", the result ", shape.ToString(true)));
    }
  }
  // layout_c4: a reshape moves no element.
  if (options_.verify_reshape_is_bitcast &&
      instruction.opcode() == HloOpcode::kReshape &&
      !ShapeUtil::ReshapeIsBitcast(instruction.operand(0)->shape(), shape)) {
    return RuleError(
        "layout_c4",
        absl::StrCat("Reshape should be a physical bitcast: it "
                     "takes ",
                     instruction.operand(0)->shape().ToString(true), " to ",
                     shape.ToString(true)));
  }
  // layout_c3: a bitcast and its operand have the target's same size.
  if (instruction.opcode() == HloOpcode::kBitcast && options_.shape_size) {
    const Shape& operand = instruction.operand(0)->shape();
    const int64_t size = options_.shape_size(shape);
    const int64_t operand_size = options_.shape_size(operand);
    const bool only_padding = options_.allow_bitcast_to_have_different_size &&
                              shape.is_static() && operand.is_static() &&
                              ShapeUtil::ByteSizeOfElements(shape) ==
                                  ShapeUtil::ByteSizeOfElements(operand);
    if (size != operand_size && !only_padding) {
      return RuleError(
          "layout_c3",
          absl::StrCat("Bitcast cannot have different shape sizes of output (",
                       size, ") and operand (", operand_size, ") (",
                       shape.ToString(true), ") (", operand.ToString(true),
                       ")"));
    }
  }
  return absl::OkStatus();
}

absl::Status HloVerifier::VerifyDevices(
    const HloInstruction& instruction) const {
  if (options_.verify_no_host_memory_space) {
    TF_RETURN_IF_ERROR(VerifyDeviceMemory(instruction));
  }
  if (options_.verify_shardings) {
    TF_RETURN_IF_ERROR(
        VerifySharding(instruction, options_.verify_sharding_device_numbers));
  }
  return options_.check_replica_groups ? VerifyGroupsOfModule(instruction)
                                       : absl::OkStatus();
}

absl::Status HloVerifier::VerifyInstruction(
    const HloInstruction& instruction) const {
  // instruction_c1: the declared shape is valid, with its layout.
  absl::Status valid =
      ShapeUtil::ValidateShapeWithOptionalLayout(instruction.shape());
  if (!valid.ok()) return RuleError("instruction_c1", valid.message());
  for (const HloInstruction* operand : instruction.operands()) {
    // instruction_c2: operands are of the same computation.
    if (operand->parent() != instruction.parent()) {
      return RuleError("instruction_c2",
                       absl::StrCat("operand ", operand->name(),
                                    " is of another computation"));
    }
  }
  // instruction_c4: but for asynchronous ops, what is called is of the caller's
  // execution thread.
  const absl::string_view thread = instruction.parent()->execution_thread();
  for (const HloComputation* called : instruction.called_computations()) {
    if (called->execution_thread() != thread &&
        !MayCallOtherThreads(instruction.opcode(), options_)) {
      return RuleError(
          "instruction_c4",
          absl::StrCat("it is of execution thread ", thread, ", but calls ",
                       called->name(), " of ", called->execution_thread()));
    }
  }
  // instruction_c5: nobody gave it another name since it was scheduled.
  const std::string& scheduled = instruction.metadata().scheduling_name();
  if (options_.verify_instruction_name_unchanged && !scheduled.empty() &&
      scheduled != instruction.name() &&
      !absl::StrContains(instruction.name(), ".remat") &&
      !absl::StrContains(instruction.name(), ".clone")) {
    return RuleError(
        "instruction_c5",
        absl::StrCat("Expected instruction name to remain the same. Was '",
                     scheduled, "' is '", instruction.name(), "'"));
  }
  // instruction_c6: a broadcast transposes nothing.
  if (options_.verify_broadcast_dimensions_order &&
      instruction.opcode() == HloOpcode::kBroadcast &&
      !absl::c_is_sorted(instruction.dimensions())) {
    return RuleError("instruction_c6",
                     "Broadcast dimensions should be ordered");
  }
  // instruction_c7: sizes are bounded.
  if (!options_.allow_unbounded_dynamism &&
      instruction.shape().is_unbounded_dynamic()) {
    return RuleError("instruction_c7",
                     absl::StrCat("Unbounded dynamism is disabled, and it is ",
                                  ShapeUtil::HumanString(instruction.shape())));
  }
  TF_RETURN_IF_ERROR(VerifyDevices(instruction));
  if (instruction.opcode() == HloOpcode::kCall && instruction.is_composite()) {
    TF_RETURN_IF_ERROR(CheckCompositeCall(instruction.frontend_attributes()));
  }
  if (options_.layout_sensitive) {
    TF_RETURN_IF_ERROR(VerifyLayouts(instruction));
  }
  // instruction_c3: the declared shape is the one that the op's rules give.
  TF_ASSIGN_OR_RETURN(
      Shape inferred,
      InferInstruction(instruction.def(), instruction.operands(),
                       instruction.called_computations(), &instruction.shape(),
                       instruction.raw_attrs()));
  if (!SameShape(instruction.shape(), inferred,
                 options_.allow_mixed_precision &&
                     ConvertsResult(instruction.def()))) {
    return RuleError(
        "instruction_c3",
        absl::StrCat(HloOpcodeString(instruction.opcode()), " is declared as ",
                     ShapeUtil::HumanString(instruction.shape()),
                     " where its operands give ",
                     ShapeUtil::HumanString(inferred)));
  }
  return absl::OkStatus();
}

}  // namespace xla
