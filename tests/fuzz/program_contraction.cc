// Dots with any number of batch, contracting and free dimensions.
#include "tests/fuzz/program_contraction.h"

#include <cmath>
#include <vector>

#include "absl/algorithm/container.h"

namespace xla::fuzz {

bool AddContraction(ProgramWriter& w) {
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

}  // namespace xla::fuzz
