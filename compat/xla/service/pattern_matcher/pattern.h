// Pattern: a list of conditions on a value, some of which hand the value out.
// Patterns of instructions, shapes and layouts are made of it.
#ifndef COMPAT_XLA_SERVICE_PATTERN_MATCHER_PATTERN_H_
#define COMPAT_XLA_SERVICE_PATTERN_MATCHER_PATTERN_H_

#include <algorithm>
#include <cstddef>
#include <functional>
#include <memory>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

namespace xla {

class HloInstruction;
class Layout;
class Shape;

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

// How a value is called.
template <typename Value>
inline constexpr const char* kNoun = "a value";
template <>
inline constexpr const char* kNoun<::xla::HloInstruction> = "an HloInstruction";
template <>
inline constexpr const char* kNoun<::xla::Shape> = "a shape";
template <>
inline constexpr const char* kNoun<::xla::Layout> = "a layout";

// Immutable, cheap to copy; a condition more makes another pattern. Thread safe
// unless it captures.
template <typename Value>
class Pattern {
 public:
  using Condition =
      std::function<bool(const Value& value, const MatchOption& option)>;

  Pattern() = default;

  // Returns the pattern with one more condition; `expected` says which, as in
  // "with opcode add", and is empty for what any value meets.
  Pattern And(std::string expected, Condition condition) const {
    Pattern result;
    result.last_ = std::make_shared<const Node>(
        Node{last_, std::move(expected), std::move(condition)});
    return result;
  }

  // Conditions are tried in the order in which they were added.
  bool Match(const Value& value, const MatchOption& option) const {
    for (const Node* node : Nodes()) {
      if (node->condition(value, option)) continue;
      if (option.explain_os != nullptr) {
        *option.explain_os << "expected " << kNoun<Value> << " "
                           << node->expected << "\n";
      }
      return false;
    }
    return true;
  }

  // "an HloInstruction with opcode add", and a list for several conditions.
  void DescribeTo(std::ostream* out) const {
    std::vector<std::string> conditions;
    for (const Node* node : Nodes()) {
      if (!node->expected.empty()) conditions.push_back(node->expected);
    }
    *out << kNoun<Value>;
    if (conditions.size() == 1) *out << " " << conditions[0];
    for (size_t i = 0; conditions.size() > 1 && i < conditions.size(); ++i) {
      *out << (i == 0 ? ":\n * " : " AND\n * ") << conditions[i];
    }
  }

 private:
  struct Node {
    std::shared_ptr<const Node> before;
    std::string expected;
    Condition condition;
  };

  // The conditions, the first one first.
  std::vector<const Node*> Nodes() const {
    std::vector<const Node*> nodes;
    for (const Node* n = last_.get(); n != nullptr; n = n->before.get()) {
      nodes.push_back(n);
    }
    std::reverse(nodes.begin(), nodes.end());
    return nodes;
  }

  std::shared_ptr<const Node> last_;
};

}  // namespace match::detail
}  // namespace xla

#endif  // COMPAT_XLA_SERVICE_PATTERN_MATCHER_PATTERN_H_
