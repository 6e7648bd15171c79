// Calls, loops, branches, barriers and tokens.
#include "xla/hlo/builder/ops/control_flow.h"

#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "xla/base/status_macros.h"
#include "xla/hlo/builder/emit.h"
#include "xla/hlo/ir/hlo_instruction.h"
#include "xla/hlo/ops/control_flow.h"
#include "xla/hlo/ops/op_def.h"

namespace xla {
namespace {

using builder_internal::Emit;
using builder_internal::EmitOp;
using builder_internal::Joined;

absl::Status CheckComposite(const std::string& name,
                            std::optional<absl::string_view> attributes,
                            std::optional<int64_t> version) {
  constexpr char kNeeds[] =
      "A composite call op must have frontend attributes with ";
  // composite_call_c1: the op that the call stands for has a name.
  if (name.empty()) {
    return RuleError(
        "composite_call_c1",
        absl::StrCat(kNeeds, "key composite.name whose value is non-empty"));
  }
  // composite_call_c2: attributes that are given are not empty.
  if (attributes.has_value() && attributes->empty()) {
    return RuleError(
        "composite_call_c2",
        absl::StrCat(kNeeds,
                     "key composite.attributes whose value is default: {} or "
                     "non-empty"));
  }
  // composite_call_c3: a version is not negative.
  if (version.value_or(0) < 0) {
    return RuleError(
        "composite_call_c3",
        absl::StrCat(kNeeds,
                     "a composite.version whose value is a non-negative "
                     "integer but got: ",
                     *version));
  }
  return absl::OkStatus();
}

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
    TF_RETURN_IF_ERROR(CheckComposite(name, attributes, version));
    TF_ASSIGN_OR_RETURN(XlaOp call,
                        b.AddOp(HloOpcode::kCall, operands, {}, {computation}));
    TF_ASSIGN_OR_RETURN(HloInstruction * instruction, b.LookUp(call));
    instruction->set_is_composite(true);
    const std::pair<std::string, std::string> parts[] = {
        {"composite.name", name},
        {"composite.attributes", std::string(attributes.value_or("{}"))},
        {"composite.version", absl::StrCat(version.value_or(0))}};
    for (const auto& [key, value] : parts) {
      TF_RETURN_IF_ERROR(b.SetInstructionFrontendAttribute(call, key, value));
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
  return Emit(builder, [&](XlaBuilder& b) {
    return b.AddOp(HloOpcode::kAfterAll, tokens);
  });
}

}  // namespace xla
