// Payne and Hanek's reduction: computes, in integers, only the 128 bits after
// the binary point of the product of a large argument with 1/(2 pi); 64 of them
// for f32.
#include <array>

#include "llvm/IR/Constants.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Module.h"
#include "xla/backends/cpu/codegen/math/trig_reduction.h"

namespace xla::cpu {
namespace {

using llvm::Value;

// 64 zero bits, then the bits of 2/pi = 0.a2f9836e...
constexpr uint32_t kTwoOverPi[] = {
    0x00000000, 0x00000000, 0xa2f9836e, 0x4e441529, 0xfc2757d1, 0xf534ddc0,
    0xdb629599, 0x3c439041, 0xfe5163ab, 0xdebbc561, 0xb7246e3a, 0x424dd2e0,
    0x06492eea, 0x09d1921c, 0xfe1deb1c, 0xb129a73e, 0xe88235f5, 0x2ebb4484,
    0xe99c7026, 0xb45f7e41, 0x3991d639, 0x835339f4, 0x9c845f8b, 0xbdf9283b,
    0x1ff897ff, 0xde05980f, 0xef2f118b, 0x5a0a6d1f, 0x6d367ecf, 0x27cb09b7,
    0x4f463f66, 0x9e5fea2d, 0x7527bac7, 0xebe5f17b, 0x3d0739f7, 0x8a5292ea,
    0x6bfb5fb1, 0x1f8d5d08, 0x56033046, 0xfc7b6bab, 0xf0cfbc20, 0x9af4361d};
constexpr double kPi = 0x1.921fb54442d18p+1;

llvm::GlobalVariable* TwoOverPi(llvm::IRBuilderBase& b) {
  return ConstantTable(
      b, llvm::ConstantDataArray::get(b.getContext(),
                                      llvm::ArrayRef<uint32_t>(kTwoOverPi)));
}

// Operations on i64 lanes.
class Words {
 public:
  explicit Words(FloatLanes& l) : l_(l), b_(l.b()) {
    type_ = l.WithLanes(b_.getInt64Ty());
  }
  Value* C(uint64_t value) { return llvm::ConstantInt::get(type_, value); }
  Value* Low32(Value* x) { return b_.CreateAnd(x, C(0xffffffffu)); }
  Value* High32(Value* x) { return b_.CreateLShr(x, C(32)); }

  // The table's word at `index` + `offset`, zero-extended.
  Value* Load(Value* index, unsigned offset) {
    Value* at = b_.CreateAdd(index, C(offset));
    llvm::Type* i32 = b_.getInt32Ty();
    Value* address = b_.CreateGEP(i32, TwoOverPi(b_), at);
    const llvm::Align align(4);
    if (l_.lanes() == 0) {
      return b_.CreateZExt(b_.CreateAlignedLoad(i32, address, align), type_);
    }
    llvm::Type* words = l_.WithLanes(i32);
    Value* loaded = b_.CreateMaskedGather(words, address, align);
    return b_.CreateZExt(loaded, type_);
  }

  // A number below 2^32 as f64.
  Value* ToDouble(Value* x) {
    llvm::Type* type = l_.WithLanes(b_.getDoubleTy());
    Value* bits = b_.CreateOr(x, C(0x4330000000000000u));
    return b_.CreateFSub(b_.CreateBitCast(bits, type),
                         llvm::ConstantFP::get(type, 0x1p52));
  }

 private:
  FloatLanes& l_;
  llvm::IRBuilderBase& b_;
  llvm::Type* type_;
};

// 128 bits after the binary point, as two halves.
struct Fraction {
  Value* high;
  Value* low;
};

// kCount words of 32 bits of 2/pi, from bit `start` on.
template <size_t kCount>
std::array<Value*, kCount> WordsFrom(llvm::IRBuilderBase& b, Words& w,
                                     Value* start) {
  Value* index = b.CreateLShr(start, w.C(5));
  Value* shift = b.CreateSub(w.C(32), b.CreateAnd(start, w.C(31)));
  std::array<Value*, kCount> window;
  Value* word = w.Load(index, 0);
  for (unsigned i = 0; i < window.size(); ++i) {
    Value* next = w.Load(index, i + 1);
    Value* pair = b.CreateOr(b.CreateShl(word, w.C(32)), next);
    window[i] = w.Low32(b.CreateLShr(pair, shift));
    word = next;
  }
  return window;
}

// The fraction of a / (2 pi).
Fraction TurnsOf(FloatLanes& l, Value* a_bits) {
  llvm::IRBuilderBase& b = l.b();
  Words w(l);
  Value* field = b.CreateLShr(a_bits, w.C(52));
  Value* mantissa =
      b.CreateOr(b.CreateAnd(a_bits, w.C((uint64_t{1} << 52) - 1)),
                 w.C(uint64_t{1} << 52));
  // a = mantissa * 2^(field - 1075). Bits of 2/pi before `start` only add whole
  // turns; two more bits are skipped because a turn is 4 times pi/2.
  Value* start = b.CreateSub(field, w.C(1075 + 2 - 64));
  const auto window = WordsFrom<6>(b, w, start);
  // Schoolbook product, 32 bits at a time, from the least significant.
  Value* m0 = w.Low32(mantissa);
  Value* m1 = w.High32(mantissa);
  std::array<Value*, 6> digits;
  Value* carry = w.C(0);
  for (unsigned i = window.size(); i-- > 0;) {
    Value* sum = b.CreateAdd(b.CreateMul(m0, window[i]), carry);
    Value* second = w.Low32(sum);
    if (i + 1 < window.size()) {
      second = b.CreateAdd(second, b.CreateMul(m1, window[i + 1]));
    }
    digits[i] = w.Low32(second);
    carry = b.CreateAdd(w.High32(sum), w.High32(second));
  }
  auto join = [&](Value* high, Value* low) {
    return b.CreateOr(b.CreateShl(high, w.C(32)), low);
  };
  return {join(digits[0], digits[1]), join(digits[2], digits[3])};
}

// Twice the fraction, without its integer part.
Fraction Doubled(FloatLanes& l, Fraction x) {
  llvm::IRBuilderBase& b = l.b();
  Words w(l);
  Value* carry = b.CreateLShr(x.low, w.C(63));
  return {b.CreateOr(b.CreateShl(x.high, w.C(1)), carry),
          b.CreateShl(x.low, w.C(1))};
}

// A signed fraction in [-1/2, 1/2) as f64, with full relative precision.
Value* SignedToDouble(FloatLanes& l, Fraction x) {
  llvm::IRBuilderBase& b = l.b();
  Words w(l);
  Value* negative = b.CreateICmpSLT(x.high, w.C(0));
  Value* borrow =
      b.CreateZExt(b.CreateICmpEQ(x.low, w.C(0)), x.high->getType());
  Value* minus_high = b.CreateAdd(b.CreateNot(x.high), borrow);
  Value* high = b.CreateSelect(negative, minus_high, x.high);
  Value* low = b.CreateSelect(negative, b.CreateNeg(x.low), x.low);
  // Sums from the small end, so that leading zero words leave no rounding
  // error.
  Value* sum = nullptr;
  double weight = 0x1p-128;
  for (Value* word :
       {w.Low32(low), w.High32(low), w.Low32(high), w.High32(high)}) {
    Value* digit = w.ToDouble(word);
    llvm::Type* type = digit->getType();
    Value* term = b.CreateFMul(digit, llvm::ConstantFP::get(type, weight));
    sum = sum == nullptr ? term : b.CreateFAdd(sum, term);
    weight *= 0x1p32;
  }
  return b.CreateSelect(negative, b.CreateFNeg(sum), sum);
}

// The first 64 bits of the fraction of a / (2 pi), where a is an f32. They are
// enough: no f32 is closer to a multiple of pi than some 2^-30.
Value* TurnsOfFloat(FloatLanes& l, Value* a_bits) {
  llvm::IRBuilderBase& b = l.b();
  Words w(l);
  Value* field = b.CreateLShr(a_bits, w.C(52));
  Value* mantissa =
      b.CreateOr(b.CreateAnd(b.CreateLShr(a_bits, w.C(29)), w.C((1 << 23) - 1)),
                 w.C(1 << 23));
  // As in TurnsOf, with a = mantissa * 2^(field - 1046). The product with what
  // follows the three words is below the last bit.
  Value* start = b.CreateSub(field, w.C(1046 + 2 - 64));
  const auto window = WordsFrom<3>(b, w, start);
  Value* high = b.CreateShl(b.CreateMul(mantissa, window[0]), w.C(32));
  Value* low = w.High32(b.CreateMul(mantissa, window[2]));
  return b.CreateAdd(b.CreateAdd(high, b.CreateMul(mantissa, window[1])), low);
}

}  // namespace

TrigParts ReduceLargeFloatTrig(FloatLanes& l, Value* a, TrigUnit unit) {
  llvm::IRBuilderBase& b = l.b();
  Words w(l);
  llvm::Type* type = a->getType();
  Value* turns =
      TurnsOfFloat(l, b.CreateBitCast(a, l.WithLanes(b.getInt64Ty())));
  if (unit == TrigUnit::kPiShifted) {
    turns = b.CreateAdd(turns, w.C(uint64_t{1} << 62));
  }
  Value* rest = b.CreateShl(turns, w.C(1));
  Value* n = b.CreateLShr(b.CreateXor(turns, rest), w.C(63));
  Value* r = b.CreateFMul(b.CreateSIToFP(rest, type),
                          llvm::ConstantFP::get(type, kPi * 0x1p-64));
  r = b.CreateFAdd(r, b.CreateFSub(a, a));
  return {r, nullptr, n};
}

TrigParts ReduceLargeTrig(FloatLanes& l, Value* a, TrigUnit unit) {
  llvm::IRBuilderBase& b = l.b();
  Words w(l);
  llvm::Type* type = a->getType();
  Fraction turns = TurnsOf(l, b.CreateBitCast(a, l.WithLanes(b.getInt64Ty())));
  if (unit == TrigUnit::kPiShifted) {
    turns.high = b.CreateAdd(turns.high, w.C(uint64_t{1} << 62));
  }
  if (unit == TrigUnit::kHalfPi) turns = Doubled(l, turns);
  // The top bit counts units; the rest is rounded to the nearest.
  const Fraction rest = Doubled(l, turns);
  Value* n = b.CreateLShr(b.CreateXor(turns.high, rest.high), w.C(63));
  const double size = unit == TrigUnit::kHalfPi ? kPi / 2 : kPi;
  Value* r =
      b.CreateFMul(SignedToDouble(l, rest), llvm::ConstantFP::get(type, size));
  // Gives NaN for infinity and NaN, whose bits are not digits.
  r = b.CreateFAdd(r, b.CreateFSub(a, a));
  return {r, nullptr, n};
}

}  // namespace xla::cpu
