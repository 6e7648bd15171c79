// Infeed, outfeed, send and recv.
#include "xla/hlo/builder/ops/transfers.h"

#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "xla/base/status_macros.h"
#include "xla/core/layout_util.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/builder/emit.h"
#include "xla/hlo/builder/ops/control_flow.h"
#include "xla/hlo/builder/ops/values.h"
#include "xla/hlo/builder/scoped_assignments.h"
#include "xla/hlo/builder/sharding_builder.h"
#include "xla/hlo/ops/device/transfers.h"
#include "xla/hlo/ops/op_def.h"

namespace xla {
namespace {

using builder_internal::BuilderOf;
using builder_internal::Emit;

absl::Status CheckChannel(const ChannelHandle& handle,
                          ChannelHandle::ChannelType expected) {
  // channel_c1: the channel is of the kind that the op uses.
  if (handle.type() == expected) return absl::OkStatus();
  return RuleError(
      "channel_c1",
      absl::StrCat("channel ", handle.handle(), " must be ",
                   ChannelHandle::ChannelType_Name(expected), ", got ",
                   ChannelHandle::ChannelType_Name(handle.type())));
}

absl::Status CheckHostShape(const Shape& shape) {
  // host_transfer_c1: what goes to and from the host is an array with a layout.
  if (shape.IsArray() && shape.has_layout()) return absl::OkStatus();
  return RuleError("host_transfer_c1",
                   absl::StrCat("the shape must be an array with a layout, "
                                "got ",
                                ShapeUtil::HumanStringWithLayout(shape)));
}

// Tokens are on device 0 if what is fed in or out has a sharding.
std::optional<OpSharding> TokenSharding(const XlaBuilder& b) {
  if (!b.sharding().has_value()) return std::nullopt;
  return sharding_builder::SingleDevice(0);
}

// Returns the builder's sharding of data, a tuple, with that of a token after
// it.
OpSharding WithToken(OpSharding sharding) {
  *sharding.add_tuple_shardings() = sharding_builder::SingleDevice(0);
  return sharding;
}

// Returns `previous`, or a new token if there is none.
XlaOp TokenAfter(XlaBuilder& b, XlaOp previous) {
  if (previous.valid()) return previous;
  XlaScopedShardingAssignment scope(&b, TokenSharding(b));
  return CreateToken(&b);
}

absl::StatusOr<XlaOp> AddSend(XlaBuilder& b, XlaOp operand, XlaOp token,
                              const ChannelAttrs& channel) {
  TF_ASSIGN_OR_RETURN(XlaOp send,
                      b.AddOp(HloOpcode::kSend, {operand, token}, channel));
  return b.AddOp(HloOpcode::kSendDone, {send}, channel);
}

absl::StatusOr<XlaOp> AddRecv(XlaBuilder& b, XlaOp token, const Shape& shape,
                              const ChannelAttrs& channel) {
  const Shape result = ShapeUtil::MakeTupleShape(
      {shape, ShapeUtil::MakeShape(U32, {}), ShapeUtil::MakeTokenShape()});
  TF_ASSIGN_OR_RETURN(XlaOp recv,
                      b.AddOp(HloOpcode::kRecv, {token}, channel, {}, &result));
  return b.AddOp(HloOpcode::kRecvDone, {recv}, channel);
}

}  // namespace

XlaOp Infeed(XlaBuilder* builder, const Shape& shape,
             const std::string& config) {
  return Emit(builder, [&](XlaBuilder& b) -> absl::StatusOr<XlaOp> {
    const XlaOp token = TokenAfter(b, b.infeed_token());
    XlaOp infeed;
    {
      std::optional<OpSharding> sharding = b.sharding();
      if (sharding.has_value() && sharding->type() == OpSharding::TUPLE) {
        sharding = WithToken(*std::move(sharding));
      }
      XlaScopedShardingAssignment scope(&b, sharding);
      infeed = InfeedWithToken(token, shape, config);
    }
    {
      XlaScopedShardingAssignment scope(&b, TokenSharding(b));
      b.set_infeed_token(GetTupleElement(infeed, 1));
    }
    return GetTupleElement(infeed, 0);
  });
}

XlaOp InfeedWithToken(XlaOp token, const Shape& shape,
                      const std::string& config) {
  return Emit(BuilderOf({token}), [&](XlaBuilder& b) {
    const Shape result =
        ShapeUtil::MakeTupleShape({shape, ShapeUtil::MakeTokenShape()});
    return b.AddOp(HloOpcode::kInfeed, {token}, InfeedAttrs{config}, {},
                   &result);
  });
}

void Outfeed(XlaOp operand, const Shape& shape_with_layout,
             const std::string& outfeed_config) {
  XlaBuilder* builder = BuilderOf({operand});
  Emit(builder, [&](XlaBuilder& b) -> absl::StatusOr<XlaOp> {
    const XlaOp token = TokenAfter(b, b.outfeed_token());
    {
      std::optional<OpSharding> sharding = b.sharding();
      if (sharding.has_value()) {
        if (sharding->type() != OpSharding::TUPLE) {
          OpSharding of_data;
          of_data.set_type(OpSharding::TUPLE);
          *of_data.add_tuple_shardings() = *std::move(sharding);
          sharding = std::move(of_data);
        }
        sharding = WithToken(*std::move(sharding));
      }
      XlaScopedShardingAssignment scope(&b, sharding);
      b.set_outfeed_token(
          OutfeedWithToken(operand, token, shape_with_layout, outfeed_config));
    }
    // A program that ends with it returns nothing rather than a token.
    XlaScopedShardingAssignment none(&b, std::nullopt);
    return Tuple(&b, {});
  });
}

XlaOp OutfeedWithToken(XlaOp operand, XlaOp token,
                       const Shape& shape_with_layout,
                       const std::string& outfeed_config) {
  return Emit(
      BuilderOf({operand, token}), [&](XlaBuilder& b) -> absl::StatusOr<XlaOp> {
        TF_ASSIGN_OR_RETURN(const Shape* shape, b.GetShapePtr(operand));
        TF_RETURN_IF_ERROR(
            ShapeUtil::ValidateShapeWithOptionalLayout(shape_with_layout));
        // outfeed_shape_c1: the shape given is that of the operand, with a
        // layout.
        if (!LayoutUtil::HasLayout(shape_with_layout) ||
            !ShapeUtil::Compatible(*shape, shape_with_layout)) {
          return RuleError(
              "outfeed_shape_c1",
              absl::StrCat(
                  "the shape must be ", ShapeUtil::HumanString(*shape),
                  " with a layout, got ",
                  ShapeUtil::HumanStringWithLayout(shape_with_layout)));
        }
        return b.AddOp(HloOpcode::kOutfeed, {operand, token},
                       OutfeedAttrs{shape_with_layout, outfeed_config});
      });
}

void Send(XlaOp operand, const ChannelHandle& handle) {
  SendWithToken(operand, CreateToken(BuilderOf({operand})), handle);
}

XlaOp SendWithToken(XlaOp operand, XlaOp token, const ChannelHandle& handle) {
  return Emit(BuilderOf({operand, token}),
              [&](XlaBuilder& b) -> absl::StatusOr<XlaOp> {
                TF_RETURN_IF_ERROR(
                    CheckChannel(handle, ChannelHandle::DEVICE_TO_DEVICE));
                return AddSend(b, operand, token, {handle.handle(), false});
              });
}

XlaOp Recv(XlaBuilder* builder, const Shape& shape,
           const ChannelHandle& handle) {
  return GetTupleElement(RecvWithToken(CreateToken(builder), shape, handle), 0);
}

XlaOp RecvWithToken(XlaOp token, const Shape& shape,
                    const ChannelHandle& handle) {
  return Emit(BuilderOf({token}), [&](XlaBuilder& b) -> absl::StatusOr<XlaOp> {
    TF_RETURN_IF_ERROR(CheckChannel(handle, ChannelHandle::DEVICE_TO_DEVICE));
    return AddRecv(b, token, shape, {handle.handle(), false});
  });
}

XlaOp SendToHost(XlaOp operand, XlaOp token, const Shape& shape_with_layout,
                 const ChannelHandle& handle) {
  return Emit(
      BuilderOf({operand, token}), [&](XlaBuilder& b) -> absl::StatusOr<XlaOp> {
        TF_RETURN_IF_ERROR(CheckHostShape(shape_with_layout));
        TF_RETURN_IF_ERROR(CheckChannel(handle, ChannelHandle::DEVICE_TO_HOST));
        TF_ASSIGN_OR_RETURN(const Shape* shape, b.GetShapePtr(operand));
        // host_transfer_c2: the shape given is that of the operand.
        if (!ShapeUtil::Compatible(*shape, shape_with_layout)) {
          return RuleError(
              "host_transfer_c2",
              absl::StrCat("cannot send ", ShapeUtil::HumanString(*shape),
                           " as ", ShapeUtil::HumanString(shape_with_layout)));
        }
        return AddSend(b, operand, token, {handle.handle(), true});
      });
}

XlaOp RecvFromHost(XlaOp token, const Shape& shape,
                   const ChannelHandle& handle) {
  return Emit(BuilderOf({token}), [&](XlaBuilder& b) -> absl::StatusOr<XlaOp> {
    TF_RETURN_IF_ERROR(CheckHostShape(shape));
    TF_RETURN_IF_ERROR(CheckChannel(handle, ChannelHandle::HOST_TO_DEVICE));
    return AddRecv(b, token, shape, {handle.handle(), true});
  });
}

}  // namespace xla
