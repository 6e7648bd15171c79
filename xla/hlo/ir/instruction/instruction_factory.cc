// Makes each op's attributes and hands over to HloInstruction::Create.
#include "xla/hlo/ir/instruction/instruction_factory.h"

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "xla/base/logging.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/ir/hlo_computation.h"
#include "xla/hlo/ir/hlo_instruction.h"
#include "xla/hlo/ir/hlo_module.h"
#include "xla/hlo/ir/instruction/composite_call.h"
#include "xla/hlo/ops/control_flow.h"
#include "xla/hlo/ops/device/transfers.h"
#include "xla/hlo/ops/elementwise/elementwise_binary.h"
#include "xla/hlo/ops/elementwise/elementwise_other.h"
#include "xla/hlo/ops/elementwise/elementwise_unary.h"
#include "xla/hlo/ops/linear/contraction.h"
#include "xla/hlo/ops/linear/convolution.h"
#include "xla/hlo/ops/linear/linear_algebra.h"
#include "xla/hlo/ops/movement/gather_scatter.h"
#include "xla/hlo/ops/movement/reshape.h"
#include "xla/hlo/ops/movement/slicing.h"
#include "xla/hlo/ops/movement/sorting.h"
#include "xla/hlo/ops/random.h"
#include "xla/hlo/ops/reduction/batch_norm.h"
#include "xla/hlo/ops/reduction/reduction.h"
#include "xla/hlo/ops/values.h"

namespace xla {
namespace {

using Owned = InstructionFactory::Owned;
using Operands = InstructionFactory::Operands;
using Dims = InstructionFactory::Dims;

Owned Make(HloOpcode opcode, const Shape& shape, Operands operands,
           Attrs attrs = {},
           absl::Span<HloComputation* const> computations = {}) {
  return HloInstruction::Create(opcode, shape, operands, std::move(attrs),
                                computations);
}

std::vector<int64_t> ToVector(Dims dims) { return {dims.begin(), dims.end()}; }

std::vector<HloInstruction*> Joined(Operands a, Operands b) {
  std::vector<HloInstruction*> all(a.begin(), a.end());
  all.insert(all.end(), b.begin(), b.end());
  return all;
}

CustomCallAttrs CustomCallOf(absl::string_view target,
                             CustomCallApiVersion api_version) {
  CustomCallAttrs attrs;
  attrs.custom_call_target = std::string(target);
  attrs.api_version = api_version;
  return attrs;
}

// `opaque` is the backend config, as in protos.
Owned WithOpaque(Owned call, std::string opaque) {
  if (!opaque.empty()) call->set_raw_backend_config_string(std::move(opaque));
  return call;
}

}  // namespace

Owned InstructionFactory::CreateParameter(int64_t parameter_number,
                                          const Shape& shape,
                                          absl::string_view name) {
  Owned parameter =
      Make(HloOpcode::kParameter, shape, {}, ParameterAttrs{parameter_number});
  parameter->SetName(name);
  return parameter;
}

Owned InstructionFactory::CreateConstant(Literal literal) {
  const Shape shape = literal.shape();
  return Make(HloOpcode::kConstant, shape, {},
              ConstantAttrs{SharedLiteral(std::move(literal))});
}

Owned InstructionFactory::CreateIota(const Shape& shape,
                                     int64_t iota_dimension) {
  return Make(HloOpcode::kIota, shape, {}, IotaAttrs{iota_dimension});
}

Owned InstructionFactory::CreateRng(const Shape& shape,
                                    RandomDistribution distribution,
                                    Operands parameters) {
  return Make(HloOpcode::kRng, shape, parameters, RngAttrs{distribution});
}

Owned InstructionFactory::CreateRngBitGenerator(const Shape& shape,
                                                HloInstruction* state,
                                                RandomAlgorithm algorithm) {
  return Make(HloOpcode::kRngBitGenerator, shape, {state},
              RngBitGeneratorAttrs{algorithm});
}

Owned InstructionFactory::CreateRngGetAndUpdateState(const Shape& shape,
                                                     int64_t delta) {
  return Make(HloOpcode::kRngGetAndUpdateState, shape, {},
              RngGetAndUpdateStateAttrs{delta});
}

Owned InstructionFactory::CreateReplicaId(const Shape& shape) {
  return Make(HloOpcode::kReplicaId, shape, {});
}

Owned InstructionFactory::CreatePartitionId(const Shape& shape) {
  return Make(HloOpcode::kPartitionId, shape, {});
}

Owned InstructionFactory::CreateNary(const Shape& shape, HloOpcode opcode,
                                     Operands operands) {
  return Make(opcode, shape, operands);
}

Owned InstructionFactory::CreateUnary(
    const Shape& shape, HloOpcode opcode, HloInstruction* operand,
    std::optional<ResultAccuracy> result_accuracy) {
  Attrs attrs;
  if (result_accuracy.has_value()) attrs = AccuracyAttrs{*result_accuracy};
  return Make(opcode, shape, {operand}, std::move(attrs));
}

Owned InstructionFactory::CreateBinary(const Shape& shape, HloOpcode opcode,
                                       HloInstruction* lhs,
                                       HloInstruction* rhs) {
  return Make(opcode, shape, {lhs, rhs});
}

Owned InstructionFactory::CreateTernary(const Shape& shape, HloOpcode opcode,
                                        HloInstruction* lhs,
                                        HloInstruction* rhs,
                                        HloInstruction* ehs) {
  return Make(opcode, shape, {lhs, rhs, ehs});
}

Owned InstructionFactory::CreateVariadic(const Shape& shape, HloOpcode opcode,
                                         Operands operands) {
  return Make(opcode, shape, operands);
}

Owned InstructionFactory::CreateCompare(const Shape& shape, HloInstruction* lhs,
                                        HloInstruction* rhs,
                                        Comparison::Direction direction,
                                        std::optional<Comparison::Type> type) {
  if (type == DefaultComparisonType(lhs->shape().element_type())) type.reset();
  return Make(HloOpcode::kCompare, shape, {lhs, rhs},
              CompareAttrs{direction, type});
}

Owned InstructionFactory::CreateMap(const Shape& shape, Operands operands,
                                    HloComputation* map_computation) {
  Attrs attrs;
  if (GetOpDef(HloOpcode::kMap).attrs == AttrsOf<MapAttrs>()) {
    MapAttrs map;
    for (int64_t i = 0; i < shape.rank(); ++i) map.dimensions.push_back(i);
    attrs = std::move(map);
  }
  return Make(HloOpcode::kMap, shape, operands, std::move(attrs),
              {map_computation});
}

Owned InstructionFactory::CreateConvert(const Shape& shape,
                                        HloInstruction* operand) {
  return Make(HloOpcode::kConvert, shape, {operand});
}

Owned InstructionFactory::CreateBitcastConvert(const Shape& shape,
                                               HloInstruction* operand) {
  return Make(HloOpcode::kBitcastConvert, shape, {operand});
}

Owned InstructionFactory::CreateStochasticConvert(const Shape& shape,
                                                  HloInstruction* operand,
                                                  HloInstruction* random) {
  return Make(HloOpcode::kStochasticConvert, shape, {operand, random});
}

Owned InstructionFactory::CreateReducePrecision(const Shape& shape,
                                                HloInstruction* operand,
                                                int exponent_bits,
                                                int mantissa_bits) {
  return Make(HloOpcode::kReducePrecision, shape, {operand},
              ReducePrecisionAttrs{exponent_bits, mantissa_bits});
}

Owned InstructionFactory::CreateBitcast(const Shape& shape,
                                        HloInstruction* operand) {
  return Make(HloOpcode::kBitcast, shape, {operand});
}

Owned InstructionFactory::CreateBroadcast(const Shape& shape,
                                          HloInstruction* operand,
                                          Dims broadcast_dimensions) {
  return Make(HloOpcode::kBroadcast, shape, {operand},
              BroadcastAttrs{ToVector(broadcast_dimensions)});
}
Owned InstructionFactory::CreateBroadcastSequence(
    const Shape& output_shape, HloInstruction* operand,
    absl::FunctionRef<HloInstruction*(Owned)> adder) {
  const Shape& shape = operand->shape();
  const auto annotate = [&](HloInstruction* derived) {
    derived->set_metadata(operand->metadata());
    derived->copy_sharding(operand);
    derived->set_frontend_attributes(operand->frontend_attributes());
    derived->set_statistics_viz(operand->statistics_viz());
    return derived;
  };
  std::vector<int64_t> kept;
  if (!ShapeUtil::IsScalar(shape)) {
    CHECK_EQ(shape.rank(), output_shape.rank()) << operand->name();
    std::vector<int64_t> sizes;
    for (int64_t i = 0; i < shape.rank(); ++i) {
      if (shape.dimensions(i) == output_shape.dimensions(i)) {
        kept.push_back(i);
        sizes.push_back(shape.dimensions(i));
      } else {
        CHECK_EQ(shape.dimensions(i), 1)
            << operand->name() << " does not broadcast to "
            << ShapeUtil::HumanString(output_shape);
      }
    }
    operand = annotate(adder(CreateReshape(
        ShapeUtil::MakeShape(shape.element_type(), sizes), operand)));
  }
  Owned broadcast = CreateBroadcast(
      ShapeUtil::ChangeElementType(output_shape, shape.element_type()), operand,
      kept);
  annotate(broadcast.get());
  return broadcast;
}

Owned InstructionFactory::CreateReshape(const Shape& shape,
                                        HloInstruction* operand,
                                        int64_t inferred_dimension) {
  ReshapeAttrs attrs;
  if (inferred_dimension != -1) attrs.inferred_dimension = inferred_dimension;
  return Make(HloOpcode::kReshape, shape, {operand}, attrs);
}

Owned InstructionFactory::CreateDynamicReshape(const Shape& shape,
                                               HloInstruction* data_operand,
                                               Operands dim_sizes) {
  return Make(HloOpcode::kDynamicReshape, shape,
              Joined({data_operand}, dim_sizes));
}

Owned InstructionFactory::CreateTranspose(const Shape& shape,
                                          HloInstruction* operand,
                                          Dims dimensions) {
  return Make(HloOpcode::kTranspose, shape, {operand},
              TransposeAttrs{ToVector(dimensions)});
}

Owned InstructionFactory::CreateReverse(const Shape& shape,
                                        HloInstruction* operand,
                                        Dims dimensions) {
  return Make(HloOpcode::kReverse, shape, {operand},
              ReverseAttrs{ToVector(dimensions)});
}

Owned InstructionFactory::CreateSlice(const Shape& shape,
                                      HloInstruction* operand,
                                      Dims start_indices, Dims limit_indices,
                                      Dims strides) {
  CHECK(start_indices.size() == limit_indices.size() &&
        start_indices.size() == strides.size());
  SliceAttrs attrs;
  for (size_t i = 0; i < strides.size(); ++i) {
    attrs.slice.push_back({start_indices[i], limit_indices[i], strides[i]});
  }
  return Make(HloOpcode::kSlice, shape, {operand}, std::move(attrs));
}

Owned InstructionFactory::CreateDynamicSlice(const Shape& shape,
                                             HloInstruction* operand,
                                             Operands start_indices,
                                             Dims slice_sizes) {
  return Make(HloOpcode::kDynamicSlice, shape, Joined({operand}, start_indices),
              DynamicSliceAttrs{ToVector(slice_sizes)});
}

Owned InstructionFactory::CreateDynamicUpdateSlice(const Shape& shape,
                                                   HloInstruction* operand,
                                                   HloInstruction* update,
                                                   Operands start_indices) {
  return Make(HloOpcode::kDynamicUpdateSlice, shape,
              Joined({operand, update}, start_indices));
}

Owned InstructionFactory::CreateConcatenate(const Shape& shape,
                                            Operands operands,
                                            int64_t dimension) {
  return Make(HloOpcode::kConcatenate, shape, operands,
              ConcatenateAttrs{{dimension}});
}

Owned InstructionFactory::CreatePad(const Shape& shape, HloInstruction* operand,
                                    HloInstruction* padding_value,
                                    const PaddingConfig& padding_config) {
  return Make(HloOpcode::kPad, shape, {operand, padding_value},
              PadAttrs{padding_config});
}

Owned InstructionFactory::CreateGather(
    const Shape& shape, HloInstruction* operand, HloInstruction* start_indices,
    const GatherDimensionNumbers& gather_dim_numbers, Dims slice_sizes,
    bool indices_are_sorted) {
  return Make(HloOpcode::kGather, shape, {operand, start_indices},
              GatherAttrs{gather_dim_numbers, ToVector(slice_sizes),
                          indices_are_sorted});
}

Owned InstructionFactory::CreateScatter(
    const Shape& shape, HloInstruction* operand,
    HloInstruction* scatter_indices, HloInstruction* updates,
    HloComputation* update_computation,
    const ScatterDimensionNumbers& scatter_dim_numbers, bool indices_are_sorted,
    bool unique_indices) {
  return CreateScatter(shape, Operands({operand}), scatter_indices,
                       Operands({updates}), update_computation,
                       scatter_dim_numbers, indices_are_sorted, unique_indices);
}

Owned InstructionFactory::CreateScatter(
    const Shape& shape, Operands operands, HloInstruction* scatter_indices,
    Operands updates, HloComputation* update_computation,
    const ScatterDimensionNumbers& scatter_dim_numbers, bool indices_are_sorted,
    bool unique_indices) {
  return Make(
      HloOpcode::kScatter, shape,
      Joined(Joined(operands, {scatter_indices}), updates),
      ScatterAttrs{scatter_dim_numbers, indices_are_sorted, unique_indices},
      {update_computation});
}

Owned InstructionFactory::CreateSort(const Shape& shape, int64_t dimension,
                                     Operands operands, HloComputation* compare,
                                     bool is_stable) {
  return Make(HloOpcode::kSort, shape, operands,
              SortAttrs{{dimension}, is_stable}, {compare});
}

Owned InstructionFactory::CreateTopK(const Shape& shape, HloInstruction* input,
                                     int64_t k, bool largest) {
  TopKAttrs attrs;
  attrs.k = k;
  attrs.largest = largest;
  return Make(HloOpcode::kTopK, shape, {input}, attrs);
}

Owned InstructionFactory::CreateGetDimensionSize(const Shape& shape,
                                                 HloInstruction* operand,
                                                 int64_t dimension) {
  return Make(HloOpcode::kGetDimensionSize, shape, {operand},
              DimensionSizeAttrs{{dimension}});
}

Owned InstructionFactory::CreateSetDimensionSize(const Shape& shape,
                                                 HloInstruction* operand,
                                                 HloInstruction* val,
                                                 int64_t dimension) {
  return Make(HloOpcode::kSetDimensionSize, shape, {operand, val},
              DimensionSizeAttrs{{dimension}});
}

Owned InstructionFactory::CreateReduce(const Shape& shape,
                                       HloInstruction* operand,
                                       HloInstruction* init_value,
                                       Dims dimensions_to_reduce,
                                       HloComputation* reduce_computation) {
  return CreateReduce(shape, Operands({operand}), Operands({init_value}),
                      dimensions_to_reduce, reduce_computation);
}

Owned InstructionFactory::CreateReduce(const Shape& shape, Operands operands,
                                       Operands init_values,
                                       Dims dimensions_to_reduce,
                                       HloComputation* reduce_computation) {
  return Make(HloOpcode::kReduce, shape, Joined(operands, init_values),
              ReduceAttrs{ToVector(dimensions_to_reduce)},
              {reduce_computation});
}

Owned InstructionFactory::CreateReduceWindow(
    const Shape& shape, HloInstruction* operand, HloInstruction* init_value,
    const Window& window, HloComputation* reduce_computation) {
  return CreateReduceWindow(shape, Operands({operand}), Operands({init_value}),
                            window, reduce_computation);
}

Owned InstructionFactory::CreateReduceWindow(
    const Shape& shape, Operands operands, Operands init_values,
    const Window& window, HloComputation* reduce_computation) {
  return Make(HloOpcode::kReduceWindow, shape, Joined(operands, init_values),
              ReduceWindowAttrs{window}, {reduce_computation});
}

Owned InstructionFactory::CreateSelectAndScatter(
    const Shape& shape, HloInstruction* operand, HloComputation* select,
    const Window& window, HloInstruction* source, HloInstruction* init_value,
    HloComputation* scatter) {
  return Make(HloOpcode::kSelectAndScatter, shape,
              {operand, source, init_value}, SelectAndScatterAttrs{window},
              {select, scatter});
}

Owned InstructionFactory::CreateScan(const Shape& shape, Operands inputs,
                                     Operands inits, HloComputation* to_apply,
                                     int64_t scan_dimension, bool is_reverse,
                                     TriState is_associative) {
  ScanAttrs attrs;
  attrs.dimensions = {scan_dimension};
  attrs.num_carries = inits.size();
  attrs.is_reverse = is_reverse;
  attrs.is_associative = is_associative;
  return Make(HloOpcode::kScan, shape, Joined(inputs, inits), std::move(attrs),
              {to_apply});
}
Owned InstructionFactory::CreateBatchNormTraining(
    const Shape& shape, HloInstruction* operand, HloInstruction* scale,
    HloInstruction* offset, float epsilon, int64_t feature_index) {
  return Make(HloOpcode::kBatchNormTraining, shape, {operand, scale, offset},
              BatchNormAttrs{epsilon, feature_index});
}

Owned InstructionFactory::CreateBatchNormInference(
    const Shape& shape, HloInstruction* operand, HloInstruction* scale,
    HloInstruction* offset, HloInstruction* mean, HloInstruction* variance,
    float epsilon, int64_t feature_index) {
  return Make(HloOpcode::kBatchNormInference, shape,
              {operand, scale, offset, mean, variance},
              BatchNormAttrs{epsilon, feature_index});
}

Owned InstructionFactory::CreateBatchNormGrad(
    const Shape& shape, HloInstruction* operand, HloInstruction* scale,
    HloInstruction* mean, HloInstruction* variance, HloInstruction* grad_output,
    float epsilon, int64_t feature_index) {
  return Make(HloOpcode::kBatchNormGrad, shape,
              {operand, scale, mean, variance, grad_output},
              BatchNormAttrs{epsilon, feature_index});
}

Owned InstructionFactory::CreateDot(
    const Shape& shape, HloInstruction* lhs, HloInstruction* rhs,
    const DotDimensionNumbers& dimension_numbers,
    const PrecisionConfig& precision_config) {
  return Make(HloOpcode::kDot, shape, {lhs, rhs},
              DotAttrs{dimension_numbers, precision_config});
}

Owned InstructionFactory::CreateRaggedDot(
    const Shape& shape, HloInstruction* lhs, HloInstruction* rhs,
    HloInstruction* group_sizes,
    const RaggedDotDimensionNumbers& dimension_numbers,
    const PrecisionConfig& precision_config) {
  return Make(HloOpcode::kRaggedDot, shape, {lhs, rhs, group_sizes},
              RaggedDotAttrs{dimension_numbers, precision_config});
}

Owned InstructionFactory::CreateScaledDot(
    const Shape& shape, HloInstruction* lhs, HloInstruction* rhs,
    HloInstruction* lhs_scale, HloInstruction* rhs_scale,
    const DotDimensionNumbers& dimension_numbers,
    const PrecisionConfig& precision_config) {
  return Make(HloOpcode::kScaledDot, shape, {lhs, rhs, lhs_scale, rhs_scale},
              ScaledDotAttrs{dimension_numbers, precision_config});
}

Owned InstructionFactory::CreateConvolve(
    const Shape& shape, HloInstruction* lhs, HloInstruction* rhs,
    int64_t feature_group_count, int64_t batch_group_count,
    const Window& window, const ConvolutionDimensionNumbers& dimension_numbers,
    const PrecisionConfig& precision_config) {
  ConvolutionAttrs attrs;
  attrs.window = window;
  attrs.convolution_dimension_numbers = dimension_numbers;
  attrs.feature_group_count = feature_group_count;
  attrs.batch_group_count = batch_group_count;
  attrs.precision_config = precision_config;
  return Make(HloOpcode::kConvolution, shape, {lhs, rhs}, std::move(attrs));
}

Owned InstructionFactory::CreateFft(const Shape& shape, HloInstruction* operand,
                                    FftType fft_type, Dims fft_length) {
  return Make(HloOpcode::kFft, shape, {operand},
              FftAttrs{fft_type, ToVector(fft_length)});
}

Owned InstructionFactory::CreateTriangularSolve(
    const Shape& shape, HloInstruction* a, HloInstruction* b,
    const TriangularSolveOptions& options) {
  return Make(HloOpcode::kTriangularSolve, shape, {a, b},
              TriangularSolveAttrs{options});
}

Owned InstructionFactory::CreateCholesky(const Shape& shape, HloInstruction* a,
                                         const CholeskyOptions& options) {
  return Make(HloOpcode::kCholesky, shape, {a}, CholeskyAttrs{options});
}

Owned InstructionFactory::CreateTuple(Operands elements) {
  std::vector<const Shape*> shapes;
  shapes.reserve(elements.size());
  for (HloInstruction* element : elements) shapes.push_back(&element->shape());
  return Make(HloOpcode::kTuple, ShapeUtil::MakeTupleShapeWithPtrs(shapes),
              elements);
}

Owned InstructionFactory::CreateGetTupleElement(const Shape& shape,
                                                HloInstruction* operand,
                                                int64_t index) {
  return Make(HloOpcode::kGetTupleElement, shape, {operand},
              GetTupleElementAttrs{index});
}

Owned InstructionFactory::CreateGetTupleElement(HloInstruction* operand,
                                                int64_t index) {
  return CreateGetTupleElement(operand->shape().tuple_shapes(index), operand,
                               index);
}

Owned InstructionFactory::CreateToken() { return CreateAfterAll({}); }

Owned InstructionFactory::CreateAfterAll(Operands operands) {
  return Make(HloOpcode::kAfterAll, ShapeUtil::MakeTokenShape(), operands);
}

Owned InstructionFactory::CreateAddDependency(HloInstruction* data_operand,
                                              HloInstruction* token_operand) {
  return Make(HloOpcode::kAddDependency, data_operand->shape(),
              {data_operand, token_operand});
}

Owned InstructionFactory::CreateOptimizationBarrier(HloInstruction* operand) {
  return Make(HloOpcode::kOptimizationBarrier, operand->shape(), {operand});
}

Owned InstructionFactory::CreateCopyStart(
    const Shape& shape, HloInstruction* operand,
    std::optional<int> cross_program_prefetch_index) {
  CopyStartAttrs attrs;
  attrs.cross_program_prefetch_index = cross_program_prefetch_index;
  return Make(HloOpcode::kCopyStart, shape, {operand}, attrs);
}

Owned InstructionFactory::CreateWhile(const Shape& shape,
                                      HloComputation* condition,
                                      HloComputation* body,
                                      HloInstruction* init) {
  return Make(HloOpcode::kWhile, shape, {init}, {}, {condition, body});
}

Owned InstructionFactory::CreateConditional(
    const Shape& shape, HloInstruction* pred,
    HloInstruction* true_computation_arg, HloComputation* true_computation,
    HloInstruction* false_computation_arg, HloComputation* false_computation) {
  return Make(HloOpcode::kConditional, shape,
              {pred, true_computation_arg, false_computation_arg}, {},
              {true_computation, false_computation});
}

Owned InstructionFactory::CreateConditional(
    const Shape& shape, HloInstruction* branch_index,
    absl::Span<HloComputation* const> branch_computations,
    Operands branch_computation_args) {
  return Make(HloOpcode::kConditional, shape,
              Joined({branch_index}, branch_computation_args), {},
              branch_computations);
}

Owned InstructionFactory::CreateCall(const Shape& shape, Operands operands,
                                     HloComputation* computation) {
  return Make(HloOpcode::kCall, shape, operands, {}, {computation});
}

namespace {

// Adds a computation that is a copy of `root` to its module, with parameters
// for its operands, each once.
HloComputation* ComputationOf(const HloInstruction& root,
                              absl::string_view name) {
  HloModule* module = root.GetModule();
  CHECK(module != nullptr) << root.name() << " is in no module";
  auto computation = std::make_unique<HloComputation>(name);
  computation->SetExecutionThread(root.parent()->execution_thread());
  const HloInstruction::InstructionVector operands = root.unique_operands();
  std::vector<HloInstruction*> inner(root.operand_count());
  for (size_t i = 0; i < operands.size(); ++i) {
    HloInstruction* parameter =
        computation->AddInstruction(HloInstruction::CreateParameter(
            i, operands[i]->shape(), absl::StrCat("param_", i)));
    for (int64_t at : root.OperandIndices(operands[i])) inner[at] = parameter;
  }
  computation->set_root_instruction(computation->AddInstruction(
      root.CloneWithNewOperands(root.shape(), inner)));
  return module->AddEmbeddedComputation(std::move(computation));
}

}  // namespace

Owned InstructionFactory::CreateCall(const Shape& shape,
                                     HloInstruction* called_computation_root) {
  Owned call =
      CreateCall(shape, called_computation_root->unique_operands(),
                 ComputationOf(*called_computation_root, "called_computation"));
  called_computation_root->SetupDerivedInstruction(call.get());
  return call;
}
Owned InstructionFactory::CreateCompositeCall(
    const Shape& shape, Operands operands, HloComputation* decomposition,
    const std::string& name, const std::string& attributes, int64_t version) {
  Owned call = CreateCall(shape, operands, decomposition);
  call->set_is_composite(true);
  call->set_frontend_attribute(kCompositeName, name);
  call->set_frontend_attribute(kCompositeAttributes, attributes);
  call->set_frontend_attribute(kCompositeVersion, absl::StrCat(version));
  return call;
}
Owned InstructionFactory::CreateCompositeCall(
    const Shape& shape, HloInstruction* decomposition_root,
    const std::string& name, const std::string& attributes, int64_t version) {
  return CreateCompositeCall(
      shape, decomposition_root->unique_operands(),
      ComputationOf(*decomposition_root, "called_computation"), name,
      attributes, version);
}

Owned InstructionFactory::CreateFusion(const Shape& shape,
                                       FusionKind fusion_kind,
                                       HloInstruction* fused_root,
                                       absl::string_view prefix) {
  Owned fusion = CreateFusion(
      shape, fusion_kind, fused_root->unique_operands(),
      ComputationOf(*fused_root, absl::StrCat(prefix, "fused_computation")),
      prefix);
  fused_root->SetupDerivedInstruction(fusion.get());
  return fusion;
}
Owned InstructionFactory::CreateFusion(const Shape& shape,
                                       FusionKind fusion_kind,
                                       Operands operands,
                                       HloComputation* fusion_computation,
                                       absl::string_view prefix) {
  FusionAttrs attrs;
  attrs.kind = fusion_kind;
  fusion_computation->set_is_fusion_computation(true);
  Owned fusion = Make(HloOpcode::kFusion, shape, operands, std::move(attrs),
                      {fusion_computation});
  if (!prefix.empty()) fusion->SetName(absl::StrCat(prefix, "fusion"));
  return fusion;
}

Owned InstructionFactory::CreateCustomCall(const Shape& shape,
                                           Operands operands,
                                           absl::string_view custom_call_target,
                                           std::string opaque,
                                           CustomCallApiVersion api_version) {
  return CreateCustomCall(shape, operands, absl::Span<HloComputation* const>(),
                          custom_call_target, std::move(opaque), api_version);
}

Owned InstructionFactory::CreateCustomCall(const Shape& shape,
                                           Operands operands,
                                           HloComputation* to_apply,
                                           absl::string_view custom_call_target,
                                           std::string opaque,
                                           CustomCallApiVersion api_version) {
  return CreateCustomCall(shape, operands, absl::MakeConstSpan(&to_apply, 1),
                          custom_call_target, std::move(opaque), api_version);
}

Owned InstructionFactory::CreateCustomCall(
    const Shape& shape, Operands operands,
    absl::Span<HloComputation* const> called_computations,
    absl::string_view custom_call_target, std::string opaque,
    CustomCallApiVersion api_version) {
  return WithOpaque(
      Make(HloOpcode::kCustomCall, shape, operands,
           CustomCallOf(custom_call_target, api_version), called_computations),
      std::move(opaque));
}

Owned InstructionFactory::CreateCustomCall(
    const Shape& shape, Operands operands, absl::string_view custom_call_target,
    absl::Span<const Shape> operand_shapes_with_layout, std::string opaque,
    CustomCallApiVersion api_version) {
  CustomCallAttrs attrs = CustomCallOf(custom_call_target, api_version);
  attrs.operand_layout_constraints.emplace(operand_shapes_with_layout.begin(),
                                           operand_shapes_with_layout.end());
  return WithOpaque(
      Make(HloOpcode::kCustomCall, shape, operands, std::move(attrs)),
      std::move(opaque));
}

}  // namespace xla
