// Makes names unique by numbering them.
#ifndef XLA_HLO_IR_NAME_UNIQUER_H_
#define XLA_HLO_IR_NAME_UNIQUER_H_

#include <cstdint>
#include <string>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/strings/string_view.h"

namespace xla {

class NameUniquer {
 public:
  // Returns `name`, made a valid HLO name, if it was not returned before;
  // otherwise appends ".N" with the least N >= 1 above those tried for this
  // prefix. An empty name becomes "name".
  std::string GetUniqueName(absl::string_view name);

  // Returns a name of letters, digits, '_', '.', '-' that begins with a letter
  // or '_' and is not the name of a primitive type.
  static std::string GetSanitizedName(absl::string_view name);

 private:
  absl::flat_hash_set<std::string> taken_;
  absl::flat_hash_map<std::string, int64_t> next_;
};

}  // namespace xla

#endif  // XLA_HLO_IR_NAME_UNIQUER_H_
