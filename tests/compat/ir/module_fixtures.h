// Fixtures of tests that read modules and look at single instructions.
#ifndef TESTS_COMPAT_IR_MODULE_FIXTURES_H_
#define TESTS_COMPAT_IR_MODULE_FIXTURES_H_

#include <memory>

#include "absl/strings/string_view.h"
#include "gtest/gtest.h"
#include "xla/hlo/ir/hlo_module.h"
#include "xla/hlo/testlib/hlo_hardware_independent_test_base.h"

namespace xla {

// Verifies modules as they are read; a test may leave them invalid.
class ParsedModuleTest : public HloHardwareIndependentTestBase {
 protected:
  std::unique_ptr<HloModule> Parse(absl::string_view text) {
    auto module = ParseAndReturnUnverifiedModule(text).value();
    EXPECT_TRUE(verifier().Run(module.get()).ok()) << text;
    return module;
  }
  // Returns null if the entry has none of that name.
  static HloInstruction* Find(const std::unique_ptr<HloModule>& module,
                              absl::string_view name) {
    return module->entry_computation()->GetInstructionWithName(name);
  }
  std::unique_ptr<HloModule> Chain() {
    return Parse(R"(
HloModule chain
ENTRY main {
  x = f32[4] parameter(0)
  y = f32[4] parameter(1)
  a = f32[4] negate(x)
  b = f32[4] add(a, y)
  c = f32[4] multiply(b, b)
  ROOT t = (f32[4], f32[4]) tuple(a, c)
})");
  }
};

// Has one module at a time.
class LoadedModuleTest : public ParsedModuleTest {
 protected:
  void Load(absl::string_view text) { module_ = Parse(text); }
  // Fails the test if no computation has an instruction of that name.
  HloInstruction* Find(absl::string_view name) const {
    HloInstruction* found = FindInstruction(module_.get(), name);
    EXPECT_NE(found, nullptr) << name;
    return found;
  }

  std::unique_ptr<HloModule> module_;
};

}  // namespace xla

#endif  // TESTS_COMPAT_IR_MODULE_FIXTURES_H_
