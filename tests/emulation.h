// What an emulator of the processor, which scripts/run_tests.py names, cannot
// do.
#ifndef TESTS_EMULATION_H_
#define TESTS_EMULATION_H_

#include <cstdlib>

namespace xla {

// True under one that runs single programs: they cannot start themselves again,
// and advice about memory that is not there succeeds.
inline bool IsEmulated() { return std::getenv("TESSERA_EMULATED") != nullptr; }

}  // namespace xla

#endif  // TESTS_EMULATION_H_
