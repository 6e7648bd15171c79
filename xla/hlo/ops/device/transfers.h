// Ops that move data to and from the host, other programs, or another memory.
#ifndef XLA_HLO_OPS_DEVICE_TRANSFERS_H_
#define XLA_HLO_OPS_DEVICE_TRANSFERS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <tuple>

#include "absl/status/statusor.h"
#include "xla/core/shape.h"
#include "xla/hlo/attrs/attrs.h"
#include "xla/hlo/attrs/field_types.h"
#include "xla/hlo/ops/op_def.h"

namespace xla {

struct InfeedAttrs {
  std::string infeed_config;
  static constexpr auto kFields = std::tuple(
      Field{"infeed_config", &InfeedAttrs::infeed_config, "for the backend"});
};

struct OutfeedAttrs {
  Shape outfeed_shape;  // not set: the operand's
  std::string outfeed_config;
  static constexpr auto kFields = std::tuple(
      Field{"outfeed_shape", &OutfeedAttrs::outfeed_shape,
            "the operand's shape with the layout that the host reads"},
      Field{"outfeed_config", &OutfeedAttrs::outfeed_config,
            "for the backend"});
};

// The attributes of send, send-done, recv and recv-done.
struct ChannelAttrs {
  std::optional<int64_t> channel_id;
  bool is_host_transfer = false;
  static constexpr auto kFields =
      std::tuple(Field{"channel_id", &ChannelAttrs::channel_id,
                       "joins a send with its recv"},
                 Field{"is_host_transfer", &ChannelAttrs::is_host_transfer,
                       "whether the other side is the host"});
};

struct CopyStartAttrs {
  std::optional<int64_t> cross_program_prefetch_index;
  static constexpr auto kFields =
      std::tuple(Field{"cross_program_prefetch_index",
                       &CopyStartAttrs::cross_program_prefetch_index,
                       "which prefetch of the module this copy is"});
};

// token -> the declared (T, token). Errors: infeed_c1, infeed_c2. Source:
// section "Infeed".
absl::StatusOr<Shape> InferInfeed(const InferArgs& args,
                                  const InfeedAttrs& attrs);
// T, token -> token. Errors: outfeed_c1, outfeed_c2. Source: section
// "Outfeed".
absl::StatusOr<Shape> InferOutfeed(const InferArgs& args,
                                   const OutfeedAttrs& attrs);
// T, token -> (T, u32[], token). Errors: send_c1. Source: section "Send".
absl::StatusOr<Shape> InferSend(const InferArgs& args,
                                const ChannelAttrs& attrs);
// (T, u32[], token) -> token. Errors: send_done_c1.
absl::StatusOr<Shape> InferSendDone(const InferArgs& args,
                                    const ChannelAttrs& attrs);
// token -> the declared (T, u32[], token). Errors: recv_c1, recv_c2. Source:
// section "Recv".
absl::StatusOr<Shape> InferRecv(const InferArgs& args,
                                const ChannelAttrs& attrs);
// (T, u32[], token) -> (T, token). Errors: recv_done_c1.
absl::StatusOr<Shape> InferRecvDone(const InferArgs& args,
                                    const ChannelAttrs& attrs);
// T -> (T, T, u32[]): the copy, the operand, a context. Errors: copy_start_c1.
absl::StatusOr<Shape> InferCopyStart(const InferArgs& args,
                                     const CopyStartAttrs& attrs);
// (T, T, u32[]) -> T. Errors: copy_done_c1.
absl::StatusOr<Shape> InferCopyDone(const InferArgs& args);

inline constexpr OpDef kInfeed = {
    .opcode = HloOpcode::kInfeed,
    .name = "infeed",
    .operands = {"token"},
    .attrs = AttrsOf<InfeedAttrs>(),
    .infer = Infer<InfeedAttrs, InferInfeed>(),
    .declares_shape = true,
    .side_effect = true,
    .cost_class = CostClass::kDevice,
    .summary = "Takes the next value of the device's infeed queue.",
    .section = "Infeed",
};

inline constexpr OpDef kOutfeed = {
    .opcode = HloOpcode::kOutfeed,
    .name = "outfeed",
    .operands = {"operand", "token"},
    .attrs = AttrsOf<OutfeedAttrs>(),
    .infer = Infer<OutfeedAttrs, InferOutfeed>(),
    .side_effect = true,
    .cost_class = CostClass::kDevice,
    .summary = "Puts the operand into the device's outfeed queue.",
    .section = "Outfeed",
};

inline constexpr OpDef kSend = {
    .opcode = HloOpcode::kSend,
    .name = "send",
    .operands = {"operand", "token"},
    .attrs = AttrsOf<ChannelAttrs>(),
    .infer = Infer<ChannelAttrs, InferSend>(),
    .side_effect = true,
    .cost_class = CostClass::kDevice,
    .summary = "Starts to send the operand to the recv of the same channel.",
    .section = "Send",
};

inline constexpr OpDef kSendDone = {
    .opcode = HloOpcode::kSendDone,
    .name = "send-done",
    .operands = {"operand"},
    .attrs = AttrsOf<ChannelAttrs>(),
    .infer = Infer<ChannelAttrs, InferSendDone>(),
    .side_effect = true,
    .cost_class = CostClass::kDevice,
    .summary = "Waits until a send is done.",
    .section = "Send",
};

inline constexpr OpDef kRecv = {
    .opcode = HloOpcode::kRecv,
    .name = "recv",
    .operands = {"token"},
    .attrs = AttrsOf<ChannelAttrs>(),
    .infer = Infer<ChannelAttrs, InferRecv>(),
    .declares_shape = true,
    .side_effect = true,
    .cost_class = CostClass::kDevice,
    .summary = "Starts to receive what a send of the same channel sends.",
    .section = "Recv",
};

inline constexpr OpDef kRecvDone = {
    .opcode = HloOpcode::kRecvDone,
    .name = "recv-done",
    .operands = {"operand"},
    .attrs = AttrsOf<ChannelAttrs>(),
    .infer = Infer<ChannelAttrs, InferRecvDone>(),
    .side_effect = true,
    .cost_class = CostClass::kDevice,
    .summary = "Waits for the value of a recv.",
    .section = "Recv",
};

inline constexpr OpDef kCopyStart = {
    .opcode = HloOpcode::kCopyStart,
    .name = "copy-start",
    .operands = {"operand"},
    .attrs = AttrsOf<CopyStartAttrs>(),
    .infer = Infer<CopyStartAttrs, InferCopyStart>(),
    .cost_class = CostClass::kMovement,
    .summary = "Starts to copy the operand, perhaps to another memory.",
};

inline constexpr OpDef kCopyDone = {
    .opcode = HloOpcode::kCopyDone,
    .name = "copy-done",
    .operands = {"operand"},
    .infer = Infer<NoAttrs, InferCopyDone>(),
    .cost_class = CostClass::kMovement,
    .summary = "The copy that a copy-start made.",
};

}  // namespace xla

#endif  // XLA_HLO_OPS_DEVICE_TRANSFERS_H_
