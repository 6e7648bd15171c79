// OpRule: how an op is computed in parts, one on each device, beyond what its
// dimension factors say.
#ifndef XLA_HLO_TRANSFORMS_PARTITION_RULES_OP_RULE_H_
#define XLA_HLO_TRANSFORMS_PARTITION_RULES_OP_RULE_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "absl/status/statusor.h"
#include "xla/hlo/ir/hlo_instruction.h"
#include "xla/hlo/ops/dimension_factors.h"
#include "xla/hlo/sharding/mesh_sharding.h"
#include "xla/hlo/transforms/resharding/spmd_builder.h"

namespace xla {

// An array, of which each device has a part.
struct PartitionedArray {
  HloInstruction* part = nullptr;  // a token is its own part
  Shape shape;                     // of the whole
  MeshSharding sharding;
  // Combines partial values along the unreduced axes.
  HloOpcode reducer = HloOpcode::kAdd;
};

// The axes that split each factor of an op; no axis splits two.
using FactorAxes = std::vector<AxisList>;

// Whether an op may be split along a factor.
enum class FactorSplit : uint8_t {
  kWhole,     // No: the arrays that have it are gathered.
  kLocal,     // Each device computes a part of the results.
  kPartial,   // Each has partial results, which a reduction combines.
  kCombined,  // The same, and the rule's instructions combine them.
};

// An op and the parts of its operands, which are split as `axes` say.
struct PartitionedOp {
  SpmdBuilder& emit;
  const HloInstruction& hlo;
  const DimensionFactors& factors;
  const FactorAxes& axes;
  std::shared_ptr<const DeviceMesh> mesh;
  std::vector<PartitionedArray> operands;
  // Shapes and shardings of the arrays that are the result.
  std::vector<PartitionedArray> results;

  HloInstruction* operand(int64_t i) const { return operands[i].part; }
  std::vector<HloInstruction*> OperandParts() const;
  const Shape& result_shape() const { return results[0].shape; }
  // The axes along which an operand's dimension is split.
  const AxisList& OperandAxes(int64_t i, int64_t dimension) const {
    return operands[i].sharding.dimensions[dimension].axes;
  }
  const AxisList& ResultAxes(int64_t dimension) const {
    return results[0].sharding.dimensions[dimension].axes;
  }
  // The shape of the results' parts, a tuple if the op has several.
  Shape PartOfResult() const;
  // Adds the op for these operands and this shape.
  HloInstruction* Clone(absl::Span<HloInstruction* const> operands,
                        Shape shape) const;
};

struct OpRule {
  // Null: passed-through factors are split locally, summed ones partially.
  FactorSplit (*split)(const HloInstruction& hlo,
                       const DimensionFactors& factors,
                       int32_t factor) = nullptr;
  // Whether the op may be split by these axes together; null: always.
  bool (*accepts)(const HloInstruction& hlo, const DimensionFactors& factors,
                  const FactorAxes& axes) = nullptr;
  // The cost, in bytes, of what `emit` moves between devices; null: none.
  double (*cost)(const HloInstruction& hlo, const DimensionFactors& factors,
                 const FactorAxes& axes, const DeviceMesh& mesh) = nullptr;
  // The op that combines partial results; null: add.
  HloOpcode (*reducer)(const HloInstruction& hlo) = nullptr;
  // Adds the op on parts, and returns the results' parts, as a tuple if the op
  // has several; null: the op itself with the attributes of the parts.
  absl::StatusOr<HloInstruction*> (*emit)(PartitionedOp& op) = nullptr;

  FactorSplit Split(const HloInstruction& hlo, const DimensionFactors& factors,
                    int32_t factor) const;
  HloOpcode Reducer(const HloInstruction& hlo) const {
    return reducer == nullptr ? HloOpcode::kAdd : reducer(hlo);
  }
};

// What most ops have: see OpRule::split.
FactorSplit DefaultSplit(const DimensionFactors& factors, int32_t factor);

// Adds the op for parts of its operands.
HloInstruction* EmitOnParts(PartitionedOp& op,
                            absl::Span<HloInstruction* const> operands);

// Returns an operand's part with `fill`, a scalar, in place of the elements
// that are there because a dimension does not divide, in the dimensions of
// factors that the results lack.
HloInstruction* MaskSummed(PartitionedOp& op, int64_t operand,
                           HloInstruction* fill);

// The op of the reducer of a reduce or reduce-window if partial results can be
// combined by an all-reduce.
std::optional<HloOpcode> SummingOp(const HloInstruction& hlo);

// Whether it does not matter how often their init values are reduced.
bool InitMayRepeat(const HloInstruction& hlo);

// Operand 1, the init value, on one device of those that differ along `axes`,
// else the identity.
HloInstruction* InitOfOneDevice(PartitionedOp& op, const AxisList& axes,
                                HloInstruction* identity);

// The rule of an opcode.
const OpRule& RuleFor(HloOpcode opcode);

// The rules of other files.
const OpRule& IotaRule();
const OpRule& ContractionRule();
const OpRule& RaggedDotRule();
const OpRule& ReduceRule();
const OpRule& SliceRule();
const OpRule& PadRule();
const OpRule& ReverseRule();
const OpRule& ConcatenateRule();
const OpRule& ReduceWindowRule();
const OpRule& ConvolutionRule();
const OpRule& SelectAndScatterRule();
const OpRule& DynamicSliceRule();
const OpRule& DynamicUpdateSliceRule();
const OpRule& GatherRule();
const OpRule& ScatterRule();
const OpRule& TopKRule();
const OpRule& ScanRule();

// The sharding of an array whose dimensions have these factors.
MeshSharding ShardingOfFactors(const FactorAxes& axes,
                               const DimensionFactors::Array& dimensions,
                               const std::shared_ptr<const DeviceMesh>& mesh);

}  // namespace xla

#endif  // XLA_HLO_TRANSFORMS_PARTITION_RULES_OP_RULE_H_
