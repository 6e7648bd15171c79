// Lists of named values: makes them for callers, and reads those of callers.
#ifndef XLA_PJRT_C_NAMED_VALUES_H_
#define XLA_PJRT_C_NAMED_VALUES_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "xla/pjrt/c/pjrt_c_api.h"
#include "xla/pjrt/pjrt_common.h"

namespace xla::pjrt {

using NamedValueMap = absl::flat_hash_map<std::string, PjRtValueType>;

// A list, sorted by name, that owns what it points to.
class NamedValues {
 public:
  explicit NamedValues(const NamedValueMap& values);
  NamedValues(const NamedValues&) = delete;
  NamedValues& operator=(const NamedValues&) = delete;

  const PJRT_NamedValue* data() const { return list_.data(); }
  size_t size() const { return list_.size(); }

 private:
  struct Entry {
    std::string name;
    PjRtValueType value;
  };
  std::vector<Entry> entries_;
  std::vector<PJRT_NamedValue> list_;
};

// Errors: InvalidArgument for null pointers, an unknown type, or a name that
// occurs twice.
absl::StatusOr<NamedValueMap> ReadNamedValues(const PJRT_NamedValue* values,
                                              size_t num_values,
                                              const char* member);

// Values of options. A string that spells the value is accepted, since
// frameworks pass what users set in environment variables. Errors:
// InvalidArgument naming the option.
absl::StatusOr<int64_t> IntOption(absl::string_view name,
                                  const PjRtValueType& value);
absl::StatusOr<bool> BoolOption(absl::string_view name,
                                const PjRtValueType& value);
absl::StatusOr<std::string> StringOption(absl::string_view name,
                                         const PjRtValueType& value);

}  // namespace xla::pjrt

#endif  // XLA_PJRT_C_NAMED_VALUES_H_
