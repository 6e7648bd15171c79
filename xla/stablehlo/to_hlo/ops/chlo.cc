// Ops of the dialect chlo, which users write in text: functions that HLO has
// opcodes for or that the builder's library has as formulas, element-wise ops
// whose operands broadcast, top_k and scan. contraction.cc has ragged_dot.
#include <algorithm>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "xla/base/status_macros.h"
#include "xla/core/literal/literal_util.h"
#include "xla/hlo/builder/lib/math.h"
#include "xla/hlo/builder/xla_builder.h"
#include "xla/hlo/ops/elementwise/elementwise_binary.h"
#include "xla/hlo/ops/movement/reshape.h"
#include "xla/hlo/ops/movement/sorting.h"
#include "xla/hlo/ops/reduction/reduction.h"
#include "xla/hlo/ops/values.h"
#include "xla/stablehlo/to_hlo/conversion/rules.h"
#include "xla/stablehlo/to_hlo/ops/built.h"
#include "xla/stablehlo/to_hlo/ops/elementwise.h"
#include "xla/stablehlo/to_hlo/ops/shapes.h"

namespace xla::stablehlo {
namespace {

template <HloOpcode kOpcode>
absl::Status Function(OpConversion& conversion) {
  return EmitFunction(conversion, kOpcode);
}

template <XlaOp (*kFunction)(XlaOp)>
absl::Status Built1(OpConversion& conversion) {
  TF_RETURN_IF_ERROR(conversion.ExpectOperands(1));
  TF_RETURN_IF_ERROR(conversion.ExpectResults(1));
  return EmitBuilt(conversion, [](absl::Span<const XlaOp> args) {
    return kFunction(args[0]);
  });
}

template <XlaOp (*kFunction)(XlaOp, XlaOp)>
absl::Status Built2(OpConversion& conversion) {
  TF_RETURN_IF_ERROR(conversion.ExpectOperands(2));
  TF_RETURN_IF_ERROR(conversion.ExpectResults(1));
  return EmitBuilt(conversion, [](absl::Span<const XlaOp> args) {
    return kFunction(args[0], args[1]);
  });
}

// Returns the shape that two shapes broadcast to, aligned at the last
// dimensions, whatever their element types.
absl::StatusOr<Shape> BroadcastShape(OpConversion& conversion, const Shape& a,
                                     Shape b,
                                     absl::Span<const int64_t> mapping) {
  b.set_element_type(a.element_type());
  absl::StatusOr<Shape> shape = InferBroadcastedBinary(a, b, mapping);
  if (!shape.ok()) return conversion.Annotate(shape.status());
  return shape;
}

// Returns 0, 1, ... for the higher rank; the last dimensions for the lower one.
std::vector<int64_t> TrailingDimensions(int64_t count, int64_t rank) {
  std::vector<int64_t> dimensions = Dimensions(count);
  for (int64_t& dimension : dimensions) dimension += rank - count;
  return dimensions;
}

struct Pair {
  HloInstruction* values[2];
};

// Returns both operands in the dimensions that they broadcast to. The attribute
// broadcast_dimensions places those of the operand of lower rank.
absl::StatusOr<Pair> BroadcastOperands(OpConversion& conversion) {
  TF_RETURN_IF_ERROR(conversion.ExpectOperands(2));
  TF_RETURN_IF_ERROR(conversion.ExpectResults(1));
  TF_RETURN_IF_ERROR(ExpectArray(conversion, 0));
  TF_RETURN_IF_ERROR(ExpectArray(conversion, 1));
  const Shape& lhs = conversion.operand(0)->shape();
  const Shape& rhs = conversion.operand(1)->shape();
  TF_ASSIGN_OR_RETURN(std::vector<int64_t> mapping,
                      conversion.IntegersOrEmpty("broadcast_dimensions"));
  const int64_t rank = std::max(lhs.rank(), rhs.rank());
  if (lhs.rank() != rhs.rank()) {
    const int64_t lower = std::min(lhs.rank(), rhs.rank());
    if (mapping.empty()) mapping = TrailingDimensions(lower, rank);
  } else if (!mapping.empty() && mapping != Dimensions(rank)) {
    return conversion.Error(
        "broadcast_dimensions of operands of one rank must be all in order");
  } else {
    mapping.clear();
  }
  TF_ASSIGN_OR_RETURN(Shape shape,
                      BroadcastShape(conversion, lhs, rhs, mapping));
  const std::vector<int64_t> all = Dimensions(rank);
  Pair pair;
  for (int i = 0; i < 2; ++i) {
    HloInstruction* operand = conversion.operand(i);
    TF_ASSIGN_OR_RETURN(
        pair.values[i],
        BroadcastTo(conversion, operand, shape,
                    operand->shape().rank() == rank ? all : mapping));
  }
  return pair;
}

template <HloOpcode kOpcode>
absl::Status Broadcasting(OpConversion& conversion) {
  TF_ASSIGN_OR_RETURN(Pair pair, BroadcastOperands(conversion));
  return conversion.Emit(kOpcode, pair.values);
}

template <XlaOp (*kFunction)(XlaOp, XlaOp)>
absl::Status BroadcastingBuilt(OpConversion& conversion) {
  TF_ASSIGN_OR_RETURN(Pair pair, BroadcastOperands(conversion));
  TF_ASSIGN_OR_RETURN(
      HloInstruction * result,
      Build(conversion, pair.values, [](absl::Span<const XlaOp> args) {
        return kFunction(args[0], args[1]);
      }));
  conversion.SetResults(result);
  return absl::OkStatus();
}

absl::Status ConvertBroadcastCompare(OpConversion& conversion) {
  TF_ASSIGN_OR_RETURN(Pair pair, BroadcastOperands(conversion));
  TF_ASSIGN_OR_RETURN(CompareAttrs attrs, CompareAttrsOf(conversion));
  return conversion.Emit(HloOpcode::kCompare, pair.values, std::move(attrs));
}

absl::Status ConvertBroadcastSelect(OpConversion& conversion) {
  TF_RETURN_IF_ERROR(conversion.ExpectOperands(3));
  TF_RETURN_IF_ERROR(conversion.ExpectResults(1));
  Shape shape;
  for (int i = 0; i < 3; ++i) {
    TF_RETURN_IF_ERROR(ExpectArray(conversion, i));
    const Shape& next = conversion.operand(i)->shape();
    if (i == 0) {
      shape = next;
      continue;
    }
    const bool lower = shape.rank() < next.rank();
    std::vector<int64_t> mapping;
    if (shape.rank() != next.rank()) {
      mapping = TrailingDimensions(std::min(shape.rank(), next.rank()),
                                   std::max(shape.rank(), next.rank()));
    }
    TF_ASSIGN_OR_RETURN(
        shape, lower ? BroadcastShape(conversion, next, shape, mapping)
                     : BroadcastShape(conversion, shape, next, mapping));
  }
  std::vector<HloInstruction*> operands;
  for (HloInstruction* operand : conversion.operands()) {
    TF_ASSIGN_OR_RETURN(
        operands.emplace_back(),
        BroadcastTo(conversion, operand, shape,
                    TrailingDimensions(operand->shape().rank(), shape.rank())));
  }
  return conversion.Emit(HloOpcode::kSelect, operands);
}

absl::Status ConvertMulhi(OpConversion& conversion) {
  TF_RETURN_IF_ERROR(conversion.ExpectOperands(2));
  TF_RETURN_IF_ERROR(conversion.ExpectResults(1));
  return conversion.Emit(HloOpcode::kMulhi, conversion.operands());
}

absl::Status ConvertConj(OpConversion& conversion) {
  TF_RETURN_IF_ERROR(conversion.ExpectOperands(1));
  TF_RETURN_IF_ERROR(conversion.ExpectResults(1));
  TF_RETURN_IF_ERROR(ExpectArray(conversion, 0));
  const bool is_complex =
      ShapeUtil::ElementIsComplex(conversion.operand(0)->shape());
  return EmitBuilt(conversion, [&](absl::Span<const XlaOp> args) {
    return MaybeConjugate(args[0], is_complex);
  });
}

absl::Status ConvertSquare(OpConversion& conversion) {
  TF_RETURN_IF_ERROR(conversion.ExpectOperands(1));
  TF_RETURN_IF_ERROR(conversion.ExpectResults(1));
  HloInstruction* x = conversion.operand(0);
  return conversion.Emit(HloOpcode::kMultiply, {x, x});
}

// Broadcasts a scalar to the dimensions of the operand.
absl::Status ConvertConstantLike(OpConversion& conversion) {
  TF_RETURN_IF_ERROR(conversion.ExpectOperands(1));
  TF_RETURN_IF_ERROR(conversion.ExpectResults(1));
  TF_RETURN_IF_ERROR(ExpectArray(conversion, 0));
  const Attribute* value = conversion.Find("value");
  TF_ASSIGN_OR_RETURN(Shape shape, OperandShapeOfResultType(conversion));
  HloInstruction* scalar;
  if (value != nullptr && value->kind == Attribute::Kind::kFloat) {
    scalar = ScalarConstant(conversion, shape.element_type(), value->real);
  } else if (value != nullptr && (value->kind == Attribute::Kind::kInteger ||
                                  value->kind == Attribute::Kind::kBool)) {
    scalar = conversion.AddConstant(
        LiteralUtil::CreateR0(shape.element_type(), value->integer));
  } else {
    return conversion.Unimplemented("the value must be a number");
  }
  if (shape.rank() > 0) {
    scalar = conversion.Add(HloOpcode::kBroadcast, std::move(shape), {scalar},
                            BroadcastAttrs{});
  }
  conversion.SetResults(scalar);
  return absl::OkStatus();
}

absl::Status ConvertTopK(OpConversion& conversion) {
  TF_RETURN_IF_ERROR(conversion.ExpectOperands(1));
  TF_RETURN_IF_ERROR(conversion.ExpectResults(2));
  TopKAttrs attrs;
  TF_ASSIGN_OR_RETURN(attrs.k, conversion.Integer("k"));
  TF_ASSIGN_OR_RETURN(attrs.largest, conversion.BoolOr("largest", true));
  return conversion.Emit(HloOpcode::kTopK, conversion.operands(), attrs);
}

// Checks what a scan states twice: how many results are carries, and the size
// of the scanned dimension.
absl::Status CheckScanSizes(OpConversion& conversion, int64_t dimension,
                            int64_t carries) {
  TF_ASSIGN_OR_RETURN(const std::vector<int64_t> results,
                      conversion.IntegersOrEmpty("resultSegmentSizes"));
  if (!results.empty() && (results.size() != 2 || results[1] != carries ||
                           results[0] != conversion.result_count() - carries)) {
    return conversion.Error(absl::StrCat("resultSegmentSizes must give ",
                                         conversion.result_count() - carries,
                                         " outputs and ", carries, " carries"));
  }
  if (conversion.Find("scan_dim_size") == nullptr) return absl::OkStatus();
  TF_ASSIGN_OR_RETURN(const int64_t size, conversion.Integer("scan_dim_size"));
  if (carries == conversion.operand_count()) {
    return conversion.Unimplemented("a scan without inputs");
  }
  TF_RETURN_IF_ERROR(ExpectArray(conversion, 0));
  TF_RETURN_IF_ERROR(CheckDimension(conversion, 0, dimension));
  const Shape& input = conversion.operand(0)->shape();
  if (input.dimensions(dimension) == size) return absl::OkStatus();
  return conversion.Error(absl::StrCat("scan_dim_size is ", size,
                                       ", but the inputs have ",
                                       input.dimensions(dimension)));
}

absl::Status ConvertScan(OpConversion& conversion) {
  TF_ASSIGN_OR_RETURN(std::vector<int64_t> segments,
                      conversion.Integers("operandSegmentSizes"));
  if (segments.size() != 2 || segments[1] < 0 ||
      segments[1] > conversion.operand_count()) {
    return conversion.Error("operandSegmentSizes must give inputs and inits");
  }
  ScanAttrs attrs;
  TF_ASSIGN_OR_RETURN(int64_t dimension, conversion.Integer("dimension"));
  attrs.dimensions = {dimension};
  attrs.num_carries = segments[1];
  TF_RETURN_IF_ERROR(CheckScanSizes(conversion, dimension, segments[1]));
  TF_ASSIGN_OR_RETURN(attrs.is_reverse, conversion.BoolOr("is_reverse", false));
  TF_ASSIGN_OR_RETURN(bool associative,
                      conversion.BoolOr("is_associative", false));
  attrs.is_associative = associative ? TRI_STATE_TRUE : TRI_STATE_FALSE;
  TF_ASSIGN_OR_RETURN(HloComputation * body, conversion.Region(0));
  TF_ASSIGN_OR_RETURN(HloInstruction * scan,
                      conversion.Infer(HloOpcode::kScan, conversion.operands(),
                                       std::move(attrs), {body}));
  if (conversion.result_count() != 1 || !scan->shape().IsTuple()) {
    conversion.SetResults(scan);
    return absl::OkStatus();
  }
  TF_ASSIGN_OR_RETURN(Shape shape, conversion.ResultShape());
  conversion.SetResults(conversion.Add(HloOpcode::kGetTupleElement,
                                       std::move(shape), {scan},
                                       GetTupleElementAttrs{0}));
  return absl::OkStatus();
}

constexpr Rule kChloRules[] = {
    {"chlo.acos", Function<HloOpcode::kAcos>},
    {"chlo.acosh", Function<HloOpcode::kAcosh>},
    {"chlo.asin", Function<HloOpcode::kAsin>},
    {"chlo.asinh", Function<HloOpcode::kAsinh>},
    {"chlo.atan", Built1<Atan>},
    {"chlo.atanh", Function<HloOpcode::kAtanh>},
    {"chlo.bessel_i1e", Built1<BesselI1e>},
    {"chlo.conj", ConvertConj},
    {"chlo.constant_like", ConvertConstantLike},
    {"chlo.cosh", Function<HloOpcode::kCosh>},
    {"chlo.digamma", Built1<Digamma>},
    {"chlo.erf", Function<HloOpcode::kErf>},
    {"chlo.erf_inv", Built1<ErfInv>},
    {"chlo.erfc", Built1<Erfc>},
    {"chlo.is_inf", Built1<IsInf>},
    {"chlo.is_neg_inf", Built1<IsNegInf>},
    {"chlo.is_pos_inf", Built1<IsPosInf>},
    {"chlo.lgamma", Built1<Lgamma>},
    {"chlo.mulhi", ConvertMulhi},
    {"chlo.next_after", Built2<NextAfter>},
    {"chlo.polygamma", Built2<Polygamma>},
    {"chlo.scan", ConvertScan},
    {"chlo.sinh", Function<HloOpcode::kSinh>},
    {"chlo.square", ConvertSquare},
    {"chlo.tan", Function<HloOpcode::kTan>},
    {"chlo.top_k", ConvertTopK},
    {"chlo.zeta", Built2<Zeta>},

    {"chlo.broadcast_add", Broadcasting<HloOpcode::kAdd>},
    {"chlo.broadcast_and", Broadcasting<HloOpcode::kAnd>},
    {"chlo.broadcast_atan2", Broadcasting<HloOpcode::kAtan2>},
    {"chlo.broadcast_compare", ConvertBroadcastCompare},
    {"chlo.broadcast_complex", Broadcasting<HloOpcode::kComplex>},
    {"chlo.broadcast_divide", Broadcasting<HloOpcode::kDivide>},
    {"chlo.broadcast_maximum", Broadcasting<HloOpcode::kMaximum>},
    {"chlo.broadcast_minimum", Broadcasting<HloOpcode::kMinimum>},
    {"chlo.broadcast_multiply", Broadcasting<HloOpcode::kMultiply>},
    {"chlo.broadcast_next_after", BroadcastingBuilt<NextAfter>},
    {"chlo.broadcast_or", Broadcasting<HloOpcode::kOr>},
    {"chlo.broadcast_polygamma", BroadcastingBuilt<Polygamma>},
    {"chlo.broadcast_power", Broadcasting<HloOpcode::kPower>},
    {"chlo.broadcast_remainder", Broadcasting<HloOpcode::kRemainder>},
    {"chlo.broadcast_select", ConvertBroadcastSelect},
    {"chlo.broadcast_shift_left", Broadcasting<HloOpcode::kShiftLeft>},
    {"chlo.broadcast_shift_right_arithmetic",
     Broadcasting<HloOpcode::kShiftRightArithmetic>},
    {"chlo.broadcast_shift_right_logical",
     Broadcasting<HloOpcode::kShiftRightLogical>},
    {"chlo.broadcast_subtract", Broadcasting<HloOpcode::kSubtract>},
    {"chlo.broadcast_xor", Broadcasting<HloOpcode::kXor>},
    {"chlo.broadcast_zeta", BroadcastingBuilt<Zeta>},
};

}  // namespace

absl::Span<const Rule> ChloRules() { return kChloRules; }

}  // namespace xla::stablehlo
