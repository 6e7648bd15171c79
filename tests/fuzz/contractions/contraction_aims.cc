// The aims, by turns, and the sizes that reach them.
#include "tests/fuzz/contractions/contraction_aims.h"

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "tests/fuzz/contractions/contraction_epilogues.h"
#include "tests/fuzz/contractions/contraction_operands.h"
#include "tests/fuzz/contractions/contraction_windows.h"
#include "xla/base/status_macros.h"
#include "xla/core/layout_util.h"

namespace xla::fuzz {

namespace {

// The products of numbers in one program, on the evaluator some 3 ns each.
constexpr double kMostProducts = 1.5e6;

int64_t EdgeSize(Random& random, int64_t most) {
  static const std::vector<int64_t> kSizes = {
      1,   2,   3,   4,   5,   6,   7,   8,   9,   10,  11,   12,   13,
      14,  15,  16,  17,  23,  24,  25,  31,  32,  33,  47,   48,   49,
      63,  64,  65,  80,  95,  96,  97,  127, 128, 129, 160,  191,  192,
      193, 255, 256, 257, 300, 384, 511, 512, 513, 700, 1023, 1024, 1025};
  const auto end = std::upper_bound(kSizes.begin(), kSizes.end(), most);
  return kSizes[random.Below(end - kSizes.begin())];
}

// `size` as one dimension, or two.
Sizes Split(int64_t size, Random& random) {
  if (!random.Chance(0.15)) return {size};
  for (const int64_t factor : {4, 3, 2, 5, 7, 1}) {
    if (size % factor == 0) {
      return random.Chance(0.5) ? Sizes{factor, size / factor}
                                : Sizes{size / factor, factor};
    }
  }
  return {size};
}

Term DotOf(TermWriter& w, int64_t batch, int64_t m, int64_t n, int64_t k,
           const ProductTypes& types, OperandStyle style) {
  Random& random = w.random();
  DotSizesList sizes;
  if (batch > 1 || random.Chance(0.05)) sizes.batch = Split(batch, random);
  if (m > 1 || random.Chance(0.5)) sizes.rows = Split(m, random);
  if (n > 1 || random.Chance(0.5)) sizes.columns = Split(n, random);
  sizes.depth = Split(k, random);
  style.any_order |= random.Chance(0.3);
  style.computed |= random.Chance(0.25);
  return DrawDot(w, sizes, types, style);
}

ProductTypes RealTypes(Random& random) {
  return random.Of<ProductTypes>({{F32, F32, F32},
                                  {F32, F32, F32},
                                  {F64, F64, F64},
                                  {BF16, BF16, F32},
                                  {BF16, BF16, BF16},
                                  {F16, F16, F32},
                                  {F32, F32, BF16},
                                  {BF16, S8, F32},
                                  {S8, F32, F32}});
}

// Reduces `size` until `others` such products are few enough.
int64_t Fit(int64_t size, double others, double most = kMostProducts) {
  return std::max<int64_t>(
      std::min<int64_t>(size, static_cast<int64_t>(most / others)), 1);
}

Term SmallDot(TermWriter& w) {
  Random& random = w.random();
  const int64_t m = random.In(1, 17), n = random.In(1, 17);
  return DotOf(w, 1, m, n, Fit(random.In(1, 33), m * n, 4096),
               DrawTypes(random), {});
}

// Many products of at most 4,096 multiplications.
Term TinyBatch(TermWriter& w) {
  Random& random = w.random();
  const int64_t m = random.In(1, 17), n = random.In(1, 17);
  const int64_t k = Fit(random.In(1, 33), m * n, 4200);
  const ProductTypes types =
      random.Chance(0.8) ? (random.Chance(0.6) ? ProductTypes{F32, F32, F32}
                                               : ProductTypes{F64, F64, F64})
                         : DrawTypes(random);
  const int64_t batch = Fit(random.In(20, 600), m * n * k);
  return DotOf(w, batch, m, n, k, types, {});
}

// A product of this size, or a few of them.
Term NarrowDot(TermWriter& w, int64_t m, int64_t n) {
  Random& random = w.random();
  const int64_t k = Fit(EdgeSize(random, 1025), m * n);
  const int64_t batch =
      random.Chance(0.3) ? Fit(random.In(2, 9), m * n * k) : 1;
  return DotOf(w, batch, m, n, k, RealTypes(random), {});
}

Term FewRows(TermWriter& w) {
  Random& random = w.random();
  const int64_t m = random.In(1, random.Chance(0.5) ? 4 : 40);
  return NarrowDot(w, m, EdgeSize(random, 700));
}

Term FewColumns(TermWriter& w) {
  Random& random = w.random();
  const int64_t n = random.In(1, random.Chance(0.5) ? 4 : 20);
  return NarrowDot(w, EdgeSize(random, 1025), n);
}

// Few rows or columns, or both, and thousands of terms.
Term LongDepth(TermWriter& w) {
  Random& random = w.random();
  const int64_t k = random.In(4097, 9000);
  const int64_t m = random.In(1, 9);
  const int64_t n = Fit(random.In(1, 70), static_cast<double>(m) * k);
  const bool swapped = random.Chance(0.5);
  return DotOf(w, 1, swapped ? n : m, swapped ? m : n, k,
               random.Chance(0.7) ? RealTypes(random) : DrawTypes(random), {});
}

Term PackedDot(TermWriter& w, bool constant) {
  Random& random = w.random();
  const int64_t m = EdgeSize(random, 300);
  const int64_t n = EdgeSize(random, 300);
  const int64_t k = Fit(EdgeSize(random, 1025), m * n);
  OperandStyle style;
  style.constant_rhs = constant;
  style.constant_lhs = !constant && random.Chance(0.05);
  const int64_t batch =
      random.Chance(0.25) ? Fit(random.In(2, 9), m * n * k) : 1;
  return DotOf(w, batch, m, n, k, DrawTypes(random), style);
}

Term Blocks(TermWriter& w) {  // a batch of matrices of middle size
  Random& random = w.random();
  const int64_t m = random.In(9, 70), n = random.In(9, 70);
  const int64_t k = Fit(random.In(9, 140), m * n);
  return DotOf(w, Fit(random.In(2, 40), m * n * k), m, n, k, DrawTypes(random),
               {});
}

// A result of at least 32 KB in F32.
Term DotWithEpilogue(TermWriter& w, bool constant, bool few_rows) {
  Random& random = w.random();
  int64_t m = few_rows ? random.In(2, 6) : EdgeSize(random, 300);
  m = std::max<int64_t>(m, few_rows ? 2 : 17);
  int64_t n = std::max<int64_t>(EdgeSize(random, 513), 16);
  n = std::max(n, (8192 + m - 1) / m);
  const int64_t k = Fit(EdgeSize(random, 257), m * n);
  OperandStyle style;
  style.constant_rhs = constant;
  const ProductTypes types =
      few_rows || random.Chance(0.3) ? RealTypes(random) : DrawTypes(random);
  return DrawEpilogue(w, DotOf(w, 1, m, n, k, types, style));
}

Term ConvolutionOf(TermWriter& w, WindowKind kind, OperandStyle style,
                   bool epilogue) {
  Random& random = w.random();
  style.any_order |= random.Chance(0.5);
  style.computed |= random.Chance(0.2);
  const ProductTypes types =
      (kind == WindowKind::kDepthwise || kind == WindowKind::kPoints ||
       kind == WindowKind::kFewFeatures) &&
              random.Chance(0.8)
          ? RealTypes(random)
          : DrawTypes(random);
  // Small results stay in the cache, so that nothing is fused with them.
  const double least = epilogue && !random.Chance(0.2) ? 8200 : 1;
  const Term result = DrawConvolution(w, kind, types, style, least,
                                      (epilogue ? 3 : 1) * kMostProducts);
  return epilogue ? DrawEpilogue(w, result) : result;
}

// Two dots with a softmax, or a division by the sums of rows, between them.
Term Attention(TermWriter& w) {
  Random& random = w.random();
  const int64_t m = random.In(64, 140), n = random.In(32, 300);
  const int64_t batch = std::max<int64_t>(
      random.In(1, 4), (int64_t{65536} + m * n - 1) / (m * n));
  const double between = static_cast<double>(batch) * m * n;
  const int64_t k = Fit(random.In(3, 40), between);
  const int64_t columns = Fit(random.In(3, 40), between);
  const PrimitiveType type = random.Of<PrimitiveType>({F32, F32, F32, BF16});
  OperandStyle style;
  style.any_order = random.Chance(0.5);
  const Sizes batches = batch > 1 ? Sizes{batch} : Sizes{};
  Term scores = DrawDot(w, {batches, {m}, {n}, {k}}, {type, type, F32}, style);
  if (random.Chance(0.5)) {
    scores = w.Multiply(scores, w.Splat(F32, 0.125, scores.sizes));
  }
  if (random.Chance(0.5)) {
    scores =
        w.Band(scores, random.Of<int64_t>({1000, 50, 3}), random.In(-9, 30),
               random.Of<double>({-1e9, -0x1p100, -20}));
  }
  Sizes rows(scores.sizes.size() - 1);
  for (size_t d = 0; d < rows.size(); ++d) rows[d] = d;
  if (random.Chance(0.7)) {
    const Term largest = w.RowMaximum(scores);
    scores =
        w.Exp(w.Subtract(scores, w.Broadcast(largest, scores.sizes, rows)));
  } else {
    scores = w.Logistic(scores);
  }
  const Term sums = w.RowSum(scores);
  Term shares = w.Divide(scores, w.Broadcast(sums, scores.sizes, rows));
  const PrimitiveType second = random.Chance(0.3) ? BF16 : F32;
  if (second != F32) shares = w.Convert(shares, second);
  // As [key, head, feature] or the other way round; the result, too.
  const bool heads_inside = batch > 1 && random.Chance(0.5);
  Sizes value_sizes = batches;
  value_sizes.push_back(n);
  value_sizes.push_back(columns);
  if (heads_inside) std::swap(value_sizes[0], value_sizes[1]);
  Term values =
      w.Argument(second, value_sizes,
                 random.Chance(0.5) ? Numbers::kReal : Numbers::kSmallIntegers);
  if (heads_inside) values = w.Transpose(values, {1, 0, 2});
  DotDimensionNumbers numbers;
  if (batch > 1) {
    numbers.add_lhs_batch_dimensions(0);
    numbers.add_rhs_batch_dimensions(0);
  }
  numbers.add_lhs_contracting_dimensions(shares.sizes.size() - 1);
  numbers.add_rhs_contracting_dimensions(batches.size());
  const Term result = w.Dot(shares, values, numbers, F32);
  return heads_inside ? w.Transpose(result, {1, 0, 2}) : result;
}

struct Aim {
  const char* name;
  Term (*draw)(TermWriter& w);
};

constexpr OperandStyle kConstantRight = {.constant_rhs = true};

constexpr Aim kAims[] = {
    {"small dot", SmallDot},
    {"tiny batch", TinyBatch},
    {"few rows", FewRows},
    {"few columns", FewColumns},
    {"long depth", LongDepth},
    {"packed", [](TermWriter& w) { return PackedDot(w, false); }},
    {"packed constant", [](TermWriter& w) { return PackedDot(w, true); }},
    {"blocks", Blocks},
    {"dot, epilogue",
     [](TermWriter& w) { return DotWithEpilogue(w, false, false); }},
    {"constant dot, epilogue",
     [](TermWriter& w) { return DotWithEpilogue(w, true, false); }},
    {"few rows, epilogue",
     [](TermWriter& w) { return DotWithEpilogue(w, false, true); }},
    {"images",
     [](TermWriter& w) {
       return ConvolutionOf(w, WindowKind::kImages, {}, false);
     }},
    {"points",
     [](TermWriter& w) {
       return ConvolutionOf(w, WindowKind::kPoints, {}, false);
     }},
    {"points, epilogue",
     [](TermWriter& w) {
       return ConvolutionOf(w, WindowKind::kPoints, {}, true);
     }},
    {"depthwise",
     [](TermWriter& w) {
       return ConvolutionOf(w, WindowKind::kDepthwise, {},
                            w.random().Chance(0.2));
     }},
    {"few features",
     [](TermWriter& w) {
       return ConvolutionOf(w, WindowKind::kFewFeatures, {}, false);
     }},
    {"large kernels",
     [](TermWriter& w) {
       return ConvolutionOf(w, WindowKind::kLargeKernels, {}, false);
     }},
    {"any window",
     [](TermWriter& w) {
       return ConvolutionOf(w, WindowKind::kAny, {}, w.random().Chance(0.2));
     }},
    {"constant kernel",
     [](TermWriter& w) {
       return ConvolutionOf(w, WindowKind::kImages, kConstantRight, false);
     }},
    {"convolution, epilogue",
     [](TermWriter& w) {
       return ConvolutionOf(w, WindowKind::kImages, {}, true);
     }},
    {"constant kernel, epilogue",
     [](TermWriter& w) {
       return ConvolutionOf(
           w,
           w.random().Chance(0.3) ? WindowKind::kPoints : WindowKind::kImages,
           kConstantRight, true);
     }},
    {"attention", Attention},
};

// Gives some arguments and the result other orders of dimensions in memory.
void ChangeLayouts(ContractionProgram& program, Random& random) {
  ProgramShape layout =
      program.module->entry_computation_layout().ComputeProgramShape();
  const auto change = [&](Shape* shape) {
    if (!shape->IsArray() || shape->rank() < 2 || random.Chance(0.5)) return;
    *shape->mutable_layout() =
        LayoutUtil::MakeLayout(random.Permutation(shape->rank()));
  };
  change(layout.mutable_result());
  for (size_t i = 0; i < program.arguments.size(); ++i) {
    change(layout.mutable_parameters(i));
    program.arguments[i] = program.arguments[i].Relayout(layout.parameters(i));
  }
  program.module->mutable_config().SetComputationLayoutIfExists(layout);
}

}  // namespace

absl::StatusOr<ContractionProgram> MakeContraction(uint64_t seed) {
  const Aim& aim = kAims[seed % std::size(kAims)];
  TermWriter writer(seed);
  const Term result = aim.draw(writer);
  TF_ASSIGN_OR_RETURN(ContractionProgram program, writer.Build(result));
  program.aim = aim.name;
  if (writer.random().Chance(0.2)) ChangeLayouts(program, writer.random());
  return program;
}

}  // namespace xla::fuzz
