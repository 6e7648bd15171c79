// Shape rules of infeed, outfeed, send, recv and asynchronous copies.
#include "xla/hlo/ops/device/transfers.h"

#include "absl/strings/str_cat.h"
#include "xla/base/status_macros.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/ops/rule_text.h"

namespace xla {
namespace {

absl::Status CheckToken(absl::string_view rule, const Shape& shape) {
  if (shape.IsToken()) return absl::OkStatus();
  return RuleError(rule, absl::StrCat("the last operand must be a token, got ",
                                      Text(shape)));
}

// (T, u32[], token), as send and recv give it.
bool IsTransferTuple(const Shape& shape) {
  return shape.IsTuple() && shape.tuple_shapes_size() == 3 &&
         ShapeUtil::IsScalarWithElementType(shape.tuple_shapes(1), U32) &&
         shape.tuple_shapes(2).IsToken();
}

absl::Status CheckTransferTuple(absl::string_view rule, absl::string_view what,
                                const Shape& shape) {
  if (IsTransferTuple(shape)) return absl::OkStatus();
  return RuleError(rule, absl::StrCat("the ", what,
                                      " must be a tuple (value, u32[], "
                                      "token), got ",
                                      Text(shape)));
}

}  // namespace

absl::StatusOr<Shape> InferInfeed(const InferArgs& args,
                                  const InfeedAttrs& attrs) {
  // infeed_c1: the operand is a token.
  TF_RETURN_IF_ERROR(CheckToken("infeed_c1", args.operand(0)));
  const Shape& declared = *args.declared;
  // infeed_c2: the result is (T, token).
  if (!declared.IsTuple() || declared.tuple_shapes_size() != 2 ||
      !declared.tuple_shapes(1).IsToken()) {
    return RuleError("infeed_c2",
                     absl::StrCat("the result must be a tuple (value, token), "
                                  "got ",
                                  Text(declared)));
  }
  return declared;
}

absl::StatusOr<Shape> InferOutfeed(const InferArgs& args,
                                   const OutfeedAttrs& attrs) {
  // outfeed_c1: the second operand is a token.
  TF_RETURN_IF_ERROR(CheckToken("outfeed_c1", args.operand(1)));
  // outfeed_c2: outfeed_shape, if stated, is the operand's shape.
  if (ShapeUtil::IsInitialized(attrs.outfeed_shape) &&
      !ShapeUtil::Compatible(attrs.outfeed_shape, args.operand(0))) {
    return RuleError(
        "outfeed_c2",
        absl::StrCat("outfeed_shape is ", Text(attrs.outfeed_shape),
                     ", but the operand has ", Text(args.operand(0))));
  }
  return ShapeUtil::MakeTokenShape();
}

absl::StatusOr<Shape> InferSend(const InferArgs& args,
                                const ChannelAttrs& attrs) {
  // send_c1: the second operand is a token.
  TF_RETURN_IF_ERROR(CheckToken("send_c1", args.operand(1)));
  return ShapeUtil::MakeTupleShape({args.operand(0),
                                    ShapeUtil::MakeScalarShape(U32),
                                    ShapeUtil::MakeTokenShape()});
}

absl::StatusOr<Shape> InferSendDone(const InferArgs& args,
                                    const ChannelAttrs& attrs) {
  // send_done_c1: the operand is (T, u32[], token).
  TF_RETURN_IF_ERROR(
      CheckTransferTuple("send_done_c1", "operand", args.operand(0)));
  return ShapeUtil::MakeTokenShape();
}

absl::StatusOr<Shape> InferRecv(const InferArgs& args,
                                const ChannelAttrs& attrs) {
  // recv_c1: the operand is a token.
  TF_RETURN_IF_ERROR(CheckToken("recv_c1", args.operand(0)));
  // recv_c2: the result is (T, u32[], token).
  TF_RETURN_IF_ERROR(CheckTransferTuple("recv_c2", "result", *args.declared));
  return *args.declared;
}

absl::StatusOr<Shape> InferRecvDone(const InferArgs& args,
                                    const ChannelAttrs& attrs) {
  // recv_done_c1: the operand is (T, u32[], token).
  TF_RETURN_IF_ERROR(
      CheckTransferTuple("recv_done_c1", "operand", args.operand(0)));
  return ShapeUtil::MakeTupleShape(
      {args.operand(0).tuple_shapes(0), ShapeUtil::MakeTokenShape()});
}

absl::StatusOr<Shape> InferCopyStart(const InferArgs& args,
                                     const CopyStartAttrs& attrs) {
  // copy_start_c1: the operand is an array.
  if (!args.operand(0).IsArray()) {
    return RuleError("copy_start_c1",
                     absl::StrCat("the operand must be an array, got ",
                                  Text(args.operand(0))));
  }
  return ShapeUtil::MakeTupleShape(
      {args.operand(0), args.operand(0), ShapeUtil::MakeScalarShape(U32)});
}

absl::StatusOr<Shape> InferCopyDone(const InferArgs& args) {
  const Shape& operand = args.operand(0);
  // copy_done_c1: the operand is (T, T, u32[]).
  if (!operand.IsTuple() || operand.tuple_shapes_size() != 3 ||
      !ShapeUtil::Compatible(operand.tuple_shapes(0),
                             operand.tuple_shapes(1)) ||
      !ShapeUtil::IsScalarWithElementType(operand.tuple_shapes(2), U32)) {
    return RuleError("copy_done_c1",
                     absl::StrCat("the operand must be a tuple (copy, "
                                  "original, u32[]), got ",
                                  Text(operand)));
  }
  return operand.tuple_shapes(0);
}

}  // namespace xla
