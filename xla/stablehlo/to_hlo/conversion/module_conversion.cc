// Converts blocks, regions and functions to computations.
#include "xla/stablehlo/to_hlo/conversion/module_conversion.h"

#include <string>
#include <utility>

#include "absl/cleanup/cleanup.h"
#include "absl/container/flat_hash_set.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "xla/base/status_macros.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/ops/hlo_opcode.h"
#include "xla/stablehlo/to_hlo/conversion/rules.h"

namespace xla::stablehlo {
namespace {

// The deepest nesting of calls and regions, which are converted recursively.
constexpr int kMaxDepth = 500;
constexpr int64_t kMaxCopiedBytes = 1 << 10;
// The bytes charged per partition for a sharding.
constexpr int64_t kPartitionWork = 256;
// Marks a Status that already names the place of its op.
constexpr absl::string_view kPlaceUrl = "tessera/stablehlo_place";

bool AllTypesStatic(const Op& op);

bool AllTypesStatic(absl::Span<const Region> regions) {
  for (const Region& region : regions) {
    for (const Block* block : region.blocks) {
      for (const Value& argument : block->arguments) {
        if (!argument.type->IsStatic()) return false;
      }
      for (const Op* op : block->ops) {
        if (!AllTypesStatic(*op)) return false;
      }
    }
  }
  return true;
}

// Bounded dimensions are HLO's own and need no sizes from the caller, but
// inlining their functions is correct too.
bool AllTypesStatic(const Op& op) {
  for (const Value& result : op.results) {
    if (!result.type->IsStatic()) return false;
  }
  return AllTypesStatic(op.regions);
}

// Calls `visit` with the name of each function that ops in `regions` call.
template <typename Visit>
void ForEachCallee(absl::Span<const Region> regions, const Visit& visit) {
  for (const Region& region : regions) {
    for (const Block* block : region.blocks) {
      for (const Op* op : block->ops) {
        for (absl::string_view attribute : {"callee", "decomposition"}) {
          const Attribute* callee = op->Find(attribute);
          if (callee != nullptr) visit(callee->text);
        }
        ForEachCallee(op->regions, visit);
      }
    }
  }
}

// Calls `use`, once each and in order of use, with the outer values that ops in
// `regions` have as operands. `known` holds the ids that are defined inside or
// were visited.
template <typename Use>
void ForEachFreeValue(absl::Span<const Region> regions,
                      absl::flat_hash_set<int32_t>& known, const Use& use) {
  for (const Region& region : regions) {
    for (const Block* block : region.blocks) {
      for (const Value& argument : block->arguments) known.insert(argument.id);
      for (const Op* op : block->ops) {
        for (const Value* operand : op->operands) {
          if (known.insert(operand->id).second) use(*operand);
        }
        for (const Value& result : op->results) known.insert(result.id);
        ForEachFreeValue(op->regions, known, use);
      }
    }
  }
}

template <typename Use>
void ForEachFreeValue(absl::Span<const Region> regions, const Use& use) {
  absl::flat_hash_set<int32_t> known;
  ForEachFreeValue(regions, known, use);
}

// Regions copy small constants and share large ones with their surroundings.
bool IsSmallConstant(const HloInstruction& instruction) {
  return instruction.IsConstant() &&
         instruction.literal().size_bytes() <= kMaxCopiedBytes;
}

// Returns the instruction that was added last, null if there is none.
const HloInstruction* LastInstruction(const HloComputation& computation) {
  const auto instructions = computation.instructions();
  return instructions.begin() == instructions.end() ? nullptr
                                                    : *--instructions.end();
}

// Returns whether metadata names an op or a line.
bool HasOrigin(const OpMetadata& metadata) {
  return !metadata.op_name().empty() || metadata.stack_frame_id() != 0 ||
         !metadata.source_file().empty();
}

// Returns whether the op states a sharding.
bool HasSharding(const Op& op) {
  return absl::StartsWith(op.name, "sdy.") ||
         op.Find("mhlo.sharding") != nullptr ||
         op.Find("sdy.sharding") != nullptr;
}

}  // namespace

absl::Status AtOp(const Op& op, const absl::Status& status) {
  if (status.ok() || status.GetPayload(kPlaceUrl).has_value()) return status;
  absl::Status placed(status.code(), absl::StrCat(op.name, " at ", op.Place(),
                                                  ": ", status.message()));
  placed.SetPayload(kPlaceUrl, absl::Cord());
  return placed;
}

absl::Status ErrorAt(const Op& op, absl::string_view message) {
  return AtOp(op, absl::InvalidArgumentError(message));
}

HloInstruction* AsOne(const Instructions& values, HloComputation& computation) {
  if (values.size() == 1) return values[0];
  return computation.AddInstruction(HloInstruction::CreateTuple(values));
}

ModuleConversion::ModuleConversion(const Module& source)
    : source_(source),
      values_(source.num_values, nullptr),
      budget_(source.source.size()) {}

absl::StatusOr<Instructions> ModuleConversion::ValuesOf(
    absl::Span<const Value* const> values, const Op& user) const {
  Instructions instructions(values.size());
  for (size_t i = 0; i < values.size(); ++i) {
    instructions[i] = value(*values[i]);
    if (instructions[i] == nullptr) {
      return ErrorAt(user,
                     absl::StrCat("operand ", i, " is not defined before it"));
    }
  }
  return instructions;
}

absl::StatusOr<Instructions> ModuleConversion::ConvertBlock(
    const Block& block, HloComputation& computation) {
  const Op* terminator = block.Terminator();
  for (const Op* op : block.ops) {
    if (op == terminator) return ValuesOf(op->operands, *op);
    TF_RETURN_IF_ERROR(ConvertOp(*op, computation));
  }
  // sdy and the module allow blocks without a terminator.
  return Instructions();
}

absl::Status ModuleConversion::ConvertOp(const Op& op,
                                         HloComputation& computation) {
  const Rule* rule = FindRule(op.name);
  if (rule == nullptr) {
    return AtOp(op, absl::UnimplementedError(
                        "there is no conversion to HLO for this op"));
  }
  TF_ASSIGN_OR_RETURN(Instructions operands, ValuesOf(op.operands, op));
  TF_RETURN_IF_ERROR(AtOp(op, ChargeOp(op, operands)));
  const HloInstruction* last = LastInstruction(computation);
  OpConversion conversion(*this, computation, op, operands);
  TF_RETURN_IF_ERROR(AtOp(op, HasQuantizedType(op)
                                  ? ConvertQuantizedOp(conversion)
                                  : rule->convert(conversion)));
  TF_RETURN_IF_ERROR(conversion.CheckAllRead());
  if (is_partitioned()) {
    TF_RETURN_IF_ERROR(AtOp(op, AnnotateShardings(op, operands, computation)));
  }
  TF_RETURN_IF_ERROR(AtOp(op, AnnotateMetadata(op, last, computation)));
  for (size_t i = 0; i < op.results.size(); ++i) {
    const HloInstruction* result = value(op.results[i]);
    if (result == nullptr) {
      return ErrorAt(op, absl::StrCat("has no result ", i));
    }
    if (!result->shape().IsTuple()) continue;
    TF_RETURN_IF_ERROR(AtOp(op, Charge(WorkOfShape(result->shape()))));
  }
  return absl::OkStatus();
}

absl::Status ModuleConversion::AnnotateMetadata(const Op& op,
                                                const HloInstruction* last,
                                                HloComputation& computation) {
  if (op.loc == nullptr) return absl::OkStatus();
  TF_ASSIGN_OR_RETURN(const OpMetadata* metadata,
                      locations_.MetadataOf(*op.loc));
  const Attribute* frontend = op.Find("mhlo.frontend_attributes");
  const Attribute* payload =
      frontend == nullptr ? nullptr : frontend->Field("xla_metadata_payload");
  const auto instructions = computation.instructions();
  for (auto it = instructions.end(); it != instructions.begin();) {
    HloInstruction* instruction = *--it;
    if (instruction == last) break;
    if (instruction->IsConstant() || HasOrigin(instruction->metadata())) {
      continue;
    }
    TF_RETURN_IF_ERROR(
        Charge(static_cast<int64_t>(metadata->op_name().size())));
    instruction->mutable_metadata() = *metadata;
    if (payload == nullptr) continue;
    instruction->mutable_metadata().mutable_metadata_payload()->set_value(
        std::string(payload->text));
  }
  return absl::OkStatus();
}

absl::Status ModuleConversion::AnnotateParameter(const Block& block, size_t i,
                                                 HloInstruction& parameter) {
  if (i >= block.argument_locations.size() ||
      block.argument_locations[i] == nullptr) {
    return absl::OkStatus();
  }
  TF_ASSIGN_OR_RETURN(const std::string name,
                      locations_.OpNameOf(*block.argument_locations[i]));
  if (!name.empty()) parameter.set_metadata_op_name(name);
  return absl::OkStatus();
}

absl::Status ModuleConversion::ChargeOp(const Op& op,
                                        const Instructions& operands) {
  TF_RETURN_IF_ERROR(Charge(WorkOfOp(op)));
  if (HasSharding(op)) TF_RETURN_IF_ERROR(ChargeSharding());
  for (const HloInstruction* operand : operands) {
    if (!operand->shape().IsTuple()) continue;
    TF_RETURN_IF_ERROR(Charge(WorkOfShape(operand->shape())));
  }
  return absl::OkStatus();
}

absl::Status ModuleConversion::ChargeSharding() {
  return is_partitioned() ? Charge(kPartitionWork * partitions())
                          : absl::OkStatus();
}

std::vector<const Value*> ModuleConversion::Captures(
    absl::Span<const Region> regions) const {
  std::vector<const Value*> captures;
  // The use itself reports values without an instruction.
  ForEachFreeValue(regions, [&](const Value& operand) {
    const HloInstruction* instruction = value(operand);
    if (instruction == nullptr || IsSmallConstant(*instruction)) return;
    captures.push_back(&operand);
  });
  return captures;
}

HloComputation* ModuleConversion::NewComputation(absl::string_view name) {
  return target_->AddEmbeddedComputation(
      std::make_unique<HloComputation>(name));
}

namespace {

// Adds the parameters that `form` asks for and returns the value of each.
Instructions AddParameters(absl::Span<const Shape> shapes,
                           const RegionForm& form,
                           HloComputation& computation) {
  Instructions values;
  if (!form.tuple_parameter || shapes.size() == 1) {
    for (size_t i = 0; i < shapes.size(); ++i) {
      values.push_back(
          computation.AddInstruction(HloInstruction::CreateParameter(
              i, shapes[i], absl::StrCat("arg", i))));
    }
    return values;
  }
  HloInstruction* tuple =
      computation.AddInstruction(HloInstruction::CreateParameter(
          0, ShapeUtil::MakeTupleShape(shapes), "arg_tuple"));
  for (size_t i = 0; i < shapes.size(); ++i) {
    values.push_back(computation.AddInstruction(
        HloInstruction::CreateGetTupleElement(tuple, i)));
  }
  return values;
}

absl::StatusOr<std::vector<Shape>> ParameterShapes(const Block& block,
                                                   const RegionForm& form) {
  const size_t count = block.arguments.size() + form.captures.size();
  if (!form.parameter_shapes.empty() || count == 0) {
    if (form.parameter_shapes.size() != count) {
      return absl::InvalidArgumentError(absl::StrCat(
          "its region has ", block.arguments.size(), " arguments, expected ",
          form.parameter_shapes.size() - form.captures.size()));
    }
    return std::vector<Shape>(form.parameter_shapes.begin(),
                              form.parameter_shapes.end());
  }
  std::vector<Shape> shapes;
  for (const Value& argument : block.arguments) {
    TF_ASSIGN_OR_RETURN(shapes.emplace_back(), ShapeOfType(*argument.type));
  }
  return shapes;
}

}  // namespace

absl::StatusOr<HloComputation*> ModuleConversion::ConvertRegion(
    const Op& parent, int64_t region, const RegionForm& form) {
  const Block* block = parent.Body(region);
  if (block == nullptr) {
    return ErrorAt(parent, absl::StrCat("region ", region,
                                        " must be there and have one block"));
  }
  if (block->Terminator() == nullptr) {
    return ErrorAt(parent,
                   absl::StrCat("region ", region, " must end with a return"));
  }
  if (depth_ >= kMaxDepth) return ErrorAt(parent, "is nested too deeply");
  ++depth_;
  const absl::Cleanup leave = [this] { --depth_; };

  absl::StatusOr<std::vector<Shape>> shapes = ParameterShapes(*block, form);
  if (!shapes.ok()) return AtOp(parent, shapes.status());
  for (const Shape& shape : *shapes) {
    TF_RETURN_IF_ERROR(AtOp(parent, Charge(WorkOfShape(shape))));
  }
  HloComputation* computation =
      NewComputation(absl::StrCat("region_", target_->computation_count()));
  const Instructions parameters = AddParameters(*shapes, form, *computation);

  // Outer values have an instruction of this computation while it is made.
  std::vector<std::pair<int32_t, HloInstruction*>> outer;
  const auto replace = [&](const Value& value, HloInstruction* instruction) {
    outer.emplace_back(value.id, values_[value.id]);
    values_[value.id] = instruction;
  };
  const absl::Cleanup restore = [&] {
    for (const auto& [id, instruction] : outer) values_[id] = instruction;
  };
  for (size_t i = 0; i < form.captures.size(); ++i) {
    replace(*form.captures[i], parameters[block->arguments.size() + i]);
  }
  absl::Status charged;
  ForEachFreeValue({&parent.regions[region], 1}, [&](const Value& operand) {
    const HloInstruction* used = value(operand);
    if (used == nullptr || used->parent() == computation) return;
    if (used->IsConstant()) {
      charged.Update(Charge(used->literal().size_bytes()));
    }
    // If it is not a constant and not captured, the use below reports it.
    replace(operand, !used->IsConstant() || !charged.ok()
                         ? nullptr
                         : computation->AddInstruction(
                               used->CloneWithNewOperands(used->shape(), {})));
  });
  TF_RETURN_IF_ERROR(AtOp(parent, charged));
  for (size_t i = 0; i < block->arguments.size(); ++i) {
    set_value(block->arguments[i], parameters[i]);
    // The elements of a tuple have no names.
    if (parameters[i]->opcode() != HloOpcode::kParameter) continue;
    TF_RETURN_IF_ERROR(
        AtOp(parent, AnnotateParameter(*block, i, *parameters[i])));
  }
  TF_ASSIGN_OR_RETURN(Instructions results, ConvertBlock(*block, *computation));
  if (form.return_captures) {
    results.insert(results.end(), parameters.begin() + block->arguments.size(),
                   parameters.end());
  }
  computation->set_root_instruction(AsOne(results, *computation));
  return computation;
}

const Op* ModuleConversion::FindFunction(absl::string_view name) const {
  const auto it = functions_.find(name);
  return it == functions_.end() ? nullptr : it->second.op;
}

absl::StatusOr<const Attribute*> ModuleConversion::MeshDefinition(
    const Attribute& mesh) const {
  if (mesh.kind == Attribute::Kind::kDictionary) return &mesh;
  const auto it = meshes_.find(mesh.text);
  const Attribute* definition =
      it == meshes_.end() ? nullptr : it->second->Find("mesh");
  if (definition == nullptr) {
    return absl::InvalidArgumentError(
        absl::StrCat("there is no mesh @", mesh.text));
  }
  return definition;
}

absl::StatusOr<Instructions> ModuleConversion::Call(
    const Op& call, absl::string_view name,
    absl::Span<HloInstruction* const> operands, HloComputation& computation,
    bool inlined) {
  const auto it = functions_.find(name);
  if (it == functions_.end()) {
    return ErrorAt(call, absl::StrCat("there is no function @", name));
  }
  Function& function = it->second;
  const Block* body = function.op->Body();
  if (body == nullptr) {
    return ErrorAt(call, absl::StrCat("@", name, " has no body"));
  }
  if (body->arguments.size() != operands.size()) {
    return ErrorAt(call,
                   absl::StrCat("@", name, " takes ", body->arguments.size(),
                                " arguments, got ", operands.size()));
  }
  if (function.active) {
    return ErrorAt(call, absl::StrCat("@", name, " calls itself"));
  }
  if (depth_ >= kMaxDepth) return ErrorAt(call, "is nested too deeply");
  ++depth_;
  function.active = true;
  const absl::Cleanup leave = [this, &function] {
    --depth_;
    function.active = false;
  };
  if (!function.is_static || inlined) {
    for (size_t i = 0; i < operands.size(); ++i) {
      set_value(body->arguments[i], operands[i]);
    }
    return ConvertBlock(*body, computation);
  }
  TF_ASSIGN_OR_RETURN(HloComputation * callee, FunctionComputation(function));
  HloInstruction* instruction =
      computation.AddInstruction(HloInstruction::Create(
          HloOpcode::kCall, callee->root_instruction()->shape(), operands, {},
          {callee}));
  const Op* terminator = body->Terminator();
  const size_t count = terminator == nullptr ? 0 : terminator->operands.size();
  if (count == 1) return Instructions{instruction};
  Instructions results;
  for (size_t i = 0; i < count; ++i) {
    results.push_back(computation.AddInstruction(
        HloInstruction::CreateGetTupleElement(instruction, i)));
  }
  return results;
}

absl::StatusOr<HloComputation*> ModuleConversion::FunctionAsComputation(
    absl::string_view name, const Op& user) {
  const auto it = functions_.find(name);
  if (it == functions_.end() || it->second.op->Body() == nullptr ||
      !it->second.is_static || it->second.active) {
    return ErrorAt(user, absl::StrCat("@", name,
                                      " must be a function with a body and "
                                      "static types"));
  }
  it->second.active = true;
  absl::StatusOr<HloComputation*> computation = FunctionComputation(it->second);
  it->second.active = false;
  return computation;
}

absl::StatusOr<HloComputation*> ModuleConversion::FunctionComputation(
    Function& function) {
  if (function.computation != nullptr) return function.computation;
  const Block& body = *function.op->Body();
  HloComputation* computation =
      NewComputation(function.op->Find("sym_name")->text);
  for (size_t i = 0; i < body.arguments.size(); ++i) {
    absl::StatusOr<Shape> shape = ShapeOfType(*body.arguments[i].type);
    if (!shape.ok()) return AtOp(*function.op, shape.status());
    HloInstruction* parameter =
        computation->AddInstruction(HloInstruction::CreateParameter(
            i, *std::move(shape), absl::StrCat("arg", i)));
    set_value(body.arguments[i], parameter);
    TF_RETURN_IF_ERROR(
        AtOp(*function.op, AnnotateParameter(body, i, *parameter)));
  }
  TF_ASSIGN_OR_RETURN(const Instructions results,
                      ConvertBlock(body, *computation));
  computation->set_root_instruction(AsOne(results, *computation));
  function.computation = computation;
  return computation;
}

void ModuleConversion::FindStaticFunctions() {
  absl::flat_hash_map<absl::string_view, std::vector<absl::string_view>>
      callers;
  std::vector<absl::string_view> inlined;
  for (auto& [name, function] : functions_) {
    function.is_static = AllTypesStatic(function.op->regions);
    if (!function.is_static) inlined.push_back(name);
    ForEachCallee(function.op->regions, [&](absl::string_view callee) {
      callers[callee].push_back(name);
    });
  }
  while (!inlined.empty()) {
    const absl::string_view callee = inlined.back();
    inlined.pop_back();
    const auto found = callers.find(callee);
    if (found == callers.end()) continue;
    for (absl::string_view caller : found->second) {
      Function& function = functions_.at(caller);
      if (std::exchange(function.is_static, false)) inlined.push_back(caller);
    }
  }
}

}  // namespace xla::stablehlo
