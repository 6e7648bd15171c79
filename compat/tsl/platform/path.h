// tsl::io: the names of files and folders, and URIs.
#ifndef COMPAT_TSL_PLATFORM_PATH_H_
#define COMPAT_TSL_PLATFORM_PATH_H_

#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <initializer_list>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "absl/types/span.h"
#include "xla/base/logging.h"

namespace tsl::io {
namespace internal {

inline std::string JoinPathImpl(
    std::initializer_list<absl::string_view> paths) {
  std::string joined;
  for (absl::string_view path : paths) {
    if (path.empty()) continue;
    if (joined.empty()) {
      joined = std::string(path);
      continue;
    }
    absl::ConsumePrefix(&path, "/");
    absl::StrAppend(&joined, joined.back() == '/' ? "" : "/", path);
  }
  return joined;
}

// The number of characters of "scheme://host" before the path; 0 if there are
// none.
inline size_t SchemeSize(absl::string_view uri) {
  size_t size = 0;
  while (size < uri.size() &&
         (std::isalnum(static_cast<unsigned char>(uri[size])) ||
          (size > 0 && uri[size] == '.'))) {
    ++size;
  }
  const bool found = size > 0 &&
                     std::isalpha(static_cast<unsigned char>(uri[0])) &&
                     uri.substr(size, 3) == "://";
  return found ? size : 0;
}

}  // namespace internal

// ("/a", "b"), ("/a/", "b") and ("/a", "/b") are "/a/b".
template <typename... T>
std::string JoinPath(const T&... args) {
  return internal::JoinPathImpl({args...});
}
inline bool IsAbsolutePath(absl::string_view path) {
  return !path.empty() && path[0] == '/';
}

// "s://h/p" has the scheme "s", the host "h" and the path "/p"; what is no URI
// is a path. The parts are within `uri`.
inline void ParseURI(absl::string_view uri, absl::string_view* scheme,
                     absl::string_view* host, absl::string_view* path) {
  const size_t size = internal::SchemeSize(uri);
  *scheme = uri.substr(0, size);
  absl::string_view rest = uri.substr(size == 0 ? 0 : size + 3);
  const size_t host_size =
      size == 0 ? 0 : std::min(rest.find('/'), rest.size());
  *host = rest.substr(0, host_size);
  *path = rest.substr(host_size);
}
inline std::string CreateURI(absl::string_view scheme, absl::string_view host,
                             absl::string_view path) {
  if (scheme.empty()) return std::string(path);
  return absl::StrCat(scheme, "://", host, path);
}

// What comes before the last '/' (with it if it is the first character), and
// after it. A URI keeps its scheme and host.
inline absl::string_view Dirname(absl::string_view uri) {
  absl::string_view scheme, host, path;
  ParseURI(uri, &scheme, &host, &path);
  const size_t start = uri.size() - path.size();
  const size_t slash = path.rfind('/');
  if (slash == absl::string_view::npos) return uri.substr(0, start);
  return uri.substr(0, start + std::max<size_t>(slash, 1));
}
inline absl::string_view Basename(absl::string_view uri) {
  absl::string_view scheme, host, path;
  ParseURI(uri, &scheme, &host, &path);
  const size_t slash = path.rfind('/');
  return slash == absl::string_view::npos ? path : path.substr(slash + 1);
}
// The basename after, and before, its last '.'.
inline absl::string_view Extension(absl::string_view path) {
  const absl::string_view name = Basename(path);
  const size_t dot = name.rfind('.');
  return name.substr(dot == absl::string_view::npos ? name.size() : dot + 1);
}
inline absl::string_view BasenamePrefix(absl::string_view path) {
  const absl::string_view name = Basename(path);
  return name.substr(0, std::min(name.rfind('.'), name.size()));
}

// The longest start of all paths that ends in '/'.
inline std::string CommonPathPrefix(absl::Span<const std::string> paths) {
  if (paths.empty()) return "";
  absl::string_view common = paths[0];
  for (absl::string_view path : paths) {
    common = common.substr(
        0, std::mismatch(common.begin(), common.end(), path.begin(), path.end())
                   .first -
               common.begin());
  }
  const size_t slash = common.rfind('/');
  return std::string(
      common.substr(0, slash == absl::string_view::npos ? 0 : slash + 1));
}

// Resolves "." and "..", and drops '/' that are double or at the end; does not
// look at files.
inline std::string CleanPath(absl::string_view path) {
  std::string clean =
      std::filesystem::path(std::string(path)).lexically_normal().string();
  if (clean.starts_with("//")) clean.erase(0, 1);
  if (clean.size() > 1 && clean.back() == '/') clean.pop_back();
  return clean.empty() ? "." : clean;
}

// Makes an empty file, whose name ends in "." and the extension if there is
// one, below the folder of TMPDIR or /tmp (CHECK).
inline std::string GetTempFilename(const std::string& extension) {
  const char* folder = std::getenv("TMPDIR");
  const std::string suffix = extension.empty() ? "" : "." + extension;
  std::string name =
      JoinPath(folder == nullptr || *folder == '\0' ? "/tmp" : folder,
               "tessera-XXXXXX") +
      suffix;
  const int file = mkstemps(name.data(), static_cast<int>(suffix.size()));
  CHECK(file >= 0) << "cannot make the temporary file " << name;
  close(file);
  return name;
}

// Returns false, and leaves `dir`, which may be null, as it is, if the variable
// TEST_UNDECLARED_OUTPUTS_DIR is not set.
inline bool GetTestUndeclaredOutputsDir(std::string* dir) {
  const char* folder = std::getenv("TEST_UNDECLARED_OUTPUTS_DIR");
  if (folder == nullptr) return false;
  if (dir != nullptr) *dir = folder;
  return true;
}
// Does nothing but on Windows.
inline std::string& AppendDotExeIfWindows(std::string& path) { return path; }

}  // namespace tsl::io

#endif  // COMPAT_TSL_PLATFORM_PATH_H_
