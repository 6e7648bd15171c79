// The rules, which the builder and the verifier check.
#include "xla/hlo/ir/instruction/composite_call.h"

#include <cstdint>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "xla/hlo/ops/op_def.h"

namespace xla {

absl::Status CheckCompositeCall(const FrontendAttributes& attributes) {
  constexpr char kNeeds[] =
      "A composite call op must have frontend attributes with ";
  const auto& map = attributes.map();
  // composite_call_c1: the op that the call stands for has a name.
  const auto name = map.find(kCompositeName);
  if (name == map.end() || name->second.empty()) {
    return RuleError(
        "composite_call_c1",
        absl::StrCat(kNeeds, "key composite.name whose value is non-empty"));
  }
  // composite_call_c2: attributes that are given are not empty.
  const auto op_attributes = map.find(kCompositeAttributes);
  if (op_attributes != map.end() && op_attributes->second.empty()) {
    return RuleError(
        "composite_call_c2",
        absl::StrCat(kNeeds,
                     "key composite.attributes whose value is default: {} or "
                     "non-empty"));
  }
  // composite_call_c3: a version is a number that is not negative.
  const auto version = map.find(kCompositeVersion);
  int64_t number = 0;
  if (version != map.end() &&
      (!absl::SimpleAtoi(version->second, &number) || number < 0)) {
    return RuleError(
        "composite_call_c3",
        absl::StrCat(kNeeds,
                     "a composite.version whose value is a non-negative "
                     "integer but got: ",
                     version->second));
  }
  return absl::OkStatus();
}

}  // namespace xla
