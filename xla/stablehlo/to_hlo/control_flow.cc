// Rules for ops that run their regions, and for tuples, tokens and barriers.
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "xla/base/status_macros.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/ops/hlo_opcode.h"
#include "xla/hlo/ops/values.h"
#include "xla/stablehlo/to_hlo/conversion/module_conversion.h"
#include "xla/stablehlo/to_hlo/conversion/rules.h"

namespace xla::stablehlo {
namespace {

std::vector<Shape> ShapesOf(absl::Span<HloInstruction* const> instructions) {
  std::vector<Shape> shapes;
  for (const HloInstruction* instruction : instructions) {
    shapes.push_back(instruction->shape());
  }
  return shapes;
}

// Sets the first results to the values of `instruction`, which is a tuple of
// `count` values unless that is 1.
void SetFirstResults(OpConversion& conversion, HloInstruction* instruction,
                     size_t count) {
  if (count != 1 || conversion.result_count() != 1) {
    std::vector<HloInstruction*> results;
    for (int64_t i = 0; i < conversion.result_count(); ++i) {
      results.push_back(conversion.computation().AddInstruction(
          HloInstruction::CreateGetTupleElement(instruction, i)));
    }
    conversion.SetEachResult(results);
    return;
  }
  conversion.SetEachResult({&instruction, 1});
}

// The state consists of the operands and the outer values that the regions use,
// which the body passes on unchanged.
absl::Status ConvertWhile(OpConversion& conversion) {
  TF_RETURN_IF_ERROR(conversion.ExpectResults(conversion.operand_count()));
  ModuleConversion& module = conversion.module();
  const std::vector<const Value*> captures =
      module.Captures(conversion.op().regions);
  Instructions state(conversion.operands().begin(),
                     conversion.operands().end());
  TF_ASSIGN_OR_RETURN(const Instructions captured,
                      module.ValuesOf(captures, conversion.op()));
  state.insert(state.end(), captured.begin(), captured.end());

  RegionForm form;
  const std::vector<Shape> shapes = ShapesOf(state);
  form.captures = captures;
  form.parameter_shapes = shapes;
  form.tuple_parameter = true;
  TF_ASSIGN_OR_RETURN(HloComputation * condition,
                      module.ConvertRegion(conversion.op(), 0, form));
  form.return_captures = true;
  TF_ASSIGN_OR_RETURN(HloComputation * body,
                      module.ConvertRegion(conversion.op(), 1, form));
  HloInstruction* initial = AsOne(state, conversion.computation());
  HloInstruction* loop = conversion.Add(HloOpcode::kWhile, initial->shape(),
                                        {initial}, {}, {condition, body});
  SetFirstResults(conversion, loop, state.size());
  return absl::OkStatus();
}

// Converts regions without arguments to branches, each with its captures as
// operand.
absl::Status ConvertBranches(OpConversion& conversion, HloInstruction* selector,
                             absl::Span<const int64_t> regions) {
  ModuleConversion& module = conversion.module();
  const Op& op = conversion.op();
  Instructions operands = {selector};
  std::vector<HloComputation*> computations;
  for (int64_t region : regions) {
    if (region >= static_cast<int64_t>(op.regions.size())) {
      return conversion.Error(absl::StrCat("has no region ", region));
    }
    const std::vector<const Value*> captures =
        module.Captures({&op.regions[region], 1});
    TF_ASSIGN_OR_RETURN(const Instructions captured,
                        module.ValuesOf(captures, op));
    const std::vector<Shape> shapes = ShapesOf(captured);
    RegionForm form;
    form.captures = captures;
    form.parameter_shapes = shapes;
    form.tuple_parameter = true;
    TF_ASSIGN_OR_RETURN(computations.emplace_back(),
                        module.ConvertRegion(op, region, form));
    operands.push_back(AsOne(captured, conversion.computation()));
  }
  if (computations.empty()) return conversion.Error("needs a branch");
  HloInstruction* conditional = conversion.Add(
      HloOpcode::kConditional, computations[0]->root_instruction()->shape(),
      operands, {}, computations);
  conversion.SetResults(conditional);
  return absl::OkStatus();
}

absl::Status ConvertIf(OpConversion& conversion) {
  TF_RETURN_IF_ERROR(conversion.ExpectOperands(1));
  return ConvertBranches(conversion, conversion.operand(0), {0, 1});
}

absl::Status ConvertCase(OpConversion& conversion) {
  TF_RETURN_IF_ERROR(conversion.ExpectOperands(1));
  std::vector<int64_t> regions(conversion.op().regions.size());
  for (size_t i = 0; i < regions.size(); ++i) regions[i] = i;
  return ConvertBranches(conversion, conversion.operand(0), regions);
}

absl::Status ConvertTuple(OpConversion& conversion) {
  TF_RETURN_IF_ERROR(conversion.ExpectResults(1));
  conversion.SetResults(conversion.computation().AddInstruction(
      HloInstruction::CreateTuple(conversion.operands())));
  return absl::OkStatus();
}

absl::Status ConvertGetTupleElement(OpConversion& conversion) {
  TF_RETURN_IF_ERROR(conversion.ExpectOperands(1));
  TF_RETURN_IF_ERROR(conversion.ExpectResults(1));
  TF_ASSIGN_OR_RETURN(const int64_t index, conversion.Integer("index"));
  const Shape& tuple = conversion.operand(0)->shape();
  if (!tuple.IsTuple() || index < 0 || index >= tuple.tuple_shapes_size()) {
    return conversion.Error(
        absl::StrCat("element ", index, " of ", tuple.ToString()));
  }
  conversion.SetResults(conversion.computation().AddInstruction(
      HloInstruction::CreateGetTupleElement(conversion.operand(0), index)));
  return absl::OkStatus();
}

absl::Status ConvertAfterAll(OpConversion& conversion) {
  TF_RETURN_IF_ERROR(conversion.ExpectResults(1));
  // HLO's after-all accepts values of any type.
  for (int64_t i = 0; i < conversion.operand_count(); ++i) {
    const Shape& shape = conversion.operand(i)->shape();
    if (shape.IsToken()) continue;
    return conversion.Error(absl::StrCat(
        "operand ", i, " must be a token, got ", shape.ToString()));
  }
  return conversion.Emit(HloOpcode::kAfterAll, conversion.operands());
}

absl::Status ConvertCreateToken(OpConversion& conversion) {
  TF_RETURN_IF_ERROR(conversion.ExpectOperands(0));
  return ConvertAfterAll(conversion);
}

// A barrier of several values takes them as a tuple.
absl::Status ConvertOptimizationBarrier(OpConversion& conversion) {
  TF_RETURN_IF_ERROR(conversion.ExpectResults(conversion.operand_count()));
  HloInstruction* all = AsOne(
      Instructions(conversion.operands().begin(), conversion.operands().end()),
      conversion.computation());
  conversion.SetResults(
      conversion.Add(HloOpcode::kOptimizationBarrier, all->shape(), {all}));
  return absl::OkStatus();
}

constexpr Rule kControlFlowRules[] = {
    {"stablehlo.while", ConvertWhile},
    {"stablehlo.if", ConvertIf},
    {"stablehlo.case", ConvertCase},
    {"stablehlo.tuple", ConvertTuple},
    {"stablehlo.get_tuple_element", ConvertGetTupleElement},
    {"stablehlo.after_all", ConvertAfterAll},
    {"stablehlo.create_token", ConvertCreateToken},
    {"stablehlo.optimization_barrier", ConvertOptimizationBarrier},
};

}  // namespace

absl::Span<const Rule> ControlFlowRules() { return kControlFlowRules; }

}  // namespace xla::stablehlo
