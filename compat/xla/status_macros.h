// The macros of status_macros.h, and the streams that make errors, under XLA's
// names.
#ifndef COMPAT_XLA_STATUS_MACROS_H_
#define COMPAT_XLA_STATUS_MACROS_H_

#include <execinfo.h>

#include <cstdlib>
#include <memory>
#include <ostream>
#include <sstream>
#include <string>
#include <utility>

#include "absl/base/log_severity.h"
#include "absl/base/optimization.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "xla/base/logging.h"
#include "xla/base/status_macros.h"  // IWYU pragma: export
#include "xla/base/text/print_value.h"
#include "xla/tsl/platform/statusor.h"  // IWYU pragma: export

namespace xla::status_macros {

// Advice for programs that come from TensorFlow, to be added to their errors.
inline constexpr char kPossibleAutoJitAlternative[] =
    "If the program need not be compiled as a whole, TensorFlow can choose the "
    "parts that XLA compiles: set TF_XLA_FLAGS=--tf_xla_auto_jit=2.";

// Collects a message with <<, at least one piece, and converts to Status and
// StatusOr exactly once, upon which it logs the error. Lives within one
// expression, such as a return statement.
class MakeErrorStream {
 public:
  // Where text goes when it is added to that of another error.
  enum PriorMessageHandling { kAppendToPriorMessage, kPrependToPriorMessage };

  // A stream with some text, which alone is an error.
  class WithOutput {
   public:
    explicit WithOutput(MakeErrorStream* stream) : stream_(stream) {}
    WithOutput(const WithOutput&) = delete;
    WithOutput& operator=(const WithOutput&) = delete;

    template <typename T>
    WithOutput& operator<<(const T& value) {
      *stream_ << value;
      return *this;
    }
    WithOutput& with_log_severity(absl::LogSeverity severity) {
      stream_->with_log_severity(severity);
      return *this;
    }
    operator absl::Status() { return stream_->Finish(); }
    template <typename T>
    operator absl::StatusOr<T>() {
      return stream_->Finish();
    }

   private:
    MakeErrorStream* stream_;
  };

  MakeErrorStream(const char* file, int line, absl::StatusCode code)
      : file_(file), line_(line), code_(code), with_output_(this) {}
  MakeErrorStream(const MakeErrorStream&) = delete;
  MakeErrorStream& operator=(const MakeErrorStream&) = delete;
  ~MakeErrorStream() {
    if (is_done_) return;
    log_internal::LogAt(absl::LogSeverity::kError, file_, line_,
                        absl::StrCat("unused error: ", text_.str()));
  }

  template <typename T>
  WithOutput& operator<<(const T& value) {
    log_internal::PrintValue(text_, value);
    return with_output_;
  }
  // Choose what is logged: with the functions that were called or without, not
  // at all, and, instead of an error, as what. A fatal one ends the process.
  MakeErrorStream& with_log_stack_trace() {
    logs_stack_trace_ = true;
    return *this;
  }
  MakeErrorStream& without_logging() {
    logs_ = false;
    return *this;
  }
  MakeErrorStream& with_log_severity(absl::LogSeverity severity) {
    severity_ = severity;
    return *this;
  }
  // Adds what TF_RET_CHECK says of a condition that does not hold.
  WithOutput& add_ret_check_failure(const char* condition) {
    return *this << "RET_CHECK failure (" << file_ << ":" << line_ << ") "
                 << condition << " ";
  }

 private:
  absl::Status Finish() {
    is_done_ = true;
    std::string text = text_.str();
    if (text.empty()) {
      text = absl::StrCat("error without a message at ", file_, ":", line_);
    }
    const absl::Status status(
        code_ == absl::StatusCode::kOk ? absl::StatusCode::kUnknown : code_,
        text);
    if (logs_) {
      log_internal::LogAt(severity_, file_, line_,
                          absl::StrCat(status.ToString(), StackTrace()));
    }
    return status;
  }
  // Returns a line for each function that has been called.
  std::string StackTrace() const {
    if (!logs_stack_trace_) return "";
    constexpr int kMaxDepth = 32;
    void* addresses[kMaxDepth];
    const int depth = backtrace(addresses, kMaxDepth);
    const std::unique_ptr<char*, decltype(&free)> names(
        backtrace_symbols(addresses, depth), &free);
    std::string text;
    for (int i = 0; names != nullptr && i < depth; ++i) {
      absl::StrAppend(&text, "\n  ", names.get()[i]);
    }
    return text;
  }

  const char* const file_;
  const int line_;
  const absl::StatusCode code_;
  std::ostringstream text_;
  bool is_done_ = false;
  bool logs_ = true;
  bool logs_stack_trace_ = false;
  absl::LogSeverity severity_ = absl::LogSeverity::kError;
  WithOutput with_output_;
};

// A Status that an if statement can declare and test.
class StatusAdaptorForMacros {
 public:
  explicit StatusAdaptorForMacros(absl::Status status)
      : status_(std::move(status)) {}
  StatusAdaptorForMacros(const StatusAdaptorForMacros&) = delete;
  StatusAdaptorForMacros& operator=(const StatusAdaptorForMacros&) = delete;

  explicit operator bool() const { return ABSL_PREDICT_TRUE(status_.ok()); }
  absl::Status&& Consume() { return std::move(status_); }

 private:
  absl::Status status_;
};

}  // namespace xla::status_macros

// XLA_RET_CHECK_FAIL() << "what is wrong"; returns an Internal error.
#define XLA_RET_CHECK_FAIL()                                                \
  return ::xla::status_macros::MakeErrorStream(__FILE__, __LINE__,          \
                                               absl::StatusCode::kInternal) \
      .with_log_stack_trace()

#endif  // COMPAT_XLA_STATUS_MACROS_H_
