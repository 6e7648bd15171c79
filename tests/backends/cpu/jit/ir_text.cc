// Parses with LLVM's own parser.
#include "tests/backends/cpu/jit/ir_text.h"

#include "gtest/gtest.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/Support/SourceMgr.h"

namespace xla::cpu {

ModuleInput ParseModule(const std::string& text, OptLevel level) {
  ModuleInput input =
      NewModule("test", HostTarget(), level, /*keep_names=*/true);
  llvm::SMDiagnostic error;
  input.module = llvm::parseAssemblyString(text, error, *input.context);
  EXPECT_NE(input.module, nullptr)
      << error.getMessage().str() << " in line " << error.getLineNo();
  return input;
}

}  // namespace xla::cpu
