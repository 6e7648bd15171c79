// Creation of instructions, and edges between them.
#include "xla/hlo/ir/hlo_instruction.h"

#include <algorithm>
#include <utility>

#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "google/protobuf/util/message_differencer.h"
#include "xla/base/status_macros.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/ir/hlo_computation.h"
#include "xla/hlo/ir/hlo_module.h"
#include "xla/hlo/ir/infer_instruction.h"
#include "xla/hlo/ops/control_flow.h"
#include "xla/hlo/ops/movement/reshape.h"
#include "xla/hlo/ops/values.h"

namespace xla {

// The parts that most instructions lack.
struct HloInstruction::Annotations {
  OpMetadata metadata;
  std::unique_ptr<OpSharding> sharding;
  FrontendAttributes frontend_attributes;
  std::string backend_config;
  StatisticsViz statistics;
  std::unique_ptr<OriginalValueProto> original_value;
  bool is_composite = false;
  std::vector<HloInstruction*> control_predecessors;
  std::vector<HloInstruction*> control_successors;
};

HloInstruction::HloInstruction(HloOpcode opcode, Shape shape, Attrs attrs)
    : opcode_(opcode), shape_(std::move(shape)), attrs_(std::move(attrs)) {}

HloInstruction::~HloInstruction() = default;

std::unique_ptr<HloInstruction> HloInstruction::Create(
    HloOpcode opcode, Shape shape, absl::Span<HloInstruction* const> operands,
    Attrs attrs, absl::Span<HloComputation* const> computations) {
  const OpDef& def = GetOpDef(opcode);
  if (attrs.get() == nullptr && def.attrs != &kNoAttrsDef) {
    attrs = Attrs(def.attrs);
  }
  CHECK(attrs.def() == def.attrs)
      << HloOpcodeString(opcode) << ": attributes of another op";
  std::unique_ptr<HloInstruction> instruction(
      new HloInstruction(opcode, std::move(shape), std::move(attrs)));
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

std::unique_ptr<HloInstruction> HloInstruction::CreateParameter(
    int64_t number, Shape shape, absl::string_view name) {
  auto instruction = Create(HloOpcode::kParameter, std::move(shape), {},
                            ParameterAttrs{number});
  instruction->SetName(name);
  return instruction;
}

std::unique_ptr<HloInstruction> HloInstruction::CreateConstant(
    Literal literal) {
  Shape shape = literal.shape();
  return Create(HloOpcode::kConstant, std::move(shape), {},
                ConstantAttrs{SharedLiteral(std::move(literal))});
}

std::unique_ptr<HloInstruction> HloInstruction::CreateTuple(
    absl::Span<HloInstruction* const> elements) {
  std::vector<Shape> shapes;
  shapes.reserve(elements.size());
  for (HloInstruction* element : elements) shapes.push_back(element->shape());
  return Create(HloOpcode::kTuple, ShapeUtil::MakeTupleShape(shapes), elements);
}

std::unique_ptr<HloInstruction> HloInstruction::CreateGetTupleElement(
    HloInstruction* operand, int64_t index) {
  return Create(HloOpcode::kGetTupleElement,
                operand->shape().tuple_shapes(index), {operand},
                GetTupleElementAttrs{index});
}

std::unique_ptr<HloInstruction> HloInstruction::CreateBroadcast(
    Shape shape, HloInstruction* operand,
    absl::Span<const int64_t> dimensions) {
  BroadcastAttrs attrs;
  attrs.dimensions.assign(dimensions.begin(), dimensions.end());
  return Create(HloOpcode::kBroadcast, std::move(shape), {operand},
                std::move(attrs));
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

int64_t HloInstruction::parameter_number() const {
  return attrs<ParameterAttrs>().number;
}
const Literal& HloInstruction::literal() const {
  const SharedLiteral& literal = attrs<ConstantAttrs>().literal;
  CHECK(literal.value != nullptr) << name_ << " has no literal";
  return *literal.value;
}
int64_t HloInstruction::tuple_index() const {
  return attrs<GetTupleElementAttrs>().index;
}

// Users and operands ---------------------------------------------------------

void HloInstruction::AddUser(HloInstruction* user) {
  // An instruction that uses this twice is added twice in a row.
  if (!users_.empty() && users_.back() == user) return;
  if (std::find(users_.begin(), users_.end(), user) == users_.end()) {
    users_.push_back(user);
  }
}

void HloInstruction::RemoveUser(HloInstruction* user) {
  auto it = std::find(users_.begin(), users_.end(), user);
  if (it != users_.end()) users_.erase(it);
}

void HloInstruction::AppendOperand(HloInstruction* operand) {
  const bool known = IsUserOf(operand);
  operands_.push_back(operand);
  // A first-time user of `operand` needs no search among its users.
  if (!known) operand->users_.push_back(this);
}

void HloInstruction::AppendOperands(
    absl::Span<HloInstruction* const> operands) {
  // Above this number of operands a set is cheaper than comparing all pairs.
  constexpr size_t kMany = 32;
  if (operands.size() < kMany || !operands_.empty()) {
    for (HloInstruction* operand : operands) AppendOperand(operand);
    return;
  }
  absl::flat_hash_set<const HloInstruction*> known;
  for (HloInstruction* operand : operands) {
    operands_.push_back(operand);
    if (known.insert(operand).second) operand->users_.push_back(this);
  }
}

absl::Status HloInstruction::ReplaceOperandWith(int64_t i,
                                                HloInstruction* new_operand) {
  HloInstruction* old_operand = operands_[i];
  if (old_operand == new_operand) return absl::OkStatus();
  if (!ShapeUtil::Compatible(old_operand->shape(), new_operand->shape())) {
    return absl::InvalidArgumentError(absl::StrCat(
        name_, ": operand ", i, " of shape ",
        ShapeUtil::HumanString(old_operand->shape()), " cannot be replaced by ",
        new_operand->name(), " of shape ",
        ShapeUtil::HumanString(new_operand->shape())));
  }
  operands_[i] = new_operand;
  if (!IsUserOf(old_operand)) old_operand->RemoveUser(this);
  new_operand->AddUser(this);
  return absl::OkStatus();
}

absl::Status HloInstruction::ReplaceUseWith(HloInstruction* user,
                                            HloInstruction* new_producer) {
  for (int64_t i = 0; i < user->operand_count(); ++i) {
    if (user->operand(i) == this) {
      TF_RETURN_IF_ERROR(user->ReplaceOperandWith(i, new_producer));
    }
  }
  return absl::OkStatus();
}

absl::Status HloInstruction::ReplaceAllUsesWith(HloInstruction* new_producer) {
  if (new_producer == this) return absl::OkStatus();
  if (!ShapeUtil::Compatible(shape_, new_producer->shape())) {
    return absl::InvalidArgumentError(absl::StrCat(
        name_, " of shape ", ShapeUtil::HumanString(shape_),
        " cannot be replaced by ", new_producer->name(), " of shape ",
        ShapeUtil::HumanString(new_producer->shape())));
  }
  std::vector<HloInstruction*> users = std::move(users_);
  users_.clear();
  for (HloInstruction* user : users) {
    // The replacement may use the instruction that it replaces.
    if (user == new_producer) {
      users_.push_back(user);
      continue;
    }
    std::replace(user->operands_.begin(), user->operands_.end(), this,
                 new_producer);
    new_producer->AddUser(user);
  }
  if (IsRoot()) parent_->set_root_instruction(new_producer);
  return absl::OkStatus();
}

std::unique_ptr<HloInstruction> HloInstruction::CloneWithNewOperands(
    Shape shape, absl::Span<HloInstruction* const> new_operands) const {
  auto clone =
      Create(opcode_, std::move(shape), new_operands, attrs_, computations_);
  clone->SetName(name_);
  clone->CopyAnnotationsFrom(*this);
  return clone;
}

bool HloInstruction::SameConfig(const HloInstruction& other) const {
  if (raw_backend_config_string() != other.raw_backend_config_string()) {
    return false;
  }
  return opcode_ != HloOpcode::kCustomCall ||
         google::protobuf::util::MessageDifferencer::Equals(
             frontend_attributes(), other.frontend_attributes());
}

bool HloInstruction::Identical(const HloInstruction& other) const {
  return IdenticalUnder(
      other,
      [](const HloInstruction* a, const HloInstruction* b) { return a == b; },
      [](const HloComputation* a, const HloComputation* b) {
        return a == b || a->Equal(*b);
      });
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
        pending.push_back(inner.get());
      }
    }
  }
  return false;
}

// Control edges --------------------------------------------------------------

namespace {

const std::vector<HloInstruction*>& NoInstructions() {
  static const auto* const kNone = new std::vector<HloInstruction*>();
  return *kNone;
}

}  // namespace

const std::vector<HloInstruction*>& HloInstruction::control_predecessors()
    const {
  return annotations_ ? annotations_->control_predecessors : NoInstructions();
}
const std::vector<HloInstruction*>& HloInstruction::control_successors() const {
  return annotations_ ? annotations_->control_successors : NoInstructions();
}
bool HloInstruction::HasControlDependencies() const {
  return !control_predecessors().empty() || !control_successors().empty();
}

absl::Status HloInstruction::AddControlDependencyTo(HloInstruction* successor) {
  if (successor->parent_ != parent_) {
    return absl::InvalidArgumentError(
        absl::StrCat("a control edge from ", name_, " to ", successor->name(),
                     " would join two computations"));
  }
  auto& successors = mutable_annotations().control_successors;
  auto& predecessors = successor->mutable_annotations().control_predecessors;
  // Both lists have the edge; search the shorter one.
  const bool known = successors.size() < predecessors.size()
                         ? std::find(successors.begin(), successors.end(),
                                     successor) != successors.end()
                         : std::find(predecessors.begin(), predecessors.end(),
                                     this) != predecessors.end();
  if (!known) {
    successors.push_back(successor);
    predecessors.push_back(this);
  }
  return absl::OkStatus();
}

absl::Status HloInstruction::RemoveControlDependencyTo(
    HloInstruction* successor) {
  auto erase = [](std::vector<HloInstruction*>& list, HloInstruction* item) {
    auto it = std::find(list.begin(), list.end(), item);
    if (it == list.end()) return false;
    list.erase(it);
    return true;
  };
  if (!erase(mutable_annotations().control_successors, successor)) {
    return absl::NotFoundError(absl::StrCat("no control edge from ", name_,
                                            " to ", successor->name()));
  }
  erase(successor->mutable_annotations().control_predecessors, this);
  return absl::OkStatus();
}

absl::Status HloInstruction::DropAllControlDeps() {
  for (HloInstruction* successor :
       std::vector<HloInstruction*>(control_successors())) {
    TF_RETURN_IF_ERROR(RemoveControlDependencyTo(successor));
  }
  for (HloInstruction* predecessor :
       std::vector<HloInstruction*>(control_predecessors())) {
    TF_RETURN_IF_ERROR(predecessor->RemoveControlDependencyTo(this));
  }
  return absl::OkStatus();
}

// Annotations ----------------------------------------------------------------

HloInstruction::Annotations& HloInstruction::mutable_annotations() {
  if (annotations_ == nullptr) annotations_ = std::make_unique<Annotations>();
  return *annotations_;
}

const OpMetadata& HloInstruction::metadata() const {
  return annotations_ ? annotations_->metadata : OpMetadata::default_instance();
}
void HloInstruction::set_metadata(OpMetadata metadata) {
  mutable_annotations().metadata = std::move(metadata);
}
bool HloInstruction::has_sharding() const {
  return annotations_ && annotations_->sharding != nullptr;
}
const OpSharding& HloInstruction::sharding() const {
  return has_sharding() ? *annotations_->sharding
                        : OpSharding::default_instance();
}
void HloInstruction::set_sharding(OpSharding sharding) {
  mutable_annotations().sharding =
      std::make_unique<OpSharding>(std::move(sharding));
}
void HloInstruction::clear_sharding() {
  if (annotations_) annotations_->sharding.reset();
}
const FrontendAttributes& HloInstruction::frontend_attributes() const {
  return annotations_ ? annotations_->frontend_attributes
                      : FrontendAttributes::default_instance();
}
void HloInstruction::set_frontend_attributes(FrontendAttributes attributes) {
  mutable_annotations().frontend_attributes = std::move(attributes);
}
const std::string& HloInstruction::raw_backend_config_string() const {
  static const auto* const kNone = new std::string();
  return annotations_ ? annotations_->backend_config : *kNone;
}
void HloInstruction::set_raw_backend_config_string(std::string config) {
  mutable_annotations().backend_config = std::move(config);
}
const StatisticsViz& HloInstruction::statistics_viz() const {
  return annotations_ ? annotations_->statistics
                      : StatisticsViz::default_instance();
}
void HloInstruction::set_statistics_viz(StatisticsViz statistics) {
  mutable_annotations().statistics = std::move(statistics);
}
const OriginalValueProto* HloInstruction::original_value() const {
  return annotations_ ? annotations_->original_value.get() : nullptr;
}
void HloInstruction::set_original_value(OriginalValueProto value) {
  mutable_annotations().original_value =
      std::make_unique<OriginalValueProto>(std::move(value));
}
bool HloInstruction::is_composite() const {
  return annotations_ && annotations_->is_composite;
}
void HloInstruction::set_is_composite(bool is_composite) {
  mutable_annotations().is_composite = is_composite;
}

void HloInstruction::CopyAnnotationsFrom(const HloInstruction& other) {
  if (other.annotations_ == nullptr) return;
  const Annotations& from = *other.annotations_;
  Annotations& to = mutable_annotations();
  to.metadata = from.metadata;
  if (from.sharding) set_sharding(*from.sharding);
  to.frontend_attributes = from.frontend_attributes;
  to.backend_config = from.backend_config;
  to.statistics = from.statistics;
  if (from.original_value) set_original_value(*from.original_value);
  to.is_composite = from.is_composite;
}

}  // namespace xla
