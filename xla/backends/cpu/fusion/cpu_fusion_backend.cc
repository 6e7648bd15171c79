// Tables by opcode, and the limits of reductions.
#include "xla/backends/cpu/fusion/cpu_fusion_backend.h"

#include <algorithm>

#include "xla/backends/cpu/analysis/reduction_structure.h"
#include "xla/backends/cpu/fusion/attention.h"
#include "xla/core/layout/tiling.h"
#include "xla/core/layout_util.h"
#include "xla/core/primitive_util.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/analysis/linear_scan.h"
#include "xla/hlo/ops/opcode_groups.h"
#include "xla/hlo/ops/reduction/reduction.h"
#include "xla/hlo/transforms/fuse/fusion_shapes.h"

namespace xla::cpu {
namespace {

constexpr FusionRates kRates = {.write_ns_per_byte = 0.15,
                                .read_ns_per_byte = 0.1,
                                .cached_ns_per_byte = 0.02,
                                .cache_bytes = 256 << 10,
                                .load_ns = 0.03,
                                .strided_ns = 1.0,
                                .kernel_ns = 300};

// Compile time grows with what is emitted, and each parameter and output takes
// a register for its address.
constexpr FusionLimits kLimits = {.max_instructions = 1000,
                                  .max_emitted = 800,
                                  .max_parameters = 48,
                                  .max_outputs = 8,
                                  .max_maps = 32};

constexpr ReductionChunks kChunks = {
    .min_elements = 64 << 10,  // fewer are reduced before a thread wakes up
    .workgroups = 16,
    .block_columns = 1024,
    .row_chunk = 32 << 10,
    .min_row_chunk = 2 << 10,
    .column_chunk = 256 << 10,
    .min_chunk_rows = 8,
    .min_chunks = 4,
    .narrow_columns = 32,  // a few vectors
    .wide_columns = 256};

// So many rows keep all threads busy. With fewer, and at least so many
// elements, it matters whether a loop over rows replaces one over elements.
constexpr int64_t kParallelRows = 16;
constexpr int64_t kParallelElements = 256 << 10;

// A window of more elements is left to whoever knows its shape.
constexpr int64_t kMaxWindow = 64;
// A scan adds up every element once; as a window of its own length, as often as
// that is long.
constexpr int64_t kMaxScanAsWindow = 8;
// Each element looks into all operands of a concatenation.
constexpr int64_t kMaxConcatenated = 8;
// Beyond this, copying is quicker, and so is compiling.
constexpr int64_t kMaxParts = 32;

// A static array in row-major layout.
bool IsPlainArray(const Shape& shape) {
  return shape.IsArray() && shape.is_static() &&
         LayoutUtil::IsRowMajorOrUnset(shape) && !HasTilesOrPadding(shape);
}

// Arrays only, and nobody but get-tuple-elements reads a tuple.
bool HasPlainResult(const HloInstruction& instruction) {
  if (instruction.shape().IsArray()) return IsPlainArray(instruction.shape());
  if (!instruction.shape().IsTuple() || instruction.IsRoot()) return false;
  for (const Shape& element : instruction.shape().tuple_shapes()) {
    if (!IsPlainArray(element)) return false;
  }
  for (const HloInstruction* user : instruction.users()) {
    if (user->opcode() != HloOpcode::kGetTupleElement ||
        user->HasControlDependencies()) {
      return false;
    }
  }
  return !instruction.shape().tuple_shapes().empty();
}

int64_t WindowElements(const HloInstruction& instruction) {
  int64_t elements = 1;
  for (const WindowDimension& dimension :
       instruction.attrs<ReduceWindowAttrs>().window.dimensions()) {
    if (dimension.size() > kMaxWindow) return kMaxWindow + 1;
    elements = std::min(elements * dimension.size(), kMaxWindow + 1);
  }
  return elements;
}

bool IsInlineWindow(const HloInstruction& instruction) {
  const int64_t elements = WindowElements(instruction);
  return elements <= kMaxWindow && (elements <= kMaxScanAsWindow ||
                                    !LinearScanOf(instruction).has_value());
}

FusionRole MovementRole(const HloInstruction& instruction) {
  if (instruction.opcode() == HloOpcode::kDynamicUpdateSlice) {
    return FusionRole::kUpdate;
  }
  return HasManyParts(instruction) ? FusionRole::kOpaque
                                   : FusionRole::kIndexingMap;
}

FusionRole RoleByOpcode(const HloInstruction& instruction) {
  switch (instruction.opcode()) {
    case HloOpcode::kReshape:
      return FusionRole::kReshape;
    case HloOpcode::kBitcast:
      return instruction.shape().element_type() ==
                     instruction.operand(0)->shape().element_type()
                 ? FusionRole::kReshape
                 : FusionRole::kOpaque;
    case XLA_MOVEMENT_OPCODES:
      return MovementRole(instruction);
    case HloOpcode::kIota:
      return FusionRole::kIndexingMap;
    case HloOpcode::kReduceWindow:
      return IsInlineWindow(instruction) ? FusionRole::kInlineReduce
                                         : FusionRole::kOpaque;
    case HloOpcode::kReduce:
      return IsShortReduction(instruction) ? FusionRole::kInlineReduce
                                           : FusionRole::kReduce;
    case HloOpcode::kScatter:
      // Of one operand; others have several memories to look after.
      return instruction.operand_count() == 3 ? FusionRole::kScatter
                                              : FusionRole::kOpaque;
    case XLA_ELEMENTWISE_OPCODES:
    case HloOpcode::kCopy:
    case HloOpcode::kMap:
      return FusionRole::kElementwise;
    case HloOpcode::kBitcastConvert: {
      const Shape& from = instruction.operand(0)->shape();
      return ShapeUtil::SameDimensions(from, instruction.shape())
                 ? FusionRole::kElementwise
                 : FusionRole::kOpaque;
    }
    // Values that are there, and what bundles or orders values.
    case HloOpcode::kAddDependency:
    case HloOpcode::kAfterAll:
    case HloOpcode::kConstant:
    case HloOpcode::kDomain:
    case HloOpcode::kGetTupleElement:
    case HloOpcode::kOptimizationBarrier:
    case HloOpcode::kParameter:
    case HloOpcode::kTuple:
      return FusionRole::kOpaque;
    // Their computations are fused on their own.
    case XLA_CONTROL_OPCODES:
    case HloOpcode::kFusion:
      return FusionRole::kOpaque;
    // Algorithms and library calls. Passes that run before fusion make other
    // ops of some.
    case HloOpcode::kBatchNormGrad:
    case HloOpcode::kBatchNormInference:
    case HloOpcode::kBatchNormTraining:
    case HloOpcode::kCholesky:
    case HloOpcode::kConvolution:
    case HloOpcode::kCustomCall:
    case HloOpcode::kDot:
    case HloOpcode::kDynamicReshape:
    case HloOpcode::kFft:
    case HloOpcode::kGetDimensionSize:
    case HloOpcode::kRaggedDot:
    case HloOpcode::kRng:
    case HloOpcode::kRngBitGenerator:
    case HloOpcode::kScaledDot:
    case HloOpcode::kScan:
    case HloOpcode::kSelectAndScatter:
    case HloOpcode::kSetDimensionSize:
    case HloOpcode::kSort:
    case HloOpcode::kTopK:
    case HloOpcode::kTriangularSolve:
      return FusionRole::kOpaque;
    // The device has a part in them.
    case XLA_DEVICE_OPCODES:
    case HloOpcode::kCopyDone:
    case HloOpcode::kCopyStart:
      return FusionRole::kOpaque;
  }
  return FusionRole::kOpaque;
}

double ArithmeticNanoseconds(const HloInstruction& instruction) {
  const PrimitiveType type = FusionShape(instruction).element_type();
  return primitive_util::IsComplexType(type) ? 0.3 : 0.06;
}

double MovementNanoseconds(const HloInstruction& instruction) {
  switch (instruction.opcode()) {
    case HloOpcode::kBroadcast:
    case HloOpcode::kReshape:
    case HloOpcode::kCopy:
    case HloOpcode::kBitcastConvert:
      return 0;
    case HloOpcode::kIota:
    case HloOpcode::kSlice:
      return 0.02;
    case HloOpcode::kDynamicSlice:
    case HloOpcode::kReverse:
      return 0.05;
    case HloOpcode::kPad:
      return 0.1;
    case HloOpcode::kConcatenate:
      return instruction.operand_count() > kMaxConcatenated
                 ? 4
                 : 0.08 * instruction.operand_count();
    case HloOpcode::kGather:
    case HloOpcode::kTranspose:
      return 1;
    default:
      return ArithmeticNanoseconds(instruction);
  }
}

double ApplicationNanoseconds(const HloInstruction& instruction) {
  if (instruction.opcode() == HloOpcode::kMap) return 1;
  return instruction.opcode() == HloOpcode::kReduceWindow
             ? 0.1 * WindowElements(instruction)
             : 0.1;
}

// Whether computing `roots` by that structure leaves enough to do side by side.
bool IsParallel(const ReductionStructure& structure,
                absl::Span<const HloInstruction* const> roots) {
  if (!structure.by_rows() || structure.outer >= kParallelRows ||
      structure.outer * structure.reduced < kParallelElements) {
    return true;
  }
  if (structure.levels.size() > 1) return false;
  return std::all_of(roots.begin(), roots.end(), [&](const auto* root) {
    return FusionElements(*root) == structure.outer;
  });
}

}  // namespace

FusionRole CpuFusionBackend::RoleOf(const HloInstruction& instruction) const {
  if (instruction.HasControlDependencies() || instruction.HasSideEffect() ||
      !HasPlainResult(instruction)) {
    return FusionRole::kOpaque;
  }
  for (const HloInstruction* operand : instruction.operands()) {
    if (!IsPlainArray(operand->shape())) return FusionRole::kOpaque;
  }
  return RoleByOpcode(instruction);
}

double CpuFusionBackend::ElementNanoseconds(
    const HloInstruction& instruction) const {
  switch (instruction.def().cost_class) {
    case CostClass::kMovement:
      return MovementNanoseconds(instruction);
    case CostClass::kDivision:
    case CostClass::kSquareRoot:
      return primitive_util::IsFloatingPointType(
                 instruction.shape().element_type())
                 ? 0.3
                 : 2;
    case CostClass::kRemainder:
    case CostClass::kLongTranscendental:
      return 2;
    case CostClass::kTranscendental:
      return 0.8;
    case CostClass::kApplication:
      return ApplicationNanoseconds(instruction);
    case CostClass::kNone:
      // Others stand outside of fusions.
      return instruction.opcode() == HloOpcode::kBitcast
                 ? 0
                 : ArithmeticNanoseconds(instruction);
    case CostClass::kArithmetic:
    case CostClass::kScatteredUpdate:
      return ArithmeticNanoseconds(instruction);
    case CostClass::kControl:
    case CostClass::kFusion:
    case CostClass::kContraction:
    case CostClass::kAlgorithm:
    case CostClass::kDevice:
    case CostClass::kForeign:
      // Never in a fusion, so that what they cost there is of no matter.
      return ArithmeticNanoseconds(instruction);
  }
  return ArithmeticNanoseconds(instruction);
}

const FusionRates& CpuFusionBackend::rates() const { return kRates; }

const FusionLimits& CpuFusionBackend::limits() const { return kLimits; }

const ReductionChunks& CpuFusionBackend::reduction_chunks() const {
  return kChunks;
}

std::optional<ReductionKernel> CpuFusionBackend::FindReductionKernel(
    absl::Span<const HloInstruction* const> values,
    absl::Span<const HloInstruction* const> roots) const {
  const auto structure = FindReductionStructure(values, roots);
  if (!structure.has_value() || !IsParallel(*structure, roots)) {
    return std::nullopt;
  }
  // What has the dimensions of the operands is a loop of its own at the end.
  const bool has_outputs_of_operand_shape =
      std::any_of(roots.begin(), roots.end(), [&](const auto* root) {
        return FusionElements(*root) != structure->outer * structure->inner;
      });
  return ReductionKernel{static_cast<int>(structure->levels.size()) +
                         (has_outputs_of_operand_shape ? 1 : 0)};
}

std::optional<AttentionGroup> CpuFusionBackend::FindAttention(
    const HloInstruction& second) const {
  std::optional<AttentionGroup> found = cpu::FindAttention(second);
  if (!found.has_value() || !IsAttentionProfitable(*found)) return std::nullopt;
  return found;
}

bool HasManyParts(const HloInstruction& instruction) {
  return instruction.opcode() == HloOpcode::kConcatenate &&
         instruction.operand_count() > kMaxParts;
}

}  // namespace xla::cpu
