// Thunks that move data between a device and the host, and between the sends
// and recvs of devices.
#ifndef XLA_BACKENDS_CPU_THUNKS_TRANSFER_THUNKS_H_
#define XLA_BACKENDS_CPU_THUNKS_TRANSFER_THUNKS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "xla/backends/cpu/thunks/thunk.h"
#include "xla/core/literal/literal.h"
#include "xla/core/shape.h"
#include "xla/hlo/attrs/field_types.h"

namespace xla::cpu {

// A value on a device: an array, or a tuple whose leaves lie in `leaves`.
struct DeviceValue {
  Shape shape;  // with layouts
  std::vector<Slice> leaves;
};

// Errors: ResourceExhausted; InvalidArgument for dynamic sizes out of bounds.
absl::StatusOr<Literal> ReadValue(const DeviceRun& run,
                                  const DeviceValue& value);
// Errors: InvalidArgument, with `name`, for a literal with other dimensions.
absl::Status WriteValue(absl::string_view name, const Literal& literal,
                        const DeviceRun& run, const DeviceValue& value);

// Takes the next literal of the device's infeed queue. Errors:
// FailedPrecondition when there is none; InvalidArgument for another shape.
class InfeedThunk : public Thunk {
 public:
  InfeedThunk(std::string name, DeviceValue result)
      : Thunk(std::move(name)), result_(std::move(result)) {}
  absl::string_view kind() const override { return "infeed"; }
  BufferUses buffer_uses() const override {
    return BufferUses().Write(result_.leaves);
  }
  absl::StatusOr<ThunkResult> Run(DeviceRun& run, int64_t here) const override;

 private:
  const DeviceValue result_;
};

class OutfeedThunk : public Thunk {
 public:
  // The host reads the value in the layout of `outfeed_shape`, if that has one.
  OutfeedThunk(std::string name, DeviceValue operand, Shape outfeed_shape)
      : Thunk(std::move(name)),
        operand_(std::move(operand)),
        outfeed_shape_(std::move(outfeed_shape)) {}
  absl::string_view kind() const override { return "outfeed"; }
  BufferUses buffer_uses() const override {
    return BufferUses().Read(operand_.leaves);
  }
  absl::StatusOr<ThunkResult> Run(DeviceRun& run, int64_t here) const override;

 private:
  const DeviceValue operand_;
  const Shape outfeed_shape_;
};

// The attributes of a send, recv or recv-done.
struct ChannelSite {
  std::string name;
  int64_t channel = 0;
  bool with_host = false;
  // The source-target pairs, of partitions if there are several, else of
  // replicas. Without pairs the channel is one queue.
  std::optional<SourceTargetPairs> pairs;
};

// Puts the value into the channel and does not wait.
class SendThunk : public Thunk {
 public:
  // `result` takes the leaves of the operand, `context` a u32[] 0.
  SendThunk(ChannelSite site, DeviceValue operand, std::vector<Slice> result,
            Slice context)
      : Thunk(site.name),
        site_(std::move(site)),
        operand_(std::move(operand)),
        result_(std::move(result)),
        context_(context) {}
  absl::string_view kind() const override { return "send"; }
  BufferUses buffer_uses() const override;
  absl::StatusOr<ThunkResult> Run(DeviceRun& run, int64_t here) const override;

 private:
  absl::Status SendToDevices(DeviceRun& run) const;

  const ChannelSite site_;
  const DeviceValue operand_;
  const std::vector<Slice> result_;
  const Slice context_;
};

// Writes zeros, and to `context` a number that tells recv-done what to wait
// for.
class RecvThunk : public Thunk {
 public:
  RecvThunk(ChannelSite site, std::vector<Slice> result, Slice context)
      : Thunk(site.name),
        site_(std::move(site)),
        result_(std::move(result)),
        context_(context) {}
  absl::string_view kind() const override { return "recv"; }
  BufferUses buffer_uses() const override {
    return BufferUses().Write(result_).Write(context_);
  }
  absl::StatusOr<ThunkResult> Run(DeviceRun& run, int64_t here) const override;

 private:
  const ChannelSite site_;
  const std::vector<Slice> result_;
  const Slice context_;
};

// Waits for the value; writes zeros on devices to which none sends. Errors:
// InvalidArgument for a value of another shape, or a context that comes from no
// pending recv.
class RecvDoneThunk : public Thunk {
 public:
  RecvDoneThunk(std::string name, int64_t channel, Slice context,
                DeviceValue result)
      : Thunk(std::move(name)),
        channel_(channel),
        context_(context),
        result_(std::move(result)) {}
  absl::string_view kind() const override { return "recv-done"; }
  BufferUses buffer_uses() const override {
    return BufferUses().Read(context_).Write(result_.leaves);
  }
  absl::StatusOr<ThunkResult> Run(DeviceRun& run, int64_t here) const override;
  std::string WaitsFor(const DeviceRun& run) const override;

 private:
  const int64_t channel_;  // of the instruction, for messages
  const Slice context_;
  const DeviceValue result_;
};

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_THUNKS_TRANSFER_THUNKS_H_
