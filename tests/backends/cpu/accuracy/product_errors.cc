// Shapes for each way, the runs, and the sums in `long double`.
#include "tests/backends/cpu/accuracy/product_errors.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <memory>
#include <random>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "xla/backends/cpu/cpu_compiler.h"
#include "xla/backends/cpu/kernels/attention/attention.h"
#include "xla/backends/cpu/kernels/convolutions/convolution.h"
#include "xla/backends/cpu/kernels/products/dot.h"
#include "xla/core/literal/literal.h"
#include "xla/core/primitive_util.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/parser/hlo_parser.h"
#include "xla/runtime/memory_chunk.h"
#include "xla/runtime/parallel.h"

namespace xla::cpu {
namespace {

using Wide = std::complex<long double>;

constexpr ProductCase kProductCases[] = {
    {ProductWay::kTiny, F32, F32, F32},
    {ProductWay::kTiny, F64, F64, F64},
    {ProductWay::kSplitDepth, F32, F32, F32},
    {ProductWay::kSplitDepth, F64, F64, F64},
    {ProductWay::kSplitDepth, BF16, BF16, F32},
    {ProductWay::kSkinny, F32, F32, F32},
    {ProductWay::kSkinny, F64, F64, F64},
    {ProductWay::kSkinny, BF16, BF16, F32},
    {ProductWay::kSkinny, BF16, BF16, BF16},
    {ProductWay::kSkinny, F16, F16, F32},
    {ProductWay::kPacked, F32, F32, F32},
    {ProductWay::kPacked, F64, F64, F64},
    {ProductWay::kPacked, BF16, BF16, F32},
    {ProductWay::kPacked, BF16, BF16, BF16},
    {ProductWay::kPacked, F16, F16, F32},
    {ProductWay::kPacked, F8E4M3FN, F8E4M3FN, F32},
    {ProductWay::kPacked, C64, C64, C64},
    {ProductWay::kPacked, C128, C128, C128},
    {ProductWay::kPackedConstant, F32, F32, F32},
    {ProductWay::kPackedConstant, BF16, BF16, F32},
    {ProductWay::kAttention, F32, F32, F32},
    {ProductWay::kAttention, F64, F64, F64},
    {ProductWay::kNative, F32, F32, F32},
    {ProductWay::kNative, F64, F64, F64},
    {ProductWay::kDepthwise, F32, F32, F32},
    {ProductWay::kDepthwise, F64, F64, F64},
    {ProductWay::kDepthwise, BF16, BF16, F32},
    {ProductWay::kCol2Im, F32, F32, F32},
    {ProductWay::kCol2Im, F64, F64, F64},
    {ProductWay::kCol2Im, BF16, BF16, F32},
    {ProductWay::kInPlace, F32, F32, F32},
    {ProductWay::kInPlace, F64, F64, F64},
    {ProductWay::kRows, F32, F32, F32},
    {ProductWay::kRows, F64, F64, F64},
    {ProductWay::kRows, BF16, BF16, F32},
    {ProductWay::kRows, F16, F16, F32},
    {ProductWay::kRows, C64, C64, C64},
};

class Draw {
 public:
  explicit Draw(uint64_t seed) : random_(seed) {}
  int64_t In(int64_t low, int64_t high) {
    return low + static_cast<int64_t>(random_() %
                                      static_cast<uint64_t>(high - low + 1));
  }
  // Each order of magnitude is as likely as any other.
  int64_t Size(int64_t high) {
    const double top = std::log2(static_cast<double>(high) + 1);
    return std::clamp<int64_t>(static_cast<int64_t>(std::exp2(Unit() * top)), 1,
                               high);
  }
  double Unit() { return static_cast<double>(random_() >> 11) * 0x1p-53; }

 private:
  std::mt19937_64 random_;
};

enum class Elements { kSigned, kPositive, kUneven };

Literal MakeArray(PrimitiveType type, int64_t count, Elements elements,
                  Draw& draw) {
  const auto number = [&] {
    double value = draw.Unit();
    if (elements == Elements::kUneven) {
      value = std::ldexp(value, -static_cast<int>(draw.In(0, 16)));
    }
    return elements != Elements::kPositive && draw.In(0, 1) == 1 ? -value
                                                                 : value;
  };
  Literal wide(ShapeUtil::MakeShape(C128, {count}));
  const bool complex = primitive_util::IsComplexType(type);
  for (complex128& value : wide.data<complex128>()) {
    const double real = number();
    value = {real, complex ? number() : 0};
  }
  if (complex) return wide.Convert(type).value();
  Literal real(ShapeUtil::MakeShape(F64, {count}));
  for (int64_t i = 0; i < count; ++i) {
    real.data<double>()[i] = wide.data<complex128>()[i].real();
  }
  return real.Convert(type).value();
}

std::vector<Wide> ToWide(const Literal& array) {
  const Literal doubles = array.Convert(C128).value();
  std::vector<Wide> wide;
  for (const complex128& value : doubles.data<complex128>()) {
    wide.emplace_back(value.real(), value.imag());
  }
  return wide;
}

// The exact result and the sum of magnitudes of each element.
struct Sums {
  std::vector<Wide> exact;
  std::vector<long double> magnitudes;

  explicit Sums(int64_t count) : exact(count), magnitudes(count) {}
  void Add(int64_t at, const Wide& a, const Wide& b) {
    exact[at] += a * b;
    magnitudes[at] += std::abs(a) * std::abs(b);
  }
};

MemoryChunk Scratch(size_t bytes) {
  return MemoryChunk::Allocate(static_cast<int64_t>(bytes)).value();
}

Sums SumsOf(const DotDesc& d, const std::vector<Wide>& a,
            const std::vector<Wide>& b) {
  Sums sums(d.batch * d.m * d.n);
  for (int64_t i = 0; i < d.batch * d.m; ++i) {
    const int64_t item = i / d.m, row = i % d.m;
    for (int64_t l = 0; l < d.k; ++l) {
      const Wide& x = a[item * d.m * d.k +
                        (d.lhs_transposed ? l * d.m + row : row * d.k + l)];
      for (int64_t j = 0; j < d.n; ++j) {
        sums.Add(i * d.n + j, x,
                 b[item * d.k * d.n +
                   (d.rhs_transposed ? j * d.k + l : l * d.n + j)]);
      }
    }
  }
  return sums;
}

Sums SumsOf(const ConvolutionDesc& c, const std::vector<Wide>& a,
            const std::vector<Wide>& b) {
  const ConvolutionDim& y = c.dims[0];
  const ConvolutionDim& x = c.dims[1];
  const int64_t group_in = c.in_features / c.feature_groups;
  const int64_t group_out = c.out_features / c.feature_groups;
  Sums sums(c.batch * y.output * x.output * c.out_features);
  const auto at = [](const ConvolutionDim& dim, int64_t o, int64_t w) {
    const int64_t in = o * dim.stride - dim.padding_low + w;
    return in < dim.input ? in : -1;
  };
  int64_t position = 0;
  for (int64_t i = 0; i < c.batch * y.output * x.output; ++i, ++position) {
    const int64_t ox = i % x.output, oy = i / x.output % y.output;
    const int64_t item = i / x.output / y.output;
    for (int64_t w = 0; w < y.kernel * x.kernel; ++w) {
      const int64_t iy = at(y, oy, w / x.kernel), ix = at(x, ox, w % x.kernel);
      if (iy < 0 || ix < 0) continue;
      const Wide* from =
          &a[((item * y.input + iy) * x.input + ix) * c.in_features];
      for (int64_t o = 0; o < c.out_features; ++o) {
        const int64_t first = o / group_out * group_in;
        for (int64_t l = 0; l < group_in; ++l) {
          sums.Add(position * c.out_features + o, from[first + l],
                   b[(w * group_in + l) * c.out_features + o]);
        }
      }
    }
  }
  return sums;
}

// Collects errors of results.
class Errors {
 public:
  Errors(const ProductCase& product, int64_t terms)
      : terms_(terms), product_(product) {
    const auto is_double = [](PrimitiveType t) {
      return t == F64 || t == C128;
    };
    sums_doubles_ = is_double(product.lhs) || is_double(product.rhs) ||
                    is_double(product.out);
  }

  void Compare(const Sums& sums, const Literal& result) {
    const std::vector<Wide> got = ToWide(result);
    const bool is_sum =
        sums_doubles_ || product_.out == F32 || product_.out == C64;
    const long double rounding =
        is_sum
            ? 0
            : std::ldexp(1.0L, -primitive_util::SignificandWidth(product_.out));
    const long double unit = std::ldexp(1.0L, sums_doubles_ ? -53 : -24);
    for (size_t i = 0; i < got.size(); ++i) {
      if (sums.magnitudes[i] == 0) continue;
      const long double error = std::max(std::abs(got[i] - sums.exact[i]) -
                                             rounding * std::abs(sums.exact[i]),
                                         0.0L) /
                                (unit * sums.magnitudes[i]);
      max_ = std::max(max_, static_cast<double>(error));
      squares_ += static_cast<double>(error * error);
      ++count_;
    }
  }

  void AddTo(ProductErrors& all, double& squares, int64_t& count) const {
    ++all.shapes;
    all.longest = std::max(all.longest, terms_);
    all.max = std::max(all.max, max_);
    all.share = std::max(all.share, max_ / ErrorBound(terms_));
    squares += squares_;
    count += count_;
  }

 private:
  const int64_t terms_;
  const ProductCase product_;
  bool sums_doubles_;
  double max_ = 0, squares_ = 0;
  int64_t count_ = 0;
};

Literal RunPlan(const DotDesc& desc, const Literal& a, const Literal& b,
                bool constant) {
  Literal result(
      ShapeUtil::MakeShape(desc.out, {desc.batch * desc.m * desc.n}));
  const KernelTarget target;
  DotDesc run = desc;
  const MemoryChunk packed =
      Scratch(constant ? PackedDotRhsBytes(desc, target) : 0);
  if (constant) {
    PackDotRhs(desc, target, b.untyped_data(), packed.data());
    run.rhs_packed = true;
  }
  const auto plan = DotPlan::Make(run, target).value();
  const MemoryChunk scratch = Scratch(plan->ScratchBytes(1));
  InlineRunner runner;
  plan->Run(a.untyped_data(), constant ? packed.data() : b.untyped_data(),
            result.untyped_data(), scratch.data(), runner);
  return result;
}

std::string SizesText(std::initializer_list<int64_t> sizes, bool exchanged) {
  std::vector<int64_t> list(sizes);
  if (exchanged) std::swap(list[1], list[2]);
  return absl::StrCat("[", list[0], ",", list[1], ",", list[2], "]");
}

// As a program, which is small enough for code of its own.
Literal RunProgram(const DotDesc& d, const Literal& a, const Literal& b) {
  const std::string type = primitive_util::LowercasePrimitiveTypeName(d.out);
  const std::string text = absl::StrReplaceAll(
      R"(HloModule m
ENTRY e {
  x = $t[$a] parameter(0)
  y = $t[$b] parameter(1)
  u = $t$as reshape(x)
  v = $t$bs reshape(y)
  d = $t$cs dot(u, v), lhs_batch_dims={0}, rhs_batch_dims={0}, lhs_contracting_dims={$l}, rhs_contracting_dims={$r}
  ROOT z = $t[$c] reshape(d)
})",
      {{"$as", SizesText({d.batch, d.m, d.k}, d.lhs_transposed)},
       {"$bs", SizesText({d.batch, d.k, d.n}, d.rhs_transposed)},
       {"$cs", SizesText({d.batch, d.m, d.n}, false)},
       {"$l", d.lhs_transposed ? "1" : "2"},
       {"$r", d.rhs_transposed ? "2" : "1"},
       {"$t", type},
       {"$a", absl::StrCat(d.batch * d.m * d.k)},
       {"$b", absl::StrCat(d.batch * d.k * d.n)},
       {"$c", absl::StrCat(d.batch * d.m * d.n)}});
  const auto executable =
      CpuCompiler().Compile(ParseAndReturnUnverifiedModule(text).value());
  const std::vector<std::vector<const Literal*>> arguments = {{&a, &b}};
  return std::move(executable.value()->Execute(arguments, {}).value()[0]);
}

DotDesc DrawDot(const ProductCase& product, Draw& draw) {
  DotDesc d;
  d.lhs = product.lhs;
  d.rhs = product.rhs;
  d.out = product.out;
  d.lhs_transposed = draw.In(0, 3) == 0;
  d.rhs_transposed = draw.In(0, 2) == 0;
  d.batch = draw.In(0, 3) == 0 ? draw.In(2, 5) : 1;
  d.m = draw.Size(200);
  d.n = draw.Size(200);
  d.k = draw.Size(8192);
  return d;
}

bool IsDrawn(const DotDesc& d, ProductWay way) {
  const int64_t products = d.batch * d.m * d.n * d.k;
  if (products > 400000) return false;
  const DotAlgorithm algorithm = DotAlgorithmOf(d, KernelTarget());
  switch (way) {
    case ProductWay::kTiny:
      return algorithm == DotAlgorithm::kTiny;
    case ProductWay::kSplitDepth:
      return algorithm == DotAlgorithm::kSplitDepth;
    case ProductWay::kSkinny:
      return algorithm == DotAlgorithm::kSkinny;
    case ProductWay::kPackedConstant:
      return PackedDotRhsBytes(d, KernelTarget()) > 0;
    case ProductWay::kNative:
      return products <= 4096;
    default:
      return algorithm == DotAlgorithm::kPacked;
  }
}

Errors MeasureDot(const ProductCase& product, Elements elements, Draw& draw) {
  DotDesc d = DrawDot(product, draw);
  while (!IsDrawn(d, product.way)) d = DrawDot(product, draw);
  const Literal a = MakeArray(d.lhs, d.batch * d.m * d.k, elements, draw);
  const Literal b = MakeArray(d.rhs, d.batch * d.k * d.n, elements, draw);
  Errors errors(product, d.k);
  errors.Compare(
      SumsOf(d, ToWide(a), ToWide(b)),
      product.way == ProductWay::kNative
          ? RunProgram(d, a, b)
          : RunPlan(d, a, b, product.way == ProductWay::kPackedConstant));
  return errors;
}

Errors MeasureAttention(const ProductCase& product, Elements elements,
                        Draw& draw) {
  AttentionDesc desc;
  DotDesc& first = desc.first;
  DotDesc& second = desc.second;
  first.lhs = second.lhs = product.lhs;
  first.rhs = second.rhs = product.rhs;
  first.out = second.out = product.out;
  first.batch = second.batch = draw.In(1, 2);
  first.m = second.m = draw.Size(80);
  first.n = second.k = draw.Size(300);
  first.k = draw.Size(100);
  second.n = draw.Size(40);
  first.rhs_transposed = draw.In(0, 1) == 1;
  const int64_t batch = first.batch;
  const Literal a =
      MakeArray(first.lhs, batch * first.m * first.k, elements, draw);
  const Literal b =
      MakeArray(first.rhs, batch * first.k * first.n, elements, draw);
  const Literal c =
      MakeArray(second.rhs, batch * second.k * second.n, elements, draw);
  Literal result(
      ShapeUtil::MakeShape(second.out, {batch * second.m * second.n}));
  const auto plan = AttentionPlan::Make(desc).value();
  const MemoryChunk scratch = Scratch(plan->ScratchBytes(1));
  InlineRunner runner;
  plan->Run(
      a.untyped_data(), b.untyped_data(), c.untyped_data(),
      result.untyped_data(), [](int64_t, int64_t, ColumnRange, char*, char*) {},
      scratch.data(), runner);
  const Sums between = SumsOf(first, ToWide(a), ToWide(b));
  Sums sums = SumsOf(second, between.exact, ToWide(c));
  const std::vector<Wide> magnitudes(between.magnitudes.begin(),
                                     between.magnitudes.end());
  sums.magnitudes = SumsOf(second, magnitudes, ToWide(c)).magnitudes;
  Errors errors(product, first.k + second.k);
  errors.Compare(sums, result);
  return errors;
}

ConvolutionDesc DrawConvolution(const ProductCase& product, Draw& draw) {
  ConvolutionDesc c;
  c.input = product.lhs;
  c.kernel = product.rhs;
  c.out = product.out;
  c.batch = draw.In(1, 3);
  const bool depthwise = product.way == ProductWay::kDepthwise;
  const bool few = product.way == ProductWay::kCol2Im;
  const int64_t group_in = depthwise ? 1 : draw.Size(500);
  c.feature_groups = depthwise                    ? draw.Size(200) + 1
                     : !few && draw.In(0, 3) == 0 ? draw.In(2, 3)
                                                  : 1;
  c.in_features = group_in * c.feature_groups;
  c.out_features = c.feature_groups * (depthwise ? draw.In(1, 2)
                                       : few     ? draw.In(1, 8)
                                                 : draw.Size(70));
  for (int d = 0; d < 2; ++d) {
    ConvolutionDim& dim = c.dims.emplace_back();
    const bool point = product.way == ProductWay::kInPlace;
    dim.input = draw.In(1, 12);
    dim.kernel = point ? 1 : draw.In(1, 5);
    dim.stride = point ? 1 : draw.In(1, 2);
    dim.padding_low = point ? 0 : draw.In(0, dim.kernel / 2);
    dim.output = std::max<int64_t>(
        (dim.input + 2 * dim.padding_low - dim.kernel) / dim.stride + 1, 1);
  }
  return c;
}

bool IsDrawn(const ConvolutionDesc& c, ProductWay way) {
  const double products = static_cast<double>(c.batch) * c.dims[0].output *
                          c.dims[1].output * c.dims[0].kernel *
                          c.dims[1].kernel * c.in_features * c.out_features /
                          c.feature_groups;
  if (products > 400000) return false;
  switch (ConvolutionAlgorithmOf(c, KernelTarget())) {
    case ConvolutionAlgorithm::kDepthwise:
      return way == ProductWay::kDepthwise;
    case ConvolutionAlgorithm::kCol2Im:
      return way == ProductWay::kCol2Im;
    case ConvolutionAlgorithm::kInPlace:
      return way == ProductWay::kInPlace;
    case ConvolutionAlgorithm::kRows:
      return way == ProductWay::kRows;
    default:
      return false;
  }
}

Errors MeasureConvolution(const ProductCase& product, Elements elements,
                          Draw& draw) {
  ConvolutionDesc c = DrawConvolution(product, draw);
  while (!IsDrawn(c, product.way)) c = DrawConvolution(product, draw);
  const int64_t taps = c.dims[0].kernel * c.dims[1].kernel;
  const int64_t terms = taps * c.in_features / c.feature_groups;
  const Literal a = MakeArray(
      c.input, c.batch * c.dims[0].input * c.dims[1].input * c.in_features,
      elements, draw);
  const Literal b = MakeArray(c.kernel, terms * c.out_features, elements, draw);
  Literal result(ShapeUtil::MakeShape(
      c.out, {c.batch * c.dims[0].output * c.dims[1].output * c.out_features}));
  const auto plan = ConvolutionPlan::Make(c).value();
  const MemoryChunk scratch = Scratch(plan->ScratchBytes(1));
  InlineRunner runner;
  plan->Run(a.untyped_data(), b.untyped_data(), result.untyped_data(),
            scratch.data(), runner);
  Errors errors(product, terms);
  errors.Compare(SumsOf(c, ToWide(a), ToWide(b)), result);
  return errors;
}

}  // namespace

absl::Span<const ProductCase> ProductCases() { return kProductCases; }

double ErrorBound(int64_t terms) {
  return 8 + std::sqrt(static_cast<double>(terms));
}

bool HasKernelsOfLevel(const ProductCase& product, VectorLevel level) {
  return level <= VectorLevel::kAvx512 || product.lhs == BF16;
}

absl::string_view ProductWayName(ProductWay way) {
  switch (way) {
    case ProductWay::kTiny:
      return "dot, tiny";
    case ProductWay::kSplitDepth:
      return "dot, split depth";
    case ProductWay::kSkinny:
      return "dot, skinny";
    case ProductWay::kPacked:
      return "dot, packed";
    case ProductWay::kPackedConstant:
      return "dot, packed constant";
    case ProductWay::kAttention:
      return "attention";
    case ProductWay::kNative:
      return "dot, native code";
    case ProductWay::kDepthwise:
      return "convolution, depthwise";
    case ProductWay::kCol2Im:
      return "convolution, col2im";
    case ProductWay::kInPlace:
      return "convolution, in place";
    case ProductWay::kRows:
      break;
  }
  return "convolution, rows";
}

ProductErrors MeasureProduct(const ProductCase& product, int64_t shapes,
                             uint64_t seed) {
  Draw draw(seed);
  ProductErrors all;
  double squares = 0;
  int64_t count = 0;
  for (int64_t i = 0; i < shapes; ++i) {
    const Elements elements = static_cast<Elements>(i % 3);
    switch (product.way) {
      case ProductWay::kAttention:
        MeasureAttention(product, elements, draw).AddTo(all, squares, count);
        break;
      case ProductWay::kDepthwise:
      case ProductWay::kCol2Im:
      case ProductWay::kInPlace:
      case ProductWay::kRows:
        MeasureConvolution(product, elements, draw).AddTo(all, squares, count);
        break;
      default:
        MeasureDot(product, elements, draw).AddTo(all, squares, count);
    }
  }
  all.root_mean_square = std::sqrt(squares / std::max<int64_t>(count, 1));
  return all;
}

}  // namespace xla::cpu
