// Uses every name of xla/hlo/builder/lib/loops.h.
#include "xla/hlo/builder/lib/loops.h"

#include "gtest/gtest.h"
#include "tests/compat/names/program_values.h"

namespace xla {
namespace {

using names_testing::ValueOf;

XlaOp Int(XlaBuilder* b, int32_t x) { return ConstantR0<int32_t>(b, x); }

TEST(LibLoopsNamesTest, Loops) {
  const WhileLoopHelperConditionFunction below =
      [](absl::Span<const XlaOp> values, XlaBuilder* b) {
        return Lt(values[0], Int(b, 100));
      };
  const WhileLoopHelperBodyFunction twice = [](absl::Span<const XlaOp> values,
                                               XlaBuilder* b) {
    return std::vector<XlaOp>{values[0] * Int(b, 2), values[1] + Int(b, 1)};
  };
  EXPECT_EQ(ValueOf([&](XlaBuilder* b) {
              auto values = WhileLoopHelper(below, twice,
                                            {Int(b, 3), Int(b, 0)}, "loop", b)
                                .value();
              return ConcatInDim(
                  b, {Reshape(values[0], {1}), Reshape(values[1], {1})}, 0);
            }),
            "{192, 6}");
  const ForEachIndexBodyFunction add =
      [](XlaOp index, absl::Span<const XlaOp> values, XlaBuilder*) {
        return std::vector<XlaOp>{values[0] + index};
      };
  EXPECT_EQ(
      ValueOf([&](XlaBuilder* b) {
        return ForEachIndex(5, S32, add, {Int(b, 0)}, "sum", b).value()[0];
      }),
      "10");
  XlaBuilder b("b");
  const WhileLoopHelperBodyFunction failing =
      [](absl::Span<const XlaOp>,
         XlaBuilder*) -> absl::StatusOr<std::vector<XlaOp>> {
    return absl::InternalError("body");
  };
  EXPECT_EQ(WhileLoopHelper(below, failing, {Int(&b, 1)}, "loop", &b)
                .status()
                .message(),
            "body");
}

}  // namespace
}  // namespace xla
