// TileAssignment: which device has which tile of an array, as a list of devices
// or as a transposed iota.
#ifndef XLA_HLO_SHARDING_TILE_ASSIGNMENT_H_
#define XLA_HLO_SHARDING_TILE_ASSIGNMENT_H_

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "xla/base/text/printer.h"
#include "xla/core/array/array.h"

namespace xla {

// The numbers 0 to n-1 in an array of the sizes `reshape_dims`, transposed by
// `transpose_perm` and reshaped to `dims`, each row-major. Written
// "[2,4]<=[4,2]T(1,0)". `reshape_dims` has as few dimensions as
// possible, so that equal assignments have equal forms. No size is negative,
// and both have the same product.
class IotaTileAssignment {
 public:
  // 0 to n-1 in order.
  static IotaTileAssignment Create(absl::Span<const int64_t> dims);
  // `reshape_dims` may have any number of dimensions (CHECK that
  // `transpose_perm` permutes them and that the products agree).
  static IotaTileAssignment Create(absl::Span<const int64_t> dims,
                                   absl::Span<const int64_t> reshape_dims,
                                   absl::Span<const int> transpose_perm);

  int64_t ndims() const { return dims_.size(); }
  int64_t dim(int n) const { return dims_[n]; }
  absl::Span<const int64_t> dims() const { return dims_; }
  absl::Span<const int64_t> reshape_dims() const { return reshape_dims_; }
  absl::Span<const int> transpose_perm() const { return transpose_perm_; }
  int64_t num_elements() const;
  // The device at `index`, which has an entry for each of dims().
  int64_t value_at(absl::Span<const int64_t> index) const;

  // Transposes dims(); nullopt if no iota gives the result, which is so if
  // dims() and the transposed `reshape_dims` have no refinement in common, as
  // with [2,3] and [3,2].
  std::optional<IotaTileAssignment> Transpose(absl::Span<const int> perm) const;

  Array<int64_t> ToArray() const;
  void Print(Printer* printer) const;
  std::string ToString() const;
  // What stands behind "<=": "[4,2]T(1,0)".
  void PrintArray(Printer* printer) const;
  std::string ArrayToString() const;

  friend bool operator==(const IotaTileAssignment&,
                         const IotaTileAssignment&) = default;

 private:
  friend class TileAssignment;
  IotaTileAssignment() = default;

  std::vector<int64_t> dims_;
  std::vector<int64_t> reshape_dims_;
  std::vector<int> transpose_perm_;
};

// Immutable. Thread safe but for the first call that needs the list of an iota,
// which makes and keeps it.
class TileAssignment {
 public:
  // No devices: one dimension of size 0.
  TileAssignment() : shared_array_(std::make_shared<const Array<int64_t>>()) {}
  explicit TileAssignment(int64_t device_id)
      : shared_array_(std::make_shared<const Array<int64_t>>(
            absl::Span<const int64_t>{1}, device_id)) {}
  explicit TileAssignment(std::shared_ptr<const Array<int64_t>> array)
      : shared_array_(std::move(array)) {}
  explicit TileAssignment(IotaTileAssignment iota) : iota_(std::move(iota)) {}
  // As IotaTileAssignment::Create.
  explicit TileAssignment(absl::Span<const int64_t> dims)
      : iota_(IotaTileAssignment::Create(dims)) {}
  explicit TileAssignment(absl::Span<const int64_t> dims,
                          absl::Span<const int64_t> reshape_dims,
                          absl::Span<const int> transpose_perm)
      : iota_(IotaTileAssignment::Create(dims, reshape_dims, transpose_perm)) {}

  absl::Span<const int64_t> dimensions() const;
  int64_t num_dimensions() const { return dimensions().size(); }
  int64_t dim(int64_t n) const { return dimensions()[n]; }
  int64_t num_elements() const;
  // The device of the first tile; 0 if there are no tiles.
  int64_t first() const {
    return iota_ || num_elements() == 0 ? 0 : *shared_array_->begin();
  }
  bool UsesDevice(int64_t device) const;

  // The device at an index with an entry for each dimension.
  int64_t operator()(absl::Span<const int64_t> indexes) const {
    return iota_ ? iota_->value_at(indexes) : (*shared_array_)(indexes);
  }
  template <typename... Dims>
  std::enable_if_t<(std::is_integral_v<Dims> && ...), int64_t> operator()(
      Dims... dims) const {
    const std::array<int64_t, sizeof...(dims)> indexes{
        static_cast<int64_t>(dims)...};
    return operator()(absl::MakeConstSpan(indexes));
  }
  // Calls `f` with the indices and devices of all tiles, the last index
  // fastest; EachStatus until the first error.
  void Each(
      absl::FunctionRef<void(absl::Span<const int64_t>, int64_t)> f) const {
    array().Each(f);
  }
  absl::Status EachStatus(
      absl::FunctionRef<absl::Status(absl::Span<const int64_t>, int64_t)> f)
      const {
    absl::Status status;
    Each([&](absl::Span<const int64_t> indexes, int64_t device) {
      if (status.ok()) status = f(indexes, device);
    });
    return status;
  }

  // The product of `new_dimensions` is num_elements() (CHECK).
  TileAssignment Reshape(absl::Span<const int64_t> new_dimensions) const;
  // An iota stays one where it can.
  TileAssignment Transpose(absl::Span<const int> perm) const;

  // The form that the constructor gave, if it was an iota.
  const std::optional<IotaTileAssignment>& iota() const { return iota_; }
  const Array<int64_t>& array() const { return *shared_array(); }
  const std::shared_ptr<const Array<int64_t>>& shared_array() const;
  std::shared_ptr<Array<int64_t>> shared_array_clone() const {
    return std::make_shared<Array<int64_t>>(array());
  }

  // "devices=[2,2]0,2,1,3" or "devices=[2,2]<=[4]".
  void Print(Printer* printer) const;
  std::string ToString() const;
  // The devices alone: "0,2,1,3" or "[4]".
  void PrintArray(Printer* printer) const;
  std::string ArrayToString() const;

  // Whether all tiles have the same devices, in whatever form.
  bool operator==(const TileAssignment& other) const;
  bool operator!=(const TileAssignment& other) const {
    return !(*this == other);
  }
  template <typename H>
  friend H AbslHashValue(H h, const TileAssignment& assignment) {
    if (!assignment.iota_) {
      return H::combine(std::move(h), *assignment.shared_array_);
    }
    return H::combine(std::move(h), assignment.iota_->ToArray());
  }

 private:
  std::optional<IotaTileAssignment> iota_;
  mutable std::shared_ptr<const Array<int64_t>> shared_array_;
};

// A factor of an iota's sizes: part of one dimension of the tiles, numbered
// from the fastest part of that, and of one of `reshape_dims`.
struct SubDimInfo {
  int64_t tile_dim_index;
  int64_t tile_sub_dim_index;
  int64_t reshape_dim_index;
  int64_t size;
};

// Return the fewest factors that make up both sizes, in the order of
// `reshape_dims`, those of one by tile dimension. Errors: InvalidArgument, or
// nullopt, where the sizes have no common factors, as with [2,3] and [3,2].
absl::StatusOr<std::vector<SubDimInfo>> GetOrderedSubDims(
    absl::Span<const int64_t> dims, absl::Span<const int64_t> reshape_dims,
    absl::Span<const int> transpose_perm);
std::optional<std::vector<SubDimInfo>> GetOrderedSubDimsFromIotaTileAssignment(
    const IotaTileAssignment& iota);

// The factors, and their sizes: the axes of a mesh that the assignment uses.
struct AnalyzeTileAssignmentResult {
  std::vector<SubDimInfo> sub_dims;
  std::vector<int64_t> local_mesh;
};

// Returns nullopt where there are no factors, and for a list of devices that
// are not 0 to n-1 in order.
std::optional<AnalyzeTileAssignmentResult> AnalyzeTileAssignment(
    const TileAssignment& tile_assignment);

}  // namespace xla

#endif  // XLA_HLO_SHARDING_TILE_ASSIGNMENT_H_
