// The classes of instructions, one for each op or family that has one in XLA.
// They add no state; most functions are HloInstruction's, so that code that
// knows the opcode needs no cast.
#ifndef XLA_HLO_IR_HLO_INSTRUCTIONS_H_
#define XLA_HLO_IR_HLO_INSTRUCTIONS_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "absl/status/status.h"
#include "absl/types/span.h"
#include "xla/core/literal/literal.h"
#include "xla/core/shape.h"
#include "xla/hlo/attrs/attrs.h"
#include "xla/hlo/attrs/field_types.h"
#include "xla/hlo/ir/classes/device_instructions.h"  // IWYU pragma: export
#include "xla/hlo/ir/hlo_instruction.h"
#include "xla/hlo/ir/classes/instruction_families.h"  // IWYU pragma: export
#include "xla/hlo/ops/hlo_opcode.h"
#include "xla/proto/xla_data.pb.h"

namespace xla {

class Printer;

// Returns an instruction, without operands, of the class that `opcode` has.
std::unique_ptr<HloInstruction> NewInstructionOfClass(HloOpcode opcode,
                                                      Shape shape, Attrs attrs);

using HloBatchNormTrainingInstruction =
    OpClass<HloBatchNormInstruction, HloOpcode::kBatchNormTraining>;
using HloBatchNormInferenceInstruction =
    OpClass<HloBatchNormInstruction, HloOpcode::kBatchNormInference>;
using HloBatchNormGradInstruction =
    OpClass<HloBatchNormInstruction, HloOpcode::kBatchNormGrad>;
using HloBroadcastInstruction =
    OpClass<HloDimensionsInstruction, HloOpcode::kBroadcast>;
using HloConcatenateInstruction =
    OpClass<HloDimensionsInstruction, HloOpcode::kConcatenate>;
using HloIotaInstruction = OpClass<HloDimensionsInstruction, HloOpcode::kIota>;
class HloReduceInstruction
    : public OpClass<HloDimensionsInstruction, HloOpcode::kReduce> {
 public:
  using OpClass::OpClass;
  int64_t input_count() const { return operand_count() / 2; }
  absl::Span<HloInstruction* const> inputs() const {
    return absl::MakeConstSpan(operands()).first(input_count());
  }
  absl::Span<HloInstruction* const> init_values() const {
    return absl::MakeConstSpan(operands()).last(input_count());
  }
};
using HloReverseInstruction =
    OpClass<HloDimensionsInstruction, HloOpcode::kReverse>;
class HloSortInstruction
    : public OpClass<HloDimensionsInstruction, HloOpcode::kSort> {
 public:
  using OpClass::OpClass;
  HloInstruction* mutable_keys() { return mutable_operand(0); }
  const HloInstruction* keys() const { return operand(0); }
  int64_t values_count() const { return operand_count() - 1; }
};
using HloTransposeInstruction =
    OpClass<HloDimensionsInstruction, HloOpcode::kTranspose>;
class HloFusionInstruction
    : public OpClass<HloCallableInstruction, HloOpcode::kFusion> {
 public:
  using OpClass::OpClass;
  // Makes operand i, and the parameter for it, number permutation[i]. Errors:
  // InvalidArgument for numbers that are no permutation, FailedPrecondition if
  // others call the computation.
  absl::Status PermuteFusionOperands(absl::Span<const int64_t> permutation);
};
using HloCallInstruction = OpClass<HloCallableInstruction, HloOpcode::kCall>;
class HloCustomCallInstruction
    : public OpClass<HloCallableInstruction, HloOpcode::kCustomCall> {
 public:
  using OpClass::OpClass;
  // A value for the target, which there is (CHECK).
  const Literal& literal() const;
  bool HasLiteral() const;
  void set_literal(Literal&& literal);
  // Of a call whose layouts are constrained (CHECK).
  void set_operand_shapes_with_layout(std::vector<Shape> shapes);
};
using HloDynamicSliceInstruction =
    OpClass<HloDynamicIndexInstruction, HloOpcode::kDynamicSlice>;
class HloDynamicUpdateSliceInstruction
    : public OpClass<HloDynamicIndexInstruction,
                     HloOpcode::kDynamicUpdateSlice> {
 public:
  using OpClass::OpClass;
  const HloInstruction* update() const { return operand(1); }
};
class HloGatherInstruction
    : public OpClass<HloInstruction, HloOpcode::kGather> {
 public:
  using OpClass::OpClass;
  static GatherDimensionNumbers MakeGatherDimNumbers(
      absl::Span<const int64_t> offset_dims,
      absl::Span<const int64_t> collapsed_slice_dims,
      absl::Span<const int64_t> start_index_map, int64_t index_vector_dim,
      absl::Span<const int64_t> operand_batching_dims = {},
      absl::Span<const int64_t> start_indices_batching_dims = {});
  static std::string GatherDimensionNumbersToString(
      const GatherDimensionNumbers& dim_numbers);
  static void PrintGatherDimensionNumbers(
      Printer* printer, const GatherDimensionNumbers& dim_numbers);
};
class HloScatterInstruction
    : public OpClass<HloInstruction, HloOpcode::kScatter> {
 public:
  using OpClass::OpClass;
  static ScatterDimensionNumbers MakeScatterDimNumbers(
      absl::Span<const int64_t> update_window_dims,
      absl::Span<const int64_t> inserted_window_dims,
      absl::Span<const int64_t> scatter_dims_to_operand_dims,
      int64_t index_vector_dim,
      absl::Span<const int64_t> input_batching_dims = {},
      absl::Span<const int64_t> scatter_indices_batching_dims = {});
  static std::string ScatterDimensionNumbersToString(
      const ScatterDimensionNumbers& dim_numbers);
  static void PrintScatterDimensionNumbers(
      Printer* printer, const ScatterDimensionNumbers& dim_numbers);
  int64_t scatter_operand_count() const { return operand_count() / 2; }
  absl::Span<HloInstruction* const> scatter_operands() const {
    return absl::MakeConstSpan(operands()).first(scatter_operand_count());
  }
  HloInstruction* scatter_indices() const {
    return operands()[scatter_operand_count()];
  }
  absl::Span<HloInstruction* const> scatter_updates() const {
    return absl::MakeConstSpan(operands()).last(scatter_operand_count());
  }
};
using HloCholeskyInstruction = OpClass<HloInstruction, HloOpcode::kCholesky>;
class HloCompareInstruction
    : public OpClass<HloInstruction, HloOpcode::kCompare> {
 public:
  using OpClass::OpClass;
  ComparisonDirection direction() const { return comparison_direction(); }
  ComparisonOrder order() const { return comparison_order(); }
  Comparison::Type type() const { return comparison_type(); }
};
class HloConstantInstruction
    : public OpClass<HloInstruction, HloOpcode::kConstant> {
 public:
  using OpClass::OpClass;
  explicit HloConstantInstruction(Literal literal);
  HloConstantInstruction(Literal literal, const Shape& shape);
  HloConstantInstruction(std::shared_ptr<Literal> literal, const Shape& shape);
  // One whose value is not known.
  explicit HloConstantInstruction(const Shape& shape);
  // The value, which there is (CHECK), for this instruction alone.
  Literal* mutable_literal();
};
using HloConvolutionInstruction =
    OpClass<HloInstruction, HloOpcode::kConvolution>;
using HloCopyStartInstruction = OpClass<HloInstruction, HloOpcode::kCopyStart>;
using HloDomainInstruction = OpClass<HloInstruction, HloOpcode::kDomain>;
using HloDotInstruction = OpClass<HloInstruction, HloOpcode::kDot>;
class HloDynamicReshapeInstruction
    : public OpClass<HloInstruction, HloOpcode::kDynamicReshape> {
 public:
  using OpClass::OpClass;
  absl::Span<HloInstruction* const> dim_sizes() const {
    return absl::MakeConstSpan(operands()).subspan(1);
  }
  HloInstruction* dim_sizes(int64_t i) const { return dim_sizes()[i]; }
};
using HloFftInstruction = OpClass<HloInstruction, HloOpcode::kFft>;
using HloGetDimensionSizeInstruction =
    OpClass<HloInstruction, HloOpcode::kGetDimensionSize>;
using HloGetTupleElementInstruction =
    OpClass<HloInstruction, HloOpcode::kGetTupleElement>;
class HloInfeedInstruction
    : public OpClass<HloInstruction, HloOpcode::kInfeed> {
 public:
  using OpClass::OpClass;
  // The shape of the data, without the token.
  const Shape& infeed_shape() const { return shape().tuple_shapes(0); }
};
using HloMapInstruction = OpClass<HloInstruction, HloOpcode::kMap>;
using HloOutfeedInstruction = OpClass<HloInstruction, HloOpcode::kOutfeed>;
class HloPadInstruction : public OpClass<HloInstruction, HloOpcode::kPad> {
 public:
  using OpClass::OpClass;
  const HloInstruction* padded_operand() const { return operand(0); }
  HloInstruction* mutable_padded_operand() { return mutable_operand(0); }
  const HloInstruction* padding_value() const { return operand(1); }
  HloInstruction* mutable_padding_value() { return mutable_operand(1); }
};
using HloParameterInstruction = OpClass<HloInstruction, HloOpcode::kParameter>;
using HloRaggedDotInstruction = OpClass<HloInstruction, HloOpcode::kRaggedDot>;
using HloReducePrecisionInstruction =
    OpClass<HloInstruction, HloOpcode::kReducePrecision>;
class HloReduceWindowInstruction
    : public OpClass<HloInstruction, HloOpcode::kReduceWindow> {
 public:
  using OpClass::OpClass;
  int64_t input_count() const { return operand_count() / 2; }
  absl::Span<HloInstruction* const> inputs() const {
    return absl::MakeConstSpan(operands()).first(input_count());
  }
  absl::Span<HloInstruction* const> init_values() const {
    return absl::MakeConstSpan(operands()).last(input_count());
  }
  // The shapes live as long as the instructions have them.
  absl::InlinedVector<const Shape*, 2> input_shapes() const;
  absl::InlinedVector<const Shape*, 2> init_value_shapes() const;
  absl::InlinedVector<const Shape*, 2> output_shapes() const;
  // The dimensions whose window is not one element in its own place.
  std::vector<int64_t> non_trivial_window_dimensions() const;
};
using HloReshapeInstruction = OpClass<HloInstruction, HloOpcode::kReshape>;
using HloRngInstruction = OpClass<HloInstruction, HloOpcode::kRng>;
using HloRngBitGeneratorInstruction =
    OpClass<HloInstruction, HloOpcode::kRngBitGenerator>;
using HloRngGetAndUpdateStateInstruction =
    OpClass<HloInstruction, HloOpcode::kRngGetAndUpdateState>;
using HloScaledDotInstruction = OpClass<HloInstruction, HloOpcode::kScaledDot>;
class HloScanInstruction : public OpClass<HloInstruction, HloOpcode::kScan> {
 public:
  using OpClass::OpClass;
  int64_t scan_dimension() const { return dimensions(0); }
  bool is_reverse() const;
  TriState is_associative() const;
  // How many of the last operands, and results, each step hands to the next.
  int64_t num_carries() const;
  absl::Span<HloInstruction* const> inputs() const {
    return absl::MakeConstSpan(operands())
        .first(operand_count() - num_carries());
  }
  absl::Span<HloInstruction* const> inits() const {
    return absl::MakeConstSpan(operands()).last(num_carries());
  }
};
using HloSelectAndScatterInstruction =
    OpClass<HloInstruction, HloOpcode::kSelectAndScatter>;
using HloSetDimensionSizeInstruction =
    OpClass<HloInstruction, HloOpcode::kSetDimensionSize>;
using HloSliceInstruction = OpClass<HloInstruction, HloOpcode::kSlice>;
using HloTopKInstruction = OpClass<HloInstruction, HloOpcode::kTopK>;
using HloTriangularSolveInstruction =
    OpClass<HloInstruction, HloOpcode::kTriangularSolve>;

}  // namespace xla

#endif  // XLA_HLO_IR_HLO_INSTRUCTIONS_H_
