// GoogleTest matchers of Status and StatusOr, and macros that use them:
// Abseil's own if it has them.
#ifndef COMPAT_ABSL_STATUS_STATUS_MATCHERS_H_
#define COMPAT_ABSL_STATUS_STATUS_MATCHERS_H_

#include <utility>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "xla/base/status_macros.h"

#if __has_include_next("absl/status/status_matchers.h")
#include_next "absl/status/status_matchers.h"
#else

#include <ostream>
#include <string>
#include <type_traits>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace absl_testing {
namespace matchers_internal {

inline const absl::Status& StatusOf(const absl::Status& status) {
  return status;
}
template <typename T>
const absl::Status& StatusOf(const absl::StatusOr<T>& result) {
  return result.status();
}

class StatusIsMatcher {
 public:
  using is_gtest_matcher = void;

  StatusIsMatcher(testing::Matcher<absl::StatusCode> code,
                  testing::Matcher<const std::string&> message)
      : code_(std::move(code)), message_(std::move(message)) {}

  template <typename T>
  bool MatchAndExplain(const T& value,
                       testing::MatchResultListener* listener) const {
    const absl::Status& status = StatusOf(value);
    *listener << "which is " << status;
    return code_.Matches(status.code()) &&
           message_.Matches(std::string(status.message()));
  }
  void DescribeTo(std::ostream* os) const {
    *os << "has a status code that ";
    code_.DescribeTo(os);
    *os << " and a message that ";
    message_.DescribeTo(os);
  }
  void DescribeNegationTo(std::ostream* os) const {
    *os << "not: ";
    DescribeTo(os);
  }

 private:
  testing::Matcher<absl::StatusCode> code_;
  testing::Matcher<const std::string&> message_;
};

// Converts to a matcher of any StatusOr<T>.
template <typename Inner>
class IsOkAndHoldsMatcher {
 public:
  explicit IsOkAndHoldsMatcher(Inner inner) : inner_(std::move(inner)) {}

  template <typename Result>
  operator testing::Matcher<Result>() const {  // NOLINT: converts
    return testing::Matcher<Result>(new Impl<const Result&>(inner_));
  }

 private:
  template <typename Result>
  class Impl : public testing::MatcherInterface<Result> {
   public:
    using Value = decltype(*std::declval<Result>());

    explicit Impl(const Inner& inner)
        : inner_(testing::SafeMatcherCast<const std::decay_t<Value>&>(inner)) {}
    bool MatchAndExplain(
        Result result, testing::MatchResultListener* listener) const override {
      if (!result.ok()) {
        *listener << "which is " << result.status();
        return false;
      }
      return inner_.MatchAndExplain(*result, listener);
    }
    void DescribeTo(std::ostream* os) const override {
      *os << "is OK and has a value that ";
      inner_.DescribeTo(os);
    }

   private:
    testing::Matcher<const std::decay_t<Value>&> inner_;
  };

  Inner inner_;
};

}  // namespace matchers_internal

// Matches a Status or StatusOr with this code and message.
template <typename Code>
matchers_internal::StatusIsMatcher StatusIs(Code&& code) {
  return {testing::SafeMatcherCast<absl::StatusCode>(std::forward<Code>(code)),
          testing::_};
}
template <typename Code, typename Message>
matchers_internal::StatusIsMatcher StatusIs(Code&& code, Message&& message) {
  return {
      testing::SafeMatcherCast<absl::StatusCode>(std::forward<Code>(code)),
      testing::MatcherCast<const std::string&>(std::forward<Message>(message))};
}
inline matchers_internal::StatusIsMatcher IsOk() {
  return StatusIs(absl::StatusCode::kOk);
}
// Matches a StatusOr whose value `inner`, a value or matcher, matches.
template <typename Inner>
matchers_internal::IsOkAndHoldsMatcher<std::decay_t<Inner>> IsOkAndHolds(
    Inner&& inner) {
  return matchers_internal::IsOkAndHoldsMatcher<std::decay_t<Inner>>(
      std::forward<Inner>(inner));
}

}  // namespace absl_testing

#endif  // __has_include_next

// Expect that a Status or StatusOr is OK.
#ifndef EXPECT_OK
#define EXPECT_OK(...) EXPECT_THAT((__VA_ARGS__), ::absl_testing::IsOk())
#endif
#ifndef ASSERT_OK
#define ASSERT_OK(...) ASSERT_THAT((__VA_ARGS__), ::absl_testing::IsOk())
#endif

// ASSERT_OK_AND_ASSIGN(auto x, F()); F returns StatusOr.
#ifndef ASSERT_OK_AND_ASSIGN
#define ASSERT_OK_AND_ASSIGN(lhs, ...)                                       \
  COMPAT_ASSERT_OK_AND_ASSIGN_(XLA_CONCAT_(xla_asserted_, __COUNTER__), lhs, \
                               __VA_ARGS__)
#endif
#define COMPAT_ASSERT_OK_AND_ASSIGN_(name, lhs, ...) \
  auto name = (__VA_ARGS__);                         \
  ASSERT_TRUE(name.status().ok()) << name.status();  \
  XLA_UNPAREN_(lhs) = *std::move(name)

#endif  // COMPAT_ABSL_STATUS_STATUS_MATCHERS_H_
