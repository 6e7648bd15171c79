// The table of rules, and what most ops do.
#include "xla/hlo/transforms/partition_rules/op_rule.h"

#include <utility>

#include "xla/base/checked_math.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/ops/control_flow.h"
#include "xla/hlo/transforms/resharding/resharding.h"

namespace xla {
namespace {

constexpr OpRule kDefaultRule;

FactorSplit NeverSplit(const HloInstruction&, const DimensionFactors&,
                       int32_t) {
  return FactorSplit::kWhole;
}
// Each device computes all, as its numbers depend on the whole.
constexpr OpRule kWholeRule = {.split = NeverSplit};

// What a custom call does with the elements beyond the end of a dimension that
// it sums is not known.
bool SummedFactorsDivide(const HloInstruction&, const DimensionFactors& factors,
                         const FactorAxes& axes) {
  for (size_t f = 0; f < axes.size(); ++f) {
    const DimensionFactor& factor = factors.factors[f];
    if (factor.kind == FactorKind::kSummed &&
        factor.size % SizeOf(axes[f]) != 0) {
      return false;
    }
  }
  return true;
}

AxisList AxesOf(const DimensionFactors::Dimension& dimension,
                const FactorAxes& axes) {
  AxisList all;
  for (const int32_t factor : dimension) Append(axes[factor], all);
  return all;
}

// Results that share an operand's buffer have parts of the same elements.
bool SharedBuffersAreSplitAlike(const HloInstruction& call,
                                const DimensionFactors& factors,
                                const FactorAxes& axes) {
  for (const OutputOperandAlias& alias :
       call.attrs<CustomCallAttrs>().output_to_operand_aliasing) {
    const int64_t number =
        alias.output_index.empty() ? 0 : alias.output_index[0];
    const DimensionFactors::Array& result = factors.results[number];
    const DimensionFactors::Array& operand =
        factors.operands[alias.operand_number];
    for (size_t d = 0; d < result.size(); ++d) {
      if (AxesOf(result[d], axes) != AxesOf(operand[d], axes)) return false;
    }
  }
  return true;
}

bool AcceptsCustomCall(const HloInstruction& call,
                       const DimensionFactors& factors,
                       const FactorAxes& axes) {
  return SummedFactorsDivide(call, factors, axes) &&
         SharedBuffersAreSplitAlike(call, factors, axes);
}

absl::StatusOr<HloInstruction*> EmitCustomCall(PartitionedOp& op) {
  HloInstruction* call = EmitOnParts(op, op.OperandParts());
  auto& layouts =
      call->mutable_attrs<CustomCallAttrs>().operand_layout_constraints;
  if (!layouts.has_value()) return call;
  for (size_t i = 0; i < layouts->size() && i < op.operands.size(); ++i) {
    (*layouts)[i] = PartShape((*layouts)[i], op.operands[i].sharding);
  }
  return call;
}

constexpr OpRule kCustomCallRule = {.accepts = AcceptsCustomCall,
                                    .emit = EmitCustomCall};

}  // namespace

std::vector<HloInstruction*> PartitionedOp::OperandParts() const {
  std::vector<HloInstruction*> parts;
  for (const PartitionedArray& operand : operands) {
    parts.push_back(operand.part);
  }
  return parts;
}

Shape PartitionedOp::PartOfResult() const {
  std::vector<Shape> parts;
  for (const PartitionedArray& result : results) {
    parts.push_back(PartShape(result.shape, result.sharding));
  }
  return hlo.shape().IsTuple() ? ShapeUtil::MakeTupleShape(parts) : parts[0];
}

HloInstruction* PartitionedOp::Clone(
    absl::Span<HloInstruction* const> new_operands, Shape shape) const {
  std::unique_ptr<HloInstruction> clone =
      hlo.CloneWithNewOperands(std::move(shape), new_operands);
  clone->clear_sharding();
  return emit.computation()->AddInstruction(std::move(clone));
}

FactorSplit DefaultSplit(const DimensionFactors& factors, int32_t factor) {
  switch (factors.factors[factor].kind) {
    case FactorKind::kPassedThrough:
      return FactorSplit::kLocal;
    case FactorKind::kSummed:
      return FactorSplit::kPartial;
    case FactorKind::kPermuted:
    case FactorKind::kWhole:
      break;
  }
  return FactorSplit::kWhole;
}

FactorSplit OpRule::Split(const HloInstruction& hlo,
                          const DimensionFactors& factors,
                          int32_t factor) const {
  return split == nullptr ? DefaultSplit(factors, factor)
                          : split(hlo, factors, factor);
}

HloInstruction* EmitOnParts(PartitionedOp& op,
                            absl::Span<HloInstruction* const> operands) {
  return op.Clone(operands, op.PartOfResult());
}

HloInstruction* MaskSummed(PartitionedOp& op, int64_t operand,
                           HloInstruction* fill) {
  const PartitionedArray& array = op.operands[operand];
  HloInstruction* part = array.part;
  const DimensionFactors::Array& dimensions = op.factors.operands[operand];
  for (size_t d = 0; d < dimensions.size(); ++d) {
    const int64_t size = array.shape.dimensions(d);
    const AxisList& axes = array.sharding.dimensions[d].axes;
    if (size % SizeOf(axes) == 0 ||
        !op.factors.IsOfKind(dimensions[d], FactorKind::kSummed)) {
      continue;
    }
    HloInstruction* offset =
        op.emit.Coordinate(*op.mesh, axes, CeilOfRatio(size, SizeOf(axes)));
    part = op.emit.MaskDim(part, d, offset, 0, size, fill);
  }
  return part;
}

const OpRule& RuleFor(HloOpcode opcode) {
  switch (opcode) {
    case HloOpcode::kIota:
      return IotaRule();
    case HloOpcode::kDot:
    case HloOpcode::kScaledDot:
      return ContractionRule();
    case HloOpcode::kRaggedDot:
      return RaggedDotRule();
    case HloOpcode::kReduce:
      return ReduceRule();
    // Numbers are the same for every sharding. A bitcast depends on how the
    // whole is laid out.
    case HloOpcode::kRng:
    case HloOpcode::kRngBitGenerator:
    case HloOpcode::kRngGetAndUpdateState:
    case HloOpcode::kBitcast:
      return kWholeRule;
    case HloOpcode::kSlice:
      return SliceRule();
    case HloOpcode::kPad:
      return PadRule();
    case HloOpcode::kReverse:
      return ReverseRule();
    case HloOpcode::kConcatenate:
      return ConcatenateRule();
    case HloOpcode::kReduceWindow:
      return ReduceWindowRule();
    case HloOpcode::kConvolution:
      return ConvolutionRule();
    case HloOpcode::kSelectAndScatter:
      return SelectAndScatterRule();
    case HloOpcode::kDynamicSlice:
      return DynamicSliceRule();
    case HloOpcode::kDynamicUpdateSlice:
      return DynamicUpdateSliceRule();
    case HloOpcode::kGather:
      return GatherRule();
    case HloOpcode::kScatter:
      return ScatterRule();
    case HloOpcode::kTopK:
      return TopKRule();
    case HloOpcode::kScan:
      return ScanRule();
    case HloOpcode::kCustomCall:
      return kCustomCallRule;
    default:
      return kDefaultRule;
  }
}

MeshSharding ShardingOfFactors(const FactorAxes& axes,
                               const DimensionFactors::Array& dimensions,
                               const std::shared_ptr<const DeviceMesh>& mesh) {
  MeshSharding sharding = MeshSharding::Replicated(mesh, dimensions.size());
  for (size_t d = 0; d < dimensions.size(); ++d) {
    for (const int32_t factor : dimensions[d]) {
      Append(axes[factor], sharding.dimensions[d].axes);
    }
  }
  return sharding;
}

}  // namespace xla
