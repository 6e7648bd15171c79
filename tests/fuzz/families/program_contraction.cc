// Dots with any number of batch, contracting and free dimensions, and
// convolutions with any order of them.
#include "tests/fuzz/families/program_contraction.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "tests/fuzz/convolution_numbers.h"

namespace xla::fuzz {

namespace {

bool AddDot(ProgramWriter& w) {
  Random& random = w.random();
  const Value* found = w.Find([](const Value& value) {
    return value.type != PRED && value.known.finite() && value.rank() > 0;
  });
  if (found == nullptr) return false;
  const Value a = *found;
  DotDimensionNumbers numbers;
  struct Dimension {
    int64_t size, lhs;  // lhs < 0: free
    bool batch;
  };
  std::vector<Dimension> rhs;
  Dims dims;
  double count = 1;
  for (int64_t d = 0; d < a.rank(); ++d) {
    const int64_t kind = random.Below(10);
    if (kind < 2) {
      rhs.push_back({a.dims[d], d, true});
    } else if (kind < 6) {
      rhs.push_back({a.dims[d], d, false});
      count *= a.dims[d];
    }
  }
  for (int64_t i = random.Below(3); i > 0; --i) {
    rhs.push_back({random.Of(Dims{1, 2, 3, 8, 16, 17, 32, 50}), -1, false});
  }
  std::vector<Dimension> mixed;
  Dims b_dims;
  for (int64_t i : random.Permutation(rhs.size())) {
    mixed.push_back(rhs[i]);
    b_dims.push_back(rhs[i].size);
  }
  for (size_t i = 0; i < mixed.size(); ++i) {
    if (mixed[i].lhs < 0) continue;
    if (mixed[i].batch) {
      numbers.add_lhs_batch_dimensions(mixed[i].lhs);
      numbers.add_rhs_batch_dimensions(i);
      dims.push_back(mixed[i].size);
    } else {
      numbers.add_lhs_contracting_dimensions(mixed[i].lhs);
      numbers.add_rhs_contracting_dimensions(i);
    }
  }
  for (int64_t d = 0; d < a.rank(); ++d) {
    if (!absl::c_linear_search(numbers.lhs_batch_dimensions(), d) &&
        !absl::c_linear_search(numbers.lhs_contracting_dimensions(), d)) {
      dims.push_back(a.dims[d]);
    }
  }
  for (const Dimension& dimension : mixed) {
    if (dimension.lhs < 0) dims.push_back(dimension.size);
  }
  double work = count, b_elements = 1;
  for (int64_t size : dims) work *= size;
  for (int64_t size : b_dims) b_elements *= size;
  if (work > 300000 || b_elements > 20000) return false;
  const Value b = w.Partner(a.type, b_dims);
  if (!b.known.finite()) return false;
  const Knowledge &x = a.known, &y = b.known;
  const double terms = count * (a.type == C64 ? 2 : 1);
  const Knowledge sum = {
      .bound = std::max(terms, 1.0) * x.bound * y.bound,
      .grain = x.grain * y.grain,
      .error = terms * (x.error * y.bound + y.error * x.bound)};
  return w.Put(DotGeneral(a.op, b.op, numbers), a.type, dims,
               Rounded(a.type, sum, 4 + 2 * std::sqrt(terms)));
}

// Adds a convolution of two new arrays, with any order of dimensions.
bool AddConvolution(ProgramWriter& w) {
  Random& random = w.random();
  static const std::vector<PrimitiveType> kTypes = {F32,  F32, F32, F64,
                                                    BF16, F16, S32};
  const PrimitiveType type = random.Of(kTypes);
  const int64_t spatial = random.In(0, 3);
  int64_t groups = random.Chance(0.3) ? random.In(2, 3) : 1;
  const bool of_batch = groups > 1 && random.Chance(0.4);
  const int64_t per_group = random.In(1, 4);
  const int64_t kernel_in = random.In(1, 5);
  Dims lhs = {random.In(1, 3) * (of_batch ? groups : 1),
              kernel_in * (of_batch ? 1 : groups)};
  Dims rhs = {per_group * groups, kernel_in};
  Dims strides, lhs_dilation, rhs_dilation;
  std::vector<std::pair<int64_t, int64_t>> padding;
  std::vector<bool> reversal;
  double terms = kernel_in;
  for (int64_t d = 0; d < spatial; ++d) {
    lhs.push_back(random.In(1, 12));
    rhs.push_back(random.In(1, 4));
    terms *= rhs.back();
    strides.push_back(random.Chance(0.6) ? 1 : random.In(1, 3));
    padding.push_back({random.In(-1, 3), random.In(-1, 3)});
    lhs_dilation.push_back(random.Chance(0.8) ? 1 : random.In(1, 3));
    rhs_dilation.push_back(random.Chance(0.8) ? 1 : random.In(1, 3));
    reversal.push_back(random.Chance(0.2));
  }
  const int64_t rank = spatial + 2;
  const auto in = random.Permutation(rank), kernel = random.Permutation(rank),
             out = random.Permutation(rank);
  Dims lhs_dims(rank), rhs_dims(rank);
  const ConvolutionDimensionNumbers numbers =
      ConvolutionNumbers(in, kernel, out);
  for (int64_t d = 0; d < rank; ++d) {
    lhs_dims[in[d]] = lhs[d];
    rhs_dims[kernel[d]] = rhs[d];
  }
  for (int64_t d = 0; d < spatial; ++d) {  // a window must fit
    const int64_t base = (lhs[d + 2] - 1) * lhs_dilation[d] + 1;
    const int64_t window = (rhs[d + 2] - 1) * rhs_dilation[d] + 1;
    if (base + padding[d].first + padding[d].second < window) return false;
  }
  const Value a = w.Partner(type, lhs_dims), b = w.Partner(type, rhs_dims);
  const Knowledge &x = a.known, &y = b.known;
  if (!x.finite() || !y.finite()) return false;
  const XlaOp op = ConvGeneralDilated(
      a.op, b.op, strides, padding, lhs_dilation, rhs_dilation, numbers,
      of_batch ? 1 : groups, of_batch ? groups : 1, nullptr, std::nullopt,
      reversal);
  const auto shape = w.builder()->GetShape(op);
  if (!shape.ok()) return false;
  return w.Put(
      op, type, Dims(shape->dimensions().begin(), shape->dimensions().end()),
      Rounded(type,
              {.bound = terms * x.bound * y.bound,
               .grain = x.grain * y.grain,
               .error = terms * (x.error * y.bound + y.error * x.bound)},
              4 + 2 * std::sqrt(terms)));
}

}  // namespace

bool AddContraction(ProgramWriter& w) {
  return w.random().Chance(0.25) ? AddConvolution(w) : AddDot(w);
}

}  // namespace xla::fuzz
