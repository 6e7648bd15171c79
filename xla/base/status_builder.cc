// Puts the pieces of a streamed error together.
#include "xla/base/status_builder.h"

#include <optional>
#include <string>
#include <utility>

#include "absl/base/log_severity.h"
#include "absl/status/status.h"
#include "absl/strings/cord.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "xla/base/errors.h"
#include "xla/base/logging.h"

namespace xla {

absl::Status StatusBuilder::Build() && {
  const std::optional<absl::LogSeverity> severity = severity_;
  absl::Status status = std::move(*this).WithText();
  if (severity.has_value()) {
    log_internal::LogAt(*severity, file_, line_, status.ToString());
  }
  return status;
}

absl::Status StatusBuilder::WithText() && {
  if (text_ == nullptr || status_.ok()) return std::move(status_);
  const std::string text = text_->str();
  if (text.empty()) return std::move(status_);
  return WithMessage(status_,
                     status_.message().empty()
                         ? text
                         : absl::StrCat(status_.message(), separator_, text));
}

StatusBuilder RetCheckFailure(const char* file, int line,
                              const char* condition) {
  return StatusBuilder(
      absl::InternalError(absl::StrCat("RET_CHECK failure (", file, ":", line,
                                       ") ", condition)),
      /*separator=*/" ", file, line);
}

}  // namespace xla
