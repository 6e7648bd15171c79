// Sends findings through a pipe: parts, each after its size and a space.
#include "xla/tools/debugging/finding.h"

#include <cstdint>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "xla/base/status_macros.h"
#include "xla/tools/debugging/child_process.h"

namespace xla::tools {
namespace {

// What messages of findings and of errors begin with.
constexpr char kFound = 'F', kFailed = 'E';

absl::StatusOr<std::string> Pack(const absl::StatusOr<Finding>& finding) {
  TF_RETURN_IF_ERROR(finding.status());
  std::string text(1, kFound);
  absl::StrAppend(&text, finding->report.size(), " ", finding->report,
                  finding->computation.size(), " ", finding->computation);
  for (const Literal& argument : finding->arguments) {
    TF_ASSIGN_OR_RETURN(const std::string bytes, argument.SerializeAsString());
    absl::StrAppend(&text, bytes.size(), " ", bytes);
  }
  return text;
}

absl::StatusOr<absl::string_view> TakeText(absl::string_view& text) {
  const size_t space = text.find(' ');
  uint64_t size = 0;
  if (space == absl::string_view::npos ||
      !absl::SimpleAtoi(text.substr(0, space), &size) ||
      size > text.size() - space - 1) {
    return absl::InternalError("the search ended without a whole result");
  }
  const absl::string_view part = text.substr(space + 1, size);
  text.remove_prefix(space + 1 + size);
  return part;
}

absl::StatusOr<Finding> Unpack(absl::string_view text) {
  const bool failed = text.empty() || text[0] != kFound;
  text.remove_prefix(text.empty() ? 0 : 1);
  if (failed) return absl::FailedPreconditionError(text);
  Finding finding;
  TF_ASSIGN_OR_RETURN(const absl::string_view report, TakeText(text));
  TF_ASSIGN_OR_RETURN(const absl::string_view computation, TakeText(text));
  finding.report = std::string(report);
  finding.computation = std::string(computation);
  while (!text.empty()) {
    TF_ASSIGN_OR_RETURN(const absl::string_view bytes, TakeText(text));
    TF_ASSIGN_OR_RETURN(Literal argument,
                        Literal::DeserializeFromString(bytes));
    finding.arguments.push_back(std::move(argument));
  }
  return finding;
}

}  // namespace

absl::StatusOr<Finding> FindInChild(
    absl::FunctionRef<absl::StatusOr<Finding>()> search, double seconds) {
  TF_ASSIGN_OR_RETURN(
      const ChildResult child,
      CallInChild(
          [&] {
            const absl::StatusOr<std::string> packed = Pack(search());
            return packed.ok() ? *packed
                               : absl::StrCat(std::string(1, kFailed),
                                              packed.status().message());
          },
          seconds));
  switch (child.end) {
    case ChildResult::End::kReturned:
      return Unpack(child.result);
    case ChildResult::End::kCrashed:
      return absl::InternalError(
          absl::StrCat("the search crashed: ", child.signal));
    case ChildResult::End::kTimeLimit:
      return absl::DeadlineExceededError(
          absl::StrCat("the search did not end within ", seconds, " s"));
  }
  return absl::InternalError("the search ended in no way known");
}

}  // namespace xla::tools
