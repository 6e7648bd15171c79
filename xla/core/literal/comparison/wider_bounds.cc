// Rounding makes the absolute errors few; of those, the ones that trade against
// a smaller relative bound are kept.
#include "xla/core/literal/comparison/wider_bounds.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"

namespace xla {
namespace literal_comparison {

WiderBounds::Rounded WiderBounds::RoundUp(double error) {
  // Denormal numbers have no exact powers of ten to be divided by.
  error = std::max(error, std::numeric_limits<double>::min());
  const int exponent = static_cast<int>(std::floor(std::log10(error)));
  const double quotient = error / std::pow(10.0, exponent);
  Rounded rounded(exponent, static_cast<int>(std::ceil(quotient)));
  // The quotient may have been rounded down to a whole number.
  if (rounded.second == quotient && ValueOf(rounded) < error) ++rounded.second;
  return rounded;
}

double WiderBounds::ValueOf(Rounded rounded) {
  double value = 0;
  // Unlike a product, this gives the number that prints as these digits.
  (void)absl::SimpleAtod(absl::StrCat(rounded.second, "e", rounded.first),
                         &value);
  return value;
}

void WiderBounds::Add(double absolute, double relative) {
  if (!std::isfinite(absolute)) {
    is_hopeless_ = true;
    return;
  }
  double& largest = relative_[RoundUp(absolute)];
  largest = std::max(largest, relative);
}

std::vector<std::pair<double, double>> WiderBounds::Pairs() const {
  std::vector<std::pair<double, double>> pairs;
  if (is_hopeless_ || relative_.empty()) return pairs;
  // From the largest absolute bound down, the elements that it does not cover
  // become more.
  double uncovered = 0;
  const auto add = [&](double absolute) {
    if (!std::isfinite(absolute) || !std::isfinite(uncovered)) return;
    const double relative =
        uncovered <= error_.rel ? error_.rel : ValueOf(RoundUp(uncovered));
    if (!std::isfinite(relative)) return;
    if (!pairs.empty() && pairs.back().second == relative) pairs.pop_back();
    pairs.emplace_back(absolute, relative);
  };
  for (auto it = relative_.rbegin(); it != relative_.rend(); ++it) {
    add(ValueOf(it->first));
    uncovered = std::max(uncovered, it->second);
  }
  add(error_.abs);
  std::reverse(pairs.begin(), pairs.end());
  return pairs;
}

std::string WiderBounds::ToString() const {
  std::vector<std::pair<double, double>> pairs = Pairs();
  if (pairs.empty()) return "";
  if (pairs.size() > 3) {
    pairs = {pairs.front(), pairs[pairs.size() / 2], pairs.back()};
  }
  return absl::StrFormat(
      "\nErrorSpec{%g, %g} would have to be %s", error_.abs, error_.rel,
      absl::StrJoin(pairs, " or ", [](std::string* out, const auto& pair) {
        absl::StrAppendFormat(out, "ErrorSpec{%g, %g}", pair.first,
                              pair.second);
      }));
}

}  // namespace literal_comparison
}  // namespace xla
