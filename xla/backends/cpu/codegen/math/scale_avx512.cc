// x * 2^n by AVX-512's vscalef: one instruction for what takes eight others.
#include <algorithm>
#include <vector>

#include "llvm/IR/Constants.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/IntrinsicsX86.h"
#include "xla/backends/cpu/codegen/math/exp_parts.h"

namespace xla::cpu {
namespace {

using llvm::Value;

llvm::Intrinsic::ID IntrinsicOf(bool is_double, unsigned bits) {
  switch (bits) {
    case 128:
      return is_double ? llvm::Intrinsic::x86_avx512_mask_scalef_pd_128
                       : llvm::Intrinsic::x86_avx512_mask_scalef_ps_128;
    case 256:
      return is_double ? llvm::Intrinsic::x86_avx512_mask_scalef_pd_256
                       : llvm::Intrinsic::x86_avx512_mask_scalef_ps_256;
    default:
      return is_double ? llvm::Intrinsic::x86_avx512_mask_scalef_pd_512
                       : llvm::Intrinsic::x86_avx512_mask_scalef_ps_512;
  }
}

// One instruction on a full register of `bits`.
Value* ScaleRegister(FloatLanes& l, Value* x, Value* n, unsigned bits) {
  llvm::IRBuilderBase& b = l.b();
  const unsigned lanes = bits / (l.is_double() ? 64 : 32);
  llvm::Type* mask = b.getIntNTy(std::max(lanes, 8u));
  std::vector<Value*> args = {x, n, x, llvm::Constant::getAllOnesValue(mask)};
  if (bits == 512) args.push_back(b.getInt32(4));  // the current rounding mode
  return b.CreateIntrinsic(IntrinsicOf(l.is_double(), bits), {}, args);
}

// Lanes [begin, begin + count) of x; those past its end are undefined.
Value* Slice(FloatLanes& l, Value* x, unsigned begin, unsigned count) {
  std::vector<int> lanes(count, -1);
  for (unsigned i = 0; i < count && begin + i < l.lanes(); ++i) {
    lanes[i] = static_cast<int>(begin + i);
  }
  return l.b().CreateShuffleVector(x, lanes);
}

Value* ScaleScalar(FloatLanes& l, Value* x, Value* n) {
  llvm::IRBuilderBase& b = l.b();
  const unsigned lanes = l.is_double() ? 2 : 4;
  llvm::Type* type = llvm::FixedVectorType::get(l.type(), lanes);
  auto in_first = [&](Value* v) {
    return b.CreateInsertElement(llvm::PoisonValue::get(type), v, uint64_t{0});
  };
  Value* scaled = ScaleRegister(l, in_first(x), in_first(n), 128);
  return b.CreateExtractElement(scaled, uint64_t{0});
}

}  // namespace

Value* ScaleByInstruction(FloatLanes& l, Value* x, Value* n) {
  if (l.lanes() == 0) return ScaleScalar(l, x, n);
  const unsigned lane_bits = l.is_double() ? 64 : 32;
  const unsigned bits = l.lanes() * lane_bits;
  const unsigned piece_bits = bits <= 128 ? 128 : bits <= 256 ? 256 : 512;
  const unsigned piece = piece_bits / lane_bits;
  if (piece == l.lanes()) return ScaleRegister(l, x, n, piece_bits);
  // Other widths: register by register, put together again lane by lane.
  Value* result = nullptr;
  for (unsigned begin = 0; begin < l.lanes(); begin += piece) {
    Value* part = ScaleRegister(l, Slice(l, x, begin, piece),
                                Slice(l, n, begin, piece), piece_bits);
    std::vector<int> spread(l.lanes());
    for (unsigned i = 0; i < l.lanes(); ++i) {
      const bool here = i >= begin && i < begin + piece;
      spread[i] = here ? static_cast<int>(i - begin) : -1;
    }
    part = l.b().CreateShuffleVector(part, spread);
    if (result == nullptr) {
      result = part;
      continue;
    }
    std::vector<int> blend(l.lanes());
    for (unsigned i = 0; i < l.lanes(); ++i) {
      blend[i] = static_cast<int>(i < begin ? i : i + l.lanes());
    }
    result = l.b().CreateShuffleVector(result, part, blend);
  }
  return result;
}

}  // namespace xla::cpu
