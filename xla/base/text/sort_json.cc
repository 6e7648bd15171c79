// Reads JSON only as far as it takes to find keys and their values.
#include "xla/base/text/sort_json.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "xla/base/status_macros.h"

namespace xla {
namespace {

constexpr int kMaxDepth = 256;

class JsonSorter {
 public:
  explicit JsonSorter(absl::string_view json) : json_(json) {}

  absl::StatusOr<std::string> Sort() {
    TF_ASSIGN_OR_RETURN(std::string sorted, Value(0));
    if (Next() != '\0' || at_ < json_.size()) return Expected("the end");
    return sorted;
  }

 private:
  // Returns the character behind blanks, without passing it; 0 at the end.
  char Next() {
    while (at_ < json_.size() && absl::ascii_isspace(json_[at_])) ++at_;
    return at_ < json_.size() ? json_[at_] : '\0';
  }
  bool Consume(char c) {
    if (Next() != c || at_ >= json_.size()) return false;
    ++at_;
    return true;
  }
  absl::Status Expected(absl::string_view what) const {
    return absl::InvalidArgumentError(
        absl::StrCat("JSON: expected ", what, " at character ", at_));
  }

  absl::StatusOr<std::string> Value(int depth) {
    if (depth > kMaxDepth) return Expected("fewer nested values");
    if (Consume('{')) return Object(depth + 1);
    if (Consume('[')) return Array(depth + 1);
    if (Next() == '"') return String();
    return Word();
  }

  absl::StatusOr<std::string> Object(int depth) {
    std::vector<std::pair<std::string, std::string>> members;
    if (!Consume('}')) {
      do {
        TF_ASSIGN_OR_RETURN(std::string key, String());
        if (!Consume(':')) return Expected("':'");
        TF_ASSIGN_OR_RETURN(std::string value, Value(depth));
        members.push_back({std::move(key), std::move(value)});
      } while (Consume(','));
      if (!Consume('}')) return Expected("',' or '}'");
    }
    std::stable_sort(
        members.begin(), members.end(),
        [](const auto& a, const auto& b) { return a.first < b.first; });
    return absl::StrCat(
        "{", absl::StrJoin(members, ",", absl::PairFormatter(":")), "}");
  }

  absl::StatusOr<std::string> Array(int depth) {
    std::vector<std::string> values;
    if (!Consume(']')) {
      do {
        TF_ASSIGN_OR_RETURN(std::string value, Value(depth));
        values.push_back(std::move(value));
      } while (Consume(','));
      if (!Consume(']')) return Expected("',' or ']'");
    }
    return absl::StrCat("[", absl::StrJoin(values, ","), "]");
  }

  // With its quotes and escapes.
  absl::StatusOr<std::string> String() {
    if (Next() != '"') return Expected("a string");
    const size_t start = at_++;
    while (at_ < json_.size() && json_[at_] != '"') {
      at_ += json_[at_] == '\\' ? 2 : 1;
    }
    if (at_ >= json_.size()) {
      at_ = start;
      return Expected("a string that ends");
    }
    ++at_;
    return std::string(json_.substr(start, at_ - start));
  }

  // A number, true, false or null.
  absl::StatusOr<std::string> Word() {
    Next();
    const size_t start = at_;
    while (at_ < json_.size() && (absl::ascii_isalnum(json_[at_]) ||
                                  absl::string_view("+-.").find(json_[at_]) !=
                                      absl::string_view::npos)) {
      ++at_;
    }
    if (at_ == start) return Expected("a value");
    return std::string(json_.substr(start, at_ - start));
  }

  absl::string_view json_;
  size_t at_ = 0;
};

}  // namespace

absl::StatusOr<std::string> SortJson(absl::string_view json) {
  return JsonSorter(json).Sort();
}

}  // namespace xla
