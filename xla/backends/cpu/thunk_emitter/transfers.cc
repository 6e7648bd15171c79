// Emits transfers to and from the host and between devices.
#include "xla/hlo/ops/device/transfers.h"

#include <memory>
#include <utility>
#include <vector>

#include "xla/backends/compiler.h"
#include "xla/backends/cpu/thunk_emitter/families.h"
#include "xla/backends/cpu/thunks/transfer_thunks.h"
#include "xla/base/status_macros.h"
#include "xla/core/layout_util.h"
#include "xla/hlo/analysis/leaves.h"
#include "xla/hlo/ops/device/device_groups.h"

namespace xla::cpu {
namespace {

// Layouts that the program leaves open are row-major.
Shape WithLayouts(const Shape& shape) {
  return LayoutUtil::HasLayout(shape) ? shape
                                      : LayoutUtil::GetWithDefaultLayout(shape);
}

// Returns the part of the value of `hlo` that has this shape and begins at leaf
// `first`.
absl::StatusOr<DeviceValue> PartOf(const HloInstruction& hlo, int64_t first,
                                   const Shape& shape,
                                   const ThunkEmitterContext& context) {
  DeviceValue value;
  value.shape = WithLayouts(shape);
  TF_ASSIGN_OR_RETURN(value.leaves,
                      SlicesOf(hlo, first, LeafCount(shape), context));
  return value;
}

absl::StatusOr<ChannelSite> SiteOf(const HloInstruction& hlo) {
  const auto& attrs = hlo.attrs<ChannelAttrs>();
  ChannelSite site;
  site.name = hlo.name();
  site.channel = attrs.channel_id.value_or(0);
  site.with_host = attrs.is_host_transfer;
  const auto& map = hlo.frontend_attributes().map();
  const auto it = map.find(kSendRecvPairsAttribute);
  if (it != map.end()) {
    TF_ASSIGN_OR_RETURN(site.pairs, ParseSendRecvPairs(it->second));
  }
  return site;
}

}  // namespace

ThunkOr EmitInfeedThunk(const HloInstruction& hlo,
                        const ThunkEmitterContext& context) {
  TF_ASSIGN_OR_RETURN(DeviceValue result,
                      PartOf(hlo, 0, hlo.shape().tuple_shapes(0), context));
  return std::make_unique<InfeedThunk>(hlo.name(), std::move(result));
}

ThunkOr EmitOutfeedThunk(const HloInstruction& hlo,
                         const ThunkEmitterContext& context) {
  TF_ASSIGN_OR_RETURN(
      DeviceValue operand,
      PartOf(*hlo.operand(0), 0, hlo.operand(0)->shape(), context));
  return std::make_unique<OutfeedThunk>(
      hlo.name(), std::move(operand), hlo.attrs<OutfeedAttrs>().outfeed_shape);
}

ThunkOr EmitSendThunk(const HloInstruction& hlo,
                      const ThunkEmitterContext& context) {
  TF_ASSIGN_OR_RETURN(ChannelSite site, SiteOf(hlo));
  TF_ASSIGN_OR_RETURN(
      DeviceValue operand,
      PartOf(*hlo.operand(0), 0, hlo.operand(0)->shape(), context));
  const auto count = static_cast<int64_t>(operand.leaves.size());
  TF_ASSIGN_OR_RETURN(std::vector<Slice> result,
                      SlicesOf(hlo, 0, count, context));
  TF_ASSIGN_OR_RETURN(const Slice number, context.SliceOf(hlo, count));
  return std::make_unique<SendThunk>(std::move(site), std::move(operand),
                                     std::move(result), number);
}

ThunkOr EmitRecvThunk(const HloInstruction& hlo,
                      const ThunkEmitterContext& context) {
  TF_ASSIGN_OR_RETURN(ChannelSite site, SiteOf(hlo));
  const int64_t count = LeafCount(hlo.shape().tuple_shapes(0));
  TF_ASSIGN_OR_RETURN(std::vector<Slice> result,
                      SlicesOf(hlo, 0, count, context));
  TF_ASSIGN_OR_RETURN(const Slice number, context.SliceOf(hlo, count));
  return std::make_unique<RecvThunk>(std::move(site), std::move(result),
                                     number);
}

ThunkOr EmitRecvDoneThunk(const HloInstruction& hlo,
                          const ThunkEmitterContext& context) {
  const Shape& shape = hlo.shape().tuple_shapes(0);
  TF_ASSIGN_OR_RETURN(DeviceValue result, PartOf(hlo, 0, shape, context));
  TF_ASSIGN_OR_RETURN(const Slice number,
                      context.SliceOf(*hlo.operand(0), LeafCount(shape)));
  TF_RET_CHECK(number.allocation >= 0)
      << hlo.name() << ": the context of " << hlo.operand(0)->name()
      << " has no memory";
  return std::make_unique<RecvDoneThunk>(
      hlo.name(), hlo.attrs<ChannelAttrs>().channel_id.value_or(0), number,
      std::move(result));
}

}  // namespace xla::cpu
