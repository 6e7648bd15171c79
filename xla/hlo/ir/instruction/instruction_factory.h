// InstructionFactory: the part of HloInstruction that makes instructions, one
// function for each op, with XLA's names and parameters.
#ifndef XLA_HLO_IR_INSTRUCTION_INSTRUCTION_FACTORY_H_
#define XLA_HLO_IR_INSTRUCTION_INSTRUCTION_FACTORY_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "absl/functional/function_ref.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "xla/core/comparison.h"
#include "xla/core/literal/literal.h"
#include "xla/core/shape.h"
#include "xla/hlo/attrs/field_types.h"
#include "xla/hlo/ir/instruction/device_instruction_factory.h"
#include "xla/hlo/ops/hlo_opcode.h"
#include "xla/proto/hlo.pb.h"
#include "xla/proto/xla_data.pb.h"

namespace xla {

class HloComputation;
class HloInstruction;

// Each function returns an instruction of the given shape that is in no
// computation yet. The shape is not checked: HloVerifier does that. An opcode
// that does not belong to the form is a programmer error (CHECK).
class InstructionFactory : public DeviceInstructionFactory {
 public:
  using Owned = std::unique_ptr<HloInstruction>;
  using Operands = absl::Span<HloInstruction* const>;
  using Dims = absl::Span<const int64_t>;

  // Sources of values.
  static Owned CreateParameter(int64_t parameter_number, const Shape& shape,
                               absl::string_view name);
  static Owned CreateConstant(Literal literal);
  static Owned CreateIota(const Shape& shape, int64_t iota_dimension);
  static Owned CreateRng(const Shape& shape, RandomDistribution distribution,
                         Operands parameters);
  static Owned CreateRngBitGenerator(const Shape& shape, HloInstruction* state,
                                     RandomAlgorithm algorithm);
  static Owned CreateRngGetAndUpdateState(const Shape& shape, int64_t delta);
  static Owned CreateReplicaId(const Shape& shape = Shape(U32, {}));
  static Owned CreatePartitionId(const Shape& shape = Shape(U32, {}));

  // Element-wise ops.
  static Owned CreateNary(const Shape& shape, HloOpcode opcode,
                          Operands operands);
  static Owned CreateUnary(
      const Shape& shape, HloOpcode opcode, HloInstruction* operand,
      std::optional<ResultAccuracy> result_accuracy = std::nullopt);
  static Owned CreateBinary(const Shape& shape, HloOpcode opcode,
                            HloInstruction* lhs, HloInstruction* rhs);
  static Owned CreateTernary(const Shape& shape, HloOpcode opcode,
                             HloInstruction* lhs, HloInstruction* rhs,
                             HloInstruction* ehs);
  static Owned CreateVariadic(const Shape& shape, HloOpcode opcode,
                              Operands operands);
  static Owned CreateCompare(
      const Shape& shape, HloInstruction* lhs, HloInstruction* rhs,
      Comparison::Direction direction,
      std::optional<Comparison::Type> type = std::nullopt);
  static Owned CreateMap(const Shape& shape, Operands operands,
                         HloComputation* map_computation);
  static Owned CreateConvert(const Shape& shape, HloInstruction* operand);
  static Owned CreateBitcastConvert(const Shape& shape,
                                    HloInstruction* operand);
  static Owned CreateStochasticConvert(const Shape& shape,
                                       HloInstruction* operand,
                                       HloInstruction* random);
  static Owned CreateReducePrecision(const Shape& shape,
                                     HloInstruction* operand, int exponent_bits,
                                     int mantissa_bits);

  // Movement.
  static Owned CreateBitcast(const Shape& shape, HloInstruction* operand);
  static Owned CreateBroadcast(const Shape& shape, HloInstruction* operand,
                               Dims broadcast_dimensions);
  // Broadcasts as an element-wise op of `output_shape` does: a reshape that
  // drops the dimensions of size 1 that grow, and a broadcast of its result.
  // `adder` adds all but the last instruction, which is returned.
  static Owned CreateBroadcastSequence(
      const Shape& output_shape, HloInstruction* operand,
      absl::FunctionRef<HloInstruction*(Owned)> adder);
  static Owned CreateReshape(const Shape& shape, HloInstruction* operand,
                             int64_t inferred_dimension = -1);
  static Owned CreateDynamicReshape(const Shape& shape,
                                    HloInstruction* data_operand,
                                    Operands dim_sizes);
  static Owned CreateTranspose(const Shape& shape, HloInstruction* operand,
                               Dims dimensions);
  static Owned CreateReverse(const Shape& shape, HloInstruction* operand,
                             Dims dimensions);
  static Owned CreateSlice(const Shape& shape, HloInstruction* operand,
                           Dims start_indices, Dims limit_indices,
                           Dims strides);
  static Owned CreateDynamicSlice(const Shape& shape, HloInstruction* operand,
                                  Operands start_indices, Dims slice_sizes);
  static Owned CreateDynamicUpdateSlice(const Shape& shape,
                                        HloInstruction* operand,
                                        HloInstruction* update,
                                        Operands start_indices);
  static Owned CreateConcatenate(const Shape& shape, Operands operands,
                                 int64_t dimension);
  static Owned CreatePad(const Shape& shape, HloInstruction* operand,
                         HloInstruction* padding_value,
                         const PaddingConfig& padding_config);
  static Owned CreateGather(const Shape& shape, HloInstruction* operand,
                            HloInstruction* start_indices,
                            const GatherDimensionNumbers& gather_dim_numbers,
                            Dims slice_sizes, bool indices_are_sorted);
  static Owned CreateScatter(const Shape& shape, HloInstruction* operand,
                             HloInstruction* scatter_indices,
                             HloInstruction* updates,
                             HloComputation* update_computation,
                             const ScatterDimensionNumbers& scatter_dim_numbers,
                             bool indices_are_sorted, bool unique_indices);
  static Owned CreateScatter(const Shape& shape, Operands operands,
                             HloInstruction* scatter_indices, Operands updates,
                             HloComputation* update_computation,
                             const ScatterDimensionNumbers& scatter_dim_numbers,
                             bool indices_are_sorted, bool unique_indices);
  static Owned CreateSort(const Shape& shape, int64_t dimension,
                          Operands operands, HloComputation* compare,
                          bool is_stable);
  static Owned CreateTopK(const Shape& shape, HloInstruction* input, int64_t k,
                          bool largest);
  static Owned CreateGetDimensionSize(const Shape& shape,
                                      HloInstruction* operand,
                                      int64_t dimension);
  static Owned CreateSetDimensionSize(const Shape& shape,
                                      HloInstruction* operand,
                                      HloInstruction* val, int64_t dimension);

  // Reductions and normalizations.
  static Owned CreateReduce(const Shape& shape, HloInstruction* operand,
                            HloInstruction* init_value,
                            Dims dimensions_to_reduce,
                            HloComputation* reduce_computation);
  static Owned CreateReduce(const Shape& shape, Operands operands,
                            Operands init_values, Dims dimensions_to_reduce,
                            HloComputation* reduce_computation);
  static Owned CreateReduceWindow(const Shape& shape, HloInstruction* operand,
                                  HloInstruction* init_value,
                                  const Window& window,
                                  HloComputation* reduce_computation);
  static Owned CreateReduceWindow(const Shape& shape, Operands operands,
                                  Operands init_values, const Window& window,
                                  HloComputation* reduce_computation);
  static Owned CreateSelectAndScatter(
      const Shape& shape, HloInstruction* operand, HloComputation* select,
      const Window& window, HloInstruction* source, HloInstruction* init_value,
      HloComputation* scatter);
  static Owned CreateScan(const Shape& shape, Operands inputs, Operands inits,
                          HloComputation* to_apply, int64_t scan_dimension,
                          bool is_reverse,
                          TriState is_associative = TRI_STATE_FALSE);
  static Owned CreateBatchNormTraining(const Shape& shape,
                                       HloInstruction* operand,
                                       HloInstruction* scale,
                                       HloInstruction* offset, float epsilon,
                                       int64_t feature_index);
  static Owned CreateBatchNormInference(
      const Shape& shape, HloInstruction* operand, HloInstruction* scale,
      HloInstruction* offset, HloInstruction* mean, HloInstruction* variance,
      float epsilon, int64_t feature_index);
  static Owned CreateBatchNormGrad(const Shape& shape, HloInstruction* operand,
                                   HloInstruction* scale, HloInstruction* mean,
                                   HloInstruction* variance,
                                   HloInstruction* grad_output, float epsilon,
                                   int64_t feature_index);

  // Linear algebra.
  static Owned CreateDot(const Shape& shape, HloInstruction* lhs,
                         HloInstruction* rhs,
                         const DotDimensionNumbers& dimension_numbers,
                         const PrecisionConfig& precision_config);
  static Owned CreateRaggedDot(
      const Shape& shape, HloInstruction* lhs, HloInstruction* rhs,
      HloInstruction* group_sizes,
      const RaggedDotDimensionNumbers& dimension_numbers,
      const PrecisionConfig& precision_config);
  static Owned CreateScaledDot(const Shape& shape, HloInstruction* lhs,
                               HloInstruction* rhs, HloInstruction* lhs_scale,
                               HloInstruction* rhs_scale,
                               const DotDimensionNumbers& dimension_numbers,
                               const PrecisionConfig& precision_config);
  static Owned CreateConvolve(
      const Shape& shape, HloInstruction* lhs, HloInstruction* rhs,
      int64_t feature_group_count, int64_t batch_group_count,
      const Window& window,
      const ConvolutionDimensionNumbers& dimension_numbers,
      const PrecisionConfig& precision_config);
  static Owned CreateFft(const Shape& shape, HloInstruction* operand,
                         FftType fft_type, Dims fft_length);
  static Owned CreateTriangularSolve(const Shape& shape, HloInstruction* a,
                                     HloInstruction* b,
                                     const TriangularSolveOptions& options);
  static Owned CreateCholesky(const Shape& shape, HloInstruction* a,
                              const CholeskyOptions& options);

  // Tuples, tokens and order.
  static Owned CreateTuple(Operands elements);
  static Owned CreateGetTupleElement(const Shape& shape,
                                     HloInstruction* operand, int64_t index);
  static Owned CreateGetTupleElement(HloInstruction* operand, int64_t index);
  static Owned CreateToken();
  static Owned CreateAfterAll(Operands operands);
  static Owned CreateAddDependency(HloInstruction* data_operand,
                                   HloInstruction* token_operand);
  static Owned CreateOptimizationBarrier(HloInstruction* operand);
  static Owned CreateCopyStart(
      const Shape& shape, HloInstruction* operand,
      std::optional<int> cross_program_prefetch_index = std::nullopt);

  // Control flow and calls.
  static Owned CreateWhile(const Shape& shape, HloComputation* condition,
                           HloComputation* body, HloInstruction* init);
  static Owned CreateConditional(const Shape& shape, HloInstruction* pred,
                                 HloInstruction* true_computation_arg,
                                 HloComputation* true_computation,
                                 HloInstruction* false_computation_arg,
                                 HloComputation* false_computation);
  static Owned CreateConditional(
      const Shape& shape, HloInstruction* branch_index,
      absl::Span<HloComputation* const> branch_computations,
      Operands branch_computation_args);
  static Owned CreateCall(const Shape& shape, Operands operands,
                          HloComputation* computation);
  // As CreateFusion of an instruction.
  static Owned CreateCall(const Shape& shape,
                          HloInstruction* called_computation_root);
  // Calls of what an op that is not HLO's does; the three attributes are kept
  // as frontend attributes.
  static Owned CreateCompositeCall(const Shape& shape, Operands operands,
                                   HloComputation* decomposition,
                                   const std::string& name,
                                   const std::string& attributes,
                                   int64_t version);
  static Owned CreateCompositeCall(const Shape& shape,
                                   HloInstruction* decomposition_root,
                                   const std::string& name,
                                   const std::string& attributes,
                                   int64_t version);
  // Makes a fusion of a new computation with copies of `fused_root`, which
  // stays where it is, and parameters for its operands; or of a computation.
  static Owned CreateFusion(const Shape& shape, FusionKind fusion_kind,
                            HloInstruction* fused_root,
                            absl::string_view prefix = "");
  static Owned CreateFusion(const Shape& shape, FusionKind fusion_kind,
                            Operands operands,
                            HloComputation* fusion_computation,
                            absl::string_view prefix = "");
  static Owned CreateCustomCall(
      const Shape& shape, Operands operands,
      absl::string_view custom_call_target, std::string opaque = "",
      CustomCallApiVersion api_version = API_VERSION_ORIGINAL);
  static Owned CreateCustomCall(
      const Shape& shape, Operands operands, HloComputation* to_apply,
      absl::string_view custom_call_target, std::string opaque = "",
      CustomCallApiVersion api_version = API_VERSION_ORIGINAL);
  static Owned CreateCustomCall(
      const Shape& shape, Operands operands,
      absl::Span<HloComputation* const> called_computations,
      absl::string_view custom_call_target, std::string opaque = "",
      CustomCallApiVersion api_version = API_VERSION_ORIGINAL);
  static Owned CreateCustomCall(
      const Shape& shape, Operands operands,
      absl::string_view custom_call_target,
      absl::Span<const Shape> operand_shapes_with_layout,
      std::string opaque = "",
      CustomCallApiVersion api_version = API_VERSION_ORIGINAL);
};

}  // namespace xla

#endif  // XLA_HLO_IR_INSTRUCTION_INSTRUCTION_FACTORY_H_
