// Steps that ask for the device's own numbers and random state.
#ifndef XLA_BACKENDS_CPU_STEPS_DEVICE_STEPS_H_
#define XLA_BACKENDS_CPU_STEPS_DEVICE_STEPS_H_

#include <cstdint>
#include <string>
#include <utility>

#include "absl/strings/string_view.h"
#include "xla/backends/cpu/steps/step.h"

namespace xla::cpu {

// u32[]: replica-id, or partition-id.
class DeviceNumberStep : public Step {
 public:
  enum class Which { kReplica, kPartition };
  DeviceNumberStep(std::string name, Which which, Slice result)
      : Step(std::move(name)), which_(which), result_(result) {}
  absl::string_view kind() const override {
    return which_ == Which::kReplica ? "replica-id" : "partition-id";
  }
  absl::StatusOr<StepResult> Run(DeviceRun& run, int64_t here) const override;

 private:
  const Which which_;
  const Slice result_;
};

// u64[2]: low and high half of the 128-bit state before `delta` is added.
class RngStateStep : public Step {
 public:
  RngStateStep(std::string name, int64_t delta, Slice result)
      : Step(std::move(name)), delta_(delta), result_(result) {}
  absl::string_view kind() const override { return "rng-get-and-update-state"; }
  absl::StatusOr<StepResult> Run(DeviceRun& run, int64_t here) const override;

 private:
  const int64_t delta_;
  const Slice result_;
};

// Writes the device's next 64 random bits: the key of an rng (rng_expander.h).
class RandomKeyStep : public Step {
 public:
  RandomKeyStep(std::string name, Slice result)
      : Step(std::move(name)), result_(result) {}
  absl::string_view kind() const override { return "random-key"; }
  absl::StatusOr<StepResult> Run(DeviceRun& run, int64_t here) const override;

 private:
  const Slice result_;  // u64[]
};

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_STEPS_DEVICE_STEPS_H_
