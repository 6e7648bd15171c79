// RunFileCheck: whether text matches a pattern of LLVM's FileCheck.
#ifndef COMPAT_XLA_HLO_TESTLIB_FILECHECK_H_
#define COMPAT_XLA_HLO_TESTLIB_FILECHECK_H_

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "absl/cleanup/cleanup.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "tsl/platform/path.h"
#include "xla/base/logging.h"
#include "xla/base/status_macros.h"
#include "xla/tsl/platform/env.h"

extern "C" char** environ;

namespace xla {
namespace filecheck_internal {

// What FileCheck said of a text.
struct Verdict {
  bool matches = false;
  std::string output;
};

// The program that the variable FILECHECK names, else FileCheck-19 or FileCheck
// of PATH, else that of LLVM 19. Errors: NotFound.
inline absl::StatusOr<std::string> FindProgram() {
  const char* chosen = std::getenv("FILECHECK");
  if (chosen != nullptr && *chosen != '\0') {
    if (access(chosen, X_OK) == 0) return std::string(chosen);
    return absl::NotFoundError(
        absl::StrCat("FILECHECK names no program: ", chosen));
  }
  const char* path = std::getenv("PATH");
  const std::vector<std::string> folders =
      absl::StrSplit(path == nullptr ? "" : path, ':', absl::SkipEmpty());
  for (const char* name : {"FileCheck-19", "FileCheck"}) {
    for (const std::string& folder : folders) {
      std::string program = tsl::io::JoinPath(folder, name);
      if (access(program.c_str(), X_OK) == 0) return program;
    }
  }
  const std::string program = "/usr/lib/llvm-19/bin/FileCheck";
  if (access(program.c_str(), X_OK) == 0) return program;
  return absl::NotFoundError(
      "FileCheck was not found: install Debian's llvm-19-tools, or set the "
      "variable FILECHECK to the program");
}

// Runs the command, its output in a file; returns its exit status. Errors:
// Internal if it does not start, or does not exit by itself.
inline absl::StatusOr<int> RunCommand(const std::vector<std::string>& command,
                                      const std::string& output_path) {
  std::vector<char*> arguments;
  for (const std::string& word : command) {
    arguments.push_back(const_cast<char*>(word.c_str()));
  }
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null",
                                   O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, output_path.c_str(),
                                   O_WRONLY | O_TRUNC, 0);
  posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
  pid_t process = 0;
  const int error = posix_spawn(&process, arguments[0], &actions, nullptr,
                                arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) {
    return absl::InternalError(
        absl::StrCat("cannot start ", command[0], ": ",
                     absl::ErrnoToStatus(error, "").ToString()));
  }
  int status = 0;
  while (waitpid(process, &status, 0) < 0) {
    if (errno != EINTR) return absl::ErrnoToStatus(errno, command[0]);
  }
  if (WIFEXITED(status)) return WEXITSTATUS(status);
  return absl::InternalError(
      absl::StrCat(command[0], " ended by signal ", WTERMSIG(status)));
}

inline absl::StatusOr<Verdict> Check(
    const std::string& input, const std::string& pattern_file,
    absl::Span<const absl::string_view> additional_check_prefixes) {
  TF_ASSIGN_OR_RETURN(const std::string program, FindProgram());
  tsl::Env* const env = tsl::Env::Default();
  const std::string input_path = tsl::io::GetTempFilename("hlo");
  const std::string output_path = tsl::io::GetTempFilename("txt");
  const auto remove = absl::MakeCleanup([&] {
    env->DeleteFile(input_path).IgnoreError();
    env->DeleteFile(output_path).IgnoreError();
  });
  TF_RETURN_IF_ERROR(tsl::WriteStringToFile(env, input_path, input));
  std::vector<absl::string_view> prefixes = {"CHECK"};
  prefixes.insert(prefixes.end(), additional_check_prefixes.begin(),
                  additional_check_prefixes.end());
  TF_ASSIGN_OR_RETURN(
      const int exit_status,
      RunCommand(
          {program, "--dump-input=fail", "--dump-input-filter=all",
           absl::StrCat("--check-prefixes=", absl::StrJoin(prefixes, ",")),
           "--allow-unused-prefixes", "--allow-empty",
           absl::StrCat("--input-file=", input_path), pattern_file},
          output_path));
  Verdict verdict = {.matches = exit_status == 0, .output = ""};
  TF_RETURN_IF_ERROR(tsl::ReadFileToString(env, output_path, &verdict.output));
  return verdict;
}

inline absl::StatusOr<Verdict> CheckPattern(
    const std::string& input, absl::string_view pattern,
    absl::Span<const absl::string_view> additional_check_prefixes = {}) {
  tsl::Env* const env = tsl::Env::Default();
  const std::string path = tsl::io::GetTempFilename("check");
  const auto remove =
      absl::MakeCleanup([&] { env->DeleteFile(path).IgnoreError(); });
  TF_RETURN_IF_ERROR(tsl::WriteStringToFile(env, path, pattern));
  return Check(input, path, additional_check_prefixes);
}

inline absl::StatusOr<bool> Report(absl::StatusOr<Verdict> verdict) {
  TF_RETURN_IF_ERROR(verdict.status());
  if (!verdict->matches) LOG(ERROR) << "FileCheck:\n" << verdict->output;
  return verdict->matches;
}

}  // namespace filecheck_internal

// Whether `input` matches the lines of `pattern` with CHECK, or another prefix;
// FileCheck's output goes to the log if it does not. A pattern without such
// lines matches nothing. Errors: NotFound, which says what to install, without
// the program; those of files.
inline absl::StatusOr<bool> RunFileCheck(
    const std::string& input, absl::string_view pattern,
    absl::Span<const absl::string_view> additional_check_prefixes = {}) {
  return filecheck_internal::Report(filecheck_internal::CheckPattern(
      input, pattern, additional_check_prefixes));
}
inline absl::StatusOr<bool> RunFileCheckWithPatternFile(
    const std::string& input, const std::string& pattern_file,
    absl::Span<const absl::string_view> additional_check_prefixes = {}) {
  return filecheck_internal::Report(filecheck_internal::Check(
      input, pattern_file, additional_check_prefixes));
}

}  // namespace xla

#endif  // COMPAT_XLA_HLO_TESTLIB_FILECHECK_H_
