// Each op twice: in the program, and in F64 with its error.
#include "tests/fuzz/contractions/term_writer.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "xla/base/status_macros.h"
#include "xla/core/primitive_util.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/builder/lib/arithmetic.h"
#include "xla/hlo/builder/lib/constants.h"

namespace xla::fuzz {

namespace {

bool IsComplex(PrimitiveType type) {
  return primitive_util::IsComplexType(type);
}

PrimitiveType RealPart(PrimitiveType type) {
  return IsComplex(type) ? primitive_util::ComplexComponentType(type) : type;
}

// Half the distance from 1 to the next number.
double UnitRoundoff(PrimitiveType type) {
  return std::ldexp(1.0, -primitive_util::SignificandWidth(RealPart(type)));
}

// The least positive number.
double LeastNumber(PrimitiveType type) {
  const PrimitiveType real = RealPart(type);
  return std::ldexp(1.0, primitive_util::UnderflowExponent(real) -
                             primitive_util::SignificandWidth(real));
}

// The least positive number of F32 and BF16 that is not subnormal.
constexpr double kLeastNormal = 0x1p-126;

bool FitsBf16(PrimitiveType type) {
  return type == BF16 || primitive_util::IsF8Type(type);
}

bool IsDouble(PrimitiveType type) { return type == F64 || type == C128; }

double DrawReal(Numbers numbers, Random& random) {
  const double real = std::ldexp(
      static_cast<double>(random.In(-(1 << 30) + 1, (1 << 30) - 1)), -30);
  switch (numbers) {
    case Numbers::kSmallIntegers:
      return static_cast<double>(random.In(-4, 4));
    case Numbers::kPositive:
      return std::abs(real);
    case Numbers::kWide:
      return std::ldexp(real, static_cast<int>(random.In(-8, 8)));
    case Numbers::kSparse:
      return random.Chance(0.9) ? 0 : static_cast<double>(random.In(-8, 8));
    case Numbers::kReal:
    case Numbers::kSpecial:
    case Numbers::kAny:
      break;
  }
  return real;
}

// A value of an integer type of `bits` bits as a double, which holds 53.
double DrawInteger(PrimitiveType type, Numbers numbers, Random& random) {
  const int bits = std::min(primitive_util::BitWidth(type), 48);
  const bool is_signed = primitive_util::IsSignedIntegralType(type);
  const int64_t half = int64_t{1} << (bits - 1);
  if (numbers == Numbers::kAny) {
    return static_cast<double>(is_signed ? random.In(-half, half - 1)
                                         : random.In(0, 2 * half - 1));
  }
  const int64_t most =
      std::min<int64_t>(numbers == Numbers::kSparse ? 8 : 4, half - 1);
  if (numbers == Numbers::kSparse && random.Chance(0.9)) return 0;
  return static_cast<double>(random.In(is_signed ? -most : 0, most));
}

// Replaces up to three elements by infinities and NaNs.
template <typename T>
void AddSpecial(absl::Span<T> elements, Random& random) {
  if (elements.empty()) return;
  for (int64_t i = random.In(1, 3); i > 0; --i) {
    elements[random.Below(elements.size())] =
        random.Of<double>({kInfinity, -kInfinity, std::nan("")});
  }
}

Literal DrawLiteral(PrimitiveType type, const Sizes& sizes, Numbers numbers,
                    Random& random) {
  if (IsComplex(type)) {
    Literal wide(ShapeUtil::MakeShape(C128, sizes));
    for (complex128& element : wide.data<complex128>()) {
      const double real = DrawReal(numbers, random);
      element = complex128(real, DrawReal(numbers, random));
    }
    if (numbers == Numbers::kSpecial) {
      AddSpecial<complex128>(wide.data<complex128>(), random);
    }
    return wide.Convert(type).value();
  }
  Literal wide(ShapeUtil::MakeShape(F64, sizes));
  for (double& element : wide.data<double>()) {
    element = IsInteger(type) ? DrawInteger(type, numbers, random)
                              : DrawReal(numbers, random);
  }
  if (numbers == Numbers::kSpecial && !IsInteger(type)) {
    AddSpecial<double>(wide.data<double>(), random);
  }
  // A conversion of doubles beyond the range of S64 would saturate.
  if (type == U64) return wide.Convert(S64).value().Convert(U64).value();
  return wide.Convert(type).value();
}

// The largest magnitude of a number that DrawLiteral makes, if all are
// integers.
double IntegersTo(PrimitiveType type, Numbers numbers) {
  if (IsInteger(type)) {
    return std::ldexp(1.0, std::min(primitive_util::BitWidth(type), 48));
  }
  if (numbers == Numbers::kSmallIntegers) return 4;
  return numbers == Numbers::kSparse ? 8 : 0;
}

}  // namespace

double SumRoundings(double terms) { return 4 + 2 * std::sqrt(terms); }

Term TermWriter::Argument(PrimitiveType type, const Sizes& sizes,
                          Numbers numbers, bool constant) {
  Literal literal = DrawLiteral(type, sizes, numbers, random_);
  Term term;
  term.type = type;
  term.sizes = sizes;
  term.integers_to = IntegersTo(type, numbers);
  const auto parameter = [&](XlaBuilder& builder,
                             std::vector<Literal>& arguments) {
    const int64_t number = arguments.size();
    arguments.push_back(literal.Clone());
    return Parameter(&builder, number, literal.shape(),
                     absl::StrCat("p", number));
  };
  term.op = constant ? ConstantLiteral(&program_, literal)
                     : parameter(program_, arguments_);
  term.exact = parameter(reference_, reference_arguments_);
  if (!IsInteger(type)) {
    term.exact = ConvertElementType(term.exact, IsComplex(type) ? C128 : F64);
  }
  return term;
}

Term TermWriter::Splat(PrimitiveType type, double value, const Sizes& sizes) {
  Literal wide(ShapeUtil::MakeShape(F64, {}));
  wide.Set<double>({}, value);
  const Literal narrow = wide.Convert(type).value();
  Term term;
  term.type = type;
  term.sizes = sizes;
  term.op = xla::Broadcast(ConstantLiteral(&program_, narrow), sizes);
  term.exact = ConstantLiteral(&reference_, narrow);
  if (!IsInteger(type)) {
    term.exact = ConvertElementType(term.exact, IsComplex(type) ? C128 : F64);
  }
  term.exact = xla::Broadcast(term.exact, sizes);
  return term;
}

Term TermWriter::Like(const Term& a, XlaOp op, XlaOp exact) {
  Term term = a;
  term.op = op;
  term.exact = exact;
  term.integers_to = 0;
  return term;
}

XlaOp TermWriter::Wide(const Term& a) {
  return IsInteger(a.type) ? ConvertElementType(a.exact, F64) : a.exact;
}

XlaOp TermWriter::Magnitude(const Term& a) { return Abs(Wide(a)); }

XlaOp TermWriter::Error(const Term& a) {
  return a.error.has_value() ? *a.error : xla::Broadcast(Number(0), a.sizes);
}

void TermWriter::Round(Term& a, double roundings) {
  if (IsInteger(a.type)) return;
  if (IsDouble(a.type)) roundings *= 2;  // the reference rounds, too
  const XlaOp largest = Magnitude(a) + Error(a);
  const XlaOp error = Error(a) +
                      largest * Number(roundings * UnitRoundoff(a.type)) +
                      Number(LeastNumber(a.type));
  // Where it may overflow, nothing is known.
  const double limit =
      std::ldexp(0.9, primitive_util::OverflowExponent(RealPart(a.type)));
  a.error = Select(Lt(largest, xla::Broadcast(Number(limit), a.sizes)), error,
                   xla::Broadcast(Number(kInfinity), a.sizes));
}

void TermWriter::RoundExactly(Term& a) {
  if (IsInteger(a.type) || IsDouble(a.type)) return;
  const PrimitiveType wide = IsComplex(a.type) ? C128 : F64;
  a.error = Abs(a.exact -
                ConvertElementType(ConvertElementType(a.exact, a.type), wide));
}

Term TermWriter::Contract(const Term& a, const Term& b, PrimitiveType type,
                          double terms, Product product) {
  Term r;
  r.type = type;
  r.op = product(a.op, b.op, type);
  if (const auto shape = program_.GetShape(r.op); shape.ok()) {
    r.sizes.assign(shape->dimensions().begin(), shape->dimensions().end());
  }
  if (IsInteger(type)) {
    r.exact = product(a.exact, b.exact, type);
    return r;
  }
  const bool complex = IsComplex(a.type) || IsComplex(b.type);
  const bool sums_doubles =
      IsDouble(a.type) || IsDouble(b.type) || IsDouble(type);
  const double count = terms * (complex ? 2 : 1);
  XlaOp x = Wide(a), y = Wide(b);
  if (complex) {
    x = ConvertElementType(x, C128);
    y = ConvertElementType(y, C128);
  }
  r.exact = product(x, y, complex ? C128 : F64);
  const double unit = std::ldexp(1.0, sums_doubles ? -53 : -24);
  const double most = a.integers_to * b.integers_to;
  if (!a.error.has_value() && !b.error.has_value() && most > 0 &&
      std::max({count * most, a.integers_to, b.integers_to}) * unit < 1) {
    RoundExactly(r);
    return r;
  }
  // The sums of F64 in the reference have errors of their own. Operands that
  // are converted to the type of sums are rounded.
  const double factor = (sums_doubles ? 2 : 1) * (complex ? 2 : 1);
  XlaOp error = product(Magnitude(a), Magnitude(b), F64) *
                Number(factor * (SumRoundings(count) + 2) * unit);
  if (a.error.has_value()) {
    error = error + product(*a.error, Magnitude(b) + Error(b), F64);
  }
  if (b.error.has_value()) {
    error = error + product(Magnitude(a), *b.error, F64);
  }
  double least = LeastNumber(sums_doubles ? F64 : F32);
  if (FitsBf16(a.type) && FitsBf16(b.type)) {
    // Instructions that multiply bfloat16 take subnormal operands and sums for
    // zeros.
    least = kLeastNormal;
    const auto lost = [&](const Term& t) {
      return xla::Broadcast(Number(kLeastNormal), t.sizes);
    };
    error = error + product(lost(a), Magnitude(b), F64) +
            product(Magnitude(a), lost(b), F64);
  }
  r.error = error + Number(count * least);
  Round(r, 1);
  return r;
}

Term TermWriter::Dot(const Term& a, const Term& b,
                     const DotDimensionNumbers& numbers, PrimitiveType type) {
  double terms = 1;
  for (const int64_t d : numbers.lhs_contracting_dimensions()) {
    terms *= a.sizes[d];
  }
  return Contract(a, b, type, terms,
                  [&](XlaOp x, XlaOp y, PrimitiveType result) {
                    return DotGeneral(x, y, numbers, nullptr, result);
                  });
}

Term TermWriter::Convolution(const Term& a, const Term& b,
                             const ConvolutionWindow& window,
                             PrimitiveType type) {
  double terms = b.sizes[window.numbers.kernel_input_feature_dimension()];
  for (const int64_t d : window.numbers.kernel_spatial_dimensions()) {
    terms *= b.sizes[d];
  }
  return Contract(
      a, b, type, terms, [&](XlaOp x, XlaOp y, PrimitiveType result) {
        return ConvGeneralDilated(
            x, y, window.strides, window.padding, window.base_dilation,
            window.window_dilation, window.numbers, window.feature_groups,
            window.batch_groups, nullptr, result, window.reversal);
      });
}

Term TermWriter::Movement(const Term& a, absl::FunctionRef<XlaOp(XlaOp)> move) {
  Term term = Like(a, move(a.op), move(a.exact));
  if (a.error.has_value()) term.error = move(*a.error);
  term.integers_to = a.integers_to;
  return term;
}

Term TermWriter::Transpose(const Term& a, const Sizes& permutation) {
  Term term =
      Movement(a, [&](XlaOp op) { return xla::Transpose(op, permutation); });
  for (size_t d = 0; d < permutation.size(); ++d) {
    term.sizes[d] = a.sizes[permutation[d]];
  }
  return term;
}

Term TermWriter::Reshape(const Term& a, const Sizes& sizes) {
  Term term = Movement(a, [&](XlaOp op) { return xla::Reshape(op, sizes); });
  term.sizes = sizes;
  return term;
}

Term TermWriter::Broadcast(const Term& a, const Sizes& sizes,
                           const Sizes& dimensions) {
  Term term = Movement(
      a, [&](XlaOp op) { return BroadcastInDim(op, sizes, dimensions); });
  term.sizes = sizes;
  return term;
}

Term TermWriter::Convert(const Term& a, PrimitiveType type) {
  XlaOp exact = IsInteger(type) ? ConvertElementType(a.exact, type) : Wide(a);
  if (IsComplex(type)) exact = ConvertElementType(exact, C128);
  Term term = Like(a, ConvertElementType(a.op, type), exact);
  term.type = type;
  if (a.error.has_value()) {
    Round(term, 1);
    return term;
  }
  // Integers of up to 32 bits, and those that are known to be small, are exact
  // in F64.
  RoundExactly(term);
  const double exact_to = IsInteger(type) ? 0 : 1 / UnitRoundoff(type);
  if (0 < a.integers_to && a.integers_to <= exact_to) {
    term.error.reset();
    term.integers_to = a.integers_to;
  }
  return term;
}

Term TermWriter::Add(const Term& a, const Term& b) {
  Term term = Like(a, a.op + b.op, a.exact + b.exact);
  if (IsInteger(a.type)) return term;
  term.error = Error(a) + Error(b);
  Round(term, 1);
  return term;
}

Term TermWriter::Subtract(const Term& a, const Term& b) {
  Term term = Like(a, a.op - b.op, a.exact - b.exact);
  if (IsInteger(a.type)) return term;
  term.error = Error(a) + Error(b);
  Round(term, 1);
  return term;
}

Term TermWriter::Multiply(const Term& a, const Term& b) {
  Term term = Like(a, a.op * b.op, a.exact * b.exact);
  if (IsInteger(a.type)) return term;
  term.error = Error(a) * (Magnitude(b) + Error(b)) + Magnitude(a) * Error(b);
  Round(term, IsComplex(a.type) ? 4 : 1);
  return term;
}

Term TermWriter::Divide(const Term& a, const Term& b) {
  Term term = Like(a, a.op / b.op, a.exact / b.exact);
  term.error = (Error(a) + Magnitude(term) * Error(b)) /
               Max(Magnitude(b) - Error(b), Number(0));
  Round(term, 4);
  return term;
}

Term TermWriter::Band(const Term& a, int64_t before, int64_t after,
                      double other) {
  const int64_t rank = static_cast<int64_t>(a.sizes.size());
  const auto band = [&](XlaBuilder* builder) {
    const Shape shape = ShapeUtil::MakeShape(S32, a.sizes);
    const auto number = [&](int64_t value) {
      return xla::Broadcast(
          ConstantR0<int32_t>(builder, static_cast<int32_t>(value)), a.sizes);
    };
    const XlaOp row = Iota(builder, shape, rank - 2);
    const XlaOp column = Iota(builder, shape, rank - 1);
    return And(Ge(column, Sub(row, number(before))),
               Le(column, xla::Add(row, number(after))));
  };
  const Term outside = Splat(a.type, other, a.sizes);
  Term term = Like(a, Select(band(&program_), a.op, outside.op),
                   Select(band(&reference_), a.exact, outside.exact));
  if (a.error.has_value()) {
    term.error = Select(band(&reference_), *a.error, ZerosLike(*a.error));
  }
  return term;
}

Term TermWriter::Maximum(const Term& a, const Term& b) {
  Term term = Like(a, Max(a.op, b.op), Max(a.exact, b.exact));
  if (a.error.has_value() || b.error.has_value()) {
    term.error = Max(Error(a), Error(b));
  }
  return term;
}

Term TermWriter::Minimum(const Term& a, const Term& b) {
  Term term = Like(a, Min(a.op, b.op), Min(a.exact, b.exact));
  if (a.error.has_value() || b.error.has_value()) {
    term.error = Max(Error(a), Error(b));
  }
  return term;
}

Term TermWriter::Negate(const Term& a) {
  Term term = Like(a, Neg(a.op), Neg(a.exact));
  term.integers_to = a.integers_to;
  return term;
}

Term TermWriter::Function(const Term& a, XlaOp (*function)(XlaOp),
                          double slope) {
  constexpr double kRoundings = 8;  // docs/math-accuracy.md
  Term term = Like(a, function(a.op), function(a.exact));
  term.error = Error(a) * Number(slope);
  Round(term, kRoundings);
  return term;
}

Term TermWriter::Tanh(const Term& a) {
  return Function(a, [](XlaOp x) { return xla::Tanh(x); }, 1);
}

Term TermWriter::Logistic(const Term& a) {
  return Function(a, [](XlaOp x) { return xla::Logistic(x); }, 0.25);
}

Term TermWriter::Erf(const Term& a) {
  return Function(a, [](XlaOp x) { return xla::Erf(x); }, 1.13);
}

Term TermWriter::Exp(const Term& a) {
  Term term = Like(a, xla::Exp(a.op), xla::Exp(a.exact));
  term.error = term.exact * Expm1(Error(a));
  Round(term, 8);
  return term;
}

Term TermWriter::RowMaximum(const Term& a) {
  const int64_t last = a.sizes.size() - 1;
  const auto reduce = [&](XlaBuilder* builder, XlaOp op, PrimitiveType type) {
    return Reduce(op, MinValue(builder, type),
                  CreateScalarMaxComputation(type, builder), {last});
  };
  Term term = Like(a, reduce(&program_, a.op, a.type),
                   reduce(&reference_, a.exact, F64));
  if (a.error.has_value()) term.error = reduce(&reference_, *a.error, F64);
  term.sizes.pop_back();
  return term;
}

Term TermWriter::RowSum(const Term& a) {
  const int64_t last = a.sizes.size() - 1;
  const auto reduce = [&](XlaBuilder* builder, XlaOp op, PrimitiveType type) {
    return Reduce(op, Zero(builder, type),
                  CreateScalarAddComputation(type, builder), {last});
  };
  Term term = Like(a, reduce(&program_, a.op, a.type),
                   reduce(&reference_, a.exact, F64));
  term.error = reduce(
      &reference_,
      Error(a) + Magnitude(a) *
                     Number(SumRoundings(a.sizes[last]) * UnitRoundoff(a.type)),
      F64);
  term.sizes.pop_back();
  return term;
}

absl::StatusOr<ContractionProgram> TermWriter::Build(const Term& result) {
  ContractionProgram built;
  built.type = result.type;
  const auto build =
      [](XlaBuilder& builder,
         XlaOp root) -> absl::StatusOr<std::unique_ptr<HloModule>> {
    TF_ASSIGN_OR_RETURN(const XlaComputation computation, builder.Build(root));
    return HloModule::CreateFromProto(computation.proto());
  };
  TF_ASSIGN_OR_RETURN(built.module, build(program_, result.op));
  const XlaOp exact = IsInteger(result.type)
                          ? result.exact
                          : Tuple(&reference_, {result.exact, Error(result)});
  TF_ASSIGN_OR_RETURN(built.reference, build(reference_, exact));
  built.arguments = std::move(arguments_);
  built.reference_arguments = std::move(reference_arguments_);
  return built;
}

}  // namespace xla::fuzz
