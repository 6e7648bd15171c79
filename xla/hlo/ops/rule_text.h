// Words of the errors that the shape rules give.
#ifndef XLA_HLO_OPS_RULE_TEXT_H_
#define XLA_HLO_OPS_RULE_TEXT_H_

#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "xla/core/shape.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/ops/op_def.h"

namespace xla {

// RuleError with a message made of `parts`.
template <typename... Parts>
absl::Status Broken(absl::string_view rule, const Parts&... parts) {
  return RuleError(rule, absl::StrCat(parts...));
}

// `shape` as errors show it.
inline std::string Text(const Shape& shape) {
  return ShapeUtil::HumanString(shape);
}

}  // namespace xla

#endif  // XLA_HLO_OPS_RULE_TEXT_H_
