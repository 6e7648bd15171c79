// What tests ask of the device that they run on: here always a CPU.
#ifndef COMPAT_XLA_TESTS_XLA_TEST_BACKEND_PREDICATES_H_
#define COMPAT_XLA_TESTS_XLA_TEST_BACKEND_PREDICATES_H_

#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "gtest/gtest.h"

namespace xla::test {

inline constexpr absl::string_view kCpu = "cpu";
inline constexpr absl::string_view kGpu = "gpu";
inline constexpr absl::string_view kA100 = "a100";
inline constexpr absl::string_view kH100 = "h100";
inline constexpr absl::string_view kB200 = "b200";
inline constexpr absl::string_view kP100 = "p100";
inline constexpr absl::string_view kV100 = "v100";
inline constexpr absl::string_view kInterpreter = "interpreter";
inline constexpr absl::string_view kTpu = "tpu";
inline constexpr absl::string_view kHardware = "hardware";
inline constexpr absl::string_view kIss = "iss";
inline constexpr absl::string_view kGrm = "grm";

inline bool DeviceIs(absl::string_view device) { return device == kCpu; }
inline bool DeviceIsOneOf(absl::Span<const absl::string_view> devices) {
  return absl::c_any_of(devices, DeviceIs);
}
inline bool DeviceTypeIs(absl::string_view type) { return type == kCpu; }
inline bool DeviceTypeIsOneOf(absl::Span<const absl::string_view> types) {
  return absl::c_any_of(types, DeviceTypeIs);
}
// The CPU has no modifiers.
inline bool HasModifiers(absl::Span<const absl::string_view> modifiers) {
  return modifiers.empty();
}
inline bool BackendLike(absl::string_view device,
                        absl::Span<const absl::string_view> modifiers) {
  return DeviceIs(device) && HasModifiers(modifiers);
}
inline bool BackendIsExactly(absl::string_view device,
                             absl::Span<const absl::string_view> modifiers) {
  return BackendLike(device, modifiers);
}
inline bool BackendIsStrict(absl::string_view device) {
  return DeviceIs(device);
}
inline bool BackendSupportsFloat64() { return true; }
inline bool BackendSupportsComplex128() { return true; }

// No values for a parameterized test.
template <typename T>
::testing::internal::ParamGenerator<T> Empty() {
  return ::testing::ValuesIn(std::vector<T>());
}

}  // namespace xla::test

// SKIP_IF_DEVICE(test::kV100) << "reason";
#define SKIP_IF_NOT_DEVICE(...) \
  if (!::xla::test::DeviceIsOneOf({__VA_ARGS__})) GTEST_SKIP()
#define SKIP_IF_DEVICE(...) \
  if (::xla::test::DeviceIsOneOf({__VA_ARGS__})) GTEST_SKIP()

#endif  // COMPAT_XLA_TESTS_XLA_TEST_BACKEND_PREDICATES_H_
