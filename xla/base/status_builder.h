// StatusBuilder: a Status that text can be streamed into; the status macros
// return it.
#ifndef XLA_BASE_STATUS_BUILDER_H_
#define XLA_BASE_STATUS_BUILDER_H_

#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <utility>

#include "absl/base/log_severity.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "xla/base/text/print_value.h"

namespace xla {

// Converts to Status and to StatusOr<T>, appending the streamed text after
// `separator`, a literal. `status` is an error; its payloads are kept.
class StatusBuilder {
 public:
  explicit StatusBuilder(absl::Status status, const char* separator = "; ",
                         const char* file = __builtin_FILE(),
                         int line = __builtin_LINE())
      : status_(std::move(status)),
        separator_(separator),
        file_(file),
        line_(line) {}

  template <typename T>
  StatusBuilder&& operator<<(const T& value) && {
    if (text_ == nullptr) text_ = std::make_unique<std::ostringstream>();
    log_internal::PrintValue(*text_, value);
    return std::move(*this);
  }

  // Makes it log the error; without this, it only returns it. A fatal one ends
  // the process.
  StatusBuilder&& with_log_severity(absl::LogSeverity severity) && {
    severity_ = severity;
    return std::move(*this);
  }

  operator absl::Status() && { return std::move(*this).Build(); }
  template <typename T>
  operator absl::StatusOr<T>() && {
    return std::move(*this).Build();
  }

 private:
  absl::Status Build() &&;
  absl::Status WithText() &&;

  absl::Status status_;
  const char* separator_;
  const char* file_;
  int line_;
  std::optional<absl::LogSeverity> severity_;
  std::unique_ptr<std::ostringstream> text_;
};

// Returns what a failed TF_RET_CHECK returns: Internal, with place and
// condition.
StatusBuilder RetCheckFailure(const char* file, int line,
                              const char* condition);

}  // namespace xla

#endif  // XLA_BASE_STATUS_BUILDER_H_
