// Code that was planned for the costs and caches of one processor runs, as it
// is, on another one that has the same instructions.
#include "xla/backends/cpu/native_code.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "xla/backends/cpu/cpu_compiler.h"
#include "xla/backends/cpu/jit/target_info.h"
#include "xla/core/literal/literal.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/parser/hlo_parser.h"

namespace xla::cpu {
namespace {

// A processor with this one's instructions and other costs and caches.
TargetInfo OtherCosts() {
  TargetInfo target = HostTarget();
  target.cost_table = target.cost_table == "default" ? "znver4" : "default";
  target.l1_bytes = 16 << 10;
  target.l2_bytes = 128 << 10;
  target.l3_bytes = 1 << 20;
  return target;
}

TEST(NativeCodeTest, PlanIsThatOfTheProcessorItWasMadeFor) {
  auto module = ParseAndReturnUnverifiedModule(R"(
HloModule m
add { a = f32[] parameter(0) b = f32[] parameter(1) ROOT s = f32[] add(a, b) }
ENTRY e {
  x = f32[300,200] parameter(0)
  y = f32[200,300] transpose(x), dimensions={1,0}
  p = f32[300,300] dot(x, y), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  t = f32[300,300] tanh(p)
  zero = f32[] constant(0)
  ROOT r = f32[300] reduce(t, zero), dimensions={1}, to_apply=add
})");
  ASSERT_TRUE(module.ok()) << module.status();
  CpuCompiler there({.target = OtherCosts()});
  const auto made = there.Compile(*std::move(module));
  ASSERT_TRUE(made.ok()) << made.status();
  const auto code = (*made)->SerializeCode();
  ASSERT_TRUE(code.ok()) << code.status();
  EXPECT_EQ(UnpackNativeCode(*code)->cost_table, OtherCosts().cost_table);

  CpuCompiler here;
  const auto loaded = here.Load(*code, DebugOptions());
  ASSERT_TRUE(loaded.ok()) << loaded.status();
  Literal x(ShapeUtil::MakeShape(F32, {300, 200}));
  float value = 0;
  for (float& element : x.data<float>()) element = value = 0.01f - value / 2;
  const std::vector<std::vector<const Literal*>> arguments = {{&x}};
  const auto want = (*made)->Execute(arguments, {});
  const auto got = (*loaded)->Execute(arguments, {});
  ASSERT_TRUE(want.ok() && got.ok()) << want.status() << got.status();
  EXPECT_EQ((*want)[0], (*got)[0]);
}

}  // namespace
}  // namespace xla::cpu
