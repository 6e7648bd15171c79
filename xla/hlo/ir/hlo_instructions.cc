// Picks the class of an instruction by its opcode; chains of asynchronous ops,
// constants, dimension numbers.
#include "xla/hlo/ir/hlo_instructions.h"

#include <memory>
#include <utility>
#include <vector>

#include "absl/types/span.h"
#include "xla/base/logging.h"
#include "xla/hlo/ir/hlo_computation.h"
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

// Chains ---------------------------------------------------------------------

HloAsyncInstruction* HloAsyncInstruction::async_chain_start() const {
  return static_cast<HloAsyncInstruction*>(OpClass::async_chain_start());
}
HloAsyncInstruction* HloAsyncInstruction::async_chain_done() const {
  return static_cast<HloAsyncInstruction*>(OpClass::async_chain_done());
}
HloAsyncInstruction* HloAsyncInstruction::async_chain_next() const {
  return static_cast<HloAsyncInstruction*>(OpClass::async_chain_next());
}

std::vector<HloAsyncInstruction*> HloAsyncInstruction::GetAsyncChain() const {
  std::vector<HloAsyncInstruction*> chain;
  for (HloAsyncInstruction* link = async_chain_start(); link != nullptr;
       link = link->async_chain_next()) {
    chain.push_back(link);
  }
  return chain;
}

void HloAsyncInstruction::UpdateChainShapes() {
  if (opcode() == HloOpcode::kAsyncDone) return;
  CHECK(shape().IsTuple() && shape().tuple_shapes_size() >= 2) << name();
  for (HloAsyncInstruction* link = async_chain_next(); link != nullptr;
       link = link->async_chain_next()) {
    *link->mutable_shape() = link->opcode() == HloOpcode::kAsyncDone
                                 ? shape().tuple_shapes(1)
                                 : shape();
  }
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

}  // namespace xla
