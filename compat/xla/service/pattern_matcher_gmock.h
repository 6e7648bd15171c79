// GmockMatch: a pattern as a GoogleTest matcher.
#ifndef COMPAT_XLA_SERVICE_PATTERN_MATCHER_GMOCK_H_
#define COMPAT_XLA_SERVICE_PATTERN_MATCHER_GMOCK_H_

#include <ostream>
#include <sstream>
#include <utility>

#include "gmock/gmock.h"
#include "xla/service/pattern_matcher.h"

namespace xla {
namespace pattern_matcher_gmock_detail {

template <typename Pattern>
class GmockMatcher {
 public:
  explicit GmockMatcher(Pattern pattern) : pattern_(std::move(pattern)) {}

  template <typename Value>
  bool MatchAndExplain(const Value& value,
                       ::testing::MatchResultListener* listener) const {
    std::ostringstream reason;
    MatchOption option;
    option.explain_os = &reason;
    if (Match(AddressOf(value), pattern_, option)) return true;
    *listener << reason.str();
    return false;
  }
  void DescribeTo(std::ostream* out) const { pattern_.DescribeTo(out); }
  void DescribeNegationTo(std::ostream* out) const {
    *out << "is not ";
    pattern_.DescribeTo(out);
  }

 private:
  // Values are pointers, or what they point to.
  template <typename Value>
  static auto AddressOf(const Value& value) {
    if constexpr (requires { *value; }) {
      return &*value;
    } else {
      return &value;
    }
  }

  Pattern pattern_;
};

}  // namespace pattern_matcher_gmock_detail

template <typename Pattern>
auto GmockMatch(Pattern pattern) {
  return ::testing::MakePolymorphicMatcher(
      pattern_matcher_gmock_detail::GmockMatcher<Pattern>(std::move(pattern)));
}

}  // namespace xla

#endif  // COMPAT_XLA_SERVICE_PATTERN_MATCHER_GMOCK_H_
