// The part of Client that moves values, by handle and through queues.
#include <atomic>

#include "absl/strings/str_cat.h"
#include "xla/base/status_macros.h"
#include "xla/client/client.h"
#include "xla/core/layout_util.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/evaluator/replicated.h"

namespace xla {
namespace {

absl::Status CheckShape(const Shape& wanted, const Shape& present) {
  if (!Shape::Equal().IgnoreLayout().IgnoreDynamicDimension()(wanted,
                                                              present)) {
    return absl::InvalidArgumentError(
        absl::StrCat("the value is ", present.ToString(),
                     ", which does not fit ", wanted.ToString(true)));
  }
  return LayoutUtil::ValidateLayoutInShape(wanted,
                                           /*allow_missing_layouts=*/true);
}

ChannelHandle NewChannel(ChannelHandle::ChannelType type) {
  static std::atomic<int64_t> next{1};
  ChannelHandle channel;
  channel.set_handle(next.fetch_add(1));
  channel.set_type(type);
  return channel;
}

}  // namespace

absl::StatusOr<Literal> Client::Transfer(const GlobalData& data,
                                         const Shape* shape_with_layout) {
  TF_ASSIGN_OR_RETURN(const DeviceValues values,
                      service_->global_data()->Find(data.handle()));
  if (shape_with_layout == nullptr) return values[0]->Clone();
  TF_RETURN_IF_ERROR(CheckShape(*shape_with_layout, values[0]->shape()));
  return WithLayoutOf(*shape_with_layout, values[0]->Clone());
}

absl::StatusOr<std::unique_ptr<GlobalData>> Client::TransferToServer(
    const LiteralSlice& literal, const DeviceHandle* device_handle) {
  return Hold({std::make_shared<const Literal>(literal.Clone())});
}

absl::Status Client::TransferToInfeed(const LiteralSlice& literal,
                                      int64_t replica_id,
                                      const DeviceHandle* device_handle) {
  TF_ASSIGN_OR_RETURN(TransferQueues * queues,
                      service_->QueuesFor(device_handle, replica_id));
  queues->TransferToInfeed(literal.Clone());
  return absl::OkStatus();
}

absl::StatusOr<Literal> Client::TransferFromOutfeed(
    const Shape* shape_with_layout, int64_t replica_id,
    const DeviceHandle* device_handle) {
  TF_ASSIGN_OR_RETURN(TransferQueues * queues,
                      service_->QueuesFor(device_handle, replica_id));
  TF_ASSIGN_OR_RETURN(Literal literal,
                      queues->TransferFromOutfeed(queues->device_timeout()));
  if (shape_with_layout == nullptr) return literal;
  TF_RETURN_IF_ERROR(CheckShape(*shape_with_layout, literal.shape()));
  return WithLayoutOf(*shape_with_layout, std::move(literal));
}

absl::Status Client::Unregister(const GlobalData& data) {
  return service_->global_data()->Remove(data.handle());
}

absl::StatusOr<std::vector<std::unique_ptr<GlobalData>>>
Client::DeconstructTuple(const GlobalData& data) {
  TF_ASSIGN_OR_RETURN(const DeviceValues values,
                      service_->global_data()->Find(data.handle()));
  const Shape& shape = values[0]->shape();
  if (!shape.IsTuple()) {
    return absl::InvalidArgumentError(
        absl::StrCat("cannot take apart ", shape.ToString(), ": no tuple"));
  }
  std::vector<std::unique_ptr<GlobalData>> elements;
  for (int i = 0; i < shape.tuple_shapes_size(); ++i) {
    DeviceValues parts;
    for (const auto& value : values) {
      parts.push_back(std::make_shared<const Literal>(value->SubLiteral({i})));
    }
    elements.push_back(Hold(std::move(parts)));
  }
  return elements;
}

absl::StatusOr<Shape> Client::GetShape(const GlobalData& data) {
  TF_ASSIGN_OR_RETURN(const DeviceValues values,
                      service_->global_data()->Find(data.handle()));
  return values[0]->shape();
}

absl::StatusOr<ChannelHandle> Client::CreateChannelHandle() {
  return NewChannel(ChannelHandle::DEVICE_TO_DEVICE);
}

absl::StatusOr<ChannelHandle> Client::CreateHostToDeviceChannelHandle() {
  return NewChannel(ChannelHandle::HOST_TO_DEVICE);
}

absl::StatusOr<ChannelHandle> Client::CreateDeviceToHostChannelHandle() {
  return NewChannel(ChannelHandle::DEVICE_TO_HOST);
}

}  // namespace xla
