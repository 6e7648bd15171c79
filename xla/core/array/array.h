// An array of any rank that owns its elements, in row-major order: the values
// of tests and of programs that build literals. Layouts are left to literals.
#ifndef XLA_CORE_ARRAY_ARRAY_H_
#define XLA_CORE_ARRAY_ARRAY_H_

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "xla/base/logging.h"
#include "xla/base/types.h"
#include "xla/core/array/array_fill.h"
#include "xla/core/array/array_index.h"
#include "xla/core/array/array_lists.h"

namespace xla {

// Indices out of bounds and mismatched ranks are programmer errors. Concurrent
// writers must synchronize.
template <typename T>
class Array {
 public:
  using value_type = T;
  template <typename D>
  using InitializerList1D = std::initializer_list<D>;
  template <typename D>
  using InitializerList2D = NestedList2<D>;
  template <typename D>
  using InitializerList3D = NestedList3<D>;
  template <typename D>
  using InitializerList4D = NestedList4<D>;
  // Element types such as bfloat16 accept lists of an arithmetic type that
  // converts to them.
  template <typename D>
  using ListOf =
      std::enable_if_t<!std::is_same_v<D, T> && std::is_arithmetic_v<D> &&
                           !std::is_arithmetic_v<T>,
                       int>;
  // Vectors of floating-point numbers are made of lists of them.
  template <typename D>
  using VectorOf = std::enable_if_t<
      std::is_floating_point_v<D> && is_specialized_floating_point_v<T>, int>;

  Array() : Array(absl::Span<const int64_t>{0}) {}
  // Value-initializes the elements.
  explicit Array(absl::Span<const int64_t> sizes)
      : sizes_(sizes.begin(), sizes.end()),
        count_(ArrayElementCount(sizes)),
        values_(new T[count_]()) {}
  Array(absl::Span<const int64_t> sizes, T value) : Array(sizes) {
    Fill(value);
  }
  // Row-major values, as many as the sizes say.
  Array(absl::Span<const int64_t> sizes, absl::Span<const T> values)
      : Array(sizes) {
    SetValues(values);
  }
  // A list of integers alone has the sizes: Array<int>({2, 3}) is 2 x 3.
  Array(NestedList2<T> values) : Array(values, kFromLists) {}
  Array(NestedList3<T> values) : Array(values, kFromLists) {}
  Array(NestedList4<T> values) : Array(values, kFromLists) {}
  template <typename D, VectorOf<D> = 0>
  Array(std::initializer_list<D> values) : Array(values, kFromLists) {}
  template <typename D, ListOf<D> = 0>
  Array(std::initializer_list<std::initializer_list<D>> values)
      : Array(values, kFromLists) {}
  template <typename D, ListOf<D> = 0>
  Array(std::initializer_list<std::initializer_list<std::initializer_list<D>>>
            values)
      : Array(values, kFromLists) {}
  template <typename D, ListOf<D> = 0>
  Array(std::initializer_list<
        std::initializer_list<std::initializer_list<std::initializer_list<D>>>>
            values)
      : Array(values, kFromLists) {}

  Array(const Array& other) : Array(other.sizes_) {
    std::copy(other.begin(), other.end(), begin());
  }
  Array(Array&& other) noexcept { swap(other); }
  Array& operator=(Array other) noexcept {
    swap(other);
    return *this;
  }
  virtual ~Array() = default;

  void Fill(const T& value) { std::fill(begin(), end(), value); }
  // Fills with start, start + 1, ...
  void FillIota(const T& start) { FillRepeatedIota(start, count_); }
  // Fills with start, ..., start + length - 1, repeated.
  void FillRepeatedIota(const T& start, int64_t length) {
    FillSequence(span(), start, length);
  }
  // Fills with 0, multiple, 2 * multiple, ...
  void FillWithMultiples(const T& multiple) {
    for (int64_t i = 0; i < count_; ++i)
      values_[i] = static_cast<T>(static_cast<T>(i) * multiple);
  }
  // Fill with random values as array_fill.h says.
  void FillRandomDouble(double stddev, double mean = 0.0, int seed = 12345) {
    FillNormal(span(), stddev, mean, seed);
  }
  void FillRandom(const T& stddev, double mean = 0.0, int seed = 12345) {
    FillNormal(span(), NormalSpread(stddev), mean, seed);
  }
  void FillRandomUniform(const T& min_value, const T& max_value,
                         int seed = 12345) {
    FillUniform(span(), min_value, max_value, seed);
  }
  void FillRandomBool(int seed = 12345) { FillCoins(span(), seed); }
  template <typename Container = std::initializer_list<T>>
  void SetValues(const Container& container) {
    CHECK_EQ(static_cast<int64_t>(std::size(container)), count_);
    std::copy(std::begin(container), std::end(container), begin());
  }

  // Visits the elements in row-major order, a const array by value.
  template <class Fn>
  void TemplatedEach(const Fn& f) {
    ArrayIndex index(sizes_);
    for (T* element = begin(); element != end(); ++element, index.Next())
      f(index.get(), element);
  }
  template <class Fn>
  void TemplatedEach(const Fn& f) const {
    ArrayIndex index(sizes_);
    for (const T* element = begin(); element != end(); ++element, index.Next())
      f(index.get(), *element);
  }
  void Each(absl::FunctionRef<void(absl::Span<const int64_t>, T*)> f) {
    TemplatedEach(f);
  }
  void Each(absl::FunctionRef<void(absl::Span<const int64_t>, T)> f) const {
    TemplatedEach(f);
  }
  // Like Each, but stops at the first error.
  absl::Status EachStatus(
      absl::FunctionRef<absl::Status(absl::Span<const int64_t>, T*)> f) {
    ArrayIndex index(sizes_);
    absl::Status status;
    for (int64_t i = 0; i < count_ && status.ok(); ++i, index.Next())
      status = f(index.get(), &values_[i]);
    return status;
  }
  absl::Status EachStatus(
      absl::FunctionRef<absl::Status(absl::Span<const int64_t>, T)> f) const {
    ArrayIndex index(sizes_);
    absl::Status status;
    for (int64_t i = 0; i < count_ && status.ok(); ++i, index.Next())
      status = f(index.get(), values_[i]);
    return status;
  }

  template <typename... Dims>
  std::enable_if_t<(std::is_integral_v<Dims> && ...), T&> operator()(
      Dims... dims) {
    return values_[LinearIndex({static_cast<int64_t>(dims)...})];
  }
  template <typename... Dims>
  std::enable_if_t<(std::is_integral_v<Dims> && ...), const T&> operator()(
      Dims... dims) const {
    return values_[LinearIndex({static_cast<int64_t>(dims)...})];
  }
  T& operator()(absl::Span<const int64_t> indices) {
    return values_[LinearIndex(indices)];
  }
  const T& operator()(absl::Span<const int64_t> indices) const {
    return values_[LinearIndex(indices)];
  }

  int64_t dim(int64_t n) const {
    CHECK(n >= 0 && n < num_dimensions());
    return sizes_[n];
  }
  absl::Span<const int64_t> dimensions() const { return sizes_; }
  int64_t num_dimensions() const { return static_cast<int64_t>(sizes_.size()); }
  int64_t num_elements() const { return count_; }
  T* begin() { return values_.get(); }
  T* end() { return values_.get() + count_; }
  const T* begin() const { return values_.get(); }
  const T* end() const { return values_.get() + count_; }
  // Of a const array too, for libraries that read through such pointers.
  T* data() const { return values_.get(); }

  bool operator==(const Array& other) const {
    return sizes_ == other.sizes_ && std::equal(begin(), end(), other.begin());
  }
  bool operator!=(const Array& other) const { return !(*this == other); }

  // Returns the elements in [start, limit) of each dimension. A limit may be
  // beyond the size if there is a value for the elements that are.
  Array Slice(absl::Span<const int64_t> starts,
              absl::Span<const int64_t> limits,
              std::optional<T> out_of_bounds_value = std::nullopt) const {
    const bool may_exceed = out_of_bounds_value.has_value();
    Array result(ArraySliceSizes(sizes_, starts, limits, may_exceed));
    std::vector<int64_t> source(starts.size());
    result.Each([&](absl::Span<const int64_t> index, T* element) {
      bool is_inside = true;
      for (size_t i = 0; i < source.size(); ++i) {
        source[i] = starts[i] + index[i];
        is_inside &= source[i] < sizes_[i];
      }
      *element = is_inside ? (*this)(source) : *out_of_bounds_value;
    });
    return result;
  }
  // Writes `from` at `start_indices`.
  void UpdateSlice(const Array& from, absl::Span<const int64_t> start_indices) {
    CHECK_EQ(from.num_dimensions(), num_dimensions());
    std::vector<int64_t> target(start_indices.size());
    from.Each([&](absl::Span<const int64_t> index, T element) {
      for (size_t i = 0; i < target.size(); ++i)
        target[i] = start_indices[i] + index[i];
      (*this)(target) = element;
    });
  }
  // Keeps the elements in row-major order and changes the sizes.
  void Reshape(absl::Span<const int64_t> new_dimensions) {
    CHECK_EQ(ArrayElementCount(new_dimensions), count_);
    // The new ones may be a part of the old ones.
    std::vector<int64_t> sizes(new_dimensions.begin(), new_dimensions.end());
    sizes_ = std::move(sizes);
  }
  // Makes dimension permutation[i] dimension i.
  void TransposeDimensions(absl::Span<const int64_t> permutation) {
    Array result(ArrayPermutedSizes(sizes_, permutation));
    std::vector<int64_t> source(permutation.size());
    result.Each([&](absl::Span<const int64_t> index, T* element) {
      for (size_t i = 0; i < source.size(); ++i)
        source[permutation[i]] = index[i];
      *element = (*this)(source);
    });
    swap(result);
  }
  void TransposeDimensions(absl::Span<const int> permutation) {
    TransposeDimensions(
        std::vector<int64_t>(permutation.begin(), permutation.end()));
  }
  void TransposeDimensions(std::initializer_list<int> permutation) {
    TransposeDimensions(absl::Span<const int>(permutation));
  }

  // Returns "[[1, 2], [3, 4]]", one row per line; nothing for a scalar.
  std::string ToString() const {
    return ArrayText(sizes_, [this](int64_t i) {
      if constexpr (std::is_arithmetic_v<T>) return absl::StrCat(values_[i]);
      return absl::StrCat(static_cast<double>(values_[i]));
    });
  }

  template <typename H>
  friend H AbslHashValue(H h, const Array& array) {
    return H::combine_contiguous(H::combine(std::move(h), array.sizes_),
                                 array.begin(), array.count_);
  }

 private:
  static constexpr struct FromLists {
  } kFromLists = {};
  template <typename Nested>
  Array(const Nested& values, FromLists) : Array(ListSizes(values)) {
    CHECK(CopyListValues(values, begin(), end()) == end())
        << "rows of an array have different sizes";
  }
  absl::Span<T> span() { return absl::MakeSpan(data(), count_); }
  int64_t LinearIndex(absl::Span<const int64_t> indices) const {
    return ArrayLinearIndex(sizes_, indices);
  }
  void swap(Array& other) {
    std::swap(sizes_, other.sizes_);
    std::swap(count_, other.count_);
    std::swap(values_, other.values_);
  }

  std::vector<int64_t> sizes_;
  int64_t count_ = 0;
  std::unique_ptr<T[]> values_;
};

}  // namespace xla

#endif  // XLA_CORE_ARRAY_ARRAY_H_
