// The precompiled header of the tests: pch.h and GoogleTest.
#ifndef CMAKE_TEST_PCH_H_
#define CMAKE_TEST_PCH_H_

#include "cmake/pch.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

#endif  // CMAKE_TEST_PCH_H_
