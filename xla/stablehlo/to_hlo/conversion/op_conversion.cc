// Reads operands, results and attributes of the current op.
#include "xla/stablehlo/to_hlo/conversion/op_conversion.h"

#include <cstring>
#include <utility>

#include "absl/strings/str_cat.h"
#include "xla/base/status_macros.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/evaluator/hlo_evaluator.h"
#include "xla/hlo/ops/values.h"
#include "xla/stablehlo/to_hlo/conversion/annotations.h"
#include "xla/stablehlo/to_hlo/conversion/foldable.h"
#include "xla/stablehlo/to_hlo/conversion/module_conversion.h"

namespace xla::stablehlo {

absl::Status OpConversion::ExpectOperands(int64_t count) const {
  if (operand_count() == count) return absl::OkStatus();
  return Error(
      absl::StrCat("expected ", count, " operands, got ", operand_count()));
}

absl::Status OpConversion::ExpectResults(int64_t count) const {
  if (result_count() == count) return absl::OkStatus();
  return Error(
      absl::StrCat("expected ", count, " results, got ", result_count()));
}

absl::StatusOr<Shape> OpConversion::ResultShape(int64_t i) const {
  absl::StatusOr<Shape> shape = ShapeOfType(result_type(i));
  if (!shape.ok()) return Annotate(shape.status());
  return shape;
}

absl::StatusOr<Shape> OpConversion::ResultsShape() const {
  if (result_count() == 1) return ResultShape();
  std::vector<Shape> shapes(result_count());
  for (int64_t i = 0; i < result_count(); ++i) {
    TF_ASSIGN_OR_RETURN(shapes[i], ResultShape(i));
  }
  return ShapeUtil::MakeTupleShape(shapes);
}

HloInstruction* OpConversion::Add(
    HloOpcode opcode, Shape shape, absl::Span<HloInstruction* const> operands,
    Attrs attrs, absl::Span<HloComputation* const> computations) {
  return computation_.AddInstruction(HloInstruction::Create(
      opcode, std::move(shape), operands, std::move(attrs), computations));
}

absl::StatusOr<HloInstruction*> OpConversion::Infer(
    HloOpcode opcode, absl::Span<HloInstruction* const> operands, Attrs attrs,
    absl::Span<HloComputation* const> computations) {
  absl::StatusOr<HloInstruction*> added =
      computation_.Add(opcode, operands, std::move(attrs), computations);
  if (!added.ok()) return Annotate(added.status());
  return added;
}

HloInstruction* OpConversion::AddConstant(Literal literal) {
  return computation_.AddInstruction(
      HloInstruction::CreateConstant(std::move(literal)));
}

absl::Status OpConversion::Emit(
    HloOpcode opcode, absl::Span<HloInstruction* const> operands, Attrs attrs,
    absl::Span<HloComputation* const> computations) {
  bool is_static = true;
  for (const Value& result : op_.results) {
    is_static = is_static && result.type->IsStatic();
  }
  if (is_static) {
    TF_ASSIGN_OR_RETURN(Shape shape, ResultsShape());
    SetResults(Add(opcode, std::move(shape), operands, std::move(attrs),
                   computations));
    return absl::OkStatus();
  }
  TF_ASSIGN_OR_RETURN(HloInstruction * added,
                      Infer(opcode, operands, std::move(attrs), computations));
  SetResults(added);
  return absl::OkStatus();
}

void OpConversion::SetResults(HloInstruction* instruction) {
  AnnotateInstruction(op_, *instruction);
  if (result_count() == 1) {
    module_.set_value(op_.results[0], instruction);
    return;
  }
  const int64_t elements = instruction->shape().IsTuple()
                               ? instruction->shape().tuple_shapes_size()
                               : 0;
  for (int64_t i = 0; i < result_count() && i < elements; ++i) {
    module_.set_value(op_.results[i], computation_.AddInstruction(
                                          HloInstruction::CreateGetTupleElement(
                                              instruction, i)));
  }
}

void OpConversion::SetEachResult(
    absl::Span<HloInstruction* const> instructions) {
  for (int64_t i = 0; i < result_count(); ++i) {
    module_.set_value(op_.results[i], instructions[i]);
  }
}

absl::StatusOr<HloComputation*> OpConversion::Region(int64_t region) {
  return module_.ConvertRegion(op_, region, RegionForm());
}

absl::StatusOr<Literal> OpConversion::ConstantOperand(int64_t i) {
  if (i >= operand_count()) {
    return Error(absl::StrCat("operand ", i, " is missing"));
  }
  const auto not_constant = [&](const absl::Status& status) {
    return Error(absl::StrCat("operand ", i,
                              " must follow from constants, since it decides "
                              "about sizes: ",
                              status.message()));
  };
  const absl::StatusOr<int64_t> work = FoldingWork(*operands_[i]);
  if (!work.ok()) return not_constant(work.status());
  TF_RETURN_IF_ERROR(Annotate(module_.Charge(*work)));
  absl::StatusOr<Literal> value =
      HloEvaluator(kMaxFoldedIterations)
          .Evaluate(operands_[i],
                    /*recursively_evaluate_nonconstant_operands=*/true);
  return value.ok() ? std::move(value) : not_constant(value.status());
}

absl::StatusOr<std::vector<int64_t>> OpConversion::ConstantIntegers(int64_t i) {
  TF_ASSIGN_OR_RETURN(Literal value, ConstantOperand(i));
  if (!value.shape().IsArray() ||
      !ShapeUtil::ElementIsIntegral(value.shape())) {
    return Error(absl::StrCat("operand ", i, " must be of integers, got ",
                              value.shape().ToString()));
  }
  TF_ASSIGN_OR_RETURN(Literal wide, value.Convert(S64));
  const absl::Span<const int64_t> data = wide.data<int64_t>();
  return std::vector<int64_t>(data.begin(), data.end());
}

absl::Status OpConversion::Error(absl::string_view message) const {
  return ErrorAt(op_, message);
}

absl::Status OpConversion::Unimplemented(absl::string_view message) const {
  return AtOp(op_, absl::UnimplementedError(message));
}

absl::Status OpConversion::Annotate(const absl::Status& status) const {
  return AtOp(op_, status);
}

}  // namespace xla::stablehlo
