// What an instruction is, from its op, operands and users.
#include "xla/hlo/ir/instruction/instruction_properties.h"

#include <algorithm>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "xla/base/logging.h"
#include "xla/hlo/ir/hlo_instruction.h"
#include "xla/hlo/ir/hlo_module.h"
#include "xla/hlo/ir/name_uniquer.h"
#include "xla/hlo/ops/elementwise/elementwise_unary.h"

namespace xla {

const HloInstruction& InstructionProperties::self() const {
  return static_cast<const HloInstruction&>(*this);
}
HloInstruction& InstructionProperties::self() {
  return static_cast<HloInstruction&>(*this);
}

// Operands and users ---------------------------------------------------------

absl::InlinedVector<HloInstruction*, 2>
InstructionProperties::mutable_operands() {
  return self().operands();
}
std::vector<int64_t> InstructionProperties::operand_indices(
    const HloInstruction* operand) const {
  return self().OperandIndices(operand);
}
int64_t InstructionProperties::UserId(const HloInstruction* user) const {
  const auto& users = self().users();
  const auto it = absl::c_find(users, user);
  return it == users.end() ? -1 : it - users.begin();
}
bool InstructionProperties::HasConstantOperand() const {
  return absl::c_any_of(self().operands(), [](const HloInstruction* operand) {
    return operand->IsConstant();
  });
}

std::pair<const HloInstruction*, ShapeIndex>
InstructionProperties::LatestNonGteAncestorAndIndex() const {
  const HloInstruction* ancestor = &self();
  std::vector<int64_t> index;  // innermost first
  while (ancestor->opcode() == HloOpcode::kGetTupleElement) {
    index.push_back(ancestor->tuple_index());
    ancestor = ancestor->operand(0);
  }
  return {ancestor, ShapeIndex(index.rbegin(), index.rend())};
}
std::pair<HloInstruction*, ShapeIndex>
InstructionProperties::LatestNonGteAncestorAndIndex() {
  auto [ancestor, index] = std::as_const(*this).LatestNonGteAncestorAndIndex();
  return {const_cast<HloInstruction*>(ancestor), std::move(index)};
}
const HloInstruction* InstructionProperties::LatestNonGteAncestor() const {
  return LatestNonGteAncestorAndIndex().first;
}
HloInstruction* InstructionProperties::LatestNonGteAncestor() {
  return LatestNonGteAncestorAndIndex().first;
}

// Ops ------------------------------------------------------------------------

bool InstructionProperties::IsOpElementwise(HloOpcode opcode) {
  // Maps are element-wise by their dimensions, not by their op.
  if (opcode == HloOpcode::kMap) return false;
  return opcode == HloOpcode::kBitcastConvert || GetOpDef(opcode).elementwise;
}
bool InstructionProperties::IsElementwiseBinary() const {
  return self().IsElementwiseOp() && self().operand_count() == 2;
}
bool InstructionProperties::IsEffectiveBitcast() const {
  return IsEffectiveBitcast(self().opcode());
}
bool InstructionProperties::IsEffectiveBitcast(HloOpcode opcode) const {
  if (opcode == HloOpcode::kBitcast) return true;
  return opcode == HloOpcode::kTranspose &&
         ShapeUtil::TransposeIsBitcast(self().operand(0)->shape(),
                                       self().shape(), self().dimensions());
}

namespace {

// Returns the instruction that has the channel of an all-reduce; null for other
// ops.
const HloInstruction* AllReduceWithChannel(const HloInstruction& hlo) {
  switch (hlo.opcode()) {
    case HloOpcode::kAllReduce:
    case HloOpcode::kAllReduceStart:
      return &hlo;
    case HloOpcode::kAllReduceDone:
      CHECK(hlo.operand_count() == 1 &&
            hlo.operand(0)->opcode() == HloOpcode::kAllReduceStart)
          << hlo.name() << " is not of an all-reduce-start";
      return hlo.operand(0);
    default:
      return nullptr;
  }
}

}  // namespace

bool InstructionProperties::IsCrossModuleAllReduce() const {
  const HloInstruction* all_reduce = AllReduceWithChannel(self());
  return all_reduce != nullptr && all_reduce->channel_id().has_value();
}
bool InstructionProperties::IsCrossReplicaAllReduce() const {
  const HloInstruction* all_reduce = AllReduceWithChannel(self());
  return all_reduce != nullptr && !all_reduce->channel_id().has_value();
}

bool InstructionProperties::IsFusible() const {
  switch (self().opcode()) {
    case HloOpcode::kDomain:
    case HloOpcode::kParameter:
    case HloOpcode::kWhile:
    case HloOpcode::kConditional:
    case HloOpcode::kCall:
      return false;
    case HloOpcode::kFusion:
    case HloOpcode::kMap:
    case HloOpcode::kReduce:
    case HloOpcode::kReduceWindow:
      return true;
    case HloOpcode::kRng:
      // A second user would see other numbers.
      return self().user_count() <= 1;
    default:
      return !self().HasSideEffect();
  }
}

bool InstructionProperties::IsAsyncInstructionWithExecutionThread(
    absl::string_view thread) const {
  return self().IsAsynchronous() && self().async_execution_thread() == thread;
}

bool InstructionProperties::MightHaveCalledComputations(HloOpcode opcode) {
  // Links of asynchronous chains name the computation of their start.
  return GetOpDef(opcode).computations.size() > 0 ||
         opcode == HloOpcode::kAsyncUpdate || opcode == HloOpcode::kAsyncDone;
}

bool InstructionProperties::IsThreadIncluded(
    absl::string_view execution_thread,
    const absl::flat_hash_set<absl::string_view>& execution_threads_set) {
  return execution_threads_set.empty() ||
         execution_threads_set.contains(execution_thread);
}

std::optional<ShapeUtil::ShapeEqualityDescriptor>
InstructionProperties::ReshapeMerelyInsertsOrDeletes1SizedDimensions() const {
  if (self().opcode() != HloOpcode::kReshape) return std::nullopt;
  return ShapeUtil::InsertedOrDeleted1SizedDimensions(
      self().operand(0)->shape(), self().shape());
}

namespace {

// The position of `output_dim` without the dimensions that a reshape inserts,
// among those of the operand without the ones that it deletes.
std::optional<int64_t> AcrossReshape(
    const ShapeUtil::ShapeEqualityDescriptor& changes, int64_t output_dim) {
  if (absl::c_linear_search(changes.inserted_dimensions, output_dim)) {
    return std::nullopt;
  }
  int64_t operand_dim =
      output_dim - absl::c_count_if(changes.inserted_dimensions,
                                    [&](int64_t d) { return d < output_dim; });
  for (const int64_t deleted : changes.deleted_dimensions) {  // ascending
    operand_dim += deleted <= operand_dim;
  }
  return operand_dim;
}

}  // namespace

std::optional<int64_t> InstructionProperties::MapUnaryOutputDimToOperandDim(
    int64_t output_dim) const {
  CHECK_EQ(self().operand_count(), 1) << self().name();
  CHECK(self().shape().IsArray() && output_dim >= 0 &&
        output_dim < self().shape().rank())
      << self().name() << " has no dimension " << output_dim;
  switch (self().opcode()) {
    case HloOpcode::kBroadcast: {
      const auto& dimensions = self().dimensions();
      const auto it = absl::c_find(dimensions, output_dim);
      if (it == dimensions.end()) return std::nullopt;
      return it - dimensions.begin();
    }
    case HloOpcode::kTranspose:
      return self().dimensions()[output_dim];
    case HloOpcode::kReshape: {
      const auto changes = ReshapeMerelyInsertsOrDeletes1SizedDimensions();
      if (!changes.has_value()) return std::nullopt;
      return AcrossReshape(*changes, output_dim);
    }
    default:
      if (!self().IsElementwise()) return std::nullopt;
      return output_dim;
  }
}

bool IsUnaryOpWithResultAccuracy(HloOpcode opcode) {
  return GetOpDef(opcode).attrs == AttrsOf<AccuracyAttrs>();
}

// Text -----------------------------------------------------------------------

std::string InstructionProperties::ToShortString() const {
  return absl::StrCat(
      "%", self().name(), " = ", HloOpcodeString(self().opcode()), "(",
      absl::StrJoin(self().operands(), ", ",
                    [](std::string* out, const HloInstruction* operand) {
                      absl::StrAppend(out, "%", operand->name());
                    }),
      ")");
}

std::string InstructionProperties::SignatureString() const {
  return absl::StrCat(
      "(",
      absl::StrJoin(self().operands(), ", ",
                    [](std::string* out, const HloInstruction* operand) {
                      out->append(ShapeUtil::HumanString(operand->shape()));
                    }),
      ") -> ", ShapeUtil::HumanString(self().shape()));
}

namespace {

std::string FusionCategory(FusionKind kind) {
  switch (kind) {
    case FusionKind::kLoop:
      return "loop fusion";
    case FusionKind::kInput:
      return "input fusion";
    case FusionKind::kOutput:
      return "output fusion";
    case FusionKind::kCustom:
      break;
  }
  return "custom fusion";
}

std::string ConvolutionCategory(const Window& window) {
  const auto any = [&](auto dilation) {
    return absl::c_any_of(window.dimensions(), [&](const WindowDimension& d) {
      return (d.*dilation)() != 1;
    });
  };
  return absl::StrCat(
      "convolution",
      any(&WindowDimension::base_dilation) ? " base-dilated" : "",
      any(&WindowDimension::window_dilation) ? " window-dilated" : "");
}

}  // namespace

std::string InstructionProperties::ToCategory() const {
  switch (self().opcode()) {
    case HloOpcode::kFusion:
      return FusionCategory(self().fusion_kind());
    case HloOpcode::kConvolution:
      return ConvolutionCategory(self().window());
    case HloOpcode::kTranspose:
    case HloOpcode::kCopy:
    case HloOpcode::kReshape:
    case HloOpcode::kDynamicReshape:
      return "data formatting";
    default:
      break;
  }
  if (self().IsElementwiseOp()) return "non-fusion elementwise";
  return std::string(HloOpcodeString(self().opcode()));
}

// Names ----------------------------------------------------------------------

void InstructionProperties::SetAndSanitizeName(absl::string_view name) {
  self().SetName(NameUniquer::GetSanitizedName(name));
}
void InstructionProperties::UniquifyName(NameUniquer* name_uniquer) {
  self().SetName(name_uniquer->GetUniqueName(self().name()));
}
void InstructionProperties::UniquifyName(HloModule* module) {
  UniquifyName(&module->instruction_name_uniquer());
}

}  // namespace xla
