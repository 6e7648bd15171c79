// Texts with bodies in place of names: canonical texts and fingerprints.
#include <string>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/compat/ir/module_fixtures.h"
#include "xla/hlo/ir/hlo_computation.h"
#include "xla/hlo/ir/hlo_module.h"
#include "xla/hlo/ir/hlo_print_options.h"

namespace xla {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;

class BodyTextsTest : public LoadedModuleTest {
 protected:
  // Each computation calls the one before it `calls` times.
  void LoadChain(int length, int calls) {
    std::string text =
        "HloModule m\ncall.0 {\n  ROOT p = f32[] parameter(0)\n}\n";
    for (int i = 1; i <= length; ++i) {
      absl::StrAppend(&text, i == length ? "ENTRY " : "", "call.", i,
                      " {\n  v0 = f32[] parameter(0)\n");
      for (int k = 1; k <= calls; ++k) {
        absl::StrAppend(&text, k == calls ? "  ROOT v" : "  v", k,
                        " = f32[] call(v", k - 1, "), to_apply=call.", i - 1,
                        "\n");
      }
      absl::StrAppend(&text, "}\n");
    }
    module_ = ParseAndReturnUnverifiedModule(text).value();
  }
};

TEST_F(BodyTextsTest, BodiesAreInsideTheirCallers) {
  LoadChain(/*length=*/2, /*calls=*/1);
  EXPECT_EQ(
      module_->entry_computation()->ToString(HloPrintOptions::Canonical()),
      R"(call.2 {
  tmp_0 = f32[] parameter(0)
  ROOT tmp_1 = f32[] call(f32[] tmp_0), to_apply=
  {
    tmp_0 = f32[] parameter(0)
    ROOT tmp_1 = f32[] call(f32[] tmp_0), to_apply=
    {
      ROOT tmp_0 = f32[] parameter(0)
    }
  }
})");
}

TEST_F(BodyTextsTest, DeepChainsArePrinted) {
  LoadChain(/*length=*/500, /*calls=*/1);
  const std::string text =
      module_->entry_computation()->ToString(HloPrintOptions::Canonical());
  EXPECT_THAT(text, Not(HasSubstr("{ body")));
  EXPECT_THAT(text, HasSubstr("  ROOT tmp_0 = f32[] parameter(0)\n"));
  EXPECT_THAT(text, EndsWith("\n  }\n}"));
}

TEST_F(BodyTextsTest, SharedBodiesDoNotMultiply) {
  LoadChain(/*length=*/60, /*calls=*/2);
  const std::string text =
      module_->entry_computation()->ToString(HloPrintOptions::Canonical());
  EXPECT_LT(text.size(), 2u << 20);
  EXPECT_THAT(text, HasSubstr("{ body 10 }"));
  const std::string fingerprint =
      module_->ToString(HloPrintOptions::Fingerprint());
  EXPECT_LT(fingerprint.size(), 8u << 20);

  // Modules that differ in names do not differ.
  const uint64_t expected =
      module_->ToFingerprint(HloPrintOptions::Fingerprint());
  EXPECT_EQ(module_->Clone()->ToFingerprint(HloPrintOptions::Fingerprint()),
            expected);
  LoadChain(/*length=*/59, /*calls=*/2);
  EXPECT_NE(module_->ToFingerprint(HloPrintOptions::Fingerprint()), expected);
}

}  // namespace
}  // namespace xla
