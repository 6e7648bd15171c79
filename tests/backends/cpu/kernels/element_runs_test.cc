// Conversions of runs to and from 16-bit floats, at each vector level, in
// whole vectors and behind them, beside conversions one by one.
#include "xla/backends/cpu/kernels/vector/element_runs.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <vector>

#include "gtest/gtest.h"
#include "xla/backends/cpu/kernels/vector/vector_level.h"
#include "xla/base/types.h"
#include "xla/core/primitive_types.h"
#include "xla/core/primitive_util.h"

namespace xla::cpu {
namespace {

constexpr VectorLevel kLevels[] = {VectorLevel::kBaseline, VectorLevel::kAvx2,
                                   VectorLevel::kAvx512};

// All values of a type of 16 bits.
template <typename T>
std::vector<T> AllValues() {
  std::vector<T> values(1 << 16);
  for (uint32_t i = 0; i < values.size(); ++i) {
    values[i] = std::bit_cast<T>(static_cast<uint16_t>(i));
  }
  return values;
}

// Converts `from` in runs of `length`, which need not be whole vectors.
template <typename To, typename From>
std::vector<To> ConvertRuns(RunConverter convert, const std::vector<From>& from,
                            int64_t length) {
  std::vector<To> to(from.size());
  const int64_t count = from.size();
  for (int64_t i = 0; i < count; i += length) {
    convert(&from[i], &to[i], std::min(length, count - i));
  }
  return to;
}

template <typename T>
void CheckBothWays(PrimitiveType type) {
  const std::vector<T> narrow = AllValues<T>();
  for (const VectorLevel level : kLevels) {
    if (level > ProcessorVectorLevel()) continue;
    const VectorLevelScope scope(level);
    for (const int64_t length : {1, 7, 8, 61, 4096}) {
      const std::vector<float> wide =
          ConvertRuns<float>(RunConverterOf(type, F32), narrow, length);
      const std::vector<T> back =
          ConvertRuns<T>(RunConverterOf(F32, type), wide, length);
      for (size_t i = 0; i < narrow.size(); ++i) {
        const float expected = static_cast<float>(narrow[i]);
        if (std::isnan(expected)) {
          ASSERT_TRUE(std::isnan(wide[i])) << i << " in runs of " << length;
          ASSERT_TRUE(std::isnan(static_cast<float>(back[i]))) << i;
          continue;
        }
        ASSERT_EQ(std::signbit(wide[i]), std::signbit(expected)) << i;
        ASSERT_EQ(wide[i], expected) << i << " in runs of " << length;
        ASSERT_EQ(std::memcmp(&back[i], &narrow[i], sizeof(T)), 0) << i;
      }
    }
  }
}

// Infinities and NaNs of f16 became zeros at the ends of runs.
TEST(ElementRunsTest, HalvesOfAllValues) { CheckBothWays<half>(F16); }

TEST(ElementRunsTest, Bfloat16sOfAllValues) { CheckBothWays<bfloat16>(BF16); }

// Numbers near the ends of the range, and halfway between two halves.
TEST(ElementRunsTest, RoundsToHalves) {
  std::vector<float> wide;
  for (const float base :
       {65504.0f, 65519.99f, 65520.0f, 65536.0f, 1e30f, INFINITY, 0x1p-14f,
        0x1p-15f, 0x1p-24f, 0x1p-25f, 0x1.8p-25f, 0x1p-40f, 1.0f,
        1.00048828125f, 1.00146484375f, 0.0f}) {
    for (const float near :
         {base, std::nextafter(base, 0.0f), std::nextafter(base, INFINITY)}) {
      wide.push_back(near);
      wide.push_back(-near);
    }
  }
  for (const VectorLevel level : kLevels) {
    if (level > ProcessorVectorLevel()) continue;
    const VectorLevelScope scope(level);
    for (const int64_t length : {1, 8, 61}) {
      const std::vector<half> narrow =
          ConvertRuns<half>(RunConverterOf(F32, F16), wide, length);
      for (size_t i = 0; i < wide.size(); ++i) {
        const half expected = static_cast<half>(wide[i]);
        EXPECT_EQ(std::memcmp(&narrow[i], &expected, sizeof(half)), 0)
            << wide[i] << " in runs of " << length;
      }
    }
  }
}

// Every byte of the types of at most 8 bits, to F32 and, where all numbers are
// bfloat16s, to BF16.
TEST(ElementRunsTest, NumbersOfAByte) {
  std::vector<uint8_t> bytes(256);
  for (int i = 0; i < 256; ++i) bytes[i] = static_cast<uint8_t>(i);
  for (const PrimitiveType type :
       {S4, U4, S8, U8, F4E2M1FN, F8E4M3FN, F8E5M2, F8E8M0FNU}) {
    primitive_util::ArrayTypeSwitch<void>(
        [&](auto constant) {
          using T = primitive_util::NativeTypeOf<decltype(constant)::value>;
          if constexpr (sizeof(T) == 1 && !std::is_same_v<T, bool>) {
            for (const VectorLevel level : kLevels) {
              if (level > ProcessorVectorLevel()) continue;
              const VectorLevelScope scope(level);
              for (const int64_t length : {1, 7, 32, 256}) {
                const std::vector<float> wide = ConvertRuns<float>(
                    RunConverterOf(type, F32), bytes, length);
                const std::vector<bfloat16> half = ConvertRuns<bfloat16>(
                    RunConverterOf(type, BF16), bytes, length);
                for (int i = 0; i < 256; ++i) {
                  const float expected = static_cast<float>(
                      std::bit_cast<T>(static_cast<uint8_t>(i)));
                  const bool same =
                      std::isnan(expected)
                          ? std::isnan(wide[i]) &&
                                std::isnan(static_cast<float>(half[i]))
                          : std::bit_cast<uint32_t>(expected) ==
                                    std::bit_cast<uint32_t>(wide[i]) &&
                                expected == static_cast<float>(half[i]);
                  EXPECT_TRUE(same) << PrimitiveType_Name(type) << " " << i;
                }
              }
            }
          }
        },
        type);
  }
}

}  // namespace
}  // namespace xla::cpu
