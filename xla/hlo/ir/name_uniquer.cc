// Makes names valid, and unique by appending a number.
#include "xla/hlo/ir/name_uniquer.h"

#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "xla/core/primitive_util.h"

namespace xla {
namespace {

bool IsNameCharacter(char c) {
  return absl::ascii_isalnum(c) || c == '_' || c == '.' || c == '-';
}

}  // namespace

std::string NameUniquer::GetSanitizedName(absl::string_view name) {
  if (name.empty()) return "name";
  std::string result(name);
  for (char& c : result) {
    if (!IsNameCharacter(c)) c = '_';
  }
  if (!absl::ascii_isalpha(result[0]) && result[0] != '_') {
    result.insert(0, "_");
  }
  // In text, words such as s1 and u2 are types. "tuple" is one as well, but
  // also the name that tuples have.
  if (primitive_util::IsPrimitiveTypeName(result) && result != "tuple") {
    result.push_back('_');
  }
  return result;
}

std::string NameUniquer::GetUniqueName(absl::string_view name) {
  std::string candidate = GetSanitizedName(name);
  if (taken_.insert(candidate).second) return candidate;
  // Counting for "add.3" continues from the prefix "add".
  absl::string_view prefix = candidate;
  const size_t dot = prefix.rfind('.');
  int64_t number = 0;
  if (dot != absl::string_view::npos && dot > 0 &&
      absl::SimpleAtoi(prefix.substr(dot + 1), &number)) {
    prefix = prefix.substr(0, dot);
  }
  std::string base(prefix);
  int64_t& next = next_[base];
  do {
    candidate = absl::StrCat(base, ".", ++next);
  } while (!taken_.insert(candidate).second);
  return candidate;
}

}  // namespace xla
