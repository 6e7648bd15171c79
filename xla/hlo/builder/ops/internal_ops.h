// Ops that compilers rather than clients make, under XLA's names.
#ifndef XLA_HLO_BUILDER_OPS_INTERNAL_OPS_H_
#define XLA_HLO_BUILDER_OPS_INTERNAL_OPS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "xla/core/layout.h"
#include "xla/core/shape.h"
#include "xla/hlo/builder/ops/custom_call.h"
#include "xla/hlo/builder/xla_op.h"
#include "xla/proto/xla_data.pb.h"

namespace xla {

class XlaBuilder;

namespace internal {

// Errors are kept in the builder. If the op's own rules give the shape, a shape
// argument must be compatible with it (internal_op_c1).
struct XlaBuilderFriend {
  static XlaOp BuildAddDependency(XlaBuilder* builder, XlaOp operand,
                                  XlaOp token, const Shape& shape);

  static XlaOp BuildAsyncStart(XlaBuilder* builder,
                               absl::Span<const XlaOp> operands,
                               std::string execution_thread,
                               const CalledComputation& called_computation,
                               const Shape& shape);
  static XlaOp BuildAsyncUpdate(XlaBuilder* builder, XlaOp operand,
                                const Shape& shape);
  static XlaOp BuildAsyncDone(XlaBuilder* builder, XlaOp operand,
                              const Shape& shape);

  static XlaOp BuildAllGatherStart(
      XlaBuilder* builder, XlaOp operand, int64_t all_gather_dimension,
      int64_t shard_count, absl::Span<const ReplicaGroup> replica_groups = {},
      const std::optional<ChannelHandle>& channel_id = std::nullopt,
      const std::optional<Layout>& layout = std::nullopt,
      std::optional<bool> use_global_device_ids = std::nullopt);
  static XlaOp BuildAllGatherDone(XlaBuilder* builder, XlaOp operand,
                                  const Shape& shape);
  static XlaOp BuildAllReduceStart(
      XlaBuilder* builder, XlaOp operand, const CalledComputation& computation,
      absl::Span<const ReplicaGroup> replica_groups = {},
      const std::optional<ChannelHandle>& channel_id = std::nullopt,
      const std::optional<Shape>& layout = std::nullopt,
      std::optional<bool> use_global_device_ids = std::nullopt);
  static XlaOp BuildAllReduceDone(XlaBuilder* builder, XlaOp operand,
                                  const Shape& shape);
  static XlaOp BuildCollectivePermuteStart(
      XlaBuilder* builder, XlaOp operand,
      const std::vector<std::pair<int64_t, int64_t>>& source_target_pairs,
      const std::optional<ChannelHandle>& channel_id = std::nullopt,
      bool inplace = false);
  static XlaOp BuildCollectivePermuteStart(
      XlaBuilder* builder, absl::Span<const XlaOp> operands,
      const std::vector<std::pair<int64_t, int64_t>>& source_target_pairs,
      const std::optional<ChannelHandle>& channel_id = std::nullopt,
      bool inplace = false);
  static XlaOp BuildCollectivePermuteDone(XlaBuilder* builder, XlaOp operand,
                                          const Shape& shape);

  static XlaOp BuildCopyStart(
      XlaBuilder* builder, XlaOp operand,
      std::optional<int> cross_program_prefetch_index = std::nullopt);
  static XlaOp BuildCopyDone(XlaBuilder* builder, XlaOp operand,
                             const Shape& shape);

  // `fusion_kind` is spelled as in HLO text: "kLoop".
  static XlaOp BuildFusion(XlaBuilder* builder,
                           absl::Span<const XlaOp> operands,
                           absl::string_view fusion_kind,
                           const CalledComputation& fused_computation,
                           OutputOperandAliases output_operand_aliasing = {});
  static XlaOp BuildBitcast(XlaBuilder* builder, XlaOp operand,
                            const Shape& shape);
  static XlaOp BuildPartitionId(XlaBuilder* builder, const Shape& shape);

  static XlaOp BuildSend(XlaBuilder* builder, XlaOp operand, XlaOp token,
                         const ChannelHandle& handle, bool is_host_transfer);
  static XlaOp BuildSendDone(XlaBuilder* builder, XlaOp operand,
                             const ChannelHandle& handle,
                             bool is_host_transfer);
  // `shape` is the shape of the whole result, (T, u32[], token).
  static XlaOp BuildRecv(XlaBuilder* builder, XlaOp token, const Shape& shape,
                         const ChannelHandle& handle, bool is_host_transfer);
  static XlaOp BuildRecvDone(XlaBuilder* builder, XlaOp operand,
                             const Shape& shape, const ChannelHandle& handle,
                             bool is_host_transfer);

  static XlaOp BuildDomain(XlaBuilder* builder, XlaOp operand, OpSharding entry,
                           OpSharding exit, const Shape& shape);
  static XlaOp BuildRngGetAndUpdateState(XlaBuilder* builder, int64_t delta,
                                         const Shape& shape);
};

}  // namespace internal
}  // namespace xla

#endif  // XLA_HLO_BUILDER_OPS_INTERNAL_OPS_H_
