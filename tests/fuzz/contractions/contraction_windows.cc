// Convolutions with windows of all kinds.
#include "tests/fuzz/contractions/contraction_windows.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "tests/fuzz/convolution_numbers.h"

namespace xla::fuzz {

namespace {

// One convolution as it is drawn, before its dimensions are ordered.
struct Drawn {
  int64_t batch = 1, in_features = 1, out_features = 1;
  Sizes input, kernel;  // spatial
  ConvolutionWindow window;

  void AddDimension(int64_t input_size, int64_t kernel_size, int64_t stride,
                    std::pair<int64_t, int64_t> padding, int64_t base = 1,
                    int64_t dilation = 1, bool reversed = false) {
    // The window must fit.
    const int64_t span = (kernel_size - 1) * dilation + 1;
    const int64_t least = span - padding.first - padding.second;
    while ((input_size - 1) * base + 1 < least) ++input_size;
    input.push_back(input_size);
    kernel.push_back(kernel_size);
    window.strides.push_back(stride);
    window.padding.push_back(padding);
    window.base_dilation.push_back(base);
    window.window_dilation.push_back(dilation);
    window.reversal.push_back(reversed);
  }

  double Results() const {
    double count =
        static_cast<double>(batch) * out_features / window.batch_groups;
    for (size_t d = 0; d < input.size(); ++d) {
      const int64_t base = (input[d] - 1) * window.base_dilation[d] + 1 +
                           window.padding[d].first + window.padding[d].second;
      const int64_t span = (kernel[d] - 1) * window.window_dilation[d] + 1;
      count *= (base - span) / window.strides[d] + 1;
    }
    return count;
  }

  double Products() const {
    double count = Results() * in_features / window.feature_groups;
    for (const int64_t size : kernel) count *= size;
    return count;
  }
};

const std::vector<int64_t>& Features() {
  static const std::vector<int64_t> kFeatures = {
      1, 2, 3, 4, 5, 7, 8, 15, 16, 17, 24, 31, 32, 33, 48, 63, 64, 65, 96, 130};
  return kFeatures;
}

Drawn DrawImages(Random& random) {
  Drawn c;
  c.batch = random.In(1, 4);
  c.in_features = random.Of(Features());
  c.out_features = random.Of(Features());
  const int64_t size = random.Of<int64_t>({1, 2, 3, 3, 3, 5, 7});
  const int64_t stride = random.Of<int64_t>({1, 1, 1, 2, 3});
  for (int64_t d = random.Of<int64_t>({1, 2, 2, 2, 3}); d > 0; --d) {
    c.AddDimension(random.In(1, 20), size, stride,
                   {random.In(0, size / 2), random.In(0, size / 2)});
  }
  return c;
}

Drawn DrawPoints(Random& random) {
  Drawn c;
  c.batch = random.In(1, 4);
  // Without groups they become dots.
  const int64_t groups = random.Of<int64_t>({2, 2, 3, 4});
  c.window.feature_groups = groups;
  c.in_features = random.Of(Features()) * groups;
  c.out_features = random.Of(Features()) * groups;
  for (int64_t d = random.In(1, 2); d > 0; --d) {
    c.AddDimension(random.In(1, 40), 1, 1, {0, 0});
  }
  return c;
}

Drawn DrawDepthwise(Random& random) {
  Drawn c;
  c.batch = random.In(1, 3);
  c.in_features = std::max<int64_t>(random.Of(Features()), 2);
  c.out_features = c.in_features * random.Of<int64_t>({1, 1, 1, 2, 3});
  c.window.feature_groups = c.in_features;
  for (int64_t d = random.In(1, 3); d > 0; --d) {
    const int64_t size = random.In(1, 5);
    c.AddDimension(random.In(1, 16), size, random.In(1, 2),
                   {random.In(-1, 2), random.In(-1, 2)},
                   random.Chance(0.2) ? 2 : 1, random.Chance(0.2) ? 2 : 1,
                   random.Chance(0.2));
  }
  return c;
}

Drawn DrawFewFeatures(Random& random) {
  Drawn c;
  c.batch = random.In(1, 3);
  c.out_features = random.In(1, 8);
  c.in_features = std::max(c.out_features, random.Of(Features()));
  for (int64_t d = random.In(1, 3); d > 0; --d) {
    const int64_t size = random.In(1, 5);
    c.AddDimension(random.In(1, 30), size, 1,
                   {random.In(-1, size), random.In(-1, size)},
                   random.Chance(0.6) ? 1 : random.In(2, 4),
                   random.Chance(0.8) ? 1 : 2, random.Chance(0.2));
  }
  return c;
}

Drawn DrawLargeKernels(Random& random) {
  Drawn c;
  c.batch = random.In(1, 3);
  c.in_features = random.In(1, 4);
  c.out_features = random.In(9, 64);
  const int64_t stride = random.In(1, 2), dilation = random.In(1, 2);
  for (int64_t d = 0; d < 2; ++d) {
    const int64_t size = random.In(40, 90);
    c.AddDimension((size - 1) * dilation + random.In(1, 4), size, stride,
                   {random.In(-1, 1), random.In(-1, 1)}, 1, dilation);
  }
  return c;
}

Drawn DrawAny(Random& random) {
  Drawn c;
  const int64_t groups = random.Chance(0.4) ? random.In(2, 6) : 1;
  const bool of_batch = groups > 1 && random.Chance(0.4);
  c.batch = random.In(1, 4) * (of_batch ? groups : 1);
  c.in_features = random.In(1, 20) * (of_batch ? 1 : groups);
  c.out_features = random.In(1, 24) * groups;
  (of_batch ? c.window.batch_groups : c.window.feature_groups) = groups;
  for (int64_t d = random.In(0, 3); d > 0; --d) {
    c.AddDimension(random.In(1, 14), random.In(1, 6),
                   random.Chance(0.5) ? 1 : random.In(1, 4),
                   {random.In(-2, 5), random.In(-2, 5)},
                   random.Chance(0.7) ? 1 : random.In(1, 4),
                   random.Chance(0.7) ? 1 : random.In(1, 4),
                   random.Chance(0.25));
  }
  return c;
}

Drawn DrawKind(WindowKind kind, Random& random) {
  switch (kind) {
    case WindowKind::kImages:
      return DrawImages(random);
    case WindowKind::kPoints:
      return DrawPoints(random);
    case WindowKind::kDepthwise:
      return DrawDepthwise(random);
    case WindowKind::kLargeKernels:
      return DrawLargeKernels(random);
    case WindowKind::kFewFeatures:
      return DrawFewFeatures(random);
    case WindowKind::kAny:
      break;
  }
  return DrawAny(random);
}

// The order of dimensions of one array: where its first, its second and its
// spatial dimensions are.
Sizes DrawOrder(int64_t spatial, bool any, bool features_last, Random& random) {
  if (any) return random.Permutation(spatial + 2);
  Sizes order = {0, features_last ? spatial + 1 : 1};
  for (int64_t d = 0; d < spatial; ++d) {
    order.push_back(d + (features_last ? 1 : 2));
  }
  return order;
}

// The same for kernels: output features, input features, spatial.
Sizes DrawKernelOrder(int64_t spatial, bool any, bool features_last,
                      Random& random) {
  if (any) return random.Permutation(spatial + 2);
  Sizes order = features_last ? Sizes{spatial + 1, spatial} : Sizes{0, 1};
  for (int64_t d = 0; d < spatial; ++d) {
    order.push_back(d + (features_last ? 0 : 2));
  }
  return order;
}

}  // namespace

Term DrawConvolution(TermWriter& w, WindowKind kind, const ProductTypes& types,
                     const OperandStyle& style, double least_results,
                     double most_products) {
  Random& random = w.random();
  Drawn c = DrawKind(kind, random);
  while (c.Products() > most_products || c.Results() < least_results) {
    c = DrawKind(kind, random);
  }
  const int64_t spatial = c.input.size();
  const bool any = style.any_order && random.Chance(0.3);
  const bool last = random.Chance(0.65);
  const Sizes in = DrawOrder(spatial, any, last, random);
  const Sizes kernel = DrawKernelOrder(spatial, any, last, random);
  const Sizes out =
      DrawOrder(spatial, any, random.Chance(0.1) ? !last : last, random);
  Sizes lhs(spatial + 2), rhs(spatial + 2);
  c.window.numbers = ConvolutionNumbers(in, kernel, out);
  lhs[in[0]] = c.batch;
  lhs[in[1]] = c.in_features;
  rhs[kernel[0]] = c.out_features;
  rhs[kernel[1]] = c.in_features / c.window.feature_groups;
  for (int64_t d = 0; d < spatial; ++d) {
    lhs[in[d + 2]] = c.input[d];
    rhs[kernel[d + 2]] = c.kernel[d];
  }
  const Numbers drawn = DrawNumbers(types, random);
  const Term a = DrawOperand(w, types.lhs, lhs, drawn, style.constant_lhs,
                             style.computed && random.Chance(0.5));
  const Term b =
      DrawOperand(w, types.rhs, rhs, BesideOf(drawn), style.constant_rhs,
                  style.computed && random.Chance(0.5));
  return w.Convolution(a, b, c.window, types.result);
}

}  // namespace xla::fuzz
