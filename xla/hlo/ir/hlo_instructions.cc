// Picks the class of an instruction by its opcode; operands of calls,
// constants, windows, dimension numbers.
#include "xla/hlo/ir/hlo_instructions.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "absl/status/status.h"
#include "absl/types/span.h"
#include "xla/base/errors.h"
#include "xla/base/logging.h"
#include "xla/base/status_macros.h"
#include "xla/base/text/printer.h"
#include "xla/core/window_math.h"
#include "xla/hlo/attrs/value_text.h"
#include "xla/hlo/ir/hlo_computation.h"
#include "xla/hlo/ops/control_flow.h"
#include "xla/hlo/ops/reduction/reduction.h"
#include "xla/hlo/ops/values.h"

namespace xla {
namespace {

void Assign(google::protobuf::RepeatedField<int64_t>* field,
            absl::Span<const int64_t> values) {
  field->Assign(values.begin(), values.end());
}

}  // namespace

class InstructionMaker {
 public:
  static HloInstruction::Key NewKey() { return HloInstruction::Key(); }

  // Makes an instruction of the first class that has the opcode; of the base
  // class if none has.
  template <typename... Classes>
  static std::unique_ptr<HloInstruction> Make(HloOpcode opcode, Shape shape,
                                              Attrs attrs) {
    HloInstruction* made = nullptr;
    const auto try_class = [&]<typename Class>(std::type_identity<Class>) {
      if (made != nullptr || !Class::HasOpcode(opcode)) return;
      made = new Class(HloInstruction::Key(), opcode, std::move(shape),
                       std::move(attrs));
    };
    (try_class(std::type_identity<Classes>()), ...);
    if (made == nullptr) {
      made = new HloInstruction(HloInstruction::Key(), opcode, std::move(shape),
                                std::move(attrs));
    }
    return std::unique_ptr<HloInstruction>(made);
  }
};

std::unique_ptr<HloInstruction> NewInstructionOfClass(HloOpcode opcode,
                                                      Shape shape,
                                                      Attrs attrs) {
  return InstructionMaker::Make<
      HloAllGatherInstruction, HloAllReduceInstruction,
      HloReduceScatterInstruction, HloAllToAllInstruction,
      HloRaggedAllToAllInstruction, HloCollectiveBroadcastInstruction,
      HloCollectivePermuteInstruction, HloSendInstruction,
      HloSendDoneInstruction, HloRecvInstruction, HloRecvDoneInstruction,
      HloAsyncStartInstruction, HloAsyncUpdateInstruction,
      HloAsyncDoneInstruction, HloBatchNormTrainingInstruction,
      HloBatchNormInferenceInstruction, HloBatchNormGradInstruction,
      HloBroadcastInstruction, HloConcatenateInstruction, HloIotaInstruction,
      HloReduceInstruction, HloReverseInstruction, HloSortInstruction,
      HloTransposeInstruction, HloFusionInstruction, HloCallInstruction,
      HloCustomCallInstruction, HloDynamicSliceInstruction,
      HloDynamicUpdateSliceInstruction, HloGatherInstruction,
      HloScatterInstruction, HloCholeskyInstruction, HloCompareInstruction,
      HloConstantInstruction, HloConvolutionInstruction,
      HloCopyStartInstruction, HloDomainInstruction, HloDotInstruction,
      HloDynamicReshapeInstruction, HloFftInstruction,
      HloGetDimensionSizeInstruction, HloGetTupleElementInstruction,
      HloInfeedInstruction, HloMapInstruction, HloOutfeedInstruction,
      HloPadInstruction, HloParameterInstruction, HloRaggedDotInstruction,
      HloReducePrecisionInstruction, HloReduceWindowInstruction,
      HloReshapeInstruction, HloRngInstruction, HloRngBitGeneratorInstruction,
      HloRngGetAndUpdateStateInstruction, HloScaledDotInstruction,
      HloScanInstruction, HloSelectAndScatterInstruction,
      HloSetDimensionSizeInstruction, HloSliceInstruction, HloTopKInstruction,
      HloTriangularSolveInstruction>(opcode, std::move(shape),
                                     std::move(attrs));
}

HloComputation* HloCallableInstruction::called_computation() const {
  CHECK_EQ(called_computations().size(), 1u) << name();
  return called_computations()[0];
}
HloInstruction* HloCallableInstruction::called_computation_root() const {
  return called_computation()->root_instruction();
}

absl::Status HloFusionInstruction::PermuteFusionOperands(
    absl::Span<const int64_t> permutation) {
  HloComputation* fused = fused_instructions_computation();
  if (fused->caller_instructions().size() > 1) {
    return FailedPrecondition("%s has other callers than %s", fused->name(),
                              name());
  }
  TF_RETURN_IF_ERROR(fused->PermuteParameters(permutation));
  const std::vector<HloInstruction*> old_operands(operands().begin(),
                                                  operands().end());
  for (size_t i = 0; i < permutation.size(); ++i) {
    TF_RETURN_IF_ERROR(
        ReplaceOperandWithDifferentShape(permutation[i], old_operands[i]));
  }
  return absl::OkStatus();
}

const Literal& HloCustomCallInstruction::literal() const {
  CHECK(HasLiteral()) << name();
  return *attrs<CustomCallAttrs>().literal.value;
}
bool HloCustomCallInstruction::HasLiteral() const {
  return attrs<CustomCallAttrs>().literal.value != nullptr;
}
void HloCustomCallInstruction::set_literal(Literal&& literal) {
  mutable_attrs<CustomCallAttrs>().literal = SharedLiteral(std::move(literal));
}
void HloCustomCallInstruction::set_operand_shapes_with_layout(
    std::vector<Shape> shapes) {
  CHECK(layout_constrained()) << name();
  mutable_attrs<CustomCallAttrs>().operand_layout_constraints =
      std::move(shapes);
}

std::vector<Shape> HloDynamicIndexInstruction::index_shapes() const {
  std::vector<Shape> shapes;
  for (const HloInstruction* index : index_operands()) {
    shapes.push_back(index->shape());
  }
  return shapes;
}

// Constants ------------------------------------------------------------------

HloConstantInstruction::HloConstantInstruction(const Shape& shape)
    : OpClass(InstructionMaker::NewKey(), HloOpcode::kConstant, shape,
              ConstantAttrs()) {
  SetName(HloOpcodeString(opcode()));
}
HloConstantInstruction::HloConstantInstruction(std::shared_ptr<Literal> literal,
                                               const Shape& shape)
    : HloConstantInstruction(shape) {
  mutable_attrs<ConstantAttrs>().literal.value = std::move(literal);
}
HloConstantInstruction::HloConstantInstruction(Literal literal,
                                               const Shape& shape)
    : HloConstantInstruction(std::make_shared<Literal>(std::move(literal)),
                             shape) {}
HloConstantInstruction::HloConstantInstruction(Literal literal)
    : HloConstantInstruction(literal.shape()) {
  mutable_attrs<ConstantAttrs>().literal = SharedLiteral(std::move(literal));
}

Literal* HloConstantInstruction::mutable_literal() {
  auto literal = std::make_shared<Literal>(this->literal().Clone());
  Literal* own = literal.get();
  mutable_attrs<ConstantAttrs>().literal.value = std::move(literal);
  return own;
}

// Windows and scans ----------------------------------------------------------

namespace {

absl::InlinedVector<const Shape*, 2> ShapesOf(
    absl::Span<HloInstruction* const> instructions) {
  absl::InlinedVector<const Shape*, 2> shapes;
  for (const HloInstruction* instruction : instructions) {
    shapes.push_back(&instruction->shape());
  }
  return shapes;
}

}  // namespace

absl::InlinedVector<const Shape*, 2> HloReduceWindowInstruction::input_shapes()
    const {
  return ShapesOf(inputs());
}
absl::InlinedVector<const Shape*, 2>
HloReduceWindowInstruction::init_value_shapes() const {
  return ShapesOf(init_values());
}
absl::InlinedVector<const Shape*, 2> HloReduceWindowInstruction::output_shapes()
    const {
  if (shape().IsArray()) return {&shape()};
  absl::InlinedVector<const Shape*, 2> shapes;
  for (const Shape& part : shape().tuple_shapes()) shapes.push_back(&part);
  return shapes;
}
std::vector<int64_t> HloReduceWindowInstruction::non_trivial_window_dimensions()
    const {
  std::vector<int64_t> dimensions;
  for (int64_t i = 0; i < window().dimensions_size(); ++i) {
    if (!window_util::IsTrivialWindowDimension(window().dimensions(i))) {
      dimensions.push_back(i);
    }
  }
  return dimensions;
}

bool HloScanInstruction::is_reverse() const {
  return attrs<ScanAttrs>().is_reverse;
}
TriState HloScanInstruction::is_associative() const {
  return attrs<ScanAttrs>().is_associative;
}
int64_t HloScanInstruction::num_carries() const {
  return attrs<ScanAttrs>().num_carries;
}

// Dimension numbers ----------------------------------------------------------

GatherDimensionNumbers HloGatherInstruction::MakeGatherDimNumbers(
    absl::Span<const int64_t> offset_dims,
    absl::Span<const int64_t> collapsed_slice_dims,
    absl::Span<const int64_t> start_index_map, int64_t index_vector_dim,
    absl::Span<const int64_t> operand_batching_dims,
    absl::Span<const int64_t> start_indices_batching_dims) {
  GatherDimensionNumbers dims;
  Assign(dims.mutable_offset_dims(), offset_dims);
  Assign(dims.mutable_collapsed_slice_dims(), collapsed_slice_dims);
  Assign(dims.mutable_start_index_map(), start_index_map);
  Assign(dims.mutable_operand_batching_dims(), operand_batching_dims);
  Assign(dims.mutable_start_indices_batching_dims(),
         start_indices_batching_dims);
  dims.set_index_vector_dim(index_vector_dim);
  return dims;
}

std::string HloGatherInstruction::GatherDimensionNumbersToString(
    const GatherDimensionNumbers& dim_numbers) {
  return xla::GatherDimensionNumbersToString(dim_numbers);
}
void HloGatherInstruction::PrintGatherDimensionNumbers(
    Printer* printer, const GatherDimensionNumbers& dim_numbers) {
  printer->Append(GatherDimensionNumbersToString(dim_numbers));
}

ScatterDimensionNumbers HloScatterInstruction::MakeScatterDimNumbers(
    absl::Span<const int64_t> update_window_dims,
    absl::Span<const int64_t> inserted_window_dims,
    absl::Span<const int64_t> scatter_dims_to_operand_dims,
    int64_t index_vector_dim, absl::Span<const int64_t> input_batching_dims,
    absl::Span<const int64_t> scatter_indices_batching_dims) {
  ScatterDimensionNumbers dims;
  Assign(dims.mutable_update_window_dims(), update_window_dims);
  Assign(dims.mutable_inserted_window_dims(), inserted_window_dims);
  Assign(dims.mutable_scatter_dims_to_operand_dims(),
         scatter_dims_to_operand_dims);
  Assign(dims.mutable_input_batching_dims(), input_batching_dims);
  Assign(dims.mutable_scatter_indices_batching_dims(),
         scatter_indices_batching_dims);
  dims.set_index_vector_dim(index_vector_dim);
  return dims;
}

std::string HloScatterInstruction::ScatterDimensionNumbersToString(
    const ScatterDimensionNumbers& dim_numbers) {
  return xla::ScatterDimensionNumbersToString(dim_numbers);
}
void HloScatterInstruction::PrintScatterDimensionNumbers(
    Printer* printer, const ScatterDimensionNumbers& dim_numbers) {
  printer->Append(ScatterDimensionNumbersToString(dim_numbers));
}

}  // namespace xla
