// GoogleTest matchers of messages:
//
//   EXPECT_THAT(shape, EqualsProto(R"pb(element_type: F32)pb"));
//   EXPECT_THAT(shape, Partially(EqualsProto(other)));
#ifndef COMPAT_XLA_TSL_UTIL_PROTO_PROTO_MATCHERS_H_
#define COMPAT_XLA_TSL_UTIL_PROTO_PROTO_MATCHERS_H_

#include <memory>
#include <ostream>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "gmock/gmock.h"
#include "google/protobuf/message.h"
#include "google/protobuf/text_format.h"
#include "google/protobuf/util/field_comparator.h"
#include "google/protobuf/util/message_differencer.h"

namespace tsl {
namespace proto_testing {
namespace internal {

using Differencer = ::google::protobuf::util::MessageDifferencer;

// Ignores fields that the expected message does not set.
class IgnoresUnset : public Differencer::IgnoreCriteria {
 public:
  bool IsIgnored(
      const google::protobuf::Message& expected,
      const google::protobuf::Message& actual,
      const google::protobuf::FieldDescriptor* field,
      const std::vector<Differencer::SpecificField>& parents) override {
    const google::protobuf::Reflection* fields = expected.GetReflection();
    return field->is_repeated() ? fields->FieldSize(expected, field) == 0
                                : !fields->HasField(expected, field);
  }
  bool IsUnknownFieldIgnored(
      const google::protobuf::Message& expected,
      const google::protobuf::Message& actual,
      const Differencer::SpecificField& field,
      const std::vector<Differencer::SpecificField>& parents) override {
    return true;
  }
};

// `Expected` is a message, or std::string for the text of one.
template <typename Expected>
class ProtoMatcher {
 public:
  using is_gtest_matcher = void;
  using is_proto_matcher = void;

  ProtoMatcher(Expected expected,
               Differencer::MessageFieldComparison comparison)
      : expected_(std::move(expected)), comparison_(comparison) {}

  template <typename Actual>
  bool MatchAndExplain(const Actual& actual,
                       ::testing::MatchResultListener* listener) const {
    if constexpr (std::is_same_v<Expected, std::string>) {
      std::unique_ptr<google::protobuf::Message> expected(actual.New());
      if (!google::protobuf::TextFormat::ParseFromString(expected_,
                                                         expected.get())) {
        *listener << "Unable to parse \"" << expected_ << "\" as "
                  << actual.GetTypeName();
        return false;
      }
      return Compare(*expected, actual, listener);
    } else {
      return Compare(expected_, actual, listener);
    }
  }
  void DescribeTo(std::ostream* os) const {
    Describe(os, IsExact() ? "equals " : "is equivalent to ");
  }
  void DescribeNegationTo(std::ostream* os) const {
    Describe(os, IsExact() ? "not equals " : "is not equivalent to ");
  }

  void SetPartial() { partial_ = true; }
  void SetUnorderedRepeatedFields() { unordered_ = true; }
  void SetTreatingNaNsAsEqual() { nans_are_equal_ = true; }

 private:
  bool IsExact() const { return comparison_ == Differencer::EQUAL; }
  void Describe(std::ostream* os, const char* relation) const {
    *os << relation;
    if (partial_) *os << "(ignoring extra fields) ";
    if (unordered_) *os << "(ignoring repeated field order) ";
    if (nans_are_equal_) *os << "(treating NaNs as equal) ";
    if constexpr (std::is_same_v<Expected, std::string>) {
      *os << expected_;
    } else {
      *os << expected_.DebugString();
    }
  }
  bool Compare(const google::protobuf::Message& expected,
               const google::protobuf::Message& actual,
               ::testing::MatchResultListener* listener) const {
    if (expected.GetDescriptor() != actual.GetDescriptor()) {
      *listener << "is a " << actual.GetTypeName() << ", not a "
                << expected.GetTypeName();
      return false;
    }
    Differencer differencer;
    differencer.set_message_field_comparison(comparison_);
    differencer.set_report_ignores(false);
    // The differencer owns raw pointers in older versions of protobuf, and
    // newer ones take these, too.
    if (partial_) {
      differencer.AddIgnoreCriteria(std::make_unique<IgnoresUnset>().release());
    }
    if (unordered_) {
      differencer.set_repeated_field_comparison(Differencer::AS_SET);
    }
    google::protobuf::util::DefaultFieldComparator comparator;
    if (nans_are_equal_) {
      comparator.set_treat_nan_as_equal(true);
      differencer.set_field_comparator(&comparator);
    }
    std::string report;
    differencer.ReportDifferencesToString(&report);
    if (differencer.Compare(expected, actual)) return true;
    *listener << report;
    return false;
  }

  Expected expected_;
  Differencer::MessageFieldComparison comparison_;
  bool partial_ = false;
  bool unordered_ = false;
  bool nans_are_equal_ = false;
};

template <typename Message>
using IfMessage =
    std::enable_if_t<std::is_base_of_v<google::protobuf::Message, Message>>;
template <typename Matcher>
using IfMatcher = typename Matcher::is_proto_matcher;

}  // namespace internal

// A message of the same fields; of equivalent ones, where a field that is not
// set equals its default.
template <typename Message, typename = internal::IfMessage<Message>>
auto EqualsProto(Message message) {
  return internal::ProtoMatcher<Message>(std::move(message),
                                         internal::Differencer::EQUAL);
}
inline auto EqualsProto(absl::string_view text) {
  return internal::ProtoMatcher<std::string>(std::string(text),
                                             internal::Differencer::EQUAL);
}
template <typename Message, typename = internal::IfMessage<Message>>
auto EquivToProto(Message message) {
  return internal::ProtoMatcher<Message>(std::move(message),
                                         internal::Differencer::EQUIVALENT);
}
inline auto EquivToProto(absl::string_view text) {
  return internal::ProtoMatcher<std::string>(std::string(text),
                                             internal::Differencer::EQUIVALENT);
}

// Loosen such a matcher: fields that the expected message does not set, the
// order of repeated fields, and NaNs do not count.
template <typename Matcher, typename = internal::IfMatcher<Matcher>>
Matcher Partially(Matcher matcher) {
  matcher.SetPartial();
  return matcher;
}
template <typename Matcher, typename = internal::IfMatcher<Matcher>>
Matcher IgnoringRepeatedFieldOrdering(Matcher matcher) {
  matcher.SetUnorderedRepeatedFields();
  return matcher;
}
template <typename Matcher, typename = internal::IfMatcher<Matcher>>
Matcher TreatingNaNsAsEqual(Matcher matcher) {
  matcher.SetTreatingNaNsAsEqual();
  return matcher;
}

}  // namespace proto_testing
}  // namespace tsl

#endif  // COMPAT_XLA_TSL_UTIL_PROTO_PROTO_MATCHERS_H_
