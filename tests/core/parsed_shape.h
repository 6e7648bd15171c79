// Makes shapes from their text.
#ifndef TESTS_CORE_PARSED_SHAPE_H_
#define TESTS_CORE_PARSED_SHAPE_H_

#include "absl/strings/string_view.h"
#include "xla/core/shape.h"
#include "xla/core/shape_text.h"

namespace xla {

inline Shape S(absl::string_view text) { return ParseShape(text).value(); }

}  // namespace xla

#endif  // TESTS_CORE_PARSED_SHAPE_H_
