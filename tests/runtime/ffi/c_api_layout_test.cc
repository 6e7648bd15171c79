// Compares this project's declaration of the XLA FFI C ABI with the sizes,
// offsets and numbers of a published header: c_api_layout.inc, which
// write_c_api_layout.py makes.
#include <cstddef>

#include "gtest/gtest.h"
#include "xla/runtime/ffi/ffi_api.h"
#include "xla/runtime/ffi/ffi_c_api.h"

namespace {

#define SIZE(type, size) static_assert(sizeof(type) == size);
#define MEMBER(type, member, offset, size)         \
  static_assert(offsetof(type, member) == offset); \
  static_assert(sizeof(type::member) == size);
#define NUMBER(name, value) static_assert(static_cast<long>(name) == value);
#include "c_api_layout.inc"
#undef SIZE
#undef MEMBER
#undef NUMBER

TEST(CApiLayoutTest, EveryFunctionIsThere) {
  const XLA_FFI_Api* api = XLA_FFI_GetApi();
  EXPECT_EQ(api->struct_size, XLA_FFI_Api_STRUCT_SIZE);
  EXPECT_EQ(api->api_version.major_version, XLA_FFI_API_MAJOR);
  EXPECT_EQ(api->api_version.minor_version, XLA_FFI_API_MINOR);
  using Function = void (*)();
  const auto* first =
      reinterpret_cast<const Function*>(&api->XLA_FFI_Error_Create);
  const auto* last =
      reinterpret_cast<const Function*>(&api->XLA_FFI_DeviceOrdinal_Get);
  for (const Function* f = first; f <= last; ++f) EXPECT_NE(*f, nullptr);
}

}  // namespace
