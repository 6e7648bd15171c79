// The bounds on errors with which a comparison that failed would have passed.
#ifndef XLA_CORE_LITERAL_COMPARISON_WIDER_BOUNDS_H_
#define XLA_CORE_LITERAL_COMPARISON_WIDER_BOUNDS_H_

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "xla/core/literal/comparison/error_spec.h"

namespace xla {
namespace literal_comparison {

// Takes the errors of all elements that disagree, in memory that does not
// depend on how many they are.
class WiderBounds {
 public:
  explicit WiderBounds(const ErrorSpec& error) : error_(error) {}

  void Add(double absolute, double relative);

  // Returns pairs of an absolute and a relative bound, rounded up to one digit,
  // neither below that of the ErrorSpec, from the smallest absolute one to the
  // largest: with less of one, more of the other is needed. None if an element
  // disagrees whatever the bounds.
  std::vector<std::pair<double, double>> Pairs() const;

  // Returns a line that names up to three of the pairs; empty if there is none.
  std::string ToString() const;

 private:
  // digit * 10^exponent, as {exponent, digit}.
  using Rounded = std::pair<int, int>;
  static Rounded RoundUp(double error);
  static double ValueOf(Rounded rounded);

  const ErrorSpec error_;
  bool is_hopeless_ = false;
  // The largest relative error for each absolute one.
  std::map<Rounded, double> relative_;
};

}  // namespace literal_comparison
}  // namespace xla

#endif  // XLA_CORE_LITERAL_COMPARISON_WIDER_BOUNDS_H_
