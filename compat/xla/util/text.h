// Texts for people and files, under the names of xla/util.h.
#ifndef COMPAT_XLA_UTIL_TEXT_H_
#define COMPAT_XLA_UTIL_TEXT_H_

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "google/protobuf/descriptor.h"
#include "google/protobuf/message.h"
#include "google/protobuf/text_format.h"

namespace xla {

// Replaces the white space at the beginning of each line by `indentation`, and
// removes that at the end.
inline std::string Reindent(absl::string_view original,
                            absl::string_view indentation) {
  return absl::StrJoin(absl::StrSplit(original, '\n'), "\n",
                       [&](std::string* out, absl::string_view line) {
                         absl::StrAppend(out, indentation,
                                         absl::StripAsciiWhitespace(line));
                       });
}

// Returns operations per second: "1.00GFLOP/s" for "FL"; "512FLOP/s" if they
// are less than a thousand, "NaN FLOP/s" for no time.
inline std::string HumanReadableNumOps(double ops, double nanoseconds,
                                       absl::string_view kind) {
  if (nanoseconds == 0) return absl::StrCat("NaN ", kind, "OP/s");
  const double rate = std::trunc(ops / nanoseconds * 1e9);
  std::string number;
  if (std::fabs(rate) < 1e3) {
    number = absl::StrCat(static_cast<int64_t>(rate));
  } else if (std::fabs(rate) >= 1e15) {
    number = absl::StrFormat("%.3G", rate);
  } else {
    constexpr absl::string_view kUnits = "kMGT";
    double scaled = rate / 1e3;
    size_t unit = 0;
    for (; std::fabs(scaled) >= 1e3 && unit + 1 < kUnits.size(); ++unit) {
      scaled /= 1e3;
    }
    number = absl::StrFormat("%.2f%c", scaled, kUnits[unit]);
  }
  return absl::StrCat(number, kind, "OP/s");
}
inline std::string HumanReadableNumFlops(double flops, double nanoseconds) {
  return HumanReadableNumOps(flops, nanoseconds, "FL");
}
inline std::string HumanReadableNumTranscendentalOps(double trops,
                                                     double nanoseconds) {
  return HumanReadableNumOps(trops, nanoseconds, "TR");
}

// Replaces the characters / \ [ ] and spaces by underscores.
inline std::string SanitizeFileName(std::string file_name) {
  return absl::StrReplaceAll(
      file_name, {{"/", "_"}, {"\\", "_"}, {"[", "_"}, {"]", "_"}, {" ", "_"}});
}

// Removes the parts of a name that are numbers and puts `replace_with` between
// the others: "fusion.3.clone" becomes "fusion_clone" for '.' and "_".
inline std::string SanitizeOpName(std::string op_name, char separator,
                                  const std::string& replace_with) {
  std::vector<std::string> kept;
  for (const absl::string_view part : absl::StrSplit(op_name, separator)) {
    int64_t number;
    if (!absl::SimpleAtoi(part, &number)) kept.emplace_back(part);
  }
  return absl::StrJoin(kept, replace_with);
}

// Returns a line "name: value" for each field, set or not, and for each element
// of those that repeat.
inline std::string PrintAllFields(const google::protobuf::Message& message) {
  using google::protobuf::TextFormat;
  const google::protobuf::Descriptor& type = *message.GetDescriptor();
  std::string text;
  for (int i = 0; i < type.field_count(); ++i) {
    const google::protobuf::FieldDescriptor* field = type.field(i);
    const int count = field->is_repeated()
                          ? message.GetReflection()->FieldSize(message, field)
                          : 1;
    for (int j = 0; j < count; ++j) {
      std::string value;
      TextFormat::PrintFieldValueToString(
          message, field, field->is_repeated() ? j : -1, &value);
      absl::StrAppend(&text, field->name(), ": ", value, "\n");
    }
  }
  return text;
}

}  // namespace xla

#endif  // COMPAT_XLA_UTIL_TEXT_H_
