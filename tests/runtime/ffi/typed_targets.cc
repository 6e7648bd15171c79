// Targets that check what the C ABI promises.
#include "tests/runtime/ffi/typed_targets.h"

#include <cstdint>
#include <cstring>

#include "gtest/gtest.h"

namespace xla::ffi {

bool AnswersMetadata(XLA_FFI_CallFrame* frame) {
  if (frame->extension_start == nullptr) return false;
  auto* metadata =
      reinterpret_cast<XLA_FFI_Metadata_Extension*>(frame->extension_start)
          ->metadata;
  metadata->api_version.major_version = XLA_FFI_API_MAJOR;
  metadata->api_version.minor_version = XLA_FFI_API_MINOR;
  return true;
}

XLA_FFI_Buffer& Argument(XLA_FFI_CallFrame* frame, int i) {
  return *static_cast<XLA_FFI_Buffer*>(frame->args.args[i]);
}
XLA_FFI_Buffer& Result(XLA_FFI_CallFrame* frame, int i) {
  return *static_cast<XLA_FFI_Buffer*>(frame->rets.rets[i]);
}

XLA_FFI_Error* CopyNibbles(XLA_FFI_CallFrame* frame) {
  if (AnswersMetadata(frame)) return nullptr;
  const auto* in = static_cast<const uint8_t*>(Argument(frame, 0).data);
  EXPECT_EQ(in[0], 0x2F);  // -1, 2
  EXPECT_EQ(in[1] & 15, 0x8);
  std::memcpy(Result(frame, 0).data, in, 2);
  return nullptr;
}

XLA_FFI_Error* IncrementInPlace(XLA_FFI_CallFrame* frame) {
  if (AnswersMetadata(frame)) return nullptr;
  EXPECT_EQ(frame->args.size, 2);
  EXPECT_EQ(frame->rets.size, 2);
  EXPECT_EQ(Argument(frame, 0).dtype, XLA_FFI_DataType_TOKEN);
  EXPECT_EQ(Result(frame, 1).dtype, XLA_FFI_DataType_TOKEN);
  EXPECT_EQ(Argument(frame, 1).data, Result(frame, 0).data);
  auto* data = static_cast<int32_t*>(Result(frame, 0).data);
  for (int i = 0; i < 3; ++i) data[i] += 1;
  return nullptr;
}

}  // namespace xla::ffi
