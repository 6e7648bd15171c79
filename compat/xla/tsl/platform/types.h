// Integer types by width, in namespace tsl.
#ifndef COMPAT_XLA_TSL_PLATFORM_TYPES_H_
#define COMPAT_XLA_TSL_PLATFORM_TYPES_H_

#include <cstdint>
#include <string>

#include "xla/base/type_aliases.h"  // IWYU pragma: export

namespace tsl {
using std::string;  // NOLINT(misc-unused-using-decls)
using int8 = int8_t;
using int16 = int16_t;
using int32 = int32_t;
using int64 = int64_t;
using uint8 = uint8_t;
using uint16 = uint16_t;
using uint32 = uint32_t;
using uint64 = uint64_t;
}  // namespace tsl

#endif  // COMPAT_XLA_TSL_PLATFORM_TYPES_H_
