// PtrVec: a vector of pointers that needs no allocation for one of them.
#ifndef COMPAT_XLA_HLO_IR_PTRVEC_H_
#define COMPAT_XLA_HLO_IR_PTRVEC_H_

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <iterator>
#include <type_traits>
#include <utility>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "xla/base/logging.h"

namespace xla {

// Indices are in range (CHECK in debug builds). A moved-from vector is empty.
template <typename T>
class PtrVec {
 public:
  static_assert(std::is_pointer_v<T>);

  using difference_type = std::ptrdiff_t;
  using value_type = T;
  using pointer = T*;
  using reference = T&;
  using const_reference = T const&;
  using iterator = T*;
  using const_iterator = T const*;
  using const_reverse_iterator = std::reverse_iterator<const_iterator>;

  PtrVec() = default;
  PtrVec(const PtrVec&) = default;
  PtrVec& operator=(const PtrVec&) = default;
  PtrVec(PtrVec&& other) : items_(std::move(other.items_)) { other.clear(); }
  PtrVec& operator=(PtrVec&& other) {
    if (this != &other) {
      items_ = std::move(other.items_);
      other.clear();
    }
    return *this;
  }
  PtrVec(std::initializer_list<T> list) : items_(list) {}
  template <typename InputIter>
  PtrVec(InputIter first, InputIter last) : items_(first, last) {}

  iterator begin() { return items_.data(); }
  iterator end() { return items_.data() + items_.size(); }
  const_iterator begin() const { return items_.data(); }
  const_iterator end() const { return items_.data() + items_.size(); }
  const_iterator cbegin() const { return begin(); }
  const_iterator cend() const { return end(); }
  const_reverse_iterator rbegin() const {
    return const_reverse_iterator(end());
  }
  const_reverse_iterator rend() const {
    return const_reverse_iterator(begin());
  }

  size_t size() const { return items_.size(); }
  bool empty() const { return items_.empty(); }
  // The number of pointers that need no further allocation, at least 1.
  size_t capacity() const { return items_.capacity(); }
  T* data() { return items_.data(); }
  T const* data() const { return items_.data(); }

  T& operator[](size_t i) {
    DCHECK(i < size());
    return items_[i];
  }
  T operator[](size_t i) const { return at(i); }
  T at(size_t i) const {
    DCHECK(i < size());
    return items_[i];
  }
  T front() const { return at(0); }
  T back() const { return at(size() - 1); }

  // New pointers are null, or `value`.
  void resize(size_t new_len) { items_.resize(new_len, nullptr); }
  void resize(size_t new_len, T value) { items_.resize(new_len, value); }
  void reserve(size_t new_capacity) { items_.reserve(new_capacity); }
  void clear() { items_.clear(); }
  void pop_back() {
    DCHECK(!empty());
    items_.pop_back();
  }
  void push_back(T x) { items_.push_back(x); }
  void erase(const_iterator iter) {
    DCHECK(iter >= begin() && iter < end());
    items_.erase(items_.begin() + (iter - begin()));
  }
  template <typename InputIter>
  void assign(InputIter first, InputIter last) {
    items_.assign(first, last);
  }

  operator std::vector<T>() const { return std::vector<T>(begin(), end()); }

  friend bool operator==(const PtrVec& a, const PtrVec& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end());
  }
  friend bool operator!=(const PtrVec& a, const PtrVec& b) { return !(a == b); }

 private:
  absl::InlinedVector<T, 1> items_;
};

}  // namespace xla

#endif  // COMPAT_XLA_HLO_IR_PTRVEC_H_
