// Calls, loops, branches, barriers and tokens.
#include "xla/hlo/builder/ops/control_flow.h"

#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "xla/base/status_macros.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/builder/emit.h"
#include "xla/hlo/ir/hlo_instruction.h"
#include "xla/hlo/ir/instruction/composite_call.h"
#include "xla/hlo/ops/control_flow.h"
#include "xla/hlo/ops/op_def.h"

namespace xla {
namespace {

using builder_internal::Emit;
using builder_internal::EmitOp;
using builder_internal::Joined;

}  // namespace

XlaOp Call(XlaBuilder* builder, const CalledComputation& computation,
           absl::Span<const XlaOp> operands) {
  return Emit(builder, [&](XlaBuilder& b) {
    return b.AddOp(HloOpcode::kCall, operands, {}, {computation});
  });
}

XlaOp CompositeCall(XlaBuilder* builder, const CalledComputation& computation,
                    absl::Span<const XlaOp> operands, const std::string& name,
                    std::optional<absl::string_view> attributes,
                    std::optional<int64_t> version) {
  return Emit(builder, [&](XlaBuilder& b) -> absl::StatusOr<XlaOp> {
    FrontendAttributes composite;
    auto& map = *composite.mutable_map();
    map[kCompositeName] = name;
    map[kCompositeAttributes] = std::string(attributes.value_or("{}"));
    map[kCompositeVersion] = absl::StrCat(version.value_or(0));
    TF_RETURN_IF_ERROR(CheckCompositeCall(composite));
    TF_ASSIGN_OR_RETURN(XlaOp call,
                        b.AddOp(HloOpcode::kCall, operands, {}, {computation}));
    TF_ASSIGN_OR_RETURN(HloInstruction * instruction, b.LookUp(call));
    instruction->set_is_composite(true);
    for (const char* key :
         {kCompositeName, kCompositeAttributes, kCompositeVersion}) {
      TF_RETURN_IF_ERROR(
          b.SetInstructionFrontendAttribute(call, key, map[key]));
    }
    return call;
  });
}

XlaOp While(const CalledComputation& condition, const CalledComputation& body,
            XlaOp init) {
  return EmitOp(HloOpcode::kWhile, {init}, {}, {condition, body});
}

XlaOp Conditional(XlaOp predicate, XlaOp true_operand,
                  const CalledComputation& true_computation,
                  XlaOp false_operand,
                  const CalledComputation& false_computation) {
  return EmitOp(HloOpcode::kConditional,
                {predicate, true_operand, false_operand}, {},
                {true_computation, false_computation});
}

XlaOp Conditional(XlaOp branch_index,
                  absl::Span<const XlaComputation* const> branch_computations,
                  absl::Span<const XlaOp> branch_operands) {
  std::vector<CalledComputation> branches;
  for (const XlaComputation* branch : branch_computations) {
    branches.emplace_back(branch);
  }
  return EmitOp(HloOpcode::kConditional,
                Joined({{branch_index}, branch_operands}), {}, branches);
}

XlaOp Conditional(XlaOp branch_index,
                  absl::Span<const XlaComputationId> branch_computations,
                  absl::Span<const XlaOp> branch_operands) {
  std::vector<CalledComputation> branches(branch_computations.begin(),
                                          branch_computations.end());
  return EmitOp(HloOpcode::kConditional,
                Joined({{branch_index}, branch_operands}), {}, branches);
}

XlaOp OptimizationBarrier(XlaOp operand) {
  return EmitOp(HloOpcode::kOptimizationBarrier, {operand});
}

XlaOp CreateToken(XlaBuilder* builder) {
  return Emit(builder,
              [&](XlaBuilder& b) { return b.AddOp(HloOpcode::kAfterAll, {}); });
}

XlaOp AfterAll(XlaBuilder* builder, absl::Span<const XlaOp> tokens) {
  return Emit(builder, [&](XlaBuilder& b) -> absl::StatusOr<XlaOp> {
    for (size_t i = 0; i < tokens.size(); ++i) {
      TF_ASSIGN_OR_RETURN(const Shape* shape, b.GetShapePtr(tokens[i]));
      // after_all_of_c1: the operands are tokens, though the op takes arrays,
      // too; the words are those of XLA.
      if (!shape->IsToken()) {
        return RuleError(
            "after_all_of_c1",
            absl::StrCat("All operands to AfterAll must be tokens; operand ", i,
                         " has shape ", ShapeUtil::HumanString(*shape)));
      }
    }
    return b.AddOp(HloOpcode::kAfterAll, tokens);
  });
}

}  // namespace xla
