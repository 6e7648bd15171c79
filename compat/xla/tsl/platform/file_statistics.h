// FileStatistics: what is known of a file without reading it.
#ifndef COMPAT_XLA_TSL_PLATFORM_FILE_STATISTICS_H_
#define COMPAT_XLA_TSL_PLATFORM_FILE_STATISTICS_H_

#include <cstdint>

namespace tsl {

struct FileStatistics {
  int64_t length = -1;     // in bytes
  int64_t mtime_nsec = 0;  // of the last change, since 1970
  bool is_directory = false;
};

}  // namespace tsl

#endif  // COMPAT_XLA_TSL_PLATFORM_FILE_STATISTICS_H_
