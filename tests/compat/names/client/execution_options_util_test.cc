// Uses every name of xla/execution_options_util.h.
#include "xla/execution_options_util.h"

#include "gtest/gtest.h"
#include "xla/debug_options_flags.h"

namespace xla {
namespace {

TEST(ExecutionOptionsUtilNamesTest, Default) {
  const ExecutionOptions options = CreateDefaultExecutionOptions();
  EXPECT_EQ(options.debug_options().SerializeAsString(),
            GetDebugOptionsFromFlags().SerializeAsString());
  EXPECT_FALSE(options.has_shape_with_output_layout());
  EXPECT_EQ(options.num_replicas(), 0);
}

}  // namespace
}  // namespace xla
