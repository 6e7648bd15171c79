// Ops that move data to and from the host and other programs. All functions:
// errors are kept in the builder. Forms without a token make one; each Infeed
// and Outfeed without one runs after the last of its kind. Sources: sections
// "Infeed", "Outfeed", "Send", "Recv".
#ifndef XLA_HLO_BUILDER_OPS_TRANSFERS_H_
#define XLA_HLO_BUILDER_OPS_TRANSFERS_H_

#include <string>

#include "xla/core/shape.h"
#include "xla/hlo/builder/xla_op.h"
#include "xla/proto/xla_data.pb.h"

namespace xla {

class XlaBuilder;

// Returns the next value of the infeed queue; with a token, (value, token).
XlaOp Infeed(XlaBuilder* builder, const Shape& shape,
             const std::string& config = "");
XlaOp InfeedWithToken(XlaOp token, const Shape& shape,
                      const std::string& config = "");

// Puts `operand` into the outfeed queue, in the given layout. Errors:
// outfeed_shape_c1 if the shapes differ in more than layout.
void Outfeed(XlaOp operand, const Shape& shape_with_layout,
             const std::string& outfeed_config);
XlaOp OutfeedWithToken(XlaOp operand, XlaOp token,
                       const Shape& shape_with_layout,
                       const std::string& outfeed_config);

// Transfer between programs that share the channel, which must be
// DEVICE_TO_DEVICE (channel_c1); Recv...WithToken returns (value, token).
void Send(XlaOp operand, const ChannelHandle& handle);
XlaOp SendWithToken(XlaOp operand, XlaOp token, const ChannelHandle& handle);
XlaOp Recv(XlaBuilder* builder, const Shape& shape,
           const ChannelHandle& handle);
XlaOp RecvWithToken(XlaOp token, const Shape& shape,
                    const ChannelHandle& handle);

// Transfer to and from the host; the channel must be DEVICE_TO_HOST or
// HOST_TO_DEVICE (channel_c1), the shape an array with a layout
// (host_transfer_c1).
XlaOp SendToHost(XlaOp operand, XlaOp token, const Shape& shape_with_layout,
                 const ChannelHandle& handle);
XlaOp RecvFromHost(XlaOp token, const Shape& shape,
                   const ChannelHandle& handle);

}  // namespace xla

#endif  // XLA_HLO_BUILDER_OPS_TRANSFERS_H_
