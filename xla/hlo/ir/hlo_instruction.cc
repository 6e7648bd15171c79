// Creation of instructions, and edges between them.
#include "xla/hlo/ir/hlo_instruction.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "google/protobuf/util/message_differencer.h"
#include "xla/base/status_macros.h"
#include "xla/core/primitive_util.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/ir/hlo_clone_context.h"
#include "xla/hlo/ir/hlo_computation.h"
#include "xla/hlo/ir/hlo_instructions.h"
#include "xla/hlo/ir/hlo_module.h"
#include "xla/hlo/ir/infer_instruction.h"
#include "xla/hlo/ops/control_flow.h"
#include "xla/hlo/ops/movement/reshape.h"
#include "xla/hlo/ops/values.h"

namespace xla {

namespace {

// Returns "name.suffix", or "name.suffix2" for a clone of a clone.
std::string CloneName(const std::string& name, const std::string& suffix) {
  const std::string dotted = absl::StrCat(".", suffix);
  const size_t at = name.rfind(dotted);
  if (at == std::string::npos) return absl::StrCat(name, dotted);
  const absl::string_view rest =
      absl::string_view(name).substr(at + dotted.size());
  if (rest.empty()) return absl::StrCat(name, "2");
  int64_t number;
  if (absl::SimpleAtoi(rest, &number)) {
    return absl::StrCat(name.substr(0, at), dotted, number + 1);
  }
  return absl::StrCat(name, dotted);
}

}  // namespace

HloInstruction::HloInstruction(Key key, HloOpcode opcode, Shape shape,
                               Attrs attrs)
    : opcode_(opcode), shape_(std::move(shape)), attrs_(std::move(attrs)) {}

HloInstruction::~HloInstruction() {
  if (parent_ == nullptr) DetachFromOperandsAndUsers();
}

void HloInstruction::DetachFromOperands() {
  for (HloInstruction* operand : operands_) {
    if (operand != nullptr) operand->users_.Remove(this);
  }
  operands_.clear();
}

void HloInstruction::DetachFromOperandsAndUsers() {
  DetachFromOperands();
  for (HloInstruction* user : users_.Take()) {
    std::replace(user->operands_.begin(), user->operands_.end(), this,
                 static_cast<HloInstruction*>(nullptr));
  }
}

std::unique_ptr<HloInstruction> HloInstruction::Create(
    HloOpcode opcode, Shape shape, absl::Span<HloInstruction* const> operands,
    Attrs attrs, absl::Span<HloComputation* const> computations) {
  const OpDef& def = GetOpDef(opcode);
  if (attrs.get() == nullptr && def.attrs != &kNoAttrsDef) {
    attrs = Attrs(def.attrs);
  }
  CHECK(attrs.def() == def.attrs)
      << HloOpcodeString(opcode) << ": attributes of another op";
  std::unique_ptr<HloInstruction> instruction =
      NewInstructionOfClass(opcode, std::move(shape), std::move(attrs));
  instruction->name_ = std::string(HloOpcodeString(opcode));
  instruction->AppendOperands(operands);
  instruction->computations_.assign(computations.begin(), computations.end());
  return instruction;
}

absl::StatusOr<std::unique_ptr<HloInstruction>> HloInstruction::Infer(
    HloOpcode opcode, absl::Span<HloInstruction* const> operands, Attrs attrs,
    absl::Span<HloComputation* const> computations, const Shape* declared) {
  const OpDef& def = GetOpDef(opcode);
  if (attrs.get() == nullptr && def.attrs != &kNoAttrsDef) {
    attrs = Attrs(def.attrs);
  }
  TF_ASSIGN_OR_RETURN(Shape shape, InferInstruction(def, operands, computations,
                                                    declared, attrs));
  return Create(opcode, std::move(shape), operands, std::move(attrs),
                computations);
}

HloModule* HloInstruction::GetModule() const {
  return parent_ == nullptr ? nullptr : parent_->parent();
}

bool HloInstruction::IsRoot() const {
  return parent_ != nullptr && parent_->root_instruction() == this;
}

bool HloInstruction::IsUserOf(const HloInstruction* instruction) const {
  return std::find(operands_.begin(), operands_.end(), instruction) !=
         operands_.end();
}

int64_t HloInstruction::operand_index(const HloInstruction* operand) const {
  const auto it = std::find(operands_.begin(), operands_.end(), operand);
  CHECK(it != operands_.end())
      << operand->name() << " is no operand of " << name_;
  return it - operands_.begin();
}

std::vector<int64_t> HloInstruction::OperandIndices(
    const HloInstruction* operand) const {
  std::vector<int64_t> indices;
  for (int64_t i = 0; i < operand_count(); ++i) {
    if (operands_[i] == operand) indices.push_back(i);
  }
  return indices;
}

HloInstruction::InstructionVector HloInstruction::unique_operands() const {
  InstructionVector unique;
  absl::flat_hash_set<const HloInstruction*> seen;
  for (HloInstruction* operand : operands_) {
    if (seen.insert(operand).second) unique.push_back(operand);
  }
  return unique;
}

// Users and operands ---------------------------------------------------------

void HloInstruction::AppendOperand(HloInstruction* operand) {
  operands_.push_back(operand);
  operand->users_.Add(this);
}

void HloInstruction::AppendOperands(
    absl::Span<HloInstruction* const> operands) {
  operands_.reserve(operands_.size() + operands.size());
  for (HloInstruction* operand : operands) AppendOperand(operand);
}

void HloInstruction::RemoveOperandAt(int64_t i) {
  HloInstruction* operand = operands_[i];
  operands_.erase(operands_.begin() + i);
  if (!IsUserOf(operand)) operand->users_.Remove(this);
}

HloInstruction* HloInstruction::AddInstruction(
    std::unique_ptr<HloInstruction> derived, absl::string_view new_name) {
  HloInstruction* added = parent_->AddInstruction(std::move(derived), new_name);
  const bool had_sharding = added->has_sharding();
  SetupDerivedInstruction(added);
  // The dimensions of these are others.
  if (!had_sharding && (added->opcode() == HloOpcode::kReshape ||
                        added->opcode() == HloOpcode::kTranspose)) {
    added->clear_sharding();
  }
  return added;
}

void HloInstruction::SetupDerivedInstruction(
    HloInstruction* derived_instruction) const {
  if (!ShapeUtil::CompatibleKind(shape_, derived_instruction->shape())) {
    derived_instruction->clear_sharding();
  } else if (has_sharding() && !derived_instruction->has_sharding()) {
    derived_instruction->copy_sharding(this);
  }
  if (derived_instruction->metadata().ByteSizeLong() == 0 &&
      metadata().ByteSizeLong() > 0) {
    derived_instruction->set_metadata(metadata());
  }
  for (const auto& [key, value] : frontend_attributes().map()) {
    // Where this runs is no matter of what is made for it.
    if (key == "_xla_compute_type") continue;
    derived_instruction->add_frontend_attribute(key, value);
  }
  if (opcode_ == derived_instruction->opcode() &&
      derived_instruction->raw_backend_config_string().empty()) {
    derived_instruction->CopyBackendConfigFrom(this);
  }
}

absl::Status HloInstruction::ReplaceOperandWith(int64_t i,
                                                HloInstruction* new_operand) {
  HloInstruction* old_operand = operands_[i];
  if (!ShapeUtil::CompatibleIgnoringFpPrecision(old_operand->shape(),
                                                new_operand->shape())) {
    return absl::InvalidArgumentError(absl::StrCat(
        name_, ": operand ", i, " of shape ",
        ShapeUtil::HumanString(old_operand->shape()), " cannot be replaced by ",
        new_operand->name(), " of shape ",
        ShapeUtil::HumanString(new_operand->shape())));
  }
  return ReplaceOperandWithDifferentShape(i, new_operand);
}

absl::Status HloInstruction::ReplaceOperandWithDifferentShape(
    int64_t i, HloInstruction* new_operand) {
  HloInstruction* old_operand = operands_[i];
  if (old_operand == new_operand) return absl::OkStatus();
  operands_[i] = new_operand;
  if (!IsUserOf(old_operand)) old_operand->users_.Remove(this);
  new_operand->users_.Add(this);
  return absl::OkStatus();
}

namespace {

absl::Status CheckUse(const HloInstruction& value, const HloInstruction& user,
                      int operand_number) {
  if (operand_number >= 0 && operand_number < user.operand_count() &&
      user.operand(operand_number) == &value) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(absl::StrCat(
      value.name(), " is not operand ", operand_number, " of ", user.name()));
}

}  // namespace

absl::Status HloInstruction::ReplaceUseWith(HloInstruction* user,
                                            HloInstruction* new_producer) {
  for (int64_t i = 0; i < user->operand_count(); ++i) {
    if (user->operand(i) == this) {
      TF_RETURN_IF_ERROR(user->ReplaceOperandWith(i, new_producer));
    }
  }
  return user->DeduplicateFusionOperands();
}

absl::Status HloInstruction::ReplaceUseWithDifferentShape(
    HloInstruction* user, HloInstruction* new_producer) {
  for (int64_t i : user->OperandIndices(this)) {
    TF_RETURN_IF_ERROR(user->ReplaceOperandWithDifferentShape(i, new_producer));
  }
  return user->DeduplicateFusionOperands();
}

absl::Status HloInstruction::ReplaceUseWith(HloInstruction* user,
                                            int operand_number,
                                            HloInstruction* new_producer) {
  TF_RETURN_IF_ERROR(CheckUse(*this, *user, operand_number));
  return user->ReplaceOperandWith(operand_number, new_producer);
}

absl::Status HloInstruction::ReplaceUseWithDifferentShape(
    HloInstruction* user, int operand_number, HloInstruction* new_producer) {
  TF_RETURN_IF_ERROR(CheckUse(*this, *user, operand_number));
  return user->ReplaceOperandWithDifferentShape(operand_number, new_producer);
}

absl::Status HloInstruction::ReplaceUsesWith(
    absl::Span<HloInstruction* const> users, HloInstruction* new_producer) {
  for (HloInstruction* user : std::vector(users.begin(), users.end())) {
    TF_RETURN_IF_ERROR(ReplaceUseWith(user, new_producer));
  }
  if (IsRoot()) {
    parent_->set_root_instruction(new_producer,
                                  /*accept_different_shape=*/true);
  }
  return absl::OkStatus();
}

absl::Status HloInstruction::ReplaceAllUsesWithDifferentShape(
    absl::Span<HloInstruction* const> users, HloInstruction* new_producer) {
  for (HloInstruction* user : std::vector(users.begin(), users.end())) {
    TF_RETURN_IF_ERROR(ReplaceUseWithDifferentShape(user, new_producer));
  }
  if (IsRoot()) {
    parent_->set_root_instruction(new_producer,
                                  /*accept_different_shape=*/true);
  }
  return absl::OkStatus();
}

absl::Status HloInstruction::ReplaceAllUsesWith(HloInstruction* new_producer,
                                                absl::string_view trigger) {
  if (!ShapeUtil::CompatibleIgnoringFpPrecision(shape_,
                                                new_producer->shape())) {
    return absl::InvalidArgumentError(absl::StrCat(
        name_, " of shape ", ShapeUtil::HumanString(shape_),
        " cannot be replaced by ", new_producer->name(), " of shape ",
        ShapeUtil::HumanString(new_producer->shape())));
  }
  return ReplaceAllUsesWithDifferentShape(new_producer);
}

absl::Status HloInstruction::ReplaceAllUsesWithDifferentShape(
    HloInstruction* new_producer) {
  if (new_producer == this) return absl::OkStatus();
  for (HloInstruction* user : users_.Take()) {
    // The replacement may use the instruction that it replaces.
    if (user == new_producer) {
      users_.Add(user);
      continue;
    }
    std::replace(user->operands_.begin(), user->operands_.end(), this,
                 new_producer);
    new_producer->users_.Add(user);
    TF_RETURN_IF_ERROR(user->DeduplicateFusionOperands());
  }
  if (IsRoot()) {
    parent_->set_root_instruction(new_producer,
                                  /*accept_different_shape=*/true);
  }
  return absl::OkStatus();
}

// Copies ---------------------------------------------------------------------

namespace {

// Whether an instruction of the op is the only caller of what it calls.
bool OwnsCalledComputations(HloOpcode opcode) {
  return opcode == HloOpcode::kFusion || opcode == HloOpcode::kCustomCall ||
         opcode == HloOpcode::kAsyncStart;
}

// Adds copies of `called`, and of what is owned from there, to the module of
// the context, which records them, and returns that of `called`.
HloComputation* CopyOwned(HloComputation* called, HloCloneContext& context) {
  std::vector<std::pair<HloComputation*, bool>> pending = {{called, false}};
  while (!pending.empty()) {
    const auto [next, callees_done] = pending.back();
    if (callees_done) {
      pending.pop_back();
      context.module()->AddEmbeddedComputation(next->Clone("clone", &context));
    } else if (context.FindComputation(next) != nullptr) {
      pending.pop_back();
    } else {
      pending.back().second = true;
      // Until it has a copy; one that calls itself, which only a malformed
      // module has, goes on to do so.
      context.MapComputation(next, next);
      for (const HloInstruction* hlo : next->instructions()) {
        if (!OwnsCalledComputations(hlo->opcode())) continue;
        for (HloComputation* callee : hlo->called_computations()) {
          pending.push_back({callee, false});
        }
      }
    }
  }
  return context.GetComputation(called);
}

}  // namespace

std::unique_ptr<HloInstruction> HloInstruction::CloneWithNewOperands(
    Shape shape, absl::Span<HloInstruction* const> new_operands,
    HloCloneContext* context) const {
  auto clone =
      Create(opcode_, std::move(shape), new_operands, attrs_, computations_);
  const bool owns = OwnsCalledComputations(opcode_);
  std::optional<HloCloneContext> own_context;
  HloCloneContext* calls = context;
  if (calls == nullptr && owns && has_called_computations()) {
    // One that is in no module yet may call computations that are in one.
    HloModule* module =
        GetModule() != nullptr ? GetModule() : computations_[0]->parent();
    if (module != nullptr) calls = &own_context.emplace(module);
  }
  if (calls != nullptr) {
    for (HloComputation*& called : clone->computations_) {
      called = owns && calls->module() != nullptr
                   ? CopyOwned(called, *calls)
                   : calls->ComputationFor(called);
    }
  }
  if (context != nullptr) context->MapInstruction(this, clone.get());
  clone->SetName(name_);
  clone->CopyAnnotationsFrom(*this);
  if (!ShapeUtil::CompatibleKind(shape_, clone->shape())) {
    clone->clear_sharding();
  }
  return clone;
}

std::unique_ptr<HloInstruction> HloInstruction::CloneWithNewOperands(
    Shape shape, absl::Span<HloInstruction* const> new_operands,
    const std::string& suffix, HloCloneContext* context) const {
  auto clone = CloneWithNewOperands(std::move(shape), new_operands, context);
  if (!suffix.empty()) clone->SetName(CloneName(name_, suffix));
  return clone;
}

std::unique_ptr<HloInstruction> HloInstruction::CloneWithNewShape(
    const Shape& shape, const std::string& suffix,
    HloCloneContext* context) const {
  return CloneWithNewOperands(shape, operands_, suffix, context);
}

std::unique_ptr<HloInstruction> HloInstruction::Clone(
    const std::string& suffix, HloCloneContext* context) const {
  return CloneWithNewShape(shape_, suffix, context);
}

bool HloInstruction::SameConfig(const HloInstruction& other) const {
  if (raw_backend_config_string() != other.raw_backend_config_string()) {
    return false;
  }
  return opcode_ != HloOpcode::kCustomCall ||
         google::protobuf::util::MessageDifferencer::Equals(
             frontend_attributes(), other.frontend_attributes());
}

bool HloPtrComparator::operator()(const HloInstruction* const& lhs,
                                  const HloInstruction* const& rhs) const {
  if (lhs == nullptr || rhs == nullptr) {
    return lhs != nullptr && rhs == nullptr;
  }
  const HloModule* lhs_module = lhs->GetModule();
  const HloModule* rhs_module = rhs->GetModule();
  CHECK_EQ(lhs_module == nullptr, rhs_module == nullptr)
      << lhs->name() << " and " << rhs->name();
  if (lhs_module != nullptr &&
      lhs_module->unique_id() != rhs_module->unique_id()) {
    return lhs_module->unique_id() < rhs_module->unique_id();
  }
  return lhs->unique_id() < rhs->unique_id();
}

// Elements -------------------------------------------------------------------

namespace {

// Whether a map is over all dimensions of its result, in their order.
bool MapsElements(const HloInstruction& map) {
  const absl::Span<const int64_t> dimensions = map.dimensions();
  if (dimensions.empty()) return true;
  if (static_cast<int64_t>(dimensions.size()) != map.shape().rank()) {
    return false;
  }
  for (size_t i = 0; i < dimensions.size(); ++i) {
    if (dimensions[i] != static_cast<int64_t>(i)) return false;
  }
  return true;
}

// IsElementwise of what is no fusion.
bool ComputesElementsAlone(const HloInstruction& hlo) {
  switch (hlo.opcode()) {
    case HloOpcode::kConstant:
    case HloOpcode::kIota:
    case HloOpcode::kRng:
      return true;
    case HloOpcode::kMap:
      return MapsElements(hlo);
    case HloOpcode::kBitcastConvert:
      return primitive_util::BitWidth(hlo.shape().element_type()) ==
             primitive_util::BitWidth(hlo.operand(0)->shape().element_type());
    default:
      return hlo.IsElementwiseOp();
  }
}

}  // namespace

bool HloInstruction::IsElementwise() const {
  std::vector<const HloInstruction*> pending = {this};
  absl::flat_hash_set<const HloComputation*> seen;
  while (!pending.empty()) {
    const HloInstruction* next = pending.back();
    pending.pop_back();
    if (next->opcode() != HloOpcode::kFusion) {
      if (!ComputesElementsAlone(*next)) return false;
      continue;
    }
    if (!seen.insert(next->fused_instructions_computation()).second) continue;
    for (const HloInstruction* inner : next->fused_instructions()) {
      if (inner->opcode() != HloOpcode::kParameter) pending.push_back(inner);
    }
  }
  return true;
}

bool HloInstruction::IsElementwiseOnOperand(int64_t operand_idx) const {
  if (opcode_ == HloOpcode::kFusion) {
    // All paths from the parameter to the root are element-wise.
    std::vector<const HloInstruction*> pending = {fused_parameter(operand_idx)};
    absl::flat_hash_set<const HloInstruction*> seen;
    while (!pending.empty()) {
      const HloInstruction* value = pending.back();
      pending.pop_back();
      for (const HloInstruction* user : value->users()) {
        if (!seen.insert(user).second) continue;
        for (int64_t i : user->OperandIndices(value)) {
          if (!user->IsElementwiseOnOperand(i)) return false;
        }
        pending.push_back(user);
      }
    }
    return true;
  }
  // Updates in place change some elements of the operand and keep the others.
  return IsElementwise() ||
         (opcode_ == HloOpcode::kDynamicUpdateSlice && operand_idx == 0);
}

namespace {

// How the elements of a result use those of an operand: each once and at its
// own place, each once but elsewhere, or some several times.
enum class ElementUse { kNone, kSamePlace, kMoved, kReused };

// The use of a value by a result; if it is moved, where it was moved last.
struct OperandUse {
  ElementUse kind = ElementUse::kNone;
  const HloInstruction* mover = nullptr;
  int64_t mover_operand = 0;

  bool operator==(const OperandUse& other) const = default;
};

// The use of a value by a result that reads it in two ways.
OperandUse Both(const OperandUse& a, const OperandUse& b) {
  if (a.kind == ElementUse::kNone) return b;
  if (b.kind == ElementUse::kNone) return a;
  // What is read at its place and elsewhere, or at two others, is read twice
  // for the same element of the result; what one instruction moved is not.
  return a == b ? a : OperandUse{ElementUse::kReused};
}

// The use of a value by `hlo`, whose operand i uses it as `inner` says and is
// used as `outer` says.
OperandUse Through(const OperandUse& inner, ElementUse outer,
                   const HloInstruction& hlo, int64_t i) {
  if (inner.kind == ElementUse::kNone || outer == ElementUse::kSamePlace) {
    return inner;
  }
  if (outer == ElementUse::kNone) return {};
  if (outer == ElementUse::kMoved && inner.kind != ElementUse::kReused) {
    return {outer, &hlo, i};
  }
  return {std::max(inner.kind, outer)};
}

ElementUse UseOfOperand(const HloInstruction& hlo, int64_t i) {
  const HloInstruction* operand = hlo.operand(i);
  switch (hlo.opcode()) {
    case HloOpcode::kBitcast:
    case HloOpcode::kConcatenate:
    case HloOpcode::kReshape:
    case HloOpcode::kReverse:
    case HloOpcode::kSlice:
    case HloOpcode::kSort:
    case HloOpcode::kTranspose:
      return ElementUse::kMoved;
    case HloOpcode::kGetTupleElement:
    case HloOpcode::kTuple:
      return ElementUse::kSamePlace;
    case HloOpcode::kBroadcast:
      return ShapeUtil::ElementsIn(hlo.shape()) ==
                     ShapeUtil::ElementsIn(operand->shape())
                 ? ElementUse::kMoved
                 : ElementUse::kReused;
    // The padding and the initial value are read over and over.
    case HloOpcode::kPad:
      return i > 0 ? ElementUse::kReused : ElementUse::kMoved;
    case HloOpcode::kReduce:
      return i >= hlo.operand_count() / 2 ? ElementUse::kReused
                                          : ElementUse::kMoved;
    case HloOpcode::kDynamicUpdateSlice:
      return i > 1 ? ElementUse::kReused : ElementUse::kSamePlace;
    case HloOpcode::kGather:
      return i == 0 ? ElementUse::kMoved : ElementUse::kSamePlace;
    case HloOpcode::kDot:
      // The matrix of a product with a vector.
      return hlo.shape().rank() <= 1 && hlo.operand(1 - i)->shape().rank() <= 1
                 ? ElementUse::kSamePlace
                 : ElementUse::kReused;
    default:
      // A scalar beside arrays is read for each element.
      return !ComputesElementsAlone(hlo) ||
                     (ShapeUtil::IsScalar(operand->shape()) &&
                      !ShapeUtil::IsScalar(hlo.shape()))
                 ? ElementUse::kReused
                 : ElementUse::kSamePlace;
  }
}

// Recurses on the depth of fusions only.
ElementUse UseOf(const HloInstruction& hlo, int64_t i) {
  if (hlo.opcode() != HloOpcode::kFusion) return UseOfOperand(hlo, i);
  // How each instruction uses the parameter; those without an entry do not.
  absl::flat_hash_map<const HloInstruction*, OperandUse> uses;
  uses[hlo.fused_parameter(i)] = {ElementUse::kSamePlace};
  for (const HloInstruction* inner :
       hlo.fused_instructions_computation()->MakeInstructionPostOrder()) {
    for (int64_t j = 0; j < inner->operand_count(); ++j) {
      const auto it = uses.find(inner->operand(j));
      if (it == uses.end()) continue;
      const OperandUse use = Through(it->second, UseOf(*inner, j), *inner, j);
      OperandUse& all = uses[inner];
      all = Both(all, use);
    }
  }
  return uses[hlo.fused_expression_root()].kind;
}

}  // namespace

bool HloInstruction::ReusesOperandElements(int64_t i) const {
  return UseOf(*this, i) == ElementUse::kReused;
}

// Side effects ---------------------------------------------------------------

bool HloInstruction::HasSideEffectNoRecurse() const {
  if (opcode_ == HloOpcode::kCustomCall) {
    return attrs<CustomCallAttrs>().custom_call_has_side_effect;
  }
  return def().side_effect;
}

bool HloInstruction::HasSideEffect() const {
  std::vector<const HloInstruction*> pending = {this};
  absl::flat_hash_set<const HloComputation*> seen;
  while (!pending.empty()) {
    const HloInstruction* next = pending.back();
    pending.pop_back();
    if (next->HasSideEffectNoRecurse()) return true;
    for (const HloComputation* computation : next->computations_) {
      if (!seen.insert(computation).second) continue;
      for (const auto& inner : computation->instructions()) {
        pending.push_back(inner);
      }
    }
  }
  return false;
}

}  // namespace xla
