// The algebra of iotas: their least form, and what a transpose makes of them.
#include "xla/hlo/sharding/tile_assignment.h"

#include <algorithm>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/strings/str_join.h"
#include "xla/base/checked_math.h"
#include "xla/base/errors.h"
#include "xla/base/logging.h"

namespace xla {
namespace {

// A factor of a dimension of an iota's array and of one of its list.
struct Factor {
  int64_t size = 1;
  int dim = 0;     // of the array
  int source = 0;  // of the list that is transposed
};

// Divides the sizes of an iota into factors that each belong to one dimension
// on either side, the last first. Returns nullopt if there are none. The
// products agree.
std::optional<std::vector<Factor>> CommonFactors(
    absl::Span<const int64_t> dims, absl::Span<const int64_t> reshape_dims,
    absl::Span<const int> transpose_perm) {
  std::vector<Factor> factors;
  int dim = dims.size();
  int position = transpose_perm.size();
  int64_t left = 1;
  int64_t source_left = 1;
  while (true) {
    while (left == 1 && dim > 0) left = dims[--dim];
    while (source_left == 1 && position > 0) {
      source_left = reshape_dims[transpose_perm[--position]];
    }
    if (left == 1) return factors;
    const int64_t size = std::min(left, source_left);
    if (size < 1 || left % size != 0 || source_left % size != 0) {
      return std::nullopt;
    }
    factors.push_back({size, dim, transpose_perm[position]});
    left /= size;
    source_left /= size;
  }
}

std::optional<std::vector<Factor>> CommonFactors(
    const IotaTileAssignment& iota) {
  return CommonFactors(iota.dims(), iota.reshape_dims(), iota.transpose_perm());
}

template <typename T>
bool IsPermutationOf(absl::Span<const T> perm, size_t size) {
  std::vector<bool> seen(size);
  for (const T i : perm) {
    if (i < 0 || static_cast<size_t>(i) >= size || seen[i]) return false;
    seen[i] = true;
  }
  return perm.size() == size;
}

template <typename T>
std::string Printed(const T& value) {
  StringPrinter printer;
  value.Print(&printer);
  return std::move(printer).ToString();
}

template <typename T>
std::string PrintedArray(const T& value) {
  StringPrinter printer;
  value.PrintArray(&printer);
  return std::move(printer).ToString();
}

}  // namespace

IotaTileAssignment IotaTileAssignment::Create(absl::Span<const int64_t> dims) {
  return Create(dims, {Product(dims)}, {0});
}

IotaTileAssignment IotaTileAssignment::Create(
    absl::Span<const int64_t> dims, absl::Span<const int64_t> reshape_dims,
    absl::Span<const int> transpose_perm) {
  CHECK(IsPermutationOf(transpose_perm, reshape_dims.size()));
  CHECK_EQ(Product(dims), Product(reshape_dims));
  CHECK_GE(Product(dims), 0);
  IotaTileAssignment iota;
  iota.dims_.assign(dims.begin(), dims.end());
  // Runs of dimensions that stay neighbours are one; those of size 1 are none.
  std::vector<int64_t> run_sizes(reshape_dims.size(), 1);  // at a run's first
  std::vector<int> order;                                  // of the runs
  int next = -1;  // the dimension that would continue the run
  const auto skip_ones = [&](int dim) {
    while (dim < static_cast<int>(reshape_dims.size()) &&
           reshape_dims[dim] == 1) {
      ++dim;
    }
    return dim;
  };
  for (const int dim : transpose_perm) {
    if (reshape_dims[dim] == 1) continue;
    if (dim != next) order.push_back(dim);
    run_sizes[order.back()] *= reshape_dims[dim];
    next = skip_ones(dim + 1);
  }
  std::vector<int> number(reshape_dims.size());
  for (size_t dim = 0; dim < run_sizes.size(); ++dim) {
    if (run_sizes[dim] == 1) continue;
    number[dim] = iota.reshape_dims_.size();
    iota.reshape_dims_.push_back(run_sizes[dim]);
  }
  for (const int first : order) {
    iota.transpose_perm_.push_back(number[first]);
  }
  if (order.empty()) {
    iota.reshape_dims_ = {1};
    iota.transpose_perm_ = {0};
  }
  return iota;
}

int64_t IotaTileAssignment::num_elements() const { return Product(dims_); }

int64_t IotaTileAssignment::value_at(absl::Span<const int64_t> index) const {
  int64_t position = 0;
  for (size_t i = 0; i < dims_.size(); ++i) {
    position = position * dims_[i] + index[i];
  }
  std::vector<int64_t> coordinates(reshape_dims_.size());
  for (size_t i = transpose_perm_.size(); i-- > 0;) {
    const int dim = transpose_perm_[i];
    coordinates[dim] = position % reshape_dims_[dim];
    position /= reshape_dims_[dim];
  }
  int64_t value = 0;
  for (size_t i = 0; i < coordinates.size(); ++i) {
    value = value * reshape_dims_[i] + coordinates[i];
  }
  return value;
}

std::optional<IotaTileAssignment> IotaTileAssignment::Transpose(
    absl::Span<const int> perm) const {
  CHECK(IsPermutationOf(perm, dims_.size()));
  const std::optional<std::vector<Factor>> factors = CommonFactors(*this);
  if (!factors.has_value()) return std::nullopt;
  // Number the factors in the order of the list, then list those of each
  // dimension in the order of the transposed array.
  std::vector<int> by_source(factors->size());
  for (size_t i = 0; i < by_source.size(); ++i) {
    by_source[i] = by_source.size() - 1 - i;  // the first first
  }
  std::vector<int> by_dim = by_source;
  absl::c_stable_sort(by_source, [&](int a, int b) {
    return (*factors)[a].source < (*factors)[b].source;
  });
  std::vector<int> place(dims_.size());
  for (size_t i = 0; i < perm.size(); ++i) place[perm[i]] = i;
  absl::c_stable_sort(by_dim, [&](int a, int b) {
    return place[(*factors)[a].dim] < place[(*factors)[b].dim];
  });
  std::vector<int64_t> new_dims, sizes;
  std::vector<int> number(factors->size()), new_perm;
  for (const int dim : perm) new_dims.push_back(dims_[dim]);
  for (const int factor : by_source) {
    number[factor] = sizes.size();
    sizes.push_back((*factors)[factor].size);
  }
  for (const int factor : by_dim) new_perm.push_back(number[factor]);
  return Create(new_dims, sizes, new_perm);
}

Array<int64_t> IotaTileAssignment::ToArray() const {
  Array<int64_t> array(reshape_dims_);
  array.FillIota(0);
  array.TransposeDimensions(
      std::vector<int64_t>(transpose_perm_.begin(), transpose_perm_.end()));
  array.Reshape(dims_);
  return array;
}

void IotaTileAssignment::Print(Printer* printer) const {
  printer->Append("[");
  AppendJoin(printer, dims_, ",");
  printer->Append("]<=");
  PrintArray(printer);
}

void IotaTileAssignment::PrintArray(Printer* printer) const {
  printer->Append("[");
  AppendJoin(printer, reshape_dims_, ",");
  printer->Append("]");
  if (reshape_dims_.size() == 1) return;
  printer->Append("T(");
  AppendJoin(printer, transpose_perm_, ",");
  printer->Append(")");
}

std::string IotaTileAssignment::ToString() const { return Printed(*this); }

std::string IotaTileAssignment::ArrayToString() const {
  return PrintedArray(*this);
}

absl::Span<const int64_t> TileAssignment::dimensions() const {
  return iota_ ? iota_->dims() : shared_array_->dimensions();
}

int64_t TileAssignment::num_elements() const {
  return iota_ ? iota_->num_elements() : shared_array_->num_elements();
}

bool TileAssignment::UsesDevice(int64_t device) const {
  if (iota_) return device >= 0 && device < iota_->num_elements();
  return absl::c_linear_search(*shared_array_, device);
}

TileAssignment TileAssignment::Reshape(
    absl::Span<const int64_t> new_dimensions) const {
  CHECK_EQ(Product(new_dimensions), num_elements());
  if (iota_) {
    return TileAssignment(new_dimensions, iota_->reshape_dims(),
                          iota_->transpose_perm());
  }
  std::shared_ptr<Array<int64_t>> array = shared_array_clone();
  array->Reshape(new_dimensions);
  return TileAssignment(std::move(array));
}

TileAssignment TileAssignment::Transpose(absl::Span<const int> perm) const {
  CHECK(IsPermutationOf(perm, num_dimensions()));
  if (iota_) {
    if (std::optional<IotaTileAssignment> transposed = iota_->Transpose(perm)) {
      return TileAssignment(*std::move(transposed));
    }
  }
  std::shared_ptr<Array<int64_t>> array = shared_array_clone();
  array->TransposeDimensions(std::vector<int64_t>(perm.begin(), perm.end()));
  return TileAssignment(std::move(array));
}

const std::shared_ptr<const Array<int64_t>>& TileAssignment::shared_array()
    const {
  if (shared_array_ == nullptr) {
    shared_array_ = std::make_shared<const Array<int64_t>>(iota_->ToArray());
  }
  return shared_array_;
}

void TileAssignment::Print(Printer* printer) const {
  printer->Append("devices=");
  if (iota_) return iota_->Print(printer);
  printer->Append("[");
  AppendJoin(printer, shared_array_->dimensions(), ",");
  printer->Append("]");
  PrintArray(printer);
}

void TileAssignment::PrintArray(Printer* printer) const {
  if (iota_) return iota_->PrintArray(printer);
  AppendJoin(printer, *shared_array_, ",");
}

std::string TileAssignment::ToString() const { return Printed(*this); }

std::string TileAssignment::ArrayToString() const {
  return PrintedArray(*this);
}

bool TileAssignment::operator==(const TileAssignment& other) const {
  if (iota_ && other.iota_) return *iota_ == *other.iota_;
  // Does not keep the list of an iota, so that threads may compare.
  if (iota_) return iota_->ToArray() == *other.shared_array_;
  if (other.iota_) return *shared_array_ == other.iota_->ToArray();
  return *shared_array_ == *other.shared_array_;
}

absl::StatusOr<std::vector<SubDimInfo>> GetOrderedSubDims(
    absl::Span<const int64_t> dims, absl::Span<const int64_t> reshape_dims,
    absl::Span<const int> transpose_perm) {
  const auto is_positive = [](int64_t size) { return size > 0; };
  if (!IsPermutationOf(transpose_perm, reshape_dims.size()) ||
      !absl::c_all_of(dims, is_positive) ||
      !absl::c_all_of(reshape_dims, is_positive) ||
      Product(dims) != Product(reshape_dims)) {
    return InvalidArgument(
        "an iota of sizes [%s] does not make an assignment of sizes [%s]",
        absl::StrJoin(reshape_dims, ","), absl::StrJoin(dims, ","));
  }
  const std::optional<std::vector<Factor>> factors =
      CommonFactors(dims, reshape_dims, transpose_perm);
  if (!factors.has_value()) {
    return InvalidArgument(
        "the sizes [%s] and those of the iota, [%s] transposed, have no common "
        "factors",
        absl::StrJoin(dims, ","), absl::StrJoin(reshape_dims, ","));
  }
  std::vector<SubDimInfo> sub_dims;
  std::vector<int64_t> counts(dims.size());
  for (const Factor& factor : *factors) {
    sub_dims.push_back(
        {factor.dim, counts[factor.dim]++, factor.source, factor.size});
  }
  absl::c_sort(sub_dims, [](const SubDimInfo& a, const SubDimInfo& b) {
    return std::pair(a.reshape_dim_index, a.tile_dim_index) <
           std::pair(b.reshape_dim_index, b.tile_dim_index);
  });
  return sub_dims;
}

std::optional<std::vector<SubDimInfo>> GetOrderedSubDimsFromIotaTileAssignment(
    const IotaTileAssignment& iota) {
  auto sub_dims = GetOrderedSubDims(iota.dims(), iota.reshape_dims(),
                                    iota.transpose_perm());
  if (!sub_dims.ok()) return std::nullopt;
  return *std::move(sub_dims);
}

std::optional<AnalyzeTileAssignmentResult> AnalyzeTileAssignment(
    const TileAssignment& tile_assignment) {
  std::optional<IotaTileAssignment> iota = tile_assignment.iota();
  if (!iota.has_value()) {
    int64_t next = 0;
    if (!absl::c_all_of(tile_assignment.array(),
                        [&](int64_t device) { return device == next++; })) {
      return std::nullopt;
    }
    iota = IotaTileAssignment::Create(tile_assignment.dimensions());
  }
  auto sub_dims = GetOrderedSubDimsFromIotaTileAssignment(*iota);
  if (!sub_dims.has_value()) return std::nullopt;
  AnalyzeTileAssignmentResult result{*std::move(sub_dims), {}};
  for (const SubDimInfo& sub_dim : result.sub_dims) {
    result.local_mesh.push_back(sub_dim.size);
  }
  return result;
}

}  // namespace xla
