// Names of primitive types in messages of errors, without protobuf, which has
// the real ones.
#include <cstdio>
#include <cstdlib>
#include <string>

#include "xla/core/primitive_util.h"

namespace xla::primitive_util {

void TypeSwitchFailure(const char* expected, PrimitiveType type) {
  std::fprintf(stderr, "expected %s, got primitive type %d\n", expected,
               static_cast<int>(type));
  std::abort();
}

const std::string& LowercasePrimitiveTypeName(PrimitiveType type) {
  thread_local std::string name;
  name = "primitive type " + std::to_string(static_cast<int>(type));
  return name;
}

}  // namespace xla::primitive_util
