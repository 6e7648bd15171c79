// Adds the custom calls and annotations of shardings.
#include "xla/stablehlo/to_hlo/conversion/sharding_annotations.h"

#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "xla/base/checked_math.h"
#include "xla/base/status_macros.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/ir/hlo_module.h"
#include "xla/hlo/ops/control_flow.h"
#include "xla/hlo/ops/hlo_opcode.h"
#include "xla/stablehlo/to_hlo/conversion/module_conversion.h"

namespace xla::stablehlo {
namespace {

OpSharding UnknownSharding() {
  OpSharding unknown;
  unknown.set_type(OpSharding::UNKNOWN);
  return unknown;
}

// Sets the sharding of an element of a tuple, whose others stay as they are.
void SetElementSharding(HloInstruction& tuple, int64_t element,
                        OpSharding sharding) {
  OpSharding all;
  if (tuple.has_sharding()) {
    all = tuple.sharding_proto();
  } else {
    all.set_type(OpSharding::TUPLE);
    for (int64_t i = 0; i < tuple.shape().tuple_shapes_size(); ++i) {
      *all.add_tuple_shardings() = UnknownSharding();
    }
  }
  if (element < all.tuple_shardings_size()) {
    *all.mutable_tuple_shardings(static_cast<int>(element)) =
        std::move(sharding);
  }
  tuple.set_sharding(std::move(all));
}

bool HasNestedTuples(const Shape& shape) {
  return absl::c_any_of(shape.tuple_shapes(),
                        [](const Shape& each) { return each.IsTuple(); });
}

// Divides or multiplies the sizes by the number of parts along `axes`.
absl::StatusOr<Shape> ScaleShape(Shape shape, const MeshSharding& sharding,
                                 absl::Span<const AxisPart> axes, bool divide) {
  for (int64_t d = 0; d < sharding.rank(); ++d) {
    const AxisList free = Difference(sharding.dimensions[d].axes, axes);
    const AxisList manual = Difference(sharding.dimensions[d].axes, free);
    const int64_t parts = SizeOf(manual);
    const int64_t size = shape.dimensions(d);
    if (!divide) {
      TF_ASSIGN_OR_RETURN(
          const int64_t whole,
          MultiplyOrError(size, parts, "the size of a divided dimension"));
      shape.set_dimensions(d, whole);
      continue;
    }
    if (size % parts != 0) {
      return absl::InvalidArgumentError(
          absl::StrCat("dimension ", d, " of ", shape.ToString(),
                       " does not divide into ", parts, " equal parts"));
    }
    shape.set_dimensions(d, size / parts);
  }
  return shape;
}

// Returns the sharding of a part: without the manual axes in its dimensions.
MeshSharding ShardingOfPart(MeshSharding sharding,
                            absl::Span<const AxisPart> manual) {
  for (MeshSharding::Dimension& dimension : sharding.dimensions) {
    dimension.axes = Difference(dimension.axes, manual);
  }
  sharding.replicated = Difference(sharding.replicated, manual);
  sharding.unreduced = Difference(sharding.unreduced, manual);
  sharding.manual.assign(manual.begin(), manual.end());
  return sharding;
}

// What propagation must not give to a dimension, since devices that differ
// along it hold different values anyway.
void ReplicateManualAxes(absl::Span<const AxisPart> manual,
                         MeshSharding& sharding) {
  AxisList used = sharding.UsedAxes();
  used.insert(used.end(), sharding.replicated.begin(),
              sharding.replicated.end());
  for (const AxisPart& axis : Difference(manual, used)) {
    sharding.replicated.push_back(axis);
  }
  absl::c_sort(sharding.replicated);
}

// Whether an instruction says on which device it runs, or in which manual
// computation. What says that it runs on each device does not.
bool SaysWhere(const HloInstruction& hlo) {
  if (!hlo.has_sharding()) return false;
  const OpSharding& sharding = hlo.sharding_proto();
  if (!sharding.has_named_sharding()) {
    return sharding.type() != OpSharding::REPLICATED;
  }
  const NamedShardingProto& named = sharding.named_sharding();
  return named.mesh().axes().empty() || !named.manual_axes().empty();
}

struct ManualValue {
  MeshSharding sharding;
  AxisList manual;  // empty if it is no manual computation
};

absl::StatusOr<ManualValue> ReadManualValue(const ManualShardings& shardings,
                                            const Attribute& list, size_t i,
                                            const Shape& shape,
                                            OpConversion& conversion) {
  ShardingReader& reader = conversion.module().sharding_reader();
  const Attribute& sharding = *list.elements[i];
  ManualValue value;
  TF_ASSIGN_OR_RETURN(value.sharding, reader.Read(sharding, shape));
  if (shardings.manual_axes != nullptr) {
    TF_ASSIGN_OR_RETURN(
        value.manual, reader.ReadManualAxes(*shardings.manual_axes, sharding));
  }
  ReplicateManualAxes(value.manual, value.sharding);
  return value;
}

absl::Status CheckCount(const Attribute* list, absl::string_view name,
                        size_t count, const OpConversion& conversion) {
  if (list != nullptr && list->elements.size() == count) {
    return absl::OkStatus();
  }
  return conversion.Error(
      absl::StrCat(name, " must have ", count, " shardings"));
}

}  // namespace

HloInstruction* AddShardingCall(absl::string_view target, Shape shape,
                                HloInstruction* operand, OpSharding sharding,
                                HloComputation& computation,
                                bool has_side_effect) {
  CustomCallAttrs attrs;
  attrs.custom_call_target = std::string(target);
  attrs.custom_call_has_side_effect = has_side_effect;
  HloInstruction* call = computation.AddInstruction(HloInstruction::Create(
      HloOpcode::kCustomCall, std::move(shape), {operand}, std::move(attrs)));
  call->set_sharding(std::move(sharding));
  return call;
}

absl::StatusOr<Instructions> EnterManual(const ManualShardings& shardings,
                                         absl::Span<const Shape> local,
                                         OpConversion& conversion) {
  TF_RETURN_IF_ERROR(CheckCount(shardings.in_shardings, "in_shardings",
                                conversion.operand_count(), conversion));
  Instructions parts;
  for (int64_t i = 0; i < conversion.operand_count(); ++i) {
    HloInstruction* whole = conversion.operand(i);
    const Shape& shape = whole->shape();
    TF_ASSIGN_OR_RETURN(const ManualValue value,
                        ReadManualValue(shardings, *shardings.in_shardings, i,
                                        shape, conversion));
    if (value.manual.empty() || !shape.IsArray()) {
      parts.push_back(whole);
      continue;
    }
    TF_ASSIGN_OR_RETURN(const Shape part,
                        ScaleShape(shape, value.sharding, value.manual,
                                   /*divide=*/true));
    if (part.dimensions() != local[i].dimensions()) {
      return conversion.Error(
          absl::StrCat("argument ", i, " of its body has another shape than ",
                       part.ToString(), ", which is a part"));
    }
    HloComputation& computation = conversion.computation();
    whole = AddShardingCall("Sharding", shape, whole,
                            value.sharding.ToOpSharding(), computation);
    parts.push_back(AddShardingCall(
        "SPMDFullToShardShape", local[i], whole,
        ShardingOfPart(value.sharding, value.manual).ToOpSharding(),
        computation));
  }
  return parts;
}

absl::StatusOr<Instructions> LeaveManual(
    const ManualShardings& shardings,
    absl::Span<HloInstruction* const> returned, OpConversion& conversion) {
  TF_RETURN_IF_ERROR(CheckCount(shardings.out_shardings, "out_shardings",
                                returned.size(), conversion));
  Instructions results;
  for (size_t i = 0; i < returned.size(); ++i) {
    const Shape& part = returned[i]->shape();
    TF_ASSIGN_OR_RETURN(const ManualValue value,
                        ReadManualValue(shardings, *shardings.out_shardings, i,
                                        part, conversion));
    if (value.manual.empty() || !part.IsArray()) {
      results.push_back(returned[i]);
      continue;
    }
    TF_ASSIGN_OR_RETURN(Shape whole,
                        ScaleShape(part, value.sharding, value.manual,
                                   /*divide=*/false));
    HloComputation& computation = conversion.computation();
    HloInstruction* divided = AddShardingCall(
        "Sharding", part, returned[i],
        ShardingOfPart(value.sharding, value.manual).ToOpSharding(),
        computation);
    results.push_back(AddShardingCall("SPMDShardToFullShape", std::move(whole),
                                      divided, value.sharding.ToOpSharding(),
                                      computation));
  }
  return results;
}

absl::Status MarkManual(const ManualShardings& shardings, int64_t first,
                        OpConversion& conversion) {
  const Attribute* list = shardings.in_shardings->elements.empty()
                              ? shardings.out_shardings
                              : shardings.in_shardings;
  // Without operands and results nothing says what the mesh is.
  if (list->elements.empty()) return absl::OkStatus();
  TF_ASSIGN_OR_RETURN(const ManualValue value,
                      ReadManualValue(shardings, *list, 0,
                                      ShapeUtil::MakeTokenShape(), conversion));
  if (value.manual.empty()) return absl::OkStatus();
  MeshSharding mark = MeshSharding::Replicated(value.sharding.mesh, 0);
  mark.manual = value.manual;
  int64_t number = 0;
  for (const auto& hlo : conversion.computation().instructions()) {
    if (number++ < first || !hlo->HasSideEffect() || SaysWhere(*hlo) ||
        absl::c_any_of(
            hlo->operands(),
            [](const HloInstruction* operand) {
              return !operand->shape().IsToken();
            })) {
      continue;
    }
    hlo->set_sharding(mark.ToOpSharding());
  }
  return absl::OkStatus();
}

absl::Status ModuleConversion::AnnotateShardings(const Op& op,
                                                 const Instructions& operands,
                                                 HloComputation& computation) {
  std::vector<const Shape*> shapes;
  for (const Value& result : op.results) {
    shapes.push_back(&value(result)->shape());
  }
  TF_ASSIGN_OR_RETURN(std::vector<OpSharding> shardings,
                      sharding_reader_.OfResults(op, shapes));
  if (shardings.empty()) return absl::OkStatus();
  if (op.results.empty()) {
    // The op's instruction is the last one, unless it was made of nothing.
    if (computation.instructions().empty()) return absl::OkStatus();
    HloInstruction& last = *computation.instructions().back();
    if (!last.has_sharding()) last.set_sharding(std::move(shardings[0]));
    return absl::OkStatus();
  }
  for (size_t i = 0; i < op.results.size(); ++i) {
    HloInstruction* result = value(op.results[i]);
    if (absl::c_linear_search(operands, result)) {
      // The op is an identity; its operand keeps its own sharding.
      if (!result->shape().IsArray()) continue;
      set_value(op.results[i],
                AddShardingCall("Sharding", result->shape(), result,
                                std::move(shardings[i]), computation));
      continue;
    }
    const bool is_element =
        result->opcode() == HloOpcode::kGetTupleElement &&
        !absl::c_linear_search(operands, result->operand(0)) &&
        !HasNestedTuples(result->operand(0)->shape());
    if (is_element) {
      SetElementSharding(*result->mutable_operand(0), result->tuple_index(),
                         std::move(shardings[i]));
    } else if (!result->shape().IsTuple()) {
      result->set_sharding(std::move(shardings[i]));
    }
  }
  return absl::OkStatus();
}

}  // namespace xla::stablehlo
