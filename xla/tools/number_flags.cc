// Parses texts in the way in which CLI11 does afterwards.
#include "xla/tools/number_flags.h"

#include <string>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"

namespace xla::tools {
namespace {

// `accepts` says whether a text is right, `wanted` what it should be.
template <typename Accepts>
CLI::Validator MakeFlagCheck(const std::string& wanted, Accepts accepts) {
  return CLI::Validator(
      [=](std::string& text) -> std::string {
        if (accepts(text)) return "";
        return absl::StrCat("expected ", wanted, ", got ", text);
      },
      "");
}

}  // namespace

CLI::Validator IntegerFlag(int64_t least, int64_t most) {
  const std::string wanted =
      most == std::numeric_limits<int64_t>::max()
          ? absl::StrCat("an integer of at least ", least)
          : absl::StrCat("an integer from ", least, " to ", most);
  return MakeFlagCheck(wanted, [=](const std::string& text) {
    int64_t value;
    return absl::SimpleAtoi(text, &value) && value >= least && value <= most;
  });
}

CLI::Validator SeedFlag() {
  return MakeFlagCheck("an integer from 0 to 2^64 - 1",
                       [](const std::string& text) {
                         uint64_t value;
                         return absl::SimpleAtoi(text, &value);
                       });
}

CLI::Validator NumberFlag(double most) {
  const std::string wanted = most == std::numeric_limits<double>::max()
                                 ? "a number of at least 0"
                                 : absl::StrCat("a number from 0 to ", most);
  return MakeFlagCheck(wanted, [=](const std::string& text) {
    double value;
    // NaN is in no range.
    return absl::SimpleAtod(text, &value) && value >= 0 && value <= most;
  });
}

CLI::Validator ErrorBoundFlag() {
  return MakeFlagCheck("a number of at least 0, or inf",
                       [](const std::string& text) {
                         double value;
                         return absl::SimpleAtod(text, &value) && value >= 0;
                       });
}

}  // namespace xla::tools
