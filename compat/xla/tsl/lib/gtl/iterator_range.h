// tsl::gtl::iterator_range: two iterators that a for loop can go through.
#ifndef COMPAT_XLA_TSL_LIB_GTL_ITERATOR_RANGE_H_
#define COMPAT_XLA_TSL_LIB_GTL_ITERATOR_RANGE_H_

#include <iterator>
#include <utility>

namespace tsl::gtl {

template <typename IteratorT>
class iterator_range {
 public:
  using value_type = decltype(*std::declval<IteratorT>());
  using iterator = IteratorT;
  using const_iterator = IteratorT;

  iterator_range() : begin_(), end_() {}
  iterator_range(IteratorT begin_iterator, IteratorT end_iterator)
      : begin_(std::move(begin_iterator)), end_(std::move(end_iterator)) {}

  IteratorT begin() const { return begin_; }
  IteratorT end() const { return end_; }
  bool empty() const { return begin_ == end_; }

 private:
  IteratorT begin_;
  IteratorT end_;
};

template <typename T>
iterator_range<T> make_range(T x, T y) {
  return iterator_range<T>(std::move(x), std::move(y));
}

}  // namespace tsl::gtl

#endif  // COMPAT_XLA_TSL_LIB_GTL_ITERATOR_RANGE_H_
