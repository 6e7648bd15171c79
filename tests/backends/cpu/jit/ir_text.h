// Makes modules for tests from LLVM's text.
#ifndef TESTS_BACKENDS_CPU_JIT_IR_TEXT_H_
#define TESTS_BACKENDS_CPU_JIT_IR_TEXT_H_

#include <string>

#include "xla/backends/cpu/jit/object_compiler.h"

namespace xla::cpu {

// Parses the module in `text`; the test fails if it is malformed.
ModuleInput ParseModule(const std::string& text,
                        OptLevel level = OptLevel::kHot);

}  // namespace xla::cpu

#endif  // TESTS_BACKENDS_CPU_JIT_IR_TEXT_H_
