// Cody and Waite's reduction for ordinary arguments: subtract n times pi in
// parts short enough for the first products to be exact. Large arguments go
// to large_trig_reduction.cc.
#include "xla/backends/cpu/codegen/math/trig_reduction.h"

#include <string>

#include "llvm/IR/Constants.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Module.h"

namespace xla::cpu {
namespace {

using llvm::Value;

// pi in parts: f32 24 bits each (fma makes the products exact), f64 33 bits
// each and the rest.
constexpr double kPiF32[] = {0x1.921fb4p+1, 0x1.4442dp-23, 0x1.846988p-47};
constexpr double kPiF64[] = {0x1.921fb544p+1, 0x1.0b4611a6p-33, 0x1.3198a2ep-68,
                             0x1.b839a252049c1p-103};
constexpr double kOneOverPi = 0x1.45f306dc9c883p-2;

TrigParts ReduceOrdinary(FloatLanes& l, Value* a, TrigUnit unit) {
  const bool shifted = unit == TrigUnit::kPiShifted;
  const double scale = unit == TrigUnit::kHalfPi ? 0.5 : 1;
  Value* inverse = l.C(kOneOverPi / scale);
  Value* magic = l.C(l.Magic());
  Value* rounded = shifted ? l.Add(l.Fma(a, inverse, l.C(0.5)), magic)
                           : l.Fma(a, inverse, magic);
  Value* n = l.Sub(rounded, magic);
  if (shifted) n = l.Sub(n, l.C(0.5));
  llvm::ArrayRef<double> pi = kPiF32;
  if (l.is_double()) pi = kPiF64;
  Value* r = l.Fma(n, l.C(-pi.front() * scale), a);
  Value* last = l.C(-pi.back() * scale);
  pi = pi.drop_front().drop_back();
  if (unit != TrigUnit::kHalfPi) {
    for (double part : pi) r = l.Fma(n, l.C(-part * scale), r);
    return {l.Fma(n, last, r), nullptr, l.Bits(rounded)};
  }
  Value* r_lo = l.C(0);
  for (double part : pi) {
    const HiLo product = l.TwoProduct(n, l.C(-part * scale));
    const HiLo sum = l.TwoSum(r, product.hi);
    r_lo = l.Add(r_lo, l.Add(sum.lo, product.lo));
    r = sum.hi;
  }
  return {r, l.Fma(n, last, r_lo), l.Bits(rounded)};
}

// Copies the attributes of `from` that decide on registers and instructions.
void CopyTargetAttributes(const llvm::Function& from, llvm::Function& to) {
  for (const char* name : {"target-cpu", "target-features",
                           "prefer-vector-width", "min-legal-vector-width"}) {
    const llvm::Attribute value = from.getFnAttribute(name);
    if (value.isValid()) to.addFnAttr(value);
  }
}

// {r, r_lo, n} of the scalar `a`, which is at least the limit. `exact_in_f32`:
// an f64 is one.
Value* ReduceLargeLane(FloatLanes& l, llvm::StructType* result, Value* a,
                       TrigUnit unit, bool exact_in_f32) {
  llvm::IRBuilderBase& b = l.b();
  TrigParts parts =
      exact_in_f32
          ? ReduceLargeFloatTrig(l, a, unit)
          : ReduceLargeTrig(l, l.is_double() ? a : l.ToDouble(a), unit);
  parts.r_lo = l.C(0);
  if (!l.is_double()) {
    Value* r = l.ToFloat(parts.r);
    parts.r_lo = l.ToFloat(b.CreateFSub(parts.r, l.ToDouble(r)));
    parts.r = r;
    parts.n = b.CreateTrunc(parts.n, l.int_type());
  }
  Value* all = llvm::PoisonValue::get(result);
  all = b.CreateInsertValue(all, parts.r, 0);
  all = b.CreateInsertValue(all, parts.r_lo, 1);
  return b.CreateInsertValue(all, parts.n, 2);
}

// Computes that for each lane of `a`, in a loop over lanes in memory.
Value* ReduceLargeLanes(FloatLanes& l, llvm::StructType* result, Value* a,
                        TrigUnit unit, bool exact_in_f32) {
  llvm::IRBuilderBase& b = l.b();
  FloatLanes lane(b, l.options(), l.type()->getScalarType());
  auto* of_lane =
      llvm::StructType::get(lane.type(), lane.type(), lane.int_type());
  Value* argument = b.CreateAlloca(l.type());
  Value* parts[3];
  for (unsigned part = 0; part < 3; ++part) {
    parts[part] = b.CreateAlloca(result->getElementType(part));
  }
  b.CreateStore(a, argument);
  llvm::BasicBlock* entry = b.GetInsertBlock();
  llvm::Function* function = entry->getParent();
  auto* loop = llvm::BasicBlock::Create(b.getContext(), "lane", function);
  auto* done = llvm::BasicBlock::Create(b.getContext(), "done", function);
  b.CreateBr(loop);
  b.SetInsertPoint(loop);
  llvm::PHINode* i = b.CreatePHI(b.getInt64Ty(), 2);
  Value* value =
      b.CreateLoad(lane.type(), b.CreateInBoundsGEP(lane.type(), argument, i));
  Value* all = ReduceLargeLane(lane, of_lane, value, unit, exact_in_f32);
  for (unsigned part = 0; part < 3; ++part) {
    b.CreateStore(
        b.CreateExtractValue(all, part),
        b.CreateInBoundsGEP(of_lane->getElementType(part), parts[part], i));
  }
  Value* next = b.CreateAdd(i, b.getInt64(1));
  i->addIncoming(b.getInt64(0), entry);
  i->addIncoming(next, b.GetInsertBlock());
  b.CreateCondBr(b.CreateICmpULT(next, b.getInt64(l.lanes())), loop, done);
  b.SetInsertPoint(done);
  all = llvm::PoisonValue::get(result);
  for (unsigned part = 0; part < 3; ++part) {
    all = b.CreateInsertValue(
        all, b.CreateLoad(result->getElementType(part), parts[part]), part);
  }
  return all;
}

// The module's function from a, at least the limit, to {r, r_lo, n}. It is too
// long to repeat at each use. It takes one lane at a time because it runs
// rarely, and LLVM takes a hundred times as long to compile its integers in
// vectors.
llvm::Function* LargeFunction(FloatLanes& l, TrigUnit unit,
                              bool exact_in_f32 = false) {
  llvm::IRBuilderBase& b = l.b();
  llvm::Function& caller = *b.GetInsertBlock()->getParent();
  llvm::Module& module = *caller.getParent();
  const char* units[] = {"pi", "shifted_pi", "half_pi"};
  const std::string name = std::string("math_reduce_") +
                           units[static_cast<int>(unit)] +
                           (exact_in_f32    ? "_f32_in_f64_"
                            : l.is_double() ? "_f64_"
                                            : "_f32_") +
                           std::to_string(l.lanes());
  if (llvm::Function* known = module.getFunction(name)) return known;
  auto* result = llvm::StructType::get(l.type(), l.type(), l.int_type());
  auto* function =
      llvm::Function::Create(llvm::FunctionType::get(result, {l.type()}, false),
                             llvm::Function::InternalLinkage, name, module);
  CopyTargetAttributes(caller, *function);
  function->addFnAttr(llvm::Attribute::NoInline);
  function->addFnAttr(llvm::Attribute::NoUnwind);
  llvm::IRBuilderBase::InsertPointGuard guard(b);
  b.SetInsertPoint(
      llvm::BasicBlock::Create(module.getContext(), "entry", function));
  Value* a = function->getArg(0);
  b.CreateRet(l.lanes() == 0
                  ? ReduceLargeLane(l, result, a, unit, exact_in_f32)
                  : ReduceLargeLanes(l, result, a, unit, exact_in_f32));
  return function;
}

}  // namespace

TrigParts ReduceFloatTrig(FloatLanes& narrow, FloatLanes& wide, Value* x,
                          TrigUnit unit) {
  // The two parts leave out 2^-107 of pi: up to the limit, where 2^29 periods
  // are subtracted, the remainder is exact to f64's precision. Without fma, the
  // first part has 33 bits, so that its product with up to 2^20 is exact, and
  // the error of the second one's, 2^-67, is far below the least remainder of
  // an f32.
  constexpr double kPiFused[] = {0x1.921fb54442d18p+1, 0x1.1a62633145c07p-53};
  constexpr double kPiExact[] = {0x1.921fb544p+1, 0x1.0b4611a626331p-33};
  const bool fused = wide.options().has_fma;
  const double* const pi = fused ? kPiFused : kPiExact;
  const bool shifted = unit == TrigUnit::kPiShifted;
  FloatLanes& l = wide;
  Value* a = l.ToDouble(x);
  Value* magic = l.C(l.Magic());
  Value* rounded = shifted ? l.Add(l.Fma(a, l.C(kOneOverPi), l.C(0.5)), magic)
                           : l.Fma(a, l.C(kOneOverPi), magic);
  Value* n = l.Sub(rounded, magic);
  if (shifted) n = l.Sub(n, l.C(0.5));
  Value* common_r = l.Fma(n, l.C(-pi[1]), l.Fma(n, l.C(-pi[0]), a));
  Value* common_n = l.Bits(rounded);

  Value* limit = narrow.C(fused ? 0x1p30 : 0x1p20);
  Value* size = narrow.Abs(x);
  Value* is_large = narrow.Gt(size, limit);
  RareBranch branch(l.b(), narrow.Any(is_large));
  Value* argument = l.ToDouble(narrow.Select(is_large, size, limit));
  Value* large = l.b().CreateCall(LargeFunction(l, unit, /*exact_in_f32=*/true),
                                  {argument});
  Value* large_r = l.b().CreateExtractValue(large, 0);
  if (!shifted) large_r = l.FlipSign(large_r, l.SignBit(a));
  Value* r = l.Select(is_large, large_r, common_r);
  Value* large_n = l.b().CreateExtractValue(large, 2);
  n = l.Select(is_large, large_n, common_n);
  TrigParts parts;
  parts.r = branch.Join(common_r, r);
  parts.r_lo = nullptr;
  parts.n = branch.Join(common_n, n);
  branch.Finish();
  return parts;
}

TrigParts ReduceTrig(FloatLanes& l, Value* a, TrigUnit unit) {
  const TrigParts common = ReduceOrdinary(l, a, unit);
  Value* limit = l.C(0x1p15, 0x1p20);
  Value* is_large = l.Gt(a, limit);
  RareBranch branch(l.b(), l.Any(is_large));
  Value* argument = l.Select(is_large, a, limit);
  Value* large = l.b().CreateCall(LargeFunction(l, unit), {argument});
  auto blend = [&](unsigned part, Value* ordinary) {
    Value* of_large = l.b().CreateExtractValue(large, part);
    return l.Select(is_large, of_large, ordinary);
  };
  const bool two_parts = common.r_lo != nullptr;
  Value* r = blend(0, common.r);
  Value* r_lo = two_parts ? blend(1, common.r_lo) : nullptr;
  Value* n = blend(2, common.n);
  TrigParts parts;
  parts.r = branch.Join(common.r, r);
  parts.n = branch.Join(common.n, n);
  parts.r_lo = two_parts ? branch.Join(common.r_lo, r_lo) : nullptr;
  branch.Finish();
  return parts;
}

}  // namespace xla::cpu
