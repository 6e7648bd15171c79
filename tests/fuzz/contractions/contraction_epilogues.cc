// What networks compute of the results of products.
#include "tests/fuzz/contractions/contraction_epilogues.h"

#include <vector>

#include "xla/core/primitive_util.h"

namespace xla::fuzz {

namespace {

// An operand for `a`: a scalar, a row or column that is repeated, or an array.
Term DrawPartner(TermWriter& w, const Term& a) {
  Random& random = w.random();
  const Numbers numbers =
      random.Chance(0.5) ? Numbers::kSmallIntegers : Numbers::kReal;
  const int64_t rank = a.sizes.size();
  const int64_t kind = random.Below(10);
  if (kind < 2 || rank == 0) {
    return w.Splat(a.type, random.Of<double>({0.5, 2, 0.125, 1, 3}), a.sizes);
  }
  if (kind < 3) {
    return w.Broadcast(w.Argument(a.type, {}, numbers), a.sizes, {});
  }
  if (kind < 8) {
    const int64_t d = kind < 6 ? rank - 1 : random.Below(rank);
    return w.Broadcast(
        w.Argument(a.type, {a.sizes[d]}, numbers, random.Chance(0.3)), a.sizes,
        {d});
  }
  return w.Argument(a.type, a.sizes, numbers);
}

Term Gelu(TermWriter& w, const Term& x) {
  const auto number = [&](double value) {
    return w.Splat(x.type, value, x.sizes);
  };
  // 0.797884561 and 0.044715 are those of the usual formula; here they are
  // numbers of any type.
  if (w.random().Chance(0.5)) {
    const Term half = w.Multiply(x, number(0.5));
    return w.Multiply(half,
                      w.Add(number(1), w.Erf(w.Multiply(x, number(0.6875)))));
  }
  const Term cube = w.Multiply(x, w.Multiply(x, x));
  const Term inner = w.Multiply(number(0.8125),
                                w.Add(x, w.Multiply(cube, number(0.04296875))));
  return w.Multiply(w.Multiply(x, number(0.5)),
                    w.Add(number(1), w.Tanh(inner)));
}

Term Clamped(TermWriter& w, const Term& a) {
  const bool is_unsigned = primitive_util::IsUnsignedIntegralType(a.type);
  const Term low = w.Splat(a.type, is_unsigned ? 1 : -3, a.sizes);
  return w.Minimum(w.Maximum(a, low), w.Splat(a.type, 6, a.sizes));
}

Term DrawOfComplex(TermWriter& w, const Term& a) {
  switch (w.random().Below(4)) {
    case 0:
      return w.Multiply(a, DrawPartner(w, a));
    case 1:
      return w.Subtract(a, DrawPartner(w, a));
    case 2:
      return w.Negate(a);
    default:
      return w.Add(a, DrawPartner(w, a));
  }
}

Term DrawOfIntegers(TermWriter& w, const Term& a) {
  switch (w.random().Below(6)) {
    case 0:
      return w.Maximum(a, w.Splat(a.type, 0, a.sizes));
    case 1:
      return w.Multiply(a, w.Splat(a.type, 3, a.sizes));
    case 2:
      return Clamped(w, a);
    case 3:
      if (primitive_util::BitWidth(a.type) > 32) return w.Negate(a);
      return w.Convert(a, w.random().Of<PrimitiveType>({F32, BF16, F64}));
    default:
      return w.Add(a, DrawPartner(w, a));
  }
}

Term DrawOfReals(TermWriter& w, const Term& a) {
  switch (w.random().Below(12)) {
    case 0:
      return w.Maximum(a, w.Splat(a.type, 0, a.sizes));
    case 1:
      return w.Multiply(a, DrawPartner(w, a));
    case 2:
      return Clamped(w, a);
    case 3:
      return w.Tanh(a);
    case 4:
      return Gelu(w, a);
    case 5:
      return w.Maximum(a, DrawPartner(w, a));
    case 6:
      return w.Convert(a, w.random().Of<PrimitiveType>({F32, BF16, F16, F64}));
    case 7:
      return w.Multiply(a, w.Logistic(a));
    case 8:
      return w.Subtract(DrawPartner(w, a), a);
    default:
      return w.Add(a, DrawPartner(w, a));
  }
}

}  // namespace

Term DrawEpilogue(TermWriter& w, Term a) {
  for (int64_t i = w.random().In(1, 4); i > 0; --i) {
    if (primitive_util::IsComplexType(a.type)) {
      a = DrawOfComplex(w, a);
    } else if (IsInteger(a.type)) {
      a = DrawOfIntegers(w, a);
    } else if (primitive_util::BitWidth(a.type) == 8) {
      a = w.Convert(a, w.random().Chance(0.5) ? F32 : BF16);
    } else {
      a = DrawOfReals(w, a);
    }
  }
  return a;
}

}  // namespace xla::fuzz
