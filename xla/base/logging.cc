// Formats log lines and writes them to stderr; ends the process on LOG(FATAL).
#include "xla/base/logging.h"

#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <memory>
#include <string>

#include "absl/base/log_severity.h"
#include "absl/status/status.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"

namespace xla::log_internal {
namespace {

int LevelFromEnvironment(const char* name) {
  const char* text = std::getenv(name);
  int level = 0;
  return text != nullptr && absl::SimpleAtoi(text, &level) ? level : 0;
}

absl::string_view BaseName(absl::string_view path) {
  return path.substr(path.find_last_of('/') + 1);
}

}  // namespace

int MaxVlogLevel() {
  static const int level = LevelFromEnvironment("TF_CPP_MAX_VLOG_LEVEL");
  return level;
}

LogMessage::LogMessage(const char* file, int line, Severity severity)
    : file_(file), line_(line), severity_(severity) {}

LogMessage::~LogMessage() {
  if (severity_ != Severity::kFatal) Flush();
}

void LogMessage::Flush() {
  static const int min_level = LevelFromEnvironment("TF_CPP_MIN_LOG_LEVEL");
  if (severity_ != Severity::kFatal &&
      static_cast<int>(severity_) < min_level) {
    return;
  }
  timespec now = {};
  clock_gettime(CLOCK_REALTIME, &now);
  std::tm local = {};
  localtime_r(&now.tv_sec, &local);
  char time[32];
  const size_t size =
      std::strftime(time, sizeof(time), "%m%d %H:%M:%S", &local);
  std::snprintf(time + size, sizeof(time) - size, ".%06ld", now.tv_nsec / 1000);
  const std::string line = absl::StrCat(
      absl::string_view("IWEF").substr(static_cast<int>(severity_), 1), time,
      " ", BaseName(file_), ":", line_, "] ", stream_.str(), "\n");
  // A single call keeps the lines of concurrent threads whole.
  std::fwrite(line.data(), 1, line.size(), stderr);
  std::fflush(stderr);
}

LogMessageFatal::~LogMessageFatal() {
  Flush();
  std::abort();
}

void LogAt(absl::LogSeverity severity, const char* file, int line,
           absl::string_view text) {
  switch (severity) {
    case absl::LogSeverity::kInfo:
      LogMessage(file, line, Severity::kInfo).stream() << text;
      return;
    case absl::LogSeverity::kWarning:
      LogMessage(file, line, Severity::kWarning).stream() << text;
      return;
    case absl::LogSeverity::kError:
      LogMessage(file, line, Severity::kError).stream() << text;
      return;
    case absl::LogSeverity::kFatal:
      LogMessageFatal(file, line).stream() << text;
  }
}

std::unique_ptr<std::string> CheckOk(const absl::Status& status,
                                     const char* text) {
  if (ABSL_PREDICT_TRUE(status.ok())) return nullptr;
  return std::make_unique<std::string>(
      absl::StrCat("Check failed: ", text, " is OK (", status.ToString(), ")"));
}

}  // namespace xla::log_internal
