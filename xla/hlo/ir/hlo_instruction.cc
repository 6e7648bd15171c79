// Creation of instructions, and edges between them.
#include "xla/hlo/ir/hlo_instruction.h"

#include <algorithm>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/container/flat_hash_set.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "google/protobuf/util/json_util.h"
#include "google/protobuf/util/message_differencer.h"
#include "xla/base/status_macros.h"
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
  std::unique_ptr<HloInstruction> instruction =
      NewInstructionOfClass(opcode, std::move(shape), std::move(attrs));
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

void HloInstruction::RemoveOperandAt(int64_t i) {
  HloInstruction* operand = operands_[i];
  operands_.erase(operands_.begin() + i);
  if (!IsUserOf(operand)) operand->RemoveUser(this);
}

HloInstruction* HloInstruction::AddInstruction(
    std::unique_ptr<HloInstruction> derived) {
  HloInstruction* added = parent_->AddInstruction(std::move(derived));
  SetupDerivedInstruction(added);
  return added;
}

void HloInstruction::SetupDerivedInstruction(
    HloInstruction* derived_instruction) const {
  if (has_sharding() && !derived_instruction->has_sharding() &&
      ShapeUtil::CompatibleKind(shape_, derived_instruction->shape())) {
    derived_instruction->set_sharding(sharding());
  }
  if (derived_instruction->metadata().ByteSizeLong() == 0 &&
      metadata().ByteSizeLong() > 0) {
    derived_instruction->set_metadata(metadata());
  }
  for (const auto& [key, value] : frontend_attributes().map()) {
    derived_instruction->add_frontend_attribute(key, value);
  }
}

absl::Status HloInstruction::ReplaceOperandWith(int64_t i,
                                                HloInstruction* new_operand) {
  HloInstruction* old_operand = operands_[i];
  if (!ShapeUtil::Compatible(old_operand->shape(), new_operand->shape())) {
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

absl::Status HloInstruction::ReplaceUseWithDifferentShape(
    HloInstruction* user, HloInstruction* new_producer) {
  for (int64_t i : user->OperandIndices(this)) {
    TF_RETURN_IF_ERROR(user->ReplaceOperandWithDifferentShape(i, new_producer));
  }
  return absl::OkStatus();
}

absl::Status HloInstruction::ReplaceUsesWith(
    absl::Span<HloInstruction* const> users, HloInstruction* new_producer) {
  for (HloInstruction* user : std::vector(users.begin(), users.end())) {
    TF_RETURN_IF_ERROR(ReplaceUseWith(user, new_producer));
  }
  return absl::OkStatus();
}

absl::Status HloInstruction::ReplaceAllUsesWith(HloInstruction* new_producer,
                                                absl::string_view trigger) {
  if (!ShapeUtil::Compatible(shape_, new_producer->shape())) {
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
    Shape shape, absl::Span<HloInstruction* const> new_operands,
    HloCloneContext* context) const {
  auto clone =
      Create(opcode_, std::move(shape), new_operands, attrs_, computations_);
  if (context != nullptr) {
    for (HloComputation*& called : clone->computations_) {
      called = context->ComputationFor(called);
    }
    context->MapInstruction(this, clone.get());
  }
  clone->SetName(name_);
  clone->CopyAnnotationsFrom(*this);
  return clone;
}

std::unique_ptr<HloInstruction> HloInstruction::CloneWithNewShape(
    const Shape& shape, const std::string& suffix,
    HloCloneContext* context) const {
  auto clone = CloneWithNewOperands(shape, operands_, context);
  if (!suffix.empty()) clone->SetName(CloneName(name_, suffix));
  return clone;
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

bool HloInstruction::Identical(const HloInstruction& other) const {
  return IdenticalUnder(
      other,
      [](const HloInstruction* a, const HloInstruction* b) { return a == b; },
      [](const HloComputation* a, const HloComputation* b) {
        return a == b || a->Equal(*b);
      });
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

bool HloInstruction::ReusesOperandElements(int64_t i) const {
  if (opcode_ == HloOpcode::kFusion) {
    return !IsElementwiseOnOperand(i) &&
           absl::c_any_of(
               fused_instructions(), [](const HloInstruction* inner) {
                 for (int64_t j = 0; j < inner->operand_count(); ++j) {
                   if (inner->ReusesOperandElements(j)) return true;
                 }
                 return false;
               });
  }
  const HloInstruction* operand = operands_[i];
  if (IsElementwise()) {
    // A scalar beside arrays is read for each element.
    return ShapeUtil::IsScalar(operand->shape()) &&
           !ShapeUtil::IsScalar(shape_);
  }
  switch (opcode_) {
    case HloOpcode::kBitcast:
    case HloOpcode::kConcatenate:
    case HloOpcode::kGetTupleElement:
    case HloOpcode::kReshape:
    case HloOpcode::kReverse:
    case HloOpcode::kSlice:
    case HloOpcode::kTranspose:
    case HloOpcode::kTuple:
    case HloOpcode::kSort:
      return false;
    case HloOpcode::kBroadcast:
      return ShapeUtil::ElementsIn(shape_) !=
             ShapeUtil::ElementsIn(operand->shape());
    case HloOpcode::kPad:
    case HloOpcode::kReduce:
      // The padding and the initial value are read over and over.
      return ShapeUtil::IsScalar(operand->shape()) &&
             !ShapeUtil::IsScalar(operands_[0]->shape());
    default:
      return true;
  }
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
bool HloInstruction::has_frontend_attributes() const {
  return !frontend_attributes().map().empty();
}
std::optional<std::string> HloInstruction::get_frontend_attribute(
    absl::string_view key) const {
  const auto& map = frontend_attributes().map();
  const auto it = map.find(std::string(key));
  if (it == map.end()) return std::nullopt;
  return it->second;
}
void HloInstruction::set_frontend_attribute(absl::string_view key,
                                            absl::string_view value) {
  (*mutable_annotations().frontend_attributes.mutable_map())[std::string(key)] =
      std::string(value);
}
bool HloInstruction::add_frontend_attribute(const std::string& key,
                                            const std::string& value) {
  if (get_frontend_attribute(key).has_value()) return false;
  set_frontend_attribute(key, value);
  return true;
}
absl::Status HloInstruction::GetBackendConfigInternal(
    google::protobuf::Message* proto) const {
  proto->Clear();
  const std::string& text = raw_backend_config_string();
  if (text.empty()) return absl::OkStatus();
  const auto status = google::protobuf::util::JsonStringToMessage(text, proto);
  if (status.ok()) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat(name_, ": the backend config is no ", proto->GetTypeName(),
                   ": ", std::string(status.message())));
}
absl::Status HloInstruction::set_backend_config(
    const google::protobuf::Message& proto) {
  google::protobuf::util::JsonPrintOptions options;
  options.preserve_proto_field_names = true;
  std::string text;
  const auto status =
      google::protobuf::util::MessageToJsonString(proto, &text, options);
  if (!status.ok()) {
    return absl::InternalError(
        absl::StrCat(name_, ": ", std::string(status.message())));
  }
  set_raw_backend_config_string(text == "{}" ? "" : std::move(text));
  return absl::OkStatus();
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
