// Roles by opcode, costs by the cost model, and the limits of reductions.
#include "xla/backends/cpu/fusion/cpu_fusion_backend.h"

#include <algorithm>

#include "xla/backends/cpu/analysis/cpu_opcode_groups.h"
#include "xla/backends/cpu/analysis/reduction_structure.h"
#include "xla/backends/cpu/analysis/stacked_columns.h"
#include "xla/backends/cpu/fusion/attention.h"
#include "xla/backends/cpu/fusion/attention_refusal.h"
#include "xla/backends/cpu/fusion/epilogue.h"
#include "xla/backends/cpu/fusion/prologue.h"
#include "xla/core/layout/tiling.h"
#include "xla/core/layout_util.h"
#include "xla/core/primitive_util.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/analysis/indexing/operand_access.h"
#include "xla/hlo/analysis/linear_scan.h"
#include "xla/hlo/ir/hlo_computation.h"
#include "xla/hlo/ir/infer_instruction.h"
#include "xla/hlo/ops/opcode_groups.h"
#include "xla/hlo/ops/reduction/reduction.h"
#include "xla/hlo/transforms/fuse/fusion_shapes.h"

namespace xla::cpu {
namespace {

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

// What it takes to find an element that is moved, in additions: an index that
// is in a scalar where it is the same along a row, and a test of each operand
// that may have the element, of which code has a few at once.
constexpr double kRowIndex = 1.0 / 3;
constexpr double kShortSearch = 1.3;
constexpr double kLongSearch = 8;
constexpr int64_t kFewOperands = 8;

// What takes longer for an element is computed once for all readers.
constexpr double kMaxPrologueNanoseconds = 2;

// Beyond this, copying is quicker, and so is compiling.
constexpr int64_t kMaxParts = 32;

// A static array in row-major layout.
bool IsPlainArray(const Shape& shape) {
  return shape.IsArray() && shape.is_static() &&
         LayoutUtil::IsRowMajorOrUnset(shape) && !HasOwnBuffer(shape);
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

// A role, and for kOpaque the reason.
struct RoleChoice {
  RoleChoice(FusionRole role) : role(role) {}  // NOLINT: converts
  static RoleChoice Opaque(absl::string_view reason) {
    RoleChoice choice(FusionRole::kOpaque);
    choice.reason = reason;
    return choice;
  }

  FusionRole role;
  absl::string_view reason;
};

RoleChoice MovementRole(const HloInstruction& instruction) {
  if (instruction.opcode() == HloOpcode::kDynamicUpdateSlice) {
    return FusionRole::kUpdate;
  }
  if (HasManyParts(instruction)) {
    return RoleChoice::Opaque(
        "to copy so many parts one by one is quicker than a loop");
  }
  return FusionRole::kIndexingMap;
}

// Parts of elements are read like those of a broadcast, and joined like the
// elements of a short reduction.
FusionRole BitcastConvertRole(const HloInstruction& instruction) {
  const int64_t from = instruction.operand(0)->shape().rank();
  const int64_t to = instruction.shape().rank();
  return from == to  ? FusionRole::kElementwise
         : from < to ? FusionRole::kIndexingMap
                     : FusionRole::kInlineReduce;
}

RoleChoice ReductionRole(const HloInstruction& instruction) {
  if (instruction.def().reduces) {
    return IsShortReduction(instruction) ? FusionRole::kInlineReduce
                                         : FusionRole::kReduce;
  }
  if (IsInlineWindow(instruction)) return FusionRole::kInlineReduce;
  return RoleChoice::Opaque(
      "a large window, or a scan, would be computed again for each element");
}

RoleChoice RoleByOpcode(const HloInstruction& instruction) {
  switch (instruction.opcode()) {
    case HloOpcode::kReshape:
      return FusionRole::kReshape;
    case HloOpcode::kBitcast:
      if (instruction.shape().element_type() ==
          instruction.operand(0)->shape().element_type()) {
        return FusionRole::kReshape;
      }
      return RoleChoice::Opaque("it only names memory as another type");
    case XLA_MOVEMENT_OPCODES:
      return MovementRole(instruction);
    case HloOpcode::kIota:
      return FusionRole::kIndexingMap;
    case XLA_REDUCTION_OPCODES:
      return ReductionRole(instruction);
    case HloOpcode::kScatter:
      // Of one operand; others have several memories to look after.
      if (instruction.operand_count() == 3) return FusionRole::kScatter;
      return RoleChoice::Opaque(
          "a scatter of several arrays is a kernel alone");
    case XLA_ELEMENTWISE_OPCODES:
    case HloOpcode::kCopy:
    case HloOpcode::kMap:
      return FusionRole::kElementwise;
    case HloOpcode::kBitcastConvert:
      return BitcastConvertRole(instruction);
    // Values that are there, and what bundles or orders values.
    case HloOpcode::kAddDependency:
    case HloOpcode::kAfterAll:
    case HloOpcode::kConstant:
    case HloOpcode::kDomain:
    case HloOpcode::kGetTupleElement:
    case HloOpcode::kOptimizationBarrier:
    case HloOpcode::kParameter:
    case HloOpcode::kTuple:
      return RoleChoice::Opaque("it only names or orders values in memory");
    // Their computations are fused on their own.
    case XLA_CONTROL_OPCODES:
    case HloOpcode::kFusion:
      return RoleChoice::Opaque("what it calls is fused on its own");
    // Algorithms and library calls. Passes that run before fusion make other
    // ops of some.
    case HloOpcode::kDot:
    case XLA_CPU_LIBRARY_OPCODES:
    case XLA_CPU_EXPANDED_OPCODES:
      return RoleChoice::Opaque(
          "a library computes it, from arrays and to arrays in memory");
    // The device has a part in them.
    case XLA_DEVICE_OPCODES:
      return RoleChoice::Opaque("devices or the host take part in it");
  }
  return RoleChoice::Opaque("no kernel computes it");
}

// The threads that run a large kernel compute side by side but share the
// memory's bandwidth, of which one thread alone gets most: what a byte takes
// each of them is this many times what it takes one thread alone.
constexpr double kMemorySharing = 2;

FusionRates RatesOf(const CpuCostModel& model) {
  const MachineCosts& machine = model.machine();
  FusionRates rates;
  // A larger array leaves the second cache, which it shares with what else the
  // kernels read and write, before it is read again.
  rates.cache_bytes = model.cache_bytes(1) / 4;
  rates.read_ns_per_byte = kMemorySharing * machine.read_ns_per_byte[3];
  rates.write_ns_per_byte = std::max(
      rates.read_ns_per_byte, kMemorySharing * machine.write_ns_per_byte[3]);
  rates.cached_ns_per_byte = machine.read_ns_per_byte[1];
  // Beside others of the loop, an aligned load of a whole register.
  rates.load_ns = sizeof(float) * machine.read_ns_per_byte[0];
  rates.strided_ns = machine.strided_ns;
  rates.kernel_ns = machine.kernel_ns;
  rates.repeated_ns = model.ArithmeticNanoseconds(F32);
  rates.moving_ns = machine.strided_ns / 2;
  return rates;
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

// Bytes of a row of an operand.
int64_t RowBytes(const ReductionStructure& structure) {
  const Shape& operand = structure.levels[0][0]->operand(0)->shape();
  return structure.reduced *
         ShapeUtil::ByteSizeOfPrimitiveType(operand.element_type());
}

}  // namespace

namespace {

RoleChoice ChooseRole(const HloInstruction& instruction) {
  if (instruction.HasControlDependencies()) {
    return RoleChoice::Opaque("its order among others is fixed");
  }
  if (instruction.HasSideEffect()) return RoleChoice::Opaque("it has effects");
  const RoleChoice by_opcode = RoleByOpcode(instruction);
  if (by_opcode.role == FusionRole::kOpaque) return by_opcode;
  if (!HasPlainResult(instruction)) {
    return RoleChoice::Opaque(
        "its result is a tuple, or of dynamic sizes or another layout");
  }
  for (const HloInstruction* operand : instruction.operands()) {
    if (!IsPlainArray(operand->shape())) {
      return RoleChoice::Opaque(
          "an operand is a tuple, or of dynamic sizes or another layout");
    }
  }
  return by_opcode;
}

}  // namespace

FusionRole CpuFusionBackend::RoleOf(const HloInstruction& instruction) const {
  return ChooseRole(instruction).role;
}

absl::string_view CpuFusionBackend::WhyOpaque(
    const HloInstruction& instruction) const {
  return ChooseRole(instruction).reason;
}

CpuFusionBackend::CpuFusionBackend(const TargetInfo& target)
    : model_(target), rates_(RatesOf(model_)) {}

double CpuFusionBackend::ShortReductionNanoseconds(
    const HloInstruction& reduce) const {
  const Shape& operand = reduce.operand(0)->shape();
  double ns = model_.ElementNanoseconds(reduce);
  // Where the minor dimension is reduced, the elements of neighboring results
  // lie apart from each other.
  const auto accesses = OperandAccessesOf(reduce);
  if (accesses.has_value() &&
      accesses->at(0).order >= AccessOrder::kTransposed) {
    ns += model_.machine().strided_ns;
  }
  return ns * static_cast<double>(ShapeUtil::ElementsIn(operand)) /
         static_cast<double>(std::max<int64_t>(1, FusionElements(reduce)));
}

double CpuFusionBackend::FindingNanoseconds(
    const HloInstruction& instruction) const {
  const double addition = model_.ArithmeticNanoseconds(F32);
  // The elements of an iota are indices.
  if (instruction.operand_count() == 0) return addition * kRowIndex;
  const auto accesses = OperandAccessesOf(instruction);
  if (!accesses.has_value()) return addition;
  double ns = 0;
  int64_t operands = 0;
  bool tests = false;
  for (const OperandAccess& access : *accesses) {
    if (access.is_index) continue;
    ++operands;
    tests |= access.is_tested;
    // A stride is a factor of the index. What the loads take longer counts
    // where there are several of them (FusionRates::strided_ns).
    if (access.order >= AccessOrder::kTransposed &&
        access.order != AccessOrder::kStrided) {
      ns = std::max(ns, model_.machine().strided_ns);
    } else if (access.adds_start || access.order == AccessOrder::kReversed) {
      ns = std::max(ns, addition);
    } else if (access.computes_index) {
      ns = std::max(ns, addition * kRowIndex);
    }
  }
  if (!tests) return ns;
  const double test =
      addition * (operands > kFewOperands ? kLongSearch : kShortSearch);
  return std::max(ns, static_cast<double>(operands) * test);
}

double CpuFusionBackend::ElementNanoseconds(
    const HloInstruction& instruction) const {
  if (instruction.def().reduces && IsShortReduction(instruction)) {
    return ShortReductionNanoseconds(instruction);
  }
  if (instruction.def().cost_class == CostClass::kMovement) {
    return FindingNanoseconds(instruction);
  }
  return instruction.opcode() == HloOpcode::kReduceWindow
             ? WindowElements(instruction) *
                   model_.ElementNanoseconds(instruction)
             : model_.ElementNanoseconds(instruction);
}

bool CpuFusionBackend::VisitsOperandsOnce(
    const HloInstruction& instruction) const {
  return StacksColumns(instruction);
}

const FusionRates& CpuFusionBackend::rates() const { return rates_; }

const FusionLimits& CpuFusionBackend::limits() const { return kLimits; }

const ReductionChunks& CpuFusionBackend::reduction_chunks() const {
  return kChunks;
}

absl::string_view CpuFusionBackend::WhyNoKernel(
    const std::optional<ReductionStructure>& structure,
    absl::Span<const HloInstruction* const> roots) const {
  if (!structure.has_value()) {
    return "the reductions and their readers are not all by rows, or all by "
           "columns, of one array";
  }
  if (!IsParallel(*structure, roots)) {
    return "so few long rows would leave threads without work";
  }
  // Loops over rows have no tiles: what is transposed in a row is read across
  // it, element by element, and has to stay in the first cache for that.
  if (structure->moves_in_rows &&
      RowBytes(*structure) > model_.cache_bytes(0)) {
    return "what is transposed in a row does not fit into the first cache";
  }
  return "";
}

absl::string_view CpuFusionBackend::WhyNoReductionKernel(
    absl::Span<const HloInstruction* const> values,
    absl::Span<const HloInstruction* const> roots) const {
  return WhyNoKernel(FindReductionStructure(values, roots), roots);
}

std::optional<ReductionKernel> CpuFusionBackend::FindReductionKernel(
    absl::Span<const HloInstruction* const> values,
    absl::Span<const HloInstruction* const> roots) const {
  const auto structure = FindReductionStructure(values, roots);
  if (!WhyNoKernel(structure, roots).empty()) return std::nullopt;
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

std::optional<DotInPlaceGroup> CpuFusionBackend::FindDotInPlace(
    const HloInstruction& dot) const {
  std::optional<DotInPlaceGroup> found = cpu::FindDotInPlace(dot);
  if (!found.has_value() || !IsDotInPlaceProfitable(*found)) {
    return std::nullopt;
  }
  return found;
}

std::optional<EpilogueGroup> CpuFusionBackend::FindEpilogue(
    const HloInstruction& last) const {
  std::optional<EpilogueGroup> found = cpu::FindEpilogue(last);
  if (!found.has_value() || !IsEpilogueProfitable(*found)) return std::nullopt;
  return found;
}

std::optional<PrologueGroup> CpuFusionBackend::FindPrologue(
    const HloInstruction& product) const {
  std::optional<PrologueGroup> found = cpu::FindPrologue(product);
  if (!found.has_value() || !WhyPrologueIsSlow(*found).empty()) {
    return std::nullopt;
  }
  return found;
}

absl::string_view CpuFusionBackend::WhyPrologueIsSlow(
    const PrologueGroup& group) const {
  const absl::string_view why = WhyPrologueDoesNotPay(group);
  if (!why.empty()) return why;
  // Tasks that share columns of the product each compute their operand.
  double ns = 0;
  if (group.producer->opcode() == HloOpcode::kFusion) {
    for (const auto& value :
         group.producer->fused_instructions_computation()->instructions()) {
      ns += ElementNanoseconds(*value);
    }
  } else {
    ns = IsReadInPlace(*group.producer) ? 0
                                        : ElementNanoseconds(*group.producer);
  }
  return ns > kMaxPrologueNanoseconds
             ? "each element takes long, and every task that reads it would "
               "compute it again"
             : "";
}

absl::string_view CpuFusionBackend::WhyNoPrologue(const HloInstruction& product,
                                                  int64_t operand) const {
  std::optional<PrologueGroup> found;
  const absl::string_view why = cpu::WhyNoPrologue(product, operand, found);
  return found.has_value() ? WhyPrologueIsSlow(*found) : why;
}

std::optional<FusionRefusal> CpuFusionBackend::ExplainNoAttention(
    const HloInstruction& second) const {
  return cpu::ExplainNoAttention(second);
}

bool HasManyParts(const HloInstruction& instruction) {
  if (!instruction.def().moves || instruction.operand_count() <= kMaxParts) {
    return false;
  }
  const std::optional<OpIndexing> indexing = IndexingOf(instruction);
  return indexing.has_value() &&
         static_cast<int64_t>(indexing->reads.size()) > kMaxParts;
}

}  // namespace xla::cpu
