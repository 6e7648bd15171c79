// Builds one computation: the part of module_builder.h below the module.
#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>

#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "xla/base/status_macros.h"
#include "xla/core/primitive_util.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/attrs/codec_text.h"
#include "xla/hlo/ops/control_flow.h"
#include "xla/hlo/ops/movement/reshape.h"
#include "xla/hlo/ops/reduction/reduction.h"
#include "xla/hlo/ops/values.h"
#include "xla/hlo/parser/module_builder.h"
#include "xla/hlo/parser/written_rules.h"

namespace xla {
namespace {

// Adds the dimensions and tuple elements of `shape` to `size`. Returns its
// nesting depth; if that exceeds Shape::kMaxNesting, a number above it.
int Measure(const Shape& shape, int64_t& size, int depth = 0) {
  size += 1 + (shape.IsArray() ? shape.dimensions_size() : 0);
  if (!shape.IsTuple() || depth > Shape::kMaxNesting) return depth;
  int deepest = depth;
  for (const Shape& element : shape.tuple_shapes()) {
    deepest = std::max(deepest, Measure(element, size, depth + 1));
  }
  return deepest;
}

// Fills in the dimensions of a map that omits them: all of its operands'.
void FillMapDimensions(HloInstruction& map) {
  if (map.operand_count() == 0 || !map.operand(0)->shape().IsArray()) return;
  const Shape& shape = map.operand(0)->shape();
  auto& dimensions = map.mutable_attrs<MapAttrs>().dimensions;
  dimensions.resize(shape.dimensions_size());
  std::iota(dimensions.begin(), dimensions.end(), 0);
}

// Returns a stand-in for the shape that a product declares, which may have any
// element type: the one of its operands.
std::optional<Shape> ProductShape(const HloInstruction& hlo) {
  const Shape& lhs = hlo.operand(0)->shape();
  const Shape* rhs = &hlo.operand(1)->shape();
  if (rhs->IsTuple() && rhs->tuple_shapes_size() > 0) {
    rhs = &rhs->tuple_shapes(0);  // the values of a sparse kernel
  }
  if (!lhs.IsArray() || !rhs->IsArray()) return std::nullopt;
  return Shape(primitive_util::HigherPrecisionType(lhs.element_type(),
                                                   rhs->element_type()));
}

// Whether the text must state the shape. XLA requires that of slices too.
bool MustDeclareShape(const HloInstruction& hlo) {
  return hlo.def().declares_shape || hlo.opcode() == HloOpcode::kSlice ||
         hlo.opcode() == HloOpcode::kDynamicSlice;
}

// Returns the declared shape to infer from where the text of an op that needs
// one omits it; nullopt where the text must have it.
std::optional<Shape> ShapeToInferFrom(const HloInstruction& hlo) {
  switch (hlo.opcode()) {
    case HloOpcode::kDot:
    case HloOpcode::kRaggedDot:
    case HloOpcode::kScaledDot:
    case HloOpcode::kConvolution:
      return ProductShape(hlo);
    case HloOpcode::kBroadcast:
      // Without dimensions, it broadcasts a scalar to itself.
      if (!hlo.attrs<BroadcastAttrs>().dimensions.empty()) return std::nullopt;
      return hlo.operand(0)->shape();
    default:
      return std::nullopt;
  }
}

}  // namespace

absl::StatusOr<HloComputation*> ComputationBuilder::Build() {
  TF_RETURN_IF_ERROR(NameInstructions());
  TF_RETURN_IF_ERROR(AddInstructions());
  const int count = syntax_.instructions.size();
  for (int i = 0; i < count; ++i) TF_RETURN_IF_ERROR(Connect(i));
  for (int i = 0; i < count; ++i) TF_RETURN_IF_ERROR(AddControlEdges(i));
  if (!has_forward_uses_) {
    for (int i = 0; i < count; ++i) TF_RETURN_IF_ERROR(Finish(i));
  } else {
    TF_RETURN_IF_ERROR(CheckNoCycle());
    absl::flat_hash_map<const HloInstruction*, int> index;
    for (int i = 0; i < count; ++i) index[instructions_[i]] = i;
    for (const HloInstruction* hlo : computation_->MakeInstructionPostOrder()) {
      TF_RETURN_IF_ERROR(Finish(index.at(hlo)));
    }
  }
  if (!syntax_.operand_shapes.empty()) {
    for (int i = 0; i < count; ++i) TF_RETURN_IF_ERROR(CheckOperandShapes(i));
  }
  return computation_;
}

absl::Status ComputationBuilder::NameInstructions() {
  by_name_.reserve(syntax_.instructions.size());
  for (size_t i = 0; i < syntax_.instructions.size(); ++i) {
    const NameSyntax& name = syntax_.instructions[i].name;
    if (name.name.empty()) continue;
    if (!by_name_.emplace(name.name, i).second) {
      return scanner_.ErrorAt(
          name.position,
          absl::StrCat("instruction '", name.name, "' is defined twice"));
    }
  }
  return absl::OkStatus();
}

absl::StatusOr<std::vector<int>> ComputationBuilder::FindParameters() {
  std::vector<int> found;
  const auto number_of = [&](int i) {
    return syntax_.instructions[i].hlo->parameter_number();
  };
  for (size_t i = 0; i < syntax_.instructions.size(); ++i) {
    if (syntax_.instructions[i].hlo->opcode() == HloOpcode::kParameter) {
      found.push_back(i);
    }
  }
  std::stable_sort(found.begin(), found.end(),
                   [&](int a, int b) { return number_of(a) < number_of(b); });
  for (size_t n = 0; n < found.size(); ++n) {
    if (number_of(found[n]) == static_cast<int64_t>(n)) continue;
    const bool twice = n > 0 && number_of(found[n]) == number_of(found[n - 1]);
    return scanner_.ErrorAt(
        syntax_.instructions[found[n]].opcode_position,
        twice ? absl::StrCat("the computation has two parameters ",
                             number_of(found[n]))
              : absl::StrCat("parameter ", number_of(found[n]),
                             ", but the computation has no parameter ", n));
  }
  return found;
}

// Adds the instructions in the order of the text, parameters by number.
absl::Status ComputationBuilder::AddInstructions() {
  TF_ASSIGN_OR_RETURN(std::vector<int> parameters, FindParameters());
  auto owned = std::make_unique<HloComputation>(syntax_.name.name);
  if (!syntax_.execution_thread.empty()) {
    owned->SetExecutionThread(syntax_.execution_thread);
  }
  computation_ = syntax_.is_entry
                     ? module_.AddEntryComputation(std::move(owned))
                     : module_.AddEmbeddedComputation(std::move(owned));
  const int count = syntax_.instructions.size();
  instructions_.resize(count);
  auto add = [&](int i) {
    InstructionSyntax& instruction = syntax_.instructions[i];
    absl::string_view name = instruction.name.name;
    HloInstruction* hlo = instruction.hlo.get();
    // Parameters that stand for operands without a name have one already.
    instructions_[i] = computation_->AddInstruction(
        std::move(instruction.hlo),
        !name.empty() ? std::string(name)
        : hlo->name() != HloOpcodeString(hlo->opcode())
            ? hlo->name()
            : absl::StrCat(HloOpcodeString(hlo->opcode()), ".anon"));
    if (instruction.is_root) computation_->set_root_instruction(hlo);
  };
  const bool in_order = std::is_sorted(parameters.begin(), parameters.end());
  if (!in_order) {
    for (int i : parameters) add(i);
  }
  for (int i = 0; i < count; ++i) {
    if (instructions_[i] == nullptr) add(i);
  }
  for (int i = 0; i < count; ++i) {
    if (syntax_.instructions[i].is_root) {
      computation_->set_root_instruction(instructions_[i]);
    }
  }
  return in_order ? absl::OkStatus()
                  : computation_->SetInstructionOrder(instructions_);
}

absl::StatusOr<int> ComputationBuilder::Find(const NameSyntax& name) const {
  auto it = by_name_.find(name.name);
  if (it != by_name_.end()) return it->second;
  return scanner_.ErrorAt(
      name.position,
      absl::StrCat("no instruction '", name.name, "' in computation '",
                   syntax_.name.name, "'"));
}

absl::Status ComputationBuilder::Connect(int index) {
  InstructionSyntax& syntax = syntax_.instructions[index];
  HloInstruction& hlo = *instructions_[index];
  HloInstruction::InstructionVector operands;
  for (int i = 0; i < syntax.operand_count; ++i) {
    const OperandSyntax& operand = syntax_.operands[syntax.first_operand + i];
    int found = operand.nested;
    if (found < 0) {
      TF_ASSIGN_OR_RETURN(found, Find(operand.name));
    }
    has_forward_uses_ |= found >= index;
    operands.push_back(instructions_[found]);
  }
  hlo.AppendOperands(operands);
  const HloInstruction& main = syntax.wrapped ? *syntax.wrapped : hlo;
  const NameList& names = main.def().operands;
  if (syntax.operand_count < names.min_count() ||
      syntax.operand_count > names.max_count()) {
    return scanner_.ErrorAt(
        syntax.opcode_position,
        absl::StrCat(HloOpcodeString(main.opcode()), " takes ",
                     names.max_count() == names.min_count()     ? ""
                     : syntax.operand_count < names.min_count() ? "at least "
                                                                : "at most ",
                     syntax.operand_count < names.min_count()
                         ? names.min_count()
                         : names.max_count(),
                     " operands, got ", syntax.operand_count));
  }
  return SetComputations(syntax, syntax.wrapped ? *syntax.wrapped : hlo);
}

absl::Status ComputationBuilder::AddControlEdges(int index) {
  for (const NameSyntax& name :
       syntax_.instructions[index].control_predecessors) {
    TF_ASSIGN_OR_RETURN(int found, Find(name));
    has_forward_uses_ |= found >= index;
    TF_RETURN_IF_ERROR(
        instructions_[found]->AddControlDependencyTo(instructions_[index]));
  }
  return absl::OkStatus();
}

absl::Status ComputationBuilder::CheckNoCycle() {
  const std::vector<HloInstruction*> order =
      computation_->MakeInstructionPostOrder();
  if (order.size() == instructions_.size()) return absl::OkStatus();
  const absl::flat_hash_set<const HloInstruction*> done(order.begin(),
                                                        order.end());
  for (size_t i = 0; i < instructions_.size(); ++i) {
    if (done.contains(instructions_[i])) continue;
    return scanner_.ErrorAt(
        syntax_.instructions[i].name.position,
        absl::StrCat("instruction '", syntax_.instructions[i].name.name,
                     "' is part of a cycle or uses one"));
  }
  return absl::OkStatus();
}

absl::Status ComputationBuilder::SetComputations(InstructionSyntax& syntax,
                                                 HloInstruction& caller) {
  std::vector<HloComputation*> called;
  auto append = [&](absl::string_view role) {
    for (const CalledSyntax& c : syntax.called) {
      if (c.role == role) called.push_back(built_[c.computation]);
    }
  };
  const NameList& roles = caller.def().computations;
  for (int i = 0; i < roles.size(); ++i) {
    std::string_view role = roles.names[i];
    if (IsVariadicName(role)) role.remove_suffix(3);
    if (IsOptionalName(role)) role.remove_suffix(1);
    append(ToAbsl(role));
  }
  if (caller.opcode() == HloOpcode::kConditional) {
    append("true_computation");
    append("false_computation");
  }
  if (caller.opcode() == HloOpcode::kCustomCall) append("to_apply");
  const size_t count = called.size();
  if (count < static_cast<size_t>(roles.min_count()) ||
      count > static_cast<size_t>(roles.max_count())) {
    return scanner_.ErrorAt(
        syntax.opcode_position,
        absl::StrCat(
            HloOpcodeString(caller.opcode()), " calls ", roles.min_count(),
            " computations (", ToAbsl(roles.names[0]),
            roles.size() > 1 ? absl::StrCat(", ", ToAbsl(roles.names[1])) : "",
            "), got ", count));
  }
  if (caller.opcode() == HloOpcode::kFusion) {
    for (HloComputation* c : called) c->set_is_fusion_computation(true);
  }
  caller.ReplaceCalledComputations(called);
  return absl::OkStatus();
}

absl::Status ComputationBuilder::Finish(int index) {
  InstructionSyntax& syntax = syntax_.instructions[index];
  HloInstruction& hlo = *instructions_[index];
  if (syntax.maps_all_dimensions) FillMapDimensions(hlo);
  if (syntax.wrapped) {
    TF_RETURN_IF_ERROR(Wrap(syntax, hlo));
  } else if (!syntax.has_shape) {
    TF_RETURN_IF_ERROR(InferShapeOf(syntax, hlo));
  }
  const absl::Status valid = CheckAsWritten(syntax, hlo, async_);
  if (!valid.ok()) {
    return scanner_.ErrorAt(syntax.opcode_position, valid.message());
  }
  // As in XLA, only the start of an asynchronous op names its computation.
  if (hlo.opcode() == HloOpcode::kAsyncUpdate ||
      hlo.opcode() == HloOpcode::kAsyncDone) {
    hlo.ReplaceCalledComputations({});
  }
  return valid;
}

absl::Status ComputationBuilder::InferShapeOf(const InstructionSyntax& syntax,
                                              HloInstruction& hlo) {
  const std::optional<Shape> declared = ShapeToInferFrom(hlo);
  if (!declared.has_value() && MustDeclareShape(hlo)) {
    return scanner_.ErrorAt(
        syntax.opcode_position,
        absl::StrCat("the shape of a ", HloOpcodeString(hlo.opcode()),
                     " cannot be inferred; write it before the op"));
  }
  absl::InlinedVector<const Shape*, 4> operands;
  for (const HloInstruction* operand : hlo.operands()) {
    operands.push_back(&operand->shape());
    if (!operand->shape().IsTuple()) continue;
    TF_RETURN_IF_ERROR(Charge(operand->shape(), syntax.opcode_position));
  }
  absl::InlinedVector<const ProgramShape*, 2> computations;
  for (const HloComputation* called : hlo.called_computations()) {
    computations.push_back(&SignatureOf(*called));
  }
  auto shape =
      InferShape(hlo.def(),
                 InferArgs{operands, computations,
                           declared.has_value() ? &*declared : nullptr},
                 hlo.raw_attrs().get());
  if (!shape.ok()) {
    return scanner_.ErrorAt(syntax.opcode_position, shape.status().message());
  }
  TF_RETURN_IF_ERROR(Charge(*shape, syntax.opcode_position));
  *hlo.mutable_shape() = *std::move(shape);
  return absl::OkStatus();
}

absl::Status ComputationBuilder::Charge(const Shape& shape, size_t position) {
  int64_t size = 0;
  if (Measure(shape, size) >= Shape::kMaxNesting) {
    return scanner_.ErrorAt(position,
                            "the inferred shape is nested too deeply");
  }
  shape_budget_ -= size;
  if (shape_budget_ >= 0) return absl::OkStatus();
  return scanner_.ErrorAt(position, "the inferred shapes are too large");
}

const ProgramShape& ComputationBuilder::SignatureOf(
    const HloComputation& computation) {
  std::unique_ptr<ProgramShape>& signature = signatures_[&computation];
  if (signature == nullptr) {
    signature =
        std::make_unique<ProgramShape>(computation.ComputeProgramShape());
  }
  return *signature;
}

// Makes the computation that foo-start(...) calls, a foo of its parameters. The
// start's shape, ((operands), result, ...), gives the shape of the foo.
absl::Status ComputationBuilder::Wrap(InstructionSyntax& syntax,
                                      HloInstruction& start) {
  // The text may also name the computation.
  for (const CalledSyntax& called : syntax.called) {
    if (called.role != "calls" ||
        syntax.wrapped->opcode() == HloOpcode::kFusion) {
      continue;
    }
    start.ReplaceCalledComputations({built_[called.computation]});
    return absl::OkStatus();
  }
  const Shape& shape = start.shape();
  if (!syntax.has_shape || !shape.IsTuple() || shape.tuple_shapes_size() < 2) {
    return scanner_.ErrorAt(
        syntax.opcode_position,
        absl::StrCat(HloOpcodeString(syntax.wrapped->opcode()),
                     "-start needs a shape ((operands), result, ...)"));
  }
  HloComputation* body = module_.AddEmbeddedComputation(
      std::make_unique<HloComputation>("async_wrapped"));
  const std::string& thread =
      start.attrs<AsyncStartAttrs>().async_execution_thread;
  if (!thread.empty()) body->SetExecutionThread(thread);
  HloInstruction::InstructionVector parameters;
  for (const HloInstruction* operand : start.operands()) {
    TF_RETURN_IF_ERROR(Charge(operand->shape(), syntax.opcode_position));
    parameters.push_back(body->AddInstruction(HloInstruction::CreateParameter(
        parameters.size(), operand->shape(), "async_param")));
  }
  *syntax.wrapped->mutable_shape() = shape.tuple_shapes(1);
  syntax.wrapped->AppendOperands(parameters);
  body->set_root_instruction(body->AddInstruction(std::move(syntax.wrapped)));
  start.ReplaceCalledComputations({body});
  return absl::OkStatus();
}

absl::Status ComputationBuilder::CheckOperandShapes(int index) {
  const InstructionSyntax& syntax = syntax_.instructions[index];
  for (int i = 0; i < syntax.operand_count; ++i) {
    const OperandSyntax& operand = syntax_.operands[syntax.first_operand + i];
    if (operand.shape < 0 || operand.nested >= 0) continue;
    const Shape& stated = syntax_.operand_shapes[operand.shape];
    const Shape& actual = instructions_[index]->operand(i)->shape();
    if (!ShapeUtil::Compatible(stated, actual)) {
      return scanner_.ErrorAt(
          operand.name.position,
          absl::StrCat("operand ", i, " is said to be ",
                       ShapeUtil::HumanString(stated), " but is ",
                       ShapeUtil::HumanString(actual)));
    }
  }
  return absl::OkStatus();
}

}  // namespace xla
