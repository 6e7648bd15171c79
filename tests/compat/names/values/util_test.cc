// Uses every public name of xla/util.h.
#include "xla/util.h"

#include <cmath>
#include <limits>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/base/log_severity.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "xla/types.h"

namespace xla {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Pair;

TEST(UtilNamesTest, Integers) {
  EXPECT_EQ(FloorDivMod(-7, 3).quotient, -3);
  EXPECT_EQ(FloorDivMod(-7, 3).modulo, 2);
  EXPECT_EQ(FloorDivMod(7, -3).quotient, -3);
  EXPECT_EQ(FloorDivMod(7, -3).modulo, -2);
  EXPECT_EQ(FloorDivMod(-6, 3).quotient, -2);
  EXPECT_EQ(FloorDivMod(-6, 3).modulo, 0);
  EXPECT_TRUE(IsPowerOf2(1));
  EXPECT_TRUE(IsPowerOf2(size_t{1} << 63));
  EXPECT_FALSE(IsPowerOf2(0));
  EXPECT_FALSE(IsPowerOf2(6));
  EXPECT_EQ(CountLeadingSignBits<int8_t>(-1), 8);
  EXPECT_EQ(CountLeadingSignBits<int8_t>(-128), 1);
  EXPECT_EQ(CountLeadingSignBits<int32_t>(1), 31);
  EXPECT_EQ(KeepLowerBits<uint32_t>(0xffff, 5), 31u);
  EXPECT_EQ(KeepLowerBits<uint8_t>(0xff, 8), 255);
  EXPECT_TRUE(IsInt32(int64_t{-2147483648}));
  EXPECT_FALSE(IsInt32(int64_t{2147483648}));
  EXPECT_FALSE(IsInt32(uint32_t{0xffffffff} + uint64_t{0}));
  EXPECT_EQ(IPow(3, 0), 1);
  EXPECT_EQ(IPow<int64_t>(-3, 13), -1594323);
  EXPECT_EQ(IPow(2.0, -3), 0.125);
  static_assert(IPow(2u, 31u) == 0x80000000u);
}

TEST(UtilNamesTest, Ratios) {
  EXPECT_EQ(CeilOfRatio(7, 2), 4);
  EXPECT_EQ(CeilOfRatio(-7, 2), -3);
  EXPECT_EQ(FloorOfRatio<int64_t>(-7, 2), -4);
  EXPECT_EQ(RoundUpTo(13, 8), 16);
  EXPECT_EQ(RoundDownTo(13, 8), 8);
  const DivMod<int> parts = FloorDivMod(7, 2);
  EXPECT_EQ(parts.quotient * 2 + parts.modulo, 7);
  static_assert(LsbMask<uint8_t>(0) == 0 && LsbMask<uint8_t>(3) == 7 &&
                LsbMask<uint64_t>(64) == ~uint64_t{0});
  EXPECT_EQ(Log2Floor<uint32_t>(9), 3);
  EXPECT_EQ(Log2Floor<uint32_t>(0), -1);
  EXPECT_EQ(Log2Ceiling<uint32_t>(9), 4);
  EXPECT_EQ(Log2Ceiling<uint64_t>(8), 3);
  EXPECT_EQ(Log2Ceiling<uint32_t>(0), -1);
}

TEST(UtilNamesTest, Products) {
  EXPECT_EQ(Product({2, 3, 4}), 24);
  EXPECT_EQ(Product({}), 1);
  const std::vector<double> halves = {0.5, 0.5};
  EXPECT_EQ(Product(absl::MakeConstSpan(halves)), 0.25);
  EXPECT_EQ(Product<int>({2, 5}), 10);
  EXPECT_THAT(CommonFactors({2, 3, 4}, {6, 2, 2}),
              ElementsAre(Pair(0, 0), Pair(2, 1), Pair(3, 3)));
  EXPECT_THAT(CommonFactors({2, 3}, {2, 3}),
              ElementsAre(Pair(0, 0), Pair(1, 1), Pair(2, 2)));
  EXPECT_THAT(CommonFactors({0, 3}, {3, 0}),
              ElementsAre(Pair(0, 0), Pair(2, 2)));
  EXPECT_THAT(CommonFactors({1, 0}, {1, 0, 1}),
              ElementsAre(Pair(0, 0), Pair(1, 1), Pair(2, 2), Pair(2, 3)));
  EXPECT_THAT(CommonFactors({0, 1}, {0, 1}),
              ElementsAre(Pair(0, 0), Pair(1, 1), Pair(2, 2)));
  EXPECT_THAT(CommonFactors({0, 10}, {0, 10, 3}),
              ElementsAre(Pair(0, 0), Pair(2, 3)));
  EXPECT_THAT(CommonFactors({2, 0, 3}, {2, 5, 0}),
              ElementsAre(Pair(0, 0), Pair(1, 1), Pair(3, 3)));
  EXPECT_EQ(VectorString(std::set<std::string_view>{"a", "b"}), "(a, b)");
}

TEST(UtilNamesTest, MixedRadix) {
  EXPECT_THAT(ToMixedRadix(0, {}), IsEmpty());
  EXPECT_THAT(ToMixedRadix(23, {2, 3, 4}), ElementsAre(1, 2, 3));
  EXPECT_THAT(ToMixedRadix(25, {2, 3, 4}), ElementsAre(0, 0, 1));
  EXPECT_THAT(ToMixedRadix<DimensionVector>(5, {2, 3}), ElementsAre(1, 2));
}

TEST(UtilNamesTest, SignAndMagnitude) {
  EXPECT_THAT(SignAndMagnitude(-1.0f), Pair(0xffffffffu, 0x3f800000u));
  EXPECT_THAT(SignAndMagnitude(bfloat16(1.0f)), Pair(0, 0x3f80));
  EXPECT_EQ(ToSignMagnitude(0.0f), 0);
  EXPECT_EQ(ToSignMagnitude(-0.0f), -1);
  EXPECT_EQ(ToSignMagnitude(std::numeric_limits<double>::denorm_min()), 1);
  EXPECT_EQ(SignAndMagnitudeToTwosComplement<uint8_t>(0xff, 3), -4);
  // Numbers next to each other differ by one, without -0 too.
  const auto least = std::numeric_limits<float8_e4m3fnuz>::denorm_min();
  EXPECT_EQ(ToSignMagnitude(least), 1);
  EXPECT_EQ(ToSignMagnitude(-least), -1);
  EXPECT_LT(ToSignMagnitude(-2.0f), ToSignMagnitude(-1.5f));
  // NaN with a sign comes before all numbers, without -0 too.
  const bfloat16 nan = bfloat16::FromRep(0xffc0);
  EXPECT_THAT(SignAndMagnitude(nan), Pair(0xffff, 0x7fc0));
  EXPECT_LT(ToSignMagnitude(nan),
            ToSignMagnitude(-std::numeric_limits<bfloat16>::infinity()));
  EXPECT_EQ(ToSignMagnitude(std::numeric_limits<float8_e5m2fnuz>::quiet_NaN()),
            -128);
  // Numbers without a sign.
  const float8_e8m0fnu one(1.0f), two(2.0f);
  EXPECT_THAT(SignAndMagnitude(one), Pair(0, 127));
  EXPECT_EQ(ToSignMagnitude(two) - ToSignMagnitude(one), 1);
  static_assert(std::is_same_v<decltype(ToSignMagnitude(one)), uint8_t>);
  static_assert(std::is_same_v<UnsignedIntegerTypeForSizeType<2>, uint16_t> &&
                std::is_same_v<UnsignedIntegerTypeForSize<4>::type, uint32_t> &&
                std::is_same_v<SignedIntegerTypeForSizeType<8>, int64_t>);
}

TEST(UtilNamesTest, Nans) {
  static_assert(NanPayloadBits<float>() == 23);
  static_assert(NanPayloadBits<double>() == 52);
  static_assert(NanPayloadBits<float8_e4m3fn>() == 0);
  static_assert(NanPayloadBitMask<float>() == 0x7fffff);
  static_assert(QuietNanWithoutPayload<float>() == 0x400000);
  static_assert(QuietNanWithoutPayload<float8_e4m3fn>() == 0);
  const float nan = NanWithSignAndPayload<float>(true, 0x1234);
  EXPECT_TRUE(std::isnan(nan));
  EXPECT_EQ(std::bit_cast<uint32_t>(nan), 0xff801234u);
  EXPECT_EQ(std::bit_cast<uint16_t>(NanWithSignAndPayload<bfloat16>(
                false, QuietNanWithoutPayload<bfloat16>())),
            0x7fc0);
  EXPECT_EQ(RoundTripFpToString(nan), "-nan(0x1234)");
  EXPECT_EQ(RoundTripFpToString(std::numeric_limits<float>::quiet_NaN()),
            "nan");
}

TEST(UtilNamesTest, RoundTripTexts) {
  EXPECT_EQ(RoundTripFpToString(0.1f), "0.1");
  EXPECT_EQ(RoundTripFpToString(1.0f / 3), "0.333333343");
  EXPECT_EQ(RoundTripFpToString(1e300), "1e+300");
  EXPECT_EQ(RoundTripFpToString(bfloat16(1.5f)), "1.5");
  EXPECT_EQ(RoundTripFpToString(half(-2.0f)), "-2");
  EXPECT_EQ(RoundTripFpToString(float8_e5m2(0.25f)), "0.25");
  EXPECT_EQ(RoundTripFpToString(float4_e2m1fn(1.5f)), "1.5");
  EXPECT_EQ(RoundTripFpToString(float8_e4m3(3.0f)), "3");
  EXPECT_EQ(RoundTripFpToString(float8_e4m3fn(3.0f)), "3");
  EXPECT_EQ(RoundTripFpToString(float8_e4m3b11fnuz(3.0f)), "3");
  EXPECT_EQ(RoundTripFpToString(float8_e5m2fnuz(3.0f)), "3");
  EXPECT_EQ(RoundTripFpToString(float8_e4m3fnuz(3.0f)), "3");
  EXPECT_EQ(RoundTripFpToString(float8_e3m4(3.0f)), "3");
  EXPECT_EQ(RoundTripFpToString(float8_e8m0fnu(4.0f)), "4");
}

TEST(UtilNamesTest, PackedNumbers) {
  const std::vector<char> numbers = {1, 2, 3, 0x74, 5};
  std::vector<char> packed(3), unpacked(5);
  PackIntN<4>(numbers, absl::MakeSpan(packed));
  EXPECT_THAT(packed, ElementsAre(0x21, 0x43, 5));
  UnpackIntN(4, packed, absl::MakeSpan(unpacked));
  EXPECT_THAT(unpacked, ElementsAre(1, 2, 3, 4, 5));
  packed.resize(2);
  PackIntN(2, numbers, absl::MakeSpan(packed));
  EXPECT_THAT(packed, ElementsAre(0b00111001, 1));
  UnpackIntN<2>(packed, absl::MakeSpan(unpacked));
  EXPECT_THAT(unpacked, ElementsAre(1, 2, 3, 0, 1));
  // The output may have room for more.
  packed = {9, 9, 9, 9};
  PackIntN<4>(numbers, absl::MakeSpan(packed));
  EXPECT_THAT(packed, ElementsAre(0x21, 0x43, 5, 9));
  // Three numbers of 3 bits do not fit in a byte.
  PackIntN<3>(absl::MakeConstSpan(numbers).first(3), absl::MakeSpan(packed));
  EXPECT_THAT(packed, ElementsAre(021, 3, 5, 9));
  const std::unique_ptr<char[]> bytes = PackIntN(4, numbers.data(), 4);
  EXPECT_EQ(bytes[1], 0x43);
  const std::unique_ptr<char[]> back = UnpackIntN(4, bytes.get(), 2);
  EXPECT_THAT(absl::MakeConstSpan(back.get(), 4), ElementsAre(1, 2, 3, 4));
  EXPECT_DEATH(PackIntN(3, numbers.data(), 4), "");
}

TEST(UtilNamesTest, SplitDoubles) {
  const auto [high, low] = SplitF64ToF32(1.0 / 3);
  EXPECT_EQ(high, 1.0f / 3);
  EXPECT_NEAR(static_cast<double>(high) + low, 1.0 / 3, 1e-15);
  EXPECT_EQ(SplitF64ToF32(1e300),
            std::pair(std::numeric_limits<float>::infinity(), 0.0f));
}

TEST(UtilNamesTest, Containers) {
  std::vector<int> v = {3, 5, 7};
  EXPECT_TRUE(ContainersEqual(v, {3, 5, 7}));
  EXPECT_FALSE(ContainersEqual(v, {3, 5}));
  EXPECT_TRUE(ContainersEqual(v, DimensionVector{3, 5, 7}));
  EXPECT_TRUE(ContainersEqual(v, std::vector<int>{-3, 5, -7},
                              [](int a, int b) { return a == std::abs(b); }));
  EXPECT_EQ(PositionInContainer(v, 5), 1);
  EXPECT_EQ(FindIndex(v, 8), 3);
  InsertAt(&v, 1, 4);
  EraseAt(&v, 0);
  EXPECT_THAT(v, ElementsAre(4, 5, 7));
  EXPECT_TRUE(EraseElementFromVector(&v, 5));
  EXPECT_FALSE(EraseElementFromVector(&v, 5));
  EXPECT_THAT(v, ElementsAre(4, 7));
  EXPECT_THAT(RemoveElements({0, 2}, std::vector<int>{1, 2, 3, 4}),
              ElementsAre(2, 4));
  EXPECT_THAT(SpanToVector(absl::MakeConstSpan(v)), ElementsAre(4, 7));
  EXPECT_THAT(InlinedVectorToVector(DimensionVector{1, 2}), ElementsAre(1, 2));
  EXPECT_THAT(ElemwiseProduct({1, 2}, {3, 4}), ElementsAre(3, 8));
  EXPECT_TRUE(DistinctNumbersAreConsecutiveIfSorted({4, 2, 3}));
  EXPECT_FALSE(DistinctNumbersAreConsecutiveIfSorted({4, 2}));
  DimensionVector inlined = {5, 6};
  EXPECT_TRUE(EraseElementFromVector(&inlined, 6));
  EXPECT_THAT(inlined, ElementsAre(5));
  static_assert(InlineRank() == 6);
  const Vector2 two = {1, 2};
  const Vector3 three = {1, 2, 3};
  EXPECT_LT(two.size(), three.size());
}

TEST(UtilNamesTest, StridedCopies) {
  const std::vector<int> source = {1, 2, 3, 4, 5, 6};
  std::vector<float> target(4, 0);
  StridedCopy(target.data(), 2, source.data() + 1, 3, 2);
  EXPECT_THAT(target, ElementsAre(2, 0, 5, 0));
}

TEST(UtilNamesTest, BytesAndPointers) {
  const std::vector<uint16_t> words = {0x0201, 0x0403};
  const absl::Span<const uint8_t> bytes =
      CastToByteSlice(absl::MakeConstSpan(words));
  EXPECT_EQ(bytes.size(), 4u);
  EXPECT_THAT(CastByteSlice<uint16_t>(bytes), ElementsAre(0x0201, 0x0403));
  enum class Letter : char { kA = 'a' };
  static_assert(to_underlying(Letter::kA) == 'a');
  struct Base {
    virtual ~Base() = default;
  };
  struct Derived : Base {
    int number = 3;
  };
  std::unique_ptr<Base> base = std::make_unique<Derived>();
  EXPECT_EQ(unique_ptr_down_cast<Derived>(std::move(base))->number, 3);
}

TEST(UtilNamesTest, Texts) {
  EXPECT_EQ(CommaSeparatedString(std::vector<int>{1, 57, 2}), "1, 57, 2");
  EXPECT_EQ(CommaSeparatedString({1, 2}, "<", ">"), "<1, 2>");
  EXPECT_EQ(CommaSeparatedString({}), "");
  EXPECT_EQ(VectorString({}), "()");
  EXPECT_EQ(VectorString(std::vector<std::string>{"a", "b"}), "(a, b)");
  EXPECT_EQ(Reindent("  a\n      b  \nc", "    "), "    a\n    b\n    c");
  EXPECT_EQ(HumanReadableNumFlops(1e9, 1e9), "1.00GFLOP/s");
  EXPECT_EQ(HumanReadableNumFlops(512, 1e9), "512FLOP/s");
  EXPECT_EQ(HumanReadableNumFlops(2.5e6, 1e6), "2.50GFLOP/s");
  EXPECT_EQ(HumanReadableNumFlops(1, 0), "NaN FLOP/s");
  EXPECT_EQ(HumanReadableNumTranscendentalOps(1.5e3, 1e9), "1.50kTROP/s");
  EXPECT_EQ(SanitizeFileName("a/b\\c[d] e.f"), "a_b_c_d__e.f");
  EXPECT_EQ(SanitizeOpName("fusion.12.clone", '.', "_"), "fusion_clone");
  EXPECT_EQ(SanitizeOpName("add", '.', "_"), "add");
}

TEST(UtilNamesTest, Padding) {
  const PaddingConfig none = MakeNoPaddingConfig(2);
  EXPECT_EQ(none.dimensions_size(), 2);
  EXPECT_FALSE(HasInteriorPadding(none));
  PaddingConfig edges = MakeEdgePaddingConfig({{1, 2}, {-3, 0}});
  EXPECT_EQ(edges.dimensions(0).edge_padding_high(), 2);
  EXPECT_EQ(edges.dimensions(1).edge_padding_low(), -3);
  EXPECT_FALSE(HasInteriorPadding(edges));
  edges.mutable_dimensions(1)->set_interior_padding(1);
  EXPECT_TRUE(HasInteriorPadding(edges));
}

TEST(UtilNamesTest, AllFieldsOfMessages) {
  const std::string text = PrintAllFields(MakeEdgePaddingConfig({{1, 2}}));
  EXPECT_THAT(text, HasSubstr("dimensions: "));
  EXPECT_THAT(text, HasSubstr("edge_padding_high: 2"));
  const std::string unset = PrintAllFields(PaddingConfig::default_instance());
  EXPECT_EQ(unset, "");  // no elements
  const PaddingConfig::PaddingConfigDimension zeros;
  EXPECT_THAT(PrintAllFields(zeros), HasSubstr("interior_padding: 0\n"));
}

TEST(UtilNamesTest, DimensionNumbers) {
  EXPECT_THAT(GetNonContractingDims(4, {2}, {0}), ElementsAre(1, 3));
  // Whole dimensions, of which others are joined.
  const ConvertedDimensionNumbers whole =
      ConvertDimensionNumbers({0, 2}, {4, 5, 6}, {4, 30});
  EXPECT_THAT(whole.to_dimensions, ElementsAre(0));
  EXPECT_THAT(whole.transformed_from_dimensions, ElementsAre(0));
  EXPECT_THAT(whole.untransformed_from_dimensions, ElementsAre(2));
  EXPECT_THAT(whole.split_from_dimensions, IsEmpty());
  const auto all = ConvertDimensionNumbers({0, 1}, {2, 3}, {6});
  EXPECT_THAT(all.to_dimensions, ElementsAre(0));
  EXPECT_THAT(all.transformed_from_dimensions, ElementsAre(0, 1));
  // The minor part of a dimension.
  const auto split = ConvertDimensionNumbers({1}, {2, 32}, {4, 4, 4});
  EXPECT_THAT(split.to_dimensions, ElementsAre(1, 2));
  EXPECT_THAT(split.untransformed_from_dimensions, ElementsAre(1));
  EXPECT_THAT(split.split_from_dimensions, ElementsAre(1));
  EXPECT_THAT(split.split_from_sizes, ElementsAre(2));
  EXPECT_THAT(split.split_to_dimensions, IsEmpty());
}

TEST(UtilNamesTest, Errors) {
  EXPECT_EQ(DeadlineExceeded("%d ms", 5).message(), "5 ms");
  EXPECT_EQ(Aborted("by %s", "user").code(), absl::StatusCode::kAborted);
  EXPECT_EQ(WithLogBacktrace(Internal("x")), absl::InternalError("x"));
  EXPECT_EQ(Cancelled("c").code(), absl::StatusCode::kCancelled);
  EXPECT_EQ(FailedPrecondition("%s", "f").code(),
            absl::StatusCode::kFailedPrecondition);
  EXPECT_EQ(InvalidArgument("%d%%", 7).message(), "7%");
  EXPECT_EQ(NotFound("n").code(), absl::StatusCode::kNotFound);
  EXPECT_EQ(ResourceExhausted("r").code(),
            absl::StatusCode::kResourceExhausted);
  EXPECT_EQ(Unavailable("u").code(), absl::StatusCode::kUnavailable);
  EXPECT_EQ(Unimplemented("u").code(), absl::StatusCode::kUnimplemented);
  EXPECT_EQ(Unknown("u").code(), absl::StatusCode::kUnknown);
  EXPECT_EQ(AddStatus(Internal("x"), "in f").message(), "in f: x");
  EXPECT_EQ(AppendStatus(Internal("x"), "in f").message(), "x: in f");
}

TEST(UtilNamesTest, ErrorsOfPieces) {
  const absl::Status invalid = InvalidArgumentStrCat("size ", 3, " of ", 2.5);
  EXPECT_EQ(invalid, absl::InvalidArgumentError("size 3 of 2.5"));
  const auto unimplemented = [](int n) -> absl::StatusOr<int> {
    if (n == 0) return UnimplementedStrCat("no ", n);
    return n;
  };
  EXPECT_EQ(unimplemented(0).status(), absl::UnimplementedError("no 0"));
  EXPECT_EQ(InternalStrCat("a", std::string("b")).status,
            absl::InternalError("ab"));
  EXPECT_EQ(ResourceExhaustedStrCat(1, "B").status,
            absl::ResourceExhaustedError("1B"));
}

TEST(UtilNamesTest, Predicates) {
  const HloPredicate all = HloPredicateTrue, none = HloPredicateFalse;
  EXPECT_TRUE(all(nullptr));
  EXPECT_FALSE(none(nullptr));
  const HloModulePredicate any = [](const HloModule*) { return true; };
  EXPECT_TRUE(any(nullptr));
}

TEST(UtilNamesTest, LogsOfSeveralLines) {
  testing::internal::CaptureStderr();
  XLA_LOG_LINES(WARNING, "one\ntwo\n");
  LogLines(absl::LogSeverity::kError, "three", "file.cc", 7);
  XLA_VLOG_LINES(99, "not logged");
  XLA_VLOG_DEVICE(99, 1) << "not logged";
  const std::string log = testing::internal::GetCapturedStderr();
  EXPECT_THAT(log, HasSubstr("] one\n"));
  EXPECT_THAT(log, HasSubstr("] two\n"));
  EXPECT_THAT(log, HasSubstr("file.cc:7"));
  EXPECT_EQ(std::count(log.begin(), log.end(), '\n'), 3);
  EXPECT_DEATH(XLA_LOG_LINES(FATAL, "last words"), "last words.*\n.*Aborting");
  EXPECT_DEATH(LogLinesFATAL("end", "file.cc", 8), "file.cc:8");
}

TEST(UtilNamesTest, LogsOfOneSeverity) {
  testing::internal::CaptureStderr();
  LogLinesINFO("one", "a.cc", 1);
  LogLinesWARNING("two", "b.cc", 2);
  LogLinesERROR("three", "c.cc", 3);
  XLA_LOG_DEVICE(ERROR, 5) << "hot";
  const std::string log = testing::internal::GetCapturedStderr();
  EXPECT_THAT(log, HasSubstr("a.cc:1] one\n"));
  EXPECT_THAT(log, HasSubstr("b.cc:2] two\n"));
  EXPECT_THAT(log, HasSubstr("c.cc:3] three\n"));
  EXPECT_THAT(log, HasSubstr("] [5] hot\n"));
  EXPECT_EQ(XlaFormatDevice(12), "[12] ");
}

TEST(UtilNamesTest, Timers) {
  TimerStats stats;
  testing::internal::CaptureStderr();
  {
    ScopedLoggingTimer timer("work", true, "file.cc", 3, &stats);
    timer.StopAndLog();
  }
  {
    const ScopedLoggingTimer off("rest", false, "file.cc", 4, &stats);
  }
  XLA_SCOPED_LOGGING_TIMER("seldom");
  XLA_SCOPED_LOGGING_TIMER_LEVEL("never", 99);
  XLA_SCOPED_LOGGING_TIMER_IF("not now", false);
  XLA_SCOPED_LOGGING_TIMER_HELPER("no helper", 99, 1000, true);
  XLA_SCOPED_LOGGING_TIMER_HELPER2("no helper", 99, 1001, true);
  const std::string log = testing::internal::GetCapturedStderr();
  EXPECT_THAT(log, HasSubstr("work time: "));
  EXPECT_THAT(log, HasSubstr("#called: 1)"));
  EXPECT_EQ(std::count(log.begin(), log.end(), '\n'), 1);
  const absl::MutexLock lock(&stats.stats_mutex);
  EXPECT_EQ(stats.times_called, 1u);
  EXPECT_LE(stats.max_secs, stats.cumulative_secs);
}

}  // namespace
}  // namespace xla
