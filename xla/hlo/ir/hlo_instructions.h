// The classes of instructions, one for each op or family that has one in XLA.
// They add no state; most functions are HloInstruction's, so that code that
// knows the opcode needs no cast.
#ifndef XLA_HLO_IR_HLO_INSTRUCTIONS_H_
#define XLA_HLO_IR_HLO_INSTRUCTIONS_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "absl/types/span.h"
#include "xla/core/literal/literal.h"
#include "xla/core/shape.h"
#include "xla/hlo/attrs/attrs.h"
#include "xla/hlo/ir/hlo_instruction.h"
#include "xla/hlo/ops/hlo_opcode.h"
#include "xla/proto/xla_data.pb.h"

namespace xla {

// Returns an instruction, without operands, of the class that `opcode` has.
std::unique_ptr<HloInstruction> NewInstructionOfClass(HloOpcode opcode,
                                                      Shape shape, Attrs attrs);

// What the class of the ops kOpcodes derives from: an instruction of Base.
template <typename Base, HloOpcode... kOpcodes>
class OpClass : public Base {
 public:
  using Base::Base;
  static constexpr bool HasOpcode(HloOpcode opcode) {
    return ((opcode == kOpcodes) || ...);
  }
  // Cast and DynCast ask this.
  static bool ClassOf(const HloInstruction* hlo) {
    return HasOpcode(hlo->opcode());
  }
};

// Families.
using HloDimensionsInstruction =
    OpClass<HloInstruction, HloOpcode::kBroadcast, HloOpcode::kConcatenate,
            HloOpcode::kIota, HloOpcode::kReduce, HloOpcode::kReverse,
            HloOpcode::kSort, HloOpcode::kTranspose>;
using HloBatchNormInstruction =
    OpClass<HloInstruction, HloOpcode::kBatchNormTraining,
            HloOpcode::kBatchNormInference, HloOpcode::kBatchNormGrad>;
class HloCallableInstruction
    : public OpClass<HloInstruction, HloOpcode::kFusion, HloOpcode::kCall,
                     HloOpcode::kCustomCall> {
 public:
  using OpClass::OpClass;
  // The only one, which there is (CHECK).
  HloComputation* called_computation() const;
  HloInstruction* called_computation_root() const;
};
class HloDynamicIndexInstruction
    : public OpClass<HloInstruction, HloOpcode::kDynamicSlice,
                     HloOpcode::kDynamicUpdateSlice> {
 public:
  using OpClass::OpClass;
  int64_t first_index_operand_number() const {
    return opcode() == HloOpcode::kDynamicSlice ? 1 : 2;
  }
  absl::Span<HloInstruction* const> index_operands() const {
    return absl::MakeConstSpan(operands())
        .subspan(first_index_operand_number());
  }
};
using HloChannelInstruction =
    OpClass<HloInstruction, HloOpcode::kAllGather, HloOpcode::kAllGatherStart,
            HloOpcode::kAllReduce, HloOpcode::kAllReduceStart,
            HloOpcode::kAllToAll, HloOpcode::kCollectiveBroadcast,
            HloOpcode::kReduceScatter, HloOpcode::kRaggedAllToAll,
            HloOpcode::kCollectivePermute, HloOpcode::kCollectivePermuteStart,
            HloOpcode::kSend, HloOpcode::kSendDone, HloOpcode::kRecv,
            HloOpcode::kRecvDone>;
using HloCollectiveInstruction =
    OpClass<HloChannelInstruction, HloOpcode::kAllGather,
            HloOpcode::kAllGatherStart, HloOpcode::kAllReduce,
            HloOpcode::kAllReduceStart, HloOpcode::kAllToAll,
            HloOpcode::kCollectiveBroadcast, HloOpcode::kReduceScatter,
            HloOpcode::kRaggedAllToAll>;
using HloAllReduceInstructionBase =
    OpClass<HloCollectiveInstruction, HloOpcode::kAllReduce,
            HloOpcode::kAllReduceStart, HloOpcode::kReduceScatter>;
using HloSendRecvInstruction =
    OpClass<HloChannelInstruction, HloOpcode::kSend, HloOpcode::kSendDone,
            HloOpcode::kRecv, HloOpcode::kRecvDone>;
class HloAsyncInstruction
    : public OpClass<HloInstruction, HloOpcode::kAsyncStart,
                     HloOpcode::kAsyncUpdate, HloOpcode::kAsyncDone> {
 public:
  using OpClass::OpClass;
  // As HloInstruction's, whose results are links of the chain too.
  HloAsyncInstruction* async_chain_start() const;
  HloAsyncInstruction* async_chain_done() const;
  HloAsyncInstruction* async_chain_next() const;
  // The links of the chain, from its start on, as far as there are any.
  std::vector<HloAsyncInstruction*> GetAsyncChain() const;
  // Gives the links after this one, which is not the last, the shapes that
  // follow from its own: ((operands), result, ...), at last the result.
  void UpdateChainShapes();
};

// Ops.
class HloAllGatherInstruction
    : public OpClass<HloCollectiveInstruction, HloOpcode::kAllGather,
                     HloOpcode::kAllGatherStart> {
 public:
  using OpClass::OpClass;
  int64_t all_gather_dimension() const { return dimensions()[0]; }
  void set_all_gather_dimension(int64_t d) { *mutable_dimensions() = {d}; }
};
using HloAllReduceInstruction =
    OpClass<HloAllReduceInstructionBase, HloOpcode::kAllReduce,
            HloOpcode::kAllReduceStart>;
class HloReduceScatterInstruction
    : public OpClass<HloAllReduceInstructionBase, HloOpcode::kReduceScatter> {
 public:
  using OpClass::OpClass;
  int64_t scatter_dimension() const { return dimensions()[0]; }
};
class HloAllToAllInstruction
    : public OpClass<HloCollectiveInstruction, HloOpcode::kAllToAll> {
 public:
  using OpClass::OpClass;
  std::optional<int64_t> split_dimension() const {
    if (dimensions().empty()) return std::nullopt;
    return dimensions()[0];
  }
};
using HloRaggedAllToAllInstruction =
    OpClass<HloCollectiveInstruction, HloOpcode::kRaggedAllToAll>;
using HloCollectiveBroadcastInstruction =
    OpClass<HloCollectiveInstruction, HloOpcode::kCollectiveBroadcast>;
using HloCollectivePermuteInstruction =
    OpClass<HloChannelInstruction, HloOpcode::kCollectivePermute,
            HloOpcode::kCollectivePermuteStart>;
using HloSendInstruction = OpClass<HloSendRecvInstruction, HloOpcode::kSend>;
using HloSendDoneInstruction =
    OpClass<HloSendRecvInstruction, HloOpcode::kSendDone>;
using HloRecvInstruction = OpClass<HloSendRecvInstruction, HloOpcode::kRecv>;
using HloRecvDoneInstruction =
    OpClass<HloSendRecvInstruction, HloOpcode::kRecvDone>;
using HloAsyncStartInstruction =
    OpClass<HloAsyncInstruction, HloOpcode::kAsyncStart>;
using HloAsyncUpdateInstruction =
    OpClass<HloAsyncInstruction, HloOpcode::kAsyncUpdate>;
using HloAsyncDoneInstruction =
    OpClass<HloAsyncInstruction, HloOpcode::kAsyncDone>;
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
using HloFusionInstruction =
    OpClass<HloCallableInstruction, HloOpcode::kFusion>;
using HloCallInstruction = OpClass<HloCallableInstruction, HloOpcode::kCall>;
using HloCustomCallInstruction =
    OpClass<HloCallableInstruction, HloOpcode::kCustomCall>;
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
using HloInfeedInstruction = OpClass<HloInstruction, HloOpcode::kInfeed>;
using HloMapInstruction = OpClass<HloInstruction, HloOpcode::kMap>;
using HloOutfeedInstruction = OpClass<HloInstruction, HloOpcode::kOutfeed>;
using HloPadInstruction = OpClass<HloInstruction, HloOpcode::kPad>;
using HloParameterInstruction = OpClass<HloInstruction, HloOpcode::kParameter>;
using HloRaggedDotInstruction = OpClass<HloInstruction, HloOpcode::kRaggedDot>;
using HloReducePrecisionInstruction =
    OpClass<HloInstruction, HloOpcode::kReducePrecision>;
using HloReduceWindowInstruction =
    OpClass<HloInstruction, HloOpcode::kReduceWindow>;
using HloReshapeInstruction = OpClass<HloInstruction, HloOpcode::kReshape>;
using HloRngInstruction = OpClass<HloInstruction, HloOpcode::kRng>;
using HloRngBitGeneratorInstruction =
    OpClass<HloInstruction, HloOpcode::kRngBitGenerator>;
using HloRngGetAndUpdateStateInstruction =
    OpClass<HloInstruction, HloOpcode::kRngGetAndUpdateState>;
using HloScaledDotInstruction = OpClass<HloInstruction, HloOpcode::kScaledDot>;
using HloScanInstruction = OpClass<HloInstruction, HloOpcode::kScan>;
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
