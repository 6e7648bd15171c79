// Sets fields of DebugOptions by name, through protobuf's reflection.
#include "xla/client/debug/debug_options_flags.h"

#include <cstdint>
#include <cstdlib>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "google/protobuf/descriptor.h"
#include "google/protobuf/message.h"
#include "xla/base/logging.h"
#include "xla/base/status_macros.h"
#include "xla/client/debug/debug_option_names.h"

namespace xla {
namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::Reflection;

absl::Status BadFlag(absl::string_view flag, absl::string_view expected) {
  return absl::InvalidArgumentError(
      absl::StrCat("flag ", flag, ": expected ", expected));
}

// Sets the field to the parts between commas, empty ones included; an empty
// value clears it.
absl::Status SetStrings(absl::string_view value, const FieldDescriptor& field,
                        DebugOptions& options) {
  const Reflection& reflection = *options.GetReflection();
  reflection.ClearField(&options, &field);
  if (value.empty()) return absl::OkStatus();
  for (absl::string_view part : absl::StrSplit(value, ',')) {
    reflection.AddString(&options, &field, std::string(part));
  }
  return absl::OkStatus();
}

// Parses "a,b=1"; keys without a value get the empty one.
void SetPairs(absl::string_view value,
              google::protobuf::Map<std::string, std::string>& pairs) {
  for (absl::string_view part : absl::StrSplit(value, ',', absl::SkipEmpty())) {
    const std::pair<absl::string_view, absl::string_view> pair =
        absl::StrSplit(part, absl::MaxSplits('=', 1));
    pairs[std::string(pair.first)] = std::string(pair.second);
  }
}

absl::Status SetField(absl::string_view flag, absl::string_view value,
                      const FieldDescriptor& field, DebugOptions& options) {
  const Reflection& reflection = *options.GetReflection();
  if (field.name() == "xla_backend_extra_options") {
    SetPairs(value, *options.mutable_xla_backend_extra_options());
    return absl::OkStatus();
  }
  if (field.is_map()) return BadFlag(flag, "a flag that has a value");
  switch (field.cpp_type()) {
    case FieldDescriptor::CPPTYPE_BOOL: {
      bool on;
      if (!absl::SimpleAtob(value, &on)) return BadFlag(flag, "true or false");
      reflection.SetBool(&options, &field, on);
      return absl::OkStatus();
    }
    case FieldDescriptor::CPPTYPE_INT32: {
      int32_t number;
      if (!absl::SimpleAtoi(value, &number)) return BadFlag(flag, "a number");
      reflection.SetInt32(&options, &field, number);
      return absl::OkStatus();
    }
    case FieldDescriptor::CPPTYPE_STRING:
      if (field.is_repeated()) return SetStrings(value, field, options);
      reflection.SetString(&options, &field, std::string(value));
      return absl::OkStatus();
    case FieldDescriptor::CPPTYPE_INT64: {
      int64_t number;
      if (!absl::SimpleAtoi(value, &number)) return BadFlag(flag, "a number");
      reflection.SetInt64(&options, &field, number);
      return absl::OkStatus();
    }
    default:
      return BadFlag(flag, "a flag of another type");
  }
}

absl::Status SetFlag(absl::string_view flag, DebugOptions& options) {
  absl::string_view name = flag;
  if (!absl::ConsumePrefix(&name, "--") || name.empty()) {
    return BadFlag(flag, "--name=value");
  }
  absl::string_view value = "true";
  const size_t equals = name.find('=');
  if (equals != absl::string_view::npos) {
    value = name.substr(equals + 1);
    name = name.substr(0, equals);
  }
  return SetDebugOption(name, value, options);
}

}  // namespace

bool HasDebugOption(absl::string_view name) {
  return DebugOptions::descriptor()->FindFieldByName(std::string(name)) !=
             nullptr ||
         IsDebugOptionName(name);
}

absl::Status SetDebugOption(absl::string_view name, absl::string_view value,
                            DebugOptions& options) {
  const FieldDescriptor* field =
      options.GetDescriptor()->FindFieldByName(std::string(name));
  const std::string flag = absl::StrCat(name, "=", value);
  if (field != nullptr) return SetField(flag, value, *field, options);
  if (IsDebugOptionName(name)) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat("there is no option ", name));
}

DebugOptions DefaultDebugOptionsIgnoringFlags() {
  DebugOptions options;
  options.set_xla_force_host_platform_device_count(1);
  options.set_xla_backend_optimization_level(3);
  options.set_xla_eliminate_hlo_implicit_broadcast(true);
  options.set_xla_cpu_multi_thread_eigen(true);
  options.set_xla_cpu_prefer_vector_width(256);
  options.set_xla_allow_excess_precision(true);
  options.set_xla_dump_max_hlo_modules(-1);
  return options;
}

absl::Status ApplyDebugFlags(absl::string_view flags, DebugOptions& options) {
  for (absl::string_view flag :
       absl::StrSplit(flags, absl::ByAnyChar(" \t\n"), absl::SkipEmpty())) {
    TF_RETURN_IF_ERROR(SetFlag(flag, options));
  }
  return absl::OkStatus();
}

absl::StatusOr<DebugOptions> ParseDebugOptions(absl::string_view flags) {
  DebugOptions options = DefaultDebugOptionsIgnoringFlags();
  TF_RETURN_IF_ERROR(ApplyDebugFlags(flags, options));
  return options;
}

DebugOptions GetDebugOptionsFromFlags() {
  static const DebugOptions* const options = [] {
    const char* flags = std::getenv("XLA_FLAGS");
    auto* all = new DebugOptions(DefaultDebugOptionsIgnoringFlags());
    for (absl::string_view flag :
         absl::StrSplit(flags == nullptr ? "" : flags, absl::ByAnyChar(" \t\n"),
                        absl::SkipEmpty())) {
      const absl::Status status = SetFlag(flag, *all);
      if (!status.ok()) LOG(WARNING) << "XLA_FLAGS: " << status.message();
    }
    return all;
  }();
  return *options;
}

}  // namespace xla
