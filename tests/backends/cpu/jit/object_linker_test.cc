// Damaged object files must cause an error, never a crash.
#include "xla/backends/cpu/jit/object_linker.h"

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "tests/backends/cpu/jit/ir_text.h"
#include "xla/backends/cpu/jit/jit_compiler.h"

namespace xla::cpu {
namespace {

std::string SomeObject() {
  std::vector<ModuleInput> modules;
  modules.push_back(ParseModule(R"(
    @data = global i64 5
    @zeros = internal global [100 x i64] zeroinitializer
    declare double @fmod(double, double)
    define double @f(double %x, i64 %i) {
      %v = load i64, ptr @data
      %p = getelementptr [100 x i64], ptr @zeros, i64 0, i64 %i
      store i64 %v, ptr %p
      %r = call double @fmod(double %x, double 3.5)
      ret double %r
    })"));
  const auto code = JitCompiler().Compile(std::move(modules));
  EXPECT_TRUE(code.ok()) << code.status();
  return (*code)->objects().objects[0];
}

TEST(ObjectLinkerTest, LinksDataOfAllKinds) {
  const std::string object = SomeObject();
  const auto image = LinkObjects({object}, {{"g", "f"}}, {});
  ASSERT_TRUE(image.ok()) << image.status();
  const auto f = reinterpret_cast<double (*)(double, int64_t)>(
      image->symbols.at("g").address);
  EXPECT_EQ(f(8.0, 99), 1.0);
  EXPECT_EQ(*static_cast<int64_t*>(image->symbols.at("data").address), 5);
  EXPECT_GT(image->symbols.at("f").size, 0);
}

TEST(ObjectLinkerTest, AliasesNeedTargets) {
  const std::string object = SomeObject();
  EXPECT_FALSE(LinkObjects({object}, {{"g", "no_such"}}, {}).ok());
  EXPECT_FALSE(LinkObjects({object}, {{"f", "data"}}, {}).ok());
  EXPECT_FALSE(LinkObjects({object, object}, {}, {}).ok());
}

TEST(ObjectLinkerTest, DamageIsNoCrash) {
  const std::string object = SomeObject();
  for (size_t length = 0; length < object.size(); length += 7) {
    (void)LinkObjects({object.substr(0, length)}, {}, {}).ok();
  }
  EXPECT_FALSE(LinkObjects({""}, {}, {}).ok());
  EXPECT_FALSE(LinkObjects({"ELF or not"}, {}, {}).ok());
  std::minstd_rand random(1);
  for (int i = 0; i < 20000; ++i) {
    std::string damaged = object;
    for (int flips = 0; flips <= i % 4; ++flips) {
      damaged[random() % damaged.size()] = static_cast<char>(random());
    }
    (void)LinkObjects({damaged}, {}, {}).ok();
  }
}

}  // namespace
}  // namespace xla::cpu
