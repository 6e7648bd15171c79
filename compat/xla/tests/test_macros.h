// Names of tests that do not run on some platform of XLA's. A program defines
// XLA_TEST_BACKEND_CPU to leave out those that are disabled on CPUs.
#ifndef COMPAT_XLA_TESTS_TEST_MACROS_H_
#define COMPAT_XLA_TESTS_TEST_MACROS_H_

#include "xla/tsl/platform/test.h"  // IWYU pragma: export

#define XLA_TEST_PASTE(a, b) a##b

#ifdef XLA_TEST_BACKEND_CPU
#define DISABLED_ON_CPU(name) XLA_TEST_PASTE(DISABLED_, name)
#else
#define DISABLED_ON_CPU(name) name
#endif
#ifdef NDEBUG
#define DISABLED_ON_DEBUG(name) name
#else
#define DISABLED_ON_DEBUG(name) XLA_TEST_PASTE(DISABLED_, name)
#endif
#define DISABLED_ON_GPU(name) name
#define DISABLED_ON_GPU_ROCM(name) name
#define DISABLED_ON_INTERPRETER(name) name
#define DISABLED_ON_INTERPRETER_TSAN(name) name
#define DISABLED_ON_TPU(name) name

#define XLA_TEST_F(fixture, name) TEST_F(fixture, name)
#define XLA_TEST_P(fixture, name) TEST_P(fixture, name)
#define XLA_TYPED_TEST(fixture, name) TYPED_TEST(fixture, name)

#endif  // COMPAT_XLA_TESTS_TEST_MACROS_H_
