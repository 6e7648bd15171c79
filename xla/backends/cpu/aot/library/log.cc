// Writes log messages without C++'s streams, which would be a tenth of the
// library.
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <ios>

#include "absl/base/log_severity.h"
#include "absl/strings/string_view.h"
#include "xla/base/logging.h"

namespace xla::log_internal {

void LogAt(absl::LogSeverity severity, const char* file, int line,
           absl::string_view text) {
  std::fprintf(stderr, "%s %s:%d] %.*s\n", absl::LogSeverityName(severity),
               file, line, static_cast<int>(text.size()), text.data());
  if (severity == absl::LogSeverity::kFatal) std::abort();
}

}  // namespace xla::log_internal

// Each source whose headers include <iostream> makes one of these; nothing here
// uses the streams that it would open.
std::ios_base::Init::Init() {}
std::ios_base::Init::~Init() {}

namespace __cxxabiv1 {

// What the C++ runtime calls for an exception that nobody catches. Its own
// handler prints the exception's name, for which it has a demangler.
std::terminate_handler __terminate_handler = std::abort;

}  // namespace __cxxabiv1
