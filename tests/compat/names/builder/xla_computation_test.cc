// Uses every name of xla/hlo/builder/xla_computation.h.
#include "xla/hlo/builder/xla_computation.h"

#include "gtest/gtest.h"
#include "tests/compat/names/program_values.h"

namespace xla {
namespace {

TEST(XlaComputationNamesTest, Values) {
  const XlaComputation none;
  EXPECT_TRUE(none.IsNull());
  EXPECT_FALSE(none.GetProgramShape().ok());
  XlaComputation add = names_testing::AddOf(F32);
  EXPECT_FALSE(add.IsNull());
  EXPECT_EQ(add.name().substr(0, 3), "add");
  EXPECT_EQ(add.name(), add.proto().name());
  EXPECT_EQ(add.GetProgramShape().value().ToString(),
            "(x: f32[], y: f32[]) -> f32[]");
  EXPECT_EQ(add.Snapshot().value()->hlo().hlo_module().name(), add.name());
  add.mutable_proto()->set_name("renamed");
  EXPECT_EQ(add.name(), "renamed");
  const HloModuleProto proto = add.proto();
  const XlaComputation from_proto = proto;
  EXPECT_FALSE(from_proto.IsNull());
  EXPECT_EQ(from_proto.name(), "renamed");
  XlaComputation moved(std::move(add));
  XlaComputation assigned;
  assigned = std::move(moved);
  EXPECT_EQ(assigned.name(), "renamed");
}

}  // namespace
}  // namespace xla
