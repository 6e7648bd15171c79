// Uses every name of xla/window_util.h.
#include "xla/window_util.h"

#include <cstdint>
#include <functional>
#include <string>

#include "gtest/gtest.h"

namespace xla {
namespace window_util {
namespace {

// A window of 3x3 with a change in its second dimension.
Window With(const std::function<void(WindowDimension&)>& change) {
  Window window = MakeWindow({3, 3}, {3, 3});
  change(*window.mutable_dimensions(1));
  return window;
}

TEST(WindowUtilNamesTest, Factories) {
  const Window window = MakeWindow({2, 5});
  EXPECT_EQ(window.dimensions_size(), 2);
  EXPECT_EQ(window.dimensions(1).size(), 5);
  EXPECT_EQ(window.dimensions(1).stride(), 1);
  EXPECT_EQ(window.dimensions(1).base_dilation(), 1);
  EXPECT_EQ(window.dimensions(1).window_dilation(), 1);
  EXPECT_EQ(MakeWindow({2, 5}, {1, 3}).dimensions(1).stride(), 3);
  const PaddingConfig padding = MakeSymmetricPadding({0, 2});
  EXPECT_EQ(padding.dimensions_size(), 2);
  EXPECT_EQ(padding.dimensions(1).edge_padding_low(), 2);
  EXPECT_EQ(padding.dimensions(1).edge_padding_high(), 2);
  EXPECT_EQ(padding.dimensions(1).interior_padding(), 0);
}

TEST(WindowUtilNamesTest, Texts) {
  Window window = MakeWindow({3, 4}, {1, 2});
  EXPECT_EQ(ToString(window), "size=3x4 stride=1x2");
  WindowDimension& dim = *window.mutable_dimensions(1);
  EXPECT_EQ(ToString(dim), "(size=4,stride=2)");
  dim.set_padding_low(1);
  dim.set_padding_high(-2);
  dim.set_base_dilation(3);
  dim.set_window_dilation(5);
  dim.set_window_reversal(true);
  EXPECT_EQ(ToString(dim),
            "(size=4,stride=2,padding_low=1,padding_high=-2,base_dilation=3,"
            "window_dilation=5,window_reversal)");
  EXPECT_EQ(ToString(window),
            "size=3x4 stride=1x2 pad=0_0x1_-2 lhs_dilate=1x3 rhs_dilate=1x5 "
            "rhs_reversal=0x1");
  EXPECT_EQ(ToString(Window()), "");
}

TEST(WindowUtilNamesTest, Properties) {
  using D = WindowDimension;
  const Window plain = MakeWindow({3, 3});
  EXPECT_FALSE(HasStride(plain) || HasPadding(plain) || HasDilation(plain) ||
               HasNegativePadding(plain) || HasWindowReversal(plain));
  EXPECT_TRUE(HasSymmetricPadding(plain) && AllOrNoneReversed(plain));
  EXPECT_TRUE(HasStride(MakeWindow({3}, {2})));
  EXPECT_TRUE(HasOverlappingWindow(plain));
  EXPECT_FALSE(HasOverlappingWindow(MakeWindow({3, 3}, {3, 4})));
  const Window low = With([](D& d) { d.set_padding_low(1); });
  EXPECT_TRUE(HasPadding(low));
  EXPECT_FALSE(HasSymmetricPadding(low));
  EXPECT_TRUE(HasNegativePadding(With([](D& d) { d.set_padding_high(-1); })));
  const Window base = With([](D& d) { d.set_base_dilation(2); });
  EXPECT_TRUE(HasBaseDilation(base) && HasDilation(base));
  EXPECT_FALSE(HasWindowDilation(base));
  const Window dilated = With([](D& d) { d.set_window_dilation(2); });
  EXPECT_TRUE(HasWindowDilation(dilated) && HasDilation(dilated));
  EXPECT_FALSE(HasBaseDilation(dilated));
  const Window reversed = With([](D& d) { d.set_window_reversal(true); });
  EXPECT_TRUE(HasWindowReversal(reversed));
  EXPECT_FALSE(AllOrNoneReversed(reversed));
  PaddingConfig padding = MakeSymmetricPadding({1, 2});
  EXPECT_TRUE(HasSymmetricPadding(padding));
  padding.mutable_dimensions(0)->set_edge_padding_low(3);
  EXPECT_FALSE(HasSymmetricPadding(padding));
  EXPECT_TRUE(IsTrivialWindowDimension(MakeWindow({1}).dimensions(0)));
  EXPECT_FALSE(IsTrivialWindowDimension(MakeWindow({2}).dimensions(0)));
  EXPECT_FALSE(IsTrivialWindowDimension(MakeWindow({1}, {2}).dimensions(0)));
}

TEST(WindowUtilNamesTest, Bounds) {
  EXPECT_EQ(DilatedBound(3, 2), 5);
  EXPECT_EQ(DilatedBound(3, 1), 3);
  EXPECT_EQ(DilatedBound(0, 4), 0);
  EXPECT_EQ(StridedBound(5, 2, 2), 2);
  EXPECT_EQ(StridedBound(5, 5, 1), 1);
  EXPECT_EQ(StridedBound(5, 6, 1), 0);
  EXPECT_EQ(StridedBound(0, 0, 1), 0);
}

}  // namespace
}  // namespace window_util
}  // namespace xla
