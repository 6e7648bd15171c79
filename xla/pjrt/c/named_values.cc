// Lists of named values: makes them for callers, and reads those of callers.
#include "xla/pjrt/c/named_values.h"

#include <algorithm>
#include <utility>
#include <variant>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "xla/base/errors.h"
#include "xla/base/status_macros.h"
#include "xla/pjrt/c/arguments.h"

namespace xla::pjrt {
namespace {

// Sets the type, value and size of `out`, which points into `value`.
void Point(const PjRtValueType& value, PJRT_NamedValue* out) {
  out->value_size = 1;
  if (const auto* text = std::get_if<std::string>(&value)) {
    out->type = PJRT_NamedValue_kString;
    out->string_value = text->data();
    out->value_size = text->size();
  } else if (const auto* list = std::get_if<std::vector<int64_t>>(&value)) {
    out->type = PJRT_NamedValue_kInt64List;
    out->int64_array_value = list->data();
    out->value_size = list->size();
  } else if (const auto* number = std::get_if<int64_t>(&value)) {
    out->type = PJRT_NamedValue_kInt64;
    out->int64_value = *number;
  } else if (const auto* flag = std::get_if<bool>(&value)) {
    out->type = PJRT_NamedValue_kBool;
    out->bool_value = *flag;
  } else {
    out->type = PJRT_NamedValue_kFloat;
    out->float_value = std::get<float>(value);
  }
}

absl::StatusOr<PjRtValueType> ReadValue(const PJRT_NamedValue& value) {
  switch (value.type) {
    case PJRT_NamedValue_kString: {
      TF_ASSIGN_OR_RETURN(
          absl::string_view text,
          StringArgument(value.string_value, value.value_size, "string_value"));
      return PjRtValueType(std::string(text));
    }
    case PJRT_NamedValue_kInt64:
      return PjRtValueType(value.int64_value);
    case PJRT_NamedValue_kInt64List: {
      TF_ASSIGN_OR_RETURN(absl::Span<const int64_t> list,
                          ArrayArgument(value.int64_array_value,
                                        value.value_size, "int64_array_value"));
      return PjRtValueType(std::vector<int64_t>(list.begin(), list.end()));
    }
    case PJRT_NamedValue_kFloat:
      return PjRtValueType(value.float_value);
    case PJRT_NamedValue_kBool:
      return PjRtValueType(value.bool_value);
  }
  return ArgumentError(absl::StrCat("a named value has the unknown type ",
                                    static_cast<int>(value.type)));
}

}  // namespace

NamedValues::NamedValues(const NamedValueMap& values) {
  entries_.reserve(values.size());
  for (const auto& [name, value] : values) entries_.push_back({name, value});
  std::sort(entries_.begin(), entries_.end(),
            [](const Entry& a, const Entry& b) { return a.name < b.name; });
  for (const Entry& entry : entries_) {
    PJRT_NamedValue& out = list_.emplace_back();
    out.struct_size = PJRT_NamedValue_STRUCT_SIZE;
    out.extension_start = nullptr;
    out.name = entry.name.data();
    out.name_size = entry.name.size();
    Point(entry.value, &out);
  }
}

absl::StatusOr<NamedValueMap> ReadNamedValues(const PJRT_NamedValue* values,
                                              size_t num_values,
                                              const char* member) {
  NamedValueMap map;
  TF_ASSIGN_OR_RETURN(absl::Span<const PJRT_NamedValue> list,
                      ArrayArgument(values, num_values, member));
  for (const PJRT_NamedValue& value : list) {
    TF_ASSIGN_OR_RETURN(absl::string_view name,
                        StringArgument(value.name, value.name_size, "name"));
    TF_ASSIGN_OR_RETURN(PjRtValueType read, ReadValue(value));
    if (!map.emplace(name, std::move(read)).second) {
      return ArgumentError(absl::StrCat(member, " holds '", name, "' twice"));
    }
  }
  return map;
}

absl::StatusOr<int64_t> IntOption(absl::string_view name,
                                  const PjRtValueType& value) {
  if (const auto* number = std::get_if<int64_t>(&value)) return *number;
  if (const auto* flag = std::get_if<bool>(&value)) return *flag ? 1 : 0;
  int64_t parsed;
  const auto* text = std::get_if<std::string>(&value);
  if (text != nullptr && absl::SimpleAtoi(*text, &parsed)) return parsed;
  return InvalidArgument("option '%s' must be an integer", std::string(name));
}

absl::StatusOr<bool> BoolOption(absl::string_view name,
                                const PjRtValueType& value) {
  if (const auto* flag = std::get_if<bool>(&value)) return *flag;
  const auto* number = std::get_if<int64_t>(&value);
  if (number != nullptr && (*number == 0 || *number == 1)) return *number == 1;
  bool parsed;
  const auto* text = std::get_if<std::string>(&value);
  if (text != nullptr && absl::SimpleAtob(*text, &parsed)) return parsed;
  return InvalidArgument("option '%s' must be true or false",
                         std::string(name));
}

absl::StatusOr<std::string> StringOption(absl::string_view name,
                                         const PjRtValueType& value) {
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  return InvalidArgument("option '%s' must be a string", std::string(name));
}

}  // namespace xla::pjrt
