// ValueScope: a map of visible names and a stack of the names that they hide.
#include "xla/stablehlo/text/value_scope.h"

namespace xla::stablehlo {

void ValueScope::Enter(bool isolated) {
  Level level;
  if (isolated) {
    level.outermost = static_cast<int>(levels_.size());
  } else if (!levels_.empty()) {
    level.outermost = levels_.back().outermost;
  }
  levels_.push_back(std::move(level));
}

void ValueScope::Leave() {
  for (const auto& [name, binding] : levels_.back().hidden) {
    if (binding.level < 0) {
      bindings_.erase(name);
    } else {
      bindings_[name] = binding;
    }
  }
  levels_.pop_back();
}

bool ValueScope::Define(absl::string_view name,
                        absl::Span<const Value> values) {
  const int level = static_cast<int>(levels_.size()) - 1;
  Binding& binding = bindings_[name];
  if (binding.level == level) return false;
  levels_.back().hidden.emplace_back(name, binding);
  binding = {values, level};
  return true;
}

absl::Span<const Value> ValueScope::Find(absl::string_view name) const {
  const auto it = bindings_.find(name);
  if (it == bindings_.end() || levels_.empty() ||
      it->second.level < levels_.back().outermost) {
    return {};
  }
  return it->second.values;
}

}  // namespace xla::stablehlo
