// XlaBuilder: adds instructions and answers questions about them.
// builder_build.cc builds computations.
#include "xla/hlo/builder/builder.h"

#include <atomic>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "xla/base/errors.h"
#include "xla/base/logging.h"
#include "xla/base/status_macros.h"
#include "xla/core/layout_util.h"
#include "xla/core/literal/literal.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/ir/hlo_computation.h"
#include "xla/hlo/ir/hlo_instruction.h"
#include "xla/hlo/ir/hlo_module.h"
#include "xla/hlo/ir/hlo_sharding.h"
#include "xla/hlo/ops/op_def.h"
#include "xla/hlo/ops/values.h"

namespace xla {
namespace {

// The largest gap between parameter numbers, which may come out of order:
// placeholders fill a gap, so this bounds their memory.
constexpr int64_t kMaxParameterGap = 10000;

int64_t NextComputationHandle() {
  static std::atomic<int64_t> next{1};
  return next.fetch_add(1, std::memory_order_relaxed);
}

// Returns `proto` as a sharding of `shape`: of a tuple, one for each leaf.
// Errors: InvalidArgument if it does not fit the shape.
absl::StatusOr<std::shared_ptr<const HloSharding>> ShardingFor(
    const Shape& shape, const OpSharding& proto) {
  TF_ASSIGN_OR_RETURN(HloSharding sharding, HloSharding::FromProto(proto));
  sharding = sharding.NormalizeTupleSharding(shape);
  TF_RETURN_IF_ERROR(sharding.Validate(shape));
  return std::make_shared<const HloSharding>(std::move(sharding));
}

// Returns what an instruction is called before its number: the last part of the
// op's name in the client's program, "sin" of "jit(f)/sin" and "inputs_x" of
// "inputs.x", if it has one, or else `otherwise`.
std::string BaseName(const OpMetadata& metadata, absl::string_view otherwise) {
  const absl::string_view name = metadata.op_name();
  std::vector<absl::string_view> words;
  for (absl::string_view word :
       absl::StrSplit(name.substr(name.rfind('/') + 1), '.')) {
    int64_t number;
    if (!absl::SimpleAtoi(word, &number)) words.push_back(word);
  }
  std::string base = absl::StrJoin(words, "_");
  return base.empty() ? std::string(otherwise) : base;
}

}  // namespace

XlaBuilder::XlaBuilder(const std::string& computation_name)
    : name_(computation_name) {
  Reset();
}

XlaBuilder::~XlaBuilder() = default;

void XlaBuilder::Reset() {
  first_handle_ += static_cast<int64_t>(ops_.size());
  last_number_ = 0;
  ops_.clear();
  parameters_.clear();
  computations_.clear();
  by_content_.clear();
  aliases_.clear();
  donors_.clear();
  infeed_token_ = outfeed_token_ = XlaOp();
  module_ = std::make_unique<HloModule>(name_);
  computation_ =
      module_->AddEntryComputation(std::make_unique<HloComputation>(name_));
}

XlaOp XlaBuilder::ReportError(const absl::Status& error) {
  CHECK(!error.ok()) << "an error is not OK";
  absl::Status located = error;
  if (const OpMetadata& metadata = one_shot_metadata_.value_or(metadata_);
      !metadata.source_file().empty()) {
    located = absl::Status(
        error.code(),
        absl::StrCat(error.message(), "\n\nPython Code Location:\n  File: ",
                     metadata.source_file(), ":", metadata.source_line()));
    error.ForEachPayload([&](absl::string_view url, const absl::Cord& payload) {
      located.SetPayload(url, payload);
    });
  }
  if (die_immediately_on_error_) {
    LOG(FATAL) << "XlaBuilder " << name_ << ": " << located;
  }
  if (first_error_.ok()) first_error_ = std::move(located);
  return XlaOp(this);
}

XlaOp XlaBuilder::ReportErrorOrReturn(const absl::StatusOr<XlaOp>& op) {
  if (!first_error_.ok()) return XlaOp(this);
  return op.ok() ? *op : ReportError(op.status());
}

XlaOp XlaBuilder::ReportErrorOrReturn(
    absl::FunctionRef<absl::StatusOr<XlaOp>()> op_creator) {
  return ReportErrorOrReturn(op_creator());
}

absl::StatusOr<HloInstruction*> XlaBuilder::LookUp(XlaOp op) const {
  // builder_c1: an op is of the builder that uses it.
  if (op.builder_ != this) {
    return RuleError(
        "builder_c1",
        absl::StrCat("the XlaOp with handle ", op.handle_, " is built by ",
                     op.builder_ == nullptr
                         ? "no builder"
                         : absl::StrCat("builder '", op.builder_->name_, "'"),
                     ", but is trying to use it in builder '", name_, "'"));
  }
  const int64_t i = op.handle_ - first_handle_;
  // builder_c2: an op is valid and has not left with a computation.
  if (op.handle_ < 0 || i < 0 || i >= static_cast<int64_t>(ops_.size())) {
    return RuleError("builder_c2",
                     absl::StrCat("no XlaOp with handle ", op.handle_,
                                  " in builder '", name_, "'"));
  }
  return ops_[i];
}

absl::Status XlaBuilder::Annotate(HloInstruction& instruction) {
  if (one_shot_metadata_.has_value()) {
    instruction.set_metadata(*std::exchange(one_shot_metadata_, std::nullopt));
  } else if (metadata_.ByteSizeLong() > 0) {
    instruction.set_metadata(metadata_);
  }
  if (sharding_.has_value()) {
    absl::StatusOr<std::shared_ptr<const HloSharding>> sharding =
        ShardingFor(instruction.shape(), *sharding_);
    if (!sharding.ok()) {
      return AddStatus(sharding.status(),
                       HloOpcodeString(instruction.opcode()));
    }
    instruction.set_sharding(*std::move(sharding));
  }
  if (frontend_attributes_.map_size() > 0) {
    instruction.set_frontend_attributes(frontend_attributes_);
  }
  return AnnotateOrigin(instruction);
}

absl::Status XlaBuilder::AnnotateOrigin(HloInstruction& instruction) {
  if (instruction.opcode() == HloOpcode::kTuple) {
    // A tuple stands for what its elements stand for.
    instruction.set_original_value(
        OriginalValue::CreateFromInstruction(&instruction));
    return absl::OkStatus();
  }
  if (!original_value_.has_value()) return absl::OkStatus();
  std::shared_ptr<OriginalValue> value =
      OriginalValue::FromProto(*original_value_);
  if (value == nullptr) {
    return absl::InvalidArgumentError(absl::StrCat(
        "builder '", name_, "': an original value without a sound tree"));
  }
  if (instruction.opcode() == HloOpcode::kGetTupleElement &&
      !value->is_synthetic_call()) {
    const int64_t index = instruction.attrs<GetTupleElementAttrs>().index;
    if (auto part = value->tree().Subtree({index}); part.ok()) {
      value = std::make_shared<OriginalValue>(*std::move(part));
    }
  }
  instruction.set_original_value(std::move(value));
  return absl::OkStatus();
}

absl::StatusOr<XlaOp> XlaBuilder::Append(
    std::unique_ptr<HloInstruction> instruction) {
  TF_RETURN_IF_ERROR(Annotate(*instruction));
  const std::string name = absl::StrCat(
      BaseName(instruction->metadata(), HloOpcodeString(instruction->opcode())),
      ".", ++last_number_);
  ops_.push_back(computation_->AddInstruction(std::move(instruction), name));
  return XlaOp(first_handle_ + static_cast<int64_t>(ops_.size()) - 1, this);
}

absl::StatusOr<XlaOp> XlaBuilder::AddOp(
    HloOpcode opcode, absl::Span<const XlaOp> operands, Attrs attrs,
    absl::Span<const CalledComputation> computations, const Shape* declared) {
  TF_RETURN_IF_ERROR(first_error_);
  HloInstruction::InstructionVector inputs;
  for (const XlaOp& operand : operands) {
    TF_ASSIGN_OR_RETURN(inputs.emplace_back(), LookUp(operand));
  }
  std::vector<HloComputation*> called;
  for (const CalledComputation& computation : computations) {
    TF_ASSIGN_OR_RETURN(called.emplace_back(), FindComputation(computation));
  }
  Shape declared_with_layout;
  if (declared != nullptr) {
    if (absl::Status valid =
            ShapeUtil::ValidateShapeWithOptionalLayout(*declared);
        !valid.ok()) {
      return AddStatus(valid, HloOpcodeString(opcode));
    }
    declared_with_layout = *declared;
    ShapeUtil::ForEachMutableLeafShape(
        &declared_with_layout, [](Shape* leaf, const ShapeIndex&) {
          if (leaf->IsArray() && !leaf->has_layout()) {
            LayoutUtil::SetToDefaultLayout(leaf);
          }
        });
    declared = &declared_with_layout;
  }
  TF_ASSIGN_OR_RETURN(std::unique_ptr<HloInstruction> instruction,
                      HloInstruction::Infer(opcode, inputs, std::move(attrs),
                                            called, declared));
  return Append(std::move(instruction));
}

absl::StatusOr<XlaOp> XlaBuilder::AddParameter(
    int64_t number, const Shape& shape, const std::string& name,
    const std::vector<bool>& replicated) {
  TF_RETURN_IF_ERROR(first_error_);
  const int64_t known = static_cast<int64_t>(parameters_.size());
  // builder_c3: parameter numbers are small and not used twice.
  if (number < 0 || number >= known + kMaxParameterGap) {
    return RuleError("builder_c3",
                     absl::StrCat("parameter number ", number, " of ", name,
                                  " in builder '", name_, "' is out of range"));
  }
  if (number < known && parameters_[number].has_value()) {
    return RuleError("builder_c3",
                     absl::StrCat("builder '", name_, "': parameter ", number,
                                  " already registered"));
  }
  ParameterAttrs attrs{number};
  for (bool flag : replicated) {
    attrs.replication.add_replicated_at_leaf_buffers(flag);
  }
  if (number >= known) {
    // The computation takes parameters in order: tokens hold the places of
    // those still to come.
    const Shape token = ShapeUtil::MakeTokenShape();
    for (int64_t i = known; i < number; ++i) {
      computation_->AddInstruction(
          HloInstruction::CreateParameter(i, token, "parameter"));
    }
    parameters_.resize(number);
    TF_ASSIGN_OR_RETURN(XlaOp op, AddOp(HloOpcode::kParameter, {},
                                        std::move(attrs), {}, &shape));
    parameters_.push_back(name);
    HloInstruction* added = ops_.back();
    added->SetName(
        module_->UniqueInstructionName(absl::StrCat(name, ".", last_number_)));
    return op;
  }
  if (absl::Status valid = ShapeUtil::ValidateShapeWithOptionalLayout(shape);
      !valid.ok()) {
    return AddStatus(valid, absl::StrCat("parameter ", name));
  }
  HloInstruction* place = computation_->parameter_instruction(number);
  const Shape with_layout = LayoutUtil::HasLayout(shape)
                                ? shape
                                : LayoutUtil::GetWithDefaultLayout(shape);
  TF_RETURN_IF_ERROR(
      InferParameter(InferArgs{{}, {}, &with_layout}, attrs).status());
  *place->mutable_shape() = with_layout;
  place->mutable_attrs<ParameterAttrs>() = std::move(attrs);
  place->SetName(
      module_->UniqueInstructionName(absl::StrCat(name, ".", ++last_number_)));
  TF_RETURN_IF_ERROR(Annotate(*place));
  parameters_[number] = name;
  ops_.push_back(place);
  return XlaOp(first_handle_ + static_cast<int64_t>(ops_.size()) - 1, this);
}

// Computations ---------------------------------------------------------------

XlaComputationId XlaBuilder::Register(HloComputation* computation) {
  XlaComputationId id(NextComputationHandle());
  computations_[id.handle_] = computation;
  return id;
}

absl::StatusOr<HloComputation*> XlaBuilder::FindComputation(
    const CalledComputation& called) {
  if (called.computation() == nullptr) {
    const int64_t handle = called.id().handle_;
    for (XlaBuilder* b = this; b != nullptr && handle >= 0; b = b->parent_) {
      auto it = b->computations_.find(handle);
      if (it == b->computations_.end()) continue;
      if (b == this) return it->second;
      return computations_[handle] = module_->DeepCloneComputation(*it->second);
    }
    // builder_c4: a called computation is not null, and its id is known.
    return RuleError("builder_c4",
                     absl::StrCat("builder '", name_,
                                  "' has no computation with id ", handle));
  }
  const XlaComputation& computation = *called.computation();
  if (computation.IsNull()) {
    return RuleError("builder_c4", absl::StrCat("builder '", name_,
                                                "' got a null computation"));
  }
  if (computation.content_id() != 0) {
    auto it = by_content_.find(computation.content_id());
    if (it != by_content_.end()) return computations_.at(it->second.handle_);
  }
  TF_ASSIGN_OR_RETURN(std::unique_ptr<HloModule> module,
                      HloModule::CreateFromProto(computation.proto()));
  HloComputation* clone =
      module_->DeepCloneComputation(*module->entry_computation());
  XlaComputationId id = Register(clone);
  if (computation.content_id() != 0) by_content_[computation.content_id()] = id;
  return clone;
}

XlaComputationId XlaBuilder::AddSubComputation(
    const XlaComputation& computation) {
  absl::StatusOr<HloComputation*> found = FindComputation(computation);
  if (!found.ok()) {
    ReportError(found.status());
    return XlaComputationId();
  }
  return Register(*found);
}

std::unique_ptr<XlaBuilder> XlaBuilder::CreateSubBuilder(
    const std::string& computation_name) {
  auto sub = std::make_unique<XlaBuilder>(computation_name);
  sub->parent_ = this;
  sub->die_immediately_on_error_ = die_immediately_on_error_;
  return sub;
}

// Questions ------------------------------------------------------------------

absl::StatusOr<const Shape*> XlaBuilder::GetShapePtr(XlaOp op) const {
  TF_RETURN_IF_ERROR(first_error_);
  TF_ASSIGN_OR_RETURN(const HloInstruction* instruction, LookUp(op));
  return &instruction->shape();
}

absl::StatusOr<Shape> XlaBuilder::GetShape(XlaOp op) const {
  TF_ASSIGN_OR_RETURN(const Shape* shape, GetShapePtr(op));
  return *shape;
}

absl::StatusOr<std::vector<Shape>> XlaBuilder::GetOperandShapes(
    absl::Span<const XlaOp> operands) const {
  std::vector<Shape> shapes;
  shapes.reserve(operands.size());
  for (const XlaOp& operand : operands) {
    TF_ASSIGN_OR_RETURN(shapes.emplace_back(), GetShape(operand));
  }
  return shapes;
}

absl::StatusOr<std::optional<OpSharding>> XlaBuilder::GetOpSharding(
    XlaOp op) const {
  TF_ASSIGN_OR_RETURN(const HloInstruction* instruction, LookUp(op));
  std::optional<OpSharding> sharding;
  if (instruction->has_sharding()) sharding = instruction->sharding_proto();
  return sharding;
}

std::string XlaBuilder::OpToString(XlaOp op) const {
  absl::StatusOr<HloInstruction*> instruction = LookUp(op);
  return instruction.ok() ? (*instruction)->ToString()
                          : instruction.status().ToString();
}

absl::Status XlaBuilder::SetInstructionFrontendAttribute(XlaOp op,
                                                         std::string attribute,
                                                         std::string value) {
  TF_ASSIGN_OR_RETURN(HloInstruction * instruction, LookUp(op));
  FrontendAttributes attributes = instruction->frontend_attributes();
  (*attributes.mutable_map())[attribute] = std::move(value);
  instruction->set_frontend_attributes(std::move(attributes));
  return absl::OkStatus();
}

absl::Status XlaBuilder::SetInstructionSharding(
    XlaOp op, const std::optional<OpSharding>& sharding) {
  TF_ASSIGN_OR_RETURN(HloInstruction * instruction, LookUp(op));
  if (sharding.has_value()) {
    TF_ASSIGN_OR_RETURN(std::shared_ptr<const HloSharding> fitting,
                        ShardingFor(instruction->shape(), *sharding));
    instruction->set_sharding(std::move(fitting));
  } else {
    instruction->clear_sharding();
  }
  return absl::OkStatus();
}

}  // namespace xla
