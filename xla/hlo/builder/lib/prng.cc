// Threefry and Philox in 32-bit integer ops, and the distributions.
#include "xla/hlo/builder/lib/prng.h"

#include <array>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <vector>

#include "absl/strings/str_cat.h"
#include "xla/base/checked_math.h"
#include "xla/base/status_macros.h"
#include "xla/core/primitive_util.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/builder/lib/constants.h"
#include "xla/hlo/ops/op_def.h"

namespace xla {
namespace {

using Words2 = std::array<XlaOp, 2>;  // least significant first, also below
using Words4 = std::array<XlaOp, 4>;

XlaOp U32Constant(XlaOp like, uint32_t value) {
  return ConstantR0<uint32_t>(like.builder(), value);
}

XlaOp U64Constant(XlaOp like, uint64_t value) {
  return ConstantR0<uint64_t>(like.builder(), value);
}

Words2 Split(XlaOp u64) {
  return {
      ConvertElementType(u64, U32),
      ConvertElementType(ShiftRightLogical(u64, U64Constant(u64, 32)), U32)};
}

XlaOp Join(XlaOp low, XlaOp high) {
  return Or(ConvertElementType(low, U64),
            ShiftLeft(ConvertElementType(high, U64), U64Constant(low, 32)));
}

// Returns an error of both generators; OK if bits of the type can be made.
absl::Status CheckBits(const Shape& shape) {
  const PrimitiveType type = shape.element_type();
  if (primitive_util::IsArrayType(type) && type != PRED &&
      !primitive_util::IsComplexType(type) &&
      primitive_util::UnsignedIntegralTypeForBitWidth(
          primitive_util::BitWidth(type)) != PRIMITIVE_TYPE_INVALID &&
      primitive_util::BitWidth(type) >= 8) {
    // The counters take 8 bytes each, whatever the elements take.
    return ShapeUtil::MakeValidatedShape(C128, shape.dimensions()).status();
  }
  // bit_generator_c1: elements are real numbers of 8, 16, 32 or 64 bits.
  return RuleError(
      "bit_generator_c1",
      absl::StrCat("no random bits for ", ShapeUtil::HumanString(shape)));
}

// Dimensions of two arrays that, concatenated along a new dimension of size 2
// and joined, have at least the elements of `shape`: the first even dimension
// is halved or, if there is none, the first of the largest, rounded up.
struct Halves {
  std::vector<int64_t> half;    // with the dimension of size 1
  std::vector<int64_t> both;    // with the dimension of size 2
  std::vector<int64_t> joined;  // without it, rounded up
  int64_t dimension = 0;        // the new one
};

Halves HalvesOf(const Shape& shape) {
  if (shape.rank() == 0) return {{1}, {2}, {2}, 0};
  int64_t split = -1;
  for (int64_t i = 0; i < shape.rank() && split < 0; ++i) {
    if (shape.dimensions(i) % 2 == 0) split = i;
  }
  for (int64_t i = 0; split < 0 && i < shape.rank(); ++i) {
    bool largest = true;
    for (int64_t size : shape.dimensions()) {
      largest = largest && shape.dimensions(i) >= size;
    }
    if (largest) split = i;
  }
  Halves halves;
  for (int64_t i = 0; i < shape.rank(); ++i) {
    const int64_t size = shape.dimensions(i);
    halves.half.push_back(i == split ? size / 2 + size % 2 : size);
    halves.joined.push_back(i == split ? size + size % 2 : size);
    halves.both.push_back(halves.half.back());
    if (i == split) {
      halves.half.push_back(1);
      halves.both.push_back(2);
    }
  }
  halves.dimension = split + 1;
  return halves;
}

// Makes the array of `shape` from two of the sizes `halves.half`.
XlaOp Combine(const Words2& parts, const Halves& halves, const Shape& shape) {
  if (shape.rank() == 0) return Reshape(parts[0], {});
  XlaOp joined = Reshape(
      ConcatInDim(parts[0].builder(), parts, halves.dimension), halves.joined);
  const std::vector<int64_t> zeros(shape.rank(), 0);
  const std::vector<int64_t> ones(shape.rank(), 1);
  return Slice(joined, zeros, shape.dimensions(), ones);
}

XlaOp RotateLeft(XlaOp v, int distance) {
  return Or(ShiftLeft(v, U32Constant(v, distance)),
            ShiftRightLogical(v, U32Constant(v, 32 - distance)));
}

// Section 3.3 of the paper, with its rotations and its parity constant.
Words2 ThreeFry(Words2 x, XlaOp key) {
  static constexpr int kRotations[2][4] = {{13, 15, 26, 6}, {17, 29, 16, 24}};
  const Words2 words = Split(key);
  const std::array<XlaOp, 3> schedule = {
      words[0], words[1],
      Xor(Xor(words[0], words[1]), U32Constant(key, 0x1BD11BDA))};
  x = {Add(x[0], schedule[0]), Add(x[1], schedule[1])};
  for (int group = 0; group < 5; ++group) {
    for (int rotation : kRotations[group % 2]) {
      x[0] = Add(x[0], x[1]);
      x[1] = Xor(x[0], RotateLeft(x[1], rotation));
    }
    x[0] = Add(x[0], schedule[(group + 1) % 3]);
    x[1] =
        Add(Add(x[1], schedule[(group + 2) % 3]), U32Constant(key, group + 1));
  }
  return x;
}

// Holds both words of Threefry on the counters state, state + 1, ... in the
// order of an array of `dims`, and the state after them.
struct ThreeFryBlock {
  Words2 words;
  XlaOp state;
};

ThreeFryBlock ThreeFryCounters(XlaOp key, XlaOp state,
                               absl::Span<const int64_t> dims) {
  const Shape counters = ShapeUtil::MakeShape(U64, dims);
  XlaOp counter = Broadcast(Reshape(state, {}), dims);
  int64_t step = 1;
  for (int64_t i = counters.rank() - 1; i >= 0; --i) {
    if (dims[i] > 1) {
      counter = Add(counter, Mul(Iota(state.builder(), counters, i),
                                 U64Constant(state, step)));
    }
    step *= dims[i];
  }
  return {ThreeFry(Split(counter), key), Add(state, U64Constant(state, step))};
}

// Section 3.4 of the paper: the multipliers, and the Weyl increments of keys.
Words4 Philox(Words4 x, Words2 key) {
  auto multiply = [](XlaOp v, uint32_t factor) {
    return Split(Mul(ConvertElementType(v, U64), U64Constant(v, factor)));
  };
  for (int round = 0; round < 10; ++round) {
    const Words2 a = multiply(x[0], 0xD2511F53);
    const Words2 b = multiply(x[2], 0xCD9E8D57);
    x = {Xor(Xor(b[1], x[1]), key[0]), b[0], Xor(Xor(a[1], x[3]), key[1]),
         a[0]};
    key = {Add(key[0], U32Constant(key[0], 0x9E3779B9)),
           Add(key[1], U32Constant(key[1], 0xBB67AE85))};
  }
  return x;
}

Words2 PhiloxState(XlaOp state) {
  return {Reshape(Slice(state, {0}, {1}, {1}), {}),
          Reshape(Slice(state, {1}, {2}, {1}), {})};
}

// Returns a 128-bit sum: `value` may be an array, the state is a scalar.
Words2 AddTo(const Words2& state, XlaOp value, absl::Span<const int64_t> dims) {
  XlaOp low = Add(state[0], value);
  XlaOp carried = Add(state[1], U64Constant(value, 1));
  return {low, Select(Lt(low, Broadcast(state[0], dims)),
                      Broadcast(carried, dims), Broadcast(state[1], dims))};
}

// Holds at least `count` words of Philox, one [ceil(count / 4)] array for each
// word of a block, and the state after them.
struct PhiloxBlocks {
  Words4 words;
  int64_t blocks;
  XlaOp state;
};

PhiloxBlocks PhiloxWords(XlaOp key, XlaOp state, int64_t count) {
  const int64_t blocks = CeilOfRatio(count, 4);
  const Words2 first = PhiloxState(state);
  const Words2 counter =
      AddTo(first, Iota(key.builder(), U64, blocks), {blocks});
  const Words2 low = Split(counter[0]);
  const Words2 high = Split(counter[1]);
  return {Philox({low[0], low[1], high[0], high[1]}, Split(key)), blocks,
          PhiloxIncreaseCounter(state, U64Constant(state, blocks))};
}

// Returns the words of each block in order, cut to the shape.
XlaOp Interleave(absl::Span<const XlaOp> words, int64_t blocks,
                 const Shape& shape) {
  std::vector<XlaOp> columns;
  for (XlaOp word : words) columns.push_back(Reshape(word, {blocks, 1}));
  const int64_t width = words.size();
  XlaOp all =
      Reshape(ConcatInDim(words[0].builder(), columns, 1), {blocks * width});
  return Reshape(Slice(all, {0}, {ShapeUtil::ElementsIn(shape)}, {1}),
                 shape.dimensions());
}

// Converts words to types narrower than 32 bits by taking their low bits.
XlaOp Narrow(XlaOp bits, const Shape& shape) {
  const int width = primitive_util::BitWidth(shape.element_type());
  if (width >= 32) return bits;
  return ConvertElementType(
      bits, primitive_util::UnsignedIntegralTypeForBitWidth(width));
}

// Returns minval + (maxval - minval) x for x uniform in [0, 1), with as many
// random bits as the type's significand has.
absl::StatusOr<XlaOp> UniformReal(XlaOp bits, XlaOp minval, XlaOp maxval) {
  XlaBuilder* builder = bits.builder();
  TF_ASSIGN_OR_RETURN(const Shape to, builder->GetShape(minval));
  TF_ASSIGN_OR_RETURN(const Shape from, builder->GetShape(bits));
  const PrimitiveType type = to.element_type();
  const int width = primitive_util::BitWidth(from.element_type());
  if (!primitive_util::IsFloatingPointType(type) || !from.IsInteger() ||
      primitive_util::SignificandWidth(type) - 1 > width) {
    // uniform_c1: bits of the type's own width, or wider.
    return RuleError("uniform_c1",
                     absl::StrCat("no uniform ", ShapeUtil::HumanString(to),
                                  " from bits ", ShapeUtil::HumanString(from)));
  }
  const int kept = primitive_util::SignificandWidth(type) - 1;
  // F16 uses the low bits, other types the high bits.
  XlaOp integer = type == F16 && width == 16
                      ? And(bits, ScalarLike(bits, (uint64_t{1} << kept) - 1))
                      : ShiftRightLogical(bits, ScalarLike(bits, width - kept));
  XlaOp value = Mul(ConvertElementType(integer, type),
                    ScalarLike(minval, std::ldexp(1.0, -kept)));
  return Add(Mul(value, Sub(maxval, minval)), minval);
}

}  // namespace

RngOutput ThreeFryBitGenerator(XlaOp key, XlaOp initial_state,
                               const Shape& shape) {
  if (absl::Status status = CheckBits(shape); !status.ok()) {
    return {key.builder()->ReportError(status), initial_state};
  }
  if (primitive_util::BitWidth(shape.element_type()) == 64) {
    const ThreeFryBlock block =
        ThreeFryCounters(key, initial_state, shape.dimensions());
    return {Join(block.words[0], block.words[1]), block.state};
  }
  const Halves halves = HalvesOf(shape);
  const ThreeFryBlock block = ThreeFryCounters(key, initial_state, halves.half);
  return {Narrow(Combine(block.words, halves, shape), shape), block.state};
}

RngOutput PhiloxBitGenerator(XlaOp key, XlaOp initial_state,
                             const Shape& shape) {
  if (absl::Status status = CheckBits(shape); !status.ok()) {
    return {key.builder()->ReportError(status), initial_state};
  }
  const int64_t count = ShapeUtil::ElementsIn(shape);
  if (primitive_util::BitWidth(shape.element_type()) == 64) {
    const PhiloxBlocks out = PhiloxWords(key, initial_state, 2 * count);
    const Words2 pairs = {Join(out.words[0], out.words[1]),
                          Join(out.words[2], out.words[3])};
    return {Interleave(pairs, out.blocks, shape), out.state};
  }
  const PhiloxBlocks out = PhiloxWords(key, initial_state, count);
  return {Narrow(Interleave(out.words, out.blocks, shape), shape), out.state};
}

std::pair<XlaOp, XlaOp> ScramblePhiloxKey(XlaOp key) {
  const Words2 words = Split(key);
  XlaOp zero = U32Constant(key, 0);
  // Each 32-bit word of the key fills 64 bits of the counter.
  const Words4 bits =
      Philox({words[0], zero, words[1], zero},
             {U32Constant(key, 0x3EC8F720), U32Constant(key, 0x02461E29)});
  return {ConcatScalars(key.builder(),
                        {U64Constant(key, 0), Join(bits[2], bits[3])}),
          Join(bits[0], bits[1])};
}

RngOutput UniformFloatingPointDistribution(XlaOp key, XlaOp initial_state,
                                           BitGeneratorTy bit_generator,
                                           XlaOp minval, XlaOp maxval,
                                           const Shape& shape) {
  const RngOutput bits = bit_generator(key, initial_state, shape);
  return {key.builder()->ReportErrorOrReturn(
              [&] { return UniformReal(bits.value, minval, maxval); }),
          bits.state};
}

RngOutput UniformIntDistribution(XlaOp key, XlaOp initial_state,
                                 BitGeneratorTy bit_generator, XlaOp minval,
                                 XlaOp maxval, const Shape& shape) {
  const PrimitiveType type = shape.element_type();
  if (type != U32 && type != S32 && type != U64 && type != S64) {
    return {key.builder()->ReportError(RuleError(
                "uniform_c1", absl::StrCat("no uniform integers for ",
                                           ShapeUtil::HumanString(shape)))),
            initial_state};
  }
  const RngOutput bits = bit_generator(key, initial_state, shape);
  const PrimitiveType unsigned_type = type == U32 || type == S32 ? U32 : U64;
  XlaOp range = Sub(BitcastConvertType(maxval, unsigned_type),
                    BitcastConvertType(minval, unsigned_type));
  XlaOp offset = Rem(bits.value, range);
  // Add in two steps, each of which fits the signed type.
  XlaOp half = ShiftRightLogical(
      offset, ConstantR0WithType(key.builder(), unsigned_type, 1));
  return {Add(Add(minval, BitcastConvertType(half, type)),
              BitcastConvertType(Sub(offset, half), type)),
          bits.state};
}

RngOutput NormalFloatingPointDistribution(XlaOp key, XlaOp initial_state,
                                          BitGeneratorTy bit_generator,
                                          const Shape& shape) {
  XlaBuilder* builder = key.builder();
  const PrimitiveType type = shape.element_type();
  if (type != F16 && type != F32 && type != F64) {
    // normal_c1: F16, F32 or F64.
    return {builder->ReportError(RuleError(
                "normal_c1", absl::StrCat("no normal numbers for ",
                                          ShapeUtil::HumanString(shape)))),
            initial_state};
  }
  const Halves halves = HalvesOf(shape);
  const RngOutput uniform = UniformFloatingPointDistribution(
      key, initial_state, bit_generator, Zero(builder, type),
      One(builder, type), ShapeUtil::MakeShape(type, halves.both));
  auto part = [&](int64_t i) {
    return SliceInDim(uniform.value, i, i + 1, 1, halves.dimension);
  };
  // Zero has no logarithm.
  XlaOp radius = Max(part(0), ConstantR0WithType(builder, type, 1.0e-7f));
  radius = Sqrt(Mul(ConstantR0WithType(builder, type, -2.0), Log(radius)));
  XlaOp angle =
      Mul(ConstantR0WithType(builder, type, 2 * std::numbers::pi), part(1));
  return {Combine({Mul(Sin(angle), radius), Mul(Cos(angle), radius)}, halves,
                  shape),
          uniform.state};
}

XlaOp ConcatScalars(XlaBuilder* builder, absl::Span<const XlaOp> scalars) {
  std::vector<XlaOp> vectors;
  for (XlaOp scalar : scalars) vectors.push_back(Reshape(scalar, {1}));
  return ConcatInDim(builder, vectors, 0);
}

XlaOp PhiloxIncreaseCounter(XlaOp counter, XlaOp delta) {
  const Words2 sum = AddTo(PhiloxState(counter), delta, {});
  return ConcatScalars(counter.builder(), sum);
}

}  // namespace xla
