// Unrolls the rounds of the generators.
#include "xla/hlo/transforms/random/random_bits.h"

#include "xla/base/checked_math.h"

namespace xla {
namespace {

using Hlo = HloInstruction*;

Hlo ShiftRight(HloBuilder& emit, Hlo x, int64_t bits) {
  return emit.Binary(HloOpcode::kShiftRightLogical, x,
                     emit.IntegerLike(x, bits));
}

Hlo ShiftLeft(HloBuilder& emit, Hlo x, int64_t bits) {
  return emit.Binary(HloOpcode::kShiftLeft, x, emit.IntegerLike(x, bits));
}

Hlo Xor(HloBuilder& emit, Hlo x, Hlo y) {
  return emit.Binary(HloOpcode::kXor, x, y);
}

Hlo RotateLeft(HloBuilder& emit, Hlo x, int bits) {
  return emit.Binary(HloOpcode::kOr, ShiftLeft(emit, x, bits),
                     ShiftRight(emit, x, 32 - bits));
}

struct Halves {
  Hlo low, high;
};

Halves Split(HloBuilder& emit, Hlo x) {
  return {emit.Convert(x, U32), emit.Convert(ShiftRight(emit, x, 32), U32)};
}

Halves WideProduct(HloBuilder& emit, Hlo x, uint32_t factor) {
  Hlo wide = emit.Convert(x, U64);
  return Split(emit, emit.Times(wide, emit.IntegerLike(wide, factor)));
}

// Broadcasts a scalar to the dimensions of `like`.
Hlo Everywhere(HloBuilder& emit, Hlo scalar, Hlo like) {
  return emit.Splat(scalar, like->shape().dimensions());
}

// Puts the words of each count side by side: [blocks, per block].
Hlo Interleave(HloBuilder& emit, std::vector<Hlo> words, int64_t n) {
  const int64_t blocks = words[0]->shape().dimensions(0);
  for (Hlo& word : words) word = emit.Reshape(word, {blocks, 1});
  const int64_t per_block = words.size();
  Hlo all = emit.Reshape(emit.Concatenate(words, 1), {blocks * per_block});
  return emit.SliceDim(all, 0, 0, n);
}

// Returns the words of ceil(n / per_block) counts.
std::array<Hlo, 4> Blocks(HloBuilder& emit, int64_t n, int64_t per_block,
                          Hlo low, Hlo high, Hlo key) {
  const int64_t blocks = CeilOfRatio(n, per_block);
  Hlo count = emit.Iota(U64, {blocks}, 0);
  Hlo first = Everywhere(emit, low, count);
  Hlo low_sum = emit.Plus(first, count);
  Hlo carry =
      emit.Convert(emit.Compare(ComparisonDirection::kLt, low_sum, first), U64);
  Hlo high_sum = emit.Plus(Everywhere(emit, high, count), carry);
  return EmitPhilox(emit, low_sum, high_sum, key);
}

}  // namespace

Hlo JoinWords(HloBuilder& emit, Hlo low, Hlo high) {
  return emit.Binary(HloOpcode::kOr, emit.Convert(low, U64),
                     ShiftLeft(emit, emit.Convert(high, U64), 32));
}

std::array<Hlo, 4> EmitPhilox(HloBuilder& emit, Hlo low, Hlo high, Hlo key) {
  const Halves lows = Split(emit, low), highs = Split(emit, high);
  const Halves keys = Split(emit, key);
  std::array<Hlo, 4> x = {lows.low, lows.high, highs.low, highs.high};
  Hlo key0 = keys.low, key1 = keys.high;
  Hlo step0 = emit.Integer(U32, 0x9E3779B9);
  Hlo step1 = emit.Integer(U32, 0xBB67AE85);
  for (int round = 0; round < 10; ++round) {
    if (round > 0) {
      key0 = emit.Plus(key0, step0);
      key1 = emit.Plus(key1, step1);
    }
    const Halves product0 = WideProduct(emit, x[0], 0xD2511F53);
    const Halves product1 = WideProduct(emit, x[2], 0xCD9E8D57);
    x = {Xor(emit, Xor(emit, product1.high, x[1]), Everywhere(emit, key0, low)),
         product1.low,
         Xor(emit, Xor(emit, product0.high, x[3]), Everywhere(emit, key1, low)),
         product0.low};
  }
  return x;
}

std::array<Hlo, 2> EmitThreeFry(HloBuilder& emit, Hlo counter, Hlo key) {
  constexpr int kRotations[2][4] = {{13, 15, 26, 6}, {17, 29, 16, 24}};
  const Halves halves = Split(emit, counter), key_halves = Split(emit, key);
  Hlo keys[3] = {key_halves.low, key_halves.high, nullptr};
  keys[2] =
      Xor(emit, Xor(emit, keys[0], keys[1]), emit.Integer(U32, 0x1BD11BDA));
  Hlo x0 = emit.Plus(halves.low, Everywhere(emit, keys[0], counter));
  Hlo x1 = emit.Plus(halves.high, Everywhere(emit, keys[1], counter));
  for (int group = 0; group < 5; ++group) {
    for (int rotation : kRotations[group % 2]) {
      x0 = emit.Plus(x0, x1);
      x1 = Xor(emit, RotateLeft(emit, x1, rotation), x0);
    }
    x0 = emit.Plus(x0, Everywhere(emit, keys[(group + 1) % 3], counter));
    Hlo injected =
        emit.Plus(keys[(group + 2) % 3], emit.Integer(U32, group + 1));
    x1 = emit.Plus(x1, Everywhere(emit, injected, counter));
  }
  return {x0, x1};
}

Hlo EmitPhiloxWords64(HloBuilder& emit, int64_t n, Hlo low, Hlo high, Hlo key) {
  const auto x = Blocks(emit, n, 2, low, high, key);
  return Interleave(
      emit, {JoinWords(emit, x[0], x[1]), JoinWords(emit, x[2], x[3])}, n);
}

Hlo EmitPhiloxWords32(HloBuilder& emit, int64_t n, Hlo low, Hlo high, Hlo key) {
  const auto x = Blocks(emit, n, 4, low, high, key);
  return Interleave(emit, {x[0], x[1], x[2], x[3]}, n);
}

}  // namespace xla
