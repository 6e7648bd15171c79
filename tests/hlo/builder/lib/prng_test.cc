// The random bits are XLA's: those of its rng-bit-generator for the same key
// and state, taken from jaxlib. Distributions follow from the bits.
#include "xla/hlo/builder/lib/prng.h"

#include <cmath>
#include <vector>

#include "gtest/gtest.h"
#include "tests/hlo/builder/lib/evaluate.h"
#include "xla/core/literal/literal_util.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/builder/lib/constants.h"

namespace xla {
namespace {

using Ops = absl::Span<const XlaOp>;

constexpr uint64_t kKey = 0x200000001;

// Returns "( value, state )".
std::string Generated(BitGeneratorTy generator, std::vector<uint64_t> state,
                      const Shape& shape) {
  return RunToText([&](XlaBuilder* b, Ops) {
    const RngOutput out = generator(ConstantR0<uint64_t>(b, kKey),
                                    ConstantR1<uint64_t>(b, state), shape);
    return Tuple(b, {out.value, out.state});
  });
}

Shape ArrayOf(PrimitiveType type, std::vector<int64_t> dims) {
  return ShapeUtil::MakeShape(type, dims);
}

TEST(PrngTest, ThreeFry) {
  auto bits = [](const Shape& shape) {
    return Generated(ThreeFryBitGenerator, {5}, shape);
  };
  EXPECT_EQ(bits(ArrayOf(F32, {8})),
            "( {4189447344, 3771441878, 491308377, 959534454, 1937194865, "
            "2621007062, 2081432497, 3355248145}, {9} )");
  EXPECT_EQ(bits(ArrayOf(U32, {3, 5})),
            "( { { 4189447344, 3771441878, 491308377, 959534454, 1937194865 }, "
            "{ 2081432497, 3355248145, 3883589053, 2776150419, 1471033024 }, "
            "{ 80024760, 1126274938, 2793312626, 1043009264, 2858227942 } }, "
            "{14} )");
  EXPECT_EQ(bits(ArrayOf(S32, {})), "( 4189447344, {6} )");
  EXPECT_EQ(bits(ArrayOf(U64, {2, 3})),
            "( { { 16198219528964269232, 4121169099806524761, "
            "11257139615812239217 }, { 14410681054821098417, "
            "11923475262265286077, 13632677711706992320 } }, {11} )");
  EXPECT_EQ(bits(ArrayOf(U8, {5})), "( {176, 214, 89, 118, 113}, {8} )");
}

TEST(PrngTest, Philox) {
  EXPECT_EQ(Generated(PhiloxBitGenerator, {~uint64_t{0}, 6}, ArrayOf(F32, {6})),
            "( {3775915119, 1349656879, 1457035188, 683167993, 415792872, "
            "3244544674}, {1, 7} )");
  EXPECT_EQ(Generated(PhiloxBitGenerator, {5, 6}, ArrayOf(U64, {3})),
            "( {10561023983644363634, 9302479906298001210, "
            "6894305246013642296}, {7, 6} )");
  EXPECT_EQ(Generated(PhiloxBitGenerator, {5, 6}, ArrayOf(F16, {3})),
            "( {52082, 19291, 63290}, {6, 6} )");
}

TEST(PrngTest, PhiloxCounterCarries) {
  EXPECT_EQ(RunToText([](XlaBuilder* b, Ops) {
              return PhiloxIncreaseCounter(
                  ConstantR1<uint64_t>(b, {~uint64_t{0}, 3}),
                  ConstantR0<uint64_t>(b, 2));
            }),
            "{1, 4}");
}

TEST(PrngTest, ScrambledKeys) {
  // The key is a Philox block of the words of the old key, spread out.
  EXPECT_EQ(
      RunToText([](XlaBuilder* b, Ops) {
        const auto [state, key] =
            ScramblePhiloxKey(ConstantR0<uint64_t>(b, kKey));
        XlaOp fixed = ConstantR0<uint64_t>(b, 0x02461E293EC8F720);
        const RngOutput block = PhiloxBitGenerator(
            fixed, ConstantR1<uint64_t>(b, {1, 2}), ArrayOf(U64, {2}));
        XlaOp expected_key = Reshape(SliceInDim(block.value, 0, 1, 1, 0), {});
        XlaOp expected_state = PadInDim(SliceInDim(block.value, 1, 2, 1, 0),
                                        Zero(b, U64), 0, 1, 0);
        return Tuple(b, {Eq(key, expected_key), Eq(state, expected_state)});
      }),
      "( true, {1, 1} )");
}

TEST(PrngTest, Uniform) {
  const absl::StatusOr<Literal> real = RunOp([](XlaBuilder* b, Ops) {
    return UniformFloatingPointDistribution(
               ConstantR0<uint64_t>(b, kKey), ConstantR1<uint64_t>(b, {5}),
               ThreeFryBitGenerator, ConstantR0<float>(b, 2),
               ConstantR0<float>(b, 4), ArrayOf(F32, {8}))
        .value;
  });
  ASSERT_TRUE(real.ok()) << real.status();
  // The value is 2 plus the high 23 bits times 2^-22.
  EXPECT_EQ(real->Get<float>({0}), 2 + (4189447344u >> 9) * 0x1p-22f);
  EXPECT_EQ(real->Get<float>({3}), 2 + (959534454u >> 9) * 0x1p-22f);

  EXPECT_EQ(RunToText([](XlaBuilder* b, Ops) {
              return UniformIntDistribution(
                         ConstantR0<uint64_t>(b, kKey),
                         ConstantR1<uint64_t>(b, {5}), ThreeFryBitGenerator,
                         ConstantR0<int32_t>(b, -10),
                         ConstantR0<int32_t>(b, 10), ArrayOf(S32, {4}))
                  .value;
            }),
            "{-6, 8, 7, 4}");
}

TEST(PrngTest, UniformHalfTakesTheLowBits) {
  EXPECT_EQ(RunToText([](XlaBuilder* b, Ops) {
              return UniformFloatingPointDistribution(
                         ConstantR0<uint64_t>(b, kKey),
                         ConstantR1<uint64_t>(b, {5, 6}), PhiloxBitGenerator,
                         Zero(b, F16), One(b, F16), ArrayOf(F16, {1}))
                  .value;
            }),
            RunToText([](XlaBuilder* b, Ops) {
              return ConstantR1<half>(b, {half((52082 & 1023) / 1024.0f)});
            }));
}

TEST(PrngTest, Normal) {
  ExpectNear(
      RunOp([](XlaBuilder* b, Ops) {
        return NormalFloatingPointDistribution(
                   ConstantR0<uint64_t>(b, kKey), ConstantR1<uint64_t>(b, {5}),
                   ThreeFryBitGenerator, ArrayOf(F32, {3}))
            .value;
      }),
      LiteralUtil::CreateR1<float>({0.146863456f, 0.167873281f, 0.502775743f}),
      1e-5);
}

TEST(PrngTest, NormalMoments) {
  const absl::StatusOr<Literal> normal = RunOp([](XlaBuilder* b, Ops) {
    return NormalFloatingPointDistribution(
               ConstantR0<uint64_t>(b, kKey), ConstantR1<uint64_t>(b, {5, 6}),
               PhiloxBitGenerator, ArrayOf(F64, {20001}))
        .value;
  });
  ASSERT_TRUE(normal.ok()) << normal.status();
  double sum = 0, squares = 0;
  for (double x : normal->data<double>()) {
    sum += x;
    squares += x * x;
  }
  EXPECT_NEAR(sum / 20001, 0, 0.02);
  EXPECT_NEAR(squares / 20001, 1, 0.03);
}

TEST(PrngTest, Rules) {
  auto breaks = [](const char* rule, auto make) {
    ExpectBreaks(rule, [&](XlaBuilder* b, Ops) {
      return make(ConstantR0<uint64_t>(b, kKey), ConstantR1<uint64_t>(b, {5}));
    });
  };
  breaks("bit_generator_c1", [](XlaOp key, XlaOp state) {
    return ThreeFryBitGenerator(key, state, ArrayOf(PRED, {2})).value;
  });
  breaks("bit_generator_c1", [](XlaOp key, XlaOp state) {
    return PhiloxBitGenerator(key, state, ArrayOf(C64, {2})).value;
  });
  breaks("uniform_c1", [](XlaOp key, XlaOp state) {
    return UniformIntDistribution(key, state, ThreeFryBitGenerator, key, key,
                                  ArrayOf(S16, {2}))
        .value;
  });
  breaks("uniform_c1", [](XlaOp key, XlaOp state) {
    return UniformFloatingPointDistribution(key, state, ThreeFryBitGenerator,
                                            key, key, ArrayOf(F32, {2}))
        .value;
  });
  breaks("normal_c1", [](XlaOp key, XlaOp state) {
    return NormalFloatingPointDistribution(key, state, ThreeFryBitGenerator,
                                           ArrayOf(S32, {2}))
        .value;
  });
}

}  // namespace
}  // namespace xla
