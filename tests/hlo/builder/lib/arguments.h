// Makes literals for a program's arguments.
#ifndef TESTS_HLO_BUILDER_LIB_ARGUMENTS_H_
#define TESTS_HLO_BUILDER_LIB_ARGUMENTS_H_

#include <utility>
#include <vector>

#include "xla/core/literal/literal.h"

namespace xla {

using Arguments = std::vector<Literal>;

template <typename... Literals>
Arguments Of(Literals... literals) {
  Arguments result;
  (result.push_back(std::move(literals)), ...);
  return result;
}

}  // namespace xla

#endif  // TESTS_HLO_BUILDER_LIB_ARGUMENTS_H_
