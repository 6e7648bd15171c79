// Comparisons of elements.
#include "xla/backends/cpu/codegen/elementwise/families.h"
#include "xla/backends/cpu/codegen/elementwise/values.h"

namespace xla::cpu {
namespace {

using Predicate = llvm::CmpInst::Predicate;

Predicate FloatPredicate(ComparisonDirection direction) {
  switch (direction) {
    case ComparisonDirection::kEq:
      return Predicate::FCMP_OEQ;
    case ComparisonDirection::kNe:
      return Predicate::FCMP_UNE;
    case ComparisonDirection::kGe:
      return Predicate::FCMP_OGE;
    case ComparisonDirection::kGt:
      return Predicate::FCMP_OGT;
    case ComparisonDirection::kLe:
      return Predicate::FCMP_OLE;
    case ComparisonDirection::kLt:
      return Predicate::FCMP_OLT;
  }
  return Predicate::BAD_FCMP_PREDICATE;
}

Predicate IntPredicate(ComparisonDirection direction, bool is_signed) {
  switch (direction) {
    case ComparisonDirection::kEq:
      return Predicate::ICMP_EQ;
    case ComparisonDirection::kNe:
      return Predicate::ICMP_NE;
    case ComparisonDirection::kGe:
      return is_signed ? Predicate::ICMP_SGE : Predicate::ICMP_UGE;
    case ComparisonDirection::kGt:
      return is_signed ? Predicate::ICMP_SGT : Predicate::ICMP_UGT;
    case ComparisonDirection::kLe:
      return is_signed ? Predicate::ICMP_SLE : Predicate::ICMP_ULE;
    case ComparisonDirection::kLt:
      return is_signed ? Predicate::ICMP_SLT : Predicate::ICMP_ULT;
  }
  return Predicate::BAD_ICMP_PREDICATE;
}

// Maps bits to integers that are ordered like the floats' total order: negative
// numbers, whose larger bit pattern is the lesser number, count down from -1.
llvm::Value* TotalOrderKey(llvm::IRBuilder<>& b, llvm::Value* x) {
  const int width = BitsOf(x);
  llvm::Value* bits = b.CreateBitCast(x, IntLike(b, x, width));
  llvm::Value* flipped = b.CreateLShr(b.CreateAShr(bits, width - 1), 1);
  return b.CreateXor(bits, flipped);
}

}  // namespace

llvm::Value* EmitCompare(llvm::IRBuilder<>& b, ComparisonDirection direction,
                         bool is_signed, bool total, const Element& x,
                         const Element& y) {
  const bool is_float = x.value->getType()->isFPOrFPVectorTy();
  if (x.imag != nullptr) {
    llvm::Value* real =
        b.CreateFCmp(FloatPredicate(direction), x.value, y.value);
    llvm::Value* imag = b.CreateFCmp(FloatPredicate(direction), x.imag, y.imag);
    if (direction == ComparisonDirection::kEq) return b.CreateAnd(real, imag);
    if (direction == ComparisonDirection::kNe) return b.CreateOr(real, imag);
    return nullptr;
  }
  if (total) {
    return b.CreateICmp(IntPredicate(direction, true),
                        TotalOrderKey(b, x.value), TotalOrderKey(b, y.value));
  }
  if (is_float) {
    return b.CreateFCmp(FloatPredicate(direction), x.value, y.value);
  }
  return b.CreateICmp(IntPredicate(direction, is_signed), x.value, y.value);
}

}  // namespace xla::cpu
