// Element-wise ops, and their effect on ranges, grids and errors.
#include "tests/fuzz/families/program_elementwise.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "xla/core/primitive_util.h"
#include "xla/hlo/builder/emit.h"
#include "xla/hlo/ops/elementwise/elementwise_unary.h"
#include "xla/hlo/ops/op_def.h"

namespace xla::fuzz {
namespace {

bool IsComplex(PrimitiveType type) {
  return primitive_util::IsComplexType(type);
}

// --- Arithmetic of floats and complex numbers.

// Functions with one correct rounding may take any operands if they are
// results.
Knowledge OneRounding(PrimitiveType type, Knowledge known) {
  if (known.finite()) return known;
  return {.relative = 4 * UnitOf(type)};
}

bool AddSum(ProgramWriter& w, const Value& a, const Value& b, bool wild) {
  const Knowledge &x = a.known, &y = b.known;
  const XlaOp op = w.random().Chance(0.6) ? Add(a.op, b.op) : Sub(a.op, b.op);
  const Knowledge sum = {.bound = x.bound + y.bound,
                         .grain = std::min(x.grain, y.grain),
                         .error = x.error + y.error};
  return w.PutLike(a, op,
                   OneRounding(a.type, wild ? sum : Rounded(a.type, sum)));
}

bool AddProduct(ProgramWriter& w, const Value& a, const Value& b, bool wild) {
  const Knowledge &x = a.known, &y = b.known;
  Knowledge product = {.relative = 4 * UnitOf(a.type)};
  if (!wild) {
    const double parts = IsComplex(a.type) ? 2 : 1;
    product = Rounded(a.type,
                      {.bound = parts * x.bound * y.bound,
                       .grain = x.grain * y.grain,
                       .error = parts * (x.error * y.bound + y.error * x.bound +
                                         x.error * y.error)},
                      parts);
  }
  return w.PutLike(a, Mul(a.op, b.op), product);
}

bool AddQuotient(ProgramWriter& w, const Value& a, const Value& b, bool wild) {
  const Knowledge &x = a.known, &y = b.known;
  if (wild) {
    if (!x.signs || !y.signs) return false;
    return w.PutLike(a, Div(a.op, b.op), {.relative = 4 * UnitOf(a.type)});
  }
  // The divisor is at least 1.
  const XlaOp divisor = Add(Abs(b.op), w.Full(a.type, b.dims, 1));
  return w.PutLike(a, Div(a.op, divisor),
                   Rounded(a.type,
                           {.bound = x.bound,
                            .error = x.error + x.bound * y.error +
                                     2 * UnitOf(a.type) * x.bound},
                           2));
}

bool AddExtreme(ProgramWriter& w, const Value& a, const Value& b) {
  Knowledge either = Union(a.known, b.known);
  either.signs = false;
  return w.PutLike(
      a, w.random().Chance(0.5) ? Max(a.op, b.op) : Min(a.op, b.op), either);
}

bool AddRemainder(ProgramWriter& w, const Value& a, const Value& b) {
  const Knowledge &x = a.known, &y = b.known;
  if (!x.exact() || !y.exact() || !x.finite() || !y.finite()) return false;
  if (x.grain == 0 || y.grain == 0) return false;
  const Knowledge rest = {.bound = std::max(x.bound, y.bound),
                          .grain = std::min(x.grain, y.grain),
                          .signs = false};
  const XlaOp divisor = Select(Eq(b.op, w.Full(b.type, b.dims, 0)),
                               w.Full(b.type, b.dims, 2), b.op);
  return w.PutLike(a, Rem(a.op, divisor), rest);
}

bool AddFunctionOfTwo(ProgramWriter& w, const Value& a, const Value& b,
                      bool wild) {
  const Knowledge &x = a.known, &y = b.known;
  if (wild) {
    if (!x.signs || !y.signs) return false;
    return w.PutLike(
        a, w.random().Chance(0.5) ? Atan2(a.op, b.op) : Pow(a.op, b.op),
        {.relative = 32 * UnitOf(a.type)});
  }
  const XlaOp base = Add(Abs(b.op), w.Full(b.type, b.dims, 1));
  const double base_error = y.error + UnitOf(a.type) * (y.bound + 1);
  if (w.random().Chance(0.5)) {
    return w.PutLike(
        a, Atan2(a.op, base),
        Rounded(a.type, {.bound = 1.6, .error = x.error + base_error}, 16));
  }
  const double log = std::log(y.bound + 2);
  if (x.bound * log > 8) return false;
  const double most = std::exp(x.bound * log);
  return w.PutLike(
      a, Pow(base, a.op),
      Rounded(a.type,
              {.bound = most,
               .error = most * (x.error * log + x.bound * base_error)},
              16));
}

bool AddRealBinary(ProgramWriter& w, const Value& a, const Value& b) {
  const Knowledge &x = a.known, &y = b.known;
  const bool wild = !x.finite() || !y.finite();
  if (wild && (!x.exact() || !y.exact() || IsComplex(a.type))) return false;
  switch (w.random().Below(IsComplex(a.type) ? 3 : 8)) {
    case 0:
    case 1:
      return AddSum(w, a, b, wild);
    case 2:
      return AddProduct(w, a, b, wild);
    case 3:
      return AddQuotient(w, a, b, wild);
    case 4:
    case 5:
      return AddExtreme(w, a, b);
    case 6:
      return AddRemainder(w, a, b);
    default:
      return AddFunctionOfTwo(w, a, b, wild);
  }
}

// Puts f(a) with |f'| <= slope in the range of `a` and |f| at most `bound`.
bool PutSmooth(ProgramWriter& w, const Value& a, XlaOp op, double bound,
               double slope = 1) {
  return w.PutLike(
      a, op,
      Rounded(a.type,
              {.bound = bound,
               .error = a.known.error * slope +
                        2 * UnitOf(a.type) * slope * (a.known.bound + 1)},
              16));
}

// The functions of one operand that backends approximate.
std::vector<HloOpcode> Functions() {
  std::vector<HloOpcode> opcodes;
  for (const OpDef* op : OpTable()) {
    if (op->attrs == AttrsOf<AccuracyAttrs>()) opcodes.push_back(op->opcode);
  }
  return opcodes;
}

bool AddFunctionOfAny(ProgramWriter& w, const Value& a) {
  static const auto& functions = *new std::vector<HloOpcode>(Functions());
  if (!a.known.exact() || !a.known.signs) return false;
  return w.PutLike(a,
                   builder_internal::EmitOp(w.random().Of(functions), {a.op},
                                            AccuracyAttrs{}),
                   {.relative = 40 * UnitOf(a.type)});
}

bool AddFunction(ProgramWriter& w, const Value& a) {
  if (!a.known.finite() || w.random().Chance(0.15)) {
    return AddFunctionOfAny(w, a);
  }
  const double bound = a.known.bound;
  auto positive = [&] { return Add(Abs(a.op), w.Full(a.type, a.dims, 1)); };
  const double up = std::exp(std::min(bound, 100.0));
  switch (w.random().Below(13)) {
    case 0:
      return PutSmooth(w, a, Tanh(a.op), 1);
    case 1:
      return bound < 1000 && PutSmooth(w, a, Sin(a.op), 1);
    case 2:
      return bound < 1000 && PutSmooth(w, a, Cos(a.op), 1);
    case 3:
      return PutSmooth(w, a, Logistic(a.op), 1);
    case 4:
      return PutSmooth(w, a, Erf(a.op), 1, 1.2);
    case 5:
      return bound < 9 && PutSmooth(w, a, Exp(a.op), up, up);
    case 6:
      return bound < 9 && PutSmooth(w, a, Expm1(a.op), up, up);
    case 7:
      return PutSmooth(w, a, Log(positive()), std::log(bound + 2));
    case 8:
      return PutSmooth(w, a, Log1p(Abs(a.op)), std::log(bound + 2));
    case 9:
      return PutSmooth(w, a, Sqrt(positive()), std::sqrt(bound + 2));
    case 10:
      return PutSmooth(w, a, Rsqrt(positive()), 1);
    case 11:
      return PutSmooth(w, a, Cbrt(positive()), std::cbrt(bound + 2));
    default:
      return bound < 8 && PutSmooth(w, a, Mul(a.op, Logistic(a.op)), bound, 2);
  }
}

bool AddExactRealUnary(ProgramWriter& w, const Value& a) {
  Knowledge known = a.known;
  switch (w.random().Below(9)) {
    case 0:
      return w.PutLike(a, Neg(a.op), known);
    case 1:
      return w.PutLike(a, Abs(a.op), known);
    case 2:
      return w.PutLike(a, Copy(a.op), known);
    default:
      break;
  }
  if (!known.exact()) return false;
  if (!known.finite()) {
    if (w.random().Chance(0.3)) {
      return w.Put(IsFinite(a.op), PRED, a.dims, AnyOf(PRED));
    }
  } else {
    known.grain = std::max(known.grain, 1.0);
    known.bound = std::ceil(known.bound);
  }
  switch (w.random().Below(6)) {
    case 0:
      return w.PutLike(a, Floor(a.op), known);
    case 1:
      return w.PutLike(a, Ceil(a.op), known);
    case 2:
      return w.PutLike(a, Round(a.op), known);
    case 3:
      return w.PutLike(a, RoundNearestEven(a.op), known);
    case 4:
      if (known.finite()) known.bound = 1;
      return w.PutLike(a, Sign(a.op), known);
    default: {
      const int exponent = w.random().In(2, 8);
      const int mantissa = w.random().In(1, 10);
      return w.PutLike(a, ReducePrecision(a.op, exponent, mantissa),
                       {.signs = a.known.signs});
    }
  }
}

bool AddReal(ProgramWriter& w, const Value& a) {
  switch (w.random().Below(4)) {
    case 0:
      return AddExactRealUnary(w, a);
    case 1:
      return AddFunction(w, a);
    default:
      return AddRealBinary(w, a, w.Partner(a.type, a.dims));
  }
}

bool AddComplex(ProgramWriter& w, const Value& a) {
  Knowledge known = a.known;
  known.signs = false;
  switch (w.random().Below(7)) {
    case 0:
      return w.Put(Real(a.op), F32, a.dims, a.known);
    case 1:
      return w.Put(Imag(a.op), F32, a.dims, a.known);
    case 2:
      return w.PutLike(a, Neg(a.op), known);
    case 3:
      return w.PutLike(a, Conj(a.op), known);
    case 4:
      known.bound *= 1.5;
      known.grain = 0;
      known.error *= 2;
      return w.Put(Abs(a.op), F32, a.dims, Rounded(F32, known, 8));
    default:
      return AddRealBinary(w, a, w.Partner(a.type, a.dims));
  }
}

// --- Integers and predicates: all exact.

bool AddInteger(ProgramWriter& w, const Value& a) {
  const Knowledge any = AnyOf(a.type);
  const bool is_signed = primitive_util::IsSignedIntegralType(a.type);
  auto unary = [&](XlaOp op) { return w.PutLike(a, op, any); };
  switch (w.random().Below(5)) {
    case 0:
      switch (w.random().Below(6)) {
        case 0:
          return unary(Neg(a.op));
        case 1:
          if (is_signed) return unary(Abs(a.op));
          return unary(Not(a.op));
        case 2:
          if (is_signed) return unary(Sign(a.op));
          return unary(Neg(a.op));
        case 3:
          return unary(Not(a.op));
        case 4:
          return unary(Clz(a.op));
        default:
          return unary(PopulationCount(a.op));
      }
    default:
      break;
  }
  const Value b = w.Partner(a.type, a.dims);
  const Knowledge &x = a.known, &y = b.known;
  switch (w.random().Below(15)) {
    case 0:
    case 1:
      return w.PutLike(a, Add(a.op, b.op),
                       Rounded(a.type, {x.bound + y.bound, 1}));
    case 2:
      return unary(Sub(a.op, b.op));
    case 3:
    case 4:
      return w.PutLike(a, Mul(a.op, b.op),
                       Rounded(a.type, {x.bound * y.bound, 1}));
    case 5:
      return unary(Div(a.op, b.op));
    case 6:
      return unary(Rem(a.op, b.op));
    case 7:
      return w.PutLike(a, Max(a.op, b.op), Union(x, y));
    case 8:
      return w.PutLike(a, Min(a.op, b.op), Union(x, y));
    case 9:
      return unary(And(a.op, b.op));
    case 10:
      return unary(Or(a.op, b.op));
    case 11:
      return unary(Xor(a.op, b.op));
    case 12:
      return unary(ShiftLeft(a.op, b.op));
    case 13:
      return unary(ShiftRightArithmetic(a.op, b.op));
    default:
      return unary(ShiftRightLogical(a.op, b.op));
  }
}

bool AddPredicate(ProgramWriter& w, const Value& a) {
  if (w.random().Chance(0.2)) return w.PutLike(a, Not(a.op), a.known);
  const Value b = w.Partner(PRED, a.dims);
  XlaOp (*const kOps[])(XlaOp, XlaOp, BroadcastDimensions) = {And, Or, Xor, Max,
                                                              Min, Eq, Ne,  Lt};
  return w.PutLike(a, kOps[w.random().Below(8)](a.op, b.op, {}), a.known);
}

// --- Ops of all types.

bool AddCompare(ProgramWriter& w, const Value& a) {
  if (!a.known.exact()) return false;
  const Value b = w.ExactPartner(a.type, a.dims);
  if (!b.known.exact()) return false;
  const bool ordered = !IsComplex(a.type);
  const auto direction =
      static_cast<ComparisonDirection>(w.random().Below(ordered ? 6 : 2));
  XlaOp op;
  if (IsReal(a.type) && a.known.signs && b.known.signs &&
      w.random().Chance(0.2) && a.known.finite() && b.known.finite()) {
    op = Compare(a.op, b.op, {}, direction, Comparison::Type::kFloatTotalOrder);
  } else {
    op = Compare(a.op, b.op, direction);
  }
  return w.Put(op, PRED, a.dims, AnyOf(PRED));
}

bool AddSelect(ProgramWriter& w, const Value& a) {
  const Value b = w.Partner(a.type, a.dims);
  const Value pred = w.Partner(PRED, w.random().Chance(0.15) ? Dims{} : a.dims);
  return w.PutLike(a, Select(pred.op, a.op, b.op), Union(a.known, b.known));
}

bool AddClamp(ProgramWriter& w, const Value& a) {
  if (a.type == PRED || IsComplex(a.type)) return false;
  const Dims dims = w.random().Chance(0.5) ? Dims{} : a.dims;
  const Value low = w.Partner(a.type, dims), high = w.Partner(a.type, dims);
  Knowledge known = Union(a.known, Union(low.known, high.known));
  known.signs = false;
  return w.PutLike(a, Clamp(low.op, a.op, high.op), known);
}

bool AddConvert(ProgramWriter& w, const Value& a) {
  const PrimitiveType type = w.RandomType();
  if (type == a.type || (IsComplex(a.type) && !IsComplex(type))) return false;
  const bool from_real = IsReal(a.type) || IsComplex(a.type);
  const XlaOp op = ConvertElementType(a.op, type);
  const Knowledge any = AnyOf(type);
  if (IsReal(type) || IsComplex(type)) {
    if (!a.known.exact()) {
      return w.Put(op, type, a.dims, Rounded(type, a.known));
    }
    Knowledge known = a.known;
    const bool holds = known.bound <= known.grain / UnitOf(type) &&
                       known.bound < LimitOf(type) &&
                       (type != F16 || known.grain >= 0x1p-20);
    if (!holds) {
      // One rounding, the same on all backends.
      known.grain = 0;
      if (!(known.bound * 1.01 < LimitOf(type))) known.bound = kInfinity;
      known.bound *= 1.01;
    }
    if (IsComplex(type) && !known.finite()) return false;
    return w.Put(op, type, a.dims, known);
  }
  if (from_real && !a.known.exact()) return false;
  if (type == PRED) return w.Put(op, PRED, a.dims, any);
  return w.Put(op, type, a.dims, any);
}

bool AddBitcast(ProgramWriter& w, const Value& a) {
  if (a.type == PRED || IsComplex(a.type)) return false;
  if (!a.known.exact() || !a.known.signs) return false;
  if (IsReal(a.type) && !a.known.finite()) return false;  // bits of NaNs
  const PrimitiveType type = w.RandomType();
  if (type == PRED || IsComplex(type) || IsReal(type)) return false;
  if (primitive_util::BitWidth(type) != primitive_util::BitWidth(a.type)) {
    return false;
  }
  return w.Put(BitcastConvertType(a.op, type), type, a.dims, AnyOf(type));
}

}  // namespace

bool AddElementwise(ProgramWriter& w) {
  const Value* found = w.Any();
  const Value a =
      found == nullptr ? w.Fresh(w.RandomType(), w.RandomDims()) : *found;
  return AddElementwiseOf(w, a);
}

bool AddElementwiseOf(ProgramWriter& w, const Value& a) {
  switch (w.random().Below(12)) {
    case 0:
      return AddCompare(w, a);
    case 1:
      return AddSelect(w, a);
    case 2:
      return AddClamp(w, a);
    case 3:
      return AddConvert(w, a);
    case 4:
      return AddBitcast(w, a);
    default:
      break;
  }
  if (a.type == PRED) return AddPredicate(w, a);
  if (IsInteger(a.type)) return AddInteger(w, a);
  if (IsComplex(a.type)) return AddComplex(w, a);
  return AddReal(w, a);
}

}  // namespace xla::fuzz
