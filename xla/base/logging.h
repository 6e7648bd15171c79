// LOG, VLOG and the CHECK family as in absl/log, which the oldest supported
// Abseil lacks. Each macro yields to an existing definition.
#ifndef XLA_BASE_LOGGING_H_
#define XLA_BASE_LOGGING_H_

#include <memory>
#include <ostream>
#include <sstream>
#include <string>
#include <type_traits>
#include <utility>

#include "absl/base/attributes.h"
#include "absl/base/log_severity.h"
#include "absl/base/optimization.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "xla/base/text/print_value.h"

namespace xla::log_internal {

enum class Severity { kInfo, kWarning, kError, kFatal };

// Collects one message and writes it to stderr when destroyed. Thread safe:
// messages of different threads do not mix. kFatal ends the process.
// TF_CPP_MIN_LOG_LEVEL (0 for info to 3 for fatal) drops less severe messages.
class LogMessage {
 public:
  LogMessage(const char* file, int line, Severity severity);
  ~LogMessage();
  std::ostream& stream() { return stream_; }

 protected:
  void Flush();

 private:
  const char* file_;
  int line_;
  Severity severity_;
  std::ostringstream stream_;
};

class LogMessageFatal : public LogMessage {
 public:
  LogMessageFatal(const char* file, int line)
      : LogMessage(file, line, Severity::kFatal) {}
  // `failure` is the text of a failed check.
  LogMessageFatal(const char* file, int line, const std::string& failure)
      : LogMessageFatal(file, line) {
    stream() << failure << ' ';
  }
  [[noreturn]] ~LogMessageFatal();
};

// Logs `text` as what `severity` says; a fatal one ends the process.
void LogAt(absl::LogSeverity severity, const char* file, int line,
           absl::string_view text);

// Binds weaker than << and stronger than ?:, and makes both arms void.
struct Voidify {
  void operator&(std::ostream&) const {}
};

// Returns TF_CPP_MAX_VLOG_LEVEL, read once; 0 if unset.
int MaxVlogLevel();

template <typename T>
void PrintOperand(std::ostream& os, const T& v) {
  if constexpr (std::is_same_v<T, char> || std::is_same_v<T, signed char> ||
                std::is_same_v<T, unsigned char>) {
    os << static_cast<int>(v);
  } else if constexpr (std::is_same_v<T, std::nullptr_t>) {
    os << "nullptr";
  } else if constexpr (HasStreamOperator<T> || HasStringify<T>) {
    PrintValue(os, v);
  } else if constexpr (std::is_enum_v<T>) {
    os << static_cast<long long>(v);
  } else {
    os << "(unprintable)";
  }
}

template <typename A, typename B>
ABSL_ATTRIBUTE_NOINLINE std::unique_ptr<std::string> CheckOpFailure(
    const A& a, const B& b, const char* text) {
  std::ostringstream os;
  os << "Check failed: " << text << " (";
  PrintOperand(os, a);
  os << " vs. ";
  PrintOperand(os, b);
  os << ")";
  return std::make_unique<std::string>(std::move(os).str());
}

#define XLA_DEFINE_CHECK_OP_(name, op)                      \
  template <typename A, typename B>                         \
  std::unique_ptr<std::string> name(const A& a, const B& b, \
                                    const char* text) {     \
    if (ABSL_PREDICT_TRUE(a op b)) return nullptr;          \
    return CheckOpFailure(a, b, text);                      \
  }
XLA_DEFINE_CHECK_OP_(CheckEq, ==)
XLA_DEFINE_CHECK_OP_(CheckNe, !=)
XLA_DEFINE_CHECK_OP_(CheckLt, <)
XLA_DEFINE_CHECK_OP_(CheckLe, <=)
XLA_DEFINE_CHECK_OP_(CheckGt, >)
XLA_DEFINE_CHECK_OP_(CheckGe, >=)
#undef XLA_DEFINE_CHECK_OP_

std::unique_ptr<std::string> CheckOk(const absl::Status& status,
                                     const char* text);
template <typename T>
std::unique_ptr<std::string> CheckOk(const absl::StatusOr<T>& result,
                                     const char* text) {
  return CheckOk(result.status(), text);
}

}  // namespace xla::log_internal

#define XLA_LOG_INFO_                                 \
  ::xla::log_internal::LogMessage(__FILE__, __LINE__, \
                                  ::xla::log_internal::Severity::kInfo)
#define XLA_LOG_WARNING_                              \
  ::xla::log_internal::LogMessage(__FILE__, __LINE__, \
                                  ::xla::log_internal::Severity::kWarning)
#define XLA_LOG_ERROR_                                \
  ::xla::log_internal::LogMessage(__FILE__, __LINE__, \
                                  ::xla::log_internal::Severity::kError)
#define XLA_LOG_FATAL_ ::xla::log_internal::LogMessageFatal(__FILE__, __LINE__)

// The loop runs at most once; unlike an if, it cannot capture a later else.
#define XLA_CHECK_WITH_(call)                                                  \
  while (auto xla_check_failure = ::xla::log_internal::call)                   \
  ::xla::log_internal::LogMessageFatal(__FILE__, __LINE__, *xla_check_failure) \
      .stream()

#ifndef LOG
#define LOG(severity) XLA_LOG_##severity##_.stream()
#endif
#ifndef LOG_IF
#define LOG_IF(severity, condition) \
  !(condition) ? (void)0 : ::xla::log_internal::Voidify() & LOG(severity)
#endif
#ifndef VLOG_IS_ON
#define VLOG_IS_ON(level) (::xla::log_internal::MaxVlogLevel() >= (level))
#endif
#ifndef VLOG
#define VLOG(level)                     \
  ABSL_PREDICT_TRUE(!VLOG_IS_ON(level)) \
  ? (void)0 : ::xla::log_internal::Voidify() & XLA_LOG_INFO_.stream()
#endif

#ifndef CHECK
#define CHECK(condition)                                                    \
  ABSL_PREDICT_TRUE(static_cast<bool>(condition))                           \
  ? (void)0                                                                 \
  : ::xla::log_internal::Voidify() &                                        \
          ::xla::log_internal::LogMessageFatal(__FILE__, __LINE__,          \
                                               "Check failed: " #condition) \
              .stream()
#define CHECK_EQ(a, b) XLA_CHECK_WITH_(CheckEq((a), (b), #a " == " #b))
#define CHECK_NE(a, b) XLA_CHECK_WITH_(CheckNe((a), (b), #a " != " #b))
#define CHECK_LT(a, b) XLA_CHECK_WITH_(CheckLt((a), (b), #a " < " #b))
#define CHECK_LE(a, b) XLA_CHECK_WITH_(CheckLe((a), (b), #a " <= " #b))
#define CHECK_GT(a, b) XLA_CHECK_WITH_(CheckGt((a), (b), #a " > " #b))
#define CHECK_GE(a, b) XLA_CHECK_WITH_(CheckGe((a), (b), #a " >= " #b))
#define CHECK_OK(status) XLA_CHECK_WITH_(CheckOk((status), #status))
#endif
#ifndef QCHECK
#define QCHECK(condition) CHECK(condition)
#define QCHECK_EQ(a, b) CHECK_EQ(a, b)
#define QCHECK_NE(a, b) CHECK_NE(a, b)
#define QCHECK_LT(a, b) CHECK_LT(a, b)
#define QCHECK_LE(a, b) CHECK_LE(a, b)
#define QCHECK_GT(a, b) CHECK_GT(a, b)
#define QCHECK_GE(a, b) CHECK_GE(a, b)
#define QCHECK_OK(status) CHECK_OK(status)
#endif
// In release builds these compile their arguments but do not evaluate them.
#ifndef DCHECK
#ifdef NDEBUG
#define XLA_DEBUG_ONLY_ while (false)
#else
#define XLA_DEBUG_ONLY_
#endif
#define DCHECK(condition) XLA_DEBUG_ONLY_ CHECK(condition)
#define DCHECK_EQ(a, b) XLA_DEBUG_ONLY_ CHECK_EQ(a, b)
#define DCHECK_NE(a, b) XLA_DEBUG_ONLY_ CHECK_NE(a, b)
#define DCHECK_LT(a, b) XLA_DEBUG_ONLY_ CHECK_LT(a, b)
#define DCHECK_LE(a, b) XLA_DEBUG_ONLY_ CHECK_LE(a, b)
#define DCHECK_GT(a, b) XLA_DEBUG_ONLY_ CHECK_GT(a, b)
#define DCHECK_GE(a, b) XLA_DEBUG_ONLY_ CHECK_GE(a, b)
#define DCHECK_OK(status) XLA_DEBUG_ONLY_ CHECK_OK(status)
#endif

#endif  // XLA_BASE_LOGGING_H_
