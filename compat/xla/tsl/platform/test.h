// GoogleTest, and what tests ask of the machine.
#ifndef COMPAT_XLA_TSL_PLATFORM_TEST_H_
#define COMPAT_XLA_TSL_PLATFORM_TEST_H_

#include <cstdlib>
#include <string>

#include "absl/status/status_matchers.h"  // IWYU pragma: export
#include "gmock/gmock.h"                  // IWYU pragma: export
#include "gtest/gtest.h"                  // IWYU pragma: export
#include "tsl/platform/platform.h"        // IWYU pragma: export
#include "xla/tsl/platform/macros.h"      // IWYU pragma: export
#include "xla/tsl/platform/types.h"       // IWYU pragma: export

namespace tsl::testing {

// A folder for files: that of the variable TEST_TMPDIR or TMPDIR, else /tmp.
inline std::string TmpDir() {
  for (const char* variable : {"TEST_TMPDIR", "TMPDIR"}) {
    const char* folder = std::getenv(variable);
    if (folder != nullptr && *folder != '\0') return folder;
  }
  return "/tmp";
}
// The same in all tests of a run.
inline int RandomSeed() {
  return ::testing::UnitTest::GetInstance()->random_seed();
}

}  // namespace tsl::testing

#endif  // COMPAT_XLA_TSL_PLATFORM_TEST_H_
