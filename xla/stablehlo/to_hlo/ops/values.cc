// Ops that make values from attributes: constant, iota, random numbers.
#include <utility>

#include "absl/strings/str_cat.h"
#include "xla/base/status_macros.h"
#include "xla/hlo/ops/movement/reshape.h"
#include "xla/hlo/ops/random.h"
#include "xla/stablehlo/to_hlo/conversion/rules.h"
#include "xla/stablehlo/to_hlo/ops/shapes.h"

namespace xla::stablehlo {
namespace {

// The most elements of a constant of one value that becomes a literal; larger
// ones become broadcasts, since text can ask for any number of elements.
constexpr int64_t kMaxSplatElements = 16;

absl::Status ConvertConstant(OpConversion& conversion) {
  TF_RETURN_IF_ERROR(conversion.ExpectOperands(0));
  TF_RETURN_IF_ERROR(conversion.ExpectResults(1));
  const Attribute* value = conversion.Find("value");
  if (value == nullptr || value->kind != Attribute::Kind::kElements ||
      !value->splat) {
    TF_ASSIGN_OR_RETURN(Literal literal, conversion.Elements("value"));
    conversion.SetResults(conversion.AddConstant(std::move(literal)));
    return absl::OkStatus();
  }
  absl::StatusOr<Shape> shape = ShapeOfType(*value->type);
  if (!shape.ok()) return conversion.Annotate(shape.status());
  Type scalar_type = *value->type;
  Attribute scalar = *value;
  const bool is_large =
      shape->IsArray() && ShapeUtil::ElementsIn(*shape) > kMaxSplatElements;
  if (is_large) {
    scalar_type.dimensions = {};
    scalar_type.bounds = {};
    scalar.type = &scalar_type;
  }
  absl::StatusOr<Literal> literal = LiteralOfElements(scalar);
  if (!literal.ok()) return conversion.Annotate(literal.status());
  HloInstruction* constant = conversion.AddConstant(*std::move(literal));
  if (is_large) {
    constant = conversion.Add(HloOpcode::kBroadcast, *std::move(shape),
                              {constant}, BroadcastAttrs{});
  }
  conversion.SetResults(constant);
  return absl::OkStatus();
}

absl::Status ConvertIota(OpConversion& conversion) {
  TF_RETURN_IF_ERROR(conversion.ExpectOperands(0));
  TF_RETURN_IF_ERROR(conversion.ExpectResults(1));
  IotaAttrs attrs;
  TF_ASSIGN_OR_RETURN(attrs.iota_dimension,
                      conversion.Integer("iota_dimension"));
  TF_ASSIGN_OR_RETURN(Shape shape, conversion.ResultShape());
  conversion.SetResults(
      conversion.Add(HloOpcode::kIota, std::move(shape), {}, attrs));
  return absl::OkStatus();
}

// The sizes of the result are an operand too.
absl::Status ConvertRng(OpConversion& conversion) {
  TF_RETURN_IF_ERROR(conversion.ExpectOperands(3));
  TF_RETURN_IF_ERROR(conversion.ExpectResults(1));
  RngAttrs attrs;
  TF_ASSIGN_OR_RETURN(absl::string_view distribution,
                      conversion.EnumOr("rng_distribution", ""));
  if (distribution == "NORMAL") {
    attrs.distribution = RNG_NORMAL;
  } else if (distribution != "UNIFORM") {
    return conversion.Error(
        absl::StrCat("unknown rng_distribution: '", distribution, "'"));
  }
  Shape shape;
  if (conversion.result_type().IsStatic()) {
    TF_ASSIGN_OR_RETURN(shape, conversion.ResultShape());
  } else {
    TF_ASSIGN_OR_RETURN(std::vector<int64_t> sizes,
                        conversion.ConstantIntegers(2));
    TF_ASSIGN_OR_RETURN(
        shape,
        MakeShape(conversion, ElementTypeOf(conversion.result_type()), sizes));
  }
  conversion.SetResults(
      conversion.Add(HloOpcode::kRng, std::move(shape),
                     {conversion.operand(0), conversion.operand(1)}, attrs));
  return absl::OkStatus();
}

absl::Status ConvertRngBitGenerator(OpConversion& conversion) {
  TF_RETURN_IF_ERROR(conversion.ExpectOperands(1));
  TF_RETURN_IF_ERROR(conversion.ExpectResults(2));
  RngBitGeneratorAttrs attrs;
  TF_ASSIGN_OR_RETURN(absl::string_view algorithm,
                      conversion.EnumOr("rng_algorithm", "DEFAULT"));
  if (algorithm == "THREE_FRY") {
    attrs.algorithm = RNG_THREE_FRY;
  } else if (algorithm == "PHILOX") {
    attrs.algorithm = RNG_PHILOX;
  } else if (algorithm != "DEFAULT") {
    return conversion.Error(
        absl::StrCat("unknown rng_algorithm: '", algorithm, "'"));
  }
  Shape state;
  if (conversion.result_type(0).IsStatic()) {
    TF_ASSIGN_OR_RETURN(state, conversion.ResultShape(0));
  } else {
    state = conversion.operand(0)->shape();
  }
  TF_ASSIGN_OR_RETURN(Shape bits, conversion.ResultShape(1));
  conversion.SetResults(conversion.Add(HloOpcode::kRngBitGenerator,
                                       ShapeUtil::MakeTupleShape({state, bits}),
                                       conversion.operands(), attrs));
  return absl::OkStatus();
}

constexpr Rule kValuesRules[] = {
    {"chlo.constant", ConvertConstant},
    {"stablehlo.constant", ConvertConstant},
    {"stablehlo.iota", ConvertIota},
    {"stablehlo.rng", ConvertRng},
    {"stablehlo.rng_bit_generator", ConvertRngBitGenerator},
};

}  // namespace

absl::Span<const Rule> ValueRules() { return kValuesRules; }

}  // namespace xla::stablehlo
