// Prints computations, ops and regions as lines of text, and selects the
// printer of each opcode.
#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "xla/base/status_macros.h"
#include "xla/core/primitive_util.h"
#include "xla/hlo/attrs/sharding_text.h"
#include "xla/hlo/ops/opcode_groups.h"
#include "xla/stablehlo/from_hlo/module_printer.h"
#include "xla/stablehlo/from_hlo/text_forms.h"

namespace xla::stablehlo {
namespace {

// The deepest nesting of computations: bounds the recursion.
constexpr int kMaxDepth = 100;
// The most ops that are printed: computations are printed wherever they are
// used, so a small module can stand for very many.
constexpr int64_t kMaxOps = 1 << 22;

std::string TypeListText(absl::Span<const std::string> types) {
  return absl::StrCat("(", absl::StrJoin(types, ", "), ")");
}

std::string ResultTypesText(absl::Span<const std::string> types) {
  return types.size() == 1 ? types[0] : TypeListText(types);
}

// Returns "T" if all types are alike and that is sufficient, else "(T, U) ->
// V".
std::string PrettyTypesText(bool is_short,
                            absl::Span<const std::string> operands,
                            absl::Span<const std::string> results) {
  bool alike = results.size() == 1 && (is_short || operands.empty());
  for (const std::string& type : operands) {
    alike = alike && type == results[0];
  }
  if (alike) return results[0];
  return absl::StrCat(TypeListText(operands), " -> ", ResultTypesText(results));
}

}  // namespace

PrimitiveType HoldingType(PrimitiveType a, PrimitiveType b) {
  if (primitive_util::CastPreservesValues(a, b)) return b;
  if (primitive_util::CastPreservesValues(b, a)) return a;
  return F32;
}

std::vector<const Shape*> LeavesOf(const Shape& shape) {
  if (!shape.IsTuple()) return {&shape};
  std::vector<const Shape*> leaves;
  for (const Shape& element : shape.tuple_shapes()) {
    for (const Shape* leaf : LeavesOf(element)) leaves.push_back(leaf);
  }
  return leaves;
}

std::string ModulePrinter::ArgumentLocation(
    const HloInstruction& parameter) const {
  return options_.print_locations
             ? LocationPrinter::OfArgument(parameter.metadata())
             : "";
}

std::string ModulePrinter::OpLocation() {
  return options_.print_locations && current_ != nullptr
             ? locations_.OfOp(current_->metadata())
             : "";
}

absl::StatusOr<Names> ModulePrinter::PrintComputation(
    const HloComputation& computation, std::vector<Names> parameters) {
  if (++depth_ > kMaxDepth) {
    return absl::UnimplementedError(
        absl::StrCat("computation ", computation.name(),
                     " is nested deeper than ", kMaxDepth, " levels"));
  }
  Frame frame;
  const HloInstruction* caller = current_;
  for (int64_t i = 0; i < computation.num_parameters(); ++i) {
    frame.names[computation.parameter_instruction(i)] =
        std::move(parameters[i]);
  }
  for (const HloInstruction* hlo : computation.MakeInstructionPostOrder()) {
    if (hlo->opcode() == HloOpcode::kParameter) continue;
    current_ = hlo;
    TF_RETURN_IF_ERROR(PrintInstruction(*hlo, frame));
  }
  current_ = caller;
  --depth_;
  return NamesOf(*computation.root_instruction(), frame);
}

absl::StatusOr<Names> ModulePrinter::Write(const OpText& op) {
  if (++printed_ > kMaxOps) {
    return absl::UnimplementedError(absl::StrCat("the program has more than ",
                                                 kMaxOps, " ops as StableHLO"));
  }
  Names names;
  out_.append(indent_, ' ');
  const size_t count = op.result_types.size();
  if (count > 0) {
    const std::string name = absl::StrCat("%", next_++);
    absl::StrAppend(&out_, name, count > 1 ? absl::StrCat(":", count) : "",
                    " = ");
    for (size_t i = 0; i < count; ++i) {
      names.push_back(count == 1 ? name : absl::StrCat(name, "#", i));
    }
  }
  const std::string attributes =
      op.attributes.empty()
          ? ""
          : absl::StrCat(" {", absl::StrJoin(op.attributes, ", "), "}");
  TF_RETURN_IF_ERROR(WriteOp(op, attributes));
  for (const ConvertedResult& converted : op.converted_results) {
    std::string& name = names[converted.number];
    TF_ASSIGN_OR_RETURN(name, Convert(name, converted.shape, converted.type));
  }
  return names;
}

absl::Status ModulePrinter::WriteOp(const OpText& op,
                                    absl::string_view attributes) {
  if (!op.generic) {
    absl::StrAppend(
        &out_, op.name, op.operands.empty() ? "" : " ",
        absl::StrJoin(op.operands, ", "), op.suffix, attributes, " : ",
        PrettyTypesText(op.short_types, op.operand_types, op.result_types),
        OpLocation(), "\n");
    return absl::OkStatus();
  }
  absl::StrAppend(&out_, "\"", op.name, "\"(", absl::StrJoin(op.operands, ", "),
                  ")");
  for (size_t i = 0; i < op.regions.size(); ++i) {
    out_ += i == 0 ? " ({\n" : ", {\n";
    TF_RETURN_IF_ERROR(PrintRegion(op.regions[i]));
    out_.append(indent_, ' ');
    out_ += "}";
  }
  absl::StrAppend(&out_, op.regions.empty() ? "" : ")", attributes, " : ",
                  TypeListText(op.operand_types), " -> ",
                  ResultTypesText(op.result_types), OpLocation(), "\n");
  return absl::OkStatus();
}

absl::Status ModulePrinter::PrintRegion(const RegionText& region) {
  const HloComputation& computation = *region.computation;
  std::vector<Names> parameters = region.captured;
  struct Argument {
    std::string* name;  // an entry of `parameters`
    Shape shape;
    PrimitiveType type;  // the computation's parameter type
  };
  std::vector<Argument> converted;
  if (region.has_arguments) {
    std::vector<std::string> arguments;
    parameters.reserve(computation.num_parameters());
    for (const HloInstruction* parameter :
         computation.parameter_instructions()) {
      Names& names = parameters.emplace_back();
      for (const Shape* leaf : LeavesOf(parameter->shape())) {
        Shape shape = *leaf;
        const bool converts =
            arguments.size() < region.argument_types.size() &&
            shape.element_type() != region.argument_types[arguments.size()];
        if (converts) {
          shape.set_element_type(region.argument_types[arguments.size()]);
        }
        TF_ASSIGN_OR_RETURN(const std::string type, TypeText(shape));
        names.push_back(absl::StrCat("%", next_++));
        arguments.push_back(absl::StrCat(names.back(), ": ", type,
                                         ArgumentLocation(*parameter)));
        if (converts) {
          converted.push_back({&names.back(), shape, leaf->element_type()});
        }
      }
    }
    if (!arguments.empty()) {
      out_.append(indent_, ' ');
      absl::StrAppend(&out_, "^bb0(", absl::StrJoin(arguments, ", "), "):\n");
    }
  }
  indent_ += 2;
  for (const Argument& argument : converted) {
    TF_ASSIGN_OR_RETURN(*argument.name,
                        Convert(*argument.name, argument.shape, argument.type));
  }
  TF_ASSIGN_OR_RETURN(Names results,
                      PrintComputation(computation, std::move(parameters)));
  std::vector<std::string> types;
  for (const Shape* leaf : LeavesOf(computation.root_instruction()->shape())) {
    const size_t i = types.size();
    Shape shape = *leaf;
    if (i < region.result_types.size() &&
        shape.element_type() != region.result_types[i]) {
      TF_ASSIGN_OR_RETURN(results[i],
                          Convert(results[i], shape, region.result_types[i]));
      shape.set_element_type(region.result_types[i]);
    }
    TF_ASSIGN_OR_RETURN(types.emplace_back(), TypeText(shape));
  }
  PrintReturn("stablehlo.return", results, types);
  indent_ -= 2;
  return absl::OkStatus();
}

absl::StatusOr<std::string> ModulePrinter::Convert(const std::string& name,
                                                   Shape shape,
                                                   PrimitiveType type) {
  OpText convert;
  convert.name = "stablehlo.convert";
  convert.generic = false;
  convert.operands = {name};
  TF_ASSIGN_OR_RETURN(convert.operand_types.emplace_back(), TypeText(shape));
  shape.set_element_type(type);
  TF_ASSIGN_OR_RETURN(convert.result_types.emplace_back(), TypeText(shape));
  TF_ASSIGN_OR_RETURN(const Names names, Write(convert));
  return names[0];
}

void ModulePrinter::PrintReturn(absl::string_view op, const Names& names,
                                absl::Span<const std::string> types) {
  out_.append(indent_, ' ');
  absl::StrAppend(&out_, op, names.empty() ? "" : " ",
                  absl::StrJoin(names, ", "), names.empty() ? "" : " : ",
                  absl::StrJoin(types, ", "), "\n");
}

absl::Status ModulePrinter::Unsupported(const HloInstruction& hlo,
                                        absl::string_view why) const {
  return absl::UnimplementedError(
      absl::StrCat(HloOpcodeString(hlo.opcode()), " ", hlo.name(), ": ", why));
}

absl::StatusOr<Names> ModulePrinter::NamesOf(const HloInstruction& hlo,
                                             const Frame& frame) const {
  const auto it = frame.names.find(&hlo);
  if (it != frame.names.end()) return it->second;
  return absl::InvalidArgumentError(
      absl::StrCat("instruction ", hlo.name(), " is used before it is made"));
}

absl::StatusOr<ModulePrinter::OpText> ModulePrinter::Start(
    const HloInstruction& hlo, const Frame& frame,
    absl::string_view name) const {
  OpText op;
  op.name = std::string(name);
  for (const HloInstruction* operand : hlo.operands()) {
    TF_ASSIGN_OR_RETURN(const Names names, NamesOf(*operand, frame));
    for (const std::string& leaf : names) {
      if (leaf.empty()) {
        return Unsupported(hlo, absl::StrCat("uses a part of ", operand->name(),
                                             " that is no value"));
      }
      op.operands.push_back(leaf);
    }
    for (const Shape* leaf : LeavesOf(operand->shape())) {
      TF_ASSIGN_OR_RETURN(op.operand_types.emplace_back(), TypeText(*leaf));
    }
  }
  for (const Shape* leaf : LeavesOf(hlo.shape())) {
    absl::StatusOr<std::string> type = TypeText(*leaf);
    if (!type.ok()) return Unsupported(hlo, type.status().message());
    op.result_types.push_back(*std::move(type));
  }
  if (hlo.has_sharding()) {
    std::string sharding;
    PrintSharding(hlo.sharding_proto(), &sharding);
    op.attributes.push_back(
        absl::StrCat("mhlo.sharding = ", QuotedText(sharding)));
  }
  if (!hlo.frontend_attributes().map().empty() && !hlo.is_composite()) {
    std::vector<std::string> fields;
    for (const auto& [key, value] : hlo.frontend_attributes().map()) {
      fields.push_back(absl::StrCat(QuotedText(key), " = ", QuotedText(value)));
    }
    std::sort(fields.begin(), fields.end());
    op.attributes.push_back(absl::StrCat("mhlo.frontend_attributes = {",
                                         absl::StrJoin(fields, ", "), "}"));
  }
  return op;
}

absl::Status ModulePrinter::Finish(const HloInstruction& hlo, Frame& frame,
                                   const OpText& op) {
  TF_ASSIGN_OR_RETURN(frame.names[&hlo], Write(op));
  return absl::OkStatus();
}

absl::Status ModulePrinter::Pretty(const HloInstruction& hlo, Frame& frame,
                                   absl::string_view name, std::string suffix) {
  TF_ASSIGN_OR_RETURN(OpText op, Start(hlo, frame, name));
  op.generic = false;
  op.suffix = std::move(suffix);
  return Finish(hlo, frame, op);
}

// Prints nothing: the instruction equals its operands.
absl::Status ModulePrinter::Alias(const HloInstruction& hlo, Frame& frame) {
  Names names;
  for (const HloInstruction* operand : hlo.operands()) {
    TF_ASSIGN_OR_RETURN(const Names more, NamesOf(*operand, frame));
    names.insert(names.end(), more.begin(), more.end());
  }
  frame.names[&hlo] = std::move(names);
  return absl::OkStatus();
}

absl::Status ModulePrinter::PrintInstruction(const HloInstruction& hlo,
                                             Frame& frame) {
  switch (hlo.opcode()) {
    case HloOpcode::kParameter:
      return absl::OkStatus();
    case HloOpcode::kConstant:
      return PrintConstant(hlo, frame);
    case HloOpcode::kTuple:
    case HloOpcode::kCopy:
    case HloOpcode::kDomain:
      return Alias(hlo, frame);
    case HloOpcode::kGetTupleElement:
      return PrintGetTupleElement(hlo, frame);

    case XLA_ELEMENTWISE_OPCODES:
    case HloOpcode::kBitcastConvert:
    case HloOpcode::kReshape:
      return PrintElementwise(hlo, frame);
    case HloOpcode::kRng:
    case HloOpcode::kRngBitGenerator:
      return PrintRng(hlo, frame);

    case XLA_MOVEMENT_OPCODES:
    case HloOpcode::kIota:
      return PrintMovement(hlo, frame);
    case HloOpcode::kGetDimensionSize:
    case HloOpcode::kSetDimensionSize:
      return PrintDimensionSize(hlo, frame);
    case HloOpcode::kBitcast:
      return PrintBitcast(hlo, frame);
    case HloOpcode::kDynamicReshape:
      return PrintDynamicReshape(hlo, frame);
    case HloOpcode::kScatter:
      return PrintScatter(hlo, frame);
    case HloOpcode::kTopK:
      return PrintTopK(hlo, frame);

    case XLA_REDUCTION_OPCODES:
      return hlo.def().reduces ? PrintReduction(hlo, frame)
                               : PrintWindowReduction(hlo, frame);
    case HloOpcode::kMap:
    case HloOpcode::kSort:
      return PrintReduction(hlo, frame);
    case HloOpcode::kSelectAndScatter:
      return PrintWindowReduction(hlo, frame);
    case HloOpcode::kScan:
      return PrintScan(hlo, frame);

    case HloOpcode::kBatchNormGrad:
    case HloOpcode::kBatchNormInference:
    case HloOpcode::kBatchNormTraining:
    case HloOpcode::kCholesky:
    case HloOpcode::kFft:
    case HloOpcode::kTriangularSolve:
      return PrintLinear(hlo, frame);
    case HloOpcode::kDot:
      return PrintDot(hlo, frame);
    case HloOpcode::kRaggedDot:
      return PrintRaggedDot(hlo, frame);
    case HloOpcode::kConvolution:
      return PrintConvolution(hlo, frame);

    case HloOpcode::kWhile:
      return PrintWhile(hlo, frame);
    case HloOpcode::kConditional:
      return PrintConditional(hlo, frame);
    case HloOpcode::kCall:
      return PrintCall(hlo, frame);
    case HloOpcode::kFusion:
      return PrintInlined(hlo, frame);
    case HloOpcode::kCustomCall:
      return PrintCustomCall(hlo, frame);
    case HloOpcode::kAddDependency:
    case HloOpcode::kAfterAll:
    case HloOpcode::kOptimizationBarrier:
      return PrintBarrier(hlo, frame);

    case HloOpcode::kAllGather:
    case HloOpcode::kAllReduce:
    case HloOpcode::kCollectiveBroadcast:
    case HloOpcode::kCollectivePermute:
    case HloOpcode::kReduceScatter:
    case HloOpcode::kPartitionId:
    case HloOpcode::kReplicaId:
      return PrintCollective(hlo, frame);
    case HloOpcode::kAllToAll:
      return PrintAllToAll(hlo, frame);
    case HloOpcode::kAllGatherStart:
    case HloOpcode::kAllReduceStart:
    case HloOpcode::kAsyncStart:
    case HloOpcode::kCollectivePermuteStart:
    case HloOpcode::kCopyStart:
      return PrintStart(hlo, frame);
    case HloOpcode::kAllGatherDone:
    case HloOpcode::kAllReduceDone:
    case HloOpcode::kAsyncDone:
    case HloOpcode::kAsyncUpdate:
    case HloOpcode::kCollectivePermuteDone:
    case HloOpcode::kCopyDone:
      return PrintDone(hlo, frame);
    case HloOpcode::kInfeed:
    case HloOpcode::kOutfeed:
    case HloOpcode::kRecv:
    case HloOpcode::kRecvDone:
    case HloOpcode::kSend:
    case HloOpcode::kSendDone:
      return PrintTransfer(hlo, frame);

    case HloOpcode::kRaggedAllToAll:
    case HloOpcode::kRngGetAndUpdateState:
    case HloOpcode::kScaledDot:
      return Unsupported(hlo, "StableHLO has no such op");
  }
  return Unsupported(hlo, "StableHLO has no such op");
}

}  // namespace xla::stablehlo
