// Pattern: a list of conditions on a value, some of which hand the value out.
// Patterns of instructions, shapes and layouts are made of it.
#ifndef COMPAT_XLA_SERVICE_PATTERN_MATCHER_PATTERN_H_
#define COMPAT_XLA_SERVICE_PATTERN_MATCHER_PATTERN_H_

#include <functional>
#include <memory>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

namespace xla {

// How Match goes about it.
struct MatchOption {
  // Whether matched values are handed out.
  bool capture = true;
  // Whether instructions below the first one must have a single user.
  bool single_user_only = false;
  // Where to say why a value does not match; may be null.
  std::ostream* explain_os = nullptr;
};

namespace match::detail {

// Immutable, cheap to copy; a condition more makes another pattern. Thread safe
// unless it captures.
template <typename Value>
class Pattern {
 public:
  using Condition =
      std::function<bool(const Value& value, const MatchOption& option)>;

  Pattern() = default;

  // Returns the pattern with one more condition; `expected` says which, to
  // explain a failure.
  Pattern And(std::string expected, Condition condition) const {
    Pattern result;
    result.last_ = std::make_shared<const Node>(
        Node{last_, std::move(expected), std::move(condition)});
    return result;
  }

  // Conditions are tried in the order in which they were added.
  bool Match(const Value& value, const MatchOption& option) const {
    std::vector<const Node*> nodes;
    for (const Node* n = last_.get(); n != nullptr; n = n->before.get()) {
      nodes.push_back(n);
    }
    for (auto it = nodes.rbegin(); it != nodes.rend(); ++it) {
      if ((*it)->condition(value, option)) continue;
      if (option.explain_os != nullptr) {
        *option.explain_os << "expected " << (*it)->expected << "\n";
      }
      return false;
    }
    return true;
  }

 private:
  struct Node {
    std::shared_ptr<const Node> before;
    std::string expected;
    Condition condition;
  };
  std::shared_ptr<const Node> last_;
};

}  // namespace match::detail
}  // namespace xla

#endif  // COMPAT_XLA_SERVICE_PATTERN_MATCHER_PATTERN_H_
